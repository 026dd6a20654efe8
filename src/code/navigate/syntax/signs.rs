//! Signs that may stand for a member: those of operators and casts, and the brackets of indexers.

use super::{Form, NodeId, Role, Syntax};

/// A sign of the text, and the expression or declaration that it is part of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::code::navigate) struct Sign {
    pub(in crate::code::navigate) what: SignKind,
    pub(in crate::code::navigate) node: NodeId,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::code::navigate) enum SignKind {
    /// As a type would declare it: `+` of `a + b`, of `a += b` and of `+a`.
    Operator { sign: &'static str, operands: usize, how: Operation },
    /// `(T)a`
    Conversion,
    /// `a[0]`
    Indexer,
    /// Of an operator or an indexer, where it is declared.
    Declaration,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::code::navigate) enum Operation {
    Plain,
    /// `a += b`
    Compound,
    /// `a && b`: made of `&` and `false`.
    ShortCircuit,
}

impl Syntax {
    /// The sign that has this byte.
    pub(in crate::code::navigate) fn sign_at(&self, byte: usize) -> Option<Sign> {
        let id = self.innermost(&(byte..byte + 1));
        let around = self.parent(id)?;
        let sign = |what, node| Some(Sign { what, node });
        match (self.byte(byte)?, self.kind(id)) {
            (b'[' | b']', "bracketed_argument_list") if self.kind(around) == "element_access_expression" => {
                sign(SignKind::Indexer, around)
            }
            (b'[' | b']', "element_binding_expression") => sign(SignKind::Indexer, id),
            (b'[' | b']', "bracketed_parameter_list") => sign(SignKind::Declaration, around),
            (b'(' | b')', "cast_expression") => sign(SignKind::Conversion, id),
            (_, "predefined_type") if self.kind(around) == "cast_expression" => sign(SignKind::Conversion, around),
            _ if matches!(self.kind(around), "operator_declaration" | "conversion_operator_declaration") => {
                let is_sign = self.field(id) == Some("operator");
                let is_word = matches!(self.kind(id), "operator" | "implicit" | "explicit");
                (is_sign || is_word).then_some(Sign { what: SignKind::Declaration, node: around })
            }
            _ => self.operator_of(id, around).map(|what| Sign { what, node: around }),
        }
    }

    /// What `sign`, a child of the expression, does.
    fn operator_of(&self, sign: NodeId, expression: NodeId) -> Option<SignKind> {
        let written = self.kind(sign);
        let (sign, operands, how) = match self.kind(expression) {
            "binary_expression" if self.field(sign) == Some("operator") => match written {
                "&&" => ("&", 2, Operation::ShortCircuit),
                "||" => ("|", 2, Operation::ShortCircuit),
                "??" => return None,
                plain => (plain, 2, Operation::Plain),
            },
            "assignment_expression" if self.field(sign) == Some("operator") => {
                let plain = written.strip_suffix('=').filter(|plain| !plain.is_empty() && *plain != "??")?;
                (plain, 2, Operation::Compound)
            }
            "prefix_unary_expression" if matches!(written, "+" | "-" | "!" | "~" | "++" | "--") => {
                (written, 1, Operation::Plain)
            }
            "postfix_unary_expression" if matches!(written, "++" | "--") => (written, 1, Operation::Plain),
            _ => return None,
        };
        Some(SignKind::Operator { sign, operands, how })
    }

    /// The expressions of the text that could mean what a sign means, in the order of the text.
    pub(in crate::code::navigate) fn signs_like(&self, sign: &SignKind) -> Vec<NodeId> {
        let is_like = |&id: &NodeId| {
            match sign {
            SignKind::Operator { sign, operands, .. } => self.children(id).any(|child| {
                let other = self.operator_of(child, id);
                matches!(other, Some(SignKind::Operator { sign: its, operands: count, .. }) if its == *sign && count == *operands)
            }),
            SignKind::Conversion => self.kind(id) == "cast_expression",
            SignKind::Indexer => matches!(self.kind(id), "element_access_expression" | "element_binding_expression"),
            SignKind::Declaration => false,
        }
        };
        self.all().filter(is_like).collect()
    }

    /// Where the code of an expression ends, behind that of all it is made of: what ends first runs first. Of what ends together, the
    /// inner goes first.
    pub(in crate::code::navigate) fn runs_at(&self, expression: NodeId) -> (usize, std::cmp::Reverse<usize>) {
        let whole = self.whole(expression);
        let assigned = self.role(expression) == Role::Write(Form::Simple) && self.field(whole) == Some("left");
        let last = self.parent(whole).filter(|_| assigned).unwrap_or(expression);
        let range = self.range(last);
        (range.end, std::cmp::Reverse(range.start))
    }

    /// Whether an operand of `+` is a text by what is written.
    pub(in crate::code::navigate) fn joins_texts(&self, expression: NodeId) -> bool {
        let mut open = vec![expression];
        while let Some(id) = open.pop() {
            match self.kind(id) {
                "binary_expression" | "parenthesized_expression" => open.extend(self.children(id)),
                "assignment_expression" => open.extend(self.child(id, "right")),
                kind if kind.ends_with("string_literal") || kind == "interpolated_string_expression" => return true,
                _ => {}
            }
        }
        false
    }

    fn byte(&self, at: usize) -> Option<u8> {
        self.text.as_bytes().get(at).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What stands at the `|` of a text, which is taken out of it.
    fn at(code: &str) -> Option<SignKind> {
        let text = format!("class A {{ void M() {{ {code} }} }}");
        let byte = text.find('¦').unwrap();
        Syntax::parse(text.replace('¦', "")).unwrap().sign_at(byte).map(|sign| sign.what)
    }

    #[test]
    fn a_sign_is_known_by_the_expression_around_it() {
        use Operation::{Compound, Plain, ShortCircuit};
        let operator = |sign, operands, how| Some(SignKind::Operator { sign, operands, how });
        for (code, expected) in [
            ("x = a ¦+ b;", operator("+", 2, Plain)),
            ("x = a >¦> b;", operator(">>", 2, Plain)),
            ("a ¦+= b;", operator("+", 2, Compound)),
            ("x = a ¦&& b;", operator("&", 2, ShortCircuit)),
            ("x = ¦-a;", operator("-", 1, Plain)),
            ("a¦++;", operator("++", 1, Plain)),
            ("x = a ¦== b;", operator("==", 2, Plain)),
            ("x = (¦decimal)a;", Some(SignKind::Conversion)),
            ("x = ¦(Money)a;", Some(SignKind::Conversion)),
            ("x = a¦[0];", Some(SignKind::Indexer)),
            ("x = a?[0¦];", Some(SignKind::Indexer)),
            ("x = new D { ¦[0] = 1 };", Some(SignKind::Indexer)),
            ("x ¦= a;", None),
            ("x = a ¦?? b;", None),
            ("x = a¦!;", None),
            ("F¦(a);", None),
            ("int¦[] a = ¦[1];", None),
            ("List¦<int> a;", None),
        ] {
            assert_eq!(at(code), expected, "{code}");
        }
    }

    #[test]
    fn of_signs_the_inner_runs_first_and_an_assignment_last() {
        let code = "class A { void M() { a[0] = b[c[1]] + d[2]; } }";
        let syntax = Syntax::parse(code.to_owned()).unwrap();
        let mut found = syntax.signs_like(&SignKind::Indexer);
        found.sort_by_key(|&id| syntax.runs_at(id));
        let actual: Vec<&str> = found.into_iter().map(|id| syntax.text(id)).collect();
        assert_eq!(actual, ["c[1]", "b[c[1]]", "d[2]", "a[0]"]);
    }
}
