//! Method bodies (ECMA-335 II.25.4) and a walk over their instructions (III).

use super::bytes::Reader;
use super::error::Flaw;
use super::tokens::Token;

/// A method body: its code, and what the header and the sections behind it say.
#[derive(Debug, Clone)]
pub struct MethodBody<'a> {
    pub code: &'a [u8],
    /// File offset of the first instruction.
    pub offset: usize,
    pub max_stack: u16,
    /// A StandAloneSig token, or nil: the types of the locals.
    pub local_signature: Token,
    pub init_locals: bool,
    pub regions: Vec<Region>,
}

/// One protected region. Offsets are IL offsets, `end` behind the last byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Region {
    pub kind: RegionKind,
    pub try_start: u32,
    pub try_end: u32,
    pub handler_start: u32,
    pub handler_end: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RegionKind {
    /// The token of the caught type.
    Catch(Token),
    /// IL offset of the filter code.
    Filter(u32),
    Finally,
    Fault,
}

impl<'a> MethodBody<'a> {
    /// Only the code of a body and its file offset, for a look at its bytes.
    pub(super) fn code_at(mut reader: Reader<'a>) -> Result<(usize, &'a [u8]), Flaw> {
        let first = reader.peek().unwrap_or(0);
        if first & 3 == 2 {
            reader.skip(1)?;
            return Ok((reader.offset(), reader.take(usize::from(first >> 2))?));
        }
        let flags = reader.u16()?;
        reader.skip(2)?;
        let size = reader.u32()? as usize;
        reader.skip((usize::from(flags >> 12) * 4).saturating_sub(8).max(4))?;
        Ok((reader.offset(), reader.take(size)?))
    }

    /// `reader` begins at the method's address.
    pub fn parse(mut reader: Reader<'a>) -> Result<Self, Flaw> {
        let start = reader;
        let first = reader.u8()?;
        if first & 3 == 2 {
            let offset = reader.offset();
            return Ok(Self {
                code: reader.take(usize::from(first >> 2))?,
                offset,
                max_stack: 8,
                local_signature: Token(0),
                init_locals: false,
                regions: Vec::new(),
            });
        }
        if first & 3 != 3 {
            return Err(start.flaw("unknown kind of method header"));
        }
        let mut reader = start;
        let flags = reader.u16()?;
        let header = usize::from(flags >> 12) * 4;
        let max_stack = reader.u16()?;
        let size = reader.u32()? as usize;
        let local_signature = Token(reader.u32()?);
        reader.skip(header.saturating_sub(12))?;
        let offset = reader.offset();
        let code = reader.take(size)?;
        let mut body =
            Self { code, offset, max_stack, local_signature, init_locals: flags & 0x10 != 0, regions: Vec::new() };
        if flags & 8 != 0 {
            // Sections are aligned to four bytes, seen from the start of the (aligned) header.
            reader.skip(reader.position().wrapping_neg() & 3)?;
            body.read_sections(reader)?;
        }
        Ok(body)
    }

    fn read_sections(&mut self, mut reader: Reader<'_>) -> Result<(), Flaw> {
        loop {
            let kind = reader.u8()?;
            let is_fat = kind & 0x40 != 0;
            let size = if is_fat {
                let [a, b, c] = [reader.u8()?, reader.u8()?, reader.u8()?];
                u32::from_le_bytes([a, b, c, 0]) as usize
            } else {
                let size = usize::from(reader.u8()?);
                reader.skip(2)?;
                size
            };
            let mut clauses = Reader::new(reader.take(size.saturating_sub(4))?, reader.offset());
            let width = if is_fat { 24 } else { 12 };
            if kind & 1 != 0 {
                for _ in 0..clauses.remaining() / width {
                    self.regions.push(read_region(&mut clauses, is_fat)?);
                }
            }
            if kind & 0x80 == 0 {
                return Ok(());
            }
        }
    }

    pub fn instructions(&self) -> Instructions<'a> {
        Instructions { reader: Reader::new(self.code, self.offset) }
    }
}

