//! The one seam through which expressions go: what adapters cannot do is done here, what kills them is refused
//! (vendor-notes.md).

use super::effects::parse::{self, Kind};
use super::expression::{is_path, outside_strings};
use super::literal::Raw;
use super::path::{walk, walk_path};
use super::reader::{Access, RawValue, ReadError, Reader};
use super::refusal::{missing_name, told};
use super::{
    bounds, computed, enums, hidden, imported, keyed, linq, literal, overloads, passed_enums, shared_code, type_tests,
};
use crate::dap::MayRun;
use crate::session::error::Code;

/// Why an expression has no value. `code` is one of the surface's evaluation codes.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{}: {message}", code.as_str())]
pub struct EvalError {
    pub code: Code,
    pub message: String,
    /// It is the truth, whatever the adapter says.
    pub is_certain: bool,
}

impl EvalError {
    pub(super) fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), is_certain: false }
    }

    pub(super) fn certain(code: Code, message: impl Into<String>) -> Self {
        Self { is_certain: true, ..Self::new(code, message) }
    }
}

impl From<ReadError> for EvalError {
    fn from(error: ReadError) -> Self {
        match error {
            ReadError::Refused(words) => Self::new(Code::EvaluationFailed, words),
            ReadError::Aborted(words) => Self::new(Code::EvaluationTimeout, words),
            ReadError::Gone(words) => Self::new(Code::AdapterLost, words),
        }
    }
}

/// A value and an expression that only loads it again (for previews).
#[derive(Debug, Clone)]
pub struct Evaluated {
    pub value: RawValue,
    pub load_path: String,
}

/// Both adapters' words where nothing can be called.
pub const RUNS_NOTHING: &str = "causes side effects and will not be evaluated";
/// E_INVALIDARG, of a call: both adapters look for a method that takes exactly these types.
pub(super) const NO_OVERLOAD: &str = "0x80070057";
/// Why no getter and no method answers.
pub const NOTHING_RUNS: &str =
    "calls are not possible at this stop: the thread is in native code (a wait, a system call); fields are readable";

/// Evaluates in the reader's frame. Without `side_effects` only what is known to change nothing.
pub async fn evaluate(reader: &Reader, expression: &str, side_effects: bool) -> Result<Evaluated, EvalError> {
    if reader.capabilities.supports_csharp_expressions {
        let may_run = match (reader.read_only, side_effects) {
            (true, _) => MayRun::Nothing,
            (false, true) => MayRun::Anything,
            (false, false) => MayRun::Pure,
        };
        return super::native::evaluate(reader, expression, may_run).await;
    }
    let spelled = reader.modules.spell_elements(expression, &reader.declared());
    let expression = spelled.as_deref().unwrap_or(expression);
    hidden::check(reader, expression).await?;
    // it is known of its parts then
    let reader = &Reader { by_run_time_type: true, ..reader.clone() };
    let answer = match as_written(reader, expression, side_effects).await {
        Err(error) if error.code == Code::EvaluationFailed && !error.is_certain => {
            match imported::qualified(reader, expression).await {
                Some(qualified) => as_written(reader, &qualified, side_effects).await,
                None => Err(error),
            }
        }
        answer => answer,
    };
    Ok(shared_code::named(reader, expression, answer?).await)
}

pub(super) async fn as_written(reader: &Reader, expression: &str, side_effects: bool) -> Result<Evaluated, EvalError> {
    let expression = expression.trim();
    match bounds::parse(expression)? {
        Some(expr) => computed::evaluate(reader, &expr, side_effects).await,
        None => operand(reader, expression, side_effects).await,
    }
}

