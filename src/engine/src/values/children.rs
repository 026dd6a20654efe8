//! Members and elements of a value, with the way to each.

use super::elements::Elements;
use super::layout;
use super::{Array, Content, Object, Place, Shown, Step, Value};
use crate::com::{self, Interface as _};
use crate::types;

/// A member or an element.
pub struct Child {
    pub name: String,
    pub shown: Shown,
    /// `None` for constants.
    pub place: Option<Place>,
    /// The name as an expression goes on with it: `.Name`, `[3]`.
    pub access: String,
    pub is_property: bool,
}

/// Which elements.
#[derive(Debug, Clone, Copy)]
pub struct Page {
    pub start: usize,
    pub count: usize,
}

impl Page {
    pub const ALL: Self = Self { start: 0, count: usize::MAX };
}

impl Value<'_> {
    /// Of the value at `place`.
    pub fn children(&self, place: &Place, page: Page) -> com::Result<Vec<Child>> {
        match self.content()? {
            Content::Array(array) => Ok(array.children(place, page)),
            Content::Object(object) => {
                let is_nullable = self.target()?.is_some_and(|target| target.is_nullable());
                let place = if is_nullable { place.then(Step::Inside) } else { place.clone() };
                let mut all = object.children(&place);
                if page.start > 0 || page.count < all.len() {
                    all = all.into_iter().skip(page.start).take(page.count).collect();
                }
                Ok(all)
            }
            _ => Ok(Vec::new()),
        }
    }

    /// Whether it is a `T?` itself, not what is in one.
    pub fn is_nullable(&self) -> bool {
        let type_ = self.com.cast::<com::Value2>().and_then(|value| value.exact_type());
        let definition = type_.ok().and_then(|type_| types::definition(self.stopped.target(), &type_));
        definition.is_some_and(|definition| definition.is("System.Nullable`1"))
    }
}

impl Array<'_> {
    fn children(&self, place: &Place, page: Page) -> Vec<Child> {
        let count = self.count() as usize;
        let end = page.start.saturating_add(page.count).min(count);
        let positions = page.start.min(end) as u32..end as u32;
        let elements = (!positions.is_empty()).then(|| Elements::of(self));
        let child = |elements: &Elements<'_, '_>, position| {
            let name = self.index_text(position);
            let place = Some(place.then(Step::Element(position)));
            Child { access: name.clone(), name, shown: elements.show(position), place, is_property: false }
        };
        elements.iter().flat_map(|elements| positions.clone().map(|position| child(elements, position))).collect()
    }
}

impl Object<'_> {
    fn children(&self, place: &Place) -> Vec<Child> {
        let mut children: Vec<Child> = Vec::new();
        let mut properties: Vec<String> = Vec::new();
        for type_ in types::chain(self.stopped.target(), &self.type_) {
            let Some(definition) = types::definition(self.stopped.target(), &type_) else { continue };
            for member in layout::members(&definition).into_iter().filter(|member| !member.is_static) {
                let field = self.field_of_member(&definition, &member);
                let shown = match self.field_of(&definition.class, field) {
                    Ok(value) => value.show(),
                    Err(error) => Shown::unread(error),
                };
                let step = Step::Field { class: definition.class.clone(), field };
                // the more derived one hides it, a property that stores nothing too
                let is_hidden = properties.contains(&member.name) || children.iter().any(|it| it.name == member.name);
                let name = match is_hidden {
                    true => format!("{} ({})", member.name, types::name(self.stopped.target(), &type_)),
                    false => member.name.clone(),
                };
                let access = format!(".{}", member.name);
                let place = Some(place.then(step));
                children.push(Child { name, shown, place, access, is_property: member.is_property });
            }
            let own = definition.view().properties().into_iter().filter(|it| !it.is_static && !it.is_indexer);
            properties.extend(own.map(|property| property.name));
        }
        children
    }

    /// Whether any type of the chain has static fields or constants.
    pub fn has_statics(&self) -> bool {
        let target = self.stopped.target();
        types::chain(target, &self.type_).iter().filter_map(|type_| types::definition(target, type_)).any(
            |definition| {
                !definition.module.is_framework && layout::members(&definition).iter().any(|member| member.is_static)
            },
        )
    }
}
