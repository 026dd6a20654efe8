//! The types of the objects on the heap, numbered as they are met.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::rc::Rc;

use clr_metadata::{Primitive, TypeSig};

use super::layouts::{self, Layout};
use crate::com::{self, TypeId};
use crate::stopped::Stopped;
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

    /// Whether a type, or a base of it, has the name.
    pub(super) fn is_named(&self, index: u32, name: &str) -> bool {
        self.names(index).iter().any(|full| stands_for(name, full))
    }

    /// The names of the type and of its bases. By their layouts: .NET 8 gives no base of a type that comes from the heap.
    fn names(&self, index: u32) -> Vec<String> {
        let mut id = self.id(index);
        let mut names = vec![self.name(index).to_string()];
        while names.len() < DEPTH {
            match self.process.type_layout(id) {
                Ok(layout) if layout.parent != TypeId::default() && layout.parent != id => id = layout.parent,
                _ => break,
            }
            names.push(self.name_of(id).to_string());
        }
        names
    }

    /// Where its objects hold references.
    pub(super) fn layout(&self, index: u32) -> Rc<Layout> {
        let Some(entry) = self.list.get(index as usize) else { return Rc::default() };
        entry.layout.get_or_init(|| Rc::new(Layout::of(self.stopped.target().pid, entry.id.token1))).clone()
    }

    /// The fields that lead to an offset of an object of the type, or of an element of an array.
    pub(super) fn path(&self, index: u32, offset: u32) -> String {
        let path = layouts::path(&self.process, self.id(index), offset);
        let names = path.into_iter().map(|(type_, token)| self.field(type_, token).unwrap_or_else(|| "?".into()));
        names.collect::<Vec<_>>().join(".")
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

/// Whether a name that a person gave means a type: namespaces and type arguments may be missing.
fn stands_for(name: &str, full: &str) -> bool {
    let blank = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
    let (name, full) = (blank(name), blank(full));
    let ends = |full: &str, name: &str| {
        full.strip_suffix(name).is_some_and(|before| {
            // a `.` within type arguments begins another type's name
            (before.is_empty() || before.ends_with('.')) && before.matches('<').count() == before.matches('>').count()
        })
    };
    let is_meant = |name: &str| ends(&full, name) || ends(&types::without_arguments(&full), name);
    is_meant(&name) || keyword(&name).is_some_and(|keyword| is_meant(&keyword))
}

/// `string[]` of `System.String[]` or `String[]`.
fn keyword(name: &str) -> Option<String> {
    let end = name.find('[').unwrap_or(name.len());
    let (of, dimensions) = name.split_at_checked(end)?;
    let full = if of.contains('.') { of.to_owned() } else { format!("System.{of}") };
    let primitive = Primitive::from_name(&full)?;
    Some(format!("{}{dimensions}", primitive.keyword()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_may_omit_namespaces_and_type_arguments() {
        for (name, full) in [
            ("Session", "Shop.Session"),
            ("Shop.Session", "Shop.Session"),
            ("List", "System.Collections.Generic.List<Shop.Session>"),
            ("List<Shop.Session>", "System.Collections.Generic.List<Shop.Session>"),
            ("Dictionary<string,int>", "System.Collections.Generic.Dictionary<string, int>"),
            ("Entry[]", "System.Collections.Generic.Dictionary<string, int>.Entry[]"),
            ("int[]", "int[]"),
            ("string", "string"),
            ("System.String", "string"),
            ("Int32[]", "int[]"),
            ("Object", "Game.Object"),
        ] {
            assert!(stands_for(name, full), "{name} {full}");
        }
        for (name, full) in [
            ("Session", "Shop.ShortSession"),
            ("Session", "System.Collections.Generic.List<Shop.Session>"),
            ("Session>", "System.Collections.Generic.List<Shop.Session>"),
            ("Shop", "Shop.Session"),
            ("Game.String", "string"),
        ] {
            assert!(!stands_for(name, full), "{name} {full}");
        }
    }
}
