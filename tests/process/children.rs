//! Pipes, ends and groups of plain children.

use std::time::Duration;

use clrbridge::process::{
    Bound, CommandSpec, ExitStatus, ProcessError, StderrTail, StdinMode, alive, kill, spawn_adapter,
    spawn_program_plain,
};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::witness::{Mark, read_line, read_to_end, sh, until, within_deadline};

#[tokio::test]
async fn every_end_has_its_status() {
    for (script, expected) in [
        ("exit 0", ExitStatus::Code(0)),
        ("exit 255", ExitStatus::Code(255)),
        ("kill -KILL $$", ExitStatus::Signal(9)),
        ("kill -ABRT $$", ExitStatus::Signal(6)),
    ] {
        let child = spawn_program_plain(&sh(script), StdinMode::Closed).await.unwrap();
        let (first, second) = (child.exited(), child.exited());
        assert_eq!(within_deadline(script, first).await, expected, "{script}");
        assert_eq!(child.try_exit(), Some(expected));
        drop(child);
        assert_eq!(second.await, expected, "a waiter outlives the child");
    }
}

#[tokio::test]
async fn a_stderr_flood_is_drained_and_its_end_kept() {
    let flood = "head -c 10485760 /dev/zero | tr '\\0' 'x' >&2; echo >&2; echo 'the last line' >&2; exit 4";
    let mut child = spawn_adapter(&sh(flood), Bound::Outlives, None).await.unwrap();
    let (counted, count) = std::sync::mpsc::channel();
    let seen = move |chunk: &[u8]| counted.send(chunk.len()).unwrap();
    let tail = StderrTail::spawn_with(child.stderr.take().unwrap(), seen);
    assert_eq!(within_deadline("exit", child.exited()).await, ExitStatus::Code(4));
    tail.drained(Duration::from_secs(10)).await;
    assert_eq!(tail.tail(), "the last line\n");
    assert_eq!(count.try_iter().sum::<usize>(), 10_485_760 + "\nthe last line\n".len());
}

#[tokio::test]
async fn a_slow_reader_loses_nothing() {
    let mut child = spawn_adapter(&sh("head -c 1000000 /dev/zero; printf end"), Bound::Outlives, None).await.unwrap();
    // A pipe holds 64 KiB: the child is blocked in its write when the first byte is read.
    let stdout = child.stdout.as_mut().unwrap();
    stdout.readable().await.unwrap();
    assert_eq!(child.try_exit(), None);
    let output = read_to_end(&mut child.stdout).await;
    assert_eq!(output.len(), 1_000_003);
    assert!(output.ends_with("end"));
    assert_eq!(within_deadline("exit", child.exited()).await, ExitStatus::Code(0));
}

#[tokio::test]
async fn an_end_in_mid_frame_gives_the_half_frame_and_the_status() {
    let script = r"printf 'Content-Length: 100\r\n\r\n{'; exit 3";
    let mut child = spawn_adapter(&sh(script), Bound::Outlives, None).await.unwrap();
    assert_eq!(read_to_end(&mut child.stdout).await, "Content-Length: 100\r\n\r\n{");
    assert_eq!(within_deadline("exit", child.exited()).await, ExitStatus::Code(3));
}

#[tokio::test]
async fn a_grandchild_with_the_pipe_hides_neither_the_end_nor_itself() {
    let mut child = spawn_adapter(&sh("sleep 1000 & echo $!"), Bound::Outlives, None).await.unwrap();
    let grandchild: u32 = read_line(&mut child.stdout).await.parse().unwrap();
    assert_eq!(within_deadline("exit", child.exited()).await, ExitStatus::Code(0));
    assert!(alive(grandchild), "it was left to itself");
    let mut byte = [0];
    assert!(child.stdout.as_ref().unwrap().try_read(&mut byte).is_err(), "no EOF while it holds the pipe");
    child.kill_group();
    assert_eq!(read_to_end(&mut child.stdout).await, "");
    until("end of the grandchild", || !alive(grandchild)).await;
}

#[tokio::test]
async fn a_group_that_ignores_sigterm_is_killed() {
    let mut child =
        spawn_adapter(&sh("trap '' TERM; sleep 1000 & echo $!; wait"), Bound::Outlives, None).await.unwrap();
    let grandchild: u32 = read_line(&mut child.stdout).await.parse().unwrap();
    kill(child.pid, libc::SIGTERM).unwrap();
    child.kill_group();
    assert_eq!(within_deadline("exit", child.exited()).await, ExitStatus::Signal(libc::SIGKILL));
    until("end of the grandchild", || !alive(grandchild)).await;
    // there is nobody left to kill
    child.kill_group();
}

