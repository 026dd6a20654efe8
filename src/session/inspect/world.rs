//! C# expressions over a debug adapter: [`clr_csharp`] binds and evaluates them, and asks the adapter for what is in the program.
//!
//! The evaluator asks and waits, the session's reader is asynchronous: an evaluation runs on a thread of its own, and its questions
//! are answered where the reader lives (`asks`). Dropped half-way, it ends at its next question.
//!
//! An adapter holds no value but those that it can name: what an expression reads is known by a path that loads it again, what a
//! call gave by the call itself (`handle`). So a call is made once, together with what stands behind it where that is one chain
//! (`builder.Append(1).Append(2)`), and what would have to be called twice and may change something is refused.

mod asks;
mod assigned;
mod calls;
mod elements;
mod handle;
mod identity;
mod keyed;
mod overloads;
mod passed;
mod printed;
mod program;
mod reading;
mod scope;
mod shown;
mod signs;
mod text;

use std::time::{Duration, Instant};

use clr_csharp::pure::{self, Pure};
use clr_csharp::run::{self, Limits};
use clr_csharp::syntax::{self, Expr};
use clr_csharp::types::TypeSystem;
use clr_csharp::world::Failure;

use self::asks::{Asks, serve};
use self::program::Program;
use self::scope::Known;
use super::budget::Budget;
use super::evaluated::{EvalError, Evaluated};
use super::reader::Reader;
use crate::session::counted::counted;
use crate::session::error::Code;

/// What the computing itself may take where nobody says; what runs in the program has limits of the adapter's.
const TIME: Duration = Duration::from_secs(20);

/// The value of an expression in the reader's frame. `run`: it may run what may change something.
pub(super) async fn evaluate(reader: &Reader, text: &str, run: bool) -> Result<Evaluated, EvalError> {
    let expr = syntax::parse(text).map_err(|error| EvalError::new(Code::EvaluationFailed, error.to_string()))?;
    let known = scope::of(reader).await?;
    let (version, types) = reader.modules.take_types();
    let (own, source) = (reader.clone(), text.to_owned());
    let (result, types) = serve(reader, move |asks| {
        let result = computed(asks, own, known, &types, &expr, run).map_err(|failure| in_words(failure, &source));
        (result, types)
    })
    .await?;
    reader.modules.keep_types((version, types));
    result
}

/// Why a value cannot be assigned to a place in the reader's frame, where their types say so.
pub async fn mismatch(reader: &Reader, place: &str, value: &str) -> Option<String> {
    let (place, value) = (syntax::parse(place).ok()?, syntax::parse(value).ok()?);
    let known = scope::of(reader).await.ok()?;
    let (version, types) = reader.modules.take_types();
    let found = pure::mismatch(&place, &value, (&types, &known.scope));
    reader.modules.keep_types((version, types));
    found.map(|error| error.to_string())
}

fn computed(
    asks: Asks,
    reader: Reader,
    known: Known,
    types: &TypeSystem,
    expr: &Expr,
    run: bool,
) -> Result<Evaluated, Failure<EvalError>> {
    let time = reader.time_limit.unwrap_or(TIME);
    let budget = match reader.budget.deadline() {
        Some(_) => reader.budget.clone(),
        None => Budget::of(Some(time)),
    };
    let mut program = Program::new(asks, reader, &known, types, (budget, !run));
    let limits = Limits { until: Instant::now().checked_add(time), ..Limits::default() };
    let names = (types, &*known.scope);
    let outcome = match run {
        true => run::evaluate(&mut program, names, expr, limits)?,
        false => {
            let purity = program.purity.clone();
            run::evaluate(&mut Pure::new(&mut program, types, &purity), names, expr, limits)?
        }
    };
    Ok(program.shown(&outcome)?)
}

/// To ask a null for something is no accident; what throws is.
fn in_words(failure: Failure<EvalError>, source: &str) -> EvalError {
    match failure {
        Failure::World(error) => error,
        Failure::Null { at, name } => {
            let part = source.get(at).unwrap_or("it");
            let part = part
                .strip_prefix('(')
                .and_then(|it| it.strip_suffix(')'))
                .filter(|it| !it.contains(['(', ')']))
                .unwrap_or(part);
            EvalError::certain(Code::EvaluationFailed, super::missing::of_null(part, &name))
        }
        Failure::SideEffects { at, why } => {
            let part = at.and_then(|at| source.get(at)).unwrap_or(source);
            EvalError::new(Code::SideEffects, format!("`{part}` may have side effects: {why}"))
        }
        Failure::Outside { at, index, count } => {
            let part = source.get(at).unwrap_or("it");
            let words = format!(
                "System.IndexOutOfRangeException: index {index} is out of range; `{part}` has {}",
                counted(count, "element")
            );
            EvalError::certain(Code::EvaluationThrew, words)
        }
        Failure::Threw { type_name: "System.NullReferenceException", .. } => {
            EvalError::certain(Code::EvaluationFailed, failure.to_string())
        }
        Failure::Threw { .. } => EvalError::certain(Code::EvaluationThrew, failure.to_string()),
        Failure::Compiler { .. } => EvalError::new(Code::EvaluationFailed, failure.to_string()),
        Failure::Unsupported(words) if words == run::TOO_LONG => EvalError::new(Code::EvaluationTimeout, words),
        Failure::Unsupported(_) => EvalError::certain(Code::EvaluationFailed, failure.to_string()),
    }
}
