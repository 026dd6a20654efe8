//! From syntax to meaning: names are resolved, overloads chosen, conversions put in.
//!
//! As the compiler does it, with what a debugger adds: private members are reachable, and those of the run-time type (see
//! [`Kind::Late`]). What the program does not show, such as nullability, plays no part.

mod access;
mod arguments;
mod arrays;
mod assign;
mod base;
mod better;
mod blocks;
mod calls;
mod choices;
mod constants;
mod constraints;
mod convert;
mod create;
mod deconstruct;
mod delegates;
mod extensions;
mod folding;
mod identity;
mod implementing;
mod infer;
mod inline_arrays;
mod interpolated;
mod lambdas;
mod late;
mod local_functions;
mod missing;
mod names;
mod open;
mod operators;
mod overloads;
mod overrides;
mod patterns;
mod predefined;
mod promote;
mod queries;
mod ranges;
mod statements;
mod tuples;
mod type_names;
mod unfit;
mod user_operators;
mod utf8;
mod with;

pub(crate) use late::name_expr;
#[cfg(test)]
pub(crate) use overloads::signature;
pub(crate) use utf8::type_of as compiled_type;

use crate::bound::{BindError, Bound, Kind, Local, Slot};
use crate::constant::Constant;
use crate::syntax::{Expr, ExprKind, LiteralValue, Span};
use crate::types::{Type, TypeSystem};
use crate::world::{Failure, Scope};

impl<E> From<BindError> for Failure<E> {
    fn from(error: BindError) -> Self {
        match error {
            BindError::Compiler { code, message, .. } => Self::Compiler { code, message },
            BindError::Unsupported(words) => Self::Unsupported(words),
        }
    }
}

type Result<T> = std::result::Result<T, BindError>;

fn error<T>(code: &'static str, message: impl Into<String>, span: &Span) -> Result<T> {
    Err(BindError::Compiler { code, message: message.into(), at: span.start })
}

fn unsupported<T>(words: impl Into<String>) -> Result<T> {
    Err(BindError::Unsupported(words.into()))
}

/// What only `unsafe` code may do with a pointer.
fn unsafe_code<T>(sign: &str) -> Result<T> {
    unsupported(format!("`{sign}` on a pointer needs an unsafe context, which an evaluation does not have"))
}

/// What a name or a member access may mean.
enum Meaning {
    Value(Bound),
    Type(Type),
    Namespace(String),
    Methods(Group),
    /// A member of a type of its own name (`Color Color`).
    Both(Bound, Type),
}

/// Methods of one name.
#[derive(Debug, Clone)]
struct Group {
    of: Option<Bound>,
    /// Where they are looked for.
    type_: Type,
    name: String,
    /// As written.
    arguments: Vec<Type>,
    span: Span,
}

/// Binds expressions of one place.
pub struct Binder<'a> {
    types: &'a TypeSystem,
    scope: &'a Scope,
    /// Those visible here, the innermost last.
    locals: Vec<Local>,
    next_slot: Slot,
    is_checked: bool,
    /// Of `unchecked(…)`: constants may overflow.
    is_unchecked: bool,
    /// Of `nameof(…)`: type arguments may be left out.
    is_name_only: bool,
    /// What stands before the `?` of the conditional access around.
    receiver: Option<Bound>,
    /// Where in `locals` those of the lambda begin whose body is bound.
    lambda_begin: usize,
    /// What that lambda is to return, where it is known.
    wanted: Option<Type>,
    /// Arguments are converted to spans, as nothing fits without that.
    makes_spans: bool,
    /// Arguments that stand for type parameters are converted as what those are bound to, as the compiler does it.
    by_bounds: bool,
    /// A lambda that is an argument here runs before anything else does.
    runs_at_once: bool,
    /// Of such a lambda: where the locals around it begin, which it may assign, and those that it does.
    shared: Option<(usize, Vec<Slot>)>,
    /// Slots of variables that a lambda inside reads.
    captured: Vec<Slot>,
    /// Slots of variables that are given another value than their first.
    assigned: Vec<Slot>,
    /// Slots whose values are of the very types that they have here.
    exact: Vec<Slot>,
    /// Whether what a pattern is about is declared as a type parameter, where that is known.
    tests_parameter: Option<bool>,
    /// Slots of operands that are `dynamic`: extensions are not looked for on them.
    dynamic: Vec<Slot>,
    /// How many expressions were bound, one that is bound as several things each time.
    steps: usize,
}

