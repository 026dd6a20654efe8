//! variables_get and object_inspect: what a frame, an object or a collection holds, page by page.

use futures::stream::{self, StreamExt};
use regex::Regex;

use super::access::{Access, ReadError};
use super::collections::{Elements, Found, Wanted, named};
use super::element::Element;
use super::evaluate;
use super::evaluated::{Evaluated, NOTHING_RUNS, RUNS_NOTHING};
use super::expand::expand;
use super::literal::{self, Raw};
use super::made::Part;
use super::members::{MemberQuery, members, raw_members, unread as unread_member};
use super::raw_value::RawValue;
use super::reader::Reader;
use super::shape::{Form, Member, Shape};
use super::side_by_side;
use super::specifiers::{Specified, Specifier};
use super::{delegates, exact, nullable, preview, text};
use crate::session::expression::join;
use crate::session::report::{Content, Variable};
use crate::session::type_names;
use crate::session::view::VariablesView;

/// Elements and members of a page unless the caller says otherwise.
const PAGE: u64 = 100;
/// Elements whose numbers are summed up.
const SUMMARY: u64 = 100_000;
/// Elements whose members are read side by side: no more are lost when the time is over.
const ELEMENTS_AT_ONCE: usize = 4;

/// What to say where a filter meant no element, and some are objects.
const MEMBERS_UNSEARCHED: &str = "a filter looks at keys, numbers and strings, not at members of objects: use evaluate for those (list.Where(x => ...))";

/// What to say where a page of a string is asked for.
const NO_ELEMENTS: &str = "start and count are for elements: evaluate Substring(start, length) for a part of a string";

/// What of an object is wanted.
#[derive(Debug, Clone)]
pub struct Query<'a> {
    pub path: &'a str,
    /// 1 = members with previews, 2 = their members too, …
    pub depth: u32,
    pub start: u64,
    pub count: Option<u64>,
    pub filter: Option<&'a Regex>,
    /// How values are to be shown.
    pub specified: &'a Specified,
    /// object_inspect: full type name, nulls counted, numbers summed up, a sample.
    pub inspect: bool,
}

impl Query<'_> {
    fn members(&self) -> MemberQuery<'_> {
        MemberQuery { path: self.path, depth: self.depth, filter: self.filter }
    }
}

/// Lists what `found` holds, shown as the specifiers behind the path say.
pub async fn list(reader: &Reader, found: &Evaluated, query: &Query<'_>) -> Result<VariablesView, ReadError> {
    let mut view = listed(reader, found, query).await?;
    let variables = std::mem::take(&mut view.variables);
    view.variables = variables.into_iter().map(|variable| query.specified.applied_to(variable)).collect();
    let elements = std::mem::take(&mut view.elements);
    view.elements = query.specified.applied_to_elements(elements, view.type_name.as_deref().unwrap_or_default());
    Ok(view)
}

