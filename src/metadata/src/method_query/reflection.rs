//! Type arguments as reflection writes them: ``Cache`2[System.String,System.Int32]``, each of them in brackets of its own where its
//! assembly follows.

use crate::names::path;

/// The same as C# writes it: `Cache<System.String,System.Int32>`, those of nested types each at its own. `None` where brackets do not
/// close. Without spaces.
pub(super) fn as_source(text: &str) -> Option<String> {
    let Some((before, rest)) = split_at_brackets(text) else {
        return Some(of_method(text).unwrap_or_else(|| text.to_owned()));
    };
    let end = closing(rest)?;
    let (inside, behind) = (rest.get(1..end)?, rest.get(end + 1..)?);
    let mut arguments = path::arguments(inside).into_iter().map(argument).collect::<Option<Vec<_>>>()?.into_iter();
    // they belong to all types of the path that say how many they have
    let mut source = String::new();
    let mut parts = before.split('`');
    source.push_str(parts.next()?);
    for part in parts {
        let digits = part.find(|c: char| !c.is_ascii_digit()).unwrap_or(part.len());
        let (count, name) = part.split_at_checked(digits)?;
        let own: Vec<String> = arguments.by_ref().take(count.parse().ok()?).collect();
        source.push_str(&format!("<{}>{name}", own.join(",")));
    }
    source.push_str(&as_source(behind)?);
    arguments.next().is_none().then_some(source)
}

/// `Order.Convert[T]`, as stack traces write a generic method: `Order.Convert<T>`.
fn of_method(text: &str) -> Option<String> {
    let (name, parameters) = text.strip_suffix(']')?.split_once('[')?;
    let is_name = |parameter: &str| parameter.starts_with(|c: char| c.is_alphabetic() || c == '_');
    let are_names = !name.is_empty() && parameters.split(',').all(is_name) && !parameters.contains(['[', ']']);
    are_names.then(|| format!("{name}<{parameters}>"))
}

/// Before and from the bracket that opens behind an arity.
fn split_at_brackets(text: &str) -> Option<(&str, &str)> {
    let open = text.match_indices('[').map(|(at, _)| at).find(|at| {
        let before = text.get(..*at).unwrap_or_default();
        let name = before.trim_end_matches(|c: char| c.is_ascii_digit());
        name.len() < before.len() && name.ends_with('`')
    })?;
    text.split_at_checked(open)
}

fn closing(text: &str) -> Option<usize> {
    let mut depth = 0usize;
    text.bytes().position(|byte| {
        match byte {
            b'[' => depth += 1,
            b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0
    })
}

/// Without its assembly.
fn argument(written: &str) -> Option<String> {
    let inner = written.strip_prefix('[').and_then(|inner| inner.strip_suffix(']'));
    let type_ = inner.map_or(Some(written), |inner| path::arguments(inner).into_iter().next())?;
    as_source(type_)
}
