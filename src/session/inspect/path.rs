//! Paths, read piece by piece: names, members, elements. By loads alone, unless a getter may run.

use super::access::{Access, ReadError};
use super::collections::Elements;
use super::element::Element;
use super::evaluated::{EvalError, Evaluated, RUNS_NOTHING};
use super::layouts::Scattered;
use super::literal::{self, Raw};
use super::object::load_members;
use super::raw_value::RawValue;
use super::reader::Reader;
use super::refusal::{explained, missing_name, no_name};
use super::shape::{Collection, Form, MemberKind};
use super::statics::{TypeName, leading_type};
use super::{expando, missing, nullable, text};
use crate::session::counted::counted;
use crate::session::error::Code;
use crate::session::expression::join;
use crate::session::expression::{Segment, segments};

/// Piece by piece. `run`: a getter that computes may run.
pub(super) async fn walk_path(reader: &Reader, expression: &str, run: bool) -> Result<Evaluated, EvalError> {
    let failed = |message: String| EvalError::new(Code::EvaluationFailed, message);
    let pieces = segments(expression).ok_or_else(|| failed(format!("`{expression}` is not a path")))?;
    // a type is no value, and asking for it as one may kill an adapter
    if let Some(type_) = leading_type(reader, &pieces).await {
        return walk_static(reader, type_, pieces, run).await;
    }
    let mut pieces = pieces.into_iter();
    let Some(Segment::Name(first)) = pieces.next() else {
        return Err(failed(format!("`{expression}` does not start with a name")));
    };
    // dncdbg takes the name of an object for a number
    if is_object_name(&first) && !reader.capabilities.supports_clr_heap {
        return Err(failed(no_name(reader, &first).await));
    }
    let value = match reader.evaluate(&first, Access::Load).await {
        Ok(value) => value,
        Err(ReadError::Refused(_)) if run && missing::is_of_this(reader, &first).await => {
            return Box::pin(walk_path(reader, &format!("this.{expression}"), run)).await;
        }
        Err(ReadError::Refused(words)) if missing_name(&words).is_some() => {
            return Err(failed(no_name(reader, &first).await));
        }
        Err(ReadError::Refused(words)) => return Err(failed(Box::pin(explained(reader, &first, &words)).await)),
        Err(other) => return Err(other.into()),
    };
    along(reader, Evaluated { value, load_path: first.clone() }, first, pieces, run).await
}

/// Whether it is one of an adapter that can read the heap: `@1`.
fn is_object_name(name: &str) -> bool {
    name.strip_prefix('@').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
}

/// From the first static member that a path names behind a type.
async fn walk_static(
    reader: &Reader,
    type_: TypeName,
    pieces: Vec<Segment>,
    run: bool,
) -> Result<Evaluated, EvalError> {
    let failed = |message: String| EvalError::certain(Code::EvaluationFailed, message);
    let mut pieces = pieces.into_iter().skip(type_.pieces);
    let names = reader.modules.static_names(&type_.full_name);
    let short = crate::session::type_names::short(&type_.full_name);
    let Some(Segment::Name(name)) = pieces.next() else {
        return Err(failed(missing::of_type(&type_.text, &names)));
    };
    if !names.is_empty() && !names.contains(&name) {
        return Err(failed(match reader.modules.member_names(&type_.full_name).contains(&name) {
            true => missing::needs_object(&short, &name),
            false => missing::no_static(&short, &name, &names),
        }));
    }
    let path = join(&type_.text, &name);
    let access = if run { Access::Run } else { Access::Load };
    match reader.evaluate(&path, access).await {
        Ok(value) => along(reader, Evaluated { value, load_path: path.clone() }, path, pieces, run).await,
        Err(ReadError::Refused(words)) if missing_name(&words).is_some() || words.trim().is_empty() => {
            let words = missing::unreadable_static(&path);
            Err(EvalError::new(Code::EvaluationFailed, words))
        }
        Err(ReadError::Refused(words)) => Err(EvalError::new(Code::EvaluationFailed, words)),
        Err(other) => Err(other.into()),
    }
}

