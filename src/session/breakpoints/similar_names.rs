//! What may have been meant by a name that no method has.

use super::function_name::describe;
use crate::session::modules::Surveyed;
use clr_metadata::MethodQuery;

/// Similar names that are suggested.
const SUGGESTED: usize = 3;
/// How like the methods must be, whatever their types.
const LEAST: f64 = 0.7;

/// Names like a wanted one, best first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Similar(Vec<(i64, String)>);

impl Similar {
    pub(super) fn names(&self) -> Vec<String> {
        self.0.iter().map(|(_, name)| name.clone()).collect()
    }

    pub(super) fn first(&self) -> Option<&str> {
        self.0.first().map(|(_, name)| name.as_str())
    }

    /// The best of both.
    pub(super) fn merge(&mut self, other: Self) {
        self.0.extend(other.0);
        self.0.sort();
        self.0.dedup();
        self.0.truncate(SUGGESTED);
    }
}

/// Methods with a name like the wanted one.
pub(super) fn nearest<'a>(query: &MethodQuery, known: impl Iterator<Item = &'a Surveyed>) -> Similar {
    let wanted = query.short().to_lowercase();
    let wanted_method = wanted.rsplit('.').next().unwrap_or(&wanted).to_owned();
    let mut scored: Vec<(i64, String)> = Vec::new();
    for known in known {
        for owner in known.assembly.types().filter(|owner| !owner.name().starts_with('<')) {
            for method in owner.methods() {
                let raw = known.assembly.method(method).name();
                if raw.starts_with('.') && !wanted.contains('.') || is_unlike(&wanted_method, raw) {
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
    let mut similar = Similar::default();
    similar.merge(Similar(scored));
    similar
}

/// Whether the name that metadata has already shows that a method is not alike: to describe each of tens of thousands takes long.
fn is_unlike(wanted: &str, raw: &str) -> bool {
    let is_written = !raw.contains(['<', '.']);
    let own = ["get_", "set_"].iter().find_map(|accessor| raw.strip_prefix(accessor)).unwrap_or(raw);
    is_written && strsim::jaro_winkler(wanted, &own.to_lowercase()) < LEAST
}

/// Between 0 and 1. The types count where one was named, and the methods must be alike in any case.
fn likeness(wanted: &str, name: &str) -> f64 {
    let split = |text: &str| match text.rsplit_once('.') {
        Some((owner, method)) => (owner.to_owned(), method.to_owned()),
        None => (String::new(), text.to_owned()),
    };
    let ((type_, method), (owner, own)) = (split(wanted), split(name));
    let of_method = strsim::jaro_winkler(&method, &own);
    if type_.is_empty() || of_method < LEAST {
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
