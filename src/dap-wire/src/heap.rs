//! The garbage collector's heap: requests outside the protocol, of adapters that announce `supportsClrHeap`. The program must be
//! stopped; nothing of it runs but what an expression may.

use serde::{Deserialize, Serialize};

use crate::{MayRun, Variable};

/// Why an answer does not cover the whole heap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum HeapCut {
    /// `limitMs` was over.
    Time,
    /// The heap has more objects than the adapter looks at.
    Objects,
    /// Another request could not wait.
    Cancelled,
}

/// `clrHeapStatistics`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct HeapStatisticsArguments {
    /// Milliseconds that it may take.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit_ms: Option<u64>,
}

/// Every type with objects on the heap.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct HeapStatisticsResponse {
    /// The type that takes the most bytes first.
    pub types: Vec<HeapType>,
    pub count: u64,
    pub bytes: u64,
    /// Gaps between objects.
    pub free_bytes: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cut: Option<HeapCut>,
}

/// The objects of a type.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct HeapType {
    /// As C# writes it, with namespaces.
    pub name: String,
    pub count: u64,
    pub bytes: u64,
}

/// `clrHeapFind`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct HeapFindArguments {
    /// Of the objects or of a base class; namespaces and type arguments may be missing.
    #[serde(rename = "type")]
    pub type_name: String,
    /// A C# condition over the object, which it calls `it`. Nothing of the program runs for it.
    #[serde(rename = "where", skip_serializing_if = "Option::is_none")]
    pub condition: Option<String>,
    /// A C# expression over the object, in the same way: objects for which it has the same value are one group.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group_by: Option<String>,
    /// Where the other names of both are looked up.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frame_id: Option<i64>,
    /// Objects of the answer, at most; with `groupBy`, groups.
    pub count: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit_ms: Option<u64>,
}

/// The objects that were found, or with `groupBy` their groups.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct HeapFindResponse {
    pub objects: Vec<HeapObject>,
    /// The one with the most objects first.
    pub groups: Vec<HeapGroup>,
    pub more_groups: u64,
    /// Of how many matching objects the expression has no value, and why not of the first of these.
    pub ungrouped: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group_error: Option<String>,
    /// Objects for which the condition holds, all of the type without one.
    pub matched: u64,
    /// Objects that were looked at.
    pub evaluated: u64,
    /// Objects of the type.
    pub total: u64,
    /// Of how many of them the condition could not be evaluated, and why not of the first of these.
    pub failed: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The types that the name stands for.
    pub types: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cut: Option<HeapCut>,
}

/// Objects for which an expression has the same value.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct HeapGroup {
    /// That of the example.
    pub value: Variable,
    pub count: u64,
    pub bytes: u64,
    pub example: HeapObject,
}

/// An object of the heap.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct HeapObject {
    /// A name that `evaluate` takes, `@1`: the same object's at every stop, as long as it lives.
    pub name: String,
    #[serde(rename = "type")]
    pub type_name: String,
    /// Where it lies at this stop.
    pub memory_reference: String,
    pub size: u64,
    /// `0`, `1`, `2`, `large`, `pinned`, `frozen`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub generation: Option<String>,
}

/// `clrHeapObject`: where the object of an expression lies. Answered by a [`HeapObject`].
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct HeapObjectArguments {
    pub expression: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frame_id: Option<i64>,
    /// What the expression may run. Omitted: nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub may_run: Option<MayRun>,
}

/// `clrHeapReferences`: what refers to the object of an expression, or what it refers to.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct HeapReferencesArguments {
    pub expression: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frame_id: Option<i64>,
    /// What the expression may run. Omitted: nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub may_run: Option<MayRun>,
    /// What the object refers to, not what refers to it.
    pub outbound: bool,
    /// Objects of the answer, at most; each field or element that holds one has at least one.
    pub count: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit_ms: Option<u64>,
}

/// The references of an object.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct HeapReferencesResponse {
    /// The object that was asked about.
    pub object: HeapObject,
    /// Those with the most objects first.
    pub references: Vec<HeapReferences>,
    /// Roots that refer to it directly: `static Shop.Clock.s_hub`, `handle`. None of what it refers to.
    pub roots: Vec<String>,
    /// Nothing keeps it alive: the next collection frees it. Not known of what it refers to, nor where not all was read.
    pub unreachable: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cut: Option<HeapCut>,
}

/// Objects behind one field, or one array's elements.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct HeapReferences {
    /// `Link.Owner`, `Order[*]`: with the type of the object that has it.
    pub through: String,
    pub count: u64,
    /// The first of them.
    pub objects: Vec<HeapObject>,
}

/// `clrHeapRoots`: of an expression's object, or of all objects of a type.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct HeapRootsArguments {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expression: Option<String>,
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub type_name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frame_id: Option<i64>,
    /// What the expression may run. Omitted: nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub may_run: Option<MayRun>,
    /// Chains of the answer, at most.
    pub count: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit_ms: Option<u64>,
}

/// Why objects are alive.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct HeapRootsResponse {
    /// That of the most objects first.
    pub chains: Vec<HeapChain>,
    pub more_chains: u64,
    pub total: u64,
    /// Objects that nothing keeps alive: they are garbage. 0 where not all was read.
    pub unreachable: u64,
    /// Some of those have a finalizer: that may be still to run, until when the runtime keeps them.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub has_finalizer: bool,
    /// The types that the name of one stands for, where it stands for several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub types: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cut: Option<HeapCut>,
}

/// The shortest chain from a root to one or more objects.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct HeapChain {
    /// Objects that have such a chain.
    pub count: u64,
    /// `static Shop.Clock.s_hub`, `stack Shop.Program.Main order (thread 1)`, `handle`.
    pub root: String,
    /// `Hub.Tick[*]`, `Watcher.Link`: a field, and the type of the object that has it.
    pub steps: Vec<String>,
    pub example: HeapObject,
}
