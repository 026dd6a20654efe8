//! The text of project files: read whole, looked through tag by tag. No tree is needed for what is asked of it.

use std::borrow::Cow;
use std::io::{self, Read as _};
use std::path::Path;

/// A larger project or solution is not one that a person or a tool wrote.
const MOST_BYTES: u64 = 4 << 20;

/// A text file of at most [`MOST_BYTES`]; a pipe or a device of a project's name would never end.
pub(crate) fn lossy(path: &Path) -> io::Result<String> {
    if !std::fs::metadata(path)?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "is not a file"));
    }
    let mut bytes = Vec::new();
    std::fs::File::open(path)?.take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, format!("is larger than {MOST_BYTES} bytes")));
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The five entities that XML has of its own. Others would have to be declared, which project files never do.
pub(crate) fn unescape(text: &str) -> Cow<'_, str> {
    if !text.contains('&') {
        return Cow::Borrowed(text);
    }
    let pairs = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")];
    Cow::Owned(pairs.iter().fold(text.to_owned(), |text, (entity, plain)| text.replace(entity, plain)))
}

pub(crate) fn without_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("<!--") {
        out.push_str(before);
        rest = after.split_once("-->").map_or("", |(_, after)| after);
    }
    out.push_str(rest);
    out
}

/// The opening tags of `name`, without the angle brackets.
pub(crate) fn elements<'a>(text: &'a str, name: &str) -> impl Iterator<Item = &'a str> {
    text.split('<').skip(1).filter_map(move |part| {
        let tag = part.split('>').next()?;
        let rest = tag.strip_prefix(name)?;
        (rest.is_empty() || rest.starts_with([' ', '\t', '\n', '\r', '/'])).then_some(tag)
    })
}

pub(crate) fn attribute<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    let mut rest = tag;
    loop {
        let at = rest.find(name)?;
        let (before, after) = (rest.get(..at)?, rest.get(at + name.len()..)?);
        let after_equals = after.trim_start().strip_prefix('=').map(str::trim_start);
        if let (true, Some(value)) = (before.ends_with(char::is_whitespace), after_equals) {
            let quote = value.chars().next().filter(|quote| ['"', '\''].contains(quote))?;
            return value.get(1..)?.split(quote).next();
        }
        rest = after;
    }
}

/// How text that is no markup begins, behind its bracket.
pub(super) const CDATA: &str = "![CDATA[";

/// The name of an opening tag; empty for a closing one.
pub(super) fn name(tag: &str) -> &str {
    tag.split(|c: char| c.is_whitespace() || c == '/').next().unwrap_or_default()
}

/// Of the text behind an opening tag: up to and with the closing one, and the rest.
pub(super) fn element<'t>(element: &str, after: &'t str) -> (&'t str, &'t str) {
    let mut depth = 1;
    let mut rest = after;
    while depth > 0 {
        let Some((tag, behind)) = rest.split_once('<').and_then(|(_, behind)| tag(behind)) else {
            return (after, "");
        };
        if name(tag) == element && !tag.ends_with('/') {
            depth += 1;
        } else if tag.strip_prefix('/').is_some_and(|tag| name(tag) == element) {
            depth -= 1;
        }
        rest = behind;
    }
    after.split_at_checked(after.len() - rest.len()).unwrap_or((after, ""))
}

/// Of the text behind `<`: the tag without its brackets, and the rest. What is literal is one tag.
pub(super) fn tag(behind: &str) -> Option<(&str, &str)> {
    let end = if behind.starts_with(CDATA) { behind.find("]]>")? + 2 } else { tag_end(behind)? };
    Some((behind.get(..end)?, behind.get(end + 1..)?))
}

/// Where the tag ends; a `>` may stand within quotes.
fn tag_end(behind: &str) -> Option<usize> {
    let mut quote = None;
    for (at, byte) in behind.bytes().enumerate() {
        match (byte, quote) {
            (b'>', None) => return Some(at),
            (b'"' | b'\'', None) => quote = Some(byte),
            (byte, Some(open)) if byte == open => quote = None,
            _ => {}
        }
    }
    None
}

/// The tag without the condition that has this value.
pub(super) fn without_attribute(tag: &str, value: &str) -> Option<String> {
    let at = tag.find(&format!("\"{value}\"")).or_else(|| tag.find(&format!("'{value}'")))?;
    let (before, rest) = tag.split_at_checked(at)?;
    let before = before.trim_end().strip_suffix('=')?.trim_end().strip_suffix("Condition")?;
    Some(format!("{}{}", before.trim_end(), rest.get(value.len() + 2..)?))
}
