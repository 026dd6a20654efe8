//! Where symbols of the workspace are declared, used and assigned.

use std::sync::Arc;

use rmcp::schemars::{self, JsonSchema};
use serde::Deserialize;

use super::code::{blocking, workspace};
use crate::answers::report::{DefinitionsReport, Page, SkippedEntry, UsagesReport};
use crate::code::navigate::{Address, NavigateError, Navigator, UsageKind};
use crate::code::{compiled_sources, retain_allowed, unchanged_sources};
use crate::config::Tier;
use crate::mcp::tool::{Call, READ, Row, Shared, Tool};
use crate::session::{Code, SessionError};

pub(super) fn tools() -> Vec<Tool> {
    const PAGES: &str = "page with start and max_results, or narrow with kind";
    vec![
        Tool::new(Row("code_goto_definition", "Go to Definition", Tier::Default, READ), DEFINITION, definition)
            .shares(Shared::default())
            .reads_files()
            .pages("pass a more specific name"),
        Tool::new(Row("code_find_usages", "Find Usages", Tier::Default, READ), USAGES, usages)
            .shares(Shared::default())
            .reads_files()
            .pages(PAGES),
        Tool::new(Row("code_find_assignments", "Find Assignments", Tier::Default, READ), ASSIGNMENTS, assignments)
            .shares(Shared::default())
            .reads_files()
            .pages("page with start and max_results"),
    ]
}

/// Definitions of one answer.
const MOST_DEFINITIONS: usize = 20;

const DEFINITION: &str = "Finds where a symbol of the built workspace (see code_load) is declared: file, line, source, or \
assembly and signature if it has no source. Pass name (`Order.Total`, `Shop.Order.Add(int)`), or file, line and \
column of an occurrence (a name, an operator or an indexer's bracket).";

/// A symbol, by its name or a place where it stands.
#[derive(Debug, Deserialize, JsonSchema)]
struct AddressArgs {
    #[schemars(length(min = 1))]
    name: Option<String>,
    #[schemars(length(min = 1))]
    file: Option<String>,
    #[schemars(range(min = 1))]
    line: Option<u32>,
    #[schemars(range(min = 1))]
    column: Option<u32>,
}

/// A part of what was found.
#[derive(Debug, Deserialize, JsonSchema)]
struct PageArgs {
    #[serde(default = "fifty")]
    #[schemars(range(min = 1, max = 1_000))]
    max_results: u32,
    #[serde(default)]
    start: u32,
}

impl PageArgs {
    fn of(&self, call: &Call) -> Page {
        Page { start: self.start as usize, most: self.max_results as usize, most_chars: call.most_chars }
    }
}

async fn definition(call: Call, args: AddressArgs) -> Result<DefinitionsReport, SessionError> {
    let address = args.address()?;
    let find = move |navigator: Navigator, omitted| {
        Ok(DefinitionsReport::new(navigator.definition(&address, MOST_DEFINITIONS)?, omitted))
    };
    navigate(&call, find).await
}

const USAGES: &str = "Finds all uses of a symbol in the built assemblies of the workspace, grouped by file: line, \
kind, in (the function), source. Overloads, properties, overrides, async code and lambdas are matched as the compiler \
resolved them. via: the overridden or implemented member that the code names instead; from: \"syntax\" if found in the text, not in IL (constants, nameof, \
comments, locals). Takes the same arguments as code_goto_definition; also works for framework members.";

#[derive(Debug, Deserialize, JsonSchema)]
struct UsagesArgs {
    #[serde(flatten)]
    symbol: AddressArgs,
    kind: Option<KindName>,
    #[serde(flatten)]
    page: PageArgs,
}

fn fifty() -> u32 {
    50
}

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum KindName {
    Read,
    Write,
    Call,
    New,
    Typeof,
    Override,
    Implements,
    Mention,
}

impl From<KindName> for UsageKind {
    fn from(name: KindName) -> Self {
        match name {
            KindName::Read => Self::Read,
            KindName::Write => Self::Write,
            KindName::Call => Self::Call,
            KindName::New => Self::New,
            KindName::Typeof => Self::TypeOf,
            KindName::Override => Self::Override,
            KindName::Implements => Self::Implements,
            KindName::Mention => Self::Mention,
        }
    }
}

