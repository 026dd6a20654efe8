//! The program's output: byte-exact while it fits, bounded, with cursors.
//!
//! A cursor is a count of bytes over both streams since the start; the order between the streams is the order in which
//! we read them, which nobody can know better (measured.md 8).

use std::collections::VecDeque;

use super::report::OutputTail;

/// Bytes kept. A megabyte is a thousand screens; what is older is counted.
const KEPT: usize = 4 * 1024 * 1024;
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

#[derive(Debug)]
struct Chunk {
    at: u64,
    stream: Stream,
    bytes: Vec<u8>,
}

/// Which part of the log is wanted.
#[derive(Debug, Clone)]
pub struct Selection<'a> {
    pub stdout: bool,
    pub stderr: bool,
    pub since: u64,
    /// The first lines; `tail` the last.
    pub max_lines: Option<usize>,
    pub tail: Option<usize>,
    pub search: Option<&'a regex::Regex>,
    pub max_bytes: usize,
}

#[derive(Debug, Default)]
pub struct OutputLog {
    chunks: VecDeque<Chunk>,
    kept: usize,
    end: u64,
}

impl OutputLog {
    /// Bytes since the start.
    pub fn end(&self) -> u64 {
        self.end
    }

    /// The oldest byte that is still kept.
    pub fn oldest(&self) -> u64 {
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
            Some(last) if last.stream == stream && last.bytes.len() < 16 * 1024 => last.bytes.extend_from_slice(bytes),
            _ => self.chunks.push_back(Chunk { at, stream, bytes: bytes.to_vec() }),
        }
        self.kept += bytes.len();
        while self.kept > KEPT {
            let Some(oldest) = self.chunks.front_mut() else { break };
            let over = self.kept - KEPT;
            if oldest.bytes.len() <= over {
                self.kept -= oldest.bytes.len();
                self.chunks.pop_front();
            } else {
                oldest.bytes.drain(..over);
                oldest.at += over as u64;
                self.kept -= over;
            }
        }
    }

    /// What a report shows of the output since `since`: the last 10 lines or 600 bytes, whole lines.
    pub fn report(&self, since: u64) -> OutputTail {
        if self.end <= since {
            return OutputTail::default();
        }
        let from = since.max(self.oldest());
        let mut lines = self.lines(from);
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
        }
    }

    /// process_read_output: `cursor` is where to go on.
    pub fn read(&self, wanted: &Selection<'_>) -> OutputTail {
        let from = wanted.since.max(self.oldest());
        let mut lines: Vec<Line> = self
            .lines(from)
            .into_iter()
            .filter(|line| match line.stream {
                Stream::Stdout => wanted.stdout,
                Stream::Stderr => wanted.stderr,
            })
            .filter(|line| wanted.search.is_none_or(|search| search.is_match(&String::from_utf8_lossy(&line.bytes))))
            .collect();
        let mut left_out = from.saturating_sub(wanted.since);
        let mut cursor = self.end;
        if let Some(tail) = wanted.tail {
            let cut = lines.len().saturating_sub(tail);
            left_out += lines.drain(..cut).map(|line| line.bytes.len() as u64).sum::<u64>();
        }
        let limit = wanted.max_lines.unwrap_or(usize::MAX);
        let mut bytes = 0;
        let fits = lines
            .iter()
            .take(limit)
            .take_while(|line| {
                bytes += line.bytes.len();
                bytes <= wanted.max_bytes
            })
            .count();
        if fits < lines.len() {
            let first_out = lines.get(fits).map_or(self.end, |line| line.at);
            if fits == 0 {
                // a single line beyond the limit: a piece of it, the cursor within it
                if let Some(line) = lines.first_mut() {
                    line.bytes.truncate(wanted.max_bytes);
                    cursor = line.at + line.bytes.len() as u64;
                }
                lines.truncate(1);
            } else {
                lines.truncate(fits);
                cursor = first_out;
            }
        }
        OutputTail {
            stdout: text_of(&lines, Stream::Stdout),
            stderr: text_of(&lines, Stream::Stderr),
            left_out,
            cursor: Some(cursor),
        }
    }

    /// Whole lines of each stream in the order in which they began; the last of a stream may be without its end.
    fn lines(&self, from: u64) -> Vec<Line> {
        let mut done = Vec::new();
        let mut open: [Option<Line>; 2] = [None, None];
        for chunk in &self.chunks {
            let skip = usize::try_from(from.saturating_sub(chunk.at)).unwrap_or(usize::MAX);
            let mut at = chunk.at + skip.min(chunk.bytes.len()) as u64;
            let bytes = chunk.bytes.get(skip.min(chunk.bytes.len())..).unwrap_or(&[]);
            let [out, err] = &mut open;
            let slot = if chunk.stream == Stream::Stdout { out } else { err };
            for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
                let line = slot.get_or_insert_with(|| Line { at, stream: chunk.stream, bytes: Vec::new() });
                line.bytes.extend_from_slice(piece);
                at += piece.len() as u64;
                if piece.ends_with(b"\n") {
                    done.extend(slot.take());
                }
            }
        }
        done.extend(open.into_iter().flatten());
        done.sort_by_key(|line| line.at);
        done
    }
}

