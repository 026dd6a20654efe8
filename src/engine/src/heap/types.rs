//! The types of the objects on the heap, numbered as they are met.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::rc::Rc;

use clr_csharp::types::Type;
use clr_metadata::{Primitive, TypeSig};

use super::layouts::{self, Layout, Step};
use super::named_types::stands_for;
use crate::com::{self, TypeId};
use crate::stopped::Stopped;
use crate::target::{LoadedTypes, Target};
use crate::types;

/// Bases of bases; real ones stay far below.
const DEPTH: usize = 64;

pub struct Types<'s> {
    stopped: &'s Stopped,
    pub(super) process: com::Process5,
    numbers: HashMap<TypeId, u32>,
    list: Vec<Entry>,
    /// The one that was met last, as the next object is often of it too.
    last: (TypeId, u32),
}

struct Entry {
    id: TypeId,
    name: OnceCell<Rc<str>>,
    layout: OnceCell<Rc<Layout>>,
}

impl<'s> Types<'s> {
    pub(super) fn new(stopped: &'s Stopped, process: com::Process5) -> Self {
        let (numbers, list) = Default::default();
        Self { stopped, process, numbers, list, last: (TypeId::default(), u32::MAX) }
    }

    /// The number of a type.
    pub(super) fn index(&mut self, id: TypeId) -> u32 {
        if self.last.0 == id && self.last.1 != u32::MAX {
            return self.last.1;
        }
        let next = u32::try_from(self.list.len()).unwrap_or(u32::MAX);
        let index = *self.numbers.entry(id).or_insert(next);
        if index == next {
            self.list.push(Entry { id, name: OnceCell::new(), layout: OnceCell::new() });
        }
        self.last = (id, index);
        index
    }

    pub fn count(&self) -> usize {
        self.list.len()
    }

    fn id(&self, index: u32) -> TypeId {
        self.list.get(index as usize).map(|entry| entry.id).unwrap_or_default()
    }

    pub(super) fn type_(&self, id: TypeId) -> com::Result<com::Type> {
        self.process.type_of(id)
    }

    pub(super) fn type_at(&self, index: u32) -> com::Result<com::Type> {
        self.type_(self.id(index))
    }

    /// Whether the runtime calls a method of such an object before it frees it.
    pub(super) fn has_finalizer(&self, index: u32) -> bool {
        self.type_at(index).is_ok_and(|type_| types::has_finalizer(self.target(), &type_))
    }

    pub(super) fn target(&self) -> &'s Target {
        self.stopped.target()
    }

    /// As C# writes it, with namespaces.
    pub fn name(&self, index: u32) -> Rc<str> {
        let Some(entry) = self.list.get(index as usize) else { return "?".into() };
        entry.name.get_or_init(|| self.name_of(entry.id)).clone()
    }

    fn name_of(&self, id: TypeId) -> Rc<str> {
        self.type_(id).map_or_else(|_| "?".into(), |type_| types::name(self.stopped.target(), &type_).into())
    }

    pub fn signature(&self, index: u32) -> TypeSig {
        let type_ = self.type_(self.id(index));
        type_.map_or(TypeSig::Primitive(Primitive::Object), |type_| types::signature(self.stopped.target(), &type_))
    }

    /// What a name that a person gave means of a type: itself, or a base of it. By their layouts: .NET 8 gives no base of a type that
    /// comes from the heap.
    pub(super) fn named(&self, index: u32, name: &str) -> Option<TypeSig> {
        let (mut id, mut full) = (self.id(index), self.name(index));
        for _ in 0..DEPTH {
            if stands_for(name, &full) {
                return self.type_(id).ok().map(|type_| types::signature(self.stopped.target(), &type_));
            }
            match self.process.type_layout(id) {
                Ok(layout) if layout.parent != TypeId::default() && layout.parent != id => id = layout.parent,
                _ => break,
            }
            full = self.name_of(id);
        }
        None
    }

    /// What a name means of each type that was met, by its number: a class, or else an interface.
    pub(super) fn asked_for(&self, name: &str) -> Vec<Option<TypeSig>> {
        let numbers = 0..u32::try_from(self.count()).unwrap_or(u32::MAX);
        let classes: Vec<_> = numbers.map(|number| self.named(number, name)).collect();
        if classes.iter().any(Option::is_some) { classes } else { self.with_interface(name) }
    }

    /// The same of the interfaces of all types that were met, by their numbers.
    pub(super) fn with_interface(&self, name: &str) -> Vec<Option<TypeSig>> {
        let target = self.stopped.target();
        let loaded = target.take_types().unwrap_or_else(|| LoadedTypes::of(target));
        let numbers = 0..u32::try_from(self.count()).unwrap_or(u32::MAX);
        let interface = |number: u32| {
            let all = loaded.types.interfaces(&Type::of(&self.signature(number)));
            all.iter().map(Type::sig).find(|interface| stands_for(name, &types::text(interface)))
        };
        let found = numbers.map(interface).collect();
        target.keep_types(loaded);
        found
    }

    /// Where its objects hold references.
    pub(super) fn layout(&self, index: u32) -> Rc<Layout> {
        let Some(entry) = self.list.get(index as usize) else { return Rc::default() };
        entry.layout.get_or_init(|| Rc::new(Layout::of(self.stopped.target().pid, entry.id.token1))).clone()
    }

    /// What leads to an offset of an object of the type, or of an element of an array: `Owner.Name`, `_slots[1]`.
    pub(super) fn path(&self, index: u32, offset: u32) -> String {
        let length = |id| {
            let definition = types::definition(self.stopped.target(), &self.type_(id).ok()?)?;
            definition.view().inline_array_length()
        };
        let steps = layouts::path(&self.process, self.id(index), offset, length).into_iter();
        let names = steps.map(|step| match step {
            Step::Field(type_, token) => self.field(type_, token).unwrap_or_else(|| "?".into()),
            Step::Element(position) => format!("[{position}]"),
        });
        names.fold(String::new(), |path, name| behind(&path, &name))
    }

    /// A field as the source names it.
    fn field(&self, declaring: TypeId, token: u32) -> Option<String> {
        use clr_metadata::names::{FieldOrigin, field_origin};
        let definition = types::definition(self.stopped.target(), &self.type_(declaring).ok()?)?;
        let id = clr_metadata::FieldId::from_token(clr_metadata::Token(token))?;
        let metadata = definition.assembly.metadata();
        let name = metadata.string(id.row(), clr_metadata::col::Field::Name).ok()?;
        Some(
            match field_origin(name) {
                FieldOrigin::BackingOf(name) | FieldOrigin::PrimaryParameter(name) | FieldOrigin::Plain(name) => name,
                FieldOrigin::HoistedLocal { name, .. } => name,
                _ => name,
            }
            .to_owned(),
        )
    }
}

/// `Owner.Name`, `Owner[1]`
pub(super) fn behind(owner: &str, name: &str) -> String {
    let dot = if owner.is_empty() || name.starts_with('[') { "" } else { "." };
    format!("{owner}{dot}{name}")
}
