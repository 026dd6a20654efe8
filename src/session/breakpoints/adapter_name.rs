//! Methods that an adapter is asked for by name, because the line of their first statement binds other code.
//!
//! Of a line both adapters bind the method that begins furthest left on it, and of that method's statements the one that ends first
//! (netcoredbg, `ResolveBreakPoints` in SymbolReader.cs; dncdbg, pdbreader.cpp). The first statement of `=> value switch { .. }` spans
//! all arms, so that its line binds the first arm.

use clr_metadata::{Assembly, MethodId, SequencePoint};

use super::function_name;
use crate::session::modules::{Surveyed, bound_name};

/// Whether its line binds another statement of the method than `first`.
pub(super) fn binds_elsewhere(assembly: &Assembly, method: MethodId, first: &SequencePoint) -> bool {
    let Some(pdb) = assembly.pdb() else { return false };
    let end = |point: &SequencePoint| (point.end_line, point.end_column);
    let points = pdb.sequence_points(assembly.method(method).code_method());
    let mut visible = points.iter().filter(|point| !point.is_hidden && point.document == first.document);
    visible.any(|point| point.end_line >= first.line && end(point) < end(first))
}

/// The name that the source has for it, with its parameters. Adapters that look it up as the source has it bind it, whatever it was compiled
/// to; the others bind nothing by it.
pub(super) fn in_source(assembly: &Assembly, method: MethodId) -> String {
    function_name::describe(assembly, method) + &assembly.parameter_types(method)
}

/// The name that both adapters bind: the full one, but within a generic type the method's alone. Code of state machines and local
/// functions has the name that it was compiled to.
pub(super) fn of(assembly: &Assembly, method: MethodId, all: &[Surveyed]) -> Option<String> {
    let view = assembly.method(method);
    let name = view.name();
    let code = view.code_method();
    if code != method || name.starts_with('<') {
        return bound_name(all.iter().map(|known| &*known.assembly), assembly, code);
    }
    let owner = view.declaring_type()?;
    let parameters = owner.parameter_names(Some(method)).of_method;
    let name = if parameters.is_empty() { name.to_owned() } else { format!("{name}<{}>", parameters.join(",")) };
    let full_name = owner.full_name();
    // every type has a constructor
    if full_name.contains('`') && name.starts_with('.') {
        return None;
    }
    Some(if full_name.contains('`') { name } else { format!("{}.{name}", full_name.replace('+', ".")) })
}
