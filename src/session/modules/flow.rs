//! What a method's code shows about its execution: which locals have no value yet, and whether one place follows another in one call.

use std::ops::Range;

use clr_metadata::il::{Operand, Region, RegionKind};
use clr_metadata::names::{FieldOrigin, field_origin};
use clr_metadata::{Assembly, Callee, DocumentId, LocalPlace, MethodId, SequencePoint};

use super::Modules;

/// Opcodes (ECMA-335 III) that write a local, or hand out its address to be written.
pub(super) mod op {
    pub const STLOC_0: u16 = 0x0a;
    pub const STLOC_3: u16 = 0x0d;
    pub const LDLOCA_S: u16 = 0x12;
    pub const STLOC_S: u16 = 0x13;
    pub const LDLOCA: u16 = 0xfe0d;
    pub const STLOC: u16 = 0xfe0e;
    pub const LDFLDA: u16 = 0x7c;
    pub const STFLD: u16 = 0x7d;
    /// call, callvirt, newobj.
    pub const CALLS: [u16; 3] = [0x28, 0x6f, 0x73];
    pub const CALLI: u16 = 0x29;
}

/// A method's code as far as it matters here. Offsets are IL offsets.
#[derive(Debug, Default)]
pub(super) struct Flow {
    /// What writes a local, or hands it out to be written, and where.
    stores: Vec<(LocalPlace, u32)>,
    /// First and last offset.
    loops: Vec<(u32, u32)>,
}

impl Flow {
    fn of(assembly: &Assembly, method: MethodId) -> Option<Self> {
        let mut flow = Self::default();
        for instruction in assembly.method(method).body()?.instructions() {
            let instruction = instruction.ok()?;
            let at = instruction.offset;
            match (instruction.opcode, instruction.operand) {
                (opcode @ op::STLOC_0..=op::STLOC_3, _) => {
                    flow.stores.push((LocalPlace::Slot(opcode - op::STLOC_0), at));
                }
                (op::STLOC_S | op::STLOC | op::LDLOCA_S | op::LDLOCA, Operand::Variable(slot)) => {
                    flow.stores.push((LocalPlace::Slot(slot), at));
                }
                (op::STFLD | op::LDFLDA, Operand::Token(token)) => {
                    let name = assembly.accessed_field(token).filter(|name| name.starts_with('<'));
                    flow.stores.extend(name.map(|name| (LocalPlace::Field(name.to_owned()), at)));
                }
                (_, Operand::Branch(target)) if target <= at => flow.loops.push((target, at)),
                _ => {}
            }
        }
        Some(flow)
    }

    /// Whether a local whose scope begins at `scope` may have been written when the code at `offset` is reached.
    fn is_written(&self, local: &LocalPlace, scope: u32, offset: u32) -> bool {
        self.stores.iter().filter(|(written, _)| written == local).any(|(_, store)| {
            // a variable of a loop's body is a new one in each round
            let comes_round = |&(first, last): &(u32, u32)| {
                (first..=last).contains(&offset) && (first..=last).contains(store) && scope < first
            };
            *store < offset || self.loops.iter().any(comes_round)
        })
    }

    /// Whether the code at `to` may run after that at `from` in one call.
    pub(super) fn leads(&self, from: u32, to: u32) -> bool {
        from < to
            || self.loops.iter().any(|(first, last)| (first..=last).contains(&&from) && (first..=last).contains(&&to))
    }
}

/// A place in source: line and column, from 1.
pub(crate) type Place = (u32, u32);

impl Modules {
    /// Locals in scope at the statement that begins there that no code has written yet.
    pub(crate) fn unassigned(&self, path: &str, place: Place) -> Vec<String> {
        self.with_statement(path, place, |assembly, method, offset, flow| {
            let mut locals = slots(assembly, method, offset);
            locals.extend(hoisted(assembly, method, offset));
            let (written, open): (Vec<_>, Vec<_>) =
                locals.into_iter().partition(|local| flow.is_written(&local.place, local.scope, offset));
            let names = open.into_iter().map(|local| local.name);
            // of two locals of one name the adapter shows one, and nobody knows which
            Some(names.filter(|name| written.iter().all(|other| other.name != *name)).collect())
        })
        .unwrap_or_default()
    }

