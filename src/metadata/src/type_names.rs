//! Full names of the types that a file defines or refers to: ``Ns.Outer`1+Inner``.

use super::error::Flaw;
use super::schema::{Table, col};
use super::signatures::Decoder;
use super::tables::Metadata;
use super::tokens::Token;

/// A chain of enclosing types that is longer comes from a cycle.
const MAX_NESTING: usize = 64;
/// Bytes, all levels together.
const MAX_FULL_NAME: usize = 16 << 10;

impl Metadata {
    /// The metadata name of a TypeDef, TypeRef or TypeSpec (then that of its definition, without arguments).
    pub fn type_full_name(&self, token: Token) -> Result<String, Flaw> {
        match token.table() {
            Some(Table::TypeDef | Table::TypeRef | Table::ExportedType) => self.named_type(token),
            Some(Table::TypeSpec) => {
                let signature = Decoder::new(self).token(token)?;
                Ok(match signature.full_name() {
                    Some(name) => name.to_owned(),
                    None => signature.to_string(),
                })
            }
            _ => Err(Flaw::new(self.streams.tables.start, "a token does not refer to a type")),
        }
    }

    /// Of a TypeDef, TypeRef or ExportedType; reads no signature, so signatures may ask it.
    pub(crate) fn named_type(&self, token: Token) -> Result<String, Flaw> {
        let flaw = |what, token: Token| {
            let flaw = Flaw::new(self.streams.tables.start, what);
            token.table().map_or(flaw, |table| flaw.in_row(table, token.row()))
        };
        let mut chain = Vec::new();
        let mut token = token;
        loop {
            if chain.len() > MAX_NESTING {
                return Err(flaw("the nesting of types is cyclic", token));
            }
            let (namespace, name) = self.type_name_parts(token)?;
            chain.push(name);
            match self.enclosing_type(token) {
                Some(enclosing) => token = enclosing,
                None => {
                    let length = chain.iter().map(|name| name.len() + 1).sum::<usize>() + namespace.len();
                    if length > MAX_FULL_NAME {
                        return Err(flaw("a type's full name is too long", token));
                    }
                    let mut full_name = String::with_capacity(length);
                    if !namespace.is_empty() {
                        full_name.push_str(namespace);
                        full_name.push('.');
                    }
                    while let Some(name) = chain.pop() {
                        full_name.push_str(name);
                        if !chain.is_empty() {
                            full_name.push('+');
                        }
                    }
                    return Ok(full_name);
                }
            }
        }
    }

    /// Namespace and name of one level, as they stand in the file.
    pub(crate) fn type_name_parts(&self, token: Token) -> Result<(&str, &str), Flaw> {
        let row = token.row();
        match token.table() {
            Some(Table::TypeDef) => {
                Ok((self.string(row, col::TypeDef::Namespace)?, self.string(row, col::TypeDef::Name)?))
            }
            Some(Table::TypeRef) => {
                Ok((self.string(row, col::TypeRef::Namespace)?, self.string(row, col::TypeRef::Name)?))
            }
            Some(Table::ExportedType) => {
                Ok((self.string(row, col::ExportedType::Namespace)?, self.string(row, col::ExportedType::Name)?))
            }
            _ => Err(Flaw::new(self.streams.tables.start, "a token does not refer to a type")),
        }
    }

    /// The type in which a type is nested.
    pub(crate) fn enclosing_type(&self, token: Token) -> Option<Token> {
        let row = token.row();
        let (enclosing, table) = match token.table()? {
            Table::TypeDef => {
                let nesting = self.rows_of(col::NestedClass::Nested, token).next()?;
                (self.token(nesting, col::NestedClass::Enclosing).ok()?, Table::TypeDef)
            }
            Table::TypeRef => (self.token(row, col::TypeRef::ResolutionScope).ok()?, Table::TypeRef),
            _ => (self.token(row, col::ExportedType::Implementation).ok()?, Table::ExportedType),
        };
        enclosing.row_of(table).map(|_| enclosing)
    }

    /// Whether a type that is not nested has this name; allocates nothing.
    pub(crate) fn is_type(&self, token: Token, full_name: &str) -> bool {
        let (namespace, name) = full_name.rsplit_once('.').unwrap_or(("", full_name));
        self.type_name_parts(token).is_ok_and(|parts| parts == (namespace, name))
    }
}
