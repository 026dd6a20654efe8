//! Types as objects of the program.

use crate::types::Type;
use crate::value::{Content, Value};
use crate::world::{Evaluated, World};

use super::{Run, unsupported};

impl<W: World> Run<'_, W> {
    /// The program's own object for a type.
    pub(super) fn type_object(&mut self, type_: &Type) -> Evaluated<W> {
        let class = Type::named("System.Type", Vec::new());
        let name = self.qualified(type_);
        let (Some(method), Some(name)) = (self.method_of(&class, "GetType", 1), name) else {
            return unsupported(format!("no System.Type object is available for '{type_}'"));
        };
        let found = self.world.reflected(&method, &name)?;
        if found.is_null() {
            return Ok(Value::made(class, Content::Type(type_.clone())));
        }
        Ok(found)
    }

    /// As reflection finds it: with the assembly of each part.
    fn qualified(&self, type_: &Type) -> Option<String> {
        Some(match type_ {
            Type::Array { .. } | Type::Pointer(_) => {
                let (mut inner, mut suffix) = (type_, String::new());
                loop {
                    match inner {
                        Type::Array { of, rank } => {
                            suffix.insert_str(0, &format!("[{}]", ",".repeat(*rank as usize - 1)));
                            inner = of;
                        }
                        Type::Pointer(of) => {
                            suffix.insert(0, '*');
                            inner = of;
                        }
                        _ => break,
                    }
                }
                let element = self.qualified(inner)?;
                let (name, assembly) = element.rsplit_once(", ")?;
                format!("{name}{suffix}, {assembly}")
            }
            other => {
                let definition = self.types.definition(other)?;
                let arguments = other.arguments().iter().map(|it| Some(format!("[{}]", self.qualified(it)?)));
                let arguments = arguments.collect::<Option<Vec<_>>>()?;
                let arguments = if arguments.is_empty() { String::new() } else { format!("[{}]", arguments.join(",")) };
                format!("{}{arguments}, {}", other.name()?, definition.assembly.name())
            }
        })
    }
}
