//! Types as people name them: namespaces and type arguments may be missing, of the type and of its arguments alike.

use std::collections::BTreeSet;

use clr_csharp::world::Scope;
use clr_metadata::{Primitive, TypeSig};

/// Whether a name that a person gave means a type; `full`: as it is written with namespaces.
pub(super) fn stands_for(name: &str, full: &str) -> bool {
    let blank = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
    let (name, full) = (blank(name), blank(full));
    let is_meant = |name: &str| ends(&segments(&full), &segments(name));
    is_meant(&name) || keyword(&name).is_some_and(|keyword| is_meant(&keyword))
}

/// Of types that are asked for by a name, each with what the name means of it: where that is several definitions, and the code means one,
/// only that.
pub(super) fn narrow(wanted: &mut [Option<TypeSig>], name: &str, scope: Option<&Scope>) {
    let names = definitions(wanted);
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let Some(meant) = scope.filter(|_| names.len() > 1).and_then(|scope| scope.meant(name, &names)) else { return };
    let meant = names.get(meant).copied();
    wanted.iter_mut().filter(|it| it.as_ref().and_then(definition) != meant).for_each(|it| *it = None);
}

/// The definitions that they are of, by their names in metadata.
pub(super) fn definitions(wanted: &[Option<TypeSig>]) -> BTreeSet<String> {
    wanted.iter().flatten().filter_map(definition).map(str::to_owned).collect()
}

fn definition(sig: &TypeSig) -> Option<&str> {
    match sig {
        TypeSig::Named(name) => Some(&name.full_name),
        _ => None,
    }
}

/// `Shop.Box<int>[]` is `Shop` and `Box` of `int`, `[]`.
struct Segment<'a> {
    name: &'a str,
    /// `None`: without any.
    arguments: Option<Vec<&'a str>>,
    /// Behind the arguments: of an array, of a nullable.
    suffix: &'a str,
}

/// The parts between the dots that are not within brackets.
fn segments(text: &str) -> Vec<Segment<'_>> {
    split(text, '.').into_iter().map(segment).collect()
}

fn segment(text: &str) -> Segment<'_> {
    let whole = match (text.find('<'), text.rfind('>')) {
        (Some(open), Some(close)) if open < close => text
            .get(..open)
            .zip(text.get(open + 1..close))
            .zip(text.get(close + 1..))
            .map(|((name, inner), suffix)| Segment { name, arguments: Some(split(inner, ',')), suffix }),
        _ => None,
    };
    whole.unwrap_or_else(|| {
        let end = text.find(['[', '?']).unwrap_or(text.len());
        let (name, suffix) = text.split_at_checked(end).unwrap_or((text, ""));
        Segment { name, arguments: None, suffix }
    })
}

fn split(text: &str, at: char) -> Vec<&str> {
    let (mut parts, mut from, mut depth) = (Vec::new(), 0, 0_i32);
    for (index, c) in text.char_indices() {
        match c {
            '<' | '(' | '[' => depth += 1,
            '>' | ')' | ']' => depth -= 1,
            c if c == at && depth == 0 => {
                parts.extend(text.get(from..index));
                from = index + c.len_utf8();
            }
            _ => {}
        }
    }
    parts.extend(text.get(from..));
    parts
}

fn ends(full: &[Segment<'_>], name: &[Segment<'_>]) -> bool {
    let Some(tail) = full.len().checked_sub(name.len()).and_then(|from| full.get(from..)) else { return false };
    tail.iter().zip(name).all(|(full, name)| {
        full.name == name.name
            && full.suffix == name.suffix
            && match (&full.arguments, &name.arguments) {
                (_, None) => true,
                (None, Some(_)) => false,
                (Some(full), Some(name)) => {
                    full.len() == name.len() && full.iter().zip(name).all(|(full, name)| stands_for(name, full))
                }
            }
    })
}

/// `string[]` of `System.String[]` or `String[]`.
fn keyword(name: &str) -> Option<String> {
    let end = name.find('[').unwrap_or(name.len());
    let (of, dimensions) = name.split_at_checked(end)?;
    let full = if of.contains('.') { of.to_owned() } else { format!("System.{of}") };
    let primitive = Primitive::from_name(&full)?;
    Some(format!("{}{dimensions}", primitive.keyword()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_may_omit_namespaces_and_type_arguments() {
        for (name, full) in [
            ("Session", "Shop.Session"),
            ("Shop.Session", "Shop.Session"),
            ("List", "System.Collections.Generic.List<Shop.Session>"),
            ("List<Session>", "System.Collections.Generic.List<Shop.Session>"),
            ("List<Shop.Session>", "System.Collections.Generic.List<Shop.Session>"),
            ("Dictionary<string,int>", "System.Collections.Generic.Dictionary<string, int>"),
            ("Dictionary<String, List<Kid>>", "S.C.Dictionary<string, S.C.List<Shop.Kid>>"),
            ("Entry[]", "System.Collections.Generic.Dictionary<string, int>.Entry[]"),
            ("Dictionary<string, Kid>.Entry[]", "S.C.Dictionary<string, Shop.Kid>.Entry[]"),
            ("Box<int>[]", "Shop.Box<int>[]"),
            ("Box[]", "Shop.Box<int>[]"),
            ("int[]", "int[]"),
            ("string", "string"),
            ("System.String", "string"),
            ("Int32[]", "int[]"),
            ("Object", "Game.Object"),
        ] {
            assert!(stands_for(name, full), "{name} {full}");
        }
        for (name, full) in [
            ("Session", "Shop.ShortSession"),
            ("Session", "System.Collections.Generic.List<Shop.Session>"),
            ("Session>", "System.Collections.Generic.List<Shop.Session>"),
            ("List<Kid>", "System.Collections.Generic.List<Shop.Session>"),
            ("List<Kid>", "List<Shop.Kid>[]"),
            ("Box<int>", "Shop.Box"),
            ("Shop", "Shop.Session"),
            ("Game.String", "string"),
            ("", "Shop.Session"),
            ("<", "Shop.Session"),
        ] {
            assert!(!stands_for(name, full), "{name} {full}");
        }
    }
}
