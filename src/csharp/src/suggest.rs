//! What a type or scope has instead of a name that does not exist.

/// Names that are listed where nothing resembles the one that is missing.
const LISTED: usize = 8;
/// Likeness (Jaro-Winkler) from which a name is a suggestion.
const ALIKE: f64 = 0.8;

/// The end of a message about a name that is missing among these: `; did you mean Next?`, `; it has Owner, Balance`, or nothing.
pub fn instead(name: &str, names: &[String]) -> String {
    // what was written is there, but not as what was asked for
    let names: Vec<String> = names.iter().filter(|it| *it != name).cloned().collect();
    let meant = did_you_mean(&nearest(name, &names));
    if !meant.is_empty() {
        return meant;
    }
    match names.len() {
        0 => String::new(),
        count if count <= LISTED => format!("; it has {}", names.join(", ")),
        count => {
            let first = names.get(..LISTED).unwrap_or(&names).join(", ");
            format!("; it has {first} and {} more", count - LISTED)
        }
    }
}

/// The end of a message about a name that is missing: `; did you mean Next, Text?`, or nothing without suggestions.
pub fn did_you_mean<T: AsRef<str>>(names: &[T]) -> String {
    let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
    if names.is_empty() { String::new() } else { format!("; did you mean {}?", names.join(", ")) }
}

/// Those most like `name`, best first, at most three.
pub fn nearest<'a>(name: &str, candidates: &'a [String]) -> Vec<&'a str> {
    let wanted = name.to_lowercase();
    let mut scored: Vec<(i64, &str)> = candidates
        .iter()
        .filter(|candidate| *candidate != name)
        .map(|candidate| (strsim::jaro_winkler(&wanted, &candidate.trim_start_matches('_').to_lowercase()), candidate))
        .filter(|(likeness, _)| *likeness >= ALIKE)
        .map(|(likeness, candidate)| (-((likeness * 1000.0) as i64), candidate.as_str()))
        .collect();
    scored.sort_unstable();
    scored.into_iter().take(3).map(|(_, candidate)| candidate).collect()
}