/// Far more than what anyone types takes, and less than a second: what is nested in lambdas is bound again for each overload.
const STEPS: usize = 20_000;
/// Parts of a type. `GroupBy` behind `GroupBy` doubles them.
const PARTS: usize = 500;

impl<'a> Binder<'a> {
    pub fn new(types: &'a TypeSystem, scope: &'a Scope) -> Self {
        Self::within(types, scope, Vec::new(), 0)
    }

    /// With names that an expression around has; the slots below `next_slot` are taken.
    pub fn within(types: &'a TypeSystem, scope: &'a Scope, locals: Vec<Local>, next_slot: Slot) -> Self {
        Self {
            types,
            scope,
            locals,
            next_slot,
            is_checked: false,
            is_unchecked: false,
            is_name_only: false,
            receiver: None,
            lambda_begin: 0,
            wanted: None,
            makes_spans: false,
            by_bounds: false,
            runs_at_once: false,
            shared: None,
            captured: Vec::new(),
            assigned: Vec::new(),
            exact: Vec::new(),
            tests_parameter: None,
            dynamic: Vec::new(),
            steps: 0,
        }
    }

    /// With operands whose run-time types are known: nothing of them can be more than it is. Of `dynamic` ones the binder of C# finds no
    /// extensions.
    pub(crate) fn at_run_time(
        types: &'a TypeSystem,
        scope: &'a Scope,
        (around, operands, dynamic): (&[Local], Vec<Local>, Vec<Slot>),
        next_slot: Slot,
    ) -> Self {
        let exact = operands.iter().map(|local| local.slot).collect();
        let locals = around.iter().cloned().chain(operands).collect();
        Self { exact, dynamic, ..Self::within(types, scope, locals, next_slot) }
    }

    /// Whether an object may be of a type that has more members than the one that is known.
    fn may_be_more(&self, of: &Bound) -> bool {
        !self.types.is_sealed(&of.type_) && !matches!(&of.kind, Kind::Local(slot) if self.exact.contains(slot))
    }

    /// Whether extensions are methods of it.
    fn takes_extensions(&self, of: &Bound) -> bool {
        let is_dynamic = matches!(&of.kind, Kind::Local(slot) if self.dynamic.contains(slot));
        !of.is_untyped() && of.type_ != Type::Null && !is_dynamic
    }

    /// How many slots what was bound takes.
    pub fn slots(&self) -> usize {
        self.next_slot
    }

    /// An expression that stands alone.
    ///
    /// # Errors
    /// [`BindError`]
    pub fn bind(&mut self, expr: &Expr) -> Result<Bound> {
        let bound = self.value(expr).and_then(|bound| self.settled(bound));
        bound.map_err(|error| self.with_full_name(error))
    }

    /// A value whose type is `type_`, as a condition is a `bool`.
    ///
    /// # Errors
    /// [`BindError`]
    pub fn bind_as(&mut self, expr: &Expr, type_: &Type) -> Result<Bound> {
        let bound = self.value(expr).and_then(|bound| self.converted(bound, type_));
        bound.map_err(|error| self.without_unknown(error))
    }

    /// A value that is assigned to something of that type.
    ///
    /// # Errors
    /// [`BindError`]
    pub fn bind_fitting(&mut self, expr: &Expr, type_: &Type) -> Result<Bound> {
        let bound = self.value(expr).and_then(|bound| self.fitting(bound, type_));
        bound.map_err(|error| self.without_unknown(error))
    }

    fn slot(&mut self) -> Slot {
        self.next_slot += 1;
        self.next_slot - 1
    }

    fn declare(&mut self, name: &str, type_: Type) -> Slot {
        let slot = self.slot();
        self.locals.push(Local { name: name.to_owned(), type_, slot });
        slot
    }

    /// What has a type by itself, though it may take one from around it.
    fn settled(&mut self, bound: Bound) -> Result<Bound> {
        let Kind::Untyped(expr) = &bound.kind else { return self.settled_block(bound) };
        let expr = (**expr).clone();
        self.natural(&expr)
    }

