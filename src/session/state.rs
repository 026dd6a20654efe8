//! A session's state: one enum, one pure and total reducer. Nobody else changes a state: it is private to [`Machine`].
//!
//! Data lives in the variant in which it is valid. Adapter events are never rejected: a pair that cannot be keeps the
//! state and is noted. The time is an input too. The race to remember: `stopped` may come before the response of the
//! resume that caused it, so a resume changes the state when it is sent, not when it is answered.

use std::sync::Arc;
use std::time::Instant;

use super::ids::{EventSeq, StateName, StopEpoch, ThreadId};
use super::lapse::Lapsed;
use super::report::Exit;
use super::stopped::{AdapterHits, Returned, Stopped};

/// What a start is at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    Building,
    Launching,
    Attaching,
    Binding,
}

impl Phase {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Building => "building",
            Self::Launching => "launching",
            Self::Attaching => "attaching",
            Self::Binding => "binding",
        }
    }
}

#[derive(Debug, Clone)]
pub enum State {
    /// `stop`: one that came before the start was through.
    Starting {
        phase: Phase,
        stop: Option<Stopped>,
    },
    Running {
        since: Instant,
    },
    Stopped(Stopped),
    Ended(Box<Ended>),
}

#[derive(Debug, Clone, Default)]
pub struct Ended {
    pub exit: Exit,
    /// Ended by debug_disconnect (the program may live on).
    pub disconnected: bool,
    /// The adapter was lost: what every later call reports.
    pub lost: Option<Box<super::error::SessionError>>,
}

#[derive(Debug, Clone)]
pub enum Input {
    /// A start after an end: a restart, or a start that is tried again.
    Begun(Phase),
    Phase(Phase),
    /// The start is through; the program runs.
    Started,
    /// The adapter says that it stopped.
    Stopped {
        seq: EventSeq,
        thread: ThreadId,
        reason: crate::dap::StopReason,
        hit: Arc<AdapterHits>,
        text: Option<String>,
        returned: Returned,
    },
    /// We resume. `unheard`: nobody heard of the stop, so to all others the program never stood still.
    Resumed {
        unheard: bool,
    },
    /// The adapter refused the resume: the stop stands.
    ResumeRefused(Stopped),
    /// Nobody called while it stood: it is about to be resumed.
    Lapsed(Box<Lapsed>),
    /// The same of a later stop, at once.
    Passed,
    /// An answer says how stops lapsed; `false`: its client never got it.
    LapseReported(bool),
    /// A client resumes: what was reported of lapsed stops is over.
    Taken,
    Ended(Box<Ended>),
    /// A session that is over is disconnected from: how it ended is no longer reported.
    Dismissed,
}

/// What the actor has to do about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Effect {
    /// A stop has to be completed.
    Complete(StopEpoch),
    /// What belonged to the program that is gone has to be forgotten.
    Forget,
    /// A stop that was passed needs no place in the log: a later one was passed too.
    Retract(EventSeq),
    /// An impossible pair, for the log.
    Note(&'static str),
}

/// A session's state, and the number of its stops.
#[derive(Debug)]
pub struct Machine {
    state: State,
    epoch: StopEpoch,
    /// Stops that were left because no call came.
    lapsed: Option<Lapsed>,
}

impl Machine {
    /// A session that starts.
    #[must_use]
    pub fn new(phase: Phase) -> Self {
        Self { state: State::Starting { phase, stop: None }, epoch: StopEpoch(0), lapsed: None }
    }

    #[must_use]
    pub fn state(&self) -> &State {
        &self.state
    }

    pub(crate) fn lapsed(&self) -> Option<&Lapsed> {
        self.lapsed.as_ref()
    }

    /// The reducer, total: what happened at `now`, and what has to be done about it.
    pub fn apply(&mut self, input: Input, now: Instant) -> Vec<Effect> {
        let input = match lapse(&mut self.lapsed, &self.state, input) {
            Ok(effects) => return effects,
            Err(input) => input,
        };
        let state = std::mem::replace(&mut self.state, State::Starting { phase: Phase::Launching, stop: None });
        let (state, effects) = apply(state, input, now, &mut self.epoch);
        self.state = state;
        effects
    }
}

