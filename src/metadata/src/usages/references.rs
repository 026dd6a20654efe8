//! Types that an assembly defines or refers to, identified by name and by the assembly that a reference resolves to.

use super::symbol::{MemberName, SymbolName, TypeKey};
use crate::assembly::Assembly;
use crate::schema::{Coded, Table, col};
use crate::signatures::Decoder;
use crate::tables::decode;
use crate::tokens::Token;

/// The TypeDef and TypeRef rows that are the wanted types (or the types of the wanted members).
pub(super) struct Types {
    pub(super) tokens: Vec<(Token, usize)>,
}

impl Types {
    pub(super) fn of(assembly: &Assembly, wanted: &[SymbolName]) -> Self {
        let metadata = &assembly.metadata;
        let mut tokens = Vec::new();
        let own = assembly.name();
        for (at, symbol) in wanted.iter().enumerate() {
            let key = &symbol.type_;
            if key.assembly == own
                && let Some(id) = assembly.find_definition(&key.full_name)
            {
                tokens.push((id.token(), at));
            }
        }
        let last_names: Vec<&str> = wanted.iter().map(|symbol| last_name(&symbol.type_.full_name)).collect();
        let mut distinct = last_names.clone();
        distinct.sort_unstable();
        distinct.dedup();
        for row in metadata.rows(Table::TypeRef) {
            let Some(name) = distinct.iter().find(|name| metadata.is_called(row, col::TypeRef::Name, name)) else {
                continue;
            };
            let token = Token::new(Table::TypeRef, row);
            for (at, (symbol, last)) in wanted.iter().zip(&last_names).enumerate() {
                if last == name && is_type(assembly, token, &symbol.type_) {
                    tokens.push((token, at));
                }
            }
        }
        Self { tokens }
    }

    /// The definition or reference behind a token, if it is one of them.
    pub(super) fn of_wanted(&self, assembly: &Assembly, token: Token) -> Option<Token> {
        definition(assembly, token).filter(|token| self.tokens.iter().any(|(known, _)| known == token))
    }

    pub(super) fn is(&self, definition: Token, at: usize) -> bool {
        self.tokens.contains(&(definition, at))
    }

    pub(super) fn named(&self, assembly: &Assembly, token: Token) -> Option<usize> {
        let token = definition(assembly, token)?;
        self.tokens.iter().find(|(known, _)| *known == token).map(|(_, at)| *at)
    }
}

/// ``Inner`1`` of ``Ns.Outer+Inner`1``.
fn last_name(full_name: &str) -> &str {
    full_name.rsplit(['.', '+']).next().unwrap_or(full_name)
}

fn is_type(assembly: &Assembly, reference: Token, key: &TypeKey) -> bool {
    if assembly.metadata.named_type(reference).ok().as_ref() != Some(&key.full_name) {
        return false;
    }
    let scope = assembly.scope_of(reference);
    let named = scope.as_deref().unwrap_or_else(|| assembly.name());
    key.assembly == named || !key.homonyms.iter().any(|homonym| homonym == named)
}

/// The TypeDef or TypeRef behind a token; of a generic instance (TypeSpec, II.23.2.14), that of its definition.
fn definition(assembly: &Assembly, token: Token) -> Option<Token> {
    const GENERIC_INSTANCE: u8 = 0x15;
    let Some(row) = token.row_of(Table::TypeSpec) else {
        return Some(token);
    };
    let mut blob = assembly.metadata.blob(row, col::TypeSpec::Signature).ok()?;
    if blob.u8().ok()? != GENERIC_INSTANCE {
        return None;
    }
    blob.u8().ok()?;
    decode(Coded::TypeDefOrRef, blob.compressed().ok()?)
}

impl Assembly {
    /// What a MemberRef row names, without the type.
    pub fn member_reference(&self, row: u32) -> Option<MemberName> {
        const FIELD: u8 = 6;
        let metadata = &self.metadata;
        let name = metadata.string(row, col::MemberRef::Name).ok()?.to_owned();
        let blob = metadata.blob(row, col::MemberRef::Signature).ok()?;
        if blob.clone().u8().ok()? & 0xf == FIELD {
            return Some(MemberName::Field(name));
        }
        Some(MemberName::Method(name, Decoder::new(metadata).method(blob).ok()?))
    }

    /// Simple name of the assembly that a TypeRef (or the TypeSpec of a generic one) leads to; `None` for what is its own.
    pub fn scope_of(&self, type_: Token) -> Option<String> {
        let mut outermost =
            definition(self, type_)?.row_of(Table::TypeRef).map(|row| Token::new(Table::TypeRef, row))?;
        for _ in 0..64 {
            match self.metadata.enclosing_type(outermost) {
                Some(outer) => outermost = outer,
                None => break,
            }
        }
        let scope = self.metadata.token(outermost.row(), col::TypeRef::ResolutionScope).ok()?;
        let row = scope.row_of(Table::AssemblyRef)?;
        self.metadata.string(row, col::AssemblyRef::Name).ok().map(str::to_owned)
    }

    /// The TypeDef or TypeRef behind a TypeSpec of a generic instance; other tokens stay.
    pub fn definition_of(&self, type_: Token) -> Option<Token> {
        definition(self, type_)
    }

    /// The type that a TypeDef, TypeRef or TypeSpec token stands for, with its arguments.
    pub fn type_signature(&self, type_: Token) -> Option<crate::TypeSig> {
        Decoder::new(&self.metadata).token(type_).ok()
    }
}
