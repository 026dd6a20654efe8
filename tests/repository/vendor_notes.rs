//! vendor-notes.md says which test keeps each known danger off: those tests are there.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Rows of the list of what was seen to kill, deafen or freeze.
const DANGERS: std::ops::RangeInclusive<u32> = 1..=24;

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

/// Functions that ask which adapter they run over.
fn branching(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            branching(&path, found);
            continue;
        }
        let mut function = String::new();
        for line in fs::read_to_string(&path).unwrap().lines() {
            if let Some((name, _)) = line.strip_prefix("fn ").and_then(|rest| rest.split_once('(')) {
                function = name.to_owned();
            }
            if line.contains(".adapter()") || line.contains(".is_netcoredbg()") {
                found.insert(function.clone());
            }
        }
    }
}

#[test]
fn every_scenario_that_differs_between_the_backends_is_listed_with_the_reason() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let notes = fs::read_to_string(root.join("vendor-notes.md")).unwrap();
    let (_, rest) = notes.split_once("## Differences between the backends\n").expect("the chapter");
    let chapter = rest.split("\n## ").next().unwrap();
    let mut listed = BTreeSet::new();
    for row in chapter.lines().filter(|line| line.starts_with("| ")).skip(1) {
        let cells: Vec<&str> = row.trim_matches('|').split(" | ").map(str::trim).collect();
        let [_, _, _, why, scenarios] = cells.as_slice() else { panic!("five cells: {row}") };
        assert!(!why.is_empty(), "{row}");
        listed.extend(scenarios.split('`').skip(1).step_by(2).map(str::to_owned));
    }
    let mut differ = BTreeSet::new();
    branching(&root.join("tests/real/scenarios"), &mut differ);
    assert_eq!(listed.difference(&differ).collect::<Vec<_>>(), [""; 0], "they do not branch, or are not there");
    assert_eq!(differ.difference(&listed).collect::<Vec<_>>(), [""; 0], "to be listed in vendor-notes.md");
}

/// `scripts/oracle adapters` writes the table: each heading of the expressions has its row, whose counts make up its expressions.
#[test]
fn what_adapters_do_alone_is_counted_for_every_heading() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let table = fs::read_to_string(root.join("data/adapters-alone.txt")).unwrap();
    let expressions = fs::read_to_string(root.join("fixtures/Expressions/expressions.txt")).unwrap();
    let headings: BTreeSet<&str> = expressions.lines().filter_map(|line| line.strip_prefix("# ")).collect();
    let rows: Vec<Vec<&str>> = table.lines().map(|line| line.split('\t').collect()).collect();
    let columns = |first: &str| rows.iter().find(|row| row[0] == first).map_or(0, Vec::len);
    let (of_headings, of_expressions) = (columns("heading"), columns("expression"));
    assert!(of_headings >= 4 && of_expressions >= 4, "two columns of an adapter, and three");
    for heading in headings.iter().chain([&"all"]) {
        let row = rows.iter().find(|row| row.len() == of_headings && row[0] == *heading);
        let row = row.unwrap_or_else(|| panic!("run scripts/oracle adapters: no row {heading}"));
        let numbers = |cell: &str| cell.split('/').map(|it| it.parse::<usize>().unwrap()).collect::<Vec<_>>();
        for (cell, words) in row[2..].iter().zip([4, 3].into_iter().cycle()) {
            let counts = numbers(cell);
            assert_eq!(counts.len(), words, "{row:?}");
            assert_eq!(counts.iter().sum::<usize>(), row[1].parse::<usize>().unwrap(), "{row:?}");
        }
    }
    let first = expressions.split("\n\n").next().unwrap().lines().skip(1);
    for expression in first {
        let row = rows.iter().find(|row| row.len() == of_expressions && row[0] == expression);
        assert!(row.is_some(), "run scripts/oracle adapters: no row {expression}");
    }
}
