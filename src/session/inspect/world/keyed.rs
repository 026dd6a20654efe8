//! What a dictionary has under a key, by calls that adapters can make: they convert no arguments and pass no references.

use std::cell::OnceCell;

use clr_csharp::constant::{Constant, Scalar};
use clr_csharp::types::{MethodRef, Type};
use clr_csharp::value::Value;
use clr_csharp::world::{Evaluated, Failure, World};
use clr_metadata::Primitive;

use super::handle::{Call, Handle};
use super::program::Program;
use crate::session::inspect::evaluated::EvalError;

type Done<T> = Result<T, Failure<EvalError>>;

const EXTENSIONS: &str = "System.Collections.Generic.CollectionExtensions";
/// Each has both methods, and no other order of comparing than they have.
const DICTIONARIES: [&str; 5] = [
    "System.Collections.Generic.Dictionary`2",
    "System.Collections.Generic.SortedDictionary`2",
    "System.Collections.Generic.SortedList`2",
    "System.Collections.Concurrent.ConcurrentDictionary`2",
    "System.Collections.ObjectModel.ReadOnlyDictionary`2",
];

impl Program<'_> {
    /// `GetValueOrDefault` and `TryGetValue`, by `ContainsKey` and the indexer. `None`: it is another call, or one in which a comparer
    /// would be asked twice that changes something.
    pub(super) fn under_key(
        &mut self,
        method: &MethodRef,
        this: Option<&Value<Handle>>,
        arguments: &mut [Value<Handle>],
    ) -> Done<Option<Value<Handle>>> {
        let (dictionary, key, default) = match (this, method.method.name.as_str(), &*arguments) {
            (None, "GetValueOrDefault", [of, key, rest @ ..]) if method.owner.is(EXTENSIONS) => {
                (of.clone(), key.clone(), rest.first().cloned())
            }
            (Some(of), "TryGetValue", [key, _]) => (of.clone(), key.clone(), None),
            _ => return Ok(None),
        };
        let Value::Object(handle) = &dictionary else { return Ok(None) };
        let type_ = self.type_at(handle)?;
        if !DICTIONARIES.iter().any(|known| type_.is(known)) {
            return Ok(None);
        }
        let named = |name: &str| {
            let definition = self.types.definition(&type_)?;
            let method = self.types.methods(&definition, name).iter().find(|it| it.parameters.len() == 1)?.clone();
            Some(MethodRef { owner: type_.clone(), method, arguments: Vec::new() })
        };
        let (Some(contains), Some(item)) = (named("ContainsKey"), named("get_Item")) else { return Ok(None) };
        if !self.is_judged && !self.may_be_asked_twice(&contains, &type_) {
            return Ok(None);
        }
        let has = self.call(&contains, Some(&dictionary), &mut [key.clone()])?.as_bool() == Some(true);
        let found = match (has, default) {
            (true, _) => self.call(&item, Some(&dictionary), &mut [key])?,
            (false, Some(default)) => default,
            (false, None) => self.default_of(type_.arguments().get(1).unwrap_or(&Type::OBJECT))?,
        };
        if this.is_none() {
            return Ok(Some(found));
        }
        if let Some(out) = arguments.get_mut(1) {
            *out = found;
        }
        Ok(Some(Value::bool(has)))
    }

    fn may_be_asked_twice(&self, contains: &MethodRef, type_: &Type) -> bool {
        let key = type_.arguments().first().cloned();
        self.changes_nothing(&Call {
            method: contains.clone(),
            receiver: Some(type_.clone()),
            arguments: key.into_iter().collect(),
            is_pure: OnceCell::new(),
            before: None,
        })
    }

    fn default_of(&self, type_: &Type) -> Evaluated<Self> {
        if self.types.is_reference_type(type_) || type_.is_nullable() {
            return Ok(Value::NULL);
        }
        if self.types.is_enum(type_) {
            return Ok(Value::Constant(Constant::Enum(type_.clone(), 0)));
        }
        let scalar = match type_.primitive() {
            Some(Primitive::Boolean) => Scalar::Bool(false),
            Some(Primitive::Char) => Scalar::Char(0),
            Some(Primitive::R4) => Scalar::Single(0.0),
            Some(Primitive::R8) => Scalar::Double(0.0),
            Some(primitive) => Scalar::Int(primitive, 0),
            None => match clr_csharp::Decimal::parse("0").filter(|_| type_.is_decimal()) {
                Some(zero) => Scalar::Decimal(zero),
                None => {
                    let words = format!("there is no such key, and this adapter cannot create a {}", type_.short());
                    return Err(Failure::Unsupported(words));
                }
            },
        };
        Ok(Value::Constant(Constant::Scalar(scalar)))
    }
}
