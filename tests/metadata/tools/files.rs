//! Over dlls, with no session.

use serde_json::{Value, json};

use super::{call, client, connect, data, error, ok, text};
use crate::renderings::{closed, empties, missing_in_text};

/// Every kind of answer; in `data/snapshots/metadata_tools.txt` in both renderings.
fn calls() -> Vec<(&'static str, Value)> {
    vec![
        ("modules_search", json!({"pattern": "order", "assembly": "Basics.dll"})),
        ("modules_search", json!({"pattern": "Order.Add", "assembly": "Basics.dll"})),
        ("modules_search", json!({"pattern": "*Async", "kind": "methods", "assembly": "AsyncFlow.dll"})),
        ("modules_search", json!({"pattern": "m*", "assembly": ".", "max_results": 5})),
        ("modules_search", json!({"pattern": "xyzzy", "assembly": "Basics.dll"})),
        ("modules_search", json!({"pattern": "c__*", "assembly": "Basics.dll"})),
        ("types_get", json!({"assembly": "Collections.dll"})),
        ("types_get", json!({"assembly": "Shapes.dll", "namespace": "Sha*", "max_results": 2})),
        ("types_get", json!({"assembly": "Collections.dll", "kind": "record"})),
        ("types_get", json!({"assembly": "Shapes.dll", "kind": "enum", "visibility": "internal"})),
        ("members_get", json!({"type": "Basics.Order", "assembly": "Basics.dll"})),
        ("members_get", json!({"type": "OrderLine", "assembly": "Basics.dll"})),
        ("members_get", json!({"type": "Odd", "assembly": "Shapes.dll"})),
        (
            "members_get",
            json!({"type": "Odd<string, int>", "assembly": "Shapes.dll", "kinds": ["fields"], "visibility": "private"}),
        ),
        // one that is written, where `Odd` has one that initializes a field
        ("members_get", json!({"type": "Lazily", "assembly": "Generics.dll"})),
        ("members_get", json!({"type": "Shapes.Small", "assembly": "Shapes.dll"})),
        ("members_get", json!({"type": "Odd.Inner", "assembly": "Shapes.dll"})),
        ("members_get", json!({"type": "Downloader", "assembly": "AsyncFlow.dll", "static": false})),
        ("layout_get", json!({"type": "Point", "assembly": "Collections.dll"})),
        ("layout_get", json!({"type": "Shapes.Small", "assembly": "Shapes.dll"})),
        ("layout_get", json!({"type": "Nothing`9", "assembly": "Shapes.dll"})),
    ]
}

#[tokio::test]
async fn answers_are_known_byte_for_byte_in_both_renderings() {
    let client = client().await;
    let tools = client.list_all_tools().await.unwrap();
    let mut got = String::new();
    for (tool, arguments) in calls() {
        let result = call(&client, tool, arguments.clone()).await;
        let json = result.structured_content.clone().unwrap();
        got.push_str(&format!("=== {tool} {arguments}\n{}\n--- {json}\n", text(&result)));
        let (mut missing, mut empty) = (Vec::new(), Vec::new());
        missing_in_text("", &json, text(&result), &mut missing);
        empties("", &json, &mut empty);
        assert!(
            missing.is_empty() && empty.is_empty(),
            "{tool} {arguments}: the text lacks {missing:?}, empty: {empty:?}"
        );
        let listed = tools.iter().find(|listed| listed.name == tool).unwrap();
        let mut schema = Value::Object((**listed.output_schema.as_ref().unwrap()).clone());
        closed(&mut schema);
        let faults: Vec<_> =
            jsonschema::validator_for(&schema).unwrap().iter_errors(&json).map(|fault| fault.to_string()).collect();
        assert!(faults.is_empty(), "{tool} {arguments}: {faults:?}");
    }
    let file = data("data/snapshots/metadata_tools.txt");
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        std::fs::write(file, got).unwrap();
        return;
    }
    let expected = std::fs::read_to_string(&file).unwrap();
    for (at, (expected, got)) in expected.lines().zip(got.lines()).enumerate() {
        assert_eq!(got, expected, "{}:{}", file.display(), at + 1);
    }
    assert_eq!(got.lines().count(), expected.lines().count());
}

