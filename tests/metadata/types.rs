//! Types, members, enums, attributes.

use clr_metadata::{Assembly, AttributeValue, GetterKind, NameStyle, Primitive, Table, Token, TypeUniverse};

use super::{FIXTURES, data, fixture};

#[test]
fn an_assembly_shows_what_it_is() {
    let basics = fixture("Basics");
    assert_eq!(basics.name(), "Basics");
    assert!(basics.is_debug_build());
    assert!(!basics.is_ready_to_run());
    assert!(basics.mvid().is_some());
    assert_eq!(basics.metadata().version(), "v4.0.30319");
    assert!(basics.references().contains(&"System.Runtime"));
}

#[test]
fn no_fixture_has_a_flaw() {
    for name in FIXTURES {
        assert_eq!(fixture(name).verify(), [], "{name}");
    }
}

#[test]
fn a_type_is_found_by_its_metadata_name_with_an_index_and_without() {
    for name in FIXTURES {
        let assembly = fixture(name);
        // The first questions are answered before there is an index, the later ones from it.
        for type_ in assembly.types().chain(assembly.types()) {
            assert_eq!(assembly.find_definition(&type_.full_name()), Some(type_.id()), "{}", type_.full_name());
            let other = format!("{}X", type_.full_name());
            assert_eq!(assembly.find_definition(&other), None, "{other}");
        }
    }
    assert_eq!(fixture("Generics").find_definition("Generics.Box"), None, "its metadata name has an arity");
}

#[test]
fn a_namespace_is_there_with_those_around_it() {
    for name in FIXTURES {
        let assembly = fixture(name);
        let namespaces = assembly.namespaces(None);
        assert!(namespaces.is_sorted(), "{namespaces:?}");
        for type_ in assembly.types().filter(|type_| !type_.full_name().contains('+')) {
            let full_name = type_.full_name();
            let namespace = full_name.rsplit_once('.').map_or("", |(namespace, _)| namespace);
            assert!(namespaces.contains(&namespace), "{full_name}: {namespaces:?}");
            for (at, _) in namespace.match_indices('.').chain([(namespace.len(), "")]) {
                assert!(assembly.has_namespace(&namespace[..at]), "{name}: {namespace}");
            }
            assert!(!assembly.has_namespace(&full_name), "{name}: {full_name}");
            assert!(!assembly.has_namespace(&format!("{namespace}.")), "{name}: {namespace}");
        }
    }
    assert!(fixture("Basics").has_namespace("Basics"));
    assert!(!fixture("Basics").has_namespace("Basic"));
}

#[test]
fn types_are_found_as_people_and_debuggers_write_them() {
    let generics = fixture("Generics");
    for (text, full_name) in [
        ("Generics.Box`1", "Generics.Box`1"),
        ("Generics.Box<int>", "Generics.Box`1"),
        ("Generics.Box<>", "Generics.Box`1"),
        ("Generics.Box", "Generics.Box`1"),
        ("Generics.Box<int>.Nested<string>", "Generics.Box`1+Nested`1"),
        ("Generics.Box`1+Nested`1", "Generics.Box`1+Nested`1"),
        ("Generics.Box.Nested", "Generics.Box`1+Nested`1"),
        ("Generics.Program.<>c", "Generics.Program+<>c"),
        ("Generics.Program+<>c", "Generics.Program+<>c"),
        ("Generics.Money", "Generics.Money"),
    ] {
        let found = generics.find_type(text).unwrap_or_else(|| panic!("{text} is not found"));
        assert_eq!(generics.type_(found).full_name(), full_name, "{text}");
    }
    for text in ["Generics.Box<int, int>", "Box", "Generics", "", "int", "Generics.Box<"] {
        assert_eq!(generics.find_type(text), None, "{text}");
    }
    for (text, count) in [
        ("Box", 1),
        ("Box<int>", 1),
        ("Box<int, int>", 0),
        ("Nested", 1),
        ("Box<int>.Nested<int>", 1),
        ("Box.Nested", 1),
        ("Nope", 0),
    ] {
        assert_eq!(generics.find_types_by_short_name(text).len(), count, "{text}");
    }
}

