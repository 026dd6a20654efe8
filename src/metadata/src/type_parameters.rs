//! Type parameters, and what their arguments must be.

use crate::methods::MethodView;
use crate::schema::{Table, col};
use crate::signatures::{Decoder, TypeSig};
use crate::tables::Metadata;
use crate::tokens::Token;
use crate::types::TypeView;

/// A type parameter of a generic type or method.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TypeParameter {
    pub name: String,
    /// Of ECMA-335 II.23.1.7: `class`, `struct`, `new()`.
    pub flags: u32,
    /// The types that an argument must convert to; those of the method and of its type are parameters.
    pub bounds: Vec<TypeSig>,
}

impl TypeParameter {
    /// Whether the constraint `class` is on it.
    pub fn is_class(&self) -> bool {
        self.flags & 0x4 != 0
    }
}

impl MethodView<'_> {
    /// Its own, in their order. What cannot be read is omitted.
    pub fn type_parameters(&self) -> Vec<TypeParameter> {
        of(&self.assembly().metadata, self.id().token())
    }
}

impl TypeView<'_> {
    /// Its own and those of the types around it, in their order, with what their arguments must be.
    pub fn constrained_parameters(&self) -> Vec<TypeParameter> {
        of(&self.assembly().metadata, self.id().token())
    }
}

fn of(metadata: &Metadata, owner: Token) -> Vec<TypeParameter> {
    let bounds = |parameter: Token| {
        let rows = metadata.rows_of(col::GenericParamConstraint::Owner, parameter);
        rows.filter_map(|row| {
            let type_ = metadata.token(row, col::GenericParamConstraint::Constraint).ok()?;
            Some(Decoder::new(metadata).token(type_).ok()?.referent().type_.clone())
        })
        .collect()
    };
    metadata
        .rows_of(col::GenericParam::Owner, owner)
        .map(|row| TypeParameter {
            name: metadata.string(row, col::GenericParam::Name).unwrap_or_default().to_owned(),
            flags: metadata.cell(row, col::GenericParam::Flags).unwrap_or(0),
            bounds: bounds(Token::new(Table::GenericParam, row)),
        })
        .collect()
}
