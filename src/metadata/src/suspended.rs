//! Variables of async methods and iterators that optimized code keeps in a slot of the frame only. The compiler moves into the state
//! machine what the method uses behind an `await` or a `yield`; what else it has is gone when the method goes on in a new frame.

use std::collections::HashMap;

use super::assembly::Assembly;
use super::il::{Instruction, MethodBody, Operand, RegionKind, op};
use super::names::state_machine_of;
use super::tokens::MethodId;

/// A write reached a place since the frame began.
const WRITTEN: u8 = 1;
/// The method may have been suspended behind a write, without another one since.
const LOST: u8 = 2;

impl Assembly {
    /// Whether a frame of a `MoveNext` may have lost the variable in a slot, if it is not the first frame of its call. Otherwise the slot
    /// has what the source says, or the variable has no value yet.
    pub fn may_be_lost(&self, move_next: MethodId, slot: u16, il_offset: u32) -> bool {
        self.is_lost(move_next, slot, il_offset) == Some(true)
    }

    fn is_lost(&self, move_next: MethodId, slot: u16, il_offset: u32) -> Option<bool> {
        let pdb = self.pdb()?;
        state_machine_of(self.method(move_next).declaring_type()?.name())?;
        let body = self.method(move_next).body()?;
        let instructions: Vec<Instruction<'_>> = body.instructions().map_while(Result::ok).collect();
        let mut resumes = yields(self, &instructions, pdb.async_info(move_next).is_some());
        let awaits = pdb.async_info(move_next).map(|info| info.awaits).unwrap_or_default();
        resumes.extend(awaits.iter().map(|point| (point.yield_offset, point.resume_offset)));
        let mut scopes =
            pdb.scopes(move_next).into_iter().filter(|scope| (scope.start..scope.end).contains(&il_offset));
        let scope = scopes.rfind(|scope| scope.locals.iter().any(|local| local.slot() == Some(slot)))?;
        let flow =
            Flow { body: &body, instructions: &instructions, resumes: &resumes, scope: (scope.start, scope.end) };
        Some(flow.reaching(slot).get(&il_offset)? & LOST != 0)
    }
}

/// Where a machine that yields is left, and where it goes on: what it sets its state to says which. Behind a `yield` stands what
/// follows it in the source.
fn yields(assembly: &Assembly, instructions: &[Instruction<'_>], is_async: bool) -> HashMap<u32, u32> {
    let mut found = HashMap::new();
    let (mut number, mut left) = (None, None);
    for instruction in instructions {
        let is_state = matches!(instruction.operand, Operand::Token(token)
            if instruction.opcode == op::STFLD && assembly.accessed_field(token) == Some("<>1__state"));
        match (is_async, number.filter(|_| is_state)) {
            // those of an async iterator count down behind its first state
            (true, Some(..=-4)) | (false, Some(1..)) => left = Some(instruction.offset),
            (true, Some(-1)) | (false, Some(..=-1)) => found.extend(left.take().map(|left| (left, instruction.offset))),
            _ => {}
        }
        // it may be kept in a local at the same time
        if !matches!(instruction.opcode, op::DUP | op::STLOC_0..=op::STLOC_3 | op::STLOC_S) {
            number = integer(instruction);
        }
    }
    found
}

/// The constant that an instruction loads.
fn integer(instruction: &Instruction<'_>) -> Option<i64> {
    match (instruction.opcode, instruction.operand) {
        (opcode @ op::LDC_I4_M1..=op::LDC_I4_8, _) => Some(i64::from(opcode) - i64::from(op::LDC_I4_0)),
        (op::LDC_I4_S | op::LDC_I4, Operand::Int(number)) => Some(number),
        _ => None,
    }
}

/// The ways through a method, while a variable is in scope.
struct Flow<'a> {
    body: &'a MethodBody<'a>,
    instructions: &'a [Instruction<'a>],
    /// By where the method is left.
    resumes: &'a HashMap<u32, u32>,
    scope: (u32, u32),
}

