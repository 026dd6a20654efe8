//! `exceptionInfo`: the exception of a stop, and those inside it.

use dap_wire::{ExceptionBreakMode, ExceptionDetails, ExceptionInfoResponse, ThreadArguments};

use super::evaluation::CALL;
use super::server::{Answer, Server, body, refused};
use crate::com::{ExceptionStage, HResult};
use clr_csharp::value::Value;

use crate::evaluate::{Evaluated, Evaluation, Limited};
use crate::exceptions;
use crate::target::Cause;
use crate::values::Content;

/// Exceptions that are reported, inner ones of inner ones included.
const MOST: usize = 32;

impl Server {
    pub(super) fn exception_info(&mut self, arguments: &ThreadArguments) -> Answer {
        self.with_pause(|server, pause| {
            let thread = u32::try_from(arguments.thread_id).unwrap_or(0);
            let stage = match pause.cause {
                Cause::Exception(stage) if thread == pause.thread => stage,
                _ => return Err(refused("the thread is not stopped at an exception", HResult(0x8000_4005))),
            };
            let mut calls = Limited { waiter: server, limit: CALL };
            let mut evaluation = Evaluation::new(&mut pause.stopped, thread, 0, Some(&mut calls));
            let mut left = MOST;
            let details = details(&mut evaluation, "$exception", &mut left);
            let details = details.ok_or_else(|| refused("the thread has no exception", HResult(0x8000_4005)))?;
            let type_name = details.full_type_name.clone().unwrap_or_default();
            body(ExceptionInfoResponse {
                exception_id: format!("CLR/{type_name}"),
                description: details.formatted_description.clone(),
                break_mode: match stage {
                    ExceptionStage::Unhandled => ExceptionBreakMode::Unhandled,
                    ExceptionStage::HandlerFound => ExceptionBreakMode::UserUnhandled,
                    _ => ExceptionBreakMode::Always,
                },
                details: Some(details),
            })
        })
    }
}

/// Of the exception that an expression gives, with all that it has within as long as there are some `left`; `None` for null.
fn details(evaluation: &mut Evaluation<'_>, path: &str, left: &mut usize) -> Option<ExceptionDetails> {
    *left = left.checked_sub(1)?;
    let Ok(Evaluated::Value(answer)) = evaluation.text(path) else { return None };
    let Value::Object(place) = &answer.value else { return None };
    let value = place.read(evaluation.stopped).ok()?;
    if matches!(value.content().ok()?, Content::Null) {
        return None;
    }
    let full_type_name = value.type_name();
    let inner = inner_paths(&value, path);
    let (message, is_own) = (exceptions::message(&value), exceptions::overrides_message(&value));
    let mut text = |name: &str| match evaluation.text(&format!("{path}.{name}")) {
        Ok(Evaluated::Value(answer)) => evaluation.string(&answer),
        _ => None,
    };
    let message = message.or_else(|| if is_own { None } else { text("Message") });
    let stack_trace = text("StackTrace");
    let source = text("Source");
    let type_name = full_type_name.rsplit('.').next().map(str::to_owned);
    let formatted = match &message {
        Some(message) => format!("{full_type_name}: '{message}'"),
        None => full_type_name.clone(),
    };
    let inner_exception = inner.iter().filter_map(|inner| details(evaluation, inner, left)).collect();
    Some(ExceptionDetails {
        message,
        type_name,
        full_type_name: Some(full_type_name),
        evaluate_name: Some(path.to_owned()),
        stack_trace,
        inner_exception,
        formatted_description: Some(formatted),
        source,
    })
}

/// Expressions for the exceptions within another: an `AggregateException` has many, of which the first is also its `InnerException`.
fn inner_paths(exception: &crate::values::Value<'_>, path: &str) -> Vec<String> {
    let Some(object) = exception.object() else { return Vec::new() };
    match object.field("_innerExceptions").and_then(|all| all.content().ok()) {
        Some(Content::Array(all)) => {
            let each = 0..all.count();
            each.map(|at| format!("((System.AggregateException){path})._innerExceptions[{at}]")).collect()
        }
        _ => vec![format!("{path}._innerException")],
    }
}
