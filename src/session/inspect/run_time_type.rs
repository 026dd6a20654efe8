//! The type that an object is of, where its variable is declared as another: from what an adapter prints, or from its fields.

use super::raw_value::RawValue;
use crate::session::type_names;

/// The type in `{RunTime.Type}` where that is not the one reported. A `T?` is left alone: its text is that of `T`.
pub(super) fn run_time_type(value: &RawValue) -> Option<String> {
    let inside = value.value.strip_prefix('{')?.strip_suffix('}')?;
    let is_name = |c: char| c.is_alphanumeric() || "_.<>,[]? +".contains(c);
    // the box of a number may have nothing to open
    if value.reference == 0 && !type_names::is_primitive(inside)
        || value.type_name.ends_with('?')
        || inside == value.type_name
        || !inside.chars().all(is_name)
    {
        return None;
    }
    match (inside.strip_suffix(']'), value.type_name.ends_with(']')) {
        (Some(_), true) => None,
        // `int[2, 3]` -> `int[,]`
        (Some(_), false) => {
            let past_arguments = inside.rfind('>').unwrap_or(0);
            let (element, sizes) = inside.split_at(past_arguments + inside.get(past_arguments..)?.find('[')?);
            let sizes: String = sizes.chars().filter(|c| matches!(c, '[' | ']' | ',')).collect();
            Some(format!("{element}{sizes}"))
        }
        (None, _) => Some(inside.to_owned()),
    }
}

/// `Dictionary<string, int>` of `_entries: Dictionary<string, int>.Entry[]`, `List<int>` of `_items: int[]` and `_size`.
pub(super) fn type_by_fields(fields: &[RawValue]) -> Option<String> {
    let type_of = |name: &str| fields.iter().find(|field| field.name == name).map(|field| field.type_name.as_str());
    match (type_of("_entries"), type_of("_items"), type_of("_size")) {
        (Some(entries), _, _) => entries.strip_suffix(".Entry[]").map(str::to_owned),
        (_, Some("object[]"), Some("int")) => Some("System.Collections.ArrayList".to_owned()),
        (_, Some(items), Some("int")) => {
            items.strip_suffix("[]").map(|element| format!("System.Collections.Generic.List<{element}>"))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reference_variable_shows_its_run_time_type() {
        for (type_name, value, reference, expected) in [
            ("object", "{System.Collections.Generic.List<int>}", 7, Some("System.Collections.Generic.List<int>")),
            ("object", "{int[2, 3]}", 7, Some("int[,]")),
            ("object", "{int}", 7, Some("int")),
            ("int[]", "{int[3]}", 7, None),
            ("System.DateTime?", "{System.DateTime}", 7, None),
            ("Shop.Order", "{Shop.Order}", 7, None),
            ("Shop.Order", "{Order 7: open}", 7, None),
            ("object", "{object}", 0, None),
            ("System.IComparable<int>", "{int}", 0, Some("int")),
        ] {
            let value = RawValue { type_name: type_name.into(), value: value.into(), reference, ..RawValue::default() };
            assert_eq!(run_time_type(&value).as_deref(), expected, "{type_name} {}", value.value);
        }
    }

    #[test]
    fn a_collection_is_known_by_its_fields() {
        let field = |name: &str, type_name: &str| RawValue {
            name: name.into(),
            type_name: type_name.into(),
            ..RawValue::default()
        };
        let size = field("_size", "int");
        let list = [field("_items", "Shop.Order[]"), size.clone()];
        assert_eq!(type_by_fields(&list).as_deref(), Some("System.Collections.Generic.List<Shop.Order>"));
        let table = [field("_entries", "System.Collections.Generic.HashSet<int>.Entry[]")];
        assert_eq!(type_by_fields(&table).as_deref(), Some("System.Collections.Generic.HashSet<int>"));
        assert_eq!(type_by_fields(&[field("_items", "int[]")]), None);
        assert_eq!(type_by_fields(&[size]), None);
    }
}
