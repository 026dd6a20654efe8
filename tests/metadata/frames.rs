//! Frame names as the adapters print them (from the recordings), against the metadata of the fixtures.

use super::fixture;

#[test]
fn metadata_shows_async_from_iterator() {
    for (assembly, raw, function, kind) in [
        ("AsyncFlow", "AsyncFlow.Downloader.<FetchAsync>d__3.MoveNext()", "Downloader.FetchAsync", "async"),
        ("AsyncFlow", "AsyncFlow.Downloader.FetchAsync(int size)", "Downloader.FetchAsync", "async"),
        ("AsyncFlow", "AsyncFlow.Program.<Main>d__0.MoveNext()", "Program.Main", "async"),
        ("AsyncFlow", "AsyncFlow.Program.<Squares>d__1.MoveNext()", "Program.Squares", "iterator"),
        ("AsyncFlow", "AsyncFlow.Program.Squares(int count)", "Program.Squares", "iterator"),
        ("AsyncFlow", "AsyncFlow.Program.<Ticks>d__2.MoveNext()", "Program.Ticks", "async iterator"),
        ("AsyncFlow", "AsyncFlow.Program.Ticks(int count)", "Program.Ticks", "async iterator"),
        (
            "AsyncFlow",
            "AsyncFlow.Program.<>c__DisplayClass0_0.<Main>g__Local|2(int value)",
            "Program.Local",
            "local function",
        ),
        ("AsyncFlow", "AsyncFlow.Program.<>c__DisplayClass0_0.<Main>b__0()", "Program.Main", "lambda"),
        ("AsyncFlow", "AsyncFlow.Program.<Main>()", "Program.Main", ""),
        ("Basics", "Basics.Order.Add()", "Order.Add", ""),
        ("Basics", "Basics.OrderLine..ctor(string Product, int Quantity, decimal UnitPrice)", "OrderLine..ctor", ""),
        ("Generics", "Generics.Box<int>.Map<string>()", "Box.Map", ""),
        ("Generics", "Generics.Program.Pick<long>(long value)", "Program.Pick", ""),
        ("Generics", "Generics.Box<int>.Nested<string>.Describe()", "Nested.Describe", ""),
        ("Exceptions", "[Exception] Exceptions.Program.Main(string[] args)", "Program.Main", "async"),
        ("Exceptions", "Exceptions.Program.<FailLater>d__5.MoveNext()", "Program.FailLater", "async"),
        ("Web", "Program.<Main>$()", "Program.Main", ""),
        ("Web", "Program.<>c.<<Main>$>b__0_1()", "Program.Main", "lambda"),
        ("Web", "Program.<>c.<<Main>$>b__0_1(int id)", "Program.Main", "lambda"),
    ] {
        let described = fixture(assembly).describe_frame(raw).unwrap_or_else(|| panic!("{raw} is not found"));
        assert_eq!((described.function.as_str(), described.kind.as_str()), (function, kind), "{raw}");
    }
}

#[test]
fn frames_of_other_assemblies_are_nobodys() {
    for raw in ["System.Threading.Thread.Sleep()", "[Native Frames]", "", "Basics.Order.Nope()", "Basics.Nope.Add()"] {
        assert_eq!(fixture("Basics").describe_frame(raw), None, "{raw}");
    }
}

#[test]
fn state_machines_lead_back_to_their_methods() {
    let assembly = fixture("AsyncFlow");
    for (machine, kickoff) in [
        ("AsyncFlow.Downloader.<FetchAsync>d__3", "FetchAsync"),
        ("AsyncFlow.Program.<Main>d__0", "Main"),
        ("AsyncFlow.Program.<Squares>d__1", "Squares"),
        ("AsyncFlow.Program.<Ticks>d__2", "Ticks"),
    ] {
        let type_ = assembly.type_(assembly.find_type(machine).unwrap());
        let move_next = type_.methods().find(|&method| assembly.method(method).name() == "MoveNext").unwrap();
        let found = assembly.kickoff_of(move_next).unwrap();
        assert_eq!(assembly.method(found).name(), kickoff);
        assert_eq!(assembly.method(found).code_method(), move_next);
        // The same from the attributes alone.
        let bare =
            clr_metadata::Assembly::from_bytes("/nowhere/A.dll", std::fs::read(super::data("AsyncFlow.dll")).unwrap());
        let bare = bare.unwrap();
        assert!(bare.pdb().is_none());
        assert_eq!(bare.kickoff_of(move_next), Some(found));
    }
}
