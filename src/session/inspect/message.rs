//! What an exception of the framework says, computed from its fields: to what its constructor was given its getter adds what the exception is
//! about. Nothing runs.

use super::access::Access;
use super::field_values::{Field, Fields};
use super::fields;
use super::literal::Raw;
use super::raw_value::RawValue;
use super::reader::Reader;
use crate::session::expression::join;
use crate::session::type_names;

/// Exceptions within each other whose messages are read.
const DEPTH: u32 = 4;
/// Exceptions of an `AggregateException` whose messages are read.
const INNER: u64 = 16;
/// In the place of what is not known without a call.
const UNKNOWN: &str = "…";

/// What `Message` appends, by the class that overrides it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Parameter,
    ActualValue,
    ObjectName,
    Inner,
}

/// The base that stands first is asked first (ArgumentException.cs and the others, .NET 8 to 10).
const PARTS: [(&str, Part, &str); 4] = [
    ("System.ArgumentException", Part::Parameter, "_paramName"),
    ("System.ArgumentOutOfRangeException", Part::ActualValue, "_actualValue"),
    ("System.ObjectDisposedException", Part::ObjectName, "_objectName"),
    ("System.AggregateException", Part::Inner, "_innerExceptions"),
];

/// Whether the getter of a type adds something to what its constructor was given.
pub fn is_completed(reader: &Reader, type_name: &str) -> bool {
    !parts(reader, type_name).is_empty() && !reader.shape(type_name).overrides_message
}

/// The message of an exception at `path` whose `_message` is `given`.
pub async fn completed(reader: &Reader, exception: &RawValue, path: &str, given: String) -> String {
    within(reader, exception, path, given, DEPTH).await
}

/// Their getters make a message of a file's name where there is none (.NET 8 to 10).
const OF_FILES: [&str; 3] =
    ["System.IO.FileNotFoundException", "System.IO.FileLoadException", "System.BadImageFormatException"];

/// The message of an exception at `path` whose `_message` is null, where its type makes one of its own.
pub async fn made(reader: &Reader, exception: &RawValue, path: &str) -> Option<String> {
    let bases = reader.modules.universe().base_chain(&exception.type_name);
    let chain = std::iter::once(&exception.type_name).chain(&bases);
    let is_of_file = |name: &String| OF_FILES.contains(&type_names::definition(name).as_str());
    chain.into_iter().find(|name| is_of_file(name))?;
    let read = fields::read(reader, exception, path, &["FileName()|_fileName", "_HResult"]).await;
    of_file(read.text(0), read.integer(1)?)
}

/// As `FileLoadException.FormatFileLoadExceptionMessage` makes it; `None` for null, and for other results than the constructors set.
fn of_file(file: Option<String>, result: i128) -> Option<String> {
    const LINE_END: &str = if cfg!(windows) { "\r\n" } else { "\n" };
    const NOT_FOUND: u32 = 0x8007_0002;
    let why = match result as u32 {
        // that of no file is null
        NOT_FOUND if file.is_none() => return None,
        NOT_FOUND => format!("The system cannot find the file specified.{LINE_END}"),
        0x8013_1621 => "Could not find or load a specific file. (0x80131621)".to_owned(),
        0x8007_000b => format!("An attempt was made to load a program with an incorrect format.{LINE_END}"),
        _ => return None,
    };
    Some(format!("Could not load file or assembly '{}'. {why}", file.unwrap_or_default()))
}

fn parts(reader: &Reader, type_name: &str) -> Vec<(&'static str, Part, &'static str)> {
    let bases = reader.modules.universe().base_chain(type_name);
    let is_of = |name: &str| bases.iter().any(|base| type_names::definition(base) == name);
    PARTS.into_iter().filter(|(type_, ..)| is_of(type_)).collect()
}

async fn within(reader: &Reader, exception: &RawValue, path: &str, given: String, depth: u32) -> String {
    let parts = parts(reader, &exception.type_name);
    if parts.is_empty() {
        return given;
    }
    let specs: Vec<&str> = parts.iter().map(|(_, _, field)| *field).collect();
    let read = fields::read(reader, exception, path, &specs).await;
    let mut message = given;
    for (at, (_, part, _)) in parts.iter().enumerate() {
        if *part == Part::Inner {
            message.push_str(&inner(reader, &read, at, depth).await);
        } else if let Some(text) = appended(*part, &unboxed(reader, &read, at).await) {
            message.push_str(&text);
        }
    }
    message
}

/// A field, and the number in the box that it is.
async fn unboxed(reader: &Reader, read: &Fields, at: usize) -> Option<RawValue> {
    let Field { value, path, .. } = read.get(at)?;
    if !value.is_boxed() {
        return Some(value.clone());
    }
    reader.evaluate(&join(path, "m_value"), Access::Load).await.ok().or_else(|| Some(value.clone()))
}

