//! The statements of a lambda's body.

use crate::bound::{Act, Bound, Kind};
use crate::syntax::{Expr, ExprKind, Name, Span, Statement, StatementKind, TypeKind, TypeName};
use crate::types::Type;

use super::lambdas::is_statement;
use super::{Binder, Result, error, unsupported};

const NOT_A_STATEMENT: &str =
    "Only assignment, call, increment, decrement, await, and new object expressions can be used as a statement";

impl Binder<'_> {
    /// What it returns has no type of its own yet.
    pub(super) fn block(&mut self, statements: &[Statement], span: &Span) -> Result<Bound> {
        let act = self.several(statements, false)?;
        let returned = act.returned();
        let gives = returned.iter().any(|it| it.is_some());
        if gives && returned.iter().any(|it| it.is_none()) {
            return error("CS0126", "An object of a type convertible to the lambda's type is required", span);
        }
        if gives && act.completes() {
            return error("CS1643", "Not all code paths return a value in lambda expression", span);
        }
        if self.assigned.iter().any(|slot| self.captured.contains(slot)) {
            return unsupported("a variable captured by a nested lambda and changed afterwards is not supported here");
        }
        // what never ends fits any type
        let type_ = if gives || !act.completes() { Type::Untyped } else { Type::VOID };
        Ok(Bound::new(Kind::Block(Box::new(act)), type_, span.clone()))
    }

    /// The body with the one type of all that it returns.
    pub(super) fn settled_block(&mut self, block: Bound) -> Result<Bound> {
        let Kind::Block(act) = &block.kind else { return Ok(block) };
        let values: Vec<Bound> = act.returned().into_iter().flatten().cloned().collect();
        if values.is_empty() {
            return Ok(Bound { type_: Type::VOID, ..block });
        }
        let type_ = match self.common(&values)? {
            Some(type_) => type_,
            None => match values.as_slice() {
                [only] => self.settled(only.clone())?.type_,
                _ if values.iter().all(|it| it.type_ == Type::Null) => Type::Null,
                _ => return error("CS8917", "The delegate type could not be inferred.", &block.span),
            },
        };
        match self.block_as(block, &type_, true)? {
            Some(block) => Ok(block),
            None => unsupported("the values that the lambda returns have no common type"),
        }
    }

    /// The body where each value that it returns converts; `strictly`: what does not is an error.
    pub(super) fn block_as(&mut self, block: Bound, type_: &Type, strictly: bool) -> Result<Option<Bound>> {
        let Bound { kind: Kind::Block(mut act), span, .. } = block else { return Ok(Some(block)) };
        for value in act.returned_mut().into_iter().flatten() {
            let given = value.clone();
            *value = match (strictly, *type_ == Type::Null) {
                (_, true) => given,
                (true, _) => self.converted(given, type_)?,
                (false, _) => match self.implicit(given, type_)? {
                    Some(converted) => converted,
                    None => return Ok(None),
                },
            };
        }
        Ok(Some(Bound::new(Kind::Block(act), type_.clone(), span)))
    }

    fn several(&mut self, statements: &[Statement], in_loop: bool) -> Result<Act> {
        let visible = self.locals.len();
        let acts = statements.iter().map(|it| self.statement(it, in_loop)).collect::<Result<Vec<_>>>();
        self.locals.truncate(visible);
        acts.map(Act::Several)
    }

    fn statement(&mut self, statement: &Statement, in_loop: bool) -> Result<Act> {
        let span = &statement.span;
        Ok(match &statement.kind {
            StatementKind::Expression(expr) => Act::Value(self.done(expr)?),
            StatementKind::Declaration { type_, variables } => {
                let acts = variables.iter().map(|(name, value)| self.declaration(type_, name, value.as_ref(), span));
                match acts.collect::<Result<Vec<_>>>()? {
                    mut acts if acts.len() == 1 => acts.remove(0),
                    acts => Act::Several(acts),
                }
            }
            StatementKind::Deconstruction { names, value } => {
                let value = self.value(value)?;
                let value = self.settled(value)?;
                let slot = self.slot();
                let kept = Bound::new(Kind::Local(slot), value.type_.clone(), span.clone());
                let mut acts = vec![Act::Declare(slot, Some(value))];
                acts.extend(self.parts(names, &kept, span)?);
                Act::Several(acts)
            }
            StatementKind::Block(statements) => self.several(statements, in_loop)?,
            StatementKind::If { condition, then, otherwise } => {
                let condition = self.condition(condition)?;
                let then = Box::new(self.several(std::slice::from_ref(then), in_loop)?);
                let otherwise = match otherwise {
                    Some(otherwise) => Some(Box::new(self.several(std::slice::from_ref(otherwise), in_loop)?)),
                    None => None,
                };
                Act::If { condition, then, otherwise }
            }
            StatementKind::Loop { first, condition, next, body, is_after } => {
                let visible = self.locals.len();
                let first = first.iter().map(|it| self.statement(it, in_loop)).collect::<Result<Vec<_>>>()?;
                let condition = condition.as_ref().map(|it| self.condition(it)).transpose()?;
                let next = next.iter().map(|it| self.done(it)).collect::<Result<Vec<_>>>()?;
                let body = Box::new(self.several(std::slice::from_ref(body), true)?);
                self.locals.truncate(visible);
                Act::Loop { first, condition, next, body, is_after: *is_after }
            }
            StatementKind::ForEach { type_, names, source, body } => {
                self.each((type_.as_ref(), names), source, body, span)?
            }
            StatementKind::Return(value) => Act::Return(value.as_ref().map(|it| self.returned_value(it)).transpose()?),
            StatementKind::Break | StatementKind::Continue if !in_loop => {
                return error("CS0139", "No enclosing loop out of which to break or continue", span);
            }
            StatementKind::Break => Act::Break,
            StatementKind::Continue => Act::Continue,
            StatementKind::Other(name) => {
                return unsupported(format!("a `{name}` statement in a lambda is not supported here"));
            }
        })
    }

    /// What takes its type from around it takes it while the variables that it names are in scope.
    fn returned_value(&mut self, expr: &Expr) -> Result<Bound> {
        let value = self.value(expr)?;
        if !value.is_untyped() {
            return Ok(value);
        }
        let found = match self.wanted.clone() {
            Some(type_) => self.implicit(value.clone(), &type_)?,
            None => self.settled(value.clone()).ok(),
        };
        Ok(found.unwrap_or(value))
    }

    /// An expression for what it does.
    fn done(&mut self, expr: &Expr) -> Result<Bound> {
        if let ExprKind::Throw(exception) = &expr.kind {
            let exception = self.value(exception)?;
            return Ok(Bound::new(Kind::Throw(Box::new(exception)), Type::VOID, expr.span.clone()));
        }
        let bound = self.value(expr)?;
        let bound = self.settled(bound)?;
        if is_statement(&bound) { Ok(bound) } else { error("CS0201", NOT_A_STATEMENT, &expr.span) }
    }

    /// `None`: by its value.
    fn written(&mut self, type_: &TypeName) -> Result<Option<Type>> {
        match &type_.kind {
            TypeKind::Named { alias: None, names } if is_var(names) => Ok(None),
            _ => self.type_(type_).map(Some),
        }
    }

    fn declaration(&mut self, type_: &TypeName, name: &str, value: Option<&Expr>, span: &Span) -> Result<Act> {
        let value = match (self.written(type_)?, value) {
            (None, None) => return error("CS0818", "Implicitly-typed variables must be initialized", span),
            (None, Some(value)) => {
                let value = self.value(value)?;
                let value = self.settled(value)?;
                if value.type_ == Type::Null || value.type_.is_void() {
                    let shown = value.type_.short();
                    return error("CS0815", format!("Cannot assign {shown} to an implicitly-typed variable"), span);
                }
                (value.type_.clone(), Some(value))
            }
            (Some(type_), None) => (type_, None),
            (Some(type_), Some(value)) => {
                let value = self.value(value)?;
                let value = self.converted(value, &type_)?;
                (type_, Some(value))
            }
        };
        let (type_, value) = value;
        Ok(Act::Declare(self.begun(name, type_, span)?, value))
    }

    /// A new variable of the body.
    fn begun(&mut self, name: &str, type_: Type, span: &Span) -> Result<usize> {
        let own = self.locals.get(self.lambda_begin..).unwrap_or_default();
        if own.iter().any(|local| local.name == name) {
            let words = format!("A local variable or function named '{name}' is already defined in this scope");
            return error("CS0128", words, span);
        }
        Ok(self.declare(name, type_))
    }

    /// Variables for the parts of a value; `_` is none.
    fn parts(&mut self, names: &[String], of: &Bound, span: &Span) -> Result<Vec<Act>> {
        let (call, items) = self.parts_of(of, names.len(), span)?;
        let mut acts: Vec<Act> = call.map(Act::Value).into_iter().collect();
        for (name, item) in names.iter().zip(items).filter(|(name, _)| *name != "_") {
            acts.push(Act::Declare(self.begun(name, item.type_.clone(), span)?, Some(item)));
        }
        Ok(acts)
    }

    fn each(
        &mut self,
        (type_, names): (Option<&TypeName>, &[String]),
        source: &Expr,
        body: &Statement,
        span: &Span,
    ) -> Result<Act> {
        let visible = self.locals.len();
        let source = self.value(source)?;
        let source = self.settled(source)?;
        let element = match &source.type_ {
            _ if source.is_late() => Type::Late,
            Type::Array { of, .. } => (**of).clone(),
            type_ => self.element_type(type_).unwrap_or(Type::OBJECT),
        };
        let slot = self.slot();
        let item = Bound::new(Kind::Local(slot), element.clone(), span.clone());
        let wanted = type_.map(|type_| self.written(type_)).transpose()?.flatten();
        let item = match wanted {
            None => item,
            Some(type_) => match self.explicit(item, &type_)? {
                Some(item) => item,
                None => {
                    let words = format!("Cannot convert type '{element}' to '{type_}'");
                    return error("CS0030", words, span);
                }
            },
        };
        let mut acts = match (type_, names) {
            (Some(_), [name]) => vec![Act::Declare(self.begun(name, item.type_.clone(), span)?, Some(item))],
            _ => self.parts(names, &item, span)?,
        };
        acts.push(self.several(std::slice::from_ref(body), true)?);
        self.locals.truncate(visible);
        let body = Box::new(Act::Several(acts));
        Ok(Act::ForEach { source, slot, body })
    }
}

fn is_var(names: &[Name]) -> bool {
    matches!(names, [only] if only.text == "var" && only.types.is_empty())
}
