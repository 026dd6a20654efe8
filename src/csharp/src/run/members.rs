//! Fields, properties and elements: read without running code where that gives the same.

use clr_metadata::Primitive;

use crate::bound::Bound;
use crate::constant::Constant;
use crate::types::{FieldRef, MethodRef, PAIR, PropertyRef, Type};
use crate::value::{Content, Made, Value};
use crate::world::{Evaluated, Failure, World};

use super::ranges::index;
use super::tasks::{is_aggregate, is_exception_of_task};
use super::{Run, null_reference, threw, unsupported};

pub(super) const OUT_OF_RANGE: (&str, &str) =
    ("System.IndexOutOfRangeException", "Index was outside the bounds of the array.");

const LIST: &str = "System.Collections.Generic.List`1";
const CONCURRENT: &str = "System.Collections.Concurrent.";
const SORTED: &str = "System.Collections.Generic.SortedSet`1";

impl<W: World> Run<'_, W> {
    pub(super) fn field(&mut self, of: Option<&Bound>, field: &FieldRef) -> Evaluated<W> {
        let Some(of) = of else {
            if !field.field.is_static {
                return unsupported(format!("'{}' is not static: it needs an object", field.field.name));
            }
            return self.static_field(field);
        };
        let value = self.receiver(of)?;
        if value.is_null() {
            return Err(Failure::Null { at: of.span.clone(), name: field.field.name.clone() });
        }
        let found = self.field_of(&value, field);
        self.read_step_by_step(found, (&value, of), field)
    }

    fn static_field(&mut self, field: &FieldRef) -> Evaluated<W> {
        let found = self.world.field(None, field);
        self.or_default(found, field)
    }

    /// What was read of a static field, or what it has that a thread did not use yet.
    pub(super) fn or_default(&mut self, found: Evaluated<W>, field: &FieldRef) -> Evaluated<W> {
        match found {
            Err(Failure::World(_)) if self.world.is_untouched(field) => self.default_value(&field.type_()),
            found => found,
        }
    }

    pub(super) fn field_of(&mut self, value: &Value<W::Handle>, field: &FieldRef) -> Evaluated<W> {
        match value {
            Value::Constant(Constant::Null) => null_reference(),
            Value::Object(handle) => self.world.field(Some(handle), field),
            Value::Made(made) => {
                let number = field.field.name.strip_prefix("Item").and_then(|it| it.parse::<usize>().ok());
                match (&made.content, number) {
                    (Content::Tuple(_), Some(number)) => self.item(value, number.saturating_sub(1)),
                    (Content::Tuple(items), None) => {
                        let rest = items.get(7..).unwrap_or_default().to_vec();
                        Ok(Value::made(field.type_(), Content::Tuple(rest)))
                    }
                    _ => unsupported(format!(
                        "'{}' cannot be read from a value that the expression creates",
                        field.field.name
                    )),
                }
            }
            // the one field of a number is the number
            Value::Constant(_) if matches!(field.field.name.as_str(), "m_value" | "_value" | "value__") => {
                Ok(value.clone())
            }
            _ => unsupported(format!("'{}' cannot be read from this value", field.field.name)),
        }
    }

    /// Of a tuple by position, wherever it lives.
    pub(super) fn item(&mut self, value: &Value<W::Handle>, at: usize) -> Evaluated<W> {
        match value {
            Value::Made(made) => match &made.content {
                Content::Tuple(items) => match items.get(at) {
                    Some(item) => Ok(item.clone()),
                    None => unsupported("the tuple has no such element"),
                },
                _ => unsupported(format!("a value of type '{}' is not a tuple", made.type_.short())),
            },
            Value::Object(handle) => {
                let type_ = self.world.type_of(handle)?;
                let (name, is_last) =
                    if at >= 7 { ("Rest".to_owned(), false) } else { (format!("Item{}", at + 1), true) };
                let Some(field) = self.named_field(&type_, &name) else {
                    return unsupported(format!("a value of type '{}' is not a tuple", type_.short()));
                };
                let inner = self.world.field(Some(handle), &field)?;
                if is_last { Ok(inner) } else { self.item(&inner, at - 7) }
            }
            _ => null_reference(),
        }
    }

    /// A field by its name; `None`: the type has none.
    pub(super) fn own_field(
        &mut self,
        of: &W::Handle,
        type_: &Type,
        name: &str,
    ) -> Result<Option<Value<W::Handle>>, Failure<W::Error>> {
        self.named_field(type_, name).map(|field| self.world.field(Some(of), &field)).transpose()
    }

    pub(super) fn named_field(&self, type_: &Type, name: &str) -> Option<FieldRef> {
        self.types.chain(type_).into_iter().find_map(|owner| {
            let definition = self.types.definition(&owner)?;
            let field =
                self.types.fields(&definition).iter().find(|field| field.name == name && !field.is_static)?.clone();
            Some(FieldRef { owner, field })
        })
    }

    pub(super) fn property(&mut self, of: Option<&Bound>, property: &PropertyRef, arguments: &[Bound]) -> Evaluated<W> {
        let Some(of) = of else {
            return self.static_property(property);
        };
        // which getter it is, the object itself has to say
        let is_virtual = property.property.accessor().is_some_and(|accessor| accessor.is_virtual);
        let is_plain = arguments.iter().all(|it| it.constant().is_some());
        let value = if is_plain && !is_virtual { self.receiver(of)? } else { self.value(of)? };
        if of.type_.is_nullable() && arguments.is_empty() && property.owner.is_nullable() {
            return match property.property.name.as_str() {
                "HasValue" => Ok(Value::bool(!value.is_null())),
                _ if value.is_null() => threw("System.InvalidOperationException", "Nullable object must have a value."),
                _ => Ok(value),
            };
        }
        if value.is_null() {
            return Err(Failure::Null { at: of.span.clone(), name: property.property.name.clone() });
        }
        let arguments = self.values(arguments)?;
        // a field is read, and no getter called
        let is_field = arguments.is_empty() && self.backing(property, &property.owner, false).is_some();
        let value = match property.getter().filter(|_| !is_field) {
            Some(getter) => self.called_on(value, of, &getter)?,
            None => value,
        };
        let found = self.property_of(&value, property, &arguments);
        match &value {
            Value::Object(handle) if is_field && found.is_err() && self.world.is_unread(handle) => {
                match self.value(of)? {
                    value if value.is_null() => {
                        Err(Failure::Null { at: of.span.clone(), name: property.property.name.clone() })
                    }
                    value => self.property_of(&value, property, &arguments).or(found),
                }
            }
            _ => self.unless_null(found, (&value, of), &property.property.name),
        }
    }

    fn static_property(&mut self, property: &PropertyRef) -> Evaluated<W> {
        if let Some(field) = self.backing(property, &property.owner, true) {
            return self.static_field(&field);
        }
        match property.getter() {
            Some(getter) => self.world.call(&getter, None, &mut []),
            None => unsupported(format!("'{}' has no getter", property.property.name)),
        }
    }

    /// The field that a property's getter returns, and no more.
    pub(super) fn backing(&self, property: &PropertyRef, owner: &Type, is_static: bool) -> Option<FieldRef> {
        let name = property.property.field.as_ref()?;
        let definition = self.types.definition(owner)?;
        let field =
            self.types.fields(&definition).iter().find(|it| it.name == *name && it.is_static == is_static)?.clone();
        Some(FieldRef { owner: owner.clone(), field })
    }

    pub(super) fn property_of(
        &mut self,
        value: &Value<W::Handle>,
        property: &PropertyRef,
        arguments: &[Value<W::Handle>],
    ) -> Evaluated<W> {
        let name = property.property.name.as_str();
        match value {
            Value::Constant(Constant::Null) => return null_reference(),
            Value::Made(made) => {
                let made = made.clone();
                if is_aggregate(&made) {
                    return self.property_of_aggregate(&made, (value, property));
                }
                return self.made_property(&made, name, arguments);
            }
            _ => {}
        }
        if name == "Length"
            && property.owner == Type::STRING
            && let Some(text) = self.text_of(value)?
        {
            return Ok(Value::count(text.len()));
        }
        let Value::Object(handle) = value else {
            return self.called_getter(value, property, arguments);
        };
        if let Some(found) = self.property_of_array(handle, property, arguments)? {
            return Ok(found);
        }
        let actual = match property.property.accessor() {
            // who says which one it is, has to be looked at
            Some(accessor) if accessor.is_virtual && arguments.is_empty() => {
                let own = self.world.type_of(handle)?;
                self.implementation(&own, property)
            }
            _ => property.clone(),
        };
        if arguments.is_empty()
            && let Some(field) = self.backing(&actual, &actual.owner, false)
        {
            // its getter finds the field where the world does not; of a compiler's own field the world has tried that
            let is_own = field.field.name.ends_with(">k__BackingField");
            match self.world.field(Some(handle), &field) {
                Err(Failure::World(_)) if !is_own && !self.world.is_unread(handle) => {}
                found => return found,
            }
        }
        if name == "Count"
            && actual.owner.name().is_some_and(|owner| owner.starts_with(CONCURRENT) || owner == SORTED)
            && let Some(count) = self.world.count(handle)?
        {
            return Ok(Value::count(count));
        }
        // it takes all locks of the dictionary where it finds nothing
        if name == "IsEmpty"
            && actual.owner.is("System.Collections.Concurrent.ConcurrentDictionary`2")
            && let Some(count) = self.world.count(handle)?
        {
            return Ok(Value::bool(count == 0));
        }
        if name == "Result"
            && let Some(result) = self.result_of_task(handle, &actual.owner)?
        {
            return Ok(result);
        }
        if let Some(half) = self.half_of_entries(handle, &actual)? {
            return Ok(half);
        }
        if is_exception_of_task(&actual) {
            return self.exception_of_task(handle);
        }
        // a list's elements lie in an array; no class below it can override its indexer
        if let [index] = arguments
            && (actual.owner.is(LIST) || self.world.type_of(handle)?.is(LIST))
            && let Some(found) = self.list_item(value, index)?
        {
            return Ok(found);
        }
        // which indexer the object has was not looked for
        let is_known = arguments.is_empty() || actual.property.accessor().is_none_or(|it| !it.is_virtual);
        if let Some(constant) = constant_of(&actual).filter(|_| is_known) {
            return Ok(constant);
        }
        let found = self.called_getter(value, &actual, arguments);
        match arguments {
            [] => self.or_followed(found, value, &actual),
            // that one has null for what is missing
            [_] if property.owner.is("System.Collections.IDictionary") => found,
            [key] => self.or_entry(found, (value, key)),
            _ => found,
        }
    }

    pub(super) fn called_getter(
        &mut self,
        value: &Value<W::Handle>,
        property: &PropertyRef,
        arguments: &[Value<W::Handle>],
    ) -> Evaluated<W> {
        let Some(getter) = property.getter() else {
            return unsupported(format!("'{}' has no getter", property.property.name));
        };
        let mut passed = Vec::new();
        for (at, argument) in arguments.iter().enumerate() {
            let type_ = getter.parameter_type(at).unwrap_or(Type::OBJECT);
            passed.push(self.in_program(argument.clone(), &type_)?);
        }
        self.world.call(&getter, Some(value), &mut passed)
    }

    fn list_item(
        &mut self,
        list: &Value<W::Handle>,
        index: &Value<W::Handle>,
    ) -> Result<Option<Value<W::Handle>>, Failure<W::Error>> {
        let Value::Object(handle) = list else { return Ok(None) };
        let type_ = self.world.type_of(handle)?;
        let (Some(items), Some(size)) = (self.named_field(&type_, "_items"), self.named_field(&type_, "_size")) else {
            return Ok(None);
        };
        let (items, size) = (self.world.field(Some(handle), &items)?, self.world.field(Some(handle), &size)?);
        let (Value::Object(items), Some(size), Some(index)) = (items, size.as_integer(), index.as_integer()) else {
            return Ok(None);
        };
        if !(0..size).contains(&index) {
            return threw(
                "System.ArgumentOutOfRangeException",
                "Index was out of range. Must be non-negative and less than the size of the collection. (Parameter 'index')",
            );
        }
        self.world.element(&items, usize::try_from(index).unwrap_or(0)).map(Some)
    }

    fn made_property(
        &mut self,
        made: &std::sync::Arc<Made<W::Handle>>,
        name: &str,
        arguments: &[Value<W::Handle>],
    ) -> Evaluated<W> {
        if let Content::Type(type_) = &made.content
            && let Some(known) = Self::of_type(type_, name)
        {
            return Ok(known);
        }
        match (&made.content, name) {
            (Content::Items(items), "Count" | "Length") => Ok(Value::count(items.len())),
            (Content::Entries(entries), "Count") => Ok(Value::count(entries.len())),
            (Content::Group { key, .. }, "Key") => Ok(key.clone()),
            (Content::Entries(entries), "Keys") => {
                let keys = entries.iter().map(|(key, _)| key.clone()).collect();
                Ok(self.sequence(made.type_.arguments().first(), keys))
            }
            (Content::Entries(entries), "Values") => {
                let values = entries.iter().map(|(_, value)| value.clone()).collect();
                Ok(self.sequence(made.type_.arguments().get(1), values))
            }
            (Content::Items(groups), _) if arguments.len() == 1 && made.type_.is("System.Linq.ILookup`2") => {
                let Some(wanted) = arguments.first() else { return null_reference() };
                for group in groups {
                    let Value::Made(one) = group else { continue };
                    if let Content::Group { key, .. } = &one.content
                        && self.is_equal(&made.key_type(), key, wanted)?
                    {
                        return Ok(group.clone());
                    }
                }
                Ok(self.sequence(made.type_.arguments().get(1), Vec::new()))
            }
            (Content::Items(items), _) if arguments.len() == 1 => {
                let index = arguments.first().and_then(Value::as_integer).and_then(|it| usize::try_from(it).ok());
                match index.and_then(|index| items.get(index)) {
                    Some(item) => Ok(item.clone()),
                    None if matches!(made.type_, Type::Array { .. }) => threw(OUT_OF_RANGE.0, OUT_OF_RANGE.1),
                    None => threw(
                        "System.ArgumentOutOfRangeException",
                        "Index was out of range. Must be non-negative and less than the size of the collection. (Parameter 'index')",
                    ),
                }
            }
            (Content::Entries(entries), _) if arguments.len() == 1 => {
                let Some(wanted) = arguments.first() else { return null_reference() };
                for (key, value) in entries {
                    if self.is_equal(&made.key_type(), key, wanted)? {
                        return Ok(value.clone());
                    }
                }
                let key = self.printed(wanted)?;
                threw(
                    "System.Collections.Generic.KeyNotFoundException",
                    format!("The given key '{}' was not present in the dictionary.", String::from_utf16_lossy(&key)),
                )
            }
            (Content::Index { number, .. }, "Value") => Ok(Value::int(*number)),
            (Content::Index { is_from_end, .. }, "IsFromEnd") => Ok(Value::bool(*is_from_end)),
            (Content::Range { start, .. }, "Start") => Ok(index(*start)),
            (Content::Range { end, .. }, "End") => Ok(index(*end)),
            (Content::Tuple(items), "Key") if made.type_.is(PAIR) => self.tuple_part(items, 0),
            (Content::Tuple(items), "Value") if made.type_.is(PAIR) => self.tuple_part(items, 1),
            _ => unsupported(format!(
                "'{name}' cannot be read from a value that the expression creates ({})",
                made.type_.short()
            )),
        }
    }

    fn tuple_part(&self, items: &[Value<W::Handle>], at: usize) -> Evaluated<W> {
        items.get(at).cloned().map_or_else(null_reference, Ok)
    }

    fn sequence(&self, element: Option<&Type>, items: Vec<Value<W::Handle>>) -> Value<W::Handle> {
        let element = element.cloned().unwrap_or(Type::OBJECT);
        Value::made(Type::named("System.Collections.Generic.List`1", vec![element]), Content::Items(items))
    }

    /// Writes through the setter of the object's own type.
    pub(super) fn setter(&self, own: &Type, property: &PropertyRef) -> Option<MethodRef> {
        self.implementation(own, property).setter().or_else(|| property.setter())
    }
}

/// What a getter returns that computes nothing, of the types that are a number in IL.
fn constant_of<H>(property: &PropertyRef) -> Option<Value<H>> {
    let getter = &property.property.getter.as_ref()?;
    let number = || getter.assembly.method(getter.id).returned_constant();
    match property.type_() {
        Type::Primitive(Primitive::Boolean) => number().map(|number| Value::bool(number != 0)),
        Type::Primitive(Primitive::I4) => number().map(Value::int),
        _ => None,
    }
}
