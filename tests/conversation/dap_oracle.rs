//! Our DAP types against an independent reading of the schema: the crate `dap-types` (generated from schema 1.65).
//!
//! Every recorded body is read with both and compared field by field; where they differ is listed below with its
//! reason, and an entry that no recording needs any more fails as well.

use std::{collections::BTreeSet, path::PathBuf};

use clrbridge::{
    dap::{self, Request, request},
    transport::replay::Recording,
};
use dap_types::requests::{self as oracle, Request as _};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Value, json};

/// Where the oracle cannot follow, and why that is no mistake of ours.
const ORACLE_GAPS: &[(&str, &str)] = &[
    ("evaluate answered: unreadable for the oracle", "an answer to text for stdin has only `message`"),
    ("exceptionInfo.details.formattedDescription: unknown to the oracle", "not in the schema; both adapters send it"),
    ("exceptionInfo.details.innerException[].formattedDescription: unknown to the oracle", "as above"),
    ("exceptionInfo.details.innerException[].source: unknown to the oracle", "as above"),
    (
        "exceptionInfo.details.source: unknown to the oracle",
        "not in the schema; both adapters send the assembly's name",
    ),
];

/// What adapters send and we do not keep, and why.
const NOT_KEPT: &[(&str, &str)] = &[
    ("continue.threadId", "not in the schema; repeats the request"),
    ("capabilities.supportsExceptionOptions", "filters with conditions do the same"),
    ("initialize.supportsExceptionOptions", "as above"),
];

/// Differences found, each once.
#[derive(Default)]
struct Findings {
    oracle_gaps: BTreeSet<String>,
    not_kept: BTreeSet<String>,
    compared: usize,
}

impl Findings {
    fn compare<Ours, Theirs>(&mut self, what: &str, body: &Value)
    where
        Ours: Serialize + DeserializeOwned,
        Theirs: Serialize + DeserializeOwned,
    {
        let ours: Ours = serde_json::from_value(body.clone()).unwrap_or_else(|error| panic!("{what}: {error}: {body}"));
        let ours = serde_json::to_value(ours).unwrap();
        // Read from text: the oracle's answer must not depend on how a `Value` is read.
        match serde_json::from_str::<Theirs>(&body.to_string()) {
            Ok(theirs) => self.fields(what, body, &ours, &serde_json::to_value(theirs).unwrap()),
            Err(_) => _ = self.oracle_gaps.insert(format!("{what} answered: unreadable for the oracle")),
        }
    }

    /// Everything that is in the body must be the same in both.
    fn fields(&mut self, path: &str, body: &Value, ours: &Value, theirs: &Value) {
        match body {
            Value::Object(map) => {
                for (key, value) in map {
                    let path = format!("{path}.{key}");
                    match (ours.get(key), theirs.get(key)) {
                        (Some(ours), Some(theirs)) => self.fields(&path, value, ours, theirs),
                        (Some(ours), None) => {
                            assert_eq!(ours, value, "{path}");
                            self.oracle_gaps.insert(format!("{path}: unknown to the oracle"));
                        }
                        (None, _) => _ = self.not_kept.insert(path),
                    }
                }
            }
            Value::Array(list) => {
                assert_eq!(ours.as_array().map(Vec::len), Some(list.len()), "{path}");
                for (at, value) in list.iter().enumerate() {
                    self.fields(&format!("{path}[]"), value, &ours[at], &theirs[at]);
                }
            }
            _ => {
                assert_eq!(ours, body, "{path}");
                assert_eq!(theirs, body, "{path}: the oracle reads something else");
                self.compared += 1;
            }
        }
    }

    fn response<Ours: Request, Theirs: oracle::Request>(&mut self, body: &Value)
    where
        Ours::Response: Serialize,
    {
        assert_eq!(Ours::COMMAND, Theirs::COMMAND);
        self.compare::<Ours::Response, Theirs::Response>(Ours::COMMAND, body);
    }

