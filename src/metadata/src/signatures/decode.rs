//! From the bytes of a blob to a signature.

use super::{ArrayShape, MethodSig, Primitive, TypeName, TypeSig};
use crate::bytes::Reader;
use crate::error::Flaw;
use crate::schema::{Coded, Table, col};
use crate::tables::{Metadata, decode};
use crate::tokens::Token;

/// Deeper than any compiler nests; shallow enough for the stack of any thread.
const MAX_DEPTH: u32 = 64;
const MAX_PARTS: u32 = super::MAX_PARTS as u32;

/// Decodes signatures of one file. One decoder, one signature: the budget is not refilled.
pub(crate) struct Decoder<'a> {
    metadata: &'a Metadata,
    depth: u32,
    parts: u32,
}

impl<'a> Decoder<'a> {
    pub(crate) fn new(metadata: &'a Metadata) -> Self {
        Self { metadata, depth: 0, parts: 0 }
    }

    /// FieldSig, II.23.2.4.
    pub(crate) fn field(mut self, mut reader: Reader<'_>) -> Result<TypeSig, Flaw> {
        if reader.u8()? & 0xf != 6 {
            return Err(reader.flaw("not a field signature"));
        }
        self.type_sig(&mut reader)
    }

    /// MethodDefSig, MethodRefSig, PropertySig: II.23.2.1, .2, .5.
    pub(crate) fn method(mut self, mut reader: Reader<'_>) -> Result<MethodSig, Flaw> {
        self.method_sig(&mut reader)
    }

    /// LocalVarSig, II.23.2.6.
    pub(crate) fn locals(mut self, mut reader: Reader<'_>) -> Result<Vec<TypeSig>, Flaw> {
        if reader.u8()? != 7 {
            return Err(reader.flaw("not a local variable signature"));
        }
        self.list(&mut reader)
    }

    /// MethodSpec, II.23.2.15: the generic arguments.
    pub(crate) fn instantiation(mut self, mut reader: Reader<'_>) -> Result<Vec<TypeSig>, Flaw> {
        if reader.u8()? != 0xa {
            return Err(reader.flaw("not a signature of generic arguments"));
        }
        self.list(&mut reader)
    }

    /// The type that a TypeDef, TypeRef or TypeSpec token stands for.
    pub(crate) fn token(mut self, token: Token) -> Result<TypeSig, Flaw> {
        self.type_of(token)
    }

    /// A type that stands alone, as in a constant's signature.
    pub(crate) fn type_sig(&mut self, reader: &mut Reader<'_>) -> Result<TypeSig, Flaw> {
        self.parts += 1;
        if self.depth >= MAX_DEPTH || self.parts > MAX_PARTS {
            return Err(reader.flaw("a signature is nested too deeply or too large"));
        }
        self.depth += 1;
        let decoded = self.any_type(reader);
        self.depth -= 1;
        decoded
    }

    fn any_type(&mut self, reader: &mut Reader<'_>) -> Result<TypeSig, Flaw> {
        let start = *reader;
        let code = reader.u8()?;
        if let Some(primitive) = Primitive::from_code(code) {
            return Ok(TypeSig::Primitive(primitive));
        }
        let mut boxed = |reader: &mut Reader<'_>| self.type_sig(reader).map(Box::new);
        Ok(match code {
            0x0f => TypeSig::Pointer(boxed(reader)?),
            0x10 => TypeSig::ByRef(boxed(reader)?),
            0x1d => TypeSig::Array(boxed(reader)?),
            0x45 => TypeSig::Pinned(boxed(reader)?),
            0x11 | 0x12 => self.class(reader, code == 0x11)?,
            0x13 => TypeSig::TypeParameter(reader.compressed()?),
            0x1e => TypeSig::MethodParameter(reader.compressed()?),
            0x14 => TypeSig::MultiArray { element: boxed(reader)?, shape: array_shape(reader)? },
            0x15 => {
                let code = reader.u8()?;
                let mut definition = self.class(reader, code == 0x11)?;
                let arguments = self.list(reader)?;
                if let TypeSig::Named(name) = &mut definition {
                    name.arguments = arguments;
                }
                definition
            }
            0x1b => TypeSig::FunctionPointer(Box::new(self.method_sig(reader)?)),
            0x1f | 0x20 => {
                let modifier = match self.token_type(reader)? {
                    TypeSig::Named(name) => name,
                    other => TypeName { full_name: other.to_string(), ..TypeName::default() },
                };
                TypeSig::Modified { modifier, required: code == 0x1f, inner: Box::new(self.type_sig(reader)?) }
            }
            _ => return Err(start.flaw("unknown element in a signature")),
        })
    }

    fn class(&mut self, reader: &mut Reader<'_>, is_value_type: bool) -> Result<TypeSig, Flaw> {
        let mut named = self.token_type(reader)?;
        if let TypeSig::Named(name) = &mut named {
            name.is_value_type = is_value_type;
        }
        Ok(named)
    }

