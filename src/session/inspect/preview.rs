//! A value as one line: at most 4 members or 2 objects, one level, 100 characters, and no
//! code of the program runs for it.

mod displayed;
mod elements;
mod line;
mod rows;
mod tuples;

use super::access::Access;
use super::collections::Elements;
use super::delegates::{self, Handler};
use super::evaluated::Evaluated;
use super::field_values::Fields;
use super::literal::{self, Raw};
use super::made::Shape as MadeShape;
use super::nullable;
use super::object::load_members;
use super::raw_value::RawValue;
use super::reader::Reader;
use super::shape::{Collection, Form, Member, Shape};
use super::side_by_side;
use super::wellknown::known::{Named, Part, Shown, is_scalar};
use super::{exact, expando, wellknown};
use crate::session::expression::join;
use crate::session::report::{Content, Variable};
use crate::session::type_names;
use displayed::displayed;
use elements::{elements_text, group_key, made_text};
use line::{More, line};
pub use rows::rows;
use tuples::tuple;

/// Members of an object that are read. Each may be a request, and more seldom fit.
const MEMBERS: usize = 10;
/// Characters up to which a member stands in its place; longer ones come last.
const LONG_MEMBER: usize = 30;
/// Characters of a string within a preview.
const INNER_TEXT: usize = 40;

/// `value` under `name`, previewed. `path` is an expression that only loads; `limit` cuts a string.
pub async fn variable(reader: &Reader, value: &RawValue, path: &str, limit: usize) -> Variable {
    let short = value.short_type();
    if let Some(made) = &value.made {
        let plain = literal::plain(&value.name, &value.type_name, &value.value, limit);
        if let (MadeShape::Literal, Some(plain)) = (made.shape, plain) {
            return plain;
        }
        return Variable {
            name: value.name.clone(),
            type_name: Some(short),
            count: made.count,
            content: Content::Value(match made.shape {
                MadeShape::Literal => value.value.clone(),
                _ => made_text(reader, made).await,
            }),
            ..Variable::default()
        };
    }
    match nullable::shown(reader, value, path).await {
        nullable::Shown::AsIs => {}
        nullable::Shown::Opened(inner) => {
            let opened = Box::pin(self::variable(reader, &inner.value, &inner.load_path, limit)).await;
            return Variable { type_name: Some(short), ..opened };
        }
        nullable::Shown::Unread => return unread(value),
    }
    if value.is_boxed() {
        return boxed(reader, value, path, limit).await;
    }
    if let Some(plain) = literal::plain(&value.name, &value.type_name, &value.value, limit) {
        return plain;
    }
    let mut variable = Variable { name: value.name.clone(), ..Variable::default() };
    if let Raw::Array(dimensions) = value.parsed() {
        let elements = Elements::of_array(value, path, &dimensions);
        variable.type_name = Some(array_type(&short, &literal::bounds(&value.value)));
        variable.count = Some(elements.count);
        let shown = elements_text(reader, &elements, None).await;
        variable.content = Content::Value(shown.text);
        (variable.digest, variable.parts) = (shown.digest, shown.parts);
        return variable;
    }
    let shape = reader.shape(&value.type_name);
    variable.type_name = (!short.is_empty()).then_some(short);
    let text = match &shape.form {
        Form::Wellknown(known) => match wellknown::read(reader, known, value, path, limit).await {
            Some(shown) => {
                let (text, length) = shown_text(reader, shown, limit).await;
                variable.length = length;
                Some(text)
            }
            None => None,
        },
        Form::Tuple { items, prefix, rest } => Some(tuple(reader, value, path, (*items, prefix, rest)).await),
        Form::Collection(collection) => match Elements::of_collection(reader, collection, value, path).await {
            Ok(elements) => {
                variable.count = elements.counted().then_some(elements.count);
                if let Some(text) = elements.characters(reader, limit.saturating_add(1)).await {
                    variable.content = Content::Value(literal::quote_cut(&text, limit).0);
                    return variable;
                }
                let key = group_key(reader, collection, value, path).await;
                let shown = elements_text(reader, &elements, key).await;
                (variable.digest, variable.parts) = (shown.digest, shown.parts);
                Some(shown.text)
            }
            Err(_) => None,
        },
        Form::Object => {
            let (text, parts) = object(reader, value, path, &shape).await;
            variable.parts = parts;
            Some(text)
        }
        Form::Delegate => match delegates::handlers(reader, value, path, 0, delegates::PREVIEWED).await {
            Some((handlers, count)) => {
                variable.count = (count > 1).then_some(count);
                Some(delegate_text(&handlers, count))
            }
            None => None,
        },
        Form::Expando => expando_text(reader, value, path).await,
        Form::Unknown => made(reader, value).await,
        Form::Opaque => None,
    };
    variable.content = Content::Value(text.unwrap_or_else(|| "{…}".to_owned()));
    variable
}

