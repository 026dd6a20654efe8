//! What a breakpoint makes of a hit: its condition, its hit condition, and what it logs.

use dap_wire::{HitCount, Trace, TracedHit, TracedValue};

use crate::breakpoints::{LogMessage, Part, Wanted};
use crate::evaluate::{self, Answer, EvalError, Evaluation};
use crate::stopped::Stopped;
use crate::target::Notice;
use crate::values::Shown;

/// What one breakpoint makes of a hit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// With the counter that counted the hit.
    Stop(Option<HitCount>),
    Pass,
    /// Its expressions run code of the program, which cannot be done here.
    NeedsCall,
}

/// Decides a hit of the breakpoint `id`; with `calls` its expressions may run code.
pub fn settle(stopped: &mut Stopped, thread: u32, id: i64, mut calls: Option<&mut dyn evaluate::Calls>) -> Decision {
    let target = stopped.target().clone();
    let Some((wanted, fault)) =
        target.breakpoints().get(id).map(|breakpoint| (breakpoint.wanted.clone(), breakpoint.fault.clone()))
    else {
        return Decision::Pass;
    };
    let fail = |words: String| {
        // reported once for each fault
        if fault.as_ref() != Some(&words) {
            target.notify(Notice::Said { text: format!("{words}\n"), is_error: true });
        }
        if let Some(breakpoint) = target.breakpoints().get_mut(id) {
            breakpoint.fault = Some(words);
        }
        target.notify(Notice::BreakpointChanged(id));
    };
    if let Some(condition) = &wanted.condition {
        let calls = calls.as_mut().map(|calls| &mut **calls as &mut dyn evaluate::Calls);
        let mut memory = target.breakpoints().get_mut(id).map(|it| std::mem::take(&mut it.memory)).unwrap_or_default();
        let holds = evaluate::condition(stopped, thread, condition, (calls, wanted.is_pure), &mut memory);
        let is_news = target.breakpoints().get_mut(id).is_some_and(|breakpoint| {
            if breakpoint.wanted.evaluates(&wanted) {
                breakpoint.memory = memory;
            }
            !matches!(holds, Err(EvalError::NeedsCall)) && breakpoint.judged.count(matches!(holds, Ok(false)))
        });
        if is_news {
            target.notify(Notice::Counted);
        }
        match holds {
            Ok(true) => {}
            Ok(false) => return Decision::Pass,
            Err(EvalError::NeedsCall) => return Decision::NeedsCall,
            Err(error) => {
                fail(format!(
                    "The condition for a breakpoint failed to execute. The condition was '{condition}'. The error returned was '{error}'."
                ));
                return Decision::Stop(None);
            }
        }
    }
    let Some(next) = target.breakpoints().next_hit(id, wanted.counter) else { return Decision::Pass };
    let holds = wanted.hit_condition.is_none_or(|condition| condition.holds(next));
    // of a hit that does not count nothing is said, and nothing runs
    let said = match wanted.log_message.as_ref().filter(|_| holds) {
        None => None,
        Some(message) => match said(stopped, thread, (id, &wanted), message, calls) {
            Ok(text) => Some(text),
            Err(NeedsCall) => return Decision::NeedsCall,
        },
    };
    let values = wanted.trace.as_ref().filter(|_| holds);
    let values = values.and_then(|trace| read(stopped, thread, (id, &wanted), trace));
    let mut breakpoints = target.breakpoints();
    // removed meanwhile
    if breakpoints.get(id).is_none() {
        return Decision::Pass;
    }
    let (counted, is_news) = breakpoints.count(id, wanted.counter);
    let traced = values.zip(wanted.trace.as_ref()).map(|(values, Trace { trace, .. })| {
        breakpoints.traces.push(TracedHit { trace: *trace, thread_id: thread.into(), age: 0, values })
    });
    drop(breakpoints);
    if is_news {
        target.notify(Notice::Counted);
    }
    if traced == Some(true) {
        target.notify(Notice::Traced);
    }
    match said {
        _ if !holds || traced.is_some() => Decision::Pass,
        Some(text) => {
            target.notify(Notice::Said { text: format!("{text}\n"), is_error: false });
            Decision::Pass
        }
        None => Decision::Stop(counted),
    }
}

/// Code of the program has to run.
struct NeedsCall;

/// The text of a log message.
fn said(
    stopped: &mut Stopped,
    thread: u32,
    of: (i64, &Wanted),
    message: &LogMessage,
    mut calls: Option<&mut dyn evaluate::Calls>,
) -> Result<String, NeedsCall> {
    let holes: Vec<String> = message.holes().map(str::to_owned).collect();
    let known = plain_values(stopped, thread, of, &holes, evaluate::printed);
    let mut known = known.map(Vec::into_iter);
    let mut text = String::new();
    for part in &message.0 {
        match (part, &mut known) {
            (Part::Text(plain), _) => text.push_str(plain),
            (Part::Hole(_), Some(known)) => text.push_str(&known.next().unwrap_or_default()),
            (Part::Hole(expression), None) => {
                let calls = calls.as_mut().map(|calls| &mut **calls as &mut dyn evaluate::Calls);
                match evaluate::interpolated(stopped, thread, expression, (calls, of.1.is_pure)) {
                    Ok(value) => text.push_str(&value),
                    Err(EvalError::NeedsCall) => return Err(NeedsCall),
                    Err(error) => text.push_str(&format!("{{{expression}: {error}}}")),
                }
            }
        }
    }
    Ok(text)
}

/// What is wanted at the hits of a tracepoint; `None`: the hit has to stop.
fn read(stopped: &mut Stopped, thread: u32, of: (i64, &Wanted), trace: &Trace) -> Option<Vec<TracedValue>> {
    let target = stopped.target().clone();
    // a hit on another thread while a call of ours runs comes after the stop that the call is made at
    if target.is_calling() || !target.breakpoints().traces.takes(trace) {
        return None;
    }
    let values = plain_values(stopped, thread, of, &trace.expressions, |evaluation, value| evaluation.show(value).0)?;
    let value = |(expression, shown): (&String, Shown)| TracedValue {
        expression: expression.clone(),
        value: shown.text,
        type_name: shown.type_name,
    };
    Some(trace.expressions.iter().zip(values).map(value).collect())
}

/// With what the breakpoint remembers of them.
fn plain_values<T>(
    stopped: &mut Stopped,
    thread: u32,
    (id, wanted): (i64, &Wanted),
    expressions: &[String],
    say: impl Fn(&Evaluation<'_>, &Answer) -> T,
) -> Option<Vec<T>> {
    let target = stopped.target().clone();
    let mut memory = std::mem::take(&mut target.breakpoints().get_mut(id)?.message_memory);
    let values = evaluate::plain_values(stopped, thread, expressions, &mut memory, say);
    // one that was changed meanwhile has other expressions
    if let Some(breakpoint) = target.breakpoints().get_mut(id).filter(|it| it.wanted.evaluates(wanted)) {
        breakpoint.message_memory = memory;
    }
    values
}
