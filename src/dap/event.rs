//! Events that an adapter sends on its own.

use serde::{Deserialize, de::DeserializeOwned};
use serde_json::value::RawValue;

use super::types::{
    BreakpointEvent, Capabilities, ContinuedEvent, HitsEvent, ModuleEvent, OutputEvent, ProcessEvent, StoppedEvent,
    ThreadEvent, TracesEvent,
};

/// An event. One that we do not know, or know but cannot read, is [`Event::Other`] and never an error.
#[derive(Debug, Clone)]
pub enum Event {
    /// Breakpoints may be sent now. netcoredbg <= 3.1.1 sends it before the `initialize` response, 3.1.2 after.
    Initialized,
    /// Changed capabilities; netcoredbg and dncdbg send all of them before the `initialize` response.
    Capabilities(Box<Capabilities>),
    /// The program stopped. May come before the response of the request that caused it.
    Stopped(StoppedEvent),
    /// The program runs. netcoredbg sends it before the response of the resume.
    Continued(ContinuedEvent),
    /// The program ended.
    Exited {
        /// As the adapter reports it; negative where the runtime ended by an exception on Windows.
        exit_code: i64,
    },
    /// Debugging ended; also after a detach. Comes before or after `exited`.
    Terminated,
    /// A thread came or went.
    Thread(ThreadEvent),
    /// A module came, changed or went.
    Module(Box<ModuleEvent>),
    /// Text; cut anywhere, even inside a character (which then reads as U+FFFD here).
    Output(Box<OutputEvent>),
    /// A breakpoint was verified or moved.
    Breakpoint(Box<BreakpointEvent>),
    /// Hits that stopped nothing were counted; of adapters with `supportsClrHitCounts`.
    Hits(HitsEvent),
    /// Hits of tracepoints were read without a stop; of adapters with `supportsClrTraces`.
    Traces(TracesEvent),
    /// The adapter started a process (netcoredbg: launch only).
    Process(ProcessEvent),
    /// Anything else.
    Other {
        /// The name on the wire.
        name: String,
        /// The body as it came.
        body: Option<Box<RawValue>>,
    },
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ExitedBody {
    exit_code: i64,
}

#[derive(Deserialize)]
struct CapabilitiesBody {
    capabilities: Box<Capabilities>,
}

impl Event {
    /// Reads the body of an event by its name.
    #[must_use]
    pub fn parse(name: String, body: Option<Box<RawValue>>) -> Self {
        fn read<T: DeserializeOwned>(body: Option<&RawValue>) -> Option<T> {
            // serde would read an array as the fields in order.
            let object = body?.get();
            object.starts_with('{').then(|| serde_json::from_str(object).ok())?
        }
        let raw = body.as_deref();
        let known = match name.as_str() {
            "initialized" => Some(Self::Initialized),
            "terminated" => Some(Self::Terminated),
            "capabilities" => read::<CapabilitiesBody>(raw).map(|body| Self::Capabilities(body.capabilities)),
            "stopped" => read(raw).map(Self::Stopped),
            "continued" => read(raw).map(Self::Continued),
            "exited" => read::<ExitedBody>(raw).map(|body| Self::Exited { exit_code: body.exit_code }),
            "thread" => read(raw).map(Self::Thread),
            "module" => read(raw).map(Self::Module),
            "output" => read(raw).map(Self::Output),
            "breakpoint" => read(raw).map(Self::Breakpoint),
            "clrHits" => read(raw).map(Self::Hits),
            "clrTraces" => read(raw).map(Self::Traces),
            "process" => read(raw).map(Self::Process),
            _ => None,
        };
        known.unwrap_or(Self::Other { name, body })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dap::types::{BreakpointReason, StopReason};

    fn event(name: &str, body: &str) -> Event {
        Event::parse(name.to_owned(), (!body.is_empty()).then(|| RawValue::from_string(body.to_owned()).unwrap()))
    }

    #[test]
    fn values_outside_the_schema_are_kept() {
        match event("stopped", r#"{"reason":"brand new","threadId":-3}"#) {
            Event::Stopped(stopped) => {
                assert_eq!(stopped.reason, StopReason::Other("brand new".to_owned()));
                assert_eq!(stopped.thread_id, Some(-3));
            }
            other => panic!("{other:?}"),
        }
        match event("breakpoint", r#"{"reason":"moved","breakpoint":{"id":1,"verified":true}}"#) {
            Event::Breakpoint(event) => {
                assert_eq!(event.reason, BreakpointReason::Other("moved".to_owned()))
            }
            other => panic!("{other:?}"),
        }
        assert!(matches!(event("exited", r#"{"exitCode":-532462766}"#), Event::Exited { exit_code: -532_462_766 }));
    }

    #[test]
    fn a_known_event_with_a_bad_body_is_kept_as_other() {
        let names =
            ["stopped", "continued", "exited", "thread", "module", "output", "breakpoint", "process", "capabilities"];
        for name in names {
            for body in [
                "",
                "null",
                "7",
                "[]",
                r#"{"reason":7,"exitCode":"x","output":{},"module":0,"threadId":"x","capabilities":0,"systemProcessId":"x"}"#,
            ] {
                match event(name, body) {
                    Event::Other { name: kept, .. } => assert_eq!(kept, name),
                    other => panic!("{name} {body}: {other:?}"),
                }
            }
        }
    }

    #[test]
    fn an_unknown_event_keeps_its_body() {
        match event("customThing", r#"{"a":1}"#) {
            Event::Other { name, body } => {
                assert_eq!(name, "customThing");
                assert_eq!(body.unwrap().get(), r#"{"a":1}"#);
            }
            other => panic!("{other:?}"),
        }
    }
}
