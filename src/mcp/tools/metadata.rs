//! What the program is made of: its modules, and the types and members of any assembly.

mod layout;
mod members;
mod method_code;
pub(in crate::mcp) mod names;
mod scope;
mod search;
mod types;

use rmcp::schemars::{self, JsonSchema};
use serde::Deserialize;

pub(super) use self::method_code::{Wanted, method_code};
use self::scope::{Asked, blocking};
use super::yes;
use crate::answers::report::{LayoutReport, MembersReport, ModulesReport, SearchReport, TypesReport};
use crate::config::Tier;
use crate::mcp::tool::{Call, READ, Row, Shared, Tool};
use crate::session::SessionError;
use clr_metadata::{MemberKind, Searched, TypeKind};

pub(super) fn tools() -> Vec<Tool> {
    let session = Shared { session: true, ..Shared::default() };
    let row = |name, title| Row(name, title, Tier::Default, READ);
    vec![
        Tool::new(row("modules_list", "List Modules"), MODULES, modules)
            .shares(session)
            .pages("narrow with name_filter"),
        Tool::new(row("modules_search", "Search Modules"), SEARCH, search)
            .shares(session)
            .reads_files()
            .pages("narrow with pattern, kind or module, or lower max_results"),
        Tool::new(row("types_get", "Get Types"), TYPES, types)
            .shares(session)
            .reads_files()
            .pages("page with max_results and continuation_token, or narrow with namespace, kind or visibility"),
        Tool::new(row("members_get", "Get Type Members"), MEMBERS, members)
            .shares(session)
            .reads_files()
            .pages("narrow with kinds, visibility, static or instance"),
        Tool::new(Row("layout_get", "Get Memory Layout", Tier::Extra, READ), LAYOUT, layout)
            .shares(session)
            .reads_files(),
    ]
}

/// Items of one answer, at most.
const MOST: u32 = 1_000;

const MODULES: &str = "Lists the loaded modules: name, symbols (whether loaded), path.";

#[derive(Debug, Deserialize, JsonSchema)]
struct ModulesArgs {
    #[serde(default)]
    include_system: bool,
    /// Regex matched against names.
    name_filter: Option<String>,
}

async fn modules(call: Call, args: ModulesArgs) -> Result<ModulesReport, SessionError> {
    let filter = args.name_filter.filter(|filter| !filter.is_empty());
    call.session()?.modules(args.include_system, filter).await.map(Into::into)
}

const SEARCH: &str = "Finds types and methods by name: in the loaded modules (user modules first), or, without a session, in `assembly`. \
A word matches any part of a name, ignoring case; with * or ? it must match the whole name; with a dot, the full name (Order.Add). Returns \
declarations, best match first, and `at` for methods.";

#[derive(Debug, Deserialize, JsonSchema)]
struct SearchArgs {
    #[schemars(length(min = 1))]
    pattern: String,
    #[serde(default)]
    kind: SearchKind,
    /// Name of a loaded module.
    #[schemars(length(min = 1))]
    module: Option<String>,
    /// Path of a dll, or of a folder of dlls.
    #[schemars(length(min = 1))]
    assembly: Option<String>,
    #[serde(default = "fifty")]
    #[schemars(range(min = 1, max = MOST))]
    max_results: u32,
}

#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum SearchKind {
    Types,
    Methods,
    #[default]
    Both,
}

fn fifty() -> u32 {
    50
}

async fn search(call: Call, args: SearchArgs) -> Result<SearchReport, SessionError> {
    let query = search::Query {
        pattern: args.pattern,
        searched: match args.kind {
            SearchKind::Types => Searched { types: true, methods: false },
            SearchKind::Methods => Searched { types: false, methods: true },
            SearchKind::Both => Searched { types: true, methods: true },
        },
        max_results: args.max_results as usize,
    };
    let asked = Asked::of(&call, args.module, args.assembly).await?;
    blocking(move || search::search(asked, &query)).await
}

const TYPES: &str = "Lists the types of a loaded `module` or of an `assembly` (no session needed), by namespace. Compiler-generated types are \
only counted. Page with continuation_token.";

#[derive(Debug, Deserialize, JsonSchema)]
struct TypesArgs {
    /// Default: the program's own.
    #[schemars(length(min = 1))]
    module: Option<String>,
    /// Path of a dll.
    #[schemars(length(min = 1))]
    assembly: Option<String>,
    /// Exact, or with *.
    namespace: Option<String>,
    kind: Option<KindName>,
    #[serde(default)]
    visibility: VisibilityName,
    continuation_token: Option<String>,
    #[serde(default = "hundred")]
    #[schemars(range(min = 1, max = MOST))]
    max_results: u32,
}