#[test]
fn kinds_of_types_are_distinguished() {
    let collections = fixture("Collections");
    let generics = fixture("Generics");
    let check = |assembly: &Assembly, name: &str, kinds: [bool; 4], base: Option<&str>| {
        let type_ = assembly.type_(assembly.find_type(name).unwrap());
        let found = [type_.is_enum(), type_.is_value_type(), type_.is_interface(), type_.is_static()];
        assert_eq!(found, kinds, "{name}");
        assert_eq!(type_.base().map(|base| base.full_name).as_deref(), base, "{name}");
    };
    check(&collections, "Collections.Colour", [true, true, false, false], Some("System.Enum"));
    check(&collections, "Collections.Point", [false, true, false, false], Some("System.ValueType"));
    check(&collections, "Collections.Node", [false, false, false, false], Some("System.Object"));
    check(&collections, "Collections.Program", [false, false, false, true], Some("System.Object"));
    check(&generics, "Generics.IShape", [false, false, true, false], None);
    let square = generics.type_(generics.find_type("Generics.Square").unwrap());
    assert_eq!(square.interfaces()[0].full_name, "Generics.IShape");
    let nested = generics.type_(generics.find_type("Generics.Box<int>.Nested<int>").unwrap());
    assert_eq!(nested.namespace(), "Generics");
    assert_eq!(nested.type_parameters(), ["T", "TInner"]);
    assert_eq!(nested.short_name(), "Box<T>.Nested<TInner>");
}

#[test]
fn enums_have_their_members_in_order() {
    let collections = fixture("Collections");
    let colour = collections.type_(collections.find_type("Collections.Colour").unwrap());
    assert_eq!(colour.enum_members(), [("Red".to_owned(), 0), ("Green".to_owned(), 1), ("Blue".to_owned(), 2)]);
    assert_eq!(colour.enum_underlying(), Some(Primitive::I4));
    assert!(!colour.is_flags());
    let access = collections.type_(collections.find_type("Collections.Access").unwrap());
    assert!(access.is_flags());
    assert_eq!(access.enum_members().last(), Some(&("Execute".to_owned(), 4)));
}

#[test]
fn fields_are_listed_with_types_and_backing() {
    let basics = fixture("Basics");
    let order = basics.type_(basics.find_type("Basics.Order").unwrap());
    let fields: Vec<_> =
        order.fields().into_iter().map(|field| (field.name, field.type_text, field.backing_of)).collect();
    let text = |name: &str, type_: &str, backing: Option<&str>| {
        (name.to_owned(), type_.to_owned(), backing.map(str::to_owned))
    };
    assert_eq!(
        fields,
        [
            text("_lines", "List<OrderLine>", None),
            text("_edits", "int", None),
            text("<Id>k__BackingField", "int", Some("Id")),
            text("<Customer>k__BackingField", "string", Some("Customer")),
            text("<Total>k__BackingField", "decimal", Some("Total")),
        ]
    );
    // The compiler marks backing fields as never to be browsed.
    let hidden: Vec<bool> = order.fields().iter().map(|field| field.is_hidden).collect();
    assert_eq!(hidden, [false, false, true, true, true]);
    assert_eq!(order.fields()[0].type_.to_string(), "System.Collections.Generic.List<Basics.OrderLine>");
}

#[test]
fn getters_that_only_load_a_field_are_known() {
    let accesses = |fixture_name: &str, type_name: &str| {
        let assembly = fixture(fixture_name);
        let type_ = assembly.type_(assembly.find_type(type_name).unwrap());
        let properties = type_.properties().into_iter();
        properties.map(|property| (property.name, property.access)).collect::<Vec<_>>()
    };
    let auto = |name: &str| {
        let field = format!("<{name}>k__BackingField");
        (name.to_owned(), GetterKind::Auto { field })
    };
    let computed = |name: &str| (name.to_owned(), GetterKind::Computed);
    // Count runs List.Count: that is code.
    assert_eq!(accesses("Basics", "Basics.Order"), [auto("Id"), auto("Customer"), computed("Count"), auto("Total")]);
    let node = accesses("Collections", "Collections.Node");
    let hidden = GetterKind::LoadsField { field: "_hidden".to_owned() };
    assert_eq!(node, [auto("Name"), auto("Next"), ("Hidden".to_owned(), hidden), computed("Broken")]);
    assert_eq!(accesses("Generics", "Generics.Box<int>"), [auto("Value")]);
    let line = accesses("Basics", "Basics.OrderLine");
    assert!(line.contains(&computed("Total")) && line.contains(&auto("Product")), "{line:?}");
}

