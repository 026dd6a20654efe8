//! Variables of the method around a local function and range variables of queries, where the adapter does not know them. The first live in
//! the frame of that method, which is below: a reference to it is only ever passed up the stack. The others are the fields of a variable
//! that the adapter lists and that no expression can name. `this` of a local function may be behind an object of the compiler's, which an
//! adapter takes for it.

use std::collections::HashSet;

use clr_csharp::syntax::{self, Expr, ExprKind};
use futures::future::BoxFuture;

use super::access::ReadError;
use super::frames;
use super::raw_value::RawValue;
use super::reader::Reader;
use crate::session::expression::{Segment, segments};
use crate::session::modules::{Captured, captured_parameter};
use clr_metadata::names::{FieldOrigin, field_origin, is_transparent_identifier};

/// Why a [`Captured::Changed`] parameter is not read.
const CHANGED: &str = "a lambda captures this parameter, and this adapter reads what it was when the method was called";

/// Why a [`Captured::OtherClause`] variable is not read.
const OTHER_CLAUSE: &str = "another `catch` clause has a variable of this name, and this adapter reads that one";

/// Objects of the compiler's that are looked through: one for each block of the source.
const CLOSURES: usize = 16;
/// Frames that are looked at below a local function's.
const BELOW: usize = 32;

/// Those of the reader's frame, by name.
fn of_frame(reader: &Reader) -> Vec<(String, Captured)> {
    if reader.quirks.knows_captured {
        return Vec::new();
    }
    let place = reader.place.as_deref();
    let mut captured = place.map(|it| reader.modules.captured_at(&it.path, it.line, it.column)).unwrap_or_default();
    if !reader.frames.is_generated(reader.frame_id) {
        captured.retain(|(_, kind)| matches!(kind, Captured::Changed | Captured::OtherClause));
    }
    captured
}

/// Adds what the frame's own variables leave out.
pub(super) async fn add(reader: &Reader, all: &mut Vec<RawValue>) {
    if reader.quirks.knows_captured {
        return;
    }
    // the others list what a machine's closure holds as often as they come to it
    let mut listed = HashSet::new();
    all.retain(|variable| listed.insert((variable.name.clone(), variable.value.clone())));
    let captured = of_frame(reader);
    if captured.iter().any(|(_, captured)| *captured == Captured::Range) {
        let held: Vec<RawValue> = all.extract_if(.., |it| is_transparent_identifier(&it.name)).collect();
        for held in held {
            all.extend(range_variables(reader, held).await);
        }
    }
    let is_changed = |name: &str| captured.iter().any(|(it, kind)| it == name && *kind == Captured::Changed);
    for variable in all.iter_mut().filter(|variable| is_changed(&variable.name)) {
        *variable =
            RawValue { name: variable.name.clone(), value: format!("<error: {CHANGED}>"), ..RawValue::default() };
    }
    // which of several is meant cannot be told by what is listed
    all.retain(|variable| !captured.iter().any(|(it, kind)| *it == variable.name && *kind == Captured::OtherClause));
    let is_closure = |name: &str| captured.iter().any(|(it, kind)| it == name && *kind == Captured::Closure);
    if is_closure("this") {
        // what has these names is something else (dncdbg 1.1.0)
        all.retain(|variable| variable.name == "this" || !is_closure(&variable.name));
        add_behind_this(reader, all, is_closure).await;
    }
    let others = captured.iter().filter(|(_, kind)| matches!(kind, Captured::Outer | Captured::Range));
    let mut missing: Vec<&String> = others.map(|(name, _)| name).collect();
    missing.retain(|name| !all.iter().any(|variable| variable.name == **name));
    if missing.is_empty() || !captured.iter().any(|(_, captured)| *captured == Captured::Outer) {
        return;
    }
    for outer in outer_frames(reader).await {
        let found = Box::pin(outer.variables()).await.unwrap_or_default();
        all.extend(found.into_iter().filter(|variable| missing.contains(&&variable.name)));
        missing.retain(|name| !all.iter().any(|variable| variable.name == **name));
        if missing.is_empty() {
            return;
        }
    }
}

