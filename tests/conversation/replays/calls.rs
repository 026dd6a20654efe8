//! The requests of a recording client, as calls of our tools.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use clrbridge::transport::replay::Recording;
use serde_json::{Value, json};

pub type Call = (String, Value);

/// A call as a snapshot shows it.
pub fn shown(tool: &str, arguments: &Value) -> String {
    match arguments {
        Value::Object(map) if map.is_empty() => tool.to_owned(),
        other if tool == "debug_attach" => format!("{tool} {}", without_pid(other.clone())),
        other => format!("{tool} {other}"),
    }
}

fn without_pid(mut arguments: Value) -> Value {
    if let Some(map) = arguments.as_object_mut() {
        map.shift_remove("pid");
    }
    arguments
}

pub fn calls(recording: &Path) -> Vec<Call> {
    let recording = Recording::load(recording, &[("workspace", "")]).unwrap();
    let requests: Vec<Value> = recording.requests().cloned().collect();
    let mut repeated = Repeated::default();
    for request in &requests {
        repeated.hear(request["command"].as_str().unwrap(), &request["arguments"]);
    }
    repeated.calls
}

#[derive(Default)]
struct Repeated {
    calls: Vec<Call>,
    started: bool,
    launch: Value,
    breakpoints: Vec<Value>,
    /// Ours by file and line: the recorder set the whole list of a file each time.
    set: BTreeMap<(String, i64), i64>,
    next_id: i64,
    exceptions: Option<Value>,
    /// What was asked at this stop already.
    asked: BTreeSet<String>,
}

impl Repeated {
    fn say(&mut self, tool: &str, arguments: Value) {
        self.calls.push((tool.to_owned(), arguments));
    }

    /// Recorders asked again and again.
    fn ask_once(&mut self, tool: &str, arguments: Value) {
        if self.started && self.asked.insert(format!("{tool} {arguments}")) {
            self.say(tool, arguments);
        }
    }

    fn resume(&mut self, tool: &str, arguments: Value) {
        self.asked.clear();
        self.say(tool, arguments);
    }

    fn hear(&mut self, command: &str, arguments: &Value) {
        match command {
            "launch" | "attach" => self.launch = json!({"command": command, "arguments": arguments}),
            "setBreakpoints" => self.set_breakpoints(arguments),
            "setFunctionBreakpoints" => {
                for name in arguments["breakpoints"].as_array().into_iter().flatten() {
                    self.one_breakpoint(json!({"function": name["name"]}), name);
                }
            }
            "setExceptionBreakpoints" => self.set_exceptions(arguments),
            "configurationDone" => self.start(),
            "continue" => self.resume("debug_continue", json!({"timeout_ms": 5000})),
            "next" => self.resume("debug_step", json!({"mode": "over", "timeout_ms": 5000})),
            "stepIn" => self.resume("debug_step", json!({"mode": "in", "timeout_ms": 5000})),
            "stepOut" => self.resume("debug_step", json!({"mode": "out", "timeout_ms": 5000})),
            "pause" => self.resume("debug_pause", json!({})),
            "disconnect" | "terminate" => self.resume("debug_disconnect", json!({})),
            // as the one who asked for it was asked
            "evaluate" => {
                let arguments = json!({"expression": arguments["expression"], "allow_side_effects": true});
                self.ask_once("evaluate", arguments);
            }
            "variables" => self.ask_once("variables_get", json!({})),
            "stackTrace" => self.ask_once("stacktrace_get", json!({})),
            "threads" => self.ask_once("threads_list", json!({})),
            "exceptionInfo" => self.ask_once("exception_get_context", json!({})),
            "modules" => self.ask_once("modules_list", json!({})),
            "setVariable" => {
                let arguments =
                    json!({"path": arguments["name"], "value": arguments["value"], "allow_side_effects": true});
                self.say("variable_set", arguments);
            }
            "setExpression" => {
                let path = &arguments["expression"];
                let arguments = json!({"path": path, "value": arguments["value"], "allow_side_effects": true});
                self.say("variable_set", arguments);
            }
            _ => {}
        }
    }

