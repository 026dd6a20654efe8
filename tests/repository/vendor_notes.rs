//! vendor-notes.md says which test keeps each known danger off: those tests are there.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Rows of the list of what was seen to kill, deafen or freeze.
const DANGERS: std::ops::RangeInclusive<u32> = 1..=22;

/// Names of the functions of all sources below a folder.
fn functions(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            functions(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).unwrap();
            let names = text.lines().filter_map(|line| line.split_once("fn ")?.1.split_once('('));
            found.extend(names.map(|(name, _)| name.to_owned()));
        }
    }
}

#[test]
fn every_danger_has_a_test_that_exists_or_a_reason() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let notes = fs::read_to_string(root.join("vendor-notes.md")).unwrap();
    let (_, rest) = notes.split_once("## Dangers\n").expect("the chapter");
    let chapter = rest.split("\n## ").next().unwrap();
    let mut known = BTreeSet::new();
    functions(&root.join("src"), &mut known);
    functions(&root.join("tests"), &mut known);
    let mut listed: Vec<u32> = Vec::new();
    for row in chapter.lines().filter(|line| line.starts_with("| ")).skip(1) {
        let cells: Vec<&str> = row.trim_matches('|').split(" | ").map(str::trim).collect();
        let [number, _, proof] = cells.as_slice() else { panic!("three cells: {row}") };
        listed.push(number.parse().unwrap());
        // names of tests stand in backticks and have several words; all else there is a reason
        let names: Vec<&str> = proof.split('`').skip(1).step_by(2).filter(|name| name.contains('_')).collect();
        for name in &names {
            assert!(known.contains(*name), "row {number}: there is no test {name}");
        }
        assert!(!names.is_empty() || proof.contains("cannot happen: "), "row {number} has neither a test nor a reason");
    }
    assert_eq!(listed, DANGERS.collect::<Vec<u32>>());
}
