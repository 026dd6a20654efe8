//! The loop that answers.

use bytes::Bytes;
use serde_json::{Value, json};

use super::{
    UNKNOWN,
    breakpoints::Book,
    inspection::{self, Found},
    matching::{self, Position},
    recording::Recording,
    script::{Item, Kind, Script, event_name},
};
use crate::transport::{Connection, Incoming, Outgoing};

/// How a replayed adapter ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReplayEnd {
    /// As recorded, negative for a signal; 0 where the client left earlier than the recording client.
    pub exit_code: Option<i32>,
}

/// Answers on this connection until the adapter would have ended, or the client closes its side.
pub async fn serve(recording: Recording, mut connection: Connection) -> ReplayEnd {
    let mut player = Player::new(Script::new(recording), connection.outgoing.clone());
    if let Some(end) = player.open() {
        return end;
    }
    while let Some(incoming) = connection.incoming.recv().await {
        match incoming {
            Incoming::Body(body) => {
                if let Some(end) = player.answer(&body) {
                    return end;
                }
            }
            Incoming::Closed(_) => break,
        }
    }
    ReplayEnd { exit_code: Some(player.exit_when_closed.unwrap_or(0)) }
}

/// The request that is being answered.
struct Asked<'a> {
    seq: &'a Value,
    command: &'a str,
}

struct Player {
    script: Script,
    position: Position,
    book: Book,
    outgoing: Outgoing,
    /// The recorded adapter ended only when its stdin was closed.
    exit_when_closed: Option<i32>,
    own_seq: i64,
}

impl Player {
    fn new(script: Script, outgoing: Outgoing) -> Self {
        let position = Position { used: vec![false; script.steps.len()], ..Position::default() };
        let book = Book::new(&script);
        // Above any recorded number, so that a curious client sees no number twice.
        Self { script, position, book, outgoing, exit_when_closed: None, own_seq: 1_000_000 }
    }

    fn open(&mut self) -> Option<ReplayEnd> {
        let items = std::mem::take(&mut self.script.opening);
        self.play_items(&items, &Asked { seq: &Value::Null, command: "" })
    }

    fn answer(&mut self, body: &Bytes) -> Option<ReplayEnd> {
        let request: Value = serde_json::from_slice(body).unwrap_or_default();
        let seq = request.get("seq").cloned().unwrap_or_default();
        // The client's answer to a recorded reverse request, or no request at all.
        let command = request
            .get("command")
            .and_then(Value::as_str)
            .filter(|_| request.get("type") == Some(&Value::from("request")))?;
        let arguments = request.get("arguments").cloned().unwrap_or_default();
        let kind = Kind::of(command);
        let found = if kind == Kind::Inspection {
            inspection::find(&self.script, &self.position, command, &arguments)
        } else {
            matching::find(&self.script, &self.position, command, &arguments).map(Found::Step)
        };
        match found {
            Some(Found::Step(index)) => self.play(index, &Asked { seq: &seq, command }),
            Some(Found::Answer(body)) => {
                self.succeed(command, &seq, body);
                None
            }
            None => self.improvise(kind, command, &seq, &arguments),
        }
    }

    /// Plays a recorded step; one that was played already only answers again.
    fn play(&mut self, index: usize, asked: &Asked) -> Option<ReplayEnd> {
        if self.script.steps.get(index).is_some_and(|step| step.kind == Kind::ConfigurationDone) {
            self.play_left_out(index);
        }
        let step = self.script.steps.get_mut(index)?;
        let again = self.position.is_used(index);
        self.position.take(index, step);
        let items = std::mem::take(&mut step.items);
        let end = if again {
            items.iter().filter(|item| matches!(item, Item::Response(_))).find_map(|item| self.play_item(item, asked))
        } else {
            self.play_items(&items, asked)
        };
        if let Some(step) = self.script.steps.get_mut(index) {
            step.items = items;
        }
        end
    }

    /// A recorder that held the program said `launch` and `attach`; who says only one of them hears the events of both.
    fn play_left_out(&mut self, before: usize) {
        let nobody = Asked { seq: &Value::Null, command: "" };
        for index in 0..before {
            if self.position.is_used(index) {
                continue;
            }
            let Some(step) = self.script.steps.get_mut(index).filter(|step| step.kind == Kind::Start) else { continue };
            let (events, rest) = std::mem::take(&mut step.items).into_iter().partition(Item::is_event);
            step.items = rest;
            let events: Vec<Item> = events;
            let _ = self.play_items(&events, &nobody);
        }
    }

    fn play_items(&mut self, items: &[Item], asked: &Asked) -> Option<ReplayEnd> {
        items.iter().find_map(|item| self.play_item(item, asked))
    }

    fn play_item(&mut self, item: &Item, asked: &Asked) -> Option<ReplayEnd> {
        match item {
            Item::Event { message, body } => {
                if event_name(message) == "breakpoint" {
                    self.book.reported(message);
                }
                self.outgoing.send(body.clone());
            }
            Item::Response(message) => {
                let mut message = message.clone();
                if let Some(map) = message.as_object_mut() {
                    map.insert("request_seq".to_owned(), asked.seq.clone());
                    // Another command may have been recorded in its place.
                    if let Some(command) = map.get_mut("command") {
                        *command = Value::from(asked.command);
                    }
                }
                self.send(&message);
            }
            Item::StdinClosed => self.exit_when_closed = Some(0),
            Item::Exit(code) if self.exit_when_closed.is_some() => self.exit_when_closed = Some(*code),
            Item::Exit(code) => {
                return Some(ReplayEnd { exit_code: Some(*code) });
            }
        }
        None
    }

    /// What any adapter would say, where the recording says nothing.
    fn improvise(&mut self, kind: Kind, command: &str, seq: &Value, arguments: &Value) -> Option<ReplayEnd> {
        match kind {
            Kind::Breakpoints => {
                let body = self.book.answer(&self.script, &self.position, arguments);
                self.succeed(command, seq, body);
            }
            Kind::Initialize | Kind::ConfigurationDone | Kind::ExceptionFilters => {
                self.succeed(command, seq, json!({}))
            }
            Kind::End => {
                self.own_seq += 1;
                let terminated = json!({"seq": self.own_seq, "type": "event", "event": "terminated"});
                self.send(&terminated);
                self.succeed(command, seq, json!({}));
                return (command == "disconnect").then_some(ReplayEnd { exit_code: Some(0) });
            }
            _ => {
                self.own_seq += 1;
                let refusal = json!({"seq": self.own_seq, "type": "response", "request_seq": seq, "success": false, "command": command, "message": UNKNOWN});
                self.send(&refusal);
            }
        }
        None
    }

    fn succeed(&mut self, command: &str, seq: &Value, body: Value) {
        self.own_seq += 1;
        let response = json!({"seq": self.own_seq, "type": "response", "request_seq": seq, "success": true, "command": command, "body": body});
        self.send(&response);
    }

    fn send(&self, message: &Value) {
        // A client that is gone shows as the end of the incoming side.
        self.outgoing.send(Bytes::from(message.to_string()));
    }
}