/// The `this` of the source behind an object of the compiler's that an adapter takes for it, where the adapter shows what that refers to.
pub(super) async fn this_of_closure(reader: &Reader) -> Option<RawValue> {
    let is_closure = of_frame(reader).iter().any(|(name, kind)| name == "this" && *kind == Captured::Closure);
    if !is_closure || !reader.has_hidden_fields() {
        return None;
    }
    let mut reference = reader.open_this().await.ok()?.reference;
    for _ in 0..CLOSURES {
        let mut held = reader.children(reference, None).await.ok()?.into_iter();
        let next = held.find(|held| matches!(field_origin(&held.name), FieldOrigin::This | FieldOrigin::Closure))?;
        if field_origin(&next.name) == FieldOrigin::This {
            return Some(RawValue { name: "this".to_owned(), path: None, ..next });
        }
        reference = next.reference;
    }
    None
}

/// The parameters of a primary constructor that `this` captured.
async fn add_behind_this(reader: &Reader, all: &mut Vec<RawValue>, is_wanted: impl Fn(&str) -> bool) {
    let Some(this) = all.iter().find(|variable| variable.name == "this" && variable.reference != 0) else { return };
    let held = Box::pin(reader.children(this.reference, None)).await.unwrap_or_default();
    all.extend(held.into_iter().filter_map(|held| {
        let name = captured_parameter(&held.name).filter(|name| is_wanted(name))?.to_owned();
        Some(RawValue { name, path: None, ..held })
    }));
}

fn range_variables(reader: &Reader, held: RawValue) -> BoxFuture<'_, Vec<RawValue>> {
    Box::pin(async move {
        let mut found = Vec::new();
        for child in reader.children(held.reference, None).await.unwrap_or_default() {
            match is_transparent_identifier(&child.name) {
                true => found.extend(range_variables(reader, child).await),
                // its fields have names of the compiler's, and dncdbg 1.1.0 reads none of its properties
                false if child.name.starts_with('<') || !child.is_read() => {}
                false => found.push(RawValue { path: None, ..child }),
            }
        }
        found
    })
}

/// What an expression with such variables gives; `None` where it has none.
pub(super) async fn evaluate(reader: &Reader, expression: &str, asked: &str) -> Option<Result<RawValue, ReadError>> {
    let captured = of_frame(reader);
    if captured.is_empty() {
        return None;
    }
    let mut names = Vec::new();
    match syntax::parse(expression) {
        Ok(expr) => gather(&expr, &mut names),
        // lists show the variable `@class` as `class`
        Err(_) if syntax::is_keyword(expression) => names.push(expression.to_owned()),
        Err(_) => return None,
    }
    let kind = |name: &String| captured.iter().find(|(known, _)| known == name).map(|(_, kind)| *kind);
    // where the frame has it, it is no such variable
    names.retain(|name| name != "this" || kind(name).is_some());
    let first = names.iter().find(|name| kind(name).is_some())?;
    if let Some(changed) = names.iter().find(|name| kind(name) == Some(Captured::Changed)) {
        return Some(Err(ReadError::Refused(format!("`{changed}`: {CHANGED}"))));
    }
    if let Some(other) = names.iter().find(|name| kind(name) == Some(Captured::OtherClause)) {
        return Some(Err(ReadError::Refused(format!("`{other}`: {OTHER_CLAUSE}"))));
    }
    let here = Box::pin(reader.variables()).await.unwrap_or_default();
    let is_here = |name: &String| here.iter().any(|variable| variable.name == *name);
    // what is no variable at all means the same in the method around
    if names.iter().all(|name| kind(name) == Some(Captured::Outer) || kind(name).is_none() && !is_here(name)) {
        let needed: Vec<&String> = names.iter().filter(|name| kind(name).is_some()).collect();
        for outer in outer_frames(reader).await {
            let has = Box::pin(outer.variables()).await.unwrap_or_default();
            if needed.iter().all(|name| has.iter().any(|variable| variable.name == **name)) {
                return Some(Box::pin(outer.asks(expression, asked.to_owned())).await);
            }
        }
    }
    if let Some(found) = along(reader, expression).await {
        return Some(Ok(found));
    }
    let what = match kind(first) {
        Some(Captured::Range) => "a range variable of the query",
        Some(Captured::Closure) => "captured by this local function",
        _ => "a variable of the method enclosing this local function",
    };
    let words = match is_here(first) {
        true => {
            format!("`{first}` is {what}; this adapter can read it only on its own, not inside a larger expression")
        }
        false => format!("`{first}` is {what}, which this adapter cannot read"),
    };
    Some(Err(ReadError::Refused(words)))
}

