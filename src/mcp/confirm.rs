//! With `--confirm` a person is asked before a client starts a program, attaches to one, writes to it or changes it, where the client can
//! ask (elicitation). If the client cannot, the call proceeds: the client's own prompts protect its user. What a person does in the dashboard is
//! their own act and is not asked for.

use std::collections::BTreeMap;
use std::time::Duration;

use rmcp::RoleServer;
use rmcp::model::{
    ClientResult, ElicitRequest, ElicitRequestParams, ElicitResult, ElicitationAction, ElicitationSchema, InputRequest,
    InputRequiredResult, InputResponses, JsonObject, ServerRequest,
};
use rmcp::service::{Peer, RequestContext};
use serde_json::Value;
use tokio::time::timeout;

use crate::session::{Code, SessionError};

/// How long a person may take.
const LIMIT: Duration = Duration::from_secs(600);
/// The name of the question among those of one call.
const QUESTION: &str = "confirm";
/// Characters of a value in a question.
const SHOWN: usize = 200;

/// Whom to ask, and how.
pub(super) enum Asking {
    /// By a request of our own (revisions before 2026-07-28).
    Peer(Peer<RoleServer>),
    /// By an answer that asks back (since then), unless the call brings what the person said.
    Answer(Option<InputResponses>),
}

/// What came of it.
pub(super) enum Asked {
    Confirmed,
    Declined(SessionError),
    /// The client asks, and calls again.
    AskBack(InputRequiredResult),
}

/// How this client asks a person; `None`: it cannot.
pub(super) fn asking(
    context: &RequestContext<RoleServer>,
    is_modern: bool,
    given: Option<InputResponses>,
) -> Option<Asking> {
    let elicits = context.client_capabilities()?.elicitation?;
    // one that names no way means forms
    if elicits.form.is_none() && elicits.url.is_some() {
        return None;
    }
    Some(if is_modern { Asking::Answer(given) } else { Asking::Peer(context.peer.clone()) })
}

/// What a person is asked before this call; `None`: nothing.
pub(super) fn question(tool: &str, arguments: &JsonObject) -> Option<String> {
    let text = |name: &str| arguments.get(name).map(shown).unwrap_or_default();
    Some(match tool {
        "debug_launch" => {
            let given = arguments.get("args").and_then(Value::as_array).into_iter().flatten();
            let words: Vec<String> = std::iter::once(text("program")).chain(given.map(shown)).collect();
            let sets = arguments.get("env").and_then(Value::as_object).filter(|env| !env.is_empty());
            let sets = sets.map(|env| env.keys().map(String::as_str).collect::<Vec<_>>().join(", "));
            let sets = sets.map(|names| format!(" with the environment variables {names}")).unwrap_or_default();
            format!("start {}{sets} under the debugger{}", words.join(" "), at_breakpoints(arguments))
        }
        "debug_restart" => "start the program again".into(),
        "debug_attach" => {
            let process = match arguments.contains_key("pid") {
                true => format!("process {}", text("pid")),
                false => format!("the process {}", text("process_name")),
            };
            format!("attach the debugger to {process}{}", at_breakpoints(arguments))
        }
        "process_write_input" => format!("write to the program's input: {}", text("data")),
        "variable_set" => format!("set {} to {} in the program", text("path"), text("value")),
        "breakpoint_set" => {
            format!("run code that may have side effects at each hit of a breakpoint: {}", run_by(arguments)?)
        }
        "tracepoint_set" => {
            format!("run code that may have side effects at each hit of a tracepoint: {}", run_by(arguments)?)
        }
        "evaluate" if may_change(arguments) => {
            let given = match arguments.get("expression") {
                Some(one) => shown(one),
                None => text("expressions"),
            };
            format!("run code that may have side effects: {given}")
        }
        _ => return None,
    })
}

fn may_change(arguments: &JsonObject) -> bool {
    arguments.get("allow_side_effects") == Some(&Value::Bool(true))
}

/// What a breakpoint evaluates that may change the program; `None`: nothing.
fn run_by(breakpoint: &JsonObject) -> Option<String> {
    let evaluated = ["condition", "message"].into_iter().filter_map(|name| breakpoint.get(name)).map(shown);
    let evaluated: Vec<String> = evaluated.filter(|text| !text.trim().is_empty()).collect();
    (may_change(breakpoint) && !evaluated.is_empty()).then(|| evaluated.join(", "))
}

/// The same of those that launch and attach set.
fn at_breakpoints(arguments: &JsonObject) -> String {
    let set = arguments.get("breakpoints").and_then(Value::as_array).into_iter().flatten();
    let run: Vec<String> = set.filter_map(Value::as_object).filter_map(run_by).collect();
    match run.is_empty() {
        true => String::new(),
        false => {
            format!(", and run code that may have side effects at each hit of its breakpoints: {}", run.join(", "))
        }
    }
}

