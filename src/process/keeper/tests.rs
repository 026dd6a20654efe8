//! The keeper's part in a talk whose other sides are pipes in this process.

use std::{
    io::{PipeReader, pipe},
    thread::{JoinHandle, spawn},
};

use super::*;

const FAREWELL: &[u8] = b"goodbye";
/// Far less than an adapter needs, so that one that never answers costs a test little.
const SHORT: Patience = Patience {
    glance: Duration::from_millis(1),
    rest: Duration::from_millis(200),
    farewell: Duration::from_millis(200),
    closed: Duration::from_millis(200),
};

/// The ends that are not the keeper's.
struct Others {
    /// The adapter's stdout.
    says: PipeWriter,
    /// The adapter's stdin.
    hears: PipeReader,
    /// The server's end of the line.
    line: PipeWriter,
    keeper: JoinHandle<()>,
}

/// A keeper under way, whose adapter's stdin holds `unread`. Pid 0 is nobody's, so nothing is ever busy or killed.
fn keeper(unread: &[u8]) -> Others {
    keeper_of(0, 0, unread)
}

/// Of that adapter and its program.
fn keeper_of(pid: u32, program: u32, unread: &[u8]) -> Others {
    let ((output, says), (hears, mut input), (line, ours)) = (pipe().unwrap(), pipe().unwrap(), pipe().unwrap());
    input.write_all(unread).unwrap();
    let (output, input, line) = (OwnedFd::from(output), OwnedFd::from(input), OwnedFd::from(line));
    let (output, input, line) = (output.into(), input.into(), line.into());
    let keeper = Keeper { output, input, line, pid, started: start_time(pid), program };
    Others { says, hears, line: ours, keeper: spawn(move || keeper.keep(FAREWELL, &SHORT)) }
}

/// All that the adapter hears until its stdin is closed.
fn heard(mut hears: PipeReader) -> Vec<u8> {
    let mut all = Vec::new();
    hears.read_to_end(&mut all).unwrap();
    all
}

#[test]
fn an_adapter_that_was_left_in_the_midst_of_a_word_hears_the_farewell_and_then_the_end() {
    let Others { mut says, hears, line, keeper } = keeper(b"");
    says.write_all(b"Content-Length: 1000\r\n\r\n{\"event\":").unwrap();
    drop(line);
    assert_eq!(heard(hears), FAREWELL);
    drop(says);
    keeper.join().unwrap();
}

#[test]
fn what_an_adapter_still_has_to_say_is_read_away() {
    let Others { mut says, hears, line, keeper } = keeper(b"");
    drop(line);
    // More than a pipe holds: somebody must read, or this never ends.
    says.write_all(&vec![b' '; 1 << 20]).unwrap();
    assert_eq!(heard(hears), FAREWELL);
    drop(says);
    keeper.join().unwrap();
}

#[test]
fn a_keeper_says_nothing_where_the_server_does_it() {
    let Others { says, hears, line, keeper } = keeper(b"");
    drop(Line(line));
    assert_eq!(heard(hears), b"");
    drop(says);
    keeper.join().unwrap();
}

/// The server that waits for its end may be killed meanwhile.
#[test]
fn an_adapter_that_does_not_end_when_its_stdin_is_closed_is_killed() {
    let mut adapter = std::process::Command::new("sleep").arg("1000").spawn().unwrap();
    let Others { says, hears, line, keeper } = keeper_of(adapter.id(), 0, b"");
    drop(Line(line));
    assert_eq!(heard(hears), b"");
    assert_eq!(adapter.wait().unwrap().code(), None, "killed");
    keeper.join().unwrap();
    drop(says);
}

#[test]
fn a_keeper_ends_with_its_adapter() {
    let Others { says, hears, line, keeper } = keeper(b"");
    drop((says, hears));
    keeper.join().unwrap();
    drop(line);
}

#[test]
fn an_adapter_that_ends_before_the_farewell_needs_none() {
    let Others { says, hears, line, keeper } = keeper(b"");
    drop(says);
    drop(line);
    keeper.join().unwrap();
    assert_eq!(heard(hears), b"");
}

#[test]
fn an_adapter_that_never_answers_holds_nobody_up() {
    let Others { says, hears, line, keeper } = keeper(b"");
    drop(line);
    keeper.join().unwrap();
    assert_eq!(heard(hears), FAREWELL);
    drop(says);
}

/// It lets the program go when that continues.
#[test]
fn an_adapter_is_not_killed_while_its_program_is_suspended() {
    let sleep = || std::process::Command::new("sleep").arg("1000").spawn().unwrap();
    let (mut adapter, mut program) = (sleep(), sleep());
    let signal = |signal| {
        // SAFETY: a signal for a child of ours, whose status nobody has taken.
        assert_eq!(unsafe { libc::kill(program.id().cast_signed(), signal) }, 0);
    };
    signal(libc::SIGSTOP);
    while !is_suspended(program.id()) {
        std::thread::yield_now();
    }
    let Others { says, hears, line, keeper } = keeper_of(adapter.id(), program.id(), b"");
    drop(line);
    assert_eq!(heard(hears), FAREWELL);
    let (ended, end) = std::sync::mpsc::channel();
    let waiting = spawn(move || ended.send(adapter.wait().unwrap()));
    assert!(end.recv_timeout(3 * SHORT.closed).is_err(), "it was killed");
    signal(libc::SIGCONT);
    end.recv().unwrap();
    keeper.join().unwrap();
    waiting.join().unwrap().unwrap();
    program.kill().unwrap();
    program.wait().unwrap();
    drop(says);
}

#[test]
fn an_adapter_that_reads_nothing_holds_nobody_up() {
    // As much as a pipe holds.
    let unread = vec![b' '; 64 * 1024];
    let Others { says, hears, line, keeper } = keeper(&unread);
    drop(line);
    keeper.join().unwrap();
    assert_eq!(heard(hears), unread);
    drop(says);
}
