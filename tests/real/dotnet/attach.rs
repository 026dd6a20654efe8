//! What can be attached to and what cannot, with real processes.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use clrbridge::backend;
use clrbridge::dotnet::DotnetError;
use clrbridge::dotnet::attach::{Target, find, find_one, list, take};

use super::fixture::{Running, tmpdir};
use crate::harness::{skip, tests};
use crate::needs;

tests! {
    async a_running_program_is_accepted_and_found_by_name;
    async a_program_without_diagnostics_is_refused_with_the_variable;
    async another_tmpdir_is_reported_so_that_the_adapter_can_have_it;
    async a_stopped_program_is_refused_until_it_goes_on;
    async a_program_suspended_at_its_start_is_refused;
    async a_program_that_is_debugged_names_its_debugger_and_is_free_again_after_it;
}

async fn checked(running: &Running) -> Result<Target, DotnetError> {
    take(running.pid(), &tmpdir()).await.map(|(target, _)| target)
}

/// Asks until the answer is another; for states that come a moment after what causes them.
async fn until(
    running: &Running,
    wanted: impl Fn(&Result<Target, DotnetError>) -> bool,
) -> Result<Target, DotnetError> {
    let start = Instant::now();
    loop {
        let answer = checked(running).await;
        if wanted(&answer) || start.elapsed() > Duration::from_secs(60) {
            return answer;
        }
        tokio::task::yield_now().await;
    }
}

async fn a_running_program_is_accepted_and_found_by_name() {
    let dotnet = needs::sdk();
    let running = Running::start(&dotnet, &[], true);
    let target = checked(&running).await.unwrap();
    assert_eq!((target.pid, target.name.as_str(), target.tmpdir.as_deref()), (running.pid(), "Waiter", None));
    assert!(target.assembly.unwrap().ends_with("Waiter.dll"));
    for name in ["waiter", "Waiter.dll", "WAIT"] {
        assert!(find(name).await.unwrap().iter().any(|(pid, _)| *pid == running.pid()), "{name}");
    }
    let other = Running::start(&dotnet, &[], true);
    match find_one("Waiter").await.unwrap_err() {
        DotnetError::Ambiguous { matches, .. } => {
            assert!([running.pid(), other.pid()].iter().all(|pid| matches.iter().any(|(other, _)| other == pid)))
        }
        error => panic!("{error}"),
    }
    let listed = list(Some("wait"), &tmpdir()).await.unwrap();
    let (found, check) = listed.iter().find(|(found, _)| found.pid == running.pid()).unwrap();
    assert_eq!((found.name.as_str(), check.as_ref().unwrap()), ("Waiter", &checked(&running).await.unwrap()));
    assert!(listed.iter().all(|(found, _)| found.name.contains("Waiter")), "{listed:?}");
    let error = find("no such program").await.unwrap_err();
    assert_eq!(error.to_string(), "no .NET process named no such program");
    assert!(list(None, &std::env::temp_dir()).await.unwrap().iter().all(|(found, _)| found.pid != std::process::id()));
}

async fn a_program_without_diagnostics_is_refused_with_the_variable() {
    let dotnet = needs::sdk();
    for name in ["DOTNET_EnableDiagnostics", "DOTNET_EnableDiagnostics_Debugger", "COMPlus_EnableDiagnostics"] {
        let running = Running::start(&dotnet, &[(name, Path::new("0"))], true);
        let error = checked(&running).await.unwrap_err();
        let expected =
            format!("process {} (Waiter) was started with {name}=0, which disables debugging", running.pid());
        assert_eq!(error.to_string(), expected);
    }
}

async fn another_tmpdir_is_reported_so_that_the_adapter_can_have_it() {
    let dotnet = needs::sdk();
    let dir = tempfile::tempdir().unwrap();
    // With a separator at its end, as the variable often has.
    let running = Running::start(&dotnet, &[("TMPDIR", &dir.path().join(""))], true);
    assert_eq!(checked(&running).await.unwrap().tmpdir.as_deref(), Some(dir.path()));

    let gone = dir.path().join("gone");
    let running = Running::start(&dotnet, &[("TMPDIR", &gone)], true);
    let error = checked(&running).await.unwrap_err();
    assert!(error.to_string().ends_with(&format!("its TMPDIR {} does not exist", gone.display())), "{error}");
}

async fn a_stopped_program_is_refused_until_it_goes_on() {
    let dotnet = needs::sdk();
    let running = Running::start(&dotnet, &[], true);
    clrbridge::process::kill(running.pid(), libc::SIGSTOP).unwrap();
    // a process that another test starts meanwhile may hold the claim for a moment
    let error = until(&running, |answer| matches!(answer, Err(DotnetError::NotAttachable { .. }))).await.unwrap_err();
    assert!(error.hint().starts_with(&format!("kill -CONT {}", running.pid())), "{}", error.hint());
    clrbridge::process::kill(running.pid(), libc::SIGCONT).unwrap();
    until(&running, Result::is_ok).await.unwrap();
}

async fn a_program_suspended_at_its_start_is_refused() {
    let dotnet = needs::sdk();
    let running = Running::start(&dotnet, &[("DOTNET_DefaultDiagnosticPortSuspend", Path::new("1"))], false);
    let error = until(&running, |answer| matches!(answer, Err(DotnetError::NotAttachable { .. }))).await.unwrap_err();
    assert!(error.to_string().contains("is suspended at startup by a diagnostic port"), "{error}");
}

async fn a_program_that_is_debugged_names_its_debugger_and_is_free_again_after_it() {
    let dotnet = needs::sdk();
    let mut tried = false;
    for name in ["netcoredbg", "dncdbg"] {
        let Ok(profile) = backend::find(&backend::AdapterSettings::default().choosing(Some(name))).await else {
            continue;
        };
        tried = true;
        let running = Running::start(&dotnet, &[], true);
        let mut adapter = Command::new(&profile.command.program)
            .args(&profile.command.args)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let mut stdin = adapter.stdin.take().unwrap();
        let attach = profile.attach_arguments(running.pid());
        for (seq, (command, arguments)) in
            [("initialize", "{}".into()), ("attach", attach.to_string()), ("configurationDone", "{}".to_owned())]
                .iter()
                .enumerate()
        {
            let body =
                format!(r#"{{"seq":{},"type":"request","command":"{command}","arguments":{arguments}}}"#, seq + 1);
            write!(stdin, "Content-Length: {}\r\n\r\n{body}", body.len()).unwrap();
        }
        stdin.flush().unwrap();
        // For a moment the pipes are open at one end only.
        let wanted = |answer: &Result<Target, DotnetError>| matches!(answer, Err(DotnetError::AlreadyDebugged { by, .. }) if *by == Some(adapter.id()));
        let error = until(&running, wanted).await.unwrap_err();
        assert_eq!(
            error.to_string(),
            format!(
                "process {} (Waiter) is already being debugged by process {} ({name})",
                running.pid(),
                adapter.id()
            )
        );
        assert!(
            list(None, &std::env::temp_dir()).await.unwrap().iter().all(|(found, _)| found.pid != adapter.id()),
            "an adapter is no program to attach to"
        );
        drop(stdin);
        adapter.wait().unwrap();
        until(&running, Result::is_ok).await.unwrap();
    }
    if !tried {
        skip("no debug adapter");
    }
}
