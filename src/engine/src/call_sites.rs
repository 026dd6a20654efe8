//! Where the call is that a frame is in. The runtime gives a frame's return address for its place, and in optimized code that may begin
//! another statement, out of the reach of the call's variables and handlers.

use std::collections::HashMap;

use crate::com::{self, memory};
use crate::native_code::NativeCode;

/// The longest call of x64.
const LONGEST: usize = 7;

/// The places that were looked at: a stack may have 100,000 frames of one, and one may throw as often.
#[derive(Debug, Default)]
pub(crate) struct CallSites(HashMap<(u64, u32), Option<u32>>);

impl CallSites {
    /// The IL offset of the call, `throw` too, that a frame is behind.
    pub(crate) fn of(&mut self, pid: u32, frame: &com::NativeFrame) -> Option<u32> {
        let (code, ip) = (frame.code().ok()?, frame.ip().ok()?);
        let address = code.address().ok()?;
        *self.0.entry((address, ip)).or_insert_with(|| {
            let last = ip.checked_sub(1).filter(|_| is_behind_call(pid, address + u64::from(ip)))?;
            Some(NativeCode::read(&code).ok()?.il_offset(last))
        })
    }
}

/// Whether the instruction that ends at an address is a call.
fn is_behind_call(pid: u32, address: u64) -> bool {
    let mut code = [0; LONGEST];
    let is_read = memory::read(pid, address.wrapping_sub(LONGEST as u64), &mut code) == code.len();
    is_read && if cfg!(target_arch = "aarch64") { ends_with_arm_call(&code) } else { ends_with_call(&code) }
}

/// Of x64. A breakpoint may stand in the place of an instruction's first byte.
fn ends_with_call(code: &[u8]) -> bool {
    const BREAKPOINT: u8 = 0xcc;
    const RELATIVE: u8 = 0xe8;
    const INDIRECT: u8 = 0xff;
    let is = |byte: u8, wanted: u8| byte == wanted || byte == BREAKPOINT;
    // with a prefix or without: the opcode, and what says where the target is
    let indirect = |length: usize| {
        let (opcode, rest) = code.get(code.len().checked_sub(length)?..)?.split_first()?;
        let (&operand, _) = rest.split_first()?;
        let expected = 2 + match (operand >> 6, operand & 7) {
            (3, _) => 0,
            (0, 5) => 4,
            (0, 4) => 1,
            (0, _) => 0,
            (1, 4) => 2,
            (1, _) => 1,
            (_, 4) => 5,
            _ => 4,
        };
        let is_prefixed = || code.get(code.len().checked_sub(length + 1)?).map(|prefix| matches!(prefix, 0x40..=0x4f));
        let is_opcode = *opcode == INDIRECT || *opcode == BREAKPOINT && is_prefixed() != Some(true);
        (is_opcode && operand >> 3 & 7 == 2 && expected == length).then_some(())
    };
    code.len().checked_sub(5).and_then(|at| code.get(at)).is_some_and(|&opcode| is(opcode, RELATIVE))
        || (2..=LONGEST).any(|length| indirect(length).is_some())
}

/// Of arm64: `bl`, `blr`, or a breakpoint in the place of one.
fn ends_with_arm_call(code: &[u8]) -> bool {
    let Some((_, last)) = code.split_last_chunk::<4>() else { return false };
    let word = u32::from_le_bytes(*last);
    word & 0xfc00_0000 == 0x9400_0000 || word & 0xffff_fc1f == 0xd63f_0000 || word & 0xffe0_001f == 0xd420_0000
}

#[cfg(test)]
mod tests {
    use super::{ends_with_arm_call, ends_with_call};

    #[test]
    fn a_call_is_known_by_the_bytes_that_end_it() {
        let calls: [&[u8]; 7] = [
            &[0x90, 0x90, 0xe8, 1, 2, 3, 4],
            &[0x90, 0x90, 0xcc, 1, 2, 3, 4],
            &[0x90, 0xff, 0x15, 1, 2, 3, 4],
            &[0x90, 0x90, 0x90, 0x90, 0x90, 0xff, 0xd0],
            &[0x90, 0x90, 0x90, 0x90, 0x41, 0xff, 0xd3],
            &[0x90, 0x90, 0x90, 0x90, 0xff, 0x50, 0x18],
            &[0xff, 0x94, 0x24, 1, 2, 3, 4],
        ];
        let others: [&[u8]; 4] = [
            &[0x90, 0x90, 0x48, 0x8b, 0x47, 0x08, 0x90],
            &[0x90, 0x90, 0x90, 0x90, 0x90, 0x39, 0x07],
            // a call whose last byte is missing
            &[0x90, 0x90, 0x90, 0x41, 0xff, 0x54, 0x24],
            // a jump
            &[0x90, 0x90, 0x90, 0x90, 0x90, 0xff, 0xe0],
        ];
        for code in calls {
            assert!(ends_with_call(code), "{code:x?}");
        }
        for code in others {
            assert!(!ends_with_call(code), "{code:x?}");
        }
        assert!(ends_with_arm_call(&[0, 0, 0, 1, 0, 0, 0x94]));
        assert!(!ends_with_arm_call(&[0, 0, 0, 0, 0, 0, 0x14]));
    }
}
