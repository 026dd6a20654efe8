//! `hitCondition`, of which DAP says only that the adapter reads it: the usual forms.

/// `3`, `==3`, `>=3`, `>3`, `<3`, `<=3`, `%3`: when a hit counts as one. Hits count from 1, after the condition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HitCondition {
    Exactly(u64),
    AtLeast(u64),
    Below(u64),
    Every(u64),
}

impl HitCondition {
    /// `None` for anything else, and for what no hit fulfills.
    pub fn parse(text: &str) -> Option<Self> {
        let compact: String = text.split_whitespace().collect();
        let (operator, number) = compact.split_at(compact.find(|c: char| c.is_ascii_digit())?);
        let number: u64 = number.parse().ok()?;
        Some(match (operator, number) {
            ("" | "=" | "==", 1..) => Self::Exactly(number),
            (">=", _) => Self::AtLeast(number),
            (">", _) => Self::AtLeast(number.saturating_add(1)),
            ("<", 2..) => Self::Below(number),
            ("<=", 1..) => Self::Below(number.saturating_add(1)),
            ("%", 1..) => Self::Every(number),
            _ => return None,
        })
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
        for (text, hits) in [
            ("3", vec![3]),
            ("== 3", vec![3]),
            (">=3", vec![3, 4, 5, 6, 7]),
            ("> 3", vec![4, 5, 6, 7]),
            ("<3", vec![1, 2]),
            ("<= 3", vec![1, 2, 3]),
            ("%3", vec![3, 6]),
        ] {
            let condition = HitCondition::parse(text).unwrap();
            assert_eq!((1..=7).filter(|&count| condition.holds(count)).collect::<Vec<_>>(), hits, "{text}");
            let first = hits[0];
            assert!(!condition.has_held(first - 1) && condition.has_held(first), "{text}");
        }
    }

    #[test]
    fn anything_else_is_refused() {
        for text in ["", "x", "3x", "3 4x", "-1", "0", "==0", "%0", "<1", "!3", "99999999999999999999999"] {
            assert_eq!(HitCondition::parse(text), None, "{text}");
        }
    }
}
