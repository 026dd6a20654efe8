//! Which of the two renderings a client gets, and by what its name says it shows its model.

use crate::config::Results;

/// Clients that are known to want something else than both, by the beginning of `clientInfo.name` in lower case.
///
/// Claude Code and VS Code hand their models `structuredContent` alone when there is one (their issue trackers, 2025-10 to
/// 2026-09), but older releases of both read only the text: they get both, which costs their models nothing.
/// Cursor shows its model the text and gives both when both are there (same sources), so the JSON would be paid twice.
const CLIENTS: &[(&str, Results)] =
    &[("claude-code", Results::Both), ("visual studio code", Results::Both), ("cursor", Results::Text)];

/// What `configured` means for this client. `listings_differ`: the protocol lets lists differ by client (before 2026-07-28).
pub(super) fn resolve(configured: Results, client: Option<&str>, listings_differ: bool) -> Results {
    match (configured, client) {
        (Results::Auto, Some(name)) if listings_differ => {
            let name = name.to_lowercase();
            let known = CLIENTS.iter().find(|(beginning, _)| name.starts_with(beginning));
            known.map_or(Results::Both, |(_, results)| *results)
        }
        (Results::Auto, _) => Results::Both,
        (fixed, _) => fixed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn auto_goes_by_the_clients_name_where_lists_may_differ() {
        for (configured, client, differ, expected) in [
            (Results::Auto, Some("cursor-vscode"), true, Results::Text),
            (Results::Auto, Some("Cursor"), true, Results::Text),
            (Results::Auto, Some("claude-code"), true, Results::Both),
            (Results::Auto, Some("Visual Studio Code - Insiders"), true, Results::Both),
            (Results::Auto, Some("somebody"), true, Results::Both),
            (Results::Auto, None, true, Results::Both),
            (Results::Auto, Some("cursor-vscode"), false, Results::Both),
            (Results::Structured, Some("cursor-vscode"), true, Results::Structured),
            (Results::Text, None, false, Results::Text),
        ] {
            assert_eq!(resolve(configured, client, differ), expected, "{configured:?} {client:?} {differ}");
        }
    }
}
