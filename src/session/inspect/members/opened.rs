//! The members of a value of the framework as a C# developer knows them: its private fields say nothing to anybody.

use super::{MemberQuery, readable_members};
use crate::session::expression::join;
use crate::session::inspect::expand::expand;
use crate::session::inspect::literal::Raw;
use crate::session::inspect::raw_value::RawValue;
use crate::session::inspect::reader::Reader;
use crate::session::inspect::shape::{Form, Member, MemberKind, Shape};
use crate::session::inspect::side_by_side;
use crate::session::inspect::wellknown::known::{Known, Part, Show, Shown};
use crate::session::inspect::{expando, fields, literal, wellknown};
use crate::session::report::{Content, Variable};
use crate::session::type_names;

/// Properties of values that are one line otherwise. Their getters change nothing.
#[rustfmt::skip]
const PROPERTIES: [(&str, &[&str]); 5] = [
    ("System.DateTime", &["Year", "Month", "Day", "Hour", "Minute", "Second", "Millisecond", "Kind", "DayOfWeek", "DayOfYear", "Ticks"]),
    ("System.DateTimeOffset", &["Year", "Month", "Day", "Hour", "Minute", "Second", "Millisecond", "Offset", "UtcDateTime", "DayOfWeek", "DayOfYear", "Ticks"]),
    ("System.TimeSpan", &["Days", "Hours", "Minutes", "Seconds", "Milliseconds", "TotalDays", "TotalHours", "TotalMinutes", "TotalSeconds", "TotalMilliseconds", "Ticks"]),
    ("System.DateOnly", &["Year", "Month", "Day", "DayOfWeek", "DayOfYear", "DayNumber"]),
    ("System.TimeOnly", &["Hour", "Minute", "Second", "Millisecond", "Ticks"]),
];

/// What every exception has.
const OF_EXCEPTIONS: [&str; 4] = ["Message", "InnerException", "StackTrace", "HResult"];

/// The members, and how many fields are not among them. `None`: it is no such value, or nothing of it can be read here.
pub(super) async fn members(
    reader: &Reader,
    value: &RawValue,
    load_path: &str,
    shape: &Shape,
    query: MemberQuery<'_>,
) -> Option<(Vec<Variable>, u64)> {
    let definition = type_names::definition(value.type_name.trim_end_matches('?'));
    let listed = PROPERTIES.iter().find(|(type_, _)| *type_ == definition).map(|(_, names)| *names);
    let list = match (&shape.form, listed) {
        (_, Some(names)) => properties(reader, value, load_path, names, query).await,
        (Form::Wellknown(known), None) if matches!(known.show, Show::Members(_)) => {
            parts(reader, value, load_path, known, query).await
        }
        (Form::Wellknown(known), None) if matches!(known.show, Show::Json) => {
            json(reader, value, load_path, known, query).await
        }
        (Form::Expando, _) => return given(reader, value, load_path, query).await,
        (Form::Object, None) if shape.is_exception => exception(reader, value, load_path, shape, query).await,
        _ => return None,
    };
    if list.is_empty() && query.filter.is_none() {
        return None;
    }
    let raw = Shape::raw(&reader.modules.universe(), value.type_name.trim_end_matches('?'));
    let is_hidden =
        |member: &&Member| member.kind == MemberKind::Field && !list.iter().any(|shown| shown.name == member.name);
    let hidden = raw.members.iter().filter(is_hidden).count() as u64;
    Some((list, hidden))
}

/// What it is, and its text.
async fn json(
    reader: &Reader,
    value: &RawValue,
    load_path: &str,
    known: &Known,
    query: MemberQuery<'_>,
) -> Vec<Variable> {
    let mut list = properties(reader, value, load_path, &["ValueKind"], query).await;
    let name = "GetRawText()".to_owned();
    if query.has(&name)
        && let Some(Shown::Plain(text)) = wellknown::read(reader, known, value, load_path, literal::LONG).await
    {
        list.push(Variable { name, content: Content::Value(text), ..Variable::default() });
    }
    list
}

