//! `variables`, `evaluate` and assignments for a client that shows what it gets: an editor.

use std::time::Duration;

use clr_csharp::specifiers::{self, Specifier};
use clr_csharp::value::Value;
use dap_wire::{
    EvaluateArguments, MayRun, SetVariableArguments, ValueFormat, VariablePresentationHint, VariablesArguments,
    VariablesFilter,
};
use serde_json::json;

use super::evaluation::{CALL, frame_of};
use super::inspection::{VariablesBody, frame_children, page};
use super::references::Node;
use super::server::{Answer, Pause, Server, body, refused};
use crate::com::HResult;
use crate::evaluate::{self, Calls, EvalError, Evaluated, Evaluation, Limited};
use crate::presentation::{Access, Opens, PER_CALL, Presenter, Row, Runs, View};
use crate::values::{Page, Place, Shown};

/// In place of the value of a call that gives none.
const NO_VALUE: &str = "Expression has been evaluated and has no value";
const TURNED_OFF: &str =
    "implicit function evaluation is turned off (allowImplicitFuncEval): add `,ac` to run what the expression calls";

impl Server {
    pub(super) fn presented_variables(&mut self, arguments: &VariablesArguments) -> Answer {
        self.with_pause(|server, pause| {
            let node = pause.references.node_of(arguments.variables_reference).cloned().ok_or_else(unknown)?;
            if arguments.filter == Some(VariablesFilter::Named) && is_array(pause, &node) {
                return body(VariablesBody { variables: Vec::new() });
            }
            let view = node.view(server.view).with_hex(is_hex(arguments.format));
            let (rows, parent) = rows(server, pause, &node, page(arguments), view)?;
            let rows = rows.into_iter().map(|row| pause.references.row(row, parent.as_deref(), view));
            body(VariablesBody { variables: rows.collect() })
        })
    }

    pub(super) fn presented_evaluation(&mut self, arguments: &EvaluateArguments) -> Answer {
        let (expression, specifiers) = specifiers::split(&arguments.expression).map_err(|error| error.to_string())?;
        let view = self.view.with_hex(is_hex(arguments.format));
        let view = specifiers.iter().fold(view, |view, specifier| view.specified(*specifier));
        let may_run = arguments.may_run.or_else(|| allowed(view, arguments.context.as_deref()));
        self.with_pause(|server, pause| {
            let (thread, frame, is_gone) = frame_of(pause, arguments.frame_id)?;
            let limit = arguments.time_limit.map_or(CALL, Duration::from_millis);
            let evaluated = {
                let mut calls = Limited { waiter: &mut *server, limit };
                let calls: Option<&mut dyn Calls> = match may_run {
                    Some(MayRun::Nothing) => None,
                    Some(MayRun::Pure | MayRun::Anything) | None => Some(&mut calls),
                };
                let mut evaluation = Evaluation::new(&mut pause.stopped, thread, frame, calls);
                evaluation.is_pure = super::evaluation::is_pure(may_run);
                evaluation.is_gone = is_gone;
                evaluation.limit = limit;
                let evaluated = match specifiers.contains(&Specifier::Results) {
                    true => results(&mut evaluation, expression),
                    false => evaluation.text(expression),
                };
                match evaluated {
                    Err(EvalError::NeedsCall | EvalError::SideEffects { .. }) if view.runs == Runs::Nothing => {
                        return Err(TURNED_OFF.into());
                    }
                    Err(error) => return Err(error.to_string()),
                    Ok(Evaluated::Threw(exception)) => return Err(evaluation.words_of(exception)),
                    Ok(Evaluated::Value(answer)) => answer,
                }
            };
            let slow = server.slow.clone();
            let mut calls = Limited { waiter: server, limit: PER_CALL };
            let evaluation = Evaluation::new(&mut pause.stopped, thread, frame, Some(&mut calls));
            let mut presenter = Presenter::new(evaluation, slow, view);
            let (plain, opened) = presenter.evaluation().show(&evaluated);
            let kind = opened.as_ref().and_then(|opened| opened.kind()).map(str::to_owned);
            let text = presenter.evaluation().string(&evaluated);
            let row = presenter.row_of_answer(expression, &evaluated);
            let row = match (&evaluated.value, text) {
                (Value::Void, _) => Row { shown: Shown { text: NO_VALUE.into(), ..row.shown }, ..row },
                (_, Some(text)) if specifiers.contains(&Specifier::NoQuotes) => {
                    Row { shown: Shown { text, ..row.shown }, ..row }
                }
                (Value::Object(place), None) if specifiers.contains(&Specifier::Raw) && plain.opens => {
                    let opens = match plain.elements {
                        None => Opens::Raw(place.clone()),
                        Some(_) => Opens::Place(place.clone()),
                    };
                    Row { shown: plain, opens, ..row }
                }
                _ => row,
            };
            let hint = kind.map(|kind| VariablePresentationHint { kind: Some(kind), ..Default::default() });
            body(dap_wire::EvaluateResponse {
                result: row.shown.text,
                type_name: Some(row.shown.type_name),
                variables_reference: pause.references.presented(row.opens, Some(as_operand(expression)), view),
                indexed_variables: row.shown.elements.map(i64::from),
                presentation_hint: hint,
                memory_reference: row.shown.address.map(|address| format!("0x{address:x}")),
                ..dap_wire::EvaluateResponse::default()
            })
        })
    }

