//! What `/proc` reports about one process. Reads only; every answer may be out of date when it arrives.

use std::ffi::OsString;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

/// One process by its folder in `/proc`.
#[derive(Debug, Clone)]
pub(crate) struct Proc {
    pub pid: u32,
    folder: PathBuf,
}

/// The parts of `/proc/<pid>/stat` and `status` that an attach depends on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Status {
    pub comm: String,
    /// `R S D Z T t X I`.
    pub state: char,
    pub parent: u32,
    /// Field 22 of `stat`, in clock ticks since boot: part of the names of the runtime's pipes and sockets.
    pub start_time: u64,
    /// The process when `pid` is one of its threads.
    pub thread_group: u32,
    pub tracer: u32,
    /// Real user id.
    pub uid: u32,
    /// The number that it has for itself, when that differs (another pid namespace).
    pub inner_pid: Option<u32>,
}

impl Proc {
    pub(crate) fn new(pid: u32) -> Self {
        Self { pid, folder: PathBuf::from(format!("/proc/{pid}")) }
    }

    /// All processes that can be seen.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
        entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).map(Self::new)
    }

    pub(crate) fn status(&self) -> io::Result<Status> {
        let stat = std::fs::read(self.folder.join("stat"))?;
        let status = std::fs::read(self.folder.join("status"))?;
        parse_status(&String::from_utf8_lossy(&stat), &String::from_utf8_lossy(&status)).ok_or_else(|| {
            io::Error::new(io::ErrorKind::InvalidData, format!("{}: unknown form", self.folder.display()))
        })
    }

    pub(crate) fn arguments(&self) -> Vec<String> {
        let bytes = std::fs::read(self.folder.join("cmdline")).unwrap_or_default();
        let bytes = bytes.strip_suffix(b"\0").unwrap_or(&bytes);
        if bytes.is_empty() {
            return vec![];
        }
        bytes.split(|&byte| byte == 0).map(|arg| String::from_utf8_lossy(arg).into_owned()).collect()
    }

    /// A variable as it was when the process started. An empty value counts as absent.
    pub(crate) fn variable(&self, name: &str) -> io::Result<Option<String>> {
        let bytes = std::fs::read(self.folder.join("environ"))?;
        let prefix = format!("{name}=");
        let found = bytes.split(|&byte| byte == 0).find_map(|entry| entry.strip_prefix(prefix.as_bytes()));
        Ok(found.filter(|value| !value.is_empty()).map(|value| String::from_utf8_lossy(value).into_owned()))
    }

    /// Whether one of its threads has this name.
    pub(crate) fn has_thread(&self, name: &str) -> bool {
        let threads = std::fs::read_dir(self.folder.join("task")).into_iter().flatten().flatten();
        threads
            .filter_map(|thread| std::fs::read_to_string(thread.path().join("comm")).ok())
            .any(|comm| comm.trim_end() == name)
    }

    pub(crate) fn cwd(&self) -> Option<PathBuf> {
        std::fs::read_link(self.folder.join("cwd")).ok()
    }

    pub(crate) fn executable(&self) -> Option<PathBuf> {
        std::fs::read_link(self.folder.join("exe")).ok()
    }

    /// A path as the process itself sees it.
    pub(crate) fn inside(&self, path: &Path) -> PathBuf {
        self.folder.join("root").join(path.strip_prefix("/").unwrap_or(path))
    }

    /// Whether a file of that name is mapped into it.
    pub(crate) fn maps(&self, name: &str) -> io::Result<bool> {
        Ok(self.mapped(name)?.is_some())
    }

    /// The path of the first file of that name that is mapped into it, as the process sees it.
    pub(crate) fn mapped(&self, name: &str) -> io::Result<Option<PathBuf>> {
        let mut reader = BufReader::new(std::fs::File::open(self.folder.join("maps"))?);
        let mut line = Vec::new();
        let wanted = name.as_bytes();
        while reader.read_until(b'\n', &mut line)? > 0 {
            let path = line.strip_suffix(b"\n").unwrap_or(&line);
            let path = path.strip_suffix(b" (deleted)").unwrap_or(path);
            if path.rsplit(|&byte| byte == b'/').next() == Some(wanted) {
                let path: Vec<u8> = path.iter().copied().skip_while(|&byte| byte != b'/').collect();
                return Ok(Some(String::from_utf8_lossy(&path).into_owned().into()));
            }
            line.clear();
        }
        Ok(None)
    }

    /// Whether it has one of `paths` open; a file that was removed since does not count.
    pub(crate) fn has_open(&self, paths: &[PathBuf]) -> bool {
        let entries = std::fs::read_dir(self.folder.join("fd")).into_iter().flatten().flatten();
        entries.filter_map(|entry| std::fs::read_link(entry.path()).ok()).any(|target| paths.contains(&target))
    }
}

