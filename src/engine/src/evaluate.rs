//! C# expressions in a frame: bound and evaluated by [`clr_csharp`], over the program as it stands.
//!
//! What was computed survives a call in the program as a [`Place`] or a constant; nothing else may be held across one.

mod collections;
mod completions;
mod concurrent;
mod error;
mod exceptions;
mod hits;
mod homes;
mod inline_arrays;
mod kept_exception;
mod keys;
mod objects;
mod pins;
mod reading;
mod recalled;
mod referred;
mod runtime_types;
mod scope;
mod shown;
mod statics;
mod strip;
mod within;
mod world;

use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

use clr_csharp::constant::Constant;
use clr_csharp::pure::Pure;
use clr_csharp::run::{self, Limits, Outcome as Computed};
use clr_csharp::syntax;
use clr_csharp::types::Type;
use clr_csharp::value::Value;
use clr_csharp::world::{Failure, Scope, Variable};

pub use collections::DATA;
pub use completions::{Candidate, begun_name};
pub use error::EvalError;
pub use hits::{condition, interpolated, plain_values, printed};
pub use keys::Key;
pub use objects::{It, OverObjects};
pub use runtime_types::instantiate;
pub use scope::{EXCEPTION, variables};
pub use shown::{Opened, Part};

use crate::calls::{Argument, Call, CallError, Outcome, Waiter, What};
use crate::com::{self, HResult, Interface as _};
use crate::identities::{Named, names_in};
use crate::stopped::Stopped;
use crate::target::LoadedTypes;
use crate::values::{Place, Root};

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

/// A value and the type of its expression.
pub type Answer = Computed<Place>;

/// A value, or the exception that the program's code threw.
pub enum Evaluated {
    Value(Answer),
    Threw(com::Value),
}

/// What an expression asks for, in words.
enum Undone {
    Call(String),
    Change(String),
}

/// Where an expression is evaluated, and what it may do.
pub struct Evaluation<'a> {
    pub stopped: &'a mut Stopped,
    pub thread: u32,
    pub frame: usize,
    pub calls: Option<&'a mut dyn Calls>,
    /// Of the calls only those that change nothing; and nothing is written.
    pub is_pure: bool,
    /// Of the scope's variables, in their order.
    places: Vec<Place>,
    /// Names of types, and whether several modules have one of that name.
    twins: HashMap<String, bool>,
    /// The frame is one that only an exception recorded: it has no variables.
    pub is_gone: bool,
    /// What takes a call is evaluated again, with calls.
    is_asked_again: bool,
    /// How long it may take.
    pub limit: Duration,
    /// The exception of the call that ended the evaluation.
    threw: Option<com::Value>,
    /// What was not done last, as nothing may run.
    undone: Option<Undone>,
    /// The frame pointer, where it is noted where variables and all fields were found.
    noted: Option<u64>,
}

impl<'a> Evaluation<'a> {
    pub fn new(stopped: &'a mut Stopped, thread: u32, frame: usize, calls: Option<&'a mut dyn Calls>) -> Self {
        let (is_pure, is_gone, is_asked_again, places, twins, threw, undone, noted) = Default::default();
        Self {
            stopped,
            thread,
            frame,
            calls,
            is_pure,
            is_gone,
            is_asked_again,
            limit: TIME,
            places,
            twins,
            threw,
            undone,
            noted,
        }
    }

    /// # Errors
    /// [`EvalError`]
    pub fn text(&mut self, text: &str) -> Result<Evaluated, EvalError> {
        let expr = syntax::parse(text).map_err(|error| EvalError::Failed(error.to_string()))?;
        let (loaded, scope) = self.names(text);
        let names = (&loaded.types, &scope);
        let result = match self.is_pure {
            true => {
                let purity = loaded.purity(self.stopped.target());
                let limits = limits(self.limit);
                run::evaluate(&mut Pure::new(self, &loaded.types, purity), names, &expr, limits)
            }
            false => {
                let limits = limits(self.limit);
                run::evaluate(self, names, &expr, limits)
            }
        };
        self.stopped.target().keep_types(loaded);
        match result {
            Ok(answer) => Ok(Evaluated::Value(answer)),
            Err(error) => match self.threw.take() {
                Some(exception) => Ok(Evaluated::Threw(exception)),
                None => Err(self.lost(text).unwrap_or_else(|| EvalError::of(error, text))),
            },
        }
    }

