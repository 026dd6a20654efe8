//! Constants of C# that adapters cannot read: a `decimal` is a static field for the runtime, and `string.Empty` is set by it.

const STRING: [(&str, &str); 1] = [("Empty", "\"\"")];
const DECIMAL: [(&str, &str); 5] = [
    ("MaxValue", "79228162514264337593543950335m"),
    ("MinValue", "-79228162514264337593543950335m"),
    ("MinusOne", "-1m"),
    ("One", "1m"),
    ("Zero", "0m"),
];

/// The literal of the constant that a text begins with, and the bytes of its name: `decimal.One`, `System.Decimal.One`.
pub fn leading(text: &str) -> Option<(&'static str, usize)> {
    let types: [(&str, &[(&str, &str)]); 4] =
        [("string.", &STRING), ("System.String.", &STRING), ("decimal.", &DECIMAL), ("System.Decimal.", &DECIMAL)];
    types.into_iter().find_map(|(type_, members)| {
        let rest = text.strip_prefix(type_)?;
        members.iter().find_map(|(name, literal)| {
            let behind = rest.strip_prefix(name)?;
            let goes_on = behind.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '['));
            (!goes_on).then_some((*literal, type_.len() + name.len()))
        })
    })
}

/// The literal of a constant that is the whole text.
pub fn literal(text: &str) -> Option<&'static str> {
    leading(text).filter(|(_, length)| *length == text.len()).map(|(literal, _)| literal)
}
