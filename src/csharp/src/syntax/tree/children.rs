//! The expressions directly within one.

use super::{Argument, Clause, Element, Expr, ExprKind, Field, Initializer, Pattern, PatternKind, Piece};

impl Expr {
    /// As they stand in the text, also those within patterns, initializers and queries.
    pub fn children(&self) -> Vec<&Expr> {
        let mut children = Vec::new();
        match &self.kind {
            ExprKind::Literal(_)
            | ExprKind::Name { .. }
            | ExprKind::Predefined(_)
            | ExprKind::This
            | ExprKind::Base
            | ExprKind::Receiver
            | ExprKind::TypeOf(_)
            | ExprKind::SizeOf(_)
            | ExprKind::Default(_)
            | ExprKind::Declaration { .. }
            | ExprKind::StackAlloc => {}
            ExprKind::Interpolated(pieces) => {
                for piece in pieces {
                    if let Piece::Hole { value, alignment, .. } = piece {
                        children.push(&**value);
                        children.extend(alignment.as_deref());
                    }
                }
            }
            ExprKind::Tuple(elements) => of_arguments(elements, &mut children),
            ExprKind::MemberAccess { of, .. }
            | ExprKind::Unary { of, .. }
            | ExprKind::Cast { of, .. }
            | ExprKind::As { of, .. }
            | ExprKind::Checked { of, .. }
            | ExprKind::NameOf(of)
            | ExprKind::Throw(of)
            | ExprKind::Await(of)
            | ExprKind::Ref(of) => children.push(of),
            ExprKind::ElementAccess { of, arguments } | ExprKind::Invocation { of, arguments } => {
                children.push(of);
                of_arguments(arguments, &mut children);
            }
            ExprKind::ConditionalAccess { of: left, then: right }
            | ExprKind::Binary { left, right, .. }
            | ExprKind::Assignment { target: left, value: right, .. } => children.extend([&**left, &**right]),
            ExprKind::Conditional { condition, then, otherwise } => {
                children.extend([&**condition, &**then, &**otherwise])
            }
            ExprKind::Is { of, pattern } => {
                children.push(of);
                of_pattern(pattern, &mut children);
            }
            ExprKind::Range { start, end } => children.extend([start, end].into_iter().flatten().map(|bound| &**bound)),
            ExprKind::Switch { of, arms } => {
                children.push(of);
                for arm in arms {
                    of_pattern(&arm.pattern, &mut children);
                    children.extend(&arm.when);
                    children.push(&arm.value);
                }
            }
            ExprKind::With { of, fields } => {
                children.push(of);
                of_fields(fields, &mut children);
            }
            ExprKind::New { arguments, initializer, .. } => {
                of_arguments(arguments, &mut children);
                match initializer.as_deref() {
                    Some(Initializer::Object(fields)) => of_fields(fields, &mut children),
                    Some(Initializer::Collection(elements)) => of_elements(elements, &mut children),
                    None => {}
                }
            }
            ExprKind::NewArray { sizes, elements, .. } => {
                children.extend(sizes);
                of_elements(elements.as_deref().unwrap_or_default(), &mut children);
            }
            ExprKind::Anonymous(members) => children.extend(members.iter().map(|(_, value)| value)),
            ExprKind::Collection(elements) => children.extend(elements.iter().map(|(value, _)| value)),
            ExprKind::Lambda(lambda) => children.push(&lambda.body),
            ExprKind::Block(statements) => statements.iter().for_each(|it| it.expressions(&mut children)),
            ExprKind::Query(clauses) => clauses.iter().for_each(|clause| of_clause(clause, &mut children)),
        }
        children
    }
}

fn of_arguments<'a>(arguments: &'a [Argument], children: &mut Vec<&'a Expr>) {
    children.extend(arguments.iter().map(|argument| &argument.value));
}

fn of_fields<'a>(fields: &'a [Field], children: &mut Vec<&'a Expr>) {
    for field in fields {
        children.push(&field.target);
        of_element(&field.value, children);
    }
}

fn of_elements<'a>(elements: &'a [Element], children: &mut Vec<&'a Expr>) {
    elements.iter().for_each(|element| of_element(element, children));
}

fn of_element<'a>(element: &'a Element, children: &mut Vec<&'a Expr>) {
    match element {
        Element::Value(value) => children.push(value),
        Element::List(elements) => of_elements(elements, children),
        Element::Object(fields) => of_fields(fields, children),
    }
}

fn of_pattern<'a>(pattern: &'a Pattern, children: &mut Vec<&'a Expr>) {
    match &pattern.kind {
        PatternKind::Discard | PatternKind::Var(_) | PatternKind::Type { .. } | PatternKind::Slice(None) => {}
        PatternKind::Constant(value) | PatternKind::Relational { value, .. } => children.push(value),
        PatternKind::Not(inner) | PatternKind::Slice(Some(inner)) => of_pattern(inner, children),
        PatternKind::And(left, right) | PatternKind::Or(left, right) => {
            of_pattern(left, children);
            of_pattern(right, children);
        }
        PatternKind::Recursive { positional, properties, .. } => {
            positional.iter().flatten().for_each(|(_, pattern)| of_pattern(pattern, children));
            properties.iter().flatten().for_each(|property| of_pattern(&property.pattern, children));
        }
        PatternKind::List { elements, .. } => elements.iter().for_each(|pattern| of_pattern(pattern, children)),
    }
}

fn of_clause<'a>(clause: &'a Clause, children: &mut Vec<&'a Expr>) {
    match clause {
        Clause::From { source: value, .. }
        | Clause::Let { value, .. }
        | Clause::Where(value)
        | Clause::Select(value) => {
            children.push(value);
        }
        Clause::Join(join) => children.extend([&join.source, &join.left, &join.right]),
        Clause::OrderBy(keys) => children.extend(keys.iter().map(|(key, _)| key)),
        Clause::GroupBy { value, key } => children.extend([value, key]),
        Clause::Into(_) => {}
    }
}
