//! Interface ids.

/// A GUID as it lies in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C)]
pub struct Guid([u8; 16]);

impl Guid {
    pub const UNKNOWN: Self = Self::new(0x00000000_0000_0000_c000_000000000046);

    /// From the number that its text is without dashes: `0x3d6f5f61_7538_11d3_8d5b_00104b35e7ef`.
    pub const fn new(number: u128) -> Self {
        let [a, b, c, d, e, f, g, h, rest @ ..] = number.to_be_bytes();
        let [i, j, k, l, m, n, o, p] = rest;
        // the first three fields are little-endian in memory
        Self([d, c, b, a, f, e, h, g, i, j, k, l, m, n, o, p])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_three_fields_are_little_endian() {
        let guid = Guid::new(0x3d6f5f61_7538_11d3_8d5b_00104b35e7ef);
        let expected = [0x61, 0x5f, 0x6f, 0x3d, 0x38, 0x75, 0xd3, 0x11, 0x8d, 0x5b, 0, 0x10, 0x4b, 0x35, 0xe7, 0xef];
        assert_eq!(guid.0, expected);
    }
}
