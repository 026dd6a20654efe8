//! `gotoTargets` and `goto`: the next statement is set by hand.

use serde_json::{Value, json};

use super::server::{Answer, Server, body, refused};
use super::sources::source;
use crate::breakpoints::is_meant;
use crate::stepping;

impl Server {
    /// Statements of the frame's own method that begin on a line.
    pub(super) fn goto_targets(&mut self, arguments: &Value) -> Answer {
        let pause = self.paused()?;
        let path = arguments.pointer("/source/path").and_then(Value::as_str).ok_or("source.path is missing")?;
        let line = arguments.get("line").and_then(Value::as_u64).ok_or("line is missing")?;
        let top = pause.stopped.thread(pause.thread).and_then(|thread| thread.top());
        let top = top.map_err(|error| refused("the thread is not in managed code", error))?;
        let at = top.data();
        let symbols = at.module.symbols().ok_or("the code has no symbols")?;
        let map = &pause.stopped.target().options.sources;
        let mut targets = Vec::new();
        for point in symbols.sequence_points(at.method) {
            let document = symbols.document(point.document).map(|document| document.path.as_str());
            if point.is_hidden || u64::from(point.line) != line || !document.is_some_and(|it| is_meant(it, path, map)) {
                continue;
            }
            targets.push(json!({
                "id": point.il_offset,
                "label": format!("{}:{}", source(path).name.unwrap_or_default(), point.line),
                "line": point.line,
                "column": point.column,
                "endLine": point.end_line,
                "endColumn": point.end_column,
            }));
        }
        body(json!({ "targets": targets }))
    }

    /// The target's id is an IL offset of the thread's innermost method.
    pub(super) fn goto(&mut self, arguments: &Value) -> Answer {
        let pause = self.paused()?;
        let number = |name: &str| arguments.get(name).and_then(Value::as_u64).and_then(|it| u32::try_from(it).ok());
        let (thread, offset) =
            number("threadId").zip(number("targetId")).ok_or("threadId and targetId must be numbers")?;
        let top = pause.stopped.thread(thread).and_then(|thread| thread.top());
        let frame = top.map_err(|error| refused("the thread is not in managed code", error))?.data().il.clone();
        let words = "the next statement cannot be set there: it is outside of this block or method";
        // other successes move it, but not to where it was asked for
        match frame.can_set_ip(offset) {
            Ok(0) => {}
            Ok(_) => return Err(words.into()),
            Err(error) => return Err(refused(words, error)),
        }
        frame.set_ip(offset).map_err(|error| refused(words, error))?;
        pause.stopped.forget();
        pause.references = super::references::References::default();
        stepping::cancel(pause.stopped.target());
        self.moved = Some(thread);
        Ok(None)
    }

    /// After the answer to `goto`.
    pub(super) fn report_moved(&mut self) {
        if let Some(thread) = self.moved.take() {
            self.event("stopped", Some(json!({ "reason": "goto", "threadId": thread, "allThreadsStopped": true })));
        }
    }
}
