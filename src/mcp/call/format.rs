//! How an answer reaches the client: as text or JSON, truncated if it is longer than requested.

use serde_json::Value;

use crate::config::Format;
use crate::mcp::tool::Answer;
use crate::mcp::tool::delivery::Delivery;

/// An answer in the format that was asked for.
pub struct Answered {
    /// What the text content holds: the text, or compact JSON.
    pub content: String,
    pub structured: Value,
    pub failed: bool,
    delivery: Option<Delivery>,
}

impl Answered {
    /// Who learns whether the client has it: the caller, from now on.
    pub(in crate::mcp) fn take_delivery(&mut self) -> Option<Delivery> {
        self.delivery.take()
    }

    /// The client has it: the session need not report it again.
    pub fn delivered(&mut self) {
        if let Some(delivery) = self.delivery.take() {
            delivery.done();
        }
    }
}

/// Puts an answer into its format, at most `most` characters of each rendering.
pub(in crate::mcp) fn fit(answer: Answer, format: Format, most: usize, paging: &str) -> Answered {
    let Answer { mut json, text, failed, delivery } = answer;
    let whole_json = json.to_string();
    let cut_json = shrink(&mut json, whole_json.len(), most);
    let cut_text = is_longer(&text, most);
    if (cut_json || cut_text)
        && let Some(object) = json.as_object_mut()
    {
        object.insert("truncated".into(), true.into());
    }
    let content = match format {
        Format::Json if cut_json || cut_text => json.to_string(),
        Format::Json => whole_json,
        Format::Markdown if cut_text => cut(&text, most, paging),
        Format::Markdown => text,
    };
    Answered { content, structured: json, failed, delivery }
}

fn is_longer(text: &str, most: usize) -> bool {
    text.len() > most && text.chars().nth(most).is_some()
}

/// Whole lines, then a line that says how much there is and how to get at it.
fn cut(text: &str, most: usize, paging: &str) -> String {
    let end = text.char_indices().nth(most).map_or(text.len(), |(at, _)| at);
    let shown = text.get(..end).unwrap_or_default();
    let shown = shown.rfind('\n').and_then(|line_end| shown.get(..line_end)).unwrap_or(shown);
    let (kept, all) = (shown.chars().count(), text.chars().count());
    format!("{shown}\n… truncated: {kept} of {all} characters; {paging}")
}

/// Halves the largest list or string until the whole fits; the result still matches its schema. True when something went.
fn shrink(json: &mut Value, mut size: usize, most: usize) -> bool {
    let mut shrunk = false;
    // Every round halves something that is at least a part of the excess, so few rounds are needed; the bound is for safety.
    for _ in 0..64 {
        if size <= most || !halve_largest(json) {
            break;
        }
        shrunk = true;
        size = json.to_string().len();
    }
    shrunk
}

fn halve_largest(value: &mut Value) -> bool {
    const SHORT: usize = 200;
    match value {
        Value::Array(items) if items.len() > 1 => {
            items.truncate(items.len() / 2);
            true
        }
        Value::Array(items) => items.first_mut().is_some_and(halve_largest),
        Value::String(text) if text.len() > SHORT => {
            let half = text.char_indices().map(|(at, _)| at).find(|at| *at >= text.len() / 2).unwrap_or(0);
            text.truncate(half);
            text.push('…');
            true
        }
        Value::Object(fields) => {
            let mut by_size: Vec<_> = fields.values_mut().map(|field| (field.to_string().len(), field)).collect();
            by_size.sort_by_key(|(size, _)| std::cmp::Reverse(*size));
            by_size.into_iter().any(|(_, field)| halve_largest(field))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn answer(json: Value, text: String) -> Answer {
        Answer { json, text, failed: false, delivery: None }
    }

    #[test]
    fn an_answer_that_fits_is_left_alone() {
        let reply = fit(answer(json!({"a": 1}), "a 1".into()), Format::Markdown, 1_000, "page");
        assert_eq!((reply.content.as_str(), reply.structured), ("a 1", json!({"a": 1})));
    }

    #[test]
    fn a_long_answer_is_cut_in_both_renderings_and_says_so() {
        let lines: Vec<String> = (0..1_000).map(|n| format!("line é {n}")).collect();
        let json = json!({"cursor": 7, "lines": lines, "note": "x".repeat(900)});
        let reply = fit(answer(json, lines.join("\n")), Format::Markdown, 1_000, "use start");
        assert!(reply.content.chars().count() < 1_100, "{} characters", reply.content.chars().count());
        assert!(reply.content.ends_with("of 10889 characters; use start"), "{}", reply.content);
        let structured = reply.structured.to_string();
        assert!(structured.len() < 1_100, "{} bytes", structured.len());
        assert_eq!((&reply.structured["cursor"], &reply.structured["truncated"]), (&json!(7), &json!(true)));
    }

    #[test]
    fn what_cannot_be_cut_is_reported_whole() {
        let reply = fit(answer(json!({"a": 1_234_567}), "a".into()), Format::Json, 5, "page");
        assert_eq!(reply.content, "{\"a\":1234567}");
    }
}
