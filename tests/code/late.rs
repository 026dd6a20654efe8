//! Uses through `dynamic`, which no instruction names: over `tests/fixtures/Late`, built in Debug with
//! `-p:PathMap=<folder of the fixtures>=/src/fixtures` and committed under `tests/data/assemblies`.

use std::path::PathBuf;
use std::sync::Arc;

use clrbridge::code::navigate::{Address, Navigator};

#[test]
fn what_is_used_by_its_name_through_dynamic_is_said_beside_what_the_compiler_bound() {
    let manifest = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let root = manifest.join("tests/fixtures/Late");
    let assembly = manifest.join("tests/data/assemblies/Late.dll");
    let navigator = Navigator::open(&root, &[assembly], vec![root.join("Late.cs")], &Arc::default()).unwrap();
    for (name, bound, through_dynamic) in [
        ("Order.Save", 1, &["Late.cs:19", "Late.cs:20"][..]),
        ("Order.Name", 1, &["Late.cs:22", "Late.cs:24"]),
        ("Order.Total", 1, &["Late.cs:23"]),
        // a text of that name is none
        ("Order.Print", 1, &[]),
        ("Shop.Keep", 1, &[]),
    ] {
        let found = navigator.usages(&Address::Name(name.to_owned()), None).unwrap();
        assert_eq!(found.through_dynamic, through_dynamic, "{name}");
        assert_eq!(found.count(), bound, "{name}: {found:?}");
    }
}
