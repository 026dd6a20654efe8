//! Asks an adapter for its version: `--version`, once per file, in bounded time.

use std::collections::HashMap;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc::RecvTimeoutError;
use std::sync::{LazyLock, Mutex, PoisonError, mpsc};
use std::time::{Duration, SystemTime};

/// Known adapters answer in 2 ms.
const PATIENCE: Duration = Duration::from_secs(3);

/// Answers by file and its time, so that a replaced adapter is asked again.
type Answers = HashMap<(PathBuf, Option<SystemTime>), Result<Option<String>, String>>;
static ANSWERS: LazyLock<Mutex<Answers>> = LazyLock::new(Mutex::default);

/// `Ok(None)`: it ran and told no version. `Err`: why it cannot be run, in its own words where it has some.
pub(super) fn ask(program: &Path) -> Result<Option<String>, String> {
    let time = std::fs::metadata(program)
        .and_then(|data| data.modified())
        .ok();
    let key = (program.to_owned(), time);
    if let Some(known) = ANSWERS
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .get(&key)
    {
        return known.clone();
    }
    let answer = run(program).map(|text| parse(&text));
    ANSWERS
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .insert(key, answer.clone());
    answer
}

fn run(program: &Path) -> Result<String, String> {
    let mut command = Command::new(program);
    command
        .arg("--version")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command
        .spawn()
        .map_err(|error| format!("cannot be started: {error}"))?;
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    let (tx, rx) = mpsc::channel();
    // Reads may block for ever; the thread ends when the pipes do, at the latest with the kill below.
    std::thread::spawn(move || {
        let _ = tx.send((start_of(stdout), start_of(stderr)));
    });
    let texts = rx.recv_timeout(PATIENCE);
    if texts.is_err() {
        let _ = child.kill();
    }
    let status = child
        .wait()
        .map_err(|error| format!("cannot be waited for: {error}"))?;
    let (stdout, stderr) = texts.map_err(|error| match error {
        RecvTimeoutError::Timeout => {
            format!("does not answer --version within {} s", PATIENCE.as_secs())
        }
        RecvTimeoutError::Disconnected => "gave no answer to --version".into(),
    })?;
    if status.success() {
        return Ok(stdout);
    }
    // The loader's words: a library or a glibc that is missing.
    let words = stderr
        .lines()
        .chain(stdout.lines())
        .find(|line| !line.trim().is_empty())
        .unwrap_or_default();
    Err(format!("does not run ({status}): {}", words.trim()))
}

fn start_of(stream: Option<impl Read>) -> String {
    let mut bytes = Vec::new();
    if let Some(stream) = stream {
        let _ = stream.take(4096).read_to_end(&mut bytes);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The first word that begins like a version: `NET Core debugger 3.1.2-1 (83214c3, Release)`, `DNCDbg version 1.1.0`.
fn parse(text: &str) -> Option<String> {
    let like_version =
        |word: &&str| word.starts_with(|c: char| c.is_ascii_digit()) && word.contains('.');
    text.split_whitespace()
        .find(like_version)
        .map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_from_what_adapters_print() {
        let cases = [
            (
                "NET Core debugger 3.1.2-1 (83214c3, Release)\n\nCopyright (c) 2020",
                Some("3.1.2-1"),
            ),
            (
                "NET Core debugger 3.2.0-1092 (9744e1f, Release)",
                Some("3.2.0-1092"),
            ),
            ("DNCDbg version 1.1.0\n", Some("1.1.0")),
            ("no version at all 7", None),
            ("", None),
        ];
        for (text, expected) in cases {
            assert_eq!(parse(text).as_deref(), expected, "{text}");
        }
    }
}