    pub(super) fn presented_assignment(&mut self, arguments: &SetVariableArguments) -> Answer {
        self.with_pause(|server, pause| {
            let node = pause.references.node_of(arguments.variables_reference).cloned().ok_or_else(unknown)?;
            let view = node.view(server.view).with_hex(is_hex(arguments.format));
            let (thread, frame) = frame_at(pause, &node);
            // of a long array only that element is looked at
            let only = index(&arguments.name).map(|start| Page { start, count: 1 });
            let mut found = None;
            for page in only.into_iter().chain([Page::ALL]) {
                let (rows, parent) = rows(server, pause, &node, page, view)?;
                found = rows.into_iter().find(|row| row.name == arguments.name).map(|row| (row, parent));
                if found.is_some() {
                    break;
                }
            }
            let (row, parent) = found.ok_or_else(|| format!("Variable name '{}' not found.", arguments.name))?;
            let expression = row.access.as_ref().zip(parent).map(|(access, parent)| access.of(&parent));
            let now = {
                let mut calls = Limited { waiter: &mut *server, limit: CALL };
                let mut evaluation = Evaluation::new(&mut pause.stopped, thread, frame, Some(&mut calls));
                evaluation.is_pure = super::evaluation::is_pure(arguments.may_run);
                match (&row.place, &expression) {
                    _ if row.is_constant => Err(format!("'{}' is a constant", arguments.name)),
                    (Some(place), _) => {
                        let done = evaluation.assign_place(place, &arguments.value);
                        done.map(|()| at(place)).map_err(|error| error.to_string())
                    }
                    (None, Some(expression)) => {
                        evaluation.assign(expression, &arguments.value).map_err(|error| error.to_string())
                    }
                    (None, None) => Err(format!("'{}' cannot be assigned", arguments.name)),
                }?
            };
            presented(server, pause, (thread, frame), &now, view, expression)
        })
    }

    /// The answer to an assignment: the value as it reads now.
    pub(super) fn presented_value(
        &mut self,
        pause: &mut Pause,
        at: (u32, usize),
        now: &evaluate::Answer,
        expression: &str,
        format: Option<ValueFormat>,
    ) -> Answer {
        presented(self, pause, at, now, self.view.with_hex(is_hex(format)), Some(as_operand(expression)))
    }
}

fn presented(
    server: &mut Server,
    pause: &mut Pause,
    (thread, frame): (u32, usize),
    now: &evaluate::Answer,
    view: View,
    expression: Option<String>,
) -> Answer {
    let slow = server.slow.clone();
    let mut calls = Limited { waiter: server, limit: PER_CALL };
    let evaluation = Evaluation::new(&mut pause.stopped, thread, frame, Some(&mut calls));
    let row = Presenter::new(evaluation, slow, view).row_of_answer("", now);
    let reference = pause.references.presented(row.opens, expression, view);
    body(json!({ "value": row.shown.text, "type": row.shown.type_name, "variablesReference": reference }))
}

/// What a reference stands for, and the expression for it.
fn rows(
    server: &mut Server,
    pause: &mut Pause,
    node: &Node,
    page: Page,
    view: View,
) -> Result<(Vec<Row>, Option<String>), String> {
    let (thread, frame) = frame_at(pause, node);
    let children = match node {
        Node::Frame { thread, frame } => frame_children(pause, *thread, *frame)?,
        _ => Vec::new(),
    };
    let (limit, view) = match node {
        // the client asks for what it gives
        Node::Presented { opens: Opens::Member { .. }, .. } if view.runs == Runs::Nothing => {
            (CALL, View { runs: Runs::Pure, ..view })
        }
        Node::Presented { opens: Opens::Member { .. }, .. } => (CALL, view),
        _ => (PER_CALL, view),
    };
    let slow = server.slow.clone();
    let mut calls = Limited { waiter: server, limit };
    let evaluation = Evaluation::new(&mut pause.stopped, thread, frame, Some(&mut calls));
    let mut presenter = Presenter::new(evaluation, slow, view);
    let of_page = |rows: Vec<Row>| rows.into_iter().skip(page.start).take(page.count).collect();
    let (opens, name) = match node {
        Node::Presented { opens, name, .. } => (opens.clone(), name.clone()),
        // of what a step reports
        Node::Value { place, name } => (Opens::Place(place.clone()), Some(name.clone())),
        Node::Made { made, name } => (Opens::Made(made.clone()), Some(name.clone())),
        Node::Statics(type_) => (Opens::Statics(type_.clone()), None),
        Node::Frame { .. } => {
            let mut rows = presenter.variables(children);
            rows.extend(presenter.constants());
            return Ok((of_page(rows), Some(String::new())));
        }
    };
    Ok(match opens {
        Opens::Nothing => (Vec::new(), None),
        Opens::Place(place) => (presenter.children(&place, page)?, name),
        Opens::Raw(place) => (presenter.raw(&place, page)?, name),
        Opens::Made(made) => (presenter.parts(&made, page), name),
        Opens::Rest { place, start } => (of_page(presenter.rest(&place, start)?), name),
        Opens::Statics(type_) => (of_page(presenter.statics(&type_)), Some(String::new())),
        Opens::Member { of, type_, name: member } => {
            let row = presenter.member(of.as_ref(), &type_, &member)?;
            // the expression for it is known already
            (vec![Row { access: Some(Access::default()), ..row }], name)
        }
    })
}

