//! Keys of a dictionary or set that were changed while in it: their hash is no longer the stored one, so no lookup finds them.

use super::native;
use super::{Reader, literal, preview};
use crate::dap::MayRun;
use crate::session::report::Content;
use crate::session::type_names::{generic_arguments, is_primitive, short};

/// Keys whose hashes are compared, at most.
const KEYS: usize = 10_000;
/// Stale keys that are named.
const NAMED: usize = 3;
/// What the framework uses where the program passes no comparer; it calls the keys' own GetHashCode.
const COMPARERS: [&str; 3] = ["ObjectEqualityComparer<", "GenericEqualityComparer<", "EqualityComparer<"];

/// What to say of the stale keys of the collection at `path`; `None` also where that is not known: another comparer decides, GetHashCode
/// is not known to change nothing, or the adapter would need a call for each key.
pub async fn note(reader: &Reader, path: &str, type_name: &str) -> Option<String> {
    if !reader.capabilities.supports_csharp_expressions {
        return None;
    }
    let (hash, key, next, cast) = match type_name.strip_prefix("System.Collections.Generic.")? {
        rest if rest.starts_with("Dictionary<") => ("hashCode", "key", "next", "(uint)"),
        rest if rest.starts_with("HashSet<") => ("HashCode", "Value", "Next", ""),
        _ => return None,
    };
    let key_type = generic_arguments(type_name).into_iter().next()?;
    if is_primitive(&short(&key_type)) {
        return None;
    }
    let comparer = native::evaluate(reader, &format!("{path}._comparer"), MayRun::Nothing).await.ok()?.value;
    let is_default = comparer.value == "null"
        || short(&comparer.type_name)
            .split_once('<')
            .is_some_and(|(name, _)| COMPARERS.contains(&&*format!("{name}<")));
    if !is_default {
        return None;
    }
    // an entry that is free has a `next` below -1
    let stale = format!(
        "{path}._entries.Take(System.Math.Min({path}._count, {KEYS})).Where(e => e.{next} >= -1 && {cast}(e.{key}?.GetHashCode() ?? 0) != e.{hash})"
    );
    let found = native::evaluate(reader, &format!("{stale}.Select(e => e.{key})"), MayRun::Pure).await.ok()?;
    let count = found.value.made.as_ref().and_then(|made| made.count).filter(|count| *count > 0)?;
    let first =
        native::evaluate(reader, &format!("{stale}.Select(e => e.{key}).Take({NAMED})"), MayRun::Pure).await.ok()?;
    let shown = preview::variable(reader, &first.value, &first.load_path, literal::SHORT).await;
    let Content::Value(names) = shown.content else { return None };
    let keys = if count == 1 { "key has" } else { "keys have" };
    Some(format!("{count} {keys} changed since being added, so lookups fail (the stored hash is stale): {names}"))
}
