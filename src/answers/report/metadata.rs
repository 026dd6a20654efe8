//! Contents of assemblies: types and members, found, listed and laid out. Declarations are C#, group names are full.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::absent;

/// modules_search.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SearchReport {
    /// All matches, returned or not.
    pub count: u64,
    /// The folder `at` is relative to, if no session has reported it.
    #[serde(skip_serializing_if = "absent")]
    pub root: Option<String>,
    #[serde(default, skip_serializing_if = "absent")]
    pub assemblies: Vec<AssemblyMatches>,
    #[serde(skip_serializing_if = "absent")]
    pub more_matches: Option<usize>,
    #[serde(skip_serializing_if = "absent")]
    pub compiler_generated: Option<usize>,
    /// Files that are no .NET assemblies, or damaged.
    #[serde(skip_serializing_if = "absent")]
    pub unreadable: Option<usize>,
    /// Where nothing was found: the assemblies that were searched.
    #[serde(skip_serializing_if = "absent")]
    pub looked_in: Option<String>,
    #[serde(skip_serializing_if = "absent")]
    pub hint: Option<String>,
}

/// The matches in one assembly, the best first.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AssemblyMatches {
    pub module: String,
    #[serde(default, skip_serializing_if = "absent")]
    pub namespaces: Vec<NamespaceTypes>,
    #[serde(default, skip_serializing_if = "absent")]
    pub methods_of: Vec<TypeMethods>,
}

/// Types of a namespace; without `namespace`, those in none.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct NamespaceTypes {
    #[serde(skip_serializing_if = "absent")]
    pub namespace: Option<String>,
    pub types: Vec<String>,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TypeMethods {
    #[serde(rename = "type")]
    pub type_name: String,
    pub methods: Vec<MemberEntry>,
}

/// A member, and where its code begins.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MemberEntry {
    pub signature: String,
    #[serde(skip_serializing_if = "absent")]
    pub at: Option<String>,
}

/// types_get, sorted by namespace and name.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TypesReport {
    pub module: String,
    /// All that matched, here or on another page.
    pub count: u64,
    #[serde(default, skip_serializing_if = "absent")]
    pub namespaces: Vec<NamespaceTypes>,
    #[serde(skip_serializing_if = "absent")]
    pub compiler_generated: Option<usize>,
    #[serde(skip_serializing_if = "absent")]
    pub more_types: Option<usize>,
    /// Pass it to get the rest.
    #[serde(skip_serializing_if = "absent")]
    pub continuation_token: Option<String>,
}

/// members_get: the members of the type, then those of each base that it inherits.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MembersReport {
    pub declaration: String,
    #[serde(skip_serializing_if = "absent")]
    pub root: Option<String>,
    pub groups: Vec<MemberGroup>,
    #[serde(skip_serializing_if = "absent")]
    pub compiler_generated: Option<usize>,
    #[serde(skip_serializing_if = "absent")]
    pub more_members: Option<usize>,
    /// Base types whose assembly is unknown.
    #[serde(default, skip_serializing_if = "absent")]
    pub unknown_bases: Vec<String>,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MemberGroup {
    #[serde(rename = "type")]
    pub type_name: String,
    pub module: String,
    #[serde(default, skip_serializing_if = "absent")]
    pub constructors: Vec<MemberEntry>,
    #[serde(default, skip_serializing_if = "absent")]
    pub fields: Vec<String>,
    #[serde(default, skip_serializing_if = "absent")]
    pub properties: Vec<MemberEntry>,
    #[serde(default, skip_serializing_if = "absent")]
    pub methods: Vec<MemberEntry>,
    #[serde(default, skip_serializing_if = "absent")]
    pub event_members: Vec<MemberEntry>,
    #[serde(default, skip_serializing_if = "absent")]
    pub nested_types: Vec<String>,
}

/// layout_get: bytes on a 64-bit machine. Of a class, `size` is that of an object on the heap.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LayoutReport {
    #[serde(rename = "type")]
    pub type_name: String,
    pub module: String,
    pub kind: String,
    #[schemars(extend("enum" = ["auto", "sequential", "explicit"]))]
    pub placement: String,
    pub size: u32,
    #[serde(skip_serializing_if = "absent")]
    pub alignment: Option<u32>,
    /// Sum of the unused bytes.
    #[serde(skip_serializing_if = "absent")]
    pub padding: Option<u32>,
    #[serde(default, skip_serializing_if = "absent")]
    pub slots: Vec<Slot>,
    #[serde(skip_serializing_if = "absent")]
    pub more_fields: Option<usize>,
    /// Why the runtime may place fields differently.
    #[serde(default, skip_serializing_if = "absent")]
    pub estimated: Vec<String>,
}

/// A field, or without `name` unused bytes. Offsets of an object are from its address, where the method table's pointer takes 8.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Slot {
    pub offset: u32,
    /// Of all elements, where there are several.
    pub size: u32,
    /// How often an `[InlineArray]` has the field.
    #[serde(skip_serializing_if = "absent")]
    pub element_count: Option<u32>,
    #[serde(skip_serializing_if = "absent")]
    pub name: Option<String>,
    #[serde(rename = "type", skip_serializing_if = "absent")]
    pub type_name: Option<String>,
    /// The base class.
    #[serde(skip_serializing_if = "absent")]
    pub declared_by: Option<String>,
}
