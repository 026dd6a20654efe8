//! What can go wrong between bytes and bodies. All of it ends the connection.

/// A stream that cannot be read any further.
///
/// Each of these ends the session: after a broken header nobody knows where the next frame begins.
#[derive(Debug, thiserror::Error)]
pub enum TransportError {
    /// The operating system refused to read or write.
    #[error("reading or writing failed: {0}")]
    Io(#[from] std::io::Error),
    /// No end of header within the limit; the peer most likely does not speak the protocol.
    #[error("a header is longer than {limit} bytes; it begins with {start:?}")]
    HeaderTooLong {
        /// Bytes allowed.
        limit: usize,
        /// The first bytes, for the reader of the message.
        start: String,
    },
    /// A header that names no `Content-Length`.
    #[error("no Content-Length in the header {header:?}")]
    NoLength {
        /// The whole header, decoded for display.
        header: String,
    },
    /// A `Content-Length` that is not a number of bytes.
    #[error("Content-Length {value:?} is not a number of bytes")]
    BadLength {
        /// The text behind the colon.
        value: String,
    },
    /// A body longer than we are ready to hold.
    #[error("a body of {announced} bytes exceeds the limit of {limit}")]
    TooLarge {
        /// Bytes announced by the peer.
        announced: u64,
        /// Bytes allowed.
        limit: usize,
    },
    /// The stream ended inside a frame.
    #[error("the stream ended inside a frame, after {got} bytes{}", expected.map(|n| format!(" of a body of {n}")).unwrap_or_else(|| " of a header".to_owned()))]
    TornFrame {
        /// Bytes of the unfinished header or body that did arrive.
        got: usize,
        /// Length of the body, if the header was complete.
        expected: Option<usize>,
    },
}