    fn message(&mut self, message: &Value) {
        let Some(body) = message.get("body") else {
            return;
        };
        let name = message["event"].as_str().or(message["command"].as_str()).unwrap();
        match name {
            "initialize" => self.response::<request::Initialize, oracle::Initialize>(body),
            "setBreakpoints" => self.response::<request::SetBreakpoints, oracle::SetBreakpoints>(body),
            "setFunctionBreakpoints" => {
                self.response::<request::SetFunctionBreakpoints, oracle::SetFunctionBreakpoints>(body)
            }
            "setExceptionBreakpoints" => {
                self.response::<request::SetExceptionBreakpoints, oracle::SetExceptionBreakpoints>(body)
            }
            "threads" => self.response::<request::Threads, oracle::Threads>(body),
            "stackTrace" => self.response::<request::StackTrace, oracle::StackTrace>(body),
            "scopes" => self.response::<request::Scopes, oracle::Scopes>(body),
            "variables" => self.response::<request::Variables, oracle::Variables>(body),
            "evaluate" => self.response::<request::Evaluate, oracle::Evaluate>(body),
            "setVariable" => self.response::<request::SetVariable, oracle::SetVariable>(body),
            "setExpression" => self.response::<request::SetExpression, oracle::SetExpression>(body),
            "continue" => self.response::<request::Continue, oracle::Continue>(body),
            "exceptionInfo" => self.response::<request::ExceptionInfo, oracle::ExceptionInfo>(body),
            "capabilities" => self.compare::<dap::Capabilities, dap_types::Capabilities>(name, &body["capabilities"]),
            "stopped" => self.compare::<dap::StoppedEvent, dap_types::StoppedEvent>(name, body),
            "continued" => self.compare::<dap::ContinuedEvent, dap_types::ContinuedEvent>(name, body),
            "thread" => self.compare::<dap::ThreadEvent, dap_types::ThreadEvent>(name, body),
            "module" => self.compare::<dap::ModuleEvent, dap_types::ModuleEvent>(name, body),
            "output" => self.compare::<dap::OutputEvent, dap_types::OutputEvent>(name, body),
            "breakpoint" => self.compare::<dap::BreakpointEvent, dap_types::BreakpointEvent>(name, body),
            "process" => self.compare::<dap::ProcessEvent, dap_types::ProcessEvent>(name, body),
            "exited" => self.exited(message),
            "initialized" | "terminated" | "launch" | "attach" | "configurationDone" | "next" | "stepIn"
            | "stepOut" | "pause" | "disconnect" => {}
            // earlier versions asked for them
            "modules" | "terminate" => {}
            other => panic!("{other} was recorded with a body and is compared nowhere"),
        }
    }

    fn exited(&mut self, message: &Value) {
        let theirs: dap_types::ExitedEvent = serde_json::from_value(message["body"].clone()).unwrap();
        match dap::message::parse(message.to_string().as_bytes()) {
            Ok(dap::Message::Event(dap::Event::Exited { exit_code })) => {
                assert_eq!(exit_code, theirs.exit_code.cast_signed())
            }
            other => panic!("{other:?}"),
        }
        self.compared += 1;
    }
}

fn recordings() -> impl Iterator<Item = Recording> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/recordings");
    let files = ["netcoredbg", "dncdbg"].map(|adapter| std::fs::read_dir(root.join(adapter)).unwrap());
    files.into_iter().flatten().map(|file| Recording::load(file.unwrap().path(), &[]).unwrap())
}

fn listed(gaps: &[(&str, &str)]) -> BTreeSet<String> {
    gaps.iter().map(|(gap, _)| (*gap).to_owned()).collect()
}

#[test]
fn every_recorded_body_reads_the_same_as_by_the_oracle() {
    let mut findings = Findings::default();
    for recording in recordings() {
        for body in recording.adapter_bodies() {
            findings.message(&serde_json::from_str(&String::from_utf8_lossy(body)).unwrap());
        }
    }
    assert!(findings.compared > 10_000, "only {} fields were compared", findings.compared);
    assert_eq!(findings.oracle_gaps, listed(ORACLE_GAPS));
    assert_eq!(findings.not_kept, listed(NOT_KEPT));
}

#[test]
fn every_recorded_message_is_a_response_or_a_known_event() {
    let mut events = 0;
    for recording in recordings() {
        for body in recording.adapter_bodies() {
            match dap::message::parse(body).unwrap() {
                dap::Message::Event(dap::Event::Other { name, body }) => panic!("{name} {body:?}"),
                dap::Message::Event(_) => events += 1,
                dap::Message::Response(response) => assert!(response.request_seq > 0),
                dap::Message::Request(request) => panic!("{request:?}"),
            }
        }
    }
    assert!(events > 1000);
}

/// What goes out: all fields set, read by the oracle, written again.
fn goes_out<Ours: Request, Theirs: oracle::Request>(arguments: &Ours::Arguments) {
    let ours: Value = serde_json::from_slice(&dap::message::encode_request::<Ours>(1, arguments).unwrap()).unwrap();
    let ours = ours["arguments"].clone();
    let theirs: Theirs::Arguments =
        serde_json::from_str(&ours.to_string()).unwrap_or_else(|error| panic!("{}: {error}", Ours::COMMAND));
    assert_eq!(Ours::COMMAND, Theirs::COMMAND);
    assert_eq!(without_nulls(serde_json::to_value(theirs).unwrap()), ours, "{}", Ours::COMMAND);
    assert_eq!(without_nulls(ours.clone()), ours, "{}: a null goes out", Ours::COMMAND);
}

