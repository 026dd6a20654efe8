//! breakpoint_explain: what the actor knows goes to a job that reads the rest off the disk.

use std::path::Path;

use super::Actor;
use super::done::Done;
use crate::backend::quirks::Jmc;
use crate::dap;
use crate::session::breakpoints::explain::{self, Asked, Explanation, Run};
use crate::session::breakpoints::{Entry, condition_counts};
use crate::session::command::{Answer, Command};
use crate::session::error::{Code, SessionError};
use crate::session::ids::{BreakpointId, EventSeq, StateName};
use crate::session::meant::StoppedAt;
use crate::session::spec::Purpose;
use crate::session::startup::Method;
use crate::session::state::State;

impl Actor {
    pub(super) fn explain_breakpoint(&mut self, id: BreakpointId, answer: Answer<Explanation>) {
        let entry = match self.entry_of(id) {
            Ok(entry) => entry,
            Err(error) => return drop(answer.send(Err(error))),
        };
        if self.table.user(id).is_err() {
            // set after the end
            return drop(answer.send(Ok(explain::before(entry, &self.sources))));
        }
        let asked = self.asked(entry);
        let silent = asked.bound && asked.entry.condition_counts.counts().here == 0 && !asked.entry.counted;
        if self.is_judged_there(&asked.entry) && silent && self.is_live() {
            // the change is an edit like any other: it may need a pause of ours
            self.queue.push_back(Command::CountCondition(id));
        }
        self.job(async move {
            let explanation = explain::explain(asked).await.ok_or_else(|| {
                SessionError::new(
                    Code::InternalError,
                    "the explanation is incomplete",
                    "breakpoint_list shows what is known",
                )
            });
            drop(answer.send(explanation));
            Done::Nothing
        });
    }

    /// File and line of the stop that was reported, while the program stands there.
    pub(super) fn stopped_at(&self, root: Option<&Path>) -> Option<StoppedAt> {
        let stop = self.stop.published().filter(|_| matches!(self.machine.state(), State::Stopped(_)))?;
        let location = stop.completed.location.as_ref()?;
        let file = root.map_or_else(|| (&location.file).into(), |root| root.join(&location.file));
        Some(StoppedAt { file, line: location.line })
    }

    fn asked(&self, entry: Entry) -> Asked {
        let attached = self.link.as_ref().is_some_and(|link| link.method == Method::Attached)
            || matches!(self.purpose, Purpose::Attach(_));
        let wanted = match &self.purpose {
            Purpose::Launch(spec) => spec.just_my_code,
            Purpose::Attach(spec) => spec.just_my_code,
        };
        let fixed = attached && self.link.as_ref().is_some_and(|link| link.quirks.jmc_in_attach == Jmc::FixedOn);
        let stop = self.stop.published().filter(|_| matches!(self.machine.state(), State::Stopped(_)));
        let (run, state) = match self.machine.state() {
            State::Starting { .. } => (Run::NotStarted, StateName::Starting),
            State::Stopped(_) if stop.is_some() => (Run::Stopped, StateName::Stopped),
            // a stop that is being judged may be one that nobody hears of
            State::Running { .. } | State::Stopped(_) => (Run::Running, StateName::Running),
            State::Ended(_) => (Run::Ended, self.machine.state().name()),
        };
        let was_bound = || {
            let answers = entry.bindings().into_iter().filter_map(|binding| self.adapter_breakpoints.answer(binding));
            answers.into_iter().any(|answer| answer.verified)
        };
        Asked {
            run,
            state,
            bound: entry.verified || self.is_ended() && was_bound(),
            last_hit: entry.last_hit,
            exit: self.exit(),
            stop: stop.map(|stop| (stop.completed.reason, stop.completed.location.clone())),
            attached,
            just_my_code: fixed || wanted.unwrap_or(true),
            pid: self.program.pid,
            program: self.program.name.as_ref().map(Into::into),
            uncounted: self.is_judged_there(&entry) && !self.adapter_counts(),
            modules: self.modules.clone(),
            sources: self.sources.clone(),
            entry,
        }
    }

    /// Whether the adapter has its condition, or had it until a moment ago.
    fn is_judged_there(&self, entry: &Entry) -> bool {
        entry.spec.condition.is_some()
            && (entry.counted
                || self.adapter_breakpoints.withholds_conditions()
                || self.adapter_breakpoints.plan().decides(entry))
    }

    /// The adapter lets every hit through from now on, and we decide.
    pub(super) fn count_condition(&mut self, id: BreakpointId) {
        let is_counted = self.adapter_counts();
        if let Ok(entry) = self.table.user(id) {
            entry.counted = true;
            if !is_counted {
                entry.condition_counts.is_partial();
            }
            self.edit(|_| {});
        }
    }

    /// What was counted often enough is the adapter's again.
    pub(super) fn give_conditions_back(&mut self) {
        for entry in self.table.entries.iter_mut().filter(|entry| entry.counted) {
            entry.counted = entry.condition_counts.counts().here < condition_counts::ENOUGH;
        }
    }

    /// The adapter counted hits. Most of them stopped nothing: the latest event is the nearest to say when that was.
    pub(super) fn were_counted(&mut self, counts: &[dap::HitCount]) {
        let now = self.log.last();
        for entry in &mut self.table.entries {
            if counts.iter().any(|count| entry.hits.were_counted(count)) {
                entry.last_hit = Some(now);
            }
        }
    }

    pub(super) fn note_hit(&mut self, id: BreakpointId, at: EventSeq) {
        if let Ok(entry) = self.table.user(id) {
            entry.last_hit = Some(at);
        }
    }
}
