//! A child's stderr: always read, so that the child never blocks on it, and its end kept for the error report.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use tokio::{
    io::{AsyncRead, AsyncReadExt},
    sync::watch,
};

/// Bytes kept: they are reported in errors, and an agent pays for each.
const KEPT: usize = 2 * 1024;

/// Drains a reader to its end and keeps the last 2 KiB.
///
/// Dropping it does not stop the draining: a closed pipe would kill the writer with SIGPIPE in the middle of its clean-up.
#[derive(Debug, Clone)]
pub struct StderrTail {
    kept: Arc<Mutex<Tail>>,
    at_end: watch::Receiver<bool>,
}

impl StderrTail {
    /// Must be called inside a runtime. `seen` gets every chunk first (a recording) and must be quick.
    pub fn spawn_with(
        mut reader: impl AsyncRead + Send + Unpin + 'static,
        mut seen: impl FnMut(&[u8]) + Send + 'static,
    ) -> Self {
        let kept = Arc::new(Mutex::new(Tail::default()));
        let (end, at_end) = watch::channel(false);
        let keep = Arc::clone(&kept);
        tokio::spawn(async move {
            let mut buffer = vec![0; KEPT];
            // A read error is an end like any other: there is no more to come.
            while let Ok(length @ 1..) = reader.read(&mut buffer).await {
                let Some(chunk) = buffer.get(..length) else {
                    break;
                };
                seen(chunk);
                keep.lock().unwrap_or_else(PoisonError::into_inner).push(chunk);
            }
            end.send_replace(true);
        });
        Self { kept, at_end }
    }

    /// What is kept so far, in whole lines if anything was dropped; bytes that are no UTF-8, or no text, are replaced.
    pub fn tail(&self) -> String {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).text()
    }

    /// Waits until the writer is done, `limit` at most: a grandchild may hold the pipe. Call it before [`Self::tail`] when
    /// the child has just died.
    pub async fn drained(&self, limit: Duration) {
        let mut at_end = self.at_end.clone();
        drop(tokio::time::timeout(limit, at_end.wait_for(|end| *end)).await);
    }
}

#[derive(Debug, Default)]
struct Tail {
    bytes: Vec<u8>,
    is_cut: bool,
}

impl Tail {
    fn push(&mut self, chunk: &[u8]) {
        self.bytes.extend_from_slice(chunk);
        let excess = self.bytes.len().saturating_sub(KEPT);
        if excess > 0 {
            self.bytes.drain(..excess);
            self.is_cut = true;
        }
    }

    fn text(&self) -> String {
        let first_whole_line = match self.bytes.iter().position(|byte| *byte == b'\n') {
            Some(newline) if self.is_cut => newline + 1,
            _ => 0,
        };
        let text = String::from_utf8_lossy(self.bytes.get(first_whole_line..).unwrap_or_default());
        // JSON spells a control character with six
        let is_text = |c: char| !c.is_control() || matches!(c, '\n' | '\r' | '\t');
        text.chars().map(|c| if is_text(c) { c } else { char::REPLACEMENT_CHARACTER }).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tail_of(chunks: &[&[u8]]) -> String {
        let mut tail = Tail::default();
        chunks.iter().for_each(|chunk| tail.push(chunk));
        tail.text()
    }

    #[test]
    fn little_is_kept_whole() {
        assert_eq!(tail_of(&[]), "");
        assert_eq!(tail_of(&[b"no ", b"newline"]), "no newline");
        assert_eq!(tail_of(&[b"a\nb\n"]), "a\nb\n");
    }

    #[test]
    fn much_is_cut_to_its_last_whole_lines() {
        let lines: String = (0..5000).map(|n| format!("line {n}\n")).collect();
        let tail = tail_of(&[lines.as_bytes()]);
        assert!(tail.len() <= KEPT && tail.len() > KEPT - 20);
        assert!(tail.starts_with("line ") && tail.ends_with("line 4999\n"));
        assert!(lines.ends_with(&tail));
    }

    #[test]
    fn one_endless_line_is_kept_by_its_end() {
        assert_eq!(tail_of(&[&[b'x'; 3 * KEPT], b"end"]).len(), KEPT);
    }

    #[test]
    fn bytes_that_are_no_text_are_replaced() {
        assert_eq!(tail_of(&[b"a\xffb\xc3", b"\xa4"]), "a\u{fffd}b\u{e4}");
        assert_eq!(tail_of(&[b"a\0\x1b[1mb\tc\r\n"]), "a\u{fffd}\u{fffd}[1mb\tc\r\n");
    }
}
