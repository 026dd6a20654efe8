//! Inspecting a stopped program.

mod page;

use rmcp::schemars::{self, JsonSchema};
use serde::Deserialize;

use super::metadata::{Wanted, method_code};
use super::places::{MOST_LINE, frame_ref, thread_id};
use crate::answers::report::{
    EvaluateReport, ExceptionReport, FrameReport, SetReport, SourceReport, StackReport, ThreadsReport, VariablesReport,
    WatchReport,
};
use crate::config::Tier;
use crate::mcp::tool::{ACT_AGAIN, Call, DESTROY_AGAIN, READ, READ_ONCE, Row, Shared, Tool};
use crate::session::{
    EvaluateQuery, ExceptionQuery, ObjectQuery, Scope, SessionError, SetQuery, SourceQuery, StackQuery, VariablesQuery,
};

pub(super) fn tools() -> Vec<Tool> {
    let session = Shared { session: true, ..Shared::default() };
    let evaluates = Shared { session: true, timeout: true, ..Shared::default() };
    let row = Row;
    vec![
        Tool::new(row("threads_list", "List Threads", Tier::Default, READ), THREADS, threads).shares(session),
        Tool::new(row("stacktrace_get", "Get Stack Trace", Tier::Core, READ), STACK, stack)
            .shares(session)
            .pages("page with start_frame and max_frames"),
        Tool::new(row("variables_get", "Get Variables", Tier::Core, READ), VARIABLES, variables)
            .shares(evaluates)
            .pages("page with start and count, or narrow with filter, path or depth"),
        Tool::new(row("variable_set", "Set Variable", Tier::Default, DESTROY_AGAIN), SET, set).shares(session),
        Tool::new(row("evaluate", "Evaluate Expression", Tier::Core, READ_ONCE), EVALUATE, evaluate).shares(evaluates),
        Tool::new(row("object_inspect", "Inspect Object", Tier::Default, READ), OBJECT, object)
            .shares(evaluates)
            .pages("reduce depth and max_members, or page with variables_get start and count"),
        Tool::new(row("exception_get_context", "Get Exception Context", Tier::Core, READ), EXCEPTION, exception)
            .shares(session)
            .pages("reduce max_frames and include_variables_for_frames"),
        Tool::new(row("source_get", "Get Source Context", Tier::Extra, READ), SOURCE, source)
            .shares(session)
            .reads_files()
            .pages("reduce context, or choose another line"),
        Tool::new(row("watch_set", "Set Watches", Tier::Extra, ACT_AGAIN), WATCH, watch).shares(session),
        Tool::new(row("frame_select", "Select Stack Frame", Tier::Extra, ACT_AGAIN), SELECT, select).shares(session),
    ]
}

/// Frames, members and lines of one answer, at most.
const MOST: u32 = 1_000;

const THREADS: &str = "Lists the threads, grouped by identical stack: ids, names, top user function, at, source, and \
`in`, the framework call they wait in. With backend builtin, also returns waits (for which lock, task, event or thread, its holder or runner, ids) and deadlocks. A running program is paused for a few milliseconds. Up to 20 `expressions` free of side effects are evaluated in the top user frame of each thread.";

#[derive(Debug, Deserialize, JsonSchema)]
struct ThreadsArgs {
    #[serde(default)]
    #[schemars(length(max = 20), inner(length(min = 1)))]
    expressions: Vec<String>,
}

async fn threads(call: Call, args: ThreadsArgs) -> Result<ThreadsReport, SessionError> {
    call.session()?.threads(args.expressions).await.map(Into::into)
}

const STACK: &str = "Returns the call stack of a thread of a stopped program: thread_id, frames (frame, function, at), external_frames. A stop \
report already has the user frames. Example: \
{\"thread_id\":4780,\"frames\":[{\"frame\":0,\"function\":\"Order.Add\",\"at\":\"Program.cs:24\"}],\"external_frames\":7}";

#[derive(Debug, Deserialize, JsonSchema)]
struct StackArgs {
    #[schemars(range(min = 1))]
    thread_id: Option<u32>,
    #[serde(default)]
    start_frame: u32,
    #[serde(default = "twenty")]
    #[schemars(range(min = 1, max = MOST))]
    max_frames: u32,
    #[serde(default)]
    include_external: bool,
}

fn twenty() -> u32 {
    20
}

async fn stack(call: Call, args: StackArgs) -> Result<StackReport, SessionError> {
    let query = StackQuery {
        thread: thread_id(args.thread_id),
        start_frame: args.start_frame as usize,
        max_frames: args.max_frames as usize,
        include_external: args.include_external,
    };
    call.session()?.stack(query).await.map(Into::into)
}

