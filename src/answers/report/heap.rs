//! The heap: its objects by type, those of a type, and what keeps them alive.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Variable, absent, some_count, some_text};
use crate::session;

/// heap_stats.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct HeapStatsReport {
    /// For `since`.
    #[serde(skip_serializing_if = "absent")]
    pub heap_id: Option<String>,
    pub count: u64,
    pub bytes: u64,
    #[serde(skip_serializing_if = "absent")]
    pub count_change: Option<i64>,
    #[serde(skip_serializing_if = "absent")]
    pub bytes_change: Option<i64>,
    #[serde(skip_serializing_if = "absent")]
    pub free_bytes: Option<u64>,
    pub heap_types: Vec<HeapTypeEntry>,
    #[serde(skip_serializing_if = "absent")]
    pub more_types: Option<usize>,
    #[serde(skip_serializing_if = "absent")]
    pub note: Option<String>,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct HeapTypeEntry {
    #[serde(rename = "type")]
    pub type_name: String,
    pub count: u64,
    pub bytes: u64,
    #[serde(skip_serializing_if = "absent")]
    pub count_change: Option<i64>,
    #[serde(skip_serializing_if = "absent")]
    pub bytes_change: Option<i64>,
}

pub(super) fn cut_words(cut: session::HeapCut) -> String {
    match cut {
        session::HeapCut::Time => "incomplete: timed out; raise timeout_ms (at most 15000)",
        session::HeapCut::Objects => "incomplete: the heap has more objects than one call reads",
        session::HeapCut::Cancelled => "incomplete: interrupted by another request",
    }
    .to_owned()
}

impl From<session::HeapStatsView> for HeapStatsReport {
    fn from(view: session::HeapStatsView) -> Self {
        let entry = |it: session::HeapTypeTotal| HeapTypeEntry {
            type_name: it.name,
            count: it.total.count,
            bytes: it.total.bytes,
            count_change: it.total.change.map(|(count, _)| count),
            bytes_change: it.total.change.map(|(_, bytes)| bytes),
        };
        let note = match (view.cut, view.types.is_empty(), view.total.change) {
            (Some(cut), ..) => Some(cut_words(cut)),
            (None, true, Some(_)) => Some("no type has changed".to_owned()),
            (None, true, None) => Some("no type matches".to_owned()),
            _ => None,
        };
        Self {
            heap_id: some_text(view.id),
            count: view.total.count,
            bytes: view.total.bytes,
            count_change: view.total.change.map(|(count, _)| count),
            bytes_change: view.total.change.map(|(_, bytes)| bytes),
            free_bytes: Some(view.free).filter(|free| *free > 0),
            heap_types: view.types.into_iter().map(entry).collect(),
            more_types: some_count(view.more_types),
            note,
        }
    }
}

/// heap_find.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct HeapFindReport {
    pub matched: u64,
    pub count: u64,
    pub objects: Vec<HeapObjectEntry>,
    /// With `group_by`; the largest first.
    #[serde(default, skip_serializing_if = "absent")]
    pub heap_groups: Vec<HeapGroupEntry>,
    #[serde(skip_serializing_if = "absent")]
    pub more_groups: Option<u64>,
    #[serde(default, skip_serializing_if = "absent")]
    pub matched_types: Vec<String>,
    #[serde(skip_serializing_if = "absent")]
    pub note: Option<String>,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct HeapObjectEntry {
    #[serde(flatten)]
    pub object: Variable,
    pub bytes: u64,
    #[serde(skip_serializing_if = "absent")]
    pub generation: Option<String>,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct HeapGroupEntry {
    pub group: Variable,
    pub count: u64,
    pub bytes: u64,
    pub example: String,
}

/// gc_roots.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GcRootsReport {
    pub count: u64,
    #[serde(skip_serializing_if = "absent")]
    pub unreachable: Option<u64>,
    pub chains: Vec<ChainEntry>,
    #[serde(skip_serializing_if = "absent")]
    pub more_chains: Option<u64>,
    #[serde(skip_serializing_if = "absent")]
    pub note: Option<String>,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ChainEntry {
    pub count: u64,
    pub chain: String,
    pub example: String,
}

impl From<session::HeapFindView> for HeapFindReport {
    fn from(view: session::HeapFindView) -> Self {
        let entry = |it: session::HeapObject| HeapObjectEntry {
            object: it.variable.into(),
            bytes: it.bytes,
            generation: it.generation,
        };
        let group = |it: session::HeapGroup| HeapGroupEntry {
            group: it.value.into(),
            count: it.count,
            bytes: it.bytes,
            example: it.example,
        };
        let mut notes = Vec::new();
        for (argument, failed) in [("where", view.failed), ("group_by", view.ungrouped)] {
            if let Some((failed, error)) = failed {
                notes.push(format!("`{argument}` could not be evaluated for {failed} of the objects: {error}"));
            }
        }
        if let Some(cut) = view.cut {
            let objects = |count: u64| if count == 1 { "object" } else { "objects" };
            notes.extend(
                view.evaluated
                    .map(|(argument, count)| format!("`{argument}` was evaluated for {count} {}", objects(count))),
            );
            notes.push(cut_words(cut));
        }
        Self {
            matched: view.matched,
            count: view.total,
            objects: view.objects.into_iter().map(entry).collect(),
            heap_groups: view.groups.into_iter().map(group).collect(),
            more_groups: some_count(view.more_groups),
            matched_types: view.types,
            note: some_text(notes.join("\n")),
        }
    }
}

impl From<session::GcRootsView> for GcRootsReport {
    fn from(view: session::GcRootsView) -> Self {
        let garbage = (view.unreachable > 0).then(|| garbage_words(view.unreachable, view.total, view.has_finalizer));
        let entry =
            |it: session::GcChain| ChainEntry { count: it.count, chain: it.steps.join(" → "), example: it.example };
        Self {
            count: view.total,
            unreachable: some_count(view.unreachable),
            chains: view.chains.into_iter().map(entry).collect(),
            more_chains: some_count(view.more_chains),
            note: match (view.cut.map(cut_words).or(garbage), view.types.as_slice()) {
                (note, []) => note,
                (note, types) => {
                    let several = format!("the name stands for {}", types.join(", "));
                    Some([Some(several), note].into_iter().flatten().collect::<Vec<_>>().join("; "))
                }
            },
        }
    }
}

/// Of `count` objects, of which no root reaches so many. The runtime tells nobody which objects wait for their finalizers.
pub(super) fn garbage_words(unreachable: u64, count: u64, has_finalizer: bool) -> String {
    let (who, are) = match (unreachable, count) {
        (1, 1) => ("it", "it is"),
        (1, _) => ("the unreachable object", "it is"),
        _ => ("the unreachable objects", "they are"),
    };
    if has_finalizer {
        let they = are.split(' ').next().unwrap_or(are);
        let have = if unreachable == 1 { "has" } else { "have" };
        return format!("no root reaches {who}: {they} {have} a finalizer, and {are} garbage once that has run");
    }
    format!("nothing keeps {who} alive: {are} garbage until the next collection")
}
