//! Waits that go on as tasks (extension `io.modelcontextprotocol/tasks`): the client gets a handle and asks for the state, so no limit of
//! its own ends a wait.
//!
//! The race to remember: a result is kept until it is asked for. Until then its report counts as in transit, and when the task is
//! dropped before anyone asks, the report returns to the session.

use std::collections::HashMap;
use std::future::Future;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rmcp::model::{CallToolResult, CreateTaskResult, ErrorData, GetTaskResult, TaskPayload};
use rmcp::task_manager::{TaskExit, TaskManager, TaskOptions};
use tokio::sync::watch;

use super::tool::delivery::Delivery;

/// A call that takes longer becomes a task.
pub(super) const AT_ONCE: Duration = Duration::from_secs(2);
/// From its beginning: longer than any wait. A result is kept as long again.
const KEPT: Duration = Duration::from_secs(15 * 60);
/// How often a client should ask.
const POLL: Duration = Duration::from_millis(500);
/// Of one client, that go on.
const MOST: usize = 32;

/// What a finished call leaves: its result, and the delivery of its report.
pub(super) type Finished = Result<(CallToolResult, Option<Delivery>), ErrorData>;

/// The tasks of one client. Cheap to clone; all clones are the same.
#[derive(Clone, Default)]
pub(super) struct Tasks {
    manager: TaskManager,
    /// Of results that nobody has asked for yet, by task.
    held: Arc<Mutex<HashMap<String, Delivery>>>,
}

impl Tasks {
    pub(super) fn have_room(&self) -> bool {
        self.manager.running_task_count() < MOST
    }

    /// Goes on with a call. `phase`: what it says of its progress.
    pub(super) fn keep(
        &self,
        work: impl Future<Output = Finished> + Send + 'static,
        mut phase: watch::Receiver<String>,
    ) -> CreateTaskResult {
        self.forget();
        let options = TaskOptions::new()
            .with_ttl_ms(u64::try_from(KEPT.as_millis()).ok())
            .with_poll_interval_ms(u64::try_from(POLL.as_millis()).unwrap_or(u64::MAX));
        let held = Arc::clone(&self.held);
        let task = self.manager.spawn(options, move |context| {
            Box::pin(async move {
                let mut work = std::pin::pin!(work);
                let (result, delivery) = loop {
                    tokio::select! {
                        biased;
                        finished = &mut work => break finished.map_err(TaskExit::Error)?,
                        () = context.cancelled() => return Err(TaskExit::Cancelled),
                        changed = phase.changed() => match changed {
                            Ok(()) => context.set_status_message(phase.borrow_and_update().clone()),
                            // nothing more is said
                            Err(_) => break work.await.map_err(TaskExit::Error)?,
                        },
                    }
                };
                if let Some(delivery) = delivery {
                    lock(&held).insert(context.task_id().to_owned(), delivery);
                }
                Ok(result)
            })
        });
        CreateTaskResult::new(task)
    }

    /// The state of a task, with its result where there is one, and the delivery that this answer completes.
    ///
    /// # Errors
    /// There is no such task, or it was forgotten.
    pub(super) fn get(&self, id: &str) -> Result<(GetTaskResult, Option<Delivery>), ErrorData> {
        self.forget();
        let task = self.manager.get_task(id)?;
        let delivery = match task.payload {
            TaskPayload::Completed { .. } => lock(&self.held).remove(id),
            _ => None,
        };
        Ok((GetTaskResult::new(task), delivery))
    }

    /// # Errors
    /// There is no such task.
    pub(super) fn cancel(&self, id: &str) -> Result<(), ErrorData> {
        self.manager.cancel_task(id)
    }

    /// # Errors
    /// There is no such task.
    pub(super) fn update(&self, id: &str) -> Result<(), ErrorData> {
        self.manager.update_task(id, [])
    }

    /// Results of tasks that are gone go back to their sessions.
    fn forget(&self) {
        let gone: Vec<Delivery> = {
            let mut held = lock(&self.held);
            let ids: Vec<String> = held.keys().filter(|id| self.manager.get_task(id).is_err()).cloned().collect();
            ids.iter().filter_map(|id| held.remove(id)).collect()
        };
        drop(gone);
    }
}

fn lock(held: &Mutex<HashMap<String, Delivery>>) -> MutexGuard<'_, HashMap<String, Delivery>> {
    held.lock().unwrap_or_else(PoisonError::into_inner)
}
