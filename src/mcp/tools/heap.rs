//! The objects on the heap of a stopped program: for backends that can list them.

use rmcp::schemars::{self, JsonSchema};
use serde::Deserialize;

use super::places::frame_ref;
use crate::answers::report::{
    GcRootsReport, HeapFindReport, HeapStatsReport, MemoryFormat, MemoryReport, ReferencesReport,
};
use crate::config::Tier;
use crate::mcp::tool::{Call, READ, READ_ONCE, Row, Shared, Tool};
use crate::session::{
    GcRootsQuery, HeapFindQuery, HeapStatsQuery, MemoryQuery, MemoryStart, ReferencesQuery, Rooted, SessionError,
};

pub(super) fn tools() -> Vec<Tool> {
    let shared = Shared { session: true, timeout: true, ..Shared::default() };
    vec![
        Tool::new(Row("heap_stats", "Get Heap Statistics", Tier::Extra, READ_ONCE), STATS, stats)
            .shares(shared)
            .pages("reduce top, or narrow with name_filter"),
        Tool::new(Row("heap_find", "Find Heap Objects", Tier::Extra, READ_ONCE), FIND, find)
            .shares(shared)
            .pages("reduce max_results, or narrow with where"),
        Tool::new(Row("gc_roots", "Find GC Roots", Tier::Extra, READ_ONCE), ROOTS, roots)
            .shares(shared)
            .pages("reduce max_chains"),
        Tool::new(Row("references_get", "Get Object References", Tier::Extra, READ_ONCE), REFERENCES, references)
            .shares(shared)
            .pages("reduce max_results"),
        Tool::new(Row("memory_read", "Read Memory", Tier::Extra, READ), MEMORY, memory)
            .shares(Shared { session: true, ..Shared::default() })
            .pages("reduce size"),
    ]
}

/// Types of one answer, at most.
const MOST: u32 = 1_000;

const STATS: &str = "Counts the objects on the heap of a stopped program by type, including garbage not collected yet: heap_types (type, \
count, bytes), largest first, and heap_id. With `since`, the heap_id of an earlier answer, only types that changed, with count_change and \
bytes_change: what grows from stop to stop may leak. Needs backend builtin.";

#[derive(Debug, Deserialize, JsonSchema)]
struct StatsArgs {
    /// Regex matched against full type names.
    name_filter: Option<String>,
    #[serde(default = "thirty")]
    #[schemars(range(min = 1, max = MOST))]
    top: u32,
    /// heap_id of an earlier answer.
    #[schemars(length(min = 1))]
    since: Option<String>,
}

fn thirty() -> u32 {
    30
}

async fn stats(call: Call, args: StatsArgs) -> Result<HeapStatsReport, SessionError> {
    let query =
        HeapStatsQuery { name: args.name_filter, top: args.top as usize, since: args.since, timeout: call.timeout };
    call.session()?.heap_stats(query).await.map(Into::into)
}

/// Objects of one answer, at most: each gets a name that the program keeps a weak handle for.
const MOST_OBJECTS: u32 = 100;

const FIND: &str = "Finds the objects of a class (also of derived ones) or an interface on the heap of a stopped program. `where` is a C# condition \
on the object `it` and the frame's variables (it.Carrier == \"T\" && it.Link != null); no code of the program runs. Returns matched, count (of the \
type) and objects (name, type, value, bytes, generation), or heap_groups (group, count, bytes, example) by the value of the expression group_by. \
A name such as @1 works in every path and expression, also at later stops. Needs backend builtin.";

#[derive(Debug, Deserialize, JsonSchema)]
struct FindArgs {
    /// Namespaces and type arguments may be omitted.
    #[serde(rename = "type")]
    #[schemars(length(min = 1))]
    type_name: String,
    #[serde(rename = "where")]
    #[schemars(length(min = 1))]
    condition: Option<String>,
    #[schemars(length(min = 1))]
    group_by: Option<String>,
    #[serde(default = "ten")]
    #[schemars(range(min = 1, max = MOST_OBJECTS))]
    max_results: u32,
    #[schemars(range(min = 1))]
    thread_id: Option<u32>,
    frame: Option<u32>,
}

fn ten() -> u32 {
    10
}

async fn find(call: Call, args: FindArgs) -> Result<HeapFindReport, SessionError> {
    let query = HeapFindQuery {
        at: frame_ref(args.thread_id, args.frame),
        type_name: args.type_name,
        condition: args.condition,
        group_by: args.group_by,
        max_results: args.max_results as usize,
        timeout: call.timeout,
    };
    call.session()?.heap_find(query).await.map(Into::into)
}

const ROOTS: &str = "Shows what keeps an object (`path`), or all objects of a `type`, alive in a stopped program: chains, each the shortest \
path from a root (static field, stack variable, handle) to an object; objects with the same path share a chain, with count and an example. \
Unreachable objects are garbage. Example: {\"count\":24,\"chains\":[{\"count\":24,\"chain\":\"static Shop.Clock.s_hub → Hub.Tick[*] → \
Watcher.Link → Link.Owner\",\"example\":\"@1\"}]}. Needs backend builtin.";

