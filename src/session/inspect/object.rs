//! Members of an object that may be read without running code.

use futures::future::join_all;

use super::reader::{Access, RawValue, ReadError, Reader, join};
use super::shape::{Member, MemberKind, Shape};

/// Reads the members given, in their order. A member that cannot be read is an error of its own.
pub async fn load_members(
    reader: &Reader,
    value: &RawValue,
    path: &str,
    shape: &Shape,
    members: &[&Member],
) -> Vec<Result<RawValue, ReadError>> {
    // one request instead of one a member, where the adapter's listing runs nothing
    let listed = if value.reference != 0 && members.len() > 1 && listing_is_safe(reader, shape) {
        reader.children(value.reference, None).await.unwrap_or_default()
    } else {
        Vec::new()
    };
    let reads = members.iter().map(|member| {
        let found = listed.iter().find(|child| child.name == member.name && child.is_read()).cloned();
        async move {
            if let Some(found) = found {
                return Ok(found);
            }
            let parent = path;
            let path = join(path, &member.name);
            let mut read = match member.kind {
                MemberKind::Field => reader.evaluate(&path, Access::Load).await?,
                MemberKind::Loads => reader.evaluate_getter(&path).await?,
                MemberKind::Computed => return Err(ReadError::Refused("runs code".into())),
                MemberKind::Captured => captured(reader, parent, &member.name).await?,
            };
            read.name.clone_from(&member.name);
            Ok(read)
        }
    });
    join_all(reads).await
}

/// A captured parameter of the primary constructor. Of `this` an adapter may show it as a variable of the frame (dncdbg 1.1.0).
pub async fn captured(reader: &Reader, parent: &str, name: &str) -> Result<RawValue, ReadError> {
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
