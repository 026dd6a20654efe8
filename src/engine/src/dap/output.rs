//! What the program writes, and what is said about it.

use std::io::Read;
use std::sync::mpsc::Sender;

use serde_json::json;

use super::input::{Input, Text};
use super::server::Server;

/// Passes on what a stream brings, whole characters at a time.
pub fn read_stream(category: &'static str, mut stream: impl Read + Send + 'static, sender: Sender<Input>) {
    std::thread::spawn(move || {
        let mut buffer = vec![0_u8; 16 << 10];
        let mut begun: Vec<u8> = Vec::new();
        loop {
            let got = match stream.read(&mut buffer) {
                Ok(0) | Err(_) => break,
                Ok(got) => got,
            };
            begun.extend_from_slice(buffer.get(..got).unwrap_or_default());
            let whole = whole_characters(&begun);
            let text: String = String::from_utf8_lossy(begun.get(..whole).unwrap_or_default()).into_owned();
            begun.drain(..whole);
            if !text.is_empty() && sender.send(Input::Output(Text { category, text })).is_err() {
                return;
            }
        }
        if !begun.is_empty() {
            let text = String::from_utf8_lossy(&begun).into_owned();
            let _ = sender.send(Input::Output(Text { category, text }));
        }
        let _ = sender.send(Input::OutputEnded);
    });
}

/// How many bytes do not end within a character.
fn whole_characters(bytes: &[u8]) -> usize {
    let from = bytes.len().saturating_sub(3);
    for (at, byte) in bytes.iter().enumerate().skip(from).rev() {
        let needs = match byte {
            0xc0..=0xdf => 2,
            0xe0..=0xef => 3,
            0xf0..=0xf7 => 4,
            0x80..=0xbf => continue,
            _ => return bytes.len(),
        };
        return if bytes.len() - at < needs { at } else { bytes.len() };
    }
    bytes.len()
}

impl Server {
    pub(super) fn report_output(&mut self, text: Text) {
        self.event("output", Some(json!({ "category": text.category, "output": text.text })));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_are_not_cut() {
        for (bytes, expected) in [
            (&b"abc"[..], 3),
            ("é".as_bytes(), 2),
            (&[0x61, 0xc3], 1),
            (&[0xe2, 0x82], 0),
            (&[0xf0, 0x9f, 0x98], 0),
            ("😀".as_bytes(), 4),
            (&[0x80, 0x80, 0x80, 0x80], 4),
            (&[0xff, 0xff], 2),
        ] {
            assert_eq!(whole_characters(bytes), expected, "{bytes:x?}");
        }
    }
}
