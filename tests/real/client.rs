//! A small MCP client over the stdio of the real binary: calls that may overlap, cancellation, an end of every kind.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::renderings::closed;

/// Longer than any deadline of the product's: only a hang reaches it.
const HANG: Duration = Duration::from_secs(150);

pub struct Client {
    child: Child,
    stdin: Option<ChildStdin>,
    waiting: Waiting,
    /// What the server wrote to stderr.
    log: Arc<Mutex<String>>,
    logging: Option<JoinHandle<()>>,
    next: u64,
    /// Programs the server reported.
    pub pids: Vec<u32>,
    /// Of the listed tools, closed: what their answers may have.
    schemas: HashMap<String, Value>,
}

type Waiting = Arc<Mutex<HashMap<u64, Sender<Value>>>>;

/// A call under way.
pub struct Ticket {
    pub id: u64,
    what: String,
    receiver: Receiver<Value>,
}

/// What a tool answered.
#[derive(Debug, Clone)]
pub struct Reply {
    what: String,
    pub value: Value,
    pub text: String,
    pub failed: bool,
}

impl Client {
    /// Started and initialized.
    pub fn start(mut command: Command) -> Self {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let waiting = Waiting::default();
        let (stdout, for_reader) = (child.stdout.take().unwrap(), Arc::clone(&waiting));
        std::thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                let message: Value = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"));
                let tell = message["id"].as_u64().and_then(|id| for_reader.lock().unwrap().remove(&id));
                if let Some(tell) = tell {
                    let _ = tell.send(message);
                }
            }
            // Whoever waits hears that nothing comes any more.
            for_reader.lock().unwrap().clear();
        });
        // Read away: a full pipe would stop the server.
        let stderr = child.stderr.take().unwrap();
        let log = Arc::<Mutex<String>>::default();
        let to_log = Arc::clone(&log);
        let logging = std::thread::spawn(move || {
            for line in BufReader::new(stderr).lines().map_while(Result::ok) {
                let mut log = to_log.lock().unwrap();
                log.push_str(&line);
                log.push('\n');
            }
        });
        let stdin = child.stdin.take();
        let logging = Some(logging);
        let mut client =
            Self { child, stdin, waiting, log, logging, next: 1, pids: Vec::new(), schemas: HashMap::new() };
        let hello = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "real tests", "version": "1"}});
        let ticket = client.request("initialize", hello);
        assert_eq!(ticket.message()["result"]["serverInfo"]["name"], "clrbridge");
        client.notify("notifications/initialized", json!({}));
        client.schemas = client.listed_schemas();
        client
    }

    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Calls a tool and waits for its answer.
    pub fn call(&mut self, tool: &str, arguments: Value) -> Reply {
        let reply = self.send(tool, arguments).reply();
        self.assert_declared(tool, &reply);
        if let Some(pid) = reply.value["pid"].as_u64() {
            self.pids.push(u32::try_from(pid).unwrap());
        }
        reply
    }

    /// An answer has only what the tool's schema names.
    #[track_caller]
    fn assert_declared(&self, tool: &str, reply: &Reply) {
        let Some(schema) = self.schemas.get(tool).filter(|_| !reply.value.is_null()) else { return };
        let validator = jsonschema::validator_for(schema).unwrap();
        let faults: Vec<String> = validator.iter_errors(&reply.value).map(|fault| fault.to_string()).collect();
        assert!(faults.is_empty(), "{tool} {}: {faults:?}", reply.value);
    }

    /// What each tool says that it answers, and no more than that.
    fn listed_schemas(&mut self) -> HashMap<String, Value> {
        let mut listed = self.request("tools/list", json!({})).message();
        let tools = listed["result"]["tools"].as_array_mut().unwrap();
        let schemas =
            tools.iter_mut().map(|tool| (tool["name"].as_str().unwrap().to_owned(), tool["outputSchema"].take()));
        let mut schemas: HashMap<String, Value> = schemas.filter(|(_, schema)| !schema.is_null()).collect();
        schemas.values_mut().for_each(closed);
        schemas
    }

    /// [`Client::call`], which must not fail.
    #[track_caller]
    pub fn ok(&mut self, tool: &str, arguments: Value) -> Value {
        self.call(tool, arguments).ok()
    }

    /// What expressions evaluate to: all of them that do not are named.
    #[track_caller]
    pub fn gives(&mut self, expressions: &[(&str, &str)]) {
        let wrong: Vec<String> = expressions
            .iter()
            .filter_map(|(expression, value)| {
                let answer = self.call("evaluate", json!({"expression": expression})).value;
                (answer["value"] != *value).then(|| format!("{expression}, which is {value}: {answer}"))
            })
            .collect();
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    /// [`Client::call`], which must fail with this code.
    #[track_caller]
    pub fn error(&mut self, code: &str, tool: &str, arguments: Value) -> Value {
        self.call(tool, arguments).error(code)
    }

    /// Calls a tool; the answer is the ticket's.
    pub fn send(&mut self, tool: &str, arguments: Value) -> Ticket {
        self.request("tools/call", json!({"name": tool, "arguments": arguments}))
    }

    /// Says that the answer is no longer wanted.
    pub fn cancel(&mut self, ticket: Ticket) {
        self.notify("notifications/cancelled", json!({"requestId": ticket.id}));
    }

    fn request(&mut self, method: &str, params: Value) -> Ticket {
        let id = self.next;
        self.next += 1;
        let (sender, receiver) = channel();
        self.waiting.lock().unwrap().insert(id, sender);
        let what = format!("{method} {params}");
        self.write(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        Ticket { id, what, receiver }
    }

    fn notify(&mut self, method: &str, params: Value) {
        self.write(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    fn write(&mut self, message: &Value) {
        let stdin = self.stdin.as_mut().expect("stdin is open");
        // A server that is gone shows in the missing answer.
        let _ = stdin.write_all(format!("{message}\n").as_bytes());
    }

    /// Closes the server's stdin and waits for its end.
    pub fn close(mut self) -> Duration {
        self.stdin = None;
        self.wait_for_end()
    }

    /// The same, and what the server wrote to stderr.
    pub fn close_with_log(mut self) -> String {
        self.stdin = None;
        self.wait_for_end();
        self.logging.take().unwrap().join().unwrap();
        std::mem::take(&mut self.log.lock().unwrap())
    }

    /// Sends a signal and waits for the end.
    pub fn end_by(mut self, signal: i32) -> Duration {
        super::leftovers::signal(self.pid(), signal);
        self.wait_for_end()
    }

    fn wait_for_end(&mut self) -> Duration {
        let began = Instant::now();
        while self.child.try_wait().unwrap().is_none() {
            assert!(began.elapsed() < HANG, "the server does not end");
            std::thread::sleep(Duration::from_millis(2));
        }
        began.elapsed()
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        self.stdin = None;
        let until = Instant::now() + Duration::from_secs(60);
        while Instant::now() < until {
            if !matches!(self.child.try_wait(), Ok(None)) {
                let log = self.log.lock().unwrap();
                assert!(std::thread::panicking() || !log.contains("panicked"), "the server panicked: {log}");
                return;
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
        assert!(std::thread::panicking(), "the server does not end when its stdin closes");
    }
}

impl Ticket {
    /// The whole message.
    #[track_caller]
    fn message(&self) -> Value {
        match self.receiver.recv_timeout(HANG) {
            Ok(message) => message,
            Err(error) => panic!("no answer ({error}) to {}", self.what),
        }
    }

    #[track_caller]
    pub fn reply(self) -> Reply {
        let mut message = self.message();
        let mut result = message["result"].take();
        assert!(!result.is_null(), "{} to {}", message["error"], self.what);
        Reply {
            what: self.what,
            value: result["structuredContent"].take(),
            text: result["content"][0]["text"].as_str().unwrap_or_default().to_owned(),
            failed: result["isError"] == true,
        }
    }
}

impl Reply {
    #[track_caller]
    pub fn ok(self) -> Value {
        assert!(!self.failed, "{}\n  to {}", self.value, self.what);
        self.value
    }

    #[track_caller]
    pub fn error(self, code: &str) -> Value {
        assert!(self.failed, "not an error: {}\n  to {}", self.value, self.what);
        assert_eq!(self.value["code"], code, "{}\n  to {}", self.value, self.what);
        assert!(!self.value["message"].as_str().unwrap_or_default().is_empty(), "{}", self.value);
        self.value
    }
}
