//! variables_get and object_inspect: what a frame, an object or a collection holds, page by page.

use futures::future::join_all;
use regex::Regex;

use super::collections::Elements;
use super::evaluate::{Evaluated, exception_message};
use super::literal::{self, Raw};
use super::preview;
use super::reader::{Access, RawValue, ReadError, Reader, join};
use super::shape::{Form, MemberKind, Shape};
use crate::session::report::{Content, Variable};
use crate::session::view::VariablesView;

/// Elements and members of a page unless the caller says otherwise.
const PAGE: u64 = 100;
/// Elements whose numbers are summed up.
const SUMMARY: u64 = 100_000;
/// The same where an adapter gives no pages and each element is a request of some 5 ms.
const SUMMARY_ONE_BY_ONE: u64 = 200;

/// What of an object is wanted.
#[derive(Debug, Clone)]
pub struct Query<'a> {
    pub path: &'a str,
    /// 1 = members with previews, 2 = their members too, …
    pub depth: u32,
    pub start: u64,
    pub count: Option<u64>,
    pub filter: Option<&'a Regex>,
    /// object_inspect: full type name, nulls counted, numbers summed up, a sample.
    pub inspect: bool,
}

/// Lists what `found` holds.
pub async fn list(reader: &Reader, found: &Evaluated, query: &Query<'_>) -> Result<VariablesView, ReadError> {
    let value = &found.value;
    let mut view = VariablesView { path: Some(query.path.to_owned()), ..VariablesView::default() };
    view.type_name = Some(if query.inspect { value.type_name.clone() } else { value.short_type() });
    if let Raw::Array(dimensions) = value.parsed() {
        let elements = Elements::of_array(value, &found.load_path, &dimensions);
        return list_elements(reader, &elements, query, view).await;
    }
    let shape = reader.modules.shape(&value.type_name);
    if let Form::Collection(collection) = &shape.form
        && let Ok(elements) = Elements::of_collection(reader, collection, value, &found.load_path).await
    {
        return list_elements(reader, &elements, query, view).await;
    }
    if matches!(shape.form, Form::Delegate)
        && let Some((handlers, count)) = super::delegates::handlers(reader, value, &found.load_path).await
    {
        view.count = Some(count);
        view.variables = handlers.iter().enumerate().map(|(at, handler)| handler.variable(at)).collect();
        return Ok(view);
    }
    if value.reference == 0 || literal::plain("", &value.type_name, &value.value, literal::LONG).is_some() {
        let mut only = preview::variable(reader, value, &found.load_path, literal::LONG).await;
        only.name = query.path.to_owned();
        view.variables.push(only);
        view.path = None;
        view.type_name = None;
        return Ok(view);
    }
    let (mut members, hidden) = members(reader, value, &found.load_path, query.path, &shape, query.depth).await?;
    if let Some(filter) = query.filter {
        members.retain(|member| filter.is_match(&member.name));
    }
    let total = members.len() as u64;
    let count = query.count.unwrap_or(PAGE);
    view.start = query.start;
    view.next_start = (query.start.saturating_add(count) < total).then_some(query.start.saturating_add(count));
    view.hidden = hidden;
    view.variables = members
        .into_iter()
        .skip(usize::try_from(query.start).unwrap_or(usize::MAX))
        .take(usize::try_from(count).unwrap_or(usize::MAX))
        .collect();
    Ok(view)
}

async fn list_elements(
    reader: &Reader,
    elements: &Elements,
    query: &Query<'_>,
    mut view: VariablesView,
) -> Result<VariablesView, ReadError> {
    let count = query.count.unwrap_or(PAGE);
    let page = elements.page(reader, query.start, count).await?;
    view.count = Some(elements.count);
    view.start = query.start;
    let next = query.start.saturating_add(page.len() as u64);
    view.next_start = (next < elements.count && !page.is_empty()).then_some(next);
    let literals: Option<Vec<String>> = page
        .iter()
        .map(|element| {
            let plain = literal::plain("", &element.value.type_name, &element.value.value, literal::SHORT)?;
            match plain.content {
                Content::Value(text) if !element.is_keyed && plain.length.is_none() && plain.type_name.is_none() => {
                    Some(text)
                }
                _ => None,
            }
        })
        .collect();
    if query.inspect {
        summarize(reader, elements, &mut view).await?;
    }
    match literals.filter(|list| !list.is_empty()) {
        Some(list) if query.filter.is_none() => view.elements = list,
        _ => {
            let reads = page.iter().map(|element| async move {
                let path = join(query.path, &element.name);
                let mut variable =
                    expand(reader, &element.value, &element.load_path, &path, query.depth.saturating_sub(1)).await;
                variable.name.clone_from(&element.name);
                variable
            });
            view.variables = join_all(reads).await;
            if let Some(filter) = query.filter {
                view.variables.retain(|variable| filter.is_match(&variable.name));
            }
        }
    }
    Ok(view)
}

