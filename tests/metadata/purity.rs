//! Which calls change nothing: `tests/fixtures/Effects`, whose types say by their names what all of their methods are.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clr_metadata::{
    Assembly, Content, ExactCall, Held, MethodId, Observer, Purity, TypeName, TypeSig, TypeUniverse, names,
};

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/purity").join(name)
}

fn effects() -> Arc<Assembly> {
    Assembly::open(path("Effects.dll")).unwrap()
}

fn purity() -> Purity {
    purity_of("Effects.dll")
}

fn purity_of(name: &str) -> Purity {
    let universe = TypeUniverse::new();
    universe.add(path(name), true);
    Purity::new(Arc::new(universe))
}

/// The methods of the types whose name begins so; no constructors, which objects of the program have behind them.
fn methods(assembly: &Assembly, start: &str) -> Vec<(String, MethodId)> {
    let types = assembly.types().filter(|type_| type_.declaring_type().is_none() && type_.name().starts_with(start));
    let all = types.flat_map(|type_| type_.methods().map(move |id| (type_, id)));
    let named = all.map(|(type_, id)| (format!("{}.{}", type_.name(), assembly.method(id).name()), id));
    let own = named.filter(|(name, _)| !name.contains(".cctor") && !name.contains(".ctor") && !name.contains('<'));
    own.collect()
}

#[test]
fn what_changes_nothing_is_known_to_be_pure() {
    let (assembly, purity) = (effects(), purity());
    let all = methods(&assembly, "Pure");
    assert!(all.len() > 30, "{all:?}");
    let refused: Vec<String> = all
        .iter()
        .filter_map(|(name, id)| purity.method(&assembly, *id).err().map(|why| format!("{name}: {why}")))
        .collect();
    assert!(refused.is_empty(), "{}", refused.join("\n"));
}

#[test]
fn what_changes_something_or_might_is_not_pure() {
    let (assembly, purity) = (effects(), purity());
    let all = methods(&assembly, "Impure");
    assert!(all.len() > 45, "{all:?}");
    let passed: Vec<&String> =
        all.iter().filter(|(_, id)| purity.method(&assembly, *id).is_ok()).map(|(name, _)| name).collect();
    assert!(passed.is_empty(), "{passed:?}");
}

#[test]
fn a_type_that_was_emitted_may_override_what_is_not_sealed() {
    let (assembly, known) = (effects(), purity());
    let method = |type_: &str, name: &str| {
        let type_ = assembly.type_(assembly.find_type(type_).unwrap());
        type_.methods().find(|id| assembly.method(*id).name() == name).unwrap()
    };
    let calls = method("PureCaller", "get_Virtual");
    known.method(&assembly, calls).unwrap();
    let emitted = purity().with_unknown_types(vec!["Proxies".into()]);
    let why = emitted.method(&assembly, calls).unwrap_err();
    assert_eq!(
        why.0,
        "PureCaller.Virtual calls Number: the module Proxies, whose code cannot be read, may have types derived from PureBase"
    );
    emitted.method(&assembly, method("PureCaller", "get_Sealed")).unwrap();
}

/// Of an assembly with more than so many methods of either kind.
fn types_are_what_their_names_say(name: &str, (least_pure, least_impure): (usize, usize)) {
    let (assembly, purity) = (Assembly::open(path(name)).unwrap(), purity_of(name));
    let (pure, impure) = (methods(&assembly, "Pure"), methods(&assembly, "Impure"));
    assert!(pure.len() > least_pure && impure.len() > least_impure, "{} {}", pure.len(), impure.len());
    let judged = |(name, id): &(String, MethodId)| (name.clone(), purity.method(&assembly, *id));
    let passed: Vec<String> = impure.iter().map(judged).filter(|it| it.1.is_ok()).map(|it| it.0).collect();
    let refused: Vec<_> = pure.iter().map(judged).filter(|it| it.1.is_err()).collect();
    assert!(passed.is_empty() && refused.is_empty(), "passed: {passed:#?}\nrefused: {refused:#?}");
}

/// `tests/fixtures/Callbacks`: the framework's methods are pure only as long as they dispatch to nothing of the program's.
#[test]
fn what_the_framework_calls_back_is_judged() {
    types_are_what_their_names_say("Callbacks.dll", (12, 35));
}

