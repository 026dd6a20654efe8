//! Evaluates what is bound: here what can be computed here, in the program what takes its code.

mod anonymous;
mod arrays;
mod assigning;
mod calendar;
mod calls;
mod collections;
mod compare;
mod convert;
mod copies;
mod culture;
mod elements;
mod enumerate;
mod finish;
mod getters;
mod implementations;
mod invariant;
mod joined;
mod keyed;
mod late;
mod limits;
mod linq;
mod lists;
mod members;
mod numeric;
mod operators;
mod ordinal;
mod parts;
mod patterns;
mod places;
mod prepared;
mod ranges;
mod receivers;
mod reflection;
mod spans;
mod split;
mod statements;
mod strings;
mod tasks;
mod text;
mod thrown;
mod wellknown;

use std::collections::HashSet;

use crate::arithmetic::Thrown;
use crate::bind::{Binder, compiled_type};
use crate::bound::{Assigned, Bound, Kind, Passed, Slot};
use crate::constant::Constant;
use crate::syntax::Expr;
use crate::types::{Type, TypeSystem};
use crate::value::{Content, Value};
use crate::world::{Evaluated, Failure, Scope, World};
use limits::Spent;
use operators::is_literal;

/// A value, and the type that the expression has.
#[derive(Debug)]
pub struct Outcome<H> {
    pub value: Value<H>,
    pub type_: Type,
}

/// Evaluates an expression.
///
/// # Errors
/// [`Failure`]
pub fn evaluate<W: World>(
    world: &mut W,
    (types, scope): (&TypeSystem, &Scope),
    expr: &Expr,
    limits: Limits,
) -> Result<Outcome<W::Handle>, Failure<W::Error>> {
    let mut binder = Binder::new(types, scope);
    let bound = binder.bind(expr)?;
    let mut run = Run::new(world, types, scope, binder.slots(), limits);
    let value = run.value(&bound)?;
    let value = run.finished(value, QUERIES)?;
    let type_ = match run.late_type.take().filter(|_| matches!(bound.kind, Kind::Late { .. })) {
        // a null does not say what the member is declared as that gave it
        Some(found) if matches!(value, Value::Constant(Constant::Null)) => found,
        _ => compiled_type(&bound),
    };
    Ok(Outcome { value: if type_ == bound.type_ { value } else { retyped(value, &type_) }, type_ })
}

/// Elements that stand for those of another type of sequence.
fn retyped<H: Clone>(value: Value<H>, type_: &Type) -> Value<H> {
    match &value {
        Value::Made(made) => match &made.content {
            Content::Items(items) => Value::made(type_.clone(), Content::Items(items.clone())),
            _ => value,
        },
        _ => value,
    }
}

pub use crate::bound::BindError;
pub use assigning::assign;
pub(crate) use keyed::half_of;
pub use limits::{Limits, TOO_LONG};
pub use prepared::Prepared;
pub(crate) use tasks::is_exception_of_task;

/// The type that an expression has, whatever it would take to evaluate it.
///
/// # Errors
/// `BindError`: a name in it has no type here.
pub fn type_of(types: &TypeSystem, scope: &Scope, expr: &Expr) -> Result<Type, BindError> {
    Binder::new(types, scope).bind(expr).map(|bound| bound.type_)
}

/// Evaluates an expression that is assigned to something of a type.
///
/// # Errors
/// [`Failure`]
pub fn evaluate_as<W: World>(
    world: &mut W,
    (types, scope): (&TypeSystem, &Scope),
    (expr, type_): (&Expr, &Type),
    limits: Limits,
) -> Evaluated<W> {
    let mut binder = Binder::new(types, scope);
    let bound = binder.bind_fitting(expr, type_)?;
    let mut run = Run::new(world, types, scope, binder.slots(), limits);
    let value = run.value(&bound)?;
    run.in_program(value, type_)
}

/// An evaluation under way.
pub struct Run<'a, W: World> {
    world: &'a mut W,
    types: &'a TypeSystem,
    scope: &'a Scope,
    slots: Vec<Option<Value<W::Handle>>>,
    /// Those with a struct that is the expression's own.
    copies: HashSet<Slot>,
    limits: Limits,
    spent: Spent,
    culture: culture::Culture,
    /// What the last expression that was bound late turned out to be.
    late_type: Option<Type>,
    /// Getters within getters that are followed.
    followed: u32,
}