async fn listed(reader: &Reader, found: &Evaluated, query: &Query<'_>) -> Result<VariablesView, ReadError> {
    if nullable::is_struct(&found.value)
        && let Some(inner) = nullable::inside(reader, &found.value, &found.load_path).await
    {
        let mut view = Box::pin(listed(reader, &inner, query)).await?;
        // what it is declared as, of which the struct inside does not know
        let type_name = if query.inspect { found.value.type_name.clone() } else { found.value.short_type() };
        match (&mut view.type_name, view.variables.as_mut_slice()) {
            (Some(own), _) => *own = type_name,
            (None, [only]) => only.type_name = Some(found.value.short_type()),
            _ => {}
        }
        return Ok(view);
    }
    let value = &found.value;
    let mut view = VariablesView { path: Some(query.path.to_owned()), ..VariablesView::default() };
    view.type_name = Some(if query.inspect { value.type_name.clone() } else { value.short_type() });
    if let Some(made) = value.made.as_ref().filter(|made| value.reference == 0 && made.has_elements()) {
        view.count = made.count;
        let is_wanted = |part: &&Part| query.filter.is_none_or(|filter| part_matches(part, filter));
        let page = made.parts.iter().skip(query.start as usize);
        let page = page.take(query.filter.map_or(query.count.unwrap_or(PAGE) as usize, |_| usize::MAX));
        for part in page.filter(is_wanted) {
            let path = join(query.path, &part.name);
            let mut variable = expand(reader, &part.value, &part.load_path, &path, query.depth - 1).await;
            variable.name.clone_from(&part.name);
            view.variables.push(variable);
        }
        let next = query.start + view.variables.len() as u64;
        view.start = query.start;
        view.searched = query.filter.map(|_| (made.parts.len() as u64).saturating_sub(query.start));
        view.next_start = Some(next).filter(|next| query.filter.is_none() && made.has_more(*next as usize));
        return Ok(view);
    }
    if query.specified.specifiers.contains(&Specifier::Raw)
        && let Some(members) = raw_members(reader, value, &found.load_path, query.members()).await
    {
        page(&mut view, members, query);
        return Ok(view);
    }
    if value.made_there.is_some() && value.reference != 0 && !matches!(value.parsed(), Raw::Array(_)) {
        return made_there(reader, value, query, view).await;
    }
    if let Raw::Array(dimensions) = value.parsed() {
        view.type_name = view.type_name.map(|name| preview::array_type(&name, &literal::bounds(&value.value)));
        let elements = Elements::of_array(value, &found.load_path, &dimensions);
        return list_elements(reader, &elements, query, view).await;
    }
    let shape = reader.shape(&value.type_name);
    if let Form::Collection(collection) = &shape.form {
        match Elements::of_collection(reader, collection, value, &found.load_path).await {
            Ok(elements) => return list_elements(reader, &elements, query, view).await,
            // it has no members that could stand for its elements
            Err(error) if reader.budget.is_spent() => return Err(error),
            Err(_) => {}
        }
    }
    if matches!(shape.form, Form::Delegate)
        && let Some(found) = handlers(reader, value, &found.load_path, query, &mut view).await
    {
        view.variables = found;
        return Ok(view);
    }
    if value.reference == 0 || literal::plain("", &value.type_name, &value.value, literal::LONG).is_some() {
        let value = text::completed(reader, value.clone(), &found.load_path).await;
        let mut only = preview::variable(reader, &value, &found.load_path, literal::LONG).await;
        only.name = query.path.to_owned();
        let is_paged = query.start > 0 || query.count.is_some();
        view.note = (is_paged && value.short_type() == "string").then(|| NO_ELEMENTS.into());
        view.variables.push(only);
        view.path = None;
        view.type_name = None;
        return Ok(view);
    }
    let (mut members, mut hidden) = members(reader, value, &found.load_path, &shape, query.members()).await?;
    if let Some(filter) = query.filter {
        // what a wrapper was made over has no name that could have been asked for
        members.retain(|member| filter.is_match(&member.name));
        if !shape.members.is_empty() {
            members.extend(unlisted_matches(reader, &found.load_path, &shape, filter, &members).await);
            // what is hidden now does not match
            hidden = 0;
        }
        if members.is_empty() && !reader.budget.is_spent() {
            let (searched, others) = searched(reader, found, &shape, query).await?;
            (view.searched, hidden) = (Some(searched), others);
        }
    }
    // the elements of a tuple by the names of the source
    let elements = type_names::elements(&value.type_name);
    for (member, (_, name)) in members.iter_mut().filter(|it| it.name.starts_with("Item")).zip(elements) {
        member.name = name.map_or_else(|| std::mem::take(&mut member.name), str::to_owned);
    }
    view.hidden = hidden;
    view.note = match query.filter {
        Some(_) => cut_search(reader, &members),
        None => unread(reader),
    };
    page(&mut view, members, query);
    if view.note.is_none() {
        view.note = without_reason(reader, &found.load_path, &mut view.variables).await;
    }
    Ok(view)
}

/// The members that are asked for.
fn page(view: &mut VariablesView, members: Vec<Variable>, query: &Query<'_>) {
    let total = members.len() as u64;
    let count = query.count.unwrap_or(PAGE);
    view.start = query.start;
    view.next_start = (query.start.saturating_add(count) < total).then_some(query.start.saturating_add(count));
    view.variables = members
        .into_iter()
        .skip(usize::try_from(query.start).unwrap_or(usize::MAX))
        .take(usize::try_from(count).unwrap_or(usize::MAX))
        .collect();
}

