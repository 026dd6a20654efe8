//! The elements of well-known collections, read by their layout: nothing runs.

use clr_csharp::types::{PAIR, Type};
use clr_csharp::value::{Content as Made, Value};

use super::strip::{Part, Strip, element};
use super::{EvalError, Evaluation};
use crate::types;
use crate::values::{Content, Located, Place, Step, field_named};

/// Nodes of a chain, each of which is found through all before it; of a longer one its enumerator is quicker.
const LONGEST: usize = 100;
/// What an exception keeps its `Data` in. It gives pairs of a kind of its own.
pub const DATA: &str = "System.Collections.ListDictionaryInternal";
/// Levels of a balanced tree.
const DEEPEST: usize = 200;

impl Evaluation<'_> {
    /// At most `limit`. `None`: its layout is not known.
    pub(super) fn elements_of(&self, of: &Place, limit: usize) -> Result<Option<Vec<Value<Place>>>, EvalError> {
        let value = of.read(self.stopped)?;
        let (name, arguments) = match value.content()? {
            Content::Array(array) => {
                return self.items(of, 0, (array.count() as usize).min(limit)).map(Some);
            }
            Content::Object(object) => {
                let Some(definition) = object.definition().filter(|it| it.module.is_framework) else { return Ok(None) };
                let type_ = self.type_of_com(object.type_());
                (definition.view().full_name(), type_.arguments().to_vec())
            }
            _ => return Ok(None),
        };
        if name == DATA { Ok(None) } else { self.elements_by(of, &name, arguments, limit) }
    }

    /// Of an object that is, or derives from, the framework's type of that full metadata name.
    ///
    /// # Errors
    /// [`EvalError`]
    pub fn elements_by(
        &self,
        of: &Place,
        name: &str,
        arguments: Vec<Type>,
        limit: usize,
    ) -> Result<Option<Vec<Value<Place>>>, EvalError> {
        let number = |field: &str| -> Result<usize, EvalError> {
            let number = self.part(of, field)?.read(self.stopped)?.integer().unwrap_or(0);
            Ok(usize::try_from(number).unwrap_or(0))
        };
        let counted = |count: &str| number(count).map(|count| count.min(limit));
        Ok(match name {
            "System.Collections.Generic.List`1" => {
                let count = counted("_size")?;
                Some(self.items(&self.part(of, "_items")?, 0, count)?)
            }
            "System.Collections.Generic.Stack`1" => {
                // the top is the last
                let size = number("_size")?;
                let count = size.min(limit);
                let mut items = self.items(&self.part(of, "_array")?, size - count, count)?;
                items.reverse();
                Some(items)
            }
            "System.Collections.Generic.Queue`1" => {
                let (count, array) = (counted("_size")?, self.part(of, "_array")?);
                let head = number("_head")?;
                let length = match array.read(self.stopped)?.content()? {
                    Content::Array(array) => array.count() as usize,
                    _ => 0,
                };
                let first = count.min(length.saturating_sub(head));
                let mut items = self.items(&array, head, first)?;
                items.extend(self.items(&array, 0, count - first)?);
                Some(items)
            }
            "System.Collections.Immutable.ImmutableArray`1" => {
                let array = self.part(of, "array")?;
                match array.read(self.stopped)?.content()? {
                    Content::Array(items) => Some(self.items(&array, 0, (items.count() as usize).min(limit))?),
                    _ => None,
                }
            }
            "System.Collections.Generic.Dictionary`2" => {
                let pair = Type::named(PAIR, arguments);
                let entries = self.entries(of, "next", ["key", "value"], limit)?;
                Some(entries.into_iter().map(|entry| Value::made(pair.clone(), Made::Tuple(entry.into()))).collect())
            }
            "System.Collections.Concurrent.ConcurrentDictionary`2" => {
                let pair = Type::named(PAIR, arguments);
                let made = |entry: [Value<Place>; 2]| Value::made(pair.clone(), Made::Tuple(entry.into()));
                self.concurrent_pairs(of, limit)?.map(|entries| entries.into_iter().map(made).collect())
            }
            "System.Collections.Generic.Dictionary`2+KeyCollection" => {
                let entries = self.entries(&self.part(of, "_dictionary")?, "next", ["key"], limit)?;
                Some(entries.into_iter().flatten().collect())
            }
            "System.Collections.Generic.Dictionary`2+ValueCollection" => {
                let entries = self.entries(&self.part(of, "_dictionary")?, "next", ["value"], limit)?;
                Some(entries.into_iter().flatten().collect())
            }
            "System.Collections.Generic.HashSet`1" => {
                Some(self.entries(of, "Next", ["Value"], limit)?.into_iter().flatten().collect())
            }
            "System.Collections.Generic.SortedSet`1" => Some(self.in_order(&self.part(of, "root")?, limit)?),
            "System.Collections.Generic.SortedDictionary`2" => Some(self.sorted_pairs(of, limit)?),
            "System.Collections.Generic.SortedDictionary`2+KeyCollection" => {
                let pairs = self.sorted_pairs(&self.part(of, "_dictionary")?, limit)?;
                Some(self.column_of(&pairs, "key")?)
            }
            "System.Collections.Generic.SortedDictionary`2+ValueCollection" => {
                let pairs = self.sorted_pairs(&self.part(of, "_dictionary")?, limit)?;
                Some(self.column_of(&pairs, "value")?)
            }
            "System.Collections.Generic.SortedList`2" => {
                let (pair, count) = (Type::named(PAIR, arguments), counted("_size")?);
                let keys = self.items(&self.part(of, "keys")?, 0, count)?.into_iter();
                let values = self.items(&self.part(of, "values")?, 0, count)?;
                Some(
                    keys.zip(values)
                        .map(|(key, value)| Value::made(pair.clone(), Made::Tuple(vec![key, value])))
                        .collect(),
                )
            }
            "System.Collections.Generic.SortedList`2+KeyList" => Some(self.column(of, "keys", limit)?),
            "System.Collections.Generic.SortedList`2+ValueList" => Some(self.column(of, "values", limit)?),
            "System.Collections.Generic.LinkedList`1" => {
                let count = counted("count")?;
                if count > LONGEST {
                    return Ok(None);
                }
                let nodes = self.chain(&self.part(of, "head")?, "next", count)?;
                Some(nodes.iter().map(|node| self.member(node, "item")).collect::<Result<_, _>>()?)
            }
            DATA => {
                let pair = Type::named(PAIR, vec![Type::OBJECT, Type::OBJECT]);
                let nodes = self.chain(&self.part(of, "head")?, "next", counted("count")?.min(LONGEST))?;
                let made = |node: &Place| -> Result<Value<Place>, EvalError> {
                    let parts = vec![self.member(node, "key")?, self.member(node, "value")?];
                    Ok(Value::made(pair.clone(), Made::Tuple(parts)))
                };
                Some(nodes.iter().map(made).collect::<Result<_, _>>()?)
            }
            "System.ArraySegment`1" => {
                let offset = self.part(of, "_offset")?.read(self.stopped)?.integer().unwrap_or(0);
                let count = counted("_count")?;
                Some(self.items(&self.part(of, "_array")?, usize::try_from(offset).unwrap_or(0), count)?)
            }
            "System.Collections.ObjectModel.ReadOnlyCollection`1" => {
                self.elements_of(&self.part(of, "list")?, limit)?
            }
            "System.Linq.Grouping`2" => {
                let count = counted("_count")?;
                Some(self.items(&self.part(of, "_elements")?, 0, count)?)
            }
            "System.Linq.Lookup`2" | "System.Linq.CollectionLookup`2" => {
                let count = counted("_count")?;
                if count > LONGEST {
                    return Ok(None);
                }
                if count == 0 {
                    return Ok(Some(Vec::new()));
                }
                let first = self.part(&self.part(of, "_lastGrouping")?, "_next")?;
                let groupings = self.chain(&first, "_next", count)?;
                Some(groupings.iter().map(|grouping| self.held(grouping)).collect::<Result<_, _>>()?)
            }
            _ => None,
        })
    }

    fn sorted_pairs(&self, dictionary: &Place, limit: usize) -> Result<Vec<Value<Place>>, EvalError> {
        self.in_order(&self.part(&self.part(dictionary, "_set")?, "root")?, limit)
    }

    /// A field of each.
    fn column_of(&self, of: &[Value<Place>], name: &str) -> Result<Vec<Value<Place>>, EvalError> {
        let part = |value: &Value<Place>| match value {
            Value::Object(place) => self.member(place, name),
            _ => Err(EvalError::failed("the element cannot be read")),
        };
        of.iter().map(part).collect()
    }

    fn member(&self, of: &Place, name: &str) -> Result<Value<Place>, EvalError> {
        self.held(&self.part(of, name)?)
    }

    /// The keys or the values of a sorted list, by what shows them.
    fn column(&self, view: &Place, name: &str, limit: usize) -> Result<Vec<Value<Place>>, EvalError> {
        let list = self.part(view, "_dict")?;
        let count = self.part(&list, "_size")?.read(self.stopped)?.integer().unwrap_or(0);
        self.items(&self.part(&list, name)?, 0, usize::try_from(count).unwrap_or(0).min(limit))
    }

    /// Nodes that lead from one to the next.
    fn chain(&self, first: &Place, next: &str, count: usize) -> Result<Vec<Place>, EvalError> {
        let mut nodes = Vec::with_capacity(count);
        let mut at = first.clone();
        for _ in 0..count {
            nodes.push(at.clone());
            at = self.part(&at, next)?;
        }
        Ok(nodes)
    }

    fn items(&self, array: &Place, start: usize, count: usize) -> Result<Vec<Value<Place>>, EvalError> {
        let strip = Strip::read(self.stopped, array, start, count);
        let strip = strip.and_then(|strip| Some((strip.part(self.stopped, &element(array, start))?, strip)));
        let item = |at: usize| {
            let place = || element(array, start + at);
            let Some((whole, strip)) = &strip else { return self.held(&place()) };
            match (strip.at(at, whole), whole.is_struct()) {
                (None, true) => {
                    Ok(Value::Object(place().found_at(Located::Struct(strip.address(at)), self.stopped.era())))
                }
                (read, _) => self.placed(read, place),
            }
        };
        (0..count).map(item).collect()
    }

    /// Of a hash table, parts of those that are in use: the others' `next` is below -1.
    fn entries<const N: usize>(
        &self,
        of: &Place,
        next: &str,
        names: [&str; N],
        limit: usize,
    ) -> Result<Vec<[Value<Place>; N]>, EvalError> {
        let count = self.part(of, "_count")?.read(self.stopped)?.integer().unwrap_or(0);
        let count = usize::try_from(count).unwrap_or(0);
        let mut found = Vec::new();
        if count == 0 {
            return Ok(found);
        }
        let entries = self.part(of, "_entries")?;
        let first = element(&entries, 0);
        let step = |name: &str| -> Result<Step, EvalError> {
            let missing = || EvalError::failed(format!("the field '{name}' is missing"));
            self.part(&first, name)?.steps.pop().ok_or_else(missing)
        };
        let next = step(next)?;
        let mut steps = Vec::with_capacity(N);
        for name in names {
            steps.push(step(name)?);
        }
        let strip = Strip::read(self.stopped, &entries, 0, count);
        let part = |step: &Step| strip.as_ref()?.part(self.stopped, &first.then(step.clone()));
        let (next_part, parts) = (part(&next), steps.iter().map(part).collect::<Vec<_>>());
        let at = |at: usize, step: &Step, part: Option<&Part>| {
            let read = strip.as_ref().zip(part).and_then(|(strip, part)| strip.at(at, part));
            self.placed(read, || element(&entries, at).then(step.clone()))
        };
        for slot in 0..count {
            let next = at(slot, &next, next_part.as_ref())?.as_integer().unwrap_or(-2);
            if next >= -1 && found.len() < limit {
                let mut read = steps.iter().zip(&parts).map(|(step, part)| at(slot, step, part.as_ref()));
                let mut entry = std::array::from_fn(|_| Value::NULL);
                for to in &mut entry {
                    *to = read.next().unwrap_or(Ok(Value::NULL))?;
                }
                found.push(entry);
            }
        }
        Ok(found)
    }

    /// The items of a tree, from the left.
    fn in_order(&self, root: &Place, limit: usize) -> Result<Vec<Value<Place>>, EvalError> {
        let (mut items, mut waiting, mut down) = (Vec::new(), Vec::new(), Some(root.clone()));
        while items.len() < limit {
            while let Some(node) = down.take().filter(|node| !node.read(self.stopped).is_ok_and(|it| it.is_null())) {
                down = Some(self.part(&node, "Left")?);
                waiting.push(node);
                // no tree is so deep
                if waiting.len() > DEEPEST {
                    return Err(EvalError::failed("the tree cannot be read"));
                }
            }
            let Some(node) = waiting.pop() else { break };
            items.push(self.held(&self.part(&node, "Item")?)?);
            down = Some(self.part(&node, "Right")?);
        }
        Ok(items)
    }

    /// What was read from memory, or else what is there.
    fn placed(&self, read: Option<Value<u64>>, place: impl FnOnce() -> Place) -> Result<Value<Place>, EvalError> {
        match read {
            Some(Value::Constant(constant)) => Ok(Value::Constant(constant)),
            Some(Value::Object(object)) => {
                Ok(Value::Object(place().found_at(Located::Object(object), self.stopped.era())))
            }
            _ => self.held(&place()),
        }
    }

    /// A field by its name.
    ///
    /// # Errors
    /// The object cannot be read, or has none of that name.
    pub fn part(&self, of: &Place, name: &str) -> Result<Place, EvalError> {
        let missing = || EvalError::failed(format!("the field '{name}' is missing"));
        let type_ = of.read(self.stopped)?.type_()?;
        let found = types::chain(self.stopped.target(), &type_).iter().find_map(|type_| {
            let definition = types::definition(self.stopped.target(), type_)?;
            let field = field_named(&definition, name)?;
            Some(Step::Field { class: definition.class, field })
        });
        Ok(of.then(found.ok_or_else(missing)?))
    }
}
