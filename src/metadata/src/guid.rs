//! GUIDs as they lie in files: the first three fields little-endian.

/// From the digits as they are written: `0x8829d00f_11b8_4213_878b_770e8597ac16`.
pub(crate) const fn guid(digits: u128) -> [u8; 16] {
    let [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = digits.to_be_bytes();
    [d, c, b, a, f, e, h, g, i, j, k, l, m, n, o, p]
}

/// `8829d00f-11b8-4213-878b-770e8597ac16`.
pub fn guid_text(bytes: &[u8; 16]) -> String {
    // The order of the fields is its own inverse.
    let digits = format!("{:032x}", u128::from_be_bytes(guid(u128::from_be_bytes(*bytes))));
    let (a, rest) = digits.split_at(8);
    let (b, rest) = rest.split_at(4);
    let (c, rest) = rest.split_at(4);
    let (d, e) = rest.split_at(4);
    format!("{a}-{b}-{c}-{d}-{e}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guids_are_written_as_they_are_read() {
        let bytes = guid(0x8829d00f_11b8_4213_878b_770e8597ac16);
        assert_eq!(bytes[..6], [0x0f, 0xd0, 0x29, 0x88, 0xb8, 0x11]);
        assert_eq!(guid_text(&bytes), "8829d00f-11b8-4213-878b-770e8597ac16");
    }
}
