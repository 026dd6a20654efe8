//! Secrets in memory: a text of one byte or of two bytes a character, wherever it begins.

use std::ops::Range;

use super::Redact;
use super::names::is_secret;
use crate::redaction::Redaction;
use crate::session::view::MemoryView;

/// Characters of the shortest text that is looked at.
const SHORTEST: usize = 4;

impl Redact for MemoryView {
    fn redact(&mut self, by: &Redaction) {
        if !by.is_on() {
            return;
        }
        let named = self.path.as_deref().is_some_and(|path| is_secret(path, by));
        let secret: Vec<Range<usize>> = match named {
            true => std::iter::once(0..self.bytes.len()).collect(),
            false => texts(&self.bytes).filter(|(text, _)| by.text(text) != text.as_str()).map(|(_, at)| at).collect(),
        };
        let mut is_hidden = vec![false; self.bytes.len()];
        is_hidden
            .iter_mut()
            .enumerate()
            .for_each(|(at, hidden)| *hidden = secret.iter().any(|range| range.contains(&at)));
        for (byte, hidden) in self.bytes.iter_mut().zip(&is_hidden) {
            if *hidden {
                *byte = 0;
            }
        }
        self.redacted = is_hidden.into_iter().filter(|hidden| *hidden).count();
    }
}

/// The texts in a piece of memory, and where they are.
fn texts(bytes: &[u8]) -> impl Iterator<Item = (String, Range<usize>)> {
    let narrow = runs(bytes, 1, 0);
    let wide = [0, 1].into_iter().flat_map(move |from| runs(bytes, 2, from));
    narrow.into_iter().chain(wide)
}

/// Of characters that are `width` bytes apart; wide ones are of Latin scripts, as secrets are.
fn runs(bytes: &[u8], width: usize, from: usize) -> Vec<(String, Range<usize>)> {
    let (mut found, mut text, mut begin) = (Vec::new(), String::new(), from);
    let units = bytes.get(from..).unwrap_or_default().chunks(width);
    for (number, unit) in units.chain(std::iter::once(&[][..])).enumerate() {
        let character = match unit {
            [byte] | [byte, 0] if (b' '..=b'~').contains(byte) && unit.len() == width => Some(char::from(*byte)),
            _ => None,
        };
        let at = from + number * width;
        match character {
            Some(character) => {
                if text.is_empty() {
                    begin = at;
                }
                text.push(character);
            }
            None if text.len() >= SHORTEST => found.push((std::mem::take(&mut text), begin..at)),
            None => text.clear(),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: Vec<u8>, path: Option<&str>) -> MemoryView {
        let path = path.map(ToOwned::to_owned);
        let mut view = MemoryView { address: 16, bytes, unreadable: 0, path, redacted: 0 };
        view.redact(&Redaction::default());
        view
    }

    #[test]
    fn secrets_of_one_or_two_bytes_a_character_are_hidden() {
        let text = "Password=hunter2hunter2";
        let wide: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        for secret in [text.as_bytes().to_vec(), wide] {
            for before in [vec![1], vec![1, 2, 0xff]] {
                let bytes = [before.as_slice(), &secret, &[7, 0x90]].concat();
                let view = read(bytes, None);
                assert_eq!(view.redacted, secret.len());
                assert_eq!(view.bytes, [before.as_slice(), &vec![0; secret.len()], &[7, 0x90]].concat());
            }
        }
    }

    #[test]
    fn other_texts_and_numbers_stay() {
        let bytes = b"\x01\x02an ordinary text\0\x03".to_vec();
        let view = read(bytes.clone(), Some("order.Customer"));
        assert_eq!((view.bytes, view.redacted), (bytes, 0));
    }

    #[test]
    fn what_is_called_a_secret_is_hidden_whatever_it_is() {
        let view = read(vec![1, 2, 3], Some("settings.Password"));
        assert_eq!((view.bytes, view.redacted), (vec![0; 3], 3));
    }
}