/// `tests/fixtures/Hooked`: what the framework's methods call of the objects themselves, and of those in them.
#[test]
fn overrides_that_the_framework_calls_unseen_are_judged() {
    types_are_what_their_names_say("Hooked.dll", (7, 25));
}

/// A query that a field or an argument holds runs the code that it was given where it was made.
#[test]
fn a_query_is_gone_through_by_whoever_made_it() {
    let (assembly, purity) = (Assembly::open(path("Queried.dll")).unwrap(), purity_of("Queried.dll"));
    let type_ = assembly.type_(assembly.find_type("Marks").unwrap());
    let walk = type_.methods().find(|id| assembly.method(*id).name() == "Walk").unwrap();
    let declaring = type_.self_type();
    let judged = |held: &str| {
        let held = names::parse_type(held).unwrap();
        let call = ExactCall {
            assembly: &assembly,
            method: walk,
            declaring: &declaring,
            receiver: None,
            is_exact: true,
            owns_receiver: false,
            owned_arguments: 0,
            method_arguments: &[],
            arguments: &[Some(held.clone())],
            held: Held::default(),
            contents: &[Some(Content::Object(0, held.clone()))],
        };
        purity.exact(&call, &mut |_: &Arc<Assembly>, _: MethodId| true)
    };
    judged("System.Collections.Generic.List<int>").unwrap();
    judged("int[]").unwrap();
    let why = judged("System.Linq.Enumerable.ArraySelectIterator<int, int>").unwrap_err();
    assert!(why.0.ends_with("enumerates a sequence whose enumerator may run arbitrary code"), "{why}");
}

#[test]
fn calls_on_objects_of_the_framework_are_judged_by_what_they_hold() {
    let purity = purity_of("Callbacks.dll");
    let call = |receiver: &str, name: &str, arguments: &[&str]| {
        let arguments: Vec<Option<TypeSig>> = arguments.iter().map(|text| names::parse_type(text)).collect();
        purity.call(receiver, name, &arguments).is_some_and(|judged| judged.is_ok())
    };
    for (receiver, name, arguments) in [
        ("System.Collections.Generic.List<string>", "Contains", &["string"][..]),
        ("System.Collections.Generic.List<object>", "get_Item", &["int"]),
        ("System.Collections.Generic.List<Spy>", "get_Count", &[]),
        ("Orders", "get_Count", &[]),
        ("Plain", "Equals", &["Plain"]),
    ] {
        assert!(call(receiver, name, arguments), "{receiver}.{name}");
    }
    for (receiver, name, arguments) in [
        ("System.Collections.Generic.List<object>", "Contains", &["string"][..]),
        ("System.Collections.Generic.List<object>", "IndexOf", &["int"]),
        ("System.Collections.Generic.Dictionary<object, int>", "ContainsKey", &["string"]),
        ("System.Collections.ObjectModel.ReadOnlyCollection<int>", "get_Count", &[]),
        ("System.Collections.ObjectModel.ReadOnlyDictionary<string, int>", "ContainsKey", &["string"]),
        ("double", "ToString", &["SpyFormat"]),
        ("Holder", "Equals", &["Holder"]),
        ("Holder", "GetHashCode", &[]),
        ("Box<object>", "Equals", &["Box<object>"]),
    ] {
        assert!(!call(receiver, name, arguments), "{receiver}.{name}");
    }
    let join = |what: &str| {
        purity.static_call("System.String", "Join", &[names::parse_type("string"), names::parse_type(what)])
    };
    assert!(join("System.Collections.Generic.List<string>").is_some_and(|it| it.is_ok()));
    for refused in ["object[]", "System.Object[]", "SpySequence", "System.Collections.Generic.List<Spy>"] {
        assert!(join(refused).is_some_and(|it| it.is_err()), "{refused}");
    }
}

