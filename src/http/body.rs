//! Bodies: read within limits, and watched to their end.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody};
use axum::http::StatusCode;
use hyper::body::{Frame, SizeHint};

/// How long a client may take to send a body.
const READING: Duration = Duration::from_secs(20);

/// Why a body was not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    #[error("the body is too large")]
    TooLarge,
    #[error("the body took too long")]
    TooSlow,
}

impl ReadError {
    pub fn status(self) -> StatusCode {
        match self {
            Self::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Self::TooSlow => StatusCode::REQUEST_TIMEOUT,
        }
    }
}

/// A whole body of at most `most` bytes.
///
/// # Errors
/// It is larger, or does not come.
pub async fn read(body: Body, most: usize) -> Result<Bytes, ReadError> {
    read_within(body, most, READING).await
}

/// The same, for `time`.
///
/// # Errors
/// It is larger, or does not come in time.
pub async fn read_within(body: Body, most: usize, time: Duration) -> Result<Bytes, ReadError> {
    match tokio::time::timeout(time, axum::body::to_bytes(body, most)).await {
        Ok(read) => read.map_err(|_| ReadError::TooLarge),
        Err(_) => Err(ReadError::TooSlow),
    }
}

/// `body`, which calls `tell` once: with true when all of it was taken to be sent, with false when it is dropped before.
pub fn on_end(body: Body, notify: impl FnOnce(bool) + Send + 'static) -> Body {
    Body::new(Watched { body, notify: Some(Box::new(notify)) })
}

struct Watched {
    body: Body,
    notify: Option<Box<dyn FnOnce(bool) + Send>>,
}

impl Watched {
    fn ended(&mut self, whole: bool) {
        if let Some(notify) = self.notify.take() {
            notify(whole);
        }
    }
}

impl HttpBody for Watched {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let polled = Pin::new(&mut self.body).poll_frame(cx);
        match &polled {
            Poll::Ready(None) => self.ended(true),
            Poll::Ready(Some(Ok(_))) if self.body.is_end_stream() => self.ended(true),
            Poll::Ready(Some(_)) | Poll::Pending => {}
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        // an empty body is never polled
        let whole = self.body.is_end_stream();
        self.ended(whole);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::{Arc, Mutex};

    async fn ended(body: Body, frames: usize) -> Option<bool> {
        let ended = Arc::new(Mutex::new(None));
        let notify = Arc::clone(&ended);
        let mut watched = Box::pin(on_end(body, move |whole| *notify.lock().unwrap() = Some(whole)));
        for _ in 0..frames {
            std::future::poll_fn(|cx| watched.as_mut().poll_frame(cx)).await;
        }
        drop(watched);
        let ended = ended.lock().unwrap();
        *ended
    }

    fn streamed() -> Body {
        Body::from_stream(futures::stream::iter(["a", "b"].map(Ok::<_, std::io::Error>)))
    }

    #[tokio::test]
    async fn a_body_is_whole_when_its_end_was_seen() {
        assert_eq!(ended(Body::empty(), 0).await, Some(true));
        assert_eq!(ended(Body::from("abc"), 1).await, Some(true));
        assert_eq!(ended(Body::from("abc"), 0).await, Some(false));
        assert_eq!(ended(streamed(), 1).await, Some(false));
        assert_eq!(ended(streamed(), 3).await, Some(true));
    }

    #[tokio::test(start_paused = true)]
    async fn a_body_that_is_too_large_or_never_ends_is_refused() {
        assert_eq!(read(Body::from("abc"), 3).await.unwrap(), "abc");
        assert_eq!(read(Body::from("abcd"), 3).await, Err(ReadError::TooLarge));
        let endless = Body::from_stream(futures::stream::pending::<Result<Bytes, std::io::Error>>());
        assert_eq!(read(endless, 3).await, Err(ReadError::TooSlow));
    }
}
