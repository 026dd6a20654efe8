//! The declared type of a location, which its value does not show.

use clr_metadata::{Primitive, TypeSig, VariableRoot};

use super::{Place, Root, Shown, Step};
use crate::com;
use crate::stopped::Stopped;
use crate::types::{self, Definition};

impl Place {
    /// The type of the variable, field or element; `None` where nobody declared one.
    pub fn declared(&self, stopped: &Stopped) -> Option<TypeSig> {
        self.signature(stopped).map(|type_| types::plain(&type_))
    }

    /// The type by which a box of a number is known, where its text says what is in it: as the place declares it, if that is no `object`.
    pub fn declared_as(&self, shown: Shown, stopped: &Stopped) -> Shown {
        if shown.text != format!("{{{}}}", shown.type_name) {
            return shown;
        }
        match self.declared(stopped) {
            // of a field of a struct that shared code made, the value alone says which type it is
            Some(declared) if declared != TypeSig::Primitive(Primitive::Object) && types::is_known(&declared) => {
                Shown { type_name: types::text(&declared), ..shown }
            }
            _ => shown,
        }
    }

    fn signature(&self, stopped: &Stopped) -> Option<TypeSig> {
        let Some((last, before)) = self.steps.split_last() else { return self.root.declared(stopped) };
        let owner = before.iter().fold(Self::of(self.root.clone()), |place, step| place.then(step.clone()));
        let owner = owner.read(stopped).ok()?.type_().ok()?;
        let target = stopped.target();
        match last {
            Step::Field { class, field } => {
                let module = target.modules.of(&class.module().ok()?)?;
                let token = class.token().ok()?;
                types::chain(target, &owner).iter().find_map(|type_| {
                    let definition = types::definition(target, type_)?;
                    let is_it = definition.module.id == module.id && definition.id.token().0 == token;
                    is_it.then(|| declared_field(stopped, type_, &definition, *field))?
                })
            }
            Step::Element(_) => match types::signature(target, &owner) {
                TypeSig::Array(element) | TypeSig::MultiArray { element, .. } => Some(*element),
                _ => None,
            },
            Step::Inside => None,
        }
    }
}

impl Root {
    fn declared(&self, stopped: &Stopped) -> Option<TypeSig> {
        match self {
            Self::Variable { thread, frame, root } => {
                let frame = stopped.thread(*thread).ok()?.frame(*frame).ok()?;
                let method = frame.data().module.assembly()?.method(frame.data().method);
                let type_ = match *root {
                    VariableRoot::Slot(slot) => method.local_types().into_iter().nth(slot.into())?,
                    VariableRoot::Argument(number) => {
                        let signature = method.signature()?;
                        let number = number.checked_sub(signature.has_this.into())?;
                        signature.parameters.into_iter().nth(number.into())?
                    }
                };
                let given = signatures(stopped, &frame.type_arguments());
                let of_type = method.declaring_type()?.type_parameters().len().min(given.len());
                let (of_type, of_method) = given.split_at(of_type);
                Some(type_.substitute(of_type, of_method))
            }
            Self::Static { type_, field, .. } => {
                declared_field(stopped, type_, &types::definition(stopped.target(), type_)?, *field)
            }
            Self::Waiting { .. } | Self::Exception(_) | Self::Kept(_) | Self::Referred(_) => None,
        }
    }
}

fn declared_field(
    stopped: &Stopped,
    type_: &com::Type,
    definition: &Definition,
    field: clr_metadata::FieldId,
) -> Option<TypeSig> {
    let declared = definition.view().fields().into_iter().find(|other| other.id == field)?.type_;
    let given: Vec<com::Type> = type_.type_parameters().map(|list| list.rest()).unwrap_or_default();
    Some(declared.substitute(&signatures(stopped, &given), &[]))
}

fn signatures(stopped: &Stopped, types: &[com::Type]) -> Vec<TypeSig> {
    types.iter().map(|type_| types::signature(stopped.target(), type_)).collect()
}
