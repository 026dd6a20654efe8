//! The adapter's one thread: what comes next, and who answers it.

use std::collections::VecDeque;
use std::io::{BufReader, Read, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;
use serde_json::value::RawValue;

use super::framing;
use super::input::{Input, Request};
use super::recorded::Recorded;
use super::references::References;
use super::starting::Start;
use crate::breakpoints::Breakpoints;
use crate::calls::{CallError, Waiter};
use crate::com;
use crate::exception_filters::Filters;
use crate::start::Debugging;
use crate::stopped::Stopped;
use crate::target::{Cause, Kind, Notice};

/// A stop, and what was handed out at it.
pub struct Pause {
    pub stopped: Stopped,
    pub thread: u32,
    pub cause: Cause,
    pub references: References,
    /// Of the exception, once it was asked for.
    pub recorded: Option<Vec<Recorded>>,
}

pub enum State {
    /// Nothing is debugged yet.
    Idle,
    Running,
    Stopped(Box<Pause>),
    Ended,
}

/// An answer's body, or why there is none.
pub type Answer = Result<Option<Box<RawValue>>, String>;

pub struct Server {
    pub(super) output: Box<dyn Write + Send>,
    sequence: i64,
    inputs: Receiver<Input>,
    pub(super) sender: Sender<Input>,
    /// What came during a call in the program.
    later: VecDeque<Input>,
    pub(super) start: Start,
    /// Until there is a program.
    pub(super) breakpoints: Option<Breakpoints>,
    pub(super) filters: Option<Filters>,
    pub(super) debugging: Option<Debugging>,
    pub(super) state: State,
    /// Stops that came while another one was looked at.
    pub(super) pending: VecDeque<(u32, Cause)>,
    /// Streams of the program that may bring more.
    pub(super) open_streams: u32,
    pub(super) exit_code: Option<i32>,
    pub(super) has_exited: bool,
    pub(super) is_told_ended: bool,
    /// A request that was just answered lets the program run.
    pub(super) is_resuming: bool,
    /// One that was just answered moved a thread.
    pub(super) moved: Option<u32>,
    /// The runtime has told of one.
    pub(super) has_threads: bool,
    is_over: bool,
}

impl Server {
    pub fn new(output: Box<dyn Write + Send>) -> Self {
        let (sender, inputs) = channel();
        Self {
            output,
            sequence: 0,
            inputs,
            sender,
            later: VecDeque::new(),
            start: Start::default(),
            breakpoints: Some(Breakpoints::default()),
            filters: Some(Filters::default()),
            debugging: None,
            state: State::Idle,
            pending: VecDeque::new(),
            open_streams: 0,
            exit_code: None,
            has_exited: false,
            is_told_ended: false,
            is_resuming: false,
            moved: None,
            has_threads: false,
            is_over: false,
        }
    }

    /// Until the client goes.
    pub fn run(mut self, input: Box<dyn Read + Send>) {
        let sender = self.sender.clone();
        std::thread::spawn(move || {
            let mut input = BufReader::new(input);
            while let Ok(Some(body)) = framing::read(&mut input) {
                // what is not a request is not for us
                if let Ok(request) = serde_json::from_slice::<Request>(&body)
                    && sender.send(Input::Request(request)).is_err()
                {
                    return;
                }
            }
            let _ = sender.send(Input::RequestsEnded);
        });
        while !self.is_over {
            let next = self.later.pop_front().or_else(|| self.inputs.recv().ok());
            let Some(next) = next else { break };
            self.take(next);
        }
    }

    /// Takes what comes next, requests excepted; false when the time is over.
    pub(super) fn take_within(&mut self, limit: Duration) -> bool {
        match self.inputs.recv_timeout(limit) {
            Ok(input @ (Input::Request(_) | Input::RequestsEnded)) => self.later.push_back(input),
            Ok(input) => self.take(input),
            Err(_) => return false,
        }
        true
    }

    fn take(&mut self, input: Input) {
        match input {
            Input::Request(request) => self.answer(request),
            Input::RequestsEnded => {
                self.let_go(None);
                self.is_over = true;
            }
            Input::Notice(notice) => self.notice(notice),
            Input::Output(text) => self.tell_output(text),
            Input::OutputEnded => {
                self.open_streams = self.open_streams.saturating_sub(1);
                self.tell_end();
            }
            Input::ProgramEnded(code) => {
                self.exit_code = code;
                self.has_exited = true;
                self.tell_end();
            }
        }
    }

    fn answer(&mut self, request: Request) {
        let answer = self.dispatch(&request);
        self.respond(&request, answer);
        self.after(&request.command);
    }

    /// What must not begin before its request is answered.
    fn after(&mut self, command: &str) {
        match command {
            "initialize" => self.event("initialized", None),
            "disconnect" => self.is_over = true,
            "goto" => self.tell_moved(),
            _ => self.run_on(),
        }
    }

    fn dispatch(&mut self, request: &Request) -> Answer {
        let stuck_in = self.debugging.as_ref().and_then(|debugging| debugging.target.stuck_in());
        if let Some(method) = stuck_in.filter(|_| !matches!(request.command.as_str(), "disconnect" | "terminate")) {
            let words = format!("an evaluation is running in {method} and cannot be interrupted: end the program");
            return Err(refused(&words, com::HResult::TIMEOUT));
        }
        match request.command.as_str() {
            "initialize" => body(super::capabilities::body()),
            "launch" => self.launch(read(request)?),
            "attach" => self.attach(read(request)?),
            "configurationDone" => self.configuration_done(),
            "disconnect" => self.disconnect(&read(request)?),
            "terminate" => self.terminate(),
            "setBreakpoints" => self.set_breakpoints(&read(request)?),
            "setFunctionBreakpoints" => self.set_function_breakpoints(&read(request)?),
            "setExceptionBreakpoints" => self.set_exception_breakpoints(&read(request)?),
            "breakpointLocations" => self.breakpoint_locations(&read::<Value>(request)?),
            "threads" => self.threads(),
            "stackTrace" => self.stack_trace(&read(request)?),
            "scopes" => self.scopes(&read(request)?),
            "variables" => self.variables(&read(request)?),
            "evaluate" => self.evaluate(&read(request)?),
            "setVariable" => self.set_variable(&read(request)?),
            "setExpression" => self.set_expression(&read(request)?),
            "exceptionInfo" => self.exception_info(&read(request)?),
            "modules" => self.modules(&read(request)?),
            "continue" => self.resume(&read(request)?),
            "next" => self.step(&read(request)?, Kind::Over),
            "stepIn" => self.step(&read(request)?, Kind::Into),
            "stepOut" => self.step(&read(request)?, Kind::Out),
            "pause" => self.pause(&read(request)?),
            "gotoTargets" => self.goto_targets(&read::<Value>(request)?),
            "goto" => self.goto(&read::<Value>(request)?),
            "readMemory" => self.read_memory(&read::<Value>(request)?),
            "clrHeapStatistics" => self.heap_statistics(&read(request)?),
            "clrHeapFind" => self.heap_find(&read(request)?),
            "clrHeapRoots" => self.heap_roots(&read(request)?),
            // a request that is under way is ended by the one that waits behind it
            "cancel" => Ok(None),
            other => Err(format!("'{other}' is not supported")),
        }
    }

    fn respond(&mut self, request: &Request, answer: Answer) {
        #[derive(Serialize)]
        struct Response<'a> {
            seq: i64,
            #[serde(rename = "type")]
            kind: &'a str,
            request_seq: i64,
            success: bool,
            command: &'a str,
            #[serde(skip_serializing_if = "Option::is_none")]
            message: Option<&'a str>,
            #[serde(skip_serializing_if = "Option::is_none")]
            body: Option<&'a RawValue>,
        }
        let (body, message) = match &answer {
            Ok(body) => (body.as_deref(), None),
            Err(message) => (None, Some(message.as_str())),
        };
        let seq = self.next_sequence();
        self.write(&Response {
            seq,
            kind: "response",
            request_seq: request.seq,
            success: message.is_none(),
            command: &request.command,
            message,
            body,
        });
    }

    pub(super) fn event(&mut self, event: &str, body: Option<Value>) {
        #[derive(Serialize)]
        struct Event<'a> {
            seq: i64,
            #[serde(rename = "type")]
            kind: &'a str,
            event: &'a str,
            #[serde(skip_serializing_if = "Option::is_none")]
            body: Option<Value>,
        }
        let seq = self.next_sequence();
        self.write(&Event { seq, kind: "event", event, body });
    }

    fn next_sequence(&mut self) -> i64 {
        self.sequence += 1;
        self.sequence
    }

    fn write(&mut self, message: &impl Serialize) {
        let Ok(bytes) = serde_json::to_vec(message) else { return };
        // a client that no longer reads has gone: the end of its requests shows that
        let _ = framing::write(&mut self.output, &bytes);
    }

    /// The stop that is looked at.
    ///
    /// # Errors
    /// The program does not stand still.
    pub(super) fn paused(&mut self) -> Result<&mut Pause, String> {
        match &mut self.state {
            State::Stopped(pause) => Ok(pause),
            State::Running => Err(refused("the program is running", com::HResult::NOT_SYNCHRONIZED)),
            State::Idle | State::Ended => Err(refused("no program is being debugged", com::HResult(0x8000_4005))),
        }
    }

    /// Does `act` with the stop out of the server's hands, so that it can wait for calls.
    pub(super) fn with_pause<T>(
        &mut self,
        act: impl FnOnce(&mut Self, &mut Pause) -> Result<T, String>,
    ) -> Result<T, String> {
        self.paused()?;
        let State::Stopped(mut pause) = std::mem::replace(&mut self.state, State::Running) else {
            return Err("the program is not stopped".into());
        };
        let done = act(self, &mut pause);
        // unless the program ended meanwhile
        if matches!(self.state, State::Running) {
            self.state = State::Stopped(pause);
        }
        done
    }
}

