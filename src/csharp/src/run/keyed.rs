//! Lookups by key where no code of the program can run: the entries of its dictionary are read, and their keys compared here.

use crate::constant::{Constant, Scalar};
use crate::types::{FieldRef, PAIR, PropertyRef, Type};
use crate::value::{Content, Value};
use crate::world::{Evaluated, Failure, World};

use super::compare::{Key, equal_by};
use super::{Run, threw, unsupported};

const DICTIONARY: &str = "System.Collections.Generic.Dictionary`2";
pub(super) const SET: &str = "System.Collections.Generic.HashSet`1";
/// Structs that are equal where all their fields are.
const BY_FIELDS: [&str; 4] = ["System.Guid", "System.TimeSpan", "System.DateOnly", "System.TimeOnly"];
const DATE: &str = "System.DateTime";
/// The bits of a `DateTime` that count; the others are its kind.
const TICKS: i128 = 0x3fff_ffff_ffff_ffff;
/// What `EqualityComparer<T>.Default` is, by the type of the keys.
const DEFAULT: [&str; 6] = [
    "System.Collections.Generic.GenericEqualityComparer`1",
    "System.Collections.Generic.ObjectEqualityComparer`1",
    "System.Collections.Generic.EnumEqualityComparer`1",
    "System.Collections.Generic.NullableEqualityComparer`1",
    "System.Collections.Generic.ByteEqualityComparer",
    "System.Collections.Generic.StringEqualityComparer",
];

const CONCURRENT: &str = "System.Collections.Concurrent.ConcurrentDictionary`2";
/// What its `Keys` and `Values` are.
const COPIED: &str = "System.Collections.ObjectModel.ReadOnlyCollection`1";

/// Which half of its entries a property of a concurrent dictionary gives.
pub(crate) fn half_of(property: &PropertyRef) -> Option<usize> {
    match property.property.name.as_str() {
        "Keys" if property.owner.is(CONCURRENT) => Some(0),
        "Values" if property.owner.is(CONCURRENT) => Some(1),
        _ => None,
    }
}

/// How a dictionary compares its keys.
enum Comparer {
    Default,
    /// Of texts, without a culture.
    Texts(Type),
}