async fn usages(call: Call, args: UsagesArgs) -> Result<UsagesReport, SessionError> {
    let address = args.symbol.address()?;
    let kind = args.kind.map(UsageKind::from);
    let page = args.page.of(&call);
    let find = move |navigator: Navigator, omitted| {
        Ok(UsagesReport::page(navigator.usages(&address, kind)?, omitted, page, false))
    };
    navigate(&call, find).await
}

const ASSIGNMENTS: &str = "Finds where a field, property, event or local of the workspace is assigned, grouped by \
file: line, form (simple, compound, increment, out, ref, initializer), in (the function), source. Arguments as for \
code_goto_definition.";

#[derive(Debug, Deserialize, JsonSchema)]
struct AssignmentsArgs {
    #[serde(flatten)]
    symbol: AddressArgs,
    #[serde(flatten)]
    page: PageArgs,
}

async fn assignments(call: Call, args: AssignmentsArgs) -> Result<UsagesReport, SessionError> {
    let address = args.symbol.address()?;
    let page = args.page.of(&call);
    let find = move |navigator: Navigator, omitted| {
        Ok(UsagesReport::page(navigator.assignments(&address)?, omitted, page, true))
    };
    navigate(&call, find).await
}

impl AddressArgs {
    fn address(self) -> Result<Address, SessionError> {
        const TAKES: &str = "pass either `name`, or `file`, `line` and `column`";
        match (self.name, self.file, self.line, self.column) {
            (Some(name), None, None, None) => Ok(Address::Name(name)),
            (None, Some(file), Some(line), Some(column)) => Ok(Address::Position { file, line, column }),
            (None, None, None, None) => Err(SessionError::argument("name", "`name` is missing", TAKES)),
            (Some(_), ..) => {
                Err(SessionError::argument("file", "`name` and `file`, `line`, `column` cannot be combined", TAKES))
            }
            (None, file, line, _) => {
                let missing = if file.is_none() {
                    "file"
                } else if line.is_none() {
                    "line"
                } else {
                    "column"
                };
                Err(SessionError::argument(missing, format!("`{missing}` is missing"), TAKES))
            }
        }
    }
}

/// Asks the workspace, off the one thread that serves. `ask` also hears what of it cannot be looked through.
async fn navigate<T: Send + 'static>(
    call: &Call,
    ask: impl FnOnce(Navigator, (Vec<SkippedEntry>, Option<usize>)) -> Result<T, NavigateError> + Send + 'static,
) -> Result<T, SessionError> {
    let workspace = workspace(call).await?;
    let kept = Arc::clone(&call.kept);
    let roots = call.registry.settings().roots;
    let work = move || {
        let (assemblies, not_built) = workspace.built();
        let (mut sources, mut cut) = workspace.sources();
        sources.extend(compiled_sources(&assemblies, &kept, &sources));
        cut.extend(retain_allowed(&mut sources, &roots, |outside| unchanged_sources(outside, &assemblies, &kept)));
        let below = Arc::clone(&workspace);
        let beneath = std::iter::once_with(move || below.beneath()).flatten();
        let navigator = Navigator::open(workspace.root(), &assemblies, sources, &kept)?.on(beneath);
        let omitted = SkippedEntry::first(&workspace, not_built.iter().chain(navigator.unread()).chain(&cut));
        ask(navigator, omitted)
    };
    blocking(work).await?.map_err(navigate_error)
}

fn navigate_error(error: NavigateError) -> SessionError {
    let code = match &error {
        NavigateError::SymbolNotFound { .. } | NavigateError::NotReferred { .. } | NavigateError::NoMember { .. } => {
            Code::SymbolNotFound
        }
        NavigateError::FileNotFound { .. } => Code::FileNotFound,
        NavigateError::NoSymbols { .. } => Code::NoSymbols,
        NavigateError::InvalidArgument { argument, .. } => {
            return SessionError::argument(argument, error.to_string(), error.hint());
        }
    };
    SessionError::new(code, error.to_string(), error.hint())
}
