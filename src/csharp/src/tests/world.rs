//! A program in which there is nothing.

use std::sync::Arc;

use crate::types::{FieldRef, MethodRef, Type};
use crate::value::{Constant, Value};
use crate::world::{Evaluated, Failure, World};

pub struct Nothing;

type Done<T> = Result<T, Failure<String>>;

fn nothing<T>(what: impl Into<String>) -> Done<T> {
    Err(Failure::World(what.into()))
}

impl World for Nothing {
    type Handle = ();
    type Error = String;

    fn variable(&mut self, position: usize) -> Evaluated<Self> {
        nothing(format!("variable {position}"))
    }

    fn set_variable(&mut self, position: usize, _: &Value<()>) -> Done<()> {
        nothing(format!("variable {position}"))
    }

    fn field(&mut self, _: Option<&()>, field: &FieldRef) -> Evaluated<Self> {
        nothing(field.field.name.clone())
    }

    fn set_field(&mut self, _: Option<&()>, field: &FieldRef, _: &Value<()>) -> Done<()> {
        nothing(field.field.name.clone())
    }

    fn element(&mut self, (): &(), position: usize) -> Evaluated<Self> {
        nothing(format!("element {position}"))
    }

    fn set_element(&mut self, (): &(), position: usize, _: &Value<()>) -> Done<()> {
        nothing(format!("element {position}"))
    }

    fn dimensions(&mut self, (): &()) -> Done<Option<Vec<(i32, usize)>>> {
        Ok(None)
    }

    fn text(&mut self, (): &()) -> Done<Option<Arc<[u16]>>> {
        Ok(None)
    }

    fn type_of(&mut self, (): &()) -> Done<Type> {
        nothing("a type")
    }

    fn unboxed(&mut self, (): &()) -> Done<Option<Constant>> {
        Ok(None)
    }

    fn is_same(&mut self, (): &(), (): &()) -> Done<bool> {
        Ok(true)
    }

    fn elements(&mut self, (): &(), _: usize) -> Done<Option<Vec<Value<()>>>> {
        Ok(None)
    }

    fn call(&mut self, method: &MethodRef, _: Option<&Value<()>>, _: &mut [Value<()>]) -> Evaluated<Self> {
        nothing(method.text())
    }

    fn new_object(&mut self, type_: &Type, _: Option<&MethodRef>, _: &[Value<()>]) -> Evaluated<Self> {
        nothing(format!("new {type_}"))
    }

    fn copy(&mut self, _: &Value<()>) -> Evaluated<Self> {
        nothing("a copy")
    }

    fn new_array(&mut self, element: &Type, _: &[Value<()>]) -> Evaluated<Self> {
        nothing(format!("new {element}[]"))
    }
}
