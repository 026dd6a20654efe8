//! Numbers with what they count, in words.

use std::fmt::Display;

/// `1 hit`, `2 hits`.
pub(crate) fn counted<N: Display + PartialEq + From<u8>>(count: N, what: &str) -> String {
    let plural = if count == N::from(1) { "" } else { "s" };
    format!("{count} {what}{plural}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_not_many() {
        assert_eq!([0_u64, 1, 2].map(|count| counted(count, "hit")), ["0 hits", "1 hit", "2 hits"]);
    }
}
