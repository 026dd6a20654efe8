//! heap_stats, heap_find, gc_roots: the objects on the heap, where the adapter can list them.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use regex::Regex;

use super::heap_groups;
use super::heap_walk::{expression, limit, limit_ms, may_run, refusable, shown, supported};
use super::numbered::Numbered;
use crate::dap::{
    self, HeapFindArguments, HeapRootsArguments, HeapStatisticsArguments, HeapStatisticsResponse, request,
};
use crate::session::context::{StopContext, adapter_words};
use crate::session::error::{Code, SessionError};
use crate::session::ids::StateName;
use crate::session::inspect::{Budget, ReadError};
use crate::session::spec::{GcRootsQuery, HeapFindQuery, HeapStatsQuery, Rooted};
use crate::session::view::{GcChain, GcRootsView, HeapFindView, HeapStatsView, HeapTotal, HeapTypeTotal};

/// Answers that can be compared with.
const KEPT: usize = 8;

const READABLE: &str =
    "use only fields and auto-properties of `it`; object_inspect of one object that heap_find lists shows them";

/// What heap_stats answered before. Clones share it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Heaps(Arc<Mutex<Kept>>);

#[derive(Debug, Default)]
struct Kept {
    last: u64,
    /// The oldest first.
    snapshots: VecDeque<Snapshot>,
}

#[derive(Debug)]
struct Snapshot {
    id: String,
    types: HashMap<String, (u64, u64)>,
    count: u64,
    bytes: u64,
}

impl Heaps {
    /// Keeps an answer, and gives its id.
    fn keep(&self, answer: &HeapStatisticsResponse) -> String {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.last += 1;
        let id = format!("h{}", kept.last);
        let types = answer.types.iter().map(|it| (it.name.clone(), (it.count, it.bytes))).collect();
        kept.snapshots.push_back(Snapshot { id: id.clone(), types, count: answer.count, bytes: answer.bytes });
        if kept.snapshots.len() > KEPT {
            kept.snapshots.pop_front();
        }
        id
    }

    /// # Errors
    /// No kept answer has that id.
    fn with<T>(&self, id: &str, act: impl FnOnce(&Snapshot) -> T) -> Result<T, SessionError> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match kept.snapshots.iter().find(|snapshot| snapshot.id == id) {
            Some(snapshot) => Ok(act(snapshot)),
            None => {
                let known: Vec<&str> = kept.snapshots.iter().map(|snapshot| snapshot.id.as_str()).collect();
                let hint = match known.is_empty() {
                    true => "omit `since`; the answer has an id for the next call".to_owned(),
                    false => format!("known ids: {}", known.join(", ")),
                };
                let message = format!("no heap_stats answer of this session has the id `{id}`");
                Err(SessionError::argument("since", message, hint))
            }
        }
    }
}

pub(super) async fn statistics(
    context: &StopContext,
    heaps: &Heaps,
    query: &HeapStatsQuery,
) -> Result<HeapStatsView, SessionError> {
    supported(context, "heap_stats")?;
    let wanted = query.name.as_deref().filter(|name| !name.is_empty()).map(Regex::new).transpose();
    let wanted = wanted.map_err(|error| SessionError::pattern("name_filter", &error))?;
    if let Some(since) = &query.since {
        heaps.with(since, |_| ())?;
    }
    let arguments = HeapStatisticsArguments { limit_ms: limit_ms(query.timeout) };
    let asked = context.reader.client.request_within::<request::HeapStatistics>(arguments, limit(query.timeout)).await;
    let answer = asked.map_err(|error| adapter_words(&ReadError::from(error)))?;
    let is_wanted = |name: &str| wanted.as_ref().is_none_or(|wanted| wanted.is_match(name));
    let mut total = HeapTotal { count: answer.count, bytes: answer.bytes, change: None };
    let mut types: Vec<HeapTypeTotal> = match &query.since {
        None => {
            let named = answer.types.iter().filter(|it| is_wanted(&it.name));
            let plain = |count, bytes| HeapTotal { count, bytes, change: None };
            named.map(|it| HeapTypeTotal { name: it.name.clone(), total: plain(it.count, it.bytes) }).collect()
        }
        Some(since) => heaps.with(since, |before| {
            total.change = Some((change(answer.count, before.count), change(answer.bytes, before.bytes)));
            let mut changed = changes(&answer, before);
            changed.retain(|it| is_wanted(&it.name));
            changed
        })?,
    };
    let id = if answer.cut.is_none() { heaps.keep(&answer) } else { String::new() };
    let more_types = types.len().saturating_sub(query.top);
    types.truncate(query.top);
    Ok(HeapStatsView { id, total, free: answer.free_bytes, types, more_types, cut: answer.cut })
}

