//! A condition over objects of the heap: `it` is the object, beside what the frame has. Nothing runs.

use clr_csharp::run::Prepared;
use clr_csharp::syntax::{self, Expr};
use clr_csharp::types::Type;
use clr_csharp::world::{Failure, Scope, Variable};
use clr_metadata::{Primitive, TypeSig};

use super::{EvalError, Evaluation, limits};
use crate::com::{self, Interface as _, element};
use crate::target::LoadedTypes;
use crate::values::{Place, Root};

/// What the object is called.
const IT: &str = "it";

pub struct Filter<'e, 'a> {
    evaluation: &'e mut Evaluation<'a>,
    text: &'e str,
    expr: Expr,
    loaded: Option<LoadedTypes>,
    scope: Scope,
    /// Of objects of the type that was asked for last.
    bound: Option<(TypeSig, Prepared)>,
}

impl<'e, 'a> Filter<'e, 'a> {
    /// # Errors
    /// It cannot be parsed.
    pub fn new(evaluation: &'e mut Evaluation<'a>, text: &'e str) -> Result<Self, EvalError> {
        let expr = syntax::parse(text).map_err(|error| EvalError::Failed(error.to_string()))?;
        let (loaded, mut scope) = evaluation.names(text);
        scope.variables.insert(0, Variable { name: IT.into(), type_: None });
        Ok(Self { evaluation, text, expr, loaded: Some(loaded), scope, bound: None })
    }

    /// Whether it holds for the object at an address of this stop, of a type `own` that was asked for as `asked`: `it` is of that.
    ///
    /// # Errors
    /// [`EvalError`], also where it takes a call.
    pub fn holds(
        &mut self,
        process: &com::Process5,
        address: u64,
        (own, asked): (&TypeSig, &TypeSig),
    ) -> Result<bool, EvalError> {
        let object = process.object(address)?;
        let mut value: com::Value = object.cast()?;
        // the runtime hands out an array, or a string, as one only through a reference
        let is_string = *own == TypeSig::Primitive(Primitive::String);
        let through_handle = is_string || matches!(value.kind(), Ok(element::SZARRAY | element::ARRAY));
        if through_handle {
            value = object.cast::<com::HeapValue2>()?.create_handle(com::WEAK)?.cast()?;
        }
        self.evaluation.places.insert(0, Place::of(Root::Kept(value.clone())));
        let result = self.holds_of_it(own, asked);
        self.evaluation.places.remove(0);
        if through_handle && let Ok(handle) = value.cast::<com::HandleValue>() {
            let _ = handle.dispose();
        }
        result.map_err(|error| {
            let error = self.evaluation.lost(self.text).unwrap_or_else(|| EvalError::of(error, self.text));
            match error {
                EvalError::NeedsCall => {
                    let called = self.evaluation.uncalled.take().unwrap_or_else(|| "code of the program".into());
                    EvalError::failed(format!("it calls {called}, and a heap search runs no code"))
                }
                error => error,
            }
        })
    }
}

impl Filter<'_, '_> {
    fn holds_of_it(&mut self, own: &TypeSig, asked: &TypeSig) -> Result<bool, Failure<EvalError>> {
        let Some(loaded) = &self.loaded else { return Ok(false) };
        let condition = match &self.bound {
            Some((of, condition)) if of == own => condition,
            _ => {
                let scope = &mut self.scope;
                let mut bind = |it: &TypeSig| {
                    if let Some(variable) = scope.variables.first_mut() {
                        variable.type_ = Some(Type::of(it));
                    }
                    Prepared::condition(&loaded.types, scope.clone(), &self.expr)
                };
                // as C# has it of a variable of that type; else by what the object has
                let condition = bind(asked).or_else(|error| bind(own).map_err(|_| error))?;
                &self.bound.insert((own.clone(), condition)).1
            }
        };
        condition.holds(self.evaluation, &loaded.types, limits(super::TIME))
    }
}

impl Drop for Filter<'_, '_> {
    fn drop(&mut self) {
        if let Some(loaded) = self.loaded.take() {
            self.evaluation.stopped.target().keep_types(loaded);
        }
    }
}
