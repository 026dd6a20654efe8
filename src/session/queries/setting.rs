//! variable_set: written by the adapter, read back by us: its own answer often shows the old value (vendor-notes.md).

mod added;
mod applied;
mod behind;
mod constant;
mod nothing;
mod refused;
mod target;

use clr_csharp::syntax::{self, Expr, ExprKind};
use futures::future::BoxFuture;

use self::refused::{Unassigned, refused};
use self::target::Place;
use super::evaluation_failed;
use super::resolved::resolve;
use crate::dap::{self, MayRun, request};
use crate::session::context::StopContext;
use crate::session::error::{Code, SessionError};
use crate::session::expression::{is_path, outside_strings};
use crate::session::ids::StateName;
use crate::session::inspect::evaluated::{EvalError, Evaluated};
use crate::session::inspect::native::SIDE_EFFECTS;
use crate::session::inspect::{Access, ReadError, Reader, evaluate, literal, preview, spelling, threw, world};
use crate::session::report::{Content, Variable};
use crate::session::spec::SetQuery;
use crate::session::view::SetView;

pub(super) async fn set(context: &StopContext, query: &SetQuery) -> Result<SetView, SessionError> {
    let reader = context.reader_at(query.at).await?.asked();
    if !reader.capabilities.supports_set_expression {
        return Err(SessionError::new(
            Code::UnsupportedByAdapter,
            "this adapter cannot set variables (it lacks setExpression)",
            "debug_launch with backend: builtin",
        ));
    }
    let (path, value) = (query.path.trim(), query.value.trim());
    if !is_place(&reader, path) {
        return Err(SessionError::new(
            Code::InvalidPath,
            format!("`{path}` is not a path"),
            "pass a name, .member or [index]: order.Customer",
        ));
    }
    if value.is_empty() {
        return Err(SessionError::argument("value", "the value is empty", "write it as C#: 7, \"text\", null"));
    }
    // adapters know no names of tuple elements
    let (asked, declared) = (path, reader.declared());
    let [path, value] =
        [path, value].map(|it| reader.modules.spell_elements(it, &declared).unwrap_or_else(|| it.to_owned()));
    if query.allow_side_effects && runs_code(&reader, &path).await {
        return at_once(reader, asked, (&path, &value)).await;
    }
    let (was, now) = write(&reader, (&path, &value), query.allow_side_effects).await?;
    Ok(SetView {
        path: asked.to_owned(),
        value: counted(&now),
        type_name: now.type_name.clone(),
        was: was.as_ref().map(counted),
    })
}

/// Whether even to say which place is meant may change something: that must happen once.
async fn runs_code(reader: &Reader, path: &str) -> bool {
    let is_judged = reader.capabilities.supports_csharp_expressions;
    is_judged && resolve(reader, path, false).await.is_err_and(|error| error.code == Code::SideEffects)
}

/// Writes to such a place, which can be read neither before nor afterwards.
async fn at_once(reader: Reader, asked: &str, (path, value): (&str, &str)) -> Result<SetView, SessionError> {
    let reader = Reader { ran: true, ..reader };
    let assignment = format!("{path} = {value}");
    let found = evaluate::evaluate(&reader, &assignment, true).await;
    let now = shown(&reader, &found.map_err(|error| evaluation_failed(&assignment, &error, true))?).await;
    let was = Some("not read".to_owned());
    Ok(SetView { path: asked.to_owned(), value: counted(&now), type_name: now.type_name.clone(), was })
}

/// Whether it is something that can be assigned to. Of an adapter that evaluates C# also what stands behind a cast or a generic type: answers
/// name such places.
fn is_place(reader: &Reader, path: &str) -> bool {
    let is_member = |expr: &Expr| matches!(expr.kind, ExprKind::MemberAccess { .. } | ExprKind::ElementAccess { .. });
    is_path(path)
        || reader.capabilities.supports_csharp_expressions && syntax::parse(path).is_ok_and(|expr| is_member(&expr))
}

/// For an expression that assigns, which whoever asks for it allows to have side effects.
pub(super) fn assigned(reader: Reader, path: String, value: String) -> BoxFuture<'static, Result<(), EvalError>> {
    let failed =
        |error: SessionError| EvalError::certain(Code::EvaluationFailed, format!("{}; {}", error.message, error.hint));
    Box::pin(async move { write(&reader, (&path, &value), true).await.map(drop).map_err(failed) })
}

