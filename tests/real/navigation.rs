//! Navigation where the framework's own assemblies are needed: members of it that a fixture overrides, implements or calls.

use std::path::{Path, PathBuf};

use clrbridge::code::navigate::{Address, Navigator};
use serde_json::json;

use crate::harness::tests;
use crate::marked::{check, markers};
use crate::needs::{committed, frameworks_of};
use crate::stage::Stage;

tests! {
    members_of_a_framework_are_followed_to_what_overrides_and_implements_them;
    a_framework_s_interface_is_implemented_by_what_a_type_inherits;
    a_call_of_an_override_leads_there_though_the_code_names_what_it_overrides;
    async a_framework_s_member_leads_to_what_implements_it;
}

/// A fixture of two projects, built and committed.
struct Fixture {
    name: &'static str,
    assemblies: [&'static str; 2],
    sources: &'static [&'static str],
}

const USAGES: Fixture = Fixture {
    name: "Usages",
    assemblies: ["Usages.App.dll", "Usages.Core.dll"],
    sources: &[
        "App/Program.cs",
        "Core/Items.cs",
        "App/Checkout.cs",
        "Core/Basket.Events.cs",
        "Core/Basket.cs",
        "Core/Near.cs",
    ],
};

const FEATURES: Fixture = Fixture {
    name: "Features",
    assemblies: ["Features.App.dll", "Features.Lib.dll"],
    sources: &["App/Program.cs", "Lib/Flags.cs", "Lib/Inherited.cs", "Lib/Newer.cs", "Lib/Signs.cs"],
};

impl Fixture {
    fn root(&self) -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(self.name)
    }

    fn navigator(&self) -> Navigator {
        let assemblies = self.assemblies.map(committed);
        let sources = self.sources.iter().map(|name| self.root().join(name)).collect();
        let navigator = Navigator::open(&self.root(), &assemblies, sources, &Default::default()).unwrap();
        navigator.on(frameworks_of(&assemblies[0]))
    }
}

fn members_of_a_framework_are_followed_to_what_overrides_and_implements_them() {
    let expected = markers(&USAGES.root(), USAGES.sources, "BASE");
    assert!(expected.len() > 5, "{} symbols", expected.len());
    check(&USAGES.navigator(), &expected);
}

fn a_framework_s_interface_is_implemented_by_what_a_type_inherits() {
    let expected = markers(&FEATURES.root(), FEATURES.sources, "BASE");
    assert_eq!(expected.len(), 1);
    check(&FEATURES.navigator(), &expected);
}

fn a_call_of_an_override_leads_there_though_the_code_names_what_it_overrides() {
    let navigator = USAGES.navigator();
    let file = "App/Checkout.cs";
    let text = std::fs::read_to_string(USAGES.root().join(file)).unwrap();
    for (call, name, symbol) in [
        ("tally.Write(", "Write", "Till.Tally.Write(byte[], int, int)"),
        ("tally.ToString()", "ToString", "Till.Tally.ToString()"),
        ("money.ToString()", "ToString", "Shop.Money.ToString()"),
        ("log.Write(", "Write", "System.IO.Stream.Write(byte[], int, int)"),
    ] {
        let (at, line) = text.lines().enumerate().find(|(_, line)| line.contains(call)).unwrap();
        let column = line.find(call).unwrap() + call.find(name).unwrap() + 1;
        let address = Address::Position { file: file.to_owned(), line: at as u32 + 1, column: column as u32 };
        let found = navigator.definition(&address, 5).unwrap();
        let names: Vec<&str> = found.definitions.iter().map(|it| it.symbol.as_str()).collect();
        assert_eq!(names, [symbol], "{call}");
    }
}

async fn a_framework_s_member_leads_to_what_implements_it() {
    let stage = Stage::of_usages_loaded().await;
    frameworks_of(&stage.root.join("App/bin/Debug/net10.0/Usages.App.dll"));
    let question = json!({"name": "System.IDisposable.Dispose", "kind": "implements"});
    let (text, found) = stage.ask("code_find_usages", question).await;
    assert_eq!(found["files"][0]["usages"][0]["in"], "Basket.Dispose", "{text}");
    assert_eq!(found["count"], 1, "{text}");
}
