//! When a hit counts, and what a tracepoint says.

/// `3`, `==3`, `>=3`, `>3`, `<3`, `<=3`, `%3`; hits count from 1, after the condition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HitCondition {
    Exactly(u64),
    AtLeast(u64),
    Below(u64),
    Every(u64),
}

impl HitCondition {
    /// `None` for anything else.
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
}

/// Text with `{expression}` holes; `{{` and `\{` are braces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogMessage(pub Vec<Part>);

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    Text(String),
    Hole(String),
}

impl LogMessage {
    /// A hole that is not closed is text.
    pub fn parse(message: &str) -> Self {
        let (mut parts, mut text) = (Vec::new(), String::new());
        let mut rest = message;
        while let Some(c) = rest.chars().next() {
            let after = rest.get(c.len_utf8()..).unwrap_or("");
            if (c == '{' || c == '}') && after.starts_with(c) {
                text.push(c);
                rest = after.get(1..).unwrap_or("");
            } else if c == '\\' && after.starts_with(['{', '}']) {
                text.push_str(after.get(..1).unwrap_or(""));
                rest = after.get(1..).unwrap_or("");
            } else if let (true, Some(end)) = (c == '{', hole_end(after)) {
                if !text.is_empty() {
                    parts.push(Part::Text(std::mem::take(&mut text)));
                }
                parts.push(Part::Hole(after.get(..end).unwrap_or("").trim().to_owned()));
                rest = after.get(end + 1..).unwrap_or("");
            } else {
                text.push(c);
                rest = after;
            }
        }
        if !text.is_empty() {
            parts.push(Part::Text(text));
        }
        Self(parts)
    }
}

/// The brace that closes a hole, past nested braces and strings.
fn hole_end(text: &str) -> Option<usize> {
    let (mut depth, mut in_string, mut escaped) = (0_u32, false, false);
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if in_string => escaped = true,
            '"' => in_string = !in_string,
            '{' if !in_string => depth += 1,
            '}' if !in_string && depth == 0 => return Some(at),
            '}' if !in_string => depth -= 1,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hit_conditions_in_all_their_forms() {
        for (text, held) in [
            ("2", vec![2]),
            ("== 2", vec![2]),
            (">=3", vec![3, 4, 5]),
            ("> 3", vec![4, 5]),
            ("<3", vec![1, 2]),
            ("<= 3", vec![1, 2, 3]),
            ("%2", vec![2, 4]),
        ] {
            let condition = HitCondition::parse(text).unwrap();
            assert_eq!((1..=5).filter(|&hits| condition.holds(hits)).collect::<Vec<_>>(), held, "{text}");
        }
        for text in ["", "x", "0", "<1", "%0", "3 4x"] {
            assert_eq!(HitCondition::parse(text), None, "{text}");
        }
    }

    #[test]
    fn messages_have_holes_and_braces() {
        let text = |text: &str| Part::Text(text.into());
        let hole = |text: &str| Part::Hole(text.into());
        assert_eq!(LogMessage::parse("i = {i}!").0, [text("i = "), hole("i"), text("!")]);
        assert_eq!(LogMessage::parse("{{x}} \\{y\\} {d[\"}\"]}").0, [text("{x} {y} "), hole("d[\"}\"]")]);
        assert_eq!(LogMessage::parse("{open").0, [text("{open")]);
    }
}
