//! A debug adapter that does what a test says, within this process.
//!
//! What a test does not care about is answered from a [`World`]: the start, breakpoints, threads, stacks, variables. What
//! moves the program (`continue`, steps, `pause`) waits for the test: `adapter.expect::<Next>().await.reply(..)`.
//! Time is paused, so whatever is awaited here either comes or the test fails at once.
#![allow(dead_code)]

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use bytes::Bytes;
use clrbridge::dap::Request;
use clrbridge::session::{Player, Settings};
use clrbridge::transport::replay::ReplayEnd;
use clrbridge::transport::{Connection, Incoming, Outgoing};
use serde_json::{Value, json};
use tokio::sync::{mpsc, oneshot};

/// What is not there by then never comes; paused time makes it short.
pub const PATIENCE: Duration = Duration::from_secs(3600);

/// What the program looks like when it is stopped.
#[derive(Debug, Clone, Default)]
pub struct World {
    pub threads: Vec<(i64, String)>,
    /// Top first; a thread without an entry has no frames.
    pub stacks: HashMap<i64, Vec<Frame>>,
    /// Name, type and value, the same in every frame.
    pub locals: Vec<(String, String, String)>,
    /// What `evaluate` answers; a local answers by itself, anything else is refused.
    pub values: HashMap<String, Result<(String, String), String>>,
    /// Whether breakpoints bind as soon as they are set.
    pub binds: bool,
    /// Lines that bind somewhere else.
    pub moved: HashMap<i64, i64>,
    pub exception: Option<Value>,
    pub capabilities: Value,
    /// Commands that wait for the test from the very start.
    pub held: Vec<&'static str>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    pub name: String,
    pub path: Option<String>,
    pub line: i64,
    pub column: i64,
}

impl Frame {
    pub fn at(name: &str, path: &str, line: i64) -> Self {
        Self { name: name.into(), path: Some(path.into()), line, column: 1 }
    }
    /// A line of an exception's trace.
    pub fn of_trace(name: &str, path: &str, line: i64) -> Self {
        Self { column: 0, ..Self::at(name, path, line) }
    }
    pub fn external(name: &str) -> Self {
        Self { name: name.into(), path: None, line: 0, column: 0 }
    }
}

/// A request that waits for its answer.
#[derive(Debug)]
pub struct Asked {
    pub seq: i64,
    pub command: String,
    pub arguments: Value,
    adapter: Adapter,
}

impl Asked {
    pub fn reply(self, body: Value) {
        self.adapter.respond(self.seq, &self.command, Ok(body));
    }
    pub fn ok(self) {
        self.reply(json!({}));
    }
    pub fn refuse(self, words: &str) {
        self.adapter.respond(self.seq, &self.command, Err(words.into()));
    }
    /// What a `World` answers.
    pub fn usual(self) {
        let adapter = self.adapter.clone();
        adapter.answer_usually(self);
    }
}

/// One adapter that was started. Clones are the same.
#[derive(Debug, Clone)]
pub struct Adapter {
    shared: Arc<Mutex<Shared>>,
    outgoing: Outgoing,
    moved: Arc<tokio::sync::Notify>,
}

#[derive(Debug)]
struct Shared {
    world: World,
    /// Commands that wait for the test.
    held: Vec<&'static str>,
    waiting: VecDeque<Asked>,
    /// All requests: command and arguments.
    log: Vec<(String, Value)>,
    ids: HashMap<(String, i64), i64>,
    end: Option<oneshot::Sender<Option<i32>>>,
    /// The code it ends with when its stdin is closed; `None`: it stays.
    on_close: Option<i32>,
    closed: bool,
    own_seq: i64,
}

/// Where adapters come from: a `Settings` whose every launch and attach starts one.
pub struct Stage {
    adapters: mpsc::UnboundedReceiver<Adapter>,
    world: Arc<Mutex<World>>,
}

impl Stage {
    /// `adapter`: whose quirks are played.
    pub fn new(adapter: &str, world: World) -> (Self, Settings) {
        let (tx, adapters) = mpsc::unbounded_channel();
        let world = Arc::new(Mutex::new(world));
        let template = Arc::clone(&world);
        let play = move |connection: Connection| {
            let adapter = Adapter::new(template.lock().unwrap().clone(), connection.outgoing.clone());
            let (end, ended) = oneshot::channel();
            adapter.lock().end = Some(end);
            tx.send(adapter.clone()).ok();
            let playing: futures::future::BoxFuture<'static, ReplayEnd> = Box::pin(adapter.play(connection, ended));
            playing
        };
        let player = Player { adapter: adapter.into(), play: Arc::new(play) };
        (Self { adapters, world }, Settings { player: Some(player), ..Settings::default() })
    }

