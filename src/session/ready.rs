//! The output line by which a server shows that it is ready: `Now listening on: URL`, or a pattern of the caller's.

use regex::Regex;

use super::error::SessionError;
use super::output_log::Stream;

/// What ASP.NET Core prints once for each URL.
const LISTENING: &str = r"Now listening on: (https?://\S+)";
/// Bytes of a line that are looked at.
const LINE: usize = 16 * 1024;

/// Looks at whole lines only: a sign may come in pieces.
#[derive(Debug, Default)]
pub(crate) struct ReadySign {
    pattern: Option<Regex>,
    /// The caller's own sign may be a prompt, which has no line end; a URL may be cut where it is.
    prompts: bool,
    stdout: Vec<u8>,
    stderr: Vec<u8>,
}

impl ReadySign {
    /// `None` = the usual sign, `Some("")` = none is looked for.
    ///
    /// # Errors
    /// `invalid_pattern`.
    pub(crate) fn new(pattern: Option<&str>) -> Result<Self, SessionError> {
        let pattern_is_own = pattern.is_some();
        let pattern = match pattern {
            Some("") => None,
            given => {
                let given = Regex::new(given.unwrap_or(LISTENING));
                Some(given.map_err(|error| SessionError::pattern("ready_when", &error))?)
            }
        };
        Ok(Self { prompts: pattern_is_own, pattern, ..Self::default() })
    }

    /// The sign, where a line that these bytes complete has it: its first group, else all that matched.
    pub(crate) fn look(&mut self, stream: Stream, bytes: &[u8]) -> Option<String> {
        let pattern = self.pattern.as_ref()?;
        let open = match stream {
            Stream::Stdout => &mut self.stdout,
            Stream::Stderr => &mut self.stderr,
        };
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            let room = LINE.saturating_sub(open.len());
            open.extend_from_slice(piece.get(..piece.len().min(room)).unwrap_or(piece));
            let ended = piece.ends_with(b"\n");
            if !ended && !self.prompts {
                continue;
            }
            let line = String::from_utf8_lossy(open);
            let found = pattern
                .captures(line.trim_end_matches(['\r', '\n']))
                .and_then(|found| found.get(1).or_else(|| found.get(0)).map(|found| found.as_str().to_owned()));
            if ended {
                open.clear();
            }
            if found.is_some() {
                return found;
            }
        }
        None
    }
}

/// What the program said when it was ready, and whether its clients know.
#[derive(Debug, Default)]
pub(crate) struct Readiness {
    sign: ReadySign,
    said: Option<String>,
    is_reported: bool,
}

impl Readiness {
    pub(crate) fn of(sign: ReadySign) -> Self {
        Self { sign, ..Self::default() }
    }

    /// The program wrote something: the first sign counts.
    pub(crate) fn hear(&mut self, stream: Stream, bytes: &[u8]) {
        if self.said.is_none() {
            self.said = self.sign.look(stream, bytes);
        }
    }

    /// The sign, until it is reported.
    pub(crate) fn unreported(&self) -> Option<&str> {
        self.said.as_deref().filter(|_| !self.is_reported)
    }

    /// A report said so, if there was one.
    pub(crate) fn mark_reported(&mut self) {
        self.is_reported = self.said.is_some();
    }

    /// That report did not arrive.
    pub(crate) fn take_back(&mut self) {
        self.is_reported = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::error::Code;

    #[test]
    fn a_sign_in_two_pieces_is_found_whole() {
        let mut sign = ReadySign::new(None).unwrap();
        assert_eq!(sign.look(Stream::Stdout, b"info: x\n      Now listening on: http://127.0."), None);
        assert_eq!(sign.look(Stream::Stderr, b"noise\n"), None);
        assert_eq!(sign.look(Stream::Stdout, b"0.1:5000\nmore").as_deref(), Some("http://127.0.0.1:5000"));
    }

    #[test]
    fn a_pattern_of_the_callers_means_a_line_of_either_stream() {
        let mut sign = ReadySign::new(Some("^ready$")).unwrap();
        assert_eq!(sign.look(Stream::Stdout, b"not ready\n"), None);
        assert_eq!(sign.look(Stream::Stderr, b"ready\r\n").as_deref(), Some("ready"));
        let mut prompt = ReadySign::new(Some("name\\? ")).unwrap();
        assert_eq!(prompt.look(Stream::Stdout, b"name? ").as_deref(), Some("name? "));
        assert_eq!(ReadySign::new(Some("")).unwrap().look(Stream::Stdout, b"Now listening on: http://x\n"), None);
        assert_eq!(ReadySign::new(Some("(")).unwrap_err().code, Code::InvalidPattern);
    }

    #[test]
    fn an_endless_line_is_bounded() {
        let mut sign = ReadySign::new(None).unwrap();
        for _ in 0..100 {
            assert_eq!(sign.look(Stream::Stdout, &[b'a'; 10_000]), None);
        }
        assert!(sign.stdout.len() <= LINE);
    }
}
