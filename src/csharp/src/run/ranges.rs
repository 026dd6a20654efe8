//! Indexes and ranges, the program's own and those that an expression makes.

use crate::bound::{Bound, Kind};
use crate::types::Type;
use crate::value::{Content, Value};
use crate::world::{Evaluated, Failure, World};

use super::{Run, null_reference, unsupported};

pub(super) fn index<H>((number, is_from_end): Position) -> Value<H> {
    Value::made(Type::named("System.Index", Vec::new()), Content::Index { number, is_from_end })
}

/// A number, and whether it counts from the end.
pub(super) type Position = (i32, bool);

impl<W: World> Run<'_, W> {
    pub(super) fn end_of_range(
        &mut self,
        bound: Option<&Bound>,
        default: Position,
    ) -> Result<Position, Failure<W::Error>> {
        let Some(bound) = bound else { return Ok(default) };
        let value = self.value(bound)?;
        match self.index_of(&value)? {
            Some(index) => Ok(index),
            None => unsupported("an index is expected"),
        }
    }

    /// `None`: it is no index.
    pub(super) fn index_of(&mut self, value: &Value<W::Handle>) -> Result<Option<Position>, Failure<W::Error>> {
        match value {
            Value::Made(made) => match &made.content {
                Content::Index { number, is_from_end } => Ok(Some((*number, *is_from_end))),
                _ => Ok(None),
            },
            Value::Object(handle) if self.world.type_of(handle)?.is("System.Index") => {
                // one from the end is its complement
                let number =
                    self.stored(value, "_value")?.as_integer().and_then(|it| i32::try_from(it).ok()).unwrap_or(0);
                Ok(Some(if number < 0 { (!number, true) } else { (number, false) }))
            }
            _ => Ok(None),
        }
    }

    /// `None`: it is no range.
    pub(super) fn range_of(
        &mut self,
        value: &Value<W::Handle>,
    ) -> Result<Option<(Position, Position)>, Failure<W::Error>> {
        match value {
            Value::Made(made) => match &made.content {
                Content::Range { start, end } => Ok(Some((*start, *end))),
                _ => Ok(None),
            },
            Value::Object(handle) if self.world.type_of(handle)?.is("System.Range") => {
                let (start, end) =
                    (self.stored(value, "<Start>k__BackingField")?, self.stored(value, "<End>k__BackingField")?);
                Ok(self.index_of(&start)?.zip(self.index_of(&end)?))
            }
            _ => Ok(None),
        }
    }

    /// What is in a field of the program's.
    pub(super) fn stored(&mut self, of: &Value<W::Handle>, name: &str) -> Evaluated<W> {
        let type_ = self.run_time_type(of)?.unwrap_or(Type::OBJECT);
        match self.named_field(&type_, name) {
            Some(field) => self.field_of(of, &field),
            None => unsupported(format!("'{name}' is missing")),
        }
    }

    /// Where an index or a range begins goes into one slot, how long it is into another.
    pub(super) fn locate(&mut self, bound: &Bound) -> Result<(), Failure<W::Error>> {
        let Kind::Located { length, at, start, count, .. } = &bound.kind else { return Ok(()) };
        let length = self.number(length)?;
        let at = self.value(at)?;
        let absolute =
            |(number, is_from_end): Position| if is_from_end { length - i128::from(number) } else { number.into() };
        let (from, long) = match (self.range_of(&at)?, self.index_of(&at)?) {
            (Some((first, end)), _) => (absolute(first), absolute(end) - absolute(first)),
            (None, Some(index)) => (absolute(index), 1),
            (None, None) => return unsupported("an index or a range is expected"),
        };
        let number = |number: i128| Value::int(i32::try_from(number).unwrap_or(i32::MIN));
        self.set(*start, number(from));
        self.set(*count, number(long));
        Ok(())
    }

    /// As an object of the program.
    pub(super) fn index_in_program(&mut self, (number, is_from_end): Position) -> Evaluated<W> {
        let type_ = Type::named("System.Index", Vec::new());
        let Some(constructor) = self.method_of(&type_, ".ctor", 2) else {
            return unsupported("System.Index was not found in the framework");
        };
        self.world.new_object(&type_, Some(&constructor), &[Value::int(number), Value::bool(is_from_end)])
    }

    pub(super) fn range_in_program(&mut self, start: Position, end: Position) -> Evaluated<W> {
        let type_ = Type::named("System.Range", Vec::new());
        let Some(constructor) = self.method_of(&type_, ".ctor", 2) else {
            return unsupported("System.Range was not found in the framework");
        };
        let (start, end) = (self.index_in_program(start)?, self.index_in_program(end)?);
        self.world.new_object(&type_, Some(&constructor), &[start, end])
    }

    /// `with`: of a record the copy that the program made, of a struct or what was made here one with other values in it.
    pub(super) fn changed_copy(
        &mut self,
        of: Value<W::Handle>,
        type_: &Type,
        slot: usize,
        initializers: &[Bound],
    ) -> Evaluated<W> {
        if of.is_null() {
            return null_reference();
        }
        let items = match &of {
            Value::Made(made) => match &made.content {
                Content::Tuple(items) => Some(items.clone()),
                _ => None,
            },
            Value::Object(_) => match type_.elements().map(|it| it.len()) {
                Some(count) => Some((0..count).map(|at| self.item(&of, at)).collect::<Result<Vec<_>, _>>()?),
                None => None,
            },
            _ => None,
        };
        if let Some(mut items) = items {
            for initializer in initializers {
                let Kind::Assign { target, value } = &initializer.kind else {
                    return unsupported("`with` can only assign members by name: Name = value");
                };
                let at = match &target.kind {
                    Kind::Item { at, .. } => Some(*at),
                    Kind::Field { field, .. } => {
                        field.field.name.strip_prefix("Item").and_then(|it| it.parse::<usize>().ok()?.checked_sub(1))
                    }
                    _ => None,
                };
                let value = self.value(value)?;
                match at.and_then(|at| items.get_mut(at)) {
                    Some(item) => *item = value,
                    None => return unsupported("`with` can only assign the elements of this tuple"),
                }
            }
            return Ok(Value::made(type_.clone(), Content::Tuple(items)));
        }
        let made = match &of {
            Value::Object(_) if self.types.is_value_type(type_) && self.world.keeps_new() => self.world.copy(&of)?,
            _ => of,
        };
        self.initialized(made, slot, initializers)
    }
}