/// The same by its members, whatever its type is usually shown as.
pub async fn raw(reader: &Reader, value: &RawValue, path: &str, limit: usize) -> Variable {
    let Some((held, shape)) = raw_shape(reader, value) else {
        return variable(reader, value, path, limit).await;
    };
    let (text, parts) = object(reader, &held, path, &shape).await;
    Variable { content: Content::Value(text), parts, ..unread(value) }
}

/// An object as its members are read of it, and those. `None`: it is none, or nothing is known of its type.
pub(super) fn raw_shape(reader: &Reader, value: &RawValue) -> Option<(RawValue, Shape)> {
    let is_object = value.made.is_none() && value.value.starts_with('{') && !value.is_boxed();
    let shape = Shape::raw(&reader.modules.universe(), value.type_name.trim_end_matches('?'));
    if !is_object || shape.members.is_empty() {
        return None;
    }
    let shape = if reader.capabilities.supports_csharp_expressions { shape } else { shape.by_names() };
    // what another adapter lists may be what its author added; of what binds its members itself no name means a field
    let reference = if reader.capabilities.supports_csharp_expressions { value.reference } else { 0 };
    Some((RawValue { reference, ..value.clone() }, shape))
}

/// A value of which nothing is known but its type.
pub fn unread(value: &RawValue) -> Variable {
    Variable {
        name: value.name.clone(),
        type_name: Some(value.short_type()),
        content: Content::Value("{…}".into()),
        ..Variable::default()
    }
}

/// `int[2, 3]` of `int[,]`; a plain array stays `int[]`. Of one whose first index is not 0 its indices: `int[5..7]`.
pub(super) fn array_type(short: &str, bounds: &[(i64, u64)]) -> String {
    let size = |(first, length): &(i64, u64)| match first {
        0 => length.to_string(),
        first => format!("{first}..{}", i128::from(*first) + i128::from(*length) - 1),
    };
    if let [(0, _)] | [] = bounds {
        return short.to_owned();
    }
    let sizes = bounds.iter().map(size).collect::<Vec<_>>().join(", ");
    let own = short.split_once('[').and_then(|(element, rest)| Some((element, rest.split_once(']')?.1)));
    own.map_or_else(|| short.to_owned(), |(element, rest)| format!("{element}[{sizes}]{rest}"))
}

async fn boxed(reader: &Reader, value: &RawValue, path: &str, limit: usize) -> Variable {
    let declared = value.declared_type.as_deref().map_or_else(|| "object".into(), type_names::short);
    match reader.evaluate(&join(path, "m_value"), Access::Load).await {
        Ok(inner) if !inner.value.starts_with('{') => {
            let mut variable = literal::plain(&value.name, &inner.type_name, &inner.value, limit).unwrap_or_default();
            variable.type_name = Some(declared);
            variable
        }
        _ => Variable {
            name: value.name.clone(),
            type_name: Some(declared),
            content: Content::Value("{…}".into()),
            ..Variable::default()
        },
    }
}

/// `Launcher.Fire`, or `[Launcher.Fire, Program.Main lambda]`.
fn delegate_text(handlers: &[Handler], count: u64) -> String {
    let texts: Vec<String> = handlers.iter().map(Handler::text).collect();
    match (texts.as_slice(), count) {
        ([only], 1) => only.clone(),
        _ => line('[', &texts, if count > texts.len() as u64 { More::Some } else { More::No }, ']'),
    }
}

/// A well-known value as a line, and the length of a text that was cut.
async fn shown_text(reader: &Reader, shown: Shown, limit: usize) -> (String, Option<u64>) {
    match shown {
        Shown::Plain(text) => (text, None),
        Shown::Text(text) => literal::quote_cut(&text, limit),
        Shown::Members(parts, fields) => {
            let texts = parts_text(reader, parts, &fields).await;
            (line('{', &texts, More::No, '}'), None)
        }
    }
}

async fn parts_text(reader: &Reader, parts: Named, fields: &Fields) -> Vec<String> {
    let texts = parts.into_iter().map(|(name, part)| async move {
        let text = match part {
            Part::Shown(text) => text,
            Part::Field(at) => {
                let field = fields.get(at)?;
                member_text(reader, &field.value, &field.path).await?
            }
        };
        Some(format!("{name}={text}"))
    });
    side_by_side(texts).await.into_iter().flatten().collect()
}

