//! The message of a tracepoint.

/// Text with `{expression}` holes; `{{` and `\{` are braces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogMessage(pub Vec<Part>);

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    Text(String),
    Hole(String),
}

impl LogMessage {
    /// The expressions in its holes.
    pub fn holes(&self) -> impl Iterator<Item = &str> {
        self.0.iter().filter_map(|part| match part {
            Part::Hole(expression) => Some(expression.as_str()),
            Part::Text(_) => None,
        })
    }

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
    fn messages_have_holes_and_braces() {
        let text = |text: &str| Part::Text(text.into());
        let hole = |text: &str| Part::Hole(text.into());
        assert_eq!(LogMessage::parse("i = {i}!").0, [text("i = "), hole("i"), text("!")]);
        assert_eq!(LogMessage::parse("{{x}} \\{y\\} {d[\"}\"]}").0, [text("{x} {y} "), hole("d[\"}\"]")]);
        assert_eq!(LogMessage::parse("{open").0, [text("{open")]);
    }
}