fn parse_status(stat: &str, status: &str) -> Option<Status> {
    // The name may hold blanks and brackets: the last bracket ends it.
    let (comm, rest) = stat.split_once('(')?.1.rsplit_once(')')?;
    let mut fields = rest.split_whitespace();
    let state = fields.next()?.chars().next()?;
    let parent = fields.next()?.parse().ok()?;
    // Field 22, of which 3 and 4 are read.
    let start_time = fields.nth(17)?.parse().ok()?;
    let line = |name: &str| status.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':')).map(str::trim);
    let number = |name: &str| line(name)?.split_whitespace().next()?.parse::<u32>().ok();
    let inner: Vec<u32> =
        line("NSpid").unwrap_or_default().split_whitespace().filter_map(|pid| pid.parse().ok()).collect();
    Some(Status {
        comm: comm.into(),
        state,
        parent,
        start_time,
        thread_group: number("Tgid")?,
        tracer: number("TracerPid").unwrap_or(0),
        uid: number("Uid")?,
        inner_pid: inner.get(1..).and_then(<[u32]>::last).copied(),
    })
}

/// Whether a C# compiler server of the .NET in `root` runs for us.
pub(crate) fn compiler_server_runs(root: &Path) -> bool {
    let ours = Proc::new(std::process::id()).status().map(|status| status.uid);
    let is_server = |process: &Proc| {
        process.arguments().iter().take(2).any(|argument| {
            let path = Path::new(argument);
            path.starts_with(root) && path.file_stem().is_some_and(|name| name == "VBCSCompiler")
        })
    };
    Proc::all().any(|process| {
        is_server(&process) && process.status().map(|status| status.uid).ok() == ours.as_ref().ok().copied()
    })
}

/// The name of a user, else `uid N`.
pub(crate) fn user_name(uid: u32) -> String {
    let passwd = std::fs::read_to_string("/etc/passwd").unwrap_or_default();
    let entry = passwd.lines().find(|line| line.split(':').nth(2) == Some(&uid.to_string()));
    entry.and_then(|line| line.split(':').next()).map_or_else(|| format!("uid {uid}"), str::to_owned)
}

/// The managed entry assembly of a command line, as far as it can be seen from outside; may not exist.
pub(crate) fn entry_assembly(process: &Proc) -> Option<PathBuf> {
    let executable = process.executable()?;
    let name = executable.file_name()?.to_str()?;
    if name != "dotnet" {
        // An apphost starts the dll of its name.
        return Some(executable.with_file_name(format!("{name}.dll")));
    }
    let dll = dll_argument(&process.arguments())?;
    Some(process.cwd()?.join(dll))
}

/// The dll in `dotnet [exec] [host options] X.dll ..`.
fn dll_argument(arguments: &[String]) -> Option<String> {
    const WITH_VALUE: &[&str] = &[
        "--runtimeconfig",
        "--depsfile",
        "--additionalprobingpath",
        "--additional-deps",
        "--fx-version",
        "--roll-forward",
        "--roll-forward-on-no-candidate-fx",
    ];
    let mut arguments = arguments.iter().skip(1).skip_while(|argument| *argument == "exec");
    while let Some(argument) = arguments.next() {
        if WITH_VALUE.contains(&argument.as_str()) {
            arguments.next();
        } else if !argument.starts_with('-') {
            // Anything but a dll is a command of the SDK (`dotnet run`).
            let managed = [".dll", ".exe"].iter().any(|end| argument.to_ascii_lowercase().ends_with(end));
            return managed.then(|| argument.clone());
        }
    }
    None
}

/// The folder of the runtime's pipes and sockets for a `TMPDIR` value.
pub(crate) fn temporary_folder(value: Option<OsString>) -> PathBuf {
    let path = value.map_or_else(|| PathBuf::from("/tmp"), PathBuf::from);
    // Without the separator at its end, so that two spellings compare equal.
    path.components().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_brackets_and_blanks_are_read() {
        let stat = "4711 (a) b (c) S 12 4711 1 0 -1 4194304 1 0 0 0 2 0 0 0 20 0 10 0 198420 538 64";
        let status = "Name:\ta\nTgid:\t4711\nTracerPid:\t7\nUid:\t1000\t1000\nNSpid:\t4711\t9\n";
        let read = parse_status(stat, status).unwrap();
        let expected = Status {
            comm: "a) b (c".into(),
            state: 'S',
            parent: 12,
            start_time: 198_420,
            thread_group: 4711,
            tracer: 7,
            uid: 1000,
            inner_pid: Some(9),
        };
        assert_eq!(read, expected);
        for (stat, status) in [("", ""), ("1 (x", status), ("1 (x) S", status), (stat, "")] {
            assert_eq!(parse_status(stat, status), None);
        }
    }

    #[test]
    fn the_dll_of_a_command_line_is_found_behind_host_options() {
        let cases = [
            ("dotnet app.dll one two.dll", Some("app.dll")),
            ("dotnet exec --runtimeconfig a.json --depsfile b.json /x/testhost.dll --port 1", Some("/x/testhost.dll")),
            ("dotnet run --project app.dll", None),
            ("dotnet build x.csproj", None),
            ("dotnet", None),
            ("dotnet --roll-forward", None),
            ("/usr/bin/dotnet --roll-forward Major APP.DLL", Some("APP.DLL")),
        ];
        for (line, expected) in cases {
            let arguments: Vec<String> = line.split(' ').map(str::to_owned).collect();
            assert_eq!(dll_argument(&arguments).as_deref(), expected, "{line}");
        }
    }

    #[test]
    fn spellings_of_a_temporary_folder_compare_equal() {
        assert_eq!(temporary_folder(Some("/tmp/".into())), temporary_folder(None));
        assert_ne!(temporary_folder(Some("/tmp/x".into())), temporary_folder(None));
    }
}
