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
    pub max_bytes: usize,
}

#[derive(Debug)]
pub struct OutputLog {
    chunks: VecDeque<Chunk>,
    kept: usize,
    end: u64,
    runs: Runs,
    spill: Spill,
    trouble_told: bool,
}

impl OutputLog {
    /// The file takes at most `spilled` bytes.
    pub fn new(spilled: u64) -> Self {
        let spill = Spill::new(spilled);
        Self { chunks: VecDeque::new(), kept: 0, end: 0, runs: Runs::default(), spill, trouble_told: false }
    }

    /// What comes from now on is of another run of the program.
    pub fn begin_run(&mut self) {
        self.runs.begin(self.end);
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

    /// The same, until it was told.
    pub fn untold_trouble(&self) -> Option<String> {
        self.trouble().filter(|_| !self.trouble_told)
    }

    /// A report told of [`Self::untold_trouble`].
    pub fn trouble_is_told(&mut self) {
        self.trouble_told |= self.trouble().is_some();
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
        let from = since.max(self.oldest());
        let mut lines = Lines::default();
        self.chunks.iter().for_each(|chunk| lines.take(chunk, from));
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
        let mut left_out = left_before;
        if let [only] = shown.as_mut_slice() {
            // one line longer than a report: its end
            if only.bytes.len() > TAIL_BYTES + NOTE {
                let cut = only.bytes.len() - TAIL_BYTES;
                only.bytes.drain(..cut);
                left_out += cut as u64;
            }
        }
        OutputTail {
            stdout: text_of(&shown, Stream::Stdout),
            stderr: text_of(&shown, Stream::Stderr),
            left_out,
            cursor: (left_out > 0).then_some(since),
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
mod tests {
    use super::*;

    fn log() -> OutputLog {
        OutputLog::new(SPILLED)
    }

    fn read(log: &OutputLog, wanted: &Selection) -> OutputTail {
        log.excerpt(wanted).read(wanted).unwrap()
    }

    fn all() -> Selection {
        Selection {
            stdout: true,
            stderr: true,
            since: 0,
            max_lines: None,
            tail: None,
            search: None,
            max_bytes: 1 << 20,
        }
    }

    #[test]
    fn a_character_split_over_two_writes_is_joined() {
        let mut log = log();
        log.push(Stream::Stdout, b"e=\xc3");
        log.push(Stream::Stderr, b"x\n");
        log.push(Stream::Stdout, b"\xa9\n");
        let read = read(&log, &all());
        assert_eq!((read.stdout.as_str(), read.stderr.as_str(), read.cursor), ("e=é\n", "x\n", Some(7)));
    }

    #[test]
    fn a_report_shows_the_last_lines_and_tells_what_it_leaves_out() {
        let mut log = log();
        for n in 0..100 {
            log.push(Stream::Stdout, format!("line {n}\n").as_bytes());
        }
        let tail = log.report(0);
        assert_eq!(tail.stdout.lines().count(), 10);
        assert!(tail.stdout.ends_with("line 99\n"));
        assert_eq!(tail.left_out + tail.stdout.len() as u64, log.end());
        assert_eq!(tail.cursor, Some(0));
        assert_eq!(log.report(log.end()), OutputTail::default());
    }

    #[test]
    fn a_page_has_lines_of_one_run() {
        let mut log = log();
        let wanted = |since| Selection { since, ..all() };
        log.push(Stream::Stdout, b"first\nnot ended");
        assert_eq!(read(&log, &all()).run, None, "there is only one");
        log.begin_run();
        assert_eq!((log.latest_run(), read(&log, &wanted(15)).run), (15, Some(2)));
        log.begin_run();
        log.push(Stream::Stdout, b"third\n");
        log.push(Stream::Stderr, b"more\n");
        let first = read(&log, &all());
        assert_eq!((first.stdout.as_str(), first.stderr.as_str()), ("first\nnot ended", ""));
        assert_eq!((first.run, first.cursor), (Some(1), Some(15)));
        assert_eq!(first.note.as_deref(), Some("the output of run 3 begins at the cursor"));
        let third = read(&log, &wanted(15));
        assert_eq!((third.stdout.as_str(), third.stderr.as_str(), third.note), ("third\n", "more\n", None));
        assert_eq!((third.run, third.cursor), (Some(3), Some(26)));
        // a search goes on to the run that has such a line
        let found = read(&log, &Selection { search: Some(regex::Regex::new("more|third").unwrap()), ..all() });
        assert_eq!((found.stdout.as_str(), found.run, found.left_out), ("third\n", Some(3), 0));
        // the last lines are of the latest run, however few it has
        let last = read(&log, &Selection { tail: Some(9), ..all() });
        assert_eq!((last.stdout.as_str(), last.run, last.left_out), ("third\n", Some(3), 15));
        let one = read(&log, &Selection { max_lines: Some(1), ..all() });
        assert_eq!((one.stdout.as_str(), one.note), ("first\n", None), "there is more of this run");
    }

    #[test]
    fn runs_are_told_apart_in_the_file_too() {
        let mut log = log();
        log.push(Stream::Stdout, b"not ended");
        log.begin_run();
        much(&mut log);
        let first = read(&log, &all());
        assert_eq!((first.stdout.as_str(), first.run, first.cursor), ("not ended", Some(1), Some(9)));
        let second = read(&log, &Selection { since: 9, max_lines: Some(1), ..all() });
        assert_eq!((second.stderr.len(), second.run), (100, Some(2)));
    }

    #[test]
    fn what_is_not_longer_than_a_note_of_it_is_shown() {
        let mut log = log();
        log.push(Stream::Stdout, b"a short line\n");
        log.push(Stream::Stdout, &[b"x".repeat(TAIL_BYTES - 3), b"\n".to_vec()].concat());
        assert_eq!((log.report(0).left_out, log.report(0).stdout.lines().count()), (0, 2));
        log.push(Stream::Stdout, b"and one more, so that more than a note would be missing\n");
        assert!(log.report(0).left_out > NOTE as u64);
        let mut log = OutputLog::new(SPILLED);
        log.push(Stream::Stdout, &vec![b'x'; TAIL_BYTES + NOTE]);
        assert_eq!(log.report(0).left_out, 0);
    }

    #[test]
    fn one_endless_line_is_cut_at_its_front() {
        let mut log = log();
        log.push(Stream::Stdout, &vec![b'a'; 10_000]);
        let tail = log.report(0);
        assert_eq!(tail.stdout.len(), TAIL_BYTES);
        assert_eq!(tail.left_out, 10_000 - TAIL_BYTES as u64);
    }

    /// 10 MB in lines of 100 bytes that tell where they are.
    fn much(log: &mut OutputLog) {
        for n in 0..100_000 {
            log.push(if n % 7 == 0 { Stream::Stderr } else { Stream::Stdout }, format!("{n:099}\n").as_bytes());
        }
    }

    #[test]
    fn memory_is_bounded_and_every_byte_is_read_by_cursor() {
        let mut log = log();
        much(&mut log);
        assert!(log.kept <= KEPT + SLACK && log.end() == 10_000_000);
        let (mut since, mut seen, mut pages) = (0, vec![false; 100_000], 0);
        while since < log.end() {
            let read = read(&log, &Selection { since, max_bytes: 48 * 1024, ..all() });
            assert_eq!((read.left_out, &read.note), (0, &None));
            for line in read.stdout.lines().chain(read.stderr.lines()) {
                assert!(!std::mem::replace(&mut seen[line.parse::<usize>().unwrap()], true), "{line} twice");
            }
            assert!(read.cursor.unwrap() > since);
            since = read.cursor.unwrap();
            pages += 1;
        }
        assert!(seen.iter().all(|seen| *seen) && pages > 200);
    }

    #[test]
    fn a_search_looks_through_all_of_it_and_the_last_lines_are_counted_from_its_start() {
        let mut log = log();
        much(&mut log);
        let search = regex::Regex::new("^0+(17|50000|99999)$").unwrap();
        let found = read(&log, &Selection { search: Some(search), ..all() });
        let numbers: Vec<u32> = found.stdout.lines().map(|line| line.parse().unwrap()).collect();
        assert_eq!(numbers, [17, 50_000, 99_999]);
        let last = read(&log, &Selection { tail: Some(1), ..all() });
        assert_eq!(last.left_out, log.end() - 100);
    }

    #[test]
    fn the_last_lines_are_shown_to_their_end_even_where_they_are_longer_than_an_answer() {
        let mut log = log();
        log.push(Stream::Stdout, b"first\n");
        log.push(Stream::Stdout, &[b"x".repeat(5_000_000), b"END\n".to_vec()].concat());
        log.push(Stream::Stdout, b"last\n");
        let read = read(&log, &Selection { tail: Some(2), max_bytes: 100, ..all() });
        assert!(read.stdout.ends_with("xEND\nlast\n"), "{}", read.stdout);
        assert_eq!((read.stdout.len(), read.cursor), (100, Some(log.end())));
        assert_eq!(read.left_out, log.end() - 100);
    }

    #[test]
    fn what_the_limit_loses_is_counted_and_said_once() {
        let mut log = OutputLog::new(1_000_000);
        much(&mut log);
        let trouble = log.untold_trouble().unwrap();
        assert!(trouble.contains("bytes of output were lost") && trouble.contains("--max-output"), "{trouble}");
        log.trouble_is_told();
        assert_eq!(log.untold_trouble(), None);
        let (mut since, mut bytes, mut lost) = (0, 0, 0);
        while since < log.end() {
            let read = read(&log, &Selection { since, ..all() });
            bytes += (read.stdout.len() + read.stderr.len()) as u64;
            if read.left_out > 0 {
                assert!(read.note.as_deref().is_some_and(|note| note.contains("lost")));
                lost = read.left_out;
            }
            since = read.cursor.unwrap();
        }
        assert!(lost > 0 && bytes + lost == log.end(), "{bytes} {lost}");
    }

    #[test]
    fn reading_goes_on_at_the_cursor_and_loses_nothing() {
        let mut log = log();
        for n in 0..50 {
            log.push(if n % 3 == 0 { Stream::Stderr } else { Stream::Stdout }, format!("line {n}\n").as_bytes());
        }
        let (mut since, mut seen) = (0, String::new());
        loop {
            let read = read(&log, &Selection { since, max_lines: Some(7), ..all() });
            if read.stdout.is_empty() && read.stderr.is_empty() {
                break;
            }
            seen.push_str(&read.stdout);
            seen.push_str(&read.stderr);
            since = read.cursor.unwrap();
        }
        assert_eq!(seen.lines().count(), 50);
    }
}