/// Objects of a type, each under a name that stays its own.
pub(super) async fn find(context: &StopContext, query: &HeapFindQuery) -> Result<HeapFindView, SessionError> {
    supported(context, "heap_find")?;
    let reader = context.reader_at(query.at).await?.asked();
    let arguments = HeapFindArguments {
        type_name: query.type_name.trim().to_owned(),
        condition: query.condition.clone(),
        group_by: query.group_by.clone(),
        frame_id: Some(reader.frame_id),
        count: query.max_results as u64,
        limit_ms: limit_ms(query.timeout),
    };
    let answer =
        refusable(context.reader.client.request_within::<request::HeapFind>(arguments, limit(query.timeout)).await)?;
    if answer.types.is_empty() && answer.cut.is_none() {
        return Err(no_objects(context, &query.type_name));
    }
    if let (Some(error), true) = (&answer.error, answer.failed > 0 && answer.failed == answer.evaluated) {
        return Err(SessionError::argument("where", format!("`where` failed for all objects: {error}"), READABLE));
    }
    if let (Some(error), true) = (&answer.group_error, answer.ungrouped > 0 && answer.ungrouped == answer.matched) {
        return Err(SessionError::argument(
            "group_by",
            format!("`group_by` failed for all objects: {error}"),
            READABLE,
        ));
    }
    let reader = reader.within(Budget::of(None));
    let mut objects = Vec::new();
    for object in answer.objects {
        objects.push(shown(&reader, object).await);
    }
    let argument = query.condition.as_ref().map(|_| "where").or(query.group_by.as_ref().map(|_| "group_by"));
    let mut groups = Vec::new();
    for group in answer.groups {
        groups.push(heap_groups::shown(&reader, group).await);
    }
    Ok(HeapFindView {
        objects,
        groups,
        more_groups: answer.more_groups,
        ungrouped: answer.group_error.map(|error| (answer.ungrouped, error)),
        matched: answer.matched,
        total: answer.total,
        evaluated: argument.map(|argument| (argument, answer.evaluated)),
        failed: answer.error.map(|error| (answer.failed, error)),
        types: if answer.types.len() > 1 { answer.types } else { Vec::new() },
        cut: answer.cut,
    })
}

/// What keeps an object, or the objects of a type, alive.
pub(super) async fn roots(
    context: &StopContext,
    query: &GcRootsQuery,
    numbered: &Numbered,
) -> Result<GcRootsView, SessionError> {
    supported(context, "gc_roots")?;
    let reader = context.reader_at(query.at).await?;
    let mut arguments = HeapRootsArguments {
        frame_id: Some(reader.frame_id),
        count: query.max_chains as u64,
        limit_ms: limit_ms(query.timeout),
        ..HeapRootsArguments::default()
    };
    match &query.of {
        Rooted::Path(path) => {
            arguments.expression = Some(expression(&reader, path, (numbered, context)).await?);
            arguments.may_run = may_run(&reader);
        }
        Rooted::Type(type_name) => arguments.type_name = Some(type_name.trim().to_owned()),
    }
    let answer =
        refusable(context.reader.client.request_within::<request::HeapRoots>(arguments, limit(query.timeout)).await)?;
    if let (Rooted::Type(type_name), 0, None) = (&query.of, answer.total, answer.cut) {
        return Err(no_objects(context, type_name));
    }
    let chain = |it: dap::HeapChain| GcChain {
        count: it.count,
        steps: std::iter::once(it.root).chain(it.steps).collect(),
        example: it.example.name,
    };
    Ok(GcRootsView {
        chains: answer.chains.into_iter().map(chain).collect(),
        more_chains: answer.more_chains,
        total: answer.total,
        unreachable: answer.unreachable,
        has_finalizer: answer.has_finalizer,
        types: answer.types,
        cut: answer.cut,
    })
}

