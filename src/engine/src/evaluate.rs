//! Expressions in a frame: paths from memory, operators computed here, properties and methods by calls where they are allowed.
//!
//! What is computed stays an [`Operand`], which survives a call in the program; nothing else may be held across one.

mod assign;
mod cast;
mod conversions;
mod extensions;
mod inference;
mod invoke;
mod members;
mod names;
mod nullable;
mod operators;
mod overloads;
mod expression;
mod statics;

use std::time::Duration;

pub use assign::Target;
pub use expression::{Expr, parse};
pub use names::variables;
pub use operators::Operand;

use crate::calls::{Call, CallError, Outcome, Waiter};
use crate::com::{self, HResult};
use crate::stopped::Stopped;
use crate::values::{Place, Root, Scalar, Shown, WriteError};

const NULL: &str = "System.NullReferenceException: Object reference not set to an instance of an object.";

/// Makes calls for an evaluation.
pub trait Calls {
    fn call(&mut self, stopped: &mut Stopped, call: Call) -> Result<Outcome, CallError>;
}

/// Calls with a limit of their own.
pub struct Limited<'w> {
    pub waiter: &'w mut dyn Waiter,
    pub limit: Duration,
}

impl Calls for Limited<'_> {
    fn call(&mut self, stopped: &mut Stopped, call: Call) -> Result<Outcome, CallError> {
        crate::calls::call(stopped, call, self.limit, self.waiter)
    }
}

/// Why an expression has no value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EvalError {
    /// The compiler's words, or the like.
    #[error("{0}")]
    Failed(String),
    /// It takes code of the program, which may not run here.
    #[error("The expression causes side effects and will not be evaluated.")]
    NeedsCall,
    #[error("{0}")]
    Call(#[from] CallError),
}

impl From<HResult> for EvalError {
    fn from(error: HResult) -> Self {
        Self::Call(CallError::Refused(error))
    }
}

impl From<WriteError> for EvalError {
    fn from(error: WriteError) -> Self {
        match error {
            WriteError::Runtime(error) => error.into(),
            // whether a cast exists decides which number the compiler gives it
            words @ WriteError::Type { .. } => Self::Failed(words.to_string()),
        }
    }
}

impl EvalError {
    pub(crate) fn failed(words: impl Into<String>) -> Self {
        Self::Failed(words.into())
    }
}

/// A value, or the exception that the program's code threw.
pub enum Evaluated {
    Value(Operand),
    Threw(com::Value),
}

/// Where an expression is evaluated, and what it may do.
pub struct Evaluation<'a> {
    pub stopped: &'a mut Stopped,
    pub thread: u32,
    pub frame: usize,
    pub calls: Option<&'a mut dyn Calls>,
    /// What stands before the `?` of the conditional access that is evaluated.
    receiver: Option<Operand>,
    /// The frame is one that only an exception recorded: it has no variables.
    pub is_gone: bool,
    /// The exception of the call that ended the evaluation.
    threw: Option<com::Value>,
}

impl<'a> Evaluation<'a> {
    pub fn new(stopped: &'a mut Stopped, thread: u32, frame: usize, calls: Option<&'a mut dyn Calls>) -> Self {
        Self { stopped, thread, frame, calls, is_gone: false, receiver: None, threw: None }
    }

    /// # Errors
    /// [`EvalError`]
    pub fn text(&mut self, text: &str) -> Result<Evaluated, EvalError> {
        let expr = parse(text).map_err(EvalError::Failed)?;
        self.whole(&expr)
    }

    pub fn whole(&mut self, expr: &Expr) -> Result<Evaluated, EvalError> {
        match self.value(expr) {
            Ok(operand) => Ok(Evaluated::Value(operand)),
            Err(error) => self.threw.take().map(Evaluated::Threw).ok_or(error),
        }
    }

    /// A call; an exception ends the evaluation.
    pub(super) fn call(&mut self, what: crate::calls::What) -> Result<Option<com::Value>, EvalError> {
        let Some(calls) = self.calls.as_deref_mut() else { return Err(EvalError::NeedsCall) };
        let call = Call { thread: self.thread, what };
        match calls.call(self.stopped, call) {
            Ok(Outcome::Value(value)) => Ok(value),
            Ok(Outcome::Threw(exception)) => {
                self.threw = Some(exception);
                Err(EvalError::failed("the code threw an exception"))
            }
            // nothing can be called on a thread in native code
            Err(CallError::Refused(HResult(0x8013_1313 | 0x8013_1c23 | 0x8013_1c2e))) => Err(EvalError::NeedsCall),
            Err(error) => Err(error.into()),
        }
    }

