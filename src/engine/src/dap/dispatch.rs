//! Which part of the server answers a request.

use dap_wire::InitializeArguments;
use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_json::value::RawValue;

use super::input::Request;
use super::server::{Answer, Server, body, refused};
use crate::com;
use crate::target::Kind;

impl Server {
    pub(super) fn dispatch(&mut self, request: &Request) -> Answer {
        let stuck_in = self.debugging.as_ref().and_then(|debugging| debugging.target.stuck_in());
        if let Some(method) = stuck_in.filter(|_| !matches!(request.command.as_str(), "disconnect" | "terminate")) {
            let words =
                format!("an evaluation is running in {method} and cannot be interrupted: terminate the program");
            return Err(refused(&words, com::HResult::TIMEOUT));
        }
        match request.command.as_str() {
            "initialize" => {
                self.shows_raw = read::<InitializeArguments>(request).is_ok_and(|it| it.clr_raw_values);
                body(super::capabilities::body())
            }
            "launch" => self.launch(read(request)?),
            "attach" => self.attach(read(request)?),
            "configurationDone" => self.configuration_done(),
            "disconnect" => self.disconnect(&read(request)?),
            "terminate" => self.terminate(),
            "setBreakpoints" => self.set_breakpoints(&read(request)?),
            "setFunctionBreakpoints" => self.set_function_breakpoints(&read(request)?),
            "setExceptionBreakpoints" => self.set_exception_breakpoints(&read(request)?),
            "breakpointLocations" => self.breakpoint_locations(&read::<Value>(request)?),
            "threads" => self.threads(),
            "stackTrace" => self.stack_trace(&read(request)?),
            "scopes" => self.scopes(&read(request)?),
            "variables" => self.variables(&read(request)?),
            "evaluate" => self.evaluate(&read(request)?),
            "setVariable" => self.set_variable(&read(request)?),
            "setExpression" => self.set_expression(&read(request)?),
            "exceptionInfo" => self.exception_info(&read(request)?),
            "modules" => self.modules(&read(request)?),
            "continue" => self.resume(&read(request)?),
            "next" => self.step(&read(request)?, Kind::Over),
            "stepIn" => self.step(&read(request)?, Kind::Into),
            "stepOut" => self.step(&read(request)?, Kind::Out),
            "pause" => self.pause(&read(request)?),
            "gotoTargets" => self.goto_targets(&read::<Value>(request)?),
            "goto" => self.goto(&read::<Value>(request)?),
            "readMemory" => self.read_memory(&read::<Value>(request)?),
            "clrExceptions" => self.exceptions(),
            "clrWaits" => self.waits(),
            "clrHeapStatistics" => self.heap_statistics(&read(request)?),
            "clrHeapFind" => self.heap_find(&read(request)?),
            "clrHeapRoots" => self.heap_roots(&read(request)?),
            "clrHeapReferences" => self.heap_references(&read(request)?),
            "clrHeapObject" => self.heap_object(&read(request)?),
            "loadedSources" => self.loaded_sources(),
            "source" => self.source(&read(request)?),
            "completions" => self.completions(&read(request)?),
            "stepInTargets" => self.step_in_targets(&read(request)?),
            // what it names was ended by it already, or is over
            "cancel" => {
                self.cancelled.forget(request);
                Ok(None)
            }
            "restartFrame" => Err("restartFrame is not supported: the runtime cannot restart a method; \
                 goto moves the next statement within the innermost frame"
                .into()),
            "terminateThreads" => {
                Err("terminateThreads is not supported: the runtime cannot end one thread of a program \
                 safely; terminate ends the program"
                    .into())
            }
            other => Err(format!("'{other}' is not supported")),
        }
    }
}

fn read<T: DeserializeOwned>(request: &Request) -> Result<T, String> {
    let arguments = request.arguments.as_deref().map_or("{}", RawValue::get);
    serde_json::from_str(arguments).map_err(|error| format!("invalid arguments for {}: {error}", request.command))
}
