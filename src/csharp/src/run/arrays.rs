//! What the runtime gives arrays that their class does not declare: the members of collection interfaces. And what depends on their sizes
//! alone.

use crate::constant::Scalar;
use crate::types::{MethodRef, PropertyRef, Type};
use crate::value::Value;
use crate::world::{Failure, World};

use super::members::OUT_OF_RANGE;
use super::{Run, threw};

const OF_COUNT: [&str; 3] = [
    "System.Collections.Generic.ICollection`1",
    "System.Collections.Generic.IReadOnlyCollection`1",
    "System.Collections.ICollection",
];
const OF_ITEMS: [&str; 2] = ["System.Collections.Generic.IList`1", "System.Collections.Generic.IReadOnlyList`1"];
const UNTYPED_LIST: &str = "System.Collections.IList";

/// One that this computes.
#[derive(Clone, Copy)]
enum Member {
    Length,
    LongLength,
    Rank,
    Item,
    Constant(bool),
}

fn is_array(type_: &Type) -> bool {
    type_.is("System.Array") || matches!(type_, Type::Array { .. })
}

fn member(property: &PropertyRef, arguments: usize) -> Option<Member> {
    let owner = &property.owner;
    let is_array = is_array(owner);
    let is_one_of = |names: &[&str]| names.iter().any(|name| owner.is(name));
    Some(match (property.property.name.as_str(), arguments) {
        ("Length", 0) if is_array => Member::Length,
        ("LongLength", 0) if is_array => Member::LongLength,
        ("Rank", 0) if is_array => Member::Rank,
        ("Count", 0) if is_one_of(&OF_COUNT) => Member::Length,
        ("Item", 1) if is_one_of(&OF_ITEMS) => Member::Item,
        ("IsReadOnly", 0) if owner.is(OF_COUNT[0]) => Member::Constant(true),
        ("IsReadOnly", 0) if owner.is(UNTYPED_LIST) => Member::Constant(false),
        ("IsFixedSize", 0) if owner.is(UNTYPED_LIST) => Member::Constant(true),
        _ => return None,
    })
}

impl<W: World> Run<'_, W> {
    /// `None`: it is no array, or another property.
    pub(super) fn property_of_array(
        &mut self,
        array: &W::Handle,
        property: &PropertyRef,
        arguments: &[Value<W::Handle>],
    ) -> Result<Option<Value<W::Handle>>, Failure<W::Error>> {
        let Some(member) = member(property, arguments.len()) else { return Ok(None) };
        let Some(dimensions) = self.world.dimensions(array)? else { return Ok(None) };
        let count: usize = dimensions.iter().map(|(_, length)| length).product();
        Ok(Some(match member {
            Member::Length => Value::count(count),
            Member::LongLength => Value::scalar(Scalar::Int(clr_metadata::Primitive::I8, count as i128)),
            Member::Rank => Value::count(dimensions.len()),
            Member::Constant(value) => Value::bool(value),
            Member::Item => {
                let Some(index) = arguments.first().and_then(Value::as_integer) else { return Ok(None) };
                match usize::try_from(index).ok().filter(|index| *index < count) {
                    Some(index) => self.world.element(array, index)?,
                    None => {
                        return threw(
                            "System.ArgumentOutOfRangeException",
                            "Index was out of range. Must be non-negative and less than the size of the collection. (Parameter 'index')",
                        );
                    }
                }
            }
        }))
    }

    /// `GetLength(1)` and its like, and `GetType`. `None`: it is no array, or another method.
    pub(super) fn method_of_array(
        &mut self,
        receiver: Option<&Value<W::Handle>>,
        method: &MethodRef,
        arguments: &[Value<W::Handle>],
    ) -> Result<Option<Value<W::Handle>>, Failure<W::Error>> {
        let Some(Value::Object(array)) = receiver else { return Ok(None) };
        let name = method.method.name.as_str();
        match (name, arguments) {
            ("GetType", []) => {}
            ("GetLength" | "GetLongLength" | "GetLowerBound" | "GetUpperBound", [_]) if is_array(&method.owner) => {}
            _ => return Ok(None),
        }
        let Some(dimensions) = self.world.dimensions(array)? else { return Ok(None) };
        let [dimension] = arguments else {
            let type_ = self.world.type_of(array)?;
            return self.type_object(&type_).map(Some);
        };
        let dimension = dimension.as_integer().and_then(|it| usize::try_from(it).ok());
        let Some(&(lower, length)) = dimension.and_then(|dimension| dimensions.get(dimension)) else {
            return threw(OUT_OF_RANGE.0, "Array does not have that many dimensions.");
        };
        let length = length as i128;
        Ok(Some(match name {
            "GetLongLength" => Value::scalar(Scalar::Int(clr_metadata::Primitive::I8, length)),
            "GetLowerBound" => Value::int(lower),
            "GetUpperBound" => Value::int(lower + i32::try_from(length).unwrap_or(i32::MAX) - 1),
            _ => Value::int(i32::try_from(length).unwrap_or(i32::MAX)),
        }))
    }
}