/// Where the value of a path is: an element in the array that holds it, whatever indexer gives it too.
pub async fn located(reader: &Reader, path: &str) -> Option<String> {
    walk_path(reader, path, true).await.ok().map(|found| found.load_path)
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
    if nullable::is_struct(&at.value) && !run && !reader.asked {
        return Err(failed(format!("`{shown}` is not expanded in a stop report")));
    }
    if let Some(found) = nullable::member(reader, at, name).await {
        return found;
    }
    if at.value.parsed() == Raw::Null {
        return Err(failed(missing::of_null(shown, name)));
    }
    if nullable::is_struct(&at.value)
        && let Some(inner) = nullable::inside(reader, &at.value, &at.load_path).await
    {
        return Box::pin(member(reader, &inner, shown, name, run)).await;
    }
    if let Some(count) = length(reader, at, name).await {
        let value = RawValue { type_name: "int".into(), value: count?.to_string(), ..RawValue::default() };
        return Ok(Evaluated { value, load_path: join(&at.load_path, name) });
    }
    let shape = reader.shape(&at.value.type_name);
    if shape.form == Form::Expando
        && let Some((given, _)) = expando::members(reader, &at.value, &at.load_path).await
        && let Some(member) = given.into_iter().find(|member| member.name == name)
    {
        return Ok(member.value);
    }
    let known = shape.members.iter().find(|member| member.name == name);
    let kind = known.map(|member| member.kind);
    let path = known.map_or_else(|| join(&at.load_path, name), |known| known.load_path(&at.load_path));
    let read = match (kind, known) {
        (Some(MemberKind::Computed), _) if !run => {
            return Err(failed(format!("`{name}` runs code, and this server is read-only")));
        }
        (Some(MemberKind::Computed), _) => reader.evaluate(&path, Access::Run).await,
        (_, Some(known)) => load_members(reader, &at.value, &at.load_path, &shape, &[known])
            .await
            .pop()
            .unwrap_or_else(|| Err(ReadError::Refused(String::new()))),
        // unknown to us: a field of a framework type, which loads, or nothing that a load could read
        (_, None) => match reader.load(&path).await {
            Err(ReadError::Refused(_)) if run => reader.evaluate(&path, Access::Run).await,
            read => read,
        },
    };
    let words = match read {
        Ok(value) => return Ok(Evaluated { value, load_path: path }),
        Err(ReadError::Refused(words)) => words,
        Err(other) => return Err(other.into()),
    };
    let names = reader.modules.member_names(&at.value.type_name);
    let is_known = names.iter().any(|known| known == name);
    if kind.is_none() && reader.modules.static_names(&at.value.type_name).iter().any(|known| known == name) {
        let message = missing::is_static(&crate::session::type_names::short(&at.value.type_name), name);
        return Err(EvalError::certain(Code::EvaluationFailed, message));
    }
    if matches!(kind, Some(MemberKind::Loads | MemberKind::Computed)) || (kind.is_none() && is_known && run) {
        return called(reader, at, shown, name).await;
    }
    Err(failed(match kind {
        Some(kind) => missing::unreadable(&join(shown, name), kind, &words),
        None if is_known => missing::unreadable(&join(shown, name), MemberKind::Computed, &words),
        // no metadata of the type: only the adapter knows
        None if names.is_empty() => {
            format!("the adapter cannot find `{name}` in `{shown}` ({})", at.value.short_type())
        }
        None => missing::no_member(&at.value.short_type(), name, &names),
    }))
}

/// A property by its getter's name: adapters do not find those with `[DebuggerBrowsable(Never)]`.
async fn called(reader: &Reader, at: &Evaluated, shown: &str, name: &str) -> Result<Evaluated, EvalError> {
    let path = format!("{}.get_{name}()", at.load_path);
    match reader.evaluate(&path, Access::Run).await {
        Ok(value) => Ok(Evaluated { value, load_path: path }),
        Err(ReadError::Refused(words)) => {
            let message = missing::unreadable(&join(shown, name), MemberKind::Computed, &words);
            Err(EvalError {
                is_certain: words.contains(RUNS_NOTHING),
                ..EvalError::new(Code::EvaluationFailed, message)
            })
        }
        Err(other) => Err(other.into()),
    }
}

