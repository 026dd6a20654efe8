//! Members of an object that may be read without running code.

use super::access::{Access, ReadError};
use super::raw_value::RawValue;
use super::reader::Reader;
use super::shape::{Member, MemberKind, Shape};
use super::side_by_side;
use crate::session::expression::{is_path, join};

/// What is said of a pointer that the adapter would follow.
pub(super) const NO_POINTERS: &str = "this adapter cannot read pointers";

/// Reads the members given, in their order. A member that cannot be read is an error of its own.
pub async fn load_members(
    reader: &Reader,
    value: &RawValue,
    path: &str,
    shape: &Shape,
    members: &[&Member],
) -> Vec<Result<RawValue, ReadError>> {
    let listed = listed(reader, value, path, shape, members).await;
    let reads = members.iter().map(|member| {
        let found = find(&listed, member).cloned();
        async move {
            let read = match found {
                Some(found) => found,
                None => alone(reader, path, member).await?,
            };
            Ok(RawValue { name: member.name.clone(), ..read.declared_as(&member.declared) })
        }
    });
    side_by_side(reads).await
}

/// One request instead of one a member, where the adapter's listing runs nothing.
async fn listed(reader: &Reader, value: &RawValue, path: &str, shape: &Shape, members: &[&Member]) -> Vec<RawValue> {
    if value.reference == 0 || members.is_empty() || !listing_is_safe(reader, shape) {
        return Vec::new();
    }
    if reader.forced.has(value.reference) && !shape.all_safe() {
        return match reader.open(path).await {
            Ok(opened) if opened.reference != 0 && !reader.forced.has(opened.reference) => {
                reader.children(opened.reference, None).await.unwrap_or_default()
            }
            _ => Vec::new(),
        };
    }
    let all = |children: &[RawValue]| members.iter().all(|member| find(children, member).is_some());
    let children = match members {
        // no path leads to a part of what an expression made
        [only] if only.kind == MemberKind::Field && is_path(path) => Vec::new(),
        _ => reader.children(value.reference, None).await.unwrap_or_default(),
    };
    let has_hidden = || members.iter().any(|member| member.field.as_ref().is_some_and(|field| field.starts_with('<')));
    if all(&children) || !has_hidden() || reader.quirks.hidden_fields_suffix.is_none() {
        return children;
    }
    // a backing field costs less than the getter that loads it, and can be read where no call can be made
    match reader.open(path).await {
        Ok(opened) if opened.reference != 0 => reader.children(opened.reference, None).await.unwrap_or(children),
        _ => children,
    }
}

/// A member by its own name, or by the field that its getter loads.
fn find<'a>(children: &'a [RawValue], member: &Member) -> Option<&'a RawValue> {
    let by_name = |name: &str| children.iter().find(|child| child.name == name && child.is_read());
    by_name(&member.name).or_else(|| member.field.as_deref().and_then(by_name))
}

async fn alone(reader: &Reader, path: &str, member: &Member) -> Result<RawValue, ReadError> {
    if member.kind == MemberKind::Computed {
        return Err(ReadError::Refused("runs code".into()));
    }
    if member.kind == MemberKind::Captured {
        return captured(reader, path, &member.name).await;
    }
    if reader.quirks.follows_pointers && member.declared.ends_with('*') {
        return Err(ReadError::Refused(NO_POINTERS.into()));
    }
    // an expression cannot name the compiler's field
    if let Some(field) = member.field.as_deref().filter(|field| !field.starts_with('<'))
        && let Ok(read) = reader.evaluate(&join(&member.receiver(path), field), Access::Load).await
    {
        return Ok(read);
    }
    reader.evaluate_getter(&member.load_path(path)).await
}

/// A captured parameter of the primary constructor. Of `this` an adapter may show it as a variable of the frame (dncdbg 1.1.0).
async fn captured(reader: &Reader, parent: &str, name: &str) -> Result<RawValue, ReadError> {
    let refused = || ReadError::Refused("the adapter does not show its field".into());
    if parent != "this" {
        return Err(refused());
    }
    reader.evaluate(name, Access::Load).await.map_err(|error| match error {
        ReadError::Refused(_) => refused(),
        gone => gone,
    })
}

fn listing_is_safe(reader: &Reader, shape: &Shape) -> bool {
    !reader.quirks.variables_run_getters || shape.all_safe()
}
