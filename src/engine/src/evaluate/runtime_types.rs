//! Types of expressions as the runtime has them.

use std::sync::Arc;

use clr_csharp::types::{Method, Type, is_same_file};
use clr_metadata::{Assembly, Token, TypeId};

use super::{EvalError, Evaluation};
use crate::com::{self, Interface as _, element};
use crate::modules::Module;
use crate::target::LoadedTypes;
use crate::types::{self, Definition};
use crate::values::Place;

impl Evaluation<'_> {
    /// Where an assembly is loaded.
    pub(super) fn module_of(&self, assembly: &Arc<Assembly>) -> Option<Arc<Module>> {
        let modules = self.stopped.target().modules.all();
        modules.into_iter().find(|module| module.assembly().is_some_and(|own| is_same_file(own, assembly)))
    }

    /// Loads it where it is not, as the program's own first use would.
    pub(super) fn loaded(&mut self, assembly: &Arc<Assembly>) -> Result<Arc<Module>, EvalError> {
        if let Some(module) = self.module_of(assembly) {
            return Ok(module);
        }
        self.load(assembly.name())?;
        let missing = || EvalError::failed(format!("the assembly '{}' could not be loaded", assembly.name()));
        self.module_of(assembly).ok_or_else(missing)
    }

    pub(super) fn function(&mut self, method: &Method) -> Result<com::Function, EvalError> {
        let module = self.loaded(&method.assembly)?;
        Ok(module.function(method.id.token().0)?)
    }

    /// The metadata of a type that has some.
    pub(super) fn definition(&self, type_: &Type) -> Option<Definition> {
        let name = match type_ {
            Type::Array { .. } => "System.Array",
            other => other.name()?,
        };
        let (users, framework): (Vec<_>, Vec<_>) =
            self.stopped.target().modules.all().into_iter().partition(|module| !module.is_framework);
        users.into_iter().chain(framework).find_map(|module| {
            let assembly = module.assembly()?.clone();
            let id = assembly.find_definition(name)?;
            let class = module.class(id).ok()?;
            Some(Definition { module, assembly, id, class })
        })
    }

    /// Whether several modules have a type of that name.
    pub(super) fn has_twin(&mut self, type_: &Type) -> bool {
        let Some(name) = type_.name() else { return false };
        if let Some(known) = self.twins.get(name) {
            return *known;
        }
        let modules = self.stopped.target().modules.all();
        let defines = |module: &&Arc<Module>| module.assembly().is_some_and(|it| it.find_definition(name).is_some());
        let has_twin = modules.iter().filter(defines).nth(1).is_some();
        self.twins.insert(name.to_owned(), has_twin);
        has_twin
    }

    /// Whether an object is of that very type, or of one below it.
    pub(super) fn is_one_of(&self, object: &Place, definition: &Definition) -> Result<bool, EvalError> {
        let type_ = object.read(self.stopped)?.type_()?;
        let is_it = |type_: &com::Type| {
            let own = types::definition(self.stopped.target(), type_);
            own.is_some_and(|own| own.module.id == definition.module.id && own.id == definition.id)
        };
        Ok(types::chain(self.stopped.target(), &type_).iter().any(is_it))
    }

    /// Of a closed type; an assembly that has a part of it is loaded.
    pub(super) fn instance(&mut self, type_: &Type) -> Result<com::Type, EvalError> {
        let unknown = || EvalError::failed(format!("the type '{type_}' is not loaded"));
        match type_ {
            Type::Primitive(_) | Type::Named(_) => {
                let arguments = type_.arguments().iter().map(|it| self.instance(it)).collect::<Result<Vec<_>, _>>()?;
                let found = match self.definition(type_) {
                    Some(found) => found,
                    None => {
                        let types = LoadedTypes::of(self.stopped.target()).types;
                        self.loaded(&types.definition(type_).ok_or_else(unknown)?.assembly)?;
                        self.definition(type_).ok_or_else(unknown)?
                    }
                };
                let is_value = found.view().is_value_type();
                instantiate(&found.module, found.id, is_value, &arguments).ok_or_else(unknown)
            }
            Type::Late => self.instance(&Type::OBJECT),
            Type::Array { of, rank } => {
                let of = self.instance(of)?;
                let kind = if *rank == 1 { element::SZARRAY } else { element::ARRAY };
                let process = self.stopped.target().process()?;
                let domains = process.app_domains()?.rest::<com::AppDomain2>();
                let domain = domains.first().ok_or_else(unknown)?;
                Ok(domain.array_or_pointer_type(kind, *rank, &of)?)
            }
            _ => Err(unknown()),
        }
    }

    pub(super) fn instances(&mut self, types: &[Type]) -> Result<Vec<com::Type>, EvalError> {
        types.iter().map(|type_| self.instance(type_)).collect()
    }

    /// As an expression has it.
    pub(super) fn type_of_com(&self, type_: &com::Type) -> Type {
        Type::of(&types::signature(self.stopped.target(), type_))
    }
}

/// A type with its arguments.
pub fn instantiate(module: &Module, id: TypeId, is_value: bool, arguments: &[com::Type]) -> Option<com::Type> {
    let kind = if is_value { element::VALUETYPE } else { element::CLASS };
    let class = module.com.class(Token(id.token().0).0).ok()?;
    class.cast::<com::Class2>().ok()?.with_arguments(kind, arguments).ok()
}