/// `.Length` of strings and arrays, `.Count` of collections: both adapters refuse some of them.
async fn length(reader: &Reader, at: &Evaluated, name: &str) -> Option<Result<u64, EvalError>> {
    match (at.value.parsed(), name) {
        (Raw::Text(_), "Length") if reader.quirks.strings_end_at_nul => {
            let asked = text::length(reader, &at.load_path).await;
            Some(asked.map_err(|words| EvalError::certain(Code::EvaluationFailed, words)))
        }
        (Raw::Text(text), "Length") => Some(Ok(text.encode_utf16().count() as u64)),
        (Raw::Array(dimensions), "Length") => Some(Ok(dimensions.iter().product())),
        (Raw::Object, "Count") => match &reader.shape(&at.value.type_name).form {
            // C# has no member of that name for it
            Form::Collection(Collection::Scattered(Scattered::InlineArray { .. })) => None,
            Form::Collection(collection) => Elements::of_collection(reader, collection, &at.value, &at.load_path)
                .await
                .ok()
                .map(|elements| Ok(elements.count)),
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
            Err(error) => match out_of_range(reader, at, index).await {
                Some(words) => Err(EvalError::certain(Code::EvaluationThrew, words)),
                None => Err(failed(format!("{path}: {error}"))),
            },
        };
    }
    let shape = reader.shape(&at.value.type_name);
    let Form::Collection(collection) = &shape.form else {
        let path = format!("{}[{index}]", at.load_path);
        if run && let Ok(value) = reader.evaluate(&path, Access::Run).await {
            return Ok(Evaluated { value, load_path: path });
        }
        let (path, type_name) = (&at.load_path, at.value.short_type());
        return Err(failed(match type_name == "string" {
            true => format!("the adapter cannot index a string; `{path}.get_Chars({index})` reads the character"),
            false => format!("`{path}` is of type {type_name} and has no elements"),
        }));
    };
    let elements = Elements::of_collection(reader, collection, &at.value, &at.load_path)
        .await
        .map_err(|error| failed(error.to_string()))?;
    let wanted = format!("[{index}]");
    let found = match index.parse::<u64>() {
        Ok(at) if elements.is_sequence() => elements.find(reader, at, 1, None).await,
        // of keys that are no literals several may be shown alike
        _ => elements.find(reader, 0, 2, Some(&|element| element.name == wanted)).await,
    }
    .map_err(|error| failed(error.to_string()))?;
    if let [first, _, ..] = found.elements.as_slice()
        && first.key.as_ref().is_none_or(|(key, _)| literal::plain("", &key.type_name, &key.value, 0).is_none())
    {
        return Err(ambiguous(&at.load_path, index, &found.elements));
    }
    let mut named = None;
    for element in found.elements.into_iter().filter(|element| element.name == wanted) {
        // another key may be shown the same
        let is_this = match &element.key {
            Some((key, path)) if run => match key.parsed() {
                Raw::Text(shown) => text::whole(reader, path, &shown).await.is_ok_and(|whole| whole == shown),
                _ => true,
            },
            _ => true,
        };
        if is_this {
            named = Some(element);
        }
    }
    match named {
        None if reader.budget.is_spent() => Err(failed(format!(
            "[{index}] was not found within {}: {} of {} searched; raise timeout_ms",
            reader.budget.shown(),
            found.looked,
            elements.count
        ))),
        Some(found) => Ok(Evaluated { value: found.value, load_path: found.load_path }),
        None => Err(failed(format!(
            "`{}` has no element [{index}]; it has {}",
            at.load_path,
            counted(elements.count, "element")
        ))),
    }
}

/// Several keys that are shown alike.
fn ambiguous(dictionary: &str, key: &str, found: &[Element]) -> EvalError {
    let paths: Vec<&str> = found.iter().map(|element| element.load_path.as_str()).collect();
    let message = format!("several keys of `{dictionary}` are shown as {key}: read {}", paths.join(" or "));
    EvalError::certain(Code::EvaluationFailed, message)
}

/// What the program would throw for an index that an array does not have; both adapters say `0x80070057`.
async fn out_of_range(reader: &Reader, at: &Evaluated, index: &str) -> Option<String> {
    let Raw::Array(dimensions) = at.value.parsed() else { return None };
    let mut is_outside = false;
    for (part, (first, length)) in index.split(',').map(str::trim).zip(literal::bounds(&at.value.value)) {
        let number = match part.parse::<i64>() {
            Ok(number) => number,
            Err(_) => reader.evaluate(part, Access::Load).await.ok()?.value.parse().ok()?,
        };
        is_outside |= u64::try_from(number - first).map_or(true, |number| number >= length);
    }
    let sizes: Vec<String> = dimensions.iter().map(u64::to_string).collect();
    is_outside.then(|| {
        format!(
            "System.IndexOutOfRangeException: index {index} is out of range; `{}` has {} element{}",
            at.load_path,
            sizes.join(" x "),
            if dimensions == [1] { "" } else { "s" }
        )
    })
}
