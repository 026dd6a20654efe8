//! Type arguments that a call leaves to the compiler, and types of signatures as the runtime has them.

use clr_metadata::TypeSig;

use super::Evaluation;
use super::names::instantiate;
use super::operators::Operand;
use crate::com::{self, element};
use crate::types;

impl Evaluation<'_> {
    /// `None`: the arguments do not tell all of them.
    pub(super) fn inferred(&self, count: usize, parameters: &[TypeSig], arguments: &[Operand]) -> Option<Vec<TypeSig>> {
        let mut bound = vec![None; count];
        for (parameter, argument) in parameters.iter().zip(arguments) {
            let Some(given) = self.declared(argument) else { continue };
            self.bind(parameter, &given, &mut bound);
        }
        bound.into_iter().collect()
    }

    /// What an argument is declared as, else what it is.
    fn declared(&self, argument: &Operand) -> Option<TypeSig> {
        let declared = match argument {
            Operand::Place(place) => place.declared(self.stopped),
            _ => None,
        };
        let held = || match argument {
            Operand::Place(place) => place.read(self.stopped).ok()?.signature().ok(),
            other => self.signature(other),
        };
        declared.or_else(held).map(|type_| types::plain(&type_))
    }

    /// What the first argument says of a type argument holds, as long as the others fit it.
    fn bind(&self, parameter: &TypeSig, given: &TypeSig, bound: &mut [Option<TypeSig>]) {
        match (parameter, given) {
            (TypeSig::MethodParameter(number), given) => {
                if let Some(slot @ None) = bound.get_mut(*number as usize) {
                    *slot = Some(given.clone());
                }
            }
            (TypeSig::Array(parameter), TypeSig::Array(given)) => self.bind(parameter, given, bound),
            (TypeSig::Named(wanted), _) if !wanted.arguments.is_empty() => {
                let bases = types::bases(self.stopped.target(), given);
                let base = bases.iter().find_map(|base| match base {
                    TypeSig::Named(base) if base.full_name == wanted.full_name => Some(base),
                    _ => None,
                });
                for (parameter, given) in wanted.arguments.iter().zip(base.map_or(&[][..], |base| &base.arguments)) {
                    self.bind(parameter, &types::plain(given), bound);
                }
            }
            _ => {}
        }
    }

    /// The runtime's own of a closed type; `None` where a module that has it is not loaded.
    pub(super) fn instance(&self, type_: &TypeSig) -> Option<com::Type> {
        match types::plain(type_) {
            TypeSig::Primitive(primitive) => self.named_instance(primitive.full_name(), &[]),
            TypeSig::Named(name) => {
                let arguments: Option<Vec<com::Type>> = name.arguments.iter().map(|it| self.instance(it)).collect();
                self.named_instance(&name.full_name, &arguments?)
            }
            TypeSig::Array(inner) => self.array_of(element::SZARRAY, 1, &inner),
            TypeSig::MultiArray { element: inner, shape } => self.array_of(element::ARRAY, shape.rank, &inner),
            _ => None,
        }
    }

    fn array_of(&self, kind: u32, rank: u32, inner: &TypeSig) -> Option<com::Type> {
        let domains = self.stopped.target().process().ok()?.app_domains().ok()?.rest::<com::AppDomain2>();
        domains.first()?.array_or_pointer_type(kind, rank, &self.instance(inner)?).ok()
    }

    fn named_instance(&self, full_name: &str, arguments: &[com::Type]) -> Option<com::Type> {
        let (users, framework): (Vec<_>, Vec<_>) =
            self.stopped.target().modules.all().into_iter().partition(|module| !module.is_framework);
        users.iter().chain(&framework).find_map(|module| {
            let assembly = module.assembly()?;
            let id = assembly.find_definition(full_name)?;
            let is_value = assembly.type_(id).is_value_type();
            instantiate(module, id, is_value, arguments)
        })
    }

    /// Whether it is a delegate, which is called by its name.
    pub(super) fn is_delegate(&self, value: &Operand) -> bool {
        let Operand::Place(place) = value else { return false };
        let Ok(type_) = place.read(self.stopped).and_then(|value| value.type_()) else { return false };
        types::chain(&type_).iter().any(|type_| {
            let definition = types::definition(self.stopped.target(), type_);
            definition.is_some_and(|definition| definition.is("System.Delegate"))
        })
    }
}
