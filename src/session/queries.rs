//! Queries at a stop, each a job of its own: it reads, answers its caller, and changes nothing but what it
//! was asked to set.

mod exceptions;
mod finished;
pub(super) mod heap;
mod heap_groups;
mod heap_walk;
mod memory;
mod numbered;
mod references;
mod resolved;
mod setting;
mod stacks;
mod threads;
mod values;
mod waits;

use std::time::Duration;

use clr_csharp::run::TOO_LONG;
use tokio::sync::watch;
use tokio::time::Instant;

pub(super) use numbered::Numbered;

use super::command::{Answer, Inspect};
use super::context::StopContext;
use super::error::{Code, SessionError};
use super::ids::StateName;
use super::inspect::evaluated::EvalError;
use super::inspect::forced::{could_not_be_aborted, uninterruptible};
use super::inspect::walks::Walks;
use super::view::ThreadsView;

/// Time for the actor to report everything about an adapter's end.
const STORY: Duration = Duration::from_secs(3);
/// Behind its limit an evaluation may still answer that it was ended: then nothing of it goes on.
const GRACE: Duration = Duration::from_millis(500);

pub(super) async fn perform(
    context: StopContext,
    what: Inspect,
    end: watch::Receiver<Option<RunEnd>>,
    read_only: bool,
    paused: Option<Instant>,
    (heaps, numbered): (heap::Heaps, Numbered),
) {
    let changed = what.changes().then(|| context.reader.walks.clone());
    changed.iter().for_each(Walks::forget);
    let lost = Ending { end, evaluated: what.evaluated() };
    match what {
        Inspect::Threads(expressions, answer) => {
            let listed = threads::list(&context, &expressions).await;
            let paused = paused.map(|since| since.elapsed());
            finish(answer, listed.map(|listed| ThreadsView { paused, ..listed }), lost).await
        }
        Inspect::Stack(query, answer) => finish(answer, stacks::get(&context, &query).await, lost).await,
        Inspect::Variables(query, answer) => {
            finish(answer, values::variables(&context, &query, &numbered).await, lost).await
        }
        Inspect::Object(query, answer) => finish(answer, values::object(&context, &query, &numbered).await, lost).await,
        Inspect::Exception(query, answer) => finish(answer, exceptions::get(&context, &query).await, lost).await,
        Inspect::HeapStats(query, answer) => {
            finish(answer, heap::statistics(&context, &heaps, &query).await, lost).await;
        }
        Inspect::HeapFind(query, answer) => finish(answer, heap::find(&context, &query).await, lost).await,
        Inspect::GcRoots(query, answer) => finish(answer, heap::roots(&context, &query, &numbered).await, lost).await,
        Inspect::References(query, answer) => {
            finish(answer, references::get(&context, &query, &numbered).await, lost).await
        }
        Inspect::Memory(query, answer) => finish(answer, memory::read(&context, &query, &numbered).await, lost).await,
        Inspect::SetVariable(query, answer) => finish(answer, setting::set(&context, &query).await, lost).await,
        Inspect::Evaluate(query, answer) => {
            let side_effects = query.allow_side_effects && !read_only;
            let limit = query.timeout;
            let finished = finished::Finished::default();
            let evaluation = values::evaluate(&context, &query, side_effects, (&numbered, &finished));
            tokio::pin!(evaluation);
            match limit {
                None => finish(answer, evaluation.await, lost).await,
                Some(limit) => match tokio::time::timeout(limit + GRACE, &mut evaluation).await {
                    Ok(result) => finish(answer, result, lost).await,
                    Err(_) => {
                        let timed_out = |expression: &str| {
                            SessionError::new(
                                Code::EvaluationTimeout,
                                finished::still_running(expression, limit),
                                "read fields instead (variables_get), or debug_disconnect",
                            )
                            .in_state(StateName::Stopped)
                        };
                        drop(answer.send(match query.expressions.as_slice() {
                            [expression] => Err(timed_out(expression)),
                            several => Ok(finished.give_up(several, limit)),
                        }));
                        // the adapter is busy with it: a resume has to wait
                        drop(evaluation.await);
                    }
                },
            }
        }
    }
    changed.iter().for_each(Walks::forget);
}

/// How a run ended, for those who were asking something of it.
#[derive(Debug, Clone)]
pub(super) struct RunEnd {
    pub error: SessionError,
    /// Of a program that ended, in words: `it exited with code 9`.
    pub how: Option<String>,
}

