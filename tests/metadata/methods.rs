//! Methods by the names that people give them, and where a breakpoint on one belongs.

use super::{data, marker};
use clr_metadata::{Assembly, MethodQuery};

fn functions() -> std::path::PathBuf {
    std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/functions/Functions.dll")
}

/// Markers of a fixture's lines, `?` for a line that has none.
fn lines(name: &str) -> Vec<String> {
    let assembly = Assembly::open(functions()).unwrap();
    let query = MethodQuery::parse(name).unwrap_or_else(|| panic!("{name} is no name"));
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/Functions");
    let marked = |method| {
        let Some(point) = assembly.breakpoint_point(method) else { return "-".to_owned() };
        let document = assembly.pdb().unwrap().document(point.document).unwrap();
        let text = std::fs::read_to_string(folder.join(document.file_name())).unwrap();
        let line = text.lines().nth(point.line as usize - 1).unwrap();
        line.split("BP:").nth(1).unwrap_or("?").to_owned()
    };
    assembly.methods_called(&query).into_iter().map(marked).collect()
}

#[test]
fn a_method_is_found_by_every_spelling_and_leads_to_its_first_line() {
    let twice = ["add-int", "add-int-string", "add-many", "?"];
    for (name, expected) in [
        ("Cache.GetOrAdd", &["get-or-add"][..]),
        ("GetOrAdd", &["get-or-add"]),
        ("Functions.Cache.GetOrAdd", &["get-or-add"]),
        ("global::Functions.Cache.GetOrAdd", &["get-or-add"]),
        ("global::Cache.GetOrAdd", &[]),
        ("Cache<TKey, TValue>.GetOrAdd", &["get-or-add"]),
        ("Cache<,>.GetOrAdd", &["get-or-add"]),
        ("Functions.Cache`2.GetOrAdd", &["get-or-add"]),
        ("Cache<string, int>.GetOrAdd", &["get-or-add"]),
        ("Cache<string, int>.GetOrAdd(string, Func<string, int>)", &["get-or-add"]),
        ("Cache<string, int>.GetOrAdd(int, Func<string, int>)", &[]),
        ("Cache<System.String, int>.Convert<bool>(int)", &["convert"]),
        ("Functions.Cache`2::GetOrAdd", &["get-or-add"]),
        ("Functions.Cache`2[System.String,System.Int32].GetOrAdd", &["get-or-add"]),
        ("Cache`2+Statistics`1[System.String,System.Int32,System.Int64].Record(long)", &["record"]),
        ("Cache<T>.GetOrAdd", &[]),
        ("Cache.GetOrAdd(TKey, Func<TKey, TValue>)", &["get-or-add"]),
        ("GetOrAdd(TKey key, System.Func<TKey,TValue> make)", &["get-or-add"]),
        ("GetOrAdd(TKey)", &[]),
        ("Convert<T>", &["convert"]),
        ("Convert``1", &["convert"]),
        ("Cache<,>.Convert<TOther>(TValue)", &["convert"]),
        ("Convert<A, B>", &[]),
        ("Cache.Statistics.Record", &["record"]),
        ("Cache`2+Statistics`1.Record", &["record"]),
        ("Cache<,>.Statistics<long>.Record(TNumber)", &["record"]),
        ("Order.Add", &twice),
        ("Functions.Order.Add", &twice[..3]),
        ("Functions.Order.Add(int, string)", &["add-int-string"]),
        ("Functions.Order.Add(System.Int32,System.String)", &["add-int-string"]),
        ("Functions.Order.Add(IEnumerable<int>)", &["add-many"]),
        ("Order.Add(int)", &["add-int", "?"]),
        ("Order.Add()", &[]),
        ("Order..ctor", &["order-one", "order-this", "-"]),
        ("Order.Order", &["order-one", "order-this", "-"]),
        ("new Order(string)", &["order-one"]),
        ("Functions.Order.Order(string name, int count)", &["order-this"]),
        ("Order", &[]),
        ("Point..ctor(int, int)", &["point"]),
        ("Cache..ctor", &["cache-items"]),
        ("Shapes..cctor", &["shapes-static"]),
        ("Order.Total", &["total-get", "total-set"]),
        ("get_Total", &["total-get"]),
        ("Order.Count", &["count", "count"]),
        ("Doubled", &["doubled"]),
        ("Order.this[int]", &["item-get"]),
        ("Order.Item", &["item-get"]),
        ("Order.Changed", &["changed-add", "changed-remove"]),
        ("Order.operator +", &["plus"]),
        ("Order.op_Addition", &["plus"]),
        ("Order.operator -", &[]),
        ("Order.GetEnumerator", &["enumerator"]),
        ("IEnumerable.GetEnumerator", &["enumerator"]),
        ("Order.IDisposable.Dispose", &["order-dispose"]),
        ("Order.System.IDisposable.Dispose", &["order-dispose"]),
        ("Dispose", &["order-dispose", "handle-dispose"]),
        ("Outer.Inner.Run", &["inner-run"]),
        ("Outer+Inner.Run", &["inner-run"]),
        ("Streams.Count", &["count-iterator"]),
        ("Streams.LoadAsync", &["load-async"]),
        ("Words.Shout", &["shout"]),
        ("Shout(string)", &["shout"]),
        ("Main", &["main"]),
        ("Program.<Main>$", &["main"]),
        ("Main.Outside", &["outside"]),
        ("Outside(int)", &["outside"]),
        ("Program.Within", &["within"]),
        ("Program.Main.OnChanged(object, EventArgs)", &["on-changed-body"]),
        ("Pair.First", &["pair"]),
        ("Functions!Pair.Second", &["pair"]),
        ("Functions.dll!Pair.Second", &["pair"]),
        ("Other.dll!Pair.Second", &[]),
        ("Passed.Take(int)", &["take"]),
        ("Passed.Take(ref int)", &["take-ref"]),
        ("Passed.Take(int&)", &["take-ref"]),
        ("Passed.Take(int?)", &["take-nullable"]),
        ("Passed.Take(Nullable<int>)", &["take-nullable"]),
        ("int Passed.Take(int? number)", &["take-nullable"]),
        ("string Passed.Take(int)", &[]),
        ("Passed.Only(int)", &["only-ref"]),
        ("Passed.Only(int?)", &[]),
        ("int32 Functions.Passed::Take(int32&)", &["take-ref"]),
        ("at Functions.Passed.Take(Int32& number) in /src/Arms.cs:line 3", &["take-ref"]),
        ("at Functions.Cache`2.Convert[TOther](TValue value)", &["convert"]),
        ("Functions.dll!Functions.Order.Total.get()", &["total-get"]),
        ("Order.Total.set", &["total-set"]),
        ("Order.Ad", &[]),
        ("order.add", &[]),
    ] {
        assert_eq!(lines(name), expected, "{name}");
    }
}

#[test]
fn members_of_one_line_are_distinguished_by_their_columns() {
    let assembly = Assembly::open(functions()).unwrap();
    let column = |name: &str| {
        let method = assembly.methods_called(&MethodQuery::parse(name).unwrap())[0];
        assembly.breakpoint_point(method).unwrap().column
    };
    assert!(column("Pair.First") < column("Pair.Second"));
    assert!(column("Order.get_Count") < column("Order.set_Count"));
}

#[test]
fn other_fixtures_have_operators_of_structs_and_methods_of_their_nested_types() {
    let assembly = Assembly::open(data("Generics.dll")).unwrap();
    for (name, expected) in [("Money.operator +", "operator"), ("Box.Nested.Describe", "nested"), ("Box<>.Map", "map")]
    {
        let method = assembly.methods_called(&MethodQuery::parse(name).unwrap())[0];
        let line = assembly.breakpoint_point(method).unwrap().line;
        // the brace before the marked line
        assert_eq!(line + 1, marker("Generics", expected), "{name}");
    }
}
