//! Types as objects of the program.

use crate::bound::{Bound, Kind};
use crate::types::{MethodRef, Type};
use crate::value::{Content, Value};
use crate::world::{Evaluated, Failure, Found, World};

use super::convert::WITHOUT_TYPE;
use super::{Run, unsupported};

const TYPE: &str = "System.Type";

impl<W: World> Run<'_, W> {
    /// The program's own object for a type.
    pub(super) fn type_object(&mut self, type_: &Type) -> Evaluated<W> {
        let class = Type::named(TYPE, Vec::new());
        let name = self.qualified(type_);
        let (Some(method), Some(name)) = (self.method_of(&class, "GetType", 1), name) else {
            return unsupported(format!("no System.Type object is available for '{type_}'"));
        };
        match self.world.reflected(&method, &name) {
            Ok(found) if !found.is_null() => Ok(found),
            Err(error) if !matches!(&error, Failure::World(error) if self.world.cannot_run(error)) => Err(error),
            _ => Ok(Value::made(class, Content::Type(type_.clone()))),
        }
    }

    /// What `GetType` gave; where nothing can run, the type that the object has.
    pub(super) fn or_type(&mut self, found: Evaluated<W>, method: &MethodRef, of: &Value<W::Handle>) -> Evaluated<W> {
        match (&found, of) {
            (Err(Failure::World(error)), Value::Object(handle))
                if method.method.name == "GetType"
                    && method.owner == Type::OBJECT
                    && self.world.cannot_run(error)
                    && !self.world.is_unread(handle) =>
            {
                let type_ = self.world.type_of(handle)?;
                Ok(Value::made(method.returns(), Content::Type(type_)))
            }
            _ => found,
        }
    }

    /// `it.GetType() == typeof(Item)`, of which nothing has to run. `None`: it is no such comparison.
    pub(super) fn same_known_type(&mut self, method: &MethodRef, operands: &[Bound]) -> Found<bool, W> {
        let is_equal = match method.method.name.as_str() {
            "op_Equality" if method.owner.is(TYPE) => true,
            "op_Inequality" if method.owner.is(TYPE) => false,
            _ => return Ok(None),
        };
        if !operands.iter().all(names_type) {
            return Ok(None);
        }
        let mut known = Vec::with_capacity(operands.len());
        for operand in operands {
            known.push(match &operand.kind {
                Kind::Call { of: Some(of), .. } => {
                    let value = self.value(of)?;
                    if value.is_null() {
                        return Err(Failure::Null { at: of.span.clone(), name: "GetType".into() });
                    }
                    if self.is_without_type(&value) {
                        return unsupported(WITHOUT_TYPE);
                    }
                    self.run_time_type(&value)?.map(|type_| type_.sig())
                }
                Kind::TypeOf(type_) => Some(type_.sig()),
                _ => None,
            });
        }
        Ok(match known.as_slice() {
            [Some(one), Some(other)] => Some((one == other) == is_equal),
            _ => None,
        })
    }

    /// Whether types are compared that are known here.
    pub(super) fn same_type(method: &MethodRef, arguments: &[Value<W::Handle>]) -> Option<bool> {
        let [Value::Made(one), Value::Made(other)] = arguments else { return None };
        let (Content::Type(one), Content::Type(other)) = (&one.content, &other.content) else { return None };
        match method.method.name.as_str() {
            "op_Equality" => Some(one == other),
            "op_Inequality" => Some(one != other),
            _ => None,
        }
    }

    /// A property of a type that is known here; of one with arguments its full name has their assemblies.
    pub(super) fn of_type(type_: &Type, property: &str) -> Option<Value<W::Handle>> {
        let Type::Named(named) = type_ else { return None };
        let (namespace, last) = named.name.rsplit_once('.').unwrap_or(("", &named.name));
        match property {
            "Name" => Some(Value::text(last.rsplit('+').next().unwrap_or(last))),
            "Namespace" if namespace.is_empty() => Some(Value::NULL),
            "Namespace" => Some(Value::text(namespace)),
            "FullName" if named.arguments.is_empty() => Some(Value::text(&named.name)),
            _ => None,
        }
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

/// `typeof(Item)`, or `it.GetType()` of an object that is no type itself.
fn names_type(operand: &Bound) -> bool {
    match &operand.kind {
        Kind::TypeOf(_) => true,
        Kind::Call { of: Some(_), method, .. } => method.method.name == "GetType" && method.owner == Type::OBJECT,
        _ => false,
    }
}