    fn start(&mut self) {
        if self.started {
            return;
        }
        self.started = true;
        let breakpoints = std::mem::take(&mut self.breakpoints);
        let (mut arguments, tool) = match self.launch["command"].as_str() {
            Some("attach") => {
                let pid = &self.launch["arguments"]["processId"];
                (json!({"pid": pid.as_u64().filter(|pid| *pid > 0).unwrap_or(1), "timeout_ms": 5000}), "debug_attach")
            }
            _ => {
                let program = self.launch["arguments"]["program"].as_str().unwrap_or("Missing");
                let mut arguments = json!({"program": program.trim_start_matches('/'), "timeout_ms": 5000});
                if self.launch["arguments"]["stopAtEntry"] == true {
                    arguments["stop_at_entry"] = json!(true);
                }
                (arguments, "debug_launch")
            }
        };
        if !breakpoints.is_empty() {
            arguments["breakpoints"] = breakpoints.into();
        }
        if let Some(exceptions) = self.exceptions.take() {
            arguments["exceptions"] = exceptions;
        }
        self.say(tool, arguments);
    }

    fn set_breakpoints(&mut self, arguments: &Value) {
        let file = arguments["source"]["path"].as_str().unwrap_or_default().trim_start_matches('/').to_owned();
        let wanted: Vec<&Value> = arguments["breakpoints"].as_array().into_iter().flatten().collect();
        let lines: BTreeSet<i64> = wanted.iter().filter_map(|wanted| wanted["line"].as_i64()).collect();
        let gone: Vec<_> =
            self.set.keys().filter(|(other, line)| *other == file && !lines.contains(line)).cloned().collect();
        for place in gone {
            let id = self.set.remove(&place).unwrap();
            self.say("breakpoint_remove", json!({"id": id}));
        }
        for wanted in wanted {
            let place = (file.clone(), wanted["line"].as_i64().unwrap_or(0));
            if !self.set.contains_key(&place) {
                self.set.insert(place, self.next_id + 1);
                self.one_breakpoint(json!({"file": file, "line": wanted["line"]}), wanted);
            }
        }
    }

    fn one_breakpoint(&mut self, mut ours: Value, recorded: &Value) {
        self.next_id += 1;
        for (ours_name, name) in [("condition", "condition"), ("hit_condition", "hitCondition")] {
            if let Some(text) = recorded[name].as_str() {
                ours[ours_name] = json!(text);
            }
        }
        if let Some(message) = recorded["logMessage"].as_str() {
            ours["message"] = json!(message);
            // of its code nothing is known here
            ours["allow_side_effects"] = json!(true);
            return self.say("tracepoint_set", ours);
        }
        if self.started { self.say("breakpoint_set", ours) } else { self.breakpoints.push(ours) }
    }

    fn set_exceptions(&mut self, arguments: &Value) {
        let options = arguments["filterOptions"].as_array().into_iter().flatten();
        let filters = arguments["filters"].as_array().into_iter().flatten();
        let named: Vec<(&str, &str)> =
            filters
                .filter_map(|filter| Some((filter.as_str()?, "*")))
                .chain(options.filter_map(|option| {
                    Some((option["filterId"].as_str()?, option["condition"].as_str().unwrap_or("*")))
                }))
                .collect();
        let Some((filter, types)) = named.first() else { return };
        let mode = if *filter == "user-unhandled" { "user_unhandled" } else { "thrown" };
        let types: Vec<&str> = types.split([',', ' ']).filter(|word| !word.is_empty() && *word != "!").collect();
        let rule = json!({"types": types, "mode": mode});
        if self.started { self.say("breakpoint_set_exception", rule) } else { self.exceptions = Some(rule) }
    }
}