#[derive(Debug)]
struct Line {
    at: u64,
    stream: Stream,
    bytes: Vec<u8>,
}

fn text_of(lines: &[Line], stream: Stream) -> String {
    let bytes: Vec<u8> =
        lines.iter().filter(|line| line.stream == stream).flat_map(|line| line.bytes.iter().copied()).collect();
    without_colours(&String::from_utf8_lossy(&bytes)).replace("\r\n", "\n")
}

/// Without ANSI control sequences (`ESC [ … letter`, `ESC ] … BEL`).
fn without_colours(text: &str) -> String {
    if !text.contains('\u{1b}') {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match (c, chars.peek()) {
            ('\u{1b}', Some('[')) => {
                chars.next();
                for c in chars.by_ref() {
                    if ('\u{40}'..='\u{7e}').contains(&c) {
                        break;
                    }
                }
            }
            ('\u{1b}', Some(']')) => {
                for c in chars.by_ref() {
                    if c == '\u{7}' {
                        break;
                    }
                }
            }
            ('\u{1b}', Some('=' | '>')) => {
                chars.next();
            }
            _ => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> Selection<'static> {
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
        let mut log = OutputLog::default();
        log.push(Stream::Stdout, b"e=\xc3");
        log.push(Stream::Stderr, b"x\n");
        log.push(Stream::Stdout, b"\xa9\n");
        let read = log.read(&all());
        assert_eq!((read.stdout.as_str(), read.stderr.as_str(), read.cursor), ("e=é\n", "x\n", Some(7)));
    }

    #[test]
    fn a_report_shows_the_last_lines_and_tells_what_it_leaves_out() {
        let mut log = OutputLog::default();
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
    fn what_is_not_longer_than_a_note_of_it_is_shown() {
        let mut log = OutputLog::default();
        log.push(Stream::Stdout, b"a short line\n");
        log.push(Stream::Stdout, &[b"x".repeat(TAIL_BYTES - 3), b"\n".to_vec()].concat());
        assert_eq!((log.report(0).left_out, log.report(0).stdout.lines().count()), (0, 2));
        log.push(Stream::Stdout, b"and one more, so that more than a note would be missing\n");
        assert!(log.report(0).left_out > NOTE as u64);
        let mut log = OutputLog::default();
        log.push(Stream::Stdout, &vec![b'x'; TAIL_BYTES + NOTE]);
        assert_eq!(log.report(0).left_out, 0);
    }

    #[test]
    fn one_endless_line_is_cut_at_its_front() {
        let mut log = OutputLog::default();
        log.push(Stream::Stdout, &vec![b'a'; 10_000]);
        let tail = log.report(0);
        assert_eq!(tail.stdout.len(), TAIL_BYTES);
        assert_eq!(tail.left_out, 10_000 - TAIL_BYTES as u64);
    }

    #[test]
    fn memory_is_bounded_and_what_went_is_counted() {
        let mut log = OutputLog::default();
        for _ in 0..100 {
            log.push(Stream::Stdout, &vec![b'x'; 100_000]);
        }
        assert_eq!(log.end(), 10_000_000);
        assert_eq!(log.oldest(), 10_000_000 - KEPT as u64);
        assert_eq!(log.read(&Selection { tail: Some(1), ..all() }).left_out, 10_000_000 - KEPT as u64);
    }

    #[test]
    fn reading_goes_on_at_the_cursor_and_loses_nothing() {
        let mut log = OutputLog::default();
        for n in 0..50 {
            log.push(if n % 3 == 0 { Stream::Stderr } else { Stream::Stdout }, format!("line {n}\n").as_bytes());
        }
        let (mut since, mut seen) = (0, String::new());
        loop {
            let read = log.read(&Selection { since, max_lines: Some(7), ..all() });
            if read.stdout.is_empty() && read.stderr.is_empty() {
                break;
            }
            seen.push_str(&read.stdout);
            seen.push_str(&read.stderr);
            since = read.cursor.unwrap();
        }
        assert_eq!(seen.lines().count(), 50);
    }

    #[test]
    fn colours_are_removed() {
        assert_eq!(without_colours("\u{1b}[31mred\u{1b}[0m \u{1b}]0;title\u{7}x \u{1b}=y"), "red x y");
    }
}
