//! A verdict in words: what is wrong, and the next call. Only the evidence that matters for it is kept.

use serde_json::{Value, json};

use super::gather::{Scene, decide};
use super::{Condition, Document, Evidence, Explanation, Run, Verdict};
use crate::session::breakpoints::Target;
use crate::session::breakpoints::table::none_behind;
use crate::session::counted::counted;
use crate::session::ids::StateName;
use crate::session::report::StopReason;

/// The whole answer.
pub(super) fn explained(scene: Scene) -> Explanation {
    let (verdict, also) = decide(&scene.facts);
    let (mut message, mut hint) = match verdict {
        Some(verdict) => (scene.message(verdict), scene.hint(verdict)),
        None => scene.nothing_wrong(),
    };
    if let Some(also) = also {
        message = format!("{message}; {}", scene.message(also));
        hint = scene.hint_for_next_run(also, hint);
    }
    let mut evidence = verdict.map(|verdict| scene.evidence(verdict)).unwrap_or_default();
    if let Some(also) = also {
        let (exit_code, signal) = (evidence.exit_code, evidence.signal.take());
        evidence = Evidence { exit_code, signal, ..scene.evidence(also) };
    }
    let mut breakpoint = scene.breakpoint;
    // the words here say it better, and what is evidence is reported there
    breakpoint.message = None;
    breakpoint.nearest.clear();
    Explanation {
        breakpoint,
        verdict,
        also,
        state: scene.asked.state,
        last_hit: scene.asked.last_hit,
        message,
        hint,
        evidence,
    }
}

impl Scene {
    fn module(&self) -> &str {
        self.seen.module.as_deref().unwrap_or("the assembly")
    }

    fn line(&self) -> u32 {
        self.breakpoint.requested_line.or(self.breakpoint.line).unwrap_or(0)
    }

    fn file(&self) -> &str {
        self.breakpoint.file.as_deref().unwrap_or("the file")
    }

    /// Where the file is, or as it was given.
    fn path(&self) -> &str {
        match &self.asked.entry.target {
            Target::Source { path, .. } => path,
            _ => self.file(),
        }
    }

    fn message(&self, verdict: Verdict) -> String {
        let (module, file, line) = (self.module(), self.file(), self.line());
        match verdict {
            Verdict::NotStarted if self.asked.state == StateName::Starting => "the program is still starting".into(),
            Verdict::NotStarted => "no program has been started".into(),
            Verdict::Exited => "the program has ended".into(),
            Verdict::WrongProcess => "the process is an SDK tool that starts the program as a child process".into(),
            Verdict::ModuleNotLoaded => {
                format!("{module} is not loaded: the program has not used it yet; the breakpoint binds when it loads")
            }
            Verdict::FileUnknown => format!("no assembly of the program was built from {file}"),
            Verdict::PathDiffers if self.seen.expected.is_some() => {
                format!("the build compiled a file of that name in another folder; {file} was not compiled")
            }
            Verdict::PathDiffers => {
                format!("ambiguous: the build has several files of that name, none of them at {file}")
            }
            Verdict::NoSymbols => {
                self.message.clone().unwrap_or_else(|| format!("{module} has no PDB that the debugger can find"))
            }
            Verdict::SymbolsMismatch => format!("the PDB of {module} is from another build"),
            Verdict::SourceChanged if self.seen.expected.is_none() => {
                "the text of its line is no longer in the file".into()
            }
            Verdict::SourceChanged => {
                format!("{file} was edited after {module} was built: line numbers refer to the old text")
            }
            Verdict::Optimized if self.facts.placeless => self.asked.entry.message.clone().unwrap_or_default(),
            Verdict::Optimized => format!("{module} is optimized code, which Just My Code skips"),
            Verdict::NotUserCode => match self.facts.hidden {
                super::Hidden::Always => "an attribute hides the method from debuggers".into(),
                _ => "an attribute marks the method as non-user code, which Just My Code skips".into(),
            },
            Verdict::NoCode => self.no_code(line),
            Verdict::InvalidCondition => {
                "the condition cannot be evaluated there, so every hit stops the program".into()
            }
            Verdict::ConditionFalse => self.condition_false(),
            Verdict::NotReached if self.facts.run == Run::Ended => {
                format!("it was verified, but {}", self.not_seen("never ran"))
            }
            Verdict::NotReached => {
                format!("it is verified, but {}", self.not_seen("has not run yet"))
            }
            Verdict::AttachedLate => {
                format!("{} runs only once, so its line probably ran before the debugger attached", self.place())
            }
            Verdict::StoppedElsewhere if self.facts.condition == Condition::Uncounted => {
                let of = self.of_method();
                format!(
                    "it is verified; either its line{of} has not run or its condition was false: the adapter does not report which"
                )
            }
            Verdict::StoppedElsewhere => {
                format!("it is verified, but {}; the program is stopped elsewhere", self.not_seen("has not run"))
            }
        }
    }

