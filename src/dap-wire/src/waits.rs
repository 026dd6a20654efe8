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
    /// `monitor`, `pulse` (`Monitor.Wait`), `lock`, `semaphore`, `event`, `task`, `readerWriterLock`, `countdown`,
    /// `barrier`.
    pub kind: String,
    /// Of the object that it waits for.
    #[serde(rename = "type")]
    pub type_name: String,
    /// Where that is: equal for threads that wait for the same one.
    pub address: u64,
    /// A name of it that expressions take.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The thread that holds it, where one does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owner: Option<i64>,
}
