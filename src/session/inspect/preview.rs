//! A value as one line (answers.md rules 9 and 10): at most 4 members or 2 objects, one level, 100 characters, and no
//! code of the program runs for it.

use std::hash::{Hash, Hasher};

use futures::future::join_all;

use super::collections::{Element, Elements, UNPAGED};
use super::literal::{self, Raw};
use super::object::load_members;
use super::reader::{Access, RawValue, Reader, join};
use super::shape::{Form, Shape};
use super::{nullable, type_names, wellknown};
use crate::session::report::{Content, Variable};

/// Characters of a preview.
const WIDTH: usize = 100;
/// Members of an object shown.
const MEMBERS: usize = 4;
/// Objects of a collection shown.
const OBJECTS: usize = 2;
/// Literals of a collection tried: more never fit into WIDTH.
const LITERALS: usize = 34;
/// Elements of an array whose change is noticed.
const DIGESTED: u64 = 100;
/// The same for dictionaries and sets.
const ENTRIES: u64 = 10;
/// Characters of a string within a preview.
const INNER_TEXT: usize = 40;

/// `value` under `name`, previewed. `path` is an expression that only loads; `limit` cuts a string.
pub async fn variable(reader: &Reader, value: &RawValue, path: &str, limit: usize) -> Variable {
    let short = value.short_type();
    if is_boxed(value, &short) {
        return boxed(reader, value, path, limit).await;
    }
    if let Some(plain) = literal::plain(&value.name, &value.type_name, &value.value, limit) {
        return plain;
    }
    let mut variable = Variable { name: value.name.clone(), ..Variable::default() };
    if nullable::is_struct(value) {
        if reader.asked
            && let Some(inner) = nullable::inside(reader, value, path).await
        {
            variable = Box::pin(self::variable(reader, &inner.value, &inner.load_path, limit)).await;
        } else {
            variable.content = Content::Value("{…}".to_owned());
        }
        variable.type_name = Some(short);
        return variable;
    }
    if let Raw::Array(dimensions) = value.parsed() {
        let elements = Elements::of_array(value, path, &dimensions);
        variable.type_name = Some(array_type(&short, &dimensions));
        variable.count = Some(elements.count);
        let (text, digest) = elements_text(reader, &elements).await;
        variable.content = Content::Value(text);
        variable.digest = digest;
        return variable;
    }
    let shape = reader.modules.shape(&value.type_name);
    variable.type_name = (!short.is_empty()).then_some(short);
    let text = match &shape.form {
        Form::Wellknown(kind) => wellknown::read(reader, *kind, value, path).await,
        Form::Tuple(items) => Some(tuple(reader, path, *items).await),
        Form::Collection(collection) => match Elements::of_collection(reader, collection, value, path).await {
            Ok(elements) => {
                variable.count = Some(elements.count);
                let (text, digest) = elements_text(reader, &elements).await;
                variable.digest = digest;
                Some(text)
            }
            Err(_) => None,
        },
        Form::Object => Some(object(reader, value, path, &shape).await),
        Form::Delegate if reader.asked => delegate(reader, path).await,
        Form::Delegate | Form::Opaque | Form::Unknown => None,
    };
    variable.content = Content::Value(text.unwrap_or_else(|| "{…}".to_owned()));
    variable
}

/// `int[2, 3]` of `int[,]` (answers.md C4); a plain array stays `int[]`.
fn array_type(short: &str, dimensions: &[u64]) -> String {
    if dimensions.len() < 2 {
        return short.to_owned();
    }
    let sizes = dimensions.iter().map(u64::to_string).collect::<Vec<_>>().join(", ");
    match short.find('[') {
        Some(open) => format!("{}[{sizes}]", short.get(..open).unwrap_or(short)),
        None => short.to_owned(),
    }
}

/// A boxed primitive comes as its own type with `{int}` for a value; the number is its field `m_value`.
fn is_boxed(value: &RawValue, short: &str) -> bool {
    value.value.starts_with('{')
        && (type_names::literal_tells(short) || matches!(short, "byte" | "sbyte" | "short" | "ushort"))
}

