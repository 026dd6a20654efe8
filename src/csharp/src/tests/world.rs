//! A program with some variables and `int.TryParse`, and nothing else. All that is known of an object in it is the type.

use std::sync::Arc;

use crate::constant::{Constant, Scalar};
use crate::types::{FieldRef, MethodRef, PAIR, Type, is_by_ref_like};
use crate::value::Value;
use crate::world::{Evaluated, Failure, Variable, World};
use clr_metadata::{Assembly, MethodId, Primitive};

const SET: &str = "System.Collections.Generic.HashSet`1";

/// Its variables, in the order of the scope.
pub struct Program(Vec<Value<Type>>);

impl Program {
    /// `int a = 1, b = 2; string s = "hello"; ReadOnlySpan<char> letters = "BA"; Span<char> buffer = ['B', 'A'];`, two `versions` and one
    /// pair `("a", 1)` in arrays; `names` and `units`, an `IEnumerable<string>` and one of `char` that are sets, of which only the second
    /// has a comparer that can be read; two equal `dates`.
    pub fn new() -> (Self, Vec<Variable>) {
        let declared = |name: &str, type_| Variable { name: name.into(), type_: Some(type_) };
        let of_characters = |name: &str| Type::named(name, vec![Type::Primitive(Primitive::Char)]);
        let scope = vec![
            declared("a", Type::INT),
            declared("b", Type::INT),
            declared("s", Type::STRING),
            declared("letters", of_characters("System.ReadOnlySpan`1")),
            declared("buffer", of_characters("System.Span`1")),
            declared("versions", Type::array(Type::named("System.Runtime.Versioning.FrameworkName", Vec::new()))),
            declared("pairs", Type::array(Type::named(PAIR, vec![Type::STRING, Type::INT]))),
            declared("names", Type::named("System.Collections.Generic.IEnumerable`1", vec![Type::STRING])),
            declared("units", of_characters("System.Collections.Generic.IEnumerable`1")),
            declared("dates", Type::array(Type::named("System.DateTime", Vec::new()))),
        ];
        let object = |variable: &Variable| {
            let type_ = variable.type_.clone()?;
            let is_sequence = matches!(type_, Type::Named(_)) && !is_by_ref_like(&type_);
            Some(if is_sequence { Type::named(SET, type_.arguments().to_vec()) } else { type_ })
        };
        let objects: Vec<Type> = scope.iter().skip(3).filter_map(object).collect();
        let values = [Value::int(1), Value::int(2), Value::text("hello")];
        (Self(values.into_iter().chain(objects.into_iter().map(Value::Object)).collect()), scope)
    }
}

type Done<T> = Result<T, Failure<String>>;

fn nothing<T>(what: impl Into<String>) -> Done<T> {
    Err(Failure::World(what.into()))
}

impl World for Program {
    type Handle = Type;
    type Error = String;

    fn variable(&mut self, position: usize) -> Evaluated<Self> {
        Ok(self.0[position].clone())
    }

    fn set_variable(&mut self, position: usize, value: &Value<Type>) -> Done<()> {
        self.0[position] = value.clone();
        Ok(())
    }

    fn field(&mut self, of: Option<&Type>, field: &FieldRef) -> Evaluated<Self> {
        match (of, field.field.name.as_str()) {
            (Some(of), "key") if of.is(PAIR) => Ok(Value::text("a")),
            (Some(of), "value") if of.is(PAIR) => Ok(Value::int(1)),
            (Some(of), "_comparer") if *of == Type::named(SET, vec![Type::Primitive(Primitive::Char)]) => {
                Ok(Value::NULL)
            }
            (Some(of), "_dateData") if of.is("System.DateTime") => Ok(Value::scalar(Scalar::Int(Primitive::U8, 5))),
            (_, name) => nothing(name),
        }
    }

    fn set_field(&mut self, _: Option<&Type>, field: &FieldRef, _: &Value<Type>) -> Done<()> {
        nothing(field.field.name.clone())
    }

    fn element(&mut self, _: &Type, position: usize) -> Evaluated<Self> {
        nothing(format!("element {position}"))
    }

    fn set_element(&mut self, _: &Type, position: usize, _: &Value<Type>) -> Done<()> {
        nothing(format!("element {position}"))
    }

    fn dimensions(&mut self, _: &Type) -> Done<Option<Vec<(i32, usize)>>> {
        Ok(None)
    }

    fn text(&mut self, _: &Type) -> Done<Option<Arc<[u16]>>> {
        Ok(None)
    }

    fn type_of(&mut self, of: &Type) -> Done<Type> {
        Ok(of.clone())
    }

    fn unboxed(&mut self, _: &Type) -> Done<Option<Constant>> {
        Ok(None)
    }

    fn is_same(&mut self, one: &Type, other: &Type) -> Done<bool> {
        Ok(is_by_ref_like(one) && one == other)
    }

    fn has_begun(&mut self, _: &Arc<Assembly>, _: MethodId) -> bool {
        true
    }

    fn elements(&mut self, of: &Type, limit: usize) -> Done<Option<Vec<Value<Type>>>> {
        match of {
            Type::Array { of, .. } if of.is(PAIR) => return Ok(Some(vec![Value::Object((**of).clone())])),
            Type::Array { of, .. } => return Ok(Some(vec![Value::Object((**of).clone()); 2])),
            _ => {}
        }
        let units = "BA".encode_utf16().take(limit);
        Ok(Some(units.map(|unit| Value::scalar(Scalar::Char(unit))).collect()))
    }

    fn call(&mut self, method: &MethodRef, _: Option<&Value<Type>>, arguments: &mut [Value<Type>]) -> Evaluated<Self> {
        match (method.text().as_str(), arguments) {
            ("int.TryParse", [Value::Constant(Constant::Text(text)), number]) => {
                let parsed = String::from_utf16_lossy(text).parse::<i32>();
                *number = Value::int(parsed.clone().unwrap_or(0));
                Ok(Value::bool(parsed.is_ok()))
            }
            (name, _) => nothing(name),
        }
    }

    fn new_object(&mut self, type_: &Type, _: Option<&MethodRef>, _: &[Value<Type>]) -> Evaluated<Self> {
        nothing(format!("new {type_}"))
    }

    fn copy(&mut self, _: &Value<Type>) -> Evaluated<Self> {
        nothing("a copy")
    }

    fn new_array(&mut self, element: &Type, _: &[Value<Type>]) -> Evaluated<Self> {
        nothing(format!("new {element}[]"))
    }
}