/// Queries within queries that are computed for the answer.
const QUERIES: u32 = 4;
const NULL_REFERENCE: &str = "System.NullReferenceException";

pub(crate) fn threw<T, E>(type_name: &'static str, message: impl Into<String>) -> Result<T, Failure<E>> {
    Err(Failure::Threw { type_name, message: message.into() })
}

pub(crate) fn null_reference<T, E>() -> Result<T, Failure<E>> {
    threw(NULL_REFERENCE, "Object reference not set to an instance of an object.")
}

pub(crate) fn unsupported<T, E>(words: impl Into<String>) -> Result<T, Failure<E>> {
    Err(Failure::Unsupported(words.into()))
}

impl<E> From<Thrown> for Failure<E> {
    fn from(thrown: Thrown) -> Self {
        Self::Threw { type_name: thrown.type_name, message: thrown.message.to_owned() }
    }
}

impl<'a, W: World> Run<'a, W> {
    pub fn new(world: &'a mut W, types: &'a TypeSystem, scope: &'a Scope, slots: usize, limits: Limits) -> Self {
        Self {
            world,
            types,
            scope,
            slots: vec![None; slots],
            copies: HashSet::new(),
            limits,
            spent: Spent::new(),
            culture: Default::default(),
            late_type: None,
            followed: 0,
        }
    }

    fn step(&mut self) -> Result<(), Failure<W::Error>> {
        self.spent.step(&self.limits).map_err(Failure::Unsupported)
    }

    fn set(&mut self, slot: Slot, value: Value<W::Handle>) {
        self.copies.remove(&slot);
        if slot >= self.slots.len() {
            self.slots.resize(slot + 1, None);
        }
        if let Some(own) = self.slots.get_mut(slot) {
            *own = Some(value);
        }
    }

    fn local(&self, slot: Slot) -> Evaluated<W> {
        match self.slots.get(slot) {
            Some(Some(value)) => Ok(value.clone()),
            _ => unsupported("a variable in the expression is used before it is assigned"),
        }
    }

    fn truth(&mut self, bound: &Bound) -> Result<bool, Failure<W::Error>> {
        match self.value(bound)?.as_bool() {
            Some(value) => Ok(value),
            None => unsupported("the condition is not a bool"),
        }
    }

    pub fn value(&mut self, bound: &Bound) -> Evaluated<W> {
        self.step()?;
        self.evaluated(bound).map_err(|failure| failure.at(&bound.span))
    }

