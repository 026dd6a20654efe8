//! Enums of 64 bits, of which an adapter prints the lower 32: the number of those, or the member that has it. The field of such a value
//! has all of them.

use clr_metadata::Primitive;
use futures::future::BoxFuture;

use super::access::Access;
use super::literal::Raw;
use super::raw_value::RawValue;
use super::reader::Reader;
use crate::session::expression::{is_path, join};
use crate::session::modules::EnumType;

/// The field that every enum has.
pub const FIELD: &str = "value__";

/// What is shown where the field cannot be read.
const CUT: &str = "error: this adapter shows only the low 32 bits of a 64-bit enum";

/// The call that gives what is in a `T?`, and only loads it.
const INSIDE: &str = ".GetValueOrDefault()";

/// Whether an adapter prints another value than such an enum has.
pub fn is_cut(reader: &Reader, of: &EnumType) -> bool {
    reader.quirks.wide_enums_are_cut && matches!(of.underlying, Primitive::I8 | Primitive::U8)
}

/// `value`, which is at `path`, by all of its bits where it is such an enum.
pub fn whole<'a>(reader: &'a Reader, value: RawValue, path: &'a str) -> BoxFuture<'a, RawValue> {
    Box::pin(async move {
        if !reader.quirks.wide_enums_are_cut || value.made.is_some() || !matches!(value.parsed(), Raw::Enum(_)) {
            return value;
        }
        let Some(type_) = reader.modules.enum_type(&value.type_name).filter(|it| is_cut(reader, it)) else {
            return value;
        };
        let may_ask = !reader.ran && is_path(path.strip_suffix(INSIDE).unwrap_or(path));
        let number = match may_ask {
            true => reader.evaluate(&join(path, FIELD), Access::Load).await.ok(),
            false => None,
        };
        let number = number.and_then(|number| number.value.parse().ok());
        RawValue { value: number.map_or_else(|| CUT.to_owned(), |number| type_.printed(number)), ..value }
    })
}
