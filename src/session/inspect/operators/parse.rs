//! Expressions of operators, literals and operands. An operand is a piece of text for the adapter: a name, a path, a call.

use std::ops::Range;

use clr_csharp::syntax::{self, ExprKind, LiteralValue, Pattern, PatternKind, TypeKind, UnaryOp};

use super::integers::IntType;
use super::value::{Known, Operand};
use crate::session::inspect::constants;

/// An expression with at least one operator of ours.
#[derive(Debug, Clone, PartialEq)]
pub enum Expr {
    Constant(Operand),
    /// The adapter's to read.
    Operand(String),
    Unary(&'static str, Box<Expr>),
    Cast(String, Box<Expr>),
    Binary(Box<Expr>, &'static str, Box<Expr>),
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `x is T`, or `x is not T` where it is not to hold. The name may be that of a constant.
    Is {
        inner: Box<Expr>,
        type_: String,
        holds: bool,
    },
    /// `x as T`
    As(Box<Expr>, String),
}

impl Expr {
    /// What the adapter reads.
    pub fn operands(&self) -> Vec<&str> {
        match self {
            Self::Constant(_) => Vec::new(),
            Self::Operand(text) => vec![text],
            Self::Unary(_, inner) | Self::Cast(_, inner) | Self::As(inner, _) | Self::Is { inner, .. } => {
                inner.operands()
            }
            Self::Binary(left, _, right) => [left.operands(), right.operands()].concat(),
            Self::Conditional(test, then, other) => [test.operands(), then.operands(), other.operands()].concat(),
        }
    }
}

/// `None` where it holds what is not known here (`new`, lambdas, patterns), or no operator at all.
pub fn parse(text: &str) -> Option<Expr> {
    let text = text.trim();
    let whole = syntax::parse(text).ok().filter(|expr| expr.span == (0..text.len()))?;
    let expr = of(text, &whole)?;
    // a constant with a sign is ours: an adapter reads the number first, and -2147483648 without its sign is no int
    let has_operator = match expr {
        Expr::Operand(_) => false,
        // and adapters cannot read these by their names
        Expr::Constant(_) => text.starts_with('-') || constants::literal(text).is_some(),
        _ => true,
    };
    has_operator.then_some(expr)
}

fn of(text: &str, expr: &syntax::Expr) -> Option<Expr> {
    let inner = |expr: &syntax::Expr| of(text, expr).map(Box::new);
    Some(match &expr.kind {
        ExprKind::Literal(value) => Expr::Constant(literal(text.get(expr.span.clone())?, value)?),
        ExprKind::Unary {
            operator: operator @ (UnaryOp::Plus | UnaryOp::Minus | UnaryOp::Not | UnaryOp::Complement),
            of,
        } => Expr::Unary(operator.sign(), inner(of)?),
        ExprKind::Binary { operator, left, right } => Expr::Binary(inner(left)?, operator.sign(), inner(right)?),
        ExprKind::Is { of, pattern } => match null_test(pattern) {
            Some(test) => Expr::Binary(inner(of)?, test, Box::new(Expr::Constant(Operand::constant(Known::Null)))),
            None => {
                let (type_, holds) = type_test(pattern)?;
                Expr::Is { inner: inner(of)?, type_: text.get(type_)?.to_owned(), holds }
            }
        },
        ExprKind::As { of, type_ } => Expr::As(inner(of)?, text.get(type_.span.clone())?.to_owned()),
        ExprKind::Conditional { condition, then, otherwise } => {
            Expr::Conditional(inner(condition)?, inner(then)?, inner(otherwise)?)
        }
        // to a type of numbers, or to what whoever reads the operands may know
        ExprKind::Cast { type_, of } => match &type_.kind {
            TypeKind::Predefined(_) => Expr::Cast(text.get(type_.span.clone())?.to_owned(), inner(of)?),
            TypeKind::Named { names, .. } if names.iter().all(|name| name.types.is_empty()) => {
                Expr::Cast(text.get(type_.span.clone())?.to_owned(), inner(of)?)
            }
            _ => return None,
        },
        _ if is_operand(text, expr) => {
            let path = text.get(expr.span.clone())?;
            match constants::literal(path).and_then(constant) {
                Some(constant) => Expr::Constant(constant),
                None => Expr::Operand(path.to_owned()),
            }
        }
        _ => return None,
    })
}

/// `is null`, `is not null`.
fn null_test(pattern: &Pattern) -> Option<&'static str> {
    match &pattern.kind {
        PatternKind::Not(inner) if inner.kind.is_null() => Some("is not"),
        kind if kind.is_null() => Some("is"),
        _ => None,
    }
}

/// Where the type of `is T` or `is not T` stands, and whether it is to be one. `None` for other patterns.
fn type_test(pattern: &Pattern) -> Option<(Range<usize>, bool)> {
    match &pattern.kind {
        PatternKind::Type { type_, name: None } => Some((type_.span.clone(), true)),
        PatternKind::Constant(name) if matches!(name.kind, ExprKind::Name { .. } | ExprKind::MemberAccess { .. }) => {
            Some((name.span.clone(), true))
        }
        PatternKind::Not(inner) => type_test(inner).map(|(type_, holds)| (type_, !holds)),
        _ => None,
    }
}

/// A name or something in parentheses, with all members, calls and indexers behind it.
fn is_operand(text: &str, expr: &syntax::Expr) -> bool {
    match &expr.kind {
        ExprKind::Name { alias: None, .. }
        | ExprKind::Predefined(_)
        | ExprKind::This
        | ExprKind::Base
        | ExprKind::SizeOf(_) => true,
        ExprKind::MemberAccess { of, .. }
        | ExprKind::ElementAccess { of, .. }
        | ExprKind::Invocation { of, .. }
        | ExprKind::ConditionalAccess { of, .. } => {
            is_operand(text, of) || text.get(of.span.clone()).is_some_and(|root| root.starts_with('('))
        }
        _ => false,
    }
}

/// The constant that a text is, with its sign.
pub fn constant(text: &str) -> Option<Operand> {
    let text = text.trim();
    let expr = syntax::parse(text).ok()?;
    match &expr.kind {
        ExprKind::Literal(value) => literal(text.get(expr.span.clone())?, value),
        ExprKind::Unary { operator: UnaryOp::Minus, of } => {
            let ExprKind::Literal(value) = &of.kind else { return None };
            let constant = literal(text.get(of.span.clone())?, value)?;
            match &constant.known {
                Known::Int(_, value) => {
                    Some(Operand::constant(Known::Int(IntType::of_literal(-value, false, false)?, -value)))
                }
                Known::Decimal(value) => Some(Operand::constant(Known::Decimal(value.negated()))),
                Known::Floating(_) => Some(Operand { text: format!("-{}", constant.text), ..constant }),
                _ => None,
            }
        }
        _ => None,
    }
}

/// An integer with its type by suffix and size; a floating number by its text.
pub fn number(token: &str) -> Option<Operand> {
    constant(token).filter(|constant| matches!(constant.known, Known::Int(..) | Known::Decimal(_) | Known::Floating(_)))
}

fn literal(text: &str, value: &LiteralValue) -> Option<Operand> {
    let int = |kind, value: i128| Known::Int(kind, value);
    Some(Operand::constant(match value {
        LiteralValue::Null => Known::Null,
        LiteralValue::Bool(value) => Known::Bool(*value),
        LiteralValue::Int(value) => int(IntType::Int, (*value).into()),
        LiteralValue::UInt(value) => int(IntType::UInt, (*value).into()),
        LiteralValue::Long(value) => int(IntType::Long, (*value).into()),
        LiteralValue::ULong(value) => int(IntType::ULong, (*value).into()),
        LiteralValue::Char(unit) => int(IntType::Char, (*unit).into()),
        LiteralValue::String(text) => Known::Text(String::from_utf16(text).ok()?),
        LiteralValue::Decimal(value) => Known::Decimal(*value),
        LiteralValue::Single(_) => return Some(floating(text, "float")),
        LiteralValue::Double(_) => return Some(floating(text, "double")),
        LiteralValue::Utf8(_) => return None,
    }))
}

/// dncdbg stops reading at an underscore.
fn floating(text: &str, type_: &'static str) -> Operand {
    let text = text.trim_matches(['(', ')', ' ']).replace('_', "");
    Operand { text, ..Operand::constant(Known::Floating(type_)) }
}
