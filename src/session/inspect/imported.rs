//! Types by the names that the frame's file gives them: `Math.Max(a, b)` under `using System;`. netcoredbg takes full names only.

use super::expression::outside_strings;
use super::reader::Reader;

/// The expression with the full names of the types that its paths begin with; `None` where none was found.
pub(super) async fn qualified(reader: &Reader, expression: &str) -> Option<String> {
    let place = reader.place.as_deref()?;
    let full_name = |name: &str| reader.modules.type_in_scope(&place.path, (place.line, place.column), name);
    if replaced(expression, |name, _| full_name(name)) == expression {
        return None;
    }
    let variables = reader.variables().await.ok()?;
    let with_full_names = replaced(expression, |name, member| {
        let full = full_name(name)?;
        match variables.iter().find(|variable| variable.name == name) {
            None => Some(full),
            // `Color.Blue` of a variable `Color` of the type `Color` (ECMA-334, 12.8.7.2)
            Some(variable) => (variable.type_name == full
                && reader.modules.static_names(&full).iter().any(|known| known == member))
            .then_some(full),
        }
    });
    (with_full_names != expression).then_some(with_full_names)
}

/// Replaces the first names of paths: `Name` in `Name.Member`, not in `a.Name.Member` and not in strings. `full_name` is asked with both.
fn replaced(expression: &str, full_name: impl Fn(&str, &str) -> Option<String>) -> String {
    let chars: Vec<char> = expression.chars().collect();
    let code: Vec<char> = outside_strings(expression).chars().collect();
    let is_part = |c: &char| c.is_alphanumeric() || *c == '_';
    let mut out = String::new();
    let mut at = 0;
    while let Some(c) = chars.get(at) {
        let begins = code.get(at).is_some_and(|c| c.is_alphabetic() || *c == '_');
        let behind = at.checked_sub(1).and_then(|before| code.get(before));
        if !begins || behind.is_some_and(|c| is_part(c) || matches!(c, '.' | '@' | '$' | ':')) {
            out.push(*c);
            at += 1;
            continue;
        }
        let name: String = code.iter().skip(at).take_while(|c| is_part(c)).collect();
        at += name.chars().count();
        let member: String = match code.get(at) {
            Some('.') => code.iter().skip(at + 1).take_while(|c| is_part(c)).collect(),
            _ => String::new(),
        };
        match full_name(&name, &member).filter(|_| !member.is_empty()) {
            Some(full) => out.push_str(&full),
            None => out.push_str(&name),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_first_name_of_a_path_is_a_types() {
        let known = |name: &str, _: &str| matches!(name, "Math" | "Store").then(|| format!("N.{name}"));
        for (expression, expected) in [
            ("Math.Max(Store.Count, 1)", "N.Math.Max(N.Store.Count, 1)"),
            ("a.Math.Max", "a.Math.Max"),
            ("Math", "Math"),
            ("\"Math.Max\" + Store.Name", "\"Math.Max\" + N.Store.Name"),
            ("x+Store.Count", "x+N.Store.Count"),
            ("Mathematics.Max + MyMath.Min", "Mathematics.Max + MyMath.Min"),
        ] {
            assert_eq!(replaced(expression, known), expected, "{expression}");
        }
    }
}
