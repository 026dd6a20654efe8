//! The one seam through which expressions go: what adapters cannot do is done here, what kills them is refused
//! (vendor-notes.md).

use super::collections::Elements;
use super::expression::{Segment, is_path, outside_strings, segments};
use super::literal::{self, Raw};
use super::object::load_members;
use super::reader::{Access, RawValue, ReadError, Reader, join};
use super::shape::{Form, MemberKind};
use super::statics::{TypeName, leading_type};
use super::{bounds, computed, enums, imported, keyed, missing, nullable, overloads, passed_enums, text};
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
const NO_OVERLOAD: &str = "0x80070057";
/// Why no getter and no method answers.
pub const NOTHING_RUNS: &str =
    "calls are not possible at this stop: the thread is in native code (a wait, a system call); fields are readable";

/// Evaluates in the reader's frame. Without `side_effects` only what is known to change nothing.
pub async fn evaluate(reader: &Reader, expression: &str, side_effects: bool) -> Result<Evaluated, EvalError> {
    let spelled = reader.modules.spell_elements(expression, &reader.declared());
    let expression = spelled.as_deref().unwrap_or(expression);
    match as_written(reader, expression, side_effects).await {
        Err(error) if error.code == Code::EvaluationFailed && !error.is_certain => {
            match imported::qualified(reader, expression).await {
                Some(qualified) => as_written(reader, &qualified, side_effects).await,
                None => Err(error),
            }
        }
        answer => answer,
    }
}

