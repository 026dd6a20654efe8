//! `tests/data/shapes`, built in Release with an embedded PDB and sources: what the fixtures do not have.

use clr_metadata::{AttributeValue, GetterKind, MethodId, Primitive, TypeUniverse};

use super::{data, fixture};

fn marker(name: &str) -> u32 {
    let text = std::fs::read_to_string(data("../shapes/Program.cs")).unwrap();
    text.lines().position(|line| line.contains(&format!("BP:{name}"))).unwrap() as u32 + 1
}

#[test]
fn an_embedded_pdb_is_read_with_its_sources() {
    let shapes = fixture("Shapes");
    assert!(!shapes.is_debug_build());
    assert_eq!(shapes.verify(), []);
    let pdb = shapes.pdb().unwrap();
    let document = pdb.documents().iter().find(|document| document.file_name() == "Program.cs").unwrap();
    let source = std::fs::read(data("../shapes/Program.cs")).unwrap();
    assert!(pdb.embedded_source(document.id).as_ref() == Some(&source));
    assert_eq!(document.matches(&source), Some(true));
    for document in pdb.documents() {
        assert!(document.path.starts_with("/src/fixtures/"), "{}", document.path);
        assert!(pdb.embedded_source(document.id).is_some_and(|text| !text.is_empty()));
    }
}

#[test]
fn async_lambdas_and_local_functions_are_named_by_what_they_are() {
    let shapes = fixture("Shapes");
    let document = shapes.pdb().unwrap().find_document("/src/fixtures/Shapes/Program.cs").unwrap().id;
    for (mark, function, kind) in [
        ("async-lambda", "Program.Main", "async lambda"),
        ("async-local", "Program.Twice", "async local function"),
        ("iterator-local", "Program.Count", "iterator local function"),
    ] {
        let (method, _) = shapes.line_to_methods(document, marker(mark))[0];
        let type_ = shapes.method(method).declaring_type().unwrap();
        // As netcoredbg prints it.
        let raw = format!("{}.MoveNext()", type_.full_name().replace('+', "."));
        let described = shapes.describe_frame(&raw).unwrap();
        assert_eq!((described.function.as_str(), described.kind.as_str()), (function, kind), "{raw}");
        assert!(shapes.kickoff_of(method).is_some());
    }
}

#[test]
fn an_async_top_level_program_begins_at_its_first_statement() {
    let shapes = fixture("Shapes");
    let entry = shapes.entry_point().unwrap();
    assert_eq!(shapes.method(entry).name(), "<Main>$");
    let text = std::fs::read_to_string(data("../shapes/Program.cs")).unwrap();
    let (_, line) = shapes.first_sequence_point(entry).unwrap();
    assert_eq!(text.lines().nth(line as usize - 1), Some("await Task.Delay(Top);"));
    let constants = shapes.pdb().unwrap().scopes(shapes.pdb().unwrap().move_next_of(entry).unwrap());
    let top = constants.iter().flat_map(|scope| &scope.constants).find(|constant| constant.name == "Top").unwrap();
    assert_eq!(top.value(), Some(AttributeValue::Int(7)));
}

#[test]
fn every_kind_of_type_prints_as_csharp() {
    let shapes = fixture("Shapes");
    let odd = shapes.type_(shapes.find_type("Shapes.Odd").unwrap());
    let fields = odd.fields();
    let field = |name: &str| fields.iter().find(|field| field.name == name).unwrap();
    for (name, text) in [
        ("Pointers", "int*[]"),
        ("Callback", "delegate* unmanaged<int, void>"),
        ("Managed", "delegate*<string, ref int, long>"),
        ("Keys", "Dictionary<TKey, (int, TValue[])>.KeyCollection"),
        ("Long", "(int, int, int, int, int, int, int, int, string)"),
        ("Jagged", "int[][,,]"),
        ("Stop", "bool"),
        ("_key", "TKey"),
    ] {
        assert_eq!(field(name).type_text, text, "{name}");
    }
    assert_eq!(odd.short_name(), "Odd<TKey, TValue>");
    assert_eq!(odd.base().unwrap().to_string(), "Shapes.Base<System.Collections.Generic.List<!0>>");
    let inner = shapes.type_(shapes.find_type("Shapes.Odd<int, int>.Inner").unwrap());
    let run = inner.methods().find(|&method| shapes.method(method).name() == "Run").unwrap();
    let names = inner.parameter_names(Some(run));
    let signature = shapes.method(run).signature().unwrap();
    assert_eq!(signature.return_type.short_with(&names), "Task<T>");
    let parameters: Vec<String> = signature.parameters.iter().map(|parameter| parameter.short_with(&names)).collect();
    assert_eq!(parameters, ["Func<T>", "ref TValue", "int[]"]);
    assert_eq!(shapes.method(run).parameter_names(), ["work", "value", "numbers"]);
}

