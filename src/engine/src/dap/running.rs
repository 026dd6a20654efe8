//! Resumes, pauses, and the runtime's notices in between.

use dap_wire::{
    ContinueArguments, HAS_ENDED, HitCount, ReturnedValue, STILL_EVALUATING, StepArguments, ThreadArguments,
};
use serde_json::json;

use super::input::Text;
use super::references::References;
use super::server::{Answer, Pause, Server, State, body, refused};
use crate::callbacks::{Decision, settle};
use crate::com::HResult;
use crate::evaluate::Limited;
use crate::exceptions;
use crate::modules::Module;
use crate::stepping;
use crate::stopped::Stopped;
use crate::target::{Cause, Fired, Kind, Left, Notice, Returned};
use crate::values::{Child, Place, Shown};

use super::evaluation::CALL;

impl Server {
    pub(super) fn resume(&mut self, arguments: &ContinueArguments) -> Answer {
        if let State::Stopped(pause) = &self.state {
            if arguments.keep_step != Some(true) {
                stepping::cancel(pause.stopped.target());
            }
            self.is_resuming = true;
        } else if !matches!(self.state, State::Running) {
            return Err(refused("no program is being debugged", HResult(0x8000_4005)));
        }
        body(json!({ "allThreadsContinued": true }))
    }

    pub(super) fn step(&mut self, arguments: &StepArguments, kind: Kind) -> Answer {
        let pause = self.paused()?;
        let thread = u32::try_from(arguments.thread_id).unwrap_or(0);
        let only = arguments.target_id.filter(|_| kind == Kind::Into);
        let only = only.map(|id| u32::try_from(id).map_err(|_| "targetId must come from stepInTargets".to_owned()));
        stepping::begin(&pause.stopped, thread, kind, only.transpose()?).map_err(|error| match error {
            // the program stands at this stop no more
            HResult::NOT_SYNCHRONIZED => refused(STILL_EVALUATING, error),
            error => refused("the thread cannot be stepped", error),
        })?;
        self.is_resuming = true;
        Ok(None)
    }

    /// After the answer to a request that lets the program run.
    pub(super) fn run_on(&mut self) {
        if !std::mem::take(&mut self.is_resuming) {
            return;
        }
        let State::Stopped(pause) = std::mem::replace(&mut self.state, State::Running) else { return };
        let place = || Left::of(&pause.stopped.thread(pause.thread).ok()?);
        // in a loop of nothing else the next call stops
        let is_at_call = matches!(pause.cause, Cause::Break);
        pause.stopped.target().set_left(if is_at_call { None } else { place() });
        match self.pending.pop_front() {
            // one that came while the program stood still already holds it
            Some((thread, cause)) => {
                pause.stopped.go_on();
                self.take_stop(thread, cause);
            }
            None => {
                drop(pause);
                self.go_on();
            }
        }
    }

    /// Lets the program run, unless there is something to report first: what stopped threads during calls, and a step that came to its
    /// end while another stop was looked at.
    fn go_on(&mut self) {
        let Some(target) = self.debugging.as_ref().map(|debugging| debugging.target.clone()) else { return };
        while matches!(self.state, State::Running) {
            match stepping::next_stop(&target) {
                Some((thread, Cause::Undecided { fired, open, is_entry })) => {
                    self.decide(thread, fired, &open, is_entry)
                }
                Some((thread, Cause::Breakpoint(mut fired))) => {
                    // it may be gone by now
                    fired.retain(|fired| target.breakpoints().get(fired.id).is_some());
                    if !fired.is_empty() {
                        self.stopped(thread, Cause::Breakpoint(fired));
                    }
                }
                Some((thread, cause)) => self.stopped(thread, cause),
                None => return target.go_on(),
            }
        }
    }

    /// The program stands still, and the runtime waits for an answer.
    fn take_stop(&mut self, thread: u32, cause: Cause) {
        let Cause::Undecided { fired, open, is_entry } = cause else { return self.stopped(thread, cause) };
        self.decide(thread, fired, &open, is_entry);
        if matches!(self.state, State::Running) {
            self.go_on();
        }
    }