fn read_region(reader: &mut Reader<'_>, is_fat: bool) -> Result<Region, Flaw> {
    let (flags, try_start, try_length, handler_start, handler_length);
    if is_fat {
        flags = reader.u32()?;
        (try_start, try_length) = (reader.u32()?, reader.u32()?);
        (handler_start, handler_length) = (reader.u32()?, reader.u32()?);
    } else {
        flags = u32::from(reader.u16()?);
        (try_start, try_length) = (u32::from(reader.u16()?), u32::from(reader.u8()?));
        (handler_start, handler_length) = (u32::from(reader.u16()?), u32::from(reader.u8()?));
    }
    let extra = reader.u32()?;
    Ok(Region {
        kind: match flags {
            0 => RegionKind::Catch(Token(extra)),
            1 => RegionKind::Filter(extra),
            2 => RegionKind::Finally,
            _ => RegionKind::Fault,
        },
        try_start,
        try_end: try_start.saturating_add(try_length),
        handler_start,
        handler_end: handler_start.saturating_add(handler_length),
    })
}

/// One instruction. Two-byte opcodes are `0xfe00 | second byte`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Instruction<'a> {
    /// IL offset.
    pub offset: u32,
    pub opcode: u16,
    pub operand: Operand<'a>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Operand<'a> {
    None,
    /// Constants, and the alignment of `unaligned.`.
    Int(i64),
    Float(f64),
    /// Number of an argument or local.
    Variable(u16),
    /// A method, field, type, signature or string literal.
    Token(Token),
    /// IL offset of the target.
    Branch(u32),
    Switch(SwitchTargets<'a>),
}

/// The targets of a `switch`, read where they lie.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SwitchTargets<'a> {
    table: &'a [u8],
    /// IL offset of the next instruction, from which the targets count.
    base: u32,
}

impl SwitchTargets<'_> {
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.table
            .chunks_exact(4)
            .filter_map(|chunk| chunk.first_chunk().map(|bytes| self.base.wrapping_add(u32::from_le_bytes(*bytes))))
    }
}

/// Walks the code from its start; ends after the first flaw.
#[derive(Debug, Clone)]
pub struct Instructions<'a> {
    reader: Reader<'a>,
}

impl<'a> Iterator for Instructions<'a> {
    type Item = Result<Instruction<'a>, Flaw>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.reader.is_empty() {
            return None;
        }
        let instruction = read_instruction(&mut self.reader);
        if instruction.is_err() {
            self.reader = Reader::new(&[], 0);
        }
        Some(instruction)
    }
}

