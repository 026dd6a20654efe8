//! `setBreakpoints`, `setFunctionBreakpoints`, `setExceptionBreakpoints`, and what becomes of breakpoints later.

mod judged;
mod traced;

use dap_wire::{
    Breakpoint, SetBreakpointsArguments, SetExceptionBreakpointsArguments, SetFunctionBreakpointsArguments,
};
use serde_json::{Value, json};

use super::evaluation::is_pure;
use super::server::{Answer, Server, State, body};
use super::sources::Sources;
use crate::breakpoints::{self, Breakpoints, HitCondition, LogMessage, Wanted};
use crate::exception_filters::Filters;
use crate::modules::Modules;

const PENDING: &str = "The breakpoint is pending and will be resolved when debugging starts.";
const NOWHERE: &str = "The breakpoint will not currently be hit. No symbols have been loaded for this document, or there is no executable code at this line.";

impl Server {
    pub(super) fn set_breakpoints(&mut self, arguments: &SetBreakpointsArguments) -> Answer {
        let path = arguments.source.path.clone().or_else(|| arguments.source.name.clone());
        let path = path.ok_or("setBreakpoints needs source.path")?;
        let mut wanted = Vec::with_capacity(arguments.breakpoints.len());
        for asked in &arguments.breakpoints {
            let (hit_condition, refusal) = hit_condition(&asked.hit_condition);
            wanted.push(Wanted {
                line: u32::try_from(asked.line).unwrap_or(0),
                column: asked.column.and_then(|column| u32::try_from(column).ok()),
                function: None,
                condition: given(&asked.condition),
                hit_condition,
                refusal,
                counter: asked.clr_hits,
                log_message: given(&asked.log_message).map(|text| LogMessage::parse(&text)),
                // one message is enough
                trace: asked.clr_trace.clone().filter(|_| given(&asked.log_message).is_none()),
                is_pure: is_pure(asked.may_run),
            });
        }
        self.edit(|breakpoints, (modules, sources), has_program| {
            let set = breakpoints.set_lines(&path, wanted, modules).into_iter();
            body(json!({ "breakpoints": set.map(|it| dap_breakpoint(it, sources, has_program)).collect::<Vec<_>>() }))
        })
    }

    pub(super) fn set_function_breakpoints(&mut self, arguments: &SetFunctionBreakpointsArguments) -> Answer {
        let mut wanted = Vec::with_capacity(arguments.breakpoints.len());
        for asked in &arguments.breakpoints {
            let (hit_condition, refusal) = hit_condition(&asked.hit_condition);
            wanted.push(Wanted {
                function: Some(asked.name.clone()),
                condition: given(&asked.condition),
                hit_condition,
                refusal,
                counter: asked.clr_hits,
                trace: asked.clr_trace.clone(),
                is_pure: is_pure(asked.may_run),
                ..Wanted::default()
            });
        }
        self.edit(|breakpoints, (modules, sources), has_program| {
            let set = breakpoints.set_functions(wanted, modules).into_iter();
            body(json!({ "breakpoints": set.map(|it| dap_breakpoint(it, sources, has_program)).collect::<Vec<_>>() }))
        })
    }

    pub(super) fn set_exception_breakpoints(&mut self, arguments: &SetExceptionBreakpointsArguments) -> Answer {
        let set = |filters: &mut Filters| -> Result<(), String> {
            filters.clear();
            for name in &arguments.filters {
                filters.add(name, "")?;
            }
            for option in arguments.filter_options.iter().flatten() {
                filters.add(&option.filter_id, option.condition.as_deref().unwrap_or(""))?;
            }
            Ok(())
        };
        match (&self.debugging, &mut self.filters) {
            (Some(debugging), _) => set(&mut debugging.target.filters())?,
            (None, Some(filters)) => set(filters)?,
            (None, None) => {}
        }
        body(json!({ "breakpoints": [] }))
    }

