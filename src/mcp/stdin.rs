//! The lines of a connection: one JSON message each. rmcp's own reader drops lines over 16 MiB and requests of a wrong shape
//! without a word, waits 5 s at the end of input and does not notice a closed output (rmcp 3.9); this one answers and ends at once.
//!
//! The race: the service polls `receive` inside a `select!` and drops it at will, so all that was read stays in the struct.

use std::future::{Future, pending};
use std::io;
use std::sync::Arc;

use bytes::{Buf, BytesMut};
use rmcp::RoleServer;
use rmcp::model::{ClientJsonRpcMessage, ErrorData, JsonRpcMessage, NumberOrString, ServerJsonRpcMessage};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use serde_json::Value;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::sync::Mutex;
use tokio_util::sync::CancellationToken;

/// The longest line that is read whole, in bytes.
const MOST_LINE_BYTES: usize = 16 * 1024 * 1024;
/// What is kept of the beginning and of the end of a longer one: its id is there (the TypeScript SDK writes it last).
const KEPT_BYTES: usize = 1024;

/// A connection over two byte streams. `ended` is cancelled at the end of input and when the output is closed.
pub(super) struct Lines<R, W> {
    reader: R,
    buffer: BytesMut,
    /// Bytes at the beginning of `buffer` that hold no line end.
    searched: usize,
    /// The head of a line that was too long, while the rest of it is dropped.
    too_long: Option<Vec<u8>>,
    writer: Arc<Mutex<W>>,
    ended: CancellationToken,
}

impl<R, W> Lines<R, W>
where
    R: AsyncRead + Unpin + Send + 'static,
    W: AsyncWrite + Unpin + Send + 'static,
{
    pub(super) fn new(reader: R, writer: W, ended: CancellationToken) -> Self {
        Self {
            reader,
            buffer: BytesMut::new(),
            searched: 0,
            too_long: None,
            writer: Arc::new(Mutex::new(writer)),
            ended,
        }
    }

    fn write(&self, message: ServerJsonRpcMessage) -> impl Future<Output = io::Result<()>> + Send + use<R, W> {
        write_line(Arc::clone(&self.writer), self.ended.clone(), message)
    }

    /// Answers a request that cannot be understood, if its id can be found.
    fn refuse(&self, error: ErrorData, id: Option<NumberOrString>) {
        match id {
            None => tracing::warn!(message = %error.message, "a line without an id was dropped"),
            id => {
                tokio::spawn(self.write(JsonRpcMessage::error(error, id)));
            }
        }
    }

    /// The next whole line in the buffer.
    fn take_line(&mut self) -> Option<BytesMut> {
        let unsearched = self.buffer.get(self.searched..).unwrap_or_default();
        match unsearched.iter().position(|byte| *byte == b'\n') {
            Some(at) => {
                let line = self.buffer.split_to(self.searched + at);
                self.buffer.advance(1);
                self.searched = 0;
                Some(line)
            }
            None => {
                self.searched = self.buffer.len();
                None
            }
        }
    }

    fn drop_excess(&mut self) {
        if self.too_long.is_none() && self.buffer.len() > MOST_LINE_BYTES {
            self.too_long = Some(self.buffer.get(..KEPT_BYTES).unwrap_or_default().to_vec());
        }
        if self.too_long.is_some() {
            let excess = self.buffer.len().saturating_sub(KEPT_BYTES);
            self.buffer.advance(excess);
            self.searched = self.buffer.len();
        }
    }

    fn understand(&mut self, line: &[u8]) -> Option<ClientJsonRpcMessage> {
        let whole_but_long =
            (line.len() > MOST_LINE_BYTES).then(|| line.get(..KEPT_BYTES).unwrap_or_default().to_vec());
        if let Some(head) = self.too_long.take().or(whole_but_long) {
            let tail = line.get(line.len().saturating_sub(KEPT_BYTES)..).unwrap_or_default();
            let message = format!("the message is longer than {MOST_LINE_BYTES} bytes");
            self.refuse(ErrorData::invalid_request(message, None), id_in_head(&head).or_else(|| id_in_tail(tail)));
            return None;
        }
        let line = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line).trim_ascii();
        if line.is_empty() {
            return None;
        }
        match serde_json::from_slice(line) {
            Ok(message) => return Some(message),
            Err(error) if error.is_data() => self.refuse_shape(line),
            // Not JSON: an answer to what is not a request could be echoed for ever, so only one with an id is given.
            Err(error) => {
                let id = id_in_head(line).or_else(|| id_in_tail(line));
                self.refuse(ErrorData::parse_error(format!("not JSON: {error}"), None), id);
            }
        }
        None
    }

    fn refuse_shape(&self, line: &[u8]) {
        let value: Value = serde_json::from_slice(line).unwrap_or_default();
        let has_method = value.get("method").is_some();
        match value.get("id").and_then(as_id) {
            Some(id) if has_method => {
                self.refuse(ErrorData::invalid_request("the request has a wrong shape", None), Some(id));
            }
            // Unknown notifications and responses to nothing are no one's fault to be told.
            _ if value.is_object() => tracing::debug!("ignored a message of unknown shape"),
            _ => {
                let error = ErrorData::invalid_request("one JSON-RPC object a line; batches are not taken", None);
                tokio::spawn(self.write(JsonRpcMessage::error(error, None)));
            }
        }
    }
}