#[tokio::test]
async fn dropping_kills_the_group_unless_it_was_left_running() {
    let folder = tempfile::tempdir().unwrap();
    let mark = Mark::of(folder.path());
    let spec = mark.on(sh("sleep 1000 & echo up; sleep 1000"));

    let mut child = spawn_program_plain(&spec, StdinMode::Closed).await.unwrap();
    read_line(&mut child.stdout).await;
    drop(child);
    mark.all_gone().await;

    let mut child = spawn_program_plain(&mark.on(sh("echo up; exec sleep 1000")), StdinMode::Closed).await.unwrap();
    read_line(&mut child.stdout).await;
    let (pid, exited) = (child.pid, child.exited());
    child.leave_running();
    drop(child);
    assert!(alive(pid));
    kill(pid, libc::SIGKILL).unwrap();
    // Reaped although nobody owns it: gone for good, not a zombie.
    within_deadline("exit", exited).await;
    assert!(!std::path::Path::new(&format!("/proc/{pid}")).exists());
    mark.all_gone().await;
}

#[tokio::test]
async fn closing_stdin_reaches_an_adapter_although_a_later_one_was_started() {
    let mut first = spawn_adapter(&sh("cat; echo eof"), Bound::Outlives, None).await.unwrap();
    let second = spawn_adapter(&sh("cat"), Bound::Outlives, None).await.unwrap();
    let mut stdin = first.stdin.take().unwrap();
    stdin.write_all(b"hello\n").await.unwrap();
    assert_eq!(read_line(&mut first.stdout).await, "hello");
    drop(stdin);
    assert_eq!(read_to_end(&mut first.stdout).await, "eof\n");
    assert_eq!(second.try_exit(), None);
}

#[tokio::test]
async fn no_descriptor_of_ours_reaches_a_child() {
    // Whoever started the test may have leaked descriptors of its own: only what we add counts.
    let before = descriptors_of_a_child().await;
    let _open = spawn_adapter(&sh("cat"), Bound::Outlives, None).await.unwrap();
    assert_eq!(descriptors_of_a_child().await, before);
}

async fn descriptors_of_a_child() -> String {
    let list = sh("ls /proc/self/fd");
    let mut child = spawn_program_plain(&list, StdinMode::Closed).await.unwrap();
    read_to_end(&mut child.stdout).await
}

#[tokio::test]
async fn environment_arguments_and_folder_are_the_ones_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let mut spec = sh(r#"echo "$ADDED"; echo "${HOME-removed}"; pwd; echo "$0""#);
    spec.args.push("two words".into());
    spec.env = vec![("ADDED".into(), Some("yes".into())), ("HOME".into(), None)];
    spec.cwd = Some(folder.path().canonicalize().unwrap());
    let mut child = spawn_program_plain(&spec, StdinMode::Closed).await.unwrap();
    let expected = format!("yes\nremoved\n{}\ntwo words\n", spec.cwd.unwrap().display());
    assert_eq!(read_to_end(&mut child.stdout).await, expected);
}

#[tokio::test]
async fn what_cannot_be_started_is_named() {
    let missing = CommandSpec { program: "/no/such/adapter".into(), ..CommandSpec::default() };
    let error = spawn_adapter(&missing, Bound::DiesWithUs, None).await.unwrap_err();
    assert!(matches!(&error, ProcessError::Spawn { path, source }
        if path == &missing.program && source.kind() == std::io::ErrorKind::NotFound));
    assert_eq!(error.to_string(), "cannot start /no/such/adapter: No such file or directory (os error 2)");

    let nowhere = CommandSpec { cwd: Some("/no/such/folder".into()), ..sh("true") };
    let error = spawn_adapter(&nowhere, Bound::Outlives, None).await.unwrap_err();
    assert_eq!(error.to_string(), "cannot start sh: its working directory /no/such/folder does not exist");
}

#[tokio::test]
async fn a_program_without_stdin_reads_end_of_input() {
    let mut child = spawn_program_plain(&sh("cat; echo eof"), StdinMode::Closed).await.unwrap();
    assert!(child.stdin.is_none());
    let mut output = Vec::new();
    within_deadline("output", child.stdout.as_mut().unwrap().read_to_end(&mut output)).await.unwrap();
    assert_eq!(output, b"eof\n");
}
