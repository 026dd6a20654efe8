//! What can be assigned to: found once, then read and written.

use crate::bound::{Bound, Kind, Slot};
use crate::types::{FieldRef, PropertyRef, Type};
use crate::value::Value;
use crate::world::{Evaluated, Failure, World};

use super::members::OUT_OF_RANGE;
use super::{Run, null_reference, threw, unsupported};

pub(super) enum Place<H> {
    Variable(usize),
    Local(Slot),
    Field(Option<H>, FieldRef),
    Element(H, usize),
    Property(Option<Value<H>>, PropertyRef, Vec<Value<H>>),
}

impl<W: World> Run<'_, W> {
    pub(super) fn place(&mut self, target: &Bound) -> Result<Place<W::Handle>, Failure<W::Error>> {
        match &target.kind {
            Kind::Variable(position) => Ok(Place::Variable(*position)),
            Kind::Local(slot) => Ok(Place::Local(*slot)),
            Kind::Field { of: None, field } => Ok(Place::Field(None, field.clone())),
            Kind::Field { of: Some(of), field } => {
                if self.is_copy(of) {
                    return unsupported(format!(
                        "'{}' is part of a copy: assign the whole value of '{}'",
                        field.field.name,
                        of.type_.short()
                    ));
                }
                let value = self.value(of)?;
                let value = match of.kind {
                    Kind::Local(slot) if !self.is_copy_in(slot) && self.types.is_value_type(&of.type_) => {
                        self.copied(value, of, || format!("'{}' is assigned in a copy of a struct", field.field.name))?
                    }
                    _ => value,
                };
                match value {
                    Value::Object(handle) => Ok(Place::Field(Some(handle), field.clone())),
                    Value::Constant(crate::constant::Constant::Null) => null_reference(),
                    _ => unsupported("cannot assign to part of a value that the expression creates"),
                }
            }
            Kind::Element { of, indices } => {
                let of = self.value(of)?;
                let indices = self.values(indices)?;
                let index = match indices.as_slice() {
                    [index] => self.index_of(index)?,
                    _ => None,
                };
                let position = match index {
                    Some((number, is_from_end)) => {
                        let length = self.position_end(&of)?;
                        let number = usize::try_from(number).unwrap_or(0);
                        let position = if is_from_end { length.checked_sub(number) } else { Some(number) };
                        match position.filter(|position| *position < length) {
                            Some(position) => position,
                            None => return threw(OUT_OF_RANGE.0, OUT_OF_RANGE.1),
                        }
                    }
                    None => {
                        let numbers: Option<Vec<i128>> = indices.iter().map(Value::as_integer).collect();
                        let Some(numbers) = numbers else { return unsupported("a number is expected as an index") };
                        self.position(&of, &numbers)?
                    }
                };
                match of {
                    Value::Object(handle) => Ok(Place::Element(handle, position)),
                    Value::Constant(crate::constant::Constant::Null) => null_reference(),
                    _ => unsupported("cannot assign to an element of a value that the expression creates"),
                }
            }
            Kind::Property { of, property, arguments } => {
                let of = match of {
                    Some(of) => {
                        if self.is_copy(of) {
                            return unsupported(format!(
                                "'{}' would be set on a copy, which is then lost",
                                property.property.name
                            ));
                        }
                        let value = self.value(of)?;
                        if value.is_null() {
                            return null_reference();
                        }
                        Some(value)
                    }
                    None => None,
                };
                let arguments = self.values(arguments)?;
                Ok(Place::Property(of, property.clone(), arguments))
            }
            Kind::Let { of, slot, then } => {
                let of = self.value(of)?;
                self.set(*slot, of);
                self.place(then)
            }
            Kind::Located { then, .. } => {
                self.locate(target)?;
                self.place(then)
            }
            _ => unsupported("the target of the assignment is not supported here"),
        }
    }

    /// A struct that a property or a method gave is a copy.
    fn is_copy(&self, bound: &Bound) -> bool {
        let gives_copy = match &bound.kind {
            // what an auto-property holds is where its field is
            Kind::Property { property, .. } => {
                property.property.field.is_none() && !matches!(property.property.type_, Type::ByRef(_))
            }
            Kind::Call { method, .. } => !matches!(method.method.returns, Type::ByRef(_)),
            Kind::Convert { .. } | Kind::As { .. } => true,
            _ => false,
        };
        gives_copy && self.types.is_value_type(&bound.type_)
    }

    /// A struct as it is now, whatever is written to its place afterwards.
    pub(super) fn detached(&mut self, value: Value<W::Handle>, type_: &Type) -> Evaluated<W> {
        match value {
            Value::Object(_) if self.types.is_value_type(type_) => match self.world.keeps_new() {
                true => self.world.copy(&value),
                false => unsupported("the old struct has to be kept, and this adapter cannot copy it"),
            },
            value => Ok(value),
        }
    }

    fn position_end(&mut self, of: &Value<W::Handle>) -> Result<usize, Failure<W::Error>> {
        let Value::Object(handle) = of else { return unsupported("only arrays can be indexed from the end here") };
        let dimensions = self.world.dimensions(handle)?.unwrap_or_default();
        Ok(dimensions.iter().map(|(_, length)| length).product())
    }

    pub(super) fn read(&mut self, place: &Place<W::Handle>) -> Evaluated<W> {
        match place {
            Place::Variable(position) => self.world.variable(*position),
            Place::Local(slot) => self.local(*slot),
            Place::Field(of, field) => self.world.field(of.as_ref(), field),
            Place::Element(of, position) => self.world.element(of, *position),
            Place::Property(Some(of), property, arguments) => self.property_of(of, property, arguments),
            Place::Property(None, property, _) => match property.getter() {
                Some(getter) => self.world.call(&getter, None, &mut []),
                None => unsupported("the property has no getter"),
            },
        }
    }

    pub(super) fn write(
        &mut self,
        place: &Place<W::Handle>,
        value: &Value<W::Handle>,
    ) -> Result<(), Failure<W::Error>> {
        match place {
            Place::Variable(position) => {
                let type_ = self.scope.variables.get(*position).and_then(|it| it.type_.clone()).unwrap_or(Type::OBJECT);
                let value = self.in_program(value.clone(), &type_)?;
                self.world.set_variable(*position, &value)
            }
            Place::Local(slot) => {
                self.set(*slot, value.clone());
                Ok(())
            }
            Place::Field(of, field) => {
                let value = self.in_program(value.clone(), &field.type_())?;
                self.world.set_field(of.as_ref(), field, &value)
            }
            Place::Element(of, position) => {
                // an array of texts may stand where one of objects is declared: nothing else may come into it
                if let (Type::Array { of: element, .. }, Some(own)) =
                    (self.world.type_of(of)?, self.run_time_type(value)?)
                    && self.types.is_reference_type(&element)
                    && !self.types.is_a(&own, &element)
                {
                    return threw(
                        "System.ArrayTypeMismatchException",
                        "Attempted to access an element as a type incompatible with the array.",
                    );
                }
                let value = self.in_program(value.clone(), &Type::OBJECT)?;
                self.world.set_element(of, *position, &value)
            }
            Place::Property(of, property, arguments) => self.write_property(of.as_ref(), property, arguments, value),
        }
    }

    fn write_property(
        &mut self,
        of: Option<&Value<W::Handle>>,
        property: &PropertyRef,
        arguments: &[Value<W::Handle>],
        value: &Value<W::Handle>,
    ) -> Result<(), Failure<W::Error>> {
        let own = match of {
            Some(of) => self.run_time_type(of)?.unwrap_or_else(|| property.owner.clone()),
            None => property.owner.clone(),
        };
        let value = self.in_program(value.clone(), &property.type_())?;
        let Some(setter) = self.setter(&own, property) else {
            return unsupported(format!("'{}' has no setter", property.property.name));
        };
        let mut passed = Vec::new();
        for (at, argument) in arguments.iter().enumerate() {
            let type_ = setter.parameter_type(at).unwrap_or(Type::OBJECT);
            passed.push(self.in_program(argument.clone(), &type_)?);
        }
        passed.push(value);
        self.world.call(&setter, of, &mut passed).map(|_| ())
    }
}
