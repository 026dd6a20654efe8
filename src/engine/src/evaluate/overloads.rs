//! Which of a type's methods a call means.

use clr_metadata::{AttributeValue, MethodId, MethodView, Primitive, TypeSig};

use super::Evaluation;
use super::operators::Operand;
use crate::calls::Argument;
use crate::com::{self, element};
use crate::types::{self, Definition};
use crate::values::Scalar;

/// A method that may be meant.
pub(super) struct Candidate {
    pub definition: Definition,
    pub method: MethodId,
    /// Of the class, then of the method.
    pub types: Vec<com::Type>,
    pub arguments: Vec<Argument>,
    rank: Rank,
}

impl Candidate {
    /// Of those found first the first is taken.
    pub(super) fn is_better_than(&self, other: &Self) -> bool {
        self.rank > other.rank
    }
}

/// Greater is better: how well the arguments fit, then C#'s rules between equals (ECMA-334, 12.6.4.3).
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Rank {
    fit: u32,
    is_plain: bool,
    is_normal: bool,
    given: usize,
}

/// A type that may have the method, with its arguments.
struct Owner {
    definition: Definition,
    types: Vec<com::Type>,
}

/// What is called, as far as it says which overload is meant.
#[derive(Clone, Copy)]
pub(super) struct Wanted<'a> {
    pub name: &'a str,
    /// Type arguments that the expression names.
    pub types: &'a [TypeSig],
    pub arguments: &'a [Operand],
    pub is_static: bool,
}

