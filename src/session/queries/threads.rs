//! threads_list: every thread's first user frame; threads with the same stack are grouped. Beside that what they wait for.

use super::waits;
use crate::session::context::{StopContext, adapter_words};
use crate::session::error::SessionError;
use crate::session::ids::ThreadId;
use crate::session::inspect::frames::at;
use crate::session::inspect::stack_frame::StackFrame;
use crate::session::inspect::{Budget, evaluate, literal, preview};
use crate::session::report::{Content, Variable};
use crate::session::view::{ThreadGroup, ThreadsView};

/// Threads whose stacks are read; more are listed without a place.
const READ: usize = 1_000;

pub(super) async fn list(context: &StopContext, expressions: &[String]) -> Result<ThreadsView, SessionError> {
    let threads = context.threads().await.map_err(|error| adapter_words(&error))?;
    let mut groups: Vec<ThreadGroup> = Vec::new();
    // the requests of all threads are on their way before the first answer is awaited
    let budget = Budget::of(None);
    let reads = threads.iter().take(READ).map(|(id, _)| place(context, *id, expressions, &budget));
    let (places, waits) = futures::join!(futures::future::join_all(reads), waits::read(context));
    let (waits, deadlocks) = waits::grouped(&waits, &threads);
    let nowhere = std::iter::repeat_with(ThreadGroup::default);
    for ((id, name), mut group) in threads.into_iter().zip(places.into_iter().chain(nowhere)) {
        group.current = id == context.thread;
        let same = groups.iter_mut().find(|other| {
            !other.current
                && !group.current
                && (&other.function, &other.at, &other.inside, &other.values)
                    == (&group.function, &group.at, &group.inside, &group.values)
        });
        match same {
            Some(other) => other.threads.push((id, name)),
            None => {
                group.threads.push((id, name));
                groups.push(group);
            }
        }
    }
    // the stopped thread first, threads without user code last
    groups.sort_by_key(|group| (!group.current, group.function.is_none(), usize::MAX - group.threads.len()));
    Ok(ThreadsView { groups, waits, deadlocks, paused: None })
}

async fn place(context: &StopContext, thread: ThreadId, expressions: &[String], budget: &Budget) -> ThreadGroup {
    let Ok(stack) = context.stack(thread).await else { return ThreadGroup::default() };
    // where an exception was thrown before is no place of the thread
    let Some(frame) = stack.located().filter(|frame| !frame.is_gone) else { return ThreadGroup::default() };
    let mut values = Vec::new();
    for expression in expressions {
        values.push(value(context, frame, expression, budget).await);
    }
    ThreadGroup {
        threads: Vec::new(),
        current: false,
        function: Some(frame.function.clone()),
        kind: frame.kind.clone(),
        at: Some(at(frame, &context.sources)),
        source: frame.path.as_deref().and_then(|path| context.sources.shown_line(path, frame.line)),
        inside: stack.inside(frame),
        values,
    }
}

async fn value(context: &StopContext, frame: &StackFrame, expression: &str, budget: &Budget) -> Variable {
    let reader = context.reader.at(frame).within(budget.clone());
    let mut variable = match evaluate::evaluate(&reader, expression, false).await {
        Ok(found) => preview::variable(&reader, &found.value, &found.load_path, literal::SHORT).await,
        Err(error) => Variable { content: Content::Error(error.to_string()), ..Variable::default() },
    };
    variable.name = expression.to_owned();
    variable
}
