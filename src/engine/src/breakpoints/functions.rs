//! From a function's name to code: `Method`, `Type.Method(int)`, `Shop.dll!Ns.Type.Method`.

use clr_metadata::{MethodId, MethodQuery};

use super::Resolved;
use crate::modules::Module;

/// Where each method that is meant begins.
pub fn resolve(module: &Module, name: &str) -> Option<(Resolved, Vec<(MethodId, u32)>)> {
    let query = MethodQuery::parse(name)?;
    let names_module = name.contains('!');
    // of the framework only what was asked for by its file: to look through all of it takes long
    if !names_module && !module.is_user() {
        return None;
    }
    if names_module {
        let wanted = name.split('!').next().unwrap_or("").trim_end_matches(".dll");
        if !module.path.file_stem().is_some_and(|stem| stem.to_string_lossy().eq_ignore_ascii_case(wanted)) {
            return None;
        }
    }
    let assembly = module.assembly()?;
    let mut resolved = None;
    let mut places = Vec::new();
    for method in assembly.methods_called(&query) {
        let code = assembly.method(method).code_method();
        if assembly.method(code).rva() == 0 {
            continue;
        }
        let first = module.symbols().and_then(|_| assembly.function_entry(method)).map(|entry| entry.point);
        places.push((code, first.as_ref().map_or(0, |point| point.il_offset)));
        let document = first.as_ref().and_then(|point| module.symbols()?.document(point.document));
        if let (Some(point), Some(document)) = (&first, document) {
            resolved.get_or_insert_with(|| Resolved::of(&document.path, point));
        }
    }
    let nowhere = || Resolved { path: String::new(), line: 0, column: 0, end_line: 0, end_column: 0 };
    (!places.is_empty()).then(|| (resolved.unwrap_or_else(nowhere), places))
}