async fn element_text(reader: &Reader, value: &RawValue, path: &str) -> String {
    match &value.made {
        Some(made) if made.shape != MadeShape::Literal => return Box::pin(made_text(reader, made)).await,
        _ => {}
    }
    match nullable::shown(reader, value, path).await {
        nullable::Shown::AsIs => {}
        nullable::Shown::Opened(inner) => {
            return Box::pin(element_text(reader, &inner.value, &inner.load_path)).await;
        }
        nullable::Shown::Unread => return "{…}".into(),
    }
    if value.is_boxed() {
        return content_text(boxed(reader, value, path, INNER_TEXT).await.content);
    }
    if let Some(plain) = literal::plain("", &value.type_name, &value.value, INNER_TEXT) {
        return content_text(plain.content);
    }
    if let Raw::Array(dimensions) = value.parsed() {
        return format!("{}({})", value.short_type(), dimensions.iter().product::<u64>());
    }
    let shape = reader.shape(&value.type_name);
    match &shape.form {
        Form::Object => object(reader, value, path, &shape).await.0,
        Form::Tuple { items, prefix, rest } => tuple(reader, value, path, (*items, prefix, rest)).await,
        Form::Wellknown(known) => match wellknown::read(reader, known, value, path, INNER_TEXT).await {
            Some(shown) => shown_text(reader, shown, INNER_TEXT).await.0,
            None => "{…}".into(),
        },
        Form::Delegate => match delegates::handlers(reader, value, path, 0, delegates::PREVIEWED).await {
            Some((handlers, count)) => delegate_text(&handlers, count),
            None => "{…}".into(),
        },
        Form::Expando => expando_text(reader, value, path).await.unwrap_or_else(|| "{…}".into()),
        Form::Unknown => made(reader, value).await.unwrap_or_else(|| "{…}".into()),
        Form::Opaque => "{…}".into(),
        Form::Collection(collection @ Collection::Group) => {
            match Elements::of_collection(reader, collection, value, path).await {
                Ok(elements) => {
                    let key = group_key(reader, collection, value, path).await;
                    Box::pin(elements_text(reader, &elements, key)).await.text
                }
                Err(_) => "{…}".into(),
            }
        }
        _ => member_text(reader, value, path).await.unwrap_or_else(|| "{…}".into()),
    }
}

/// `{Name="Ada", Age=36}`
async fn expando_text(reader: &Reader, value: &RawValue, path: &str) -> Option<String> {
    let (given, left) = expando::members(reader, value, path).await?;
    let texts = given.iter().take(MEMBERS).map(|member| async move {
        let Evaluated { value, load_path } = &member.value;
        let text = Box::pin(member_text(reader, value, load_path)).await;
        format!("{}={}", member.name, text.unwrap_or_else(|| "{…}".into()))
    });
    let texts = side_by_side(texts).await;
    let total = given.len() + usize::try_from(left).unwrap_or(0);
    Some(line('{', &texts, More::of(total, texts.len()), '}'))
}

/// What an expression made (`new { … }`, a group): no module has its type, and the adapter that made it lists its members.
async fn made(reader: &Reader, value: &RawValue) -> Option<String> {
    if !reader.capabilities.supports_csharp_expressions || value.reference == 0 {
        return None;
    }
    let members = reader.listed(value).await;
    let shown = members.iter().take(MEMBERS).map(|member| {
        let text = literal::plain("", &member.type_name, &member.value, INNER_TEXT);
        let text = text.map_or_else(|| "{…}".to_owned(), |plain| content_text(plain.content));
        if member.name.starts_with('[') { text } else { format!("{}={text}", member.name) }
    });
    let shown: Vec<String> = shown.collect();
    Some(line('{', &shown, More::of(members.len(), shown.len()), '}'))
}

/// A dictionary's key as an element is named by it: `(1, 2)`, `Key {Id=1}`.
pub async fn key(reader: &Reader, value: &RawValue, path: &str) -> String {
    let text = element_text(reader, value, path).await;
    if text.starts_with('{') { format!("{} {text}", value.short_type()) } else { text }
}

