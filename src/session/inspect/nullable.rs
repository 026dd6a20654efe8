//! Nullable structs. netcoredbg 3.1.2 shows no member of one, and dncdbg 1.1.0 reads them from the wrong offset (where `hasValue`
//! is), so a `DateTime?` was 0001-01-01. `GetValueOrDefault()` only loads the field `value`, and both evaluate it.

use super::literal::Raw;
use super::reader::{RawValue, Reader, join};
use super::type_names;

/// What a value is, as far as nullables go.
pub enum Nullable {
    /// No nullable struct, or null, or one that adapters read right.
    No,
    /// The value inside, and the expression that loads it.
    Opened(RawValue, String),
    /// It has a value that cannot be read here: what the adapter says of it is wrong.
    Unreadable,
}

/// Looks into `value`, which is at `path`.
pub async fn open(reader: &Reader, value: &RawValue, path: &str) -> Nullable {
    let short = value.short_type();
    let Some(inner) = short.strip_suffix('?') else { return Nullable::No };
    if type_names::is_primitive(inner) || value.parsed() == Raw::Null {
        return Nullable::No;
    }
    let path = join(path, "GetValueOrDefault()");
    match reader.evaluate_getter(&path).await {
        Ok(mut opened) => {
            opened.name.clone_from(&value.name);
            Nullable::Opened(opened, path)
        }
        Err(_) => Nullable::Unreadable,
    }
}
