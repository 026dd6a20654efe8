//! The one seam through which expressions go: what adapters cannot do is done here, what kills them is refused
//! (measured.md sections 0 and 7).

use super::collections::Elements;
use super::expression::{Segment, divides_by_literal_zero, is_path, null_comparison, outside_strings, segments};
use super::literal::{self, Raw};
use super::nullable::{self, Nullable};
use super::reader::{Access, RawValue, ReadError, Reader, join};
use super::shape::{Form, MemberKind};
use super::{missing, type_names};
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

/// Evaluates in the reader's frame. `side_effects`: calls and computed getters are allowed.
pub async fn evaluate(reader: &Reader, expression: &str, side_effects: bool) -> Result<Evaluated, EvalError> {
    let expression = expression.trim();
    refuse_what_kills(expression)?;
    if !side_effects || reader.read_only {
        return walk(reader, expression).await;
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
    if is_path(expression) {
        match walk_path(reader, expression, true).await {
            // it may be a static member, of which the frame has no name to begin with
            Err(error) if error.code == Code::EvaluationFailed && missing_name(&words).is_none() => {}
            found => return found,
        }
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
        // of `order.Customer.Name` the adapter says no more than that it does not exist
        if name.contains(['.', '['])
            && let Err(error) = Box::pin(walk_path(reader, name, true)).await
            && error.code == Code::EvaluationFailed
        {
            return error.message;
        }
        return no_name(reader, name).await;
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

/// A first name that the frame does not have.
async fn no_name(reader: &Reader, name: &str) -> String {
    let here = reader.variables().await.unwrap_or_default();
    if let Some(this) = here.iter().find(|variable| variable.name == "this") {
        let shape = reader.modules.shape(&this.type_name);
        if shape.members.iter().any(|member| member.kind == MemberKind::Captured && member.name == name) {
            return missing::captured(name);
        }
    }
    let names: Vec<String> = here.into_iter().map(|variable| variable.name).take(12).collect();
    missing::no_name(name, &names)
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
            "allow_side_effects=false takes names, members and indexers that only load",
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
        Err(ReadError::Refused(words)) if missing_name(&words).is_some() => {
            return Err(failed(no_name(reader, &first).await));
        }
        Err(ReadError::Refused(words)) => return Err(failed(Box::pin(told(reader, &words)).await)),
    };
    along(reader, Evaluated { value, load_path: first.clone() }, first, pieces, run).await
}

/// A path from a value, by loads alone.
pub async fn follow(reader: &Reader, at: Evaluated, path: &str) -> Result<Evaluated, EvalError> {
    let pieces = segments(path).unwrap_or_default().into_iter();
    let shown = at.load_path.clone();
    along(reader, at, shown, pieces, false).await
}

/// `shown`: how the caller wrote the path so far.
async fn along(
    reader: &Reader,
    mut at: Evaluated,
    mut shown: String,
    pieces: impl Iterator<Item = Segment>,
    run: bool,
) -> Result<Evaluated, EvalError> {
    for piece in pieces {
        (at, shown) = match piece {
            Segment::Name(name) => (member(reader, &at, &shown, &name, run).await?, join(&shown, &name)),
            Segment::Index(index) => (element(reader, &at, &index, run).await?, format!("{shown}[{index}]")),
        };
    }
    Ok(at)
}

async fn member(reader: &Reader, at: &Evaluated, shown: &str, name: &str, run: bool) -> Result<Evaluated, EvalError> {
    let failed = |message: String| EvalError::new(Code::EvaluationFailed, message);
    let loaded = |type_name: &str, value: String| Evaluated {
        value: RawValue { type_name: type_name.into(), value, ..RawValue::default() },
        load_path: join(&at.load_path, name),
    };
    let is_null = at.value.parsed() == Raw::Null;
    if let Some(inner) = at.value.short_type().strip_suffix('?') {
        match name {
            "HasValue" => return Ok(loaded("bool", (!is_null).to_string())),
            "Value" if !is_null && type_names::is_primitive(inner) => {
                let type_name = at.value.type_name.trim_end_matches('?').to_owned();
                let value = RawValue { type_name, ..at.value.clone() };
                return Ok(Evaluated { value, load_path: at.load_path.clone() });
            }
            _ => {}
        }
    }
    if is_null {
        return Err(failed(missing::of_null(shown, name)));
    }
    if let Nullable::Opened(value, load_path) = nullable::open(reader, &at.value, &at.load_path).await {
        let inner = Evaluated { value, load_path };
        if name == "Value" {
            return Ok(inner);
        }
        return Box::pin(member(reader, &inner, shown, name, run)).await;
    }
    if let Some(count) = length(reader, at, name).await {
        return Ok(loaded("int", count.to_string()));
    }
    let shape = reader.modules.shape(&at.value.type_name);
    let kind = shape.members.iter().find(|member| member.name == name).map(|member| member.kind);
    if kind == Some(MemberKind::Computed) && !run {
        return Err(failed(format!("`{name}` runs code; allow_side_effects=true reads it")));
    }
    let path = join(&at.load_path, name);
    let read = match kind {
        Some(MemberKind::Captured) => super::object::captured(reader, &at.load_path, name).await,
        // unknown to us: a field of a framework type, which loads, or nothing that a load could read
        Some(MemberKind::Field) => reader.evaluate(&path, Access::Load).await,
        None => match reader.evaluate(&path, Access::Load).await {
            Err(ReadError::Refused(_)) if run => reader.evaluate(&path, Access::Run).await,
            read => read,
        },
        Some(_) => reader.evaluate(&path, Access::Run).await,
    };
    let words = match read {
        Ok(value) => return Ok(Evaluated { value, load_path: path }),
        Err(ReadError::Gone(words)) => return Err(EvalError::new(Code::AdapterLost, words)),
        Err(ReadError::Refused(words)) => words,
    };
    let names = reader.modules.member_names(&at.value.type_name);
    Err(failed(match kind {
        Some(kind) => missing::unreadable(&join(shown, name), kind, &words),
        None if names.iter().any(|known| known == name) => {
            missing::unreadable(&join(shown, name), MemberKind::Computed, &words)
        }
        // no metadata of the type: only the adapter knows
        None if names.is_empty() => format!("the adapter finds no `{name}` in `{shown}` ({})", at.value.short_type()),
        None => missing::no_member(&at.value.short_type(), name, &names),
    }))
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
