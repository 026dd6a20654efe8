//! The elements of well-known collections, read by their layout: nothing runs.

use clr_csharp::types::{PAIR, Type};
use clr_csharp::value::{Content as Made, Value};

use super::{EvalError, Evaluation};
use crate::types;
use crate::values::{Content, Place, Step, field_named};

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
        let counted = |count: &str| -> Result<usize, EvalError> {
            let count = self.part(of, count)?.read(self.stopped)?.integer().unwrap_or(0);
            Ok(usize::try_from(count).unwrap_or(0).min(limit))
        };
        Ok(match name.as_str() {
            "System.Collections.Generic.List`1" => {
                let count = counted("_size")?;
                Some(self.items(&self.part(of, "_items")?, 0, count)?)
            }
            "System.Collections.Generic.Stack`1" => {
                let count = counted("_size")?;
                let mut items = self.items(&self.part(of, "_array")?, 0, count)?;
                items.reverse();
                Some(items)
            }
            "System.Collections.Generic.Queue`1" => {
                let (count, array) = (counted("_size")?, self.part(of, "_array")?);
                let head = self.part(of, "_head")?.read(self.stopped)?.integer().unwrap_or(0);
                let head = usize::try_from(head).unwrap_or(0);
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
                let entries = self.entries(of, "_count", "next", limit)?;
                let mut items = Vec::with_capacity(entries.len());
                for entry in entries {
                    let key = self.held(&self.part(&entry, "key")?)?;
                    let value = self.held(&self.part(&entry, "value")?)?;
                    items.push(Value::made(pair.clone(), Made::Tuple(vec![key, value])));
                }
                Some(items)
            }
            "System.Collections.Generic.HashSet`1" => {
                let entries = self.entries(of, "_count", "Next", limit)?;
                Some(entries.iter().map(|entry| self.held(&self.part(entry, "Value")?)).collect::<Result<_, _>>()?)
            }
            _ => None,
        })
    }

    fn items(&self, array: &Place, start: usize, count: usize) -> Result<Vec<Value<Place>>, EvalError> {
        let positions = start..start.saturating_add(count);
        positions.map(|at| self.held(&array.then(Step::Element(u32::try_from(at).unwrap_or(u32::MAX))))).collect()
    }

    /// Of a hash table, those that are in use: the others' `next` is below -1.
    fn entries(&self, of: &Place, count: &str, next: &str, limit: usize) -> Result<Vec<Place>, EvalError> {
        let count = self.part(of, count)?.read(self.stopped)?.integer().unwrap_or(0);
        let mut found = Vec::new();
        let entries = self.part(of, "_entries")?;
        for at in 0..u32::try_from(count).unwrap_or(0) {
            let entry = entries.then(Step::Element(at));
            let next = self.part(&entry, next)?.read(self.stopped)?.integer().unwrap_or(-2);
            if next >= -1 && found.len() < limit {
                found.push(entry);
            }
        }
        Ok(found)
    }

    /// A field by its name.
    fn part(&self, of: &Place, name: &str) -> Result<Place, EvalError> {
        let missing = || EvalError::failed(format!("the field '{name}' is missing"));
        let type_ = of.read(self.stopped)?.type_()?;
        let found = types::chain(&type_).iter().find_map(|type_| {
            let definition = types::definition(self.stopped.target(), type_)?;
            let field = field_named(&definition, name)?;
            Some(Step::Field { class: definition.class, field })
        });
        Ok(of.then(found.ok_or_else(missing)?))
    }
}