fn without_nulls(value: Value) -> Value {
    match value {
        Value::Object(map) => map
            .into_iter()
            .filter(|(_, value)| !value.is_null())
            .map(|(key, value)| (key, without_nulls(value)))
            .collect(),
        Value::Array(list) => list.into_iter().map(without_nulls).collect(),
        other => other,
    }
}

#[test]
fn all_arguments_are_what_the_schema_says() {
    let text = || Some("x".to_owned());
    goes_out::<request::Initialize, oracle::Initialize>(&dap::InitializeArguments {
        client_id: text(),
        client_name: text(),
        adapter_id: "coreclr".to_owned(),
        locale: text(),
        lines_start_at1: true,
        columns_start_at1: true,
        path_format: Some("path".to_owned()),
        supports_variable_type: Some(true),
        supports_variable_paging: Some(true),
        supports_run_in_terminal_request: Some(false),
        supports_memory_references: Some(false),
        clr_raw_values: false,
    });
    let source = dap::Source {
        name: text(),
        path: text(),
        source_reference: Some(1),
        presentation_hint: Some("normal".to_owned()),
        origin: text(),
    };
    goes_out::<request::SetBreakpoints, oracle::SetBreakpoints>(&dap::SetBreakpointsArguments {
        source: source.clone(),
        breakpoints: vec![
            dap::SourceBreakpoint {
                line: 3,
                column: Some(2),
                condition: text(),
                hit_condition: text(),
                log_message: text(),
                may_run: None,
                clr_hits: None,
                clr_trace: None,
            },
            dap::SourceBreakpoint { line: 4, ..dap::SourceBreakpoint::default() },
        ],
        source_modified: Some(false),
    });
    goes_out::<request::SetFunctionBreakpoints, oracle::SetFunctionBreakpoints>(
        &dap::SetFunctionBreakpointsArguments {
            breakpoints: vec![dap::FunctionBreakpoint {
                name: "A.B".to_owned(),
                condition: text(),
                hit_condition: text(),
                may_run: None,
                clr_hits: None,
                clr_trace: None,
            }],
        },
    );
    goes_out::<request::SetExceptionBreakpoints, oracle::SetExceptionBreakpoints>(
        &dap::SetExceptionBreakpointsArguments {
            filters: vec!["all".to_owned()],
            filter_options: Some(vec![dap::ExceptionFilterOptions { filter_id: "all".to_owned(), condition: text() }]),
        },
    );
    goes_out::<request::StackTrace, oracle::StackTrace>(&dap::StackTraceArguments {
        thread_id: 1,
        start_frame: Some(2),
        levels: Some(3),
        format: Some(dap::StackFrameFormat { line: true, module: true, ..dap::StackFrameFormat::default() }),
    });
    goes_out::<request::Scopes, oracle::Scopes>(&dap::ScopesArguments { frame_id: 1 });
    for filter in [dap::VariablesFilter::Indexed, dap::VariablesFilter::Named] {
        goes_out::<request::Variables, oracle::Variables>(&dap::VariablesArguments {
            variables_reference: 1,
            filter: Some(filter),
            start: Some(2),
            count: Some(3),
            format: Some(dap::ValueFormat { hex: true }),
        });
    }
    goes_out::<request::Evaluate, oracle::Evaluate>(&dap::EvaluateArguments {
        expression: "x".to_owned(),
        frame_id: Some(1),
        context: Some("watch".to_owned()),
        may_run: None,
        time_limit: None,
        format: Some(dap::ValueFormat { hex: true }),
    });
    goes_out::<request::SetVariable, oracle::SetVariable>(&dap::SetVariableArguments {
        variables_reference: 1,
        name: "x".to_owned(),
        value: "1".to_owned(),
        may_run: None,
        format: Some(dap::ValueFormat { hex: true }),
    });
    goes_out::<request::SetExpression, oracle::SetExpression>(&dap::SetExpressionArguments {
        expression: "x".to_owned(),
        value: "1".to_owned(),
        frame_id: Some(1),
        may_run: None,
        format: Some(dap::ValueFormat { hex: true }),
    });
    goes_out::<request::Continue, oracle::Continue>(&dap::ContinueArguments {
        thread_id: 1,
        single_thread: Some(true),
        keep_step: None,
    });
    let step = dap::StepArguments {
        thread_id: 1,
        single_thread: Some(true),
        target_id: None,
        granularity: Some("line".to_owned()),
    };
    goes_out::<request::Next, oracle::Next>(&step);
    goes_out::<request::StepOut, oracle::StepOut>(&step);
    goes_out::<request::StepIn, oracle::StepIn>(&dap::StepArguments { target_id: Some(3), ..step });
    goes_out::<request::Pause, oracle::Pause>(&dap::ThreadArguments { thread_id: 1 });
    goes_out::<request::ExceptionInfo, oracle::ExceptionInfo>(&dap::ThreadArguments { thread_id: 1 });
    goes_out::<request::Disconnect, oracle::Disconnect>(&dap::DisconnectArguments {
        restart: Some(false),
        terminate_debuggee: Some(true),
        suspend_debuggee: Some(false),
    });
}

