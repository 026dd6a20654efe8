//! Conditions of MSBuild, as far as they are certain without it.
//! <https://learn.microsoft.com/visualstudio/msbuild/msbuild-conditions>

use std::collections::HashMap;
use std::path::Path;

/// Deeper than anyone nests them.
const MOST_DEPTH: usize = 32;

/// Bytes of one value, and of all that are kept: values that name each other twice double with every line of a file.
const MOST_OF_ONE: usize = 16 << 10;
const MOST_OF_ALL: usize = 16 << 20;

/// What properties are known to be where a condition stands.
#[derive(Debug, Clone, Default)]
pub(super) struct Properties {
    /// In lower case; `None`: set to what is not known.
    values: HashMap<String, Option<String>>,
    /// Bytes of all values that were ever set.
    bytes: usize,
}

impl Properties {
    pub(super) fn set(&mut self, name: &str, value: Option<String>) {
        self.bytes += value.as_ref().map_or(0, String::len);
        let value = value.filter(|_| self.bytes <= MOST_OF_ALL);
        self.values.insert(name.to_ascii_lowercase(), value);
    }

    /// Everything may have been set since.
    pub(super) fn forget(&mut self) {
        self.values.values_mut().for_each(|value| *value = None);
    }

    /// The text with its properties filled in; `None` where one is not known, it is more than a name, or the text gets too long.
    pub(super) fn expand(&self, text: &str) -> Option<String> {
        if text.contains("@(") || text.contains("%(") {
            return None;
        }
        let mut expanded = String::new();
        let mut rest = text;
        while let Some((before, behind)) = rest.split_once("$(") {
            let (name, after) = behind.split_once(')')?;
            expanded.push_str(before);
            expanded.push_str(self.values.get(&name.to_ascii_lowercase())?.as_ref()?);
            if expanded.len() > MOST_OF_ONE {
                return None;
            }
            rest = after;
        }
        Some(expanded + rest)
    }
}

/// Whether a condition in a file of that folder holds; `None` where only MSBuild can say.
pub(super) fn holds(condition: &str, properties: &Properties, folder: &Path) -> Option<bool> {
    let tokens = tokens(condition)?;
    let mut parser = Parser { rest: &tokens, properties, folder, depth: 0 };
    let held = parser.any()?;
    if parser.rest.is_empty() { held.known() } else { None }
}

/// What a part of a condition comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Held {
    Known(bool),
    Unknown,
}

impl Held {
    fn of(held: Option<bool>) -> Self {
        held.map_or(Self::Unknown, Self::Known)
    }

    fn known(self) -> Option<bool> {
        match self {
            Self::Known(held) => Some(held),
            Self::Unknown => None,
        }
    }

    /// One `decisive` operand decides, whatever the other is.
    fn join(self, other: Self, decisive: bool) -> Self {
        match (self, other) {
            (Self::Known(held), _) | (_, Self::Known(held)) if held == decisive => Self::Known(decisive),
            (Self::Known(_), Self::Known(_)) => Self::Known(!decisive),
            _ => Self::Unknown,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Token {
    Text(String),
    Word(String),
    Sign(&'static str),
}

fn tokens(condition: &str) -> Option<Vec<Token>> {
    const SIGNS: [&str; 5] = ["==", "!=", "!", "(", ")"];
    let mut tokens = Vec::new();
    let mut rest = condition.trim_start();
    while !rest.is_empty() {
        if let Some(quoted) = rest.strip_prefix('\'') {
            let (text, after) = quoted.split_once('\'')?;
            tokens.push(Token::Text(text.to_owned()));
            rest = after;
        } else if let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
            tokens.push(Token::Sign(sign));
            rest = rest.get(sign.len()..)?;
        } else {
            let is_name = rest.starts_with("$(");
            let end =
                if is_name { rest.find(')')? + 1 } else { rest.find(|c: char| !is_word(c)).unwrap_or(rest.len()) };
            let word = rest.get(..end).filter(|word| !word.is_empty())?;
            tokens.push(Token::Word(word.to_owned()));
            rest = rest.get(end..)?;
        }
        rest = rest.trim_start();
    }
    Some(tokens)
}

fn is_word(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '.' | '_' | '-')
}

struct Parser<'a> {
    rest: &'a [Token],
    properties: &'a Properties,
    folder: &'a Path,
    depth: usize,
}

/// `None`: it is no condition that is read here.
impl Parser<'_> {
    fn any(&mut self) -> Option<Held> {
        let mut held = self.all()?;
        while self.takes_word("or") {
            held = held.join(self.all()?, true);
        }
        Some(held)
    }

