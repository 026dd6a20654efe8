//! Names that an adapter may be asked for where one that it does not find kills it.
//!
//! dncdbg looks for a name that stands alone (`total`, the `Store` of `Store.Load()`) in the type of the frame's method and in those
//! around it, and takes a step too many where the outermost is in no namespace, as in a program of top-level statements: it ends
//! there with SIGABRT (`FollowNestedFindValue` in evaluator.cpp; source and tried, 2026-11-22). Dotted names are safe.

use clr_csharp::syntax;

use crate::session::expression::outside_strings;

/// A name that is looked up by itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LoneName {
    Value(String),
    /// `F(1)`: a method of the frame's type.
    Call(String),
}

impl LoneName {
    pub fn as_str(&self) -> &str {
        match self {
            Self::Value(name) | Self::Call(name) => name,
        }
    }
}

/// The names of an expression that stand alone, calls of members without what stands behind them.
pub fn lone_names(expression: &str) -> Vec<LoneName> {
    let code = outside_strings(expression);
    let mut found = Vec::new();
    let mut rest = code.as_str();
    let (mut before, mut is_created) = (' ', false);
    while let Some(first) = rest.chars().next() {
        let length = name_length(rest);
        if length == 0 {
            if !first.is_whitespace() {
                before = first;
            }
            rest = rest.get(first.len_utf8()..).unwrap_or_default();
            continue;
        }
        let (chain, behind) = rest.split_at(length);
        rest = behind;
        let is_member = std::mem::replace(&mut before, 'a') == '.';
        let is_dotted_type = std::mem::replace(&mut is_created, chain == "new") && chain.contains('.');
        if is_member || is_dotted_type || chain.starts_with(|c: char| c.is_ascii_digit()) {
            continue;
        }
        let (owner, name) = match chain.rsplit_once('.') {
            Some((owner, name)) => (Some(owner.trim()), name),
            None => (None, chain),
        };
        let name = name.trim().trim_start_matches('@');
        match (owner, behind.trim_start().starts_with('(')) {
            (Some(owner), true) if !owner.contains('.') => found.push(LoneName::Value(owner.to_owned())),
            (None, true) => found.push(LoneName::Call(name.to_owned())),
            (None, false) => found.push(LoneName::Value(name.to_owned())),
            _ => {}
        }
    }
    found.retain(|name| match name {
        // which a static method has not
        LoneName::Value(name) if name == "this" => true,
        LoneName::Value(name) | LoneName::Call(name) => !name.starts_with('$') && !is_word_of_the_language(name),
    });
    found
}

/// Bytes of `a.b.c` at the begin of a text.
fn name_length(text: &str) -> usize {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '@' | '$');
    let mut length = 0;
    loop {
        let rest = text.get(length..).unwrap_or_default();
        let part = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        if part == 0 {
            // what ends with a dot is no name: `1.` or nonsense
            return length.saturating_sub(1);
        }
        length += part;
        if !text.get(length..).is_some_and(|rest| rest.starts_with('.')) {
            return length;
        }
        length += 1;
    }
}

/// Adapters know the types among them by themselves.
fn is_word_of_the_language(word: &str) -> bool {
    syntax::is_operand_keyword(word) || matches!(word, "is" | "as" | "not" | "and" | "or" | "await")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_looked_up_alone_are_found() {
        let value = |name: &str| LoneName::Value(name.into());
        let call = |name: &str| LoneName::Call(name.into());
        for (expression, expected) in [
            ("total", vec![value("total")]),
            ("@class", vec![value("class")]),
            ("order.Total", vec![]),
            ("order.Lines[at].Price", vec![value("at")]),
            ("lines[0].Price", vec![value("lines")]),
            ("Store.Load()", vec![value("Store")]),
            ("System.Math.Max(a, b.c)", vec![value("a")]),
            ("Twice(3) + n", vec![call("Twice"), value("n")]),
            ("a?.b", vec![value("a")]),
            ("call().Result", vec![call("call")]),
            ("new System.Exception(text)", vec![value("text")]),
            ("new Order(1)", vec![call("Order")]),
            // no keyword: dncdbg looks for a method of that name
            ("nameof(args)", vec![call("nameof"), value("args")]),
            ("\"text\" + 'x' + 1.5 + 10", vec![]),
            ("this.total > 3 && true", vec![]),
            ("this", vec![value("this")]),
            ("this.Load()", vec![value("this")]),
            ("int.Parse(text)", vec![value("text")]),
            ("$exception.Message", vec![]),
            ("$exception", vec![]),
            ("", vec![]),
        ] {
            assert_eq!(lone_names(expression), expected, "{expression}");
        }
    }
}
