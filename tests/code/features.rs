//! Navigation where C# writes what no name says: members implemented by what a type inherits, operators and indexers at their signs.
//! Over `tests/fixtures/Features`, built in Debug and committed under `tests/data/assemblies`, sources mapped to `/src/fixtures/Features`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use crate::marked::{check, compare};
use clrbridge::code::navigate::{Address, NavigateError, Navigator, UsageKind};

const SOURCES: [&str; 5] = ["App/Program.cs", "Lib/Flags.cs", "Lib/Inherited.cs", "Lib/Newer.cs", "Lib/Signs.cs"];

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/Features")
}

fn assemblies() -> Vec<PathBuf> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/assemblies");
    ["Features.App.dll", "Features.Lib.dll"].map(|name| folder.join(name)).to_vec()
}

fn navigator() -> Navigator {
    Navigator::open(&root(), &assemblies(), SOURCES.map(|name| root().join(name)).to_vec(), &std::sync::Arc::default())
        .unwrap()
}

fn named(name: &str) -> Address {
    Address::Name(name.to_owned())
}

fn markers(tag: &str) -> BTreeMap<String, BTreeSet<String>> {
    crate::marked::markers(&root(), &SOURCES, tag)
}

#[test]
fn what_a_type_inherits_implements_its_interfaces() {
    let expected = crate::marked::uses(&root(), &SOURCES);
    assert!(expected.len() > 12, "{} symbols", expected.len());
    check(&navigator(), &expected);
}

