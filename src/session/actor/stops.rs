//! A stop on its way from the adapter's event to its report.

use std::sync::Arc;
use std::time::Duration;

use super::Actor;
use super::done::Done;
use super::waits::Published;
use crate::dap;
use crate::session::breakpoints::{Entry, Role};
use crate::session::context::StopContext;
use crate::session::ids::{BreakpointId, EventSeq, StopEpoch, ThreadId};
use crate::session::inspect::Reader;
use crate::session::report::{Exception, StopReason, TraceLine};
use crate::session::state::State;
use crate::session::stopping::{self, Code, Completed, Hit, Onward, StopDecision, StopInput};
use crate::session::view::Event;

impl Actor {
    /// The stop becomes a job that judges it and reads what a report shows.
    pub(super) fn complete(&mut self, epoch: StopEpoch) {
        self.complete_as(epoch, None);
    }

    /// The same for a stop that is reported in any case, and as what.
    pub(super) fn complete_as(&mut self, epoch: StopEpoch, reported_as: Option<StopReason>) {
        let State::Stopped(stop) = self.machine.state() else { return };
        if stop.epoch != epoch {
            return;
        }
        let stop = stop.clone();
        let Some(link) = &self.link else { return };
        let reader = Reader {
            at_throw: stop.reason == dap::StopReason::Exception,
            client: link.client.clone(),
            quirks: link.quirks.clone(),
            capabilities: link.capabilities.clone(),
            modules: self.modules.clone(),
            shapes: self.shapes.clone(),
            sources: self.sources.clone(),
            frame_id: 0,
            is_gone: false,
            place: None,
            asked: false,
            ran: false,
            read_only: self.settings.read_only,
            time_limit: None,
            budget: crate::session::inspect::Budget::default(),
            forced: Default::default(),
            frames: Default::default(),
            walks: Default::default(),
            assign: None,
            redaction: self.settings.redaction.clone(),
        };
        let mut context = StopContext::new(reader, self.sources.clone(), stop.thread);
        context.main_thread = self.program.pid.map(|pid| crate::session::ids::ThreadId(i64::from(pid)));
        self.stop.arrive(context.clone());
        self.adapter_breakpoints.send_conditions();
        let entries = Arc::new(self.table.entries.clone());
        let undecided = self.undecided();
        let question = StopInput {
            adapter_ids: entries.iter().map(|entry| self.adapter_breakpoints.ids(entry)).collect(),
            entries,
            undecided,
            context,
            stop,
            began: tokio::time::Instant::now(),
            exceptions: self.table.exceptions.clone(),
            step: self.step.clone(),
            watches: self.workspace.watches(&self.id),
            pausing: self.pauses.is_wanted(),
            pause_of: self.pauses.thread(),
            quiet: self.pauses.is_hidden() && !self.pauses.is_wanted(),
            reported_as,
            is_unattended: reported_as.is_none() && self.is_unattended(),
            recently_removed: self.adapter_breakpoints.removed(),
        };
        self.job(async move { Done::Decided(epoch, Box::new(stopping::decide(question).await)) });
    }

    /// Positions of the entries whose condition the adapter did not decide alone, or of which it is not known yet.
    fn undecided(&self) -> Vec<usize> {
        let all = &self.table.entries;
        let is_decided = |entry: &Entry| {
            !entry.adapter_refuses
                && !self.adapter_breakpoints.is_syncing()
                && self.adapter_breakpoints.plan().decides(entry)
        };
        let crowded = |at: usize| {
            all.iter().enumerate().any(|(other, entry)| {
                other != at
                    && entry.spec.enabled
                    && all.get(at).is_some_and(|mine| {
                        let places = mine.stop_places();
                        entry.stop_places().iter().any(|place| places.contains(place))
                            && entry.spec.condition != mine.spec.condition
                    })
            })
        };
        all.iter()
            .enumerate()
            .filter(|(at, entry)| entry.spec.condition.is_some() && (!is_decided(entry) || crowded(*at)))
            .map(|(at, _)| at)
            .collect()
    }

