//! Whether a value matches a pattern.

use crate::bound::{Bound, Pattern, Slot};
use crate::constant::Scalar;
use crate::syntax::BinaryOp;
use crate::types::Type;
use crate::value::Value;
use crate::world::{Failure, World};

use super::{Run, unsupported};

impl<W: World> Run<'_, W> {
    pub(super) fn matches(&mut self, pattern: &Pattern, value: &Value<W::Handle>) -> Result<bool, Failure<W::Error>> {
        self.step()?;
        let value = &self.opened(value.clone())?;
        Ok(match pattern {
            Pattern::Any => true,
            Pattern::Into(slot) => {
                self.set(*slot, value.clone());
                true
            }
            Pattern::Constant(constant) => {
                let constant = self.value(constant)?;
                self.is_equal_constant(value, &constant)?
            }
            Pattern::Relational { operator, value: limit } => {
                let limit = self.value(limit)?;
                self.is_of_one_type(value, &limit)
                    && self.computed(*operator, value, &limit, &Type::BOOL, false)?.as_bool() == Some(true)
            }
            Pattern::Type { type_, slot } => {
                let is_it = if *type_ == Type::Late {
                    !value.is_null()
                } else {
                    self.is_instance(value, type_.without_nullable())?
                };
                if let (true, Some(slot)) = (is_it, slot) {
                    self.set(*slot, value.clone());
                }
                is_it
            }
            Pattern::Not(inner) => !self.matches(inner, value)?,
            Pattern::And(left, right) => self.matches(left, value)? && self.matches(right, value)?,
            Pattern::Or(left, right) => self.matches(left, value)? || self.matches(right, value)?,
            Pattern::Recursive { type_, of, members, slot } => {
                self.recursive(type_.as_ref(), *of, members, *slot, value)?
            }
            Pattern::Tuple { elements } => {
                let type_ = self.run_time_type(value)?.unwrap_or(Type::Null);
                // the class of the same name, which keeps its items in fields
                let is_class =
                    type_.name().is_some_and(|name| name.starts_with("System.Tuple`")) && type_.arguments().len() < 8;
                let count = if is_class { Some(type_.arguments().len()) } else { type_.elements().map(|it| it.len()) };
                if count != Some(elements.len()) {
                    return Ok(false);
                }
                for (at, element) in elements.iter().enumerate() {
                    let item = match is_class {
                        true => self.stored(value, &format!("m_Item{}", at + 1))?,
                        false => self.item(value, at)?,
                    };
                    if !self.matches(element, &item)? {
                        return Ok(false);
                    }
                }
                true
            }
            Pattern::List { of, elements, length, at, end, item, slot } => {
                if value.is_null() {
                    return Ok(false);
                }
                self.set(*of, value.clone());
                if let Some(slot) = slot {
                    self.set(*slot, value.clone());
                }
                self.list(elements, length, (*at, *end), item)?
            }
            Pattern::Slice(_) => return unsupported("a slice pattern is only allowed in a list pattern"),
        })
    }

    fn is_equal_constant(
        &mut self,
        value: &Value<W::Handle>,
        constant: &Value<W::Handle>,
    ) -> Result<bool, Failure<W::Error>> {
        if value.is_null() || constant.is_null() {
            return Ok(value.is_null() && constant.is_null());
        }
        if let (Some(one), Some(other)) = (self.plain(value), self.plain(constant)) {
            if !self.is_of_one_type(value, constant) {
                return Ok(false);
            }
            if let (Scalar::Double(one), Scalar::Double(other)) = (&one, &other) {
                return Ok(one == other || one.is_nan() && other.is_nan());
            }
            return Ok(self.computed(BinaryOp::Equal, value, constant, &Type::BOOL, false)?.as_bool() == Some(true));
        }
        match (self.text_of(value)?, self.text_of(constant)?) {
            (Some(one), Some(other)) => Ok(one == other),
            (None, Some(text)) => match value {
                // no more of a longer one than shows that it is longer
                Value::Object(span) => Ok(self.characters(span, text.len() + 1)?.is_some_and(|own| own == *text)),
                _ => Ok(false),
            },
            _ => Ok(false),
        }
    }

    /// `object o is 3`: of that very type, and an enum is not of the type of its numbers.
    fn is_of_one_type(&self, value: &Value<W::Handle>, constant: &Value<W::Handle>) -> bool {
        match (value, constant) {
            (Value::Constant(own), Value::Constant(other)) => {
                self.plain(value).is_some() && own.type_() == other.type_()
            }
            _ => false,
        }
    }

    fn recursive(
        &mut self,
        type_: Option<&Type>,
        of: Slot,
        members: &[(Bound, Pattern)],
        slot: Option<Slot>,
        value: &Value<W::Handle>,
    ) -> Result<bool, Failure<W::Error>> {
        let is_it = match type_ {
            Some(type_) => self.is_instance(value, type_)?,
            None => !value.is_null(),
        };
        if !is_it {
            return Ok(false);
        }
        self.set(of, value.clone());
        for (member, pattern) in members {
            let member = self.value(member)?;
            if !self.matches(pattern, &member)? {
                return Ok(false);
            }
        }
        if let Some(slot) = slot {
            self.set(slot, value.clone());
        }
        Ok(true)
    }

    fn list(
        &mut self,
        elements: &[Pattern],
        length: &Bound,
        (at, end): (Slot, Slot),
        item: &Bound,
    ) -> Result<bool, Failure<W::Error>> {
        let length = usize::try_from(self.number(length)?).unwrap_or(0);
        let slice = elements.iter().position(|element| matches!(element, Pattern::Slice(_)));
        let fixed = elements.iter().filter(|element| !matches!(element, Pattern::Slice(_))).count();
        if slice.is_none() && length != fixed || length < fixed {
            return Ok(false);
        }
        for (number, element) in elements.iter().enumerate() {
            let position = match slice {
                Some(slice) if number == slice => {
                    if let Pattern::Slice(Some((part, inner))) = element {
                        self.set(at, Value::count(number));
                        self.set(end, Value::count(length - (elements.len() - number - 1)));
                        let part = self.value(part)?;
                        if !self.matches(inner, &part)? {
                            return Ok(false);
                        }
                    }
                    continue;
                }
                Some(slice) if number > slice => length - (elements.len() - number),
                _ => number,
            };
            self.set(at, Value::count(position));
            let value = self.value(item)?;
            if !self.matches(element, &value)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
