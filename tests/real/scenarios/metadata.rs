//! What the modules of a running program hold.

use serde_json::json;

use super::scenarios;
use crate::real::{Bench, assert_has};

scenarios! {
    types_and_members_of_loaded_modules_are_found;
    a_layout_finds_type_arguments_by_their_short_names, "builtin";
    accessors_of_a_struct_are_read_only_where_the_source_says_so;
}

fn accessors_of_a_struct_are_read_only_where_the_source_says_so(bench: &Bench) {
    let mut client = bench.client();
    let breakpoints = json!([{"file": "Program.cs", "line": bench.line("Assigned", "assigned")}]);
    client.ok("debug_launch", bench.launch("Assigned", &[], json!({"breakpoints": breakpoints})));
    let mark = client.ok("members_get", json!({"type": "Assigned.Mark", "kinds": ["properties"]}));
    let properties = mark["groups"][0]["properties"].as_array().unwrap();
    let signatures: Vec<&str> = properties.iter().filter_map(|property| property["signature"].as_str()).collect();
    let expected =
        ["public int Id { get; set; }", "public readonly int Twice { get; }", "public int Kept { readonly get; set; }"];
    assert_eq!(signatures, expected);
}

fn types_and_members_of_loaded_modules_are_found(bench: &Bench) {
    let mut client = bench.client();
    client.error("no_session", "modules_search", json!({"pattern": "Order"}));
    let breakpoints = json!([{"file": "Program.cs", "line": bench.line("Basics", "add")}]);
    client.ok("debug_launch", bench.launch("Basics", &[], json!({"breakpoints": breakpoints})));
    let found = client.ok("modules_search", json!({"pattern": "order"}));
    let first = &found["assemblies"][0];
    assert_has(first, json!({"module": "Basics.dll", "namespaces": [{"namespace": "Basics"}]}));
    let types = client.ok("types_get", json!({"module": "Basics"}));
    assert_has(&types, json!({"module": "Basics.dll", "count": 3}));
    let order = client.ok("members_get", json!({"type": "Order", "include_inherited": true}));
    assert_has(&order["groups"][0], json!({"type": "Basics.Order", "module": "Basics.dll"}));
    let methods = order["groups"][0]["methods"].as_array().unwrap();
    let add = methods.iter().find(|method| method["signature"] == "public void Add(OrderLine line)").unwrap();
    assert!(add["at"].as_str().unwrap().starts_with("Program.cs:"), "{add}");
    assert_has(&order["groups"][1], json!({"type": "System.Object", "module": "System.Private.CoreLib.dll"}));
    let list = client.ok("members_get", json!({"type": "List<int>", "kinds": ["properties"], "visibility": "public"}));
    let has = |signature: &str| {
        let properties = list["groups"][0]["properties"].as_array().unwrap();
        properties.iter().any(|property| property["signature"] == signature)
    };
    assert!(has("public int Count { get; }") && has("public int this[int index] { get; set; }"), "{list}");
    let layout = client.ok("layout_get", json!({"type": "Basics.Order"}));
    assert_has(&layout, json!({"kind": "class", "placement": "auto", "size": 56, "estimated": null}));
    client.error("module_not_found", "types_get", json!({"module": "Nowhere"}));
    client.error("type_not_found", "members_get", json!({"type": "Basics.Ordr"}));
    // the framework's compiler wrote what may be null for its public members alone
    let array = json!({"type": "System.Array", "visibility": "private", "kinds": ["methods"], "max_chars": 200_000});
    let array = client.ok("members_get", array).to_string();
    assert!(array.contains("UnsafeArrayAsSpan<T>(") && !array.contains("T : notnull"), "{array}");
    for name in ["string.IsNullOrEmpty", "decimal.op_Addition", "int.Parse(string)"] {
        let code = client.ok("source_get", json!({"function": name, "module": "System.Private.CoreLib"}));
        assert!(code["function"].is_string(), "{code}");
    }
}

fn a_layout_finds_type_arguments_by_their_short_names(bench: &Bench) {
    let mut client = bench.client();
    let breakpoints = json!([{"file": "Program.cs", "line": bench.line("Assigned", "assigned")}]);
    client.ok("debug_launch", bench.launch("Assigned", &[], json!({"breakpoints": breakpoints})));
    for (type_name, size) in [
        ("KeyValuePair<Spot, int>", 8),
        ("KeyValuePair<Assigned.Spot, int>", 8),
        ("Spot?", 8),
        ("(Spot, byte)", 8),
        ("KeyValuePair<Spot?, byte>", 12),
        ("KeyValuePair<Holder, byte>", 16),
        ("KeyValuePair<Spot[], byte>", 16),
    ] {
        let layout = client.ok("layout_get", json!({"type": type_name}));
        assert_has(&layout, json!({"kind": "struct", "size": size, "estimated": null}));
    }
    let open = client.ok("layout_get", json!({"type": "KeyValuePair<TKey, int>"}));
    assert!(open["estimated"].is_array(), "{open}");
    for type_name in ["KeyValuePair<Nope, int>", "KeyValuePair<Nope[], int>", "Nope?"] {
        let error = client.error("invalid_argument", "layout_get", json!({"type": type_name}));
        assert!(error["message"].as_str().unwrap().contains("no type Nope is known"), "{error}");
    }
}
