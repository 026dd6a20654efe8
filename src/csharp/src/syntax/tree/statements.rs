//! Statements: the bodies of lambdas.

use super::{Expr, ExprKind, Span, TypeName, UnaryOp};

/// A statement and where it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Statement {
    pub kind: StatementKind,
    pub span: Span,
}

/// What a statement is.
#[derive(Debug, Clone, PartialEq)]
pub enum StatementKind {
    Expression(Expr),
    /// `var a = 1, b = 2;`
    Declaration {
        type_: TypeName,
        variables: Vec<(String, Option<Expr>)>,
    },
    /// `var (a, b) = pair;`
    Deconstruction {
        names: Vec<String>,
        value: Expr,
    },
    Block(Vec<Statement>),
    If {
        condition: Expr,
        then: Box<Statement>,
        otherwise: Option<Box<Statement>>,
    },
    /// `for`; `while` has neither a beginning nor a step. `is_after`: of `do`, the condition comes behind the body.
    Loop {
        first: Vec<Statement>,
        condition: Option<Expr>,
        next: Vec<Expr>,
        body: Box<Statement>,
        is_after: bool,
    },
    /// Over one variable, or over the parts of each element.
    ForEach {
        type_: Option<TypeName>,
        names: Vec<String>,
        source: Expr,
        body: Box<Statement>,
    },
    Return(Option<Expr>),
    Break,
    Continue,
    /// One that no debugger runs, by its name; with it ends what is read of the block.
    Other(&'static str),
}

impl Statement {
    /// The expressions directly within it and within the statements in it.
    pub(super) fn expressions<'a>(&'a self, found: &mut Vec<&'a Expr>) {
        match &self.kind {
            StatementKind::Expression(expr) => found.push(expr),
            StatementKind::Declaration { variables, .. } => {
                found.extend(variables.iter().filter_map(|(_, value)| value.as_ref()));
            }
            StatementKind::Deconstruction { value, .. } => found.push(value),
            StatementKind::Block(statements) => statements.iter().for_each(|it| it.expressions(found)),
            StatementKind::If { condition, then, otherwise } => {
                found.push(condition);
                then.expressions(found);
                otherwise.iter().for_each(|it| it.expressions(found));
            }
            StatementKind::Loop { first, condition, next, body, .. } => {
                first.iter().for_each(|it| it.expressions(found));
                found.extend(condition);
                found.extend(next);
                body.expressions(found);
            }
            StatementKind::ForEach { source, body, .. } => {
                found.push(source);
                body.expressions(found);
            }
            StatementKind::Return(value) => found.extend(value),
            StatementKind::Break | StatementKind::Continue | StatementKind::Other(_) => {}
        }
    }

    /// The variables that it declares, those of the statements in it too.
    fn declared<'a>(&'a self, names: &mut Vec<&'a str>) {
        match &self.kind {
            StatementKind::Declaration { variables, .. } => {
                names.extend(variables.iter().map(|(name, _)| name.as_str()))
            }
            StatementKind::Deconstruction { names: own, .. } => names.extend(own.iter().map(String::as_str)),
            StatementKind::Block(statements) => statements.iter().for_each(|it| it.declared(names)),
            StatementKind::If { then, otherwise, .. } => {
                then.declared(names);
                otherwise.iter().for_each(|it| it.declared(names));
            }
            StatementKind::Loop { first, body, .. } => {
                first.iter().for_each(|it| it.declared(names));
                body.declared(names);
            }
            StatementKind::ForEach { names: own, body, .. } => {
                names.extend(own.iter().map(String::as_str));
                body.declared(names);
            }
            _ => {}
        }
    }
}

impl Expr {
    /// The first part that gives anything a value but a variable that a lambda's body declares itself, or a new object.
    pub fn changing(&self) -> Option<&Self> {
        changing(self, &mut Vec::new())
    }
}

fn changing<'a>(expr: &'a Expr, own: &mut Vec<&'a str>) -> Option<&'a Expr> {
    use UnaryOp::{PostDecrement, PostIncrement, PreDecrement, PreIncrement};
    let target = match &expr.kind {
        ExprKind::Assignment { target, .. } => Some(target),
        ExprKind::Unary { operator: PostDecrement | PostIncrement | PreDecrement | PreIncrement, of } => Some(of),
        ExprKind::New { .. } | ExprKind::With { .. } => return None,
        _ => None,
    };
    let is_own = |target: &Expr| match &target.kind {
        ExprKind::Name { alias: None, name } => own.contains(&name.text.as_str()),
        _ => false,
    };
    if target.is_some_and(|target| !is_own(target)) {
        return Some(expr);
    }
    let before = own.len();
    if let ExprKind::Block(statements) = &expr.kind {
        statements.iter().for_each(|it| it.declared(own));
    }
    let found = expr.children().into_iter().find_map(|child| changing(child, own));
    own.truncate(before);
    found
}