    fn evaluated(&mut self, bound: &Bound) -> Evaluated<W> {
        Ok(match &bound.kind {
            Kind::Constant(constant) => Value::Constant(constant.clone()),
            Kind::Untyped(_) => return unsupported("the type of the expression cannot be determined"),
            Kind::Variable(position) => self.world.variable(*position)?,
            Kind::Local(slot) => self.local(*slot)?,
            Kind::Field { of, field } => self.field(of.as_deref(), field)?,
            Kind::Property { of, property, arguments } => self.property(of.as_deref(), property, arguments)?,
            Kind::Item { of, at } => {
                let of = self.value(of)?;
                self.item(&of, *at)?
            }
            Kind::Element { of, indices } => self.element(of, indices, &bound.type_)?,
            Kind::Call { of, method, arguments } => self.call(of.as_deref(), method, arguments)?,
            Kind::Invoke { of, arguments } => self.invoke(of, arguments)?,
            Kind::Convert { of, conversion, is_checked } => {
                let value = self.value(of)?;
                self.converted(value, conversion, &bound.type_, *is_checked)?
            }
            Kind::Operator { method, operands, sign, is_lifted } => {
                self.user_operator(method, operands, *sign, *is_lifted)?
            }
            Kind::Unary { operator, of, is_checked } => {
                let value = self.value(of)?;
                self.unary(*operator, &value, *is_checked)?
            }
            Kind::Binary { operator, left, right, is_checked } => {
                self.binary(*operator, left, right, &bound.type_, *is_checked)?
            }
            Kind::Same { left, right, is_equal } => {
                let are_literals = is_literal(left) && is_literal(right);
                let (left, right) = (self.value(left)?, self.value(right)?);
                Value::bool(self.is_same(&left, &right, are_literals)? == *is_equal)
            }
            Kind::Coalesce { left, slot, then, right } => {
                let value = self.value(left)?;
                if value.is_null() {
                    return self.value(right);
                }
                self.set(*slot, value);
                self.value(then)?
            }
            Kind::Conditional { condition, then, otherwise } => {
                let chosen = if self.truth(condition)? { then } else { otherwise };
                self.value(chosen)?
            }
            Kind::Maybe { of, slot, then } => {
                let value = self.value(of)?;
                if value.is_null() {
                    // what the declared type lacks no object's own type makes up for here
                    return then.late_error().map_or(Ok(Value::NULL), |error| Err(error.into()));
                }
                self.set(*slot, value);
                self.value(then)?
            }
            Kind::Let { of, slot, then } => {
                let value = self.value(of)?;
                self.set(*slot, value);
                self.value(then)?
            }
            Kind::Located { then, .. } => {
                self.locate(bound)?;
                self.value(then)?
            }
            Kind::Is { of, pattern } => {
                let value = self.value(of)?;
                Value::bool(self.matches(pattern, &value)?)
            }
            Kind::As { of, to } => {
                let value = self.value(of)?;
                match self.is_instance(&value, to.without_nullable())? {
                    true if to.is_nullable() => self.opened(value)?,
                    true => value,
                    false => Value::NULL,
                }
            }
            Kind::Switch { of, slot, arms } => {
                let value = self.value(of)?;
                self.set(*slot, value.clone());
                for arm in arms {
                    if self.matches(&arm.pattern, &value)? {
                        let holds = match &arm.when {
                            Some(when) => self.truth(when)?,
                            None => true,
                        };
                        if holds {
                            return self.value(&arm.value);
                        }
                    }
                }
                return threw(
                    "System.Runtime.CompilerServices.SwitchExpressionException",
                    "Non-exhaustive switch expression failed to match its input.",
                );
            }
            Kind::TypeOf(type_) => self.type_object(type_)?,
            Kind::Default => self.world.new_object(&bound.type_, None, &[])?,
            Kind::New { arguments, .. } if bound.type_ == Type::STRING => {
                let (arguments, _) = self.given(arguments)?;
                self.new_string(&arguments)?
            }
            Kind::New { constructor, arguments, slot, initializers } => {
                let arguments = self.arguments(arguments)?;
                let made = self.world.new_object(&bound.type_, constructor.as_ref(), &arguments)?;
                self.initialized(made, *slot, initializers)?
            }
            Kind::NewArray { sizes, elements } => self.new_array(sizes, elements.as_deref(), &bound.type_)?,
            Kind::Collection(elements) => self.collection(elements, &bound.type_)?,
            Kind::Tuple(items) | Kind::Anonymous(items) => {
                let items = items.iter().map(|item| self.value(item)).collect::<Result<Vec<_>, _>>()?;
                Value::made(bound.type_.clone(), Content::Tuple(items))
            }
            Kind::With { of, slot, initializers } => {
                let of = self.value(of)?;
                self.changed_copy(of, &bound.type_, *slot, initializers)?
            }
            Kind::Lambda(lambda) => {
                let set = self.slots.iter().enumerate();
                let captured: Vec<(Slot, Value<W::Handle>)> = set
                    .filter(|(slot, _)| !lambda.shared.contains(slot))
                    .filter_map(|(slot, value)| Some((slot, value.clone()?)))
                    .collect();
                let content = Content::Lambda { lambda: lambda.clone(), captured: captured.into() };
                Value::made(lambda.type_.clone(), content)
            }
            Kind::Block(act) => self.block(act)?,
            Kind::Interpolated(pieces) => self.interpolated(pieces)?,
            Kind::Index { of, is_from_end } => {
                let number = self.number(of)?;
                let number = i32::try_from(number).unwrap_or(i32::MAX);
                Value::made(bound.type_.clone(), Content::Index { number, is_from_end: *is_from_end })
            }
            Kind::Range { start, end } => {
                let start = self.end_of_range(start.as_deref(), (0, false))?;
                let end = self.end_of_range(end.as_deref(), (0, true))?;
                Value::made(bound.type_.clone(), Content::Range { start, end })
            }
            Kind::Assign { target, value } => {
                let place = self.place(target)?;
                let value = self.value(value)?;
                self.write(&place, &value)?;
                value
            }
            Kind::Deconstruct { prepared, assigned, result } => {
                let targets = assigned.iter().map(|it| it.target.as_ref().map(|target| self.place(target)).transpose());
                let places = targets.collect::<Result<Vec<_>, _>>()?;
                for (slot, value) in prepared {
                    let value = self.value(value)?;
                    self.set(*slot, value);
                }
                let value = |run: &mut Self, part: &Assigned| {
                    let value = run.value(&part.value)?;
                    if assigned.len() > 1 { run.detached(value, &part.value.type_) } else { Ok(value) }
                };
                let values = assigned.iter().map(|it| value(self, it)).collect::<Result<Vec<_>, _>>()?;
                for ((part, place), value) in assigned.iter().zip(&places).zip(values) {
                    if let Some(place) = place {
                        self.write(place, &value)?;
                    }
                    self.set(part.slot, value);
                }
                self.value(result)?
            }
            Kind::Change { target, slot, value, gives_old } => {
                let place = self.place(target)?;
                let before = self.read(&place)?;
                let before = if *gives_old { self.detached(before, &target.type_)? } else { before };
                let before = if target.is_late() { self.opened(before)? } else { before };
                if *gives_old && matches!(before, Value::Object(_)) && !self.types.is_value_type(&target.type_) {
                    return unsupported("the old object cannot be kept here: write the operator before the operand");
                }
                self.set(*slot, before.clone());
                let value = self.value(value)?;
                self.write(&place, &value)?;
                if *gives_old { before } else { value }
            }
            Kind::Throw(of) => {
                let exception = self.value(of)?;
                return unsupported(format!("the expression throws {}", self.thrown(&exception)?));
            }
            Kind::Late { expr, operands, locals, error } => {
                self.late(expr, operands, locals, error.as_deref(), Self::value)?
            }
        })
    }