/// Members whose names a filter was held against, and how many there are of others.
async fn searched(
    reader: &Reader,
    found: &Evaluated,
    shape: &Shape,
    query: &Query<'_>,
) -> Result<(u64, u64), ReadError> {
    let all = MemberQuery { path: query.path, depth: 1, filter: None };
    let (listed, left) = members(reader, &found.value, &found.load_path, shape, all).await?;
    let is_by_name = |member: &&Member| !member.hidden && !listed.iter().any(|known| known.name == member.name);
    let by_name = shape.members.iter().filter(is_by_name).count() as u64;
    Ok((listed.len() as u64 + by_name, left.saturating_sub(by_name)))
}

/// Parts of what the adapter made of an expression: it has no fields that could be read instead.
async fn made_there(
    reader: &Reader,
    value: &RawValue,
    query: &Query<'_>,
    mut view: VariablesView,
) -> Result<VariablesView, ReadError> {
    let count = query.count.unwrap_or(PAGE);
    let page = if query.filter.is_some() { None } else { Some((query.start, count)) };
    let children = reader.children(value.reference, page).await?;
    for child in children {
        let child = super::made_there::listed(reader, child).await;
        let path = child.path.clone().unwrap_or_else(|| join(query.path, &child.name));
        let mut variable = expand(reader, &child, &path, &path, query.depth - 1).await;
        variable.name.clone_from(&child.name);
        view.variables.push(variable);
    }
    view.count = value.made_there.and_then(|(_, count)| count);
    if let Some(filter) = query.filter {
        view.searched = Some(view.variables.len() as u64);
        let is_match = |it: &Variable| match &it.content {
            Content::Value(text) => filter.is_match(text) || filter.is_match(&it.name),
            _ => filter.is_match(&it.name),
        };
        view.variables.retain(is_match);
        return Ok(view);
    }
    view.start = query.start;
    let next = query.start + view.variables.len() as u64;
    view.next_start = view.count.is_some_and(|count| next < count).then_some(next);
    Ok(view)
}

/// By its name, or by its value where that is a literal.
fn part_matches(part: &Part, filter: &Regex) -> bool {
    let plain = literal::plain("", &part.value.type_name, &part.value.value, literal::LONG);
    let text = plain.and_then(|plain| match plain.content {
        Content::Value(text) => Some(literal::unquote(&text).unwrap_or(text)),
        _ => None,
    });
    filter.is_match(&part.name) || text.is_some_and(|text| filter.is_match(&text))
}

/// A page of a delegate's handlers.
async fn handlers(
    reader: &Reader,
    value: &RawValue,
    path: &str,
    query: &Query<'_>,
    view: &mut VariablesView,
) -> Option<Vec<Variable>> {
    let most = query.count.unwrap_or(delegates::HANDLERS);
    let (page, count) = delegates::handlers(reader, value, path, query.start, most).await?;
    let page = side_by_side(page.into_iter().map(|handler| delegates::described(reader, handler))).await;
    let end = query.start + page.len() as u64;
    view.count = Some(count);
    view.start = query.start;
    view.next_start = (end < count).then_some(end);
    view.searched = query.filter.map(|_| page.len() as u64);
    let wanted =
        page.iter().zip(query.start..).filter(|(handler, _)| query.filter.is_none_or(|it| handler.matches(it)));
    Some(wanted.map(|(handler, at)| handler.variable(usize::try_from(at).unwrap_or(usize::MAX))).collect())
}

/// Takes the members out that an adapter marks with `<error>` alone because nothing can be called, and says so once.
async fn without_reason(reader: &Reader, load_path: &str, variables: &mut Vec<Variable>) -> Option<String> {
    let is_bare = |variable: &Variable| matches!(&variable.content, Content::Error(words) if words == "error");
    let names: Vec<String> = variables.iter().filter(|variable| is_bare(variable)).map(|it| it.name.clone()).collect();
    if names.is_empty() {
        return None;
    }
    // a call that is harmless says whether any can be made
    match reader.evaluate(&format!("{load_path}.GetType()"), Access::Run).await {
        Err(ReadError::Refused(words)) if words.contains(RUNS_NOTHING) => {
            variables.retain(|variable| !is_bare(variable));
            Some(format!("not read: {}; {NOTHING_RUNS}", names.join(", ")))
        }
        _ => None,
    }
}