    fn value(&mut self, expr: &Expr) -> Result<Bound> {
        match self.meaning(expr)? {
            Meaning::Value(bound) | Meaning::Both(bound, _) => Ok(bound),
            Meaning::Type(type_) => error(
                "CS0119",
                format!("'{}' is a type, which is not valid in the given context", type_.short()),
                &expr.span,
            ),
            Meaning::Namespace(name) => {
                error("CS0119", format!("'{name}' is a namespace, which is not valid in the given context"), &expr.span)
            }
            // a delegate, where one is wanted
            Meaning::Methods(_) => Ok(self.untyped(expr)),
        }
    }

    fn untyped(&self, expr: &Expr) -> Bound {
        Bound::new(Kind::Untyped(Box::new(expr.clone())), Type::Untyped, expr.span.clone())
    }

    fn meaning(&mut self, expr: &Expr) -> Result<Meaning> {
        self.steps += 1;
        if self.steps > STEPS {
            return error("CS8078", "An expression is too long or complex to compile", &expr.span);
        }
        let meaning = self.meant(expr)?;
        match &meaning {
            Meaning::Value(bound) if bound.type_.parts().nth(PARTS).is_some() => {
                unsupported("the type of the expression has too many parts: evaluate its parts one by one")
            }
            _ => Ok(meaning),
        }
    }

    fn meant(&mut self, expr: &Expr) -> Result<Meaning> {
        let span = &expr.span;
        let of_kind = |kind, type_| Bound::new(kind, type_, span.clone());
        Ok(Meaning::Value(match &expr.kind {
            ExprKind::Name { alias, name } => return self.name(alias.as_deref(), name, span),
            ExprKind::Predefined(keyword) => return Ok(Meaning::Type(self.keyword(keyword, span)?)),
            ExprKind::MemberAccess { of, name, is_pointer: false } => return self.member_access(expr, of, name),
            ExprKind::Literal(LiteralValue::Utf8(bytes)) => utf8::literal(bytes, span),
            ExprKind::Literal(literal) => literal_value(literal, span),
            ExprKind::Interpolated(pieces) => self.interpolated(pieces, span)?,
            ExprKind::This => self.this(span)?,
            ExprKind::Receiver => match &self.receiver {
                Some(receiver) => receiver.clone(),
                None => return error("CS1525", "Invalid expression term '.'", span),
            },
            ExprKind::Tuple(elements) => self.tuple(expr, elements)?,
            ExprKind::ElementAccess { of, arguments } => self.element_access(expr, of, arguments)?,
            ExprKind::Invocation { of, arguments } => self.invocation(expr, of, arguments)?,
            ExprKind::ConditionalAccess { of, then } => self.conditional_access(of, then, span)?,
            ExprKind::Unary { operator, of } => self.unary(expr, *operator, of)?,
            ExprKind::Binary { operator, left, right } => self.binary(*operator, left, right, span)?,
            ExprKind::Assignment { target, operator, value } => self.assignment(target, *operator, value, span)?,
            ExprKind::Conditional { condition, then, otherwise } => {
                self.conditional(expr, condition, then, otherwise)?
            }
            ExprKind::Cast { type_, of } => self.cast(type_, of, span)?,
            ExprKind::Is { of, pattern } => self.is(of, pattern, span)?,
            ExprKind::As { of, type_ } => self.as_(of, type_, span)?,
            ExprKind::Range { start, end } => self.range(start.as_deref(), end.as_deref(), span)?,
            ExprKind::Switch { .. } | ExprKind::Collection(_) | ExprKind::Lambda(_) => self.untyped(expr),
            ExprKind::New { type_: None, .. } | ExprKind::Default(None) | ExprKind::Throw(_) => self.untyped(expr),
            ExprKind::With { of, fields } => self.with(of, fields, span)?,
            ExprKind::New { type_: Some(type_), arguments, initializer } => {
                let type_ = self.type_(type_)?;
                self.new_object(&type_, arguments, initializer.as_deref(), span)?
            }
            ExprKind::NewArray { element, sizes, rank, elements } => {
                self.new_array(element.as_deref(), sizes, *rank, elements.as_deref(), span)?
            }
            ExprKind::Anonymous(members) => self.anonymous(members, span)?,
            ExprKind::Query(clauses) => self.query(clauses, span)?,
            ExprKind::TypeOf(type_) => {
                let type_ = self.type_of_operand(type_)?;
                of_kind(Kind::TypeOf(type_), Type::named("System.Type", Vec::new()))
            }
            ExprKind::SizeOf(type_) => {
                let type_ = self.type_(type_)?;
                self.size_of(&type_, span)?
            }
            ExprKind::NameOf(of) => of_kind(Kind::Constant(Constant::text(&self.name_of(of)?)), Type::STRING),
            ExprKind::Default(Some(type_)) => {
                let type_ = self.type_(type_)?;
                self.default_of(&type_, span)
            }
            ExprKind::Checked { of, is_checked } => {
                let outer = (self.is_checked, self.is_unchecked);
                (self.is_checked, self.is_unchecked) = (*is_checked, !*is_checked);
                // what is settled later would be so outside
                let value = self.operand(of);
                (self.is_checked, self.is_unchecked) = outer;
                value?
            }
            ExprKind::Block(statements) => self.block(statements, span)?,
            ExprKind::Base => return error("CS0175", "Use of keyword 'base' is not valid in this context", span),
            ExprKind::Await(_) => {
                return unsupported("`await` cannot be evaluated at a stop: the program is not running");
            }
            ExprKind::Ref(_) => return unsupported("a `ref` expression has no value of its own"),
            ExprKind::StackAlloc => {
                return unsupported("`stackalloc` is not supported here");
            }
            ExprKind::Declaration { name, .. } => {
                return error("CS8185", format!("A declaration is not allowed in this context: '{name}'"), span);
            }
            ExprKind::MemberAccess { is_pointer: true, .. } => return unsafe_code("->"),
        }))
    }