#[test]
fn members_come_with_those_of_the_bases() {
    let universe = TypeUniverse::new();
    for name in FIXTURES {
        universe.add(data(&format!("{name}.dll")), true);
    }
    let members = universe.members("Generics.Box<System.Collections.Generic.List<int>>");
    assert_eq!(members.len(), 1);
    assert_eq!((members[0].name.as_str(), members[0].type_text.as_str()), ("Value", "List<int>"));
    assert!(members[0].is_safe());
    assert_eq!(universe.base_chain("Exceptions.ShopException"), ["Exceptions.ShopException", "System.Exception"]);
    assert!(universe.base_chain("Nobody.Knows").is_empty());
    let statics = universe.static_members("Collections.Node");
    assert_eq!(statics.iter().map(|member| member.name.as_str()).collect::<Vec<_>>(), ["Created"]);
}

#[test]
fn methods_show_their_parameters_and_locals() {
    let basics = fixture("Basics");
    let program = basics.type_(basics.find_type("Basics.Program").unwrap());
    let discount = program.methods().find(|&method| basics.method(method).name() == "Discount").unwrap();
    let discount = basics.method(discount);
    assert_eq!(discount.parameter_names(), ["total", "percent"]);
    assert!(discount.is_static());
    let signature = discount.signature().unwrap();
    assert_eq!(signature.parameters.iter().map(ToString::to_string).collect::<Vec<_>>(), ["decimal", "int"]);
    assert_eq!(discount.local_types().iter().map(ToString::to_string).collect::<Vec<_>>(), ["decimal", "decimal"]);
    assert!(discount.body().unwrap().instructions().all(|instruction| instruction.is_ok()));
    let exceptions = fixture("Exceptions");
    let program = exceptions.type_(exceptions.find_type("Exceptions.Program").unwrap());
    let inner = program.methods().find(|&method| exceptions.method(method).name() == "Inner").unwrap();
    assert_eq!(exceptions.method(inner).body().unwrap().regions.len(), 2);
}

#[test]
fn attributes_are_read_with_fixed_and_named_arguments() {
    let basics = fixture("Basics");
    let owner = Token::new(Table::Assembly, 1);
    let metadata = basics.metadata();
    let framework = metadata.attribute(owner, "System.Runtime.Versioning.TargetFrameworkAttribute").unwrap();
    let text = |text: &str| AttributeValue::String(Some(text.to_owned()));
    assert_eq!(framework.arguments(), Ok(vec![text(".NETCoreApp,Version=v10.0")]));
    let named = framework.named_arguments().unwrap();
    assert_eq!(named, [("FrameworkDisplayName".to_owned(), text(".NET 10.0"))]);
    let debuggable = metadata.attribute(owner, "System.Diagnostics.DebuggableAttribute").unwrap();
    assert_eq!(debuggable.arguments(), Ok(vec![AttributeValue::Int(0x107)]));
    let names: Vec<String> = metadata.attributes(owner).map(|attribute| attribute.full_name().unwrap()).collect();
    assert!(names.contains(&"System.Reflection.AssemblyTitleAttribute".to_owned()), "{names:?}");
}

#[test]
fn values_of_enums_are_known_by_the_names_of_their_members() {
    let features = fixture("Features.Lib");
    let rights = features.type_(features.find_type("Works.Rights").unwrap());
    let constant = |name: &str| {
        let field = rights.fields().into_iter().find(|field| field.name == name).unwrap();
        rights.field_declaration(field.id, NameStyle::Short).unwrap()
    };
    assert_eq!(constant("Some"), "public const Access Some = Access.Read | Access.Run");
    assert_eq!(constant("Odd"), "public const Access Odd = (Access)9");
    assert_eq!(constant("Nothing"), "public const Access Nothing = Access.None");
    // Its members are no flags.
    assert_eq!(constant("Mixed"), "public const Gauge Mixed = (Gauge)3");
    let method = |name: &str| {
        let id = rights.methods().find(|&id| features.method(id).name() == name).unwrap();
        features.method(id).declaration(NameStyle::Short).unwrap()
    };
    assert_eq!(
        method("Grant"),
        "public static void Grant(Access access = Access.Both | Access.Run, Access? maybe = Access.Write | Access.Run)"
    );
    assert_eq!(
        method("Take"),
        "public static void Take(Sides sides = (Sides)0, Sides top = Sides.Left | Sides.Top, Sides all = Sides.All, Sides odd = (Sides)(-2))"
    );
    let full = features.method(rights.methods().next().unwrap()).declaration(NameStyle::Full).unwrap();
    assert!(full.contains("Works.Access access = Works.Access.Both | Works.Access.Run"), "{full}");
}
