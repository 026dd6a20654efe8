//! What has elements, as a line: collections, groups, and what an expression made.

use std::hash::{Hash, Hasher};

use super::line::{More, WIDTH, line};
use super::tuples::labelled;
use super::{INNER_TEXT, MEMBERS, element_text, member_text};
use crate::session::expression::join;
use crate::session::inspect::collections::{Elements, UNPAGED, named};
use crate::session::inspect::element::Element;
use crate::session::inspect::literal::{self, Raw};
use crate::session::inspect::made::{Made, Shape as MadeShape};
use crate::session::inspect::raw_value::RawValue;
use crate::session::inspect::reader::Reader;
use crate::session::inspect::shape::Collection;
use crate::session::inspect::{exact, side_by_side, text};

/// Objects of a collection shown.
const OBJECTS: usize = 2;
/// Literals of a collection tried: more never fit into WIDTH.
const LITERALS: usize = 34;
/// Elements of an array whose change is noticed.
const DIGESTED: u64 = 100;
/// The same for dictionaries and sets.
const ENTRIES: u64 = 10;

/// `Key=3` of a group.
pub(super) async fn group_key(
    reader: &Reader,
    collection: &Collection,
    value: &RawValue,
    path: &str,
) -> Option<String> {
    if *collection != Collection::Group {
        return None;
    }
    let [key] = reader.fields(value, path, ["_key"]).await;
    let text = Box::pin(member_text(reader, &key.ok()?, &join(path, "_key"))).await;
    text.map(|text| format!("Key={text}"))
}

/// Elements as they are shown.
#[derive(Default)]
pub(super) struct ElementsLine {
    /// `[a, b, …]`, or `{Key=3, a, b, …}`.
    pub text: String,
    /// Of more elements than are shown.
    pub digest: u64,
    /// Names and texts.
    pub parts: Vec<(String, String)>,
}

pub(super) async fn elements_text(reader: &Reader, elements: &Elements, key: Option<String>) -> ElementsLine {
    // one request brings a whole page of an array; an entry of a hash table is a request of its own
    let most = match (elements.is_array(), reader.quirks.paging) {
        (true, true) => DIGESTED,
        (true, false) => UNPAGED,
        (false, _) => ENTRIES,
    };
    let Ok(mut page) = elements.page(reader, 0, elements.count.min(most)).await else {
        return ElementsLine { text: "[…]".into(), ..ElementsLine::default() };
    };
    let mut digest = std::hash::DefaultHasher::new();
    page.iter().for_each(|element| (&element.name, &element.value.value).hash(&mut digest));
    let plain = |element: &Element| {
        matches!(element.value.parsed(), Raw::Array(_))
            || literal::plain("", &element.value.type_name, &element.value.value, INNER_TEXT).is_some()
    };
    // short literals fill the line, objects stop at two
    page.truncate(if page.iter().all(plain) { LITERALS } else { OBJECTS });
    let page = exact::page(reader, page, WIDTH).await;
    let page = text::completed_page(reader, elements.array_path().map(|array| (array, 0)), page).await;
    let page = named(reader, page).await;
    let texts = side_by_side(page.iter().map(|element| element_text(reader, &element.value, &element.load_path))).await;
    let mut parts: Vec<(String, String)> = page.iter().map(|element| element.name.clone()).zip(texts).collect();
    let texts: Vec<String> = page
        .iter()
        .zip(&parts)
        .map(|(element, (name, text))| if element.is_keyed { format!("{name}={text}") } else { text.clone() })
        .collect();
    let known_end = texts.iter().position(|text| text == "{…}").map_or(texts.len(), |at| at + 1);
    let shown = texts.get(..known_end).unwrap_or(&texts);
    let more = if elements.count > shown.len() as u64 || !elements.counted() { More::Some } else { More::No };
    let text = match key {
        Some(key) => line('{', &[std::slice::from_ref(&key), shown].concat(), more, '}'),
        None => line('[', shown, more, ']'),
    };
    parts.truncate(known_end);
    ElementsLine { text, digest: digest.finish(), parts }
}

/// What an expression made, part by part.
pub(super) async fn made_text(reader: &Reader, made: &Made) -> String {
    let most =
        if made.is_plain() { LITERALS } else { OBJECTS.max(MEMBERS * usize::from(made.shape != MadeShape::Sequence)) };
    let shown = made.parts.get(..made.parts.len().min(most)).unwrap_or(&made.parts);
    let texts = shown.iter().map(|part| element_text(reader, &part.value, &part.load_path));
    let texts: Vec<String> = side_by_side(texts).await;
    let named = shown.iter().zip(&texts).map(|(part, text)| match part.name.starts_with('[') {
        true => text.clone(),
        false => format!("{}={text}", part.name),
    });
    let more = if made.has_more(shown.len()) { More::Some } else { More::No };
    match made.shape {
        MadeShape::Sequence => line('[', &texts, more, ']'),
        MadeShape::Tuple => {
            let elements = shown.iter().zip(&texts).map(|(part, text)| labelled(part.label(), text.clone()));
            format!("({})", elements.collect::<Vec<_>>().join(", "))
        }
        MadeShape::Members => line('{', &named.collect::<Vec<_>>(), More::No, '}'),
        MadeShape::Group => line('{', &named.collect::<Vec<_>>(), more, '}'),
        MadeShape::Entries => {
            let entries = texts.chunks(2).map(|entry| match entry {
                [key, value] => format!("[{key}]={value}"),
                _ => "…".to_owned(),
            });
            line('[', &entries.collect::<Vec<_>>(), more, ']')
        }
        MadeShape::Opaque | MadeShape::Literal => "{…}".to_owned(),
    }
}
