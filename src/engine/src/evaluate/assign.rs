//! Where an assignment goes: a place in memory, or the setter of a property.

use clr_metadata::{GetterKind, Primitive, TypeSig};

use super::expression::{Expr, parse};
use super::operators::Operand;
use super::{EvalError, Evaluated, Evaluation, threw};
use crate::calls::{Argument, What};
use crate::com;
use crate::types;
use crate::values::{Content, Place, Root, Scalar, Step, WriteError};

/// What an expression on the left side stands for.
pub enum Target {
    Place(Place),
    Setter { function: com::Function, types: Vec<com::Type>, type_: TypeSig, this: Place },
}

impl Evaluation<'_> {
    /// # Errors
    /// It cannot be assigned to.
    pub fn target(&mut self, text: &str) -> Result<Target, EvalError> {
        let expr = parse(text).map_err(EvalError::Failed)?;
        let property = match &expr {
            Expr::Member { of, name, .. } => match self.operand(of)? {
                Operand::Place(place) => self.property(&place, name)?,
                _ => None,
            },
            Expr::Name(name, _) => match self.this()? {
                Some(Operand::Place(this)) if !self.is_variable(name)? => self.property(&this, name)?,
                _ => None,
            },
            _ => None,
        };
        if let Some(setter) = property {
            return Ok(setter);
        }
        match self.operand(&expr)? {
            Operand::Place(place) if !matches!(place.root, Root::Kept(_)) || !place.steps.is_empty() => {
                Ok(Target::Place(place))
            }
            _ => Err(EvalError::failed(format!("'{text}' cannot be assigned to"))),
        }
    }

    /// `None`: no property, or one whose field is written instead.
    fn property(&self, place: &Place, name: &str) -> Result<Option<Target>, EvalError> {
        let value = place.read(self.stopped)?;
        let Ok(type_) = value.type_() else { return Ok(None) };
        for type_ in types::chain(&type_) {
            let Some(definition) = types::definition(self.stopped.target(), &type_) else { continue };
            let properties = definition.view().properties();
            let Some(property) = properties.into_iter().find(|it| it.name == name && !it.is_static && !it.is_indexer)
            else {
                continue;
            };
            let Some(setter) = property.setter else {
                return Err(EvalError::failed(format!(
                    "error CS0200: Property or indexer '{name}' cannot be assigned to -- it is read only"
                )));
            };
            if matches!(property.access, GetterKind::Auto { .. }) {
                return Ok(None);
            }
            let function = definition.module.function(setter.token().0)?;
            let types: Vec<com::Type> = type_.type_parameters().map(|list| list.rest()).unwrap_or_default();
            let given: Vec<TypeSig> =
                types.iter().map(|it| crate::types::signature(self.stopped.target(), it)).collect();
            let type_ = property.type_.substitute(&given, &[]);
            return Ok(Some(Target::Setter { function, types, type_, this: place.clone() }));
        }
        Ok(None)
    }

    pub(super) fn is_variable(&self, name: &str) -> Result<bool, EvalError> {
        let all = self.variables()?;
        Ok(all.iter().any(|(variable, _)| variable == name))
    }

    /// Gives a target the value of an expression.
    ///
    /// # Errors
    /// [`EvalError`]
    pub fn assign(&mut self, to: &Target, text: &str) -> Result<(), EvalError> {
        let value = match self.text(text)? {
            Evaluated::Value(value) => value,
            Evaluated::Threw(exception) => return Err(threw(self, exception)),
        };
        match to {
            Target::Setter { function, types, type_, this } => {
                let Some((_, value)) = self.converted(&value, type_) else {
                    return Err(self.no_conversion(&value, type_));
                };
                let arguments = vec![Argument::Place(this.clone()), value];
                let set = self.call(What::Function { function: function.clone(), types: types.clone(), arguments });
                set.map(drop).map_err(|error| match self.threw.take() {
                    Some(exception) => EvalError::failed(format!("the setter threw {}", threw(self, exception))),
                    None => error,
                })
            }
            Target::Place(place) if place.read(self.stopped)?.is_reference() => self.refer(place, value),
            Target::Place(place) => self.write(place, &value),
        }
    }

    /// Into a place that holds the value itself.
    fn write(&mut self, place: &Place, value: &Operand) -> Result<(), EvalError> {
        let to = place.read(self.stopped)?;
        let written = match value {
            Operand::Scalar(scalar) => to.write_scalar(scalar),
            Operand::Null(_) => to.write_null(),
            Operand::Place(from) => {
                let from = from.read(self.stopped)?;
                match from.content()? {
                    Content::Scalar(scalar) if !matches!(scalar, Scalar::Decimal(_)) => to.write_scalar(&scalar),
                    _ => to.write_value(&from),
                }
            }
            Operand::Text(_) | Operand::Type(_) | Operand::Namespace(_) => {
                return Err(self.no_conversion(value, &to.signature()?));
            }
        };
        Ok(written?)
    }

    /// Into a place that holds a reference, where the place may refer to such an object.
    fn refer(&mut self, place: &Place, value: Operand) -> Result<(), EvalError> {
        if self.is_null(&value)? {
            return Ok(place.read(self.stopped)?.write_null()?);
        }
        let declared = place.declared(self.stopped);
        let fits = declared.as_ref().is_some_and(|declared| self.is_convertible(&value, declared));
        if !fits && !self.is_of_same_type(place, &value) {
            let declared = declared.map_or_else(|| place.read(self.stopped)?.signature(), Ok)?;
            return Err(self.no_conversion(&value, &declared));
        }
        let object = self.object(value)?;
        let object = object.read(self.stopped)?;
        // boxing may have run code: what was read before it holds no more
        Ok(place.read(self.stopped)?.write_value(&object)?)
    }

    pub(super) fn is_convertible(&self, value: &Operand, to: &TypeSig) -> bool {
        let from = self.signature(value);
        from.is_some_and(|from| types::is_assignable(self.stopped.target(), &from, to))
    }

    /// Where the declaration does not tell, what is there does.
    fn is_of_same_type(&self, place: &Place, value: &Operand) -> bool {
        let Operand::Place(from) = value else { return false };
        let type_ = |place: &Place| {
            let value = place.read(self.stopped).ok()?;
            if value.is_null() { None } else { value.type_().ok() }
        };
        let both = type_(place).zip(type_(from));
        both.is_some_and(|(to, from)| types::is_same(self.stopped.target(), &to, &from))
    }

    /// The type of a value; of one in a `T?`, `T`.
    pub(super) fn signature(&self, value: &Operand) -> Option<TypeSig> {
        match value {
            Operand::Scalar(scalar) => Some(scalar.signature()),
            Operand::Text(_) => Some(TypeSig::Primitive(Primitive::String)),
            Operand::Place(place) => match place.read(self.stopped).ok()?.signature().ok()? {
                TypeSig::Named(name) if name.full_name == "System.Nullable`1" => name.arguments.into_iter().next(),
                other => Some(other),
            },
            Operand::Null(_) | Operand::Type(_) | Operand::Namespace(_) => None,
        }
    }

    /// A value as something that can be referred to: texts become strings of the program, structs are boxed.
    fn object(&mut self, value: Operand) -> Result<Place, EvalError> {
        let what = match value {
            Operand::Text(units) => What::Text(units),
            Operand::Scalar(scalar) => What::Boxed(scalar),
            Operand::Place(place) => {
                let from = place.read(self.stopped)?;
                if from.is_reference() {
                    return Ok(place);
                }
                match from.content()? {
                    Content::Scalar(scalar) => What::Boxed(scalar),
                    _ => return self.boxed(if from.is_nullable() { place.then(Step::Inside) } else { place }),
                }
            }
            _ => return Err(EvalError::failed("this expression has no value")),
        };
        let made = self.call(what)?.ok_or_else(|| EvalError::failed("the object could not be created"))?;
        Ok(Place::of(Root::Kept(made)))
    }

    fn boxed(&mut self, place: Place) -> Result<Place, EvalError> {
        let type_ = place.read(self.stopped)?.type_()?;
        let types = type_.type_parameters().map(|list| list.rest()).unwrap_or_default();
        let made = self.call(What::Bare { class: type_.class()?, types })?;
        let made = made.ok_or_else(|| EvalError::failed("the object could not be created"))?;
        let inside = self.stopped.value(made.clone()).target()?.ok_or(com::HResult::POINTER)?;
        inside.write_value(&place.read(self.stopped)?)?;
        Ok(Place::of(Root::Kept(made)))
    }

    fn no_conversion(&self, value: &Operand, to: &TypeSig) -> EvalError {
        let from = self.signature(value).map_or_else(|| value.type_name(), |from| types::text(&from));
        WriteError::Type { from, to: types::text(to) }.into()
    }
}
