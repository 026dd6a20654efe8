//! `evaluate`, `setVariable`, `setExpression`.

use std::time::Duration;

use dap_wire::{
    EvaluateArguments, MayRun, SetExpressionArguments, SetVariableArguments, THROWN, VariablePresentationHint,
};
use serde_json::json;

use super::references::Node;
use super::server::{Answer, Pause, Server, body, refused};
use crate::com::HResult;
use crate::evaluate::{self, Calls, Evaluated, Evaluation, Limited};
use crate::values::{Page, Place, Root};

/// What a call of the program's code gets.
pub const CALL: Duration = Duration::from_secs(5);

impl Server {
    pub(super) fn evaluate(&mut self, arguments: &EvaluateArguments) -> Answer {
        if !self.shows_raw {
            return self.presented_evaluation(arguments);
        }
        self.with_pause(|server, pause| {
            let (thread, frame, is_gone) = frame_of(pause, arguments.frame_id)?;
            let (shown, opened, threw) = {
                let limit = arguments.time_limit.map_or(CALL, Duration::from_millis);
                let mut calls = Limited { waiter: server, limit };
                let calls: Option<&mut dyn Calls> = match arguments.may_run {
                    Some(MayRun::Nothing) => None,
                    Some(MayRun::Pure | MayRun::Anything) | None => Some(&mut calls),
                };
                let mut evaluation = Evaluation::new(&mut pause.stopped, thread, frame, calls);
                evaluation.is_pure = is_pure(arguments.may_run);
                evaluation.is_gone = is_gone;
                evaluation.limit = limit;
                let evaluated = evaluation.text(&arguments.expression).map_err(|error| error.to_string())?;
                let (answer, threw) = match evaluated {
                    Evaluated::Value(answer) => (answer, false),
                    Evaluated::Threw(exception) => (thrown(exception), true),
                };
                let (shown, opened) = evaluation.show(&answer);
                (shown, opened, threw)
            };
            let presentation_hint = match threw {
                true => Some(VariablePresentationHint { kind: Some(THROWN.into()), ..Default::default() }),
                false => super::references::hint(opened.as_ref()),
            };
            let reference = pause.references.opened_answer(&shown, opened, &arguments.expression);
            body(dap_wire::EvaluateResponse {
                result: shown.text,
                type_name: Some(shown.type_name),
                variables_reference: reference,
                indexed_variables: shown.elements.map(i64::from),
                presentation_hint,
                memory_reference: shown.address.map(|address| format!("0x{address:x}")),
                ..dap_wire::EvaluateResponse::default()
            })
        })
    }

    pub(super) fn set_variable(&mut self, arguments: &SetVariableArguments) -> Answer {
        if !self.shows_raw {
            return self.presented_assignment(arguments);
        }
        self.with_pause(|server, pause| {
            let unknown = || refused("no such variablesReference at this stop", HResult::INVALID_ARGUMENT);
            let node = pause.references.node_of(arguments.variables_reference).cloned().ok_or_else(unknown)?;
            let missing = || format!("Variable name '{}' not found.", arguments.name);
            let frame = match &node {
                Node::Frame { thread, frame } => (*thread, *frame),
                Node::Value { .. } | Node::Statics(_) | Node::Made { .. } | Node::Presented { .. } => (pause.thread, 0),
            };
            let place =
                match &node {
                    Node::Frame { thread, frame } => {
                        let all = evaluate::variables(&pause.stopped, *thread, *frame).map_err(|it| it.to_string())?;
                        all.into_iter().find(|(name, _)| *name == arguments.name).map(|(_, place)| place)
                    }
                    Node::Value { place, .. } => {
                        let value = place.read(&pause.stopped).map_err(|error| error.to_string())?;
                        let children = value.children(place, Page::ALL).map_err(|error| error.to_string())?;
                        children.into_iter().find(|child| child.name == arguments.name).and_then(|child| child.place)
                    }
                    Node::Statics(type_) => {
                        let children = crate::values::statics(&pause.stopped, pause.thread, type_);
                        children.into_iter().find(|child| child.name == arguments.name).and_then(|child| child.place)
                    }
                    Node::Made { .. } | Node::Presented { .. } => return Err(
                        "cannot set a member of a value that an expression created: it does not exist in the program"
                            .into(),
                    ),
                };
            let place = place.ok_or_else(missing)?;
            let mut calls = Limited { waiter: server, limit: CALL };
            let mut evaluation = Evaluation::new(&mut pause.stopped, frame.0, frame.1, Some(&mut calls));
            evaluation.is_pure = is_pure(arguments.may_run);
            evaluation.assign_place(&place, &arguments.value).map_err(|error| error.to_string())?;
            let shown = place.read(&pause.stopped).map_err(|error| error.to_string())?.show();
            let reference = pause.references.opened(&shown, Some(place), "");
            body(json!({ "value": shown.text, "type": shown.type_name, "variablesReference": reference }))
        })
    }

    pub(super) fn set_expression(&mut self, arguments: &SetExpressionArguments) -> Answer {
        self.with_pause(|server, pause| {
            let (thread, frame, is_gone) = frame_of(pause, arguments.frame_id)?;
            let mut calls = Limited { waiter: &mut *server, limit: CALL };
            let mut evaluation = Evaluation::new(&mut pause.stopped, thread, frame, Some(&mut calls));
            evaluation.is_pure = is_pure(arguments.may_run);
            evaluation.is_gone = is_gone;
            let now = evaluation.assign(&arguments.expression, &arguments.value).map_err(|error| error.to_string())?;
            if !server.shows_raw {
                return server.presented_value(pause, (thread, frame), &now, &arguments.expression, arguments.format);
            }
            let (shown, opened) = Evaluation::new(&mut pause.stopped, thread, frame, None).show(&now);
            let reference = pause.references.opened_answer(&shown, opened, &arguments.expression);
            body(json!({ "value": shown.text, "type": shown.type_name, "variablesReference": reference }))
        })
    }
}

/// Whether only what changes nothing may run.
pub(super) fn is_pure(may_run: Option<MayRun>) -> bool {
    may_run.is_some_and(|may| may != MayRun::Anything)
}

/// An exception as the answer.
fn thrown(exception: crate::com::Value) -> evaluate::Answer {
    use clr_csharp::{types::Type, value::Value};
    evaluate::Answer { value: Value::Object(Place::of(Root::Kept(exception))), type_: Type::Late }
}

/// Thread and frame, and whether that is one that an exception recorded. It has no variables: for what needs none the thread's own
/// innermost frame stands in.
pub(super) fn frame_of(pause: &Pause, id: Option<i64>) -> Result<(u32, usize, bool), String> {
    let Some(id) = id else { return Ok((pause.thread, 0, false)) };
    let known = pause.references.frame_of(id).map(|(thread, frame)| {
        let is_gone = !super::references::has_variables(frame);
        (thread, if is_gone { 0 } else { frame }, is_gone)
    });
    known.ok_or_else(|| refused("there is no such frame at this stop", HResult::INVALID_ARGUMENT))
}
