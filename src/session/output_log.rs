//! The program's output: byte-exact, bounded, with cursors. The end of it is in memory, what was before in a file (`spill`).
//!
//! A cursor is a count of bytes over both streams since the start; the order between the streams is the order in which
//! we read them, which nobody can know better (vendor-notes.md). It goes on over restarts; a page has lines of one run only.

mod excerpt;
mod lines;
mod page;
mod runs;
mod spill;

use std::collections::VecDeque;

use super::report::OutputTail;
pub use excerpt::Excerpt;
use excerpt::text_of;
use lines::Lines;
use runs::Runs;
use spill::{Spill, Stopped};

/// Bytes kept in memory at least. A megabyte is a thousand screens.
const KEPT: usize = 4 * 1024 * 1024;
/// And above that until they are moved to the file, together.
const SLACK: usize = 256 * 1024;
/// Bytes that the file may hold, where nobody says otherwise.
pub const SPILLED: u64 = 256 * 1024 * 1024;
/// The tail of a report.
const TAIL_LINES: usize = 10;
const TAIL_BYTES: usize = 600;
/// What is not longer than the note of its omission is not omitted.
const NOTE: usize = 60;
/// Bytes at the end that a report looks at: of what is before them it could show nothing.
const LOOKED_AT: u64 = 64 * 1024;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stream {
    Stdout,
    Stderr,
}

impl Stream {
    /// `stdout` or `stderr`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Stdout => "stdout",
            Self::Stderr => "stderr",
        }
    }
}

#[derive(Debug, Clone)]
struct Chunk {
    at: u64,
    stream: Stream,
    bytes: Vec<u8>,
}

/// Which part of the log is wanted.
#[derive(Debug, Clone)]
pub struct Selection {
    pub stdout: bool,
    pub stderr: bool,
    pub since: u64,
    /// The first lines; `tail` the last.
    pub max_lines: Option<usize>,
    pub tail: Option<usize>,
    pub search: Option<regex::Regex>,
    /// Bytes of an answer: as JSON, the longer of its renderings.
    pub max_size: usize,
}

#[derive(Debug)]
pub struct OutputLog {
    chunks: VecDeque<Chunk>,
    kept: usize,
    end: u64,
    runs: Runs,
    spill: Spill,
    is_trouble_reported: bool,
}

impl OutputLog {
    /// The file takes at most `spilled` bytes.
    pub fn new(spilled: u64) -> Self {
        let spill = Spill::new(spilled);
        Self { chunks: VecDeque::new(), kept: 0, end: 0, runs: Runs::default(), spill, is_trouble_reported: false }
    }

    /// What comes from now on is of another run of the program.
    pub fn begin_run(&mut self) {
        self.runs.begin(self.end);
    }

    /// Whether the program was started again.
    pub fn has_restarted(&self) -> bool {
        self.runs.are_several()
    }

    /// Where the output of the latest run begins.
    pub fn latest_run(&self) -> u64 {
        self.runs.latest()
    }

    /// Bytes since the start.
    pub fn end(&self) -> u64 {
        self.end
    }

    /// The oldest byte in memory.
    fn oldest(&self) -> u64 {
        self.chunks.front().map_or(self.end, |chunk| chunk.at)
    }

    pub fn push(&mut self, stream: Stream, bytes: &[u8]) {
        if bytes.is_empty() {
            return;
        }
        let at = self.end;
        self.end += bytes.len() as u64;
        // small writes are joined, so that a million of them cost no more than their bytes
        match self.chunks.back_mut() {
            Some(last) if last.stream == stream && last.bytes.len() < 16 * 1024 && !self.runs.begins_at(at) => {
                last.bytes.extend_from_slice(bytes);
            }
            _ => self.chunks.push_back(Chunk { at, stream, bytes: bytes.to_vec() }),
        }
        self.kept += bytes.len();
        if self.kept <= KEPT + SLACK {
            return;
        }
        while let Some(oldest) = self.chunks.pop_front_if(|oldest| self.kept - oldest.bytes.len() >= KEPT) {
            self.kept -= oldest.bytes.len();
            self.spill.push(oldest.at, oldest.stream, &oldest.bytes);
        }
    }