    fn value(&mut self, expr: &Expr) -> Result<Operand, EvalError> {
        match self.operand(expr)? {
            Operand::Type(name) => {
                Err(EvalError::failed(format!("error CS0119: '{}' is a type, which is not valid here", name.text)))
            }
            Operand::Namespace(name) => Err(no_name(name.split('.').next().unwrap_or(&name))),
            operand => Ok(operand),
        }
    }

    fn operand(&mut self, expr: &Expr) -> Result<Operand, EvalError> {
        Ok(match expr {
            Expr::Null => Operand::Null(None),
            Expr::Bool(value) => Operand::Scalar(Scalar::Bool(*value)),
            Expr::Char(unit) => Operand::Scalar(Scalar::Char(*unit)),
            Expr::Int(primitive, number) => Operand::Scalar(Scalar::Int(*primitive, *number)),
            Expr::Double(number) => Operand::Scalar(Scalar::Double(*number)),
            Expr::Single(number) => Operand::Scalar(Scalar::Single(*number)),
            Expr::Decimal(text) => Operand::Scalar(Scalar::Decimal(text.clone())),
            Expr::Text(units) => Operand::Text(units.clone()),
            Expr::This => self.this()?.ok_or_else(|| no_name("this"))?,
            Expr::Name(name, _) => self.name(name)?,
            Expr::Member { of, name, .. } => {
                let object = self.operand(of)?;
                self.member(&object, name, |it| it.static_type(of))?
            }
            Expr::Index { of, indices } => {
                let of = self.value(of)?;
                let indices = indices.iter().map(|index| self.value(index)).collect::<Result<Vec<_>, _>>()?;
                self.index(&of, &indices)?
            }
            Expr::Maybe { of, then } => {
                let of = self.operand(of)?;
                if self.is_null(&of)? {
                    return self.null_of(expr, of);
                }
                let outer = self.receiver.replace(of);
                let value = self.operand(then);
                self.receiver = outer;
                value?
            }
            Expr::Receiver => self.receiver.clone().ok_or_else(|| no_name("?"))?,
            Expr::Call { of, arguments } => self.invoke(of, arguments)?,
            Expr::Unary(sign, of) => {
                let of = self.value(of)?;
                let of = self.simplified(of)?;
                match self.lifted_unary(sign, &of) {
                    Some(null) => null,
                    None => operators::unary(sign, &of)?,
                }
            }
            Expr::Binary(left, sign, right) => self.binary(left, sign, right)?,
            Expr::Conditional(test, then, otherwise) => {
                let chosen = if self.truth(test)? { then } else { otherwise };
                let value = self.value(chosen)?;
                self.as_branch(expr, value)
            }
            Expr::Cast(type_, of) => {
                let of = self.value(of)?;
                self.cast(type_, of)?
            }
        })
    }

    fn binary(&mut self, left: &Expr, sign: &str, right: &Expr) -> Result<Operand, EvalError> {
        match sign {
            "&&" => Ok(Operand::Scalar(Scalar::Bool(self.truth(left)? && self.truth(right)?))),
            "||" => Ok(Operand::Scalar(Scalar::Bool(self.truth(left)? || self.truth(right)?))),
            "??" => {
                let left = self.value(left)?;
                if self.is_null(&left)? { self.value(right) } else { Ok(left) }
            }
            _ => {
                let exprs = (left, right);
                let (left, right) = (self.value(left)?, self.value(right)?);
                if matches!(sign, "==" | "!=")
                    && !self.is_null(&left)?
                    && !self.is_null(&right)?
                    && let Some(is_one) = self.is_one_object((exprs.0, &left), (exprs.1, &right))
                {
                    return Ok(Operand::Scalar(Scalar::Bool(is_one == (sign == "=="))));
                }
                let (left, right) = (self.simplified(left)?, self.simplified(right)?);
                if let Some(known) = operators::binary(&left, sign, &right)? {
                    return Ok(known);
                }
                if let Some(lifted) = self.lifted(&left, sign, &right) {
                    return Ok(lifted);
                }
                self.defined_operator(sign, &left, &right)
            }
        }
    }

    fn truth(&mut self, expr: &Expr) -> Result<bool, EvalError> {
        let value = self.value(expr)?;
        match self.simplified(value)? {
            Operand::Scalar(Scalar::Bool(value)) => Ok(value),
            _ => Err(EvalError::failed("error CS0029: Cannot implicitly convert the type to 'bool'")),
        }
    }

    fn is_null(&self, operand: &Operand) -> Result<bool, EvalError> {
        Ok(match operand {
            Operand::Null(_) => true,
            Operand::Place(place) => matches!(place.read(self.stopped)?.content()?, crate::values::Content::Null),
            _ => false,
        })
    }