    fn all(&mut self) -> Option<Held> {
        let mut held = self.one()?;
        while self.takes_word("and") {
            held = held.join(self.one()?, false);
        }
        Some(held)
    }

    fn one(&mut self) -> Option<Held> {
        self.depth += 1;
        if self.depth > MOST_DEPTH {
            return None;
        }
        let held = self.unary();
        self.depth -= 1;
        held
    }

    fn unary(&mut self) -> Option<Held> {
        if self.takes(&Token::Sign("!")) {
            return Some(Held::of(self.one()?.known().map(|held| !held)));
        }
        if self.takes(&Token::Sign("(")) {
            let held = self.any()?;
            return self.takes(&Token::Sign(")")).then_some(held);
        }
        if self.takes_word("exists") {
            let written = self.takes(&Token::Sign("(")).then(|| self.operand())??;
            let is_closed = self.takes(&Token::Sign(")"));
            // An empty path is none, and `;` and `%` are more than a part of a name.
            let written = written.filter(|path| !path.trim().is_empty() && !path.contains([';', '%']));
            let there = written.map(|path| self.folder.join(path.replace('\\', "/")).exists());
            return is_closed.then_some(Held::of(there));
        }
        let left = self.operand()?;
        for (sign, is_equal) in [("==", true), ("!=", false)] {
            if self.takes(&Token::Sign(sign)) {
                let right = self.operand()?;
                let same = left.zip(right).and_then(|(left, right)| is_same(&left, &right));
                return Some(Held::of(same.map(|same| same == is_equal)));
            }
        }
        let held = left.map(|left| left.to_ascii_lowercase());
        Some(match held.as_deref() {
            Some("true") => Held::Known(true),
            Some("false") => Held::Known(false),
            _ => Held::Unknown,
        })
    }

    /// Its text; within, `None` where a property of it is not known.
    fn operand(&mut self) -> Option<Option<String>> {
        let (first, rest) = self.rest.split_first()?;
        let (Token::Text(text) | Token::Word(text)) = first else { return None };
        self.rest = rest;
        Some(self.properties.expand(text))
    }

