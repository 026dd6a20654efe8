//! Bytes of two streams cut into the lines of each, in the order in which they began.

use super::{Chunk, Stream};

#[derive(Debug)]
pub(super) struct Line {
    pub at: u64,
    pub stream: Stream,
    pub bytes: Vec<u8>,
}

impl Line {
    pub(super) fn text(&self) -> std::borrow::Cow<'_, str> {
        String::from_utf8_lossy(&self.bytes)
    }

    /// Bytes that it has in an answer.
    pub(super) fn size(&self) -> usize {
        self.sizes().map(|(_, size)| size).sum()
    }

    /// Bytes of its start, and of its end, that have no more than so many in an answer.
    pub(super) fn start_within(&self, room: usize) -> usize {
        within(self.sizes(), room)
    }

    pub(super) fn end_within(&self, room: usize) -> usize {
        let sizes: Vec<_> = self.sizes().collect();
        within(sizes.into_iter().rev(), room)
    }

    /// Of each piece the bytes that it has here and, at most, in JSON, where more is escaped than in text.
    fn sizes(&self) -> impl Iterator<Item = (usize, usize)> {
        const REPLACEMENT: usize = 3;
        self.bytes.utf8_chunks().flat_map(|chunk| {
            let invalid = chunk.invalid().len();
            let valid = chunk.valid().chars().map(|c| (c.len_utf8(), in_json(c)));
            valid.chain((invalid > 0).then_some((invalid, REPLACEMENT)))
        })
    }
}

fn in_json(c: char) -> usize {
    match c {
        '"' | '\\' | '\n' | '\r' | '\t' => 2,
        c if c.is_control() => "\\\\u0000".len(),
        // among these are all that answers show as escapes, as they order or hide text (`answers::visible`)
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{206f}' | '\u{feff}'..='\u{fffb}' => "\\\\u0000".len(),
        '\u{e0000}'.. => "\\\\U00000000".len(),
        c => c.len_utf8(),
    }
}

fn within(sizes: impl Iterator<Item = (usize, usize)>, mut room: usize) -> usize {
    let fits = |(here, there): (usize, usize)| {
        room = room.checked_sub(there)?;
        Some(here)
    };
    sizes.map_while(fits).sum()
}

/// Lines in the making.
#[derive(Debug, Default)]
pub(super) struct Lines {
    done: Vec<Line>,
    /// One of each stream that has no end yet.
    open: [Option<Line>; 2],
}

impl Lines {
    /// The bytes of `chunk` from `from` on; chunks come in order.
    pub(super) fn take(&mut self, chunk: &Chunk, from: u64) {
        let skip = usize::try_from(from.saturating_sub(chunk.at)).unwrap_or(usize::MAX).min(chunk.bytes.len());
        let mut at = chunk.at + skip as u64;
        let bytes = chunk.bytes.get(skip..).unwrap_or(&[]);
        let [out, err] = &mut self.open;
        let slot = if chunk.stream == Stream::Stdout { out } else { err };
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            let line = slot.get_or_insert_with(|| Line { at, stream: chunk.stream, bytes: Vec::new() });
            line.bytes.extend_from_slice(piece);
            at += piece.len() as u64;
            if piece.ends_with(b"\n") {
                self.done.extend(slot.take());
            }
        }
    }

    /// The lines that are whole by now, each reported once.
    pub(super) fn whole(&mut self) -> Vec<Line> {
        std::mem::take(&mut self.done)
    }

    /// The rest, with lines that have no end.
    pub(super) fn finish(mut self) -> Vec<Line> {
        self.done.extend(self.open.into_iter().flatten());
        self.done.sort_by_key(|line| line.at);
        self.done
    }
}
