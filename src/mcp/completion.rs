//! Completion of the arguments of prompts and of resource templates. An argument's name determines its candidates.

use super::call::Dispatch;
use super::tools::metadata::names;
use crate::dotnet::attach;
use crate::session::{EventSeq, SessionHandle, StopValues};

/// What begins like the argument, best first; `total` of them. Empty for an argument that nothing is known of.
///
/// Looking counts as no call and pauses no program.
pub(super) async fn complete(dispatch: &Dispatch, argument: &str, begun: &str, most: usize) -> (Vec<String>, usize) {
    let registry = dispatch.registry();
    let session = registry.session(None).ok();
    let all = match argument {
        "id" | "session_id" => registry.handles().iter().map(|handle| handle.id().0.clone()).collect(),
        "breakpoint_id" => match registry.list_breakpoints(None, None).await {
            Ok(list) => list.breakpoints.iter().map(|breakpoint| breakpoint.id.to_string()).collect(),
            Err(_) => Vec::new(),
        },
        "seq" => stops(session).await.iter().rev().map(ToString::to_string).collect(),
        "type" => known(session, names::types).await,
        "file" | "path" | "+path" => known(session, names::files).await,
        "expression" => locals(session).await,
        "process" => processes().await,
        _ => Vec::new(),
    };
    ranked(all, begun, most)
}

/// Those that begin so, then those of which a part does, then those that contain it; each in its order.
fn ranked(all: Vec<String>, begun: &str, most: usize) -> (Vec<String>, usize) {
    let begun = begun.to_lowercase();
    let rank = |text: &String| {
        let lower = text.to_lowercase();
        if lower.starts_with(&begun) {
            return Some(0);
        }
        let parts = lower.match_indices(['.', '/', '\\', '+', ' ']);
        let is_part = parts.into_iter().any(|(at, _)| lower.get(at + 1..).is_some_and(|part| part.starts_with(&begun)));
        match is_part {
            true => Some(1),
            false => lower.contains(&begun).then_some(2),
        }
    };
    let mut fitting: Vec<(u8, String)> = all.into_iter().filter_map(|text| Some((rank(&text)?, text))).collect();
    fitting.sort_by_key(|(rank, _)| *rank);
    let total = fitting.len();
    (fitting.into_iter().take(most).map(|(_, text)| text).collect(), total)
}

async fn stops(session: Option<SessionHandle>) -> Vec<EventSeq> {
    match session {
        Some(session) => session.stops().await.unwrap_or_default().iter().map(|stop| stop.seq).collect(),
        None => Vec::new(),
    }
}

/// Of the modules that are loaded; read where it holds nobody up.
async fn known(session: Option<SessionHandle>, read: names::Read) -> Vec<String> {
    let Some(session) = session else { return Vec::new() };
    let Ok(loaded) = session.loaded().await else { return Vec::new() };
    tokio::task::spawn_blocking(move || read(&loaded)).await.unwrap_or_default()
}

/// The variables of the latest stop.
async fn locals(session: Option<SessionHandle>) -> Vec<String> {
    let Some(session) = session else { return Vec::new() };
    let Ok(view) = session.snapshots(vec![None]).await else { return Vec::new() };
    let values = view.stops.into_iter().next().map(|kept| kept.reported.values.clone());
    match values {
        Some(StopValues::Locals(locals, _)) => locals.into_iter().map(|local| local.name).collect(),
        _ => Vec::new(),
    }
}

async fn processes() -> Vec<String> {
    let found = attach::list(None, &std::env::temp_dir()).await.unwrap_or_default();
    found.iter().map(|(process, _)| process.pid.to_string()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_begins_so_comes_before_a_part_that_does_and_that_before_what_contains_it() {
        let all = ["Reorder", "Shop.Order", "Order", "Orders/Old.cs", "Invoice"].map(str::to_owned).to_vec();
        let (found, total) = ranked(all.clone(), "oRd", 3);
        assert_eq!((found, total), (["Order", "Orders/Old.cs", "Shop.Order"].map(str::to_owned).to_vec(), 4));
        assert_eq!(ranked(all, "", 9).1, 5);
    }
}
