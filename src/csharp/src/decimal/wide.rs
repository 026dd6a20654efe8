//! Whole numbers of 224 bits: what two decimals of 96 bits come to before it is rounded.

use std::cmp::Ordering;

/// Least first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wide([u32; 7]);

impl From<u128> for Wide {
    fn from(number: u128) -> Self {
        let mut limbs = [0; 7];
        for (at, limb) in limbs.iter_mut().take(4).enumerate() {
            *limb = (number >> (32 * at)) as u32;
        }
        Self(limbs)
    }
}

impl Wide {
    /// By at most 96 bits.
    pub fn times(self, by: u128) -> Self {
        let mut product = [0_u32; 7];
        for part in 0..3 {
            let factor = u64::from((by >> (32 * part)) as u32);
            let mut carry = 0_u64;
            for (to, &from) in product.iter_mut().skip(part).zip(&self.0) {
                let sum = u64::from(from) * factor + u64::from(*to) + carry;
                *to = sum as u32;
                carry = sum >> 32;
            }
        }
        Self(product)
    }

    pub fn plus(self, other: Self) -> Self {
        let mut carry = 0_u64;
        let mut sum = self;
        for (to, from) in sum.0.iter_mut().zip(other.0) {
            let both = u64::from(*to) + u64::from(from) + carry;
            *to = both as u32;
            carry = both >> 32;
        }
        sum
    }

    /// Of one that is not greater.
    pub fn minus(self, other: Self) -> Self {
        let mut borrow = false;
        let mut difference = self;
        for (to, from) in difference.0.iter_mut().zip(other.0) {
            let (without, first) = to.overflowing_sub(from);
            let (rest, second) = without.overflowing_sub(u32::from(borrow));
            *to = rest;
            borrow = first || second;
        }
        difference
    }

    /// A tenth, and the digit that is cut.
    pub fn tenth(self) -> (Self, u32) {
        let mut rest = 0_u64;
        let mut tenth = self;
        for limb in tenth.0.iter_mut().rev() {
            let number = rest << 32 | u64::from(*limb);
            *limb = (number / 10) as u32;
            rest = number % 10;
        }
        (tenth, rest as u32)
    }

    pub fn is_odd(self) -> bool {
        self.0.first().is_some_and(|limb| limb % 2 == 1)
    }

    /// Where 128 bits hold it.
    pub fn low(self) -> Option<u128> {
        let (low, high) = self.0.split_at(4);
        let number = low.iter().rev().fold(0_u128, |number, &limb| number << 32 | u128::from(limb));
        high.iter().all(|&limb| limb == 0).then_some(number)
    }
}

impl PartialOrd for Wide {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.0.iter().rev().cmp(other.0.iter().rev()))
    }
}
