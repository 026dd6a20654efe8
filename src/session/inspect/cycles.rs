//! Objects that contain themselves: a view that goes deep points back to where the object was shown.
//!
//! Adapters give no address and refuse references as arguments of calls, so identity comes from `Object.GetHashCode()`, which the
//! runtime gives each object once: equal for one object, and for two by a chance of 1 in 67 million. Only types that do not
//! override it are asked, and only where one of them lies within another.

use super::access::Access;
use super::raw_value::RawValue;
use super::reader::Reader;

/// The path at which an object around `value` is the same object. `path` leads to `value` from where the view begins.
pub(super) async fn found(reader: &Reader, value: &RawValue, load_path: &str, path: &str) -> Option<String> {
    if !reader.asked || reader.read_only || !reader.modules.has_identity_hash(&value.type_name) {
        return None;
    }
    let around = enclosing(path);
    let first = *around.first()?;
    // what the caller wrote is what the view begins with
    let tail = path.get(first.len()..)?;
    let begin = load_path.strip_suffix(tail)?;
    let mut own = None;
    for outer in around {
        let at = format!("{begin}{}", outer.get(first.len()..)?);
        let known = reader.evaluate(&at, Access::Load).await.ok()?;
        if known.type_name != value.type_name {
            continue;
        }
        if own.is_none() {
            own = Some(hash(reader, load_path).await?);
        }
        if hash(reader, &at).await == own {
            return Some(outer.to_owned());
        }
    }
    None
}

async fn hash(reader: &Reader, path: &str) -> Option<i64> {
    let hash = reader.evaluate(&format!("{path}.GetHashCode()"), Access::Run).await.ok()?;
    hash.value.parse().ok()
}

/// `a.b[0].c` -> `a`, `a.b`, `a.b[0]`
fn enclosing(path: &str) -> Vec<&str> {
    let code = crate::session::expression::outside_strings(path);
    let mut ends: Vec<usize> = Vec::new();
    let mut depth = 0;
    for ((at, _), c) in path.char_indices().zip(code.chars()) {
        match c {
            '.' | '[' if depth == 0 && at > 0 => ends.push(at),
            _ => {}
        }
        match c {
            '[' | '(' => depth += 1,
            ']' | ')' => depth -= 1,
            _ => {}
        }
    }
    ends.into_iter().filter_map(|end| path.get(..end)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_within_each_of_its_beginnings() {
        assert_eq!(enclosing("a.b[0].c"), ["a", "a.b", "a.b[0]"]);
        assert_eq!(enclosing("map[\"x.y[\"].c"), ["map", "map[\"x.y[\"]"]);
        assert_eq!(enclosing("a"), [""; 0]);
    }
}
