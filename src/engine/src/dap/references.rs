//! The numbers that stand for frames and values while the program stands still.

use std::sync::Arc;

use clr_csharp::value::Made;

use crate::awaiters;
use crate::com;
use crate::evaluate::{Opened, Part};
use crate::presentation::{Opens, Row, View};
use crate::values::{Child, Place, Shown};

/// Frame numbers from here on are of frames that an exception recorded.
pub const FIRST_RECORDED: usize = 1 << 20;

/// That of the line between the frames of the stack and the async methods that wait for them ([`awaiters::FIRST`]).
pub const WAITS: usize = awaiters::FIRST - 1;

/// Frames that only an exception recorded have no variables, nor has a line that only says what comes.
pub fn has_variables(frame: usize) -> bool {
    !(FIRST_RECORDED..=WAITS).contains(&frame)
}

/// What a `variablesReference` stands for.
#[derive(Clone)]
pub enum Node {
    /// The variables of a frame.
    Frame { thread: u32, frame: usize },
    /// A value, and the expression that gives it.
    Value { place: Place, name: String },
    /// What an expression made, and the expression.
    Made { made: Arc<Made<Place>>, name: String },
    /// The static members of a type.
    Statics(com::Type),
    /// What a row opens to, and the expression that gives it, where there is one.
    Presented { opens: Opens, name: Option<String>, view: View },
}

impl Node {
    /// How what it opens to is shown, where it was not given out in another way.
    pub fn view(&self, usual: View) -> View {
        match self {
            Self::Presented { view, .. } => *view,
            _ => usual,
        }
    }
}

/// What was handed out at one stop.
#[derive(Default)]
pub struct References {
    frames: Vec<(u32, usize)>,
    nodes: Vec<Node>,
}

impl References {
    /// The id of a frame, from 1.
    pub fn frame(&mut self, thread: u32, index: usize) -> i64 {
        let at = self.frames.iter().position(|frame| *frame == (thread, index)).unwrap_or_else(|| {
            self.frames.push((thread, index));
            self.frames.len() - 1
        });
        at as i64 + 1
    }

    /// Thread and position of a frame.
    pub fn frame_of(&self, id: i64) -> Option<(u32, usize)> {
        self.frames.get(usize::try_from(id).ok()?.checked_sub(1)?).copied()
    }

    pub fn node(&mut self, node: Node) -> i64 {
        self.nodes.push(node);
        self.nodes.len() as i64
    }

    pub fn node_of(&self, reference: i64) -> Option<&Node> {
        self.nodes.get(usize::try_from(reference).ok()?.checked_sub(1)?)
    }

    /// A variable as the protocol has it.
    pub fn variable(&mut self, child: Child, parent: Option<&str>) -> dap_wire::Variable {
        let name = match parent {
            Some(parent) => format!("{parent}{}", child.access),
            None => child.access.clone(),
        };
        let hint = child.is_property.then(|| dap_wire::VariablePresentationHint {
            kind: Some("property".into()),
            ..dap_wire::VariablePresentationHint::default()
        });
        let address = child.shown.address.map(|address| format!("0x{address:x}"));
        let reference = self.opened(&child.shown, child.place, &name);
        dap_wire::Variable {
            name: child.name,
            value: child.shown.text,
            type_name: Some(child.shown.type_name),
            evaluate_name: Some(name),
            variables_reference: reference,
            indexed_variables: child.shown.elements.map(i64::from),
            presentation_hint: hint,
            memory_reference: address,
            ..dap_wire::Variable::default()
        }
    }

    /// A row of a parent that this expression gives.
    pub fn row(&mut self, row: Row, parent: Option<&str>, view: View) -> dap_wire::Variable {
        let evaluate_name = row.access.as_ref().zip(parent).map(|(access, parent)| access.of(parent));
        let hint = dap_wire::VariablePresentationHint {
            kind: row.kind.map(str::to_owned),
            attributes: row.is_constant.then(|| "constant".to_owned()).into_iter().collect(),
            visibility: row.visibility.map(str::to_owned),
            lazy: row.is_lazy,
        };
        dap_wire::Variable {
            name: row.name,
            value: row.shown.text,
            type_name: Some(row.shown.type_name),
            variables_reference: self.presented(row.opens, evaluate_name.clone(), view),
            evaluate_name,
            indexed_variables: row.shown.elements.map(i64::from),
            presentation_hint: (hint != dap_wire::VariablePresentationHint::default()).then_some(hint),
            memory_reference: row.shown.address.map(|address| format!("0x{address:x}")),
            ..dap_wire::Variable::default()
        }
    }

    /// A reference to what a row opens to, shown in the same way; 0 for nothing.
    pub fn presented(&mut self, opens: Opens, name: Option<String>, view: View) -> i64 {
        match opens {
            Opens::Nothing => 0,
            opens => self.node(Node::Presented { opens, name, view }),
        }
    }

    /// A part of what an expression made.
    pub fn part(&mut self, part: Part, parent: &str) -> dap_wire::Variable {
        let name = format!("{parent}{}", part.access);
        let presentation_hint = hint(part.opened.as_ref());
        let reference = self.opened_answer(&part.shown, part.opened, &name);
        dap_wire::Variable {
            name: part.name,
            value: part.shown.text,
            type_name: Some(part.shown.type_name),
            evaluate_name: Some(name),
            variables_reference: reference,
            indexed_variables: part.shown.elements.map(i64::from),
            presentation_hint,
            memory_reference: part.shown.address.map(|address| format!("0x{address:x}")),
            ..dap_wire::Variable::default()
        }
    }

    /// What an expression gave that cannot be evaluated again under a name.
    pub fn of_answer(&mut self, expression: &str, shown: Shown, opened: Option<Opened>) -> dap_wire::Variable {
        let presentation_hint = hint(opened.as_ref());
        let variables_reference = self.opened_answer(&shown, opened, expression);
        dap_wire::Variable {
            name: expression.to_owned(),
            value: shown.text,
            type_name: Some(shown.type_name),
            variables_reference,
            indexed_variables: shown.elements.map(i64::from),
            presentation_hint,
            ..dap_wire::Variable::default()
        }
    }

    /// Of what an expression gave.
    pub fn opened_answer(&mut self, shown: &Shown, opened: Option<Opened>, name: &str) -> i64 {
        match opened.filter(|_| shown.opens) {
            Some(Opened::Place(place)) => self.node(Node::Value { place, name: name.to_owned() }),
            Some(Opened::Made(made)) => self.node(Node::Made { made, name: name.to_owned() }),
            None => 0,
        }
    }

    /// A reference to what has members; 0 for what has none.
    pub fn opened(&mut self, shown: &Shown, place: Option<Place>, name: &str) -> i64 {
        match place.filter(|_| shown.opens) {
            Some(place) => self.node(Node::Value { place, name: name.to_owned() }),
            None => 0,
        }
    }
}

/// Which parts something has that an expression made: `sequence`, `entries`, `group`, `members` or `tuple`, beside the kinds of the
/// protocol.
pub fn hint(opened: Option<&Opened>) -> Option<dap_wire::VariablePresentationHint> {
    let kind = opened?.kind()?.to_owned();
    Some(dap_wire::VariablePresentationHint { kind: Some(kind), ..dap_wire::VariablePresentationHint::default() })
}