fn unknown() -> String {
    refused("no such variablesReference at this stop", HResult::INVALID_ARGUMENT)
}

/// Where code for a node runs.
fn frame_at(pause: &Pause, node: &Node) -> (u32, usize) {
    match node {
        Node::Frame { thread, frame } => (*thread, *frame),
        _ => (pause.thread, 0),
    }
}

fn is_array(pause: &Pause, node: &Node) -> bool {
    let Node::Presented { opens: Opens::Place(place), .. } = node else { return false };
    let content = place.read(&pause.stopped).and_then(|value| value.content());
    matches!(content, Ok(crate::values::Content::Array(_)))
}

fn is_hex(format: Option<ValueFormat>) -> bool {
    format.is_some_and(|format| format.hex)
}

/// What an expression may run that does not say it itself; `None`: anything.
fn allowed(view: View, context: Option<&str>) -> Option<MayRun> {
    match (view.runs, context) {
        // who points at code does not mean to run it
        (Runs::Pure | Runs::Anything, Some("hover")) => Some(MayRun::Pure),
        (Runs::Nothing, context) if context != Some("repl") => Some(MayRun::Nothing),
        _ => None,
    }
}

/// The elements of a sequence, also of one whose type does not say of what.
fn results(evaluation: &mut Evaluation<'_>, expression: &str) -> Result<Evaluated, evaluate::EvalError> {
    let results = |of: &str| format!("System.Linq.Enumerable.ToArray({of})");
    let typed = evaluation.text(&results(expression));
    match typed {
        Err(evaluate::EvalError::Failed(words)) if words.starts_with("error CS") => {
            let objects = format!("System.Linq.Enumerable.Cast<object>({expression})");
            evaluation.text(&results(&objects)).map_err(|_| evaluate::EvalError::Failed(words))
        }
        found => found,
    }
}

fn at(place: &Place) -> evaluate::Answer {
    evaluate::Answer { value: Value::Object(place.clone()), type_: clr_csharp::types::Type::Late }
}

/// `3` of `[3]`.
fn index(name: &str) -> Option<usize> {
    name.strip_prefix('[')?.strip_suffix(']')?.parse().ok()
}

/// So that `.Name` behind it is of all of it.
fn as_operand(expression: &str) -> String {
    let expression = expression.trim();
    let is_path = expression.chars().all(|c| c.is_alphanumeric() || "_.@$[]".contains(c));
    if is_path { expression.to_owned() } else { format!("({expression})") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_expression_may_run_depends_on_who_asks_and_on_the_options() {
        let off = View { runs: Runs::Nothing, ..View::default() };
        for (view, context, expected) in [
            (View::default(), Some("watch"), None),
            (View::default(), Some("hover"), Some(MayRun::Pure)),
            (off, Some("watch"), Some(MayRun::Nothing)),
            (off, Some("hover"), Some(MayRun::Nothing)),
            (off, Some("repl"), None),
            (off.specified(Specifier::AlwaysCall), Some("watch"), None),
        ] {
            assert_eq!(allowed(view, context), expected, "{context:?}");
        }
    }

    #[test]
    fn what_is_no_path_is_put_in_parentheses() {
        for (expression, expected) in
            [("order.Lines[0] ", "order.Lines[0]"), ("a + b", "(a + b)"), ("(Order)it", "((Order)it)")]
        {
            assert_eq!(as_operand(expression), expected);
        }
    }

    #[test]
    fn an_element_is_known_by_its_index() {
        assert_eq!([index("[12]"), index("[\"a\"]"), index("[1, 2]"), index("Name")], [Some(12), None, None, None]);
    }
}