/// By what it was given.
async fn given(
    reader: &Reader,
    value: &RawValue,
    load_path: &str,
    query: MemberQuery<'_>,
) -> Option<(Vec<Variable>, u64)> {
    let (given, left) = expando::members(reader, value, load_path).await?;
    let wanted = given.iter().filter(|member| query.has(&member.name));
    let reads = wanted.map(|it| below(reader, &it.value.value, &it.value.load_path, &it.name, query));
    Some((side_by_side(reads).await, left))
}

/// By getters that change nothing.
async fn properties(
    reader: &Reader,
    value: &RawValue,
    load_path: &str,
    names: &[&str],
    query: MemberQuery<'_>,
) -> Vec<Variable> {
    let wanted = names.iter().filter(|name| query.has(name)).map(|name| (*name).to_owned()).collect();
    let pure = reader.pure_among(&value.type_name, wanted).await;
    let reads = pure.iter().map(|name| async move {
        let path = join(load_path, name);
        let read = reader.evaluate_getter(&path).await.ok()?;
        let read = RawValue { name: name.clone(), ..read };
        Some(below(reader, &read, &path, name, query).await)
    });
    side_by_side(reads).await.into_iter().flatten().collect()
}

/// By what the table of known types says.
async fn parts(
    reader: &Reader,
    value: &RawValue,
    load_path: &str,
    known: &Known,
    query: MemberQuery<'_>,
) -> Vec<Variable> {
    let Some(Shown::Members(parts, fields)) = wellknown::read(reader, known, value, load_path, literal::LONG).await
    else {
        return Vec::new();
    };
    let fields = &fields;
    let reads = parts.into_iter().filter(|(name, _)| query.has(name)).map(|(name, part)| async move {
        match part {
            Part::Shown(text) => {
                Some(Variable { name: name.to_owned(), content: Content::Value(text), ..Variable::default() })
            }
            Part::Field(at) => {
                let field = fields.get(at)?;
                Some(below(reader, &field.value, &field.path, name, query).await)
            }
        }
    });
    side_by_side(reads).await.into_iter().flatten().collect()
}

/// What all have, then what its own class and those below `Exception` add.
async fn exception(
    reader: &Reader,
    value: &RawValue,
    load_path: &str,
    shape: &Shape,
    query: MemberQuery<'_>,
) -> Vec<Variable> {
    let mut list = properties(reader, value, load_path, &OF_EXCEPTIONS, query).await;
    if list.is_empty() && query.filter.is_none() {
        return list;
    }
    list.extend(data(reader, value, load_path, query).await);
    let more = match shape.exception {
        Some(known) => parts(reader, value, load_path, known, query).await,
        None => Vec::new(),
    };
    let pure = reader.pure_members(&value.type_name, shape).await;
    let (own, _) = readable_members(reader, value, load_path, shape, &pure, query).await;
    for member in own.into_iter().chain(more) {
        if !list.iter().any(|known| known.name == member.name) {
            list.push(member);
        }
    }
    list
}

/// What was put into its `Data`, which it makes for whoever asks first.
async fn data(reader: &Reader, value: &RawValue, load_path: &str, query: MemberQuery<'_>) -> Option<Variable> {
    const NAME: &str = "Data";
    if !query.has(NAME) {
        return None;
    }
    let fields = fields::read(reader, value, load_path, &["_data"]).await;
    let held = fields.get(0).filter(|held| !matches!(held.value.parsed(), Raw::Null))?;
    Some(below(reader, &held.value, &held.path, NAME, query).await)
}

/// One member, with the levels below it that are wanted.
async fn below(reader: &Reader, read: &RawValue, path: &str, name: &str, query: MemberQuery<'_>) -> Variable {
    let own = join(query.path, name);
    let mut variable = Box::pin(expand(reader, read, path, &own, query.depth.saturating_sub(1))).await;
    name.clone_into(&mut variable.name);
    variable
}