async fn boxed(reader: &Reader, value: &RawValue, path: &str, limit: usize) -> Variable {
    match reader.evaluate(&join(path, "m_value"), Access::Load).await {
        Ok(inner) if !inner.value.starts_with('{') => {
            let mut variable = literal::plain(&value.name, &inner.type_name, &inner.value, limit).unwrap_or_default();
            variable.type_name = Some("object".into());
            variable
        }
        _ => Variable {
            name: value.name.clone(),
            type_name: Some("object".into()),
            content: Content::Value("{…}".into()),
            ..Variable::default()
        },
    }
}

/// `Program.Main lambda`: the method behind a delegate, told by the framework's reflection.
async fn delegate(reader: &Reader, path: &str) -> Option<String> {
    let text = |value: RawValue| match value.parsed() {
        Raw::Text(text) => Some(text),
        _ => None,
    };
    let name = reader.evaluate(&join(path, "Method.Name"), Access::Run).await.ok().and_then(text)?;
    let owner = reader.evaluate(&join(path, "Method.DeclaringType.FullName"), Access::Run).await.ok().and_then(text)?;
    let described = reader.modules.describe_frame(&format!("{}.{name}()", owner.replace('+', ".")), None);
    Some(format!("{} {}", described.function, described.kind).trim().to_owned())
}

async fn tuple(reader: &Reader, path: &str, items: usize) -> String {
    let reads = (1..=items.min(7)).map(|item| async move {
        match reader.evaluate(&join(path, &format!("Item{item}")), Access::Load).await {
            Ok(value) => inline(&value),
            Err(_) => "…".to_owned(),
        }
    });
    let mut parts = join_all(reads).await;
    if items > 7 {
        parts.push("…".into());
    }
    format!("({})", parts.join(", "))
}

/// `[a, b, …]`, and a digest of more elements than are shown.
async fn elements_text(reader: &Reader, elements: &Elements) -> (String, u64) {
    // one request brings a whole page of an array; an entry of a hash table is a request of its own
    let most = match (elements.is_array(), reader.quirks.paging) {
        (true, true) => DIGESTED,
        (true, false) => UNPAGED,
        (false, _) => ENTRIES,
    };
    let Ok(mut page) = elements.page(reader, 0, elements.count.min(most)).await else { return ("[…]".into(), 0) };
    let mut digest = std::hash::DefaultHasher::new();
    page.iter().for_each(|element| (&element.name, &element.value.value).hash(&mut digest));
    let plain = |element: &Element| {
        matches!(element.value.parsed(), Raw::Array(_))
            || literal::plain("", &element.value.type_name, &element.value.value, INNER_TEXT).is_some()
    };
    // short literals fill the line, objects stop at two
    page.truncate(if page.iter().all(plain) { LITERALS } else { OBJECTS });
    let texts = join_all(page.iter().map(|element| element_text(reader, &element.value, &element.load_path))).await;
    let texts: Vec<String> = page
        .iter()
        .zip(texts)
        .map(|(element, text)| match element.name.strip_prefix('[').and_then(|name| name.strip_suffix(']')) {
            Some(key) if !key.chars().all(|c| c.is_ascii_digit() || matches!(c, ',' | ' ')) => {
                format!("[{key}]={text}")
            }
            _ => text,
        })
        .collect();
    let known_end = texts.iter().position(|text| text == "{…}").map_or(texts.len(), |at| at + 1);
    let shown = texts.get(..known_end).unwrap_or(&texts);
    (line('[', shown, elements.count > shown.len() as u64, ']'), digest.finish())
}

async fn element_text(reader: &Reader, value: &RawValue, path: &str) -> String {
    if let Some(plain) = literal::plain("", &value.type_name, &value.value, INNER_TEXT) {
        return content_text(plain.content);
    }
    if let Raw::Array(dimensions) = value.parsed() {
        return format!("{}({})", value.short_type(), dimensions.iter().product::<u64>());
    }
    let shape = reader.modules.shape(&value.type_name);
    match &shape.form {
        Form::Object => object(reader, value, path, &shape).await,
        Form::Opaque | Form::Unknown | Form::Delegate => "{…}".into(),
        _ => member_text(reader, value, path).await.unwrap_or_else(|| "{…}".into()),
    }
}