/// A failure with the runtime's number, as other adapters put it.
pub fn refused(words: &str, code: com::HResult) -> String {
    format!("{words} (0x{:08x})", code.0)
}

fn read<T: DeserializeOwned>(request: &Request) -> Result<T, String> {
    let arguments = request.arguments.as_deref().map_or("{}", RawValue::get);
    serde_json::from_str(arguments).map_err(|error| format!("can't parse: {}: {error}", request.command))
}

/// A body of that shape.
pub fn body(of: impl Serialize) -> Answer {
    // written once: a tree of a hundred thousand variables takes longer than to read them
    serde_json::value::to_raw_value(&of).map(Some).map_err(|error| error.to_string())
}

impl Server {
    /// Tells what has been noticed by now; other input waits for its turn.
    pub(super) fn take_notices(&mut self) {
        while let Ok(input) = self.inputs.try_recv() {
            match input {
                Input::Notice(Notice::Stopped { .. }) | Input::Request(_) | Input::RequestsEnded => {
                    self.later.push_back(input)
                }
                other => self.take(other),
            }
        }
    }
}

impl Server {
    /// Whether a request waits that ends what is under way.
    pub(super) fn is_interrupted(&mut self) -> bool {
        while let Ok(input) = self.inputs.try_recv() {
            let ends = match &input {
                Input::Request(request) => ends(&request.command),
                Input::RequestsEnded => true,
                _ => false,
            };
            self.later.push_back(input);
            if ends {
                return true;
            }
        }
        false
    }
}