/// A range variable, or a field of one where listing its object runs nothing.
async fn along(reader: &Reader, path: &str) -> Option<RawValue> {
    let mut pieces = segments(path)?.into_iter();
    let mut children = Box::pin(reader.variables()).await.ok()?;
    loop {
        let Segment::Name(name) = pieces.next()? else { return None };
        let value = children.into_iter().find(|child| child.name == name)?;
        if pieces.len() == 0 {
            return Some(RawValue { path: None, ..value });
        }
        let shape = reader.shape(&value.type_name);
        if value.reference == 0 || !reader.pure_members(&value.type_name, &shape).await.allow_listing {
            return None;
        }
        children = reader.children(value.reference, None).await.ok()?;
    }
}

/// The frames that a local function's captured variables may live in: those of its method, nearest first, up to the one that was called
/// as that method.
async fn outer_frames(reader: &Reader) -> Vec<Reader> {
    let Some((function, thread, index)) = reader.frames.place(reader.frame_id) else { return Vec::new() };
    let Some((owner, method)) = method_around(&function) else { return Vec::new() };
    let Ok(below) = frames::read(reader, thread, index + 1, BELOW).await else { return Vec::new() };
    let mut found = Vec::new();
    for frame in below.frames {
        let Some(name) = frame.raw_name.strip_prefix(&owner) else { continue };
        let is_method = name.strip_prefix(&method).is_some_and(|rest| rest.is_empty() || rest.starts_with(['(', '<']));
        if is_method || name.starts_with(&format!("<{method}>g__")) {
            found.push(reader.at(&frame));
        }
        if is_method {
            break;
        }
    }
    found
}

/// `Shop.Program.` and `Main` of `Shop.Program.<Main>g__Add|0_0(int)`.
fn method_around(function: &str) -> Option<(String, String)> {
    let (before, _) = function.split_once(">g__")?;
    let start = match before.rfind(".<") {
        Some(at) => at + 1,
        None => before.find('<')?,
    };
    Some((before.get(..start)?.to_owned(), before.get(start + 1..)?.to_owned()))
}

/// The names that an expression begins its paths with.
fn gather(expr: &Expr, names: &mut Vec<String>) {
    match &expr.kind {
        ExprKind::Name { name, .. } => names.push(name.text.clone()),
        ExprKind::This => names.push("this".to_owned()),
        ExprKind::Invocation { of, arguments } if matches!(of.kind, ExprKind::Name { .. }) => {
            arguments.iter().for_each(|argument| gather(&argument.value, names));
        }
        _ => expr.children().into_iter().for_each(|child| gather(child, names)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_method_around_a_local_function_is_in_its_name() {
        for (function, owner, method) in [
            ("Shop.Program.<Main>g__Add|0_0(int by)", "Shop.Program.", "Main"),
            ("Program.<<Main>$>g__Add|0_0()", "Program.", "<Main>$"),
            ("<Main>g__Add|0_0()", "", "Main"),
        ] {
            assert_eq!(method_around(function), Some((owner.to_owned(), method.to_owned())), "{function}");
        }
        assert_eq!(method_around("Shop.Program.Main()"), None);
    }
}
