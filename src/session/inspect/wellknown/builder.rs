//! The text of a StringBuilder. Its end is in the object itself, what is before it in a chain of older ones.

use crate::session::expression::join;
use crate::session::inspect::backing::Backing;
use crate::session::inspect::field_values::{Fields, Spec};
use crate::session::inspect::fields;
use crate::session::inspect::literal::Raw;
use crate::session::inspect::raw_value::RawValue;
use crate::session::inspect::reader::Reader;

/// Chunks that are followed. The first has 16 characters, later ones up to 8,000.
const CHUNKS: usize = 32;
/// Characters of one request: more than any preview shows.
const PAGE: u64 = 2_000;

/// The beginning of the text, at least `limit` characters of it and one more where there are more.
pub(super) async fn text(reader: &Reader, value: &RawValue, path: &str, limit: usize) -> Option<String> {
    let mut chunks: Vec<Fields> = Vec::new();
    let (mut at, mut path) = (value.clone(), path.to_owned());
    const CHUNK: &[Spec] = &["m_ChunkOffset", "m_ChunkLength", "m_ChunkPrevious", "m_ChunkChars"];
    loop {
        let chunk = fields::read(reader, &at, &path, CHUNK).await;
        let previous = chunk.get(2)?.value.clone();
        chunks.push(chunk);
        if previous.parsed() == Raw::Null {
            break;
        }
        if chunks.len() == CHUNKS {
            return None;
        }
        (at, path) = (previous, join(&path, "m_ChunkPrevious"));
    }
    let total = chunks.first().and_then(|last| Some(last.integer(0)? + last.integer(1)?))?;
    let mut text = String::new();
    let mut length = 0;
    for chunk in chunks.iter().rev() {
        if length > limit {
            break;
        }
        let wanted = u64::try_from(chunk.integer(1)?).ok()?.min((limit as u64 + 1).min(PAGE));
        text.push_str(&characters(reader, chunk, wanted).await?);
        length = text.chars().count();
    }
    // the rest is not read, only counted: a cut text says how long the whole one is
    let whole = usize::try_from(total).ok()?;
    if length < whole && length > limit {
        text.extend(std::iter::repeat_n('…', whole - length));
    }
    Some(text)
}

async fn characters(reader: &Reader, chunk: &Fields, count: u64) -> Option<String> {
    let held = chunk.get(3)?;
    let Raw::Array(dimensions) = held.value.parsed() else { return None };
    let array = Backing::of(&held.value, &held.path, &dimensions);
    let page = array.first(reader, count.min(dimensions.iter().product())).await.ok()?;
    // `97 'a'`: both adapters print the UTF-16 unit before the character
    let units = page.iter().map(|element| element.value.value.split(' ').next()?.parse::<u16>().ok());
    Some(String::from_utf16_lossy(&units.collect::<Option<Vec<u16>>>()?))
}
