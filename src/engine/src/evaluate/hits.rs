//! What breakpoints evaluate at a hit, in the innermost frame of its thread: conditions, and what is in the holes of messages.

use std::time::Duration;

use clr_csharp::constant::{Constant, Scalar};
use clr_csharp::pure::Pure;
use clr_csharp::run::{Limits, Outcome, Prepared};
use clr_csharp::syntax;
use clr_csharp::value::Value;
use clr_csharp::world::{Scope, World};

use super::{Answer, Calls, EvalError, Evaluated, Evaluation, TIME, limits, recalled, threw};
use crate::breakpoints::Memory;
use crate::com;
use crate::stopped::Stopped;
use crate::target::LoadedTypes;

/// For all expressions of one hit that is to be no stop: the program stands still meanwhile, and nothing can interrupt that.
const AT_A_HIT: Duration = Duration::from_millis(250);
/// Hits in a row at which that was tried in vain: those after them are as they would be without it, and lose no time.
const FUTILE: u32 = 16;

/// Makes the calls of an expression, where any may be made, and whether only those that change nothing are.
pub type Allowed<'c> = (Option<&'c mut dyn Calls>, bool);

/// Whether a condition holds in a thread's innermost frame. What it takes to know that again at the same place goes into the memory,
/// which is that condition's own.
///
/// # Errors
/// [`EvalError`], also where it is no `bool`.
pub fn condition(
    stopped: &mut Stopped,
    thread: u32,
    text: &str,
    allowed: Allowed<'_>,
    memory: &mut Memory,
) -> Result<bool, EvalError> {
    let recalled = memory
        .recall(stopped, thread, |known, program, types| known.first()?.holds(program, types, Limits::default()).ok());
    if let Some(known) = recalled {
        return Ok(known);
    }
    let expr = syntax::parse(text).map_err(|error| EvalError::Failed(error.to_string()))?;
    with(stopped, thread, allowed, |evaluation| {
        let registers = noting(evaluation);
        let (loaded, scope) = evaluation.names(text);
        let bound = Prepared::condition(&loaded.types, scope, &expr);
        let value = match &bound {
            Ok(condition) if evaluation.is_pure => {
                let purity = loaded.purity(evaluation.stopped.target());
                condition.holds(&mut Pure::new(evaluation, &loaded.types, purity), &loaded.types, limits(TIME))
            }
            Ok(condition) => condition.holds(evaluation, &loaded.types, limits(TIME)),
            Err(error) => Err(error.clone().into()),
        };
        if let (Ok(condition), Ok(_), Some(at)) = (bound, &value, registers) {
            memory.keep(at, loaded.version, vec![condition], evaluation.stopped.homes.take());
        }
        evaluation.stopped.target().keep_types(loaded);
        match (value, evaluation.threw.take()) {
            (Err(_), Some(exception)) => Err(threw(evaluation, exception)),
            (value, _) => value.map_err(|error| EvalError::of(error, text)),
        }
    })
}

