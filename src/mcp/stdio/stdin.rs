//! The lines of a connection: one JSON message each. rmcp's own reader drops lines over 16 MiB and requests of a wrong shape
//! without a word, waits 5 s at the end of input and does not notice a closed output (rmcp 3.9); this one answers and ends at once.
//!
//! The race: the service polls `receive` inside a `select!` and drops it at will, so all that was read stays in the struct.

use std::future::{Future, pending};
use std::io;

use bytes::{Buf, Bytes, BytesMut};
use rmcp::RoleServer;
use rmcp::model::{
    ClientJsonRpcMessage, ClientRequest, ErrorData, GetMeta, JsonRpcMessage, NumberOrString, ServerJsonRpcMessage,
    ServerNotification,
};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite};
use tokio_util::sync::CancellationToken;

use super::in_flight::InFlight;
use super::outbox::Outbox;
use super::refusal::{self, MOST_LINE_BYTES};

/// What is kept of the beginning and of the end of a longer one: its id is there (the TypeScript SDK writes it last).
const KEPT_BYTES: usize = 1024;

/// A connection over two byte streams. `ended` is cancelled at the end of input and when the output is closed.
pub(super) struct JsonLinesTransport<R> {
    reader: R,
    buffer: BytesMut,
    /// Bytes at the beginning of `buffer` that hold no line end.
    searched: usize,
    /// The head of a line that was too long, while the rest of it is dropped.
    too_long: Option<Vec<u8>>,
    outbox: Outbox,
    in_flight: InFlight,
    /// The client said which protocol it speaks.
    greeted: bool,
    ended: CancellationToken,
}

impl<R> JsonLinesTransport<R>
where
    R: AsyncRead + Unpin + Send + 'static,
{
    /// Inside the runtime that is to write.
    pub(super) fn new<W>(reader: R, writer: W, ended: CancellationToken) -> Self
    where
        W: AsyncWrite + Unpin + Send + 'static,
    {
        Self {
            reader,
            buffer: BytesMut::new(),
            searched: 0,
            too_long: None,
            outbox: Outbox::new(writer, ended.clone()),
            in_flight: InFlight::default(),
            greeted: false,
            ended,
        }
    }

    fn refuse(&self, answer: Bytes) {
        // It is queued; nobody waits for it to be written.
        drop(self.outbox.push(answer));
    }

    fn refuse_request(&self, error: ErrorData, id: NumberOrString) {
        if let Ok(answer) = line_of(&JsonRpcMessage::error(error, Some(id))) {
            self.refuse(answer);
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
            self.refuse(refusal::of_too_long(&head, tail));
            return None;
        }
        let line = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line).trim_ascii();
        if line.is_empty() {
            return None;
        }
        match serde_json::from_slice(line) {
            Ok(message) => return self.admit(message),
            Err(error) if error.is_data() => match refusal::of_wrong_shape(line) {
                Some(answer) => self.refuse(answer),
                None => tracing::debug!("ignored a message of unknown shape"),
            },
            Err(error) => self.refuse(refusal::of_garbage(line, &error)),
        }
        None
    }

    /// A message that is there at the right time, with an id of its own.
    fn admit(&mut self, message: ClientJsonRpcMessage) -> Option<ClientJsonRpcMessage> {
        let JsonRpcMessage::Request(request) = &message else {
            // rmcp takes any but a request for the end of the connection then.
            return self.greeted.then_some(message).or_else(|| {
                tracing::debug!("ignored a message before initialize");
                None
            });
        };
        let id = request.id.clone();
        // From protocol 2026-07-28 on, each request says it.
        self.greeted |= matches!(request.request, ClientRequest::InitializeRequest(_))
            || request.request.get_meta().protocol_version().is_some();
        let error = if self.greeted || matches!(request.request, ClientRequest::PingRequest(_)) {
            self.in_flight.begin(&id).err()
        } else {
            let message = "the connection is not initialized; send initialize first";
            Some(ErrorData::invalid_request(message, None))
        };
        match error {
            None => Some(message),
            Some(error) => {
                self.refuse_request(error, id);
                None
            }
        }
    }
}

