//! `completions`: how a partial expression can continue.

use dap_wire::{CompletionItem, CompletionsArguments, CompletionsResponse};

use super::evaluation::frame_of;
use super::server::{Answer, Server, body};
use crate::evaluate::{Candidate, Evaluation, begun_name};

impl Server {
    pub(super) fn completions(&mut self, arguments: &CompletionsArguments) -> Answer {
        self.with_pause(|_, pause| {
            let (thread, frame, is_gone) = frame_of(pause, arguments.frame_id)?;
            let (text, before) = up_to(arguments);
            let mut evaluation = Evaluation::new(&mut pause.stopped, thread, frame, None);
            evaluation.is_gone = is_gone;
            let begun = begun_name(&text);
            let length = begun.encode_utf16().count() as i64;
            let item = |candidate: Candidate| CompletionItem {
                label: candidate.name,
                kind: Some(candidate.kind.into()),
                detail: Some(candidate.detail).filter(|detail| !detail.is_empty()),
                start: Some(before - length),
                length: Some(length),
            };
            body(CompletionsResponse { targets: evaluation.completions(&text).into_iter().map(item).collect() })
        })
    }
}

/// The text up to the cursor, and how many UTF-16 units of its line that are.
fn up_to(arguments: &CompletionsArguments) -> (String, i64) {
    let at = |number: i64| usize::try_from(number - 1).unwrap_or(0);
    let line = at(arguments.line.unwrap_or(1));
    let mut text = String::new();
    let mut units = 0;
    for (number, content) in arguments.text.split('\n').enumerate().take(line + 1) {
        match number == line {
            false => text.extend([content, "\n"]),
            true => {
                let before: Vec<u16> = content.encode_utf16().take(at(arguments.column)).collect();
                units = before.len() as i64;
                text.push_str(&String::from_utf16_lossy(&before));
            }
        }
    }
    (text, units)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cursor_is_counted_in_utf_16() {
        let of = |text: &str, line: Option<i64>, column| {
            up_to(&CompletionsArguments { text: text.into(), line, column, ..CompletionsArguments::default() })
        };
        assert_eq!(of("order.To", None, 7), ("order.".into(), 6));
        assert_eq!(of("\"😀\" + a", None, 6), ("\"😀\" ".into(), 5));
        assert_eq!(of("a +\nb.C", Some(2), 3), ("a +\nb.".into(), 2));
        assert_eq!(of("a", None, 99), ("a".into(), 1));
    }
}