const VARIABLES: &str = "Reads the variables of a frame of a stopped program, or with `path` the members or elements of one \
value. Returns variables (name, type, value; count for collections) or elements; next_start if there are more; with \
`filter`, searched (how many). Reads for up to 2 s by default. Example: \
{\"variables\":[{\"name\":\"total\",\"value\":\"15.00m\"},{\"name\":\"lines\",\"type\":\"List<Line>\",\"count\":3,\"value\":\"[…]\"}]}";

#[derive(Debug, Deserialize, JsonSchema)]
struct VariablesArgs {
    #[schemars(range(min = 1))]
    thread_id: Option<u32>,
    frame: Option<u32>,
    #[serde(default)]
    scope: ScopeName,
    /// e.g. `order.lines[2].price`
    #[schemars(length(min = 1))]
    path: Option<String>,
    #[serde(default = "one")]
    #[schemars(range(min = 1, max = 8))]
    depth: u32,
    start: Option<u64>,
    #[schemars(range(min = 1, max = MOST))]
    count: Option<u64>,
    /// Regex for names, keys and, in lists, primitive values; searches all elements.
    filter: Option<String>,
}

fn one() -> u32 {
    1
}

#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum ScopeName {
    #[default]
    All,
    Locals,
    Arguments,
    This,
}

async fn variables(call: Call, args: VariablesArgs) -> Result<VariablesReport, SessionError> {
    let query = VariablesQuery {
        at: frame_ref(args.thread_id, args.frame),
        scope: match args.scope {
            ScopeName::All => Scope::All,
            ScopeName::Locals => Scope::Locals,
            ScopeName::Arguments => Scope::Arguments,
            ScopeName::This => Scope::This,
        },
        path: args.path,
        depth: args.depth,
        start: args.start.unwrap_or_default(),
        count: args.count,
        filter: args.filter.filter(|filter| !filter.is_empty()),
        timeout: call.timeout,
    };
    let most = call.most_chars;
    call.session()?.variables(query).await.map(|view| page::fitting(view.into(), most))
}

const SET: &str = "Assigns a C# value to a variable, field or property of a stopped program, and reads it back (value, was). \
Refuses a value or path that may have side effects, as evaluate does.";

#[derive(Debug, Deserialize, JsonSchema)]
struct SetArgs {
    #[schemars(length(min = 1))]
    path: String,
    /// C# notation: 7, 2.50m, "text", null
    #[schemars(length(min = 1))]
    value: String,
    #[schemars(range(min = 1))]
    thread_id: Option<u32>,
    frame: Option<u32>,
    #[serde(default)]
    allow_side_effects: bool,
}

async fn set(call: Call, args: SetArgs) -> Result<SetReport, SessionError> {
    let query = SetQuery {
        at: frame_ref(args.thread_id, args.frame),
        path: args.path,
        value: args.value,
        allow_side_effects: args.allow_side_effects,
    };
    call.session()?.set_variable(query).await.map(Into::into)
}

const EVALUATE: &str = "Evaluates a C# expression (or up to 50 `expressions`) in a frame of a stopped \
program. Refuses calls that may have side effects and names them (code side_effects); allow_side_effects runs any \
code. After an expression: `,h` hex, `,b` binary, `,nq` no quotes, `,raw` fields, `,results` elements. $1, $2, … repeat \
earlier expressions at this stop. Returns value, type, count; for several, results in order, with `error` if one failed (a long expression \
by position and end: [3] …Price). Example: {\"value\":\"37.50m\"}";

#[derive(Debug, Deserialize, JsonSchema)]
struct EvaluateArgs {
    #[schemars(length(min = 1))]
    expression: Option<String>,
    #[serde(default)]
    #[schemars(length(max = 50), inner(length(min = 1)))]
    expressions: Vec<String>,
    #[schemars(range(min = 1))]
    thread_id: Option<u32>,
    frame: Option<u32>,
    #[serde(default)]
    allow_side_effects: bool,
}

async fn evaluate(call: Call, args: EvaluateArgs) -> Result<EvaluateReport, SessionError> {
    const TAKES: &str = "pass either `expression` or `expressions`";
    let single = args.expression.is_some();
    let expressions = match (args.expression, args.expressions) {
        (Some(expression), others) if others.is_empty() => vec![expression],
        (Some(_), _) => {
            let message = "`expression` and `expressions` cannot be combined";
            return Err(SessionError::argument("expressions", message, TAKES));
        }
        (None, expressions) if expressions.is_empty() => {
            return Err(SessionError::argument("expression", "evaluate needs `expression` or `expressions`", TAKES));
        }
        (None, expressions) => expressions,
    };
    let query = EvaluateQuery {
        at: frame_ref(args.thread_id, args.frame),
        expressions,
        single,
        timeout: call.timeout,
        allow_side_effects: args.allow_side_effects,
    };
    call.session()?.evaluate(query).await.map(Into::into)
}