    /// The variable of the `catch` clause that begins there.
    pub(crate) fn caught(&self, path: &str, place: Place) -> Option<String> {
        self.with_statement(path, place, |assembly, method, offset, _| {
            let caught = LocalPlace::caught_at(assembly, (method, offset))?;
            let mut locals = slots(assembly, method, offset).into_iter().chain(hoisted(assembly, method, offset));
            locals.find(|local| local.place == caught).map(|local| local.name)
        })
    }

    /// Names that mean one local at the statement that begins at the first place, and another one at the second.
    pub(crate) fn redeclared(&self, path: &str, from: Place, to: Place) -> Vec<String> {
        let named = |place: Place| {
            let all = self.with_statement(path, place, |assembly, method, offset, _| {
                let mut locals = slots(assembly, method, offset);
                locals.extend(hoisted(assembly, method, offset));
                Some(locals)
            });
            all.unwrap_or_default()
        };
        let (before, now) = (named(from), named(to));
        let is_other = |local: &Local| {
            let mut of_name = before.iter().filter(|other| other.name == local.name).peekable();
            of_name.peek().is_some() && of_name.all(|other| (&other.place, other.scope) != (&local.place, local.scope))
        };
        now.into_iter().filter(is_other).map(|local| local.name).collect()
    }

    /// Whether this is the last statement of its method: what an `async` one calls from there goes on with those who await it.
    pub(crate) fn is_end(&self, path: &str, place: Place) -> bool {
        let at_end = self.with_statement(path, place, |assembly, method, offset, _| {
            let points = assembly.pdb()?.sequence_points(method);
            let last = points.iter().filter(|point| !point.is_hidden).map(|point| point.il_offset).max();
            Some(last == Some(offset))
        });
        at_end.unwrap_or(false)
    }

    /// Whether the first line lies in a handler of what the second, in the same method, may have thrown. Lines, as the column of
    /// a frame that has thrown differs by adapter. `None`: no symbols are known.
    pub(crate) fn handles(&self, path: &str, line: u32, thrower: u32) -> Option<bool> {
        let inner = self.lock();
        let (assembly, document) = inner.find(path)?;
        let pdb = assembly.pdb()?;
        let handles = pdb.line_to_methods(document.id, line).into_iter().any(|(method, _)| {
            let points = pdb.sequence_points(method);
            let at = |line: u32| {
                let here = points.iter().filter(move |point| !point.is_hidden && point.document == document.id);
                here.filter(move |point| point.line == line).map(|point| point.il_offset)
            };
            let regions = assembly.method(method).body().map(|body| body.regions).unwrap_or_default();
            regions.iter().any(|region| {
                matches!(region.kind, RegionKind::Catch(_) | RegionKind::Filter(_))
                    && at(line).any(|offset| (region.handler_start..region.handler_end).contains(&offset))
                    && at(thrower).any(|offset| (region.try_start..region.try_end).contains(&offset))
            })
        });
        Some(handles)
    }

    /// The lines of the `try` block whose handler a place lies in, of the innermost one.
    pub(crate) fn tried_at(&self, path: &str, (line, column): Place) -> Option<Vec<u32>> {
        let inner = self.lock();
        let (assembly, document) = inner.find(path)?;
        let pdb = assembly.pdb()?;
        pdb.line_to_methods(document.id, line).into_iter().find_map(|(method, _)| {
            let points = pdb.sequence_points(method);
            let visible = || points.iter().filter(|point| !point.is_hidden && point.document == document.id);
            let here = || visible().filter(|point| point.line == line);
            let regions = assembly.method(method).body()?.regions;
            let catches = |kind| matches!(kind, RegionKind::Catch(_) | RegionKind::Filter(_));
            let holds = |region: &&Region| {
                let is_inside = |offset| (region.handler_start..region.handler_end).contains(&offset);
                let is_at = |point: &&SequencePoint| is_inside(point.il_offset) && point.column == column;
                catches(region.kind)
                    && (here().all(|point| is_inside(point.il_offset)) || here().any(|point| is_at(&point)))
            };
            let innermost =
                regions.iter().filter(holds).min_by_key(|region| region.handler_end - region.handler_start)?;
            let tried = innermost.try_start..innermost.try_end;
            Some(visible().filter(|point| tried.contains(&point.il_offset)).map(|point| point.line).collect())
        })
    }

