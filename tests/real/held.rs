//! The hold of real .NET programs.

use std::{path::Path, time::Duration};

use clrbridge::process::{
    Bound, Child, CommandSpec, ExitStatus, StdinMode, spawn_adapter, spawn_program_held, spawn_program_plain,
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    sync::OnceCell,
};

use crate::{
    harness::{skip, tests},
    needs,
    victim::{kill_victim, victim_of},
    witness::{DEADLINE, Mark, read_to_end, semaphores_of, within_deadline},
};

tests! {
    async a_held_program_runs_nothing_of_its_own;
    async a_released_program_runs_to_its_end_under_an_attached_adapter;
    async a_program_whose_debugging_is_switched_off_is_not_held;
    async our_death_leaves_nothing_of_a_dotnet_program;
}

async fn a_held_program_runs_nothing_of_its_own() {
    let program = program().await;
    let mut held = spawn_program_held(&program, StdinMode::Closed).await.unwrap();
    let pid = held.child.pid;
    within_deadline("posted", held.posted(DEADLINE)).await.unwrap();
    assert_eq!(semaphores_of(pid), [""; 0], "the names go as soon as the runtime waits");

    // In the time that the same program needs to run to its end, the held one does nothing.
    let mut plain = spawn_program_plain(&program, StdinMode::Closed).await.unwrap();
    assert_eq!(read_to_end(&mut plain.stdout).await, "in main\n");
    assert_eq!(within_deadline("exit", plain.exited()).await, ExitStatus::Code(7));
    assert_eq!(held.child.try_exit(), None);

    held.child.kill_group();
    assert_eq!(read_to_end(&mut held.child.stdout).await, "");
    assert_eq!(within_deadline("exit", held.child.exited()).await, ExitStatus::Signal(libc::SIGKILL));
}

async fn a_released_program_runs_to_its_end_under_an_attached_adapter() {
    let program = program().await;
    let netcoredbg = which::which("netcoredbg").unwrap_or_else(|_| skip("no netcoredbg"));
    let mut held = spawn_program_held(&program, StdinMode::Closed).await.unwrap();
    within_deadline("posted", held.posted(DEADLINE)).await.unwrap();
    let spec = CommandSpec { program: netcoredbg, args: vec!["--interpreter=vscode".into()], ..CommandSpec::default() };
    let mut adapter = spawn_adapter(&spec, Bound::DiesWithUs, None).await.unwrap();
    let attach = format!(r#"{{"processId":{}}}"#, held.child.pid);
    let steps = [("initialize", "{}"), ("attach", attach.as_str()), ("configurationDone", "{}")];
    for (seq, (command, arguments)) in (1..).zip(steps) {
        request(&mut adapter, seq, command, arguments).await;
    }
    assert_eq!(held.child.try_exit(), None, "attached, but not released");
    held.release().unwrap();
    assert_eq!(read_to_end(&mut held.child.stdout).await, "in main\n");
    assert_eq!(within_deadline("exit", held.child.exited()).await, ExitStatus::Code(7));
    adapter.stdin = None;
    within_deadline("end of the adapter", adapter.exited()).await;
}

/// Sends one DAP request and reads until its response has come; events before it are passed over.
async fn request(adapter: &mut Child, seq: u32, command: &str, arguments: &str) {
    let body = format!(r#"{{"seq":{seq},"type":"request","command":"{command}","arguments":{arguments}}}"#);
    let frame = format!("Content-Length: {}\r\n\r\n{body}", body.len());
    adapter.stdin.as_mut().unwrap().write_all(frame.as_bytes()).await.unwrap();
    let mut answer = String::new();
    within_deadline(command, async {
        while !answer.contains(r#""success":true"#) {
            answer.push(char::from(adapter.stdout.as_mut().unwrap().read_u8().await.unwrap()));
            assert!(!answer.contains(r#""success":false"#), "{command} was refused");
        }
    })
    .await;
}

async fn a_program_whose_debugging_is_switched_off_is_not_held() {
    let mut program = program().await;
    program.env.push(("DOTNET_EnableDiagnostics".into(), Some("0".into())));
    let held = spawn_program_held(&program, StdinMode::Closed).await.unwrap();
    let error = within_deadline("posted", held.posted(DEADLINE)).await.unwrap_err();
    assert!(matches!(error, clrbridge::process::ProcessError::ExitedBeforeRuntime { status: ExitStatus::Code(7) }));
}

async fn our_death_leaves_nothing_of_a_dotnet_program() {
    let program = program().await;
    let folder = tempfile::tempdir().unwrap();
    for role in ["gate", "held"] {
        let mark = Mark::of(&folder.path().join(role));
        let (victim, pid) = victim_of(role, &program, &mark).await;
        kill_victim(&victim).await;
        mark.all_gone().await;
        assert_eq!(semaphores_of(pid), [""; 0], "{role}");
    }
}

/// `dotnet program.dll`, built once and kept beside the other products of the build.
async fn program() -> CommandSpec {
    static BUILT: OnceCell<()> = OnceCell::const_new();
    let dotnet = needs::sdk().host;
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("held-program");
    BUILT.get_or_init(|| build(&dotnet, &folder)).await;
    let dll = folder.join("bin/HeldProgram.dll");
    CommandSpec { program: dotnet, args: vec![dll.into()], ..CommandSpec::default() }
}

async fn build(dotnet: &Path, folder: &Path) {
    std::fs::create_dir_all(folder).unwrap();
    let sources = [
        ("HeldProgram.csproj", include_str!("held_program/HeldProgram.csproj")),
        ("Program.cs", include_str!("held_program/Program.cs")),
    ];
    let is_current =
        sources.iter().all(|(name, text)| std::fs::read_to_string(folder.join(name)).is_ok_and(|old| old == *text));
    if is_current && folder.join("bin/HeldProgram.dll").exists() {
        return;
    }
    for (name, text) in sources {
        std::fs::write(folder.join(name), text).unwrap();
    }
    let on = |name: &str, value: &str| (name.into(), Some(value.into()));
    let spec = CommandSpec {
        program: dotnet.to_owned(),
        args: ["build", "-o", "bin", "-v", "quiet", "-nologo", "-p:UseSharedCompilation=false"]
            .map(Into::into)
            .to_vec(),
        env: vec![
            on("DOTNET_CLI_USE_MSBUILD_SERVER", "0"),
            on("MSBUILDDISABLENODEREUSE", "1"),
            on("DOTNET_CLI_TELEMETRY_OPTOUT", "1"),
            on("DOTNET_NOLOGO", "1"),
        ],
        cwd: Some(folder.to_owned()),
    };
    let mut build = spawn_program_plain(&spec, StdinMode::Closed).await.unwrap();
    let limit = Duration::from_secs(180);
    let mut output = String::new();
    let reading = build.stdout.as_mut().unwrap().read_to_string(&mut output);
    tokio::time::timeout(limit, reading).await.expect("a build").unwrap();
    assert_eq!(within_deadline("end of the build", build.exited()).await, ExitStatus::Code(0), "{output}");
}
