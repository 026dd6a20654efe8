//! Navigation over real compiler output: `tests/fixtures/Usages`, two projects whose lines say themselves what is on them, built in Debug and
//! committed under `tests/data/assemblies` with the sources mapped to `/src/fixtures/Usages`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::marked::{check, compare, reported};
use clrbridge::code::navigate::{Address, NavigateError, Navigator, UsageKind};

const SOURCES: [&str; 6] =
    ["App/Program.cs", "Core/Items.cs", "App/Checkout.cs", "Core/Basket.Events.cs", "Core/Basket.cs", "Core/Near.cs"];

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/Usages")
}

fn assemblies() -> Vec<PathBuf> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/assemblies");
    ["Usages.App.dll", "Usages.Core.dll"].map(|name| folder.join(name)).to_vec()
}

fn navigator() -> Navigator {
    Navigator::open(&root(), &assemblies(), SOURCES.map(|name| root().join(name)).to_vec(), &Arc::default()).unwrap()
}

fn markers(tag: &str) -> BTreeMap<String, BTreeSet<String>> {
    crate::marked::markers(&root(), &SOURCES, tag)
}

fn named(name: &str) -> Address {
    Address::Name(name.to_owned())
}

#[test]
fn every_marked_use_is_found_and_no_other() {
    let navigator = navigator();
    let expected = crate::marked::uses(&root(), &SOURCES);
    assert!(expected.len() > 30, "{} symbols", expected.len());
    check(&navigator, &expected);
}

