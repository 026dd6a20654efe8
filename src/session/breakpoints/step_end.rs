//! Whose step ends at a breakpoint.

use crate::session::context::StopContext;
use crate::session::ids::ThreadId;
use crate::session::inspect::Invocation;

/// Hits of others do not count.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stepping {
    /// No deeper than that many frames: a deeper one is another call of the method.
    Thread { id: ThreadId, depth: usize },
    /// On any thread.
    Invocation(Invocation),
}

impl Stepping {
    /// Whether the thread that stopped is at the end of this step.
    pub(crate) async fn ends(&self, context: &StopContext, thread: ThreadId) -> bool {
        match self {
            Self::Thread { id, depth } => {
                let here = async { context.stack(thread).await.is_ok_and(|stack| stack.depth() <= *depth) };
                *id == thread && here.await
            }
            Self::Invocation(invocation) => match context.top(thread).await {
                Some(top) => invocation.runs_in(&context.reader, &top).await,
                None => false,
            },
        }
    }
}
