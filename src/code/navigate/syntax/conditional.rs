//! Directives (C# standard, 6.5). The grammar knows `#if` only around whole declarations and statements, and takes all branches for code.
//! So what no build compiled is blanked before a source is parsed, and the directives with it; nothing moves.

use std::collections::HashSet;
use std::ops::Range;

/// Of one condition: what is nested deeper is no condition.
const MOST_DEPTH: usize = 64;
/// Around a raw text.
const MOST_QUOTES: usize = 64;

/// Whether a line may be one.
pub(super) fn has_directives(text: &str) -> bool {
    text.contains('#') && text.lines().any(|line| line.trim_start().starts_with('#'))
}

/// The lines of directives, and of what none of the builds compiled; a build is given as its symbols. Without a build, nothing is.
pub(super) fn omitted(text: &str, builds: &[Vec<String>]) -> Vec<Range<usize>> {
    let Some((first, others)) = builds.split_first() else { return Vec::new() };
    let mut blank = Walk::of(text, first);
    for symbols in others {
        // What another build compiled stays.
        let starts: HashSet<usize> = Walk::of(text, symbols).iter().map(|line| line.start).collect();
        blank.retain(|line| starts.contains(&line.start));
    }
    blank
}

/// An `#if` that is open.
struct Open {
    is_around_active: bool,
    /// Whether one of its branches was.
    was_taken: bool,
}

struct Walk<'a> {
    text: &'a str,
    symbols: HashSet<&'a str>,
    open: Vec<Open>,
    is_active: bool,
    /// Lines of directives, and of what was left out.
    found: Vec<Range<usize>>,
}

impl<'a> Walk<'a> {
    fn of(text: &'a str, symbols: &'a [String]) -> Vec<Range<usize>> {
        let symbols = symbols.iter().map(String::as_str).collect();
        let mut walk = Self { text, symbols, open: Vec::new(), is_active: true, found: Vec::new() };
        let mut at = 0;
        while at < text.len() {
            at = walk.line(at);
        }
        walk.found
    }

    /// From the start of a line to that of the next which may hold a directive.
    fn line(&mut self, start: usize) -> usize {
        let end = line_end(self.text, start);
        let line = self.text.get(start..end).unwrap_or_default().trim();
        if let Some(directive) = line.strip_prefix('#') {
            self.directive(directive.trim_start());
            self.found.push(start..end);
            return end;
        }
        if self.is_active {
            return behind_tokens(self.text.as_bytes(), start, end);
        }
        self.found.push(start..end);
        end
    }

    fn directive(&mut self, text: &'a str) {
        let text = text.split("//").next().unwrap_or_default();
        let length = text.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(text.len());
        let (word, rest) = text.split_at(length);
        match word {
            "if" => {
                let is_around_active = self.is_active;
                self.is_active = is_around_active && self.holds(rest);
                self.open.push(Open { is_around_active, was_taken: self.is_active });
            }
            "elif" | "else" => {
                let holds = word == "else" || self.holds(rest);
                if let Some(open) = self.open.last_mut() {
                    self.is_active = open.is_around_active && !open.was_taken && holds;
                    open.was_taken |= self.is_active;
                }
            }
            "endif" => self.is_active = self.open.pop().is_none_or(|it| it.is_around_active),
            "define" if self.is_active => drop(self.symbols.insert(rest.trim())),
            "undef" if self.is_active => drop(self.symbols.remove(rest.trim())),
            _ => {}
        }
    }

    fn holds(&self, condition: &str) -> bool {
        Condition { rest: condition, symbols: &self.symbols, depth: 0 }.any()
    }
}

/// A condition (C# standard, 6.5.3), read from left to right.
struct Condition<'a> {
    rest: &'a str,
    symbols: &'a HashSet<&'a str>,
    depth: usize,
}

impl Condition<'_> {
    fn any(&mut self) -> bool {
        let mut value = self.all();
        while self.takes("||") {
            value |= self.all();
        }
        value
    }

    fn all(&mut self) -> bool {
        let mut value = self.equal();
        while self.takes("&&") {
            value &= self.equal();
        }
        value
    }

    fn equal(&mut self) -> bool {
        let mut value = self.one();
        loop {
            if self.takes("==") {
                value = value == self.one();
            } else if self.takes("!=") {
                value = value != self.one();
            } else {
                return value;
            }
        }
    }

    fn one(&mut self) -> bool {
        let mut is_negated = false;
        while self.takes("!") {
            is_negated = !is_negated;
        }
        if self.takes("(") {
            self.depth += 1;
            if self.depth > MOST_DEPTH {
                self.rest = "";
                return false;
            }
            let value = self.any();
            self.takes(")");
            self.depth -= 1;
            return value != is_negated;
        }
        let goes_on = |c: char| c.is_alphanumeric() || c == '_';
        let (name, rest) = self.rest.split_at(self.rest.find(|c| !goes_on(c)).unwrap_or(self.rest.len()));
        self.rest = rest;
        (name == "true" || self.symbols.contains(name)) != is_negated
    }

    fn takes(&mut self, sign: &str) -> bool {
        self.rest = self.rest.trim_start();
        match self.rest.strip_prefix(sign) {
            // `!` is not the start of `!=`.
            Some(rest) if sign != "!" || !rest.starts_with('=') => {
                self.rest = rest;
                true
            }
            _ => false,
        }
    }
}

