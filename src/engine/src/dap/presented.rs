//! `variables`, `evaluate` and assignments for a client that shows what it gets: an editor.

use std::time::Duration;

use clr_csharp::specifiers::{self, Specifier};
use clr_csharp::value::Value;
use dap_wire::{
    EvaluateArguments, MayRun, SetVariableArguments, THROWN, ValueFormat, VariablePresentationHint, VariablesArguments,
    VariablesFilter,
};
use serde_json::json;

use super::evaluation::{CALL, frame_of};
use super::inspection::{VariablesBody, frame_children, page};
use super::references::Node;
use super::server::{Answer, Pause, Server, body, refused};
use crate::com::HResult;
use crate::evaluate::{self, Calls, Evaluated, Evaluation, Limited};
use crate::presentation::{Access, Opens, PER_CALL, Presenter, Row};
use crate::values::{Page, Place, Shown, statics};

impl Server {
    pub(super) fn presented_variables(&mut self, arguments: &VariablesArguments) -> Answer {
        self.with_pause(|server, pause| {
            let node = pause.references.node_of(arguments.variables_reference).cloned().ok_or_else(unknown)?;
            if arguments.filter == Some(VariablesFilter::Named) && is_array(pause, &node) {
                return body(VariablesBody { variables: Vec::new() });
            }
            let (rows, parent) = rows(server, pause, &node, page(arguments), numbers(arguments.format))?;
            let rows = rows.into_iter().map(|row| pause.references.row(row, parent.as_deref()));
            body(VariablesBody { variables: rows.collect() })
        })
    }

    pub(super) fn presented_evaluation(&mut self, arguments: &EvaluateArguments) -> Answer {
        let (expression, specifiers) = specifiers::split(&arguments.expression).map_err(|error| error.to_string())?;
        let is_hover = arguments.context.as_deref() == Some("hover");
        let may_run = arguments.may_run.or(is_hover.then_some(MayRun::Pure));
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
                evaluated.map_err(|error| error.to_string())?
            };
            let numbers = specifiers.iter().copied().find(|it| is_of_numbers(*it));
            let numbers = numbers.unwrap_or_else(|| self::numbers(arguments.format));
            let slow = server.slow.clone();
            let mut calls = Limited { waiter: server, limit: PER_CALL };
            let mut presenter =
                Presenter::new(Evaluation::new(&mut pause.stopped, thread, frame, Some(&mut calls)), slow, numbers);
            let (row, kind) = match evaluated {
                Evaluated::Threw(exception) => {
                    (presenter.row_of_exception(expression, &exception), Some(THROWN.to_owned()))
                }
                Evaluated::Value(answer) => {
                    let (plain, opened) = presenter.evaluation().show(&answer);
                    let kind = opened.as_ref().and_then(|opened| opened.kind()).map(str::to_owned);
                    let text = presenter.evaluation().string(&answer);
                    let row = match (&answer.value, text) {
                        (_, Some(text)) if specifiers.contains(&Specifier::NoQuotes) => {
                            let row = presenter.row_of_answer(expression, &answer);
                            Row { shown: Shown { text, ..row.shown }, ..row }
                        }
                        (Value::Object(place), None) if specifiers.contains(&Specifier::Raw) && plain.opens => {
                            let opens = match plain.elements {
                                None => Opens::Raw(place.clone()),
                                Some(_) => Opens::Place(place.clone()),
                            };
                            let row = presenter.row_of_answer(expression, &answer);
                            Row { shown: plain, opens, ..row }
                        }
                        _ => presenter.row_of_answer(expression, &answer),
                    };
                    (row, kind)
                }
            };
            let hint = kind.map(|kind| VariablePresentationHint { kind: Some(kind), ..Default::default() });
            body(dap_wire::EvaluateResponse {
                result: row.shown.text,
                type_name: Some(row.shown.type_name),
                variables_reference: pause.references.presented(row.opens, Some(as_operand(expression))),
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
            let numbers = numbers(arguments.format);
            let (thread, frame) = frame_at(pause, &node);
            // of a long array only that element is looked at
            let only = index(&arguments.name).map(|start| Page { start, count: 1 });
            let mut found = None;
            for page in only.into_iter().chain([Page::ALL]) {
                let (rows, parent) = rows(server, pause, &node, page, numbers)?;
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
            presented(server, pause, (thread, frame), &now, numbers, expression)
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
        presented(self, pause, at, now, numbers(format), Some(as_operand(expression)))
    }
}

fn presented(
    server: &mut Server,
    pause: &mut Pause,
    (thread, frame): (u32, usize),
    now: &evaluate::Answer,
    numbers: Specifier,
    expression: Option<String>,
) -> Answer {
    let slow = server.slow.clone();
    let mut calls = Limited { waiter: server, limit: PER_CALL };
    let evaluation = Evaluation::new(&mut pause.stopped, thread, frame, Some(&mut calls));
    let row = Presenter::new(evaluation, slow, numbers).row_of_answer("", now);
    let reference = pause.references.presented(row.opens, expression);
    body(json!({ "value": row.shown.text, "type": row.shown.type_name, "variablesReference": reference }))
}

/// What a reference stands for, and the expression for it.
fn rows(
    server: &mut Server,
    pause: &mut Pause,
    node: &Node,
    page: Page,
    numbers: Specifier,
) -> Result<(Vec<Row>, Option<String>), String> {
    let (thread, frame) = frame_at(pause, node);
    let children = match node {
        Node::Frame { thread, frame } => frame_children(pause, *thread, *frame)?,
        Node::Statics(type_) | Node::Presented { opens: Opens::Statics(type_), .. } => {
            statics(&pause.stopped, pause.thread, type_)
        }
        _ => Vec::new(),
    };
    let limit = match node {
        // the client asks for what it gives
        Node::Presented { opens: Opens::Property { .. }, .. } => CALL,
        _ => PER_CALL,
    };
    let slow = server.slow.clone();
    let mut calls = Limited { waiter: server, limit };
    let evaluation = Evaluation::new(&mut pause.stopped, thread, frame, Some(&mut calls));
    let mut presenter = Presenter::new(evaluation, slow, numbers);
    let of_page = |rows: Vec<Row>| rows.into_iter().skip(page.start).take(page.count).collect();
    let (opens, name) = match node {
        Node::Presented { opens, name } => (opens.clone(), name.clone()),
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
        Opens::Statics(_) => (of_page(presenter.rows_of(children)), Some(String::new())),
        Opens::Property { of, type_, name: property } => {
            let row = presenter.property(&of, &type_, &property)?;
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

fn numbers(format: Option<ValueFormat>) -> Specifier {
    match format {
        Some(ValueFormat { hex: true }) => Specifier::Hex { is_upper: false },
        _ => Specifier::Decimal,
    }
}

fn is_of_numbers(specifier: Specifier) -> bool {
    matches!(specifier, Specifier::Hex { .. } | Specifier::Binary | Specifier::Decimal)
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