impl<W: World> Run<'_, W> {
    /// What the indexer of a dictionary gave; where nothing can run, what its entries show.
    pub(super) fn or_entry(
        &mut self,
        found: Evaluated<W>,
        (dictionary, key): (&Value<W::Handle>, &Value<W::Handle>),
    ) -> Evaluated<W> {
        let Some(entry) = self.looked_up(&found, dictionary, key)? else { return found };
        match entry {
            Some(value) => Ok(value),
            None => {
                let key = self.printed(key)?;
                threw(
                    "System.Collections.Generic.KeyNotFoundException",
                    format!("The given key '{}' was not present in the dictionary.", String::from_utf16_lossy(&key)),
                )
            }
        }
    }

    /// The same of `ContainsKey`.
    pub(super) fn or_has_entry(
        &mut self,
        found: Evaluated<W>,
        (dictionary, key): (&Value<W::Handle>, &Value<W::Handle>),
    ) -> Evaluated<W> {
        let entry = self.looked_up(&found, dictionary, key)?;
        entry.map_or(found, |entry| Ok(Value::bool(entry.is_some())))
    }

    /// What `Contains` of a collection gave; where nothing can run, what the elements of a set show.
    pub(super) fn or_is_in(
        &mut self,
        found: Evaluated<W>,
        (collection, wanted): (&Value<W::Handle>, &Value<W::Handle>),
    ) -> Evaluated<W> {
        let (Err(Failure::World(error)), Value::Object(handle)) = (&found, collection) else { return found };
        if !self.world.cannot_run(error) || !self.world.type_of(handle)?.is(SET) {
            return found;
        }
        let Ok(comparer) = self.comparer_of(handle) else { return found };
        let Some(items) = self.world.elements(handle, self.limits.elements)? else { return found };
        let is_cut = items.len() >= self.limits.elements;
        for item in items {
            self.step()?;
            match self.is_equal_key(&item, wanted, &comparer)? {
                Some(true) => return Ok(Value::bool(true)),
                Some(false) => {}
                None => return found,
            }
        }
        if is_cut { found } else { Ok(Value::bool(false)) }
    }

    /// The keys or the values of a concurrent dictionary: its own code takes all its locks, which a thread that stands still may hold.
    pub(super) fn half_of_entries(
        &mut self,
        dictionary: &W::Handle,
        property: &PropertyRef,
    ) -> Result<Option<Value<W::Handle>>, Failure<W::Error>> {
        let Some(half) = half_of(property) else { return Ok(None) };
        let Some(entries) = self.world.elements(dictionary, self.limits.elements)? else { return Ok(None) };
        if entries.len() >= self.limits.elements {
            return unsupported(format!("the dictionary has more than {} entries", self.limits.elements));
        }
        let mut items = Vec::with_capacity(entries.len());
        for entry in entries {
            self.step()?;
            let Value::Made(pair) = &entry else { return Ok(None) };
            let (Content::Tuple(parts), true) = (&pair.content, pair.type_.is(PAIR)) else { return Ok(None) };
            let Some(part) = parts.get(half) else { return Ok(None) };
            items.push(part.clone());
        }
        let of = property.owner.arguments().get(half).cloned().unwrap_or(Type::OBJECT);
        Ok(Some(Value::made(Type::named(COPIED, vec![of]), Content::Items(items))))
    }

    /// The value under a key, if there is one; `None`: it could run, or it is no such dictionary.
    #[expect(clippy::type_complexity, reason = "a value that may be missing of what may not be known")]
    fn looked_up(
        &mut self,
        found: &Evaluated<W>,
        dictionary: &Value<W::Handle>,
        key: &Value<W::Handle>,
    ) -> Result<Option<Option<Value<W::Handle>>>, Failure<W::Error>> {
        let (Err(Failure::World(error)), Value::Object(handle)) = (found, dictionary) else { return Ok(None) };
        if !self.world.cannot_run(error) || !self.world.type_of(handle)?.is(DICTIONARY) {
            return Ok(None);
        }
        if key.is_null() {
            return threw("System.ArgumentNullException", "Value cannot be null. (Parameter 'key')");
        }
        let comparer = self.comparer_of(handle)?;
        let Some(entries) = self.world.elements(handle, self.limits.elements)? else { return Ok(None) };
        let is_cut = entries.len() >= self.limits.elements;
        for entry in entries {
            self.step()?;
            let Value::Made(pair) = &entry else { continue };
            let (Content::Tuple(parts), true) = (&pair.content, pair.type_.is(PAIR)) else { continue };
            let [own, value] = parts.as_slice() else { continue };
            match self.is_equal_key(own, key, &comparer)? {
                Some(true) => return Ok(Some(Some(value.clone()))),
                Some(false) => {}
                None => {
                    let type_ = self.run_time_type(own)?.unwrap_or(Type::OBJECT);
                    return cannot_compare(&match comparer {
                        Comparer::Default => format!("'{}.Equals'", type_.short()),
                        Comparer::Texts(comparer) => format!("the comparer '{}'", comparer.short()),
                    });
                }
            }
        }
        Ok((!is_cut).then_some(None))
    }

    /// Whether it is a set or a dictionary without a comparer of its own.
    pub(super) fn compares_by_default(&mut self, collection: &W::Handle) -> Result<bool, Failure<W::Error>> {
        let type_ = self.world.type_of(collection)?;
        let is_known = type_.is(SET) || type_.is(DICTIONARY);
        Ok(is_known && matches!(self.comparer_of(collection), Ok(Comparer::Default)))
    }

    fn comparer_of(&mut self, dictionary: &W::Handle) -> Result<Comparer, Failure<W::Error>> {
        let type_ = self.world.type_of(dictionary)?;
        let comparer = self.own_field(dictionary, &type_, "_comparer")?;
        let Some(comparer) = comparer.filter(|comparer| !comparer.is_null()) else { return Ok(Comparer::Default) };
        let type_ = self.run_time_type(&comparer)?.unwrap_or(Type::OBJECT);
        if DEFAULT.iter().any(|name| type_.is(name)) {
            return Ok(Comparer::Default);
        }
        match equal_by(&type_, &[], &[]) {
            Some(_) => Ok(Comparer::Texts(type_)),
            None => cannot_compare(&format!("the comparer '{}'", type_.short())),
        }
    }

    /// `None`: only the program's own code can tell.
    fn is_equal_key(
        &mut self,
        one: &Value<W::Handle>,
        other: &Value<W::Handle>,
        comparer: &Comparer,
    ) -> Result<Option<bool>, Failure<W::Error>> {
        match (self.key(one)?, self.key(other)?, comparer) {
            (Some(Key::Text(one)), Some(Key::Text(other)), Comparer::Texts(type_)) => Ok(equal_by(type_, &one, &other)),
            (Some(left), Some(right), _) => Ok(Some(left == right)),
            _ => self.is_equal_object(one, other),
        }
    }

    /// As the default comparer, of what lives in the program or has parts.
    fn is_equal_object(
        &mut self,
        one: &Value<W::Handle>,
        other: &Value<W::Handle>,
    ) -> Result<Option<bool>, Failure<W::Error>> {
        let (Some(left), Some(right)) = (self.run_time_type(one)?, self.run_time_type(other)?) else {
            return Ok(Some(one.is_null() && other.is_null()));
        };
        if let (Some(elements), Some(others)) = (left.elements(), right.elements()) {
            let count = elements.len();
            if count != others.len() {
                return Ok(Some(false));
            }
            for at in 0..count {
                let (one, other) = (self.item(one, at)?, self.item(other, at)?);
                match self.is_equal_key(&one, &other, &Comparer::Default)? {
                    Some(true) => {}
                    unequal => return Ok(unequal),
                }
            }
            return Ok(Some(true));
        }
        let (Value::Object(one), Value::Object(other)) = (one, other) else { return Ok(None) };
        if !self.types.is_value_type(&left) {
            let is_same = self.world.is_same(one, other)?;
            let is_known = is_same && self.is_equal_to_itself(&left, &left) || !self.overrides_equals(&left);
            return Ok(is_known.then_some(is_same));
        }
        if left != right {
            return Ok(Some(false));
        }
        let is_date = left.is(DATE);
        if !is_date && !BY_FIELDS.iter().any(|name| left.is(name)) {
            return Ok(None);
        }
        let Some(definition) = self.types.definition(&left) else { return Ok(None) };
        for field in self.types.fields(&definition).iter().filter(|field| !field.is_static).cloned() {
            let field = FieldRef { owner: left.clone(), field };
            let parts = (self.world.field(Some(one), &field)?, self.world.field(Some(other), &field)?);
            let (Some(one), Some(other)) = (integer(&parts.0), integer(&parts.1)) else { return Ok(None) };
            let differing = one ^ other;
            if differing & (if is_date { TICKS } else { -1 }) != 0 {
                return Ok(Some(false));
            }
        }
        Ok(Some(true))
    }
}

fn integer<H>(value: &Value<H>) -> Option<i128> {
    match value {
        Value::Constant(Constant::Scalar(Scalar::Int(_, number))) => Some(*number),
        _ => None,
    }
}

fn cannot_compare<T, E>(by: &str) -> Result<T, Failure<E>> {
    unsupported(format!("the dictionary compares its keys by {by}, and no code of the program can run here"))
}