    /// What the expression may name.
    fn names(&mut self, text: &str) -> (LoadedTypes, Scope) {
        let ends = |c: char| c.is_ascii() && !c.is_ascii_alphanumeric() && c != '_';
        let words: HashSet<&str> = text.split(ends).collect();
        // a letter may be written by its number
        self.names_where(text, &|name| words.contains(name) || text.contains("\\u"))
    }

    /// With the types of the wanted variables.
    fn names_where(&mut self, text: &str, is_wanted: &dyn Fn(&str) -> bool) -> (LoadedTypes, Scope) {
        let target = self.stopped.target();
        let loaded = target.take_types().unwrap_or_else(|| LoadedTypes::of(target));
        let (mut scope, mut places) = self.scope(is_wanted);
        for name in names_in(text) {
            let Named::Object(handle) = target.identities().get(&name) else { continue };
            let Ok(place) = handle.cast::<com::Value>().map(|value| Place::of(Root::Kept(value))) else { continue };
            let type_ = place.read(self.stopped).and_then(|value| value.signature()).ok();
            scope.variables.push(Variable { name, type_: type_.map(|it| Type::of(&it)) });
            places.push(place);
        }
        self.places = places;
        (loaded, scope)
    }

    /// The error that says of an object's name that it stands for none.
    fn lost(&self, text: &str) -> Option<EvalError> {
        let identities = self.stopped.target().identities();
        names_in(text).into_iter().find_map(|name| match identities.get(&name) {
            Named::Object(_) => None,
            Named::Collected => Some(EvalError::failed(format!("the object {name} has been garbage-collected"))),
            Named::Unknown => Some(EvalError::failed(format!("no object is named {name}"))),
        })
    }

    /// Gives what an expression on the left side stands for the value of another. Where only what changes nothing may run, that is
    /// true of both; a setter runs.
    ///
    /// # Errors
    /// [`EvalError`], also what the setter threw.
    pub fn assign(&mut self, target: &str, value: &str) -> Result<Answer, EvalError> {
        let names = format!("{target} {value}");
        let parsed = |text: &str| syntax::parse(text).map_err(|error| EvalError::Failed(error.to_string()));
        let text = value;
        let (target, value) = (parsed(target)?, parsed(value)?);
        let span = target.span.clone();
        let kind =
            syntax::ExprKind::Assignment { target: Box::new(target.clone()), operator: None, value: Box::new(value) };
        let assignment = syntax::Expr { kind, span };
        let (loaded, scope) = self.names(&names);
        let names = (&loaded.types, &scope);
        let now = match self.is_pure {
            true => {
                let purity = loaded.purity(self.stopped.target());
                let stored = run::assign(&mut Pure::new(self, names.0, purity), names, &assignment, limits(TIME));
                stored.and_then(|stored| {
                    match run::evaluate(&mut Pure::new(self, names.0, purity), names, &target, limits(TIME)) {
                        // a getter that does more than read
                        Err(Failure::SideEffects { .. }) => Ok(stored),
                        now => now,
                    }
                })
            }
            false => run::evaluate(self, names, &assignment, limits(TIME))
                .and_then(|_| run::evaluate(self, names, &target, limits(TIME))),
        };
        self.stopped.target().keep_types(loaded);
        now.map_err(|error| match self.threw.take() {
            Some(exception) => EvalError::failed(format!("the code threw {}", threw(self, exception))),
            None => match error {
                Failure::SideEffects { .. } => EvalError::of(error, text),
                error => error.into(),
            },
        })
    }

    /// Gives a place the value of an expression, as the type that it is declared as.
    ///
    /// # Errors
    /// [`EvalError`]
    pub fn assign_place(&mut self, place: &Place, value: &str) -> Result<(), EvalError> {
        let expr = syntax::parse(value).map_err(|error| EvalError::Failed(error.to_string()))?;
        let declared = match place.declared(self.stopped) {
            Some(declared) => declared,
            None => place.read(self.stopped)?.signature()?,
        };
        let (loaded, scope) = self.names(value);
        let (names, wanted) = ((&loaded.types, &scope), (&expr, &Type::of(&declared)));
        let value = match self.is_pure {
            true => {
                let purity = loaded.purity(self.stopped.target());
                run::evaluate_as(&mut Pure::new(self, names.0, purity), names, wanted, limits(TIME))
            }
            false => run::evaluate_as(self, names, wanted, limits(TIME)),
        };
        self.stopped.target().keep_types(loaded);
        match value {
            Ok(value) => self.write(place, &value),
            Err(error) => match self.threw.take() {
                Some(exception) => Err(threw(self, exception)),
                None => Err(error.into()),
            },
        }
    }