/// What lapsed changes beside the state; other inputs come back.
fn lapse(lapsed: &mut Option<Lapsed>, state: &State, input: Input) -> Result<Vec<Effect>, Input> {
    let mut retracted = None;
    match (state, input) {
        (State::Stopped(_), Input::Lapsed(now)) => *lapsed = Some(now.behind(lapsed.take())),
        (State::Stopped(stop), Input::Passed) => {
            retracted = lapsed.as_mut().and_then(|lapsed| lapsed.pass(stop.seq));
        }
        (_, Input::Lapsed(_) | Input::Passed) => return Ok(vec![Effect::Note("lapsed while not stopped")]),
        (_, Input::LapseReported(reported)) => lapsed.iter_mut().for_each(|lapsed| lapsed.mark_reported(reported)),
        (_, Input::Taken) => drop(lapsed.take_if(|lapsed| lapsed.is_reported())),
        (_, input) => {
            if matches!(input, Input::Begun(_) | Input::ResumeRefused(_)) {
                *lapsed = None;
            }
            return Err(input);
        }
    }
    Ok(retracted.map(Effect::Retract).into_iter().collect())
}

fn apply(state: State, input: Input, now: Instant, epoch: &mut StopEpoch) -> (State, Vec<Effect>) {
    match (state, input) {
        (State::Ended(_) | State::Starting { .. }, Input::Begun(phase)) => {
            (State::Starting { phase, stop: None }, Vec::new())
        }
        (state, Input::Begun(_)) => (state, vec![Effect::Note("a start of a program that runs")]),
        (State::Ended(mut ended), Input::Dismissed) => {
            ended.disconnected = true;
            ended.lost = None;
            ended.exit.seq = ended.exit.seq.max(EventSeq(1));
            (State::Ended(ended), Vec::new())
        }
        (state, Input::Dismissed) => (state, vec![Effect::Note("dismissed before its end")]),
        (ended @ State::Ended(_), input) => {
            let late = !matches!(input, Input::Ended(_));
            (ended, if late { vec![Effect::Note("an event after the end")] } else { Vec::new() })
        }
        (_, Input::Ended(ended)) => (State::Ended(ended), vec![Effect::Forget]),
        (State::Starting { stop, .. }, Input::Phase(phase)) => (State::Starting { phase, stop }, Vec::new()),
        (state, Input::Phase(_)) => (state, vec![Effect::Note("a phase after the start")]),
        (State::Starting { stop: Some(stop), .. }, Input::Started) => {
            let epoch = stop.epoch;
            (State::Stopped(stop), vec![Effect::Complete(epoch)])
        }
        (State::Starting { stop: None, .. }, Input::Started) => (State::Running { since: now }, Vec::new()),
        (state, Input::Started) => (state, vec![Effect::Note("started twice")]),
        (State::Stopped(stop), Input::Stopped { .. }) => {
            (State::Stopped(stop), vec![Effect::Note("stopped while stopped")])
        }
        (State::Starting { phase, stop: Some(stop) }, Input::Stopped { .. }) => {
            (State::Starting { phase, stop: Some(stop) }, vec![Effect::Note("stopped twice while starting")])
        }
        (state, Input::Stopped { seq, thread, reason, hit, text, returned }) => {
            epoch.0 += 1;
            let ran_since = match &state {
                State::Running { since, .. } => Some(*since),
                _ => None,
            };
            let stop = Stopped { epoch: *epoch, seq, thread, reason, hit, text, returned, ran_since };
            match state {
                State::Starting { phase, .. } => (State::Starting { phase, stop: Some(stop) }, Vec::new()),
                _ => {
                    let epoch = stop.epoch;
                    (State::Stopped(stop), vec![Effect::Complete(epoch)])
                }
            }
        }
        (State::Stopped(Stopped { ran_since: Some(since), .. }), Input::Resumed { unheard: true }) => {
            (State::Running { since }, Vec::new())
        }
        (State::Stopped(_), Input::Resumed { .. }) => (State::Running { since: now }, Vec::new()),
        (state, Input::Resumed { .. }) => (state, vec![Effect::Note("resumed while not stopped")]),
        (State::Running { .. }, Input::ResumeRefused(stop)) => (State::Stopped(stop), Vec::new()),
        (state, Input::ResumeRefused(_)) => (state, vec![Effect::Note("a refused resume was overtaken")]),
        // they change what lapsed, and no state
        (state, Input::Lapsed(_) | Input::Passed | Input::LapseReported(_) | Input::Taken) => (state, Vec::new()),
    }
}

