//! Prompts: what a person asks for by name, and the plan that a model gets for it. Only those whose tools are all listed are offered.

use serde_json::Value;

use super::tools;
use crate::mcp::tool::Tool;

/// An argument of a prompt. What it is called says how it is completed.
pub(super) struct Argument {
    pub name: &'static str,
    pub description: &'static str,
    pub is_required: bool,
}

pub(super) struct Prompt {
    pub name: &'static str,
    pub title: &'static str,
    pub description: &'static str,
    pub arguments: &'static [Argument],
    /// `{name}` stands for an argument; a line with one that was not given is left out.
    text: &'static str,
}

const fn required(name: &'static str, description: &'static str) -> Argument {
    Argument { name, description, is_required: true }
}

const fn optional(name: &'static str, description: &'static str) -> Argument {
    Argument { name, description, is_required: false }
}

const ALL: &[Prompt] = &[
    Prompt {
        name: "diagnose_exception",
        title: "Explain a Crash or an Exception",
        description: "Find out where an exception comes from and why it was thrown",
        arguments: &[
            optional("program", "The program to start: a dll, a project or a folder; omit to use the current session"),
            optional("type", "Full name of the exception's type, such as System.InvalidOperationException"),
        ],
        text: "Find out why this .NET program throws, and explain the cause.
1. If no program is being debugged (debug_state), start it with debug_launch.
   The program is {program}.
2. breakpoint_set_exception with mode thrown and the type of the exception in types, then debug_continue until the program stops at that exception.
   The type is {type}.
   If the type is not known, use mode unhandled.
3. At the stop call exception_get_context: read message, inner exceptions and where each was thrown.
4. Go up the stack with stacktrace_get and read the values that led there (variables_get, evaluate).
5. Say which value is wrong, where it comes from, and which line must change. Quote file:line and the values that you saw.
Do not guess: rely only on what you have read at a stop.",
    },
    Prompt {
        name: "find_bug_source",
        title: "Find the Source of a Bug",
        description: "Trace a wrong result back to the line that causes it",
        arguments: &[
            required("symptom", "What is wrong, and what was expected"),
            optional("program", "The program to start: a dll, a project or a folder"),
            optional("file", "The file where the symptom appears"),
        ],
        text: "Find the line that causes this: {symptom}
1. Start the program with debug_launch and a breakpoint where the wrong result appears (pass `text` instead of counting lines).
   The program is {program}.
   The symptom appears in {file}.
2. At the stop compare the actual values with the expected ones (variables_get, evaluate).
3. Find where the wrong value is computed: set a breakpoint with a condition, or tracepoint_set with a message, at each place that assigns it.
4. Repeat from there until the inputs are right and the output is wrong: that is the line.
5. Report file:line, the values before and after it, and the change that fixes it. End with debug_disconnect.",
    },
    Prompt {
        name: "debug_failing_test",
        title: "Debug a Failing Test",
        description: "Stop a test where it fails and explain why",
        arguments: &[
            required("project", "The test project"),
            optional("test", "Name of the test, or a part of it"),
        ],
        text: "Find out why a test of {project} fails.
   The test is {test}.
1. breakpoint_set in the test and in the code that it calls (pass `text`); breakpoint_set_exception with types [\"*\"] and mode user_unhandled stops where an assertion fails.
2. If the project builds a program of its own (Microsoft.Testing.Platform, xunit v3): debug_launch it and pass the test framework's filter for the test in `args`.
   Otherwise, in your own shell, run `VSTEST_HOST_DEBUG=1 dotnet test` with a filter for the test: it prints `Process Id: N` and waits; debug_attach to that pid with max_stop_s 0.
3. Read the expected and the actual value (exception_get_context, variables_get).
4. Go back to where the wrong value is computed: set a breakpoint there and repeat the run.
5. Say whether the test or the code is wrong, with file:line and the values that you saw. End with debug_disconnect.",
    },
    Prompt {
        name: "inspect_running_process",
        title: "Inspect a Running Process",
        description: "Inspect a running .NET process and leave it running",
        arguments: &[required("process", "Its pid or its name")],
        text: "Inspect the running process {process} without disturbing it.
1. process_list shows the running processes; debug_attach to it. It keeps running.
2. tracepoint_set logs values without stopping it. If you need to look closer, debug_pause, then threads_list, stacktrace_get and variables_get, and debug_continue at once.
3. Change nothing: no variable_set, no evaluate with allow_side_effects.
4. End with debug_disconnect, which leaves it running, and report what you found.",
    },
    Prompt {
        name: "trace_data_flow",
        title: "Trace a Value",
        description: "Follow a value through the program and list where it changes",
        arguments: &[
            required("expression", "The variable or member to follow"),
            optional("file", "Where it is first seen"),
        ],
        text: "Follow the value of {expression} through the program.
   It is first seen in {file}.
1. Find the places that assign it: code_load, then code_find_assignments.
2. tracepoint_set at each with a message that shows it and what it is computed from, such as \"{expression} = {{expression}}\".
3. Run the program to its end (debug_continue), then read the log with debug_query_events, stream tracepoints.
4. List the values in order with file:line, and mark the first unexpected one.",
    },
    Prompt {
        name: "find_hang",
        title: "Find Why a Program Hangs",
        description: "See what the threads of a hung program wait for",
        arguments: &[
            optional("process", "Pid or name of the hung process; omit to use the current session"),
            optional("session_id", "The session, if several are live"),
        ],
        text: "Find out why this program hangs.
   Attach to {process} with debug_attach.
   The session is {session_id}.
1. debug_pause, then threads_list: each thread's top user frame, and the framework call it waits in.
2. For each thread that waits for a lock, a task or an event, stacktrace_get with its thread_id: what it holds and what it wants (variables_get, evaluate).
3. Look for a deadlock, a thread that waits for work that only that thread can do (.Result or .Wait() on the only thread), or a loop that never ends (pause twice and compare the frames).
4. Say which threads block each other at which file:line, and how to break the deadlock. Call debug_continue before you finish.",
    },
    Prompt {
        name: "find_leak",
        title: "Find a Memory Leak",
        description: "See which objects accumulate on the heap and what keeps them alive",
        arguments: &[optional("type", "Full name of the suspected type")],
        text: "Find out what leaks memory in this program.
   Suspected: {type}.
1. At a stop before the work that leaks: heap_stats; keep the id it returns.
2. debug_continue until the work has been done a few times, debug_pause, then heap_stats with `since` set to that id: look for types whose count keeps growing.
3. heap_find lists objects of such a type; gc_roots shows what keeps one alive.
4. Say which field or event of which object holds them, at which file:line they are added (code_find_usages), and where they should be removed.",
    },
    Prompt {
        name: "explain_breakpoint",
        title: "Explain a Breakpoint That Is Not Hit",
        description: "Find out why a breakpoint does not stop the program",
        arguments: &[required("breakpoint_id", "Its id, as breakpoint_list shows it")],
        text: "Find out why breakpoint {breakpoint_id} is not hit.
1. breakpoint_explain with id {breakpoint_id}: its verdict and evidence.
2. If it is not verified, do what the answer says (build, path, just_my_code), or set it again with `text`.
3. If it is verified, check the condition with evaluate at a stop nearby, and whether the code is reached: tracepoint_set on the callers.
4. Say in one sentence why it was not hit, and what you changed.",
    },
];

/// Those that can be done with these tools.
pub(super) fn offered(listed: &[&Tool]) -> impl Iterator<Item = &'static Prompt> + use<> {
    let names: Vec<&'static str> = listed.iter().map(|tool| tool.name).collect();
    ALL.iter().filter(move |prompt| prompt.tools().all(|tool| names.contains(&tool)))
}

