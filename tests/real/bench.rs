//! What a scenario works with: servers to talk to, programs to debug, and the search for leftovers at its end.

use std::cell::{Cell, RefCell};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use clrbridge::dotnet::Dotnet;
use serde_json::{Value, json};

use super::client::Client;
use super::{fixtures, leftovers};

/// What the scenarios run over.
#[derive(Debug, Clone, Copy)]
pub struct Ground {
    /// The first part of their names.
    pub name: &'static str,
    pub adapter: &'static str,
    /// What the programs are built for, and so the runtime on which they run: `net10.0`.
    pub framework: &'static str,
}

impl Ground {
    /// An adapter and the programs as they are.
    pub const fn of(adapter: &'static str) -> Self {
        Self { name: adapter, adapter, framework: fixtures::FRAMEWORK }
    }

    /// Another framework's scenarios take as long again: they run when they are named, or with the variable.
    fn is_asked_for(self) -> bool {
        std::env::var_os("CLRBRIDGE_NET8").is_some() || std::env::args().any(|part| part == self.name)
    }

    /// How the versions of its runtime begin: `10.`
    fn major(self) -> &'static str {
        self.framework.trim_start_matches("net").trim_end_matches('0')
    }
}

/// Why there is no equipment.
pub enum Lack {
    /// The machine has not what it takes: no fault of ours.
    Missing(String),
    Broken(String),
}

/// What was found on this machine.
pub struct Equipment {
    ground: Ground,
    dotnet: Dotnet,
    fixtures: PathBuf,
}

impl Equipment {
    /// Found the way a user's are; else what is missing.
    pub fn find(ground: Ground) -> Result<Self, Lack> {
        let dotnet = Self::dotnet_for(ground).map_err(Lack::Missing)?;
        let fixtures = fixtures::build(&dotnet, ground.framework).map_err(Lack::Broken)?;
        Ok(Self { ground, dotnet, fixtures })
    }

    fn dotnet_for(ground: Ground) -> Result<Dotnet, String> {
        let adapter = ground.adapter;
        let health = Command::new(env!("CARGO_BIN_EXE_clrbridge"))
            .args(["--toolsets", "all", "call", "--json", "debug_health_check"])
            .output()
            .map_err(|error| error.to_string())?;
        let health: Value = serde_json::from_slice(&health.stdout).map_err(|error| error.to_string())?;
        let backends = health["backends"].as_array().map(Vec::as_slice).unwrap_or_default();
        if !backends.iter().any(|found| found["name"] == adapter && found["problem"].is_null()) {
            return Err(format!("no {adapter}"));
        }
        if ground.framework != fixtures::FRAMEWORK && !ground.is_asked_for() {
            return Err("neither named on the command line nor CLRBRIDGE_NET8 set".into());
        }
        let dotnet = Dotnet::find().map_err(|_| "no .NET")?;
        if !dotnet.sdks().iter().any(|version| version.starts_with("10.")) {
            return Err("no .NET 10 SDK".into());
        }
        if !dotnet.runtimes().iter().any(|(_, version)| version.starts_with(ground.major())) {
            return Err(format!("no {} runtime", ground.framework));
        }
        Ok(dotnet)
    }
}

/// One scenario's.
pub struct Bench<'a> {
    equipment: &'a Equipment,
    /// In the environment of all that this scenario starts, so that what it leaves can be distinguished from the others'.
    mark: String,
    started: RefCell<Vec<Child>>,
    folder: tempfile::TempDir,
    copies: Cell<u32>,
}

