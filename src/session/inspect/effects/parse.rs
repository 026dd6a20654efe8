//! An expression as the parts that could run code. What is not recognized is a part that is refused.

use std::sync::LazyLock;

use tree_sitter::{Language, Node, Parser};

/// Kinds and fields are the grammar's own.
static GRAMMAR: LazyLock<Language> = LazyLock::new(|| tree_sitter_c_sharp::LANGUAGE.into());

const MOST_BYTES: usize = 4_096;
const MOST_DEPTH: usize = 64;

/// Of operators with two operands.
const SIGNS: [&str; 20] =
    ["&&", "||", "??", "+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", ">>>", "==", "!=", "<", ">", "<=", ">="];

/// A part of an expression and its text, which is what an adapter is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::session::inspect) struct Part {
    pub text: String,
    pub kind: Kind,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::session::inspect) enum Kind {
    /// Literals (with their type), `this`, `typeof`, `default`.
    Harmless(Option<&'static str>),
    Name(String),
    Member(Box<Part>, String),
    Index(Box<Part>, Vec<Part>),
    Call(Option<Box<Part>>, String, Vec<Part>),
    Unary(Box<Part>),
    Binary(&'static str, Box<Part>, Box<Part>),
    Conditional(Box<Part>, Box<Part>, Box<Part>),
    /// `is`, `as`: a look at the type.
    Test(Box<Part>),
    Cast(String, Box<Part>),
    /// `a?.b`: the second part is `a.b`.
    Maybe(Box<Part>, Box<Part>),
    /// Why.
    Refused(String),
}

impl Part {
    fn new(text: &str, kind: Kind) -> Self {
        Self { text: text.trim().to_owned(), kind }
    }

    fn refused(text: &str, why: &str) -> Self {
        Self::new(text, Kind::Refused(why.to_owned()))
    }

    pub(in crate::session::inspect) fn is_null(&self) -> bool {
        self.text == "null"
    }

    /// Where a dotted name begins.
    pub(in crate::session::inspect) fn first_name(&self) -> Option<&str> {
        match &self.kind {
            Kind::Name(name) => Some(name),
            Kind::Member(receiver, _) => receiver.first_name(),
            _ => None,
        }
    }
}

/// `None`: it is not recognized as one C# expression.
pub(in crate::session::inspect) fn parse(expression: &str) -> Option<Part> {
    let expression = expression.trim();
    // `f(a < b, c > (d))` is one call or two comparisons: readers differ
    let squeezed: String = expression.chars().filter(|c| !c.is_whitespace()).collect();
    if expression.len() > MOST_BYTES || squeezed.contains(">(") {
        return None;
    }
    const BEFORE: &str = "_=";
    let text = format!("{BEFORE}{expression};");
    let mut parser = Parser::new();
    parser.set_language(&GRAMMAR).ok()?;
    let tree = parser.parse(with_plain_names(&text), None)?;
    let root = tree.root_node();
    let assignment = [0; 3].iter().try_fold(root, |node, _| only_child(node));
    let right =
        assignment.filter(|node| node.kind() == "assignment_expression").and_then(|it| it.child_by_field_name("right"));
    match right {
        Some(right) if !root.has_error() && right.byte_range() == (BEFORE.len()..text.len() - 1) => {
            Some(part(right, &text, None, 0))
        }
        _ => None,
    }
}

/// The text with other names of the same length for those that the grammar does not read as names: that of the exception in debuggers,
/// and words of C# that variables may have for names.
fn with_plain_names(text: &str) -> String {
    const WORDS: [&str; 4] = ["async", "await", "nint", "nuint"];
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut out = text.replace("$exception", "Zexception");
    for word in WORDS {
        let found: Vec<usize> = out.match_indices(word).map(|(at, _)| at).collect();
        for at in found {
            let (before, behind) = (out.get(..at).unwrap_or_default(), out.get(at + word.len()..).unwrap_or_default());
            // `await x` is no name, `nint.MaxValue` a type
            let is_name = !before.ends_with(is_part)
                && !behind.starts_with(|c| is_part(c) || c == '.')
                && !behind.trim_start().starts_with(|c| is_part(c) || c == '(');
            if is_name {
                out.replace_range(at..=at, "Z");
            }
        }
    }
    out
}

/// Of a node with one named child.
fn only_child(node: Node<'_>) -> Option<Node<'_>> {
    node.named_child(0).filter(|_| node.named_child_count() == 1)
}

fn children(node: Node<'_>) -> Vec<Node<'_>> {
    (0..node.named_child_count()).filter_map(|at| node.named_child(u32::try_from(at).unwrap_or(u32::MAX))).collect()
}

fn field<'a>(node: Node<'a>, name: &'static str) -> Option<Node<'a>> {
    node.child_by_field_name(name)
}

/// `bound`: what stands before the `?.` that the node is behind.
fn part<'a>(node: Node<'a>, text: &str, bound: Option<&Part>, depth: usize) -> Part {
    let own = text.get(node.byte_range()).unwrap_or_default();
    let refused = |why: &str| Part::refused(own, why);
    if depth > MOST_DEPTH {
        return refused("it is nested too deeply");
    }
    let inner = |node: Node<'a>| Box::new(part(node, text, bound, depth + 1));
    let field = |name| field(node, name);
    let named = |name| field(name).map(|node| text.get(node.byte_range()).unwrap_or_default().to_owned());
    let kind = match node.kind() {
        "integer_literal" => Kind::Harmless(Some("int")),
        "real_literal" => Kind::Harmless(Some("double")),
        "boolean_literal" => Kind::Harmless(Some("bool")),
        "character_literal" => Kind::Harmless(Some("char")),
        "string_literal" | "verbatim_string_literal" | "raw_string_literal" => Kind::Harmless(Some("string")),
        "null_literal" | "this" | "typeof_expression" | "default_expression" | "sizeof_expression" => {
            Kind::Harmless(None)
        }
        "identifier" if own.contains('\\') => return refused("a name with an escape is not recognized"),
        "identifier" | "predefined_type" => Kind::Name(own.trim_start_matches('@').to_owned()),
        "parenthesized_expression" => match only_child(node) {
            Some(inside) => Part { text: own.to_owned(), ..*inner(inside) }.kind,
            None => return refused("it is not recognized"),
        },
        "checked_expression" => return refused("`checked` is not recognized"),
        "member_access_expression" => match (field("expression"), named("name")) {
            (Some(receiver), Some(name)) => {
                let receiver = inner(receiver);
                let text = format!("{}.{name}", receiver.text);
                return Part::new(&text, Kind::Member(receiver, bare(&name)));
            }
            _ => return refused("it is not recognized"),
        },
        "member_binding_expression" => match (bound, named("name")) {
            (Some(bound), Some(name)) => {
                let text = format!("{}.{name}", bound.text);
                return Part::new(&text, Kind::Member(Box::new(bound.clone()), bare(&name)));
            }
            _ => return refused("it is not recognized"),
        },
        "element_access_expression" => match (field("expression"), field("subscript")) {
            (Some(receiver), Some(subscript)) => {
                let receiver = inner(receiver);
                let text = format!("{}{}", receiver.text, text.get(subscript.byte_range()).unwrap_or_default());
                match arguments(subscript, node, inner) {
                    Some(list) => return Part::new(&text, Kind::Index(receiver, list)),
                    None => return refused("it passes an argument by reference"),
                }
            }
            _ => return refused("it is not recognized"),
        },
        "invocation_expression" => match (field("function"), field("arguments")) {
            (Some(function), Some(list)) => {
                let written = text.get(list.byte_range()).unwrap_or_default();
                let Some(list) = arguments(list, node, inner) else {
                    return refused("it passes an argument by reference");
                };
                let function = inner(function);
                let text = format!("{}{written}", function.text);
                return match function.kind {
                    Kind::Name(name) => Part::new(&text, Kind::Call(None, name, list)),
                    Kind::Member(receiver, name) => Part::new(&text, Kind::Call(Some(receiver), name, list)),
                    Kind::Refused(why) => refused(&why),
                    _ => refused("it calls a delegate"),
                };
            }
            _ => return refused("it is not recognized"),
        },
        "generic_name" => Kind::Name(bare(own)),
        "conditional_access_expression" => match (field("condition"), children(node).pop()) {
            (Some(condition), Some(then)) if then != condition => {
                let receiver = inner(condition);
                let then = part(then, text, Some(&receiver), depth + 1);
                Kind::Maybe(receiver, Box::new(then))
            }
            _ => return refused("it is not recognized"),
        },
        "prefix_unary_expression" => match (own.get(..2), own.chars().next(), only_child(node)) {
            (Some("++" | "--"), ..) => return refused("it assigns"),
            (_, Some('-' | '+' | '!' | '~'), Some(operand)) => Kind::Unary(inner(operand)),
            _ => return refused("the operator is not recognized"),
        },
        "postfix_unary_expression" => match only_child(node) {
            Some(operand) if own.ends_with('!') => return Part { text: own.to_owned(), ..*inner(operand) },
            _ => return refused("it assigns"),
        },
        "assignment_expression" => return refused("it assigns"),
        "binary_expression" => match (field("left"), field("operator"), field("right")) {
            (Some(left), Some(operator), Some(right)) => match SIGNS.iter().find(|sign| **sign == operator.kind()) {
                Some(sign) => Kind::Binary(sign, inner(left), inner(right)),
                None => return refused("the operator is not recognized"),
            },
            _ => return refused("it is not recognized"),
        },
        "conditional_expression" => match (field("condition"), field("consequence"), field("alternative")) {
            (Some(condition), Some(yes), Some(no)) => Kind::Conditional(inner(condition), inner(yes), inner(no)),
            _ => return refused("it is not recognized"),
        },
        "cast_expression" => match (named("type"), field("value")) {
            (Some(type_), Some(value)) => Kind::Cast(type_, inner(value)),
            _ => return refused("it is not recognized"),
        },
        "as_expression" | "is_expression" => match field("left") {
            Some(left) => Kind::Test(inner(left)),
            None => return refused("it is not recognized"),
        },
        // other patterns read properties
        "is_pattern_expression" => match (field("expression"), named("pattern").as_deref()) {
            (Some(left), Some("null" | "not null")) => Kind::Test(inner(left)),
            _ => return refused("a pattern may call properties"),
        },
        "object_creation_expression"
        | "implicit_object_creation_expression"
        | "array_creation_expression"
        | "implicit_array_creation_expression"
        | "anonymous_object_creation_expression"
        | "collection_expression" => {
            return refused("it creates an object");
        }
        "await_expression" => return refused("it awaits"),
        "throw_expression" => return refused("it throws"),
        "lambda_expression" | "anonymous_method_expression" | "query_expression" => {
            return refused("it contains a lambda or a query");
        }
        other => return refused(&format!("{} is not recognized", other.replace('_', " "))),
    };
    Part::new(own, kind)
}

/// Without type arguments.
fn bare(name: &str) -> String {
    name.split('<').next().unwrap_or(name).trim().trim_start_matches('@').to_owned()
}

/// `None` where one of them is no plain expression: `ref x`, `out var y`.
fn arguments<'a>(list: Node<'a>, _: Node<'a>, inner: impl Fn(Node<'a>) -> Box<Part>) -> Option<Vec<Part>> {
    children(list)
        .into_iter()
        .map(|argument| {
            let only = only_child(argument).filter(|_| argument.kind() == "argument" && argument.child_count() == 1)?;
            (only.kind() != "declaration_expression" && only.kind() != "ref_expression").then(|| *inner(only))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(part: &Part) -> String {
        let list = |parts: &[Part]| parts.iter().map(shown).collect::<Vec<_>>().join(" ");
        match &part.kind {
            Kind::Harmless(_) => "_".into(),
            Kind::Name(name) => name.clone(),
            Kind::Member(receiver, name) => format!("{}.{name}", shown(receiver)),
            Kind::Index(receiver, arguments) => format!("{}[{}]", shown(receiver), list(arguments)),
            Kind::Call(None, name, arguments) => format!("{name}({})", list(arguments)),
            Kind::Call(Some(receiver), name, arguments) => format!("{}.{name}({})", shown(receiver), list(arguments)),
            Kind::Unary(inner) => format!("-{}", shown(inner)),
            Kind::Binary(operator, left, right) => format!("({} {operator} {})", shown(left), shown(right)),
            Kind::Conditional(a, b, c) => format!("({} ? {} : {})", shown(a), shown(b), shown(c)),
            Kind::Test(inner) => format!("is {}", shown(inner)),
            Kind::Cast(type_, inner) => format!("({type_}){}", shown(inner)),
            Kind::Maybe(receiver, then) => format!("({} ? {})", shown(receiver), shown(then)),
            Kind::Refused(why) => format!("!{why}"),
        }
    }

    #[test]
    fn expressions_are_taken_apart() {
        for (expression, expected) in [
            ("order", "order"),
            ("a.b.c", "a.b.c"),
            ("this.total", "_.total"),
            ("list[3].Name", "list[_].Name"),
            ("f(1, x)", "f(_ x)"),
            ("order.Add(line.Total)", "order.Add(line.Total)"),
            ("a + b * 2", "(a + (b * _))"),
            ("!x && y", "(-x && y)"),
            ("(a)", "a"),
            ("(int)a.b", "(int)a.b"),
            ("a ?? b", "(a ?? b)"),
            ("c ? a : b", "(c ? a : b)"),
            ("a?.b.c(1)", "(a ? a.b).c(_)"),
            ("a is string", "is a"),
            ("a is not null", "is a"),
            ("x as Order", "is x"),
            ("string.Join(\", \", names)", "string.Join(_ names)"),
            ("System.Math.Max(1, 2)", "System.Math.Max(_ _)"),
            ("$exception.Message", "$exception.Message"),
            ("async", "async"),
            ("await + nint", "(await + nint)"),
            ("f(nuint)", "f(nuint)"),
            ("a!.b", "a.b"),
        ] {
            assert_eq!(parse(expression).as_ref().map(shown).as_deref(), Some(expected), "{expression}");
        }
    }

    #[test]
    fn what_assigns_creates_or_is_not_understood_is_refused_by_name() {
        for (expression, why) in [
            ("a = 1", "!it assigns"),
            ("a += 1", "!it assigns"),
            ("a++", "!it assigns"),
            ("--a", "!it assigns"),
            ("new Order()", "!it creates an object"),
            ("f(ref a)", "!it passes an argument by reference"),
            ("f(out var a)", "!it passes an argument by reference"),
            ("*p", "!the operator is not recognized"),
            ("&p", "!the operator is not recognized"),
            ("f()()", "!it calls a delegate"),
            ("a is { Total: 3 }", "!a pattern may call properties"),
            ("await f()", "!it awaits"),
            ("x => x", "!it contains a lambda or a query"),
        ] {
            assert_eq!(parse(expression).as_ref().map(shown).as_deref(), Some(why), "{expression}");
        }
        for nothing in [
            "",
            "a;b",
            "a; File.Delete(\"x\")",
            "a,ac",
            "1 +",
            "f(a < b, c > (d))",
            "a // b",
            "/* x */ a",
            "f\\u0028",
            "_ = a; b",
        ] {
            assert!(parse(nothing).is_none_or(|part| matches!(part.kind, Kind::Refused(_))), "{nothing}");
        }
        // a part of an expression that is refused is found by whoever looks at it
        for (expression, shows) in
            [("1 + (a = 2)", "(_ + !it assigns)"), ("f(a = 2)", "f(!it assigns)"), ("list[i++]", "list[!it assigns]")]
        {
            assert_eq!(parse(expression).as_ref().map(shown).as_deref(), Some(shows), "{expression}");
        }
    }
}
