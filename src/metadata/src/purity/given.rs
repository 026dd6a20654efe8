//! What a method of the framework may call of its arguments.

use super::collections::{is_enumerable, keeps_sequence};
use super::dispatch::is_bare_object;
use super::framework::row;
use super::iterators::is_iterator;
use super::quiet::ENUMERATED;
use super::values::{Kind, Value, name, referent};
use super::{Impurity, Judged, Link, Question};
use crate::signatures::{Primitive, TypeName, TypeSig};

impl Question<'_> {
    /// Whether an argument's equality, hashing, text and enumeration run no impure code of the program.
    pub(super) fn quiet_value(&mut self, value: &Value, of_collections: &[&str]) -> Judged {
        match &value.kind {
            Kind::Null => Ok(()),
            Kind::Unknown => Err(Impurity("an argument has an unknown type".into())),
            // a delegate that was made here, whose code was judged where it was made; what it answers was not
            Kind::Of(type_) if value.owned && self.is_delegate(type_) => match answered(type_) {
                Some(answer) => self.quiet(answer).and_then(|()| self.enumerable(answer)),
                None => Ok(()),
            },
            Kind::Of(type_) if value.owned && type_.full_name().is_some_and(is_iterator) => {
                self.iterated(type_)?;
                self.quiet_elements(type_)
            }
            Kind::Of(type_) if value.owned && is_sequence(type_) => self.quiet_parts(type_),
            Kind::Of(type_) if value.is_exact && self.is_plain_class(type_) => Ok(()),
            Kind::Of(type_) if value.is_exact && is_bare_object(type_) => Ok(()),
            Kind::Of(type_) => self.quiet(type_).and_then(|()| self.gone_through(type_, of_collections)),
        }
    }

    /// The same of the elements of a collection of the program, as far as its type shows them.
    pub(super) fn quiet_own_elements(&mut self, value: &Value) -> Judged {
        let Some(type_) = value.type_().map(referent) else { return Ok(()) };
        match self.own_base(type_) {
            Some(_) if !self.is_delegate(type_) => self.quiet_elements(type_),
            _ => Ok(()),
        }
    }

    /// The type of the framework that a class of the program derives from.
    pub(super) fn own_base(&self, type_: &TypeSig) -> Option<TypeSig> {
        match self.own_chain(referent(type_)).as_slice() {
            [Link::Own(..), .., Link::Framework(base)] => Some(base.clone()),
            _ => None,
        }
    }

    pub(super) fn has_selector(&self, arguments: &[Value]) -> bool {
        arguments.get(1).and_then(Value::type_).is_some_and(|type_| self.is_delegate(type_))
    }

    /// Whether an object that is known by a type gives elements that it keeps, or that code of the program gives, which is judged as such.
    pub(super) fn keeps_sequence(&self, type_: &TypeSig) -> bool {
        match self.own_chain(referent(type_)).as_slice() {
            [.., Link::Framework(base)] => keeps_sequence(base),
            // an interface of the program
            _ => true,
        }
    }

    /// Whether an argument may say by which culture something is written.
    pub(super) fn is_provider(&self, value: &Value) -> bool {
        const PROVIDER: &str = "System.IFormatProvider";
        let Some(full_name) = value.type_().and_then(|type_| referent(type_).full_name()) else { return false };
        full_name == PROVIDER
            || full_name.starts_with("System.Globalization.") && full_name.ends_with("Info")
            || self.purity.hierarchy().is_below(full_name, PROVIDER)
    }

    /// What is converted is asked for nothing but conversions; of the framework's own types those call nothing.
    pub(super) fn converted(&mut self, value: &Value) -> Judged {
        let is_any = value.type_().is_none_or(|type_| *type_ == TypeSig::Primitive(Primitive::Object));
        if !is_any || !self.purity.unknown.is_empty() {
            return self.quiet_value(value, ENUMERATED);
        }
        self.virtuals("System.IConvertible", None, &|name| name.starts_with("To") || name == "GetTypeCode")
    }

    /// A class of the table that holds nothing of the program's.
    fn is_plain_class(&self, type_: &TypeSig) -> bool {
        let known = name(type_).filter(|named| named.arguments.is_empty()).map(|named| named.full_name.as_str());
        known.is_some_and(|name| name.starts_with("System.Globalization.") && row(name).is_some())
    }

    /// The same of what is only enumerated or kept.
    pub(super) fn enumerable_value(&mut self, value: &Value, asked: &[&str]) -> Judged {
        match &value.kind {
            Kind::Null => Ok(()),
            Kind::Unknown => Err(Impurity("an argument has an unknown type".into())),
            Kind::Of(type_) if value.owned && type_.full_name().is_some_and(is_iterator) => self.iterated(type_),
            Kind::Of(type_) if value.owned && (self.is_delegate(type_) || is_sequence(type_)) => Ok(()),
            Kind::Of(type_) => self.gone_through(type_, asked),
        }
    }

    /// The same of what an iterator of the program, or a collection, gives.
    fn quiet_elements(&mut self, type_: &TypeSig) -> Judged {
        for link in self.own_chain(type_) {
            let (assembly, id, arguments) = match link {
                Link::Own(assembly, id, arguments) => (assembly, id, arguments),
                Link::Framework(base) => {
                    let elements = name(&base).map(|named| named.arguments.clone()).unwrap_or_default();
                    return elements.iter().try_for_each(|element| self.quiet(element));
                }
            };
            let interfaces = assembly.type_(id).interfaces();
            let is_of_elements =
                |it: &&TypeName| is_sequence(&TypeSig::Named((*it).clone())) && !it.full_name.contains("Comparer");
            let sequences = interfaces.iter().filter(is_of_elements);
            for element in sequences.flat_map(|interface| &interface.arguments) {
                self.quiet(&element.substitute(&arguments, &[]))?;
            }
        }
        Ok(())
    }

    pub(super) fn is_delegate(&self, type_: &TypeSig) -> bool {
        let Some(named) = name(type_) else { return false };
        let full = named.full_name.as_str();
        ["System.Func", "System.Predicate", "System.Action", "System.Comparison", "System.Converter"]
            .iter()
            .any(|known| full.starts_with(known))
            || self.purity.universe.find_type(full).is_some_and(|(assembly, id)| assembly.type_(id).is_delegate())
    }
}

/// What a delegate answers, where a query may ask something of it.
fn answered(delegate: &TypeSig) -> Option<&TypeSig> {
    let named = name(delegate)?;
    let answers = named.full_name.starts_with("System.Func`") || named.full_name.starts_with("System.Converter`");
    named.arguments.last().filter(|_| answers)
}

/// What LINQ's methods answer: made by the framework, over what was judged when it went in.
fn is_sequence(type_: &TypeSig) -> bool {
    name(type_).is_some_and(|named| {
        named.full_name.starts_with("System.Collections.Generic.I") || is_enumerable(&named.full_name)
    })
}
