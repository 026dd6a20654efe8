//! "Capability, then quirk, then default": each that is declared decides something.

use std::collections::BTreeSet;

use crate::syntax::{Parsed, fields_of, fields_read, parsed_below};

fn struct_of(module: &str, name: &str) -> Vec<String> {
    fields_of(&parsed_below(module).remove(0).file, name)
}

fn unread(fields: Vec<String>, of: &[&str], files: &[Parsed]) -> Vec<String> {
    let reads: BTreeSet<String> =
        fields_read(files).into_iter().filter(|(base, _)| of.contains(&base.as_str())).map(|(_, name)| name).collect();
    fields.into_iter().filter(|field| !reads.contains(field)).collect()
}

#[test]
fn every_quirk_decides_something() {
    let files: Vec<Parsed> = ["backend", "session"].into_iter().flat_map(parsed_below).collect();
    let quirks = struct_of("backend/quirks", "Quirks");
    assert!(quirks.len() > 20, "{quirks:?}");
    assert_eq!(unread(quirks, &["quirks"], &files), [""; 0]);
    assert_eq!(unread(struct_of("backend/quirks", "ArgQuirks"), &["quirks"], &files), [""; 0]);
}

/// What the engine announces its other clients read.
#[test]
fn every_capability_is_announced_or_asked_for() {
    let engine = parsed_below("engine/src/dap/capabilities");
    let announced: BTreeSet<String> = {
        struct Set(BTreeSet<String>);
        impl<'a> syn::visit::Visit<'a> for Set {
            fn visit_field_value(&mut self, field: &'a syn::FieldValue) {
                if let syn::Member::Named(name) = &field.member {
                    self.0.insert(name.to_string());
                }
                syn::visit::visit_field_value(self, field);
            }
        }
        let mut set = Set(BTreeSet::new());
        engine.iter().for_each(|it| syn::visit::Visit::visit_file(&mut set, &it.file));
        set.0
    };
    let capabilities = struct_of("dap-wire/src/capabilities", "Capabilities");
    assert!(capabilities.len() > 10, "{capabilities:?}");
    let mut useless = unread(capabilities, &["capabilities"], &parsed_below("session"));
    useless.retain(|field| !announced.contains(field));
    assert_eq!(useless, [""; 0]);
}
