//! Expressions over objects of the heap: `it` is the object, beside what the frame has. Nothing runs.

use clr_csharp::run::{BindError, Prepared};
use clr_csharp::syntax::{self, Expr};
use clr_csharp::types::{Type, TypeSystem};
use clr_csharp::world::{Failure, Scope, Variable};
use clr_metadata::{Primitive, TypeSig};

use super::{Answer, EvalError, Evaluation, Key, Undone, limits};
use crate::com::{self, Interface as _, element};
use crate::target::LoadedTypes;
use crate::values::{Place, Root};

/// What the object is called.
const IT: &str = "it";

/// An object at this stop, of a type `own` that was asked for as `asked`: `it` is of that.
#[derive(Clone, Copy)]
pub struct It<'t> {
    pub address: u64,
    pub own: &'t TypeSig,
    pub asked: &'t TypeSig,
}

pub struct OverObjects<'e, 'a> {
    evaluation: &'e mut Evaluation<'a>,
    process: com::Process5,
    loaded: Option<LoadedTypes>,
    scope: Scope,
    condition: Option<Asked>,
    key: Option<Asked>,
}

/// One of the expressions.
struct Asked {
    text: String,
    expr: Expr,
    /// For objects of the type that was asked for last.
    bound: Option<(TypeSig, Prepared)>,
}

/// How it is bound.
type Bind = fn(&TypeSystem, Scope, &Expr) -> Result<Prepared, BindError>;

impl Asked {
    fn parse(text: &str) -> Result<Self, EvalError> {
        let expr = syntax::parse(text).map_err(|error| EvalError::Failed(error.to_string()))?;
        Ok(Self { text: text.to_owned(), expr, bound: None })
    }

    /// As C# has it of a variable of the type that was asked for; else by what the object has.
    fn bound(&mut self, types: &TypeSystem, scope: &mut Scope, it: It<'_>, bind: Bind) -> Result<&Prepared, BindError> {
        let is_known = self.bound.as_ref().is_some_and(|(of, _)| of == it.own);
        let prepared = match self.bound.take().filter(|_| is_known) {
            Some((_, prepared)) => prepared,
            None => {
                let mut bind = |of: &TypeSig| {
                    if let Some(variable) = scope.variables.first_mut() {
                        variable.type_ = Some(Type::of(of));
                    }
                    bind(types, scope.clone(), &self.expr)
                };
                bind(it.asked).or_else(|error| bind(it.own).map_err(|_| error))?
            }
        };
        Ok(&self.bound.insert((it.own.clone(), prepared)).1)
    }
}

impl<'e, 'a> OverObjects<'e, 'a> {
    /// # Errors
    /// One of them cannot be parsed.
    pub fn new(
        evaluation: &'e mut Evaluation<'a>,
        condition: Option<&str>,
        key: Option<&str>,
    ) -> Result<Self, EvalError> {
        let (condition, key) = (condition.map(Asked::parse).transpose()?, key.map(Asked::parse).transpose()?);
        let texts: Vec<&str> = condition.iter().chain(&key).map(|it| it.text.as_str()).collect();
        let process = evaluation.stopped.target().process()?.cast()?;
        let (loaded, mut scope) = evaluation.names(&texts.join(" "));
        scope.variables.insert(0, Variable { name: IT.into(), type_: None });
        Ok(Self { evaluation, process, loaded: Some(loaded), scope, condition, key })
    }

    /// Whether the condition holds for an object, as it does where there is no condition.
    ///
    /// # Errors
    /// [`EvalError`], also where it takes a call.
    pub fn holds(&mut self, it: It<'_>) -> Result<bool, EvalError> {
        let Some(mut condition) = self.condition.take() else { return Ok(true) };
        let holds = self.with(it, (&condition.text.clone(), false), |over, loaded| {
            let prepared = condition.bound(&loaded.types, &mut over.scope, it, Prepared::condition)?;
            prepared.holds(over.evaluation, &loaded.types, limits(super::TIME))
        });
        self.condition = Some(condition);
        holds
    }

    /// What an object is grouped by.
    ///
    /// # Errors
    /// [`EvalError`], also where it takes a call.
    pub fn key(&mut self, it: It<'_>) -> Result<Key, EvalError> {
        self.grouped(it, false, |evaluation, answer| evaluation.key(&answer.value))
    }

    /// The same as a value that can be shown as long as the program stands still.
    ///
    /// # Errors
    /// [`EvalError`]
    pub fn answer(&mut self, it: It<'_>) -> Result<Answer, EvalError> {
        self.grouped(it, true, |_, answer| Ok(answer))
    }

    fn grouped<T>(
        &mut self,
        it: It<'_>,
        is_shown: bool,
        of: impl FnOnce(&Evaluation<'_>, Answer) -> Result<T, EvalError>,
    ) -> Result<T, EvalError> {
        let Some(mut key) = self.key.take() else { return Err(EvalError::failed("nothing to group by")) };
        let value = self.with(it, (&key.text.clone(), is_shown), |over, loaded| {
            let prepared = key.bound(&loaded.types, &mut over.scope, it, Prepared::bind)?;
            let answer = prepared.evaluate(over.evaluation, &loaded.types, limits(super::TIME))?;
            Ok(of(over.evaluation, answer)?)
        });
        self.key = Some(key);
        value
    }

    /// With the object as the first of the scope's variables. `is_shown`: what comes of it is read later.
    fn with<T>(
        &mut self,
        it: It<'_>,
        (text, is_shown): (&str, bool),
        act: impl FnOnce(&mut Self, &LoadedTypes) -> Result<T, Failure<EvalError>>,
    ) -> Result<T, EvalError> {
        let Some(loaded) = self.loaded.take() else { return Err(EvalError::failed("no types are loaded")) };
        let done = match self.value(it) {
            Ok(value) => {
                self.evaluation.places.insert(0, Place::of(Root::Kept(value.clone())));
                let done = act(self, &loaded);
                self.evaluation.places.remove(0);
                if !is_shown && let Ok(handle) = value.cast::<com::HandleValue>() {
                    let _ = handle.dispose();
                }
                done
            }
            Err(error) => Err(Failure::World(error.into())),
        };
        self.loaded = Some(loaded);
        done.map_err(|error| {
            let error = self.evaluation.lost(text).unwrap_or_else(|| EvalError::of(error, text));
            match error {
                EvalError::NeedsCall => EvalError::failed(match self.evaluation.undone.take() {
                    Some(Undone::Call(what)) => format!("{what}, and a heap search runs no code"),
                    Some(Undone::Change(what)) => format!("{what}, and a heap search changes nothing"),
                    None => "it runs code of the program, which a heap search does not do".to_owned(),
                }),
                error => error,
            }
        })
    }

    fn value(&self, it: It<'_>) -> com::Result<com::Value> {
        let object = self.process.object(it.address)?;
        let value: com::Value = object.cast()?;
        // the runtime hands out an array, or a string, as one only through a reference
        let is_string = *it.own == TypeSig::Primitive(Primitive::String);
        match is_string || matches!(value.kind(), Ok(element::SZARRAY | element::ARRAY)) {
            true => object.cast::<com::HeapValue2>()?.create_handle(com::WEAK)?.cast(),
            false => Ok(value),
        }
    }
}

impl Drop for OverObjects<'_, '_> {
    fn drop(&mut self) {
        if let Some(loaded) = self.loaded.take() {
            self.evaluation.stopped.target().keep_types(loaded);
        }
    }
}
