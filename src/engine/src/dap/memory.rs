//! `readMemory`: bytes of the program, past the runtime.

use serde_json::{Value, json};

use super::server::{Answer, Server, body};
use crate::com::memory;

/// Bytes of one answer at most.
const MAX: u64 = 16 << 20;

impl Server {
    pub(super) fn read_memory(&mut self, arguments: &Value) -> Answer {
        let debugging = self.debugging.as_ref().ok_or("no program is being debugged")?;
        let reference = arguments.get("memoryReference").and_then(Value::as_str).unwrap_or_default();
        let base = address(reference).ok_or_else(|| format!("'{reference}' is not an address"))?;
        let start = base.wrapping_add_signed(arguments.get("offset").and_then(Value::as_i64).unwrap_or(0));
        let count = arguments.get("count").and_then(Value::as_u64).unwrap_or(0).min(MAX);
        let mut bytes = vec![0_u8; usize::try_from(count).unwrap_or(0)];
        let got = memory::read(debugging.target.pid, start, &mut bytes);
        bytes.truncate(got);
        let unreadable = count - got as u64;
        let mut answer = json!({ "address": format!("0x{start:x}"), "data": base64(&bytes) });
        if let (true, Some(answer)) = (unreadable > 0, answer.as_object_mut()) {
            answer.insert("unreadableBytes".into(), json!(unreadable));
        }
        body(answer)
    }
}

fn address(text: &str) -> Option<u64> {
    match text.strip_prefix("0x") {
        Some(hex) => u64::from_str_radix(hex, 16).ok(),
        None => text.parse().ok(),
    }
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let at = |index: usize| u32::from(group.get(index).copied().unwrap_or(0));
        let bits = at(0) << 16 | at(1) << 8 | at(2);
        for digit in 0..4 {
            let is_padding = digit > group.len();
            let value = (bits >> (18 - 6 * digit) & 0x3f) as usize;
            text.push(if is_padding { '=' } else { DIGITS.get(value).copied().map_or('=', char::from) });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_reported_in_base64() {
        for (bytes, expected) in
            [(&b""[..], ""), (b"f", "Zg=="), (b"fo", "Zm8="), (b"foo", "Zm9v"), (&[0xff, 0xfe, 0xfd], "//79")]
        {
            assert_eq!(base64(bytes), expected);
        }
    }

    #[test]
    fn addresses_are_hexadecimal_or_decimal() {
        assert_eq!(address("0x7f00"), Some(0x7f00));
        assert_eq!(address("16"), Some(16));
        assert_eq!(address("x"), None);
    }
}