impl Evaluation<'_> {
    /// The best of the nearest type that has one.
    pub(super) fn candidate(&self, type_: &com::Type, wanted: Wanted<'_>) -> Option<Candidate> {
        self.owners(type_).iter().find_map(|owner| {
            let methods = owner.definition.view().methods().map(|id| owner.definition.assembly.method(id));
            let named = methods.filter(|view| view.name() == wanted.name && view.is_static() == wanted.is_static);
            self.best(owner, named, wanted)
        })
    }

    /// The best of some static methods of a type that is not generic.
    pub(super) fn candidate_of(
        &self,
        definition: &Definition,
        methods: &[MethodId],
        wanted: Wanted<'_>,
    ) -> Option<Candidate> {
        let owner = Owner { definition: definition.clone(), types: Vec::new() };
        self.best(&owner, methods.iter().map(|id| definition.assembly.method(*id)), wanted)
    }

    fn best<'v>(
        &self,
        owner: &Owner,
        methods: impl Iterator<Item = MethodView<'v>>,
        wanted: Wanted<'_>,
    ) -> Option<Candidate> {
        let fitting =
            methods.flat_map(|view| [false, true].map(|expanded| self.fitting(owner, view, wanted, expanded)));
        fitting.flatten().reduce(|best, other| if other.is_better_than(&best) { other } else { best })
    }

    /// Whether there is any method of that name, whatever it takes.
    pub(super) fn has_method(&self, type_: &com::Type, name: &str) -> bool {
        self.owners(type_).iter().any(|owner| {
            let assembly = &owner.definition.assembly;
            owner.definition.view().methods().any(|id| assembly.method(id).name() == name)
        })
    }

    /// The type and its bases. For the runtime a keyword's type and an array have none.
    fn owners(&self, type_: &com::Type) -> Vec<Owner> {
        let target = self.stopped.target();
        let mut owners: Vec<Owner> = types::chain(type_)
            .iter()
            .filter_map(|type_| {
                let is_array = matches!(type_.kind(), Ok(element::SZARRAY | element::ARRAY));
                let given = if is_array { None } else { type_.type_parameters().ok() };
                let types = given.map(|list| list.rest()).unwrap_or_default();
                Some(Owner { definition: types::definition(target, type_)?, types })
            })
            .collect();
        let Some(last) = owners.last() else { return owners };
        if last.definition.view().is_value_type() {
            owners
                .extend(types::core(target, "System.ValueType").map(|it| Owner { definition: it, types: Vec::new() }));
        }
        if !owners.iter().any(|owner| owner.definition.is("System.Object")) {
            owners.extend(types::core(target, "System.Object").map(|it| Owner { definition: it, types: Vec::new() }));
        }
        owners
    }

    /// `expanded`: what stands where a `params` array does becomes its elements.
    fn fitting(&self, owner: &Owner, view: MethodView<'_>, wanted: Wanted<'_>, expanded: bool) -> Option<Candidate> {
        let signature = view.signature()?;
        let operands = wanted.arguments;
        let count = signature.parameters.len();
        let fixed = if expanded { count.checked_sub(1)? } else { operands.len().min(count) };
        if operands.len() < fixed || !expanded && operands.len() > count || expanded && !view.takes_any_number() {
            return None;
        }
        let of_type: Vec<TypeSig> =
            owner.types.iter().map(|type_| types::signature(self.stopped.target(), type_)).collect();
        let mut parameters: Vec<TypeSig> = signature.parameters.clone();
        if expanded {
            let TypeSig::Array(element) = parameters.pop()? else { return None };
            parameters.resize(operands.len().max(fixed), *element);
        }
        let mut parameters: Vec<TypeSig> =
            parameters.iter().map(|it| types::plain(&it.substitute(&of_type, &[]))).collect();
        let of_method = match (signature.generic_parameters as usize, wanted.types) {
            (0, []) => Vec::new(),
            (0, _) => return None,
            (count, []) => self.inferred(count, &parameters, operands)?,
            (count, named) => (named.len() == count).then(|| named.to_vec())?,
        };
        for parameter in &mut parameters {
            *parameter = parameter.substitute(&[], &of_method);
        }
        let mut fit = 0;
        let mut arguments = Vec::with_capacity(count);
        for (operand, parameter) in operands.iter().zip(&parameters) {
            let (by, argument) = self.converted(operand, parameter)?;
            fit += by;
            arguments.push(argument);
        }
        if expanded {
            // of none, too, the element's type is known
            let element = match parameters.last() {
                Some(last) if operands.len() > fixed => last.clone(),
                _ => match signature.parameters.last()?.substitute(&of_type, &of_method) {
                    TypeSig::Array(element) => *element,
                    _ => return None,
                },
            };
            let items = arguments.split_off(fixed);
            arguments.push(Argument::Array { element: self.instance(&element)?, items });
        } else {
            let defaults = view.parameter_defaults();
            for (at, parameter) in parameters.iter().enumerate().skip(operands.len()) {
                arguments.push(self.left_out(defaults.get(at)?.as_ref()?, parameter)?);
            }
        }
        let of_method: Option<Vec<com::Type>> = of_method.iter().map(|type_| self.instance(type_)).collect();
        let is_plain = signature.generic_parameters == 0;
        let given = usize::MAX - count.saturating_sub(operands.len());
        Some(Candidate {
            definition: owner.definition.clone(),
            method: view.id(),
            types: owner.types.iter().cloned().chain(of_method?).collect(),
            arguments,
            rank: Rank { fit, is_plain, is_normal: !expanded, given },
        })
    }

    /// What a parameter gets for which the call has nothing.
    fn left_out(&self, default: &AttributeValue, parameter: &TypeSig) -> Option<Argument> {
        let operand = match (default, parameter) {
            (AttributeValue::Bool(value), _) => Operand::Scalar(Scalar::Bool(*value)),
            (AttributeValue::Char(c), _) => Operand::Scalar(Scalar::Char(u32::from(*c) as u16)),
            (AttributeValue::Int(number), TypeSig::Primitive(primitive)) => {
                Operand::Scalar(Scalar::Int(*primitive, *number))
            }
            (AttributeValue::Int(number), TypeSig::Named(name)) if name.arguments.is_empty() => {
                let definition = types::definition(self.stopped.target(), &self.instance(parameter)?)?;
                definition.view().is_enum().then(|| Operand::Scalar(Scalar::Enum(definition.clone(), *number)))?
            }
            (AttributeValue::Float(number), TypeSig::Primitive(Primitive::R4)) => {
                Operand::Scalar(Scalar::Single(*number as f32))
            }
            (AttributeValue::Float(number), _) => Operand::Scalar(Scalar::Double(*number)),
            (AttributeValue::String(Some(text)), _) => Operand::Text(text.encode_utf16().collect()),
            (AttributeValue::String(None), _) => Operand::Null(None),
            _ => return None,
        };
        self.converted(&operand, parameter).map(|(_, argument)| argument)
    }
}