/// Nulls, and minimum, maximum and mean of numbers.
async fn summarize(reader: &Reader, elements: &Elements, view: &mut VariablesView) -> Result<(), ReadError> {
    let most = if reader.quirks.paging { SUMMARY } else { SUMMARY_ONE_BY_ONE };
    if elements.count == 0 || elements.count > most {
        return Ok(());
    }
    let all = elements.page(reader, 0, elements.count).await?;
    view.null_count = all.iter().filter(|element| element.value.parsed() == Raw::Null).count() as u64;
    let numeric = all.iter().all(|element| {
        matches!(
            element.value.short_type().trim_end_matches('?'),
            "int" | "long" | "short" | "sbyte" | "byte" | "ushort" | "uint" | "ulong" | "double" | "float" | "decimal"
        )
    });
    if !numeric {
        return Ok(());
    }
    let numbers: Vec<(f64, &str)> =
        all.iter().filter_map(|e| e.value.value.parse().ok().map(|number| (number, e.value.value.as_str()))).collect();
    let least = numbers.iter().min_by(|a, b| a.0.total_cmp(&b.0));
    let most = numbers.iter().max_by(|a, b| a.0.total_cmp(&b.0));
    if let (Some(least), Some(most)) = (least, most) {
        let mean = numbers.iter().map(|(number, _)| number).sum::<f64>() / numbers.len() as f64;
        view.summary = Some((least.1.to_owned(), most.1.to_owned(), mean.to_string()));
    }
    Ok(())
}

/// A variable of a frame with `depth` levels of members.
pub async fn expanded(reader: &Reader, value: &RawValue, depth: u32) -> Variable {
    let mut variable = expand(reader, value, &value.name, &value.name, depth).await;
    variable.name.clone_from(&value.name);
    variable
}

/// One value: its preview, or its members when there is depth left.
async fn expand(reader: &Reader, value: &RawValue, load_path: &str, path: &str, depth: u32) -> Variable {
    if depth > 0 && value.reference != 0 {
        let shape = reader.modules.shape(&value.type_name);
        if matches!(shape.form, Form::Object)
            && matches!(value.parsed(), Raw::Object)
            && let Ok((list, _)) = Box::pin(members(reader, value, load_path, path, &shape, depth)).await
        {
            return Variable {
                name: value.name.clone(),
                type_name: Some(value.short_type()),
                content: Content::Members(list),
                ..Variable::default()
            };
        }
    }
    preview::variable(reader, value, load_path, literal::SHORT).await
}

/// The members of an object, fields first, then properties, then statics; and how many are not listed.
async fn members(
    reader: &Reader,
    value: &RawValue,
    load_path: &str,
    path: &str,
    shape: &Shape,
    depth: u32,
) -> Result<(Vec<Variable>, u64), ReadError> {
    if reader.read_only && !reader.listing_is_safe(&value.type_name) {
        return Ok(loaded_members(reader, value, load_path, shape).await);
    }
    let opened = open_for_listing(reader, value, load_path).await;
    let children = reader.children(opened, None).await?;
    let mut hidden = 0;
    let mut statics = None;
    let mut listed: Vec<(usize, RawValue)> = Vec::new();
    for (at, child) in children.into_iter().enumerate() {
        if child.name == "Static members" {
            statics = Some(child.reference);
        } else if is_noise(&child) {
            hidden += 1;
        } else {
            let rank = shape.members.iter().position(|member| member.name == child.name).unwrap_or(shape.members.len());
            listed.push((rank * 1000 + at.min(999), child));
        }
    }
    listed.sort_by_key(|(rank, _)| *rank);
    let reads = listed.iter().map(|(_, child)| async move {
        let own = join(load_path, &child.name);
        let mut variable = match getter_threw(reader, shape, child).await {
            Some(error) => Variable { name: child.name.clone(), content: Content::Error(error), ..Variable::default() },
            None => expand(reader, child, &own, &join(path, &child.name), depth.saturating_sub(1)).await,
        };
        variable.name.clone_from(&child.name);
        variable
    });
    let mut list = join_all(reads).await;
    explain_once(&mut list);
    for member in shape.members.iter().filter(|member| member.kind == MemberKind::Captured) {
        list.push(captured(reader, load_path, &member.name).await);
    }
    if let Some(reference) = statics {
        list.extend(static_members(reader, value, reference).await);
    }
    Ok((list, hidden))
}

