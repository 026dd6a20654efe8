//! A program with some variables and `int.TryParse`, and nothing else.

use std::sync::Arc;

use crate::constant::{Constant, Scalar};
use crate::types::{FieldRef, MethodRef, Type};
use crate::value::Value;
use crate::world::{Evaluated, Failure, Variable, World};
use clr_metadata::{Assembly, MethodId, Primitive};

/// Its variables, in the order of the scope.
pub struct Program(Vec<Value<()>>);

impl Program {
    /// `int a = 1, b = 2; string s = "hello"; ReadOnlySpan<char> letters = "BA"; Span<char> buffer = ['B', 'A'];`
    pub fn new() -> (Self, Vec<Variable>) {
        let declared = |name: &str, type_| Variable { name: name.into(), type_: Some(type_) };
        let of_characters = |name: &str| Type::named(name, vec![Type::Primitive(Primitive::Char)]);
        let scope = vec![
            declared("a", Type::INT),
            declared("b", Type::INT),
            declared("s", Type::STRING),
            declared("letters", of_characters("System.ReadOnlySpan`1")),
            declared("buffer", of_characters("System.Span`1")),
        ];
        let spans = [Value::Object(()), Value::Object(())];
        (Self([Value::int(1), Value::int(2), Value::text("hello")].into_iter().chain(spans).collect()), scope)
    }
}

type Done<T> = Result<T, Failure<String>>;

fn nothing<T>(what: impl Into<String>) -> Done<T> {
    Err(Failure::World(what.into()))
}

impl World for Program {
    type Handle = ();
    type Error = String;

    fn variable(&mut self, position: usize) -> Evaluated<Self> {
        Ok(self.0[position].clone())
    }

    fn set_variable(&mut self, position: usize, value: &Value<()>) -> Done<()> {
        self.0[position] = value.clone();
        Ok(())
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
        Ok(Type::named("System.ReadOnlySpan`1", vec![Type::Primitive(Primitive::Char)]))
    }

    fn unboxed(&mut self, (): &()) -> Done<Option<Constant>> {
        Ok(None)
    }

    fn is_same(&mut self, (): &(), (): &()) -> Done<bool> {
        Ok(true)
    }

    fn has_begun(&mut self, _: &Arc<Assembly>, _: MethodId) -> bool {
        true
    }

    fn elements(&mut self, (): &(), limit: usize) -> Done<Option<Vec<Value<()>>>> {
        let units = "BA".encode_utf16().take(limit);
        Ok(Some(units.map(|unit| Value::scalar(Scalar::Char(unit))).collect()))
    }

    fn call(&mut self, method: &MethodRef, _: Option<&Value<()>>, arguments: &mut [Value<()>]) -> Evaluated<Self> {
        match (method.text().as_str(), arguments) {
            ("int.TryParse", [Value::Constant(Constant::Text(text)), number]) => {
                let parsed = String::from_utf16_lossy(text).parse::<i32>();
                *number = Value::int(parsed.clone().unwrap_or(0));
                Ok(Value::bool(parsed.is_ok()))
            }
            (name, _) => nothing(name),
        }
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