#[test]
fn declarations_are_found_whatever_they_are_compiled_to() {
    let navigator = navigator();
    let (mut faults, declared) = (Vec::new(), markers("DEF"));
    for (symbol, lines) in &declared {
        match navigator.definition(&named(symbol), 20) {
            Ok(found) => {
                let places = found.definitions.iter().filter_map(|it| it.place.as_ref());
                let got: BTreeSet<String> = places.map(|(file, line, _)| format!("{file}:{line}")).collect();
                compare(&mut faults, symbol, lines, &got);
            }
            Err(error) => faults.push(format!("{symbol}: {error}")),
        }
    }
    assert!(declared.len() > 30, "{} symbols", declared.len());
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

#[test]
fn an_indexer_is_asked_for_by_its_parameters() {
    let navigator = navigator();
    for (name, symbol, source) in [
        ("Track.this[int]", "Works.Track.this[int]", "this[int part]"),
        ("Track.this[string]", "Works.Track.this[string]", "this[string name]"),
    ] {
        let found = navigator.definition(&named(name), 5).unwrap().definitions;
        assert!(found.len() == 1 && found[0].symbol == symbol && found[0].source.contains(source), "{found:?}");
    }
    assert_eq!(navigator.definition(&named("Track.this"), 5).unwrap().definitions.len(), 2);
}

#[test]
fn a_type_of_file_scope_has_its_own_name() {
    let found = navigator().definition(&named("Spare.Count"), 5).unwrap().definitions;
    assert_eq!(found[0].symbol, "Works.Spare.Count(List<Wagon>)");
}

#[test]
fn a_static_member_is_called_through_its_interface() {
    let found = navigator().usages(&named("Ton.Parse"), Some(UsageKind::Call)).unwrap();
    let usages = found.files.iter().flat_map(|file| &file.usages);
    let reported: Vec<_> = usages.map(|it| it.via.as_deref()).collect();
    assert_eq!(reported, [Some("Works.IWeight<TSelf>.Parse(string)")], "{found:?}");
}

#[test]
fn a_call_through_an_interface_may_reach_what_a_type_inherits() {
    let navigator = navigator();
    for (name, line, via) in [
        ("Runner.Run(T)", "Console.WriteLine(run.Run(2));", "Works.IRun<T>.Run(T)"),
        ("Stopper.Stop", "stop.Stop();", "Works.IStop.Stop()"),
        ("Turbine.Stop", "stop.Stop();", "Works.IStop.Stop()"),
        ("Stopper.Left", "Console.WriteLine(stop.Left);", "Works.IStop.Left"),
        ("Stopper.Ended", "stop.Ended += OnEnded;", "Works.IStop.Ended"),
        ("Parrot.Greet", "greet.Greet()", "Works.IGreet.Greet()"),
    ] {
        let found = navigator.usages(&named(name), None).unwrap();
        let usages = found.files.iter().flat_map(|file| &file.usages);
        let reported: Vec<_> = usages.filter(|it| it.source.contains(line)).map(|it| it.via.as_deref()).collect();
        assert_eq!(reported, [Some(via)], "{name}: {found:?}");
    }
    // Of the same name, but no implementation.
    let other = navigator.usages(&named("Runner.Run(T, int)"), Some(UsageKind::Call)).unwrap();
    assert_eq!(other.count(), 0, "{other:?}");
}

/// Where `needle` stands in the line that holds `line`.
fn position(file: &str, line: &str, needle: &str) -> Address {
    let text = std::fs::read_to_string(root().join(file)).unwrap();
    let (at, found) = text.lines().enumerate().find(|(_, it)| it.contains(line)).unwrap_or_else(|| panic!("{line}"));
    let column = found.find(line).unwrap() + line.find(needle).unwrap() + 1;
    Address::Position { file: file.to_owned(), line: at as u32 + 1, column: column as u32 }
}

#[test]
fn a_sign_leads_to_the_operator_or_indexer_that_it_calls() {
    let navigator = navigator();
    const LENGTH: &str = "Works.Length";
    for (file, line, needle, symbol) in [
        ("App/Program.cs", "sum = a + b;", "+", "operator +(Length, Length)"),
        ("App/Program.cs", "more = sum + 3;", "+", "operator +(Length, int)"),
        ("App/Program.cs", "sum += b;", "+=", "operator +(Length, Length)"),
        ("App/Program.cs", "sum += b;", "= b", "operator +(Length, Length)"),
        ("App/Program.cs", "-(a - b)", "-(", "operator -(Length)"),
        ("App/Program.cs", "-(a - b)", "- b", "operator -(Length, Length)"),
        ("App/Program.cs", "sum++;", "++", "operator ++(Length)"),
        ("App/Program.cs", "same = a == b", "==", "operator ==(Length, Length)"),
        ("App/Program.cs", "other = a != b", "!=", "operator !=(Length, Length)"),
        ("App/Program.cs", "(double)sum", "(double", "explicit operator double(Length)"),
        ("App/Program.cs", "(double)sum", "double", "explicit operator double(Length)"),
        ("App/Program.cs", "(a + number)", "+ number)", "operator +(Length, int)"),
        ("App/Program.cs", "\"sum: \" + (a + b)", "+ b", "operator +(Length, Length)"),
        ("App/Program.cs", "if (a && b)", "&&", "operator &(Length, Length)"),
        ("App/Program.cs", "list[0] + list[^1]", "+", "operator +(Length, Length)"),
        ("Lib/Signs.cs", "operator -(Length length)", "-", "operator -(Length)"),
        ("Lib/Signs.cs", "explicit operator double", "operator", "explicit operator double(Length)"),
        ("Lib/Signs.cs", "!(left == right)", "==", "operator ==(Length, Length)"),
    ] {
        let found = navigator.definition(&position(file, line, needle), 5).unwrap_or_else(|it| panic!("{line}: {it}"));
        let names: Vec<&str> = found.definitions.iter().map(|it| it.symbol.as_str()).collect();
        assert_eq!(names, [format!("{LENGTH}.{symbol}")], "{line} at {needle}");
        assert_eq!(found.definitions[0].place.as_ref().unwrap().0, "Lib/Signs.cs", "{line} at {needle}");
    }
    for (file, line, needle, symbol, declared) in [
        ("App/Program.cs", "track[0] = track", "[", "Works.Track.this[int]", "Length this[int part]"),
        ("App/Program.cs", "track[\"x\"] +", "[", "Works.Track.this[string]", "Length this[string name]"),
        ("App/Program.cs", "track[1];", "]", "Works.Track.this[int]", "Length this[int part]"),
        ("App/Program.cs", "track?[2]", "[", "Works.Track.this[int]", "Length this[int part]"),
        ("Lib/Signs.cs", "this[string name]", "[", "Works.Track.this[string]", "Length this[string name]"),
    ] {
        let found = navigator.definition(&position(file, line, needle), 5).unwrap_or_else(|it| panic!("{line}: {it}"));
        let reported: Vec<_> = found.definitions.iter().map(|it| (it.symbol.as_str(), it.source.as_str())).collect();
        assert!(
            reported.len() == 1 && reported[0].0 == symbol && reported[0].1.contains(declared),
            "{line} at {needle}: {reported:?}"
        );
    }
    let list = navigator.definition(&position("App/Program.cs", "list[0] + list", "["), 5).unwrap();
    assert_eq!(list.definitions[0].symbol, "System.Collections.Generic.List<T>.Item", "{list:?}");
}

#[test]
fn usages_are_asked_for_at_a_sign() {
    let navigator = navigator();
    let at = |line: &str, needle: &str| {
        navigator.usages(&position("App/Program.cs", line, needle), None).unwrap_or_else(|it| panic!("{line}: {it}"))
    };
    let by_name = navigator.usages(&named("Length.operator +(Length, Length)"), None).unwrap();
    assert_eq!(at("sum = a + b;", "+"), by_name);
    assert_eq!(by_name.entries(), 5, "{by_name:?}");
    assert!(at("track[0] = track", "[").count() > 2);
}

#[test]
fn a_sign_that_is_built_in_says_so() {
    let navigator = navigator();
    for (file, line, needle, sign, why) in [
        ("App/Program.cs", "numbers[0] + numbers[1]", "+", "+", "built in"),
        ("App/Program.cs", "numbers[0] + numbers[1]", "[", "[]", "array"),
        ("App/Program.cs", "plain += 1;", "+=", "+=", "built in"),
        ("App/Program.cs", "plain++;", "++", "++", "built in"),
        ("App/Program.cs", "\"sum: \" + (a + b)", "+", "+", "built in"),
        ("App/Program.cs", "a == b || plain", "||", "||", "built in"),
        ("App/Program.cs", "(double)plain", "(", "()", "built in"),
        ("App/Program.cs", ".Metres + number)", "+", "+", "built in"),
        ("Lib/Flags.cs", "Read | Write", "|", "|", "the build has no code there"),
    ] {
        let place = position(file, line, needle);
        let error = navigator.definition(&place, 5).expect_err(line);
        let NavigateError::NoMember { sign: reported, why: reason, .. } = &error else { panic!("{line}: {error:?}") };
        assert!(reported == sign && reason.contains(why), "{line}: {error}");
        assert_eq!(navigator.usages(&place, None).unwrap_err(), error, "{line}");
    }
}
