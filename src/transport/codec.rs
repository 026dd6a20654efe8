//! `Content-Length: N`, CR LF CR LF, N bytes (<https://microsoft.github.io/debug-adapter-protocol/overview#base-protocol>).
//!
//! Yields bodies, not JSON: an error of a `Decoder` ends its stream for good, and one bad body must not.

use bytes::{BufMut, Bytes, BytesMut};
use tokio_util::codec::{Decoder, Encoder};

use super::error::TransportError;

const HEADER_END: &[u8] = b"\r\n\r\n";
const MAX_HEADER: usize = 8 * 1024;
const MAX_BODY: usize = 256 * 1024 * 1024;

/// Cuts a byte stream into message bodies, and puts a header before bodies that go out.
///
/// Reading tolerates other header lines and any case. Writing is exact: netcoredbg 3.1.2 and dncdbg exit when
/// the header is spelled in lower case or without the space (measured).
#[derive(Debug)]
pub struct DapCodec {
    state: State,
    max_header: usize,
    max_body: usize,
}

#[derive(Debug, Clone, Copy)]
enum State {
    /// Looking for the end of a header; this many bytes hold none, whatever follows them.
    Header { scanned: usize },
    /// A header was read: this many bytes are the body.
    Body { length: usize },
}

impl Default for DapCodec {
    fn default() -> Self {
        Self::with_limits(MAX_HEADER, MAX_BODY)
    }
}

impl DapCodec {
    /// Limits in bytes; a frame over a limit is an error before anything is allocated for it.
    #[must_use]
    pub fn with_limits(max_header: usize, max_body: usize) -> Self {
        Self { state: State::Header { scanned: 0 }, max_header, max_body }
    }

    /// The length of the body, once the header is complete.
    fn decode_header(&mut self, src: &mut BytesMut, scanned: usize) -> Result<Option<usize>, TransportError> {
        let fresh = src.get(scanned..).unwrap_or_default();
        let end = fresh.windows(HEADER_END.len()).position(|bytes| bytes == HEADER_END).map(|at| at + scanned);
        // The first byte at which the end may still begin.
        let undecided = src.len().saturating_sub(HEADER_END.len() - 1);
        // Also when the end is there: how the bytes were cut must not decide whether a header is too long.
        if end.unwrap_or(undecided) > self.max_header {
            return Err(TransportError::HeaderTooLong { limit: self.max_header, start: excerpt(src) });
        }
        let Some(end) = end else {
            self.state = State::Header { scanned: undecided };
            return Ok(None);
        };
        let header = src.split_to(end + HEADER_END.len());
        let length = content_length(&header)?;
        match usize::try_from(length) {
            // Nothing is reserved: an announcement is not data, the buffer grows as bytes come.
            Ok(length) if length <= self.max_body => Ok(Some(length)),
            _ => Err(TransportError::TooLarge { announced: length, limit: self.max_body }),
        }
    }
}

impl Decoder for DapCodec {
    type Item = Bytes;
    type Error = TransportError;

    fn decode(&mut self, src: &mut BytesMut) -> Result<Option<Bytes>, TransportError> {
        let length = match self.state {
            State::Body { length } => length,
            State::Header { scanned } => match self.decode_header(src, scanned)? {
                Some(length) => length,
                None => return Ok(None),
            },
        };
        if src.len() < length {
            self.state = State::Body { length };
            return Ok(None);
        }
        self.state = State::Header { scanned: 0 };
        Ok(Some(src.split_to(length).freeze()))
    }

    fn decode_eof(&mut self, src: &mut BytesMut) -> Result<Option<Bytes>, TransportError> {
        if let Some(body) = self.decode(src)? {
            return Ok(Some(body));
        }
        let got = src.len();
        src.clear();
        match std::mem::replace(&mut self.state, State::Header { scanned: 0 }) {
            State::Header { .. } if got == 0 => Ok(None),
            State::Header { .. } => Err(TransportError::TornFrame { got, expected: None }),
            State::Body { length } => Err(TransportError::TornFrame { got, expected: Some(length) }),
        }
    }
}

impl Encoder<Bytes> for DapCodec {
    type Error = TransportError;

    fn encode(&mut self, body: Bytes, dst: &mut BytesMut) -> Result<(), TransportError> {
        put_frame(&body, dst);
        Ok(())
    }
}

/// One body with its header, for who writes it past a connection.
#[must_use]
pub fn frame(body: &[u8]) -> Bytes {
    let mut frame = BytesMut::new();
    put_frame(body, &mut frame);
    frame.freeze()
}

fn put_frame(body: &[u8], dst: &mut BytesMut) {
    let length = body.len().to_string();
    dst.reserve(length.len() + body.len() + 20);
    dst.put_slice(b"Content-Length: ");
    dst.put_slice(length.as_bytes());
    dst.put_slice(HEADER_END);
    dst.put_slice(body);
}

fn content_length(header: &[u8]) -> Result<u64, TransportError> {
    let header = String::from_utf8_lossy(header);
    let value = header
        .lines()
        .filter_map(|line| line.split_once(':'))
        .find(|(name, _)| name.trim().eq_ignore_ascii_case("content-length"))
        .map(|(_, value)| value.trim())
        .ok_or_else(|| TransportError::NoLength { header: header.trim_end().to_owned() })?;
    let digits = !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit());
    // More digits than fit are still a length, only one that no limit allows.
    if digits {
        Ok(value.parse().unwrap_or(u64::MAX))
    } else {
        Err(TransportError::BadLength { value: value.to_owned() })
    }
}

fn excerpt(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes.get(..80).unwrap_or(bytes)).into_owned()
}

#[cfg(test)]
mod tests;
