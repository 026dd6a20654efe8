//! Queries as the calls that they stand for (ECMA-334, 12.20.3).

use crate::bound::Bound;
use crate::syntax::{Argument, Clause, Expr, ExprKind, Join, Lambda, Name, Parameter, Pass, Span};
use crate::types::Type;

use super::{BindError, Binder, Result, error};

/// The calls of `Where`, `Select` and so on.
fn lowered(clauses: &[Clause], span: &Span) -> Result<Expr> {
    let mut query = Query { span, range: Vec::new() };
    let mut clauses = clauses.iter();
    let Some(Clause::From { name, type_, source }) = clauses.next() else {
        return error("CS0742", "A query body must end with a select clause or a group clause", span);
    };
    let mut sequence = query.cast(source.clone(), type_.as_ref());
    query.range = vec![name.clone()];
    for clause in clauses {
        sequence = match clause {
            Clause::Where(condition) => query.call(sequence, "Where", vec![query.lambda(condition)]),
            Clause::Select(value) => {
                let is_same = is_name(value, &query.range);
                match (is_same, &sequence.kind) {
                    // `from x in xs where … select x` ends with the Where
                    (true, ExprKind::Invocation { .. }) => sequence,
                    _ => query.call(sequence, "Select", vec![query.lambda(value)]),
                }
            }
            Clause::GroupBy { value, key } => {
                let mut arguments = vec![query.lambda(key)];
                if !is_name(value, &query.range) {
                    arguments.push(query.lambda(value));
                }
                query.call(sequence, "GroupBy", arguments)
            }
            Clause::OrderBy(keys) => {
                let mut ordered = sequence;
                for (at, (key, is_descending)) in keys.iter().enumerate() {
                    let method = match (at, is_descending) {
                        (0, false) => "OrderBy",
                        (0, true) => "OrderByDescending",
                        (_, false) => "ThenBy",
                        (_, true) => "ThenByDescending",
                    };
                    ordered = query.call(ordered, method, vec![query.lambda(key)]);
                }
                ordered
            }
            Clause::Let { name, value } => {
                let element = query.with_name(name, value.clone());
                let projected = query.call(sequence, "Select", vec![query.lambda(&element)]);
                query.range.push(name.clone());
                projected
            }
            Clause::From { name, type_, source } => {
                let inner = query.cast(source.clone(), type_.as_ref());
                let collection = query.lambda(&inner);
                let element = query.pair(name);
                query.range.push(name.clone());
                query.call(sequence, "SelectMany", vec![collection, element])
            }
            Clause::Join(join) => query.join(sequence, join),
            Clause::Into(name) => {
                query.range = vec![name.clone()];
                sequence
            }
        };
    }
    Ok(sequence)
}

impl Binder<'_> {
    pub(super) fn query(&mut self, clauses: &[Clause], span: &Span) -> Result<Bound> {
        let methods = lowered(clauses, span)?;
        let error = match self.value(&methods) {
            // the calls that stand for clauses are where the query is
            Err(BindError::Compiler { code: "CS1061" | "CS1929", at, .. }) if at == span.start => {
                self.no_pattern(clauses, &methods)
            }
            bound => return bound,
        };
        Err(error?)
    }

    /// What a query is over has not the method that its first clause stands for.
    fn no_pattern(&mut self, clauses: &[Clause], methods: &Expr) -> Result<BindError> {
        let (source, method) = first_call(methods);
        let source_type = self.value(source)?.type_;
        let range = match clauses.first() {
            Some(Clause::From { name, .. }) => name.as_str(),
            _ => "",
        };
        let begin = format!(
            "Could not find an implementation of the query pattern for source type '{}'.  '{method}' not found.",
            source_type.short()
        );
        let is_untyped = self.types.is_a(&source_type, &Type::named("System.Collections.IEnumerable", Vec::new()));
        let (code, message) = match is_untyped {
            true => {
                ("CS1934", format!("{begin}  Consider explicitly specifying the type of the range variable '{range}'."))
            }
            false => ("CS1936", begin),
        };
        Ok(BindError::Compiler { code, message, at: source.span.start })
    }
}

