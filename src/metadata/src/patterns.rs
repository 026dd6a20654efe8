//! Patterns for names, as people type them into a search box.
//!
//! `*` stands for any run of characters, `?` for one; a pattern with one of them must match the whole name. A pattern without is
//! looked for anywhere in the name. ASCII letters match in either case: who searches seldom knows whether it is `HTTP` or `Http`.
//! A pattern with a dot is matched against the full name: with wildcards from its beginning or from behind one of its dots.

/// Longer than any name that is worth a pattern.
const MAX_PATTERN: usize = 1024;
/// The runtime takes names of 1,023 bytes; what is much longer was made to keep us busy.
const MAX_NAME: usize = 4096;

/// How well a name matches; better ones are less.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rank {
    /// The name is the pattern.
    Exact,
    /// The name begins with it, or wildcards fit.
    Beginning,
    /// It stands within the name.
    Inside,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamePattern {
    text: String,
    has_wildcards: bool,
}

impl NamePattern {
    /// Generic arguments and arities are cut off, `+` between nested types is a dot. The error is a clause on the pattern.
    pub fn parse(text: &str) -> Result<Self, String> {
        let text = text.trim();
        if text.is_empty() {
            return Err("is empty".into());
        }
        if text.len() > MAX_PATTERN {
            return Err(format!("is longer than {MAX_PATTERN} bytes"));
        }
        if let Some(odd) = text.chars().find(|c| c.is_control() || "^$|\\()[]{}".contains(*c)) {
            return Err(format!("contains {odd:?}: patterns are not regular expressions"));
        }
        let mut plain = String::with_capacity(text.len());
        let mut depth = 0usize;
        let mut in_arity = false;
        for character in text.chars() {
            match character {
                '<' => depth += 1,
                '>' => depth = depth.checked_sub(1).ok_or("closes a `>` that was not opened")?,
                _ if depth > 0 => {}
                '`' => in_arity = true,
                c if in_arity && c.is_ascii_digit() => {}
                c => {
                    in_arity = false;
                    plain.push(if matches!(c, '+' | '/') { '.' } else { c });
                }
            }
        }
        if depth > 0 {
            return Err("opens a `<` that is not closed".into());
        }
        if plain.is_empty() {
            return Err("has no name".into());
        }
        Ok(Self { has_wildcards: plain.contains(['*', '?']), text: plain })
    }

    /// `*`: any name will do.
    pub(super) fn is_any(&self) -> bool {
        self.text == "*"
    }

    /// Whether it is for full names.
    pub fn is_dotted(&self) -> bool {
        self.text.contains('.')
    }

    /// The text that a name must hold as it is in the file, case aside; `None` where there is no such text.
    pub(super) fn letters(&self) -> Option<&str> {
        // A name that is no text is shown as that character.
        let is_plain = !self.has_wildcards && !self.is_dotted() && !self.text.contains('\u{fffd}');
        is_plain.then_some(self.text.as_str())
    }

    /// The pattern for the type and that for the method in it, of a dotted one.
    pub fn split(&self) -> Option<(Self, Self)> {
        let (head, tail) = self.text.rsplit_once('.')?;
        let part = |text: &str| Self { text: text.to_owned(), has_wildcards: self.has_wildcards };
        Some((part(head), part(tail)))
    }

    /// `name` is the last name of an item, or its full name for a dotted pattern; without arities.
    pub fn rank(&self, name: &str) -> Option<Rank> {
        if !self.has_wildcards {
            return self.contained_in(name);
        }
        let is_hit = if self.is_dotted() { self.ends(name) } else { fits(&self.text, name) };
        is_hit.then_some(Rank::Beginning)
    }

    /// Whether it is all of the name; case counts only where it has no wildcards.
    pub fn fits(&self, name: &str) -> bool {
        if self.has_wildcards { fits(&self.text, name) } else { self.text == name }
    }

    /// Whether the end of a full name is what the pattern says; for the type's half of a dotted pattern.
    pub fn ends(&self, full_name: &str) -> bool {
        if self.has_wildcards {
            return fits(&self.text, full_name) || fits(&format!("*.{}", self.text), full_name);
        }
        let start = full_name.len().checked_sub(self.text.len());
        start.and_then(|start| full_name.get(start..)).is_some_and(|end| end.eq_ignore_ascii_case(&self.text))
    }

    /// Whether a name begins with it (all of it, with wildcards); for the method's half of a dotted pattern.
    pub fn begins(&self, name: &str) -> Option<Rank> {
        if self.has_wildcards {
            return fits(&self.text, name).then_some(Rank::Beginning);
        }
        self.contained_in(name).filter(|rank| *rank < Rank::Inside)
    }

    fn contained_in(&self, name: &str) -> Option<Rank> {
        let (name, wanted) = (name.as_bytes(), self.text.as_bytes());
        let first = wanted.first().map_or(0, u8::to_ascii_lowercase);
        let at = match wanted.len() {
            0 => 0,
            length => name.windows(length).position(|part| {
                part.first().map(u8::to_ascii_lowercase) == Some(first) && part.eq_ignore_ascii_case(wanted)
            })?,
        };
        Some(match at {
            0 if name.len() == wanted.len() => Rank::Exact,
            0 => Rank::Beginning,
            _ => Rank::Inside,
        })
    }
}

