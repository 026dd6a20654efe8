//! Strings whole: adapters print them up to the first NUL (vendor-notes.md), and compare what they printed.

use futures::future::join_all;

use super::collections::{Element, Elements};
use super::expression::is_path;
use super::literal::Raw;
use super::reader::{Access, RawValue, Reader};

/// Pieces between NULs that are put together.
const PIECES: usize = 64;

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
                _ => return Err(format!("`{path}` has {length} characters; the adapter prints it only up to a NUL")),
            }
        }
    }
    match units(&text) == length {
        true => Ok(text),
        // a lone surrogate is lost on the way
        false => Err(format!("`{path}` has {length} characters, of which the adapter prints {}", units(shown))),
    }
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

/// A value that is a string, with all of its text where that can be had; as it is otherwise.
pub async fn completed(reader: &Reader, value: RawValue, path: &str) -> RawValue {
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

/// A page of an array of strings, each with all of its text. One call tells whether any was cut: the length of all of them joined.
pub async fn completed_page(reader: &Reader, elements: &Elements, start: u64, page: Vec<Element>) -> Vec<Element> {
    let may_call = reader.asked && !reader.read_only && reader.quirks.strings_end_at_nul;
    let is_text = |element: &Element| element.value.short_type() == "string";
    let (Some(path), true) = (elements.array_path(), may_call && !page.is_empty() && page.iter().all(is_text)) else {
        return page;
    };
    let shown = page.iter().map(|element| match element.value.parsed() {
        Raw::Text(text) => units(&text),
        _ => 0,
    });
    let shown: u64 = shown.sum();
    let joined = format!("System.String.Join(\"\", {path}, {start}, {}).get_Length()", page.len());
    match reader.evaluate(&joined, Access::Run).await {
        Ok(length) if length.value.parse() != Ok(shown) => {
            let whole = page.into_iter().map(|element| async move {
                Element { value: completed(reader, element.value, &element.load_path).await, ..element }
            });
            join_all(whole).await
        }
        _ => page,
    }
}

fn units(text: &str) -> u64 {
    text.encode_utf16().count() as u64
}