    /// Whether a place lies in a `catch`, `when` or `finally` block.
    pub(crate) fn is_in_handler(&self, path: &str, place: Place) -> bool {
        self.is_in_region(path, place, |region| match region.kind {
            RegionKind::Filter(start) => start..region.handler_end,
            _ => region.handler_start..region.handler_end,
        })
    }

    /// Whether a place lies in the `when` of a `catch`, which runs before the exception is caught.
    pub(crate) fn is_in_filter(&self, path: &str, place: Place) -> bool {
        self.is_in_region(path, place, |region| match region.kind {
            RegionKind::Filter(start) => start..region.handler_start,
            _ => 0..0,
        })
    }

    /// Whether a place is the last one before a `when`: adapters name it where the filter begins, which is no statement.
    pub(crate) fn is_before_filter(&self, path: &str, (line, column): Place) -> bool {
        let inner = self.lock();
        let Some((assembly, document)) = inner.find(path) else { return false };
        let Some(pdb) = assembly.pdb() else { return false };
        pdb.line_to_methods(document.id, line).into_iter().any(|(method, _)| {
            let mut points = pdb.sequence_points(method);
            points.retain(|point| !point.is_hidden);
            let regions = assembly.method(method).body().map(|body| body.regions).unwrap_or_default();
            let filters = regions.iter().filter_map(|region| match region.kind {
                RegionKind::Filter(start) => Some(start),
                _ => None,
            });
            let mut before = filters.filter_map(|start| points.iter().rfind(|point| point.il_offset <= start));
            before.any(|point| (point.line, point.column) == (line, column))
        })
    }

    /// Whether the statement that begins there lies in what `part` is of a protected region.
    fn is_in_region(&self, path: &str, (line, column): Place, part: fn(&Region) -> Range<u32>) -> bool {
        let inner = self.lock();
        let Some((assembly, document)) = inner.find(path) else { return false };
        let Some(pdb) = assembly.pdb() else { return false };
        pdb.line_to_methods(document.id, line).into_iter().any(|(method, _)| {
            let points = pdb.sequence_points(method);
            let here = points.iter().find(|point| !point.is_hidden && (point.line, point.column) == (line, column));
            let regions = assembly.method(method).body().map(|body| body.regions).unwrap_or_default();
            here.is_some_and(|here| regions.iter().any(|region| part(region).contains(&here.il_offset)))
        })
    }

    /// Whether a call that was at `from` may be at `to` later; a step may end twice in one statement, unless it ends the method.
    /// `true` where nothing is known.
    pub(crate) fn may_lead(&self, path: &str, from: Place, to: Place) -> bool {
        if from == to && !self.is_end(path, from) {
            return true;
        }
        let leads = self.with_statement(path, from, |assembly, method, offset, flow| {
            let points = assembly.pdb()?.sequence_points(method);
            let there = points.iter().find(|point| !point.is_hidden && (point.line, point.column) == to)?;
            Some(flow.leads(offset, there.il_offset))
        });
        leads.unwrap_or(true)
    }

    /// `Type.Method` of what the statement that begins there calls in modules without symbols, in the order of the calls.
    pub(crate) fn calls_without_symbols(&self, path: &str, place: Place) -> Vec<String> {
        let (with_symbols, universe): (Vec<String>, _) = {
            let inner = self.lock();
            let known = inner.loaded.iter().filter(|module| module.symbols);
            let names = known.filter_map(|module| Some(module.path.file_stem()?.to_string_lossy().into_owned()));
            (names.collect(), inner.universe.clone())
        };
        let mut found: Vec<Callee> = Vec::new();
        self.with_statement(path, place, |assembly, method, offset, _| {
            let points = assembly.pdb()?.sequence_points(method);
            let end = points.iter().map(|point| point.il_offset).find(|next| *next > offset).unwrap_or(u32::MAX);
            for instruction in assembly.method(method).body()?.instructions().map_while(Result::ok) {
                let is_here = (offset..end).contains(&instruction.offset);
                let (true, true, Operand::Token(token)) =
                    (is_here, op::CALLS.contains(&instruction.opcode), instruction.operand)
                else {
                    continue;
                };
                let named = assembly.callee(token).filter(|called| !with_symbols.contains(&called.assembly));
                found.extend(named.filter(|called| !called.is_plumbing()));
            }
            Some(())
        });
        // what implements an interface is in any module
        let is_interface = |called: &Callee| {
            let type_ = universe.find_type(&called.type_name);
            type_.is_some_and(|(assembly, id)| assembly.type_(id).is_interface())
        };
        let mut names: Vec<String> =
            found.iter().filter(|called| !is_interface(called)).map(Callee::short_name).collect();
        names.dedup();
        names
    }

