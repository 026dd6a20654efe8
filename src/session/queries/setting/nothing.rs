//! `null` for a `T?`. Both known adapters clear `HasValue` alone; the value stays, and `x ?? 0` and `GetValueOrDefault()` read that
//! without asking (netcoredbg 3.1.2, dncdbg 1.1.0; 2026-11-22).

use clr_metadata::Primitive;

use crate::session::inspect::{Reader, spelling};

/// What a `T?` has to be given before `null`, so that nothing is left of its value; `None` where no adapter can be given that.
pub fn default_of(reader: &Reader, type_name: &str) -> Option<String> {
    let full = type_name.trim_end_matches('?');
    if let Some(type_) = reader.modules.enum_type(full) {
        let (member, _) = type_.members.iter().find(|(_, value)| *value == 0)?;
        return Some(format!("{full}.{member}"));
    }
    Some(match full {
        "char" if !reader.quirks.texts_are_raw => r"'\0'".to_owned(),
        "bool" => "false".to_owned(),
        "float" => "0f".to_owned(),
        "double" => "0.0".to_owned(),
        "decimal" => "0m".to_owned(),
        "System.DateTime" | "System.DateTimeOffset" => format!("{full}.MinValue"),
        "System.TimeSpan" => format!("{full}.Zero"),
        "System.Guid" => format!("{full}.Empty"),
        _ => match Primitive::from_name(full)? {
            Primitive::Char | Primitive::IntPtr | Primitive::UIntPtr => return None,
            type_ => {
                clr_csharp::arithmetic::bounds(type_)?;
                spelling::integer(type_, 0)
            }
        },
    })
}