/// The program of the fixture has a culture of its own, which only texts can ask.
#[test]
fn what_makes_no_text_asks_no_culture() {
    let purity = purity_of("Callbacks.dll");
    let types = |names: &[&str]| names.iter().map(|text| names::parse_type(text)).collect::<Vec<_>>();
    for (type_, name, arguments) in [
        ("System.Math", "Max", &["int", "int"][..]),
        ("System.Decimal", "op_Multiply", &["decimal", "decimal"]),
        ("System.Char", "IsDigit", &["char"]),
    ] {
        let judged = purity.static_call(type_, name, &types(arguments));
        assert!(judged.as_ref().is_some_and(|it| it.is_ok()), "{type_}.{name}: {judged:?}");
    }
    for (receiver, name, arguments) in
        [("string", "get_Chars", &["int"][..]), ("System.TimeSpan", "get_TotalHours", &[])]
    {
        let judged = purity.call(receiver, name, &types(arguments));
        assert!(judged.as_ref().is_some_and(|it| it.is_ok()), "{receiver}.{name}: {judged:?}");
    }
    for (type_, name, arguments) in
        [("System.Int32", "Parse", &["string"][..]), ("System.String", "Format", &["string", "int"])]
    {
        assert!(purity.static_call(type_, name, &types(arguments)).is_none_or(|it| it.is_err()), "{type_}.{name}");
    }
    for (receiver, name) in [("double", "ToString"), ("System.Globalization.CultureInfo", "get_Name")] {
        assert!(purity.call(receiver, name, &[]).is_none_or(|it| it.is_err()), "{receiver}.{name}");
    }
}

#[test]
fn the_order_of_questions_changes_no_answer() {
    let assembly = effects();
    let mut all = methods(&assembly, "Pure");
    all.extend(methods(&assembly, "Impure"));
    let ask = |purity: &Purity, ids: &mut dyn Iterator<Item = MethodId>| {
        let mut verdicts: Vec<(MethodId, bool)> = ids.map(|id| (id, purity.method(&assembly, id).is_ok())).collect();
        verdicts.sort();
        verdicts
    };
    let shared = purity();
    let forth = ask(&shared, &mut all.iter().map(|it| it.1));
    assert_eq!(forth, ask(&shared, &mut all.iter().map(|it| it.1)), "asked again");
    assert_eq!(forth, ask(&purity(), &mut all.iter().rev().map(|it| it.1)), "asked from the end");
}

#[test]
fn the_reason_names_the_effect() {
    let (assembly, purity) = (effects(), purity());
    let why = |name: &str| {
        let all = methods(&assembly, "Impure");
        let id = all.iter().find(|(known, _)| known == name).unwrap().1;
        purity.method(&assembly, id).unwrap_err().to_string()
    };
    for (method, reason) in [
        ("ImpureWorld.get_Count", "ImpureWorld.Count writes the field ImpureWorld._count"),
        (
            "ImpureWorld.Deep",
            "ImpureWorld.Touch calls code that is not known to be pure: File.WriteAllText is not known to be pure",
        ),
        ("ImpureWorld.Static", "ImpureWorld.Static writes the static field ImpureWorld._all"),
        ("ImpureWorld.Element", "ImpureWorld.Element writes an element of an array"),
        ("ImpureWorld.Add", "ImpureWorld.Add calls List.Add, which changes the object it is called on"),
        ("ImpureWorld.getpid", "ImpureWorld.getpid has no IL: it is native or unknown code"),
    ] {
        assert_eq!(why(method), reason);
    }
}

