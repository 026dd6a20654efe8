//! What cannot be attached to is refused before an adapter is asked.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use clrbridge::dotnet::DotnetError;
use clrbridge::dotnet::attach::{Target, take};
use clrbridge::process::start_time;

use crate::witness::until;

async fn check(pid: u32, tmpdir: &Path) -> Result<Target, DotnetError> {
    take(pid, tmpdir).await.map(|(target, _)| target)
}

#[tokio::test]
async fn processes_that_are_no_dotnet_programs_are_refused() {
    let ours = std::process::id();
    let error = check(ours, &std::env::temp_dir()).await.unwrap_err();
    assert!(matches!(error, DotnetError::NotManaged { .. }), "{error}");
    assert!(error.to_string().ends_with("has not loaded CoreCLR"), "{error}");
    for pid in [0, u32::MAX, 4_194_305] {
        let error = check(pid, &std::env::temp_dir()).await.unwrap_err();
        assert_eq!(error.to_string(), format!("no process {pid}"));
    }
}

#[tokio::test]
async fn a_thread_and_a_zombie_are_no_processes() {
    let (tx, rx) = std::sync::mpsc::channel();
    let (end, ended) = std::sync::mpsc::channel::<()>();
    let thread = std::thread::spawn(move || {
        let ours = std::fs::read_link("/proc/thread-self").unwrap();
        tx.send(ours.file_name().unwrap().to_str().unwrap().parse().unwrap()).unwrap();
        let _ = ended.recv();
    });
    let error = check(rx.recv().unwrap(), &std::env::temp_dir()).await.unwrap_err();
    assert!(error.to_string().contains("is a thread of process"), "{error}");
    drop(end);
    thread.join().unwrap();

    let mut child = Command::new("/bin/true").stdout(Stdio::piped()).spawn().unwrap();
    // Its end of the pipe is closed when it has ended.
    child.stdout.take().unwrap().read_to_end(&mut Vec::new()).unwrap();
    let start = Instant::now();
    let error = loop {
        match check(child.id(), &std::env::temp_dir()).await {
            Err(error @ DotnetError::ProcessNotFound { .. }) => break error,
            other => assert!(start.elapsed() < Duration::from_secs(60), "{other:?}"),
        }
    };
    assert!(error.to_string().contains("has exited; its parent"), "{error}");
    child.wait().unwrap();
}

/// A process that looks like a .NET program from outside: libraries with the runtime's names are mapped into it, and files lie where
/// the runtime would have its pipes.
struct Lookalike {
    child: Child,
    output: BufReader<ChildStdout>,
    tmpdir: tempfile::TempDir,
}

impl Lookalike {
    /// `script` is run by the shell before it says that it is there.
    fn start(libraries: &[&str], env: &[(&str, &str)], script: &str) -> Self {
        Self::running(Path::new("/bin/sh"), libraries, env, script)
    }

    fn running(shell: &Path, libraries: &[&str], env: &[(&str, &str)], script: &str) -> Self {
        let tmpdir = tempfile::tempdir().unwrap();
        let any = std::fs::read_to_string("/proc/self/maps").unwrap();
        let any = any.split_whitespace().find(|word| word.contains("/libgcc_s.so")).unwrap();
        let preloaded = libraries.iter().map(|name| {
            let library = tmpdir.path().join(name);
            std::fs::copy(any, &library).unwrap();
            library.to_str().unwrap().to_owned()
        });
        let mut command = Command::new(shell);
        command.args(["-c", &format!("{script}\necho there; read path; exec 3<\"$path\"; echo open; read end")]);
        command.env("LD_PRELOAD", preloaded.collect::<Vec<_>>().join(":")).env("TMPDIR", tmpdir.path());
        command.envs(env.iter().copied()).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let mut program = Self { child, output, tmpdir };
        program.hears("there");
        program
    }

    fn dotnet() -> Self {
        Self::start(&["libcoreclr.so"], &[], "")
    }

    fn hears(&mut self, word: &str) {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        assert_eq!(line.trim_end(), word);
    }

    fn file(&self, name: &str) -> PathBuf {
        let pid = self.child.id();
        self.tmpdir.path().join(name.replace("{id}", &format!("{pid}-{}", start_time(pid).unwrap())))
    }

    fn with_files(self, names: &[&str]) -> Self {
        names.iter().for_each(|name| drop(File::create(self.file(name)).unwrap()));
        self
    }

