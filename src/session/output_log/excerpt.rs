//! A part of the output, read from file and memory as text.

use super::lines::{Line, Lines};
use super::page::Page;
use super::runs::Runs;
use super::spill::Spilled;
use super::{Chunk, Selection, Stream};
use crate::session::report::OutputTail;

/// The output from some place on, to be read wherever there is time.
#[derive(Debug)]
pub struct Excerpt {
    pub(super) spilled: Option<Spilled>,
    pub(super) chunks: Vec<Chunk>,
    /// Where `chunks` begin.
    pub(super) memory: u64,
    pub(super) end: u64,
    pub(super) runs: Runs,
    pub(super) trouble: Option<String>,
}

impl Excerpt {
    /// process_read_output: `cursor` is where to go on.
    ///
    /// # Errors
    /// The file of what is not in memory cannot be read.
    pub fn read(&self, wanted: &Selection) -> std::io::Result<OutputTail> {
        let since = wanted.since.min(self.end);
        let in_file = self.spilled.as_ref().map_or(0, Spilled::end);
        // What is neither in the file nor in memory is lost.
        let gap = if since < in_file { self.memory - in_file } else { self.memory.saturating_sub(since) };
        let mut page = Page::of(wanted, &self.runs);
        let mut lines = Lines::default();
        let mut room = true;
        if let Some(spilled) = &self.spilled {
            spilled.each(since, |chunk| {
                room = self.take(&chunk, since, &mut lines, &mut page);
                room
            })?;
        }
        let lost = if room { gap } else { 0 };
        if lost > 0 {
            // Lines do not go on over what is missing.
            room = page.add(std::mem::take(&mut lines).finish());
        }
        for chunk in &self.chunks {
            if !room {
                break;
            }
            room = self.take(chunk, since, &mut lines, &mut page);
        }
        page.add(lines.finish());
        let (lines, cursor, cut) = page.fit(self.end);
        let run = self.runs.of(lines.first().map_or(since, |line| line.at));
        let next = self.runs.of(cursor);
        let goes_on =
            (next != run && cursor < self.end).then(|| format!("the output of run {next} begins at the cursor"));
        let omitted_bytes = lost + cut;
        // Said to whom it concerns.
        let trouble = self.trouble.clone().filter(|_| omitted_bytes > 0 && since < self.memory);
        let notes: Vec<String> = trouble.into_iter().chain(goes_on).collect();
        Ok(OutputTail {
            stdout: text_of(&lines, Stream::Stdout),
            stderr: text_of(&lines, Stream::Stderr),
            omitted_bytes,
            cursor: Some(cursor),
            run: self.runs.are_several().then_some(run),
            note: (!notes.is_empty()).then(|| notes.join("; ")),
        })
    }

    /// Whether there is room for more. A line that a run did not end does not go on in the next.
    fn take(&self, chunk: &Chunk, since: u64, lines: &mut Lines, page: &mut Page<'_>) -> bool {
        if self.runs.begins_at(chunk.at) && !page.add(std::mem::take(lines).finish()) {
            return false;
        }
        lines.take(chunk, since);
        page.add(lines.whole())
    }
}

pub(super) fn text_of(lines: &[Line], stream: Stream) -> String {
    let bytes: Vec<u8> =
        lines.iter().filter(|line| line.stream == stream).flat_map(|line| line.bytes.iter().copied()).collect();
    without_colors(&String::from_utf8_lossy(&bytes)).replace("\r\n", "\n")
}

/// Without ANSI control sequences (`ESC [ … letter`, `ESC ] … BEL`).
fn without_colors(text: &str) -> String {
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

    #[test]
    fn colors_are_removed() {
        assert_eq!(without_colors("\u{1b}[31mred\u{1b}[0m \u{1b}]0;title\u{7}x \u{1b}=y"), "red x y");
    }
}
