//! What a recording holds of the traffic: values that look like secrets are redacted there as they are in answers. What was not redacted
//! stays byte for byte as it was sent.

use std::collections::HashMap;

use base64::{Engine as _, prelude::BASE64_STANDARD};
use serde_json::{Map, Value};

use super::inspect::literal::unquote;
use super::redacted::{Redact as _, quotes, value};
use super::view::MemoryView;
use crate::redaction::Redaction;
use crate::transport::record::Redactor;

/// Requests whose answers are awaited, at most: an adapter may owe some for ever.
const AWAITED: usize = 1_024;

/// The rules, and what was asked: only that names what an answer holds.
pub(crate) struct RecordedTraffic {
    by: Redaction,
    /// Expressions, by the number of the request.
    asked: HashMap<i64, String>,
}

impl RecordedTraffic {
    /// `None`: everything is recorded as it is.
    pub(crate) fn redactor(by: &Redaction) -> Option<Box<dyn Redactor>> {
        by.is_on().then(|| Box::new(Self { by: by.clone(), asked: HashMap::new() }) as Box<_>)
    }

    fn redact(&mut self, message: &mut Map<String, Value>) {
        match message.get("type").and_then(Value::as_str) {
            Some("request") => {
                let arguments = message.get_mut("arguments").and_then(Value::as_object_mut);
                let asked = arguments.and_then(|arguments| self.assigned(arguments).or_else(|| named(arguments)));
                if let (Some(seq), Some(asked)) = (message.get("seq").and_then(Value::as_i64), asked) {
                    if self.asked.len() >= AWAITED {
                        self.asked.clear();
                    }
                    self.asked.insert(seq, asked);
                }
                // environments, and flags of command lines
                *message = self.by.arguments(message);
            }
            Some("response") => {
                let body = message.get_mut("body").and_then(Value::as_object_mut);
                // a piece of memory
                if let Some(Value::String(data)) =
                    body.filter(|body| body.contains_key("address")).and_then(|body| body.get_mut("data"))
                {
                    self.memory(data);
                }
                let asked = message.get("request_seq").and_then(Value::as_i64);
                let asked = asked.and_then(|seq| self.asked.remove(&seq));
                if let (Some(asked), Some(Value::Object(body))) = (asked, message.get_mut("body")) {
                    let type_name = body.get("type").and_then(Value::as_str).map(str::to_owned);
                    for key in ["result", "value"] {
                        if let Some(Value::String(text)) = body.get_mut(key) {
                            value(text, &asked, type_name.as_deref(), None, &self.by);
                        }
                    }
                }
            }
            _ => {}
        }
        self.members(message);
    }

    /// A literal that is evaluated for itself is about to be assigned, and nothing here says to what: it is taken for a secret. Gives a
    /// name for what the answer repeats.
    fn assigned(&self, arguments: &mut Map<String, Value>) -> Option<String> {
        let Some(Value::String(expression)) = arguments.get_mut("expression") else { return None };
        if expression.contains('(') {
            // a setter is called with what it sets
            let called = without_specifier(expression).to_owned();
            quotes(expression, &called, &self.by);
        }
        let text = unquote(expression).filter(|text| !text.is_empty() && is_literal(expression))?;
        *expression = self.by.string(&text, text.chars().count() as u64, true);
        Some("secret".to_owned())
    }

    /// The bytes of a piece of memory, in base64.
    fn memory(&self, data: &mut String) {
        let Ok(bytes) = BASE64_STANDARD.decode(data.as_bytes()) else { return };
        let mut memory = MemoryView { address: 0, bytes, unreadable: 0, path: None, redacted: 0 };
        memory.redact(&self.by);
        if memory.redacted > 0 {
            *data = BASE64_STANDARD.encode(&memory.bytes);
        }
    }

    fn members(&self, members: &mut Map<String, Value>) {
        let type_name = members.get("type").and_then(Value::as_str).map(str::to_owned);
        if let (Some(name), Some(Value::String(text))) = (named(members), members.get_mut("value")) {
            value(text, &name, type_name.as_deref(), None, &self.by);
        }
        members.values_mut().for_each(|member| self.any(member));
    }