/// `{Id=42, Customer="Ada", +2 more}`: short members before long ones, as many as fit; and those that were read. What the type's author
/// wants to be seen has no members.
async fn object(reader: &Reader, value: &RawValue, path: &str, shape: &Shape) -> (String, Vec<(String, String)>) {
    if let Some(pieces) = &shape.display
        && let Some(text) = Box::pin(displayed(reader, value, path, pieces)).await
    {
        return (text, Vec::new());
    }
    // a listing might run what its author added
    let listed = RawValue { reference: if shape.all_safe() { value.reference } else { 0 }, ..value.clone() };
    let mut texts = match shape.exception {
        Some(known) => match wellknown::read(reader, known, &listed, path, literal::SHORT).await {
            Some(Shown::Members(parts, fields)) => parts_text(reader, parts, &fields).await,
            _ => Vec::new(),
        },
        None => Vec::new(),
    };
    if shape.exception.is_some()
        && shape.message_is_inherited()
        && !texts.iter().any(|text| text.starts_with("Message="))
    {
        // what System.Exception says where nobody gave it a message
        let message = format!("Exception of type '{}' was thrown.", value.type_name);
        texts.insert(0, format!("Message={}", literal::quote_cut(&message, literal::SHORT).0));
    }
    let own = |member: &&Member| !texts.iter().any(|text| text.split('=').next() == Some(&member.name));
    let wanted: Vec<&Member> = shape.preview().into_iter().filter(own).collect();
    let total = texts.len()
        + shape.members.iter().filter(|it| !it.hidden && !it.repeats).filter(own).count()
        + shape.shadowed.iter().filter(|it| !it.member.hidden).count();
    let shown = wanted.get(..wanted.len().min(MEMBERS)).unwrap_or(&wanted);
    let reads = load_members(reader, value, path, shape, shown).await;
    let read = side_by_side(shown.iter().zip(&reads).map(|(member, read)| async move {
        let text = match read {
            Ok(value) => member_text(reader, value, &member.load_path(path)).await,
            Err(_) => None,
        }?;
        Some(format!("{}={text}", member.name))
    }))
    .await;
    let (short, long): (Vec<_>, Vec<_>) =
        read.into_iter().flatten().partition(|text| text.chars().count() <= LONG_MEMBER);
    texts.extend(short);
    texts.extend(long);
    let parts = texts.iter().filter_map(|text| text.split_once('=')).map(|(name, text)| (name.into(), text.into()));
    (line('{', &texts, More::of(total, texts.len()), '}'), parts.collect())
}

/// A member inside a preview: a literal, a date, a collection's type and count, else the type alone.
async fn member_text(reader: &Reader, value: &RawValue, path: &str) -> Option<String> {
    let short = value.short_type();
    match nullable::shown(reader, value, path).await {
        nullable::Shown::AsIs => {}
        nullable::Shown::Opened(inner) => return Box::pin(member_text(reader, &inner.value, &inner.load_path)).await,
        nullable::Shown::Unread => return Some(short),
    }
    if value.is_boxed() {
        return Some(content_text(boxed(reader, value, path, INNER_TEXT).await.content));
    }
    let value = &exact::loaded(reader, value.clone(), path).await;
    if let Some(plain) = literal::plain("", &value.type_name, &value.value, INNER_TEXT) {
        return match plain.content {
            Content::Value(text) => Some(text),
            _ => None,
        };
    }
    if let Raw::Array(dimensions) = value.parsed() {
        return Some(format!("{short}({})", dimensions.iter().product::<u64>()));
    }
    match &reader.shape(&value.type_name).form {
        Form::Wellknown(known) if is_scalar(known) => {
            match wellknown::read(reader, known, value, path, INNER_TEXT).await {
                Some(Shown::Plain(text)) => Some(text),
                Some(Shown::Text(text)) => Some(literal::quote_cut(&text, INNER_TEXT).0),
                _ => Some(short),
            }
        }
        Form::Collection(collection) => match Elements::of_collection(reader, collection, value, path).await {
            Ok(elements) if elements.counted() => Some(format!("{short}({})", elements.count)),
            Ok(_) => Some(short),
            Err(_) => Some(short),
        },
        Form::Tuple { items, prefix, rest } => Some(tuple(reader, value, path, (*items, prefix, rest)).await),
        _ => Some(short),
    }
}

fn content_text(content: Content) -> String {
    match content {
        Content::Value(text) => text,
        Content::Error(words) => format!("!{words}"),
        Content::Cycle(path) => path,
        Content::Members(_) => "{…}".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn array_types_show_their_sizes_from_two_dimensions_on() {
        assert_eq!(array_type("int[]", &[(0, 3)]), "int[]");
        assert_eq!(array_type("int[,]", &[(0, 2), (0, 3)]), "int[2, 3]");
        assert_eq!(array_type("int[]", &[(5, 3)]), "int[5..7]");
        assert_eq!(array_type("int[,]", &[(0, 2), (5, 3)]), "int[2, 5..7]");
    }
}
