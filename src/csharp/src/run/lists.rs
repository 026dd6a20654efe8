//! What lists and arrays of the program do with lambdas, done here: lambdas cannot be passed to the program.

use std::cmp::Ordering;

use crate::types::{MethodRef, Type};
use crate::value::Value;
use crate::world::{Failure, World};

use super::{Run, unsupported};

impl<W: World> Run<'_, W> {
    /// `ForEach`, `RemoveAll` and `Sort` of a list. `None`: another method.
    pub(super) fn list_method(
        &mut self,
        list: &Value<W::Handle>,
        (method, name): (&MethodRef, &str),
        function: &Value<W::Handle>,
    ) -> Result<Option<Value<W::Handle>>, Failure<W::Error>> {
        let count =
            self.types.delegate(&method.parameter_type(0).unwrap_or(Type::OBJECT)).map(|(inputs, _)| inputs.len());
        match (name, count) {
            ("ForEach", Some(1)) => {
                for item in self.all(list)? {
                    self.step()?;
                    self.invoked(function, &Type::OBJECT, vec![item])?;
                }
                Ok(Some(Value::Void))
            }
            ("RemoveAll", Some(1)) => {
                let Some(remove) = self.method_of(&method.owner, "RemoveAt", 1) else {
                    return unsupported("RemoveAt was not found in the framework");
                };
                let mut removed = Vec::new();
                for (at, item) in self.all(list)?.into_iter().enumerate() {
                    self.step()?;
                    if self.invoked(function, &Type::OBJECT, vec![item])?.as_bool() == Some(true) {
                        removed.push(at);
                    }
                }
                for at in removed.iter().rev() {
                    self.world.call(&remove, Some(list), &mut [Value::count(*at)])?;
                }
                Ok(Some(Value::count(removed.len())))
            }
            ("Sort", Some(2)) => {
                let Some(set) = self.method_of(&method.owner, "set_Item", 2) else {
                    return unsupported("the indexer was not found");
                };
                let mut items = self.all(list)?;
                let mut problem = None;
                items.sort_by(|one, other| {
                    if problem.is_some() {
                        return Ordering::Equal;
                    }
                    match self.invoked(function, &Type::OBJECT, vec![one.clone(), other.clone()]) {
                        Ok(order) => order.as_integer().unwrap_or(0).cmp(&0),
                        Err(error) => {
                            problem = Some(error);
                            Ordering::Equal
                        }
                    }
                });
                if let Some(error) = problem {
                    return Err(error);
                }
                let element = method.owner.arguments().first().cloned().unwrap_or(Type::OBJECT);
                for (at, item) in items.into_iter().enumerate() {
                    let item = self.in_program(item, &element)?;
                    self.world.call(&set, Some(list), &mut [Value::count(at), item])?;
                }
                Ok(Some(Value::Void))
            }
            _ => Ok(None),
        }
    }
}
