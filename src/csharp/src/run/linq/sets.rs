//! Operators that compare elements: distinct ones, groups, joins, orders.

use std::cmp::Ordering;
use std::collections::HashMap;

use crate::types::Type;
use crate::value::{Content, Value};
use crate::world::{Failure, World};

use super::super::compare::{INCOMPARABLE, Key};
use super::super::enumerate::{Cursor, listed};
use super::super::{Run, threw, unsupported};

/// Keys in the order of their first appearance.
pub(super) struct Index<H> {
    /// What the keys are declared as.
    of: Type,
    known: HashMap<Key, usize>,
    /// Of keys that only the program can compare, with their hash codes as far as it computes them.
    open: Vec<(usize, Value<H>, Vec<Option<i128>>)>,
    count: usize,
    /// The comparer of keys, unless it is the default.
    comparer: Option<Value<H>>,
}

impl<H: Clone> Index<H> {
    /// Null is the default comparer too.
    pub fn new(of: Type, comparer: Option<Value<H>>) -> Self {
        let comparer = comparer.filter(|it| !it.is_null());
        Self { of, known: HashMap::new(), open: Vec::new(), count: 0, comparer }
    }
}

/// What gives the key, what compares keys where that is not the default, and whether the greatest comes first.
type SortKey<W> = (Option<Value<<W as World>::Handle>>, Option<Value<<W as World>::Handle>>, bool);

/// A sequence and what gives the keys of its elements, twice, and what compares the keys.
type Sides<'v, W> = (Keyed<'v, W>, Keyed<'v, W>, Comparer<W>);
type Comparer<W> = Option<Value<<W as World>::Handle>>;
type Keyed<'v, W> = (&'v Value<<W as World>::Handle>, &'v Value<<W as World>::Handle>);

impl<'a, W: World> Run<'a, W> {
    /// The number of a key, and whether it is new.
    pub(super) fn number_of(
        &mut self,
        index: &mut Index<W::Handle>,
        key: &Value<W::Handle>,
        may_add: bool,
    ) -> Result<(Option<usize>, bool), Failure<W::Error>> {
        self.step()?;
        let plain = if index.comparer.is_none() { self.key(key)? } else { None };
        if let Some(plain) = plain {
            if let Some(number) = index.known.get(&plain) {
                return Ok((Some(*number), false));
            }
            if !may_add {
                return Ok((None, false));
            }
            index.known.insert(plain, index.count);
        } else {
            let hashes = match &index.comparer {
                Some(comparer) => self.hashes_by(comparer, key)?,
                None => self.own_hashes(key)?,
            };
            for (number, other, other_hashes) in &index.open {
                let is_equal = match &index.comparer {
                    _ if hashes != *other_hashes => false,
                    Some(comparer) => self.is_equal_by(comparer, other, key)?,
                    None => self.has_equal_hash(other, key)? && self.is_equal(&index.of, other, key)?,
                };
                if is_equal {
                    return Ok((Some(*number), false));
                }
            }
            if !may_add {
                return Ok((None, false));
            }
            index.open.push((index.count, key.clone(), hashes));
        }
        index.count += 1;
        Ok((Some(index.count - 1), true))
    }

    /// Whether two values may have one hash code, which comes before `Equals`: a type with an `Equals` of its own may have left
    /// `GetHashCode` as it was.
    pub(super) fn has_equal_hash(
        &mut self,
        one: &Value<W::Handle>,
        other: &Value<W::Handle>,
    ) -> Result<bool, Failure<W::Error>> {
        let (one, other) = (&self.in_parts(one.clone())?, &self.in_parts(other.clone())?);
        if let (Value::Made(left), Value::Made(right)) = (one, other)
            && let (Content::Tuple(parts), Content::Tuple(others)) = (&left.content, &right.content)
        {
            for (one, other) in parts.iter().zip(others) {
                if !self.has_equal_hash(one, other)? {
                    return Ok(false);
                }
            }
            return Ok(true);
        }
        let (Value::Object(left), Value::Object(right)) = (one, other) else { return Ok(true) };
        if self.world.text(left)?.is_some() {
            return Ok(true);
        }
        let type_ = self.world.type_of(left)?;
        if self.overrides_hash(&type_) {
            return Ok(true);
        }
        if !self.types.is_value_type(&type_) {
            return self.world.is_same(left, right);
        }
        let is_own = self.equatable(&type_).is_some() || self.overrides_equals(&type_);
        let Some(hash) = self.method_of(&Type::OBJECT, "GetHashCode", 0).filter(|_| is_own) else { return Ok(true) };
        let (left, right) =
            (self.world.call(&hash, Some(one), &mut [])?, self.world.call(&hash, Some(other), &mut [])?);
        Ok(left.as_integer() == right.as_integer())
    }

