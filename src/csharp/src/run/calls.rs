//! Calls: of the program's methods, of lambdas, and of those of the framework that take lambdas.

use std::sync::Arc;

use crate::bound::{Bound, BoundLambda, Passed, Slot};
use crate::constant::Constant;
use crate::types::{MethodRef, Type, is_by_ref_like};
use crate::value::{Content, Value};
use crate::world::{Evaluated, Failure, World};
use clr_metadata::Primitive;

use super::convert::WITHOUT_TYPE;
use super::operators::is_literal;
use super::places::Place;
use super::receivers::are_constants;
use super::{Run, linq, null_reference, spans, unsupported};

/// What can be asked of a `T?` that holds nothing.
const OF_NULLABLE: [&str; 3] = ["ToString", "Equals", "GetHashCode"];

/// Where what a call writes to an argument goes.
pub(super) enum Target<H> {
    Nothing,
    Slot(Slot),
    Place(Place<H>),
}

/// What the slots held where a lambda was made.
type Captured<W> = Arc<[(Slot, Value<<W as World>::Handle>)]>;

type Given<W> = (Vec<Value<<W as World>::Handle>>, Vec<Target<<W as World>::Handle>>);

impl<W: World> Run<'_, W> {
    pub(super) fn call(&mut self, of: Option<&Bound>, method: &MethodRef, passed: &[Passed]) -> Evaluated<W> {
        let this = match of {
            Some(of) if are_constants(passed) && !OF_NULLABLE.contains(&method.method.name.as_str()) => {
                Some((self.receiver(of)?, of))
            }
            Some(of) => Some((self.value(of)?, of)),
            None => None,
        };
        if let Some((value, of)) = &this {
            let is_own = method.owner.is_nullable() || OF_NULLABLE.contains(&method.method.name.as_str());
            if of.type_.is_nullable() && is_own {
                return self.of_nullable(value, &of.type_, method, passed);
            }
            if value.is_null() {
                return Err(Failure::Null { at: of.span.clone(), name: method.method.name.clone() });
            }
        }
        if let (None, true) = (of, method.owner.is(spans::EXTENSIONS))
            && let Some(found) = self.of_spans(method, passed)?
        {
            return Ok(found);
        }
        if let Some(found) = self.invariant(method, passed)? {
            return Ok(found);
        }
        let (mut arguments, targets) = self.given(passed)?;
        if linq::has_operators(&method.owner)
            && let Some(operator) = linq::operator(&method.method.name)
        {
            return self.query(operator, arguments, method);
        }
        if method.owner.is(linq::ENUMERABLE) && linq::knows_by_kind(&method.method.name, arguments.first()) {
            return Err(Failure::Unsupported(format!(
                "'{}' depends on how .NET implements the query; here the debugger runs the query itself: use Count()",
                method.method.name
            )));
        }
        if let (Type::Primitive(Primitive::Object), "ReferenceEquals", [one, other]) =
            (&method.owner, method.method.name.as_str(), arguments.as_slice())
            && [one, other].iter().any(|it| matches!(it, Value::Constant(Constant::Text(_))))
        {
            let are_literals = passed.iter().all(|it| matches!(it, Passed::Value(bound) if is_literal(bound)));
            return self.is_same(one, other, are_literals).map(Value::bool);
        }
        let receiver = this.as_ref().map(|(value, _)| value.clone());
        if let Some(found) = self.own_method(receiver.as_ref(), method, &arguments)? {
            return Ok(found);
        }
        if let (None, Some(text)) = (&this, self.text_joined(method, &mut arguments)?) {
            return Ok(text);
        }
        for (at, argument) in arguments.iter_mut().enumerate() {
            let type_ = method.parameter_type(at).unwrap_or(Type::OBJECT);
            *argument = self.in_program(argument.clone(), &type_)?;
        }
        let result = match this {
            Some((value, of)) => {
                let receiver = self.in_program(value, &of.type_)?;
                let receiver = self.called_on(receiver, of, method)?;
                let result = self.world.call(method, Some(&receiver), &mut arguments);
                let result = self.or_type(result, method, &receiver);
                let result = match (method.method.name.as_str(), arguments.as_slice()) {
                    ("ContainsKey", [key]) => self.or_has_entry(result, (&receiver, key)),
                    _ => result,
                };
                self.unless_null(result, (&receiver, of), &method.method.name)?
            }
            None => self.world.call(method, None, &mut arguments)?,
        };
        for (target, value) in targets.into_iter().zip(&arguments) {
            match target {
                Target::Nothing => {}
                Target::Slot(slot) => self.set(slot, value.clone()),
                Target::Place(place) => self.write(&place, value)?,
            }
        }
        Ok(result)
    }

    /// The values of arguments, as they are here, and where what the call makes of them goes.
    pub(super) fn given(&mut self, passed: &[Passed]) -> Result<Given<W>, Failure<W::Error>> {
        let mut values = Vec::with_capacity(passed.len());
        let mut targets = Vec::with_capacity(passed.len());
        for passed in passed {
            let (value, target) = match passed {
                Passed::Value(bound) => (self.value(bound)?, Target::Nothing),
                Passed::Out(slot, _) => (Value::NULL, slot.map_or(Target::Nothing, Target::Slot)),
                Passed::Ref(bound) => {
                    let place = self.place(bound)?;
                    (self.read(&place)?, Target::Place(place))
                }
            };
            values.push(value);
            targets.push(target);
        }
        Ok((values, targets))
    }

    fn of_nullable(
        &mut self,
        value: &Value<W::Handle>,
        type_: &Type,
        method: &MethodRef,
        passed: &[Passed],
    ) -> Evaluated<W> {
        let (mut arguments, _) = self.given(passed)?;
        let inner = type_.without_nullable().clone();
        match (method.method.name.as_str(), arguments.as_slice()) {
            ("GetValueOrDefault", []) if value.is_null() => self.default_value(&inner),
            ("GetValueOrDefault", [default]) if value.is_null() => Ok(default.clone()),
            ("GetValueOrDefault", _) => Ok(value.clone()),
            ("ToString", []) => self.printed(value).map(|text| Value::Constant(Constant::Text(text))),
            ("Equals", [other]) => self.is_equal(&Type::OBJECT, value, other).map(Value::bool),
            ("GetHashCode", []) if value.is_null() => Ok(Value::int(0)),
            _ if value.is_null() => null_reference(),
            _ => self.world.call(method, Some(value), &mut arguments),
        }
    }

    pub(super) fn invoke(&mut self, of: &Bound, arguments: &[Bound]) -> Evaluated<W> {
        let delegate = self.value(of)?;
        let values = self.values(arguments)?;
        if delegate.is_null() {
            return null_reference();
        }
        self.invoked(&delegate, &of.type_, values)
    }

    /// Of a delegate, made here or not.
    pub(super) fn invoked(
        &mut self,
        delegate: &Value<W::Handle>,
        type_: &Type,
        arguments: Vec<Value<W::Handle>>,
    ) -> Evaluated<W> {
        if let Value::Made(made) = delegate
            && let Content::Lambda { lambda, captured } = &made.content
        {
            let (lambda, captured) = (lambda.clone(), captured.clone());
            return self.applied(&lambda, &captured, arguments);
        }
        let own = self.run_time_type(delegate)?.unwrap_or_else(|| type_.clone());
        let Some(invoke) = self.method_of(&own, "Invoke", arguments.len()) else {
            return unsupported(format!("a value of type '{}' cannot be called with these arguments", own.short()));
        };
        let mut there = Vec::new();
        for (at, argument) in arguments.into_iter().enumerate() {
            let type_ = invoke.parameter_type(at).unwrap_or(Type::OBJECT);
            there.push(self.in_program(argument, &type_)?);
        }
        self.world.call(&invoke, Some(delegate), &mut there)
    }

    fn applied(
        &mut self,
        lambda: &Arc<BoundLambda>,
        captured: &Captured<W>,
        arguments: Vec<Value<W::Handle>>,
    ) -> Evaluated<W> {
        // what the slots hold now belongs to whoever called
        let mut before = Vec::with_capacity(captured.len() + arguments.len());
        for (slot, value) in captured.iter() {
            before.push((*slot, self.slots.get(*slot).cloned().flatten()));
            self.set(*slot, value.clone());
        }
        for (slot, value) in lambda.parameters.iter().zip(arguments) {
            before.push((*slot, self.slots.get(*slot).cloned().flatten()));
            self.set(*slot, value);
        }
        let result = self.value(&lambda.body);
        for (slot, value) in before.into_iter().rev() {
            self.copies.remove(&slot);
            if let Some(own) = self.slots.get_mut(slot) {
                *own = value;
            }
        }
        result
    }

    /// A method of the framework that is computed here: on what was made here, or with lambdas, which run only here.
    fn own_method(
        &mut self,
        receiver: Option<&Value<W::Handle>>,
        method: &MethodRef,
        arguments: &[Value<W::Handle>],
    ) -> Result<Option<Value<W::Handle>>, Failure<W::Error>> {
        let name = method.method.name.as_str();
        if let (
            Some(Value::Constant(Constant::Enum(one, bits))),
            "HasFlag",
            [Value::Constant(Constant::Enum(other, flag))],
        ) = (receiver, name, arguments)
            && one == other
        {
            return Ok(Some(Value::bool(bits & flag == *flag)));
        }
        if let Some(found) = self.of_text(receiver, method, arguments)? {
            return Ok(Some(found));
        }
        if let Some(found) = self.of_numbers(receiver, method, arguments)? {
            return Ok(Some(found));
        }
        if let Some(found) = self.method_of_array(receiver, method, arguments)? {
            return Ok(Some(found));
        }
        // one in a box is not one for the runtime
        if let (Some(Value::Object(handle)), "ToString", []) = (receiver, name, arguments)
            && is_by_ref_like(&self.world.type_of(handle)?)
        {
            let Some(units) = self.all_characters(handle)? else {
                return unsupported("ToString of a span is supported only for spans of char");
            };
            return Ok(Some(Value::Constant(Constant::Text(units.into()))));
        }
        if let (Some(receiver), "Equals", [other]) = (receiver, name, arguments) {
            if let Some(is_equal) = self.is_equal_anonymous(receiver, other)? {
                return Ok(Some(Value::bool(is_equal)));
            }
            if let Value::Made(_) = other
                && let own @ Value::Made(_) = self.in_parts(receiver.clone())?
            {
                return self.is_equal(&Type::OBJECT, &own, other).map(|it| Some(Value::bool(it)));
            }
        }
        let is_made = matches!(receiver, Some(Value::Made(_)));
        let has_lambda = arguments
            .iter()
            .any(|it| matches!(it, Value::Made(made) if matches!(made.content, Content::Lambda { .. })));
        if !is_made && !has_lambda {
            return Ok(None);
        }
        let is_list = method.owner.is("System.Collections.Generic.List`1");
        let is_array = method.owner.is("System.Array");
        let (source, rest) = match (receiver, arguments) {
            (Some(receiver), rest) => (receiver.clone(), rest),
            (None, [first, rest @ ..]) if is_array => (first.clone(), rest),
            _ => return Ok(None),
        };
        if let Value::Made(made) = &source {
            match (&made.content, name, rest) {
                (Content::Index { number, is_from_end }, "GetOffset", [length]) => {
                    let length = length.as_integer().and_then(|it| i32::try_from(it).ok()).unwrap_or(0);
                    let offset = if *is_from_end { length.wrapping_sub(*number) } else { *number };
                    return Ok(Some(Value::int(offset)));
                }
                (Content::Lambda { .. }, "Invoke", _) => {
                    return self.invoked(&source, &made.type_, rest.to_vec()).map(Some);
                }
                (_, "ToString", []) => {
                    return self.printed(&source).map(|text| Some(Value::Constant(Constant::Text(text))));
                }
                (_, "GetType", []) if self.types.is_interface(&made.type_) => return unsupported(WITHOUT_TYPE),
                (_, "Equals", [other]) => {
                    return self.is_equal(&Type::OBJECT, &source, other).map(|it| Some(Value::bool(it)));
                }
                (Content::Entries(entries), "ContainsKey", [key]) => {
                    for (own, _) in entries {
                        if self.is_equal(&made.key_type(), own, key)? {
                            return Ok(Some(Value::bool(true)));
                        }
                    }
                    return Ok(Some(Value::bool(false)));
                }
                _ => {}
            }
        }
        if let (true, Value::Object(_), [function]) = (is_list, &source, rest)
            && let Some(found) = self.list_method(&source, (method, name), function)?
        {
            return Ok(Some(found));
        }
        if let (true, "ForEach", [function]) = (is_list || is_array, name, rest) {
            for item in self.all(&source)? {
                self.step()?;
                self.invoked(function, &Type::OBJECT, vec![item])?;
            }
            return Ok(Some(Value::Void));
        }
        let is_sequence = is_list || is_array || is_made;
        let operator = match (name, rest.len()) {
            ("Exists", 1) => "Any",
            ("Find", 1) => "FirstOrDefault",
            ("FindLast", 1) => "LastOrDefault",
            ("FindAll", 1) => "Where",
            ("TrueForAll", 1) => "All",
            ("Contains", 1) => "Contains",
            ("ConvertAll", 1) => "Select",
            ("ToArray", 0) => "ToArray",
            ("FindIndex" | "IndexOf", 1) if is_sequence => {
                let items = self.all(&source)?;
                let of = linq::compared(method);
                for (at, item) in items.into_iter().enumerate() {
                    let Some(wanted) = rest.first() else { continue };
                    let is_it = if name == "IndexOf" {
                        self.is_equal(&of, &item, wanted)?
                    } else {
                        self.invoked(wanted, &Type::OBJECT, vec![item])?.as_bool() == Some(true)
                    };
                    if is_it {
                        return Ok(Some(Value::count(at)));
                    }
                }
                return Ok(Some(Value::int(-1)));
            }
            _ => return Ok(None),
        };
        if !is_sequence {
            return Ok(None);
        }
        let arguments: Vec<Value<W::Handle>> = std::iter::once(source).chain(rest.iter().cloned()).collect();
        let found = self.query(operator, arguments, method)?;
        Ok(Some(match name {
            "FindAll" | "ConvertAll" => {
                let items = self.all(&found)?;
                Value::made(method.returns(), Content::Items(items))
            }
            _ => found,
        }))
    }
}