#[test]
fn members_are_what_a_debugger_may_read() {
    let universe = TypeUniverse::new();
    universe.add(data("Shapes.dll"), true);
    let members = universe.members("Shapes.Odd<string, int>");
    let member = |name: &str| members.iter().find(|member| member.name == name).unwrap();
    // Release getters; the overriding one is reported, not the base's.
    assert_eq!(member("Plain").safe_field.as_deref(), Some("_plain"));
    assert_eq!(member("Key").safe_field.as_deref(), Some("_key"));
    assert_eq!(member("Inherited").safe_field.as_deref(), Some("_inherited"));
    assert_eq!(member("Inherited").type_text, "List<string>");
    assert_eq!(member("Initial").safe_field.as_deref(), Some("<Initial>k__BackingField"));
    assert_eq!(member("Name").safe_field, None);
    assert_eq!(member("_key").type_text, "string");
    assert!(member("_plain").is_hidden && !member("_key").is_hidden);
    assert!(members.iter().all(|member| member.name != "Item" && member.name != "WriteOnly"));
    assert_eq!(members.iter().filter(|member| member.name == "Name").count(), 1);
    let statics = universe.static_members("Shapes.Odd<string, int>");
    let names: Vec<_> = statics.iter().map(|member| (member.name.as_str(), member.safe_field.as_deref())).collect();
    assert_eq!(names, [("s_count", Some("s_count")), ("Created", Some("s_count"))]);
}

#[test]
fn constants_and_enums_of_any_width_are_read() {
    let shapes = fixture("Shapes");
    let odd = shapes.type_(shapes.find_type("Shapes.Odd").unwrap());
    let constant = |name: &str| {
        let field = odd.fields().into_iter().find(|field| field.name == name).unwrap();
        assert!(field.is_literal);
        shapes.constant(field.id)
    };
    assert_eq!(constant("Text"), Some(AttributeValue::String(Some("naïve\n".to_owned()))));
    assert_eq!(constant("Ratio"), Some(AttributeValue::Float(0.5)));
    assert_eq!(constant("Default"), Some(AttributeValue::Int(255)));
    let small = shapes.type_(shapes.find_type("Shapes.Small").unwrap());
    assert_eq!(small.enum_underlying(), Some(Primitive::U1));
    assert_eq!(small.enum_members()[1], ("All".to_owned(), 255));
    let large = shapes.type_(shapes.find_type("Shapes.Large").unwrap());
    assert_eq!(large.enum_members()[0].1, i128::from(i64::MIN));
}

#[test]
fn properties_show_indexers_statics_and_setters() {
    let shapes = fixture("Shapes");
    let odd = shapes.type_(shapes.find_type("Shapes.Odd").unwrap());
    let properties = odd.properties();
    let property = |name: &str| properties.iter().find(|property| property.name == name).unwrap();
    assert!(property("Item").is_indexer && !property("Key").is_indexer);
    assert!(property("Created").is_static);
    assert_eq!(property("Created").access, GetterKind::LoadsField { field: "s_count".to_owned() });
    assert_eq!(property("WriteOnly").access, GetterKind::None);
    assert_eq!(property("Name").access, GetterKind::Computed);
    let base = shapes.type_(shapes.find_type("Shapes.Base").unwrap());
    assert!(
        base.properties().iter().any(|property| property.name == "Name" && property.access == GetterKind::Computed)
    );
}

#[test]
fn explicit_implementations_and_skipped_code_are_known() {
    let shapes = fixture("Shapes");
    let dispose = shapes.methods_of_frame("Shapes.Odd<string, int>.System.IDisposable.Dispose()");
    assert_eq!(dispose.len(), 1);
    assert!(shapes.method(dispose[0]).is_stepped_over());
    let described = shapes.describe_frame("Shapes.Odd<string, int>.System.IDisposable.Dispose()").unwrap();
    assert_eq!(described.function, "Odd.Dispose");
    let inner = shapes.type_(shapes.find_type("Shapes.Odd<string, int>.Inner").unwrap());
    let run: MethodId = inner.methods().next().unwrap();
    assert!(shapes.method(run).is_stepped_over());
    let odd = shapes.type_(shapes.find_type("Shapes.Odd").unwrap());
    assert!(odd.methods().any(|method| !shapes.method(method).is_stepped_over()));
}