/// Members that match and were not listed, because reading them may change something or the time was over: each with its reason.
async fn unlisted_matches(
    reader: &Reader,
    load_path: &str,
    shape: &Shape,
    filter: &Regex,
    listed: &[Variable],
) -> Vec<Variable> {
    let is_unlisted = |member: &&Member| {
        let is_known = listed.iter().any(|known| known.name == member.name);
        !member.hidden && !is_known && filter.is_match(&member.name)
    };
    let reads = shape.members.iter().filter(is_unlisted).map(|member| async move {
        let mut variable = if reader.budget.is_spent() {
            unread_member()
        } else {
            match evaluate::evaluate(reader, &join(load_path, &member.name), false).await {
                Ok(found) => preview::variable(reader, &found.value, &found.load_path, literal::SHORT).await,
                Err(_) if reader.budget.is_spent() => unread_member(),
                Err(refusal) => Variable { content: Content::Error(refusal.to_string()), ..Variable::default() },
            }
        };
        variable.name.clone_from(&member.name);
        variable
    });
    side_by_side(reads).await
}

/// What to say of the members that match where the time was over: their names are known, their values may not be.
fn cut_search(reader: &Reader, members: &[Variable]) -> Option<String> {
    let is_unread = |member: &&Variable| matches!(&member.content, Content::Value(text) if text == "{…}");
    let (unread, all) = (members.iter().filter(is_unread).count(), members.len());
    (reader.budget.is_spent() && unread > 0).then(|| {
        let spent = reader.budget.shown();
        format!("timed out after {spent}: {} of {all} matching members read; raise timeout_ms", all - unread)
    })
}

/// What to say where the time was over before all was read.
pub fn unread(reader: &Reader) -> Option<String> {
    let spent = reader.budget.shown();
    reader.budget.is_spent().then(|| format!("timed out after {spent}: {{…}} was not read; raise timeout_ms"))
}

async fn list_elements(
    reader: &Reader,
    elements: &Elements,
    query: &Query<'_>,
    mut view: VariablesView,
) -> Result<VariablesView, ReadError> {
    let has_objects = std::sync::atomic::AtomicBool::new(false);
    let wanted = query.filter.map(|filter| {
        |element: &Element| {
            let is_object = !element.is_keyed && matches!(element.value.parsed(), Raw::Object);
            has_objects.fetch_or(is_object, std::sync::atomic::Ordering::Relaxed);
            is_wanted(element, filter)
        }
    });
    let wanted: Option<Wanted<'_>> = wanted.as_ref().map(|wanted| wanted as Wanted<'_>);
    let unreadable = elements.unreadable(query.path);
    let mut found = if unreadable.is_some() && query.start >= elements.readable() {
        Found::default()
    } else {
        elements.find(reader, query.start, query.count.unwrap_or(PAGE), wanted).await?
    };
    let page = std::mem::take(&mut found.elements);
    let array = elements.array_path().filter(|_| query.filter.is_none()).map(|array| (array, query.start));
    let page = exact::page(reader, page, usize::MAX).await;
    found.elements = named(reader, text::completed_page(reader, array, page).await).await;
    view.count = Some(elements.count);
    view.start = query.start;
    view.next_start = found.next;
    view.searched = query.filter.map(|_| found.looked);
    let counted = |at: usize| query.filter.is_none().then(|| query.start + at as u64);
    let positions =
        found.elements.iter().enumerate().map(|(at, element)| elements.position(element).or_else(|| counted(at)));
    view.positions = positions.collect::<Option<Vec<u64>>>().unwrap_or_default();
    // an index of several dimensions, or one that does not count from 0, is no position
    let is_position = |(at, element): (usize, &Element)| {
        !elements.is_array() || element.name == format!("[{}]", query.start + at as u64)
    };
    let are_positions = query.filter.is_some() || found.elements.iter().enumerate().all(is_position);
    let literals: Option<Vec<String>> =
        found.elements.iter().map(|element| as_literal(element).filter(|_| are_positions)).collect();
    match literals.filter(|list| !list.is_empty()) {
        Some(list) if query.filter.is_none() => view.elements = list,
        _ => {
            let opened = opened(reader, elements, &found, query).await?;
            let reads = opened.as_ref().unwrap_or(&found.elements).iter().map(|element| async move {
                let path = join(query.path, &element.name);
                let depth = query.depth.saturating_sub(1);
                let mut variable = expand(reader, &element.value, &element.load_path, &path, depth).await;
                variable.name.clone_from(&element.name);
                variable
            });
            let mut reads = stream::iter(reads.collect::<Vec<_>>()).buffered(ELEMENTS_AT_ONCE);
            while let Some(variable) = reads.next().await {
                // half an element is no answer; the first one is shown whatever it has
                if reader.budget.is_spent() && !view.variables.is_empty() {
                    let unread = found.elements.get(view.variables.len());
                    let counted = query.start + view.variables.len() as u64;
                    let position = |element| elements.position(element).or(query.filter.is_none().then_some(counted));
                    view.next_start = unread.and_then(position).or(found.next);
                    view.searched = None;
                    break;
                }
                view.variables.push(variable);
            }
        }
    }
    if unreadable.is_some() {
        view.next_start = None;
        view.note = unreadable;
    } else if reader.budget.is_spent() && view.next_start == Some(query.start) {
        // the same call again would get no further
        let spent = reader.budget.shown();
        view.next_start = None;
        view.note = Some(format!(
            "timed out after {spent}: no elements were read because this adapter is slow to read this collection; raise timeout_ms"
        ));
    } else if reader.budget.is_spent() && view.next_start.is_some() {
        let spent = reader.budget.shown();
        let next = if query.inspect { "continue with variables_get and start" } else { "continue with start" };
        view.note = Some(format!("timed out after {spent}: {next}, or raise timeout_ms"));
    } else if view.variables.is_empty() && has_objects.load(std::sync::atomic::Ordering::Relaxed) {
        view.note = Some(MEMBERS_UNSEARCHED.into());
    } else if query.inspect {
        summarize(reader, elements, &mut view).await?;
    }
    Ok(view)
}

