//! What a wrong name was meant to be.

/// The nearest of `names`, where one is near enough to be meant.
pub(super) fn nearest<'a>(wrong: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let closeness = |name: &str| {
        let within = !name.is_empty() && (wrong.starts_with(name) || name.starts_with(wrong));
        strsim::jaro_winkler(wrong, name) + if within { 0.1 } else { 0.0 }
    };
    names
        .map(|name| (closeness(name), name))
        .filter(|(closeness, _)| *closeness > 0.75)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, name)| name)
}
