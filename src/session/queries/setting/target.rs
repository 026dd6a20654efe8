//! Where an assignment may go. An index into anything but an array is a call, and what a getter or such a call gives of a struct is a
//! copy: netcoredbg 3.1.2 passes a value that is meant for a part of one to the setter of the whole, which ends the program or
//! destroys the object (2026-11-22).

use crate::session::expression::{Segment, segments};
use crate::session::inspect::literal::Raw;
use crate::session::inspect::shape::{Collection, Form, MemberKind};
use crate::session::inspect::{Reader, evaluate};

/// What the last piece of a path is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// A variable, a field, an element of an array, or what metadata does not know.
    Stored,
    Property,
    /// By an indexer of the object at `receiver`.
    Indexed {
        receiver: String,
        index: String,
    },
    /// A part of the struct that is read at this path, and stored elsewhere.
    OfCopy(String),
    /// An element of a set: where it is kept depends on its value.
    OfSet,
}

/// Where `path` goes.
pub async fn place(reader: &Reader, path: &str) -> Place {
    let Some(pieces) = segments(path) else {
        // of a call
        return match path.rsplit_once('.') {
            Some((owner, _)) => Place::OfCopy(owner.to_owned()),
            None => Place::Stored,
        };
    };
    let last = step(reader, &pieces).await;
    let is_part = match &last {
        Step::Field { of_struct } | Step::Property { of_struct } => *of_struct,
        _ => false,
    };
    let mut owner = pieces.len().saturating_sub(1);
    while is_part && owner > 1 {
        let pieces = pieces.get(..owner).unwrap_or_default();
        match step(reader, pieces).await {
            Step::Field { of_struct: true } => owner -= 1,
            Step::Property { .. } | Step::Call | Step::OfSet => return Place::OfCopy(spelled(pieces)),
            _ => break,
        }
    }
    let receiver = || spelled(pieces.get(..pieces.len() - 1).unwrap_or_default());
    match (last, pieces.last()) {
        (Step::Property { .. }, _) => Place::Property,
        (Step::Call, Some(Segment::Index(index))) => Place::Indexed { receiver: receiver(), index: index.clone() },
        (Step::OfSet, _) => Place::OfSet,
        _ => Place::Stored,
    }
}

/// How the last of some pieces is reached from those before it.
pub(super) enum Step {
    Name,
    Element,
    Field { of_struct: bool },
    Property { of_struct: bool },
    Call,
    OfSet,
}

pub(super) async fn step(reader: &Reader, pieces: &[Segment]) -> Step {
    let Some((last, before)) = pieces.split_last().filter(|(_, before)| !before.is_empty()) else { return Step::Name };
    let owner = spelled(before);
    let Ok(owner_value) = evaluate::evaluate(reader, &owner, true).await else {
        // a type
        return match last {
            Segment::Name(name) if reader.modules.has_static_property(&owner, name) => {
                Step::Property { of_struct: false }
            }
            _ => Step::Name,
        };
    };
    let shape = reader.shape(&owner_value.value.type_name);
    match last {
        Segment::Index(_) if matches!(owner_value.value.parsed(), Raw::Array(_)) => Step::Element,
        Segment::Index(_) => match &shape.form {
            Form::Collection(Collection::Hash { value: None, .. }) => Step::OfSet,
            Form::Collection(_) if owner_value.value.short_type().contains("Set<") => Step::OfSet,
            _ => Step::Call,
        },
        Segment::Name(name) => {
            let of_struct = shape.is_value_type;
            let kind = shape.members.iter().find(|member| member.name == *name).map(|member| member.kind);
            let is_property = match kind {
                Some(kind) => matches!(kind, MemberKind::Loads | MemberKind::Computed),
                None => reader.modules.accessors(&owner_value.value.type_name, name).is_some(),
            };
            match is_property {
                true => Step::Property { of_struct },
                false => Step::Field { of_struct },
            }
        }
    }
}

pub(super) fn spelled(pieces: &[Segment]) -> String {
    pieces.iter().fold(String::new(), |path, piece| match piece {
        Segment::Name(name) if path.is_empty() => name.clone(),
        Segment::Name(name) => format!("{path}.{name}"),
        Segment::Index(index) => format!("{path}[{index}]"),
    })
}