    /// What is known of a line that no hit was reported of: optimized code runs lines that it has no place for.
    fn not_seen(&self, words: &str) -> String {
        let (of, module) = (self.of_method(), self.module());
        // what was loaded before an attach is compiled as it was built
        let inlined = if self.facts.attached { ", or has the method inlined into its callers" } else { "" };
        match self.facts.optimized {
            true => format!(
                "either its line{of} {words}, or the optimized code of {module} ran it without a place to stop at{inlined}"
            ),
            false => format!("its line{of} {words}"),
        }
    }

    /// ` in Order.Add`
    fn of_method(&self) -> String {
        self.seen.method.as_ref().map(|method| format!(" in {method}")).unwrap_or_default()
    }

    /// The method, or else the line.
    fn place(&self) -> String {
        self.seen.method.clone().unwrap_or_else(|| "the line".into())
    }

    fn no_code(&self, line: u32) -> String {
        if let Some(message) = &self.message {
            return message.clone();
        }
        match (self.code_line, &self.seen.method) {
            (Some(found), Some(method)) if self.misplaced => {
                format!("the adapter moved line {line} to line {found}, in {method}")
            }
            (Some(found), Some(method)) if self.is_moved() => {
                format!("line {line} has no code; the breakpoint is at line {found}, in {method}, and was not hit")
            }
            (Some(found), Some(method)) => {
                format!("line {line} has no code; the next line with code is {found}, in {method}")
            }
            _ => none_behind(self.path(), line, &self.asked.sources),
        }
    }

    /// The adapter bound it to the next line with code.
    fn is_moved(&self) -> bool {
        self.facts.verified && !self.misplaced && self.code_line.is_some()
    }

    fn condition_false(&self) -> String {
        let hits = self.breakpoint.hits;
        match self.facts.condition {
            Condition::Uncounted if self.facts.run == Run::Ended => {
                "the condition was never true or the line was never reached: the adapter does not report which".into()
            }
            Condition::Uncounted => {
                "the condition was never true or the line was never reached: the adapter does not report which; clrbridge now evaluates the condition itself and counts the results".into()
            }
            _ if hits > 0 => format!("{} so far; hit condition not met", counted(hits, "hit")),
            _ => "the line was reached, but the condition was never true".into(),
        }
    }

    fn nothing_wrong(&self) -> (String, String) {
        let id = self.breakpoint.id;
        if self.breakpoint.disabled {
            return ("it is disabled".into(), call("breakpoint_enable", json!({"id": id, "enabled": true})));
        }
        let wait = call("breakpoint_wait", json!({"breakpoint_id": id}));
        if self.breakpoint.hits == 0 {
            let words = self
                .asked
                .entry
                .message
                .clone()
                .unwrap_or_else(|| "the adapter has not verified it and gives no reason".into());
            return (words, wait);
        }
        let hint = if self.asked.state == StateName::Stopped { call("debug_continue", json!({})) } else { wait };
        ("it works: it was hit".into(), hint)
    }

    fn hint(&self, verdict: Verdict) -> String {
        let rebuild = || match self.asked.attached {
            true => "build the program again and restart it, then debug_attach".to_owned(),
            false => call("debug_restart", json!({"build": "always"})),
        };
        let set = self.asked.entry.tool();
        match verdict {
            Verdict::NotStarted if self.asked.state == StateName::Starting => {
                "wait for debug_launch or debug_attach to return; debug_disconnect ends a start that hangs".into()
            }
            Verdict::NotStarted => "debug_launch, or debug_attach to a running program".into(),
            Verdict::Exited if self.asked.attached => "debug_attach when the program runs again".into(),
            Verdict::Exited => call("debug_restart", json!({})),
            Verdict::WrongProcess => match self.seen.processes.first() {
                Some((pid, _)) => call("debug_attach", json!({"pid": pid})),
                None => "debug_launch with the project or the dll itself".into(),
            },
            Verdict::ModuleNotLoaded => self.go_on(),
            Verdict::FileUnknown if self.seen.documents.is_empty() => {
                "pass the path of a source file of the program; modules_list shows loaded modules".into()
            }
            Verdict::FileUnknown | Verdict::PathDiffers => {
                self.set_again(self.seen.documents.first().map(String::as_str), self.line())
            }
            Verdict::NoSymbols if self.asked.entry.methods.is_in_framework() => {
                format!("{set} at a line of your code that calls it")
            }
            Verdict::NoSymbols => format!("set DebugType to portable or embedded, then {}", rebuild()),
            Verdict::SymbolsMismatch | Verdict::SourceChanged => rebuild(),
            Verdict::Optimized if self.asked.attached => "run a Debug build of it, then debug_attach".into(),
            Verdict::Optimized => "debug_launch with configuration \"Debug\", or with just_my_code false".into(),
            Verdict::NotUserCode if self.facts.hidden == super::Hidden::NonUser && !self.asked.attached => {
                "debug_launch with just_my_code false, or use a line of its caller".into()
            }
            Verdict::NotUserCode => "use a line of its caller, or remove the attribute".into(),
            Verdict::NoCode if self.is_moved() => self.go_on(),
            Verdict::NoCode => match (&self.breakpoint.function, self.seen.nearest.first()) {
                (None, Some(near)) => self.set_again(None, near.line),
                (Some(_), _) if self.similar.is_some() => call(set, json!({"function": self.similar})),
                _ => format!("{set} with file and line or text"),
            },
            Verdict::InvalidCondition => format!(
                "evaluate the condition at the stop, then {set} at the same place with a valid boolean condition"
            ),
            Verdict::ConditionFalse if self.facts.condition == Condition::Uncounted && self.facts.run != Run::Ended => {
                format!("resume the program, then {}", call("breakpoint_explain", json!({"id": self.breakpoint.id})))
            }
            Verdict::ConditionFalse => format!("{set} at the same place with another condition, or without one"),
            Verdict::NotReached => {
                "debug_pause, then stacktrace_get shows where it is; or breakpoint_set at a caller".into()
            }
            Verdict::AttachedLate => "debug_launch it to stop in startup code".into(),
            Verdict::StoppedElsewhere => self.go_on(),
        }
    }