    /// What takes its type from around it where something does, and has one of its own else.
    fn natural(&mut self, expr: &Expr) -> Result<Bound> {
        let span = &expr.span;
        match &expr.kind {
            ExprKind::Switch { of, arms } => self.natural_switch(expr, of, arms),
            ExprKind::Conditional { .. } => {
                error("CS0173", "Type of conditional expression cannot be determined", span)
            }
            ExprKind::Default(None) => error("CS8716", "There is no target type for the default literal.", span),
            ExprKind::New { .. } => error("CS8754", "There is no target type for 'new(...)'", span),
            ExprKind::Collection(_) => error("CS9176", "There is no target type for the collection expression.", span),
            ExprKind::Lambda(lambda) => self.natural_lambda(expr, lambda),
            ExprKind::Throw(_) => error("CS8115", "A throw expression is not allowed in this context.", span),
            ExprKind::Tuple(_) => error("CS0815", "Cannot assign the tuple to an implicitly-typed variable", span),
            ExprKind::Name { name, .. } | ExprKind::MemberAccess { name, .. } => self.lone_method(expr, &name.text),
            _ => error("CS0815", "The expression has no type", span),
        }
    }

    /// Whether the code is a lambda or a local function whose object the compiler left out, as it does not use it.
    fn lacks_this(&self) -> bool {
        self.scope.is_inside_instance && self.variable("this").is_none()
    }

    fn without_this<T>(&self, what: &str) -> Result<T> {
        unsupported(format!("{what}: this lambda or local function did not capture `this`"))
    }

    fn this(&self, span: &Span) -> Result<Bound> {
        match self.variable("this") {
            Some((position, type_)) => Ok(Bound::new(Kind::Variable(position), type_, span.clone())),
            // a frame that is gone has no code around it
            None if self.scope.enclosing.is_empty() => {
                error("CS0103", "The name 'this' does not exist in the current context", span)
            }
            None if self.lacks_this() => self.without_this("`this` is not available here"),
            None => error(
                "CS0026",
                "Keyword 'this' is not valid in a static property, static method, or static field initializer",
                span,
            ),
        }
    }
}

fn literal_value(literal: &LiteralValue, span: &Span) -> Bound {
    let constant = Constant::of_literal(literal).unwrap_or(Constant::Null);
    let type_ = constant.type_();
    Bound::new(Kind::Constant(constant), type_, span.clone())
}
