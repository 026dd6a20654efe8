//! The one seam through which expressions go: what adapters cannot do is done here, what kills them is refused
//! (measured.md sections 0 and 7).

use super::collections::Elements;
use super::expression::{Segment, divides_by_literal_zero, is_path, null_comparison, outside_strings, segments};
use super::literal::{self, Raw};
use super::reader::{Access, RawValue, ReadError, Reader, join};
use super::shape::{Form, MemberKind};
use crate::session::error::Code;

/// Why an expression has no value. `code` is one of the surface's evaluation codes.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{}: {message}", code.as_str())]
pub struct EvalError {
    pub code: Code,
    pub message: String,
}

impl EvalError {
    fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into() }
    }
}

/// A value and an expression that only loads it again (for previews).
#[derive(Debug, Clone)]
pub struct Evaluated {
    pub value: RawValue,
    pub load_path: String,
}

/// Evaluates in the reader's frame. Without `side_effects` only what is known to change nothing.
pub async fn evaluate(reader: &Reader, expression: &str, side_effects: bool) -> Result<Evaluated, EvalError> {
    let expression = expression.trim();
    refuse_what_kills(expression)?;
    if reader.read_only {
        return walk(reader, expression).await;
    }
    if !side_effects {
        return super::effects::evaluate_pure(reader, expression).await;
    }
    if let Some((left, wanted_null)) = null_comparison(expression) {
        return null_test(reader, left, wanted_null).await;
    }
    match reader.evaluate(expression, Access::Run).await {
        Ok(value) => {
            if let Some(message) = thrown(reader, expression, &value).await {
                return Err(EvalError::new(Code::EvaluationThrew, message));
            }
            Ok(Evaluated { load_path: expression.to_owned(), value })
        }
        Err(error) => instead(reader, expression, error).await,
    }
}