/// What was there before, if anything was, and what is there now.
async fn write(
    reader: &Reader,
    (path, value): (&str, &str),
    side_effects: bool,
) -> Result<(Option<Variable>, Variable), SessionError> {
    let (before, was) = match resolve(reader, path, side_effects).await {
        Ok(before) => {
            let was = shown(reader, &before).await;
            (before, Some(was))
        }
        Err(error) => match added::under_key(reader, path, &error).await {
            Some(absent) => (absent, None),
            None => return Err(allowing(error)),
        },
    };
    let converted = constant::converted(value, &before.value.short_type(), &reader.quirks);
    let sent = match converted {
        Ok(constant) => constant,
        Err(words) => return Err(refused(path, value, &before, ReadError::Refused(words).into())),
    };
    let read = read(reader, (value, sent.as_deref()), side_effects).await?;
    let meant = applied::meant(reader, value, (sent.as_deref(), read)).await;
    let spelled =
        sent.clone().unwrap_or_else(|| spelling::spell(&spelled(reader, value, &before), &reader.quirks, false));
    let place = target::place(reader, path).await;
    let may_run = (reader.capabilities.supports_csharp_expressions && !side_effects).then_some(MayRun::Pure);
    let written = |text| Written { text, may_run };
    let assigned = match value {
        "null" => assign_null(reader, path, &place, &before).await,
        // as it is written, for a variable that is declared as an object keeps no type
        _ if sent.is_some() && reader.capabilities.supports_csharp_expressions => {
            match assign(reader, path, &place, written(value), &before).await {
                Err(error) if error.is_of_the_value() => assign(reader, path, &place, written(&spelled), &before).await,
                assigned => assigned,
            }
        }
        _ => assign(reader, path, &place, written(&spelled), &before).await,
    };
    if let Err(Unassigned::ByAdapter(ReadError::Refused(words))) = &assigned
        && words.contains(SIDE_EFFECTS)
    {
        return Err(SessionError::new(Code::SideEffects, words.clone(), ALLOWING).in_state(StateName::Stopped));
    }
    if let Err(error) = assigned {
        let error = match error.is_of_the_value() {
            true => why_not(reader, (path, value), error).await,
            false => error,
        };
        return Err(refused(path, value, &before, error));
    }
    let after = resolve(reader, path, side_effects).await?;
    let now = shown(reader, &after).await;
    let before = was.as_ref().map(text).unwrap_or_default();
    // one that evaluates C# itself has run the setter: what that stored is the answer, if it stored anything
    let is_stored = reader.capabilities.supports_csharp_expressions && before != text(&now);
    let is_converted =
        |meant: &applied::Meant| reader.capabilities.supports_csharp_expressions && meant.is_converted(&text(&now));
    if let Some(meant) = meant.filter(|meant| !is_stored && !is_converted(meant))
        && let Some(words) = applied::fault(&meant, (&before, &text(&now)), &place)
    {
        let hint = match place {
            Place::Property => "its setter may store a different value: set the underlying field",
            _ => "assign a new value to the whole object that contains it",
        };
        return Err(SessionError::new(Code::NotAssignable, format!("{path} = {value}: {words}"), hint)
            .in_state(StateName::Stopped));
    }
    Ok((was, now))
}

/// The value, where it can be read without changing anything. Adapters run whatever it calls.
///
/// # Errors
/// What may have side effects is not allowed to run.
async fn read(
    reader: &Reader,
    (value, sent): (&str, Option<&str>),
    side_effects: bool,
) -> Result<Option<Evaluated>, SessionError> {
    if sent.is_some() || value == "null" {
        return Ok(None);
    }
    let error = match evaluate::evaluate(reader, value, false).await {
        Ok(read) => return Ok(Some(read)),
        Err(error) => error,
    };
    // what has a meaning only where it is assigned, such as `new()`, our engine judges there
    let is_judged_there = reader.capabilities.supports_csharp_expressions;
    let is_call = || outside_strings(value).contains(['(', '[']);
    let is_refused = error.code == Code::SideEffects || !is_judged_there && is_call();
    match is_refused && !side_effects {
        true => Err(allowing(evaluation_failed(value, &error, false))),
        false => Ok(None),
    }
}

const ALLOWING: &str = "variable_set with allow_side_effects: true runs it";

/// With what lets it run.
fn allowing(error: SessionError) -> SessionError {
    match error.code {
        Code::SideEffects => SessionError { hint: ALLOWING.into(), ..error },
        _ => error,
    }
}

/// A value as the adapter is given it.
#[derive(Clone, Copy)]
struct Written<'a> {
    text: &'a str,
    /// For an adapter that knows what has no side effects.
    may_run: Option<MayRun>,
}

impl<'a> Written<'a> {
    fn constant(text: &'a str) -> Self {
        Self { text, may_run: None }
    }
}

/// How our engine begins what a setter threw.
const THREW: &str = "the setter threw ";

