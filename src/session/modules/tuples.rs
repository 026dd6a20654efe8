//! Names that the source gives to the elements of tuples: `t.Left` is `t.Item1` in the program and for adapters.

use std::collections::HashMap;

use clr_metadata::{DeclaredType, TypeUniverse};

use super::Modules;
use crate::session::expression::outside_strings;

/// The declared types of the variables in scope at a statement.
#[derive(Debug, Clone, Default)]
pub struct DeclaredVariables(HashMap<String, DeclaredType>);

impl Modules {
    /// Of the statement that begins there, or of the first one of a line.
    pub fn declared_at(&self, path: &str, line: u32, column: Option<u32>) -> DeclaredVariables {
        let at = |column| {
            self.with_statement(path, (line, column), |assembly, method, offset, _| {
                Some(assembly.variables_at(method, offset))
            })
        };
        let variables = match column {
            Some(column) => at(column),
            None => {
                let inner = self.lock();
                inner.find(path).and_then(|(assembly, document)| {
                    let (method, offset) = assembly.line_to_methods(document.id, line).into_iter().next()?;
                    Some(assembly.variables_at(method, offset))
                })
            }
        };
        let variables = variables.unwrap_or_default().into_iter();
        DeclaredVariables(variables.map(|it| (it.name, DeclaredType::new(it.type_, it.element_names))).collect())
    }

    /// The expression with the fields of tuples by their own names; `None` where it has none by another.
    pub fn spell_elements(&self, expression: &str, variables: &DeclaredVariables) -> Option<String> {
        if variables.0.is_empty() || !expression.contains('.') {
            return None;
        }
        let universe = self.lock().universe.clone();
        let spelled = Spelling { universe: &universe, variables }.text(expression);
        (spelled != expression).then_some(spelled)
    }

    /// The declared type of what a path leads to, where that names elements of tuples.
    pub fn declared_of(&self, path: &str, variables: &DeclaredVariables) -> Option<DeclaredType> {
        let universe = self.lock().universe.clone();
        let (_, declared, rest) = Spelling { universe: &universe, variables }.chain(path)?;
        declared.filter(|declared| rest.is_empty() && declared.has_names())
    }
}

impl DeclaredVariables {
    /// What the source declares a variable of that name as; `this` too.
    pub fn of(&self, name: &str) -> Option<&DeclaredType> {
        self.0.get(name)
    }
}

struct Spelling<'a> {
    universe: &'a TypeUniverse,
    variables: &'a DeclaredVariables,
}

impl Spelling<'_> {
    fn text(&self, expression: &str) -> String {
        // blanks what is in strings, byte for byte only where that is ASCII
        let code = outside_strings(expression);
        if code.len() != expression.len() {
            return expression.to_owned();
        }
        let (mut out, mut at, mut behind) = (String::new(), 0, ' ');
        while let Some(c) = code.get(at..).and_then(|rest| rest.chars().next()) {
            let starts = is_name(c) && !c.is_ascii_digit() && !is_name(behind) && behind != '.';
            let rest = expression.get(at..).unwrap_or_default();
            let (spelled, length) = match self.chain(rest).filter(|_| starts) {
                Some((spelled, _, left)) => (spelled, rest.len() - left.len()),
                None => (rest.get(..c.len_utf8()).unwrap_or_default().to_owned(), c.len_utf8()),
            };
            behind = spelled.chars().next_back().unwrap_or(c);
            out.push_str(&spelled);
            at += length;
        }
        out
    }

    /// The path of members and indices that `text` begins with, as adapters know it; its type; and what is behind it.
    fn chain<'t>(&self, text: &'t str) -> Option<(String, Option<DeclaredType>, &'t str)> {
        let (first, mut rest) = split_name(text)?;
        let mut out = first.to_owned();
        let this = || self.member(self.variables.0.get("this")?, first);
        let mut declared = self.variables.0.get(first).cloned().or_else(this);
        while declared.is_some() {
            let link = ["?.", "!.", "."].into_iter().find(|link| rest.starts_with(link));
            if let Some(link) = link {
                let Some((name, behind)) = rest.get(link.len()..).and_then(split_name) else { break };
                let spelled = declared.as_ref().and_then(|declared| declared.element(name));
                let (name, type_) = match spelled {
                    Some((path, type_)) => (path, Some(type_)),
                    None => (name.to_owned(), declared.and_then(|declared| self.member(&declared, name))),
                };
                out.push_str(link);
                out.push_str(&name);
                (declared, rest) = (type_, behind);
            } else if rest.starts_with('[')
                && let Some(end) = closing(rest)
            {
                let inside = rest.get(1..end).unwrap_or_default();
                out.push_str(&format!("[{}]", self.text(inside)));
                declared = declared.and_then(|declared| declared.indexed());
                rest = rest.get(end + 1..).unwrap_or_default();
            } else {
                break;
            }
        }
        Some((out, declared, rest))
    }

    fn member(&self, of: &DeclaredType, name: &str) -> Option<DeclaredType> {
        if let Some(item) = of.item_named(name) {
            return Some(item);
        }
        let mut all = self.universe.members(&of.type_.to_string()).into_iter();
        all.find(|member| member.name == name).map(|member| DeclaredType::new(member.type_, member.element_names))
    }
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '@')
}

fn split_name(text: &str) -> Option<(&str, &str)> {
    let end = text.find(|c| !is_name(c)).unwrap_or(text.len());
    (end > 0).then(|| text.split_at(end))
}

/// Where the bracket that `text` begins with is closed.
fn closing(text: &str) -> Option<usize> {
    let code = outside_strings(text);
    let mut depth = 0usize;
    for (at, c) in code.char_indices().filter(|_| code.len() == text.len()) {
        match c {
            '[' | '(' => depth += 1,
            ']' | ')' => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}
