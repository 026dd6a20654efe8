//! What threads wait for: a request outside the protocol, of adapters that announce `supportsClrWaits`. The program must be stopped;
//! nothing of it runs.

use serde::{Deserialize, Serialize};

/// `clrWaits` answered.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct WaitsResponse {
    /// In the order of the threads.
    pub waits: Vec<ThreadWait>,
    /// Threads each of which waits for what the next one holds, the last for what the first one does.
    pub deadlocks: Vec<Vec<i64>>,
}

/// A thread that waits.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ThreadWait {
    pub thread_id: i64,
    /// `monitor`, `pulse` (`Monitor.Wait`), `lock`, `semaphore`, `event`, `task`, `anyTask`, `readerWriterLock`, `countdown`, `barrier`,
    /// `item` and `room` (of a `BlockingCollection`), `handle`, `anyHandle`, `allHandles`, `someHandles` (any or all; events, mutexes and semaphores of the
    /// system), `join` (the end of a thread).
    pub kind: String,
    /// What it waits for: one, except of `anyTask` and of several handles.
    pub objects: Vec<WaitedObject>,
    /// How far that is: `2 of 3 left`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub progress: Option<String>,
    /// The state of a task as the framework keeps it (`m_stateFlags`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task_flags: Option<i64>,
    /// The thread that holds it, runs it, or is to end; where one is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owner: Option<i64>,
    /// The owner runs what the task awaits, not the task itself.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_indirect: bool,
}

/// An object that a thread waits for.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct WaitedObject {
    #[serde(rename = "type")]
    pub type_name: String,
    /// Where it is: equal for threads that wait for the same one.
    pub address: u64,
    /// A name of it that expressions take.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}