    /// What to do about a cause that an ended run, or one that is still to come, does not show any more.
    fn hint_for_next_run(&self, also: Verdict, run: String) -> String {
        match also {
            Verdict::ModuleNotLoaded | Verdict::StoppedElsewhere | Verdict::InvalidCondition => run,
            Verdict::NoCode if self.is_moved() => run,
            Verdict::NotReached => format!("breakpoint_set at a caller, then {run}"),
            Verdict::NoSymbols | Verdict::SymbolsMismatch | Verdict::SourceChanged => self.hint(also),
            Verdict::Optimized | Verdict::AttachedLate => self.hint(also),
            _ => format!("{}, then {run}", self.hint(also)),
        }
    }

    fn go_on(&self) -> String {
        match self.asked.state {
            StateName::Stopped => call("debug_continue", json!({})),
            _ => call("breakpoint_wait", json!({"breakpoint_id": self.breakpoint.id})),
        }
    }

    fn set_again(&self, document: Option<&str>, line: u32) -> String {
        let file = document.map_or_else(|| self.file().to_owned(), |document| self.asked.sources.relative(document));
        call(self.asked.entry.tool(), json!({"file": file, "line": line}))
    }

    /// What is shown for a verdict.
    fn evidence(&self, verdict: Verdict) -> Evidence {
        let seen = self.seen.clone();
        let place = Evidence { module: seen.module, document: seen.document, ..Evidence::default() };
        let nothing = Evidence::default();
        match verdict {
            Verdict::NotStarted => nothing,
            Verdict::Exited => Evidence { exit_code: seen.exit_code, signal: seen.signal, ..nothing },
            Verdict::WrongProcess => Evidence { processes: seen.processes, ..nothing },
            Verdict::ModuleNotLoaded => place,
            Verdict::FileUnknown => self.documents(nothing),
            Verdict::PathDiffers => self.documents(Evidence { expected: seen.expected, found: seen.found, ..nothing }),
            Verdict::NoSymbols => Evidence { document: None, ..place },
            Verdict::SymbolsMismatch => {
                Evidence { document: None, expected: seen.expected, found: seen.found, ..place }
            }
            Verdict::SourceChanged => Evidence { expected: seen.expected, found: seen.found, ..place },
            Verdict::Optimized => place,
            Verdict::NotUserCode => Evidence { method: seen.method, attribute: seen.attribute, ..nothing },
            Verdict::NoCode if self.facts.document == Document::Known => {
                let mut nearest = seen.nearest;
                nearest.retain(|near| !self.is_moved() || Some(near.line) != self.code_line);
                Evidence { nearest, method: seen.method, ..nothing }
            }
            Verdict::NoCode => nothing,
            Verdict::InvalidCondition => Evidence { error: seen.error, ..nothing },
            Verdict::ConditionFalse => Evidence { evaluations: seen.evaluations, values: seen.values, ..nothing },
            Verdict::NotReached | Verdict::AttachedLate => Evidence { method: seen.method, ..place },
            Verdict::StoppedElsewhere => self.stop(nothing),
        }
    }

    fn documents(&self, other: Evidence) -> Evidence {
        let documents = self.seen.documents.iter().map(|path| self.asked.sources.relative(path)).collect();
        Evidence { documents, more_documents: self.seen.more_documents, ..other }
    }

    fn stop(&self, other: Evidence) -> Evidence {
        let reason: Option<StopReason> = self.seen.reason;
        Evidence { reason, location: self.seen.location.clone(), ..other }
    }
}

/// A call as it is typed.
fn call(tool: &str, arguments: Value) -> String {
    match arguments {
        Value::Object(none) if none.is_empty() => tool.to_owned(),
        arguments => format!("{tool} {arguments}"),
    }
}