    fn token_type(&mut self, reader: &mut Reader<'_>) -> Result<TypeSig, Flaw> {
        let start = *reader;
        let raw = reader.compressed()?;
        let token = decode(Coded::TypeDefOrRef, raw).ok_or(start.flaw("a signature does not refer to a type"))?;
        self.type_of(token)
    }

    fn type_of(&mut self, token: Token) -> Result<TypeSig, Flaw> {
        if token.table() == Some(Table::TypeSpec) {
            let row = token.row();
            let mut reader = self.metadata.blob(row, col::TypeSpec::Signature)?;
            return self.type_sig(&mut reader).map_err(|flaw| flaw.in_row(Table::TypeSpec, row));
        }
        Ok(TypeSig::Named(TypeName { full_name: self.metadata.named_type(token)?, ..TypeName::default() }))
    }

    fn method_sig(&mut self, reader: &mut Reader<'_>) -> Result<MethodSig, Flaw> {
        let flags = reader.u8()?;
        let generic_parameters = if flags & 0x10 != 0 { reader.compressed()? } else { 0 };
        let count = self.count(reader)?;
        let return_type = self.type_sig(reader)?;
        let mut parameters = Vec::new();
        let mut sentinel = None;
        for index in 0..count {
            if reader.peek() == Some(0x41) {
                reader.skip(1)?;
                sentinel = Some(index);
            }
            parameters.push(self.type_sig(reader)?);
        }
        Ok(MethodSig {
            has_this: flags & 0x20 != 0,
            explicit_this: flags & 0x40 != 0,
            calling_convention: flags & 0xf,
            generic_parameters,
            return_type,
            parameters,
            sentinel,
        })
    }

    fn list(&mut self, reader: &mut Reader<'_>) -> Result<Vec<TypeSig>, Flaw> {
        let count = self.count(reader)?;
        (0..count).map(|_| self.type_sig(reader)).collect()
    }

    /// A count of types; each takes at least a byte.
    fn count(&mut self, reader: &mut Reader<'_>) -> Result<usize, Flaw> {
        let start = *reader;
        let count = reader.compressed()? as usize;
        if count > reader.remaining() {
            return Err(start.flaw("a signature declares more parts than it has"));
        }
        Ok(count)
    }
}

/// ArrayShape, II.23.2.13.
fn array_shape(reader: &mut Reader<'_>) -> Result<ArrayShape, Flaw> {
    let start = *reader;
    let rank = reader.compressed()?;
    if rank == 0 || rank > 32 {
        return Err(start.flaw("the runtime does not allow an array of this rank"));
    }
    let mut shape = ArrayShape { rank, ..ArrayShape::default() };
    for _ in 0..reader.compressed()?.min(rank) {
        shape.sizes.push(reader.compressed()?);
    }
    for _ in 0..reader.compressed()?.min(rank) {
        shape.lower_bounds.push(reader.compressed_signed()?);
    }
    Ok(shape)
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::Builder;
    use super::*;

    const TYPE_SPEC_1: u8 = 1 << 2 | 2;

    fn spec(signatures: &[&[u8]]) -> Result<TypeSig, Flaw> {
        let mut builder = Builder::new();
        for signature in signatures {
            let blob = builder.blob(signature);
            builder.row(Table::TypeSpec, &[blob]);
        }
        Decoder::new(&builder.build("#~")).token(Token::new(Table::TypeSpec, 1))
    }

    #[test]
    fn a_type_that_contains_itself_ends_in_an_error() {
        // modreq(TypeSpec 1) int; List<TypeSpec 1>; class TypeSpec 1
        for signature in [&[0x1f, TYPE_SPEC_1, 8][..], &[0x15, 0x12, TYPE_SPEC_1, 1, 8], &[0x12, TYPE_SPEC_1]] {
            let flaw = spec(&[signature]).unwrap_err();
            assert!(flaw.to_string().contains("nested too deeply"), "{flaw}");
        }
        assert!(spec(&[&[0x12, 2]]).is_err(), "a nil type");
    }

    #[test]
    fn a_type_of_exponential_size_ends_in_an_error() {
        // Each is a function pointer of three of the next.
        let mut chain: Vec<Vec<u8>> = (2..30u8)
            .map(|next| {
                let next = next << 2 | 2;
                vec![0x1b, 0, 2, 0x12, next, 0x12, next, 0x12, next]
            })
            .collect();
        chain.push(vec![8]);
        let chain: Vec<&[u8]> = chain.iter().map(Vec::as_slice).collect();
        assert!(spec(&chain).unwrap_err().to_string().contains("too large"));
    }

    #[test]
    fn counts_are_checked_against_what_is_there() {
        let huge_count = [0x1b, 0, 0xdf, 0xff, 0xff, 0xff, 1];
        assert!(spec(&[&huge_count]).unwrap_err().to_string().contains("declares more parts"));
        let huge_rank = [0x14, 8, 0xdf, 0xff, 0xff, 0xff, 0, 0];
        assert!(spec(&[&huge_rank]).unwrap_err().to_string().contains("rank"));
        assert_eq!(spec(&[&[0x14, 8, 2, 1, 3, 1, 0x7f]]).unwrap().to_string(), "int[,]");
    }
}