/// The innermost call that stands for a clause: on what, and of which method.
fn first_call(methods: &Expr) -> (&Expr, &str) {
    let (mut next, mut found) = (methods, (methods, ""));
    while let ExprKind::Invocation { of, .. } = &next.kind
        && let ExprKind::MemberAccess { of, name, .. } = &of.kind
        && next.span == methods.span
    {
        found = (of, &name.text);
        next = of;
    }
    found
}

struct Query<'a> {
    span: &'a Span,
    /// The range variables; several are the elements of a tuple.
    range: Vec<String>,
}

/// The parameter that several range variables are elements of: their names mean its elements.
pub(super) const RANGE: &str = "\0range";

impl Query<'_> {
    fn expr(&self, kind: ExprKind) -> Expr {
        Expr { kind, span: self.span.clone() }
    }

    fn name(&self, name: &str) -> Expr {
        self.expr(ExprKind::Name { alias: None, name: Name { text: name.to_owned(), types: Vec::new() } })
    }

    fn argument(value: Expr) -> Argument {
        Argument { name: None, pass: Pass::Value, value }
    }

    fn call(&self, of: Expr, method: &str, arguments: Vec<Expr>) -> Expr {
        let name = Name { text: method.to_owned(), types: Vec::new() };
        let of = self.expr(ExprKind::MemberAccess { of: Box::new(of), name, is_pointer: false });
        self.expr(ExprKind::Invocation {
            of: Box::new(of),
            arguments: arguments.into_iter().map(Self::argument).collect(),
        })
    }

    /// `from int x in xs`
    fn cast(&self, source: Expr, type_: Option<&crate::syntax::TypeName>) -> Expr {
        let Some(type_) = type_ else { return source };
        let name = Name { text: "Cast".into(), types: vec![type_.clone()] };
        let of = self.expr(ExprKind::MemberAccess { of: Box::new(source), name, is_pointer: false });
        self.expr(ExprKind::Invocation { of: Box::new(of), arguments: Vec::new() })
    }

    fn function(&self, parameters: &[&str], body: Expr) -> Expr {
        let parameters =
            parameters.iter().map(|name| Parameter { name: (*name).to_owned(), type_: None, pass: Pass::Value });
        self.expr(ExprKind::Lambda(Lambda { parameters: parameters.collect(), body: Box::new(body), is_async: false }))
    }

    /// Over the range variables.
    fn lambda(&self, body: &Expr) -> Expr {
        match self.range.as_slice() {
            [only] => self.function(&[only], body.clone()),
            _ => self.function(&[RANGE], body.clone()),
        }
    }

    fn tuple(&self, names: &[String], last: (&str, Expr)) -> Expr {
        let mut elements: Vec<Argument> = names
            .iter()
            .map(|name| Argument { name: Some(name.clone()), pass: Pass::Value, value: self.name(name) })
            .collect();
        elements.push(Argument { name: Some(last.0.to_owned()), pass: Pass::Value, value: last.1 });
        self.expr(ExprKind::Tuple(elements))
    }

    /// What the range variables become when one is added that has a value.
    fn with_name(&self, name: &str, value: Expr) -> Expr {
        self.tuple(&self.range, (name, value))
    }

    /// A lambda over what was and one more element, that gives both.
    fn pair(&self, name: &str) -> Expr {
        let tuple = self.tuple(&self.range, (name, self.name(name)));
        match self.range.as_slice() {
            [only] => self.function(&[only, name], tuple),
            _ => self.function(&[RANGE, name], tuple),
        }
    }

    fn join(&mut self, sequence: Expr, join: &Join) -> Expr {
        let inner = self.cast(join.source.clone(), join.type_.as_ref());
        let left = self.lambda(&join.left);
        let right = self.function(&[&join.name], join.right.clone());
        let (method, name) = match &join.into {
            Some(group) => ("GroupJoin", group),
            None => ("Join", &join.name),
        };
        let element = self.pair(name);
        let joined = self.call(sequence, method, vec![inner, left, right, element]);
        self.range.push(name.clone());
        joined
    }
}

fn is_name(value: &Expr, range: &[String]) -> bool {
    match (&value.kind, range) {
        (ExprKind::Name { alias: None, name }, [only]) => name.text == *only,
        _ => false,
    }
}
