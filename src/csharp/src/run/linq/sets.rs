//! Operators that compare elements: distinct ones, groups, joins, orders.

use std::cmp::Ordering;
use std::collections::HashMap;

use crate::types::Type;
use crate::value::{Content, Value};
use crate::world::{Failure, World};

use super::super::compare::Key;
use super::super::enumerate::{Cursor, listed};
use super::super::{Run, unsupported};

/// Keys in the order of their first appearance.
pub(super) struct Index<H> {
    known: HashMap<Key, usize>,
    /// Of keys that only the program can compare.
    open: Vec<(usize, Value<H>)>,
    count: usize,
}

impl<H: Clone> Index<H> {
    pub fn new() -> Self {
        Self { known: HashMap::new(), open: Vec::new(), count: 0 }
    }
}

/// What gives the key, what compares keys where that is not the default, and whether the greatest comes first.
type SortKey<W> = (Option<Value<<W as World>::Handle>>, Option<Value<<W as World>::Handle>>, bool);

impl<'a, W: World> Run<'a, W> {
    /// The number of a key, and whether it is new.
    pub(super) fn number_of(
        &mut self,
        index: &mut Index<W::Handle>,
        key: &Value<W::Handle>,
        may_add: bool,
    ) -> Result<(Option<usize>, bool), Failure<W::Error>> {
        self.step()?;
        if let Some(plain) = self.key(key)? {
            if let Some(number) = index.known.get(&plain) {
                return Ok((Some(*number), false));
            }
            if !may_add {
                return Ok((None, false));
            }
            index.known.insert(plain, index.count);
        } else {
            for (number, other) in &index.open {
                if self.is_equal(other, key)? {
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
        let no_comparer = |at: usize| match arguments.get(at) {
            Some(given) if !given.is_null() => unsupported(format!("{operator} with a comparer is not supported here")),
            _ => Ok(()),
        };
        match (operator, argument(1)) {
            ("Distinct", comparer) => {
                if comparer.is_some_and(|it| !it.is_null()) {
                    return unsupported("Distinct with a comparer is not supported here");
                }
                self.distinct(&first, None)
            }
            ("DistinctBy", Some(selector)) => {
                no_comparer(2)?;
                self.distinct(&first, Some(selector))
            }
            ("Union" | "UnionBy", Some(other)) => {
                let mut items = self.all(&first)?;
                items.extend(self.all(&other)?);
                let joined = Value::made(type_.clone(), Content::Items(items));
                self.distinct(&joined, if operator == "UnionBy" { argument(2) } else { None })
            }
            ("Except" | "Intersect" | "ExceptBy" | "IntersectBy", Some(other)) => {
                let selector = if operator.ends_with("By") { argument(2) } else { None };
                let wants = operator.starts_with("Intersect");
                let mut others = Index::new();
                for item in self.all(&other)? {
                    self.number_of(&mut others, &item, true)?;
                }
                let mut seen = Index::new();
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
                let groups = self.groups(&first, &selector, None)?;
                let counted = groups.into_iter().map(|(key, items)| {
                    Value::made(element.clone(), Content::Tuple(vec![key, Value::count(items.len())]))
                });
                Ok(listed(counted.collect()))
            }
            ("GroupBy", Some(selector)) => self.grouped(&first, &selector, arguments, &element),
            ("GroupJoin" | "Join" | "LeftJoin", Some(inner)) => {
                let (Some(left), Some(right), Some(result)) = (argument(2), argument(3), argument(4)) else {
                    return unsupported(format!("{operator} needs two keys and a result"));
                };
                no_comparer(5)?;
                let absent = match &result {
                    Value::Made(made) => self
                        .types
                        .delegate(&made.type_)
                        .and_then(|(inputs, _)| inputs.get(1).map(|it| it.type_.clone())),
                    _ => None,
                };
                self.joined(operator, (&first, &left), (&inner, &right), (&result, &absent.unwrap_or(Type::OBJECT)))
            }
            _ => self.ordered(operator, arguments).map(listed),
        }
    }

    fn distinct(
        &mut self,
        source: &Value<W::Handle>,
        selector: Option<Value<W::Handle>>,
    ) -> Result<Cursor<'a, W>, Failure<W::Error>> {
        let mut source = self.open(source)?;
        let mut seen = Index::new();
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
        key: &Value<W::Handle>,
        element: Option<&Value<W::Handle>>,
    ) -> Result<Vec<(Value<W::Handle>, Vec<Value<W::Handle>>)>, Failure<W::Error>> {
        let mut index = Index::new();
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

    /// What the second and third arguments are is told by what they take.
    fn grouped(
        &mut self,
        source: &Value<W::Handle>,
        key: &Value<W::Handle>,
        arguments: &[Value<W::Handle>],
        element: &Type,
    ) -> Result<Cursor<'a, W>, Failure<W::Error>> {
        let takes = |value: &Value<W::Handle>| match value {
            Value::Made(made) => match &made.content {
                Content::Lambda { lambda, .. } => lambda.parameters.len(),
                _ => 0,
            },
            _ => 0,
        };
        let (mut selector, mut result) = (None, None);
        for argument in arguments.iter().skip(2).filter(|it| !it.is_null()) {
            match takes(argument) {
                1 => selector = Some(argument.clone()),
                2 => result = Some(argument.clone()),
                _ => return unsupported("GroupBy with a comparer is not supported here"),
            }
        }
        let groups = self.groups(source, key, selector.as_ref())?;
        let mut made = Vec::new();
        for (key, items) in groups {
            made.push(match &result {
                Some(result) => {
                    let items = Value::made(Type::array(Type::OBJECT), Content::Items(items));
                    self.invoked(result, &Type::OBJECT, vec![key, items])?
                }
                None => Value::made(element.clone(), Content::Group { key, items }),
            });
        }
        Ok(listed(made))
    }

    fn joined(
        &mut self,
        operator: &str,
        (outer, left): (&Value<W::Handle>, &Value<W::Handle>),
        (inner, right): (&Value<W::Handle>, &Value<W::Handle>),
        (result, absent): (&Value<W::Handle>, &Type),
    ) -> Result<Cursor<'a, W>, Failure<W::Error>> {
        let mut index = Index::new();
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
        let mut found = Vec::new();
        for item in self.all(outer)? {
            let key = self.apply(left, &item)?;
            let number = if key.is_null() { None } else { self.number_of(&mut index, &key, false)?.0 };
            let matching = number.and_then(|number| groups.get(number)).cloned().unwrap_or_default();
            match operator {
                "GroupJoin" => {
                    let items = Value::made(Type::array(Type::OBJECT), Content::Items(matching));
                    found.push(self.invoked(result, &Type::OBJECT, vec![item, items])?);
                }
                "LeftJoin" if matching.is_empty() => {
                    let nothing = self.default_value(absent)?;
                    found.push(self.invoked(result, &Type::OBJECT, vec![item, nothing])?);
                }
                _ => {
                    for other in matching {
                        found.push(self.invoked(result, &Type::OBJECT, vec![item.clone(), other])?);
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
                return unsupported(format!("{operator} needs a sequence ordered in the expression"));
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
            Some(error) => Err(error),
            None => Ok(rows.into_iter().map(|(_, item)| item).collect()),
        }
    }
}