fn line_of(message: &ServerJsonRpcMessage) -> io::Result<Bytes> {
    let mut line = serde_json::to_vec(message)?;
    line.push(b'\n');
    Ok(line.into())
}

impl<R> Transport<RoleServer> for JsonLinesTransport<R>
where
    R: AsyncRead + Unpin + Send + 'static,
{
    type Error = io::Error;

    /// Queues before it returns. A client that does not keep up gets no progress notifications; a later beat says more.
    fn send(&mut self, item: TxJsonRpcMessage<RoleServer>) -> impl Future<Output = io::Result<()>> + Send + 'static {
        match &item {
            JsonRpcMessage::Response(response) => self.in_flight.end(&response.id),
            JsonRpcMessage::Error(error) => error.id.iter().for_each(|id| self.in_flight.end(id)),
            JsonRpcMessage::Notification(_) | JsonRpcMessage::Request(_) => {}
        }
        let is_progress = matches!(&item, JsonRpcMessage::Notification(notification)
            if matches!(notification.notification, ServerNotification::ProgressNotification(_)));
        let queued = if is_progress && self.outbox.is_behind() {
            Ok(None)
        } else {
            line_of(&item).map(|line| Some(self.outbox.push(line)))
        };
        async move {
            match queued? {
                Some(written) if !is_progress => written.await,
                _ => Ok(()),
            }
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            self.outbox.room().await;
            // What was read before is answered first: many requests in one read would be in work before one of them is done.
            tokio::task::yield_now().await;
            while self.outbox.has_room()
                && let Some(line) = self.take_line()
            {
                if let Some(message) = self.understand(&line) {
                    return Some(message);
                }
            }
            if !self.outbox.has_room() {
                continue;
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
        self.outbox.close().await;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;
    use tokio::io::AsyncWriteExt;

    const HELLO: &[u8] = br#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}"#;

    /// What the server reads after the hello, and what is answered before it reads.
    async fn talk(input: Vec<u8>) -> (Vec<ClientJsonRpcMessage>, String) {
        let (mut client, server) = tokio::io::duplex(64 * 1024);
        let (reader, writer) = tokio::io::split(server);
        let ended = CancellationToken::new();
        let mut lines = JsonLinesTransport::new(reader, writer, ended.clone());
        let sender = async move {
            client.write_all(&[HELLO, b"\n", &input].concat()).await.unwrap();
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
        let (answers, mut messages) = tokio::join!(sender, receiver);
        assert!(matches!(messages.remove(0), JsonRpcMessage::Request(_)), "the hello");
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
    async fn garbage_and_broken_requests_are_answered() {
        let input = "hello\n\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\n[]\n{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}\r\n";
        let (messages, answers) = talk(input.as_bytes().to_vec()).await;
        assert_eq!(messages.len(), 1, "{messages:?}");
        let answers: Vec<Value> = answers.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let codes: Vec<_> = answers.iter().map(|answer| answer["error"]["code"].as_i64().unwrap()).collect();
        assert_eq!(codes, [-32_700, -32_700, -32_600], "{answers:?}");
        assert!(answers[0]["id"].is_null());
        assert_eq!(answers[1]["id"], 1);
    }

    #[tokio::test]
    async fn an_id_is_refused_while_an_earlier_request_has_it() {
        let input = "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}\n".repeat(2);
        let (messages, answers) = talk(input.into_bytes()).await;
        assert_eq!(messages.len(), 1, "{messages:?}");
        let answer: Value = serde_json::from_str(&answers).unwrap();
        assert_eq!((&answer["id"], &answer["error"]["code"]), (&2.into(), &(-32_600).into()), "{answer}");
    }
}
