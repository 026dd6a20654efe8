//! An expression as the parts that could run code. What is not recognized is a part that is refused.

use clr_csharp::syntax::{self, Argument, Expr, ExprKind, LiteralValue, Pass, Pattern, PatternKind, UnaryOp};

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

    /// The parts that it has.
    pub(in crate::session::inspect) fn inner(&self) -> Vec<&Part> {
        match &self.kind {
            Kind::Call(receiver, _, arguments) => receiver.iter().map(|it| &**it).chain(arguments).collect(),
            Kind::Index(receiver, arguments) => std::iter::once(&**receiver).chain(arguments).collect(),
            Kind::Member(inner, _) | Kind::Unary(inner) | Kind::Test(inner) | Kind::Cast(_, inner) => vec![inner],
            Kind::Binary(_, left, right) | Kind::Maybe(left, right) => vec![left, right],
            Kind::Conditional(condition, yes, no) => vec![condition, yes, no],
            Kind::Harmless(_) | Kind::Name(_) | Kind::Refused(_) => Vec::new(),
        }
    }
}

/// Whether an expression calls anything with a value that may lie in a box; of what type that is takes a frame to say.
pub(in crate::session) fn passes_computed(expression: &str) -> bool {
    fn passes(part: &Part) -> bool {
        let is_computed = |argument: &Part| !matches!(argument.kind, Kind::Harmless(_));
        matches!(&part.kind, Kind::Call(_, _, arguments) | Kind::Index(_, arguments) if arguments.iter().any(is_computed))
            || part.inner().into_iter().any(passes)
    }
    parse(expression).is_some_and(|part| passes(&part))
}

/// `None`: it is not one C# expression.
pub(in crate::session::inspect) fn parse(expression: &str) -> Option<Part> {
    let expression = expression.trim();
    // `f(a < b, c > (d))` is one call or two comparisons: readers differ
    let squeezed: String = expression.chars().filter(|c| !c.is_whitespace()).collect();
    if squeezed.contains(">(") {
        return None;
    }
    // lists show the variable `@class` by its name alone
    if !expression.is_empty() && expression.chars().all(char::is_alphabetic) && syntax::parse(expression).is_err() {
        return Some(Part::new(expression, Kind::Name(expression.to_owned())));
    }
    let expr = syntax::parse(expression).ok()?;
    // with a comment around it an adapter may read something else
    (expr.span == (0..expression.len())).then(|| Text(expression).part(&expr, None))
}

/// What the places of an expression are in.
struct Text<'a>(&'a str);

