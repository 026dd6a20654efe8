//! What threads wait for, where the adapter reports it: threads that wait for one object together, and who waits for each other.

use std::collections::HashMap;

use crate::dap::{ThreadWait, WaitedObject, WaitsResponse, request};
use crate::session::context::StopContext;
use crate::session::ids::ThreadId;
use crate::session::inspect::wellknown::task_status;
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
    let names = Names(threads.iter().filter_map(|(id, name)| Some((id.0, name.as_deref()?))).collect());
    let mut groups: Vec<WaitGroup> = Vec::new();
    let mut known: HashMap<(Vec<u64>, &str), usize> = HashMap::new();
    for wait in &answer.waits {
        let addresses = wait.objects.iter().map(|object| object.address).collect();
        let at = *known.entry((addresses, wait.kind.as_str())).or_insert(groups.len());
        if at == groups.len() {
            let owner = wait.owner.filter(|_| wait.kind != "join").map(ThreadId);
            let (held_by, run_by) = if wait.kind == "task" { (None, owner) } else { (owner, None) };
            let is_indirect = wait.is_indirect;
            groups.push(WaitGroup { object: names.object(wait), held_by, run_by, is_indirect, threads: Vec::new() });
        }
        if let Some(group) = groups.get_mut(at) {
            group.threads.push(ThreadId(wait.thread_id));
        }
    }
    groups.sort_by_key(|group| (group.held_by.is_none() && group.run_by.is_none(), usize::MAX - group.threads.len()));
    let deadlocks = answer.deadlocks.iter().filter_map(|circle| names.circle(circle, answer));
    (groups, deadlocks.collect())
}

/// Objects that are named of those that a thread waits for together.
const OBJECTS: usize = 4;

/// Of the threads that have one.
struct Names<'n>(HashMap<i64, &'n str>);

impl Names<'_> {
    /// `12 worker`
    fn thread(&self, id: i64) -> String {
        match self.0.get(&id) {
            Some(name) => format!("{id} {name}"),
            None => id.to_string(),
        }
    }

    /// `monitor Gate @1`, `task Task<int> @2 (Running)`, `any of AutoResetEvent @3, Mutex @4`, `thread 12 worker to end`.
    fn object(&self, wait: &ThreadWait) -> String {
        let kind = match (wait.kind.as_str(), wait.owner) {
            ("join", Some(thread)) => return format!("thread {} to end", self.thread(thread)),
            ("anyTask" | "anyHandle", _) => "any of",
            ("allHandles", _) => "all of",
            ("someHandles", _) => "any or all of",
            ("readerWriterLock", _) => "reader-writer lock",
            // `Monitor.Wait`
            ("pulse", _) => "pulse of",
            ("item", _) => "item of",
            ("room", _) => "room in",
            ("handle", _) => of_system(wait.objects.first()),
            (kind, _) => kind,
        };
        let mut objects: Vec<String> = wait.objects.iter().take(OBJECTS).map(object).collect();
        if let Some(more) = wait.objects.len().checked_sub(OBJECTS).filter(|more| *more > 0) {
            objects.push(format!("{more} more"));
        }
        let state = wait.task_flags.map(|flags| task_status(flags.into()).to_owned());
        let method = wait.objects.first().filter(|_| wait.kind == "task");
        let method =
            method.and_then(|task| type_names::async_method(&task.type_name)).map(|method| format!("of {method}"));
        let detail: Vec<String> = state.into_iter().chain(method).chain(wait.progress.clone()).collect();
        let detail = if detail.is_empty() { String::new() } else { format!(" ({})", detail.join(", ")) };
        format!("{kind} {}{detail}", objects.join(", "))
    }

    /// `1 left waits for monitor Right @2 held by 2 right, which waits for monitor Left @1 held by 1 left`.
    fn circle(&self, circle: &[i64], answer: &WaitsResponse) -> Option<String> {
        let mut words = self.thread(*circle.first()?);
        for (at, id) in circle.iter().enumerate() {
            let next = *circle.get((at + 1) % circle.len())?;
            let wait = answer.waits.iter().find(|wait| wait.thread_id == *id && wait.owner == Some(next))?;
            let which = if at == 0 { "" } else { ", which" };
            let by = match wait.kind.as_str() {
                "join" => String::new(),
                "task" if wait.is_indirect => format!(" that awaits what {} runs", self.thread(next)),
                "task" => format!(" run by {}", self.thread(next)),
                _ => format!(" held by {}", self.thread(next)),
            };
            words.push_str(&format!("{which} waits for {}{by}", self.object(wait)));
        }
        Some(words)
    }
}

/// `Gate @1`
fn object(object: &WaitedObject) -> String {
    let name = object.name.as_deref().map(|name| format!(" {name}")).unwrap_or_default();
    format!("{}{name}", type_names::short(&object.type_name))
}

fn of_system(object: Option<&WaitedObject>) -> &'static str {
    match object.map(|object| object.type_name.as_str()) {
        Some("System.Threading.Mutex") => "mutex",
        Some("System.Threading.Semaphore") => "semaphore",
        Some(name) if name.ends_with("Event") => "event",
        _ => "wait handle",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wait(thread_id: i64, kind: &str, address: u64, owner: Option<i64>) -> ThreadWait {
        ThreadWait { thread_id, kind: kind.into(), objects: vec![gate(address)], owner, ..ThreadWait::default() }
    }

    fn gate(address: u64) -> WaitedObject {
        WaitedObject { type_name: format!("Shop.Gate{address}"), address, name: Some(format!("@{address}")) }
    }

    #[test]
    fn those_that_wait_for_one_object_are_reported_together_and_a_circle_in_words() {
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

    #[test]
    fn what_is_waited_for_is_in_the_words_of_its_kind() {
        let task = "System.Runtime.CompilerServices.AsyncTaskMethodBuilder<int>.AsyncStateMachineBox<Shop.Program.<Load>d__15>";
        let load = WaitedObject { type_name: task.into(), address: 4, name: Some("@4".into()) };
        let waits = [
            (
                ThreadWait { objects: vec![load], task_flags: Some(0x200_0400), ..wait(1, "task", 4, Some(2)) },
                "task Task<int> @4 (WaitingForActivation, of Program.Load)",
            ),
            (
                ThreadWait { progress: Some("2 of 3 left".into()), ..wait(1, "countdown", 5, None) },
                "countdown Gate5 @5 (2 of 3 left)",
            ),
            (
                ThreadWait { objects: (1..=6).map(gate).collect(), ..wait(1, "anyHandle", 5, None) },
                "any of Gate1 @1, Gate2 @2, Gate3 @3, Gate4 @4, 2 more",
            ),
            (wait(1, "join", 6, Some(2)), "thread 2 right to end"),
        ];
        let names = Names([(2, "right")].into());
        for (wait, expected) in &waits {
            assert_eq!(names.object(wait), *expected);
        }
        let [task, .., join] = waits.map(|(wait, _)| wait);
        let answer = WaitsResponse {
            waits: vec![task, ThreadWait { thread_id: 2, owner: Some(1), ..join }],
            deadlocks: vec![vec![1, 2]],
        };
        let words = "1 waits for task Task<int> @4 (WaitingForActivation, of Program.Load) run by 2 right, which waits for thread 1 to end";
        assert_eq!(names.circle(&[1, 2], &answer).as_deref(), Some(words));
    }
}
