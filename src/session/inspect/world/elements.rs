//! The elements of what the program's collections keep.

use clr_csharp::run::TOO_LONG;
use clr_csharp::types::{PAIR, Type};
use clr_csharp::value::{Content, Value};
use clr_csharp::world::Failure;

use super::handle::{Handle, Place};
use super::program::Program;
use crate::session::error::Code;
use crate::session::inspect::collections::Elements;
use crate::session::inspect::element::Element;
use crate::session::inspect::evaluated::EvalError;
use crate::session::inspect::literal::Raw;
use crate::session::inspect::raw_value::RawValue;
use crate::session::inspect::reader::Reader;
use crate::session::inspect::shape::{Collection, Form};

const SEQUENCE: &str = "System.Collections.Generic.IEnumerable`1";

impl Program<'_> {
    /// Elements of what keeps them where they can be listed, without running code.
    pub(super) fn elements_of(&self, of: &Handle, limit: usize) -> Result<Option<Vec<Value<Handle>>>, EvalError> {
        let raw = self.raw(of)?.clone();
        let path = match &of.place {
            Place::Path(path) => path.clone(),
            Place::Call { text, .. } if self.may_repeat(of) => text.clone(),
            _ => String::new(),
        };
        let budget = self.budget.clone();
        let read = async move |reader: Reader| elements(&reader.within(budget), raw, path, limit).await;
        let Some(listed) = self.asks.ask(read)?? else { return Ok(None) };
        let of_elements = self.element_type(&self.type_at(of)?);
        let acts = self.acts.len();
        let part = |raw: RawValue, path: String, declared: Option<Type>| {
            let place = if path.is_empty() { Place::Listed } else { Place::Path(path) };
            self.value(Handle::read(place, declared, raw, acts)).map_err(|failure| match failure {
                Failure::World(error) => error,
                other => EvalError::new(Code::EvaluationFailed, other.to_string()),
            })
        };
        let mut values = Vec::with_capacity(listed.len());
        for element in listed {
            values.push(match element.key {
                Some((key, key_path)) => {
                    let pair = of_elements.as_ref().map(Type::arguments).unwrap_or_default();
                    let (of_key, of_value) = (pair.first().cloned(), pair.get(1).cloned());
                    let arguments = [&of_key, &of_value].map(|it| it.clone().unwrap_or(Type::OBJECT)).to_vec();
                    let key = part(key, key_path, of_key)?;
                    let value = part(element.value, element.load_path, of_value)?;
                    Value::made(Type::named(PAIR, arguments), Content::Tuple(vec![key, value]))
                }
                None => part(element.value, element.load_path, of_elements.clone())?,
            });
        }
        Ok(Some(values))
    }

    /// Of a struct with `[InlineArray]`: the field that is its first element, what the elements are declared as, and how many there are.
    pub(super) fn inline_array(&self, of: &Handle) -> Result<Option<(String, Type, usize)>, EvalError> {
        if matches!(of.declared, Some(Type::Array { .. })) {
            return Ok(None);
        }
        let type_ = self.type_at(of)?;
        let Some((element, length)) = self.types.inline_array(&type_) else { return Ok(None) };
        let fields = self.types.definition(&type_).map(|definition| self.types.fields(&definition));
        let first = fields.iter().flat_map(|fields| fields.iter()).find(|field| !field.is_static);
        Ok(first.map(|field| (field.name.clone(), element, length)))
    }

    /// What a collection says that it enumerates: its own arguments need not begin with that.
    fn element_type(&self, of: &Type) -> Option<Type> {
        if let Type::Array { of, .. } = of {
            return Some((**of).clone());
        }
        let sequence = self.types.interfaces(of).into_iter().find(|it| it.is(SEQUENCE));
        let declares = sequence.as_ref().unwrap_or(of);
        declares.arguments().first().cloned()
    }

    /// Of a collection of the framework, by its fields.
    pub(super) fn count_of(&self, of: &Handle) -> Result<Option<usize>, EvalError> {
        let (raw, path) = (self.raw(of)?.clone(), self.spelled(of)?);
        let count = self.asks.ask(async move |reader| match &reader.shape(&raw.type_name).form {
            Form::Collection(collection) => {
                Elements::of_collection(&reader, collection, &raw, &path).await.ok().map(|elements| elements.count)
            }
            _ => None,
        })?;
        Ok(count.and_then(|count| usize::try_from(count).ok()))
    }
}

/// All of them, up to the limit. `None`: its layout is not known.
async fn elements(
    reader: &Reader,
    raw: RawValue,
    path: String,
    limit: usize,
) -> Result<Option<Vec<Element>>, EvalError> {
    let limit = u64::try_from(limit).unwrap_or(u64::MAX);
    let elements = match raw.parsed() {
        Raw::Array(sizes) => Elements::of_array(&raw, &path, &sizes),
        _ => match &reader.shape(&raw.type_name).form {
            Form::Collection(Collection::Views { .. } | Collection::Wraps(_)) if path.is_empty() => return Ok(None),
            Form::Collection(collection) if !path.is_empty() => {
                match Elements::of_collection(reader, collection, &raw, &path).await {
                    Ok(elements) => elements,
                    Err(_) if reader.budget.is_spent() => return Err(too_long()),
                    Err(_) => return Ok(None),
                }
            }
            _ => return Ok(None),
        },
    };
    if elements.count == 0 {
        return Ok(Some(Vec::new()));
    }
    let wanted = elements.count.min(limit);
    // a part of a span says nothing about the rest
    if elements.readable() < wanted {
        return Ok(None);
    }
    let page = elements.page(reader, 0, wanted).await;
    let read = page.as_ref().map_or(0, |page| page.len() as u64);
    if read < wanted && reader.budget.is_spent() {
        return Err(too_long());
    }
    let Ok(mut page) = page else { return Ok(None) };
    if path.is_empty() {
        page.iter_mut().for_each(|element| element.load_path.clear());
    }
    Ok(Some(page))
}

fn too_long() -> EvalError {
    EvalError::new(Code::EvaluationTimeout, TOO_LONG)
}
