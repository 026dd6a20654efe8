//! Expressions about one object, as the code of its type would have them: what the attributes for debuggers name.

use clr_csharp::pure::Pure;
use clr_csharp::run;
use clr_csharp::syntax;
use clr_csharp::types::{MethodRef, Type, TypeSystem};
use clr_csharp::value::Value;
use clr_csharp::world::{Failure, Imports, Scope, Variable, World};

use super::{EvalError, Evaluated, Evaluation, limits};
use crate::target::LoadedTypes;
use crate::values::Place;

impl Evaluation<'_> {
    /// Reads what is known of the program's types and code, where that was not done yet.
    pub fn prepare(&self) {
        let target = self.stopped.target();
        let loaded = target.take_types().unwrap_or_else(|| LoadedTypes::of(target));
        loaded.purity(target);
        target.keep_types(loaded);
    }

    /// As code of the type has it: `this` is the object; without one, the code is static.
    ///
    /// # Errors
    /// [`EvalError`]
    pub fn within(&mut self, this: Option<&Place>, type_: &Type, text: &str) -> Result<Evaluated, EvalError> {
        let expr = syntax::parse(text).map_err(|error| EvalError::Failed(error.to_string()))?;
        self.with_types(text, |evaluation, loaded| {
            let scope = scope(&loaded.types, type_, this.is_some());
            evaluation.places = this.cloned().into_iter().collect();
            let (names, limits) = ((&loaded.types, &scope), limits(evaluation.limit));
            match evaluation.is_pure {
                true => {
                    let purity = loaded.purity(evaluation.stopped.target());
                    run::evaluate(&mut Pure::new(evaluation, &loaded.types, purity), names, &expr, limits)
                }
                false => run::evaluate(evaluation, names, &expr, limits),
            }
        })
    }

    /// A new object of a type, named as reflection does, whose constructor takes that one and changes nothing. A generic type gets the
    /// arguments.
    ///
    /// # Errors
    /// [`EvalError`], also where there is no such type or constructor.
    pub fn made_of(&mut self, name: &str, arguments: &[Type], of: &Place) -> Result<Evaluated, EvalError> {
        self.with_types(name, |evaluation, loaded| {
            let types = &loaded.types;
            let missing = || Failure::Unsupported(format!("there is no {name} that takes such an object"));
            let definition = types.find(name).ok_or_else(missing)?;
            let constructors = types.methods(&definition, ".ctor");
            let takes_one = constructors.iter().find(|it| it.parameters.len() == 1 && !it.is_static);
            let method = takes_one.ok_or_else(missing)?.clone();
            // one that is within a generic type has its parameters too: what the constructor takes says which is which
            let takes = method.parameters.first().map(|it| it.type_.arguments().to_vec()).unwrap_or_default();
            let given = (0..definition.view().type_parameters().len()).map(|at| {
                let is_it = |it: &Type| matches!(it, Type::TypeParameter(number) if *number as usize == at);
                arguments.get(takes.iter().position(is_it).unwrap_or(at)).cloned()
            });
            let type_ = Type::named(name, given.collect::<Option<Vec<_>>>().ok_or_else(missing)?);
            let constructor = MethodRef { owner: type_.clone(), method, arguments: Vec::new() };
            let purity = loaded.purity(evaluation.stopped.target());
            let made = Pure::new(evaluation, types, purity).new_object(
                &type_,
                Some(&constructor),
                &[Value::Object(of.clone())],
            )?;
            Ok(super::Answer { value: made, type_ })
        })
    }

    fn with_types(
        &mut self,
        text: &str,
        act: impl FnOnce(&mut Self, &LoadedTypes) -> Result<super::Answer, Failure<EvalError>>,
    ) -> Result<Evaluated, EvalError> {
        let target = self.stopped.target().clone();
        let loaded = target.take_types().unwrap_or_else(|| LoadedTypes::of(&target));
        let answer = act(self, &loaded);
        target.keep_types(loaded);
        match (answer, self.threw.take()) {
            (Ok(answer), _) => Ok(Evaluated::Value(answer)),
            (Err(_), Some(exception)) => Ok(Evaluated::Threw(exception)),
            (Err(error), None) => Err(EvalError::of(error, text)),
        }
    }
}

/// Of code in a type.
fn scope(types: &TypeSystem, type_: &Type, has_this: bool) -> Scope {
    let this = has_this.then(|| Variable { name: "this".into(), type_: Some(type_.clone()) });
    let mut scope = Scope { variables: this.into_iter().collect(), ..Scope::default() };
    let Some(definition) = types.definition(type_) else { return scope };
    let mut around = Some(definition.view());
    while let Some(view) = around {
        let takes = view.type_parameters().len();
        let given = type_.arguments().get(..takes).unwrap_or_default().to_vec();
        if scope.enclosing.is_empty() {
            scope.type_parameters = view.type_parameters().into_iter().zip(given.iter().cloned()).collect();
        }
        scope.enclosing.push(Type::named(&view.full_name(), given));
        around = view.declaring_type();
    }
    let namespace = definition.view().namespace().to_owned();
    let namespaces = ["System", "System.Collections.Generic", "System.Linq"].map(str::to_owned);
    let namespaces = namespaces.into_iter().chain((!namespace.is_empty()).then_some(namespace)).collect();
    scope.imports.push(Imports { namespaces, ..Imports::default() });
    scope.assembly = Some(definition.assembly.clone());
    scope
}