const OBJECT: &str = "Inspects one object of a stopped program: members to `depth`; for a collection: count, a \
sample, nulls, and min, max, mean of numbers. With backend builtin, also returns identity (@1, the same object at every stop), address, bytes and generation.";

#[derive(Debug, Deserialize, JsonSchema)]
struct ObjectArgs {
    #[schemars(length(min = 1))]
    path: String,
    #[serde(default = "two")]
    #[schemars(range(min = 1, max = 8))]
    depth: u32,
    #[schemars(range(min = 1, max = MOST))]
    max_members: Option<u64>,
    #[schemars(range(min = 1))]
    thread_id: Option<u32>,
    frame: Option<u32>,
}

fn two() -> u32 {
    2
}

async fn object(call: Call, args: ObjectArgs) -> Result<VariablesReport, SessionError> {
    let query = ObjectQuery {
        at: frame_ref(args.thread_id, args.frame),
        path: args.path,
        depth: args.depth,
        max_members: args.max_members,
        timeout: call.timeout,
    };
    let most = call.most_chars;
    call.session()?.inspect(query).await.map(|view| page::fitting(view.into(), most))
}

const EXCEPTION: &str = "Returns the exception that stopped the program: exception (type, message, members, inner) and frames with \
source and locals. Needs a stop with reason exception. Example: \
{\"exception\":{\"type\":\"System.ArgumentException\",\"message\":\"…\",\"at\":\"Program.cs:50\"},\"thread_id\":4314,\"frames\":[…]}";

#[derive(Debug, Deserialize, JsonSchema)]
struct ExceptionArgs {
    #[schemars(range(min = 1, max = MOST))]
    max_frames: Option<u32>,
    #[serde(default = "one")]
    #[schemars(range(max = 20))]
    include_variables_for_frames: u32,
    #[schemars(range(max = 20))]
    max_inner_exceptions: Option<u32>,
}

async fn exception(call: Call, args: ExceptionArgs) -> Result<ExceptionReport, SessionError> {
    let query = ExceptionQuery {
        max_frames: args.max_frames.map(|most| most as usize),
        include_variables_for_frames: args.include_variables_for_frames as usize,
        max_inner_exceptions: args.max_inner_exceptions.map(|most| most as usize),
    };
    call.session()?.exception(query).await.map(Into::into)
}

const SOURCE: &str = "Returns the lines of a source file around a line (default: where the program stopped), or a method by name \
(`function`): its lines, or, without source, its C# signature and IL. With `assembly`, the path of a dll, no session \
is needed.";

#[derive(Debug, Deserialize, JsonSchema)]
struct SourceArgs {
    #[schemars(length(min = 1))]
    file: Option<String>,
    #[schemars(range(min = 1, max = MOST_LINE))]
    line: Option<u32>,
    /// Lines before and after; default 5, or 0 for a method.
    #[schemars(range(max = 200))]
    context: Option<u32>,
    /// A method, as Type.Method.
    #[schemars(length(min = 1))]
    function: Option<String>,
    module: Option<String>,
    /// Path of a dll, instead of a session.
    assembly: Option<String>,
    /// Lines of IL to skip.
    #[serde(default)]
    start: u32,
}

async fn source(call: Call, args: SourceArgs) -> Result<SourceReport, SessionError> {
    let Some(function) = args.function else {
        let query = SourceQuery { file: args.file, line: args.line, context: args.context.unwrap_or(5) };
        return call.session()?.source(query).await.map(Into::into);
    };
    if args.file.is_some() || args.line.is_some() {
        let message = "`function` cannot be combined with `file` or `line`";
        return Err(SessionError::argument("function", message, "pass a function, or a file and a line"));
    }
    let wanted = Wanted {
        function,
        module: args.module,
        assembly: args.assembly,
        context: args.context.unwrap_or(0),
        start: args.start as usize,
    };
    method_code(call, wanted).await
}

const WATCH: &str = "Sets the expressions, free of side effects, that stop reports of every session show (`watches`). Replaces the \
list; empty clears it.";

#[derive(Debug, Deserialize, JsonSchema)]
struct WatchArgs {
    #[schemars(length(max = 20), inner(length(min = 1)))]
    expressions: Vec<String>,
}

async fn watch(call: Call, args: WatchArgs) -> Result<WatchReport, SessionError> {
    call.registry.set_watches(call.session_id.as_deref(), args.expressions).await.map(Into::into)
}

const SELECT: &str = "Makes a frame the default for inspection calls until the program resumes.";

#[derive(Debug, Deserialize, JsonSchema)]
struct SelectArgs {
    #[schemars(range(min = 1))]
    thread_id: Option<u32>,
    frame: Option<u32>,
}

async fn select(call: Call, args: SelectArgs) -> Result<FrameReport, SessionError> {
    call.session()?.select_frame(frame_ref(args.thread_id, args.frame)).await.map(Into::into)
}
