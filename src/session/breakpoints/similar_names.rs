//! What may have been meant by a name that no method has.

use super::function_name::describe;
use crate::session::modules::Surveyed;
use clr_metadata::MethodQuery;

/// Similar names that are suggested.
const SUGGESTED: usize = 3;

/// Methods with a name like the wanted one, best first.
pub(super) fn nearest<'a>(query: &MethodQuery, known: impl Iterator<Item = &'a Surveyed>) -> Vec<String> {
    let wanted = query.short().to_lowercase();
    let mut scored: Vec<(i64, String)> = Vec::new();
    for known in known {
        for owner in known.assembly.types().filter(|owner| !owner.name().starts_with('<')) {
            for method in owner.methods() {
                let raw = known.assembly.method(method).name();
                if raw.starts_with('.') && !wanted.contains('.') {
                    continue;
                }
                let name = describe(&known.assembly, method).replace(".get_", ".").replace(".set_", ".");
                let likeness = likeness(&wanted, &name.to_lowercase());
                if likeness > 0.8 {
                    scored.push((-((likeness * 1000.0) as i64), name));
                }
            }
        }
    }
    scored.sort();
    let mut names: Vec<String> = Vec::new();
    for (_, name) in scored {
        if !names.contains(&name) {
            names.push(name);
        }
        if names.len() == SUGGESTED {
            break;
        }
    }
    names
}

/// Between 0 and 1. The types count where one was named, and the methods must be alike in any case.
fn likeness(wanted: &str, name: &str) -> f64 {
    let split = |text: &str| match text.rsplit_once('.') {
        Some((owner, method)) => (owner.to_owned(), method.to_owned()),
        None => (String::new(), text.to_owned()),
    };
    let ((type_, method), (owner, own)) = (split(wanted), split(name));
    let of_method = strsim::jaro_winkler(&method, &own);
    if type_.is_empty() || of_method < 0.7 {
        return of_method;
    }
    0.6 * of_method + 0.4 * strsim::jaro_winkler(&type_, &owner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_similar_name_has_a_similar_method_whatever_its_type() {
        for (wanted, name, expected) in [
            ("order.ad", "order.add", true),
            ("orders.add", "order.add", true),
            ("getorad", "cache.getoradd", true),
            ("order.add", "order.add", true),
            ("program.round", "program.use", false),
            ("program.nowhere", "program.concealed", false),
            ("ad", "order.remove", false),
        ] {
            assert_eq!(likeness(wanted, name) > 0.8, expected, "{wanted} {name}: {}", likeness(wanted, name));
        }
    }
}
