//! One conversation: a task that reads, a task that writes, and the two queues between them and the actor.

use std::sync::{Arc, Mutex, PoisonError};

use bytes::{Bytes, BytesMut};
use futures::StreamExt;
use tokio::{
    io::{AsyncRead, AsyncWrite, AsyncWriteExt},
    sync::mpsc,
};
use tokio_util::codec::{Encoder, FramedRead};

use super::{DapCodec, TransportError, record::Tap};

/// Bodies read ahead of the actor. Full, it stops the reader, and through the pipe the adapter.
const INCOMING_CAPACITY: usize = 64;
/// Bytes put together into one write, at most (a longer body is still written in one piece).
const WRITE_BATCH: usize = 64 * 1024;
const MEMORY_PIPE: usize = 64 * 1024;

/// What arrives from the other side, in order.
#[derive(Debug)]
pub enum Incoming {
    /// The body of one frame.
    Body(Bytes),
    /// The last item: nothing can be read any more. `None` is a clean end between two frames.
    ///
    /// No proof that the adapter is dead, nor is its absence one that it lives: the debuggee inherits the
    /// adapter's stdout (netcoredbg 3.1.2, dncdbg), so the pipe may stay open. Wait for the process.
    Closed(Option<TransportError>),
}

/// Both directions of a conversation.
#[derive(Debug)]
pub struct Connection {
    /// Bounded: a slow reader holds the other side back.
    pub incoming: mpsc::Receiver<Incoming>,
    /// Unbounded, see the module documentation of `transport`.
    pub outgoing: Outgoing,
}

/// The way out. Clones share one queue; when the last is dropped, the stream is shut down like by [`Outgoing::close`].
#[derive(Debug, Clone)]
pub struct Outgoing {
    queue: Arc<Mutex<Option<mpsc::UnboundedSender<Bytes>>>>,
}

impl Outgoing {
    /// Queues one body. `false`: closed by us, or the other side no longer reads.
    pub fn send(&self, body: Bytes) -> bool {
        self.lock().as_ref().is_some_and(|queue| queue.send(body).is_ok())
    }

    /// Shuts the stream down (end of file on the adapter's stdin) once everything queued is written.
    pub fn close(&self) {
        self.lock().take();
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Option<mpsc::UnboundedSender<Bytes>>> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Connection {
    /// Starts the conversation. Must be called within a tokio runtime. `tap` sees all bodies of both directions.
    pub fn over<R, W>(reader: R, writer: W, tap: Option<Tap>) -> Self
    where
        R: AsyncRead + Unpin + Send + 'static,
        W: AsyncWrite + Unpin + Send + 'static,
    {
        let (incoming_tx, incoming) = mpsc::channel(INCOMING_CAPACITY);
        let (outgoing_tx, outgoing_rx) = mpsc::unbounded_channel();
        tokio::spawn(read(reader, incoming_tx, tap.clone()));
        tokio::spawn(async move {
            if let Err(error) = write(writer, outgoing_rx, tap).await {
                // The reader's end of file or the reaped process informs the session; two reports would be one too many.
                tracing::debug!(%error, "the other side no longer reads");
            }
        });
        Self { incoming, outgoing: Outgoing { queue: Arc::new(Mutex::new(Some(outgoing_tx))) } }
    }

    /// Two ends of one conversation in memory, for tests and replays.
    pub fn memory() -> (Self, Self) {
        let (left, right) = tokio::io::duplex(MEMORY_PIPE);
        let over = |end| {
            let (reader, writer) = tokio::io::split(end);
            Self::over(reader, writer, None)
        };
        (over(left), over(right))
    }
}

async fn read<R: AsyncRead + Unpin>(reader: R, queue: mpsc::Sender<Incoming>, tap: Option<Tap>) {
    let mut frames = FramedRead::new(reader, DapCodec::default());
    let end = loop {
        // An actor that is gone must not leave a task behind that holds the pipe until the adapter speaks again.
        let frame = tokio::select! {
            frame = frames.next() => frame,
            () = queue.closed() => return,
        };
        match frame {
            Some(Ok(body)) => {
                if let Some(tap) = &tap {
                    tap.adapter(&body);
                }
                if queue.send(Incoming::Body(body)).await.is_err() {
                    return;
                }
            }
            Some(Err(error)) => break Some(error),
            None => break None,
        }
    };
    // The actor may be gone: then nobody wants to know.
    let _ = queue.send(Incoming::Closed(end)).await;
}

async fn write<W: AsyncWrite + Unpin>(
    mut writer: W,
    mut queue: mpsc::UnboundedReceiver<Bytes>,
    tap: Option<Tap>,
) -> Result<(), TransportError> {
    let mut codec = DapCodec::default();
    let mut batch = BytesMut::new();
    while let Some(body) = queue.recv().await {
        // What is queued already goes out in one write: a batch of requests costs one wake-up of the adapter.
        let mut next = Some(body);
        while let Some(body) = next.take() {
            if let Some(tap) = &tap {
                tap.client(&body);
            }
            codec.encode(body, &mut batch)?;
            if batch.len() < WRITE_BATCH {
                next = queue.try_recv().ok();
            }
        }
        writer.write_all(&batch).await?;
        writer.flush().await?;
        batch.clear();
    }
    writer.shutdown().await?;
    if let Some(tap) = &tap {
        tap.closed_stdin();
    }
    Ok(())
}

#[cfg(test)]
mod tests;
