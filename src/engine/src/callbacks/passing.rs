//! Methods that steps pass over though their module is the user's: by attribute, and by the path of their source.

use clr_metadata::TypeId;

use crate::com::{self, Interface as _};
use crate::modules::Module;
use crate::target::{NotMine, Options};

const NOT_OF_THE_USER: &str = "System.Diagnostics.DebuggerNonUserCodeAttribute";
/// Whoever's code it is.
const STEPPED_OVER: [&str; 2] =
    ["System.Diagnostics.DebuggerStepThroughAttribute", "System.Diagnostics.DebuggerHiddenAttribute"];

/// Tells the runtime of all methods of a module that are marked, or whose source the user has disowned.
pub fn pass_over(module: &Module, Options { just_my_code, not_mine, .. }: &Options) {
    let Some(assembly) = module.assembly() else { return };
    let mut tokens: Vec<u32> = Vec::new();
    for attribute in assembly.metadata().all_attributes() {
        let is_marked = STEPPED_OVER.iter().any(|name| attribute.is(name));
        let is_meant = is_marked || *just_my_code && attribute.is(NOT_OF_THE_USER);
        if !is_meant {
            continue;
        }
        let Ok(owner) = attribute.owner() else { continue };
        match TypeId::from_token(owner) {
            Some(type_) => tokens.extend(assembly.type_(type_).methods().map(|method| method.token().0)),
            None if owner.table() == Some(clr_metadata::Table::MethodDef) => tokens.push(owner.0),
            None => {}
        }
    }
    if *just_my_code && not_mine.names_sources() {
        tokens.extend(of_disowned_sources(module, not_mine));
    }
    tokens.sort_unstable();
    tokens.dedup();
    for &token in &tokens {
        let _: com::Result<i32> =
            module.function(token).and_then(|function| function.cast::<com::Function2>()?.set_my_code(false));
    }
    module.set_passed_over(tokens);
}

fn of_disowned_sources(module: &Module, not_mine: &NotMine) -> Vec<u32> {
    let Some(symbols) = module.symbols() else { return Vec::new() };
    let disowned = symbols.documents().iter().filter(|document| not_mine.has_source(&document.path));
    let methods = disowned.flat_map(|document| {
        let lines = symbols.executable_lines(document.id).iter();
        lines.flat_map(|&line| symbols.line_to_methods(document.id, line))
    });
    methods.map(|(method, _)| method.token().0).collect()
}
