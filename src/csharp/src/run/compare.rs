//! Equality and order of values as the default comparers have them.

use std::cmp::Ordering;
use std::sync::Arc;

use crate::constant::{Constant, Scalar};
use crate::types::{ANONYMOUS, Method, MethodRef, PAIR, Type};
use crate::value::{Content, Value};
use crate::world::{Failure, World};

use super::convert::reflection;
use super::operators::ordering;
use super::ranges::Position;
use super::{Run, threw, unsupported};

/// What is equal has an equal key; only what is known without the program has one.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Key {
    Null,
    Bool(bool),
    /// Of an integer, a `char` or an enum: in a box, none is equal to a number of another type.
    Number(Type, i128),
    Single(u64),
    Double(u64),
    Decimal(String),
    Text(Arc<[u16]>),
    /// Also of an anonymous object or a pair.
    Tuple(Type, Vec<Key>),
    /// Of a value of the framework that is compared by its fields.
    Fields(Type, Vec<i128>),
    Index(Position),
    Range(Position, Position),
}

/// What the default comparer throws.
pub(super) const INCOMPARABLE: (&str, &str) =
    ("System.ArgumentException", "At least one object must implement IComparable.");

impl<W: World> Run<'_, W> {
    /// `None`: only the program can tell what is equal to it.
    pub(super) fn key(&mut self, value: &Value<W::Handle>) -> Result<Option<Key>, Failure<W::Error>> {
        let value = &self.opened(value.clone())?;
        Ok(Some(match value {
            Value::Constant(constant) => match constant {
                Constant::Null => Key::Null,
                Constant::Scalar(Scalar::Bool(value)) => Key::Bool(*value),
                Constant::Scalar(Scalar::Char(unit)) => Key::Number(constant.type_(), (*unit).into()),
                Constant::Scalar(Scalar::Int(_, number)) | Constant::Enum(_, number) => {
                    Key::Number(constant.type_(), *number)
                }
                // 0.0 and -0.0 are equal, and so are all that are no numbers
                Constant::Scalar(Scalar::Double(number)) => Key::Double(floating(*number)),
                Constant::Scalar(Scalar::Single(number)) => Key::Single(floating(f64::from(*number))),
                Constant::Scalar(Scalar::Decimal(number)) => {
                    let text = number.to_string();
                    let plain =
                        if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
                    Key::Decimal(if plain == "-0" { "0".into() } else { plain.to_owned() })
                }
                Constant::Text(text) => Key::Text(text.clone()),
            },
            Value::Object(handle) => match self.world.text(handle)? {
                Some(text) => Key::Text(text),
                None => match self.compared_by_fields(value)? {
                    Some((type_, numbers)) => Key::Fields(type_, numbers),
                    None => match self.in_parts(value.clone())? {
                        parts @ Value::Made(_) => return self.key(&parts),
                        _ => return Ok(None),
                    },
                },
            },
            Value::Made(made) => match &made.content {
                Content::Tuple(items) => {
                    let mut keys = Vec::new();
                    for item in items {
                        match self.key(item)? {
                            Some(key) => keys.push(key),
                            None => return Ok(None),
                        }
                    }
                    Key::Tuple(made.type_.clone(), keys)
                }
                Content::Index { number, is_from_end } => Key::Index((*number, *is_from_end)),
                Content::Range { start, end } => Key::Range(*start, *end),
                _ => return Ok(None),
            },
            Value::Void => return Ok(None),
        }))
    }

    /// As `EqualityComparer<T>.Default` of a type.
    pub(super) fn is_equal(
        &mut self,
        of: &Type,
        one: &Value<W::Handle>,
        other: &Value<W::Handle>,
    ) -> Result<bool, Failure<W::Error>> {
        if one.is_null() || other.is_null() {
            return Ok(one.is_null() && other.is_null());
        }
        let (one, other) = (&self.in_parts(one.clone())?, &self.in_parts(other.clone())?);
        if let (Value::Made(left), Value::Made(right)) = (one, other)
            && let (Content::Tuple(items), Content::Tuple(others)) = (&left.content, &right.content)
        {
            // only names of tuples are none of the type
            let has_names = left.type_.is(ANONYMOUS) && left.type_.element_names() != right.type_.element_names();
            return match left.type_ == right.type_ && !has_names {
                true => self.are_equal_parts(&left.type_, items, others),
                false => Ok(false),
            };
        }
        if let (Value::Made(left), Value::Made(right)) = (one, other)
            && left.content.is_collection()
            && right.content.is_collection()
        {
            return Ok(Arc::ptr_eq(left, right));
        }
        if let Some(is_equal) = self.is_equal_anonymous(one, other)? {
            return Ok(is_equal);
        }
        if let (Some(one), Some(other)) = (self.key(one)?, self.key(other)?) {
            return Ok(one == other);
        }
        if let (Value::Object(left), Value::Object(right)) = (one, other) {
            let type_ = self.world.type_of(left)?;
            if self.world.is_same(left, right)? && self.is_equal_to_itself(of, &type_) {
                return Ok(true);
            }
            if let Some(equals) = self.equatable(of) {
                return Ok(self.world.call(&equals, Some(one), &mut [other.clone()])?.as_bool() == Some(true));
            }
            let (left, right) = (self.world.type_of(left)?, self.world.type_of(right)?);
            if !self.types.is_value_type(&left) && !self.overrides_equals(&left) {
                return Ok(false);
            }
            if self.types.is_value_type(&left) && left != right {
                return Ok(false);
            }
        }
        let Some(equals) = self.method_of(&Type::OBJECT, "Equals", 1) else {
            return unsupported("Equals was not found in the framework");
        };
        let (one, other) =
            (self.in_program(one.clone(), &Type::OBJECT)?, self.in_program(other.clone(), &Type::OBJECT)?);
        Ok(self.world.call(&equals, Some(&one), &mut [other])?.as_bool() == Some(true))
    }

    /// Of a tuple, an anonymous object or a pair.
    fn are_equal_parts(
        &mut self,
        type_: &Type,
        parts: &[Value<W::Handle>],
        others: &[Value<W::Handle>],
    ) -> Result<bool, Failure<W::Error>> {
        let types: Vec<Type> = match type_.elements() {
            Some(elements) => elements.into_iter().cloned().collect(),
            // `ValueType.Equals` asks what is in the fields as objects
            None if type_.is(PAIR) => vec![Type::OBJECT; 2],
            None => type_.arguments().to_vec(),
        };
        for ((of, one), other) in types.iter().zip(parts).zip(others) {
            if !self.is_equal(of, one, other)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// `IEquatable<T>.Equals`, which the default comparer of such a `T` calls, whatever `Equals` of an object does.
    pub(super) fn equatable(&self, of: &Type) -> Option<MethodRef> {
        let of = of.without_nullable();
        let own = Type::named("System.IEquatable`1", vec![of.clone()]);
        if self.types.is_a(of, &own) { self.method_of(&own, "Equals", 1) } else { None }
    }

    /// By a comparer of the program.
    pub(super) fn is_equal_by(
        &mut self,
        comparer: &Value<W::Handle>,
        one: &Value<W::Handle>,
        other: &Value<W::Handle>,
    ) -> Result<bool, Failure<W::Error>> {
        if let Value::Object(_) = comparer
            && let Some(type_) = self.run_time_type(comparer)?
            && let (Some(left), Some(right)) = (self.text_of(one)?, self.text_of(other)?)
            && let Some(is_equal) = equal_by(&type_, &left, &right)
        {
            return Ok(is_equal);
        }
        let result =
            self.compared_by(comparer, ("System.Collections.Generic.IEqualityComparer`1", "Equals"), one, other)?;
        Ok(result.as_bool() == Some(true))
    }

    pub(super) fn order_by(
        &mut self,
        comparer: &Value<W::Handle>,
        one: &Value<W::Handle>,
        other: &Value<W::Handle>,
    ) -> Result<Ordering, Failure<W::Error>> {
        let result = self.compared_by(comparer, ("System.Collections.Generic.IComparer`1", "Compare"), one, other)?;
        Ok(result.as_integer().unwrap_or(0).cmp(&0))
    }

    fn compared_by(
        &mut self,
        comparer: &Value<W::Handle>,
        (interface, name): (&str, &str),
        one: &Value<W::Handle>,
        other: &Value<W::Handle>,
    ) -> crate::world::Evaluated<W> {
        let type_ = self.run_time_type(comparer)?.unwrap_or(Type::OBJECT);
        let interface = self.types.interfaces(&type_).into_iter().find(|it| it.is(interface));
        let method = interface.as_ref().and_then(|interface| self.method_of(interface, name, 2));
        let (Some(interface), Some(method)) = (interface, method) else {
            return unsupported(format!("'{}' cannot be used as a comparer here", type_.short()));
        };
        let element = interface.arguments().first().cloned().unwrap_or(Type::OBJECT);
        let (one, other) = (self.in_program(one.clone(), &element)?, self.in_program(other.clone(), &element)?);
        self.world.call(&method, Some(comparer), &mut [one, other])
    }

    /// Whether a type overrides `Equals` of an object; a struct otherwise has that of `ValueType`.
    pub(super) fn overrides_equals(&self, type_: &Type) -> bool {
        self.overrides(type_, "Equals", &[Type::OBJECT])
    }

    /// Whether an object of that type equals itself without a question: by reference, by code of the framework, or by what the compiler
    /// makes for a record. An `Equals` that somebody wrote may say otherwise, and the default comparer for `of` asks it.
    pub(super) fn is_equal_to_itself(&self, of: &Type, type_: &Type) -> bool {
        let parameter = match self.equatable(of) {
            Some(_) => of.without_nullable().clone(),
            None if self.overrides_equals(type_) => Type::OBJECT,
            None => return true,
        };
        self.nearest(type_, "Equals", &[parameter]).is_some_and(|(_, method)| {
            clr_metadata::is_framework(method.assembly.path())
                || method.assembly.method(method.id).is_compiler_generated()
        })
    }

    pub(super) fn overrides_hash(&self, type_: &Type) -> bool {
        self.overrides(type_, "GetHashCode", &[])
    }

    fn overrides(&self, type_: &Type, name: &str, parameters: &[Type]) -> bool {
        let found = self.nearest(type_, name, parameters);
        found.is_some_and(|(owner, _)| owner != Type::OBJECT && !owner.is("System.ValueType"))
    }

    /// The virtual method with such parameters that a type, or the nearest of its bases, declares, and which of them does.
    pub(super) fn nearest(&self, type_: &Type, name: &str, parameters: &[Type]) -> Option<(Type, Arc<Method>)> {
        self.types.chain(type_).into_iter().find_map(|owner| {
            let definition = self.types.definition(&owner)?;
            let is_it = |it: &&Arc<Method>| it.is_virtual && it.parameters.iter().map(|it| &it.type_).eq(parameters);
            let method = self.types.methods(&definition, name).iter().find(is_it)?.clone();
            Some((owner, method))
        })
    }

    /// As `Comparer<T>.Default`.
    pub(super) fn order(
        &mut self,
        one: &Value<W::Handle>,
        other: &Value<W::Handle>,
    ) -> Result<Ordering, Failure<W::Error>> {
        match (one.is_null(), other.is_null()) {
            (true, true) => return Ok(Ordering::Equal),
            (true, false) => return Ok(Ordering::Less),
            (false, true) => return Ok(Ordering::Greater),
            (false, false) => {}
        }
        let (one, other) = (&self.opened(one.clone())?, &self.opened(other.clone())?);
        if let (Value::Constant(own), Value::Constant(theirs)) = (one, other)
            && let (Some(left), Some(right)) = (self.plain(one), self.plain(other))
        {
            if own.type_() != theirs.type_() {
                return incomparable(own, theirs);
            }
            return Ok(match (&left, &right) {
                (Scalar::Bool(left), Scalar::Bool(right)) => left.cmp(right),
                // what is no number comes first
                _ => ordering(&left, &right).unwrap_or_else(|| is_number(&left).cmp(&is_number(&right))),
            });
        }
        if let (Some(left), Some(right)) = (self.text_of(one)?, self.text_of(other)?) {
            return self.order_of_texts((one, &left), (other, &right));
        }
        let (one, other) = (&self.in_parts(one.clone())?, &self.in_parts(other.clone())?);
        if let (Value::Made(tuple), Value::Made(right)) = (one, other)
            && tuple.type_.elements().is_some()
            && let (Content::Tuple(left), Content::Tuple(right)) = (&tuple.content, &right.content)
        {
            for (left, right) in left.iter().zip(right) {
                let order = self.order(left, right)?;
                if order != Ordering::Equal {
                    return Ok(order);
                }
            }
            return Ok(Ordering::Equal);
        }
        if let (Some((type_, left)), Some((other, right))) =
            (self.compared_by_fields(one)?, self.compared_by_fields(other)?)
            && type_ == other
        {
            return Ok(left.cmp(&right));
        }
        let comparable = Type::named("System.IComparable", Vec::new());
        let is_comparable = match self.run_time_type(one)? {
            Some(type_) => self.types.is_a(&type_, &comparable),
            None => false,
        };
        if !is_comparable
            && let Some(type_) = self.run_time_type(one)?
            && let own = Type::named("System.IComparable`1", vec![type_.clone()])
            && self.types.is_a(&type_, &own)
            && let Some(compare) = self.method_of(&own, "CompareTo", 1)
        {
            let (one, other) = (self.in_program(one.clone(), &type_)?, self.in_program(other.clone(), &type_)?);
            let result = self.world.call(&compare, Some(&one), &mut [other])?;
            return Ok(result.as_integer().unwrap_or(0).cmp(&0));
        }
        if !is_comparable {
            return threw(INCOMPARABLE.0, INCOMPARABLE.1);
        }
        let Some(compare) = self.method_of(&comparable, "CompareTo", 1) else {
            return unsupported("CompareTo was not found in the framework");
        };
        let (one, other) =
            (self.in_program(one.clone(), &Type::OBJECT)?, self.in_program(other.clone(), &Type::OBJECT)?);
        let result = self.world.call(&compare, Some(&one), &mut [other])?;
        Ok(result.as_integer().unwrap_or(0).cmp(&0))
    }

    /// By the program's culture; of digits and letters of one case that is the order of their numbers.
    fn order_of_texts(
        &mut self,
        (one, left): (&Value<W::Handle>, &[u16]),
        (other, right): (&Value<W::Handle>, &[u16]),
    ) -> Result<Ordering, Failure<W::Error>> {
        if left == right {
            return Ok(Ordering::Equal);
        }
        let is_lower = |unit: &u16| matches!(*unit, 0x30..=0x39 | 0x61..=0x7a);
        let is_upper = |unit: &u16| matches!(*unit, 0x30..=0x39 | 0x41..=0x5a);
        let all = || left.iter().chain(right);
        if all().all(is_lower) || all().all(is_upper) {
            return Ok(left.cmp(right));
        }
        let definition = self.types.definition(&Type::STRING);
        let methods = definition.map(|it| self.types.methods(&it, "Compare"));
        let compare = methods.and_then(|all| {
            all.iter()
                .find(|it| {
                    it.parameters.len() == 2 && it.is_static && it.parameters.iter().all(|it| it.type_ == Type::STRING)
                })
                .cloned()
        });
        let Some(method) = compare else { return unsupported("String.Compare was not found in the framework") };
        let method = MethodRef { owner: Type::STRING, method, arguments: Vec::new() };
        let result = self.world.call(&method, None, &mut [one.clone(), other.clone()])?;
        Ok(result.as_integer().unwrap_or(0).cmp(&0))
    }
}

/// Whether the framework's comparers of texts without a culture take two texts for one; of letters beyond ASCII the program's own does.
pub(super) fn equal_by(comparer: &Type, left: &[u16], right: &[u16]) -> Option<bool> {
    let ascii = |text: &[u16]| {
        let bytes = text.iter().map(|unit| u8::try_from(*unit).ok().filter(u8::is_ascii));
        bytes.collect::<Option<Vec<u8>>>()
    };
    let name = comparer.name()?;
    // those that dictionaries use instead, for the sake of their hashes
    let of_dictionary = name
        .strip_prefix("System.Collections.Generic.NonRandomizedStringEqualityComparer+")
        .or_else(|| name.strip_prefix("System.Collections.Generic.RandomizedStringEqualityComparer+"));
    match (name, of_dictionary) {
        ("System.OrdinalCaseSensitiveComparer", _) | (_, Some("DefaultComparer" | "OrdinalComparer")) => {
            Some(left == right)
        }
        ("System.OrdinalIgnoreCaseComparer", _) | (_, Some("OrdinalIgnoreCaseComparer")) => {
            Some(ascii(left)?.eq_ignore_ascii_case(&ascii(right)?))
        }
        _ => None,
    }
}

/// What numbers, `bool`s, `char`s and enums say that are compared with one of another type.
fn incomparable<T, E>(own: &Constant, other: &Constant) -> Result<T, Failure<E>> {
    let (own_type, other) = (reflection(&own.type_()), reflection(&other.type_()));
    let message = match own {
        Constant::Enum(..) => format!(
            "Object must be the same type as the enum. The type passed in was '{other}'; the enum type was '{own_type}'."
        ),
        _ => format!("Object must be of type {}.", own_type.rsplit('.').next().unwrap_or_default()),
    };
    threw(INCOMPARABLE.0, message)
}

fn floating(number: f64) -> u64 {
    if number.is_nan() { f64::NAN.to_bits() } else { (number + 0.0).to_bits() }
}

fn is_number(scalar: &Scalar) -> bool {
    match scalar {
        Scalar::Double(number) => !number.is_nan(),
        Scalar::Single(number) => !number.is_nan(),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_equal_as_their_comparer_has_them() {
        let units = |text: &str| text.encode_utf16().collect::<Vec<u16>>();
        let generic = "System.Collections.Generic.";
        for (comparer, one, other, expected) in [
            ("System.OrdinalCaseSensitiveComparer".to_owned(), "hot", "Hot", Some(false)),
            ("System.OrdinalIgnoreCaseComparer".to_owned(), "hot", "Hot", Some(true)),
            ("System.OrdinalIgnoreCaseComparer".to_owned(), "straße", "STRASSE", None),
            (format!("{generic}NonRandomizedStringEqualityComparer+DefaultComparer"), "hot", "hot", Some(true)),
            (format!("{generic}NonRandomizedStringEqualityComparer+OrdinalIgnoreCaseComparer"), "a", "A", Some(true)),
            (format!("{generic}RandomizedStringEqualityComparer+OrdinalComparer"), "a", "A", Some(false)),
            ("System.CultureAwareComparer".to_owned(), "hot", "hot", None),
            ("OrdinalComparer".to_owned(), "hot", "hot", None),
        ] {
            let type_ = Type::named(comparer.as_str(), Vec::new());
            assert_eq!(equal_by(&type_, &units(one), &units(other)), expected, "{comparer}: {one} {other}");
        }
    }
}