    fn number(&mut self, bound: &Bound) -> Result<i128, Failure<W::Error>> {
        match self.value(bound)?.as_integer() {
            Some(number) => Ok(number),
            None => unsupported("a number is expected"),
        }
    }

    fn initialized(&mut self, made: Value<W::Handle>, slot: Slot, initializers: &[Bound]) -> Evaluated<W> {
        if !initializers.is_empty() && matches!(made, Value::Object(_)) && !self.world.keeps_new() {
            return unsupported(
                "members of a new or copied object are assigned here, and this adapter cannot keep such an object",
            );
        }
        self.set_copy(slot, made.clone());
        for initializer in initializers {
            self.value(initializer)?;
        }
        self.local(slot)
    }

    fn values(&mut self, bounds: &[Bound]) -> Result<Vec<Value<W::Handle>>, Failure<W::Error>> {
        bounds.iter().map(|bound| self.value(bound)).collect()
    }

    /// What a call gets, as the program can take it.
    fn arguments(&mut self, passed: &[Passed]) -> Result<Vec<Value<W::Handle>>, Failure<W::Error>> {
        let mut arguments = Vec::with_capacity(passed.len());
        for passed in passed {
            arguments.push(match passed {
                Passed::Value(bound) => {
                    let value = self.value(bound)?;
                    self.in_program(value, &bound.type_)?
                }
                Passed::Out(..) | Passed::Ref(_) => {
                    return unsupported("a constructor with `ref` or `out` parameters cannot be called here");
                }
            });
        }
        Ok(arguments)
    }

    /// `None`: of null.
    pub fn run_time_type(&mut self, value: &Value<W::Handle>) -> Result<Option<Type>, Failure<W::Error>> {
        Ok(match value {
            Value::Constant(Constant::Null) => None,
            Value::Constant(Constant::Scalar(scalar)) => Some(scalar.type_()),
            Value::Constant(Constant::Enum(type_, _)) => Some(type_.clone()),
            Value::Constant(Constant::Text(_)) => Some(Type::STRING),
            Value::Object(handle) => Some(self.world.type_of(handle)?),
            Value::Made(made) => Some(made.type_.clone()),
            Value::Void => Some(Type::VOID),
        })
    }
}
