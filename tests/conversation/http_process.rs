//! `clrbridge serve` as a process: what it prints, whom it lets listen, what idle connections cost others, and how it ends.
#![cfg(unix)]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, ChildStderr, Command, Stdio};

use crate::stdio::{clrbridge, kill, wait};

/// A server that listens, and the token that it printed.
struct Served {
    child: Child,
    stderr: BufReader<ChildStderr>,
    address: SocketAddr,
    token: String,
}

fn serve() -> Served {
    let mut command = clrbridge(&["serve", "--http", "127.0.0.1:0"]);
    command.env_remove("CLRBRIDGE_TOKEN").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stderr = BufReader::new(child.stderr.take().unwrap());
    let mut line = || {
        let mut line = String::new();
        stderr.read_line(&mut line).unwrap();
        line
    };
    let (first, second, third) = (line(), line(), line());
    let address = first.trim().strip_prefix("clrbridge serves MCP on http://").unwrap().strip_suffix("/mcp").unwrap();
    let token = second.strip_prefix("token: ").unwrap().split(';').next().unwrap().to_owned();
    assert_eq!(third.trim(), format!("dashboard: http://{address}/?token={token}"));
    Served { address: address.parse().unwrap(), token, child, stderr }
}

impl Served {
    /// The first line of the answer.
    fn get(&self, path: &str) -> String {
        let mut stream = TcpStream::connect(self.address).unwrap();
        let (address, token) = (self.address, &self.token);
        let head = format!("Host: {address}\r\nAuthorization: Bearer {token}\r\nConnection: close\r\n");
        stream.write_all(format!("GET {path} HTTP/1.1\r\n{head}\r\n").as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer.lines().next().unwrap_or_default().to_owned()
    }
}

#[test]
fn it_prints_its_address_and_a_new_token_and_a_signal_ends_it() {
    let mut tokens = Vec::new();
    for signal in [libc::SIGTERM, libc::SIGINT] {
        let mut served = serve();
        assert_eq!(served.get("/metrics"), "HTTP/1.1 200 OK");
        let open = TcpStream::connect(served.address).unwrap();
        kill(served.child.id(), signal);
        let mut complaints = String::new();
        served.stderr.read_to_string(&mut complaints).unwrap();
        assert_eq!((wait(served.child).0, complaints.as_str()), (Some(0), ""), "signal {signal}");
        assert!(TcpStream::connect(served.address).is_err());
        drop(open);
        tokens.push(served.token);
    }
    assert!(tokens[0] != tokens[1] && tokens[0].len() == 64);
}

/// At most `wanted` connections, as far as this process may have files.
fn connections(wanted: usize) -> usize {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: it writes the struct that it is given.
    assert_eq!(unsafe { libc::getrlimit(libc::RLIMIT_NOFILE, &raw mut limit) }, 0);
    let files = usize::try_from(limit.rlim_cur).unwrap_or(usize::MAX);
    let most = wanted.min(files.saturating_sub(120));
    assert!(most > 600, "more than the server has at a time: {most}");
    most
}

#[test]
fn connections_that_only_wait_keep_nobody_out() {
    let served = serve();
    let many = connections(1_500);
    let idle: Vec<TcpStream> = (0..many).filter_map(|_| TcpStream::connect(served.address).ok()).collect();
    assert!(idle.len() > many * 9 / 10, "{} of {many}", idle.len());
    for stream in &idle {
        // some are closed by now
        let _ = (&*stream).write_all(b"GET /mcp HTTP/1.1\r\nX: ");
    }
    assert_eq!(served.get("/metrics"), "HTTP/1.1 200 OK");
    kill(served.child.id(), libc::SIGTERM);
    assert_eq!(wait(served.child).0, Some(0));
}

#[test]
fn clients_that_come_all_at_once_are_all_answered() {
    let served = serve();
    let head = format!("Host: {}\r\nAuthorization: Bearer {}\r\nConnection: close\r\n", served.address, served.token);
    let ask = |_| {
        let mut stream = TcpStream::connect(served.address).unwrap();
        stream.write_all(format!("GET /metrics HTTP/1.1\r\n{head}\r\n").as_bytes()).unwrap();
        stream
    };
    let asked: Vec<TcpStream> = (0..connections(1_000)).map(ask).collect();
    for (number, mut stream) in asked.into_iter().enumerate() {
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap_or_else(|error| panic!("{number}: {error}"));
        assert!(answer.starts_with("HTTP/1.1 200 OK"), "{number}: {answer}");
    }
    kill(served.child.id(), libc::SIGTERM);
    assert_eq!(wait(served.child).0, Some(0));
}

#[test]
fn a_closed_stderr_fails_nobody() {
    let mut served = serve();
    // its end closes: whatever is logged from now on has nowhere to go
    served.stderr = BufReader::new(Command::new("true").stderr(Stdio::piped()).spawn().unwrap().stderr.take().unwrap());
    for _ in 0..3 {
        let mut stream = TcpStream::connect(served.address).unwrap();
        let head = format!("Host: {}\r\nAuthorization: Bearer {}\r\n", served.address, served.token);
        let types = "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n";
        let body = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}"#;
        let request = format!("POST /mcp HTTP/1.1\r\n{head}{types}Content-Length: {}\r\n\r\n{body}", body.len());
        // gone before its answer, which is logged
        stream.write_all(request.as_bytes()).unwrap();
        drop(stream);
    }
    assert_eq!(served.get("/metrics"), "HTTP/1.1 200 OK");
    kill(served.child.id(), libc::SIGTERM);
    assert_eq!(wait(served.child).0, Some(0));
}

#[test]
fn other_machines_are_let_in_only_with_a_flag_and_a_token_of_the_users() {
    for (arguments, token, reason) in [
        (&["serve", "--http", "0.0.0.0:0"][..], None, "--allow-remote"),
        (&["serve", "--http", "0.0.0.0:0", "--allow-remote"], None, "CLRBRIDGE_TOKEN"),
        (&["serve", "--http", "0.0.0.0:0", "--allow-remote"], Some("short"), "16 characters"),
        (&["serve", "--http", "127.0.0.1:0"], Some("short"), "16 characters"),
        (
            &["serve", "--http", "192.0.2.1:0", "--allow-remote"],
            Some("long-enough-to-do"),
            "cannot listen on 192.0.2.1:0",
        ),
        (&["serve", "--http", "localhost"], None, "invalid value"),
        (&["serve"], None, "--http"),
    ] {
        let mut command = clrbridge(arguments);
        command.env_remove("CLRBRIDGE_TOKEN").envs(token.map(|token| ("CLRBRIDGE_TOKEN", token)));
        let output = command.stdin(Stdio::null()).output().unwrap();
        let errors = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success() && errors.contains(reason), "{arguments:?}: {errors}");
    }
}
