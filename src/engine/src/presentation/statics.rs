//! Static members of an object's types.

use clr_csharp::types::Type;
use clr_metadata::Property;

use super::attributes::Display;
use super::members::of_getter;
use super::rows::{Access, Opens, Row};
use super::{Presenter, Seen};
use crate::com;
use crate::types;
use crate::values::{Shown, is_initialized, is_misread, members, own_statics};

impl Presenter<'_> {
    /// The row that opens to them; `None`: there are none.
    pub(super) fn statics_of(&self, seen: &Seen) -> Option<Row> {
        let value = seen.place.read(self.evaluation.stopped).ok()?;
        let object = value.object()?;
        let mut own = seen.levels.iter().map(|level| &level.definition).filter(|it| !it.module.is_framework);
        let has_some = object.has_statics() || own.any(|it| it.view().properties().iter().any(is_static));
        let opens = Opens::Statics(object.type_().clone());
        has_some.then(|| Row { kind: Some("class"), ..Row::new("Static members", Shown::default(), opens) })
    }

    /// Fields, constants and properties of a type and of its bases. What the initializer of a type has still to give runs it, where that
    /// is allowed.
    pub fn statics(&mut self, type_: &com::Type) -> Vec<Row> {
        let (target, thread) = (self.evaluation.stopped.target().clone(), self.evaluation.thread);
        let mut rows = Vec::new();
        for type_ in types::chain(&target, type_) {
            let Some(definition) = types::definition(&target, &type_) else { continue };
            let name = types::name(&target, &type_);
            let owner = Type::of(&types::signature(&target, &type_));
            let is_ready = is_initialized(self.evaluation.stopped, thread, &type_);
            for child in own_statics(self.evaluation.stopped, thread, &type_) {
                let token = members(&definition).into_iter().find(|it| it.is_static && it.name == child.name);
                let is_misread = token.as_ref().is_some_and(|it| is_misread(self.evaluation.stopped, &type_, it.id));
                let display = token.and_then(|member| Display::of(&definition, member.id.token()));
                let row = match is_ready && !is_misread || child.place.is_none() {
                    true => self.row_of(child),
                    false => {
                        let row = self.computed(None, &child.name, owner.clone(), child.shown.type_name);
                        let kind = child.is_property.then_some("property");
                        Row { access: Some(Access::behind(child.access)), kind, ..row }
                    }
                };
                rows.push(self.displayed_member(display.as_ref(), row));
            }
            for property in definition.view().properties().into_iter().filter(is_static) {
                let visibility = of_getter(&definition, property.getter);
                let is_stored = rows.iter().any(|row| row.name == property.name);
                if is_stored || property.getter.is_none() || definition.module.is_framework && visibility.is_some() {
                    continue;
                }
                let declared = Type::of(&property.type_).substitute(owner.arguments(), &[]);
                let row = self.computed(None, &property.name, owner.clone(), types::text(&declared.sig()));
                let access = Some(Access::behind(format!("{name}.{}", property.name)));
                let display = Display::of(&definition, property.id.token());
                rows.push(self.displayed_member(display.as_ref(), Row { access, visibility, ..row }));
            }
        }
        rows
    }
}

/// With a getter that C# names.
fn is_static(property: &Property) -> bool {
    property.is_static && !property.is_indexer && !property.name.contains('.')
}