impl Prompt {
    /// The tools that its plan names.
    fn tools(&self) -> impl Iterator<Item = &'static str> {
        let words: Vec<&str> = self.text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').collect();
        tools::all().iter().map(|tool| tool.name).filter(move |name| words.contains(name))
    }

    /// # Errors
    /// Which argument is missing, unknown or no text.
    pub(super) fn filled(&self, given: &serde_json::Map<String, Value>) -> Result<String, String> {
        let mut values: Vec<(&str, &str)> = Vec::new();
        for (name, value) in given {
            if !self.arguments.iter().any(|argument| argument.name == name) {
                let known: Vec<&str> = self.arguments.iter().map(|argument| argument.name).collect();
                return Err(format!("no argument `{name}`; {} takes {}", self.name, known.join(", ")));
            }
            let Some(text) = value.as_str() else { return Err(format!("`{name}` must be a string")) };
            if !text.trim().is_empty() {
                values.push((name, text.trim()));
            }
        }
        let is_given = |name: &str| values.iter().any(|(given, _)| *given == name);
        if let Some(missing) = self.arguments.iter().find(|it| it.is_required && !is_given(it.name)) {
            return Err(format!("`{}` is missing: {}", missing.name, missing.description));
        }
        let lines = self.text.lines().filter_map(|line| {
            let wants = |it: &&Argument| line.contains(&format!("{{{}}}", it.name));
            let is_whole = self.arguments.iter().filter(wants).all(|it| is_given(it.name));
            // a numbered step stays, without the value
            match is_whole || !line.starts_with(' ') {
                true => Some(replaced(line, &values)),
                false => None,
            }
        });
        Ok(lines.collect::<Vec<_>>().join("\n"))
    }
}

