//! What a collection of the program says of itself, where .NET asks it instead of its enumerator: the two need not agree.

use crate::types::{MethodRef, Type};
use crate::value::Value;
use crate::world::{Evaluated, Failure, Found, World};

use super::super::{Run, unsupported};
use super::shortcuts::{COLLECTION, LIST, asked};

impl<W: World> Run<'_, W> {
    /// `Count` of a collection that only its own code can read, or of what the operators make of one that count by that.
    /// `None`: its elements are counted.
    pub(super) fn own_count(&mut self, source: &Value<W::Handle>) -> Found<usize, W> {
        let Some((operator, arguments)) = asked(source) else {
            let Some(method) = self.method_of_collection(source, COLLECTION, "get_Count", 0)? else { return Ok(None) };
            let count = self.world.call(&method, Some(source), &mut [])?;
            return Ok(count.as_integer().map(|count| usize::try_from(count).unwrap_or(0)));
        };
        Ok(match (operator, arguments) {
            ("Concat", [first, second]) => match (self.own_count(first)?, self.own_count(second)?) {
                (None, None) => None,
                (Some(one), Some(two)) => Some(one.saturating_add(two)),
                (Some(one), None) => Some(one.saturating_add(self.counted(second, None)?)),
                (None, Some(two)) => Some(two.saturating_add(self.counted(first, None)?)),
            },
            ("Append" | "Prepend", [of, _]) => self.own_count(of)?.map(|count| count.saturating_add(1)),
            ("DefaultIfEmpty", [of, ..]) => self.own_count(of)?.map(|count| count.max(1)),
            ("Skip", [of, skipped]) => {
                let skipped = skipped.as_integer().and_then(|it| usize::try_from(it).ok()).unwrap_or(0);
                self.own_count(of)?.map(|count| count.saturating_sub(skipped))
            }
            _ => self.own_rows(source)?.map(|rows| rows.len()),
        })
    }

    /// As `Count()` gives it.
    pub(super) fn collection_count(&mut self, source: &Value<W::Handle>) -> Result<usize, Failure<W::Error>> {
        match self.own_count(source)? {
            Some(count) => Ok(count),
            None => self.counted(source, None),
        }
    }

    /// How many elements a list has that only its own code can read, and its indexer.
    pub(super) fn own_list(&mut self, source: &Value<W::Handle>) -> Found<(usize, MethodRef), W> {
        let Some(indexer) = self.method_of_collection(source, LIST, "get_Item", 1)? else { return Ok(None) };
        Ok(self.own_count(source)?.map(|count| (count, indexer)))
    }

    pub(super) fn own_item(&mut self, list: &Value<W::Handle>, indexer: &MethodRef, at: usize) -> Evaluated<W> {
        self.step()?;
        self.world.call(indexer, Some(list), &mut [Value::count(at)])
    }

    /// All elements, for operators to which a collection copies its own.
    pub(in super::super) fn buffered(
        &mut self,
        source: &Value<W::Handle>,
    ) -> Result<Vec<Value<W::Handle>>, Failure<W::Error>> {
        if let Some(items) = self.own_rows(source)? {
            return Ok(items);
        }
        let items = self.all(source)?;
        let count = if asked(source).is_some() { None } else { self.own_count(source)? };
        match count {
            Some(count) if count != items.len() => unsupported(format!(
                "its Count is {count}, but its enumerator gives {}: here .NET takes the elements from its CopyTo, which is not called. \
                 `.Select(it => it)` shows those of the enumerator",
                items.len()
            )),
            _ => Ok(items),
        }
    }

    /// A method of an interface of collections. `None`: it is no such collection, or its elements are known without its code.
    fn method_of_collection(
        &mut self,
        source: &Value<W::Handle>,
        interface: &str,
        name: &str,
        parameters: usize,
    ) -> Found<MethodRef, W> {
        let Value::Object(handle) = source else { return Ok(None) };
        let type_ = self.world.type_of(handle)?;
        let is_read = matches!(type_, Type::Array { .. }) || type_ == Type::STRING;
        if is_read || self.world.elements(handle, 1)?.is_some() {
            return Ok(None);
        }
        let found = self.types.interfaces(&type_).iter().find(|it| it.is(interface)).cloned();
        Ok(found.and_then(|interface| self.method_of(&interface, name, parameters)))
    }
}