fn appended(part: Part, value: &Option<RawValue>) -> Option<String> {
    let value = value.as_ref()?.parsed();
    match (part, &value) {
        (_, Raw::Null) | (Part::Inner, _) => None,
        (Part::Parameter, Raw::Text(name)) if !name.is_empty() => Some(format!(" (Parameter '{name}')")),
        (Part::ObjectName, Raw::Text(name)) if !name.is_empty() => Some(format!("\nObject name: '{name}'.")),
        (Part::Parameter | Part::ObjectName, _) => None,
        (Part::ActualValue, value) => Some(format!("\nActual value was {}.", written(value))),
    }
}

/// As `ToString` writes it, where that needs no culture.
fn written(value: &Raw) -> &str {
    match value {
        Raw::Text(text) | Raw::Enum(text) => text,
        Raw::Literal(number) => {
            let digits = number.trim_end_matches(['U', 'L']);
            let is_integer = digits.trim_start_matches('-').bytes().all(|byte| byte.is_ascii_digit());
            if is_integer { digits } else { UNKNOWN }
        }
        _ => UNKNOWN,
    }
}

/// ` (one) (two)`
async fn inner(reader: &Reader, read: &Fields, at: usize, depth: u32) -> String {
    let Some(array) = read.get(at).filter(|_| read.is_set(at)) else { return String::new() };
    let Raw::Array(dimensions) = array.value.parsed() else { return String::new() };
    let count = dimensions.iter().product::<u64>();
    let all = reader.children(array.value.reference, Some((0, count.min(INNER)))).await.unwrap_or_default();
    let mut text = String::new();
    for (number, exception) in all.iter().enumerate() {
        let path = format!("{}[{number}]", array.path);
        let message = match depth.checked_sub(1) {
            Some(depth) => Box::pin(of(reader, exception, &path, depth)).await,
            None => None,
        };
        text.push_str(&format!(" ({})", message.as_deref().unwrap_or(UNKNOWN)));
    }
    if count > all.len() as u64 {
        text.push_str(&format!(" ({UNKNOWN})"));
    }
    text
}

/// `None` where a type of the program's own says it, or it cannot be read.
async fn of(reader: &Reader, exception: &RawValue, path: &str, depth: u32) -> Option<String> {
    if reader.shape(&exception.type_name).overrides_message {
        return None;
    }
    let given = match reader.listed(exception).await.into_iter().find(|field| field.name == GIVEN) {
        Some(given) => given,
        None => reader.evaluate(&join(path, GIVEN), Access::Load).await.ok()?,
    };
    let Raw::Text(given) = given.parsed() else { return None };
    Some(within(reader, exception, path, given, depth).await)
}

/// What the constructor was given.
const GIVEN: &str = "_message";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_could_not_be_loaded_is_said_as_the_getter_says_it() {
        let said = |file: Option<&str>, result: u32| of_file(file.map(str::to_owned), i128::from(result.cast_signed()));
        let cannot = "Could not load file or assembly";
        assert_eq!(said(None, 0x8007_0002), None);
        assert_eq!(said(Some("z"), 0x8000_4005), None);
        assert!(said(Some("x"), 0x8007_0002).unwrap().starts_with(&format!("{cannot} 'x'. The system cannot find")));
        let load = format!("{cannot} ''. Could not find or load a specific file. (0x80131621)");
        assert_eq!(said(None, 0x8013_1621), Some(load));
    }

    #[test]
    fn what_is_appended_is_what_the_getter_appends() {
        let value = |type_name: &str, value: &str| {
            Some(RawValue { type_name: type_name.into(), value: value.into(), ..RawValue::default() })
        };
        for (part, value, expected) in [
            (Part::Parameter, value("string", "\"x\""), Some(" (Parameter 'x')")),
            (Part::Parameter, value("string", "\"\""), None),
            (Part::Parameter, value("string", "null"), None),
            (Part::ObjectName, value("string", "\"Thing\""), Some("\nObject name: 'Thing'.")),
            (Part::ActualValue, value("object", "null"), None),
            (Part::ActualValue, value("object", "\"a\""), Some("\nActual value was a.")),
            (Part::ActualValue, value("ulong", "3"), Some("\nActual value was 3.")),
            (Part::ActualValue, value("double", "2.5"), Some("\nActual value was ….")),
            (Part::ActualValue, None, None),
        ] {
            assert_eq!(appended(part, &value).as_deref(), expected, "{part:?} {value:?}");
        }
    }
}