/// A parameter of the primary constructor that methods use; no adapter lists it among the members.
async fn captured(reader: &Reader, parent: &str, name: &str) -> Variable {
    let mut variable = match super::object::captured(reader, parent, name).await {
        Ok(value) => preview::variable(reader, &value, name, literal::SHORT).await,
        Err(error) => Variable {
            content: Content::Error(format!("captured parameter of the primary constructor: {error}")),
            ..Variable::default()
        },
    };
    variable.name = name.to_owned();
    variable
}

/// An adapter's bare `<error>`, of which there may be one for each property: the first gives the reason.
fn explain_once(list: &mut [Variable]) {
    let bare = list.iter_mut().filter(|member| member.content == Content::Error("error".into()));
    for (at, member) in bare.enumerate() {
        member.content = Content::Error(match at {
            0 => "not evaluated: the thread is in a wait or in native code, or the getter did not return".into(),
            _ => "not evaluated".into(),
        });
    }
}

/// The members that only load, and how many there are that do not.
async fn loaded_members(reader: &Reader, value: &RawValue, load_path: &str, shape: &Shape) -> (Vec<Variable>, u64) {
    let safe: Vec<_> = shape.members.iter().filter(|member| member.kind != MemberKind::Computed).collect();
    let reads = super::object::load_members(reader, value, load_path, shape, &safe).await;
    let shown = safe.iter().zip(reads).filter_map(|(member, read)| Some((member, read.ok()?)));
    let previews = shown.map(|(member, mut read)| async move {
        read.name.clone_from(&member.name);
        preview::variable(reader, &read, &join(load_path, &member.name), literal::SHORT).await
    });
    (join_all(previews).await, (shape.members.len() - safe.len()) as u64)
}

/// dncdbg runs getters only below an expression that was forced.
async fn open_for_listing(reader: &Reader, value: &RawValue, load_path: &str) -> i64 {
    if reader.quirks.force_evaluation_suffix.is_none() || reader.read_only {
        return value.reference;
    }
    match reader.evaluate(load_path, Access::Run).await {
        Ok(opened) if opened.reference != 0 => opened.reference,
        _ => value.reference,
    }
}

/// Indexers read as properties, hidden base members without a path, and the compiler's own.
fn is_noise(child: &RawValue) -> bool {
    child.type_name == "System.Reflection.TargetParameterCountException"
        || child.name == "EqualityContract"
        || child.name.starts_with('<')
        || child.name == "[More]"
        // `Name (Base.Type)`, explicit interface implementations
        || child.name.contains(['(', '.'])
}

/// `NotSupportedException: this property always throws`, where a getter's answer is the exception it threw.
async fn getter_threw(reader: &Reader, shape: &Shape, child: &RawValue) -> Option<String> {
    if !child.value.starts_with('{') || !reader.modules.shape(&child.type_name).is_exception {
        return None;
    }
    let member = shape.members.iter().find(|member| member.name == child.name)?;
    if reader.modules.shape(&member.declared).is_exception || member.kind == MemberKind::Field {
        return None;
    }
    let message = exception_message(reader, child.reference).await.unwrap_or_default();
    Some(format!("{}: {message}", child.short_type()))
}

async fn static_members(reader: &Reader, value: &RawValue, reference: i64) -> Vec<Variable> {
    let Ok(children) = reader.children(reference, None).await else { return Vec::new() };
    let owner = value.type_name.as_str();
    let reads = children.iter().filter(|child| !is_noise(child)).map(|child| async move {
        let path = child.path.clone().unwrap_or_else(|| join(owner, &child.name));
        let mut variable = preview::variable(reader, child, &path, literal::SHORT).await;
        variable.name.clone_from(&child.name);
        variable.is_static = true;
        variable.path = Some(path);
        variable
    });
    join_all(reads).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reason_is_given_once() {
        let error = |words: &str| Variable { content: Content::Error(words.into()), ..Variable::default() };
        let mut list = vec![error("error"), error("NotSupportedException: no"), error("error")];
        explain_once(&mut list);
        let words: Vec<&Content> = list.iter().map(|member| &member.content).collect();
        assert!(matches!(words[0], Content::Error(words) if words.contains("native code")), "{words:?}");
        assert_eq!(words[1], &Content::Error("NotSupportedException: no".into()));
        assert_eq!(words[2], &Content::Error("not evaluated".into()));
    }
}