fn no_objects(context: &StopContext, type_name: &str) -> SessionError {
    let is_struct = context.reader.modules.is_struct(type_name.trim());
    let message = match is_struct {
        true => format!(
            "`{type_name}` is a struct, which lies in variables and other objects, and no box of it is on the heap"
        ),
        false => format!("no object of type `{type_name}` is on the heap"),
    };
    let hint = "heap_stats with name_filter lists the types that have objects";
    SessionError::new(Code::VariableNotFound, message, hint).in_state(StateName::Stopped)
}

fn change(now: u64, before: u64) -> i64 {
    i64::try_from(i128::from(now) - i128::from(before)).unwrap_or(i64::MAX)
}

/// The types of which there are more or fewer than before, the largest change first.
fn changes(now: &HeapStatisticsResponse, before: &Snapshot) -> Vec<HeapTypeTotal> {
    let mut gone = before.types.clone();
    let mut all = Vec::new();
    for it in &now.types {
        let (count, bytes) = gone.remove(&it.name).unwrap_or_default();
        let change = Some((change(it.count, count), change(it.bytes, bytes)));
        all.push(HeapTypeTotal {
            name: it.name.clone(),
            total: HeapTotal { count: it.count, bytes: it.bytes, change },
        });
    }
    all.extend(gone.into_iter().map(|(name, (count, bytes))| HeapTypeTotal {
        name,
        total: HeapTotal { count: 0, bytes: 0, change: Some((change(0, count), change(0, bytes))) },
    }));
    all.retain(|it| it.total.change != Some((0, 0)));
    let size = |it: &HeapTypeTotal| it.total.change.map_or((0, 0), |(count, bytes)| (bytes.abs(), count.abs()));
    all.sort_by(|a, b| size(b).cmp(&size(a)).then_with(|| a.name.cmp(&b.name)));
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dap::HeapType;

    fn answer(types: &[(&str, u64, u64)]) -> HeapStatisticsResponse {
        let types: Vec<_> =
            types.iter().map(|&(name, count, bytes)| HeapType { name: name.into(), count, bytes }).collect();
        let count = types.iter().map(|it| it.count).sum();
        let bytes = types.iter().map(|it| it.bytes).sum();
        HeapStatisticsResponse { types, count, bytes, ..HeapStatisticsResponse::default() }
    }

    #[test]
    fn a_difference_has_what_came_what_went_and_nothing_else() {
        let heaps = Heaps::default();
        let id = heaps.keep(&answer(&[("A", 2, 20), ("B", 1, 500), ("C", 3, 30)]));
        let now = answer(&[("A", 5, 50), ("C", 3, 30), ("D", 1, 8)]);
        let changed = heaps.with(&id, |before| changes(&now, before)).unwrap();
        let shown: Vec<_> =
            changed.iter().map(|it| (it.name.as_str(), it.total.count, it.total.change.unwrap())).collect();
        assert_eq!(shown, [("B", 0, (-1, -500)), ("A", 5, (3, 30)), ("D", 1, (1, 8))]);
    }

    #[test]
    fn only_the_last_answers_are_kept_and_an_unknown_id_names_them() {
        let heaps = Heaps::default();
        let none = heaps.with("h1", |_| ()).unwrap_err();
        assert!(none.hint.contains("omit"), "{none:?}");
        for _ in 0..KEPT + 2 {
            heaps.keep(&answer(&[]));
        }
        let error = heaps.with("h2", |_| ()).unwrap_err();
        assert_eq!(error.hint, "known ids: h3, h4, h5, h6, h7, h8, h9, h10");
        assert!(heaps.with("h3", |_| ()).is_ok());
    }
}
