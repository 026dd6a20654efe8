//! The metadata reader over the assemblies of an installed .NET.

use clr_metadata::{Assembly, GetterKind, Names, TypeUniverse};

use crate::harness::tests;
use crate::il_names::{decoded, method};
use crate::needs::{self, committed};

tests! {
    every_framework_assembly_reads_without_a_flaw;
    types_are_followed_across_the_framework;
    list_count_loads_a_field_in_release_code_too;
    a_method_of_the_framework_is_found_through_facades_across_all_of_it;
}

fn every_framework_assembly_reads_without_a_flaw() {
    let folder = needs::framework();
    let mut read = 0;
    for path in needs::dlls(&folder) {
        let assembly = match Assembly::open(&path) {
            Ok(assembly) => assembly,
            // A native dll among them is reported as such.
            Err(error) => {
                assert!(error.to_string().contains("native"), "{error}");
                continue;
            }
        };
        assert_eq!(assembly.verify(), [], "{}", path.display());
        assert!(!assembly.is_debug_build());
        read += 1;
    }
    assert!(read > 100, "{read}");
}

fn types_are_followed_across_the_framework() {
    let folder = needs::framework();
    let universe = TypeUniverse::new();
    for path in needs::dlls(&folder) {
        universe.add(path, false);
    }
    universe.add(committed("Basics.dll"), true);
    universe.add(committed("Exceptions.dll"), true);
    for (text, full_name) in [
        ("int", "System.Int32"),
        ("System.Collections.Generic.List<Basics.OrderLine>", "System.Collections.Generic.List`1"),
        (
            "System.Collections.Generic.Dictionary<string, int>.KeyCollection",
            "System.Collections.Generic.Dictionary`2+KeyCollection",
        ),
        ("System.Threading.Tasks.Task", "System.Threading.Tasks.Task"),
        ("System.Threading.Tasks.Task<int>", "System.Threading.Tasks.Task`1"),
        ("int?", "System.Nullable`1"),
        ("(int, string)", "System.ValueTuple`2"),
        ("int[,]", "System.Array"),
        ("Basics.Order", "Basics.Order"),
    ] {
        let (assembly, id) = universe.find_type(text).unwrap_or_else(|| panic!("{text} is not found"));
        assert_eq!(assembly.type_(id).full_name(), full_name, "{text}");
    }
    assert_eq!(
        universe.base_chain("Exceptions.ShopException"),
        ["Exceptions.ShopException", "System.Exception", "System.Object"]
    );
    assert_eq!(universe.base_chain("System.IO.FileNotFoundException").len(), 5);
    // What references name may have moved.
    for (facade, name) in
        [("System.Runtime", "System.String"), ("System.Collections", "System.Collections.Generic.List<int>")]
    {
        let facade = universe.assembly(facade).unwrap();
        assert_eq!(facade.find_type(name), None);
        assert_eq!(facade.forwarded_to(name), Some("System.Private.CoreLib"));
    }

    let list = universe.members("System.Collections.Generic.List<Basics.OrderLine>");
    let member = |name: &str| list.iter().find(|member| member.name == name).unwrap();
    assert_eq!(member("_items").type_text, "OrderLine[]");
    assert_eq!(member("Count").safe_field.as_deref(), Some("_size"));
    assert_eq!(member("Capacity").safe_field, None);
    let exception = universe.members("Exceptions.ShopException");
    let names: Vec<&str> = exception.iter().map(|member| member.name.as_str()).collect();
    assert_eq!(names[0], "Code");
    assert!(names.contains(&"_message") && names.contains(&"InnerException"), "{names:?}");
}

fn list_count_loads_a_field_in_release_code_too() {
    let folder = needs::framework();
    let core = Assembly::open(folder.join("System.Private.CoreLib.dll")).unwrap();
    assert!(core.is_ready_to_run());
    let list = core.type_(core.find_type("System.Collections.Generic.List`1").unwrap());
    let count = list.properties().into_iter().find(|property| property.name == "Count").unwrap();
    assert_eq!(count.access, GetterKind::LoadsField { field: "_size".to_owned() });
    assert!(list.properties().iter().any(|property| property.is_indexer));
    let day = core.type_(core.find_type("System.DayOfWeek").unwrap());
    assert_eq!(day.enum_members()[6], ("Saturday".to_owned(), 6));
    let action = core.type_(core.find_type("System.Action").unwrap());
    assert!(action.is_delegate());
    assert!(!core.type_(core.find_type("System.Enum").unwrap()).is_value_type());
    assert_eq!(core.find_types_by_short_name("List<int>").len(), 1);
    assert!(matches!(core.pdb_problem(), Some(clr_metadata::PdbProblem::Missing)));
}

fn a_method_of_the_framework_is_found_through_facades_across_all_of_it() {
    let all: Vec<_> =
        needs::dlls(&needs::framework()).into_iter().filter_map(|path| Assembly::open(path).ok()).collect();
    let core = all.iter().find(|assembly| assembly.name() == "System.Private.CoreLib").unwrap();
    let wanted = [method(core, "System.ArgumentNullException", "ThrowIfNull", 2)];
    let mut users = 0;
    let mut total = 0;
    for assembly in &all {
        let before = total;
        let names = Names::of(assembly, &wanted);
        assembly.each_usage(&names, |_| total += 1);
        assert_eq!(total - before, decoded(assembly, &names), "{assembly:?}");
        users += usize::from(total > before);
    }
    assert!(users > 40 && total > 500, "{total} in {users} assemblies");
}
