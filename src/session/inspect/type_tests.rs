//! `is`, `as` and casts of objects, which adapters do not have. They print the type that an object is of, and metadata says what
//! that converts to; the object stays the same, so members behind a cast are read of the operand itself.

use clr_csharp::syntax::{self, ExprKind};

use super::evaluate::{EvalError, Evaluated, evaluate};
use super::operators::{self, Expr, Known, Operand};
use super::preview;
use super::reader::{RawValue, Reader};
use super::{computed, missing, type_names};
use crate::backend::quirks::MembersOf;
use crate::session::error::Code;

/// `x is T`
pub(super) async fn is(reader: &Reader, operand: &Operand, type_: &str) -> Result<bool, EvalError> {
    if operand.known == Known::Null {
        return Ok(false);
    }
    let Some(wanted) = named(reader, type_).await? else {
        // a constant
        let constant = Box::pin(evaluate(reader, type_, false)).await.map_err(|_| no_type(type_))?;
        return match (&operand.known, super::enums::known(reader, Operand::read(constant.value, type_)).known) {
            (Known::Enum(type_, number), Known::Enum(other, constant)) if *type_ == other => Ok(*number == constant),
            _ => Err(no_type(type_)),
        };
    };
    let from = type_of(operand);
    is_a(reader, &from, &wanted).ok_or_else(|| {
        let (from, to) = (type_names::short(&from), type_names::short(&wanted));
        failed(format!("whether a {from} is a {to} cannot be told from the files of the loaded modules"))
    })
}

/// `x as T`
pub(super) async fn as_type(reader: &Reader, operand: Operand, type_: &str) -> Result<Operand, EvalError> {
    let is_it = is(reader, &operand, type_).await?;
    if is_it {
        return Ok(operand);
    }
    let type_name = named(reader, type_).await?.unwrap_or_else(|| type_.to_owned());
    let read = RawValue { type_name, value: "null".to_owned(), ..RawValue::default() };
    Ok(Operand { read: Some(read), ..Operand::computed(Known::Null) })
}

/// `(T)x` of an object; `None` where the operand is none, or the conversion may be one that a type declares.
pub(super) async fn converted(reader: &Reader, type_: &str, operand: &Operand) -> Option<Result<Operand, EvalError>> {
    let wanted = named(reader, type_).await.ok().flatten()?;
    if reader.modules.shape(&wanted).is_value_type {
        return None;
    }
    if operand.known == Known::Null {
        return Some(Ok(operand.clone()));
    }
    let read = operand.read.as_ref().filter(|_| matches!(operand.known, Known::Other(_) | Known::Text(_)))?;
    if preview::is_boxed(read) || reader.modules.shape(&read.type_name).is_value_type {
        return None;
    }
    match is_a(reader, &read.type_name, &wanted)? {
        true => Some(Ok(operand.clone())),
        false if reader.modules.declares_conversions(&[&wanted, &read.type_name]) => None,
        false => Some(Err(EvalError::new(
            Code::EvaluationThrew,
            format!(
                "System.InvalidCastException: Unable to cast object of type '{}' to type '{}'.",
                read.type_name, wanted
            ),
        ))),
    }
}

/// `(x as T).Name`, `((T)x).Name`: the same without its cast. `None` where it begins with none, and where the member is another one of a `T`.
pub(super) async fn without_cast(reader: &Reader, expression: &str, run: bool) -> Option<Result<Cast, EvalError>> {
    let end = cast(expression)?;
    let (inside, behind) = (expression.get(1..end - 1)?, expression.get(end..)?.trim_start());
    let (name, is_conditional) = match behind.strip_prefix("?.") {
        Some(name) => (name, true),
        None => (behind.strip_prefix('.')?, false),
    };
    let member: String = name.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    let (whole, cast_to) = match operators::parse(inside)? {
        Expr::As(inner, type_) => (Expr::As(inner, type_.clone()), type_),
        Expr::Cast(type_, inner) => (Expr::Cast(type_.clone(), inner), type_),
        _ => return None,
    };
    // such an adapter has to know of what type the member is meant
    let is_kept = reader.quirks.members_of != MembersOf::RunTimeType && !reader.read_only;
    if is_kept && matches!(whole, Expr::Cast(..)) {
        return None;
    }
    let wanted = named(reader, &cast_to).await.ok().flatten()?;
    if reader.modules.shape(&wanted).is_value_type {
        return None;
    }
    let operand = match Box::pin(computed::compute(reader, &whole, run)).await {
        Ok(operand) => operand,
        Err(error) => return Some(Err(error)),
    };
    if operand.known == Known::Null {
        return Some(match is_conditional {
            true => Ok(Cast::Null),
            false => Err(EvalError::certain(Code::EvaluationFailed, missing::of_null(inside, &member))),
        });
    }
    if is_kept {
        return Some(Ok(Cast::Of(format!("(({wanted}){}).{name}", operand.text))));
    }
    let from = type_of(&operand);
    let (modules, to) = (reader.modules.clone(), wanted);
    let hides = tokio::task::spawn_blocking(move || modules.universe().hides(&from, &to, &member)).await.ok()?;
    // a boxed enum is spelled by its cast: without it nothing would be gained, and never an end
    let is_without = !operand.text.is_empty() && cast(&operand.text).is_none();
    (!hides && is_without).then(|| Ok(Cast::Of(format!("{}.{name}", operand.text))))
}

