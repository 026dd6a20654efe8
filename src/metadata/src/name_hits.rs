//! Which names of an assembly hold a text: one pass over the `#Strings` heap, in place of a look at the name of each method.

use super::patterns::NamePattern;
use super::tables::Metadata;

/// Entries of the heap in which a pattern's text stands. Entries share their ends (II.24.2.3): an index may lie within one.
pub(super) struct NameHits {
    /// Where each entry begins, and where in it the text stands, ascending; `None`: the pattern is not for the letters of a name.
    places: Option<Vec<(usize, usize)>>,
}

impl NameHits {
    pub(super) fn of(metadata: &Metadata, pattern: &NamePattern) -> Self {
        Self { places: pattern.letters().map(|text| places(metadata.names(), text.as_bytes())) }
    }

    /// Whether the name at an index of the heap can match; `false` is certain.
    pub(super) fn may_be(&self, index: u32) -> bool {
        let Some(places) = &self.places else { return true };
        let at = places.partition_point(|(_, at)| *at < index as usize);
        places.get(at).is_some_and(|(begin, _)| *begin <= index as usize)
    }
}

fn places(heap: &[u8], text: &[u8]) -> Vec<(usize, usize)> {
    let Some((offset, letter)) = rarest(text) else { return Vec::new() };
    let mut found = Vec::new();
    let (mut begin, mut seen) = (0, 0);
    for hit in memchr::memchr2_iter(letter, letter.to_ascii_uppercase(), heap) {
        let Some(at) = hit.checked_sub(offset) else { continue };
        let is_it = heap.get(at..at.saturating_add(text.len())).is_some_and(|part| part.eq_ignore_ascii_case(text));
        if is_it {
            let end = heap.get(seen..at).and_then(|between| memchr::memrchr(0, between));
            begin = end.map_or(begin, |end| seen + end + 1);
            seen = at;
            found.push((begin, at));
        }
    }
    found
}

/// The byte of a text that names have least often, in lower case, and where it stands.
fn rarest(text: &[u8]) -> Option<(usize, u8)> {
    // Letters of English, the most frequent first.
    const LETTERS: &[u8] = b"etaoinsrlcdmpuhgbyfvwkxjqz";
    let letters = text.iter().map(u8::to_ascii_lowercase).enumerate();
    letters.max_by_key(|(_, letter)| memchr::memchr(*letter, LETTERS).unwrap_or(LETTERS.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_is_found_from_wherever_it_is_entered_up_to_the_text() {
        let heap = b"\0Order\0PreOrderLine\0Line\0";
        let hits = NameHits { places: Some(places(heap, b"order")) };
        let found: Vec<u32> = (0..heap.len() as u32).filter(|&index| hits.may_be(index)).collect();
        // `Order` itself, then `PreOrderLine` and its ends down to `OrderLine`.
        assert_eq!(found, [1, 7, 8, 9, 10]);
    }

    #[test]
    fn texts_that_overlap_are_all_found() {
        assert_eq!(places(b"\0aAa\0", b"aa"), [(1, 1), (1, 2)]);
        assert_eq!(places(b"", b"a"), []);
    }

    #[test]
    fn patterns_for_more_than_letters_refuse_nothing() {
        for text in ["Ord*", "Basics.Order", "\u{fffd}"] {
            assert_eq!(NamePattern::parse(text).unwrap().letters(), None, "{text}");
        }
        assert_eq!(NamePattern::parse("List<int>").unwrap().letters(), Some("List"));
    }
}