/// What to say of the values of expressions, where nothing has to run for them and each says all of itself in one line: numbers,
/// characters, enums, texts and null. What it takes to know them again at the same place goes into the memory, which is that of these
/// expressions.
///
/// `None`: one of them fails, runs code, takes too long or is an object.
pub fn plain_values<T>(
    stopped: &mut Stopped,
    thread: u32,
    texts: &[String],
    memory: &mut Memory,
    say: impl Fn(&Evaluation<'_>, &Answer) -> T,
) -> Option<Vec<T>> {
    if texts.is_empty() {
        return Some(Vec::new());
    }
    if memory.futile >= FUTILE {
        return None;
    }
    let said = plain_now(stopped, thread, texts, memory, say);
    memory.futile = if said.is_some() { 0 } else { memory.futile + 1 };
    said
}

fn plain_now<T>(
    stopped: &mut Stopped,
    thread: u32,
    texts: &[String],
    memory: &mut Memory,
    say: impl Fn(&Evaluation<'_>, &Answer) -> T,
) -> Option<Vec<T>> {
    let recalled = memory.recall(stopped, thread, |known, program, types| {
        let value = |prepared: &Prepared| {
            let Outcome { value, type_ } = prepared.evaluate(program, types, Limits::default()).ok()?;
            Some((program.plain(value)?, type_))
        };
        known.iter().map(value).collect::<Option<Vec<_>>>()
    });
    let mut evaluation =
        Evaluation { is_pure: true, is_asked_again: true, ..Evaluation::new(stopped, thread, 0, None) };
    if let Some(known) = recalled {
        let say = |(constant, type_)| say(&evaluation, &Answer { value: Value::Constant(constant), type_ });
        return Some(known.into_iter().map(say).collect());
    }
    let registers = noting(&mut evaluation);
    let (loaded, scope) = evaluation.names(&texts.join(" "));
    let found = values_of(&mut evaluation, texts, (&loaded, &scope));
    let said = found.map(|(prepared, values)| {
        let said = values.iter().map(|value| say(&evaluation, value)).collect();
        if let Some(at) = registers {
            memory.keep(at, loaded.version, prepared, evaluation.stopped.homes.take());
        }
        said
    });
    evaluation.stopped.target().keep_types(loaded);
    said
}

fn values_of(
    evaluation: &mut Evaluation<'_>,
    texts: &[String],
    (loaded, scope): (&LoadedTypes, &Scope),
) -> Option<(Vec<Prepared>, Vec<Answer>)> {
    let limits = limits(AT_A_HIT);
    let (mut all, mut values) = (Vec::with_capacity(texts.len()), Vec::with_capacity(texts.len()));
    for text in texts {
        let prepared = Prepared::bind(&loaded.types, scope.clone(), &syntax::parse(text).ok()?).ok()?;
        let purity = loaded.purity(evaluation.stopped.target());
        let value = prepared.evaluate(&mut Pure::new(evaluation, &loaded.types, purity), &loaded.types, limits).ok()?;
        if let Value::Object(place) = &value.value {
            // where a text lies is noted as it is read
            let _ = World::text(evaluation, place);
        }
        if !is_plain(evaluation, &value) {
            return None;
        }
        values.push(value);
        all.push(prepared);
    }
    Some((all, values))
}

/// Whether one line says all of a value.
fn is_plain(evaluation: &Evaluation<'_>, value: &Answer) -> bool {
    if matches!(value.value, Value::Made(_) | Value::Void) {
        return false;
    }
    let (shown, _) = evaluation.show(value);
    !shown.opens && shown.elements.is_none() && !shown.text.starts_with(['{', '<'])
}

/// Where the evaluation stands, if it is worth to note where it finds what it reads: the same lies there the next time.
fn noting(evaluation: &mut Evaluation<'_>) -> Option<com::Registers> {
    let thread = evaluation.thread;
    let registers = evaluation.stopped.target().process().and_then(|process| process.registers(thread)).ok()?;
    if !recalled::is_steady(evaluation.stopped, thread) {
        return None;
    }
    evaluation.noted = Some(registers.frame_pointer);
    Some(registers)
}

/// The value of an expression as C# interpolation would print it.
///
/// # Errors
/// [`EvalError`]
pub fn interpolated(stopped: &mut Stopped, thread: u32, text: &str, allowed: Allowed<'_>) -> Result<String, EvalError> {
    with(stopped, thread, allowed, |evaluation| match evaluation.text(text)? {
        Evaluated::Threw(exception) => Err(threw(evaluation, exception)),
        Evaluated::Value(answer) => Ok(printed(evaluation, &answer)),
    })
}

/// A value as C# interpolation would print it.
pub fn printed(evaluation: &Evaluation<'_>, answer: &Answer) -> String {
    match &answer.value {
        Value::Constant(Constant::Null) => String::new(),
        Value::Constant(Constant::Scalar(Scalar::Bool(value))) => if *value { "True" } else { "False" }.to_owned(),
        Value::Constant(Constant::Scalar(Scalar::Char(unit))) => String::from_utf16_lossy(&[*unit]),
        _ => match evaluation.string(answer) {
            Some(text) => text,
            None => evaluation.in_words(answer),
        },
    }
}

fn with<T>(
    stopped: &mut Stopped,
    thread: u32,
    (calls, is_pure): Allowed<'_>,
    act: impl FnOnce(&mut Evaluation<'_>) -> Result<T, EvalError>,
) -> Result<T, EvalError> {
    let Some(mut calls) = calls else {
        let evaluation = Evaluation::new(stopped, thread, 0, None);
        return act(&mut Evaluation { is_pure, is_asked_again: true, ..evaluation });
    };
    let calls: &mut dyn Calls = &mut calls;
    act(&mut Evaluation { is_pure, ..Evaluation::new(stopped, thread, 0, Some(calls)) })
}