    pub(super) fn pause(&mut self, arguments: &ThreadArguments) -> Answer {
        let Some(debugging) = &self.debugging else {
            return Err(refused("no program is being debugged", HResult(0x8000_4005)));
        };
        match self.state {
            State::Stopped(_) => return Ok(None),
            State::Running => {}
            State::Idle | State::Ended => return Err(refused(HAS_ENDED, HResult(0x8000_4005))),
        }
        let target = debugging.target.clone();
        target.stop().map_err(|error| error.to_string())?;
        let stopped = Stopped::new(target.clone());
        let threads = stopped.threads().unwrap_or_default();
        let wanted = u32::try_from(arguments.thread_id).ok();
        // the one asked for, else one that is in code with source
        let has_source = |thread: &&crate::frames::Thread<'_>| {
            thread.stack().is_ok_and(|stack| stack.iter().any(|frame| frame.location().is_some()))
        };
        let chosen = threads.iter().find(|thread| Some(thread.id) == wanted);
        let chosen = chosen.or_else(|| threads.iter().find(has_source)).or(threads.first());
        let Some(thread) = chosen.map(|thread| thread.id) else {
            target.go_on();
            return Err(refused("the program has no managed thread yet", HResult(0x8000_4005)));
        };
        drop(threads);
        self.stopped(thread, Cause::Pause);
        Ok(None)
    }

    /// The program stands still: reports that to the client, with the state that belongs to it.
    fn stopped(&mut self, thread: u32, cause: Cause) {
        let Some(debugging) = &self.debugging else { return };
        // a step that ends on a breakpoint is reported together with it
        let cause = match cause {
            Cause::Breakpoint(fired) if stepping::ends_at(&debugging.target, thread) => Cause::Step(fired),
            cause => cause,
        };
        let target = debugging.target.clone();
        self.tell_judged();
        let mut stopped = Stopped::new(target.clone());
        let mut is_cut = false;
        if matches!(cause, Cause::Step(_)) {
            let returned;
            (returned, is_cut) = target.take_returned();
            stopped.keep_returned(thread, returned);
        }
        let reason = match &cause {
            Cause::Breakpoint(_) | Cause::Undecided { .. } => "breakpoint",
            Cause::Step(_) => "step",
            Cause::Entry(fired) if self.shows_raw && !fired.is_empty() => "breakpoint",
            Cause::Entry(_) => "entry",
            Cause::Break | Cause::Pause => "pause",
            Cause::Exception(_) => "exception",
        };
        let mut stopped_body = json!({ "reason": reason, "threadId": thread, "allThreadsStopped": true });
        if let (Cause::Breakpoint(fired) | Cause::Step(fired) | Cause::Entry(fired), Some(stopped_body)) =
            (&cause, stopped_body.as_object_mut())
            && !fired.is_empty()
        {
            let ids: Vec<i64> = fired.iter().map(|fired| fired.id).collect();
            stopped_body.insert("hitBreakpointIds".into(), json!(ids));
            let counted: Vec<HitCount> = fired.iter().filter_map(|fired| fired.counted).collect();
            if !counted.is_empty() {
                stopped_body.insert("clrHits".into(), json!(counted));
            }
        }
        if let (Cause::Exception(stage), Some(stopped_body)) = (&cause, stopped_body.as_object_mut())
            && let Ok(thrower) = stopped.thread(thread)
        {
            stopped_body.insert("text".into(), json!(exceptions::announcement(&thrower, *stage)));
        }
        let mut references = References::default();
        let returned = returned(&stopped, &mut references);
        if let Some(stopped_body) = stopped_body.as_object_mut().filter(|_| !returned.is_empty()) {
            stopped_body.insert("clrReturned".into(), json!(returned));
            if is_cut {
                stopped_body.insert("clrMoreReturned".into(), json!(true));
            }
        }
        self.state = State::Stopped(Box::new(Pause { stopped, thread, cause, references, recorded: None }));
        self.event("stopped", Some(stopped_body));
    }

    pub(super) fn notice(&mut self, notice: Notice) {
        match notice {
            Notice::Stopped { thread, cause } => match self.state {
                State::Stopped(_) => self.pending.push_back((thread, cause)),
                State::Running => self.take_stop(thread, cause),
                State::Idle | State::Ended => {}
            },
            Notice::ModuleLoaded(module) => self.report_module("new", &module),
            Notice::ModuleUnloaded(module) => self.report_module("removed", &module),
            Notice::ThreadStarted(id) => {
                self.has_threads = true;
                self.event("thread", Some(json!({ "reason": "started", "threadId": id })));
            }
            Notice::ThreadExited(id) => self.event("thread", Some(json!({ "reason": "exited", "threadId": id }))),
            Notice::BreakpointChanged(id) => self.breakpoint_changed(id),
            Notice::Counted => self.counted(),
            Notice::Traced => self.traced(),
            Notice::Said { text, is_error } => {
                let category = if is_error { "stderr" } else { "console" };
                self.report_output(Text { category, text });
            }
            Notice::Logged(text) => self.report_output(Text { category: "console", text }),
            // one that was given up has ended after all: the program stands where it stood before, unless it was let go on meanwhile
            Notice::CallEnded { .. } => match (&mut self.state, &self.debugging) {
                (State::Stopped(pause), _) => pause.stopped.forget(),
                (_, Some(debugging)) => debugging.target.go_on(),
                (_, None) => {}
            },
            Notice::Exited => self.exited(),
            Notice::Failed(error) => {
                let text = format!("the runtime's debugger failed: {error}\n");
                self.report_output(Text { category: "important", text });
            }
        }
    }

    /// Breakpoints whose expressions run code of the program: a stop if any of them stops, or `fired` has some that do.
    fn decide(&mut self, thread: u32, mut fired: Vec<Fired>, open: &[i64], is_entry: bool) {
        let Some(debugging) = &self.debugging else { return };
        let mut stopped = Stopped::new(debugging.target.clone());
        for &id in open {
            let mut calls = Limited { waiter: self, limit: CALL };
            match settle(&mut stopped, thread, id, Some(&mut calls)) {
                Decision::Stop(counted) => fired.push(Fired { id, counted }),
                Decision::NeedsCall => fired.push(Fired { id, counted: None }),
                Decision::Pass => {}
            }
        }
        // what a fault of a condition says comes before the stop that it makes
        self.take_notices();
        // unless the program ended meanwhile
        if !matches!(self.state, State::Running) {
            return;
        }
        if is_entry {
            self.stopped(thread, Cause::Entry(fired));
        } else if !fired.is_empty() {
            self.stopped(thread, Cause::Breakpoint(fired));
        }
    }

    fn report_module(&mut self, reason: &str, module: &Module) {
        let module = super::inspection::module(module);
        if let Ok(module) = serde_json::to_value(module) {
            self.event("module", Some(json!({ "reason": reason, "module": module })));
        }
    }
}

/// What the calls of a step returned, as a client gets it.
fn returned(stopped: &Stopped, references: &mut References) -> Vec<ReturnedValue> {
    let variable = |(returned, (name, place)): (&Returned, (String, Option<Place>))| {
        let now = place.as_ref().and_then(|place| place.read(stopped).ok()).map(|value| value.show());
        let shown = now.unwrap_or_else(|| Shown {
            text: returned.text.clone(),
            type_name: returned.type_name.clone(),
            ..Shown::default()
        });
        let can_evaluate = place.is_some();
        let child = Child { name: name.clone(), access: name, shown, place, is_property: false };
        let mut value = references.variable(child, None);
        value.evaluate_name = value.evaluate_name.filter(|_| can_evaluate);
        ReturnedValue { function: returned.function.clone(), value }
    };
    stopped.returned.iter().zip(stopped.returned_names()).map(variable).collect()
}
