//! A struct that is nowhere in the program's memory, as the engine prints it: `{Id=1, When={_dateData=5UL}}`. The framework's values in it
//! are shown as everywhere.

use crate::session::inspect::field_values::{Field, Fields, Spec};
use crate::session::inspect::shape::Form;
use crate::session::inspect::wellknown::known::{Known, Part, Show};
use crate::session::inspect::{RawValue, Reader};
use crate::session::type_names;

/// What was printed.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Printed<'t> {
    Literal(&'t str),
    Struct(Vec<(&'t str, Printed<'t>)>),
    Tuple(Vec<Printed<'t>>),
}

/// The text of a struct of that type; `None`: it is no text of a struct.
pub(super) fn shown(reader: &Reader, type_name: &str, text: &str) -> Option<String> {
    match read(text) {
        Printed::Literal(_) => None,
        printed => Some(written(reader, type_name, &printed)),
    }
}

fn read(text: &str) -> Printed<'_> {
    let inside = |open, close| text.strip_prefix(open).and_then(|rest| rest.strip_suffix(close));
    if let Some(parts) = inside('{', '}').and_then(parts) {
        let named: Option<Vec<_>> = parts.iter().map(|part| part.split_once('=')).collect();
        let is_name = |name: &str| name.chars().all(|c| c.is_alphanumeric() || c == '_');
        if let Some(named) = named.filter(|named| named.iter().all(|(name, _)| is_name(name))) {
            return Printed::Struct(named.into_iter().map(|(name, value)| (name, read(value))).collect());
        }
    }
    match inside('(', ')').and_then(parts) {
        Some(parts) => Printed::Tuple(parts.into_iter().map(read).collect()),
        None => Printed::Literal(text),
    }
}

/// What commas separate outside of brackets and literals; `None`: these are not balanced.
fn parts(text: &str) -> Option<Vec<&str>> {
    let (mut parts, mut begin, mut depth) = (Vec::new(), 0, 0_u32);
    let (mut quote, mut is_escaped) = (None, false);
    for (at, c) in text.char_indices() {
        match (quote, c) {
            _ if std::mem::take(&mut is_escaped) => {}
            (Some(_), '\\') => is_escaped = true,
            (Some(open), c) if c == open => quote = None,
            (None, '"' | '\'') => quote = Some(c),
            (None, '{' | '(' | '[') => depth += 1,
            (None, '}' | ')' | ']') => depth = depth.checked_sub(1)?,
            (None, ',') if depth == 0 => {
                parts.push(text.get(begin..at)?);
                begin = at + 1;
            }
            _ => {}
        }
    }
    parts.push(text.get(begin..)?);
    (depth == 0 && quote.is_none()).then(|| parts.into_iter().map(str::trim_start).collect())
}

fn written(reader: &Reader, type_name: &str, printed: &Printed<'_>) -> String {
    match printed {
        Printed::Literal(text) => (*text).to_owned(),
        Printed::Tuple(items) => {
            let types = type_names::generic_arguments(type_name);
            let of = |at: usize| types.get(at).map_or("", String::as_str);
            let items = items.iter().enumerate().map(|(at, item)| written(reader, of(at), item));
            format!("({})", items.collect::<Vec<_>>().join(", "))
        }
        Printed::Struct(fields) => {
            let shape = reader.shape(type_name);
            if let Form::Wellknown(known) = &shape.form
                && let Some(text) = wellknown(known, printed)
            {
                return text;
            }
            let declared = |name: &str| {
                shape.members.iter().find(|member| member.name == name).map_or("", |member| member.declared.as_str())
            };
            let fields =
                fields.iter().map(|(name, field)| format!("{name}={}", written(reader, declared(name), field)));
            format!("{{{}}}", fields.collect::<Vec<_>>().join(", "))
        }
    }
}

fn wellknown(known: &Known, printed: &Printed<'_>) -> Option<String> {
    let fields = Fields(known.fields.iter().map(|spec| field(printed, spec)).collect());
    match known.show {
        Show::Plain(show) => show(&fields),
        Show::Members(show) => {
            let parts = show(&fields)?.into_iter().map(|(name, part)| {
                let text = match part {
                    Part::Shown(text) => text,
                    Part::Field(at) => fields.get(at)?.path.clone(),
                };
                Some(format!("{name}={text}"))
            });
            Some(format!("{{{}}}", parts.collect::<Option<Vec<_>>>()?.join(", ")))
        }
        Show::Text(_) | Show::Builder | Show::Json => None,
    }
}

/// A number has its suffix in the place of its path, by which nothing is read.
fn field(printed: &Printed<'_>, spec: Spec) -> Option<Field> {
    let mut at = printed;
    for name in spec.trim_end_matches('!').split('.') {
        let Printed::Struct(fields) = at else { return None };
        at = fields.iter().find(|(field, _)| *field == name.trim_end_matches("()")).map(|(_, value)| value)?;
    }
    let Printed::Literal(text) = at else { return None };
    let value = RawValue { value: text.trim_end_matches(['U', 'L']).to_owned(), ..RawValue::default() };
    Some(Field { value, path: (*text).to_owned(), elements: Vec::new() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::inspect::wellknown::table;

    #[test]
    fn a_printed_struct_has_its_parts_again() {
        use Printed::{Literal, Struct, Tuple};
        for (text, expected) in [
            ("5", Literal("5")),
            ("{Shop.Order}", Literal("{Shop.Order}")),
            ("{A=1, B=\"x, y}\"}", Struct(vec![("A", Literal("1")), ("B", Literal("\"x, y}\""))])),
            ("(1, {A=','})", Tuple(vec![Literal("1"), Struct(vec![("A", Literal("','"))])])),
            (
                "{A={B=1}, C=(2)}",
                Struct(vec![("A", Struct(vec![("B", Literal("1"))])), ("C", Tuple(vec![Literal("2")]))]),
            ),
            ("{A=\"\\\"\", B={}", Literal("{A=\"\\\"\", B={}")),
        ] {
            assert_eq!(read(text), expected, "{text}");
        }
    }

    #[test]
    fn the_framework_s_values_are_shown_as_everywhere() {
        for (type_name, text, expected) in [
            ("System.DateTime", "{_dateData=638505760890000000UL}", "2024-05-06T07:08:09"),
            ("System.TimeSpan", "{_ticks=900000000L}", "00:01:30"),
            ("System.DateOnly", "{_dayNumber=739011U}", "2024-05-06"),
            ("System.TimeOnly", "{_ticks=37230000000UL}", "01:02:03"),
            ("System.Half", "{_value=15872}", "1.5"),
            ("System.Index", "{_value=-4}", "^3"),
            ("System.Range", "{Start={_value=1}, End={_value=-3}}", "1..^2"),
            ("System.Numerics.Vector2", "{X=1.0f, Y=2.5f}", "{X=1.0f, Y=2.5f}"),
        ] {
            let known = table::find(type_name, None).unwrap();
            assert_eq!(wellknown(known, &read(text)).as_deref(), Some(expected), "{type_name}");
        }
    }
}