    /// The next adapter that is started.
    pub async fn adapter(&mut self) -> Adapter {
        tokio::time::timeout(PATIENCE, self.adapters.recv()).await.expect("no adapter was started").unwrap()
    }

    /// The same without a limit; `None` when no more can come.
    pub async fn next(&mut self) -> Option<Adapter> {
        self.adapters.recv().await
    }

    /// Whether none was started that the test does not know of.
    pub fn is_quiet(&mut self) -> bool {
        self.adapters.is_empty()
    }
}

/// Until nobody has anything to do: paused time moves only then.
pub async fn settle() {
    tokio::time::sleep(Duration::from_millis(1)).await;
}

impl Adapter {
    fn new(world: World, outgoing: Outgoing) -> Self {
        let mut held = vec!["continue", "next", "stepIn", "stepOut", "pause"];
        held.extend(&world.held);
        let shared = Shared {
            world,
            held,
            waiting: VecDeque::new(),
            log: Vec::new(),
            ids: HashMap::new(),
            end: None,
            on_close: Some(0),
            closed: false,
            own_seq: 0,
        };
        Self { shared: Arc::new(Mutex::new(shared)), outgoing, moved: Arc::default() }
    }

    fn lock(&self) -> MutexGuard<'_, Shared> {
        self.shared.lock().unwrap()
    }

    async fn play(self, mut connection: Connection, mut ended: oneshot::Receiver<Option<i32>>) -> ReplayEnd {
        loop {
            let incoming = tokio::select! {
                code = &mut ended => return ReplayEnd { exit_code: code.ok().flatten() },
                incoming = connection.incoming.recv() => incoming,
            };
            match incoming {
                Some(Incoming::Body(body)) => self.take(&body),
                _ => {
                    let code = {
                        let mut shared = self.lock();
                        shared.closed = true;
                        shared.on_close
                    };
                    self.moved.notify_waiters();
                    match code {
                        Some(code) => return ReplayEnd { exit_code: Some(code) },
                        None => return ReplayEnd { exit_code: ended.await.ok().flatten() },
                    }
                }
            }
        }
    }

    fn take(&self, body: &Bytes) {
        let request: Value = serde_json::from_slice(body).unwrap();
        if request["type"] != "request" {
            self.lock().log.push(("response".into(), request));
            return self.moved.notify_waiters();
        }
        let asked = Asked {
            seq: request["seq"].as_i64().unwrap(),
            command: request["command"].as_str().unwrap().into(),
            arguments: request["arguments"].clone(),
            adapter: self.clone(),
        };
        let mut shared = self.lock();
        shared.log.push((asked.command.clone(), asked.arguments.clone()));
        let held = shared.held.iter().any(|held| *held == asked.command);
        if held {
            shared.waiting.push_back(asked);
            drop(shared);
        } else {
            drop(shared);
            self.answer_usually(asked);
        }
        self.moved.notify_waiters();
    }

    /// The next request of this kind, which waits for its answer from now on.
    pub async fn expect<R: Request>(&self) -> Asked {
        self.hold::<R>();
        let coming = async {
            loop {
                let moved = self.moved.notified();
                let found = {
                    let mut shared = self.lock();
                    let at = shared.waiting.iter().position(|asked| asked.command == R::COMMAND);
                    at.and_then(|at| shared.waiting.remove(at))
                };
                match found {
                    Some(asked) => return asked,
                    None => moved.await,
                }
            }
        };
        match tokio::time::timeout(PATIENCE, coming).await {
            Ok(asked) => asked,
            Err(_) => panic!("`{}` was never asked; there was {:?}", R::COMMAND, self.commands()),
        }
    }

    /// The next request that waits, whatever it is.
    pub async fn next_waiting(&self) -> Asked {
        loop {
            let moved = self.moved.notified();
            let found = self.lock().waiting.pop_front();
            match found {
                Some(asked) => return asked,
                None => moved.await,
            }
        }
    }

    /// A request of this name that waits, if there is one.
    pub fn take_waiting(&self, command: &str) -> Option<Asked> {
        let mut shared = self.lock();
        let at = shared.waiting.iter().position(|asked| asked.command == command)?;
        shared.waiting.remove(at)
    }

    /// Requests of this kind wait for the test.
    pub fn hold<R: Request>(&self) {
        let mut shared = self.lock();
        if !shared.held.contains(&R::COMMAND) {
            shared.held.push(R::COMMAND);
        }
    }

    /// Requests of this kind are answered as usual again, those that wait too.
    pub fn release<R: Request>(&self) {
        let waiting: Vec<Asked> = {
            let mut shared = self.lock();
            shared.held.retain(|held| *held != R::COMMAND);
            let (out, keep): (VecDeque<Asked>, VecDeque<Asked>) =
                shared.waiting.drain(..).partition(|asked| asked.command == R::COMMAND);
            shared.waiting = keep;
            out.into()
        };
        for asked in waiting {
            asked.usual();
        }
    }

    pub fn world(&self, change: impl FnOnce(&mut World)) {
        change(&mut self.lock().world);
    }

    /// Requests that wait for the test.
    pub fn waiting(&self) -> Vec<String> {
        self.lock().waiting.iter().map(|asked| asked.command.clone()).collect()
    }

    /// The commands of all requests so far.
    pub fn commands(&self) -> Vec<String> {
        self.lock().log.iter().map(|(command, _)| command.clone()).collect()
    }

    /// The arguments of all requests of this kind.
    pub fn asked<R: Request>(&self) -> Vec<Value> {
        let shared = self.lock();
        shared.log.iter().filter(|(command, _)| command == R::COMMAND).map(|(_, arguments)| arguments.clone()).collect()
    }

    /// What we answered to requests of the adapter.
    pub fn responses(&self) -> Vec<Value> {
        let shared = self.lock();
        shared.log.iter().filter(|(command, _)| command == "response").map(|(_, message)| message.clone()).collect()
    }

    pub fn stdin_is_closed(&self) -> bool {
        self.lock().closed
    }

    pub fn emit(&self, event: &str, body: Value) {
        let seq = self.next_seq();
        self.body(json!({"seq": seq, "type": "event", "event": event, "body": body}).to_string());
    }

    pub fn stopped(&self, reason: &str, thread: i64) {
        self.emit("stopped", json!({"reason": reason, "threadId": thread, "allThreadsStopped": true}));
    }

    /// The thread stops at this line of the file it is in.
    pub fn stopped_at(&self, reason: &str, thread: i64, line: i64) {
        self.at(thread, line);
        self.stopped(reason, thread);
    }

    /// It could not evaluate the condition of a breakpoint, and so stops the first thread there.
    pub fn refuses_condition(&self, path: &str, line: i64) {
        let message = "The condition for a breakpoint failed to execute. The condition was 'x > 1'. The error returned was 'error: '.";
        let breakpoint =
            json!({"id": self.breakpoint_id(path, line), "verified": true, "line": line, "message": message});
        self.emit("breakpoint", json!({"reason": "changed", "breakpoint": breakpoint}));
        let thread = self.lock().world.threads.first().map_or(1, |(id, _)| *id);
        self.stopped_at("breakpoint", thread, line);
    }

    pub fn at(&self, thread: i64, line: i64) {
        self.world(|world| {
            if let Some(top) = world.stacks.get_mut(&thread).and_then(|stack| stack.first_mut()) {
                top.line = line;
            }
        });
    }

    /// A body of any kind in a whole frame.
    pub fn body(&self, body: impl Into<Bytes>) {
        self.outgoing.send(body.into());
    }

    pub fn respond(&self, request: i64, command: &str, result: Result<Value, String>) {
        let seq = self.next_seq();
        let message = match result {
            Ok(body) => {
                json!({"seq": seq, "type": "response", "request_seq": request, "success": true, "command": command, "body": body})
            }
            Err(words) => {
                json!({"seq": seq, "type": "response", "request_seq": request, "success": false, "command": command, "message": words})
            }
        };
        self.body(message.to_string());
    }

    /// The program ends by itself.
    pub fn exits(&self, code: i64) {
        self.emit("exited", json!({"exitCode": code}));
        self.emit("terminated", json!({}));
    }

    /// The adapter's process ends; a negative code is a signal.
    pub fn dies(&self, code: i32) {
        self.outgoing.close();
        if let Some(end) = self.lock().end.take() {
            end.send(Some(code)).ok();
        }
    }

    /// Its stdout ends while it goes on.
    pub fn closes_stdout(&self) {
        self.outgoing.close();
    }

    /// It does not end when its stdin is closed.
    pub fn stays(&self) {
        self.lock().on_close = None;
    }

    fn next_seq(&self) -> i64 {
        let mut shared = self.lock();
        shared.own_seq += 1;
        shared.own_seq
    }

    pub fn breakpoint_id(&self, path: &str, line: i64) -> Option<i64> {
        self.lock().ids.get(&(path.to_owned(), line)).copied()
    }

    fn answer_usually(&self, asked: Asked) {
        let arguments = &asked.arguments;
        let result = match asked.command.as_str() {
            "initialize" => {
                let capabilities = self.lock().world.capabilities.clone();
                self.respond(asked.seq, "initialize", Ok(capabilities));
                return self.emit("initialized", json!({}));
            }
            "threads" => {
                let shared = self.lock();
                let threads: Vec<Value> =
                    shared.world.threads.iter().map(|(id, name)| json!({"id": id, "name": name})).collect();
                Ok(json!({"threads": threads}))
            }
            "stackTrace" => self.stack(arguments),
            "scopes" => Ok(json!({"scopes": [{"name": "Locals", "variablesReference": 1, "expensive": false}]})),
            "variables" => self.variables(arguments),
            "evaluate" => self.evaluate(arguments["expression"].as_str().unwrap_or_default()),
            "setBreakpoints" => {
                let path = arguments["source"]["path"].as_str().unwrap_or_default().to_owned();
                Ok(self.set(&path, arguments["breakpoints"].as_array().cloned().unwrap_or_default()))
            }
            "setFunctionBreakpoints" => {
                Ok(self.set("function", arguments["breakpoints"].as_array().cloned().unwrap_or_default()))
            }
            "setExceptionBreakpoints" => Ok(json!({})),
            "exceptionInfo" => match self.lock().world.exception.clone() {
                Some(exception) => Ok(exception),
                None => Err("Failed command 'exceptionInfo' : 0x80004005".into()),
            },
            "launch" | "attach" | "configurationDone" | "disconnect" | "pause" | "continue" | "next" | "stepIn"
            | "stepOut" | "setExpression" => Ok(json!({})),
            other => Err(format!("Failed command '{other}' : 0x80004001")),
        };
        self.respond(asked.seq, &asked.command, result);
    }

    fn set(&self, path: &str, wanted: Vec<Value>) -> Value {
        let mut shared = self.lock();
        let mut answers = Vec::new();
        for (at, breakpoint) in wanted.iter().enumerate() {
            let line = breakpoint["line"].as_i64().unwrap_or(at as i64);
            let fresh = shared.ids.len() as i64 + 1;
            let id = *shared.ids.entry((path.to_owned(), line)).or_insert(fresh);
            let bound = shared.world.moved.get(&line).copied().unwrap_or(line);
            answers.push(match shared.world.binds {
                true => json!({"id": id, "verified": true, "line": bound, "source": {"path": path}}),
                false => json!({"id": id, "verified": false, "message": "The breakpoint is pending and will be resolved when debugging starts."}),
            });
        }
        json!({"breakpoints": answers})
    }

    fn stack(&self, arguments: &Value) -> Result<Value, String> {
        let shared = self.lock();
        let thread = arguments["threadId"].as_i64().unwrap_or(0);
        let Some(frames) = shared.world.stacks.get(&thread) else {
            return Err("Failed command 'stackTrace' : 0x80070057".into());
        };
        let start = arguments["startFrame"].as_u64().unwrap_or(0) as usize;
        let levels = match arguments["levels"].as_u64().unwrap_or(0) {
            0 => usize::MAX,
            levels => levels as usize,
        };
        let shown: Vec<Value> = frames
            .iter()
            .enumerate()
            .skip(start)
            .take(levels)
            .map(|(at, frame)| {
                let mut reported =
                    json!({"id": thread * 100_000 + at as i64, "name": frame.name, "line": frame.line, "column": frame.column});
                if let Some(path) = &frame.path {
                    reported["source"] = json!({"name": "Program.cs", "path": path});
                    if frame.column == 0 {
                        reported["moduleId"] = json!("");
                    }
                }
                reported
            })
            .collect();
        Ok(json!({"stackFrames": shown, "totalFrames": frames.len()}))
    }

    fn variables(&self, arguments: &Value) -> Result<Value, String> {
        let shared = self.lock();
        let start = arguments["start"].as_u64().unwrap_or(0) as usize;
        let count = arguments["count"].as_u64().filter(|count| *count > 0).map_or(usize::MAX, |count| count as usize);
        let list: Vec<Value> = shared
            .world
            .locals
            .iter()
            .skip(start)
            .take(count)
            .map(|(name, type_name, value)| {
                json!({"name": name, "type": type_name, "value": value, "evaluateName": name, "variablesReference": 0})
            })
            .collect();
        Ok(json!({"variables": list}))
    }

    fn evaluate(&self, expression: &str) -> Result<Value, String> {
        let shared = self.lock();
        let local = shared.world.locals.iter().find(|(name, _, _)| name == expression);
        let known = shared.world.values.get(expression).cloned();
        match known.or_else(|| local.map(|(_, type_name, value)| Ok((type_name.clone(), value.clone())))) {
            Some(Ok((type_name, value))) => Ok(json!({"result": value, "type": type_name, "variablesReference": 0})),
            Some(Err(words)) => Err(words),
            None => Err(format!("error: The name '{expression}' does not exist in the current context")),
        }
    }
}
