//! Generic parameters and what they must be: `<in TKey, out TValue>`, `where TKey : notnull, IComparable<TKey>, new()`.

use super::{Place, when, words};
use crate::schema::{Table, col};
use crate::signatures::{Decoder, TypeSig};
use crate::tokens::Token;

// Flags of ECMA-335 II.23.1.7; the last is of .NET 9.
const COVARIANT: u32 = 1;
const CONTRAVARIANT: u32 = 2;
const REFERENCE_TYPE: u32 = 4;
const VALUE_TYPE: u32 = 8;
const CONSTRUCTOR: u32 = 0x10;
const ALLOWS_REF_STRUCT: u32 = 0x20;

const UNMANAGED: &str = "System.Runtime.CompilerServices.IsUnmanagedAttribute";
const NOT_NULL: u8 = 1;
const MAY_BE_NULL: u8 = 2;

impl Place<'_> {
    /// `<T, U>` of a type or method, without the first `skipped` parameters (those of the types around it); empty without any.
    pub(super) fn generic_list(&self, owner: Token, skipped: usize) -> String {
        let metadata = &self.assembly.metadata;
        let parameters = metadata.rows_of(col::GenericParam::Owner, owner).skip(skipped);
        let named = parameters.filter_map(|row| {
            let flags = metadata.cell(row, col::GenericParam::Flags).ok()?;
            let variance = words(&[when(flags & CONTRAVARIANT != 0, "in"), when(flags & COVARIANT != 0, "out")]);
            Some(variance + metadata.string(row, col::GenericParam::Name).ok()?)
        });
        let list = named.collect::<Vec<_>>().join(", ");
        if list.is_empty() { list } else { format!("<{list}>") }
    }

    /// ` where T : …` for each parameter that is constrained, in their order.
    pub(super) fn constraints(&self, owner: Token, skipped: usize) -> String {
        let metadata = &self.assembly.metadata;
        let mut text = String::new();
        for row in metadata.rows_of(col::GenericParam::Owner, owner).skip(skipped) {
            let constraints = self.constraints_of(row);
            if !constraints.is_empty() {
                let name = metadata.string(row, col::GenericParam::Name).unwrap_or_default();
                text.push_str(&format!(" where {name} : {}", constraints.join(", ")));
            }
        }
        text
    }

    fn constraints_of(&self, row: u32) -> Vec<String> {
        let metadata = &self.assembly.metadata;
        let parameter = Token::new(Table::GenericParam, row);
        let flags = metadata.cell(row, col::GenericParam::Flags).unwrap_or(0);
        let nullable = self.assembly.nullable_flags(parameter, self.nullable).first();
        let kind = match flags & (REFERENCE_TYPE | VALUE_TYPE) {
            0 if nullable == NOT_NULL => "notnull",
            0 => "",
            REFERENCE_TYPE if nullable == MAY_BE_NULL => "class?",
            REFERENCE_TYPE => "class",
            _ if self.has(Some(parameter), UNMANAGED) => "unmanaged",
            _ => "struct",
        };
        let mut constraints = vec![kind.to_owned()];
        for row in metadata.rows_of(col::GenericParamConstraint::Owner, parameter) {
            let type_ = metadata.token(row, col::GenericParamConstraint::Constraint);
            let Ok(type_) = type_.and_then(|type_| Decoder::new(metadata).token(type_)) else { continue };
            let type_ = type_.referent().type_.clone();
            // `struct` and `unmanaged` say so already.
            let is_implied = matches!(&type_, TypeSig::Named(name) if name.full_name == "System.ValueType");
            if !(is_implied && flags & VALUE_TYPE != 0) {
                constraints.push(self.text(&type_, Some(Token::new(Table::GenericParamConstraint, row))));
            }
        }
        if flags & CONSTRUCTOR != 0 && flags & VALUE_TYPE == 0 {
            constraints.push("new()".to_owned());
        }
        if flags & ALLOWS_REF_STRUCT != 0 {
            constraints.push("allows ref struct".to_owned());
        }
        constraints.retain(|constraint| !constraint.is_empty());
        constraints
    }
}