    /// A call; an exception ends the evaluation.
    fn run(&mut self, what: What) -> Result<Option<com::Value>, EvalError> {
        let Some(calls) = self.calls.as_deref_mut() else { return Err(EvalError::NeedsCall) };
        let call = Call { thread: self.thread, what };
        match calls.call(self.stopped, call) {
            Ok(Outcome::Value(value)) => Ok(value),
            Ok(Outcome::Threw(exception)) => {
                self.threw = Some(exception);
                Err(EvalError::failed("the code threw an exception"))
            }
            // nothing can be called on a thread in native code, in a prolog or in optimized code that is not at a safe point
            Err(CallError::Refused(HResult(
                0x8013_1313 | 0x8013_1c23 | 0x8013_1c24 | 0x8013_1c25 | 0x8013_1c26 | 0x8013_1c2e,
            ))) => Err(EvalError::NeedsCall),
            Err(error) => Err(error.into()),
        }
    }

    /// Loads an assembly of the framework.
    fn load(&mut self, name: &str) -> Result<(), EvalError> {
        let takes_name = |it: &clr_csharp::types::Method| match it.parameters.as_slice() {
            [only] => only.type_ == Type::STRING,
            _ => false,
        };
        let function = self.of_framework("System.Reflection.Assembly", "Load", takes_name)?;
        let arguments = vec![Argument::Text(name.encode_utf16().collect())];
        self.run(What::Function { function, types: Vec::new(), arguments }).map(drop)
    }

    fn of_framework(
        &mut self,
        type_: &str,
        name: &str,
        is_meant: impl Fn(&clr_csharp::types::Method) -> bool,
    ) -> Result<com::Function, EvalError> {
        let types = LoadedTypes::of(self.stopped.target()).types;
        let missing = || EvalError::failed(format!("the runtime has no {type_}.{name}"));
        let definition = types.definition(&Type::named(type_, Vec::new())).ok_or_else(missing)?;
        let methods = types.methods(&definition, name);
        self.function(methods.iter().find(|it| is_meant(it)).ok_or_else(missing)?)
    }

    /// Without the braces that distinguish a box from a variable.
    fn in_words(&self, answer: &Answer) -> String {
        use crate::values::Content;
        if let Value::Object(place) = &answer.value
            && let Ok(value) = place.read(self.stopped)
            && let Ok(Content::Scalar(scalar)) = value.content()
        {
            return scalar.to_string();
        }
        self.show(answer).0.text
    }

    /// Type and message of an exception that code of the program threw.
    pub fn words_of(&self, exception: com::Value) -> String {
        threw(self, exception).to_string()
    }

    /// Where the object lies that an expression gave; `None` for what is no object of its own.
    pub fn object_address(&self, answer: &Answer) -> Option<u64> {
        let Value::Object(place) = &answer.value else { return None };
        let value = place.read(self.stopped).ok()?.settled().ok()?;
        // of what a pointer points to the runtime would take any bytes for an object
        if matches!(value.com().kind().ok()?, com::element::PTR | com::element::FNPTR) {
            return None;
        }
        let reference = value.com().cast::<com::ReferenceValue>().ok()?;
        reference.target_address().ok().filter(|address| *address != 0)
    }

    /// The text of a string.
    pub fn string(&self, answer: &Answer) -> Option<String> {
        match &answer.value {
            Value::Constant(Constant::Text(units)) => Some(String::from_utf16_lossy(units)),
            Value::Object(place) => place.read(self.stopped).ok()?.text(),
            _ => None,
        }
    }
}

/// What an evaluation gets unless it was given a limit: it must not hold up the program, nor who waits for the answer.
const TIME: Duration = Duration::from_secs(5);

fn limits(time: Duration) -> Limits {
    Limits { until: Instant::now().checked_add(time), ..Limits::default() }
}

/// Type and message of an exception.
fn threw(evaluation: &Evaluation<'_>, exception: com::Value) -> EvalError {
    let exception = evaluation.stopped.value(exception);
    let message = crate::exceptions::message(&exception).unwrap_or_else(|| crate::exceptions::OWN_MESSAGE.to_owned());
    EvalError::failed(format!("{}: {message}", exception.type_name()))
}

impl<C: Calls + ?Sized> Calls for &mut C {
    fn call(&mut self, stopped: &mut Stopped, call: Call) -> Result<Outcome, CallError> {
        (**self).call(stopped, call)
    }
}
