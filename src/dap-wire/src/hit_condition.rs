//! `hitCondition`, of which DAP says only that the adapter reads it: the usual forms.

/// `3`, `==3`, `>=3`, `>3`, `<3`, `<=3`, `%3`, `%3==1`: when a hit counts as one. Hits count from 1, after the condition. A number may be
/// computed, as in `>= 2 * (3 + 1)`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HitCondition {
    Exactly(u64),
    AtLeast(u64),
    Below(u64),
    Every { step: u64, rest: u64 },
}

impl HitCondition {
    /// `None` for anything else, and for what no hit fulfills.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let (operator, number) = text.split_at(text.find(|c| !"=<>%".contains(c))?);
        let (number, rest) = match (operator, number.split_once("==")) {
            ("%", Some((step, rest))) => (step, Sum::value(rest)?),
            _ => (number, 0),
        };
        let number = Sum::value(number)?;
        Some(match (operator, number) {
            ("" | "=" | "==", 1..) => Self::Exactly(number),
            (">=", _) => Self::AtLeast(number),
            (">", _) => Self::AtLeast(number.saturating_add(1)),
            ("<", 2..) => Self::Below(number),
            ("<=", 1..) => Self::Below(number.saturating_add(1)),
            ("%", step) if rest < step => Self::Every { step, rest },
            _ => return None,
        })
    }

    pub fn holds(self, hits: u64) -> bool {
        match self {
            Self::Exactly(wanted) => hits == wanted,
            Self::AtLeast(wanted) => hits >= wanted,
            Self::Below(limit) => hits < limit,
            Self::Every { step, rest } => hits.checked_rem(step) == Some(rest),
        }
    }

    /// Whether it held at one of the first `hits` hits.
    pub fn has_held(self, hits: u64) -> bool {
        match self {
            Self::Exactly(wanted) | Self::AtLeast(wanted) => hits >= wanted.max(1),
            Self::Every { step, rest: 0 } => hits >= step,
            Self::Every { rest, .. } => hits >= rest,
            Self::Below(_) => hits > 0,
        }
    }
}

/// What is left to read of a computed number.
struct Sum<'t>(&'t str);

impl Sum<'_> {
    /// `None` where it is no number of hits: negative, too large, divided by zero, or not arithmetic.
    fn value(text: &str) -> Option<u64> {
        const DEEPEST: usize = 20;
        let mut sum = Sum(text);
        let value = sum.sum(DEEPEST)?;
        if sum.0.trim_start().is_empty() { value.try_into().ok() } else { None }
    }

    fn sum(&mut self, depth: usize) -> Option<i64> {
        let mut value = self.product(depth)?;
        while let Some(sign) = self.next_of("+-") {
            let other = self.product(depth)?;
            value = if sign == '+' { value.checked_add(other)? } else { value.checked_sub(other)? };
        }
        Some(value)
    }

    fn product(&mut self, depth: usize) -> Option<i64> {
        let mut value = self.factor(depth)?;
        while let Some(sign) = self.next_of("*/%") {
            let other = self.factor(depth)?;
            value = match sign {
                '*' => value.checked_mul(other)?,
                '/' => value.checked_div(other)?,
                _ => value.checked_rem(other)?,
            };
        }
        Some(value)
    }

    fn factor(&mut self, depth: usize) -> Option<i64> {
        if self.next_of("(").is_some() {
            let value = self.sum(depth.checked_sub(1)?)?;
            return self.next_of(")").map(|_| value);
        }
        let text = self.0.trim_start();
        let (digits, rest) = text.split_at(text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len()));
        self.0 = rest;
        digits.parse().ok()
    }

    fn next_of(&mut self, signs: &str) -> Option<char> {
        let text = self.0.trim_start();
        let sign = text.chars().next().filter(|sign| signs.contains(*sign))?;
        self.0 = text.get(sign.len_utf8()..)?;
        Some(sign)
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
            ("% 3 == 0", vec![3, 6]),
            ("%3==1", vec![1, 4, 7]),
            (">= 2+1", vec![3, 4, 5, 6, 7]),
            ("2 * (4 - 1) / 3", vec![2]),
            ("% (7 % 4)", vec![3, 6]),
        ] {
            let condition = HitCondition::parse(text).unwrap();
            assert_eq!((1..=7).filter(|&count| condition.holds(count)).collect::<Vec<_>>(), hits, "{text}");
            let first = hits[0];
            assert!(!condition.has_held(first - 1) && condition.has_held(first), "{text}");
        }
    }

    #[test]
    fn anything_else_is_refused() {
        for text in [
            "",
            "x",
            "3x",
            "3 4x",
            "-1",
            "0",
            "==0",
            "%0",
            "<1",
            "!3",
            "99999999999999999999999",
            "3 3",
            "1 - 1",
            "1-2",
            "3/0",
            "(3",
            "3)",
            "2+",
            "%3==3",
            "%3 = 1",
            ">= i * 2",
            "=<3",
        ] {
            assert_eq!(HitCondition::parse(text), None, "{text}");
        }
    }
}