/// What has no operator of ours: a path, a call, or what only the adapter knows.
pub(super) async fn operand(reader: &Reader, expression: &str, side_effects: bool) -> Result<Evaluated, EvalError> {
    if let Some(member) = enums::member(reader, expression).await {
        return Ok(member);
    }
    if let Some(cast) = type_tests::without_cast(reader, expression, side_effects).await {
        return cast?.value(reader, side_effects).await;
    }
    if let Some(holds) = enums::has_flag(reader, expression, side_effects && !reader.read_only).await {
        return Ok(holds);
    }
    if let Some(read) = keyed::value(reader, expression, side_effects && !reader.read_only).await {
        return read;
    }
    if let Some(read) = linq::call(reader, expression, side_effects && !reader.read_only).await {
        return read;
    }
    if reader.read_only {
        return walk(reader, expression).await;
    }
    if !side_effects {
        return match super::effects::evaluate_pure(reader, expression).await {
            Err(error) if error.code == Code::SideEffects => {
                super::counted::value(reader, expression).await.ok_or(error)
            }
            // an element's key as elements are listed is no C# where it has several members
            Err(error) if error.code == Code::EvaluationFailed && !error.is_certain && expression.contains('[') => {
                walk(reader, expression).await.map_err(|walked| if walked.is_certain { walked } else { error })
            }
            answer => answer,
        };
    }
    passed_enums::check(reader, expression).await?;
    match reader.evaluate(expression, Access::Run).await {
        Ok(value) => {
            if let Some(message) = thrown(reader, expression, &value).await {
                return Err(linq::refused(&message).unwrap_or_else(|| EvalError::new(Code::EvaluationThrew, message)));
            }
            let mut value = null_conditional(reader, expression, value);
            // both adapters have it for unsigned; in C# it is an `int` (ECMA-334, 12.8.19)
            if expression.starts_with("sizeof(") && value.type_name == "uint" {
                value.type_name = "int".to_owned();
            }
            Ok(Evaluated { load_path: expression.to_owned(), value })
        }
        Err(error) => instead(reader, expression, error).await,
    }
}

/// What the adapter refused and we can do: lengths, counts, elements of sets.
async fn instead(reader: &Reader, expression: &str, refusal: ReadError) -> Result<Evaluated, EvalError> {
    let words = match refusal {
        ReadError::Refused(words) => words,
        other => return Err(other.into()),
    };
    // CORDBG_E_PROCESS_TERMINATED
    if words.contains("0x80131301") {
        return Err(EvalError::new(Code::NotRunning, "the program ended during the evaluation"));
    }
    if let Some(read) = character(reader, expression).await {
        return read;
    }
    if is_path(expression) {
        match walk_path(reader, expression, true).await {
            Ok(found) => return Ok(found),
            // a number or a missing name of the adapter says less
            Err(error)
                if error.is_certain
                    || error.code != Code::EvaluationFailed
                    || missing_name(&words).is_some()
                    || words.contains("System.NullReferenceException")
                    || words.contains("does not contain a definition")
                    || words.trim_start_matches("error: ").trim().starts_with("0x") =>
            {
                return Err(error);
            }
            Err(_) => {}
        }
    }
    // a member of what a call gives: `Lines().Length` of an array (netcoredbg), `call().Result` of a ValueTask
    if missing_name(&words).is_some()
        && let Some((receiver, name)) = last_member(expression)
        && receiver.ends_with([')', ']'])
        && let Some(read) = of_result(reader, receiver, name).await
    {
        return read;
    }
    if missing_name(&words).is_some()
        && let Some((receiver, name)) = last_member(expression)
        && let Ok(value) = reader.evaluate(&format!("{receiver}.get_{name}()"), Access::Run).await
    {
        return match thrown(reader, expression, &value).await {
            Some(message) => Err(EvalError::new(Code::EvaluationThrew, message)),
            None => Ok(Evaluated { value, load_path: expression.to_owned() }),
        };
    }
    if let Some(range) = super::compound::length_path(expression)
        && let Some(path) = expression.get(range.clone())
        && path != expression
        && let Ok(length) = walk_path(reader, path, true).await
    {
        let mut known = expression.to_owned();
        known.replace_range(range, &length.value.value);
        return Box::pin(evaluate(reader, &known, true)).await;
    }
    if words.contains(NO_OVERLOAD)
        && let Some(invoked) = super::delegates::invoked(reader, expression).await
    {
        return Box::pin(operand(reader, &invoked, true)).await;
    }
    if words.contains(NO_OVERLOAD)
        && let Some(mismatch) = overloads::mismatch(reader, expression).await
    {
        return Err(EvalError::new(Code::EvaluationFailed, mismatch));
    }
    Err(EvalError::new(Code::EvaluationFailed, told(reader, expression, &words).await))
}

/// An index of a text, which adapters do not know, by the method that it calls.
async fn character(reader: &Reader, expression: &str) -> Option<Result<Evaluated, EvalError>> {
    let part = parse::parse(expression).filter(|_| expression.ends_with(']'))?;
    let Kind::Index(receiver, arguments) = &part.kind else { return None };
    let ([index], true) = (arguments.as_slice(), is_path(&receiver.text) || !reader.ran) else { return None };
    let at = Box::pin(operand(reader, &receiver.text, true)).await.ok()?;
    let call = format!("{}.get_Chars({})", receiver.text, index.text);
    match at.value.parsed() {
        Raw::Text(_) => Some(Box::pin(operand(reader, &call, true)).await),
        _ => None,
    }
}

