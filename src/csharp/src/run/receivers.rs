//! Receivers of members: the world names the receiver, and reads no more of it than the member.

use crate::bound::{Bound, Kind, Passed};
use crate::constant::Constant;
use crate::types::{FieldRef, Type};
use crate::value::Value;
use crate::world::{Evaluated, Failure, World};

use super::{Run, linq};

impl<W: World> Run<'_, W> {
    /// A receiver, which may turn out to be null when its member is read.
    pub(super) fn receiver(&mut self, of: &Bound) -> Evaluated<W> {
        if !self.is_object(&of.type_) {
            return self.value(of);
        }
        self.step()?;
        if let Some(exception) = self.exception_on_the_way(of)? {
            return Ok(exception);
        }
        match &of.kind {
            Kind::Variable(position) => self.world.variable_on_the_way(*position),
            Kind::Field { of: None, field } if field.field.is_static => {
                let found = self.world.field_on_the_way(None, field);
                self.or_default(found, field)
            }
            Kind::Field { of: Some(inner), field } => self.field_on_the_way(inner, field, of),
            Kind::Property { of: Some(inner), property, arguments }
                if arguments.is_empty() && !property.property.accessor().is_some_and(|it| it.is_virtual) =>
            {
                let field = self.backing(property, &property.owner, false);
                match field.filter(|field| field.field.name.starts_with('<')) {
                    Some(field) => self.field_on_the_way(inner, &field, of),
                    None => self.value(of),
                }
            }
            Kind::Element { of: inner, indices } => match (&inner.type_, constant_index(indices)) {
                (Type::Array { rank: 1, .. }, Some(position)) => match self.receiver(inner)? {
                    Value::Object(handle) => match self.world.element_on_the_way(&handle, position) {
                        Err(Failure::World(error)) => match self.world.dimensions(&handle)?.as_deref() {
                            Some(&[(0, count)]) if position >= count => {
                                Err(Failure::Outside { at: inner.span.clone(), index: position.to_string(), count })
                            }
                            _ => Err(Failure::World(error)),
                        },
                        found => found,
                    },
                    _ => self.value(of),
                },
                _ => self.value(of),
            },
            Kind::Call { of: Some(inner), method, arguments }
                // the world knows the struct in a `T?`, whose methods are not those of the `T?`
                if !inner.type_.is_nullable()
                    && !method.owner.is(linq::ENUMERABLE)
                    && method.owner != Type::STRING
                    && are_constants(arguments) =>
            {
                let receiver = self.receiver(inner)?;
                if !matches!(receiver, Value::Object(_)) {
                    return self.value(of);
                }
                let (mut arguments, _) = self.given(arguments)?;
                let receiver = self.called_on(receiver, inner, method)?;
                self.world.call_on_the_way(method, Some(&receiver), &mut arguments)
            }
            _ => self.value(of),
        }
    }

    fn field_on_the_way(&mut self, inner: &Bound, field: &FieldRef, whole: &Bound) -> Evaluated<W> {
        match self.receiver(inner)? {
            Value::Object(handle) => self.world.field_on_the_way(Some(&handle), field),
            _ => self.value(whole),
        }
    }

    /// Values of such types are never constants.
    fn is_object(&self, type_: &Type) -> bool {
        match type_ {
            Type::Array { .. } => true,
            Type::Named(_) => !type_.is_nullable() && !type_.is_decimal() && !self.types.is_enum(type_),
            _ => false,
        }
    }

    /// What a field gave; where it gave nothing, what it gives once all before it is read.
    pub(super) fn read_step_by_step(
        &mut self,
        found: Evaluated<W>,
        (receiver, of): (&Value<W::Handle>, &Bound),
        field: &FieldRef,
    ) -> Evaluated<W> {
        match (&found, receiver) {
            (Err(_), Value::Object(handle)) if self.world.is_unread(handle) => {}
            _ => return found,
        }
        let written = field.field.name.strip_prefix('<').and_then(|it| it.split('>').next());
        let name = written.unwrap_or(&field.field.name).to_owned();
        match self.value(of)? {
            value if value.is_null() => Err(Failure::Null { at: of.span.clone(), name }),
            value => self.field_of(&value, field).or(found),
        }
    }

    /// What was asked of a receiver failed: where a part of it is null, that is why.
    pub(super) fn unless_null<T>(
        &mut self,
        result: Result<T, Failure<W::Error>>,
        (receiver, of): (&Value<W::Handle>, &Bound),
        name: &str,
    ) -> Result<T, Failure<W::Error>> {
        let Err(error) = result else { return result };
        if let Value::Object(handle) = receiver
            && self.world.is_unread(handle)
            && self.value(of)?.is_null()
        {
            return Err(Failure::Null { at: of.span.clone(), name: name.to_owned() });
        }
        Err(error)
    }
}

/// Whether they are values that nothing has to be read for.
pub(super) fn are_constants(passed: &[Passed]) -> bool {
    passed.iter().all(|passed| matches!(passed, Passed::Value(Bound { kind: Kind::Constant(_), .. })))
}

/// The position that a literal index names.
pub(super) fn constant_index(indices: &[Bound]) -> Option<usize> {
    let [index] = indices else { return None };
    match index.constant()? {
        Constant::Scalar(crate::constant::Scalar::Int(_, number)) => usize::try_from(*number).ok(),
        _ => None,
    }
}