/// What ends a request that is under way.
fn ends(command: &str) -> bool {
    matches!(command, "disconnect" | "terminate" | "cancel")
}

impl Waiter for Server {
    /// Events go out meanwhile, requests wait; one that ends all ends the call first.
    fn wait(&mut self, limit: Duration) -> Result<Option<(com::Eval, bool)>, CallError> {
        let began = Instant::now();
        loop {
            let left = limit.saturating_sub(began.elapsed());
            let input = match self.inputs.recv_timeout(left) {
                Ok(input) => input,
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return Ok(None),
            };
            match input {
                Input::Notice(Notice::CallEnded { eval, threw }) => return Ok(Some((eval, threw))),
                Input::Notice(Notice::Exited) => {
                    // told first: that there is no program any more is the better answer
                    self.take(Input::Notice(Notice::Exited));
                    return Err(CallError::Ended);
                }
                Input::Notice(notice @ Notice::Stopped { .. }) => self.later.push_back(Input::Notice(notice)),
                Input::Request(request) => {
                    let ends = ends(&request.command);
                    self.later.push_back(Input::Request(request));
                    if ends {
                        return Ok(None);
                    }
                }
                Input::RequestsEnded => {
                    self.later.push_back(Input::RequestsEnded);
                    return Ok(None);
                }
                other => self.take(other),
            }
        }
    }
}
