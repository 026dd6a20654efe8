//! The reader against truth: for each assembly, what `clr_metadata` reads and what System.Reflection.Metadata reads
//! (`tests/oracle/*.cs`) must be the same, line by line.
//!
//! Compared are the fixtures, some assemblies of an installed framework, and what the environment asks for:
//! `CLRBRIDGE_ORACLE=all` all assemblies of Microsoft.NETCore.App and Microsoft.AspNetCore.App, `CLRBRIDGE_ORACLE_FOLDER` all
//! those below a folder.

mod code;
mod dump;
mod exact;
mod program;
mod symbols;
mod values;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use program::Oracle;

use crate::harness::{skip, tests};

tests! {
    fixtures_read_as_the_runtime_reads_them;
    the_framework_reads_as_the_runtime_reads_it;
    aspnet_reads_as_the_runtime_reads_it;
    packages_read_as_the_runtime_reads_them;
}

fn dlls(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            dlls(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "dll") {
            found.push(path);
        }
    }
}

fn dlls_in(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    dlls(folder, &mut found);
    found
}

/// Compares the files in small groups, and tells all differences at once.
fn compare(oracle: &Oracle, files: &[PathBuf], enums: &[PathBuf]) {
    assert!(!files.is_empty());
    let enums = [files, enums].concat();
    let known = values::Enums::read(enums.iter());
    let prefix = regex::Regex::new("<[^<>]*>F[0-9A-F]{64}__").unwrap();
    let (mut lines, mut differences) = (0, Vec::new());
    for group in files.chunks(40) {
        let truth = oracle.print(group, &enums);
        for (file, truth) in group.iter().zip(truth) {
            let ours = dump::dump(file, &known);
            lines += ours.lines().count();
            // a type of file scope is named as in the source, by the reader alone
            let (ours, truth) = (prefix.replace_all(&ours, ""), prefix.replace_all(&truth, ""));
            differences.extend(differences_of(file, &ours, &truth));
        }
    }
    println!("{} assemblies, {lines} lines compared", files.len());
    assert!(differences.is_empty(), "{} differ:\n{}", differences.len(), differences.join("\n"));
}

/// The first few lines that differ, seen from where both still agree.
fn differences_of(file: &Path, ours: &str, truth: &str) -> Option<String> {
    if ours == truth {
        return None;
    }
    let wanted: BTreeSet<&str> = truth.lines().collect();
    let found: BTreeSet<&str> = ours.lines().collect();
    let short = |line: &str| line.chars().take(400).collect::<String>();
    let missing = truth.lines().filter(|line| !found.contains(line));
    let extra = ours.lines().filter(|line| !wanted.contains(line));
    let missing: Vec<String> = missing.map(|line| format!("  truth {}", short(line))).collect();
    let extra: Vec<String> = extra.map(|line| format!("  ours  {}", short(line))).collect();
    let counts = format!("{} lines missing, {} extra", missing.len(), extra.len());
    let pairs = missing.iter().take(6).chain(extra.iter().take(6)).cloned().collect::<Vec<_>>().join("\n");
    Some(format!("{} ({counts})\n{pairs}", file.display()))
}

/// A part of the framework that has a bit of everything; `CLRBRIDGE_ORACLE=all` compares all of it.
const SOME: [&str; 24] = [
    "System.Private.CoreLib",
    "System.Runtime",
    "System.Collections",
    "System.Collections.Concurrent",
    "System.Collections.Immutable",
    "System.Console",
    "System.Diagnostics.Process",
    "System.IO.Compression",
    "System.IO.Pipelines",
    "System.Linq",
    "System.Linq.Expressions",
    "System.Memory",
    "System.Net.Http",
    "System.Net.Primitives",
    "System.Numerics.Vectors",
    "System.ObjectModel",
    "System.Private.Uri",
    "System.Reflection.Metadata",
    "System.Runtime.InteropServices",
    "System.Security.Cryptography",
    "System.Text.Json",
    "System.Text.RegularExpressions",
    "System.Threading",
    "netstandard",
];

fn fixtures_read_as_the_runtime_reads_them() {
    let oracle = Oracle::build();
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/assemblies");
    compare(&oracle, &dlls_in(&folder), &oracle.framework("Microsoft.NETCore.App"));
}

fn the_framework_reads_as_the_runtime_reads_it() {
    let oracle = Oracle::build();
    let core = oracle.framework("Microsoft.NETCore.App");
    if std::env::var("CLRBRIDGE_ORACLE").is_ok_and(|which| which == "all") {
        compare(&oracle, &core, &[]);
        return;
    }
    let is_wanted = |path: &&PathBuf| path.file_stem().is_some_and(|stem| SOME.iter().any(|name| stem == *name));
    let wanted: Vec<PathBuf> = core.iter().filter(is_wanted).cloned().collect();
    assert!(wanted.len() >= 20, "{wanted:?}");
    compare(&oracle, &wanted, &core);
}

fn aspnet_reads_as_the_runtime_reads_it() {
    if std::env::var("CLRBRIDGE_ORACLE").is_ok_and(|which| which == "all") {
        let oracle = Oracle::build();
        let core = oracle.framework("Microsoft.NETCore.App");
        compare(&oracle, &oracle.framework("Microsoft.AspNetCore.App"), &core);
    } else {
        skip("CLRBRIDGE_ORACLE is not `all`");
    }
}

fn packages_read_as_the_runtime_reads_them() {
    let folder = std::env::var_os("CLRBRIDGE_ORACLE_FOLDER").unwrap_or_else(|| skip("no CLRBRIDGE_ORACLE_FOLDER"));
    let oracle = Oracle::build();
    compare(&oracle, &dlls_in(Path::new(&folder)), &oracle.framework("Microsoft.NETCore.App"));
}