#[derive(Debug, Deserialize, JsonSchema)]
struct RootsArgs {
    /// e.g. `order.lines[2]` or `@1`
    #[schemars(length(min = 1))]
    path: Option<String>,
    #[serde(rename = "type")]
    #[schemars(length(min = 1))]
    type_name: Option<String>,
    #[serde(default = "three")]
    #[schemars(range(min = 1, max = MOST_OBJECTS))]
    max_chains: u32,
    #[schemars(range(min = 1))]
    thread_id: Option<u32>,
    frame: Option<u32>,
}

fn three() -> u32 {
    3
}

async fn roots(call: Call, args: RootsArgs) -> Result<GcRootsReport, SessionError> {
    let of = match (args.path, args.type_name) {
        (Some(path), None) => Rooted::Path(path),
        (None, Some(type_name)) => Rooted::Type(type_name),
        _ => {
            let takes = "pass the path of an object, or the name of a type";
            return Err(SessionError::argument("path", "gc_roots needs either `path` or `type`", takes));
        }
    };
    let query = GcRootsQuery {
        at: frame_ref(args.thread_id, args.frame),
        of,
        max_chains: args.max_chains as usize,
        timeout: call.timeout,
    };
    call.session()?.gc_roots(query).await.map(Into::into)
}

const REFERENCES: &str = "Lists the objects on the heap of a stopped program that refer to the object at `path` (direction inbound), or that \
it refers to (outbound), grouped by the field or element that holds the reference: held (through, count, examples, each with a name such \
as @1), and the roots that refer to it directly. Needs backend builtin.";

#[derive(Debug, Clone, Copy, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Direction {
    #[default]
    Inbound,
    Outbound,
}

#[derive(Debug, Deserialize, JsonSchema)]
struct ReferencesArgs {
    /// e.g. `order.lines[2]` or `@1`
    #[schemars(length(min = 1))]
    path: String,
    #[serde(default)]
    direction: Direction,
    /// Maximum number of examples, over all fields.
    #[serde(default = "ten")]
    #[schemars(range(min = 1, max = MOST_OBJECTS))]
    max_results: u32,
    #[schemars(range(min = 1))]
    thread_id: Option<u32>,
    frame: Option<u32>,
}

async fn references(call: Call, args: ReferencesArgs) -> Result<ReferencesReport, SessionError> {
    let query = ReferencesQuery {
        at: frame_ref(args.thread_id, args.frame),
        path: args.path,
        outbound: args.direction == Direction::Outbound,
        max_results: args.max_results as usize,
        timeout: call.timeout,
    };
    call.session()?.references(query).await.map(Into::into)
}

/// Bytes of one answer, at most.
const MOST_BYTES: u32 = 65_536;

const MEMORY: &str = "Reads bytes of a stopped program's memory, from an `address` or from the object at `path`, which begins with its \
method table pointer (layout_get gives the offsets of its fields). Needs backend builtin.";

#[derive(Debug, Deserialize, JsonSchema)]
struct MemoryArgs {
    /// Hexadecimal with 0x, or decimal.
    #[schemars(length(min = 1))]
    address: Option<String>,
    #[schemars(length(min = 1))]
    path: Option<String>,
    #[serde(default = "two_hundred_fifty_six")]
    #[schemars(range(min = 1, max = MOST_BYTES))]
    size: u32,
    #[serde(default)]
    format: MemoryFormat,
    #[schemars(range(min = 1))]
    thread_id: Option<u32>,
    frame: Option<u32>,
}

fn two_hundred_fifty_six() -> u32 {
    256
}

async fn memory(call: Call, args: MemoryArgs) -> Result<MemoryReport, SessionError> {
    let from = match (args.address, args.path) {
        (Some(address), None) => MemoryStart::Address(number(&address)?),
        (None, Some(path)) => MemoryStart::Path(path),
        _ => {
            let takes = "pass an address (0x7f3a5c0128d0), or the path of an object";
            return Err(SessionError::argument("address", "memory_read needs either `address` or `path`", takes));
        }
    };
    let query = MemoryQuery { at: frame_ref(args.thread_id, args.frame), from, size: args.size.into() };
    call.session()?.memory(query).await.map(|view| MemoryReport::of(view, args.format))
}

fn number(address: &str) -> Result<u64, SessionError> {
    let address = address.trim();
    let read = match address.strip_prefix("0x").or_else(|| address.strip_prefix("0X")) {
        Some(digits) => u64::from_str_radix(digits, 16),
        None => address.parse(),
    };
    read.map_err(|_| {
        let message = format!("`{address}` is not a valid address");
        SessionError::argument("address", message, "addresses are hexadecimal with 0x, or decimal: 0x7f3a5c0128d0")
    })
}
