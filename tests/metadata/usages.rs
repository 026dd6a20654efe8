//! What instructions name, over two assemblies of one fixture (`tests/fixtures/Usages`) and the framework.

use clr_metadata::{Access, AddressUse, Assembly, Dispatch, MemberName, Names, SymbolName, TypeKey};

use super::fixture;
use crate::il_names::{decoded, method, type_key};

fn field(home: &Assembly, type_: &str, name: &str) -> SymbolName {
    SymbolName { type_: type_key(home, type_), member: Some(MemberName::Field(name.to_owned())) }
}

/// `Method access` of every use, in file order.
fn usages(assembly: &Assembly, wanted: SymbolName) -> Vec<(String, Access)> {
    let wanted = [wanted];
    let mut found = Vec::new();
    assembly.each_usage(&Names::of(assembly, &wanted), |usage| {
        found.push((assembly.method(usage.method).name().to_owned(), usage.access));
    });
    found
}

#[test]
fn a_fields_uses_say_what_is_done_with_it() {
    let core = fixture("Usages.Core");
    let uses = |type_, name| usages(&core, field(&core, type_, name));
    let own = |name: &str, access| (name.to_owned(), access);
    assert_eq!(
        uses("Shop.Item", "_count"),
        [
            own(".ctor", Access::Write),
            own("Take", Access::Read),
            own("Take", Access::Write),
            own("Move", Access::Address(AddressUse::Argument)),
            own("Move", Access::Address(AddressUse::In)),
        ]
    );
    let x = uses("Shop.Point", "X");
    assert!(x.contains(&own("Move", Access::Address(AddressUse::Compound))), "{x:?}");
    assert!(x.contains(&own(".ctor", Access::Write)), "{x:?}");
    assert!(uses("Shop.Item", "_corner").iter().all(|it| it.1 == Access::Address(AddressUse::Read)));
    assert!(uses("Shop.Item", "Made").contains(&own("Move", Access::Address(AddressUse::Out))));
}

#[test]
fn a_call_says_on_what_object_it_is_made() {
    let (core, app) = (fixture("Usages.Core"), fixture("Usages.App"));
    let dispatches = |assembly: &Assembly, wanted: SymbolName| {
        let wanted = [wanted];
        let mut found = Vec::new();
        assembly.each_usage(&Names::of(assembly, &wanted), |usage| {
            let dispatch = assembly.dispatches(usage.method, &[usage.il_offset]).remove(0);
            let of = |kind, type_: clr_metadata::TypeSig| format!("{kind} {}", type_.short());
            found.push(match dispatch {
                Dispatch::Exact => "exact".to_owned(),
                Dispatch::Virtual(type_) => type_.map_or("unknown".to_owned(), |type_| of("virtual", type_)),
                Dispatch::Constrained(type_) => of("constrained", type_),
            });
        });
        found
    };
    // `item.Take(2)` on a local that became a field, `base.Take(count)`, and `item.Take(1)` on a field of the iterator.
    assert_eq!(dispatches(&app, method(&core, "Shop.Item", "Take", 1)), ["virtual Item", "virtual Item"]);
    assert_eq!(dispatches(&core, method(&core, "Shop.Item", "Take", 1)), ["exact"]);
    let mut name = method(&core, "Shop.Money", "ToString", 0);
    name.type_ = TypeKey { full_name: "System.Object".to_owned(), ..name.type_ };
    assert_eq!(
        dispatches(&app, name),
        ["constrained Basket.Line", "constrained Money", "virtual Tally", "virtual object"]
    );
}

#[test]
fn references_of_another_assembly_lead_to_the_definition_meant() {
    let (core, app) = (fixture("Usages.Core"), fixture("Usages.App"));
    let calls = |name, parameters| usages(&app, method(&core, "Shop.Box`1", name, parameters)).len();
    // `BookBox` overrides one overload; strings and books are two instances of the other.
    assert_eq!((calls("Add", 1), calls("Add", 2), calls("Map", 1)), (2, 1, 1));
    assert_eq!(usages(&app, method(&core, "Shop.Book", ".ctor", 1)).len(), 2);
    let point = usages(&app, method(&core, "Shop.Point", ".ctor", 1));
    assert!(point.iter().all(|it| it.1 == Access::New) && point.len() == 1, "{point:?}");
    let book = SymbolName { type_: type_key(&core, "Shop.Book"), member: None };
    assert_eq!(usages(&app, book), [("MoveNext".to_owned(), Access::Token)]);
    assert_eq!(usages(&app, field(&core, "Shop.Item", "_count")), []);
}

#[test]
fn a_type_of_the_same_name_elsewhere_is_another_type() {
    let (core, app) = (fixture("Usages.Core"), fixture("Usages.App"));
    let key = |homonyms: &[&str]| TypeKey {
        assembly: "System.Private.CoreLib".to_owned(),
        full_name: "Shop.Item".to_owned(),
        homonyms: homonyms.iter().map(|name| (*name).to_owned()).collect(),
    };
    let made = |key| SymbolName { type_: key, member: Some(MemberName::Field("Made".to_owned())) };
    // Whether `Usages.Core` forwards or defines it is for the caller to know.
    assert!(!usages(&app, made(key(&[]))).is_empty());
    assert_eq!(usages(&app, made(key(&["Usages.Core"]))), []);
    assert_eq!(usages(&core, made(key(&[]))), []);
}

#[test]
fn bodies_that_are_passed_over_hold_no_use() {
    let (core, app) = (fixture("Usages.Core"), fixture("Usages.App"));
    let mut found = 0;
    for type_ in core.types() {
        let whole = SymbolName { type_: type_key(&core, &type_.full_name()), member: None };
        let members = type_.methods().map(|id| {
            let method = core.method(id);
            let member = MemberName::Method(method.name().to_owned(), method.signature().unwrap());
            SymbolName { member: Some(member), ..whole.clone() }
        });
        for wanted in members.chain([whole.clone()]).map(|name| [name]) {
            for assembly in [&core, &app] {
                let uses = usages(assembly, wanted[0].clone()).len();
                assert_eq!(uses, decoded(assembly, &Names::of(assembly, &wanted)), "{wanted:?}");
                found += uses;
            }
        }
    }
    assert!(found > 50, "{found}");
}
