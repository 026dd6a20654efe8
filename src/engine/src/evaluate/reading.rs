//! From places to values and back: what is read, passed to a call, and written.

use clr_csharp::Decimal;
use clr_csharp::constant::{Constant, Scalar as Number};
use clr_csharp::syntax::Pass;
use clr_csharp::types::{MethodRef, Parameter, Type};
use clr_csharp::value::Value;
use clr_metadata::{Primitive, TypeSig};

use super::{EvalError, Evaluation};
use crate::calls::{self, Argument, What};
use crate::com::{self, element};
use crate::types;
use crate::values::{self, Content, Place, Root, Scalar, Step, WriteError};

impl Evaluation<'_> {
    /// What is in a place: all of it, where a literal says that.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn held(&self, place: &Place) -> Result<Value<Place>, EvalError> {
        let value = place.read(self.stopped)?;
        let Some(target) = value.target()? else { return Ok(Value::NULL) };
        let kind = target.com().kind()?;
        // not read before somebody asks
        if matches!(kind, element::STRING | element::SZARRAY | element::ARRAY) {
            return Ok(Value::Object(place.clone()));
        }
        Ok(match value.content()? {
            Content::Null => Value::NULL,
            // the box has an identity
            Content::Scalar(_) if value.is_boxed() => Value::Object(place.clone()),
            Content::Scalar(scalar) => Value::Constant(constant_at(&value, &scalar)),
            Content::Object(_) if target.is_nullable() => Value::Object(place.then(Step::Inside)),
            _ => Value::Object(place.clone()),
        })
    }

    /// A number, a `bool`, a `char` or an enum, in a box or not.
    pub(super) fn constant_in(&self, place: &Place) -> com::Result<Option<Constant>> {
        let value = place.read(self.stopped)?;
        let Some(target) = value.target()? else { return Ok(None) };
        if matches!(target.com().kind(), Ok(element::STRING | element::SZARRAY | element::ARRAY)) {
            return Ok(None);
        }
        Ok(match value.content()? {
            Content::Scalar(scalar) => Some(constant_at(&value, &scalar)),
            _ => None,
        })
    }

    /// As the engine's own.
    pub(super) fn scalar_of(&self, constant: &Constant) -> Option<Scalar> {
        Some(match constant {
            Constant::Scalar(number) => match number {
                Number::Bool(value) => Scalar::Bool(*value),
                Number::Char(unit) => Scalar::Char(*unit),
                Number::Int(primitive, number) => Scalar::Int(*primitive, *number),
                Number::Single(number) => Scalar::Single(*number),
                Number::Double(number) => Scalar::Double(*number),
                Number::Decimal(number) => Scalar::Decimal(number.to_string()),
            },
            Constant::Enum(type_, number) => Scalar::Enum(self.definition(type_)?, *number),
            Constant::Null | Constant::Text(_) => return None,
        })
    }

    /// The arguments of the generic type that an enum is declared in.
    pub(super) fn instance_arguments(&mut self, constant: &Constant) -> Result<Vec<com::Type>, EvalError> {
        match constant {
            Constant::Enum(type_, _) => self.instances(type_.arguments()),
            _ => Ok(Vec::new()),
        }
    }

    /// The object that a method is called on.
    pub(super) fn receiver(&mut self, value: &Value<Place>) -> Result<Argument, EvalError> {
        Ok(match value {
            Value::Object(place) => Argument::Place(place.clone()),
            Value::Constant(Constant::Text(units)) => Argument::Text(units.to_vec()),
            // a method of a number wants its address, and the runtime has one of a box only
            Value::Constant(constant) => match self.scalar_of(constant) {
                Some(scalar) => Argument::Boxed(scalar, self.instance_arguments(constant)?),
                None => Argument::Null,
            },
            _ => return Err(EvalError::failed("this value cannot be passed to the program")),
        })
    }

    /// What a parameter of that type gets.
    pub(super) fn argument(&mut self, value: &Value<Place>, type_: &Type) -> Result<Argument, EvalError> {
        if let Some(inner) = type_.nullable_of() {
            let held = match value {
                Value::Constant(Constant::Null) => None,
                // what is written into it is of the enum's own type
                Value::Constant(constant @ Constant::Enum(..)) => {
                    let missing = || EvalError::failed("the value's type is not loaded");
                    Some(Box::new(Argument::Scalar(self.scalar_of(constant).ok_or_else(missing)?)))
                }
                value => Some(Box::new(self.argument(value, inner)?)),
            };
            return Ok(Argument::Nullable { type_: self.instance(type_)?, held });
        }
        let is_value = self.is_value_type(type_);
        Ok(match value {
            Value::Constant(Constant::Null) => Argument::Null,
            Value::Constant(Constant::Text(units)) => Argument::Text(units.to_vec()),
            Value::Constant(constant) => {
                let scalar =
                    self.scalar_of(constant).ok_or_else(|| EvalError::failed("the value's type is not loaded"))?;
                match scalar {
                    // of an enum the runtime wants the number alone
                    Scalar::Enum(definition, number) if is_value => {
                        let underlying = definition.view().enum_underlying().unwrap_or(clr_metadata::Primitive::I4);
                        Argument::Scalar(Scalar::Int(underlying, number))
                    }
                    scalar if is_value && scalar.bytes().is_some() => Argument::Scalar(scalar),
                    // it opens the box where the value itself is wanted
                    scalar => Argument::Boxed(scalar, self.instance_arguments(constant)?),
                }
            }
            Value::Object(place) => {
                if !is_value {
                    self.fits(place, &type_.sig())?;
                }
                let is_unboxed = place.read(self.stopped)?.is_unboxed();
                // passed as it is, its bytes would be taken for the address of an object
                if !is_value && is_unboxed {
                    Argument::BoxedPlace(place.clone())
                } else {
                    Argument::Place(place.clone())
                }
            }
            _ => return Err(EvalError::failed("this value cannot be passed to the program")),
        })
    }

    /// What a parameter gets that is passed by value. The runtime copies a struct of such a size wrongly from where it is, and rightly out of
    /// a box.
    pub(super) fn by_value(&mut self, value: &Value<Place>, type_: &Type) -> Result<Argument, EvalError> {
        let argument = self.argument(value, type_)?;
        let Argument::Place(place) = argument else { return Ok(argument) };
        let from = place.read(self.stopped)?;
        let is_miscopied = from.is_unboxed() && calls::is_miscopied(from.settled()?.com())?;
        Ok(if is_miscopied { Argument::BoxedPlace(place) } else { Argument::Place(place) })
    }

    /// What a `ref` or `out` parameter refers to during a call: the one element of an array, or a struct in a box.
    pub(super) fn cell(&mut self, type_: &Type, value: Option<&Value<Place>>) -> Result<(Argument, Place), EvalError> {
        let missing = || EvalError::failed("the object could not be created");
        let element = self.instance(type_)?;
        let is_struct = self.is_struct(type_);
        let (argument, cell) = if is_struct {
            let types = element.type_parameters().map(|list| list.rest()).unwrap_or_default();
            let made = self.run(What::Bare { class: element.class()?, types })?.ok_or_else(missing)?;
            (Argument::Unboxed(made.clone()), Place::of(Root::Kept(made)))
        } else {
            let array = self.run(What::Array { element, length: 1 })?.ok_or_else(missing)?;
            let cell = Place::of(Root::Kept(array)).then(Step::Element(0));
            (Argument::Place(cell.clone()), cell)
        };
        match value {
            Some(value) if is_struct => {
                let inside = cell.read(self.stopped)?.target()?.ok_or_else(missing)?;
                match value {
                    Value::Constant(constant) => inside.write_scalar(&self.scalar_of(constant).ok_or_else(missing)?)?,
                    Value::Object(from) => inside.write_value(&from.read(self.stopped)?)?,
                    _ => return Err(missing()),
                }
            }
            Some(value) => self.write(&cell, value)?,
            None => {}
        }
        Ok((argument, cell))
    }

    /// What makes an array of zeros. The runtime makes those of numbers and of objects itself, of other structs a method does.
    pub(super) fn empty_array(&mut self, of: &Type, length: u32) -> Result<What, EvalError> {
        let element = self.instance(of)?;
        if matches!(of, Type::Primitive(_)) || !self.is_value_type(of) {
            return Ok(What::Array { element, length });
        }
        let function = self.of_framework("System.GC", "AllocateArray", |it| it.parameters.len() == 2)?;
        let length = Scalar::Int(Primitive::I4, length.into());
        let arguments = vec![Argument::Scalar(length), Argument::Scalar(Scalar::Bool(false))];
        Ok(What::Function { function, types: vec![element], arguments })
    }

    /// Whether a call of a method that returns a reference may return one that nobody can follow: what a parameter that is no struct
    /// refers to is a copy on the stack of the call, whatever is passed.
    pub(super) fn may_return_copy(&self, method: &MethodRef) -> bool {
        let is_copied = |(at, parameter): (usize, &Parameter)| {
            let type_ = method.parameter_type(at).unwrap_or(Type::OBJECT);
            parameter.pass != Pass::Value && !self.is_struct(&type_)
        };
        matches!(method.method.returns, Type::ByRef(_)) && method.method.parameters.iter().enumerate().any(is_copied)
    }

    pub(super) fn is_struct(&self, type_: &Type) -> bool {
        !matches!(type_, Type::Primitive(_)) && self.is_value_type(type_)
    }

    fn is_value_type(&self, type_: &Type) -> bool {
        match type_ {
            Type::Primitive(primitive) => {
                !matches!(primitive, clr_metadata::Primitive::String | clr_metadata::Primitive::Object)
            }
            other => {
                !matches!(other, Type::Array { .. })
                    && self.definition(other).is_some_and(|it| it.view().is_value_type())
            }
        }
    }

    /// Gives a place a value, which is of its type or converted to it.
    pub(super) fn write(&mut self, place: &Place, value: &Value<Place>) -> Result<(), EvalError> {
        // where nothing may run nothing is written: what cannot be evaluated to its end is evaluated again
        if self.calls.is_none() {
            return Err(EvalError::NeedsCall);
        }
        self.is_in_place(place)?;
        if value.is_null() {
            return Ok(place.read(self.stopped)?.write_null()?);
        }
        let to_reference = place.read(self.stopped)?.is_reference();
        if !to_reference {
            let to = place.read(self.stopped)?;
            return match value {
                Value::Constant(constant) => {
                    let scalar =
                        self.scalar_of(constant).ok_or_else(|| EvalError::failed("the value's type is not loaded"))?;
                    Ok(to.write_scalar(&scalar)?)
                }
                Value::Object(from) => Ok(to.write_value(&from.read(self.stopped)?)?),
                _ => Err(EvalError::failed("this value cannot be written to the program")),
            };
        }
        let object = self.object(value)?;
        if let Some(declared) = place.declared(self.stopped) {
            self.fits(&object, &declared)?;
        }
        let object = object.read(self.stopped)?;
        // boxing may have run code: what was read before it holds no more
        Ok(place.read(self.stopped)?.write_value(&object)?)
    }

    /// The runtime takes any address, and two modules may have a type of one name: then nothing shows that it is the right one.
    fn fits(&self, object: &Place, declared: &TypeSig) -> Result<(), EvalError> {
        let own = object.read(self.stopped)?.signature()?;
        let is_object = types::plain(declared) == TypeSig::Primitive(Primitive::Object);
        let is_assignable = || types::is_assignable(self.stopped.target(), &own, declared);
        if is_object || is_assignable() || self.is_own_anonymous(object, &own, declared)? {
            return Ok(());
        }
        Err(WriteError::Type { from: types::text(&own), to: types::text(declared) }.into())
    }

    /// Whether both are one anonymous type of the code's module: others may have one of that name, but code names none of them.
    fn is_own_anonymous(&self, object: &Place, own: &TypeSig, declared: &TypeSig) -> Result<bool, EvalError> {
        let declared = types::plain(declared);
        let TypeSig::Named(name) = &declared else { return Ok(false) };
        let is_known = |it: &TypeSig| types::is_assignable(self.stopped.target(), it, it);
        let is_anonymous = name.full_name.starts_with("<>f__AnonymousType") && name.arguments.iter().all(is_known);
        if !is_anonymous || types::text(own) != types::text(&declared) {
            return Ok(false);
        }
        let module = object.read(self.stopped)?.type_()?.class()?.module()?;
        let code = self.own_module()?.id;
        Ok(self.stopped.target().modules.of(&module).is_some_and(|module| module.id == code))
    }

    /// A value as something that can be referred to: texts become strings of the program, structs are boxed.
    fn object(&mut self, value: &Value<Place>) -> Result<Place, EvalError> {
        let missing = || EvalError::failed("the object could not be created");
        let what = match value {
            Value::Constant(Constant::Text(units)) => What::Text(units.to_vec()),
            Value::Constant(constant) => {
                What::Boxed(self.scalar_of(constant).ok_or_else(missing)?, self.instance_arguments(constant)?)
            }
            Value::Object(place) => {
                let from = place.read(self.stopped)?;
                if from.is_reference() {
                    return Ok(place.clone());
                }
                return self.boxed(place);
            }
            _ => return Err(EvalError::failed("this value cannot be written to the program")),
        };
        let made = self.run(what)?.ok_or_else(missing)?;
        Ok(Place::of(Root::Kept(made)))
    }

    pub(super) fn boxed(&mut self, place: &Place) -> Result<Place, EvalError> {
        let type_ = place.read(self.stopped)?.type_()?;
        let types = type_.type_parameters().map(|list| list.rest()).unwrap_or_default();
        let made = self.run(What::Bare { class: type_.class()?, types })?;
        let made = made.ok_or_else(|| EvalError::failed("the object could not be created"))?;
        let inside = self.stopped.value(made.clone()).target()?.ok_or(com::HResult::POINTER)?;
        inside.write_value(&place.read(self.stopped)?)?;
        Ok(Place::of(Root::Kept(made)))
    }
}

/// As expressions have it.
pub(super) fn constant(scalar: &Scalar) -> Constant {
    Constant::Scalar(match scalar {
        Scalar::Bool(value) => Number::Bool(*value),
        Scalar::Char(unit) => Number::Char(*unit),
        Scalar::Int(primitive, number) => Number::Int(*primitive, *number),
        Scalar::Single(number) => Number::Single(*number),
        Scalar::Double(number) => Number::Double(*number),
        Scalar::Decimal(text) => Number::Decimal(Decimal::parse(text).unwrap_or(Decimal::from(0))),
        Scalar::Enum(definition, number) => {
            return Constant::Enum(Type::of(&Scalar::Enum(definition.clone(), 0).signature()), *number);
        }
    })
}

/// As expressions have what was read of `value`: an enum in a generic type has that type's arguments, which its definition does not know.
pub(super) fn constant_at(value: &values::Value<'_>, scalar: &Scalar) -> Constant {
    if let Scalar::Enum(definition, number) = scalar
        && !definition.view().type_parameters().is_empty()
        && let Ok(signature) = value.signature()
    {
        return Constant::Enum(Type::of(&signature).without_nullable().clone(), *number);
    }
    constant(scalar)
}