/// Behind the line's break.
fn line_end(text: &str, start: usize) -> usize {
    text.get(start..).and_then(|rest| rest.find('\n')).map_or(text.len(), |length| start + length + 1)
}

/// The end of a line of code, or of a later one, where a comment or a text of several lines that begins here ends: a `#` within is none
/// of a directive.
fn behind_tokens(text: &[u8], start: usize, end: usize) -> usize {
    let mut at = start;
    let mut end = end;
    while at < end {
        let rest = text.get(at..).unwrap_or_default();
        let length = match rest {
            [b'/', b'/', ..] => return end,
            [b'/', b'*', ..] => 2 + until(rest.get(2..).unwrap_or_default(), b"*/"),
            [b'"', ..] => text_length(rest, text.get(at.saturating_sub(2)..at).unwrap_or_default()),
            [b'\'', ..] => in_line(rest, b'\''),
            _ => 1,
        };
        at += length;
        if at > end {
            let more = text.get(at..).unwrap_or_default().iter().position(|byte| *byte == b'\n');
            end = more.map_or(text.len(), |more| at + more + 1);
        }
    }
    end
}

/// Of a string that begins with a quote; `before` may make it a verbatim one.
fn text_length(rest: &[u8], before: &[u8]) -> usize {
    let quotes = rest.iter().take(MOST_QUOTES).take_while(|byte| **byte == b'"').count();
    if matches!(before, [.., b'@'] | [b'@', b'$']) {
        let mut at = 1;
        while let Some(length) = rest.get(at..).and_then(|rest| rest.iter().position(|byte| *byte == b'"')) {
            at += length + 1;
            if rest.get(at) != Some(&b'"') {
                return at;
            }
            at += 1;
        }
        return rest.len();
    }
    match quotes {
        2 => 2,
        3.. => quotes + until(rest.get(quotes..).unwrap_or_default(), rest.get(..quotes).unwrap_or_default()),
        _ => in_line(rest, b'"'),
    }
}

/// Up to behind the closing quote, at most to the end of the line.
fn in_line(rest: &[u8], quote: u8) -> usize {
    let mut at = 1;
    while let Some(&byte) = rest.get(at) {
        match byte {
            b'\\' => at += 1,
            b'\n' => return at,
            byte if byte == quote => return at + 1,
            _ => {}
        }
        at += 1;
    }
    rest.len()
}

/// Up to behind what is looked for.
fn until(text: &[u8], sought: &[u8]) -> usize {
    let found = text.windows(sought.len().max(1)).position(|it| it == sought);
    found.map_or(text.len(), |at| at + sought.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines that stay, without blanks around them.
    fn left(text: &str, builds: &[&[&str]]) -> Vec<String> {
        let builds: Vec<Vec<String>> = builds.iter().map(|it| it.iter().map(|&it| it.to_owned()).collect()).collect();
        let omitted = omitted(text, &builds).into_iter();
        let found = crate::code::navigate::syntax::blanked(text, omitted).unwrap_or_else(|| text.to_owned());
        assert_eq!(found.len(), text.len());
        assert_eq!(found.lines().count(), text.lines().count());
        found.lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect()
    }

    #[test]
    fn the_branch_that_was_compiled_stays() {
        let code = "a\n#if X\nb ä\n  # elif Y // second\nc\n#else\nd\n#if X\ne\n#endif\n#endif\nf";
        assert_eq!(left(code, &[&["X", "Y"]]), ["a", "b ä", "f"]);
        assert_eq!(left(code, &[&["Y"]]), ["a", "c", "f"]);
        assert_eq!(left(code, &[&[]]), ["a", "d", "f"]);
        // Compiled twice, and by nobody knows whom.
        assert_eq!(left(code, &[&["X"], &["Y"]]), ["a", "b ä", "c", "f"]);
        assert_eq!(left(code, &[]).len(), code.lines().count());
    }

    #[test]
    fn conditions_are_those_of_the_language() {
        for (condition, holds) in [
            ("X", true),
            ("!X", false),
            ("X && Y", false),
            ("X && !Y", true),
            ("Y || X && !Z", true),
            ("(Y || X) && Z", false),
            ("X == true", true),
            ("X != true || false", false),
            ("!(X && Y)", true),
            ("!!X", true),
            ("", false),
        ] {
            let code = format!("#if {condition}\na\n#endif");
            assert_eq!(left(&code, &[&["X"]]).len(), usize::from(holds), "{condition}");
        }
        assert!(left(&format!("#if {}X\na\n#endif", "(".repeat(100_000)), &[&["X"]]).is_empty());
        assert_eq!(left("#define X\n#undef Y\n#if X && !Y\na\n#endif", &[&["Y"]]), ["a"]);
    }

    #[test]
    fn directives_go_and_what_only_looks_like_one_stays() {
        let code = "#nullable enable\n#region A\na\n#endregion\n";
        assert_eq!(left(code, &[&[]]), ["a"]);
        for text in [
            "/*\n#if X\n*/",
            "x = @\"\n#if X\n\"\"\n#if X\";",
            "x = $@\"\n#if X\";",
            "x = \"\"\"\n#if X\n\"\"\";",
            "x = \"/*\"; // \"\n/* '\"' */ y = '\"';\n\"\\\"/*\";",
        ] {
            let code = format!("{text}\n#if X\nleft out\n#endif\nb");
            let kept: Vec<&str> = text.lines().chain(["b"]).collect();
            assert_eq!(left(&code, &[&[]]), kept, "{text}");
        }
    }
}
