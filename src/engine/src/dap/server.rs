//! The adapter's one thread: what comes next, and who answers it.

use std::collections::VecDeque;
use std::io::{BufReader, Read, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::cancelling::Cancelled;
use super::framing;
use super::input::{Input, Request};
use super::recorded::Recorded;
use super::references::References;
use super::reports::Reports;
use super::sources::Sources;
use super::starting::Start;
use crate::breakpoints::Breakpoints;
use crate::com;
use crate::exception_filters::Filters;
use crate::presentation::{Slow, View};
use crate::start::Debugging;
use crate::stopped::Stopped;
use crate::target::{Cause, Notice};

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

/// How often what changes with every hit is reported: counts, and what tracepoints read, which someone may be waiting to see.
const COUNTS: Duration = Duration::from_millis(200);
const TRACES: Duration = Duration::from_millis(20);

/// An answer's body, or why there is none.
pub type Answer = Result<Option<Box<RawValue>>, String>;

pub struct Server {
    pub(super) output: Box<dyn Write + Send>,
    sequence: i64,
    pub(super) inputs: Receiver<Input>,
    pub(super) sender: Sender<Input>,
    /// What came during a call in the program.
    pub(super) later: VecDeque<Input>,
    /// The request that is under way.
    pub(super) current: Option<i64>,
    pub(super) cancelled: Cancelled,
    /// The client shows values itself.
    pub(super) shows_raw: bool,
    pub(super) slow: Slow,
    /// How values are shown, unless a request asks for another way.
    pub(super) view: View,
    pub(super) sources: Sources,
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
    pub(super) is_end_reported: bool,
    /// A request that was just answered lets the program run.
    pub(super) is_resuming: bool,
    /// One that was just answered moved a thread.
    pub(super) moved: Option<u32>,
    /// The runtime has reported one.
    pub(super) has_threads: bool,
    /// When counts of conditions and hits were last reported.
    pub(super) judged: Reports,
    /// When hits of tracepoints were.
    pub(super) traced: Reports,
    /// The client is gone, and the program could not be let go yet.
    pub(super) owes_detach: bool,
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
            current: None,
            cancelled: Cancelled::default(),
            shows_raw: false,
            slow: Slow::default(),
            view: View::default(),
            sources: Sources::default(),
            start: Start::default(),
            breakpoints: Some(Breakpoints::default()),
            filters: Some(Filters::default()),
            debugging: None,
            state: State::Idle,
            pending: VecDeque::new(),
            open_streams: 0,
            exit_code: None,
            has_exited: false,
            is_end_reported: false,
            is_resuming: false,
            moved: None,
            has_threads: false,
            judged: Reports::every(COUNTS),
            traced: Reports::every(TRACES),
            owes_detach: false,
            is_over: false,
        }
    }

    /// Until the client goes.
    pub fn run(mut self, input: Box<dyn Read + Send>) {
        let (sender, cancelled) = (self.sender.clone(), self.cancelled.clone());
        std::thread::spawn(move || {
            let mut input = BufReader::new(input);
            while let Ok(Some(body)) = framing::read(&mut input) {
                // what is not a request is not for us
                let Ok(request) = serde_json::from_slice::<Request>(&body) else { continue };
                cancelled.note(&request);
                if sender.send(Input::Request(request)).is_err() {
                    return;
                }
            }
            let _ = sender.send(Input::RequestsEnded);
        });
        while !self.is_over {
            let next = self.later.pop_front().or_else(|| self.next_input());
            let Some(next) = next else { break };
            self.take(next);
            self.report_in_time();
        }
        self.detach_at_last();
    }

    /// Waits for it; what is due is reported meanwhile.
    fn next_input(&mut self) -> Option<Input> {
        while let Some(wait) = [self.judged.due_in(), self.traced.due_in()].into_iter().flatten().min() {
            match self.inputs.recv_timeout(wait) {
                Ok(input) => return Some(input),
                Err(RecvTimeoutError::Timeout) => self.report_in_time(),
                Err(RecvTimeoutError::Disconnected) => return None,
            }
        }
        self.inputs.recv().ok()
    }

    fn report_in_time(&mut self) {
        if self.judged.due_in() == Some(Duration::ZERO) {
            self.tell_judged();
        }
        if self.traced.due_in() == Some(Duration::ZERO) {
            self.report_traced();
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

    pub(super) fn take(&mut self, input: Input) {
        match input {
            Input::Request(request) => self.answer(request),
            Input::RequestsEnded => {
                self.let_go(None);
                self.is_over = true;
            }
            Input::Notice(notice) => self.notice(notice),
            Input::Output(text) => self.report_output(text),
            Input::OutputEnded => {
                self.open_streams = self.open_streams.saturating_sub(1);
                self.report_end();
            }
            Input::ProgramEnded(code) => {
                self.exit_code = code;
                self.has_exited = true;
                self.report_end();
            }
        }
    }

    fn answer(&mut self, request: Request) {
        self.current = Some(request.seq);
        // who asks first gets what was counted until then
        if self.judged.due_in().is_some() {
            self.tell_judged();
        }
        let answer = self.cancelled.refusal(&request).map_or_else(|| self.dispatch(&request), Err);
        self.current = None;
        let answer = answer.map_err(|error| self.cancelled.refusal(&request).unwrap_or(error));
        self.respond(&request, answer);
        self.after(&request.command);
    }

    /// What must not begin before its request is answered.
    fn after(&mut self, command: &str) {
        match command {
            "initialize" => self.event("initialized", None),
            "disconnect" => self.is_over = true,
            "goto" => self.report_moved(),
            _ => self.run_on(),
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
        self.report_traced();
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

    /// What was read at hits before it comes before it.
    pub(super) fn event(&mut self, event: &str, body: Option<Value>) {
        self.report_traced();
        self.send(event, body);
    }

    pub(super) fn send(&mut self, event: &str, body: Option<Value>) {
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
            State::Idle => Err(refused("no program is being debugged", com::HResult(0x8000_4005))),
            State::Ended => Err(refused(dap_wire::HAS_ENDED, com::HResult(0x8000_4005))),
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