    pub(super) fn on_decided(&mut self, epoch: StopEpoch, decided: StopDecision) {
        let current = matches!(self.machine.state(), State::Stopped(stop) if stop.epoch == epoch);
        let thread = decided.thread;
        if let State::Stopped(stop) = self.machine.state() {
            let at = stop.seq;
            decided.hits.iter().for_each(|hit| self.note_hit(hit.id, at));
        }
        self.count(thread, &decided.hits);
        self.give_conditions_back();
        // what was read of an adapter that went away meanwhile is not a report: its end is reported in a moment
        if !current || self.is_dying() {
            return;
        }
        match decided.onward {
            Onward::Report(completed) => self.publish(*completed),
            onward => {
                if let Some(onward) = self.pauses.arrive(onward, tokio::time::Instant::now()) {
                    self.go_onward(onward);
                }
            }
        }
    }

    /// On from a stop that nobody is to hear of. What its judgment removed (a temporary breakpoint, a full tracepoint)
    /// leaves the adapter first.
    pub(super) fn go_onward(&mut self, onward: Onward) {
        let onward = match onward {
            Onward::StepAgain(step) => {
                self.forget_run_to();
                self.prepare_step(&step);
                Onward::StepAgain(step)
            }
            Onward::RunToEnd(step, stepping) if !self.end_at_lines(&step, &stepping) => Onward::StepAgain(step),
            onward => onward,
        };
        self.after_edit(move |actor| {
            let State::Stopped(stop) = actor.machine.state() else { return };
            if actor.pauses.is_wanted() {
                // a debug_pause came meanwhile: it is reported after all
                let epoch = stop.epoch;
                return actor.complete_as(epoch, Some(StopReason::Pause));
            }
            if matches!(onward, Onward::Pass) {
                return actor.pass_unattended();
            }
            actor.retract_stop();
            match onward {
                Onward::StepAgain(step) => {
                    actor.step_on(step.next_mode(), step.thread);
                    actor.step = Some(step);
                }
                Onward::RunToEnd(step, _) => {
                    actor.go_on();
                    actor.step = Some(step);
                }
                Onward::StepOn => actor.go_on_with_step(),
                Onward::Continue | Onward::Pass | Onward::Report(_) => actor.go_on(),
            }
        });
    }

    /// The client never hears of this stop.
    fn retract_stop(&mut self) {
        if let State::Stopped(stop) = self.machine.state() {
            self.log.retract(stop.seq);
        }
    }

    /// Books hits: tracepoint lines, full and temporary breakpoints, conditions that could not be evaluated.
    fn count(&mut self, thread: ThreadId, hits: &[Hit]) {
        for hit in hits {
            if let Some(text) = &hit.log {
                self.trace(hit.id, thread, text.clone(), Duration::ZERO);
            }
            if let Some(words) = &hit.condition_error {
                self.condition_failed(hit.id, words);
            }
            self.had_to_stop(hit.id);
            self.count_log(hit.id, hit.log.is_some());
            let spent = self.table.entries.iter().position(|entry| {
                entry.id == hit.id
                    && entry.role == hit.role
                    && hit.stops
                    && (entry.spec.temporary || entry.role != Role::User)
            });
            if let Some(at) = spent {
                self.forget(at);
            }
        }
    }

    /// A tracepoint that has said all it may, or never had anything to say, is disabled; it stays in the list.
    pub(super) fn count_log(&mut self, id: BreakpointId, wrote: bool) {
        if let Ok(entry) = self.table.user(id) {
            entry.logs += u64::from(wrote);
            entry.tracing.limit(entry.logs, entry.spec.max_hits);
            let is_full = wrote && entry.spec.max_hits.is_some_and(|most| entry.logs >= most);
            let is_hopeless = entry.log.is_some() && entry.faults.is_hopeless();
            if is_full || is_hopeless {
                entry.spec.enabled = false;
                entry.verified = false;
            }
            if is_full && !is_hopeless {
                self.condition_notes.push(format!("tracepoint {id} is disabled: {}", entry.limit_words()));
            }
        }
    }

    /// A line that was written so long ago.
    pub(super) fn trace(&mut self, id: BreakpointId, thread: ThreadId, text: String, age: Duration) -> EventSeq {
        let event = Event {
            type_name: "tracepoint",
            stream: "tracepoints",
            breakpoint: Some(id.0),
            thread: Some(thread),
            text: Some(text.chars().take(1000).collect()),
            ..Event::default()
        };
        let seq = self.log.push_late(event, age);
        self.traces.push(TraceLine { id, seq, thread, text });
        seq
    }