/// What recordings do not hold: fields of the schema that other adapters send.
#[test]
fn fields_of_other_adapters_read_the_same_as_by_the_oracle() {
    let mut findings = Findings::default();
    let hint =
        json!({"kind": "property", "attributes": ["readOnly", "static"], "visibility": "internal", "lazy": true});
    let variable = json!({
        "name": "x", "value": "1", "type": "int", "evaluateName": "x", "variablesReference": 0, "namedVariables": 1,
        "indexedVariables": 2, "memoryReference": "0x1", "presentationHint": hint,
    });
    findings.response::<request::Variables, oracle::Variables>(&json!({"variables": [variable]}));
    findings.response::<request::Evaluate, oracle::Evaluate>(&json!({
        "result": "1", "type": "int", "variablesReference": 3, "indexedVariables": 9, "memoryReference": "0x1", "presentationHint": hint,
    }));
    let source =
        json!({"name": "a", "path": "/a", "sourceReference": 4, "presentationHint": "deemphasize", "origin": "x"});
    findings.response::<request::StackTrace, oracle::StackTrace>(&json!({"totalFrames": 9, "stackFrames": [{
        "id": 1, "name": "f", "source": source, "line": 1, "column": 2, "endLine": 3, "endColumn": 4, "moduleId": "m",
        "presentationHint": "label", "instructionPointerReference": "0x1",
    }]}));
    findings.response::<request::Scopes, oracle::Scopes>(&json!({"scopes": [{
        "name": "Locals", "presentationHint": "locals", "variablesReference": 1, "namedVariables": 2, "indexedVariables": 3, "expensive": true,
    }]}));
    findings.response::<request::SetBreakpoints, oracle::SetBreakpoints>(&json!({"breakpoints": [{
        "id": 1, "verified": true, "message": "m", "source": source, "line": 1, "column": 2, "endLine": 3, "endColumn": 4,
    }]}));
    findings.compare::<dap::StoppedEvent, dap_types::StoppedEvent>(
        "stopped",
        &json!({
            "reason": "function breakpoint", "description": "d", "threadId": 1, "preserveFocusHint": true, "text": "t",
            "allThreadsStopped": true, "hitBreakpointIds": [1, 2],
        }),
    );
    findings.compare::<dap::OutputEvent, dap_types::OutputEvent>("output", &json!({
        "category": "important", "output": "o", "group": "start", "variablesReference": 1, "source": source, "line": 1, "column": 2,
        "data": {"a": [1, null]},
    }));
    findings.compare::<dap::Capabilities, dap_types::Capabilities>("capabilities", &json!({
        "supportsEvaluateForHovers": true, "supportsGotoTargetsRequest": true, "supportsDelayedStackTraceLoading": true,
        "supportsBreakpointLocationsRequest": true, "supportsReadMemoryRequest": true,
        "exceptionBreakpointFilters": [{
            "filter": "all", "label": "All", "description": "d", "default": true, "supportsCondition": true, "conditionDescription": "c",
        }],
    }));
    assert_eq!(findings.oracle_gaps, BTreeSet::new());
    assert_eq!(findings.not_kept, BTreeSet::new());
    assert!(findings.compared > 80);
}

#[test]
fn every_request_of_ours_is_one_of_the_schema() {
    let schema = [
        oracle::Initialize::COMMAND,
        oracle::Launch::COMMAND,
        oracle::Attach::COMMAND,
        oracle::ConfigurationDone::COMMAND,
        oracle::SetBreakpoints::COMMAND,
        oracle::SetFunctionBreakpoints::COMMAND,
        oracle::SetExceptionBreakpoints::COMMAND,
        oracle::Threads::COMMAND,
        oracle::StackTrace::COMMAND,
        oracle::Scopes::COMMAND,
        oracle::Variables::COMMAND,
        oracle::Evaluate::COMMAND,
        oracle::ReadMemory::COMMAND,
        oracle::SetVariable::COMMAND,
        oracle::SetExpression::COMMAND,
        oracle::Continue::COMMAND,
        oracle::Next::COMMAND,
        oracle::StepIn::COMMAND,
        oracle::StepOut::COMMAND,
        oracle::Pause::COMMAND,
        oracle::ExceptionInfo::COMMAND,
        oracle::Disconnect::COMMAND,
    ];
    // what the protocol has no words for has a prefix that it will never have
    let of_the_schema: Vec<&str> = request::COMMANDS.iter().copied().filter(|name| !name.starts_with("clr")).collect();
    assert_eq!(of_the_schema, schema);
}
