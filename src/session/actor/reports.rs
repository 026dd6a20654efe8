//! Reports and snapshots, made of what the actor knows. Presence means change: what a client has seen is left out.

use super::Actor;
use super::waits::{NOT_AWAITED, Published, WaitKind, WaitOutcome, Waiter, failed_watch};
use crate::process::{self, Runaway};
use crate::session::breakpoints::Entry;
use crate::session::ids::BreakpointId;
use crate::session::inspect::frames::FIRST_THROW;
use crate::session::lapse::Lapsed;
use crate::session::report::*;
use crate::session::spec::Purpose;
use crate::session::state::State;
use crate::session::stopped::Stopped;
use crate::session::stopping::Completed;
use crate::session::suspended;
use crate::session::teardown::LetGo;

/// Tracepoint lines of a report.
const TRACES: usize = 20;

/// Breakpoints whose progress a report says.
const PROGRESS: usize = 2;

/// Processes that are named.
const RUNAWAYS: usize = 5;
const NO_EXIT_CODE: &str =
    "exit code unknown: only the parent of an attached program gets it, and adapters always report 0";

const READS_STDIN: &str = "the program waits for input on stdin: process_write_input";

const PAUSE_UNANSWERED: &str = "the adapter has not answered the pause request and may be hung: breakpoint_wait keeps waiting; debug_disconnect ends the session";

const EXCEPTION_HUNG: &str = "the adapter hung for several seconds at this exception, as it does when threads throw at the same time; if the program does not continue, restart it";

impl Actor {
    pub(super) fn report(&self, waiter: &Waiter, wait_outcome: WaitOutcome, before: Receipt) -> Report {
        let outcome = match wait_outcome {
            WaitOutcome::Stopped => match self.stop.published() {
                Some(published) => Outcome::Stopped(Box::new(self.stop_for(waiter, published))),
                None => Outcome::StillRunning { since: self.log.last(), ready: None },
            },
            WaitOutcome::Exited => Outcome::Exited(self.exit()),
            WaitOutcome::StillRunning => {
                Outcome::StillRunning { since: self.log.last(), ready: self.ready.unreported().map(str::to_owned) }
            }
            WaitOutcome::Disconnected(seq) => Outcome::Disconnected { seq },
        };
        // who ends a session asks for no more of it: process_read_output still has all of it
        let ends = waiter.kind == WaitKind::Disconnect;
        let (tracepoints, more_tracepoints, tracepoints_since) =
            if ends { Default::default() } else { self.traces.since(before.trace, TRACES) };
        // the last output goes to whoever hears of the end, and to nobody else
        let with_output = !ends && (waiter.include.output || wait_outcome.ends());
        let opens = waiter.kind == WaitKind::Open;
        let with_id = opens || self.directory.live_count() > 1;
        Report {
            session_id: with_id.then(|| self.id.clone()),
            pid: self.program.pid.filter(|_| waiter.kind.opens()),
            root: self.sources.root().filter(|_| opens).map(|root| root.display().to_string()),
            process: self.program.attached_to.clone().filter(|_| opens),
            elapsed: waiter.began.elapsed(),
            breakpoints: self.breakpoints_for(waiter),
            exceptions: self.table.exceptions.clone().filter(|_| opens && !self.start.gave_rule()),
            stopped_on: self.stop.published().map(|published| published.completed.thread),
            tracepoints,
            more_tracepoints,
            tracepoints_since,
            output: if with_output { self.output.report(before.output) } else { OutputTail::default() },
            note: self.notes_for(waiter, wait_outcome),
            receipt: before,
            outcome,
        }
    }