    /// The stop is reported: to those who wait, and to the next who asks.
    fn publish(&mut self, mut completed: Completed) {
        let State::Stopped(stop) = self.machine.state() else { return };
        let seq = stop.seq;
        let compared = match &completed.moment {
            Some(moment) => {
                let modules = &self.modules;
                self.history.compare(moment, &mut completed.locals, |from| {
                    let path = moment.path.as_deref().unwrap_or_default();
                    let code = Code {
                        leads: modules.may_lead(path, from, moment.place),
                        runs_once: modules.runs_once(&moment.key.raw_name, &moment.key.callers),
                    };
                    (code, modules.redeclared(path, from, moment.place))
                })
            }
            None => Default::default(),
        };
        self.note_exception(seq, &completed);
        self.log.amend(seq, |event| {
            event.reason = Some(completed.reason.as_str().to_owned());
            event.breakpoint = completed.breakpoint_ids.first().copied();
            event.at = completed.location.as_ref().map(|location| format!("{}:{}", location.file, location.line));
        });
        self.last_exception = placed(&completed);
        self.step = None;
        self.pauses.end();
        let passed = completed.passed.take().filter(|passed| self.noted_passed.insert(passed.at.clone()));
        let notes = [completed.step_note.clone().or_else(|| self.missed_target()), passed.map(|passed| passed.words)];
        let note = notes.into_iter().flatten().reduce(|one, other| format!("{one}; {other}"));
        self.snapshots.push(completed.stop(seq));
        self.stop.publish(Published { seq, at: tokio::time::Instant::now(), completed, compared, note });
        self.forget_run_to();
        self.follow_breakpoints();
        self.after_edit(|_| {});
    }

    /// Completes the event of the exception that a stop is for. One that stopped where it was thrown, and stops again as nobody catches
    /// it, is the same.
    fn note_exception(&mut self, stop: EventSeq, completed: &Completed) {
        let (before, now) = (self.last_exception.as_ref(), placed(completed));
        let is_again = |now: &Exception| {
            let latest = self.log.of("exceptions").rfind(|event| event.seq.0 + 1 < stop.0);
            let is_on_thread = latest.is_some_and(|event| event.thread == Some(completed.thread));
            is_on_thread && before.is_some_and(|before| !before.unhandled && now.unhandled && is_one(before, now))
        };
        let Some(exception) = now.filter(|now| !is_again(now)) else { return self.log.retract_exception(stop) };
        self.log.amend_exception(stop, |event| {
            event.thread = Some(completed.thread);
            (event.reason, event.text) = (Some(exception.type_name), exception.message);
        });
    }

    /// Of a run_to that another stop ended before it got there: one that did is no longer in the table.
    fn missed_target(&self) -> Option<String> {
        let target = self.table.entries.iter().find(|entry| entry.role == Role::RunTo)?;
        let place = match target.stop_places().first() {
            Some((path, line)) => format!("{}:{line}", self.sources.relative(path)),
            None => "the target line".to_owned(),
        };
        Some(format!(
            "{place} was not reached: call debug_run_to again to continue to it; debug_continue drops the target"
        ))
    }

    /// A run_to, or a step that runs to lines, is over at any stop.
    pub(super) fn forget_run_to(&mut self) {
        let over = |entry: &Entry| matches!(entry.role, Role::RunTo | Role::StepEnd);
        while let Some(at) = self.table.entries.iter().position(over) {
            self.forget(at);
        }
    }

    /// The words on a condition that has no value: the stop's report says them once, and later reports of stops for that reason
    /// say which it was, or it would look as if the condition were true.
    fn condition_failed(&mut self, id: BreakpointId, words: &str) {
        let Ok(entry) = self.table.user(id) else { return };
        let what = entry.what();
        let note = match entry.condition_error.as_deref() == Some(words) {
            true => format!("the condition of {what} {id} still cannot be evaluated"),
            false => format!("the condition of {what} {id} could not be evaluated: {words}"),
        };
        entry.condition_error = Some(words.to_owned());
        if !self.condition_notes.contains(&note) {
            self.condition_notes.push(note);
        }
    }
}

/// The exception of a stop, with its place.
fn placed(completed: &Completed) -> Option<Exception> {
    let mut exception = completed.exception.clone()?;
    let here = completed.location.as_ref().map(|location| format!("{}:{}", location.file, location.line));
    exception.at = exception.at.or(here);
    Some(exception)
}

/// Whether two stops show what may be one exception.
fn is_one(one: &Exception, other: &Exception) -> bool {
    (&one.type_name, &one.message, &one.at) == (&other.type_name, &other.message, &other.at)
}
