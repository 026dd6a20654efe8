//! Small projects and running programs.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;

use clrbridge::dotnet::program::resolve;
use clrbridge::dotnet::{Dotnet, DotnetError, Program, ProgramRequest};

pub const WAITER: &str = r#"System.Console.WriteLine("ready"); System.Console.ReadLine();"#;

pub fn project_text(properties: &str) -> String {
    format!(
        r#"<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><TargetFramework>net10.0</TargetFramework><OutputType>Exe</OutputType>{properties}</PropertyGroup></Project>"#
    )
}

pub fn write(root: &Path, name: &str, text: &str) {
    let path = root.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// Resolves on a runtime of its own, and tells the phases that were announced.
pub fn resolve_now(request: &ProgramRequest, dotnet: &Dotnet) -> (Result<Program, DotnetError>, Vec<String>) {
    let phases = std::cell::RefCell::new(Vec::new());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    // Tests build at once, which the process does not.
    let hear =
        |phase: &str| phases.borrow_mut().extend((phase != "waiting for another build").then(|| phase.to_owned()));
    let result = runtime.block_on(resolve(request, dotnet, hear));
    (result, phases.into_inner())
}

/// A program that says "ready" and waits for the end of its stdin; built once and kept from run to run.
pub fn waiter(dotnet: &Dotnet) -> Program {
    static BUILT: OnceLock<Program> = OnceLock::new();
    let build = || {
        let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("dotnet_real");
        let source = root.join("Waiter/Program.cs");
        if fs::read_to_string(&source).ok().as_deref() != Some(WAITER) {
            write(&root, "Waiter/Program.cs", WAITER);
            write(&root, "Waiter/Waiter.csproj", &project_text(""));
        }
        let request = ProgramRequest { program: "Waiter".into(), base_dir: root, ..ProgramRequest::default() };
        resolve_now(&request, dotnet).0.unwrap()
    };
    // A test may be inside a runtime already, where no other can be waited for.
    std::thread::scope(|scope| scope.spawn(|| BUILT.get_or_init(build).clone()).join().unwrap())
}

/// A running waiter; killed when dropped.
pub struct Running(pub Child);

impl Running {
    /// Started and, unless it is held at its start, ready.
    pub fn start(dotnet: &Dotnet, env: &[(&str, &Path)], ready: bool) -> Self {
        let program = waiter(dotnet);
        let mut command = Command::new(&program.command);
        command.args(&program.args_before).args(&program.args).envs(env.iter().copied());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::inherit());
        let mut child = command.spawn().unwrap();
        if ready {
            let mut line = String::new();
            BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
            assert_eq!(line, "ready\n");
        }
        Self(child)
    }

    pub fn pid(&self) -> u32 {
        self.0.id()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

pub fn tmpdir() -> PathBuf {
    std::env::temp_dir()
}
