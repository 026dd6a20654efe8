//! C# expressions as far as the engine computes them itself.

use clr_csharp::syntax::{self, Argument, ExprKind, LiteralValue, Pass, TypeKind, TypeName, UnaryOp};
use clr_metadata::Primitive;

/// An expression. Types are texts in the spelling of their parts, without blanks but behind commas.
#[derive(Debug, Clone, PartialEq)]
pub enum Expr {
    Null,
    Bool(bool),
    Int(Primitive, i128),
    Double(f64),
    Single(f32),
    Decimal(String),
    Char(u16),
    Text(Vec<u16>),
    Name(String, Vec<String>),
    This,
    Member {
        of: Box<Expr>,
        name: String,
        types: Vec<String>,
    },
    Index {
        of: Box<Expr>,
        indices: Vec<Expr>,
    },
    Call {
        of: Box<Expr>,
        arguments: Vec<Expr>,
    },
    /// `of?.then`: in `then`, what is not null is [`Expr::Receiver`].
    Maybe {
        of: Box<Expr>,
        then: Box<Expr>,
    },
    Receiver,
    Unary(&'static str, Box<Expr>),
    Binary(Box<Expr>, &'static str, Box<Expr>),
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    Cast(String, Box<Expr>),
}

/// # Errors
/// What the compiler says of it, or what of it is not computed here.
pub fn parse(text: &str) -> Result<Expr, String> {
    read(&syntax::parse(text).map_err(|error| error.to_string())?)
}

/// In the words of other adapters: what comes before them is not supported.
fn unsupported(what: &str) -> String {
    format!("{what} not implemented")
}

fn read(expr: &syntax::Expr) -> Result<Expr, String> {
    let inner = |expr: &syntax::Expr| read(expr).map(Box::new);
    Ok(match &expr.kind {
        ExprKind::Literal(value) => literal(value)?,
        ExprKind::This => Expr::This,
        ExprKind::Name { alias: None, name } => Expr::Name(name.text.clone(), types(&name.types)?),
        ExprKind::Name { alias: Some(alias), name } if alias == "global" => {
            Expr::Name(name.text.clone(), types(&name.types)?)
        }
        ExprKind::Predefined(keyword) => Expr::Name((*keyword).to_owned(), Vec::new()),
        ExprKind::Receiver => Expr::Receiver,
        ExprKind::MemberAccess { of, name, is_pointer: false } => {
            Expr::Member { of: inner(of)?, name: name.text.clone(), types: types(&name.types)? }
        }
        ExprKind::ElementAccess { of, arguments: indices } => {
            Expr::Index { of: inner(of)?, indices: arguments(indices)? }
        }
        ExprKind::Invocation { of, arguments: passed } => Expr::Call { of: inner(of)?, arguments: arguments(passed)? },
        ExprKind::ConditionalAccess { of, then } => Expr::Maybe { of: inner(of)?, then: inner(then)? },
        ExprKind::Unary { operator: UnaryOp::NullForgiving, of } => read(of)?,
        ExprKind::Unary { operator, of } => match operator {
            UnaryOp::Plus | UnaryOp::Minus | UnaryOp::Not | UnaryOp::Complement => {
                Expr::Unary(operator.sign(), inner(of)?)
            }
            _ => return Err(unsupported(&format!("`{}`", operator.sign()))),
        },
        ExprKind::Binary { operator, left, right } => Expr::Binary(inner(left)?, operator.sign(), inner(right)?),
        ExprKind::Conditional { condition, then, otherwise } => {
            Expr::Conditional(inner(condition)?, inner(then)?, inner(otherwise)?)
        }
        ExprKind::Cast { type_, of } => Expr::Cast(type_text(type_)?, inner(of)?),
        other => return Err(unsupported(other.construct().unwrap_or("this kind of expression"))),
    })
}

fn literal(value: &LiteralValue) -> Result<Expr, String> {
    Ok(match value {
        LiteralValue::Null => Expr::Null,
        LiteralValue::Bool(value) => Expr::Bool(*value),
        LiteralValue::Int(value) => Expr::Int(Primitive::I4, (*value).into()),
        LiteralValue::UInt(value) => Expr::Int(Primitive::U4, (*value).into()),
        LiteralValue::Long(value) => Expr::Int(Primitive::I8, (*value).into()),
        LiteralValue::ULong(value) => Expr::Int(Primitive::U8, (*value).into()),
        LiteralValue::Single(value) => Expr::Single(*value),
        LiteralValue::Double(value) => Expr::Double(*value),
        LiteralValue::Decimal(value) => Expr::Decimal(value.to_string()),
        LiteralValue::Char(unit) => Expr::Char(*unit),
        LiteralValue::String(units) => Expr::Text(units.clone()),
        LiteralValue::Utf8(_) => return Err(unsupported("UTF-8 string literal")),
    })
}

fn arguments(passed: &[Argument]) -> Result<Vec<Expr>, String> {
    passed
        .iter()
        .map(|argument| match argument {
            Argument { name: Some(_), .. } => Err(unsupported("named argument")),
            Argument { pass: Pass::Value, value, .. } => read(value),
            _ => Err("`out`, `ref` and `in` arguments are not supported here".to_owned()),
        })
        .collect()
}

fn types(types: &[TypeName]) -> Result<Vec<String>, String> {
    types.iter().map(type_text).collect()
}

/// `Ns.Type<int, string>[]?`
fn type_text(type_: &TypeName) -> Result<String, String> {
    Ok(match &type_.kind {
        TypeKind::Predefined(keyword) => (*keyword).to_owned(),
        TypeKind::Named { names, .. } => {
            let name = |name: &syntax::Name| match name.types.as_slice() {
                [] => Ok(name.text.clone()),
                arguments => Ok::<_, String>(format!("{}<{}>", name.text, types(arguments)?.join(", "))),
            };
            names.iter().map(name).collect::<Result<Vec<_>, _>>()?.join(".")
        }
        TypeKind::Nullable(of) => format!("{}?", type_text(of)?),
        // the outermost array's brackets are the first
        TypeKind::Array { of, rank } => {
            let mut ranks = vec![*rank];
            let mut element = &**of;
            while let TypeKind::Array { of, rank } = &element.kind {
                ranks.push(*rank);
                element = of;
            }
            let brackets: String = ranks.iter().map(|rank| format!("[{}]", ",".repeat(rank - 1))).collect();
            format!("{}{brackets}", type_text(element)?)
        }
        TypeKind::Tuple(elements) => {
            let elements = elements.iter().map(|(type_, _)| type_text(type_)).collect::<Result<Vec<_>, _>>()?;
            format!("({})", elements.join(", "))
        }
        TypeKind::Pointer(_) => return Err(unsupported("pointer type")),
        TypeKind::Omitted => return Err("error CS7003: Unexpected use of an unbound generic name".to_owned()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(name: &str) -> Box<Expr> {
        Box::new(Expr::Name(name.into(), vec![]))
    }

    fn member(of: Expr, name: &str) -> Expr {
        Expr::Member { of: Box::new(of), name: name.into(), types: vec![] }
    }

    #[test]
    fn paths_indexers_and_calls() {
        let index =
            Expr::Index { of: Box::new(member(*name("order"), "Lines")), indices: vec![Expr::Int(Primitive::I4, 0)] };
        assert_eq!(parse("order.Lines[0].Price"), Ok(member(index, "Price")));
        let call =
            Expr::Call { of: Box::new(member(*name("x"), "Get")), arguments: vec![Expr::Text(vec![97]), *name("i")] };
        assert_eq!(parse(" x.Get(\"a\", i) "), Ok(call));
        let then = Box::new(member(member(Expr::Receiver, "b"), "c"));
        assert_eq!(parse("a?.b.c"), Ok(Expr::Maybe { of: name("a"), then }));
    }

    #[test]
    fn types_are_spelled_in_one_way() {
        for (cast, expected) in
            [("( A.B< int ,C > [ ] [,] )x", "A.B<int, C>[][,]"), ("(int ?)x", "int?"), ("((int, A?))x", "(int, A?)")]
        {
            assert_eq!(parse(cast), Ok(Expr::Cast(expected.into(), name("x"))), "{cast}");
        }
    }

    #[test]
    fn what_is_not_computed_is_named() {
        for (text, words) in [
            ("x is int", "`is` not implemented"),
            ("x = 1", "assignment not implemented"),
            ("new A()", "`new` not implemented"),
            ("xs.Any(x => x > 1)", "lambda expression not implemented"),
            ("f(out y)", "`out`, `ref` and `in` arguments are not supported here"),
            ("a b", "error CS1073: Unexpected token 'b'"),
        ] {
            assert_eq!(parse(text), Err(words.to_owned()), "{text}");
        }
    }
}
