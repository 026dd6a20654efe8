//! The signs of numbers in a culture.

/// As the program prints them in its culture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Signs {
    pub(super) minus: String,
    pub(super) point: String,
}