#[test]
fn calls_are_judged_by_the_type_of_the_object() {
    let purity = purity();
    let type_ = |text: &str| names::parse_type(text);
    let call = |receiver: &str, name: &str, arguments: &[&str]| {
        let arguments: Vec<Option<TypeSig>> = arguments.iter().map(|text| type_(text)).collect();
        purity.call(receiver, name, &arguments).is_some_and(|judged| judged.is_ok())
    };
    for (receiver, name, arguments) in [
        ("string", "Trim", &[][..]),
        ("string", "Replace", &["string", "string"]),
        ("System.Collections.Generic.List<int>", "Contains", &["int"]),
        ("System.Collections.Generic.List<Line>", "IndexOf", &["Line"]),
        ("System.Collections.Generic.Dictionary<string, int>", "ContainsKey", &["string"]),
        ("int[]", "GetLength", &["int"]),
        ("decimal", "ToString", &["string"]),
        ("Money", "ToString", &[]),
        ("Line", "ToString", &[]),
        ("Line", "get_Total", &[]),
        ("Square", "Area", &[]),
        ("Square", "GetType", &[]),
        ("PureShop", "get_Item", &["int"]),
    ] {
        assert!(
            call(receiver, name, arguments),
            "{receiver}.{name}: {:?}",
            purity.call(receiver, name, &vec![type_("int"); arguments.len()])
        );
    }
    for (receiver, name, arguments) in [
        ("System.Collections.Generic.List<int>", "Add", &["int"][..]),
        ("System.Collections.Generic.List<ImpureKey>", "Contains", &["ImpureKey"]),
        ("System.Collections.Generic.Dictionary<string, int>", "Remove", &["string"]),
        ("ImpureKey", "ToString", &[]),
        ("ImpureWorld", "Touch", &[]),
        ("ImpureWorld", "NoSuchMethod", &[]),
        ("string", "CopyTo", &["int", "char[]", "int", "int"]),
        ("No.Such.Type", "Call", &[]),
        ("System.Text.StringBuilder", "Append", &["string"]),
    ] {
        assert!(!call(receiver, name, arguments), "{receiver}.{name}");
    }
    assert!(purity.static_call("System.Math", "Max", &[type_("int"), type_("int")]).is_some_and(|it| it.is_ok()));
    assert!(purity.static_call("System.IO.Path", "GetFileName", &[type_("string")]).is_some_and(|it| it.is_ok()));
    assert!(purity.static_call("System.IO.File", "WriteAllText", &[type_("string"), type_("string")]).is_none());
    assert!(purity.static_call("System.Environment", "Exit", &[type_("int")]).is_none());
    assert!(
        purity.static_call("System.String", "Concat", &[None, type_("string")]).is_some_and(|it| it.is_err()),
        "whatever it is"
    );
    let reads = |type_: &str, name: &str| purity.read(type_, name).is_some_and(|judged| judged.is_ok());
    assert!(
        reads("PureShop", "Total") && reads("PureShop", "_lines") && reads("Line", "Name") && reads("string", "Length")
    );
    assert!(
        reads("System.Collections.Generic.List<int>", "Count") && reads("System.InvalidOperationException", "Message")
    );
    assert!(!reads("ImpureWorld", "Count") && !reads("ImpureDerived", "Name") && !reads("Line", "NoSuchThing"));
    assert!(purity.static_read("PureStatics", "Sum").is_some_and(|it| it.is_ok()));
    assert!(purity.static_read("ImpureStart", "Value").is_some_and(|it| it.is_err()), "its initializer writes a file");
    assert!(purity.static_read("Colour", "Red").is_some_and(|it| it.is_ok()));
    assert!(purity.static_read("System.Int32", "MaxValue").is_some_and(|it| it.is_ok()), "a constant");
    assert_eq!(purity.types_named("PureStatics"), ["PureStatics"]);
    assert_eq!(purity.types_named("Math"), ["System.Math"]);
}

/// A stopped program of objects whose fields are given: the first is the one that is asked about.
struct Objects(Vec<Fields>);

