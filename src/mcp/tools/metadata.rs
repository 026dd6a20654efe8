//! What the program is made of.

use rmcp::schemars::{self, JsonSchema};
use serde::Deserialize;

use crate::config::Tier;
use crate::mcp::report::ModulesReport;
use crate::mcp::tool::{Call, READ, Row, Shared, Tool};
use crate::session::SessionError;

pub(super) fn tools() -> Vec<Tool> {
    vec![
        Tool::new(Row("modules_list", "List Modules", Tier::Default, READ), MODULES, modules)
            .shares(Shared { session: true, ..Shared::default() })
            .pages("narrow with name_filter"),
    ]
}

const MODULES: &str = "The loaded modules: name, symbols (whether they are loaded), path.";

#[derive(Debug, Deserialize, JsonSchema)]
struct ModulesArgs {
    #[serde(default)]
    include_system: bool,
    /// Regex on names.
    name_filter: Option<String>,
}

async fn modules(call: Call, args: ModulesArgs) -> Result<ModulesReport, SessionError> {
    let filter = args.name_filter.filter(|filter| !filter.is_empty());
    call.session()?.modules(args.include_system, filter).await.map(Into::into)
}
