//! Breakpoints on instructions whose operand in memory is given relative to the instruction (x64: `[rip + n]`), as the JIT compiles
//! static fields.
//!
//! The runtime does not execute the instruction under a breakpoint but a copy of it, and of such an operand it makes a copy, too. From
//! .NET 10 on it keeps both for as long as the breakpoint is set (dotnet/runtime#117514): from the second hit on the program would
//! compute with the operand as it was at the first one. A breakpoint that is set again is copied again.

use std::collections::HashMap;

use crate::com::{self, memory};

/// No instruction is longer.
const LONGEST: usize = 15;

/// By the address of the instruction, whether it may have such an operand.
#[derive(Default)]
pub struct Operands(HashMap<u64, bool>);

impl Operands {
    /// Whether a breakpoint at that address of the process `pid` may need [`renew`].
    pub fn may_be_relative(&mut self, pid: u32, address: u64) -> bool {
        *self.0.entry(address).or_insert_with(|| {
            let mut code = [0_u8; LONGEST];
            let read = memory::read(pid, address, &mut code);
            code.get(1..read).is_none_or(may_be_relative)
        })
    }
}

/// Whether a breakpoint is at an address, or was hit there and the thread is behind it.
pub fn is_breakpoint(pid: u32, address: u64) -> bool {
    const BREAKPOINT: u8 = 0xcc;
    let mut code = [0_u8; 2];
    memory::read(pid, address.wrapping_sub(1), &mut code) == code.len() && code.contains(&BREAKPOINT)
}

/// Sets a breakpoint again that a thread has hit and is about to go on at. No other thread may have run into it, too, and wait to report
/// that: its hit would be lost. One that was removed meanwhile stays so.
///
/// # Errors
/// It could not be set again.
pub fn renew(hit: &com::FunctionBreakpoint) -> com::Result<()> {
    if hit.is_active() == Ok(true) {
        hit.activate(false)?;
        hit.activate(true)?;
    }
    Ok(())
}

/// By the bytes behind the first, in whose place the breakpoint is: that may be an opcode, or begin a longer one. To take an instruction
/// for one that it is not costs a little time.
fn may_be_relative(behind: &[u8]) -> bool {
    [0x8b, 0x0f, 0x48, 0x66, 0xc5, 0xc4, 0x62].into_iter().any(|first| {
        let mut code = vec![first];
        code.extend_from_slice(behind);
        is_relative(&code)
    })
}

/// Whether an instruction of x64 has an operand relative to itself: addressing mode 0 with base 5 (Intel SDM, volume 2, 2.2.1.6).
fn is_relative(code: &[u8]) -> bool {
    let mut code = code
        .iter()
        .copied()
        .skip_while(|byte| matches!(byte, 0x66 | 0x67 | 0xf0 | 0xf2 | 0xf3 | 0x26 | 0x2e | 0x36 | 0x3e | 0x64 | 0x65));
    let mut next = || code.next().unwrap_or(0x90);
    let mut opcode = next();
    // REX
    if matches!(opcode, 0x40..=0x4f) {
        opcode = next();
    }
    let has_operand = match opcode {
        // VEX of two and of three bytes, EVEX: prefixes of what has an operand
        0xc5 => next_of(&mut next, 1) != 0x77,
        0xc4 => next_of(&mut next, 2) != 0x77,
        0x62 => next_of(&mut next, 3) != 0x77,
        0x0f => match next() {
            0x38 | 0x3a => {
                next();
                true
            }
            opcode => !matches!(opcode,
                0x05..=0x09 | 0x0b | 0x0e | 0x30..=0x37 | 0x77 | 0x80..=0x8f | 0xa0..=0xa2 | 0xa8..=0xaa | 0xc8..=0xcf),
        },
        0x00..=0x3f => opcode & 7 < 4,
        0x63
        | 0x69
        | 0x6b
        | 0x80..=0x8f
        | 0xc0
        | 0xc1
        | 0xc6
        | 0xc7
        | 0xd0..=0xd3
        | 0xd8..=0xdf
        | 0xf6
        | 0xf7
        | 0xfe
        | 0xff => true,
        _ => false,
    };
    has_operand && next() & 0xc7 == 0x05
}

/// The opcode behind so many bytes of a prefix.
fn next_of(next: &mut impl FnMut() -> u8, prefix: usize) -> u8 {
    (0..prefix).for_each(|_| {
        next();
    });
    next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operands_relative_to_the_instruction_are_told_from_others() {
        // as `objdump -d` has them
        for code in [
            &[0xff, 0x0d, 1, 2, 3, 4][..],                     // dec dword ptr [rip + n]
            &[0x83, 0x05, 1, 2, 3, 4, 5],                      // add dword ptr [rip + n], 5
            &[0x83, 0x3d, 1, 2, 3, 4, 0x14],                   // cmp dword ptr [rip + n], 20
            &[0x48, 0x8b, 0x05, 1, 2, 3, 4],                   // mov rax, [rip + n]
            &[0x44, 0x89, 0x3d, 1, 2, 3, 4],                   // mov [rip + n], r15d
            &[0x0f, 0xb6, 0x05, 1, 2, 3, 4],                   // movzx eax, byte ptr [rip + n]
            &[0xf2, 0x0f, 0x10, 0x05, 1, 2, 3, 4],             // movsd xmm0, [rip + n]
            &[0x66, 0x0f, 0x38, 0x17, 0x05, 1, 2, 3, 4],       // ptest xmm0, [rip + n]
            &[0xc5, 0xfb, 0x10, 0x05, 1, 2, 3, 4],             // vmovsd xmm0, [rip + n]
            &[0xc4, 0xe2, 0x7d, 0x18, 0x05, 1, 2, 3, 4],       // vbroadcastss ymm0, [rip + n]
            &[0x62, 0xf1, 0x7c, 0x48, 0x10, 0x05, 1, 2, 3, 4], // vmovups zmm0, [rip + n]
        ] {
            assert!(is_relative(code) && may_be_relative(&code[1..]), "{code:x?}");
        }
        for code in [
            &[0x8b, 0x45, 0xfc][..],               // mov eax, [rbp - 4]
            &[0x90],                               // nop
            &[0x48, 0xb8, 5, 5, 5, 5, 5, 5, 5, 5], // mov rax, n
            &[0xb8, 5, 0, 0, 0],                   // mov eax, 5
            &[0xe8, 5, 0, 0, 0],                   // call n
            &[0x0f, 0x85, 5, 0, 0, 0],             // jne n
            &[0x74, 0x05],                         // je n
            &[0x04, 0x05],                         // add al, 5
            &[0x48, 0x83, 0xec, 0x05],             // sub rsp, 5
            &[0xc5, 0xf8, 0x77, 0x05],             // vzeroupper
            &[0x41, 0x8b, 0x85, 1, 2, 3, 4],       // mov eax, [r13 + n]
            &[],
        ] {
            assert!(!is_relative(code), "{code:x?}");
        }
        assert!(!may_be_relative(&[0x45, 0xfc, 0x90, 0x8b, 0x45, 0xf8]), "mov eax, [rbp - 4]");
    }
}