/// `{Id=42, Customer="Ada", …}`
async fn object(reader: &Reader, value: &RawValue, path: &str, shape: &Shape) -> String {
    let wanted = shape.preview();
    let shown = wanted.get(..wanted.len().min(MEMBERS)).unwrap_or(&wanted);
    let reads = load_members(reader, value, path, shape, shown).await;
    let texts = join_all(shown.iter().zip(&reads).map(|(member, read)| async move {
        let text = match read {
            Ok(value) => member_text(reader, value, &join(path, &member.name)).await,
            Err(_) => None,
        }?;
        Some(format!("{}={text}", member.name))
    }))
    .await;
    let texts: Vec<String> = texts.into_iter().flatten().collect();
    let more = texts.len() < shape.members.iter().filter(|member| !member.hidden && !member.repeats).count();
    line('{', &texts, more, '}')
}

/// A member inside a preview: a literal, a date, a collection's type and count, else the type alone.
async fn member_text(reader: &Reader, value: &RawValue, path: &str) -> Option<String> {
    if let Some(plain) = literal::plain("", &value.type_name, &value.value, INNER_TEXT) {
        return match plain.content {
            Content::Value(text) => Some(text),
            _ => None,
        };
    }
    let short = value.short_type();
    if is_boxed(value, &short) {
        return Some(content_text(boxed(reader, value, path, INNER_TEXT).await.content));
    }
    if let Raw::Array(dimensions) = value.parsed() {
        return Some(format!("{short}({})", dimensions.iter().product::<u64>()));
    }
    match &reader.modules.shape(&value.type_name).form {
        Form::Wellknown(kind) => wellknown::read(reader, *kind, value, path).await.or(Some(short)),
        Form::Collection(collection) => match Elements::of_collection(reader, collection, value, path).await {
            Ok(elements) => Some(format!("{short}({})", elements.count)),
            Err(_) => Some(short),
        },
        _ => Some(short),
    }
}

fn inline(value: &RawValue) -> String {
    literal::plain("", &value.type_name, &value.value, INNER_TEXT)
        .map_or_else(|| value.short_type(), |plain| content_text(plain.content))
}

fn content_text(content: Content) -> String {
    match content {
        Content::Value(text) => text,
        Content::Error(words) => format!("!{words}"),
        Content::Cycle(path) => path,
        Content::Members(_) => "{…}".into(),
    }
}

/// Parts between brackets, cut to the width with `…`.
fn line(open: char, parts: &[String], more: bool, close: char) -> String {
    let mut text = String::from(open);
    let mut length = 1;
    let mut cut = more;
    for (at, part) in parts.iter().enumerate() {
        let width = part.chars().count() + if at == 0 { 0 } else { 2 };
        // room for `, …` and the bracket
        if at > 0 && length + width + 4 > WIDTH {
            cut = true;
            break;
        }
        if at > 0 {
            text.push_str(", ");
        }
        text.push_str(part);
        length += width;
    }
    if cut {
        text.push_str(if text.len() == open.len_utf8() { "…" } else { ", …" });
    }
    text.push(close);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_cut_at_its_width() {
        let parts: Vec<String> = (0..40).map(|n| format!("number {n}")).collect();
        let text = line('[', &parts, false, ']');
        assert!(text.chars().count() <= WIDTH, "{text}");
        assert!(text.ends_with(", …]"));
        assert_eq!(line('{', &[], true, '}'), "{…}");
        assert_eq!(line('{', &[], false, '}'), "{}");
        assert_eq!(line('[', &["1".into(), "2".into()], false, ']'), "[1, 2]");
    }

    #[test]
    fn array_types_tell_their_sizes_from_two_dimensions_on() {
        assert_eq!(array_type("int[]", &[3]), "int[]");
        assert_eq!(array_type("int[,]", &[2, 3]), "int[2, 3]");
    }
}
