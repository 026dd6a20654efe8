//! A bare client of an adapter, ours (`clrbridge adapter`) or another: what any editor could be. Nothing between it and the protocol.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// Longer than any answer takes: only a hang reaches it.
const HANG: Duration = Duration::from_secs(60);

pub struct Adapter {
    child: Child,
    stdin: Option<ChildStdin>,
    messages: Receiver<Value>,
    sequence: i64,
    /// What came while something else was waited for.
    kept: Vec<Value>,
    pub capabilities: Value,
}

impl Adapter {
    /// Started by this command, and ready for breakpoints.
    pub fn start(command: Command) -> Self {
        let mut adapter = Self::connect(command);
        adapter.event("initialized");
        adapter
    }

    /// Started by this command, and initialized: some are ready for breakpoints only when they have launched the program.
    pub fn connect(mut command: Command) -> Self {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        let (sender, messages) = channel();
        std::thread::spawn(move || {
            while let Some(message) = read(&mut stdout) {
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        let stdin = child.stdin.take();
        let mut adapter = Self { child, stdin, messages, sequence: 0, kept: Vec::new(), capabilities: Value::Null };
        adapter.capabilities = adapter.ok("initialize", json!({"adapterID": "test"}));
        adapter
    }

    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// The number of the request.
    pub fn send(&mut self, command: &str, arguments: Value) -> i64 {
        self.sequence += 1;
        let request =
            json!({"seq": self.sequence, "type": "request", "command": command, "arguments": arguments}).to_string();
        let stdin = self.stdin.as_mut().unwrap();
        write!(stdin, "Content-Length: {}\r\n\r\n{request}", request.len()).unwrap();
        stdin.flush().unwrap();
        self.sequence
    }

    /// Writes what is not a request as it should be.
    pub fn raw(&mut self, bytes: &[u8]) {
        let stdin = self.stdin.as_mut().unwrap();
        stdin.write_all(bytes).unwrap();
        stdin.flush().unwrap();
    }

    /// The first message that fits, now or when it comes.
    #[track_caller]
    fn wait(&mut self, what: &str, fits: impl Fn(&Value) -> bool) -> Value {
        if let Some(at) = self.kept.iter().position(&fits) {
            return self.kept.remove(at);
        }
        let until = Instant::now() + HANG;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            match self.messages.recv_timeout(left) {
                Ok(message) if fits(&message) => return message,
                Ok(message) => self.kept.push(message),
                Err(error) => panic!("no {what}: {error}; what came: {:?}", self.kept),
            }
        }
    }

    /// What answers a request, also a refusal.
    #[track_caller]
    pub fn response(&mut self, request: i64) -> Value {
        self.wait("response", |message| message["type"] == "response" && message["request_seq"] == request)
    }

    #[track_caller]
    pub fn ok(&mut self, command: &str, arguments: Value) -> Value {
        let request = self.send(command, arguments.clone());
        let response = self.response(request);
        assert_eq!(response["success"], true, "{command} {arguments}: {response}");
        response["body"].clone()
    }

    /// The words with which a request is refused.
    #[track_caller]
    pub fn refusal(&mut self, command: &str, arguments: Value) -> String {
        let request = self.send(command, arguments.clone());
        let response = self.response(request);
        assert_eq!(response["success"], false, "{command} {arguments}: {response}");
        response["message"].as_str().unwrap().to_owned()
    }

    #[track_caller]
    pub fn event(&mut self, name: &str) -> Value {
        self.wait(name, |message| message["type"] == "event" && message["event"] == name)["body"].clone()
    }

    /// What has come and nobody waited for, in its order.
    pub fn arrived(&mut self) -> Vec<Value> {
        std::mem::take(&mut self.kept)
    }

    /// The next stop, or that the program has ended.
    #[track_caller]
    pub fn stop_or_end(&mut self) -> Value {
        let is_it = |message: &Value| message["event"] == "stopped" || message["event"] == "terminated";
        self.wait("stop", is_it)["body"].clone()
    }

    /// Launches a program; breakpoints by file with their lines, or more of each.
    #[track_caller]
    pub fn launch(&mut self, program: &Path, args: &[&str], breakpoints: &[(&Path, Value)], more: Value) -> Value {
        let mut arguments = json!({"program": program, "args": args});
        for (key, value) in more.as_object().unwrap() {
            arguments[key] = value.clone();
        }
        self.ok("launch", arguments);
        let set = breakpoints
            .iter()
            .map(|(file, lines)| self.ok("setBreakpoints", json!({"source": {"path": file}, "breakpoints": lines})));
        let set: Vec<Value> = set.collect();
        self.ok("configurationDone", json!({}));
        json!(set)
    }

    /// Of the innermost frame of the thread of a stop: the frame.
    #[track_caller]
    pub fn top(&mut self, stop: &Value) -> Value {
        self.ok("stackTrace", json!({"threadId": stop["threadId"], "levels": 1}))["stackFrames"][0].clone()
    }

    /// Until the program has ended.
    #[track_caller]
    pub fn finish(&mut self, stop: &Value) -> Value {
        self.ok("continue", json!({"threadId": stop["threadId"]}));
        self.event("exited")["exitCode"].clone()
    }
}

impl Drop for Adapter {
    fn drop(&mut self) {
        // its end of input lets it end the program
        drop(self.stdin.take());
        let until = Instant::now() + Duration::from_secs(10);
        while Instant::now() < until && matches!(self.child.try_wait(), Ok(None)) {
            std::thread::yield_now();
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn read(from: &mut impl BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if from.read_line(&mut line).ok()? == 0 {
            return None;
        }
        let line = line.trim_end();
        if line.is_empty() {
            break;
        }
        if let Some(number) = line.strip_prefix("Content-Length: ") {
            length = number.parse().ok()?;
        }
    }
    let mut body = vec![0; length];
    from.read_exact(&mut body).ok()?;
    serde_json::from_slice(&body).ok()
}