    /// Changes breakpoints while the program stands still, or before there is one.
    fn edit(&mut self, act: impl FnOnce(&mut Breakpoints, (&Modules, &Sources), bool) -> Answer) -> Answer {
        // of the conditions as they were
        self.tell_judged();
        let is_running = matches!(self.state, State::Running);
        match (&self.debugging, &mut self.breakpoints) {
            (Some(debugging), _) => {
                let target = debugging.target.clone();
                let edit = || act(&mut target.breakpoints(), (&target.modules, &self.sources), true);
                match is_running {
                    true => target.while_still(edit).map_err(|error| error.to_string())?,
                    false => edit(),
                }
            }
            (None, Some(breakpoints)) => act(breakpoints, (&Modules::default(), &self.sources), false),
            (None, None) => Err("the program could not be started".into()),
        }
    }

    pub(super) fn breakpoint_changed(&mut self, id: i64) {
        let Some(debugging) = &self.debugging else { return };
        let breakpoints = debugging.target.breakpoints();
        let changed = breakpoints.get(id).map(|breakpoint| dap_breakpoint(breakpoint, &self.sources, true));
        drop(breakpoints);
        if let Some(breakpoint) = changed.and_then(|breakpoint| serde_json::to_value(breakpoint).ok()) {
            self.event("breakpoint", Some(json!({ "reason": "changed", "breakpoint": breakpoint })));
        }
    }

    /// The statements that begin on lines of a file.
    pub(super) fn breakpoint_locations(&mut self, arguments: &Value) -> Answer {
        let path = arguments.pointer("/source/path").and_then(Value::as_str).ok_or("source.path is missing")?;
        let first = arguments.get("line").and_then(Value::as_u64).unwrap_or(1);
        let last = arguments.get("endLine").and_then(Value::as_u64).unwrap_or(first);
        let modules = self.debugging.as_ref().map(|debugging| debugging.target.modules.all()).unwrap_or_default();
        let documents = breakpoints::documents(&modules, path, &self.sources.map);
        if let Some(words) = breakpoints::ambiguity(&documents, path) {
            return Err(words);
        }
        let mut found = Vec::new();
        for (document, module) in documents.iter().flat_map(|document| modules.iter().map(move |it| (document, it))) {
            found.extend(breakpoints::statements(module, document, first as u32, last as u32));
        }
        let location = |place: &breakpoints::Resolved| json!({ "line": place.line, "column": place.column, "endLine": place.end_line, "endColumn": place.end_column });
        body(json!({ "breakpoints": found.iter().map(location).collect::<Vec<_>>() }))
    }
}

/// What is empty was not given.
fn given(text: &Option<String>) -> Option<String> {
    text.as_ref().filter(|text| !text.trim().is_empty()).cloned()
}

/// Or why there is none: the other breakpoints of the request are set all the same.
fn hit_condition(text: &Option<String>) -> (Option<HitCondition>, Option<String>) {
    let Some(text) = given(text) else { return (None, None) };
    let parsed = HitCondition::parse(&text);
    let refusal = parsed.is_none().then(|| format!("'{text}' is not a valid hitCondition: use 3, >=3, <3 or %3"));
    (parsed, refusal)
}

fn dap_breakpoint(breakpoint: &breakpoints::Breakpoint, sources: &Sources, has_program: bool) -> Breakpoint {
    let id = Some(breakpoint.id);
    let Some(resolved) = &breakpoint.resolved else {
        let words = if has_program { NOWHERE } else { PENDING };
        let line = (breakpoint.wanted.line > 0).then(|| i64::from(breakpoint.wanted.line));
        let message = Some(
            breakpoint
                .wanted
                .refusal
                .as_ref()
                .or(breakpoint.fault.as_ref())
                .or(breakpoint.ambiguity.as_ref())
                .cloned()
                .unwrap_or_else(|| words.to_owned()),
        );
        return Breakpoint { id, message, line, ..Breakpoint::default() };
    };
    let number = |number: u32| (number > 0).then(|| i64::from(number));
    let source = (!resolved.path.is_empty()).then(|| sources.file(&resolved.path));
    Breakpoint {
        id,
        verified: true,
        message: breakpoint.fault.clone().or_else(|| {
            let words = breakpoint.ambiguity.as_ref()?;
            Some(format!("bound in {}; {words}", resolved.path))
        }),
        source,
        line: number(resolved.line),
        column: number(resolved.column),
        end_line: number(resolved.end_line),
        end_column: number(resolved.end_column),
        clr_condition: None,
    }
}