    /// Only for code as it was written: optimized code shares and moves locals.
    pub(super) fn with_statement<T>(
        &self,
        path: &str,
        (line, column): Place,
        ask: impl FnOnce(&Assembly, MethodId, u32, &Flow) -> Option<T>,
    ) -> Option<T> {
        let inner = self.lock();
        let (assembly, document) = inner.find(path)?;
        let pdb = assembly.pdb().filter(|_| assembly.is_debug_build())?;
        let is_there = |document: DocumentId, method: MethodId| {
            let points = pdb.sequence_points(method).into_iter();
            let mut here = points.filter(|point| !point.is_hidden && point.document == document);
            here.find(|point| (point.line, point.column) == (line, column)).map(|point| (method, point.il_offset))
        };
        let methods = pdb.line_to_methods(document.id, line);
        let (method, offset) = methods.into_iter().find_map(|(method, _)| is_there(document.id, method))?;
        ask(assembly, method, offset, &Flow::of(assembly, method)?)
    }
}

/// A local in scope.
struct Local {
    name: String,
    place: LocalPlace,
    /// IL offset at which its scope begins.
    scope: u32,
}

fn slots(assembly: &Assembly, method: MethodId, offset: u32) -> Vec<Local> {
    let scopes = assembly.pdb().map(|pdb| pdb.scopes(method)).unwrap_or_default();
    let here = scopes.into_iter().filter(|scope| (scope.start..scope.end).contains(&offset));
    let locals = here.flat_map(|scope| scope.locals.into_iter().map(move |local| (scope.start, local)));
    let placed = locals.filter_map(|(scope, local)| Some((local.slot()?, scope, local.name)));
    placed.map(|(slot, scope, name)| Local { name, place: LocalPlace::Slot(slot), scope }).collect()
}

/// Locals of an async method or iterator that are fields of its state machine (`<name>5__1`).
fn hoisted(assembly: &Assembly, move_next: MethodId, offset: u32) -> Vec<Local> {
    let Some(pdb) = assembly.pdb().filter(|_| assembly.kickoff_of(move_next).is_some()) else { return Vec::new() };
    let machine = assembly.method(move_next).declaring_type();
    let fields = machine.map(|machine| machine.fields()).unwrap_or_default().into_iter();
    let local = |raw: String| match field_origin(&raw) {
        FieldOrigin::HoistedLocal { name, slot } => {
            let (start, end) = pdb.hoisted_scope(move_next, slot)?;
            let name = name.to_owned();
            (start..end).contains(&offset).then_some(Local { name, place: LocalPlace::Field(raw), scope: start })
        }
        _ => None,
    };
    fields.filter_map(|field| local(field.name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_local_is_written_by_code_before_or_by_an_earlier_round() {
        // slot 0 at 10 before the loop 20..=90, slot 1 at 60 and declared outside, slot 2 at 60 and declared in the body
        let at = |slot, offset| (LocalPlace::Slot(slot), offset);
        let flow = Flow { stores: vec![at(0, 10), at(1, 60), at(2, 60)], loops: vec![(20, 90)] };
        for (slot, scope, offset, expected) in [
            (0, 0, 10, false),
            (0, 0, 11, true),
            (1, 0, 15, false),
            (1, 0, 30, true),
            (2, 20, 30, false),
            (2, 20, 70, true),
            (3, 0, 95, false),
        ] {
            assert_eq!(flow.is_written(&LocalPlace::Slot(slot), scope, offset), expected, "slot {slot} at {offset}");
        }
    }

    #[test]
    fn a_place_leads_to_later_ones_and_round_a_loop() {
        let flow = Flow { stores: vec![], loops: vec![(20, 90)] };
        for (from, to, expected) in [(5, 6, true), (6, 5, false), (30, 30, true), (80, 30, true), (95, 30, false)] {
            assert_eq!(flow.leads(from, to), expected, "{from} to {to}");
        }
    }
}
