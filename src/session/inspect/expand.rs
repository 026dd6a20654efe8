//! A value with levels of its members or elements.

use super::collections::{Elements, named};
use super::literal::{self, Raw};
use super::members::{MemberQuery, members};
use super::raw_value::RawValue;
use super::reader::Reader;
use super::shape::{Form, Shape};
use super::side_by_side;
use super::{cycles, nullable, preview, text};
use crate::session::expression::join;
use crate::session::report::{Content, Variable};

/// Elements of a collection inside an object, where a view goes so deep.
const NESTED: u64 = 10;

/// A variable of a frame with `depth` levels of members.
pub async fn expanded(reader: &Reader, value: &RawValue, depth: u32) -> Variable {
    let mut variable = expand(reader, value, &value.name, &value.name, depth).await;
    variable.name.clone_from(&value.name);
    variable
}

/// One value: its preview, or its members or elements when there is depth left.
pub(super) async fn expand(reader: &Reader, value: &RawValue, load_path: &str, path: &str, depth: u32) -> Variable {
    let depth = if reader.budget.is_spent() { 0 } else { depth };
    // of a nullable struct adapters list wrong members, or none
    if depth > 0
        && nullable::is_struct(value)
        && let Some(inner) = nullable::inside(reader, value, load_path).await
    {
        let opened = Box::pin(expand(reader, &inner.value, &inner.load_path, path, depth)).await;
        return Variable { type_name: Some(value.short_type()), ..opened };
    }
    if depth > 0 && value.reference != 0 && !nullable::is_struct(value) {
        if let Some(back) = cycles::found(reader, value, load_path, path).await {
            return Variable {
                name: value.name.clone(),
                type_name: Some(value.short_type()),
                content: Content::Cycle(back),
                ..Variable::default()
            };
        }
        let shape = reader.shape(&value.type_name);
        if let Some(elements) = collection(reader, value, load_path, &shape).await
            && let Some(list) = Box::pin(objects_in(reader, &elements, path, depth)).await
        {
            return Variable {
                name: value.name.clone(),
                type_name: Some(value.short_type()),
                count: elements.counted().then_some(elements.count),
                content: Content::Members(list),
                ..Variable::default()
            };
        }
        let asked = MemberQuery { path, depth, filter: None };
        if matches!(shape.form, Form::Object | Form::Opaque | Form::Expando)
            && matches!(value.parsed(), Raw::Object)
            && let Ok((list, _)) = Box::pin(members(reader, value, load_path, &shape, asked)).await
        {
            return Variable {
                name: value.name.clone(),
                type_name: Some(value.short_type()),
                content: Content::Members(list),
                ..Variable::default()
            };
        }
    }
    let value = text::completed(reader, value.clone(), load_path).await;
    preview::variable(reader, &value, load_path, literal::SHORT).await
}

async fn collection(reader: &Reader, value: &RawValue, load_path: &str, shape: &Shape) -> Option<Elements> {
    match (value.parsed(), &shape.form) {
        (Raw::Array(dimensions), _) => Some(Elements::of_array(value, load_path, &dimensions)),
        (Raw::Object, Form::Collection(collection)) => {
            Elements::of_collection(reader, collection, value, load_path).await.ok()
        }
        _ => None,
    }
}

/// The first elements with their members, and how many there are behind them. `None` where a line says all of them.
async fn objects_in(reader: &Reader, elements: &Elements, path: &str, depth: u32) -> Option<Vec<Variable>> {
    let page = named(reader, elements.page(reader, 0, elements.count.min(NESTED)).await.ok()?).await;
    if page.iter().all(|element| element.value.reference == 0) {
        return None;
    }
    let reads = page.iter().map(|element| async move {
        let own = join(path, &element.name);
        let mut variable = expand(reader, &element.value, &element.load_path, &own, depth.saturating_sub(1)).await;
        variable.name.clone_from(&element.name);
        variable
    });
    let mut list = side_by_side(reads).await;
    let rest = elements.count.saturating_sub(list.len() as u64);
    if elements.counted() && rest > 0 {
        let content = Content::Value(format!("{rest} more"));
        list.push(Variable { name: format!("[{}..]", list.len()), content, ..Variable::default() });
    }
    Some(list)
}
