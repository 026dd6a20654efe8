//! Fields and elements that are reached through a property. For them `setExpression` calls the setter of that property with the value
//! of the part: it then holds a string for a list, or the program ends (netcoredbg 3.1.2 and dncdbg, tried on 2026-11-23).
//! `setVariable` writes the part itself.

use super::target::{Step, spelled, step};
use crate::dap::{self, request};
use crate::session::expression::{Segment, segments};
use crate::session::inspect::statics::leading_type;
use crate::session::inspect::{RawValue, ReadError, Reader, evaluate};

/// Whether the last piece of `path` is a field or an element, and a property is, or may be, before it.
pub async fn is_behind_property(reader: &Reader, path: &str) -> bool {
    let Some(pieces) = segments(path) else { return false };
    if pieces.len() < 2 || matches!(step(reader, &pieces).await, Step::Property { .. }) {
        return false;
    }
    let first = match leading_type(reader, &pieces).await {
        // a static member is no part of another
        Some(type_) if pieces.len() <= type_.pieces + 1 => return false,
        Some(type_) => {
            let Some(Segment::Name(member)) = pieces.get(type_.pieces) else { return true };
            let short = type_.text.rsplit('.').next().unwrap_or_default();
            if reader.modules.has_static_property(short, member) {
                return true;
            }
            type_.pieces + 2
        }
        None if is_stored(reader, pieces.first()).await => 2,
        None => return true,
    };
    for end in first..pieces.len() {
        let is_stored = matches!(
            step(reader, pieces.get(..end).unwrap_or_default()).await,
            Step::Name | Step::Element | Step::Field { .. }
        );
        if !is_stored {
            return true;
        }
    }
    false
}

/// A variable of the frame, or a field of `this`.
async fn is_stored(reader: &Reader, first: Option<&Segment>) -> bool {
    let Some(Segment::Name(name)) = first else { return false };
    let name = name.trim_start_matches('@');
    let is_variable = |variables: Vec<RawValue>| variables.iter().any(|variable| variable.name == name);
    name == "this" || reader.variables().await.is_ok_and(is_variable) || {
        let of_this = [Segment::Name("this".to_owned()), Segment::Name(name.to_owned())];
        let has_this = evaluate::evaluate(reader, "this", false).await.is_ok();
        has_this && matches!(step(reader, &of_this).await, Step::Field { .. })
    }
}

/// As a child of what holds it.
pub async fn assign(reader: &Reader, path: &str, value: &str) -> Result<(), ReadError> {
    let refused = |words: &str| ReadError::Refused(words.to_owned());
    let pieces = segments(path).unwrap_or_default();
    let Some((last, before)) = pieces.split_last() else { return Err(refused("")) };
    let name = match last {
        Segment::Name(name) => name.trim_start_matches('@').to_owned(),
        Segment::Index(index) => listed_as(reader, index).await?,
    };
    let owner =
        evaluate::evaluate(reader, &spelled(before), true).await.map_err(|error| ReadError::Refused(error.message))?;
    if owner.value.reference == 0 {
        return Err(refused("the adapter gives no access to the object that holds it"));
    }
    let arguments = dap::SetVariableArguments {
        variables_reference: owner.value.reference,
        name,
        value: value.to_owned(),
        may_run: None,
        ..dap::SetVariableArguments::default()
    };
    reader.client.request::<request::SetVariable>(arguments).await?;
    Ok(())
}

/// What adapters call an element: `[1, 2]`.
async fn listed_as(reader: &Reader, index: &str) -> Result<String, ReadError> {
    let mut positions = Vec::new();
    for position in index.split(',') {
        let found = evaluate::evaluate(reader, position.trim(), false).await;
        match found.ok().and_then(|found| found.value.value.parse::<u64>().ok()) {
            Some(position) => positions.push(position.to_string()),
            None => {
                return Err(ReadError::Refused(
                    "an index that follows a property in the path must be a number".to_owned(),
                ));
            }
        }
    }
    Ok(format!("[{}]", positions.join(", ")))
}
