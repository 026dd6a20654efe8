//! Variables of a `catch` with a filter in an async method or an iterator. The compiler moves what stands in a `catch` block with an `await`
//! behind all blocks, and declares what the filter has in front of the `try`: by the symbols' scopes the variables of each such clause
//! are there in all of them.

use super::assembly::Assembly;
use super::il::{Instruction, MethodBody, Operand, Region, RegionKind, op};
use super::pdb::{LocalPlace, SequencePoint};
use super::tokens::MethodId;

/// A place in the source: line and column.
type Position = (u32, u32);

impl Assembly {
    /// Whether a variable belongs to a `catch` clause with a filter, and code at an IL offset to another one, or to none.
    pub(crate) fn is_of_other_clause(&self, method: MethodId, variable: &LocalPlace, il_offset: u32) -> bool {
        self.other_clause(method, variable, il_offset) == Some(true)
    }

    fn other_clause(&self, method: MethodId, variable: &LocalPlace, il_offset: u32) -> Option<bool> {
        let body = self.method(method).body()?;
        let filters = body.regions.iter().filter(|region| matches!(region.kind, RegionKind::Filter(_)));
        let filters: Vec<&Region> = filters.collect();
        if filters.is_empty() || self.pdb()?.kickoff_of(method).is_none() {
            return None;
        }
        let stores = self.stores(&body, variable);
        let own = filters.into_iter().find(|region| stores.iter().any(|&store| is_in_filter(region, store)))?;
        let points = self.pdb()?.sequence_points(method);
        let clauses: Vec<Position> = body
            .regions
            .iter()
            .filter(|region| (region.try_start, region.try_end) == (own.try_start, own.try_end))
            .filter_map(|region| clause(region, &points))
            .collect();
        let start = clause(own, &points)?;
        let next = clauses.into_iter().filter(|clause| *clause > start).min();
        let is_own = |offset: u32| {
            is_in_filter(own, offset)
                || position(&points, offset).is_some_and(|at| at >= start && next.is_none_or(|next| at < next))
        };
        // what is declared before the `try` is stored to elsewhere; machines forget objects at the end, which is no line's code
        let is_written =
            |store: &u32| !points.iter().rfind(|point| point.il_offset <= *store).is_some_and(|it| it.is_hidden);
        Some(stores.into_iter().filter(is_written).all(is_own) && !is_own(il_offset))
    }

    fn stores(&self, body: &MethodBody<'_>, variable: &LocalPlace) -> Vec<u32> {
        let is_store = |it: &Instruction<'_>| match (variable, it.opcode, it.operand) {
            (LocalPlace::Slot(slot), opcode @ op::STLOC_0..=op::STLOC_3, _) => opcode - op::STLOC_0 == *slot,
            (
                LocalPlace::Slot(slot),
                op::STLOC_S | op::STLOC | op::LDLOCA_S | op::LDLOCA,
                Operand::Variable(number),
            ) => number == *slot,
            (LocalPlace::Field(name), op::STFLD | op::LDFLDA, Operand::Token(token)) => {
                self.accessed_field(token) == Some(name)
            }
            _ => false,
        };
        body.instructions().map_while(Result::ok).filter(is_store).map(|store| store.offset).collect()
    }
}

fn is_in_filter(region: &Region, offset: u32) -> bool {
    matches!(region.kind, RegionKind::Filter(filter) if (filter..region.handler_start).contains(&offset))
}

/// Where a clause begins in the source: at its `catch` or `when`.
fn clause(region: &Region, points: &[SequencePoint]) -> Option<Position> {
    let start = match region.kind {
        RegionKind::Filter(filter) => filter,
        RegionKind::Catch(_) => region.handler_start,
        _ => return None,
    };
    let point =
        points.iter().find(|point| !point.is_hidden && (start..region.handler_end).contains(&point.il_offset))?;
    Some((point.line, point.column))
}

fn position(points: &[SequencePoint], offset: u32) -> Option<Position> {
    let point = points.iter().rfind(|point| !point.is_hidden && point.il_offset <= offset)?;
    Some((point.line, point.column))
}
