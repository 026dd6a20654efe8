//! Members of bases that have the name of a member nearer to the object's own type: `x (Base)`, which an expression reads as `((Base)of).x`.

use super::{MemberQuery, unread};
use crate::session::inspect::access::Access;
use crate::session::inspect::evaluate;
use crate::session::inspect::expand::expand;
use crate::session::inspect::reader::Reader;
use crate::session::inspect::shape::{MemberKind, Shadowed, Shape};
use crate::session::inspect::side_by_side;
use crate::session::report::Variable;

/// Whether an adapter lists one under this name.
pub(super) fn is_one(shape: &Shape, listed: &str) -> bool {
    let name = listed.split_once(" (").map(|(name, _)| name);
    shape.shadowed.iter().any(|shadowed| Some(shadowed.member.name.as_str()) == name)
}

/// Each behind the name that it shares, and how many are not read.
pub(super) async fn members(
    reader: &Reader,
    load_path: &str,
    shape: &Shape,
    query: MemberQuery<'_>,
) -> (Vec<(String, Variable)>, u64) {
    // others look for a member by its name alone
    let reads_them = reader.capabilities.supports_csharp_expressions;
    let is_read = |it: &&Shadowed| reads_them && !it.member.hidden;
    let readable: Vec<&Shadowed> = shape.shadowed.iter().filter(is_read).collect();
    let left = shape.shadowed.len() - readable.len();
    let reads = readable.into_iter().filter(|it| query.has(&it.name())).map(|shadowed| async move {
        let variable = read(reader, load_path, shadowed, query).await?;
        Some((shadowed.member.name.clone(), variable))
    });
    let read = side_by_side(reads).await;
    let unread = left + read.iter().filter(|it| it.is_none()).count();
    (read.into_iter().flatten().collect(), unread as u64)
}

async fn read(reader: &Reader, load_path: &str, shadowed: &Shadowed, query: MemberQuery<'_>) -> Option<Variable> {
    let path = shadowed.path(load_path);
    let read = match shadowed.member.kind {
        // only what changes nothing runs
        MemberKind::Computed => Box::pin(evaluate::evaluate(reader, &path, false)).await.map(|read| read.value).ok(),
        _ => reader.evaluate(&path, Access::Load).await.ok(),
    };
    let mut variable = match read {
        Some(value) => {
            let value = value.declared_as(&shadowed.member.declared);
            let shown = shadowed.path(query.path);
            let mut variable = Box::pin(expand(reader, &value, &path, &shown, query.depth.saturating_sub(1))).await;
            variable.path = Some(shown);
            variable
        }
        None if reader.budget.is_spent() => unread(),
        None => return None,
    };
    variable.name = shadowed.name();
    Some(variable)
}
