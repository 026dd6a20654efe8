//! Expressions of an adapter that evaluates C# itself: it gets them as they are written.

use super::access::{Access, ReadError};
use super::evaluated::{EvalError, Evaluated, RUNS_NOTHING};
use super::path::walk_path;
use super::raw_value::RawValue;
use super::reader::Reader;
use super::{bounds, refusal, shared_code, spelling, threw};
use crate::dap::MayRun;
use crate::session::error::Code;
use crate::session::expression::{as_receiver, is_path, outside_strings};
use clr_csharp::run::TOO_LONG;
use clr_csharp::syntax;
use clr_metadata::names;

/// How the adapter begins the reason of a refusal.
pub(in crate::session) const SIDE_EFFECTS: &str = "` may have side effects: ";

pub(super) async fn evaluate(reader: &Reader, expression: &str, may_run: MayRun) -> Result<Evaluated, EvalError> {
    let expression = expression.trim();
    bounds::refuse(expression)?;
    if may_run == MayRun::Anything {
        reader.forced.forget_runs();
    }
    let words = match reader.evaluate_csharp(expression, may_run).await {
        Ok(value) => {
            // what it gave is read from where it is, not by another call
            match may_run {
                MayRun::Anything if outside_strings(expression).contains('(') => {
                    reader.forced.note_run(reader.frame_id, &receiver(expression));
                }
                MayRun::Anything => {}
                MayRun::Pure | MayRun::Nothing => reader.forced.note_pure(reader.frame_id, &receiver(expression)),
            }
            return match threw::of_expression(reader, expression, &value).await {
                Some(message) => Err(EvalError::new(Code::EvaluationThrew, message)),
                None => {
                    let type_name = shared_code::unnamed(&value.type_name);
                    let value = super::made_there::listed(reader, RawValue { type_name, ..value }).await;
                    Ok(Evaluated { load_path: receiver(expression), value })
                }
            };
        }
        Err(ReadError::Refused(words)) => words,
        Err(other) => return Err(other.into()),
    };
    if may_run == MayRun::Nothing && words.contains(RUNS_NOTHING) {
        let message = format!("`{expression}` runs code, and this server is read-only");
        return Err(EvalError::new(Code::EvaluationFailed, message));
    }
    if words.contains(TOO_LONG) {
        return Err(EvalError::new(Code::EvaluationTimeout, words));
    }
    // CORDBG_E_PROCESS_TERMINATED
    if words.contains("0x80131301") {
        return Err(EvalError::new(Code::NotRunning, "the program ended during the evaluation"));
    }
    if words.contains(SIDE_EFFECTS) {
        return Err(EvalError::new(Code::SideEffects, words));
    }
    // elements are found by keys as listings have them; where the compiler refuses, nothing has run that would run again
    if words.starts_with("error CS") && is_path(expression) && !refusal::is_of_type(&words) {
        match walk_path(reader, expression, may_run == MayRun::Anything).await {
            Err(error) if error.code == Code::EvaluationFailed && !error.is_certain => {}
            found => return found,
        }
    }
    let message = match refusal::missing_name(&words).is_some() || words.contains(RUNS_NOTHING) {
        true => refusal::explained(reader, expression, &words).await,
        false => words,
    };
    let code = if throws(&message) { Code::EvaluationThrew } else { Code::EvaluationFailed };
    Err(EvalError::new(code, message))
}

/// As a member may be read of it.
fn receiver(expression: &str) -> String {
    syntax::parse(expression).map_or_else(|_| format!("({expression})"), |expr| as_receiver(expression, &expr))
}

/// An expression of code of which nothing is known: what any adapter makes of it.
pub(super) async fn unbound(reader: &Reader, expression: &str) -> Result<Evaluated, EvalError> {
    bounds::refuse_what_kills(expression)?;
    match reader.evaluate(expression, Access::Run).await {
        Ok(value) => match threw::of_expression(reader, expression, &value).await {
            Some(message) => Err(EvalError::new(Code::EvaluationThrew, message)),
            None => Ok(Evaluated { load_path: expression.to_owned(), value }),
        },
        Err(ReadError::Refused(words)) => {
            let message = refusal::explained(reader, expression, &words).await;
            Err(EvalError::new(Code::EvaluationFailed, message))
        }
        Err(other) => Err(other.into()),
    }
}

/// An element of a collection of a framework whose metadata nobody can read: its name alone shows that the indexer has no side effects.
pub(super) async fn element(reader: &Reader, path: &str) -> Option<Result<Evaluated, EvalError>> {
    let (receiver, index) = path.strip_suffix(']')?.rsplit_once('[')?;
    let at = walk_path(reader, receiver, false).await.ok()?;
    let index = match spelling::constant(index) {
        Some(constant) => constant.type_().to_string(),
        None => walk_path(reader, index, false).await.ok()?.value.type_name,
    };
    let (purity, type_name, index) = (reader.modules.purity(), at.value.type_name, names::parse_type(&index));
    let judged = tokio::task::spawn_blocking(move || purity.call(&type_name, "get_Item", &[index])).await.ok()?;
    match judged {
        Some(Ok(())) => Some(unbound(reader, path).await),
        _ => None,
    }
}

/// Whether the words are those of an exception. A place that is not there is a question that has no answer, not an accident.
fn throws(words: &str) -> bool {
    const NULL: &str = "System.NullReferenceException";
    let is_name = |c: char| c.is_alphanumeric() || c == '.' || c == '_';
    let name = words.split_once(": ").map(|(name, _)| name);
    name.is_some_and(|name| name.ends_with("Exception") && name.chars().all(is_name) && name != NULL)
}