/// Each name in braces once, so that what a value contains is not taken for another.
fn replaced(line: &str, values: &[(&str, &str)]) -> String {
    let mut text = String::new();
    let mut rest = line;
    while let Some(at) = rest.find('{') {
        let (before, behind) = rest.split_at(at);
        text.push_str(before);
        let found = values.iter().find_map(|(name, value)| {
            let end = behind.strip_prefix('{')?.strip_prefix(name)?.strip_prefix('}')?;
            Some((*value, end))
        });
        match found {
            Some((value, end)) => {
                text.push_str(value);
                rest = end;
            }
            None => {
                text.push('{');
                rest = behind.get(1..).unwrap_or_default();
            }
        }
    }
    text + rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn of(name: &str) -> &'static Prompt {
        ALL.iter().find(|prompt| prompt.name == name).unwrap()
    }

    fn filled(name: &str, given: Value) -> Result<String, String> {
        of(name).filled(given.as_object().unwrap())
    }

    #[test]
    fn every_plan_names_tools_and_every_word_that_looks_like_one_is_a_tool() {
        let known: Vec<&str> = tools::all().iter().map(|tool| tool.name).collect();
        let beginnings = ["debug_", "breakpoint_", "process_", "code_", "heap_", "gc_", "exception_", "threads_"];
        let own: Vec<&str> = ALL.iter().flat_map(|it| it.arguments.iter().map(|argument| argument.name)).collect();
        for prompt in ALL {
            assert!(prompt.tools().count() > 1, "{}", prompt.name);
            for word in prompt.text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_') {
                let looks = beginnings.iter().any(|beginning| word.starts_with(beginning)) && !own.contains(&word);
                assert!(!looks || known.contains(&word), "{}: {word}", prompt.name);
            }
            for argument in prompt.arguments {
                assert!(prompt.text.contains(&format!("{{{}}}", argument.name)), "{}: {}", prompt.name, argument.name);
            }
        }
    }

    #[test]
    fn what_is_given_is_filled_in_once_and_what_is_not_is_left_out() {
        let text = filled("diagnose_exception", json!({"type": "A.{program}"})).unwrap();
        assert!(text.contains("The type is A.{program}.") && !text.contains("The program is"), "{text}");
        let text = filled("find_bug_source", json!({"symptom": "total is 0", "file": " ", "program": "Shop"})).unwrap();
        assert!(text.starts_with("Find the line that causes this: total is 0\n"), "{text}");
        assert!(text.contains("The program is Shop.") && !text.contains("The symptom appears in"), "{text}");
        let text = filled("trace_data_flow", json!({"expression": "order.Total"})).unwrap();
        assert!(text.contains("such as \"order.Total = {order.Total}\""), "{text}");
    }

    #[test]
    fn a_wrong_argument_is_named() {
        for (name, given, expected) in [
            ("find_bug_source", json!({}), "`symptom` is missing"),
            ("find_bug_source", json!({"symptom": " "}), "`symptom` is missing"),
            ("find_hang", json!({"proces": "1"}), "no argument `proces`; find_hang takes process, session_id"),
            ("find_hang", json!({"process": 1}), "`process` must be a string"),
        ] {
            let error = filled(name, given).unwrap_err();
            assert!(error.starts_with(expected), "{error}");
        }
    }

    #[test]
    fn only_what_the_listed_tools_can_do_is_offered() {
        let listed = |toolsets: &str| {
            let toolsets = toolsets.parse().unwrap();
            let tools: Vec<&Tool> = tools::all().iter().filter(|tool| tool.is_listed(&toolsets, false)).collect();
            offered(&tools).map(|prompt| prompt.name).collect::<Vec<_>>()
        };
        assert_eq!(listed("all").len(), ALL.len());
        assert!(listed("default").contains(&"find_hang") && !listed("default").contains(&"find_leak"));
        assert!(listed("io").is_empty());
    }
}