    fn apply(&mut self, function: &Value<W::Handle>, item: &Value<W::Handle>) -> crate::world::Evaluated<W> {
        self.invoked(function, &Type::OBJECT, vec![item.clone()])
    }

    pub(super) fn open_set(
        &mut self,
        operator: &'static str,
        arguments: &[Value<W::Handle>],
        type_: &Type,
    ) -> Result<Cursor<'a, W>, Failure<W::Error>> {
        let element = type_.arguments().first().cloned().unwrap_or(Type::OBJECT);
        let argument = |at: usize| arguments.get(at).cloned();
        let Some(first) = argument(0) else { return unsupported(format!("{operator} needs a sequence")) };
        match (operator, argument(1)) {
            ("Distinct", comparer) => self.distinct(&first, None, Index::new(element, comparer)),
            ("DistinctBy", Some(selector)) => {
                let index = Index::new(self.output_of(&selector)?, argument(2));
                self.distinct(&first, Some(selector), index)
            }
            ("Union" | "UnionBy", Some(other)) => {
                let mut items = self.all(&first)?;
                items.extend(self.all(&other)?);
                let joined = Value::made(type_.clone(), Content::Items(items));
                if operator == "Union" {
                    return self.distinct(&joined, None, Index::new(element, argument(2)));
                }
                let Some(selector) = argument(2) else { return unsupported("UnionBy needs a key") };
                let index = Index::new(self.output_of(&selector)?, argument(3));
                self.distinct(&joined, Some(selector), index)
            }
            ("Except" | "Intersect" | "ExceptBy" | "IntersectBy", Some(other)) => {
                let (selector, comparer) =
                    if operator.ends_with("By") { (argument(2), argument(3)) } else { (None, argument(2)) };
                let wants = operator.starts_with("Intersect");
                let of = match &selector {
                    Some(selector) => self.output_of(selector)?,
                    None => element,
                };
                let mut others = Index::new(of.clone(), comparer.clone());
                for item in self.all(&other)? {
                    self.number_of(&mut others, &item, true)?;
                }
                let mut seen = Index::new(of, comparer);
                let mut found = Vec::new();
                for item in self.all(&first)? {
                    let key = match &selector {
                        Some(selector) => self.apply(selector, &item)?,
                        None => item.clone(),
                    };
                    let is_there = self.number_of(&mut others, &key, false)?.0.is_some();
                    if is_there == wants && self.number_of(&mut seen, &key, true)?.1 {
                        found.push(item);
                    }
                }
                Ok(listed(found))
            }
            ("CountBy", Some(selector)) => {
                let groups = self.groups(&first, (&selector, argument(2)), None)?;
                let counted = groups.into_iter().map(|(key, items)| {
                    Value::made(element.clone(), Content::Tuple(vec![key, Value::count(items.len())]))
                });
                Ok(listed(counted.collect()))
            }
            ("AggregateBy", Some(selector)) => {
                let (Some(seed), Some(function)) = (argument(2), argument(3)) else {
                    return unsupported("AggregateBy needs a seed and a function");
                };
                let mut folded = Vec::new();
                for (key, items) in self.groups(&first, (&selector, argument(4)), None)? {
                    let mut state = match self.takes(&seed)? {
                        Some(_) => self.apply(&seed, &key)?,
                        None => seed.clone(),
                    };
                    for item in items {
                        state = self.invoked(&function, &Type::OBJECT, vec![state, item])?;
                    }
                    folded.push(Value::made(element.clone(), Content::Tuple(vec![key, state])));
                }
                Ok(listed(folded))
            }
            ("GroupBy", Some(selector)) => self.grouped(&first, &selector, arguments, &element),
            ("RightJoin", Some(inner)) => {
                let (Some(left), Some(right), Some(result)) = (argument(2), argument(3), argument(4)) else {
                    return unsupported("RightJoin needs two keys and a result");
                };
                let absent = self.input_of(&result, 0);
                let keyed = ((&inner, &right), (&first, &left), argument(5));
                self.joined("RightJoin", keyed, (&result, &absent))
            }
            ("GroupJoin" | "Join" | "LeftJoin", Some(inner)) => {
                let (Some(left), Some(right), Some(result)) = (argument(2), argument(3), argument(4)) else {
                    return unsupported(format!("{operator} needs two keys and a result"));
                };
                let absent = self.input_of(&result, 1);
                self.joined(operator, ((&first, &left), (&inner, &right), argument(5)), (&result, &absent))
            }
            _ => match self.ordered(operator, arguments) {
                // sorting says so in words of its own
                Err(Failure::Threw { type_name, .. }) if type_name == INCOMPARABLE.0 => {
                    threw("System.InvalidOperationException", "Failed to compare two elements in the array.")
                }
                items => items.map(listed),
            },
        }
    }

    /// How many arguments a delegate takes, made here or not; `None`: it is not one.
    pub(super) fn takes(&mut self, value: &Value<W::Handle>) -> Result<Option<usize>, Failure<W::Error>> {
        let type_ = match value {
            Value::Made(made) => match &made.content {
                Content::Lambda { lambda, .. } => return Ok(Some(lambda.parameters.len())),
                _ => return Ok(None),
            },
            Value::Object(_) => self.run_time_type(value)?,
            _ => None,
        };
        Ok(type_.and_then(|type_| self.types.delegate(&type_)).map(|(inputs, _)| inputs.len()))
    }

    /// What a function takes at a position.
    fn input_of(&self, function: &Value<W::Handle>, at: usize) -> Type {
        let Value::Made(made) = function else { return Type::OBJECT };
        let inputs = self.types.delegate(&made.type_).map(|(inputs, _)| inputs).unwrap_or_default();
        inputs.get(at).map_or(Type::OBJECT, |it| it.type_.clone())
    }

    /// What a function gives: the type of the keys that it selects.
    fn output_of(&mut self, function: &Value<W::Handle>) -> Result<Type, Failure<W::Error>> {
        let type_ = self.run_time_type(function)?;
        let delegate = type_.and_then(|type_| self.types.delegate(&type_));
        Ok(delegate.map_or(Type::OBJECT, |(_, output)| output))
    }

    fn distinct(
        &mut self,
        source: &Value<W::Handle>,
        selector: Option<Value<W::Handle>>,
        mut seen: Index<W::Handle>,
    ) -> Result<Cursor<'a, W>, Failure<W::Error>> {
        let mut source = self.open(source)?;
        Ok(Box::new(move |run| {
            while let Some(item) = source(run)? {
                let key = match &selector {
                    Some(selector) => run.apply(selector, &item)?,
                    None => item.clone(),
                };
                if run.number_of(&mut seen, &key, true)?.1 {
                    return Ok(Some(item));
                }
            }
            Ok(None)
        }))
    }

    #[expect(clippy::type_complexity, reason = "keys with what has them")]
    pub(super) fn groups(
        &mut self,
        source: &Value<W::Handle>,
        (key, comparer): (&Value<W::Handle>, Option<Value<W::Handle>>),
        element: Option<&Value<W::Handle>>,
    ) -> Result<Vec<(Value<W::Handle>, Vec<Value<W::Handle>>)>, Failure<W::Error>> {
        let mut index = Index::new(self.output_of(key)?, comparer);
        let mut groups: Vec<(Value<W::Handle>, Vec<Value<W::Handle>>)> = Vec::new();
        for item in self.all(source)? {
            let key = self.apply(key, &item)?;
            let item = match element {
                Some(element) => self.apply(element, &item)?,
                None => item,
            };
            let (number, is_new) = self.number_of(&mut index, &key, true)?;
            if is_new {
                groups.push((key, vec![item]));
            } else if let Some((_, items)) = number.and_then(|number| groups.get_mut(number)) {
                items.push(item);
            }
        }
        Ok(groups)
    }

    /// What the second and third arguments are is known from their parameters.
    fn grouped(
        &mut self,
        source: &Value<W::Handle>,
        key: &Value<W::Handle>,
        arguments: &[Value<W::Handle>],
        element: &Type,
    ) -> Result<Cursor<'a, W>, Failure<W::Error>> {
        let (mut selector, mut result, mut comparer) = (None, None, None);
        for argument in arguments.iter().skip(2).filter(|it| !it.is_null()) {
            match self.takes(argument)? {
                Some(1) => selector = Some(argument.clone()),
                Some(_) => result = Some(argument.clone()),
                None => comparer = Some(argument.clone()),
            }
        }
        let groups = self.groups(source, (key, comparer), selector.as_ref())?;
        let result = match result {
            Some(result) => Some((self.group_of(&result)?, result)),
            None => None,
        };
        let mut made = Vec::new();
        for (key, items) in groups {
            made.push(match &result {
                Some((type_, result)) => {
                    let items = Value::made(type_.clone(), Content::Items(items));
                    self.invoked(result, &Type::OBJECT, vec![key, items])?
                }
                None => Value::made(element.clone(), Content::Group { key, items }),
            });
        }
        Ok(listed(made))
    }

    /// What a function is given for its second parameter, a sequence: an array, as .NET does.
    fn group_of(&mut self, function: &Value<W::Handle>) -> Result<Type, Failure<W::Error>> {
        let type_ = self.run_time_type(function)?.and_then(|type_| self.types.delegate(&type_));
        let sequence = type_.and_then(|(inputs, _)| inputs.get(1).map(|it| it.type_.clone()));
        Ok(Type::array(sequence.and_then(|it| self.element_of(&it)).unwrap_or(Type::OBJECT)))
    }

    fn joined(
        &mut self,
        operator: &str,
        ((outer, left), (inner, right), comparer): Sides<'_, W>,
        (result, absent): (&Value<W::Handle>, &Type),
    ) -> Result<Cursor<'a, W>, Failure<W::Error>> {
        let mut index = Index::new(self.output_of(right)?, comparer);
        let mut groups: Vec<Vec<Value<W::Handle>>> = Vec::new();
        for item in self.all(inner)? {
            let key = self.apply(right, &item)?;
            if key.is_null() {
                continue;
            }
            let (number, is_new) = self.number_of(&mut index, &key, true)?;
            if is_new {
                groups.push(vec![item]);
            } else if let Some(items) = number.and_then(|number| groups.get_mut(number)) {
                items.push(item);
            }
        }
        let group = if operator == "GroupJoin" { self.group_of(result)? } else { Type::OBJECT };
        let mut found = Vec::new();
        for item in self.all(outer)? {
            let key = self.apply(left, &item)?;
            let number = if key.is_null() { None } else { self.number_of(&mut index, &key, false)?.0 };
            let matching = number.and_then(|number| groups.get(number)).cloned().unwrap_or_default();
            match operator {
                "GroupJoin" => {
                    let items = Value::made(group.clone(), Content::Items(matching));
                    found.push(self.invoked(result, &Type::OBJECT, vec![item, items])?);
                }
                "LeftJoin" if matching.is_empty() => {
                    let nothing = self.default_value(absent)?;
                    found.push(self.invoked(result, &Type::OBJECT, vec![item, nothing])?);
                }
                "RightJoin" if matching.is_empty() => {
                    let nothing = self.default_value(absent)?;
                    found.push(self.invoked(result, &Type::OBJECT, vec![nothing, item])?);
                }
                _ => {
                    for other in matching {
                        let pair =
                            if operator == "RightJoin" { vec![other, item.clone()] } else { vec![item.clone(), other] };
                        found.push(self.invoked(result, &Type::OBJECT, pair)?);
                    }
                }
            }
        }
        Ok(listed(found))
    }

    /// All keys of an `OrderBy` with its `ThenBy`s, then one stable sort.
    pub(super) fn ordered(
        &mut self,
        operator: &'static str,
        arguments: &[Value<W::Handle>],
    ) -> Result<Vec<Value<W::Handle>>, Failure<W::Error>> {
        let mut keys: Vec<SortKey<W>> = Vec::new();
        let (mut operator, mut arguments) = (operator, arguments.to_vec());
        let source = loop {
            let is_descending = operator.ends_with("Descending");
            let has_key = !matches!(operator, "Order" | "OrderDescending");
            let comparer = arguments.get(if has_key { 2 } else { 1 }).filter(|it| !it.is_null()).cloned();
            keys.push((arguments.get(1).cloned().filter(|_| has_key), comparer, is_descending));
            let Some(first) = arguments.first().cloned() else { return unsupported("ordering needs a sequence") };
            if !operator.starts_with("ThenBy") {
                break first;
            }
            let Value::Made(made) = &first else {
                return unsupported(format!("{operator} needs an OrderBy in the same expression"));
            };
            let Content::Query { operator: before, arguments: given } = &made.content else {
                return unsupported(format!("{operator} needs an ordered sequence"));
            };
            (operator, arguments) = (before, given.clone());
        };
        keys.reverse();
        let mut rows = Vec::new();
        for item in self.buffered(&source)? {
            let mut row = Vec::with_capacity(keys.len());
            for (key, ..) in &keys {
                row.push(match key {
                    Some(key) => self.apply(key, &item)?,
                    None => item.clone(),
                });
            }
            rows.push((row, item));
        }
        let mut problem = None;
        rows.sort_by(|(one, _), (other, _)| {
            for ((left, right), (_, comparer, is_descending)) in one.iter().zip(other).zip(&keys) {
                if problem.is_some() {
                    break;
                }
                let order = self.step().and_then(|()| match comparer {
                    Some(comparer) => self.order_by(comparer, left, right),
                    None => self.order(left, right),
                });
                match order {
                    Ok(Ordering::Equal) => {}
                    Ok(order) => return if *is_descending { order.reverse() } else { order },
                    Err(error) => problem = Some(error),
                }
            }
            Ordering::Equal
        });
        match problem {
            Some(error) => Err(error),
            None => Ok(rows.into_iter().map(|(_, item)| item).collect()),
        }
    }
}