/// The same elements with the compiler's fields in reach, where the adapter has to be asked for that.
async fn opened(
    reader: &Reader,
    elements: &Elements,
    found: &Found,
    query: &Query<'_>,
) -> Result<Option<Vec<Element>>, ReadError> {
    let objects = found.elements.iter().filter(|element| element.value.reference != 0).count();
    let has_more = reader.quirks.hidden_fields_suffix.is_some() && elements.has_hidden_fields();
    if !has_more || objects < 2 || query.filter.is_some() {
        return Ok(None);
    }
    let hidden = elements.clone().with_hidden_fields(reader).await;
    let again = hidden.page(reader, query.start, found.elements.len() as u64).await?;
    let named = |(again, found): (Element, &Element)| Element { name: found.name.clone(), ..again };
    Ok((again.len() == found.elements.len()).then(|| again.into_iter().zip(&found.elements).map(named).collect()))
}

/// Keys by their name; what has only a position by its value.
fn is_wanted(element: &Element, filter: &Regex) -> bool {
    if element.is_keyed {
        let key = element.name.trim_start_matches('[').trim_end_matches(']');
        return filter.is_match(&element.name)
            || filter.is_match(&literal::unquote(key).unwrap_or_else(|| key.to_owned()));
    }
    match element.value.parsed() {
        Raw::Text(text) => filter.is_match(&text),
        Raw::Literal(text) | Raw::Enum(text) => filter.is_match(&text),
        _ => filter.is_match(&element.name),
    }
}

/// An element that its literal says all of.
fn as_literal(element: &Element) -> Option<String> {
    // what is printed of a box is its type
    if element.value.is_boxed() {
        return None;
    }
    let plain = literal::plain("", &element.value.type_name, &element.value.value, literal::SHORT)?;
    match plain.content {
        Content::Value(text) if !element.is_keyed && plain.length.is_none() && plain.type_name.is_none() => Some(text),
        _ => None,
    }
}

/// Nulls, and minimum, maximum and mean of numbers, where the time is enough for all elements.
async fn summarize(reader: &Reader, elements: &Elements, view: &mut VariablesView) -> Result<(), ReadError> {
    if elements.count == 0 || elements.count > SUMMARY {
        return Ok(());
    }
    let found = elements.find(reader, 0, elements.count, None).await?;
    if found.next.is_some() {
        let (read, spent) = (found.elements.len(), reader.budget.shown());
        view.note = Some(format!(
            "nulls and numbers are not summarized: {read} of {} read in {spent}; raise timeout_ms",
            elements.count
        ));
        return Ok(());
    }
    let all = found.elements;
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
