//! What an `async` method keeps while it waits.

use clr_metadata::il::Operand;
use clr_metadata::{Assembly, FieldId, MethodId, VariableKind};

use super::Modules;
use super::flow::Place;
use super::flow::op::{LDFLDA, STFLD};

/// A place in an `async` method from which its invocation goes on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Suspension {
    /// The statement there contains an `await`.
    pub awaits: bool,
    /// It is the last of the method: behind it the invocation has no code.
    pub ends: bool,
    /// Parameters and locals that the statement does not write: they stay until the invocation goes on behind it.
    pub kept: Vec<String>,
    /// Those of them that the method never writes.
    pub fixed: Vec<String>,
}

impl Modules {
    /// Of the statement that begins there. `None`: it is no code of an `async` method, or no symbols are known.
    pub(crate) fn suspension(&self, path: &str, (line, column): Place) -> Option<Suspension> {
        let inner = self.lock();
        let (assembly, document) = inner.find(path)?;
        let pdb = assembly.pdb()?;
        pdb.line_to_methods(document.id, line).into_iter().find_map(|(method, _)| {
            let info = pdb.async_info(method)?;
            let mut points = pdb.sequence_points(method);
            points.retain(|point| !point.is_hidden && point.document == document.id);
            points.sort_by_key(|point| point.il_offset);
            let at = points.iter().position(|point| (point.line, point.column) == (line, column))?;
            let (start, next) = (points.get(at)?.il_offset, points.get(at + 1).map(|point| point.il_offset));
            let end = next.unwrap_or(u32::MAX);
            let awaits = info.awaits.iter().any(|point| (start..end).contains(&point.yield_offset));
            let kept_by = |code| kept(assembly, method, start, &written(assembly, method, code));
            Some(Suspension { awaits, ends: next.is_none(), kept: kept_by(start..end), fixed: kept_by(0..u32::MAX) })
        })
    }
}

/// Fields that the code writes, or hands out to be written, by their raw names.
fn written(assembly: &Assembly, method: MethodId, code: std::ops::Range<u32>) -> Vec<&str> {
    let Some(body) = assembly.method(method).body() else { return Vec::new() };
    let here = body.instructions().map_while(Result::ok).filter(|instruction| code.contains(&instruction.offset));
    let stores = here.filter_map(|instruction| match (instruction.opcode, instruction.operand) {
        (STFLD | LDFLDA, Operand::Token(token)) => assembly.accessed_field(token),
        _ => None,
    });
    stores.collect()
}

/// Variables in scope that are fields of the state machine itself: a closure is shared with other code.
fn kept(assembly: &Assembly, method: MethodId, offset: u32, written: &[&str]) -> Vec<String> {
    let is_kept = |field: FieldId| assembly.accessed_field(field.into()).is_some_and(|name| !written.contains(&name));
    let variables = assembly.variables_at(method, offset).into_iter();
    let own = variables.filter(|variable| {
        variable.kind != VariableKind::This && matches!(variable.place.fields.as_slice(), [field] if is_kept(*field))
    });
    own.map(|variable| variable.name).collect()
}
