//! Asks an adapter for its version: `--version`, once per file, in bounded time.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use tokio::io::{AsyncRead, AsyncReadExt};

use super::problem::Problem;
use crate::process::{CommandSpec, ProcessError, StdinMode, spawn_program_plain};

/// Known adapters answer in 2 ms; one of a busy CI machine took over 3 s.
const PATIENCE: Duration = Duration::from_secs(15);

/// Answers by file and its time, so that a replaced adapter is asked again.
type Answers = HashMap<(PathBuf, Option<SystemTime>), Result<Option<String>, Problem>>;
static ANSWERS: LazyLock<Mutex<Answers>> = LazyLock::new(Mutex::default);

/// `Ok(None)`: it ran and printed no version. `Err`: why it cannot be run, in its own words where it has some.
pub(super) async fn ask(program: &Path) -> Result<Option<String>, Problem> {
    let time = std::fs::metadata(program).and_then(|data| data.modified()).ok();
    let key = (program.to_owned(), time);
    if let Some(known) = ANSWERS.lock().unwrap_or_else(PoisonError::into_inner).get(&key) {
        return known.clone();
    }
    let Ok(answer) = tokio::time::timeout(PATIENCE, run_to_its_end(program)).await else {
        // not kept: it says as much about the moment as about the adapter
        return Err(format!("did not answer --version within {} s", PATIENCE.as_secs()).into());
    };
    let answer = answer.map(|text| parse(&text));
    ANSWERS.lock().unwrap_or_else(PoisonError::into_inner).insert(key, answer.clone());
    answer
}

/// Dropping it kills the adapter.
async fn run_to_its_end(program: &Path) -> Result<String, Problem> {
    let spec = CommandSpec { program: program.into(), args: vec!["--version".into()], ..CommandSpec::default() };
    let mut child = spawn_program_plain(&spec, StdinMode::Closed).await.map_err(|error| match error {
        ProcessError::Spawn { source, .. } => format!("cannot be started: {source}"),
        other => other.to_string(),
    })?;
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    let (status, stdout, stderr) = tokio::join!(child.exited(), start_of(stdout), start_of(stderr));
    if status.success() {
        return Ok(stdout);
    }
    if let Some(machine) = foreign_machine(program) {
        return Err(Problem::ForeignProcessor(machine));
    }
    // The loader's words: a library or a glibc that is missing.
    let words = stderr.lines().chain(stdout.lines()).find(|line| !line.trim().is_empty()).unwrap_or_default();
    Err(format!("failed to run ({status}): {}", words.trim()).into())
}

/// The processor that an ELF file is for, where that is not ours. The kernel refuses such a file, and `execvp` then hands it to a
/// shell, whose words say nothing.
fn foreign_machine(program: &Path) -> Option<&'static str> {
    let mut header = [0u8; 20];
    std::io::Read::read_exact(&mut std::fs::File::open(program).ok()?, &mut header).ok()?;
    let [0x7f, b'E', b'L', b'F', .., low, high] = header else { return None };
    // e_machine: https://refspecs.linuxfoundation.org/elf/gabi4+/ch4.eheader.html, little-endian on all that .NET runs on but s390x
    let machine = match u16::from_le_bytes([low, high]) {
        3 => "x86",
        40 => "arm",
        62 => "x86_64",
        183 => "aarch64",
        243 => "riscv64",
        258 => "loongarch64",
        _ => "another processor",
    };
    (machine != std::env::consts::ARCH).then_some(machine)
}

async fn start_of(stream: Option<impl AsyncRead + Unpin>) -> String {
    let mut bytes = Vec::new();
    if let Some(mut stream) = stream {
        // What cannot be read is not reported; the exit status decides.
        let _ = (&mut stream).take(4096).read_to_end(&mut bytes).await;
        let _ = tokio::io::copy(&mut stream, &mut tokio::io::sink()).await;
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The first word that begins like a version: `NET Core debugger 3.1.2-1 (83214c3, Release)`, `DNCDbg version 1.1.0`.
fn parse(text: &str) -> Option<String> {
    let like_version = |word: &&str| word.starts_with(|c: char| c.is_ascii_digit()) && word.contains('.');
    text.split_whitespace().find(like_version).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_for_another_processor_is_known_by_its_header() {
        let file = |machine: u16| {
            let mut header = *b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0\0\0";
            header[18..].copy_from_slice(&machine.to_le_bytes());
            let file = tempfile::NamedTempFile::new().unwrap();
            std::fs::write(file.path(), header).unwrap();
            file
        };
        let ours = if cfg!(target_arch = "x86_64") { 62 } else { 183 };
        let theirs = 62 + 183 - ours;
        assert_eq!(foreign_machine(file(ours).path()), None);
        assert!(foreign_machine(file(theirs).path()).is_some_and(|name| name != std::env::consts::ARCH));
        assert_eq!(foreign_machine(Path::new("/bin/sh")), None);
        assert_eq!(foreign_machine(Path::new("/nowhere")), None);
    }

    #[test]
    fn versions_are_read_from_what_adapters_print() {
        let cases = [
            ("NET Core debugger 3.1.2-1 (83214c3, Release)\n\nCopyright (c) 2020", Some("3.1.2-1")),
            ("NET Core debugger 3.2.0-1092 (9744e1f, Release)", Some("3.2.0-1092")),
            ("DNCDbg version 1.1.0\n", Some("1.1.0")),
            ("no version at all 7", None),
            ("", None),
        ];
        for (text, expected) in cases {
            assert_eq!(parse(text).as_deref(), expected, "{text}");
        }
    }
}