impl Flow<'_> {
    /// What reaches each instruction.
    fn reaching(&self, slot: u16) -> HashMap<u32, u8> {
        let mut reaching: HashMap<u32, u8> = HashMap::new();
        let mut is_changed = true;
        while is_changed {
            is_changed = false;
            for (at, instruction) in self.instructions.iter().enumerate() {
                if !self.is_in_scope(instruction.offset) {
                    continue;
                }
                let before = reaching.get(&instruction.offset).copied().unwrap_or(0);
                let behind = if writes(instruction, slot) { WRITTEN } else { before };
                let mut reach = |to: u32, what: u8| {
                    if self.is_in_scope(to) {
                        let known = reaching.entry(to).or_insert(0);
                        is_changed |= *known | what != *known;
                        *known |= what;
                    }
                };
                if let Some(&resume) = self.resumes.get(&instruction.offset).filter(|_| behind != 0) {
                    reach(resume, LOST);
                }
                for to in self.handlers(instruction.offset) {
                    reach(to, before | behind);
                }
                for to in self.next(at, instruction) {
                    reach(to, behind);
                }
            }
        }
        reaching
    }

    fn is_in_scope(&self, offset: u32) -> bool {
        (self.scope.0..self.scope.1).contains(&offset)
    }

    /// Where an exception may lead.
    fn handlers(&self, offset: u32) -> Vec<u32> {
        let around = self.body.regions.iter().filter(|region| (region.try_start..region.try_end).contains(&offset));
        let starts = around.flat_map(|region| match region.kind {
            RegionKind::Filter(filter) => [filter, region.handler_start],
            _ => [region.handler_start; 2],
        });
        starts.collect()
    }

    fn next(&self, at: usize, instruction: &Instruction<'_>) -> Vec<u32> {
        const ALWAYS: [u16; 4] = [op::BR_S, op::BR, op::LEAVE_S, op::LEAVE];
        let following = self.instructions.get(at + 1).map(|next| next.offset);
        match (instruction.opcode, instruction.operand) {
            (op::RET | op::JMP | op::THROW | op::RETHROW, _) => Vec::new(),
            (op::END_FILTER, _) => self.behind_filter(instruction.offset),
            (op::END_FINALLY, _) => self.behind_finally(instruction.offset),
            (opcode, Operand::Branch(to)) if ALWAYS.contains(&opcode) => vec![to],
            (_, Operand::Branch(to)) => following.into_iter().chain([to]).collect(),
            (_, Operand::Switch(targets)) => following.into_iter().chain(targets.iter()).collect(),
            _ => following.into_iter().collect(),
        }
    }

    /// The block that a filter lets the exception into.
    fn behind_filter(&self, offset: u32) -> Vec<u32> {
        let own = self.body.regions.iter().filter(|region| match region.kind {
            RegionKind::Filter(filter) => (filter..region.handler_start).contains(&offset),
            _ => false,
        });
        own.map(|region| region.handler_start).collect()
    }

    /// Where those go that leave the `try` of a `finally`.
    fn behind_finally(&self, offset: u32) -> Vec<u32> {
        let own =
            self.body.regions.iter().filter(|region| (region.handler_start..region.handler_end).contains(&offset));
        let Some(own) = own.min_by_key(|region| region.handler_end - region.handler_start) else { return Vec::new() };
        let within = self.instructions.iter().filter(|it| (own.try_start..own.try_end).contains(&it.offset));
        let targets = within.filter_map(|it| match it.operand {
            Operand::Branch(to) if !(own.try_start..own.try_end).contains(&to) => Some(to),
            _ => None,
        });
        targets.collect()
    }
}

/// Whether an instruction gives a slot a value, or hands it to something that may.
fn writes(instruction: &Instruction<'_>, slot: u16) -> bool {
    match (instruction.opcode, instruction.operand) {
        (opcode @ op::STLOC_0..=op::STLOC_3, _) => opcode - op::STLOC_0 == slot,
        (op::STLOC_S | op::STLOC | op::LDLOCA_S | op::LDLOCA, Operand::Variable(number)) => number == slot,
        _ => false,
    }
}
