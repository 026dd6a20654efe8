//! Fixtures whose lines say themselves what is on them (see `tests/fixtures/Usages/Core/Items.cs`), and the comparison with what is found.
#![allow(dead_code, reason = "each test takes what it needs")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use clrbridge::code::navigate::{Address, Found, Navigator, Usage, UsageKind};

/// `file:line word` by symbol, of the markers of one tag.
pub fn markers(root: &Path, sources: &[&str], tag: &str) -> BTreeMap<String, BTreeSet<String>> {
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for file in sources {
        let text = std::fs::read_to_string(root.join(file)).unwrap();
        for (at, line) in text.lines().enumerate() {
            let words = line.split(' ').filter_map(|word| word.strip_prefix(tag)?.strip_prefix(':'));
            for marker in words.filter(|marker| !marker.is_empty()) {
                let (symbol, word) = marker.split_once(':').unwrap_or((marker, ""));
                let symbol = symbol.replace('/', ".");
                let entry = format!("{file}:{} {word}", at + 1);
                found.entry(symbol).or_default().insert(entry.trim_end().to_owned());
            }
        }
    }
    found
}

/// The marked uses; what is set is a use of the kind `write`.
pub fn uses(root: &Path, sources: &[&str]) -> BTreeMap<String, BTreeSet<String>> {
    let mut all = markers(root, sources, "USE");
    for (symbol, lines) in markers(root, sources, "SET") {
        let writes = lines.iter().map(|line| format!("{} write", line.split_once(' ').unwrap().0));
        all.entry(symbol).or_default().extend(writes);
    }
    all
}

/// Where each symbol is declared.
pub fn declared(root: &Path, sources: &[&str]) -> BTreeMap<String, Address> {
    let mut found = BTreeMap::new();
    for (symbol, lines) in markers(root, sources, "DEF") {
        let (file, line) = lines.first().unwrap().split_once(':').unwrap();
        let text = std::fs::read_to_string(root.join(file)).unwrap();
        let code = text.lines().nth(line.parse::<usize>().unwrap() - 1).unwrap().split("//").next().unwrap();
        let head = code.split(['{', '(', '=', ';', ':']).next().unwrap();
        let simple = symbol.split(['(', '<']).next().unwrap().rsplit('.').next().unwrap();
        let column = head.rfind(simple).unwrap_or_else(|| panic!("{symbol}: {code}")) as u32 + 1;
        found.insert(symbol, Address::Position { file: file.to_owned(), line: line.parse().unwrap(), column });
    }
    found
}

/// Each symbol has these uses, and no other.
pub fn check(navigator: &Navigator, expected: &BTreeMap<String, BTreeSet<String>>) {
    let mut faults = Vec::new();
    for (symbol, lines) in expected {
        match navigator.usages(&Address::Name(symbol.clone()), None) {
            Ok(found) => compare(&mut faults, symbol, lines, &reported(&found, |it| it.kind.as_str())),
            Err(error) => faults.push(format!("{symbol}: {error}")),
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

/// Without those through another member, and without types that are only named.
pub fn reported(found: &Found, word: impl Fn(&Usage) -> &'static str) -> BTreeSet<String> {
    let is_type = !found.symbols[0].contains('(') && found.symbols[0].matches('.').count() == 1;
    let mut all = BTreeSet::new();
    for file in &found.files {
        let own = file.usages.iter().filter(|it| it.via.is_none() && !(is_type && it.kind == UsageKind::Mention));
        all.extend(own.map(|it| format!("{}:{} {}", file.file, it.line, word(it))));
    }
    all
}

pub fn compare(faults: &mut Vec<String>, symbol: &str, expected: &BTreeSet<String>, got: &BTreeSet<String>) {
    faults.extend(expected.difference(got).map(|it| format!("{symbol}: missed {it}")));
    faults.extend(got.difference(expected).map(|it| format!("{symbol}: invented {it}")));
}