async fn as_written(reader: &Reader, expression: &str, side_effects: bool) -> Result<Evaluated, EvalError> {
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
    if let Some(holds) = enums::has_flag(reader, expression, side_effects && !reader.read_only).await {
        return Ok(holds);
    }
    if let Some(read) = keyed::value(reader, expression, side_effects && !reader.read_only).await {
        return read;
    }
    if reader.read_only {
        return walk(reader, expression).await;
    }
    if !side_effects {
        return match super::effects::evaluate_pure(reader, expression).await {
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
                return Err(EvalError::new(Code::EvaluationThrew, message));
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
    // a property that the adapter hides: `call().Result` of a ValueTask
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
        && let Some(mismatch) = overloads::mismatch(reader, expression).await
    {
        return Err(EvalError::new(Code::EvaluationFailed, mismatch));
    }
    Err(EvalError::new(Code::EvaluationFailed, told(reader, &words).await))
}

/// The adapter's words, without its numbers where plain words are known.
pub(super) async fn told(reader: &Reader, words: &str) -> String {
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
    if plain.contains(RUNS_NOTHING) {
        return NOTHING_RUNS.to_owned();
    }
    if let Some(kind) = plain.split("not implemented").next().filter(|kind| kind.len() < plain.len()) {
        // netcoredbg names a node (`CastExpression`), dncdbg a phrase (`Cast expression`)
        let phrase = kind.rsplit(':').map(str::trim).find(|phrase| !phrase.is_empty()).unwrap_or("this");
        let kind = match phrase.rsplit(' ').next() {
            Some("expression" | "expressions") | None => phrase,
            Some(word) => word,
        };
        return format!("the adapter does not support {kind}; members, indexers, calls and operators work");
    }
    match plain {
        NO_OVERLOAD => {
            "no such member or overload: argument types must match exactly, types need their full name".into()
        }
        "0x80004005" => "not found or not supported here: types need their full name (System.Math.Max)".into(),
        other => other.to_owned(),
    }
}

/// A first name that the frame does not have.
async fn no_name(reader: &Reader, name: &str) -> String {
    if reader.is_gone {
        return format!("`{name}` cannot be read: {}", missing::GONE);
    }
    let here = match reader.variables().await {
        Ok(here) => here,
        Err(ReadError::Refused(words)) => return missing::unreadable_frame(name, &words),
        Err(_) => Vec::new(),
    };
    if let Some(this) = here.iter().find(|variable| variable.name == "this") {
        let shape = reader.modules.shape(&this.type_name);
        if shape.members.iter().any(|member| member.kind == MemberKind::Captured && member.name == name) {
            return missing::captured(name);
        }
    }
    let (purity, text) = (reader.modules.purity(), name.to_owned());
    let types = tokio::task::spawn_blocking(move || purity.types_named(&text)).await.unwrap_or_default();
    if let Some(full_name) = types.first().filter(|full_name| *full_name != name) {
        return missing::needs_full_name(name, full_name);
    }
    let names: Vec<String> = here.into_iter().map(|variable| variable.name).collect();
    missing::no_name(name, &names)
}

fn missing_name(words: &str) -> Option<&str> {
    let rest = words.split_once("The name '")?.1;
    rest.split_once('\'').map(|(name, _)| name)
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

/// Reads a path by loads alone; a computed getter is refused.
async fn walk(reader: &Reader, expression: &str) -> Result<Evaluated, EvalError> {
    if !is_path(expression) {
        return Err(EvalError::new(
            Code::EvaluationFailed,
            "a read-only server accepts only names, fields and indexers",
        ));
    }
    walk_path(reader, expression, false).await
}

/// Piece by piece. `run`: a getter that computes may run.
async fn walk_path(reader: &Reader, expression: &str, run: bool) -> Result<Evaluated, EvalError> {
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
    let value = match reader.evaluate(&first, Access::Load).await {
        Ok(value) => value,
        Err(ReadError::Refused(words)) if missing_name(&words).is_some() => {
            return Err(failed(no_name(reader, &first).await));
        }
        Err(ReadError::Refused(words)) => return Err(failed(Box::pin(told(reader, &words)).await)),
        Err(other) => return Err(other.into()),
    };
    along(reader, Evaluated { value, load_path: first.clone() }, first, pieces, run).await
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
    let short = super::type_names::short(&type_.full_name);
    let Some(Segment::Name(name)) = pieces.next() else {
        return Err(failed(missing::of_type(&type_.text, &names)));
    };
    if !names.is_empty() && !names.contains(&name) {
        return Err(failed(missing::no_static(&short, &name, &names)));
    }
    let path = join(&type_.text, &name);
    let access = if run { Access::Run } else { Access::Load };
    match reader.evaluate(&path, access).await {
        Ok(value) => along(reader, Evaluated { value, load_path: path.clone() }, path, pieces, run).await,
        Err(ReadError::Refused(words)) if missing_name(&words).is_some() || words.trim().is_empty() => {
            let words = format!("`{path}` is a static member that the adapter cannot access from this frame");
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
    let shape = reader.modules.shape(&at.value.type_name);
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
        let message = missing::is_static(&super::type_names::short(&at.value.type_name), name);
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
        (Raw::Object, "Count") => match &reader.modules.shape(&at.value.type_name).form {
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
    let shape = reader.modules.shape(&at.value.type_name);
    let Form::Collection(collection) = &shape.form else {
        let path = format!("{}[{index}]", at.load_path);
        if run && let Ok(value) = reader.evaluate(&path, Access::Run).await {
            return Ok(Evaluated { value, load_path: path });
        }
        let (path, type_name) = (&at.load_path, at.value.short_type());
        return Err(failed(match type_name == "string" {
            true => format!("the adapter cannot index a string; `{path}.get_Chars({index})` reads the character"),
            false => format!("`{path}` is a {type_name} and has no elements"),
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
        return Err(keyed::ambiguous(&at.load_path, index, &found.elements));
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
            reader.budget.told(),
            found.looked,
            elements.count
        ))),
        Some(found) => Ok(Evaluated { value: found.value, load_path: found.load_path }),
        None => Err(failed(format!("`{}` has no element [{index}]; it has {}", at.load_path, elements.count))),
    }
}

/// What the program would throw for an index that an array does not have; both adapters say `0x80070057`.
async fn out_of_range(reader: &Reader, at: &Evaluated, index: &str) -> Option<String> {
    let Raw::Array(dimensions) = at.value.parsed() else { return None };
    let mut is_outside = false;
    for (part, size) in index.split(',').map(str::trim).zip(&dimensions) {
        let number = match part.parse::<i64>() {
            Ok(number) => number,
            Err(_) => reader.evaluate(part, Access::Load).await.ok()?.value.parse().ok()?,
        };
        is_outside |= u64::try_from(number).map_or(true, |number| number >= *size);
    }
    let sizes: Vec<String> = dimensions.iter().map(u64::to_string).collect();
    is_outside.then(|| {
        format!(
            "System.IndexOutOfRangeException: [{index}] is outside; `{}` has {} elements",
            at.load_path,
            sizes.join(" x ")
        )
    })
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
