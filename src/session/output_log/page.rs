//! The lines of one answer, all of one run: from a position on, or the last ones.

use std::collections::VecDeque;

use super::lines::Line;
use super::runs::Runs;
use super::{Selection, Stream};

/// Lines that fit a selection, as many as one answer takes.
pub(super) struct Page<'a> {
    wanted: &'a Selection,
    runs: &'a Runs,
    lines: VecDeque<Line>,
    size: usize,
    /// Bytes of lines before the last that `tail` asks for.
    cut: u64,
}

impl<'a> Page<'a> {
    pub(super) fn of(wanted: &'a Selection, runs: &'a Runs) -> Self {
        Self { wanted, runs, lines: VecDeque::new(), size: 0, cut: 0 }
    }

    /// Whether more can be taken.
    pub(super) fn add(&mut self, lines: Vec<Line>) -> bool {
        let wanted = self.wanted;
        for line in lines {
            let is_of_stream = match line.stream {
                Stream::Stdout => wanted.stdout,
                Stream::Stderr => wanted.stderr,
            };
            let fits = wanted.search.as_ref().is_none_or(|it| it.is_match(line.text().trim_end_matches(['\r', '\n'])));
            if !is_of_stream || !fits {
                continue;
            }
            let run = self.runs.of(line.at);
            self.size += line.size();
            self.lines.push_back(line);
            let Some(tail) = wanted.tail else { continue };
            let is_out = |first: &Line, lines: usize| lines > tail || self.runs.of(first.at) != run;
            while self.lines.front().is_some_and(|first| is_out(first, self.lines.len()))
                && let Some(first) = self.lines.pop_front()
            {
                self.size -= first.size();
                self.cut += first.bytes.len() as u64;
            }
        }
        // One more than is shown says where to continue.
        wanted.tail.is_some()
            || self.size <= wanted.max_size && self.lines.len() <= wanted.max_lines.unwrap_or(usize::MAX)
    }

    /// The end of the last lines, whole or in part.
    fn fit_end(self, end: u64) -> (Vec<Line>, u64, u64) {
        let mut lines: Vec<Line> = self.lines.into();
        lines.sort_by_key(|line| line.at);
        let mut room = self.wanted.max_size;
        let mut cut = self.cut;
        let mut shown = Vec::new();
        for mut line in lines.into_iter().rev() {
            let over = line.bytes.len() - line.end_within(room);
            line.bytes.drain(..over);
            cut += over as u64;
            room -= line.size().min(room);
            if !line.bytes.is_empty() {
                shown.push(line);
            }
            if over > 0 {
                // nothing stands before a line that is not whole
                room = 0;
            }
        }
        shown.reverse();
        (shown, end, cut)
    }

    /// What is shown, where to go on, and how many bytes before it are not shown.
    pub(super) fn fit(self, end: u64) -> (Vec<Line>, u64, u64) {
        if self.wanted.tail.is_some() { self.fit_end(end) } else { self.fit_start(end) }
    }

    fn fit_start(self, end: u64) -> (Vec<Line>, u64, u64) {
        let wanted = self.wanted;
        let mut lines: Vec<Line> = self.lines.into();
        lines.sort_by_key(|line| line.at);
        let mut size = 0;
        let run = lines.first().map(|line| self.runs.of(line.at));
        let fits = lines
            .iter()
            .take_while(|line| Some(self.runs.of(line.at)) == run)
            .take(wanted.max_lines.unwrap_or(usize::MAX))
            .take_while(|line| {
                size += line.size();
                size <= wanted.max_size
            })
            .count();
        let Some(first_out) = lines.get(fits).map(|line| line.at) else { return (lines, end, 0) };
        if fits > 0 {
            lines.truncate(fits);
            return (lines, first_out, 0);
        }
        // a single line beyond the limit: a piece of it, the cursor within it
        lines.truncate(1);
        let cursor = lines.first_mut().map_or(end, |line| {
            line.bytes.truncate(line.start_within(wanted.max_size));
            line.at + line.bytes.len() as u64
        });
        (lines, cursor, 0)
    }
}
