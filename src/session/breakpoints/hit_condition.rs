//! `3`, `==3`, `>=3`, `>3`, `<3`, `<=3`, `%3`: counted by us, since no adapter's syntax is the usual one (vendor-notes.md).

use crate::session::error::{Code, SessionError};

/// When a hit counts as one. Hits are counted from 1, after the condition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HitCondition {
    Exactly(u64),
    AtLeast(u64),
    Below(u64),
    Every(u64),
}

impl HitCondition {
    /// # Errors
    /// `invalid_condition` with the forms there are.
    pub fn parse(text: &str) -> Result<Self, SessionError> {
        let wrong = || {
            SessionError::new(
                Code::InvalidCondition,
                format!("`{text}` is not a valid hit_condition"),
                "use `3` (the third hit), `>=3`, `<3` or `%3` (every third)",
            )
        };
        let compact: String = text.split_whitespace().collect();
        let split = compact.find(|c: char| c.is_ascii_digit()).ok_or_else(wrong)?;
        let (operator, number) = compact.split_at(split);
        let number: u64 = number.parse().map_err(|_| wrong())?;
        match (operator, number) {
            ("" | "=" | "==", 1..) => Ok(Self::Exactly(number)),
            (">=", _) => Ok(Self::AtLeast(number)),
            (">", _) => Ok(Self::AtLeast(number.saturating_add(1))),
            ("<", 2..) => Ok(Self::Below(number)),
            ("<=", 1..) => Ok(Self::Below(number.saturating_add(1))),
            ("%", 1..) => Ok(Self::Every(number)),
            _ => Err(wrong()),
        }
    }

    pub fn holds(self, hits: u64) -> bool {
        match self {
            Self::Exactly(wanted) => hits == wanted,
            Self::AtLeast(wanted) => hits >= wanted,
            Self::Below(limit) => hits < limit,
            Self::Every(step) => hits.is_multiple_of(step),
        }
    }

    /// Whether it held at one of the first `hits` hits.
    pub fn has_held(self, hits: u64) -> bool {
        match self {
            Self::Exactly(wanted) | Self::AtLeast(wanted) | Self::Every(wanted) => hits >= wanted.max(1),
            Self::Below(_) => hits > 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_forms_are_understood() {
        let stops = |text: &str| {
            let condition = HitCondition::parse(text).unwrap();
            (1..=7).filter(|hits| condition.holds(*hits)).collect::<Vec<u64>>()
        };
        assert_eq!(stops("3"), [3]);
        assert_eq!(stops("== 3"), [3]);
        assert_eq!(stops(">=3"), [3, 4, 5, 6, 7]);
        assert_eq!(stops("> 3"), [4, 5, 6, 7]);
        assert_eq!(stops("<3"), [1, 2]);
        assert_eq!(stops("<=3"), [1, 2, 3]);
        assert_eq!(stops("%3"), [3, 6]);
    }

    #[test]
    fn anything_else_is_refused() {
        for text in ["", "x", "3x", "-1", "0", "==0", "%0", "<1", "!3", "99999999999999999999999"] {
            assert_eq!(HitCondition::parse(text).unwrap_err().code, Code::InvalidCondition, "{text}");
        }
    }
}