/// A member of what was called before it. The adapter has called it already, in vain: where that may have changed something, it is not
/// called again.
async fn of_result(reader: &Reader, receiver: &str, name: &str) -> Option<Result<Evaluated, EvalError>> {
    let again = match reader.ran {
        true => super::effects::evaluate_pure(reader, receiver).await,
        false => Box::pin(operand(reader, receiver, true)).await,
    };
    if again.as_ref().is_err_and(|error| error.code == Code::SideEffects) {
        let words = format!(
            "the adapter finds no `{name}` in what `{receiver}` gave, and calling it again may change something: evaluate `{receiver}` alone"
        );
        return Some(Err(EvalError::certain(Code::EvaluationFailed, words)));
    }
    let at = again.ok()?;
    let found = match at.value.parsed() {
        Raw::Array(dimensions) => {
            let value = match name {
                "Length" => dimensions.iter().product(),
                "Rank" => dimensions.len() as u64,
                _ => return None,
            };
            let value = RawValue { type_name: "int".into(), value: value.to_string(), ..RawValue::default() };
            Evaluated { value, load_path: format!("{receiver}.{name}") }
        }
        _ => super::path::follow(reader, at, name).await.ok()?,
    };
    Some(Ok(found))
}

/// `x?.Name` of a null `x` comes with the type of `x` (both adapters).
fn null_conditional(reader: &Reader, expression: &str, mut value: RawValue) -> RawValue {
    let code = outside_strings(expression);
    if reader.quirks.types_null_accesses || value.value != "null" || !code.contains("?.") || code.contains("??") {
        return value;
    }
    let receiver = std::mem::take(&mut value.type_name);
    // whichever part was null: its type must have the members behind it
    let declared = code.match_indices("?.").find_map(|(at, sign)| {
        let members = expression.get(at + sign.len()..)?.split('.').map(|name| name.trim_end_matches('?'));
        let mut type_name = receiver.clone();
        for name in members {
            let shape = reader.modules.shape(&type_name);
            type_name = shape.members.iter().find(|member| member.name == name)?.declared.clone();
        }
        Some(type_name)
    });
    if let Some(declared) = declared {
        let short = super::type_names::short(&declared);
        let is_value = reader.modules.shape(&declared).is_value_type
            || (super::type_names::is_primitive(&short) && !matches!(short.as_str(), "string" | "object"));
        value.type_name = if is_value && !declared.ends_with('?') { format!("{declared}?") } else { declared };
    }
    value
}

/// `a.b(c).Name` -> (`a.b(c)`, `Name`)
fn last_member(expression: &str) -> Option<(&str, &str)> {
    let (receiver, name) = expression.rsplit_once('.')?;
    let is_name = name.chars().all(|c| c.is_alphanumeric() || c == '_') && !name.is_empty();
    (is_name && !receiver.is_empty()).then_some((receiver, name))
}

/// Adapters answer with the exception object as if it were the value (vendor-notes.md). `Type: message` when one was thrown.
pub async fn thrown(reader: &Reader, expression: &str, value: &RawValue) -> Option<String> {
    let called = outside_strings(expression).contains('(') || expression.contains('.') || expression.contains('[');
    if !called || !value.value.starts_with('{') || !reader.modules.shape(&value.type_name).is_exception {
        return None;
    }
    if declared_as_exception(reader, expression).await {
        return None;
    }
    let message = exception_message(reader, value.reference).await.unwrap_or_default();
    Some(format!("{}: {message}", value.type_name))
}

/// A member that is an exception by declaration is a value, not an accident.
async fn declared_as_exception(reader: &Reader, expression: &str) -> bool {
    let Some((parent, last)) = expression.rsplit_once('.') else { return false };
    if last.starts_with("GetBaseException") {
        return true;
    }
    if !is_path(parent) || last.contains('(') {
        return false;
    }
    let Ok(parent) = reader.evaluate(parent, Access::Run).await else { return false };
    let shape = reader.modules.shape(&parent.type_name);
    // its type is known without the framework's metadata
    if shape.is_exception && last == "InnerException" {
        return true;
    }
    shape
        .members
        .iter()
        .find(|member| member.name == last)
        .is_some_and(|member| reader.modules.shape(&member.declared).is_exception)
}

/// The message of an exception object.
pub async fn exception_message(reader: &Reader, reference: i64) -> Option<String> {
    let children = reader.children(reference, None).await.ok()?;
    let text =
        |name: &str| children.iter().find(|child| child.name == name).and_then(|child| literal::unquote(&child.value));
    text("Message").or_else(|| {
        let parameter = text("_paramName").filter(|name| !name.is_empty());
        let parameter = parameter.map(|name| format!(" (Parameter '{name}')")).unwrap_or_default();
        text("_message").map(|message| message + &parameter)
    })
}