async fn write_line<W>(writer: Arc<Mutex<W>>, ended: CancellationToken, message: ServerJsonRpcMessage) -> io::Result<()>
where
    W: AsyncWrite + Unpin,
{
    let mut bytes = serde_json::to_vec(&message)?;
    bytes.push(b'\n');
    let mut writer = writer.lock().await;
    let written = async {
        writer.write_all(&bytes).await?;
        writer.flush().await
    };
    // Nobody reads any more (EPIPE): the connection is over, though input may still come.
    written.await.inspect_err(|_| ended.cancel())
}

impl<R, W> Transport<RoleServer> for Lines<R, W>
where
    R: AsyncRead + Unpin + Send + 'static,
    W: AsyncWrite + Unpin + Send + 'static,
{
    type Error = io::Error;

    fn send(&mut self, item: TxJsonRpcMessage<RoleServer>) -> impl Future<Output = io::Result<()>> + Send + 'static {
        self.write(item)
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            while let Some(line) = self.take_line() {
                if let Some(message) = self.understand(&line) {
                    return Some(message);
                }
            }
            self.drop_excess();
            self.buffer.reserve(8 * 1024);
            match self.reader.read_buf(&mut self.buffer).await {
                Ok(0) | Err(_) => {
                    // Returning None would make rmcp wait 5 s for running calls; cancelling its token ends them at once.
                    self.ended.cancel();
                    return pending().await;
                }
                Ok(_) => {}
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        self.writer.lock().await.shutdown().await
    }
}

fn as_id(value: &Value) -> Option<NumberOrString> {
    serde_json::from_value(value.clone()).ok()
}

/// The value that begins `text`, and what follows it.
fn leading_value(text: &[u8]) -> Option<(Value, &[u8])> {
    let mut values = serde_json::Deserializer::from_slice(text).into_iter::<Value>();
    let value = values.next()?.ok()?;
    Some((value, text.get(values.byte_offset()..)?))
}

/// The id of a message whose beginning this is: a key of the outermost object.
fn id_in_head(head: &[u8]) -> Option<NumberOrString> {
    let mut rest = head.trim_ascii().strip_prefix(b"{")?;
    loop {
        let (key, after) = leading_value(rest.trim_ascii_start())?;
        let after = after.trim_ascii_start().strip_prefix(b":")?.trim_ascii_start();
        let (value, after) = leading_value(after)?;
        if key == "id" {
            return as_id(&value);
        }
        rest = after.trim_ascii_start().strip_prefix(b",")?;
    }
}

