//! Statements once every name in them is resolved.

use super::{Bound, Slot};

#[derive(Debug, Clone)]
pub enum Act {
    /// For what it does.
    Value(Bound),
    /// A variable begins; without a value it has none yet.
    Declare(Slot, Option<Bound>),
    Several(Vec<Act>),
    If {
        condition: Bound,
        then: Box<Act>,
        otherwise: Option<Box<Act>>,
    },
    Loop {
        first: Vec<Act>,
        condition: Option<Bound>,
        next: Vec<Bound>,
        body: Box<Act>,
        is_after: bool,
    },
    /// Each element goes into the slot.
    ForEach {
        source: Bound,
        slot: Slot,
        body: Box<Act>,
    },
    Return(Option<Bound>),
    Break,
    Continue,
}

impl Act {
    /// What the statements in it return.
    pub fn returned(&self) -> Vec<&Option<Bound>> {
        match self {
            Self::Return(value) => vec![value],
            Self::Several(acts) => acts.iter().flat_map(Self::returned).collect(),
            Self::If { then, otherwise, .. } => {
                then.returned().into_iter().chain(otherwise.iter().flat_map(|it| it.returned())).collect()
            }
            Self::Loop { body, .. } | Self::ForEach { body, .. } => body.returned(),
            Self::Value(_) | Self::Declare(..) | Self::Break | Self::Continue => Vec::new(),
        }
    }

    /// The same, to be changed.
    pub fn returned_mut(&mut self) -> Vec<&mut Option<Bound>> {
        match self {
            Self::Return(value) => vec![value],
            Self::Several(acts) => acts.iter_mut().flat_map(Self::returned_mut).collect(),
            Self::If { then, otherwise, .. } => {
                then.returned_mut().into_iter().chain(otherwise.iter_mut().flat_map(|it| it.returned_mut())).collect()
            }
            Self::Loop { body, .. } | Self::ForEach { body, .. } => body.returned_mut(),
            Self::Value(_) | Self::Declare(..) | Self::Break | Self::Continue => Vec::new(),
        }
    }

    /// The expressions directly within it and within the statements in it.
    pub(super) fn parts(&self) -> Vec<&Bound> {
        match self {
            Self::Value(bound) | Self::Declare(_, Some(bound)) | Self::Return(Some(bound)) => vec![bound],
            Self::Declare(_, None) | Self::Return(None) | Self::Break | Self::Continue => Vec::new(),
            Self::Several(acts) => acts.iter().flat_map(Self::parts).collect(),
            Self::If { condition, then, otherwise } => {
                let branches = then.parts().into_iter().chain(otherwise.iter().flat_map(|it| it.parts()));
                std::iter::once(condition).chain(branches).collect()
            }
            Self::Loop { first, condition, next, body, .. } => {
                first.iter().flat_map(Self::parts).chain(condition).chain(next).chain(body.parts()).collect()
            }
            Self::ForEach { source, body, .. } => std::iter::once(source).chain(body.parts()).collect(),
        }
    }

    /// Whether what stands behind it may be reached.
    pub fn completes(&self) -> bool {
        use crate::constant::{Constant, Scalar};
        match self {
            Self::Return(_) | Self::Break | Self::Continue => false,
            Self::Value(bound) => !matches!(bound.kind, super::Kind::Throw(_)),
            Self::Declare(..) | Self::ForEach { .. } => true,
            Self::Several(acts) => acts.iter().all(Self::completes),
            Self::If { then, otherwise, .. } => then.completes() || otherwise.as_ref().is_none_or(|it| it.completes()),
            Self::Loop { condition, body, .. } => {
                let is_true = |it: &Bound| it.constant() == Some(&Constant::Scalar(Scalar::Bool(true)));
                condition.as_ref().is_some_and(|it| !is_true(it)) || body.breaks()
            }
        }
    }

    /// Whether it ends the loop around.
    fn breaks(&self) -> bool {
        match self {
            Self::Break => true,
            Self::Several(acts) => acts.iter().any(Self::breaks),
            Self::If { then, otherwise, .. } => then.breaks() || otherwise.as_ref().is_some_and(|it| it.breaks()),
            _ => false,
        }
    }
}