    /// Whether what begins at `since` is all in memory.
    pub fn is_in_memory(&self, since: u64) -> bool {
        since >= self.oldest()
    }

    /// That output was lost, and why.
    fn trouble(&self) -> Option<String> {
        let lost = self.oldest().saturating_sub(self.spill.end());
        let why = match self.spill.stopped().filter(|_| lost > 0)? {
            Stopped::Limit(limit) => format!("the limit of {limit} bytes was reached (--max-output)"),
            Stopped::Failed(error) => format!("cannot write to the temporary file: {error}"),
        };
        Some(format!("{lost} bytes of output were lost: {why}; the latest output is readable"))
    }

    /// The same, until it was reported.
    pub fn unreported_trouble(&self) -> Option<String> {
        self.trouble().filter(|_| !self.is_trouble_reported)
    }

    /// A report mentioned [`Self::unreported_trouble`].
    pub fn trouble_is_reported(&mut self) {
        self.is_trouble_reported |= self.trouble().is_some();
    }

    /// What [`Excerpt::read`] needs for this selection. Copies what is in memory.
    pub fn excerpt(&self, wanted: &Selection) -> Excerpt {
        let oldest = self.oldest();
        // The last lines are in memory, unless they are the last of few.
        let spilled = wanted.since < oldest && (wanted.tail.is_none() || wanted.search.is_some());
        Excerpt {
            spilled: spilled.then(|| self.spill.spilled()),
            chunks: self.chunks.iter().filter(|chunk| chunk.end() > wanted.since).cloned().collect(),
            memory: oldest,
            end: self.end,
            runs: self.runs.clone(),
            trouble: self.trouble(),
        }
    }

    /// What a report shows of the output since `since`: the last 10 lines or 600 bytes, whole lines.
    pub fn report(&self, since: u64) -> OutputTail {
        if self.end <= since {
            return OutputTail::default();
        }
        let from = since.max(self.oldest()).max(self.end.saturating_sub(LOOKED_AT));
        let mut lines = Lines::default();
        self.chunks.iter().filter(|chunk| chunk.end() > from).for_each(|chunk| lines.take(chunk, from));
        let mut lines = lines.finish();
        let mut start = lines.len();
        let mut bytes = 0;
        while let Some(line) = start.checked_sub(1).and_then(|at| lines.get(at)) {
            let next = bytes + line.bytes.len();
            if lines.len() - start >= TAIL_LINES || (next > TAIL_BYTES && start < lines.len()) {
                break;
            }
            bytes = next;
            start -= 1;
        }
        let before: usize = lines.iter().take(start).map(|line| line.bytes.len()).sum();
        if before <= NOTE && from == since {
            start = 0;
        }
        let mut shown = lines.split_off(start);
        let left_before: u64 = lines.iter().map(|line| line.bytes.len() as u64).sum::<u64>() + (from - since);
        let mut omitted_bytes = left_before;
        if let [only] = shown.as_mut_slice() {
            // one line longer than a report: its end
            if only.bytes.len() > TAIL_BYTES + NOTE {
                let cut = only.bytes.len() - TAIL_BYTES;
                only.bytes.drain(..cut);
                omitted_bytes += cut as u64;
            }
        }
        OutputTail {
            stdout: text_of(&shown, Stream::Stdout),
            stderr: text_of(&shown, Stream::Stderr),
            omitted_bytes,
            cursor: (omitted_bytes > 0).then_some(since),
            run: None,
            note: None,
        }
    }
}

impl Chunk {
    fn end(&self) -> u64 {
        self.at + self.bytes.len() as u64
    }
}

#[cfg(test)]
mod tests;
