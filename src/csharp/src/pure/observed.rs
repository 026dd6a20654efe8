//! What the objects of the stopped program hold, for whoever judges a call by it.

use std::collections::HashMap;
use std::sync::Arc;

use clr_metadata::{Assembly, Content, MethodId, Observer, TypeSig};

use crate::constant::{Constant, Scalar};
use crate::types::{FieldRef, Type, TypeSystem};
use crate::value::Value;
use crate::world::World;

/// Fields that one question looks at: over an adapter each is a request.
const MOST_FIELDS: usize = 100;

/// The objects that a call may come to, by their numbers.
pub(super) struct Observed<'w, W: World> {
    world: &'w mut W,
    types: &'w TypeSystem,
    /// `None`: a text or a box, of which only the type is asked.
    objects: Vec<Option<W::Handle>>,
    /// By object, declaring type and name.
    fields: HashMap<(usize, String, String), Option<Content>>,
}

impl<'w, W: World> Observed<'w, W> {
    pub(super) fn new(world: &'w mut W, types: &'w TypeSystem) -> Self {
        Self { world, types, objects: Vec::new(), fields: HashMap::new() }
    }

    /// `None`: nothing that decides anything.
    pub(super) fn content(&mut self, value: &Value<W::Handle>) -> Option<Content> {
        match value {
            Value::Constant(Constant::Null) => Some(Content::Null),
            Value::Constant(Constant::Enum(_, number) | Constant::Scalar(Scalar::Int(_, number))) => small(*number),
            Value::Constant(Constant::Scalar(Scalar::Bool(value))) => Some(Content::Number((*value).into())),
            Value::Constant(Constant::Scalar(Scalar::Char(unit))) => Some(Content::Number((*unit).into())),
            Value::Object(handle) => {
                let type_ = self.world.type_of(handle).ok()?;
                self.types.is_reference_type(&type_).then(|| self.object(Some(handle.clone()), type_.sig()))
            }
            Value::Constant(Constant::Text(_)) => Some(self.object(None, Type::STRING.sig())),
            _ => None,
        }
    }

    /// What a parameter gets or a field holds: one that takes references has a number or a struct in a box.
    pub(super) fn argument(&mut self, value: &Value<W::Handle>, parameter: &Type) -> Option<Content> {
        if !self.types.is_reference_type(parameter) || value.is_null() {
            return self.content(value);
        }
        let boxed = match value {
            Value::Object(handle) => match self.world.type_of(handle).ok()? {
                boxed if self.types.is_value_type(&boxed) => boxed,
                _ => return self.content(value),
            },
            Value::Constant(Constant::Enum(type_, _)) => type_.clone(),
            Value::Constant(Constant::Scalar(scalar)) => scalar.type_(),
            Value::Made(made) => made.type_.clone(),
            Value::Constant(Constant::Null | Constant::Text(_)) | Value::Void => return self.content(value),
        };
        Some(self.object(None, boxed.sig()))
    }

    fn object(&mut self, handle: Option<W::Handle>, type_: TypeSig) -> Content {
        self.objects.push(handle);
        Content::Object(self.objects.len() - 1, type_)
    }

    fn read(&mut self, object: usize, declaring: &str, name: &str) -> Option<Content> {
        let handle = self.objects.get(object)?.clone()?;
        let type_ = self.world.type_of(&handle).ok()?;
        let owner = self.types.chain(&type_).into_iter().find(|owner| owner.name() == Some(declaring))?;
        let definition = self.types.definition(&owner)?;
        let field = self.types.fields(&definition).iter().find(|it| it.name == name && !it.is_static)?.clone();
        let field = FieldRef { owner, field };
        let value = self.world.field(Some(&handle), &field).ok()?;
        self.argument(&value, &field.type_())
    }
}

impl<W: World> Observer for Observed<'_, W> {
    fn has_begun(&mut self, assembly: &Arc<Assembly>, initializer: MethodId) -> bool {
        self.world.has_begun(assembly, initializer)
    }

    fn has_initialized(&mut self, type_: &TypeSig) -> bool {
        self.world.has_initialized(&Type::of(type_))
    }

    fn field(&mut self, object: usize, declaring: &str, name: &str) -> Option<Content> {
        let key = (object, declaring.to_owned(), name.to_owned());
        if let Some(known) = self.fields.get(&key) {
            return known.clone();
        }
        if self.fields.len() == MOST_FIELDS {
            return None;
        }
        let content = self.read(object, declaring, name);
        self.fields.insert(key, content.clone());
        content
    }
}

/// Of larger ones it depends on the instruction how they compare.
fn small(number: i128) -> Option<Content> {
    i32::try_from(number).ok().map(|number| Content::Number(number.into()))
}
