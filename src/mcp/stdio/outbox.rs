//! What waits for a client that reads slowly: the lines of our answers, as bytes, and how many those are.
//!
//! An answer is turned into its bytes at once, so that nothing larger waits; past [`MOST_WAITING_BYTES`] no further request is read
//! ([`Outbox::room`]), and progress is not written at all. So a client that does not read costs a few megabytes, whatever it asks
//! for, and none of its answers is lost. The race: a request that was read is answered even if there is no room by then.

use std::future::Future;
use std::io;
use std::time::Duration;

use bytes::Bytes;
use tokio::io::{AsyncWrite, AsyncWriteExt};
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

/// How much may wait before no more requests are read: some dozen answers of the largest kind.
const MOST_WAITING_BYTES: usize = 4 * 1024 * 1024;
/// With more than that waiting, a client does not keep up: as much as a pipe holds by itself.
const BEHIND_BYTES: usize = 64 * 1024;
/// How long a client that leaves has for its last answers.
const LAST_ANSWERS: Duration = Duration::from_secs(2);

/// The queue of one connection's output, and the task that writes it.
pub(super) struct Outbox {
    /// `None` once closed.
    lines: Option<mpsc::UnboundedSender<Bytes>>,
    state: watch::Sender<State>,
    writing: JoinHandle<()>,
}

#[derive(Debug, Clone, Copy, Default)]
struct State {
    waiting_bytes: usize,
    queued: u64,
    written: u64,
    /// Nobody reads any more.
    failed: Option<io::ErrorKind>,
}

impl Outbox {
    /// Writes to `writer` from now on; cancels `ended` when nobody reads there any more.
    pub(super) fn new<W>(writer: W, ended: CancellationToken) -> Self
    where
        W: AsyncWrite + Unpin + Send + 'static,
    {
        let (lines, queue) = mpsc::unbounded_channel();
        let state = watch::Sender::new(State::default());
        let writing = tokio::spawn(write(queue, writer, state.clone(), ended));
        Self { lines: Some(lines), state, writing }
    }

    /// Queues a line before it returns. The future ends when the line is written; dropping it takes nothing back.
    pub(super) fn push(&self, line: Bytes) -> impl Future<Output = io::Result<()>> + Send + use<> {
        let bytes = line.len();
        let mut number = 0;
        let queued = self.lines.as_ref().is_some_and(|lines| {
            self.state.send_modify(|state| {
                state.queued += 1;
                state.waiting_bytes += bytes;
                number = state.queued;
            });
            lines.send(line).is_ok()
        });
        let mut state = self.state.subscribe();
        async move {
            if !queued {
                return Err(io::ErrorKind::BrokenPipe.into());
            }
            match state.wait_for(|state| state.written >= number || state.failed.is_some()).await {
                Ok(state) => state.failed.map_or(Ok(()), |kind| Err(kind.into())),
                Err(_) => Err(io::ErrorKind::BrokenPipe.into()),
            }
        }
    }

    /// Whether more may be asked for.
    pub(super) fn has_room(&self) -> bool {
        self.state.borrow().waiting_bytes < MOST_WAITING_BYTES
    }

    /// Whether the client reads slower than we write.
    pub(super) fn is_behind(&self) -> bool {
        self.state.borrow().waiting_bytes > BEHIND_BYTES
    }

    /// Waits until more may be asked for.
    pub(super) async fn room(&self) {
        // The sender is ours, so the wait does not fail.
        let _ = self.state.subscribe().wait_for(|state| state.waiting_bytes < MOST_WAITING_BYTES).await;
    }

    /// Writes what still waits, if it is read soon, and closes the output.
    pub(super) async fn close(&mut self) {
        self.lines = None;
        if tokio::time::timeout(LAST_ANSWERS, &mut self.writing).await.is_err() {
            self.writing.abort();
        }
    }
}

async fn write<W>(
    mut queue: mpsc::UnboundedReceiver<Bytes>,
    mut writer: W,
    state: watch::Sender<State>,
    ended: CancellationToken,
) where
    W: AsyncWrite + Unpin,
{
    while let Some(line) = queue.recv().await {
        let bytes = line.len();
        let written = async {
            writer.write_all(&line).await?;
            writer.flush().await
        };
        if let Err(error) = written.await {
            // The connection is over (EPIPE), though input may still come.
            state.send_modify(|state| state.failed = Some(error.kind()));
            ended.cancel();
            return;
        }
        state.send_modify(|state| {
            state.written += 1;
            state.waiting_bytes -= bytes;
        });
    }
    // Whoever reads sees its end by this, or is gone.
    drop(writer.shutdown().await);
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::AsyncReadExt;

    fn line(bytes: usize) -> Bytes {
        vec![b'x'; bytes].into()
    }

    #[tokio::test]
    async fn there_is_no_room_until_the_reader_reads_and_nothing_is_lost() {
        let (mut reader, writer) = tokio::io::duplex(1024);
        let mut outbox = Outbox::new(writer, CancellationToken::new());
        let pushed: Vec<_> = (0..5).map(|_| outbox.push(line(MOST_WAITING_BYTES / 4))).collect();
        assert!(!outbox.has_room());
        let reading = tokio::spawn(async move {
            let mut all = Vec::new();
            reader.read_to_end(&mut all).await.map(|_| all.len())
        });
        outbox.room().await;
        for written in pushed {
            written.await.unwrap();
        }
        assert_eq!(outbox.state.borrow().waiting_bytes, 0);
        outbox.close().await;
        assert_eq!(reading.await.unwrap().unwrap(), 5 * (MOST_WAITING_BYTES / 4));
    }

    #[tokio::test]
    async fn a_reader_that_is_gone_ends_the_connection() {
        let (reader, writer) = tokio::io::duplex(16);
        drop(reader);
        let ended = CancellationToken::new();
        let outbox = Outbox::new(writer, ended.clone());
        assert_eq!(outbox.push(line(8)).await.unwrap_err().kind(), io::ErrorKind::BrokenPipe);
        assert!(ended.is_cancelled());
    }

    #[tokio::test(start_paused = true)]
    async fn a_reader_that_never_reads_does_not_hold_the_end() {
        let (_reader, writer) = tokio::io::duplex(16);
        let mut outbox = Outbox::new(writer, CancellationToken::new());
        drop(outbox.push(line(1000)));
        outbox.close().await;
    }
}