/// The id of a message whose end this is, where nothing but plain keys follow it.
fn id_in_tail(tail: &[u8]) -> Option<NumberOrString> {
    const KEY: &[u8] = b"\"id\"";
    let at = tail.windows(KEY.len()).rposition(|window| window == KEY)?;
    let after = tail.get(at + KEY.len()..)?.trim_ascii_start().strip_prefix(b":")?.trim_ascii_start();
    let (value, rest) = leading_value(after)?;
    let is_outermost =
        rest.trim_ascii().strip_suffix(b"}").is_some_and(|keys| !keys.iter().any(|byte| b"{}[]".contains(byte)));
    if is_outermost { as_id(&value) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(text: &str) -> Option<NumberOrString> {
        id_in_head(text.as_bytes()).or_else(|| id_in_tail(text.as_bytes()))
    }

    #[test]
    fn ids_are_found_at_either_end_of_a_broken_message() {
        let number = |id: i64| Some(NumberOrString::Number(id));
        assert_eq!(id(r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"a":"xxx"#), number(7));
        assert_eq!(id(r#"{"id": "seven" , "params": {"id":1"#), Some(NumberOrString::String("seven".into())));
        assert_eq!(id(r#"xxxx"}},"jsonrpc":"2.0","id":9}"#), number(9));
        assert_eq!(id(r#"xxxx"}},"id":9,"jsonrpc":"2.0"} "#), number(9));
        assert_eq!(id(r#"{"params":{"id":1,"text":"xxx"#), None);
        assert_eq!(id(r#"xxx","id":3}}"#), None);
        assert_eq!(id("garbage"), None);
    }

    async fn talk(input: Vec<u8>) -> (Vec<ClientJsonRpcMessage>, String) {
        let (mut client, server) = tokio::io::duplex(64 * 1024);
        let (reader, writer) = tokio::io::split(server);
        let ended = CancellationToken::new();
        let mut lines = Lines::new(reader, writer, ended.clone());
        let sender = async move {
            client.write_all(&input).await.unwrap();
            client.shutdown().await.unwrap();
            let mut answers = String::new();
            client.read_to_string(&mut answers).await.unwrap();
            answers
        };
        let receiver = async move {
            let mut messages = Vec::new();
            while let Some(message) =
                tokio::select! { message = lines.receive() => message, () = ended.cancelled() => None }
            {
                messages.push(message);
            }
            tokio::task::yield_now().await;
            lines.close().await.unwrap();
            messages
        };
        let (answers, messages) = tokio::join!(sender, receiver);
        (messages, answers)
    }

    #[tokio::test]
    async fn a_line_that_is_too_long_is_answered_and_the_next_is_read() {
        for excess in [1, 5_000, 200_000] {
            let mut input =
                br#"{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"x","arguments":{"x":""#.to_vec();
            input.resize(MOST_LINE_BYTES + excess, b'x');
            input.extend_from_slice(b"\"}}}\n{\"jsonrpc\":\"2.0\",\"id\":6,\"method\":\"ping\"}\n");
            let (messages, answers) = talk(input).await;
            assert_eq!(messages.len(), 1, "{excess} bytes too many");
            assert!(answers.contains("\"id\":5") && answers.contains("longer than"), "{answers}");
        }
    }

    #[tokio::test]
    async fn garbage_is_skipped_and_broken_requests_are_answered() {
        let input = "hello\n\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\n[]\n{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}\r\n";
        let (messages, answers) = talk(input.as_bytes().to_vec()).await;
        assert_eq!(messages.len(), 1, "{messages:?}");
        let answers: Vec<Value> = answers.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let codes: Vec<_> = answers.iter().map(|answer| answer["error"]["code"].as_i64().unwrap()).collect();
        assert_eq!(codes, [-32_700, -32_600], "{answers:?}");
        assert_eq!(answers[0]["id"], 1);
    }
}