fn listed(report: &Value) -> Vec<String> {
    let groups = report["namespaces"].as_array().into_iter().flatten();
    groups.flat_map(|group| group["types"].as_array().unwrap()).map(|it| it.as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn pages_put_together_are_the_whole_list() {
    let client = client().await;
    let whole = ok(&client, "types_get", json!({"assembly": "Shapes.dll"})).await;
    let mut paged = Vec::new();
    let mut page = json!({"assembly": "Shapes.dll", "max_results": 2});
    loop {
        let report = ok(&client, "types_get", page.clone()).await;
        assert_eq!(report["count"], whole["count"]);
        paged.extend(listed(&report));
        match report.get("continuation_token") {
            Some(token) => page["continuation_token"] = token.clone(),
            None => break,
        }
    }
    assert_eq!(paged, listed(&whole));
    assert!(paged.len() > 4 && paged.len() as u64 == whole["count"].as_u64().unwrap());
}

#[tokio::test]
async fn inherited_members_come_once_each_from_the_nearest_base() {
    let client = client().await;
    let arguments = json!({"type": "Odd<string, int>", "assembly": "Shapes.dll", "include_inherited": true});
    let report = ok(&client, "members_get", arguments).await;
    let groups = report["groups"].as_array().unwrap();
    assert_eq!(groups[0]["type"], "Shapes.Odd<string, int>");
    assert_eq!(groups[1]["type"], "Shapes.Base<System.Collections.Generic.List<string>>");
    let inherited: Vec<&str> =
        groups[1]["properties"].as_array().unwrap().iter().map(|it| it["signature"].as_str().unwrap()).collect();
    assert_eq!(inherited, ["public List<string>? Inherited { get; }"], "Name is overridden, the argument filled in");
    // Where .NET is installed its own types are known, too.
    let object = groups.iter().any(|group| group["type"] == "object" || group["type"] == "System.Object");
    assert!(
        object || report["unknown_bases"] == json!(["object"]) || report["unknown_bases"] == json!(["System.Object"]),
        "{report}"
    );
}

#[tokio::test]
async fn arguments_stand_where_parameters_were_and_a_question_mark_only_where_it_says_something() {
    let client = client().await;
    for (value, expected) in [
        ("int", "(int Id, int[] Values)"),
        ("string", "(int Id, string?[] Values)"),
        ("int?", "(int Id, int?[] Values)"),
        ("List<string>", "(int Id, List<string>?[] Values)"),
        ("int[,]", "(int Id, int[][,] Values)"),
    ] {
        let type_name = format!("Odd<string, {value}>");
        let arguments = json!({"type": type_name, "assembly": "Shapes.dll", "kinds": ["fields"]});
        let report = ok(&client, "members_get", arguments).await;
        let fields = report["groups"][0]["fields"].as_array().unwrap();
        let expected = format!("public Dictionary<string, {expected}>.KeyCollection? Keys");
        assert!(fields.contains(&json!(expected)), "{expected}: {fields:?}");
    }
}

#[tokio::test]
async fn members_of_one_type_do_not_hide_each_other() {
    let client = client().await;
    let report = ok(&client, "members_get", json!({"type": "Shop.Basket", "assembly": "Usages.Core.dll"})).await;
    let signatures = |kind: &str| -> Vec<String> {
        let members = report["groups"][0][kind].as_array().unwrap();
        members.iter().map(|it| it["signature"].as_str().unwrap().to_owned()).collect()
    };
    let events = signatures("event_members");
    assert!(
        events.contains(&"public event EventHandler<int>? Emptied".to_owned()),
        "the field has its name: {events:?}"
    );
    let methods = signatures("methods");
    let enumerators: Vec<&String> = methods.iter().filter(|it| it.contains("GetEnumerator()")).collect();
    assert_eq!(
        enumerators,
        [
            "public IEnumerator<Basket.Line> GetEnumerator()",
            "IEnumerator System.Collections.IEnumerable.GetEnumerator()"
        ]
    );
    assert_eq!(report["compiler_generated"], 1, "the event's field: {report}");
}

#[tokio::test]
async fn members_are_bounded_and_filters_narrow_them() {
    let client = client().await;
    let odd = |more: Value| {
        let mut arguments = json!({"type": "Odd", "assembly": "Shapes.dll"});
        arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        arguments
    };
    let names = |report: &Value, kind: &str| report["groups"][0][kind].as_array().map_or(0, Vec::len);
    let statics = ok(&client, "members_get", odd(json!({"instance": false}))).await;
    assert_eq!((names(&statics, "properties"), names(&statics, "constructors"), names(&statics, "methods")), (1, 0, 0));
    let public = ok(&client, "members_get", odd(json!({"visibility": "public", "kinds": ["fields", "methods"]}))).await;
    assert_eq!((names(&public, "fields"), names(&public, "methods"), names(&public, "properties")), (10, 0, 0));
    let none = ok(&client, "members_get", odd(json!({"kinds": ["events"]}))).await;
    assert_eq!(none["groups"], json!([{"type": "Shapes.Odd<TKey, TValue>", "module": "Shapes.dll"}]));
}

#[tokio::test]
async fn a_search_shows_how_many_it_left_out() {
    let client = client().await;
    let few = ok(&client, "modules_search", json!({"pattern": "*", "assembly": ".", "max_results": 3})).await;
    let found = few.to_string().matches("\"signature\":").count()
        + few["assemblies"].as_array().unwrap().iter().map(|assembly| listed(assembly).len()).sum::<usize>();
    assert_eq!(found, 3, "{few}");
    assert_eq!(few["count"].as_u64().unwrap(), 3 + few["more_matches"].as_u64().unwrap());
}

#[tokio::test]
async fn a_method_whose_source_is_here_shows_it_without_a_session() {
    let client = connect(data(".")).await;
    let asked = json!({"function": "Functions.Order.Dispose", "assembly": "data/functions/Functions.dll"});
    let found = ok(&client, "source_get", asked).await;
    assert_eq!((&found["file"], &found["il"]), (&json!("fixtures/Functions/Library.cs"), &Value::Null), "{found}");
}

#[tokio::test]
async fn a_method_without_source_shows_its_signature_and_its_il() {
    let client = client().await;
    let found = ok(&client, "source_get", json!({"function": "Order.Bump", "assembly": "Basics.dll"})).await;
    assert_eq!((&found["function"], &found["module"]), (&json!("Basics.Order.Bump"), &json!("Basics.dll")));
    assert_eq!(found["signature"], "public int Bump(int by)");
    let il: Vec<&str> = found["il"].as_array().unwrap().iter().map(|line| line.as_str().unwrap()).collect();
    assert!(il.contains(&"IL_0003: ldfld Order._edits") && il.last().unwrap().ends_with(": ret"), "{il:#?}");
    let rest = json!({"function": "Order.Bump", "assembly": "Basics.dll", "start": il.len() - 1});
    assert_eq!(ok(&client, "source_get", rest).await["il"], json!([il.last().unwrap()]));
    for (function, message) in [
        ("Order.Nope", "no method Order.Nope in Basics.dll"),
        ("Order.(", "`Order.(` is not a valid method name"),
        ("Total", "methods are named Total"),
    ] {
        let found = error(&client, "source_get", json!({"function": function, "assembly": "Basics.dll"})).await;
        assert!(found["message"].as_str().unwrap().contains(message), "{found}");
        assert_eq!(found["details"]["argument"], "function");
    }
    let both = json!({"function": "Order.Bump", "assembly": "Basics.dll", "line": 3});
    assert_eq!(
        error(&client, "source_get", both).await["message"],
        "`function` cannot be combined with `file` or `line`"
    );
}
