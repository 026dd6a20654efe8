//! Documents, lines, scopes; finding the right PDB.

use std::path::Path;

use clr_metadata::{Assembly, HashAlgorithm, LocalPlace, MethodId, PdbProblem};

use super::{FIXTURES, data, fixture, marker, source};

fn program(assembly: &Assembly) -> clr_metadata::Document {
    let documents = assembly.pdb().unwrap().documents();
    documents.iter().find(|document| document.file_name() == "Program.cs").unwrap().clone()
}

fn method(assembly: &Assembly, type_: &str, name: &str) -> MethodId {
    let type_ = assembly.type_(assembly.find_type(type_).unwrap());
    type_.methods().find(|&method| assembly.method(method).name() == name).unwrap()
}

#[test]
fn documents_know_their_source() {
    for name in FIXTURES {
        let assembly = fixture(name);
        let document = program(&assembly);
        assert_eq!(document.path, format!("/src/fixtures/{name}/Program.cs"));
        assert_eq!(document.hash_algorithm, HashAlgorithm::Sha256);
        let mut bytes = source(name);
        assert_eq!(document.matches(&bytes), Some(true), "{name}");
        bytes.insert(0, b'\n');
        assert_eq!(document.matches(&bytes), Some(false), "{name}");
        assert_eq!(assembly.pdb().unwrap().find_document(&document.path), Some(&document));
    }
}

#[test]
fn no_committed_file_names_the_machine_that_built_it() {
    for name in FIXTURES {
        let assembly = fixture(name);
        assert!(assembly.code_view().unwrap().path.starts_with("/src/fixtures/"));
        for document in assembly.pdb().unwrap().documents() {
            assert!(document.path.starts_with("/src/fixtures/"), "{}", document.path);
        }
    }
}

#[test]
fn marked_lines_have_code_where_they_should() {
    let basics = fixture("Basics");
    let document = program(&basics).id;
    let pdb = basics.pdb().unwrap();
    let names = |line: u32| {
        let found = basics.line_to_methods(document, line);
        found.iter().map(|&(method, _)| basics.method(method).name().to_owned()).collect::<Vec<_>>()
    };
    for (mark, name) in
        [("add", "Add"), ("main", "Main"), ("loop", "Main"), ("discount", "Discount"), ("return", "Main")]
    {
        assert_eq!(names(marker("Basics", mark)), [name], "{mark}");
    }
    let comment = marker("Basics", "comment");
    assert!(names(comment).is_empty());
    assert!(!pdb.executable_lines(document).contains(&comment));
    assert_eq!(pdb.nearest_lines(document, comment, 2), [marker("Basics", "print"), marker("Basics", "after-comment")]);
    assert!(pdb.executable_lines(document).is_sorted_by(|a, b| a < b));
    // The statement that covers a line, not only one that begins there.
    let add = marker("Basics", "add");
    assert_eq!(pdb.methods_at(document, add), [method(&basics, "Basics.Order", "Add")]);
    let (found, il_offset) = basics.line_to_methods(document, add)[0];
    assert_eq!(basics.il_to_line(found, il_offset).unwrap().line, add);
    assert_eq!(basics.il_to_line(found, il_offset + 1).unwrap().line, add);
}

#[test]
fn a_program_begins_at_its_own_first_statement() {
    // (fixture, text of the line)
    for (name, text) in [
        ("Basics", "    {"),
        ("AsyncFlow", "    {"),
        ("Exceptions", "    {"),
        ("Web", "var builder = WebApplication.CreateBuilder(args);"),
    ] {
        let assembly = fixture(name);
        let entry = assembly.entry_point().unwrap();
        let raw_name = assembly.method(entry).name();
        assert_eq!(raw_name, if name == "Web" { "<Main>$" } else { "Main" });
        let (document, line) = assembly.first_sequence_point(entry).unwrap();
        assert_eq!(document, program(&assembly).id);
        let text_of = String::from_utf8(source(name)).unwrap();
        assert_eq!(text_of.lines().nth(line as usize - 1), Some(text), "{name}");
        let above = text_of.lines().nth(line as usize - 2).unwrap_or_default();
        assert!(name == "Web" || above.contains(" Main("), "{name}: {above}");
    }
}

#[test]
fn locals_are_known_where_they_hold() {
    let basics = fixture("Basics");
    let document = program(&basics).id;
    let names_at = |assembly: &Assembly, document, line: u32| {
        let (method, il_offset) = assembly.line_to_methods(document, line)[0];
        let locals = assembly.locals_in_scope(method, il_offset);
        let mut names: Vec<String> =
            locals.into_iter().filter(|local| !local.is_hidden).map(|local| local.name).collect();
        names.sort();
        names
    };
    assert_eq!(names_at(&basics, document, marker("Basics", "loop")), ["exitCode", "i", "order", "reduced"]);
    assert_eq!(names_at(&basics, document, marker("Basics", "return")), ["exitCode", "order", "reduced"]);
    // In an async method they live in fields of the state machine.
    let flow = fixture("AsyncFlow");
    let document = program(&flow).id;
    assert_eq!(names_at(&flow, document, marker("AsyncFlow", "fetch-after")), ["before", "label"]);
    let (method, il_offset) = flow.line_to_methods(document, marker("AsyncFlow", "tick"))[0];
    let tick = flow.locals_in_scope(method, il_offset).into_iter().find(|local| local.name == "tick").unwrap();
    assert!(matches!(&tick.place, LocalPlace::Field(field) if field.starts_with("<tick>5__")), "{tick:?}");
    let end = marker("AsyncFlow", "end");
    assert!(!names_at(&flow, document, end).contains(&"tick".to_owned()));
}

#[test]
fn awaits_have_a_place_to_go_on() {
    let flow = fixture("AsyncFlow");
    let move_next = method(&flow, "AsyncFlow.Downloader.<FetchAsync>d__3", "MoveNext");
    let info = flow.pdb().unwrap().async_info(move_next).unwrap();
    assert_eq!(info.awaits.len(), 1);
    assert_eq!(info.awaits[0].resume_method, move_next);
    assert!(info.awaits[0].resume_offset > info.awaits[0].yield_offset);
}

#[test]
fn a_pdb_of_another_build_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let dll = folder.path().join("Basics.dll");
    std::fs::copy(data("Basics.dll"), &dll).unwrap();
    let problem_with = |pdb: Option<&Path>| {
        let beside = folder.path().join("Basics.pdb");
        match pdb {
            Some(pdb) => drop(std::fs::copy(pdb, beside).unwrap()),
            None => drop(std::fs::remove_file(beside)),
        }
        let assembly = Assembly::open(&dll).unwrap();
        assembly.pdb_problem().map(|problem| match problem {
            PdbProblem::Missing => "missing",
            PdbProblem::Mismatch { .. } => "mismatch",
            PdbProblem::Unreadable(_) => "unreadable",
        })
    };
    assert_eq!(problem_with(None), Some("missing"));
    assert_eq!(problem_with(Some(&data("Basics.pdb"))), None);
    assert_eq!(problem_with(Some(&data("Generics.pdb"))), Some("mismatch"));
    assert_eq!(problem_with(Some(&data("Generics.dll"))), Some("unreadable"));
}
