//! Signatures of a file as types: by token, or from the blob of a row.

use super::{Decoder, MethodSig, TypeSig};
use crate::bytes::Reader;
use crate::error::Flaw;
use crate::tables::Metadata;
use crate::tokens::Token;

impl Metadata {
    /// The type that a TypeDef, TypeRef or TypeSpec token stands for.
    pub fn decode_type(&self, token: Token) -> Result<TypeSig, Flaw> {
        Decoder::new(self).token(token)
    }

    /// FieldSig (ECMA-335 II.23.2.4), of Field and MemberRef rows.
    pub fn decode_field(&self, blob: Reader<'_>) -> Result<TypeSig, Flaw> {
        Decoder::new(self).field(blob)
    }

    /// MethodDefSig, MethodRefSig, StandAloneMethodSig, PropertySig (II.23.2.1 to .3, .5).
    pub fn decode_method(&self, blob: Reader<'_>) -> Result<MethodSig, Flaw> {
        Decoder::new(self).method(blob)
    }

    /// LocalVarSig (II.23.2.6), of StandAloneSig rows.
    pub fn decode_locals(&self, blob: Reader<'_>) -> Result<Vec<TypeSig>, Flaw> {
        Decoder::new(self).locals(blob)
    }

    /// The generic arguments of a MethodSpec row (II.23.2.15).
    pub fn decode_instantiation(&self, blob: Reader<'_>) -> Result<Vec<TypeSig>, Flaw> {
        Decoder::new(self).instantiation(blob)
    }
}
