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
    known: HashMap<Key, usize>,
    /// Of keys that only the program can compare.
    open: Vec<(usize, Value<H>)>,
    count: usize,
    /// The comparer of keys, unless it is the default.
    comparer: Option<Value<H>>,
}

impl<H: Clone> Index<H> {
    pub fn new() -> Self {
        Self::by(None)
    }

    /// Null is the default comparer too.
    pub fn by(comparer: Option<Value<H>>) -> Self {
        let comparer = comparer.filter(|it| !it.is_null());
        Self { known: HashMap::new(), open: Vec::new(), count: 0, comparer }
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
            for (number, other) in &index.open {
                let is_equal = match &index.comparer {
                    Some(comparer) => self.is_equal_by(comparer, other, key)?,
                    None => self.is_equal(other, key)?,
                };
                if is_equal {
                    return Ok((Some(*number), false));
                }
            }
            if !may_add {
                return Ok((None, false));
            }
            index.open.push((index.count, key.clone()));
        }
        index.count += 1;
        Ok((Some(index.count - 1), true))
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
            ("Distinct", comparer) => self.distinct(&first, (None, comparer)),
            ("DistinctBy", Some(selector)) => self.distinct(&first, (Some(selector), argument(2))),
            ("Union" | "UnionBy", Some(other)) => {
                let mut items = self.all(&first)?;
                items.extend(self.all(&other)?);
                let joined = Value::made(type_.clone(), Content::Items(items));
                let by = if operator == "UnionBy" { (argument(2), argument(3)) } else { (None, argument(2)) };
                self.distinct(&joined, by)
            }
            ("Except" | "Intersect" | "ExceptBy" | "IntersectBy", Some(other)) => {
                let (selector, comparer) =
                    if operator.ends_with("By") { (argument(2), argument(3)) } else { (None, argument(2)) };
                let wants = operator.starts_with("Intersect");
                let mut others = Index::by(comparer.clone());
                for item in self.all(&other)? {
                    self.number_of(&mut others, &item, true)?;
                }
                let mut seen = Index::by(comparer);
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
            _ => self.ordered(operator, arguments).map(listed),
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

    fn distinct(
        &mut self,
        source: &Value<W::Handle>,
        (selector, comparer): (Option<Value<W::Handle>>, Comparer<W>),
    ) -> Result<Cursor<'a, W>, Failure<W::Error>> {
        let mut source = self.open(source)?;
        let mut seen = Index::by(comparer);
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
        let mut index = Index::by(comparer);
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
        let mut index = Index::by(comparer);
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
    fn ordered(
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
        for item in self.all(&source)? {
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
            // sorting says so in words of its own
            Some(Failure::Threw { type_name, .. }) if type_name == INCOMPARABLE.0 => {
                threw("System.InvalidOperationException", "Failed to compare two elements in the array.")
            }
            Some(error) => Err(error),
            None => Ok(rows.into_iter().map(|(_, item)| item).collect()),
        }
    }
}