    /// Variables: what follows the flag of a secret in a command line is one, and so is the value beside the key of one, as dictionaries
    /// hold them.
    fn list(&self, items: &mut [Value]) {
        let (mut follows_flag, mut has_secret_key) = (false, false);
        for item in items {
            let Value::Object(members) = item else {
                self.any(item);
                continue;
            };
            let name = members.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
            let literal = members.get("value").and_then(Value::as_str).and_then(unquote);
            match (&literal, members.get_mut("value")) {
                (Some(text), Some(shown)) if follows_flag || has_secret_key && name == "value" => {
                    *shown = self.by.string(text, text.chars().count() as u64, true).into();
                }
                _ => self.members(members),
            }
            follows_flag = literal.as_ref().is_some_and(|word| self.by.is_secret_flag(word));
            if name == "key" {
                has_secret_key = literal.is_some_and(|key| self.by.is_secret_name(&key));
            }
        }
    }

    fn any(&self, it: &mut Value) {
        match it {
            Value::String(text) => self.by.redact(text),
            Value::Array(items) => self.list(items),
            Value::Object(members) => self.members(members),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
}

/// Without what says how an adapter shows it: `password,ac`.
fn without_specifier(expression: &str) -> &str {
    match expression.rsplit_once(',') {
        Some((before, specifier)) if specifier.bytes().all(|byte| byte.is_ascii_lowercase()) => before,
        _ => expression,
    }
}

/// One string, and nothing behind it.
fn is_literal(expression: &str) -> bool {
    let mut is_escaped = false;
    let inside = expression.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or("\"");
    inside.chars().all(|c| {
        let stays_inside = is_escaped || c != '"';
        is_escaped = !is_escaped && c == '\\';
        stays_inside
    })
}

/// What a value is called: of an element its name says only its place.
fn named(members: &Map<String, Value>) -> Option<String> {
    let name = ["evaluateName", "expression", "name"].into_iter().filter_map(|key| members.get(key)?.as_str());
    name.filter(|name| !name.is_empty()).map(|name| without_specifier(name).to_owned()).next()
}

impl Redactor for RecordedTraffic {
    fn message(&mut self, body: &[u8]) -> Option<Vec<u8>> {
        match serde_json::from_slice::<Map<String, Value>>(body) {
            Ok(sent) => {
                let mut shown = sent.clone();
                self.redact(&mut shown);
                (shown != sent).then(|| Value::Object(shown).to_string().into_bytes())
            }
            Err(_) => self.text(&String::from_utf8_lossy(body)).map(String::into_bytes),
        }
    }

    fn text(&mut self, text: &str) -> Option<String> {
        match self.by.text(text) {
            std::borrow::Cow::Borrowed(_) => None,
            std::borrow::Cow::Owned(shown) => Some(shown),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn shown(traffic: &mut Box<dyn Redactor>, message: &Value) -> Option<String> {
        traffic.message(message.to_string().as_bytes()).map(|shown| String::from_utf8(shown).unwrap())
    }

    #[test]
    fn no_message_brings_a_secret_by_its_name_or_by_what_it_is() {
        let mut traffic = RecordedTraffic::redactor(&Redaction::default()).unwrap();
        for message in [
            json!({"type": "request", "seq": 1, "command": "launch", "arguments": {
                "env": {"DB_PASSWORD": "hunter2"}, "args": ["--api-key", "hunter2"]}}),
            json!({"type": "request", "seq": 2, "command": "setExpression",
                "arguments": {"expression": "order._db_password", "value": "\"hunter2\""}}),
            json!({"type": "request", "seq": 3, "command": "evaluate",
                "arguments": {"expression": "login.set_Password(\"hunter2\"),ac"}}),
            json!({"type": "response", "seq": 9, "request_seq": 2, "body": {"value": "\"hunter2\"", "type": "string"}}),
            json!({"type": "response", "seq": 9, "request_seq": 7, "body": {"variables": [
                {"name": "db_password", "value": "\"hunter2\"", "type": "string", "variablesReference": 0},
                {"name": "[0]", "evaluateName": "password[0]", "value": "'hunter2'", "type": "char"},
                {"name": "it", "value": "{Name=\"x\", ApiKey=\"hunter2\"}", "type": "Shop.It"}]}}),
            json!({"type": "response", "seq": 9, "request_seq": 7, "body": {"variables": [
                {"name": "[0]", "value": "\"--api-key\"", "type": "string"}, {"name": "[1]", "value": "\"hunter2\"", "type": "string"}]}}),
            json!({"type": "response", "seq": 9, "request_seq": 7, "body": {"variables": [
                {"name": "hashCode", "value": "7"}, {"name": "key", "value": "\"Db:Password\""}, {"name": "value", "value": "\"hunter2\""}]}}),
            json!({"type": "event", "seq": 9, "event": "clrTraces", "body": {"hits": [{"trace": 1, "values": [
                {"expression": "order.Password", "value": "\"hunter2\"", "type": "string"}]}]}}),
            json!({"type": "event", "seq": 9, "event": "output", "body": {"output": "Server=db;Password=hunter2;\n"}}),
            json!({"type": "response", "seq": 9, "request_seq": 8, "body": {
                "description": "cannot open https://ada:hunter2@db/x?access_token=hunter2"}}),
        ] {
            let shown = shown(&mut traffic, &message).unwrap_or_else(|| panic!("{message}"));
            assert!(shown.contains('•') && !shown.contains("hunter2"), "{shown}");
            let read: Value = serde_json::from_str(&shown).unwrap();
            assert_eq!((&read["type"], &read["seq"]), (&message["type"], &message["seq"]));
        }
        assert!(!traffic.text("pwd: hunter2").unwrap().contains("hunter2"));
        assert!(
            !String::from_utf8_lossy(&traffic.message(b"no JSON, Password=hunter2\xff").unwrap()).contains("hunter2")
        );
    }

    #[test]
    fn secrets_in_memory_are_hidden() {
        let mut traffic = RecordedTraffic::redactor(&Redaction::default()).unwrap();
        let read = |text: &str| {
            let data = BASE64_STANDARD.encode(text);
            json!({"type": "response", "seq": 9, "request_seq": 7, "body": {"address": "0x10", "data": data}})
        };
        assert_eq!(shown(&mut traffic, &read("an ordinary text")), None);
        let kept: Value = serde_json::from_str(&shown(&mut traffic, &read("x\u{1}Password=hunter2")).unwrap()).unwrap();
        let bytes = BASE64_STANDARD.decode(kept["body"]["data"].as_str().unwrap()).unwrap();
        assert_eq!(bytes, [&b"x\x01"[..], &[0; 16]].concat());
    }

    #[test]
    fn an_answer_is_called_what_was_asked() {
        let mut traffic = RecordedTraffic::redactor(&Redaction::default()).unwrap();
        let ask = |seq: i64, expression: &str| json!({"type": "request", "seq": seq, "command": "evaluate", "arguments": {"expression": expression}});
        let answer = |seq: i64| json!({"type": "response", "seq": 50, "request_seq": seq, "body": {"result": "\"abc\"", "type": "string"}});
        // what variable_set asks of a literal first
        assert!(shown(&mut traffic, &ask(8, "\"hunter2\"")).unwrap().contains("redacted, 7 characters"));
        assert!(shown(&mut traffic, &answer(8)).unwrap().contains("redacted, 3 characters"));
        assert_eq!(shown(&mut traffic, &ask(9, "settings[\"Db:Password\"],ac")), None);
        assert!(shown(&mut traffic, &answer(9)).unwrap().contains("redacted, 3 characters"));
        for message in [ask(3, "password"), ask(4, "name"), ask(5, "\"a\" + \"b\""), ask(6, "\"\"")] {
            assert_eq!(shown(&mut traffic, &message), None, "{message}");
        }
        assert_eq!(shown(&mut traffic, &answer(4)), None);
        assert!(shown(&mut traffic, &answer(3)).unwrap().contains("redacted, 3 characters"));
        assert_eq!(shown(&mut traffic, &answer(3)), None, "it was answered");
    }

    #[test]
    fn what_holds_no_secret_stays_as_it_was_sent() {
        let mut traffic = RecordedTraffic::redactor(&Redaction::default()).unwrap();
        for body in [&br#"{ "type":"event", "body" : {"threadId": 10.0, "token": 5} }"#[..], b"[1, 2]", b"\xff", b""] {
            assert_eq!(traffic.message(body), None, "{}", String::from_utf8_lossy(body));
        }
        assert!(RecordedTraffic::redactor(&Redaction::off()).is_none());
    }
}