    /// What a conditional access gives where what it is of is null.
    fn null_of(&self, access: &Expr, of: Operand) -> Result<Operand, EvalError> {
        match self.static_type(access) {
            Some(type_) => Ok(Operand::Null(Some(crate::types::text(&type_)))),
            None => self.simplified(of),
        }
    }

    /// What is in a place, where a literal says all of it.
    fn simplified(&self, operand: Operand) -> Result<Operand, EvalError> {
        use crate::values::Content;
        let Operand::Place(place) = &operand else { return Ok(operand) };
        let value = place.read(self.stopped)?;
        Ok(match value.content()? {
            Content::Null => Operand::Null(Some(value.type_name())),
            Content::Scalar(scalar) => Operand::Scalar(scalar),
            Content::Text(units) => Operand::Text(units),
            _ => operand,
        })
    }

    /// The text of a string.
    pub fn string(&self, operand: &Operand) -> Option<String> {
        match self.simplified(operand.clone()).ok()? {
            Operand::Text(units) => Some(String::from_utf16_lossy(&units)),
            _ => None,
        }
    }

    /// How a value is shown; its place, if it has one.
    pub fn show(&self, operand: &Operand) -> (Shown, Option<Place>) {
        match operand {
            Operand::Place(place) => {
                let shown = match place.read(self.stopped) {
                    Ok(value) => value.show(),
                    Err(error) => Shown { text: format!("<error: {error}>"), ..Shown::default() },
                };
                (shown, Some(place.clone()))
            }
            other => (other.show(), None),
        }
    }
}

fn no_name(name: &str) -> EvalError {
    EvalError::failed(format!("error CS0103: The name '{name}' does not exist in the current context"))
}

/// The value that a call gave.
fn kept(value: com::Value) -> Operand {
    Operand::Place(Place::of(Root::Kept(value)))
}

/// Whether a condition holds in a thread's innermost frame.
///
/// # Errors
/// [`EvalError`], also where it is no `bool`.
pub fn condition(
    stopped: &mut Stopped,
    thread: u32,
    text: &str,
    calls: Option<&mut (dyn Calls + '_)>,
) -> Result<bool, EvalError> {
    let expr = parse(text).map_err(EvalError::Failed)?;
    with(stopped, thread, calls, |evaluation| {
        let value = evaluation.truth(&expr);
        match (&value, evaluation.threw.take()) {
            (Err(_), Some(exception)) => Err(threw(evaluation, exception)),
            _ => value,
        }
    })
}

/// A value as C# interpolation would print it.
///
/// # Errors
/// [`EvalError`]
pub fn interpolated(
    stopped: &mut Stopped,
    thread: u32,
    text: &str,
    calls: Option<&mut (dyn Calls + '_)>,
) -> Result<String, EvalError> {
    with(stopped, thread, calls, |evaluation| match evaluation.text(text)? {
        Evaluated::Threw(exception) => Err(threw(evaluation, exception)),
        Evaluated::Value(operand) => Ok(match evaluation.simplified(operand)? {
            Operand::Text(units) => String::from_utf16_lossy(&units),
            Operand::Null(_) => String::new(),
            Operand::Scalar(Scalar::Bool(value)) => if value { "True" } else { "False" }.to_owned(),
            Operand::Scalar(Scalar::Char(unit)) => String::from_utf16_lossy(&[unit]),
            other => evaluation.show(&other).0.text,
        }),
    })
}

/// Type and message of an exception.
fn threw(evaluation: &Evaluation<'_>, exception: com::Value) -> EvalError {
    let exception = evaluation.stopped.value(exception);
    let message = crate::exceptions::message(&exception).unwrap_or_default();
    EvalError::failed(format!("{}: {message}", exception.type_name()))
}

fn with<T>(
    stopped: &mut Stopped,
    thread: u32,
    calls: Option<&mut (dyn Calls + '_)>,
    act: impl FnOnce(&mut Evaluation<'_>) -> Result<T, EvalError>,
) -> Result<T, EvalError> {
    match calls {
        Some(mut calls) => {
            let calls: &mut dyn Calls = &mut calls;
            act(&mut Evaluation::new(stopped, thread, 0, Some(calls)))
        }
        None => act(&mut Evaluation::new(stopped, thread, 0, None)),
    }
}

impl<C: Calls + ?Sized> Calls for &mut C {
    fn call(&mut self, stopped: &mut Stopped, call: Call) -> Result<Outcome, CallError> {
        (**self).call(stopped, call)
    }
}