/// By their names.
type Fields = Vec<(&'static str, Content)>;

impl Observer for Objects {
    fn has_begun(&mut self, _: &Arc<Assembly>, _: MethodId) -> bool {
        false
    }

    fn field(&mut self, object: usize, declaring: &str, name: &str) -> Option<Content> {
        assert!(["Filling", "Given", "Telling", "NoiseList"].contains(&declaring), "{declaring}");
        let fields = self.0.get(object)?;
        fields.iter().find(|(known, _)| *known == name).map(|(_, content)| content.clone())
    }
}

#[test]
fn what_the_fields_hold_decides_which_way_runs() {
    let (assembly, purity) = (effects(), purity());
    let type_ = assembly.type_(assembly.find_type("Filling").unwrap());
    let sig = names::parse_type("Filling").unwrap();
    let judged = |method: &str, objects: Vec<Fields>| {
        let id = type_.methods().find(|id| assembly.method(*id).name() == method).unwrap();
        let call = ExactCall {
            assembly: &assembly,
            method: id,
            declaring: &sig,
            receiver: Some(&sig),
            is_exact: true,
            owns_receiver: false,
            owned_arguments: 0,
            method_arguments: &[],
            arguments: &[],
            held: Held::default(),
            contents: &[Some(Content::Object(0, sig.clone()))],
        };
        purity.exact(&call, &mut Objects(objects))
    };
    let text = || Content::Object(9, names::parse_type("string").unwrap());
    let object = |number| Content::Object(number, sig.clone());
    let number = Content::Number;
    let filled: Vec<(&str, Vec<Fields>)> = vec![
        ("get_Text", vec![vec![("_text", text())]]),
        ("get_Long", vec![vec![("_text", text())]]),
        ("get_List", vec![vec![("_list", text())]]),
        ("Read", vec![vec![("_isRead", number(1))]]),
        ("Flagged", vec![vec![("_flags", number(5))]]),
        ("Switched", vec![vec![("_flags", number(1))]]),
        ("OfOther", vec![vec![("_other", object(1))], vec![("_text", text())]]),
        ("OfAny", vec![vec![("_any", object(1))], vec![("_text", text())]]),
        ("OfAny", vec![vec![("_any", Content::Null)]]),
        ("get_Full", vec![vec![("_outer", object(1))], vec![("_outer", Content::Null)]]),
    ];
    for (method, objects) in filled {
        judged(method, objects).unwrap_or_else(|why| panic!("{method}: {why}"));
        assert!(judged(method, Vec::new()).is_err(), "{method} where nothing is known");
    }
    let empty: Vec<(&str, Vec<Fields>)> = vec![
        ("get_Text", vec![vec![("_text", Content::Null)]]),
        ("get_Long", vec![vec![("_text", Content::Null)]]),
        ("get_List", vec![vec![("_list", Content::Null)]]),
        ("Read", vec![vec![("_isRead", number(0))]]),
        ("Flagged", vec![vec![("_flags", number(3))]]),
        ("Switched", vec![vec![("_flags", number(0))]]),
        ("OfOther", vec![vec![("_other", object(1))], vec![("_text", Content::Null)]]),
        ("OfAny", vec![vec![("_any", object(1))], vec![("_text", Content::Null)]]),
        // in a circle, which would overflow the stack
        ("get_Full", vec![vec![("_outer", object(1))], vec![("_outer", object(0))]]),
        // what it writes itself holds no longer
        ("Cleared", vec![vec![("_text", text())]]),
        ("Handled", vec![vec![("_text", text())]]),
    ];
    for (method, objects) in empty {
        assert!(judged(method, objects).is_err(), "{method}");
    }
}

#[test]
fn what_is_given_for_an_object_decides_what_runs() {
    let (assembly, purity) = (effects(), purity());
    let type_ = assembly.type_(assembly.find_type("Given").unwrap());
    let sig = names::parse_type("Given").unwrap();
    let judged = |method: &str, given: Content, objects: Vec<Fields>| {
        let id = type_.methods().find(|id| assembly.method(*id).name() == method).unwrap();
        let is_static = assembly.method(id).is_static();
        let call = ExactCall {
            assembly: &assembly,
            method: id,
            declaring: &sig,
            receiver: Some(&sig).filter(|_| !is_static),
            is_exact: true,
            owns_receiver: false,
            owned_arguments: 0,
            method_arguments: &[],
            arguments: &[],
            held: Held::default(),
            contents: &[Some(given)],
        };
        purity.exact(&call, &mut Objects(objects))
    };
    let of = |type_: &str| Content::Object(9, names::parse_type(type_).unwrap());
    for type_ in ["string", "int", "PureSealed", "object"] {
        judged("Text", of(type_), Vec::new()).unwrap_or_else(|why| panic!("{type_}: {why}"));
    }
    judged("Filled", Content::Null, Vec::new()).unwrap();
    assert!(judged("Text", of("Telling"), Vec::new()).is_err());
    for given in [of("int"), of("string"), Content::Number(0), Content::Number(1)] {
        assert!(judged("Filled", given.clone(), Vec::new()).is_err(), "{given:?} is not null");
    }
    let list = TypeSig::Named(TypeName {
        full_name: "System.Collections.Generic.List`1".into(),
        arguments: vec![names::parse_type("Noise").unwrap()],
        ..TypeName::default()
    });
    let over = |type_: &TypeSig| vec![vec![("_raw", Content::Object(1, type_.clone()))]];
    let this = || Content::Object(0, sig.clone());
    for method in ["Count", "CountOfAll"] {
        judged(method, this(), over(&list)).unwrap_or_else(|why| panic!("{why}"));
        assert!(
            judged(method, this(), over(&names::parse_type("NoiseList").unwrap())).is_err(),
            "{method} of the program's"
        );
        assert!(judged(method, this(), Vec::new()).is_err(), "{method} of what nobody knows");
    }
}