fn read_instruction<'a>(reader: &mut Reader<'a>) -> Result<Instruction<'a>, Flaw> {
    let start = *reader;
    let offset = start.position() as u32;
    let mut opcode = u16::from(reader.u8()?);
    if opcode == 0xfe {
        opcode = 0xfe00 | u16::from(reader.u8()?);
    }
    let branch =
        |reader: &Reader<'_>, distance: i32| Operand::Branch((reader.position() as u32).wrapping_add_signed(distance));
    let operand = match opcode {
        op::LDARG_S..=0x13 => Operand::Variable(u16::from(reader.u8()?)),
        0xfe09..=0xfe0e => Operand::Variable(reader.u16()?),
        0x1f => Operand::Int(i64::from(reader.u8()? as i8)),
        0xfe12 | 0xfe19 => Operand::Int(i64::from(reader.u8()?)),
        0x20 => Operand::Int(i64::from(reader.i32()?)),
        0x21 => Operand::Int(reader.u64()? as i64),
        0x22 => Operand::Float(f64::from(f32::from_bits(reader.u32()?))),
        0x23 => Operand::Float(f64::from_bits(reader.u64()?)),
        op::BR_S..=0x37 | 0xde => {
            let distance = i32::from(reader.u8()? as i8);
            branch(reader, distance)
        }
        0x38..=0x44 | 0xdd => {
            let distance = reader.i32()?;
            branch(reader, distance)
        }
        0x45 => {
            let count = reader.u32()? as usize;
            let table = reader.take(count.saturating_mul(4))?;
            Operand::Switch(SwitchTargets { table, base: reader.position() as u32 })
        }
        0x27..=0x29 | 0x6f..=0x75 | 0x79 | 0x7b..=0x81 | 0x8c | 0x8d | 0x8f | 0xa3..=0xa5 | 0xc2 | 0xc6 | 0xd0 => {
            Operand::Token(Token(reader.u32()?))
        }
        0xfe06 | 0xfe07 | 0xfe15 | 0xfe16 | 0xfe1c => Operand::Token(Token(reader.u32()?)),
        0x00..=0x0d | 0x14..=0x1e | 0x25 | 0x26 | 0x2a | 0x46..=0x6e | 0x76 | 0x7a | 0x82..=0x8b | 0x8e => {
            Operand::None
        }
        0x90..=0xa2 | 0xb3..=0xba | 0xc3 | 0xd1..=0xdc | 0xdf | 0xe0 => Operand::None,
        0xfe00..=0xfe05 | 0xfe0f | 0xfe11 | 0xfe13 | 0xfe14 | 0xfe17 | 0xfe18 | 0xfe1a | 0xfe1d | 0xfe1e => {
            Operand::None
        }
        _ => return Err(start.flaw("unknown opcode")),
    };
    Ok(Instruction { offset, opcode, operand })
}

