//! Damage to bytes, the same for the same seed.

/// xorshift64*
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        let mut random = Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        // Neighboring seeds begin alike.
        for _ in 0..4 {
            random.next();
        }
        random
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    pub fn below(&mut self, count: usize) -> usize {
        (self.next() >> 16) as usize % count.max(1)
    }

    fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }
}

/// Values at which readers tend to break.
const EDGES: [u32; 12] = [0, 1, 2, 0x7f, 0x80, 0xff, 0xffff, 0x1_0000, 0x00ff_ffff, 0x7fff_ffff, 0x8000_0000, u32::MAX];

/// One to eight wounds; most of them in the metadata, where every byte means something.
pub fn damage(intact: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = intact.to_vec();
    let metadata = bytes.windows(4).position(|window| window == b"BSJB").unwrap_or(0);
    for _ in 0..1 + random.below(8) {
        if bytes.len() < 16 {
            break;
        }
        let at = match random.below(8) {
            // Headers of the file; of the metadata with its tables; then anywhere in it, or in the file.
            0 => random.below(bytes.len().min(1024)),
            1 | 2 => metadata + random.below(256),
            3..=6 => metadata + random.below(bytes.len().saturating_sub(metadata)),
            _ => random.below(bytes.len()),
        };
        wound(&mut bytes, at.min(intact.len() - 1), random);
    }
    bytes
}

fn wound(bytes: &mut Vec<u8>, at: usize, random: &mut Random) {
    let at = at.min(bytes.len() - 1);
    let length = (1 + random.below(32)).min(bytes.len() - at);
    match random.below(10) {
        0 | 1 => bytes[at] = random.next() as u8,
        2 => bytes[at] ^= 1 << random.below(8),
        3 => bytes[at] = bytes[at].wrapping_add(1),
        4 => bytes[at] = bytes[at].wrapping_sub(1),
        5 | 6 => {
            let value = EDGES[random.below(EDGES.len())].to_le_bytes();
            let width = [1, 2, 4][random.below(3)].min(bytes.len() - at);
            bytes[at..at + width].copy_from_slice(&value[..width]);
        }
        7 => {
            let from = random.below(bytes.len() - length + 1);
            bytes.copy_within(from..from + length, at);
        }
        8 if random.one_in(4) => bytes.truncate(at.max(1)),
        8 => drop(bytes.drain(at..at + length)),
        _ => {
            let fill = [0, 0xff, random.next() as u8][random.below(3)];
            bytes[at..at + length].fill(fill);
        }
    }
}