#[test]
fn every_marked_assignment_is_found_in_its_form() {
    let navigator = navigator();
    let mut faults = Vec::new();
    for (symbol, lines) in markers("SET") {
        match navigator.assignments(&named(&symbol)) {
            Ok(found) => compare(&mut faults, &symbol, &lines, &reported(&found, |it| it.form.unwrap().as_str())),
            Err(error) => faults.push(format!("{symbol}: {error}")),
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

#[test]
fn every_marked_declaration_is_where_its_name_leads() {
    let navigator = navigator();
    let mut faults = Vec::new();
    for (symbol, lines) in markers("DEF") {
        let found = match navigator.definition(&named(&symbol), 20) {
            Ok(found) => found.definitions,
            Err(error) => {
                faults.push(format!("{symbol}: {error}"));
                continue;
            }
        };
        let places = found.iter().filter_map(|it| it.place.as_ref());
        let got: BTreeSet<String> = places.map(|(file, line, _)| format!("{file}:{line}")).collect();
        compare(&mut faults, &symbol, &lines, &got);
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

#[test]
fn an_inherited_member_is_where_the_base_declares_it() {
    let navigator = navigator();
    let definition = |name: &str| navigator.definition(&named(name), 9).map_err(|error| error.to_string());
    for (inherited, declared) in [
        ("Book.Name", "Item.Name"),
        ("Book._count", "Item._count"),
        ("Book.Sold", "Item.Sold"),
        ("Book.Move(int)", "Item.Move(int)"),
        ("BookBox.Map", "Box.Map"),
        // its own goes first
        ("Book.Take", "Book.Take(int)"),
    ] {
        assert!(definition(declared).is_ok(), "{declared}");
        assert_eq!(definition(inherited), definition(declared), "{inherited}");
    }
    assert!(definition("Book.Nothing").is_err());
}

#[test]
fn a_file_newer_than_its_build_is_named() {
    let folder = tempfile::tempdir().unwrap();
    for file in SOURCES {
        let to = folder.path().join(file);
        std::fs::create_dir_all(to.parent().unwrap()).unwrap();
        std::fs::copy(root().join(file), &to).unwrap();
    }
    let sources = || SOURCES.map(|name| folder.path().join(name)).to_vec();
    let open = || Navigator::open(folder.path(), &assemblies(), sources(), &Arc::default()).unwrap();
    let stale = || open().usages(&named("Item.Take"), None).unwrap().stale;
    assert_eq!(stale(), [""; 0]);
    let path = folder.path().join(SOURCES[0]);
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text + "// more\n").unwrap();
    assert_eq!(stale(), [SOURCES[0]]);

    // Where the builds have no use of it, a source may still have a new one.
    let unused = |sources: Vec<PathBuf>| {
        let navigator = Navigator::open(folder.path(), &assemblies(), sources, &Arc::default()).unwrap();
        navigator.usages(&named("Program.OnSold"), Some(UsageKind::Call)).unwrap().stale
    };
    std::fs::copy(root().join(SOURCES[0]), &path).unwrap();
    assert_eq!(unused(sources()), [""; 0]);
    let other = folder.path().join(SOURCES[2]);
    let text = std::fs::read_to_string(&other).unwrap();
    std::fs::write(&other, text + "// OnSold\n").unwrap();
    assert_eq!(unused(sources()), [SOURCES[2]]);
    // What is compiled without a reference to it can have none.
    let below = folder.path().join(SOURCES[1]);
    let text = std::fs::read_to_string(&below).unwrap();
    std::fs::write(&below, text + "// OnSold\n").unwrap();
    assert_eq!(unused(sources()), [SOURCES[2]]);
    let new = folder.path().join("App/New.cs");
    std::fs::write(&new, "// OnSold\n").unwrap();
    let later = std::time::SystemTime::now() + std::time::Duration::from_secs(60);
    std::fs::File::options().write(true).open(&new).unwrap().set_modified(later).unwrap();
    assert_eq!(unused([sources(), vec![new]].concat()), [SOURCES[2], "App/New.cs"]);
}

#[test]
fn wrong_questions_are_reported_what_to_do() {
    let navigator = navigator();
    let error = |name: &str| navigator.usages(&named(name), None).unwrap_err();
    match error("Item.Prise") {
        NavigateError::SymbolNotFound { nearest, .. } => {
            assert!(nearest.contains(&"Item.Price".to_owned()), "{nearest:?}")
        }
        other => panic!("{other:?}"),
    }
    // it may be a constant, which leaves no reference
    let constant = error("Console.Beeb");
    let NavigateError::NotReferred { type_name, .. } = &constant else { panic!("{constant:?}") };
    assert_eq!(type_name, "System.Console");
    assert!(matches!(error("Price"), NavigateError::InvalidArgument { argument: "name", .. }));
    assert!(matches!(error("a b"), NavigateError::InvalidArgument { argument: "name", .. }));
    assert!(matches!(navigator.assignments(&named("Item.Take")), Err(NavigateError::InvalidArgument { .. })));
    let nowhere = Navigator::open(Path::new("/"), &[PathBuf::from("/nowhere.dll")], Vec::new(), &Arc::default());
    assert!(matches!(nowhere, Err(NavigateError::NoSymbols { .. })));
}

/// Where `needle` stands in the line that holds `line`.
fn position(file: &str, line: &str, needle: &str) -> Address {
    let text = std::fs::read_to_string(root().join(file)).unwrap();
    let (at, found) = text.lines().enumerate().find(|(_, it)| it.contains(line)).unwrap_or_else(|| panic!("{line}"));
    let column = found.find(line).unwrap() + line.find(needle).unwrap() + 1;
    Address::Position { file: file.to_owned(), line: at as u32 + 1, column: column as u32 }
}

#[test]
fn a_place_in_a_source_leads_to_the_symbol_that_stands_there() {
    let navigator = navigator();
    for (file, line, needle, symbol) in [
        ("App/Program.cs", "item.Price += 1", "Price", "Shop.Item.Price"),
        ("App/Program.cs", "box.Add(s_book, 3)", "Add", "Shop.Box<T>.Add(T, int)"),
        ("App/Program.cs", "box.Add(s_book);", "Add", "Shop.BookBox.Add(Book)"),
        ("App/Program.cs", "store.Add(\"b\")", "Add", "Shop.IStore<T>.Add(T)"),
        ("App/Program.cs", "item.Sold += OnSold", "OnSold", "Till.Program.OnSold(object, EventArgs)"),
        ("App/Program.cs", "new Book(\"Rust\")", "Book", "Shop.Book.Book(string)"),
        ("App/Program.cs", "Paint(Colour.Red)", "Red", "Shop.Colour.Red"),
        ("App/Program.cs", "typeof(Book)", "Book", "Shop.Book"),
        ("App/Program.cs", "sale with { Count = 3 }", "Count", "Shop.Sale.Count"),
        ("App/Program.cs", "total = () => Item.Made + point.X", "Made", "Shop.Item.Made"),
        ("Core/Items.cs", "void Add(T item, int times)", "Add", "Shop.Box<T>.Add(T, int)"),
        ("Core/Items.cs", "public override decimal Price", "Price", "Shop.Book.Price"),
        ("Core/Items.cs", "_count -= count", "_count", "Shop.Item._count"),
        ("Core/Items.cs", "-= count", "count", "count"),
        ("App/Program.cs", "kept += 2", "kept", "kept"),
        ("App/Program.cs", "Console.WriteLine(item.Name)", "WriteLine", "System.Console.WriteLine(string)"),
        ("App/Checkout.cs", "basket.Total()", "Total", "Shop.Baskets.Total(Basket)"),
        ("App/Checkout.cs", "where line.Price", "Price", "Shop.Basket.Line.Price"),
        ("App/Checkout.cs", "where line.Price", "line", "line"),
        ("App/Checkout.cs", "line => line.Price.Amount", "Amount", "Shop.Money.Amount"),
        ("App/Checkout.cs", "{ Price.Amount: > 2", "Amount", "Shop.Money.Amount"),
        ("App/Checkout.cs", ", Now: Basket", "Now", "Shop.Basket.Line.Now"),
        ("App/Checkout.cs", "Amount: 0 }", "Amount", "Shop.Money.Amount"),
        ("App/Checkout.cs", "return found.ToString()", "found", "found"),
        ("App/Checkout.cs", "when money.Amount", "money", "money"),
        ("App/Checkout.cs", "new Basket.Line(", "Line", "Shop.Basket.Line.Line(string, Money)"),
        ("App/Checkout.cs", "Now = Basket.Line.State.Open", "Open", "Shop.Basket.Line.State.Open"),
        ("App/Checkout.cs", "basket.Emptied += ", "Emptied", "Shop.Basket.Emptied"),
        ("App/Checkout.cs", "basket.Closed -= ", "Closed", "Shop.Basket.Closed"),
        ("App/Checkout.cs", "IDisposable owned", "owned", "owned"),
        ("Core/Basket.cs", "this[int index]", "this", "Shop.Basket.this[int]"),
        ("Core/Basket.cs", "enum State", "State", "Shop.Basket.Line.State"),
        ("Core/Basket.Events.cs", "=> sum + line.Price", "sum", "sum"),
        ("Core/Near.cs", "private int group;", "group", "Shop.Reader.group"),
        ("Core/Near.cs", "other.group;", "group", "Shop.Reader.group"),
        ("Core/Near.cs", "void Dispose()", "Dispose", "Shop.Sheet.Dispose()"),
    ] {
        let address = position(file, line, needle);
        let found = navigator.definition(&address, 5).unwrap_or_else(|error| panic!("{line}: {error}"));
        let names: Vec<&str> = found.definitions.iter().map(|it| it.symbol.as_str()).collect();
        assert_eq!(names, [symbol], "{line}");
    }
}

#[test]
fn uses_of_one_kind_on_a_line_are_one_with_their_columns() {
    let text = std::fs::read_to_string(root().join("Core/Near.cs")).unwrap();
    let navigator = navigator();
    for (name, kind, line) in [
        ("Reader.Start", UsageKind::Read, "int Length => Start > 0 ? Start : -Start;"),
        ("Reader.Start", UsageKind::Mention, "cref=\"Start\"/>, nor <see cref=\"Reader.Start\"/>"),
        ("Sums.IsDear", UsageKind::Call, "_ = IsDear(a, b, 1, []) || IsDear(b, a, 2, []);"),
    ] {
        let (at, code) = text.lines().enumerate().find(|(_, it)| it.contains(line)).unwrap();
        let simple = name.rsplit('.').next().unwrap();
        let start = code.find(line).unwrap();
        let expected: Vec<u32> = line.match_indices(simple).map(|(at, _)| (start + at) as u32 + 1).collect();
        assert!(expected.len() > 1, "{line}");
        let found = navigator.usages(&named(name), Some(kind)).unwrap();
        let rows = found.files.iter().flat_map(|file| &file.usages).filter(|it| it.line as usize == at + 1);
        let columns = rows.map(|it| it.more_columns.iter().fold(vec![it.column], |all, &it| [all, vec![it]].concat()));
        assert_eq!(columns.collect::<Vec<_>>(), [expected], "{name}");
    }
}

#[test]
fn what_reads_and_writes_is_of_both_kinds_and_a_subscription_is_no_read() {
    let navigator = navigator();
    let forms = |name: &str, kind| {
        let found = navigator.usages(&named(name), Some(kind)).unwrap();
        let forms: BTreeSet<_> = found
            .files
            .iter()
            .flat_map(|file| &file.usages)
            .filter_map(|it| it.form)
            .map(|form| form.as_str())
            .collect();
        forms.into_iter().collect::<Vec<_>>()
    };
    assert_eq!(forms("Item.Price", UsageKind::Read), ["compound", "increment"]);
    assert!(forms("Item.Price", UsageKind::Write).len() > 2);
    assert_eq!(forms("Item.Sold", UsageKind::Read), [""; 0]);
    assert_eq!(forms("Item.Sold", UsageKind::Write), ["compound"]);
}

#[test]
fn an_operator_is_asked_for_by_its_sign() {
    let navigator = navigator();
    for (name, symbol, uses) in [
        ("Money.operator +", "Shop.Money.operator +(Money, Money)", 6),
        ("Shop.Money.operator -(Money)", "Shop.Money.operator -(Money)", 1),
        ("Money.operator ==", "Shop.Money.operator ==(Money, Money)", 4),
        ("Money.implicit operator Money", "Shop.Money.implicit operator Money(decimal)", 2),
        ("Money.op_Implicit", "Shop.Money.implicit operator Money(decimal)", 2),
    ] {
        let calls = navigator.usages(&named(name), Some(UsageKind::Call));
        let found = calls.unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!((found.symbols[0].as_str(), found.count()), (symbol, uses), "{name}: {found:?}");
        let defined = navigator.definition(&named(name), 5).unwrap();
        assert_eq!(defined.definitions[0].place.as_ref().unwrap().0, "Core/Basket.cs", "{name}");
    }
}

#[test]
fn a_local_is_followed_through_its_scope() {
    let navigator = navigator();
    let found = navigator.usages(&position("App/Program.cs", "int kept = Locals", "kept"), None).unwrap();
    let reported: Vec<_> =
        found.files[0].usages.iter().map(|it| (it.kind.as_str(), it.form.map(|form| form.as_str()))).collect();
    assert_eq!(reported, [("write", Some("initializer")), ("write", Some("compound")), ("read", None)]);
    assert!(found.files[0].usages.iter().all(|it| it.from_syntax && it.function.as_deref() == Some("Program.Main")));
    let constant = navigator.usages(&position("App/Program.cs", "int kept = Locals", "Locals"), None).unwrap();
    assert_eq!(constant.count(), 2);
}

#[test]
fn what_a_call_through_a_base_may_reach_says_so() {
    let navigator = navigator();
    let found = navigator.usages(&named("Book.Take"), Some(UsageKind::Call)).unwrap();
    let vias: BTreeSet<_> = found.files.iter().flat_map(|file| &file.usages).map(|it| it.via.as_deref()).collect();
    assert_eq!(vias, BTreeSet::from([Some("Shop.Item.Take(int)")]));
    // `base.Take()` is not among them: it runs the base's own.
    assert_eq!(found.count(), 2);
    let functions: Vec<_> =
        found.files[0].usages.iter().map(|it| (it.function.as_deref(), it.function_kind.as_deref())).collect();
    assert_eq!(functions, [(Some("Program.Main"), Some("async")), (Some("Program.Names"), Some("iterator"))]);
}

#[test]
fn a_damaged_build_or_source_is_never_a_panic() {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state as usize
    };
    let folder = tempfile::tempdir().unwrap();
    let mut answered = 0;
    for _ in 0..40 {
        let mut damaged = |from: &Path, to: PathBuf, times: usize| {
            let mut bytes = std::fs::read(from).unwrap();
            for _ in 0..times {
                let at = random() % bytes.len();
                bytes[at] = random() as u8;
            }
            std::fs::write(&to, bytes).unwrap();
            to
        };
        let mut builds = Vec::new();
        for dll in assemblies() {
            let to = folder.path().join(dll.file_name().unwrap());
            damaged(&dll.with_extension("pdb"), to.with_extension("pdb"), 2);
            builds.push(damaged(&dll, to, 4));
        }
        let sources = SOURCES.map(|name| damaged(&root().join(name), folder.path().join(name.replace('/', "-")), 8));
        let Ok(navigator) = Navigator::open(folder.path(), &builds, sources.to_vec(), &Arc::default()) else {
            continue;
        };
        for name in ["Item.Price", "Box.Add", "Item", "IPriced.Describe", "Item.Limit", "Console.WriteLine"] {
            let _ = (navigator.definition(&named(name), 5), navigator.assignments(&named(name)));
            answered += usize::from(navigator.usages(&named(name), None).is_ok());
        }
        for line in [7, 14, 33] {
            let place = Address::Position { file: "App-Program.cs".to_owned(), line, column: 20 };
            let _ = navigator.usages(&place, None);
        }
    }
    assert!(answered > 40, "{answered}");
}
