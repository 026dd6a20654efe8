//! Strings whole: adapters print them up to the first NUL (vendor-notes.md), and compare what they printed.

use super::access::Access;
use super::element::Element;
use super::exact;
use super::literal::Raw;
use super::raw_value::RawValue;
use super::reader::Reader;
use super::side_by_side;
use crate::session::expression::is_path;

/// Pieces between NULs that are put together.
const PIECES: usize = 64;
/// Strings whose length is asked for at once.
const JOINED: usize = 64;

/// The characters of the string at `path` of which `shown` was printed.
///
/// # Errors
/// Why they are not known: then nothing may be computed from what was shown.
pub async fn whole(reader: &Reader, path: &str, shown: &str) -> Result<String, String> {
    if !reader.quirks.strings_end_at_nul {
        return Ok(shown.to_owned());
    }
    let length = length(reader, path).await?;
    let mut text = shown.to_owned();
    for _ in 0..PIECES {
        let known = units(&text);
        if known >= length {
            break;
        }
        text.push('\0');
        if known + 1 < length {
            let piece = reader.evaluate(&format!("{path}.Substring({})", known + 1), Access::Run).await;
            match piece.map(|piece| piece.parsed()) {
                Ok(Raw::Text(piece)) => text.push_str(&piece),
                _ => return Err(format!("`{path}` has length {length}, but the adapter prints it only up to a NUL")),
            }
        }
    }
    match units(&text) == length {
        true => Ok(text),
        // a lone surrogate is lost on the way
        false => Err(format!("`{path}` has length {length}, but the adapter prints only {}", units(shown))),
    }
}

/// Whether a string that was printed as `shown`, up to its first NUL or whole, may be `text`.
pub fn may_be(shown: &str, text: &str) -> bool {
    text.strip_prefix(shown).is_some_and(|rest| rest.is_empty() || rest.starts_with('\0'))
}

/// `.Length`, asked of the program.
///
/// # Errors
/// Why it cannot be asked.
pub async fn length(reader: &Reader, path: &str) -> Result<u64, String> {
    match reader.evaluate(&format!("{path}.get_Length()"), Access::Run).await {
        Ok(RawValue { value, .. }) if value.parse::<u64>().is_ok() => Ok(value.parse().unwrap_or_default()),
        _ => Err(format!(
            "`{path}`: adapters print strings up to a NUL, and the length cannot be read at this stop; the value may be truncated"
        )),
    }
}

/// A value that is a string, with all of its text where that can be had, or a number with all of its digits; as it is otherwise.
pub async fn completed(reader: &Reader, value: RawValue, path: &str) -> RawValue {
    let value = exact::loaded(reader, value, path).await;
    let Raw::Text(shown) = value.parsed() else { return value };
    // what a call returned would be called for again
    if !is_path(path) {
        return value;
    }
    match whole(reader, path, &shown).await {
        Ok(text) if text != shown => RawValue { value: super::literal::quote(&text), ..value },
        _ => value,
    }
}

/// Elements of a collection, each string with all of its text, keys too. `array`: they are those of the array at this path, from there on.
/// Few calls show whether any was cut: the lengths of many of them joined.
pub async fn completed_page(reader: &Reader, array: Option<(&str, u64)>, page: Vec<Element>) -> Vec<Element> {
    if !reader.asked || reader.read_only || !reader.quirks.strings_end_at_nul {
        return page;
    }
    let shown: Vec<(&str, u64)> = page.iter().flat_map(texts).collect();
    let is_array = page.iter().all(|element| element.key.is_none() && element.value.short_type() == "string");
    let joined: Vec<(String, u64)> = match array {
        Some((array, from)) if is_array && !page.is_empty() => {
            let all = shown.iter().map(|(_, units)| units).sum();
            vec![(format!("System.String.Join(\"\", {array}, {from}, {})", page.len()), all)]
        }
        _ => shown.chunks(JOINED).map(|texts| (joined(texts), texts.iter().map(|(_, units)| units).sum())).collect(),
    };
    for (expression, length) in joined {
        let read = reader.evaluate(&format!("{expression}.get_Length()"), Access::Run).await;
        if read.is_ok_and(|read| read.value.parse() != Ok(length)) {
            return side_by_side(page.into_iter().map(|element| completed_element(reader, element))).await;
        }
    }
    page
}

async fn completed_element(reader: &Reader, element: Element) -> Element {
    let value = completed(reader, element.value, &element.load_path).await;
    match element.key {
        Some((key, path)) => {
            let key = completed(reader, key, &path).await;
            Element { value, key: None, ..element }.keyed(&key, &path)
        }
        None => Element { value, ..element },
    }
}

/// Paths of an element's strings, and the units shown of each.
fn texts(element: &Element) -> impl Iterator<Item = (&str, u64)> {
    let key = element.key.as_ref().map(|(key, path)| (key, path));
    let read = [key, Some((&element.value, &element.load_path))].into_iter().flatten();
    read.filter_map(|(value, path)| match value.parsed() {
        Raw::Text(text) => Some((path.as_str(), units(&text))),
        _ => None,
    })
}

/// The variables of a frame, each string with all of its text. One call shows whether any was cut.
pub async fn completed_variables(reader: &Reader, variables: Vec<RawValue>) -> Vec<RawValue> {
    let texts = variables.iter().filter_map(|variable| match variable.parsed() {
        Raw::Text(text) if variable.short_type() == "string" => Some((variable.name.as_str(), units(&text))),
        _ => None,
    });
    let texts: Vec<(&str, u64)> = texts.collect();
    if texts.is_empty() || reader.read_only || !reader.quirks.strings_end_at_nul {
        return variables;
    }
    let length = match texts.as_slice() {
        [(only, _)] => format!("{only}.get_Length()"),
        several => format!("{}.get_Length()", joined(several)),
    };
    let shown: u64 = texts.iter().map(|(_, units)| units).sum();
    match reader.evaluate(&length, Access::Run).await {
        Ok(read) if read.value.parse() == Ok(shown) => variables,
        Err(_) if !reader.asked => variables,
        _ => {
            side_by_side(variables.into_iter().map(async |variable| {
                let path = variable.name.clone();
                completed(reader, variable, &path).await
            }))
            .await
        }
    }
}

/// One expression for the texts at these paths, one behind the other.
fn joined(texts: &[(&str, u64)]) -> String {
    let mut parts: Vec<String> = texts.iter().map(|(path, _)| (*path).to_owned()).collect();
    // the lone one may be typed `object`
    if parts.len() == 1 {
        parts.push("\"\"".to_owned());
    }
    while parts.len() > 1 {
        let groups = parts.chunks(4).map(|group| match group {
            [one] => one.clone(),
            several => format!("System.String.Concat({})", several.join(", ")),
        });
        parts = groups.collect();
    }
    parts.pop().unwrap_or_default()
}

fn units(text: &str) -> u64 {
    text.encode_utf16().count() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_joined_by_fours() {
        let joined = |paths: &[&str]| joined(&paths.iter().map(|path| (*path, 1)).collect::<Vec<_>>());
        assert_eq!(joined(&["a"]), "System.String.Concat(a, \"\")");
        assert_eq!(joined(&["a", "b", "c"]), "System.String.Concat(a, b, c)");
        assert_eq!(
            joined(&["a", "b", "c", "d", "e", "f"]),
            "System.String.Concat(System.String.Concat(a, b, c, d), System.String.Concat(e, f))"
        );
        assert_eq!(joined(&["a", "b", "c", "d", "e"]), "System.String.Concat(System.String.Concat(a, b, c, d), e)");
    }
}