    fn takes(&mut self, token: &Token) -> bool {
        let rest = self.rest.split_first().filter(|(first, _)| *first == token).map(|(_, rest)| rest);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn takes_word(&mut self, word: &str) -> bool {
        let is_it = matches!(self.rest.first(), Some(Token::Word(first)) if first.eq_ignore_ascii_case(word));
        is_it && self.takes(&self.rest.first().cloned().unwrap_or(Token::Sign("")))
    }
}

/// `None` where MSBuild compares more than texts: two numbers, or two of its words for booleans.
/// <https://github.com/dotnet/msbuild/blob/main/src/Build/Evaluation/Conditionals/MultipleComparisonExpressionNode.cs>
fn is_same(left: &str, right: &str) -> Option<bool> {
    let both = |is: fn(&str) -> bool| is(left) && is(right);
    let is_same = left.eq_ignore_ascii_case(right);
    (is_same || !(both(is_number) || both(is_boolean))).then_some(is_same)
}

fn is_number(text: &str) -> bool {
    let hex = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
    text.parse::<f64>().is_ok() || hex.is_some_and(|hex| u64::from_str_radix(hex, 16).is_ok())
}

fn is_boolean(text: &str) -> bool {
    let word = text.strip_prefix('!').unwrap_or(text);
    ["true", "false", "on", "off", "yes", "no"].iter().any(|known| word.eq_ignore_ascii_case(known))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_are_evaluated_as_far_as_their_properties_are_known() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("there.props"), "").unwrap();
        let mut properties = Properties::default();
        properties.set("Kind", Some("Tool".to_owned()));
        properties.set("Empty", Some(String::new()));
        properties.set("On", Some("True".to_owned()));
        properties.set("Eight", Some("8.0".to_owned()));
        properties.set("Hidden", None);
        for (condition, expected) in [
            ("'$(Kind)' == 'tool'", Some(true)),
            (" '$(KIND)'!='Tool' ", Some(false)),
            ("$(Kind) == Tool", Some(true)),
            ("'$(Empty)' == ''", Some(true)),
            ("'$(Kind)|$(Empty)' == 'Tool|'", Some(true)),
            ("'$(Unset)' == ''", None),
            ("'$(Hidden)' == ''", None),
            ("'$(Hidden)' == '' and '$(Kind)' == 'x'", Some(false)),
            ("'$(Hidden)' == '' or '$(Kind)' == 'Tool'", Some(true)),
            ("'$(Hidden)' == '' and '$(Kind)' == 'Tool'", None),
            ("!('$(Kind)' == 'x' Or false) AND $(On)", Some(true)),
            ("!'$(Hidden)'", None),
            ("Exists('there.props')", Some(true)),
            ("!Exists('gone.props')", Some(true)),
            ("Exists('$(Hidden).props')", None),
            ("Exists('$(Empty)')", None),
            ("Exists('there.props;gone.props')", None),
            ("'$(Eight)' == '8.0'", Some(true)),
            ("'$(Eight)' == '8'", None),
            ("'$(Eight)' != '0x8'", None),
            ("'$(Eight)' == '9.0'", None),
            ("'$(Eight)' == 'net8.0'", Some(false)),
            ("'$(Eight)' == ''", Some(false)),
            ("'$(On)' == 'true'", Some(true)),
            ("'$(On)' == 'YES'", None),
            ("'$(On)' != '!false'", None),
            ("'$(On)' == 'off'", None),
            ("'$(On)' == '1'", Some(false)),
            ("Exists('$(Kind).props') or Exists('there.props')", Some(true)),
            ("$([MSBuild]::IsOSPlatform('Linux'))", None),
            ("'$(Kind.Length)' == '4'", None),
            ("'@(Compile)' == ''", None),
            ("'$(Kind)' > '1'", None),
            ("HasTrailingSlash('a/')", None),
            ("'$(Kind)' ==", None),
            ("'$(Kind", None),
            ("", None),
        ] {
            assert_eq!(holds(condition, &properties, folder.path()), expected, "{condition}");
        }
        assert_eq!(holds(&"(".repeat(100_000), &properties, folder.path()), None);
        assert_eq!(holds(&"!".repeat(100_000), &properties, folder.path()), None);
    }

    #[test]
    fn values_that_double_with_every_line_are_not_known() {
        let mut properties = Properties::default();
        properties.set("P0", Some("8 bytes!".to_owned()));
        for at in 0..60 {
            let value = properties.expand(&format!("$(P{at})$(P{at})"));
            assert_eq!(value.is_some(), at < 11, "P{}", at + 1);
            properties.set(&format!("P{}", at + 1), value);
        }
        let long = "x".repeat(MOST_OF_ONE);
        (0..MOST_OF_ALL / MOST_OF_ONE).for_each(|at| properties.set(&format!("L{at}"), Some(long.clone())));
        properties.set("Last", Some("x".to_owned()));
        assert_eq!(properties.expand("$(Last)"), None, "all that are kept are bounded too");
    }

    #[test]
    fn what_is_imported_may_set_anything() {
        let mut properties = Properties::default();
        properties.set("A", Some("1".to_owned()));
        properties.forget();
        assert_eq!(properties.expand("$(A)"), None);
    }
}
