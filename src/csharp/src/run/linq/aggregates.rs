//! Operators that return a single value.

use std::cmp::Ordering;

use clr_metadata::Primitive;

use crate::constant::Scalar;
use crate::syntax::BinaryOp;
use crate::types::{MethodRef, Type};
use crate::value::{Content, Value};
use crate::world::{Evaluated, Failure, World};

use super::super::{Run, threw, unsupported};
use super::compared;
use super::sets::Index;
use super::shortcuts::unordered;

const INVALID: &str = "System.InvalidOperationException";
/// An element with its key.
type Pair<W> = (Value<<W as World>::Handle>, Value<<W as World>::Handle>);

/// What gives the key, and what compares keys where that is not the default.
type By<'v, W> = (Option<&'v Value<<W as World>::Handle>>, Option<&'v Value<<W as World>::Handle>>);

const NO_ELEMENTS: &str = "Sequence contains no elements";
const NO_MATCH: &str = "Sequence contains no matching element";

impl<W: World> Run<'_, W> {
    pub(super) fn aggregate(
        &mut self,
        operator: &str,
        arguments: &[Value<W::Handle>],
        method: &MethodRef,
    ) -> Evaluated<W> {
        let Some(source) = arguments.first() else { return unsupported(format!("{operator} needs a sequence")) };
        let second = arguments.get(1);
        let returns = method.returns();
        match operator {
            "Count" | "LongCount" => {
                let source = match (operator, second) {
                    ("Count", None) => self.not_cast(unordered(source))?,
                    _ => source,
                };
                let count = match (operator, second) {
                    ("Count", None) => self.collection_count(source)?,
                    _ => self.counted(source, second)?,
                };
                let number = Value::count(count);
                if operator == "Count" {
                    Ok(number)
                } else {
                    self.number_as(&number, &Type::Primitive(Primitive::I8), false)
                }
            }
            "Any" => match second {
                Some(_) => Ok(Value::bool(self.first_of(source, second)?.is_some())),
                None => self.is_any(source).map(Value::bool),
            },
            "All" => {
                let mut cursor = self.open(source)?;
                while let Some(item) = cursor(self)? {
                    if !self.holds(second, &item)? {
                        return Ok(Value::bool(false));
                    }
                }
                Ok(Value::bool(true))
            }
            "Contains" => self.contains(arguments, method),
            "First" | "FirstOrDefault" | "Last" | "LastOrDefault" | "Single" | "SingleOrDefault" => {
                self.one_of(operator, source, arguments.get(1..).unwrap_or_default(), &returns)
            }
            "ElementAt" | "ElementAtOrDefault" => {
                let Some(at) = second else { return unsupported(format!("{operator} needs a number")) };
                self.element_at(operator, source, at, &returns)
            }
            "Sum" | "Average" => self.summed(operator, source, second, &returns),
            "Min" | "Max" => {
                let by = match second.filter(|it| !it.is_null()) {
                    Some(second) if self.takes(second)?.is_none() => (None, Some(second)),
                    selector => (selector, None),
                };
                self.extreme(operator, source, by, &returns)
            }
            "MinBy" | "MaxBy" => self.extreme_by(operator, source, (second, arguments.get(2)), &returns),
            "Aggregate" => self.folded(source, arguments.get(1..).unwrap_or_default()),
            "SequenceEqual" => {
                let Some(other) = second else { return unsupported("SequenceEqual needs two sequences") };
                let comparer = arguments.get(2).filter(|it| !it.is_null());
                self.are_equal((source, other), comparer, &compared(method)).map(Value::bool)
            }
            "ToList" | "ToArray" => {
                let items = self.buffered(source)?;
                Ok(Value::made(returns, Content::Items(items)))
            }
            "ToHashSet" | "ToDictionary" | "ToLookup"
                if self.has_comparer(arguments.get(1..).unwrap_or_default())? =>
            {
                unsupported(format!("{operator} with a comparer is not supported here"))
            }
            "ToHashSet" => {
                let mut seen = Index::new(compared(method), None);
                let mut items = Vec::new();
                for item in self.all(source)? {
                    if self.number_of(&mut seen, &item, true)?.1 {
                        items.push(item);
                    }
                }
                Ok(Value::made(returns, Content::Items(items)))
            }
            "ToDictionary" => self.dictionary(source, arguments.get(1..).unwrap_or_default(), returns),
            "ToLookup" => {
                let Some(key) = second else { return unsupported("ToLookup needs a key") };
                let element = arguments.get(2).filter(|it| !it.is_null());
                let groups = self.groups(source, (key, None), element)?;
                let group = Type::named("System.Linq.IGrouping`2", returns.arguments().to_vec());
                let items =
                    groups.into_iter().map(|(key, items)| Value::made(group.clone(), Content::Group { key, items }));
                Ok(Value::made(returns, Content::Items(items.collect())))
            }
            other => unsupported(format!("{other} is not supported here")),
        }
    }

    /// Whether one of those behind the sequence is neither null nor a function.
    fn has_comparer(&mut self, rest: &[Value<W::Handle>]) -> Result<bool, Failure<W::Error>> {
        for value in rest.iter().filter(|it| !it.is_null()) {
            if self.takes(value)?.is_none() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    pub(super) fn holds(
        &mut self,
        predicate: Option<&Value<W::Handle>>,
        item: &Value<W::Handle>,
    ) -> Result<bool, Failure<W::Error>> {
        self.step()?;
        match predicate {
            Some(predicate) => Ok(self.invoked(predicate, &Type::OBJECT, vec![item.clone()])?.as_bool() == Some(true)),
            None => Ok(true),
        }
    }

    pub(super) fn counted(
        &mut self,
        source: &Value<W::Handle>,
        predicate: Option<&Value<W::Handle>>,
    ) -> Result<usize, Failure<W::Error>> {
        let mut cursor = self.open(source)?;
        let mut count = 0;
        while let Some(item) = cursor(self)? {
            if self.holds(predicate, &item)? {
                count += 1;
            }
        }
        Ok(count)
    }

    fn one_of(
        &mut self,
        operator: &str,
        source: &Value<W::Handle>,
        rest: &[Value<W::Handle>],
        returns: &Type,
    ) -> Evaluated<W> {
        let is_lambda = |value: &&Value<W::Handle>| matches!(value, Value::Made(made) if matches!(made.content, Content::Lambda { .. }));
        let predicate = rest.iter().find(is_lambda);
        let default = rest.iter().find(|value| !is_lambda(value));
        let found = match operator {
            "First" | "FirstOrDefault" => self.first_of(source, predicate)?,
            "Last" | "LastOrDefault" => self.last_of(source, predicate)?,
            _ => {
                let mut cursor = self.open(source)?;
                let mut found = None;
                while let Some(item) = cursor(self)? {
                    if self.holds(predicate, &item)? {
                        if found.is_some() {
                            let message = if predicate.is_some() {
                                "Sequence contains more than one matching element"
                            } else {
                                "Sequence contains more than one element"
                            };
                            return threw(INVALID, message);
                        }
                        found = Some(item);
                    }
                }
                found
            }
        };
        match (found, default) {
            (Some(item), _) => Ok(item),
            (None, Some(default)) => Ok(default.clone()),
            (None, None) if operator.ends_with("OrDefault") => self.default_value(returns),
            (None, None) => threw(INVALID, if predicate.is_some() { NO_MATCH } else { NO_ELEMENTS }),
        }
    }

    fn selected(
        &mut self,
        source: &Value<W::Handle>,
        selector: Option<&Value<W::Handle>>,
    ) -> Result<Vec<Value<W::Handle>>, Failure<W::Error>> {
        let items = self.all(source)?;
        let Some(selector) = selector else { return Ok(items) };
        items.into_iter().map(|item| self.invoked(selector, &Type::OBJECT, vec![item])).collect()
    }

    fn summed(
        &mut self,
        operator: &str,
        source: &Value<W::Handle>,
        selector: Option<&Value<W::Handle>>,
        returns: &Type,
    ) -> Evaluated<W> {
        let items: Vec<_> = self.selected(source, selector)?.into_iter().filter(|item| !item.is_null()).collect();
        let target = returns.without_nullable().clone();
        if operator == "Average" && items.is_empty() {
            return if returns.is_nullable() { Ok(Value::NULL) } else { threw(INVALID, NO_ELEMENTS) };
        }
        // integers are added as `long`, floats as `double`
        let is_integer = items.iter().all(|item| matches!(item.as_scalar(), Some(Scalar::Int(..))));
        let is_single = target == Type::Primitive(Primitive::R4);
        let wide = match (operator, is_integer, is_single) {
            ("Average", true, _) => Type::Primitive(Primitive::I8),
            (_, _, true) => Type::Primitive(Primitive::R8),
            _ => target.clone(),
        };
        let mut sum = self.default_value(&wide)?;
        for item in &items {
            let item = self.number_as(item, &wide, true)?;
            sum = self.computed(BinaryOp::Add, &sum, &item, &wide, true)?;
        }
        if operator == "Sum" {
            return self.number_as(&sum, &target, false);
        }
        let divided = if target.is_decimal() { Type::decimal() } else { Type::Primitive(Primitive::R8) };
        let sum = self.number_as(&sum, &divided, false)?;
        let count = self.number_as(&Value::count(items.len()), &divided, false)?;
        let average = self.computed(BinaryOp::Divide, &sum, &count, &divided, false)?;
        self.number_as(&average, &target, false)
    }

    fn extreme(
        &mut self,
        operator: &str,
        source: &Value<W::Handle>,
        (selector, comparer): By<'_, W>,
        returns: &Type,
    ) -> Evaluated<W> {
        let items = self.selected(source, selector)?;
        let takes_null = returns.is_nullable() || !self.types.is_value_type(returns);
        let mut found: Option<Value<W::Handle>> = None;
        for item in items.into_iter().filter(|item| !item.is_null()) {
            found = Some(match found {
                None => item,
                Some(best) => {
                    let is_nan = |value: &Value<W::Handle>| matches!(value.as_scalar(), Some(Scalar::Double(number)) if number.is_nan());
                    let order = self.order_as(comparer, &item, &best)?;
                    let is_better = match operator {
                        // of what is no number the least is the least
                        "Min" => is_nan(&item) || order == Ordering::Less && !is_nan(&best),
                        _ => order == Ordering::Greater,
                    };
                    if is_better { item } else { best }
                }
            });
        }
        match found {
            Some(found) => Ok(found),
            None if takes_null => Ok(Value::NULL),
            None => threw(INVALID, NO_ELEMENTS),
        }
    }

    fn extreme_by(
        &mut self,
        operator: &str,
        source: &Value<W::Handle>,
        (selector, comparer): By<'_, W>,
        returns: &Type,
    ) -> Evaluated<W> {
        let Some(selector) = selector else { return unsupported(format!("{operator} needs a key")) };
        let mut best: Option<Pair<W>> = None;
        let wanted = if operator == "MinBy" { Ordering::Less } else { Ordering::Greater };
        for item in self.all(source)? {
            let key = self.invoked(selector, &Type::OBJECT, vec![item.clone()])?;
            let is_better = match &best {
                None => true,
                Some((_, other)) => {
                    (other.is_null() && !key.is_null())
                        || !key.is_null() && self.order_as(comparer, &key, other)? == wanted
                }
            };
            if is_better {
                best = Some((item, key));
            }
        }
        match best {
            Some((item, _)) => Ok(item),
            None if !self.types.is_value_type(returns) || returns.is_nullable() => Ok(Value::NULL),
            None => threw(INVALID, NO_ELEMENTS),
        }
    }

    /// By the default comparer where none is given.
    fn order_as(
        &mut self,
        comparer: Option<&Value<W::Handle>>,
        one: &Value<W::Handle>,
        other: &Value<W::Handle>,
    ) -> Result<Ordering, Failure<W::Error>> {
        match comparer.filter(|it| !it.is_null()) {
            Some(comparer) => self.order_by(comparer, one, other),
            None => self.order(one, other),
        }
    }

    fn folded(&mut self, source: &Value<W::Handle>, rest: &[Value<W::Handle>]) -> Evaluated<W> {
        let mut items = self.all(source)?.into_iter();
        let (seed, function, result) = match rest {
            [function] => (items.next(), function, None),
            [seed, function] => (Some(seed.clone()), function, None),
            [seed, function, result] => (Some(seed.clone()), function, Some(result)),
            _ => return unsupported("Aggregate needs a function"),
        };
        let Some(mut state) = seed else { return threw(INVALID, NO_ELEMENTS) };
        for item in items {
            state = self.invoked(function, &Type::OBJECT, vec![state, item])?;
        }
        match result {
            Some(result) => self.invoked(result, &Type::OBJECT, vec![state]),
            None => Ok(state),
        }
    }

    fn dictionary(&mut self, source: &Value<W::Handle>, rest: &[Value<W::Handle>], returns: Type) -> Evaluated<W> {
        let mut entries = Vec::new();
        let mut index = Index::new(returns.arguments().first().cloned().unwrap_or(Type::OBJECT), None);
        for item in self.all(source)? {
            // null is the default comparer
            let (key, value) = match rest {
                [key, comparer] if comparer.is_null() => (self.invoked(key, &Type::OBJECT, vec![item.clone()])?, item),
                [] => (self.part(&item, "Key")?, self.part(&item, "Value")?),
                [key] => (self.invoked(key, &Type::OBJECT, vec![item.clone()])?, item),
                [key, value, ..] => (
                    self.invoked(key, &Type::OBJECT, vec![item.clone()])?,
                    self.invoked(value, &Type::OBJECT, vec![item])?,
                ),
            };
            if key.is_null() {
                return threw("System.ArgumentNullException", "Value cannot be null. (Parameter 'key')");
            }
            if !self.number_of(&mut index, &key, true)?.1 {
                let key = self.printed(&key)?;
                return threw(
                    "System.ArgumentException",
                    format!(
                        "An item with the same key has already been added. Key: {}",
                        String::from_utf16_lossy(&key)
                    ),
                );
            }
            entries.push((key, value));
        }
        Ok(Value::made(returns, Content::Entries(entries)))
    }

    /// Of a pair.
    fn part(&mut self, pair: &Value<W::Handle>, name: &str) -> Evaluated<W> {
        if let Value::Made(made) = pair
            && let Content::Tuple(items) = &made.content
        {
            let at = usize::from(name == "Value");
            return items.get(at).cloned().map_or_else(super::super::null_reference, Ok);
        }
        let type_ = self.run_time_type(pair)?.unwrap_or(Type::OBJECT);
        let getter = self.method_of(&type_, &format!("get_{name}"), 0);
        match getter {
            Some(getter) => self.world.call(&getter, Some(pair), &mut []),
            None => unsupported(format!("'{}' has no {name}", type_.short())),
        }
    }
}