impl RunEnd {
    /// As the answer to what was asked; `evaluated`: what may have run code of the program.
    fn answer(self, evaluated: Option<&str>) -> SessionError {
        match (evaluated, self.how) {
            (Some(evaluated), Some(how)) => SessionError {
                message: format!("the program ended while `{evaluated}` was being evaluated: {how}"),
                hint: "debug_launch it again, and do not evaluate this again".into(),
                ..self.error
            },
            _ => self.error,
        }
    }
}

/// Tells how the run ends, should it end while something is asked.
struct Ending {
    end: watch::Receiver<Option<RunEnd>>,
    /// What may run code of the program.
    evaluated: Option<String>,
}

/// Answers; an adapter that went away meanwhile is reported by the actor, which knows more.
async fn finish<T>(answer: Answer<T>, result: Result<T, SessionError>, mut lost: Ending) {
    let result = match result {
        Err(error) if matches!(error.code, Code::AdapterLost | Code::NotRunning) => {
            let reason = tokio::time::timeout(STORY, lost.end.wait_for(Option::is_some)).await;
            Err(match reason {
                Ok(Ok(end)) => end.clone().map_or(error, |end| end.answer(lost.evaluated.as_deref())),
                _ => error,
            })
        }
        result => result,
    };
    drop(answer.send(result));
}

/// An evaluation's failure as a call's. `side_effects`: it may have had some.
fn evaluation_failed(expression: &str, error: &EvalError, side_effects: bool) -> SessionError {
    if let (Code::EvaluationTimeout, Some(method)) = (error.code, uninterruptible(&error.message)) {
        let message = format!(
            "{expression} did not return: the program is running in {method}, in a loop that the runtime cannot interrupt, so nothing more can \
             be read or evaluated"
        );
        return SessionError::new(error.code, message, "debug_disconnect, then start the program again")
            .in_state(StateName::Stopped);
    }
    let (message, hint) = match error.code {
        Code::EvaluationTimeout if error.message.contains("Command execution") => {
            // whether it ever comes back the actor finds out
            let message = format!("{expression} did not return, and the adapter is still waiting for it");
            return SessionError::new(Code::AdapterLost, message, "debug_state shows whether it has responded");
        }
        Code::EvaluationTimeout if could_not_be_aborted(&error.message) => (
            format!(
                "{expression} did not return and could not be aborted: it is still running in the program, so values cannot \
                 be read at this stop and steps may fail"
            ),
            "debug_continue, or start the program again",
        ),
        Code::EvaluationTimeout if error.message.contains(TOO_LONG) => (
            format!("{expression} took too long and was stopped; it has no value"),
            "ask for less (`.Take(10)`, an index), or raise timeout_ms",
        ),
        Code::EvaluationTimeout => (
            format!(
                "{expression} did not return in time and was aborted{}",
                if side_effects { "; its side effects up to then remain" } else { "" }
            ),
            "the program is still at the same stop: read fields instead (variables_get)",
        ),
        Code::EvaluationThrew => {
            let hint = match side_effects {
                true => "fix the expression or its arguments; side effects before the throw remain",
                false => "fix the expression or its arguments",
            };
            (error.message.clone(), hint)
        }
        Code::SideEffects => (error.message.clone(), "evaluate with allow_side_effects: true runs it"),
        Code::AdapterLost => (error.message.clone(), "debug_state shows what happened; start the program again"),
        // how it ended the actor finds out
        Code::NotRunning => {
            let hint = "debug_state shows how it ended; start the program again";
            return SessionError::new(Code::NotRunning, error.message.clone(), hint);
        }
        _ => (error.message.clone(), next_step(&error.message)),
    };
    SessionError::new(error.code, message, hint).in_state(StateName::Stopped)
}

/// What the compiler says of names that an assembly may have which is not loaded yet.
const UNKNOWN: [&str; 5] = ["error CS1061", "error CS0117", "error CS0234", "error CS0246", "error CS1929"];

/// What helps where an expression has no value.
fn next_step(message: &str) -> &'static str {
    if message.contains(crate::dap::LOST) {
        "stop before the `await` or `yield`, or build it with configuration Debug"
    } else if message.contains("is null, so it has no") {
        "use `?.` where a value may be null"
    } else if message.contains("does not exist in this optimized code") {
        "debug a build with configuration Debug, which keeps all variables"
    } else if UNKNOWN.iter().any(|code| message.starts_with(code)) {
        "correct the expression: it is not valid C# with the assemblies that the program has loaded by now"
    } else if message.contains("does not exist") {
        "variables_get lists the variables"
    } else if message.starts_with("error CS") {
        "correct the expression: it is not valid C# here"
    } else {
        "rewrite that part, or read the values it refers to with variables_get (path)"
    }
}