    async fn checked(&self) -> Result<Target, DotnetError> {
        check(self.child.id(), &std::env::temp_dir()).await
    }

    async fn refused(&self, words: &str) {
        let refusal = self.checked().await.unwrap_err().to_string();
        assert!(refusal.contains(words), "{words}: {refusal}");
    }
}

impl Drop for Lookalike {
    fn drop(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

const PIPES: [&str; 2] = ["clr-debug-pipe-{id}-in", "clr-debug-pipe-{id}-out"];
const SOCKET: &str = "dotnet-diagnostic-{id}-socket";

#[tokio::test]
async fn a_program_with_a_runtime_and_its_pipes_can_be_attached_to() {
    let program = Lookalike::dotnet().with_files(&PIPES);
    let target = program.checked().await.unwrap();
    assert_eq!((target.pid, target.tmpdir.as_deref()), (program.child.id(), Some(program.tmpdir.path())));
    assert_eq!(Some(target.start_time), start_time(target.pid));
}

#[tokio::test]
async fn what_an_adapter_would_hang_on_is_refused_with_its_reason() {
    Lookalike::start(&[], &[], "").refused("has not loaded CoreCLR").await;
    Lookalike::start(&[], &[], "").with_files(&PIPES).refused("is a self-contained single-file program").await;
    Lookalike::start(&[], &[], "").with_files(&[SOCKET]).refused("is a self-contained single-file program").await;
    let folder = tempfile::tempdir().unwrap();
    let host = folder.path().join("dotnet");
    std::fs::copy("/bin/sh", &host).unwrap();
    Lookalike::running(&host, &[], &[], "").refused("has not loaded CoreCLR yet").await;

    let debugger = Lookalike::start(&["libcoreclr.so", "libmscordbi.so"], &[], "").with_files(&PIPES);
    debugger.refused("is itself a debugger").await;

    Lookalike::dotnet().refused("still starting, its diagnostics are disabled, or the files were removed").await;
    Lookalike::dotnet().with_files(&PIPES[..1]).refused("has no debugger pipes in").await;
    Lookalike::dotnet().with_files(&[SOCKET]).refused("is suspended at startup by a diagnostic port").await;
    for name in ["DOTNET_EnableDiagnostics", "COMPlus_EnableDiagnostics_Debugger"] {
        let off = Lookalike::start(&["libcoreclr.so"], &[(name, "0")], "");
        off.refused(&format!("was started with {name}=0")).await;
        // only zero switches it off
        Lookalike::start(&["libcoreclr.so"], &[(name, "10")], "").refused("has no debugger pipes in").await;
    }
    let nowhere = [("TMPDIR", "/no/such/folder")];
    Lookalike::start(&["libcoreclr.so"], &nowhere, "").refused("its TMPDIR /no/such/folder does not exist").await;
    let lost = Lookalike::start(&["libcoreclr.so"], &[], "printf '.NET Debugger' >/proc/$$/comm");
    lost.refused("has lost its debugger pipes").await;
}

#[tokio::test]
async fn a_stopped_program_is_refused_until_it_is_continued() {
    let program = Lookalike::dotnet().with_files(&PIPES);
    clrbridge::process::kill(program.child.id(), libc::SIGSTOP).unwrap();
    until("the stop", || clrbridge::process::is_suspended(program.child.id())).await;
    program.refused("is stopped by a signal (SIGSTOP)").await;
    clrbridge::process::kill(program.child.id(), libc::SIGCONT).unwrap();
    until("the continuation", || !clrbridge::process::is_suspended(program.child.id())).await;
    program.checked().await.unwrap();
}

#[tokio::test]
async fn a_program_whose_pipes_are_open_has_a_debugger() {
    let mut program = Lookalike::dotnet().with_files(&PIPES);
    let pipe = program.file(PIPES[0]);
    let debugger = File::open(&pipe).unwrap();
    program.checked().await.expect("a pipe that only another process has opened belongs to no debugger");
    writeln!(program.child.stdin.as_ref().unwrap(), "{}", pipe.display()).unwrap();
    program.hears("open");
    let error = program.checked().await.unwrap_err();
    let ours = std::env::current_exe().unwrap();
    let DotnetError::AlreadyDebugged { by_name, .. } = &error else { panic!("{error}") };
    assert_eq!(Some(by_name.as_str()), ours.file_name().and_then(|name| name.to_str()), "{error}");
    drop(debugger);
    program.refused("already has a debugger, which is not visible from here").await;
}
