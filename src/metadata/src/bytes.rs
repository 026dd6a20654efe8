//! Bounds-checked reading of little-endian bytes, and of the compressed integers of ECMA-335 II.23.2.

use super::error::Flaw;

/// A cursor over a part of a file. It knows where that part begins, so that an error names a file offset.
#[derive(Debug, Clone, Copy)]
pub struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    base: usize,
}

impl<'a> Reader<'a> {
    /// `base` is the offset of `bytes` in the file.
    pub fn new(bytes: &'a [u8], base: usize) -> Self {
        Self { bytes, at: 0, base }
    }

    /// The offset in the file of the next byte.
    pub fn offset(&self) -> usize {
        self.base.saturating_add(self.at)
    }

    /// Bytes read so far.
    pub fn position(&self) -> usize {
        self.at
    }

    pub fn remaining(&self) -> usize {
        self.bytes.len().saturating_sub(self.at)
    }

    pub fn is_empty(&self) -> bool {
        self.remaining() == 0
    }

    pub fn flaw(&self, what: &'static str) -> Flaw {
        Flaw::new(self.offset(), what)
    }

    pub fn take(&mut self, length: usize) -> Result<&'a [u8], Flaw> {
        let end = self.at.checked_add(length);
        match end.and_then(|end| self.bytes.get(self.at..end)) {
            Some(taken) => {
                self.at += length;
                Ok(taken)
            }
            None => Err(self.flaw("the data ends early")),
        }
    }

    /// Up to a zero byte, which is taken too.
    pub fn terminated(&mut self) -> Result<&'a [u8], Flaw> {
        let mut rest = *self;
        let mut length = 0;
        while rest.u8()? != 0 {
            length += 1;
        }
        let text = self.take(length)?;
        self.skip(1)?;
        Ok(text)
    }

    pub fn skip(&mut self, length: usize) -> Result<(), Flaw> {
        self.take(length).map(drop)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Flaw> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N)?);
        Ok(array)
    }

    pub fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    pub fn u8(&mut self) -> Result<u8, Flaw> {
        self.array().map(u8::from_le_bytes)
    }

    pub fn u16(&mut self) -> Result<u16, Flaw> {
        self.array().map(u16::from_le_bytes)
    }

    pub fn u32(&mut self) -> Result<u32, Flaw> {
        self.array().map(u32::from_le_bytes)
    }

    pub fn u64(&mut self) -> Result<u64, Flaw> {
        self.array().map(u64::from_le_bytes)
    }

    pub fn i32(&mut self) -> Result<i32, Flaw> {
        self.array().map(i32::from_le_bytes)
    }

    /// Compressed unsigned integer: 1, 2 or 4 bytes, big-endian, the length in the leading bits.
    pub fn compressed(&mut self) -> Result<u32, Flaw> {
        self.compressed_sized().map(|(value, _)| value)
    }

    /// Compressed signed integer: the sign bit is rotated into the lowest bit, so the width decides what it stands for.
    pub fn compressed_signed(&mut self) -> Result<i32, Flaw> {
        let (value, width) = self.compressed_sized()?;
        let magnitude = (value >> 1) as i32;
        let negative = value & 1 == 1;
        Ok(match (negative, width) {
            (false, _) => magnitude,
            (true, 1) => magnitude - 0x40,
            (true, 2) => magnitude - 0x2000,
            (true, _) => magnitude - 0x1000_0000,
        })
    }

    fn compressed_sized(&mut self) -> Result<(u32, u8), Flaw> {
        let start = *self;
        let first = u32::from(self.u8()?);
        if first & 0x80 == 0 {
            Ok((first, 1))
        } else if first & 0xc0 == 0x80 {
            Ok(((first & 0x3f) << 8 | u32::from(self.u8()?), 2))
        } else if first & 0xe0 == 0xc0 {
            let [a, b, c] = self.array()?;
            Ok(((first & 0x1f) << 24 | u32::from(a) << 16 | u32::from(b) << 8 | u32::from(c), 4))
        } else {
            Err(start.flaw("not a compressed integer"))
        }
    }

    /// A length-prefixed UTF-8 string; `None` is the null string (one byte 0xff), ECMA-335 II.23.3.
    pub fn ser_string(&mut self) -> Result<Option<&'a str>, Flaw> {
        if self.peek() == Some(0xff) {
            self.skip(1)?;
            return Ok(None);
        }
        let start = *self;
        let length = self.compressed()? as usize;
        let bytes = self.take(length)?;
        std::str::from_utf8(bytes).map(Some).map_err(|_| start.flaw("a string is not UTF-8"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compressed_integers_are_those_of_the_standard() {
        // The examples of ECMA-335 II.23.2.
        for (bytes, value) in [
            (&[0x03][..], 0x03),
            (&[0x7f], 0x7f),
            (&[0x80, 0x80], 0x80),
            (&[0xae, 0x57], 0x2e57),
            (&[0xbf, 0xff], 0x3fff),
            (&[0xc0, 0x00, 0x40, 0x00], 0x4000),
            (&[0xdf, 0xff, 0xff, 0xff], 0x1fff_ffff),
        ] {
            assert_eq!(Reader::new(bytes, 0).compressed(), Ok(value), "{bytes:x?}");
        }
        for (bytes, value) in [
            (&[0x06][..], 3),
            (&[0x7b], -3),
            (&[0x80, 0x80], 64),
            (&[0x01], -64),
            (&[0xc0, 0x00, 0x40, 0x00], 8192),
            (&[0x80, 0x01], -8192),
            (&[0xdf, 0xff, 0xff, 0xfe], 0x0fff_ffff),
            (&[0xc0, 0x00, 0x00, 0x01], -0x1000_0000),
        ] {
            assert_eq!(Reader::new(bytes, 0).compressed_signed(), Ok(value), "{bytes:x?}");
        }
    }

    #[test]
    fn short_or_wrong_bytes_name_their_file_offset() {
        assert_eq!(Reader::new(&[0xc0, 0], 100).compressed().unwrap_err().offset, 101);
        assert_eq!(Reader::new(&[0xff], 100).compressed().unwrap_err().offset, 100);
        assert!(Reader::new(&[1, 2, 3], 0).u32().is_err());
        assert!(Reader::new(&[1], 0).take(usize::MAX).is_err());
    }
}