    fn stop_for(&self, waiter: &Waiter, published: &Published) -> Stop {
        let done = &published.completed;
        let same_thread = self.delivered.frame().thread == Some(done.thread);
        let key = done.moment.as_ref().map(|moment| &moment.key);
        let same_stack = same_thread && key.is_some() && self.delivered.frame().frame.as_ref() == key;
        let same_frame = same_stack && published.compared.is_same_call;
        let step = done.reason == StopReason::Step && waiter.kind == WaitKind::Step;
        let brief = step && same_frame && !waiter.include.explicit;
        // what was shown of this very call is not shown again
        let changes = same_frame && !waiter.include.explicit;
        let mut location = done.location.clone();
        if let Some(location) = location.as_mut().filter(|_| brief) {
            location.function = None;
            location.kind = None;
        }
        let values = match (waiter.include.locals, changes) {
            (false, _) => StopValues::None,
            (true, false) => done.shown_locals(),
            (true, true) => {
                let changed: Vec<Variable> = done
                    .locals
                    .iter()
                    .filter(|local| local.was.is_some() || published.compared.new.contains(&local.name))
                    .cloned()
                    .collect();
                let unchanged = if changed.is_empty() { 0 } else { done.locals.len() - changed.len() };
                StopValues::Changed(changed, unchanged, done.more_locals)
            }
        };
        let stack = waiter.include.stack && !brief;
        Stop {
            reason: done.reason,
            seq: published.seq,
            thread: (!(step && same_thread && !waiter.include.explicit))
                .then(|| (done.thread, done.thread_name.clone())),
            location,
            breakpoint_ids: done.breakpoint_ids.iter().copied().map(BreakpointId).collect(),
            hit_counts: done.hit_counts.clone(),
            exception: done.exception.clone(),
            values,
            watches: if waiter.include.watches { self.watches_for(done) } else { Vec::new() },
            returned: if waiter.include.locals { done.returned.clone() } else { Vec::new() },
            has_more_returned: waiter.include.locals && done.has_more_returned,
            stack: if stack { done.stack.clone() } else { Vec::new() },
            external_frames: if stack { done.external_frames } else { 0 },
            more_frames: if stack { done.more_frames } else { 0 },
            awaited_by: if stack { done.awaited_by.clone() } else { Vec::new() },
            more_awaiting: if stack { done.more_awaiting } else { 0 },
        }
    }

    /// A watch that fails as it did in the last report says so in short.
    fn watches_for(&self, done: &Completed) -> Vec<Variable> {
        let known = &self.delivered.frame().failed_watches;
        let shortened = |watch: &Variable| match failed_watch(watch).filter(|failed| known.contains(failed)) {
            Some((name, words)) => Variable { name, content: Content::Error(words), ..Variable::default() },
            None => watch.clone(),
        };
        done.watches.iter().map(shortened).collect()
    }

    pub(super) fn exit(&self) -> Exit {
        match self.machine.state() {
            State::Ended(ended) => ended.exit.clone(),
            _ => Exit::default(),
        }
    }

    /// launch and attach report all; restart those that moved or are not verified.
    fn breakpoints_for(&self, waiter: &Waiter) -> Vec<Breakpoint> {
        if !waiter.kind.opens() {
            return Vec::new();
        }
        let opens = waiter.kind == WaitKind::Open;
        let listed = self.table.users().filter(|entry| !opens || self.concerns(entry));
        let views = listed.map(|entry| {
            let mut view = entry.view(&self.sources, true);
            if !view.verified || view.moved_from.is_some() {
                view = entry.view(&self.sources, false);
            }
            if waiter.kind == WaitKind::Open {
                view.hits = 0;
                view.note = self.start.replaced_by(entry.id);
            }
            view
        });
        views
            .filter(|view| {
                waiter.kind == WaitKind::Open || view.moved_from.is_some() || (!view.verified && !view.disabled)
            })
            .collect()
    }

    /// What nobody asked for. What is said once must not be lost to another sentence.
    fn notes_for(&self, waiter: &Waiter, wait_outcome: WaitOutcome) -> Option<String> {
        let edited = self.edited_file().filter(|_| wait_outcome == WaitOutcome::Stopped);
        let edited = edited.map(|path| {
            let file = self.sources.relative(path);
            format!("{file} was edited after the build: line numbers are those of the build; build and restart the program to debug the new code")
        });
        let faults = self.table.users().filter_map(|entry| Some((entry.id, entry.faults.unreported()?)));
        let faults = faults.map(|(id, words)| format!("tracepoint {id}: {words}"));
        let once = self.condition_notes.iter().cloned().chain(edited).chain(self.unknown_exceptions(waiter.kind));
        let once = once.chain(faults);
        let notes: Vec<String> = once.chain(self.note_for(waiter, wait_outcome)).collect();
        (!notes.is_empty()).then(|| notes.join("\n"))
    }

    /// Names of the rule that a start gave which mean no exception type: its types are known only once modules are loaded.
    fn unknown_exceptions(&self, kind: WaitKind) -> Option<String> {
        let rule = self.table.exceptions.as_ref().filter(|_| self.start.gave_rule() && kind == WaitKind::Open)?;
        // one that was thrown is known, though its module cannot be read
        let thrown = self.last_exception.as_ref().map(|thrown| thrown.type_name.as_str());
        let is_thrown = |name: &str| thrown.is_some_and(|full| full == name || full.ends_with(&format!(".{name}")));
        let unknown = self.modules.unknown_exceptions(rule.named().filter(|name| !is_thrown(name)))?;
        Some(format!("exceptions: {unknown}"))
    }

    /// The file of the current stop, if no report said yet that it was edited.
    pub(super) fn edited_file(&self) -> Option<&str> {
        let path = self.stop.published()?.completed.edited.as_deref()?;
        (!self.delivered.reported_edited(path)).then_some(path)
    }