impl State {
    pub fn name(&self) -> StateName {
        match self {
            Self::Starting { .. } => StateName::Starting,
            Self::Running { .. } => StateName::Running,
            Self::Stopped(_) => StateName::Stopped,
            Self::Ended(ended) if ended.disconnected || ended.lost.is_some() => StateName::NotAttached,
            Self::Ended(_) => StateName::Exited,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dap::StopReason;

    fn stopped(seq: u64) -> Input {
        Input::Stopped {
            seq: EventSeq(seq),
            thread: ThreadId(1),
            reason: StopReason::Step,
            hit: Arc::default(),
            text: None,
            returned: Returned::default(),
        }
    }

    fn run(inputs: Vec<Input>) -> (State, Vec<Effect>) {
        let mut machine = Machine::new(Phase::Launching);
        let effects = inputs.into_iter().flat_map(|input| machine.apply(input, Instant::now())).collect();
        (machine.state, effects)
    }

    #[test]
    fn a_stop_during_the_start_is_completed_when_the_start_is_through() {
        let (state, effects) = run(vec![stopped(3), Input::Started]);
        assert!(matches!(state, State::Stopped(stop) if stop.seq == EventSeq(3)));
        assert_eq!(effects, [Effect::Complete(StopEpoch(1))]);
    }

    #[test]
    fn a_resume_that_is_refused_after_a_new_stop_changes_nothing() {
        let old = Stopped {
            epoch: StopEpoch(1),
            seq: EventSeq(2),
            thread: ThreadId(1),
            reason: StopReason::Step,
            hit: Arc::default(),
            text: None,
            returned: Returned::default(),
            ran_since: None,
        };
        let (state, effects) = run(vec![
            Input::Started,
            stopped(2),
            Input::Resumed { unheard: false },
            stopped(3),
            Input::ResumeRefused(old),
        ]);
        assert!(matches!(state, State::Stopped(stop) if stop.seq == EventSeq(3)));
        assert!(effects.contains(&Effect::Note("a refused resume was overtaken")));
    }

    #[test]
    fn a_stop_that_nobody_hears_of_does_not_restart_the_clock() {
        let began = Instant::now();
        let later = began + std::time::Duration::from_secs(9);
        for (unheard, expected) in [(true, began), (false, later)] {
            let mut machine = Machine::new(Phase::Launching);
            machine.apply(Input::Started, began);
            machine.apply(stopped(2), began);
            machine.apply(Input::Resumed { unheard }, later);
            assert!(matches!(machine.state, State::Running { since, .. } if since == expected));
        }
    }

    #[test]
    fn a_session_that_is_over_starts_again_and_one_that_runs_does_not() {
        let end = || Input::Ended(Box::default());
        let (state, _) = run(vec![Input::Started, end(), Input::Begun(Phase::Building)]);
        assert!(matches!(state, State::Starting { phase: Phase::Building, .. }));
        let (state, _) = run(vec![Input::Started, Input::Begun(Phase::Building)]);
        assert!(matches!(state, State::Running { .. }));
    }

    #[test]
    fn a_session_is_disconnected_from_when_it_is_over() {
        let (state, _) = run(vec![Input::Dismissed, Input::Ended(Box::default()), Input::Dismissed]);
        assert!(matches!(state, State::Ended(ended) if ended.disconnected && ended.exit.seq == EventSeq(1)));
    }

    #[test]
    fn nothing_follows_the_end() {
        let end = || Input::Ended(Box::default());
        for input in
            [stopped(9), Input::Started, Input::Resumed { unheard: false }, Input::Phase(Phase::Binding), end()]
        {
            let (state, effects) = run(vec![end(), input]);
            assert!(matches!(state, State::Ended(_)));
            assert_eq!(effects.iter().filter(|effect| **effect == Effect::Forget).count(), 1);
        }
    }
}