/// `null`, and before it what leaves nothing of a nullable's value.
async fn assign_null(reader: &Reader, path: &str, place: &Place, before: &Evaluated) -> Result<(), Unassigned> {
    let type_name = before.value.type_name.as_str();
    let has_value = type_name.ends_with('?') && before.value.parsed() != literal::Raw::Null;
    if has_value && *place != Place::Property && !reader.quirks.null_leaves_no_value {
        let Some(default) = nothing::default_of(reader, type_name) else {
            return Err(Unassigned::known(
                "the adapter only clears HasValue: GetValueOrDefault() would still return the old value",
                format!("as `value`, pass a variable of type {} that is null", before.value.short_type()),
            ));
        };
        let default = spelling::spell(&default, &reader.quirks, false);
        assign(reader, path, place, Written::constant(&default), before).await?;
    }
    assign(reader, path, place, Written::constant("null"), before).await
}

/// As the caller spells it; where the adapter refuses that, by the fields that the value was read from, then by the setter of the
/// property or the indexer. The first refusal is the one reported.
async fn assign(
    reader: &Reader,
    path: &str,
    place: &Place,
    value: Written<'_>,
    before: &Evaluated,
) -> Result<(), Unassigned> {
    if let Some(words) = wrong_setter(reader, path, place, before) {
        let hint = "assign another object to the variable that holds this one, or debug_launch with backend: builtin";
        return Err(Unassigned::known(words, hint));
    }
    if *place == Place::OfSet {
        return Err(Unassigned::known(
            "an element of a set cannot be overwritten, because its position depends on its value",
            "call Remove, then Add, through evaluate with allow_side_effects",
        ));
    }
    let mut refusal = None;
    let spelled = spelling::spell(path, &reader.quirks, false);
    if takes(reader, place) {
        let Err(error) = expression(reader, &spelled, value).await else { return Ok(()) };
        // a value that a setter refuses must not bypass it through a field, and the setter runs once
        if matches!(&error, ReadError::Gone(_)) || matches!(&error, ReadError::Refused(words) if words.contains(THREW))
        {
            return Err(error.into());
        }
        refusal = Some(error);
    }
    if by_storage(reader, path, value, before).await {
        return Ok(());
    }
    let text = value.text;
    let call = match (place, path.rsplit_once('.')) {
        (Place::Indexed { receiver, index }, _) => Some(format!("{receiver}.set_Item({index}, {text})")),
        (Place::Stored | Place::Property, Some((receiver, name))) => evaluate::evaluate(reader, receiver, true)
            .await
            .ok()
            .map(|owner| format!("{}.set_{name}({text})", owner.load_path)),
        _ => None,
    };
    if let Some(setter) = call {
        match reader.evaluate(&setter, Access::Run).await {
            Ok(answer) => match threw::of_expression(reader, &setter, &answer).await {
                None => return Ok(()),
                Some(words) => return Err(ReadError::Refused(format!("{THREW}{words}")).into()),
            },
            Err(error) => refusal = Some(refusal.unwrap_or(error)),
        }
    }
    Err(match (refusal, place) {
        (Some(refusal), _) => refusal.into(),
        (None, Place::OfCopy(whole)) => Unassigned::known(
            format!("`{whole}` is a copy that a property or an indexer returned"),
            format!("assign a whole new value to `{whole}`"),
        ),
        (None, _) => ReadError::Refused("it has no setter that the adapter can call".to_owned()).into(),
    })
}

/// Whether the adapter may be given a path that goes there.
fn takes(reader: &Reader, place: &Place) -> bool {
    reader.quirks.assigns_only_what_is_stored || matches!(place, Place::Stored | Place::Property)
}

/// By the fields that hold the value. Whether one of them took it.
async fn by_storage(reader: &Reader, path: &str, value: Written<'_>, before: &Evaluated) -> bool {
    let tries = async |other: &str| {
        other != path
            && takes(reader, &target::place(reader, other).await)
            && expression(reader, other, value).await.is_ok()
    };
    if tries(&before.load_path).await {
        return true;
    }
    if let Some(located) = crate::session::inspect::path::located(reader, path).await
        && located != before.load_path
        && tries(&located).await
    {
        return true;
    }
    let Some((receiver, name)) = path.rsplit_once('.') else { return false };
    match evaluate::evaluate(reader, receiver, true).await {
        Ok(owner) if owner.load_path != receiver => tries(&format!("{}.{name}", owner.load_path)).await,
        _ => false,
    }
}