    /// One sentence for what was not asked for.
    fn note_for(&self, waiter: &Waiter, wait_outcome: WaitOutcome) -> Option<String> {
        if let Some(words) = self.unreported_lapse() {
            return Some(words);
        }
        if let (WaitOutcome::Disconnected(_), Some(note)) = (wait_outcome, self.not_let_go()) {
            return Some(note);
        }
        if let Some(note) = &waiter.note {
            return Some(note.clone());
        }
        if let Some(note) = self.others_note(waiter.kind) {
            return Some(note);
        }
        if wait_outcome == WaitOutcome::StillRunning
            && let Some(note) = self.program.pid.and_then(suspended::words)
        {
            return Some(note);
        }
        let is_left = || self.step.as_ref().is_some_and(|step| step.leaves_to_nobody());
        if wait_outcome == WaitOutcome::StillRunning && waiter.kind == WaitKind::Step && is_left() {
            return Some(NOT_AWAITED.into());
        }
        if wait_outcome == WaitOutcome::StillRunning && waiter.kind == WaitKind::Pause && self.pauses.is_unanswered() {
            return Some(PAUSE_UNANSWERED.into());
        }
        if wait_outcome == WaitOutcome::StillRunning {
            if self.program.input.is_unreported() {
                return Some(READS_STDIN.into());
            }
            let is_uncounted = |entry: &Entry| !self.adapter_counts() && self.adapter_breakpoints.plan().decides(entry);
            let progress = self.table.users().filter_map(|entry| entry.progress(is_uncounted(entry)));
            let progress: Vec<String> = progress.take(PROGRESS).collect();
            if !progress.is_empty() {
                return Some(progress.join("\n"));
            }
            if self.program.stdin.is_open() && self.program.pid.is_some_and(process::reads_stdin) {
                return Some(READS_STDIN.into());
            }
        }
        if wait_outcome == WaitOutcome::Stopped
            && let Some(published) = self.stop.published()
        {
            if let Some(stepped) = published.completed.cut_short.filter(|_| waiter.kind == WaitKind::Step) {
                return Some(format!("the step on thread {stepped} was interrupted by this stop"));
            }
            if let Some(wanted) = waiter.breakpoint
                && !published.completed.breakpoint_ids.contains(&wanted.0)
            {
                return Some(format!("this stop is not at breakpoint {wanted}"));
            }
            // reading so many frames takes seconds too
            if published.completed.uncounted.is_some() {
                return published.completed.uncounted.clone();
            }
            if published.completed.exception_hung {
                return Some(EXCEPTION_HUNG.into());
            }
            if published.completed.is_trace {
                return Some(FIRST_THROW.into());
            }
            if let Some(words) = &published.completed.unread {
                return Some(format!("no locals: the adapter refuses to list this frame's variables ({words})"));
            }
            if published.completed.location.is_none() {
                return Some("no frame of this thread has source; threads_list shows the other threads".into());
            }
            if published.note.is_some() {
                return published.note.clone();
            }
        }
        if matches!(wait_outcome, WaitOutcome::Exited | WaitOutcome::Disconnected(_))
            && let Some(words) = self.program.held.as_ref().and_then(|held| runaway_words(&held.runaways()))
        {
            return Some(words);
        }
        if wait_outcome == WaitOutcome::Exited
            && let State::Ended(ended) = self.machine.state()
            && ended.exit.exit_code.is_none()
            && ended.exit.signal.is_none()
            && matches!(self.purpose, Purpose::Attach(_))
        {
            return Some(NO_EXIT_CODE.into());
        }
        if self.delivered.lost_answer() {
            return Some("an earlier wait was cancelled; the program kept running".into());
        }
        if let Some(trouble) = self.output.unreported_trouble() {
            return Some(trouble);
        }
        let problem = self.link.as_ref()?.tap.as_ref()?.unreported_problem()?;
        Some(format!("the recording stopped: {problem}"))
    }

    /// Why a program that was to go on does not.
    fn not_let_go(&self) -> Option<String> {
        let pid = self.program.pid?;
        match self.ending.let_go()? {
            LetGo::WhenItContinues => suspended::words(pid).map(|words| format!("{words}; it is let go then")),
            LetGo::Unsure => Some(format!(
                "the adapter did not let go of process {pid} and was killed: if the program stands still now, restart it"
            )),
            LetGo::Now => None,
        }
    }

    /// An answer that opens a session says which others live: calls that name none mean this one from now on.
    fn others_note(&self, kind: WaitKind) -> Option<String> {
        let others = if kind == WaitKind::Open { self.directory.others_live(&self.id) } else { Vec::new() };
        let live = if others.len() > 1 { "are still live" } else { "is still live" };
        (!others.is_empty())
            .then(|| format!("{} {live}; calls without session_id now use {}", others.join(", "), self.id))
    }