/// On one line, cut.
fn shown(value: &Value) -> String {
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let line: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(SHOWN + 1).collect();
    match line.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default()),
        None => line,
    }
}

/// Asks, and waits for what the person says.
pub(super) async fn ask(asking: Asking, act: &str) -> Asked {
    let form = ElicitRequestParams::FormElicitationParams {
        meta: None,
        message: format!("Allow clrbridge to {}?", act.trim()),
        requested_schema: ElicitationSchema::new(BTreeMap::new()),
    };
    let said = match asking {
        Asking::Peer(peer) => {
            let request = ServerRequest::ElicitRequest(ElicitRequest::new(form));
            match timeout(LIMIT, peer.send_request(request)).await {
                Ok(Ok(ClientResult::ElicitResult(result))) => Some(result.action),
                _ => None,
            }
        }
        Asking::Answer(None) => {
            let question = InputRequest::Elicitation(ElicitRequest::new(form));
            return Asked::AskBack(InputRequiredResult::from_input_requests([(QUESTION.to_owned(), question)].into()));
        }
        Asking::Answer(Some(given)) => given
            .get(QUESTION)
            .and_then(|said| serde_json::from_value::<ElicitResult>(said.clone()).ok())
            .map(|result| result.action),
    };
    let act = act.trim();
    let message = match said {
        Some(ElicitationAction::Accept) => return Asked::Confirmed,
        Some(ElicitationAction::Decline) => format!("the user declined to let clrbridge {act}"),
        Some(ElicitationAction::Cancel) => format!("the user dismissed the request to let clrbridge {act}"),
        _ => format!("clrbridge could not ask the user for permission to {act}"),
    };
    Asked::Declined(SessionError::new(
        Code::NotConfirmed,
        message,
        "do not try another way; ask the user what they want",
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn of(tool: &str, arguments: Value) -> Option<String> {
        question(tool, arguments.as_object().unwrap())
    }

    #[test]
    fn what_starts_writes_or_changes_is_asked_for_in_words_and_what_reads_is_not() {
        for (tool, arguments, expected) in [
            (
                "debug_launch",
                json!({"program": "Shop.dll", "args": ["a b", "c"], "env": {"X": "1"}}),
                "start Shop.dll a b c with the environment variables X under the debugger",
            ),
            ("debug_attach", json!({"pid": 7}), "attach the debugger to process 7"),
            ("debug_attach", json!({"process_name": "Shop"}), "attach the debugger to the process Shop"),
            ("process_write_input", json!({"data": "y\n"}), "write to the program's input: y "),
            ("variable_set", json!({"path": "i", "value": "5"}), "set i to 5 in the program"),
            (
                "evaluate",
                json!({"expression": "Bump()", "allow_side_effects": true}),
                "run code that may have side effects: Bump()",
            ),
            (
                "breakpoint_set",
                json!({"file": "A.cs", "line": 3, "condition": "Bump() > 2", "allow_side_effects": true}),
                "run code that may have side effects at each hit of a breakpoint: Bump() > 2",
            ),
            (
                "tracepoint_set",
                json!({"file": "A.cs", "message": "n={Next()}", "condition": "On()", "allow_side_effects": true}),
                "run code that may have side effects at each hit of a tracepoint: On(), n={Next()}",
            ),
            (
                "debug_attach",
                json!({"pid": 7, "breakpoints": [
                    {"file": "A.cs", "line": 3, "condition": "Bump()", "allow_side_effects": true},
                    {"file": "A.cs", "line": 4, "condition": "i > 2"},
                ]}),
                "attach the debugger to process 7, and run code that may have side effects at each hit of its breakpoints: Bump()",
            ),
        ] {
            assert_eq!(of(tool, arguments).as_deref(), Some(expected));
        }
        for (tool, arguments) in [
            ("evaluate", json!({"expression": "i"})),
            ("evaluate", json!({"expression": "i", "allow_side_effects": false})),
            ("breakpoint_set", json!({"line": 3, "condition": "i > 2", "allow_side_effects": false})),
            ("breakpoint_set", json!({"line": 3, "allow_side_effects": true})),
            ("tracepoint_set", json!({"line": 3, "message": "i={i}"})),
            ("debug_step", json!({"mode": "over"})),
            ("variables_get", json!({})),
        ] {
            assert_eq!(of(tool, arguments), None);
        }
        let long = of("variable_set", json!({"path": "s", "value": "x".repeat(10_000)})).unwrap();
        assert!(long.chars().count() < SHOWN + 40 && long.contains('…'), "{long}");
    }
}