/// Where the cast in parentheses ends that an expression begins with.
fn cast(expression: &str) -> Option<usize> {
    let whole = syntax::parse(expression).ok().filter(|_| expression.starts_with('('))?;
    let mut root = &whole;
    while let ExprKind::MemberAccess { of, .. }
    | ExprKind::ElementAccess { of, .. }
    | ExprKind::Invocation { of, .. }
    | ExprKind::ConditionalAccess { of, .. } = &root.kind
    {
        root = of;
    }
    let is_cast = matches!(root.kind, ExprKind::As { .. } | ExprKind::Cast { .. });
    (is_cast && root.span.start == 0 && root.span.end > 1).then_some(root.span.end)
}

/// What an expression with a cast at its begin comes to.
pub(super) enum Cast {
    /// `?.` of a null.
    Null,
    Of(String),
}

impl Cast {
    pub(super) async fn value(self, reader: &Reader, run: bool) -> Result<Evaluated, EvalError> {
        match self {
            Self::Of(expression) => {
                let reader = Reader { by_run_time_type: true, ..reader.clone() };
                Box::pin(evaluate(&reader, &expression, run)).await
            }
            Self::Null => {
                let value = RawValue { type_name: "object".into(), value: "null".into(), ..RawValue::default() };
                Ok(Evaluated { value, load_path: "null".into() })
            }
        }
    }
}

/// The type that an object is of, or that of a value, as adapters print it.
fn type_of(operand: &Operand) -> String {
    let read = operand.read.as_ref().map(|read| read.type_name.trim_end_matches('?').to_owned());
    read.unwrap_or_else(|| operand.type_name())
}

fn is_a(reader: &Reader, from: &str, to: &str) -> Option<bool> {
    match type_names::short(from) == type_names::short(to) && type_names::is_primitive(&type_names::short(to)) {
        true => Some(true),
        false => reader.modules.universe().is_a(from, to),
    }
}

/// The full name of the type that the frame's source means; `None` where nothing of the program has that name.
async fn named(reader: &Reader, text: &str) -> Result<Option<String>, EvalError> {
    let (bare, rest) = text.split_at(text.find(['<', '[']).unwrap_or(text.len()));
    if !rest.is_empty() {
        // arguments are matched as they are written
        let full = match rest.starts_with('[') {
            true => bare.to_owned(),
            false => format!("System.Collections.Generic.{bare}"),
        };
        let known = rest.starts_with('[') || reader.modules.has_type(&format!("{full}{rest}"));
        return Ok(known.then(|| format!("{full}{rest}")));
    }
    if type_names::is_primitive(text) || text == "object" {
        return Ok(Some(text.to_owned()));
    }
    let (purity, name) = (reader.modules.purity(), text.to_owned());
    let found = tokio::task::spawn_blocking(move || purity.types_named(&name)).await.unwrap_or_default();
    if let [only] = found.as_slice() {
        return Ok(Some(only.clone()));
    }
    let first = text.split('.').next().unwrap_or(text);
    let place = reader.place.as_deref();
    let scoped = place.and_then(|it| reader.modules.type_in_scope(&it.path, (it.line, it.column), first));
    let scoped = scoped.map(|scoped| format!("{scoped}{}", text.get(first.len()..).unwrap_or_default()));
    let scoped = scoped.filter(|scoped| reader.modules.has_type(scoped));
    match (scoped, found.as_slice()) {
        (Some(scoped), _) => Ok(Some(scoped)),
        (None, []) => Ok(None),
        (None, several) => Err(failed(format!("`{text}` may mean {}: write the full name", several.join(" or ")))),
    }
}

fn no_type(text: &str) -> EvalError {
    failed(format!("no type `{text}` is known here; what a type parameter stands for cannot be read"))
}

fn failed(message: String) -> EvalError {
    EvalError::certain(Code::EvaluationFailed, message)
}
