//! What threads wait for, where the adapter reports it: threads that wait for one object together, and who waits for each other.

use std::collections::HashMap;

use crate::dap::{ThreadWait, WaitsResponse, request};
use crate::session::context::StopContext;
use crate::session::ids::ThreadId;
use crate::session::type_names;
use crate::session::view::WaitGroup;

/// Nothing, where the adapter does not know or refuses: the stacks say the rest.
pub(super) async fn read(context: &StopContext) -> WaitsResponse {
    if !context.reader.capabilities.supports_clr_waits {
        return WaitsResponse::default();
    }
    context.reader.client.request::<request::Waits>(()).await.unwrap_or_else(|error| {
        tracing::debug!(%error, "cannot determine what the threads wait for");
        WaitsResponse::default()
    })
}

/// The objects that most wait for first; and each deadlock in words.
pub(super) fn grouped(answer: &WaitsResponse, threads: &[(ThreadId, Option<String>)]) -> (Vec<WaitGroup>, Vec<String>) {
    let mut groups: Vec<((u64, &str), WaitGroup)> = Vec::new();
    for wait in &answer.waits {
        let (key, thread) = ((wait.address, wait.kind.as_str()), ThreadId(wait.thread_id));
        match groups.iter_mut().find(|(known, _)| *known == key) {
            Some((_, group)) => group.threads.push(thread),
            None => {
                let held_by = wait.owner.map(ThreadId);
                groups.push((key, WaitGroup { object: object(wait), held_by, threads: vec![thread] }));
            }
        }
    }
    groups.sort_by_key(|(_, group)| (group.held_by.is_none(), usize::MAX - group.threads.len()));
    let groups = groups.into_iter().map(|(_, group)| group).collect();
    let names: HashMap<i64, &str> = threads.iter().filter_map(|(id, name)| Some((id.0, name.as_deref()?))).collect();
    let deadlocks = answer.deadlocks.iter().filter_map(|circle| in_words(circle, answer, &names));
    (groups, deadlocks.collect())
}

/// `monitor Gate @1`.
fn object(wait: &ThreadWait) -> String {
    let kind = match wait.kind.as_str() {
        "readerWriterLock" => "reader-writer lock",
        // `Monitor.Wait`
        "pulse" => "pulse of",
        kind => kind,
    };
    let name = wait.name.as_deref().map(|name| format!(" {name}")).unwrap_or_default();
    format!("{kind} {}{name}", type_names::short(&wait.type_name))
}

/// `1 left waits for monitor Right @2 held by 2 right, which waits for monitor Left @1 held by 1 left`.
fn in_words(circle: &[i64], answer: &WaitsResponse, names: &HashMap<i64, &str>) -> Option<String> {
    let thread = |id: i64| match names.get(&id) {
        Some(name) => format!("{id} {name}"),
        None => id.to_string(),
    };
    let mut words = thread(*circle.first()?);
    for (at, id) in circle.iter().enumerate() {
        let wait = answer.waits.iter().find(|wait| wait.thread_id == *id)?;
        let which = if at == 0 { "" } else { ", which" };
        words.push_str(&format!("{which} waits for {} held by {}", object(wait), thread(wait.owner?)));
    }
    Some(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn those_that_wait_for_one_object_are_reported_together_and_a_circle_in_words() {
        let wait = |thread_id, kind: &str, address, owner| ThreadWait {
            thread_id,
            kind: kind.into(),
            type_name: format!("Shop.Gate{address}"),
            address,
            name: Some(format!("@{address}")),
            owner,
        };
        let answer = WaitsResponse {
            waits: vec![
                wait(5, "event", 9, None),
                wait(1, "monitor", 7, Some(2)),
                wait(2, "lock", 8, Some(1)),
                wait(3, "monitor", 7, Some(2)),
            ],
            deadlocks: vec![vec![1, 2]],
        };
        let (groups, deadlocks) = grouped(&answer, &[(ThreadId(1), Some("left".into())), (ThreadId(2), None)]);
        let shown: Vec<_> = groups.iter().map(|it| (it.object.as_str(), it.threads.len())).collect();
        assert_eq!(shown, [("monitor Gate7 @7", 2), ("lock Gate8 @8", 1), ("event Gate9 @9", 1)]);
        let expected = "1 left waits for monitor Gate7 @7 held by 2, which waits for lock Gate8 @8 held by 1 left";
        assert_eq!(deadlocks, [expected]);
    }
}
