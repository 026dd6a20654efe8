//! IL as text: the whole of some methods, and what must hold for every method of every committed assembly.

use clr_metadata::{Assembly, MethodId, MethodQuery, Table};

use super::{data, fixture};

fn text(assembly: &Assembly, name: &str) -> String {
    let [method] = assembly.methods_called(&MethodQuery::parse(name).unwrap())[..] else { panic!("one {name}") };
    let code = assembly.method(assembly.method(method).code_method()).disassembly().unwrap().unwrap();
    let lines = code.lines.into_iter().map(|line| line.text);
    format!("locals {}\n{}", code.locals.join(", "), lines.collect::<Vec<_>>().join("\n"))
}

#[test]
fn names_stand_for_tokens_and_labels_for_targets() {
    insta::assert_snapshot!(text(&fixture("Basics"), "Order.Bump"));
    insta::assert_snapshot!(text(&fixture("Basics"), "Program.Main"));
}

#[test]
fn handlers_say_what_they_protect() {
    let text = text(&fixture("AsyncFlow"), "Program.Main");
    let handlers: Vec<&str> = text.lines().filter(|line| line.starts_with("try ")).collect();
    assert_eq!(
        handlers,
        ["try IL_021f..IL_02d6 catch object", "try IL_03a7..IL_03e6 finally", "try IL_0007..IL_0521 catch Exception",]
    );
    let generic = "callvirt TaskAwaiter<int> Task<int>.GetAwaiter()";
    assert!(text.contains(generic), "the call's own types");
}

#[test]
fn every_instruction_has_a_mnemonic_and_every_token_a_name() {
    let mut seen = 0;
    for entry in std::fs::read_dir(data("")).unwrap() {
        let path = entry.unwrap().path();
        let Ok(assembly) = Assembly::open(&path) else { continue };
        for row in assembly.metadata().rows(Table::MethodDef) {
            let Some(code) = assembly.method(MethodId(row)).disassembly().unwrap() else { continue };
            for line in code.lines {
                let nameless = line.text.contains(":  ") || line.text.contains(" 0x");
                assert!(!nameless, "{} row {row}: {}", path.display(), line.text);
                seen += 1;
            }
        }
    }
    assert!(seen > 5_000, "only {seen} lines");
}
