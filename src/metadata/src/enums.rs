//! The integer types behind the enums that a file defines: what the values of attributes are read with.

use super::schema::{Table, col};
use super::signatures::{Primitive, TypeSig};
use super::tables::{EnumTypes, Metadata};
use super::tokens::Token;

/// The largest framework assembly takes 60 KB; rows that share long names could take any amount.
const MAX_NAME_BYTES: usize = 16 << 20;
const STATIC: u32 = 0x10;

impl Metadata {
    pub(crate) fn enum_type(&self, full_name: &str) -> Option<Primitive> {
        self.enums.get_or_init(|| self.read_enums()).get(full_name).copied()
    }

    fn read_enums(&self) -> EnumTypes {
        let mut enums = EnumTypes::new();
        let mut bytes = 0;
        for row in self.rows(Table::TypeDef) {
            let is_enum = self.token(row, col::TypeDef::Extends).is_ok_and(|base| self.is_type(base, "System.Enum"));
            let Some(primitive) = is_enum.then(|| self.underlying(row)).flatten() else {
                continue;
            };
            let Ok(name) = self.type_full_name(Token::new(Table::TypeDef, row)) else {
                continue;
            };
            bytes += name.len();
            if bytes > MAX_NAME_BYTES {
                break;
            }
            enums.entry(name).or_insert(primitive);
        }
        enums
    }

    /// The type of its instance field (ECMA-335 II.14.3).
    fn underlying(&self, type_row: u32) -> Option<Primitive> {
        let is_instance = |&field: &u32| self.cell(field, col::Field::Flags).is_ok_and(|flags| flags & STATIC == 0);
        let field = self.list(type_row, col::TypeDef::FieldList).find(is_instance)?;
        match self.decode_field(self.blob(field, col::Field::Signature).ok()?).ok()? {
            TypeSig::Primitive(primitive) => Some(primitive),
            _ => None,
        }
    }
}