/// Matches with one place to go back to, the last `*`: at worst the product of the two lengths, never more.
fn fits(pattern: &str, name: &str) -> bool {
    if name.len() > MAX_NAME {
        return false;
    }
    if pattern == "*" {
        return true;
    }
    let (mut pattern, mut name) = (pattern.chars(), name.chars());
    let mut retry: Option<(std::str::Chars<'_>, std::str::Chars<'_>)> = None;
    loop {
        let here = (pattern.clone(), name.clone());
        match (pattern.next(), name.next()) {
            (None, None) => return true,
            (Some('*'), _) => {
                name = here.1;
                retry = Some((pattern.clone(), name.clone()));
                continue;
            }
            (Some(wanted), Some(got)) if wanted == '?' || wanted.eq_ignore_ascii_case(&got) => continue,
            _ => {}
        }
        let Some((after_star, mut skipped)) = retry else { return false };
        if skipped.next().is_none() {
            return false;
        }
        (pattern, name) = (after_star.clone(), skipped.clone());
        retry = Some((after_star, skipped));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rank(pattern: &str, name: &str) -> Option<Rank> {
        NamePattern::parse(pattern).unwrap().rank(name)
    }

    #[test]
    fn words_are_found_anywhere_and_wildcards_fit_the_whole_name() {
        for (pattern, name, expected) in [
            ("order", "Order", Some(Rank::Exact)),
            ("ORDER", "OrderLine", Some(Rank::Beginning)),
            ("line", "OrderLine", Some(Rank::Inside)),
            ("lines", "OrderLine", None),
            ("Order*", "OrderLine", Some(Rank::Beginning)),
            ("Order*", "MyOrder", None),
            ("*order", "MyOrder", Some(Rank::Beginning)),
            ("o?der", "Order", Some(Rank::Beginning)),
            ("?", "é", Some(Rank::Beginning)),
            ("*", "", Some(Rank::Beginning)),
            ("a*b*c", "a-b-b-c", Some(Rank::Beginning)),
            ("a*b*c", "a-b-b-d", None),
            ("List<int>", "List", Some(Rank::Exact)),
            ("List`1", "List", Some(Rank::Exact)),
            ("Basics.Order*", "Basics.OrderLine", Some(Rank::Beginning)),
            ("Order.In*", "Basics.Order.Inner", Some(Rank::Beginning)),
            ("rder.In*", "Basics.Order.Inner", None),
            ("Outer+In", "Ns.Outer.Inner", Some(Rank::Inside)),
            ("größe", "Größe", Some(Rank::Exact)),
        ] {
            assert_eq!(rank(pattern, name), expected, "{pattern} {name}");
        }
    }

    #[test]
    fn a_dotted_pattern_has_a_half_for_the_type_and_one_for_the_method() {
        for (pattern, type_name, method, expected) in [
            ("Order.Add", "Basics.Order", "Add", Some(Rank::Exact)),
            ("order.ad", "Basics.Order", "AddLine", Some(Rank::Beginning)),
            ("Order.Line", "Basics.Order", "AddLine", None),
            ("Order.*Line", "Basics.Order", "AddLine", Some(Rank::Beginning)),
            ("Or*.Add", "Basics.Order", "Add", Some(Rank::Beginning)),
            ("r*.Add", "Basics.Order", "Add", None),
            ("Order.", "Basics.Order", "Add", Some(Rank::Beginning)),
        ] {
            let (head, tail) = NamePattern::parse(pattern).unwrap().split().unwrap();
            assert_eq!(
                tail.begins(method).filter(|_| head.ends(type_name)),
                expected,
                "{pattern} {type_name} {method}"
            );
        }
        assert_eq!(NamePattern::parse("Add").unwrap().split(), None);
    }

    #[test]
    fn what_cannot_be_a_name_is_refused_with_a_reason() {
        for (pattern, reason) in [
            ("", "is empty"),
            ("  ", "is empty"),
            ("^Order$", "regular expression"),
            ("Add(int)", "regular expression"),
            ("a\nb", "regular expression"),
            ("List<", "not closed"),
            ("a>", "not opened"),
            ("<T>", "has no name"),
        ] {
            let error = NamePattern::parse(pattern).unwrap_err();
            assert!(error.contains(reason), "{pattern}: {error}");
        }
        assert!(NamePattern::parse(&"x".repeat(1025)).unwrap_err().contains("1024"));
    }

    #[test]
    fn a_pattern_of_stars_ends_soon() {
        let pattern = "*a".repeat(500);
        assert_eq!(rank(&pattern, &"a".repeat(499)), None);
        assert_eq!(rank(&pattern, &"ba".repeat(500)), Some(Rank::Beginning));
    }
}