/// netcoredbg passes a number of its own to the setter of an enum's property, and nothing to that of a nullable's (3.1.2, 2026-11-22);
/// dncdbg knows no enum by name.
fn wrong_setter(reader: &Reader, path: &str, place: &Place, before: &Evaluated) -> Option<String> {
    let name = path.rsplit('.').next().filter(|_| *place == Place::Property)?;
    let type_name = before.value.type_name.as_str();
    if !reader.quirks.sets_nullable_properties && type_name.ends_with('?') {
        return Some(format!("`{name}` is a nullable property: the adapter cannot pass a value to its setter"));
    }
    let is_enum = || reader.modules.enum_type(type_name.trim_end_matches('?')).is_some();
    (!reader.quirks.sets_enum_properties && is_enum())
        .then(|| format!("`{name}` is an enum property: adapters pass a wrong number to its setter"))
}

/// What is wrong with the property or with the value, where one of them is; else what the adapter said, who blames the property for a value
/// that it cannot make.
async fn why_not(reader: &Reader, (path, value): (&str, &str), error: Unassigned) -> Unassigned {
    if let Some(error) = no_setter(reader, path).await {
        return error;
    }
    if let Some(words) = world::mismatch(reader, path, value).await {
        return ReadError::Refused(words).into();
    }
    match error {
        Unassigned::ByAdapter(ReadError::Refused(words))
            if words.contains("cannot be assigned") && !words.starts_with("error CS") =>
        {
            ReadError::Refused("this adapter cannot create a value of this kind in an assignment".to_owned()).into()
        }
        other => other,
    }
}

/// What no adapter can assign by the property's name, by its declaration.
async fn no_setter(reader: &Reader, path: &str) -> Option<Unassigned> {
    const COMPUTED: &str = "set the field that the property is computed from, or assign another object to the variable that holds this one";
    let (receiver, name) = path.rsplit_once('.')?;
    let owner = evaluate::evaluate(reader, receiver, true).await.ok()?;
    let accessors = reader.modules.accessors(&owner.value.type_name, name)?;
    if accessors.contains("init;") {
        return Some(Unassigned::known(
            format!("`{name}` is init-only, and the adapter cannot call its setter"),
            "assign another object to the variable that holds this one",
        ));
    }
    if accessors.contains("set;") {
        return None;
    }
    // its field has no name that an expression could assign to
    let shape = reader.shape(&owner.value.type_name);
    let mut fields = shape.members.iter().filter(|member| member.name == name).filter_map(|it| it.field.as_deref());
    let (what, hint) = match fields.any(|field| field.starts_with('<')) {
        true => {
            ("it is an auto-property without a setter", "assign another object to the variable that holds this one")
        }
        false => ("it has no setter", COMPUTED),
    };
    Some(Unassigned::known(format!("`{name}` cannot be assigned to: {what}"), hint))
}

async fn expression(reader: &Reader, path: &str, value: Written<'_>) -> Result<(), ReadError> {
    if !reader.quirks.assigns_only_what_is_stored && behind::is_behind_property(reader, path).await {
        return behind::assign(reader, path, value.text).await;
    }
    let arguments = dap::SetExpressionArguments {
        expression: path.to_owned(),
        value: value.text.to_owned(),
        frame_id: Some(reader.frame_id),
        may_run: value.may_run,
        ..dap::SetExpressionArguments::default()
    };
    reader.client.request::<request::SetExpression>(arguments).await?;
    Ok(())
}

/// Members of an enum by their full names: adapters know no `using`.
fn spelled(reader: &Reader, value: &str, before: &Evaluated) -> String {
    let full = before.value.type_name.trim_end_matches('?');
    let literal::Raw::Enum(_) = before.value.parsed() else { return value.to_owned() };
    let name = value.rsplit('.').next().unwrap_or(value);
    let is_name = name.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    let is_variable = || {
        let type_ = reader.modules.enum_type(full);
        type_.is_some_and(|type_| type_.members.iter().all(|(member, _)| member != name))
    };
    let of_the_type = value == name && !is_variable()
        || full == value.trim_end_matches(name).trim_end_matches('.')
        || full.ends_with(&format!(".{}", value.trim_end_matches(name).trim_end_matches('.')));
    if is_name && of_the_type { format!("{full}.{name}") } else { value.to_owned() }
}

pub(super) async fn shown(reader: &Reader, found: &Evaluated) -> Variable {
    preview::variable(reader, &found.value, &found.load_path, literal::LONG).await
}

/// With the number of its elements: of two long lists the previews may be alike.
pub(super) fn counted(variable: &Variable) -> String {
    match variable.count {
        Some(count) => format!("({count}) {}", text(variable)),
        None => text(variable),
    }
}

fn text(variable: &Variable) -> String {
    match &variable.content {
        Content::Value(value) => value.clone(),
        Content::Error(words) => format!("!{words}"),
        Content::Cycle(path) => path.clone(),
        Content::Members(_) => "{…}".into(),
    }
}