impl<'a> Bench<'a> {
    pub fn new(equipment: &'a Equipment) -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        Self {
            equipment,
            mark: format!("{}-{}", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed)),
            started: RefCell::default(),
            folder: tempfile::tempdir().unwrap(),
            copies: Cell::new(0),
        }
    }

    pub fn is_netcoredbg(&self) -> bool {
        self.adapter() == "netcoredbg"
    }

    pub fn adapter(&self) -> &'static str {
        self.equipment.ground.adapter
    }

    /// What the programs are built for: `net10.0`.
    pub fn framework(&self) -> &'static str {
        self.equipment.ground.framework
    }

    /// A file that the build of a fixture made: `Basics.dll`.
    pub fn built(&self, fixture: &str, file: &str) -> PathBuf {
        self.fixture(fixture).join("bin/Debug").join(self.framework()).join(file)
    }

    /// The name of the adapter's process.
    pub fn executable(&self) -> &'static str {
        match self.adapter() {
            "builtin" => "clrbridge",
            adapter => adapter,
        }
    }

    pub fn has_runtime(&self, major: &str) -> bool {
        self.equipment.dotnet.runtimes().iter().any(|(_, version)| version.starts_with(major))
    }

    /// Whether programs of this ground can use a framework beyond the runtime's own.
    pub fn has_framework(&self, name: &str) -> bool {
        let major = self.equipment.ground.major();
        self.equipment.dotnet.runtimes().iter().any(|(of, version)| of == name && version.starts_with(major))
    }

    /// A folder of this scenario's own, gone at its end.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub fn fixture(&self, name: &str) -> PathBuf {
        self.equipment.fixtures.join(name)
    }

    /// A fixture's sources, to be changed; not built.
    pub fn copy(&self, name: &str) -> PathBuf {
        self.copies.set(self.copies.get() + 1);
        let folder = self.folder().join(self.copies.get().to_string()).join(name);
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name);
        fixtures::copy_changed(&source, &folder, self.framework());
        folder
    }

    /// The line of a fixture's `// BP:marker`.
    pub fn line(&self, fixture: &str, marker: &str) -> u64 {
        fixtures::line_of(&self.fixture(fixture).join("Program.cs"), marker)
    }

    /// The same in another file of the fixture.
    pub fn line_in(&self, fixture: &str, file: &str, marker: &str) -> u64 {
        fixtures::line_of(&self.fixture(fixture).join(file), marker)
    }

    /// A server with the default tools and more, that uses this adapter.
    pub fn client(&self) -> Client {
        self.client_with(&[])
    }

    pub fn client_with(&self, arguments: &[&str]) -> Client {
        Client::start(self.command(arguments))
    }

    /// The server's command line.
    pub fn command(&self, arguments: &[&str]) -> Command {
        // who runs the tests may ignore a signal (nohup), and the server would, too
        let mut command = Command::new("env");
        command.args(["--default-signal=TERM,INT,HUP", env!("CARGO_BIN_EXE_clrbridge"), "--toolsets", "all"]);
        if !arguments.contains(&"--backend") {
            command.args(["--backend", self.adapter()]);
        }
        command.args(arguments).env(leftovers::MARK, &self.mark);
        command.env("DOTNET_CLI_USE_MSBUILD_SERVER", "0").env("MSBUILDDISABLENODEREUSE", "1");
        // A user's settings are not the test's.
        command.env("XDG_CONFIG_HOME", self.folder()).env_remove("CLRBRIDGE_CONFIG");
        command
    }

    /// The adapter alone, without a server.
    pub fn adapter_command(&self) -> Command {
        let (program, argument) = match self.adapter() {
            "builtin" => (env!("CARGO_BIN_EXE_clrbridge"), "adapter"),
            adapter => (adapter, "--interpreter=vscode"),
        };
        let mut command = Command::new(program);
        command.arg(argument).env(leftovers::MARK, &self.mark);
        command
    }

    /// Arguments of debug_launch for a fixture that is built. It may take its time: the machine may be busy.
    pub fn launch(&self, fixture: &str, args: &[&str], more: Value) -> Value {
        let mut all = json!({"program": self.fixture(fixture), "build": "never", "args": args, "timeout_ms": 60_000});
        for (key, value) in more.as_object().expect("an object") {
            all[key] = value.clone();
        }
        all
    }

    /// A fixture that runs without a debugger. Killed at the end.
    pub fn start_program(&self, fixture: &str, args: &[&str]) -> (u32, std::process::ChildStdout) {
        let mut command = self.dotnet();
        command.arg(self.built(fixture, &format!("{fixture}.dll"))).args(args);
        self.start(command)
    }

    /// The `dotnet` command, marked as this scenario's.
    pub fn dotnet(&self) -> Command {
        let mut command = Command::new(&self.equipment.dotnet.host);
        command.env(leftovers::MARK, &self.mark);
        command.env("DOTNET_CLI_USE_MSBUILD_SERVER", "0").env("MSBUILDDISABLENODEREUSE", "1");
        command
    }

    /// Builds a copy. Without the limit of a call: builds may be slow here.
    pub fn build(&self, project: &Path, options: &[&str]) {
        let mut command = self.dotnet();
        command.args(["build", "-nologo", "-v:quiet", "-p:UseSharedCompilation=false"]).arg(project).args(options);
        let output = command.output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    }

    /// Killed at the end.
    pub fn start(&self, mut command: Command) -> (u32, std::process::ChildStdout) {
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().unwrap();
        let (pid, stdout) = (child.id(), child.stdout.take().unwrap());
        self.started.borrow_mut().push(child);
        (pid, stdout)
    }

    /// Whether a program of [`Bench::start_program`] still runs.
    pub fn runs(&self, pid: u32) -> bool {
        let mut started = self.started.borrow_mut();
        let child = started.iter_mut().find(|child| child.id() == pid).expect("it was started here");
        child.try_wait().unwrap().is_none()
    }

    /// What this scenario started and no longer needs but still is there.
    pub fn left(&self) -> Vec<String> {
        leftovers::of(&self.mark, &self.started.borrow().iter().map(Child::id).collect::<Vec<_>>())
    }

    /// Ends what another's adapter left when it died: that is not ours to answer for.
    pub fn clear(&self) {
        leftovers::kill(&self.mark);
    }

    pub fn end(self) -> Vec<String> {
        let left = leftovers::settled(|| self.left());
        for mut child in self.started.into_inner() {
            let _ = child.kill();
            let _ = child.wait();
        }
        leftovers::kill(&self.mark);
        left
    }
}

/// Every key of `expected` is there with that value; lists are of one length.
#[track_caller]
pub fn assert_has(actual: &Value, expected: Value) {
    if let Err(path) = has(actual, &expected, String::new()) {
        panic!("{path}\n  in {actual}");
    }
}

fn has(actual: &Value, expected: &Value, path: String) -> Result<(), String> {
    match (actual, expected) {
        (Value::Object(actual), Value::Object(expected)) => expected
            .iter()
            .try_for_each(|(key, value)| has(actual.get(key).unwrap_or(&Value::Null), value, format!("{path}.{key}"))),
        (Value::Array(actual), Value::Array(expected)) if actual.len() == expected.len() => actual
            .iter()
            .zip(expected)
            .enumerate()
            .try_for_each(|(n, (actual, expected))| has(actual, expected, format!("{path}[{n}]"))),
        _ if actual == expected => Ok(()),
        _ => Err(format!("{path} should be {expected}, is {actual}")),
    }
}