/// The opcodes that readers of this layer ask for.
pub mod op {
    pub const NOP: u16 = 0x00;
    pub const LDARG_0: u16 = 0x02;
    pub const LDLOC_0: u16 = 0x06;
    pub const LDLOC_3: u16 = 0x09;
    pub const STLOC_0: u16 = 0x0a;
    pub const STLOC_3: u16 = 0x0d;
    pub const LDARG_S: u16 = 0x0e;
    pub const LDLOC_S: u16 = 0x11;
    pub const LDLOCA_S: u16 = 0x12;
    pub const STLOC_S: u16 = 0x13;
    pub const LDNULL: u16 = 0x14;
    pub const LDC_I4_M1: u16 = 0x15;
    pub const LDC_I4_0: u16 = 0x16;
    pub const LDC_I4_8: u16 = 0x1e;
    pub const LDC_I4_S: u16 = 0x1f;
    pub const LDC_I4: u16 = 0x20;
    pub const LDC_I8: u16 = 0x21;
    pub const LDC_R8: u16 = 0x23;
    pub const DUP: u16 = 0x25;
    pub const POP: u16 = 0x26;
    pub const JMP: u16 = 0x27;
    pub const CALL: u16 = 0x28;
    pub const CALLI: u16 = 0x29;
    pub const RET: u16 = 0x2a;
    pub const BR_S: u16 = 0x2b;
    pub const BRFALSE_S: u16 = 0x2c;
    pub const BRTRUE_S: u16 = 0x2d;
    pub const BEQ_S: u16 = 0x2e;
    pub const BGE_S: u16 = 0x2f;
    pub const BGT_S: u16 = 0x30;
    pub const BLE_S: u16 = 0x31;
    pub const BLT_S: u16 = 0x32;
    pub const BNE_UN_S: u16 = 0x33;
    pub const BGE_UN_S: u16 = 0x34;
    pub const BGT_UN_S: u16 = 0x35;
    pub const BLE_UN_S: u16 = 0x36;
    pub const BLT_UN_S: u16 = 0x37;
    pub const BR: u16 = 0x38;
    pub const BRFALSE: u16 = 0x39;
    pub const BRTRUE: u16 = 0x3a;
    pub const BEQ: u16 = 0x3b;
    pub const BLT_UN: u16 = 0x44;
    pub const ADD: u16 = 0x58;
    pub const SUB: u16 = 0x59;
    pub const MUL: u16 = 0x5a;
    pub const DIV: u16 = 0x5b;
    pub const DIV_UN: u16 = 0x5c;
    pub const REM: u16 = 0x5d;
    pub const REM_UN: u16 = 0x5e;
    pub const AND: u16 = 0x5f;
    pub const OR: u16 = 0x60;
    pub const XOR: u16 = 0x61;
    pub const SHL: u16 = 0x62;
    pub const SHR: u16 = 0x63;
    pub const SHR_UN: u16 = 0x64;
    pub const NEG: u16 = 0x65;
    pub const NOT: u16 = 0x66;
    pub const CONV_I1: u16 = 0x67;
    pub const CONV_I2: u16 = 0x68;
    pub const CONV_I4: u16 = 0x69;
    pub const CONV_I8: u16 = 0x6a;
    pub const CONV_R8: u16 = 0x6c;
    pub const CONV_U4: u16 = 0x6d;
    pub const CONV_U8: u16 = 0x6e;
    pub const CALLVIRT: u16 = 0x6f;
    pub const LDOBJ: u16 = 0x71;
    pub const LDSTR: u16 = 0x72;
    pub const NEWOBJ: u16 = 0x73;
    pub const CONV_R_UN: u16 = 0x76;
    pub const THROW: u16 = 0x7a;
    pub const LDFLD: u16 = 0x7b;
    pub const LDFLDA: u16 = 0x7c;
    pub const STFLD: u16 = 0x7d;
    pub const LDSFLD: u16 = 0x7e;
    pub const LDSFLDA: u16 = 0x7f;
    pub const STSFLD: u16 = 0x80;
    pub const STOBJ: u16 = 0x81;
    pub const NEWARR: u16 = 0x8d;
    pub const LDLEN: u16 = 0x8e;
    pub const LDTOKEN: u16 = 0xd0;
    pub const CONV_U2: u16 = 0xd1;
    pub const CONV_I: u16 = 0xd3;
    pub const END_FINALLY: u16 = 0xdc;
    pub const LEAVE: u16 = 0xdd;
    pub const LEAVE_S: u16 = 0xde;
    pub const CONV_U: u16 = 0xe0;
    pub const CEQ: u16 = 0xfe01;
    pub const CGT: u16 = 0xfe02;
    pub const CGT_UN: u16 = 0xfe03;
    pub const CLT: u16 = 0xfe04;
    pub const CLT_UN: u16 = 0xfe05;
    pub const LDFTN: u16 = 0xfe06;
    pub const LDVIRTFTN: u16 = 0xfe07;
    pub const LDLOC: u16 = 0xfe0c;
    pub const LDLOCA: u16 = 0xfe0d;
    pub const STLOC: u16 = 0xfe0e;
    pub const END_FILTER: u16 = 0xfe11;
    pub const VOLATILE: u16 = 0xfe13;
    pub const INITOBJ: u16 = 0xfe15;
    pub const RETHROW: u16 = 0xfe1a;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn walk(code: &[u8]) -> Vec<Result<Instruction<'_>, Flaw>> {
        let reader = Reader::new(code, 0);
        Instructions { reader }.collect()
    }

    #[test]
    fn branches_and_switches_are_absolute() {
        // br.s +0; switch (2: +0, +1); nop; ret
        let code = [0x2b, 0, 0x45, 2, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0x00, 0x2a];
        let walked: Vec<_> = walk(&code).into_iter().map(Result::unwrap).collect();
        assert_eq!(walked[0].operand, Operand::Branch(2));
        let Operand::Switch(targets) = walked[1].operand else { panic!("{walked:?}") };
        assert_eq!(targets.iter().collect::<Vec<_>>(), [15, 16]);
        assert_eq!(walked[3].offset, 16);
    }

    #[test]
    fn a_flaw_ends_the_walk() {
        for code in [&[0x24][..], &[0xfe, 0x08], &[0x20, 1], &[0x45, 0xff, 0xff, 0xff, 0xff]] {
            let walked = walk(code);
            assert_eq!(walked.len(), 1);
            assert!(walked[0].is_err());
        }
    }
}