impl Text<'_> {
    /// `bound`: what stands before the `?` that the expression is behind.
    fn part(&self, expr: &Expr, bound: Option<&Part>) -> Part {
        let own = self.0.get(expr.span.clone()).unwrap_or_default();
        let refused = |why: &str| Part::refused(own, why);
        let inner = |expr: &Expr| Box::new(self.part(expr, bound));
        let kind = match &expr.kind {
            ExprKind::Literal(value) => Kind::Harmless(match value {
                LiteralValue::Null => None,
                LiteralValue::Bool(_) => Some("bool"),
                LiteralValue::Int(_) => Some("int"),
                LiteralValue::UInt(_) => Some("uint"),
                LiteralValue::Long(_) => Some("long"),
                LiteralValue::ULong(_) => Some("ulong"),
                LiteralValue::Single(_) => Some("float"),
                LiteralValue::Double(_) => Some("double"),
                LiteralValue::Decimal(_) => Some("decimal"),
                LiteralValue::Char(_) => Some("char"),
                LiteralValue::String(_) => Some("string"),
                LiteralValue::Utf8(_) => return refused("it creates an object"),
            }),
            ExprKind::This | ExprKind::TypeOf(_) | ExprKind::Default(_) | ExprKind::SizeOf(_) => Kind::Harmless(None),
            ExprKind::NameOf(_) => Kind::Harmless(Some("string")),
            ExprKind::Name { .. } if own.contains('\\') => return refused("a name with an escape is not recognized"),
            ExprKind::MemberAccess { of, .. } if self.behind(of, expr).contains('\\') => {
                return refused("a name with an escape is not recognized");
            }
            ExprKind::Name { alias: None, name } => Kind::Name(name.text.clone()),
            ExprKind::Predefined(keyword) => Kind::Name((*keyword).to_owned()),
            ExprKind::Receiver => match bound {
                Some(bound) => return bound.clone(),
                None => return refused("it is not recognized"),
            },
            ExprKind::MemberAccess { of, name, is_pointer: false } => {
                let receiver = inner(of);
                let written = self.behind(of, expr).trim_start_matches('.');
                let text = format!("{}.{}", receiver.text, written.trim());
                return Part::new(&text, Kind::Member(receiver, name.text.clone()));
            }
            ExprKind::ElementAccess { of, arguments } => {
                let receiver = inner(of);
                let text = format!("{}{}", receiver.text, self.behind(of, expr));
                return match self.arguments(arguments, bound) {
                    Some(list) => Part::new(&text, Kind::Index(receiver, list)),
                    None => refused("it passes an argument by reference"),
                };
            }
            ExprKind::Invocation { of, arguments } => {
                let Some(list) = self.arguments(arguments, bound) else {
                    return refused("it passes an argument by reference");
                };
                let function = inner(of);
                let text = format!("{}{}", function.text, self.behind(of, expr));
                return match function.kind {
                    Kind::Name(name) => Part::new(&text, Kind::Call(None, name, list)),
                    Kind::Member(receiver, name) => Part::new(&text, Kind::Call(Some(receiver), name, list)),
                    Kind::Refused(why) => refused(&why),
                    _ => refused("it calls a delegate"),
                };
            }
            ExprKind::ConditionalAccess { of, then } => {
                let receiver = inner(of);
                let then = self.part(then, Some(&receiver));
                Kind::Maybe(receiver, Box::new(then))
            }
            ExprKind::Unary { operator, of } => match operator {
                UnaryOp::Plus | UnaryOp::Minus | UnaryOp::Not | UnaryOp::Complement => Kind::Unary(inner(of)),
                UnaryOp::NullForgiving => inner(of).kind,
                UnaryOp::FromEnd | UnaryOp::AddressOf | UnaryOp::Indirection => {
                    return refused("the operator is not recognized");
                }
                _ => return refused("it assigns"),
            },
            ExprKind::Assignment { .. } => return refused("it assigns"),
            ExprKind::Binary { operator, left, right } => Kind::Binary(operator.sign(), inner(left), inner(right)),
            ExprKind::Conditional { condition, then, otherwise } => {
                Kind::Conditional(inner(condition), inner(then), inner(otherwise))
            }
            ExprKind::Cast { type_, of } => {
                Kind::Cast(self.0.get(type_.span.clone()).unwrap_or_default().to_owned(), inner(of))
            }
            ExprKind::As { of, .. } => Kind::Test(inner(of)),
            ExprKind::Is { of, pattern } if looks_at_type(pattern) => Kind::Test(inner(of)),
            // other patterns read properties
            ExprKind::Is { .. } => return refused("a pattern may call properties"),
            ExprKind::Await(_) => return refused("it awaits"),
            ExprKind::Throw(_) => return refused("it throws"),
            ExprKind::Lambda(_) | ExprKind::Query(_) => return refused("it contains a lambda or a query"),
            ExprKind::New { .. }
            | ExprKind::NewArray { .. }
            | ExprKind::Anonymous(_)
            | ExprKind::Collection(_)
            | ExprKind::StackAlloc => return refused("it creates an object"),
            ExprKind::Checked { .. } => return refused("`checked` is not recognized"),
            _ => return refused("it is not recognized"),
        };
        Part::new(own, kind)
    }

    /// What stands in `whole` behind the operand that it begins with.
    fn behind(&self, operand: &Expr, whole: &Expr) -> &str {
        self.0.get(operand.span.end..whole.span.end).unwrap_or_default().trim_start()
    }

    /// `None` where one of them is no plain expression: `ref x`, `out var y`, `name: z`.
    fn arguments(&self, arguments: &[Argument], bound: Option<&Part>) -> Option<Vec<Part>> {
        let plain = |argument: &Argument| argument.name.is_none() && argument.pass == Pass::Value;
        arguments.iter().map(|argument| plain(argument).then(|| self.part(&argument.value, bound))).collect()
    }
}

/// Whether a pattern calls nothing: a type, `null`, or not one of them.
fn looks_at_type(pattern: &Pattern) -> bool {
    match &pattern.kind {
        PatternKind::Type { .. } => true,
        PatternKind::Not(inner) => looks_at_type(inner),
        // a name may be a type or a constant
        PatternKind::Constant(value) => {
            matches!(value.kind, ExprKind::Name { .. } | ExprKind::MemberAccess { .. }) || pattern.kind.is_null()
        }
        _ => false,
    }
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
            ("a?.b.c(1)", "(a ? a.b.c(_))"),
            ("a?.b(1)", "(a ? a.b(_))"),
            ("a is Order", "is a"),
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
            ("class", "class"),
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
