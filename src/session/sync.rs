//! Making an adapter's breakpoints what they should be: only what differs is sent.

use std::collections::BTreeMap;

use super::breakpoints::native_condition::Native;
use super::breakpoints::plan::{Lines, Plan};
use super::report::{ExceptionMode, ExceptionRule};
use crate::dap::{self, Client, DapError};

/// What the adapter answered, by document and line, and by function name.
#[derive(Debug, Clone, Default)]
pub(crate) struct Synced {
    pub lines: Vec<(String, u32, dap::Breakpoint)>,
    pub functions: Vec<(String, dap::Breakpoint)>,
    /// Documents whose lines are all new: older answers for them are void.
    pub documents: Vec<String>,
    pub functions_sent: bool,
}

/// The exception filters that are wanted of the adapter.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Wanted {
    pub filters: Vec<String>,
    /// Exact types for the filter `all`.
    pub types: Option<String>,
}

impl Wanted {
    /// What a rule needs of the adapter. Short names and subtypes are matched by us, so the adapter has to stop at all.
    pub(crate) fn of(rule: Option<&ExceptionRule>) -> Self {
        let Some(rule) = rule else { return Self::default() };
        match rule.mode {
            ExceptionMode::Unhandled | ExceptionMode::Never => Self::default(),
            ExceptionMode::UserUnhandled => Self { filters: vec!["user-unhandled".into()], types: None },
            ExceptionMode::Thrown => match rule.is_exact() {
                true => Self { filters: Vec::new(), types: Some(rule.types.join(" ")) },
                false => Self { filters: vec!["all".into()], types: None },
            },
        }
    }
}

/// Everything, to an adapter that has nothing yet.
///
/// # Errors
/// The adapter's refusal of the exception filters, or its end; refused breakpoints are answers of their own.
pub(crate) async fn all(client: &Client, plan: &Plan, wanted: &Wanted) -> Result<Synced, DapError> {
    let none = Plan::default();
    let synced = changes(client, &none, plan);
    if *wanted != Wanted::default() {
        let (synced, exceptions) = futures::join!(synced, exceptions(client, wanted));
        exceptions?;
        return synced;
    }
    synced.await
}

/// What differs between two plans.
///
/// # Errors
/// The adapter's end.
pub(crate) async fn changes(client: &Client, from: &Plan, to: &Plan) -> Result<Synced, DapError> {
    let mut synced = Synced::default();
    let empty = BTreeMap::new();
    let mut touched: Vec<(&String, &Lines)> = Vec::new();
    for path in from.documents.keys().chain(to.documents.keys()) {
        let (old, new) = (from.documents.get(path).unwrap_or(&empty), to.documents.get(path).unwrap_or(&empty));
        if old != new && !touched.iter().any(|(other, _)| *other == path) {
            touched.push((path, new));
        }
    }
    // all requests are on their way before the first answer is awaited
    let asked: Vec<_> = touched
        .iter()
        .map(|(path, lines)| {
            let arguments = dap::SetBreakpointsArguments {
                source: dap::Source::file((*path).clone()),
                breakpoints: lines
                    .iter()
                    .map(|(line, native)| {
                        let decided = Decided::of(native.as_ref());
                        dap::SourceBreakpoint {
                            line: i64::from(*line),
                            condition: decided.condition,
                            may_run: decided.may_run,
                            hit_condition: decided.hit_condition,
                            clr_hits: decided.clr_hits,
                            clr_trace: decided.clr_trace,
                            ..dap::SourceBreakpoint::default()
                        }
                    })
                    .collect(),
                source_modified: None,
            };
            client.request::<dap::request::SetBreakpoints>(arguments)
        })
        .collect();
    let functions = (from.functions != to.functions).then(|| {
        client.request::<dap::request::SetFunctionBreakpoints>(dap::SetFunctionBreakpointsArguments {
            breakpoints: to
                .functions
                .iter()
                .map(|(name, native)| {
                    let decided = Decided::of(native.as_ref());
                    dap::FunctionBreakpoint {
                        name: name.clone(),
                        condition: decided.condition,
                        may_run: decided.may_run,
                        hit_condition: decided.hit_condition,
                        clr_hits: decided.clr_hits,
                        clr_trace: decided.clr_trace,
                    }
                })
                .collect(),
        })
    });
    for ((path, lines), asked) in touched.iter().zip(asked) {
        synced.documents.push((*path).clone());
        match asked.await {
            Ok(answer) => synced
                .lines
                .extend(lines.keys().zip(answer.breakpoints).map(|(line, got)| ((*path).clone(), *line, got))),
            Err(error @ DapError::Gone { .. }) => return Err(error),
            Err(error) => synced.lines.extend(lines.keys().map(|line| ((*path).clone(), *line, refused(&error)))),
        }
    }
    if let Some(functions) = functions {
        synced.functions_sent = true;
        match functions.await {
            Ok(answer) => {
                synced
                    .functions
                    .extend(to.functions.iter().zip(answer.breakpoints).map(|((name, _), got)| (name.clone(), got)));
            }
            Err(error @ DapError::Gone { .. }) => return Err(error),
            Err(error) => synced.functions.extend(to.functions.iter().map(|(name, _)| (name.clone(), refused(&error)))),
        }
    }
    Ok(synced)
}

/// What the adapter decides of a breakpoint's hits, as its requests have it.
#[derive(Default)]
struct Decided {
    condition: Option<String>,
    may_run: Option<dap::MayRun>,
    hit_condition: Option<String>,
    clr_hits: Option<dap::HitCounter>,
    clr_trace: Option<dap::Trace>,
}

impl Decided {
    fn of(native: Option<&Native>) -> Self {
        let Some(Native { condition, hits, trace }) = native.cloned() else { return Self::default() };
        let (condition, may_run) = condition.map(|condition| (condition.text, condition.may_run)).unzip();
        let (hit_condition, clr_hits) = hits.unzip();
        let (may_run, hit_condition) = (may_run.flatten(), hit_condition.flatten());
        Self { condition, may_run, hit_condition, clr_hits, clr_trace: trace }
    }
}

fn refused(error: &DapError) -> dap::Breakpoint {
    dap::Breakpoint { verified: false, message: Some(error.to_string()), ..dap::Breakpoint::default() }
}

/// Sets the exception filters.
///
/// # Errors
/// The adapter's refusal or end.
pub(crate) async fn exceptions(client: &Client, wanted: &Wanted) -> Result<(), DapError> {
    let options = wanted
        .types
        .as_ref()
        .map(|types| vec![dap::ExceptionFilterOptions { filter_id: "all".into(), condition: Some(types.clone()) }]);
    client
        .request::<dap::request::SetExceptionBreakpoints>(dap::SetExceptionBreakpointsArguments {
            filters: wanted.filters.clone(),
            filter_options: options,
        })
        .await
        .map(|_| ())
}