    pub(super) fn publish_snapshot(&self) {
        let mut view = StateView::of(self.machine.state().name());
        view.session_id = Some(self.id.clone());
        view.program = self.program.name.as_deref().map(|name| self.sources.relative(name));
        view.started_by = self.link.as_ref().and_then(|link| link.method.started_by());
        // reported where the start was not the usual one
        view.backend = self.link.as_ref().filter(|_| view.started_by.is_some()).map(|link| link.profile.name.clone());
        view.pid = self.program.pid;
        view.lapse = self.unreported_lapse();
        view.output = self.output.end();
        view.seq = Some(self.log.last()).filter(|seq| seq.0 > 0);
        let users = || self.table.users().filter(|entry| !entry.is_foreign());
        view.breakpoint_count = users().count();
        view.unverified = users().filter(|entry| !entry.verified && entry.spec.enabled).count();
        match self.machine.state() {
            State::Starting { phase, .. } => view.phase = Some(phase.as_str()),
            State::Running { since, .. } => {
                view.running_since = Some(*since);
                view.note = self.machine.lapsed().map(Lapsed::words);
            }
            State::Stopped(stop) => match self.stop.published() {
                // a stop that is being judged may be nobody's
                None => {
                    view.state = crate::session::ids::StateName::Running;
                    view.running_since = stop.ran_since;
                }
                Some(published) => {
                    view.seq = Some(published.seq);
                    view.reason = Some(published.completed.reason);
                    view.thread_id = Some(published.completed.thread);
                    view.location =
                        published.completed.location.clone().map(|location| Location { source: None, ..location });
                    view.root = self.sources.root().map(|root| root.display().to_string());
                    view.note = self.stop.readable().and_then(|context| context.reader.forced.stuck());
                }
            },
            State::Ended(ended) => {
                view.pid = None;
                view.why = match &ended.lost {
                    Some(lost) => Some(lost.message.clone()),
                    None => ended.disconnected.then(|| "disconnected".into()),
                };
                view.exit_code = ended.exit.exit_code;
                view.signal = ended.exit.signal.clone();
                view.breakpoint_count = self.workspace.read(|workspace| workspace.of(&self.id).count());
                view.unverified = 0;
            }
        }
        if let (Purpose::Launch(spec), None) = (&self.purpose, &view.program) {
            view.program = Some(spec.program.clone());
        }
        self.snapshot.set(view);
    }

    /// How long it has been running, for messages.
    pub(super) fn running_words(&self) -> String {
        match self.machine.state() {
            State::Running { since, .. } => match self.machine.lapsed() {
                Some(lapsed) => format!("{}; {}", lapsed.words(), running_for(*since)),
                None => running_for(*since),
            },
            State::Starting { phase, .. } => format!("it is starting ({})", phase.as_str()),
            State::Stopped(Stopped { ran_since: Some(since), .. }) if self.stop.published().is_none() => {
                running_for(*since)
            }
            State::Stopped(_) => "it is stopped".into(),
            State::Ended(ended) => match (&ended.exit.exit_code, &ended.exit.signal) {
                _ if ended.lost.is_some() => ended.lost.as_ref().map_or_else(String::new, |lost| lost.message.clone()),
                (Some(code), _) => format!("it exited with code {code}"),
                (_, Some(signal)) => format!("it was killed by {signal}"),
                _ if ended.disconnected => "this session was disconnected from the program".into(),
                _ => "it ended".into(),
            },
        }
    }
}

/// Processes that the program left behind and that end with nothing of ours.
fn runaway_words(runaways: &[Runaway]) -> Option<String> {
    let named: Vec<String> =
        runaways.iter().take(RUNAWAYS).map(|process| format!("{} ({})", process.pid, process.name)).collect();
    let more = runaways.len().saturating_sub(RUNAWAYS);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let (process, are, they) = if runaways.len() == 1 { ("process", "is", "it") } else { ("processes", "are", "they") };
    (!named.is_empty()).then(|| {
        let pids: Vec<String> = runaways.iter().take(RUNAWAYS).map(|process| process.pid.to_string()).collect();
        format!(
            "the program started {process} {}{more}, which {are} still running: {they} left the program's process group (setsid), so clrbridge does not end {}: `kill {}` does",
            named.join(", "),
            if runaways.len() == 1 { "it" } else { "them" },
            pids.join(" ")
        )
    })
}

fn running_for(since: std::time::Instant) -> String {
    format!("it has been running for {:.1} s", since.elapsed().as_secs_f64())
}
