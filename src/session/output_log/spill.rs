//! Output that does not fit into memory: a file without a name, gone with its last user whatever becomes of us.
//!
//! It holds pieces one behind the other, each with a small head (stream and length), and is read forward from the nearest
//! place of a sparse index. Writing ends for good at the limit, or with the first failure (a full disk): what is there stays
//! readable, what comes later is counted as lost.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::sync::Arc;

use super::{Chunk, Stream};

/// Bytes of output between two entries of the index.
const STEP: u64 = 64 * 1024;
/// Of a piece's head: the stream, and the length in little-endian order.
const HEAD: usize = 5;
/// Output in one piece, so that a reader holds little at a time.
const LONGEST: usize = 64 * 1024;

/// The file, and what of the output it holds: always the beginning, up to `end`.
#[derive(Debug)]
pub(super) struct Spill {
    file: Option<Arc<File>>,
    limit: u64,
    /// The first byte of the output that the file does not hold.
    end: u64,
    /// Bytes of the file, heads among them.
    written: u64,
    /// Places in the output and in the file where a piece begins.
    index: Vec<(u64, u64)>,
    stopped: Option<Stopped>,
}

/// Why nothing more is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Stopped {
    Limit(u64),
    Failed(String),
}

/// What is in the file now, for a reader on another thread.
#[derive(Debug, Clone, Default)]
pub(super) struct Spilled {
    file: Option<Arc<File>>,
    end: u64,
    index: Vec<(u64, u64)>,
}

impl Spill {
    /// Holds at most `limit` bytes of output.
    pub(super) fn new(limit: u64) -> Self {
        Self { file: None, limit, end: 0, written: 0, index: Vec::new(), stopped: None }
    }

    #[cfg(test)]
    pub(super) fn over(file: File, limit: u64) -> Self {
        Self { file: Some(Arc::new(file)), ..Self::new(limit) }
    }

    pub(super) fn end(&self) -> u64 {
        self.end
    }

    pub(super) fn stopped(&self) -> Option<&Stopped> {
        self.stopped.as_ref()
    }

    /// Takes what memory gives up: `bytes` of the output from `at` on.
    pub(super) fn push(&mut self, at: u64, stream: Stream, bytes: &[u8]) {
        if self.stopped.is_some() || at != self.end {
            return;
        }
        for piece in bytes.chunks(LONGEST) {
            if self.end + piece.len() as u64 > self.limit {
                self.stopped = Some(Stopped::Limit(self.limit));
                return;
            }
            if let Err(error) = self.write(stream, piece) {
                self.stopped = Some(Stopped::Failed(error.to_string()));
                return;
            }
        }
    }

    fn write(&mut self, stream: Stream, piece: &[u8]) -> io::Result<()> {
        let file = match &self.file {
            Some(file) => Arc::clone(file),
            None => Arc::clone(self.file.insert(Arc::new(tempfile::tempfile()?))),
        };
        let length = u32::try_from(piece.len()).unwrap_or(u32::MAX).to_le_bytes();
        let mut record = Vec::with_capacity(HEAD + piece.len());
        record.push(u8::from(stream == Stream::Stderr));
        record.extend_from_slice(&length);
        record.extend_from_slice(piece);
        // Whole or not at all: what a failure leaves behind lies beyond what is counted.
        file.write_all_at(&record, self.written)?;
        if self.index.last().is_none_or(|(at, _)| self.end >= at + STEP) {
            self.index.push((self.end, self.written));
        }
        self.end += piece.len() as u64;
        self.written += record.len() as u64;
        Ok(())
    }

    pub(super) fn spilled(&self) -> Spilled {
        Spilled { file: self.file.clone(), end: self.end, index: self.index.clone() }
    }
}

impl Spilled {
    /// The first byte of the output that is not in the file.
    pub(super) fn end(&self) -> u64 {
        self.end
    }

    /// Hands the pieces from `from` on to `take`, until that says no.
    pub(super) fn each(&self, from: u64, mut take: impl FnMut(Chunk) -> bool) -> io::Result<()> {
        let Some(file) = self.file.as_ref().filter(|_| from < self.end) else { return Ok(()) };
        let nearest = self.index.partition_point(|(at, _)| *at <= from).checked_sub(1);
        let (mut at, mut place) = nearest.and_then(|nearest| self.index.get(nearest)).copied().unwrap_or_default();
        while at < self.end {
            let mut head = [0; HEAD];
            file.read_exact_at(&mut head, place)?;
            let [stream, length @ ..] = head;
            let mut bytes = vec![0; u32::from_le_bytes(length) as usize];
            file.read_exact_at(&mut bytes, place + HEAD as u64)?;
            let begins = at;
            at += bytes.len() as u64;
            place += (HEAD + bytes.len()) as u64;
            if at <= from {
                continue;
            }
            let before = usize::try_from(from.saturating_sub(begins)).unwrap_or(usize::MAX).min(bytes.len());
            bytes.drain(..before);
            let stream = if stream == 0 { Stream::Stdout } else { Stream::Stderr };
            if !take(Chunk { at: begins + before as u64, stream, bytes }) {
                break;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(spill: &Spill, from: u64) -> Vec<u8> {
        let mut all = Vec::new();
        let mut next = from;
        let read = spill.spilled().each(from, |chunk| {
            assert_eq!(chunk.at, next);
            next += chunk.bytes.len() as u64;
            all.extend(chunk.bytes);
            true
        });
        read.unwrap();
        all
    }

    #[test]
    fn every_byte_comes_back_from_any_place() {
        let mut spill = Spill::new(1 << 30);
        let bytes: Vec<u8> = (0..300_000_u32).flat_map(u32::to_le_bytes).collect();
        let mut at = 0;
        for (number, piece) in bytes.chunks(7_001).enumerate() {
            spill.push(at, if number % 2 == 0 { Stream::Stdout } else { Stream::Stderr }, piece);
            at += piece.len() as u64;
        }
        for from in [0, 1, 7_001, 65_535, 65_536, 900_000, bytes.len() - 1, bytes.len()] {
            assert_eq!(whole(&spill, from as u64), bytes[from..], "from {from}");
        }
        assert_eq!(spill.stopped(), None);
    }

    #[test]
    fn it_ends_at_its_limit_and_keeps_what_it_has() {
        let mut spill = Spill::new(10);
        spill.push(0, Stream::Stdout, b"12345678");
        spill.push(8, Stream::Stdout, b"9abc");
        spill.push(12, Stream::Stdout, b"d");
        assert_eq!((spill.stopped(), spill.end()), (Some(&Stopped::Limit(10)), 8));
        assert_eq!(whole(&spill, 0), b"12345678");
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_full_disk_ends_it() {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let mut spill = Spill::over(full, 1 << 20);
        spill.push(0, Stream::Stdout, b"x");
        assert!(
            matches!(spill.stopped(), Some(Stopped::Failed(words)) if words.contains("No space left")),
            "{spill:?}"
        );
        assert_eq!(spill.end(), 0);
    }
}