/// What the adapter refused and we can do: lengths, counts, elements of sets.
async fn instead(reader: &Reader, expression: &str, refusal: ReadError) -> Result<Evaluated, EvalError> {
    let words = match refusal {
        ReadError::Gone(words) => return Err(EvalError::new(Code::AdapterLost, words)),
        ReadError::Refused(words) => words,
    };
    if words.contains("timed out") {
        return Err(EvalError::new(Code::EvaluationTimeout, words));
    }
    if is_path(expression)
        && let Ok(found) = walk_path(reader, expression, true).await
    {
        return Ok(found);
    }
    if let Some((left, either, right)) = super::compound::halves(expression) {
        // as C# does: the right side only where the left one leaves it open
        let first = Box::pin(evaluate(reader, left, true)).await?;
        if (first.value.value == "true") == either {
            return Ok(first);
        }
        return Box::pin(evaluate(reader, right, true)).await;
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
    Err(EvalError::new(Code::EvaluationFailed, told(reader, &words).await))
}

/// The adapter's words, without its numbers where plain words are known.
async fn told(reader: &Reader, words: &str) -> String {
    if let Some(name) = missing_name(words) {
        let here = reader.variables().await.unwrap_or_default();
        let names: Vec<&str> = here.iter().map(|variable| variable.name.as_str()).take(12).collect();
        return if names.is_empty() {
            format!("the name '{name}' does not exist in this frame, which has no variables")
        } else {
            format!("the name '{name}' does not exist; here: {}", names.join(", "))
        };
    }
    let plain = words.trim_start_matches("error: ").trim();
    if let Some(kind) = plain.split("not implemented").next().filter(|kind| kind.len() < plain.len()) {
        // netcoredbg names a node (`CastExpression`), dncdbg a phrase (`Cast expression`)
        let phrase = kind.rsplit(':').map(str::trim).find(|phrase| !phrase.is_empty()).unwrap_or("this");
        let kind = match phrase.rsplit(' ').next() {
            Some("expression" | "expressions") | None => phrase,
            Some(word) => word,
        };
        return format!("the adapter's evaluator has no {kind}; plain members, indexers, calls and operators work");
    }
    match plain {
        "0x80070057" => {
            "no such member or overload: argument types must match exactly, types need their full name".into()
        }
        "0x80004005" => "not found or not possible here: types need their full name (System.Math.Max)".into(),
        other => other.to_owned(),
    }
}

fn missing_name(words: &str) -> Option<&str> {
    let rest = words.split_once("The name '")?.1;
    rest.split_once('\'').map(|(name, _)| name)
}

/// A literal zero divisor kills dncdbg (SIGFPE); the answer is known anyway.
fn refuse_what_kills(expression: &str) -> Result<(), EvalError> {
    if expression.is_empty() {
        return Err(EvalError::new(Code::EvaluationFailed, "the expression is empty"));
    }
    if divides_by_literal_zero(expression) {
        return Err(EvalError::new(
            Code::EvaluationThrew,
            "System.DivideByZeroException: Attempted to divide by zero.",
        ));
    }
    Ok(())
}

async fn null_test(reader: &Reader, left: &str, wanted: bool) -> Result<Evaluated, EvalError> {
    let found = Box::pin(evaluate(reader, left, true)).await?;
    let is_null = found.value.parsed() == Raw::Null;
    let value = RawValue { type_name: "bool".into(), value: (is_null == wanted).to_string(), ..RawValue::default() };
    Ok(Evaluated { value, load_path: left.to_owned() })
}

/// Reads a path by loads alone; a computed getter is refused.
async fn walk(reader: &Reader, expression: &str) -> Result<Evaluated, EvalError> {
    if !is_path(expression) {
        return Err(EvalError::new(
            Code::EvaluationFailed,
            "a read-only server takes names, members and indexers that only load",
        ));
    }
    walk_path(reader, expression, false).await
}

/// Piece by piece. `run`: a getter that computes may run.
async fn walk_path(reader: &Reader, expression: &str, run: bool) -> Result<Evaluated, EvalError> {
    let failed = |message: String| EvalError::new(Code::EvaluationFailed, message);
    let pieces = segments(expression).ok_or_else(|| failed(format!("`{expression}` is no path")))?;
    let mut pieces = pieces.into_iter();
    let Some(Segment::Name(first)) = pieces.next() else {
        return Err(failed(format!("`{expression}` does not begin with a name")));
    };
    let value = match reader.evaluate(&first, Access::Load).await {
        Ok(value) => value,
        Err(ReadError::Gone(words)) => return Err(EvalError::new(Code::AdapterLost, words)),
        Err(ReadError::Refused(words)) => return Err(failed(told(reader, &words).await)),
    };
    let mut at = Evaluated { value, load_path: first };
    for piece in pieces {
        at = match piece {
            Segment::Name(name) => member(reader, &at, &name, run).await?,
            Segment::Index(index) => element(reader, &at, &index, run).await?,
        };
    }
    Ok(at)
}

async fn member(reader: &Reader, at: &Evaluated, name: &str, run: bool) -> Result<Evaluated, EvalError> {
    if let Some(count) = length(reader, at, name).await {
        let value = RawValue { type_name: "int".into(), value: count.to_string(), ..RawValue::default() };
        return Ok(Evaluated { value, load_path: join(&at.load_path, name) });
    }
    let shape = reader.modules.shape(&at.value.type_name);
    let kind = shape.members.iter().find(|member| member.name == name).map(|member| member.kind);
    if kind == Some(MemberKind::Computed) && !run {
        return Err(EvalError::new(
            Code::EvaluationFailed,
            format!("`{name}` runs code, and this server is read-only"),
        ));
    }
    let path = join(&at.load_path, name);
    let access = match kind {
        // unknown to us: a field of a framework type, which loads, or nothing that a load could read
        Some(MemberKind::Field) | None => Access::Load,
        Some(_) => Access::Run,
    };
    match reader.evaluate(&path, access).await {
        Ok(value) => Ok(Evaluated { value, load_path: path }),
        Err(ReadError::Gone(words)) => Err(EvalError::new(Code::AdapterLost, words)),
        Err(ReadError::Refused(words)) => Err(EvalError::new(Code::EvaluationFailed, told(reader, &words).await)),
    }
}

/// `.Length` of strings and arrays, `.Count` of collections: both adapters refuse some of them.
async fn length(reader: &Reader, at: &Evaluated, name: &str) -> Option<u64> {
    match (at.value.parsed(), name) {
        (Raw::Text(text), "Length") => Some(text.encode_utf16().count() as u64),
        (Raw::Array(dimensions), "Length") => Some(dimensions.iter().product()),
        (Raw::Object, "Count") => match &reader.modules.shape(&at.value.type_name).form {
            Form::Collection(collection) => Elements::of_collection(reader, collection, &at.value, &at.load_path)
                .await
                .ok()
                .map(|elements| elements.count),
            _ => None,
        },
        _ => None,
    }
}

/// An element by position or key, without an indexer.
async fn element(reader: &Reader, at: &Evaluated, index: &str, run: bool) -> Result<Evaluated, EvalError> {
    let failed = |message: String| EvalError::new(Code::EvaluationFailed, message);
    if let Raw::Array(_) = at.value.parsed() {
        let path = format!("{}[{index}]", at.load_path);
        return match reader.evaluate(&path, Access::Load).await {
            Ok(value) => Ok(Evaluated { value, load_path: path }),
            Err(error) => Err(failed(format!("{path}: {error}"))),
        };
    }
    let shape = reader.modules.shape(&at.value.type_name);
    let Form::Collection(collection) = &shape.form else {
        let path = format!("{}[{index}]", at.load_path);
        if run && let Ok(value) = reader.evaluate(&path, Access::Run).await {
            return Ok(Evaluated { value, load_path: path });
        }
        return Err(failed(format!("`{}` is a {} and has no elements", at.load_path, at.value.short_type())));
    };
    let elements = Elements::of_collection(reader, collection, &at.value, &at.load_path)
        .await
        .map_err(|error| failed(error.to_string()))?;
    let wanted = format!("[{index}]");
    let keyed = matches!(collection, super::shape::Collection::Hash { value: Some(_), .. });
    let page = match (index.parse::<u64>(), keyed) {
        (Ok(at), false) => elements.page(reader, at, 1).await,
        _ => elements.page(reader, 0, elements.count.min(10_000)).await,
    }
    .map_err(|error| failed(error.to_string()))?;
    match page.into_iter().find(|element| element.name == wanted) {
        Some(found) => Ok(Evaluated { value: found.value, load_path: found.load_path }),
        None => Err(failed(format!("`{}` has no element [{index}]; it has {}", at.load_path, elements.count))),
    }
}

/// Adapters answer with the exception object as if it were the value (measured.md 7). `Type: message` when one was thrown.
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
    shape
        .members
        .iter()
        .find(|member| member.name == last)
        .is_some_and(|member| reader.modules.shape(&member.declared).is_exception)
}

/// `_message` of an exception object.
pub async fn exception_message(reader: &Reader, reference: i64) -> Option<String> {
    let children = reader.children(reference, None).await.ok()?;
    let text =
        |name: &str| children.iter().find(|child| child.name == name).and_then(|child| literal::unquote(&child.value));
    text("Message").or_else(|| text("_message"))
}