fn hundred() -> u32 {
    100
}

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum KindName {
    Class,
    Struct,
    Interface,
    Enum,
    Delegate,
    Record,
}

impl KindName {
    /// Records also count as classes or structs.
    fn kinds(self) -> &'static [TypeKind] {
        match self {
            Self::Class => &[TypeKind::Class, TypeKind::Record],
            Self::Struct => &[TypeKind::Struct, TypeKind::RecordStruct],
            Self::Interface => &[TypeKind::Interface],
            Self::Enum => &[TypeKind::Enum],
            Self::Delegate => &[TypeKind::Delegate],
            Self::Record => &[TypeKind::Record, TypeKind::RecordStruct],
        }
    }
}

#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum VisibilityName {
    #[default]
    All,
    Public,
    Protected,
    Internal,
    Private,
}

impl VisibilityName {
    fn word(self) -> Option<&'static str> {
        match self {
            Self::All => None,
            Self::Public => Some("public"),
            Self::Protected => Some("protected"),
            Self::Internal => Some("internal"),
            Self::Private => Some("private"),
        }
    }
}

async fn types(call: Call, args: TypesArgs) -> Result<TypesReport, SessionError> {
    let query = types::Query {
        namespace: args.namespace,
        kinds: args.kind.map_or(&[], KindName::kinds),
        visibility: args.visibility.word(),
        continuation_token: args.continuation_token,
        max_results: args.max_results as usize,
    };
    let asked = Asked::of(&call, args.module, args.assembly).await?;
    blocking(move || types::types(asked, &query)).await
}

const MEMBERS: &str = "Lists the members of a type as C# declarations, with `at` (file:line) if the PDB has it. `type`: full or short \
name; List<int> supplies type arguments. Searches the loaded modules, or, without a session, `assembly`.";

/// A type, and where it is looked for.
#[derive(Debug, Deserialize, JsonSchema)]
struct TypeArgs {
    #[serde(rename = "type")]
    #[schemars(length(min = 1))]
    type_name: String,
    #[schemars(length(min = 1))]
    module: Option<String>,
    /// Path of a dll.
    #[schemars(length(min = 1))]
    assembly: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
struct MembersArgs {
    #[serde(flatten)]
    of: TypeArgs,
    #[serde(default)]
    include_inherited: bool,
    #[serde(default)]
    kinds: Vec<MemberKindName>,
    #[serde(default)]
    visibility: VisibilityName,
    #[serde(default = "yes", rename = "static")]
    statics: bool,
    #[serde(default = "yes", rename = "instance")]
    instances: bool,
}

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum MemberKindName {
    Constructors,
    Fields,
    Properties,
    Methods,
    Events,
    NestedTypes,
}

async fn members(call: Call, args: MembersArgs) -> Result<MembersReport, SessionError> {
    if !args.statics && !args.instances {
        let message = "`static` and `instance` are both false";
        return Err(SessionError::argument("instance", message, "omit one of them: by default both are returned"));
    }
    let kinds = args.kinds.into_iter().map(|kind| match kind {
        MemberKindName::Constructors => MemberKind::Constructor,
        MemberKindName::Fields => MemberKind::Field,
        MemberKindName::Properties => MemberKind::Property,
        MemberKindName::Methods => MemberKind::Method,
        MemberKindName::Events => MemberKind::Event,
        MemberKindName::NestedTypes => MemberKind::NestedType,
    });
    let query = members::Query {
        type_name: args.of.type_name,
        include_inherited: args.include_inherited,
        kinds: kinds.collect(),
        visibility: args.visibility.word(),
        statics: args.statics,
        instances: args.instances,
    };
    let asked = Asked::of(&call, args.of.module, args.of.assembly).await?;
    blocking(move || members::members(asked, &query)).await
}

const LAYOUT: &str = "Returns the memory layout of a struct or of a class's objects on 64-bit CoreCLR: offset and size of each field, unused bytes; \
`estimated` lists what the layout assumes or omits. Generic types need arguments: Box<int>.";

async fn layout(call: Call, args: TypeArgs) -> Result<LayoutReport, SessionError> {
    let asked = Asked::of(&call, args.module, args.assembly).await?;
    blocking(move || layout::layout(asked, &args.type_name)).await
}
