//! Fields and properties of an object.

use std::collections::HashMap;

use clr_csharp::types::Type;
use clr_metadata::{FieldId, GetterKind, MethodId, Token, col};

use super::attributes::{Browsable, Display, browsable};
use super::rows::{Access, Opens, Row, member};
use super::{Presenter, Runs, Seen};
use crate::evaluate::{EvalError, Evaluated};
use crate::types::{self, Definition};
use crate::values::{Child, Content, Page, Place, Shown, Step, members};

/// In the place of a value that nobody has asked for yet.
const NOT_YET: &str = "(...)";
/// Members whose own members stand in their place.
const DEEPEST: u32 = 4;
/// Of a record: of use to its own code alone.
const CONTRACT: &str = "EqualityContract";

/// Whose members are left to the raw view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Left {
    /// What is not public of the framework's types.
    Framework,
    /// What is not public: of a type that was written to be seen.
    Private,
    /// What attributes hide.
    Hidden,
    /// None: attributes mean nothing.
    Nothing,
}

/// A member, before anything of it is read.
enum Member {
    Stored { step: Step, access: String, is_property: bool },
    Computed { type_: Type, property: String, type_name: String },
}

struct Listed {
    name: String,
    member: Member,
    browsable: Browsable,
    visibility: Option<&'static str>,
    /// What its own `[DebuggerDisplay]` shows.
    display: Option<Display>,
    /// Another one of that name is nearer to the object's type.
    is_hidden: bool,
}

impl Presenter<'_> {
    /// What is in a place, opened.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn children(&mut self, place: &Place, page: Page) -> Result<Vec<Row>, String> {
        if self.view.is_raw {
            return self.raw(place, page);
        }
        let value = place.read(self.evaluation.stopped).map_err(|error| error.to_string())?;
        if !matches!(value.content(), Ok(Content::Object(_))) {
            let children = value.children(place, page).map_err(|error| error.to_string())?;
            return Ok(self.rows_of(children));
        }
        let Some(seen) = self.seen(place) else { return Ok(Vec::new()) };
        let (mut rows, has_more) = self.opened(&seen, 0);
        if has_more {
            rows.push(Row::raw_view(&seen.place));
        }
        rows.extend(self.statics_of(&seen));
        Ok(rows.into_iter().skip(page.start).take(page.count).collect())
    }

    /// All members, whatever the type's author wants to be seen.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn raw(&mut self, place: &Place, page: Page) -> Result<Vec<Row>, String> {
        let value = place.read(self.evaluation.stopped).map_err(|error| error.to_string())?;
        let is_object = matches!(value.content(), Ok(Content::Object(_)));
        let Some(seen) = self.seen(place).filter(|_| is_object) else {
            let value = place.read(self.evaluation.stopped).map_err(|error| error.to_string())?;
            let children = value.children(place, page).map_err(|error| error.to_string())?;
            return Ok(self.rows_of(children));
        };
        let (mut rows, _) = self.members(&seen, Left::Nothing, 0);
        rows.extend(self.statics_of(&seen));
        Ok(rows.into_iter().skip(page.start).take(page.count).collect())
    }

    pub fn rows_of(&mut self, children: Vec<Child>) -> Vec<Row> {
        children.into_iter().map(|child| self.row_of(child)).collect()
    }

    /// Elements, what a proxy shows, or members; and whether the object has more than that.
    fn opened(&mut self, seen: &Seen, depth: u32) -> (Vec<Row>, bool) {
        if let Some(rows) = self.elements(seen, 0) {
            return (rows, true);
        }
        if let Some((proxy, access)) = self.proxy(seen) {
            let left = if self.view.shows_all { Left::Hidden } else { Left::Private };
            let (rows, _) = self.members(&proxy, left, depth);
            let rows = rows.into_iter().map(|row| Row { access: row.access.map(|it| access.then(&it)), ..row });
            return (rows.collect(), true);
        }
        self.members(seen, if self.view.shows_all { Left::Hidden } else { Left::Framework }, depth)
    }

    /// And whether some were left out.
    fn members(&mut self, seen: &Seen, left: Left, depth: u32) -> (Vec<Row>, bool) {
        let (listed, mut has_more) = self.listed(seen, left);
        let mut rows = Vec::new();
        for Listed { name, member, browsable, visibility, display, is_hidden } in listed {
            let browsable = if left == Left::Nothing { Browsable::Yes } else { browsable };
            if browsable == Browsable::Never {
                has_more = true;
                continue;
            }
            let row = match member {
                Member::Stored { step, access, is_property } => {
                    let place = seen.place.then(step);
                    let shown = match place.read(self.evaluation.stopped) {
                        Ok(value) => value.show(),
                        Err(error) => Shown { text: format!("<error: {error}>"), ..Shown::default() },
                    };
                    self.row_of(Child { name, shown, place: Some(place), access, is_property })
                }
                Member::Computed { type_, property, type_name } => {
                    Row { name, ..self.computed(Some(&seen.place), &property, type_, type_name) }
                }
            };
            let access = row.access.clone().filter(|_| !is_hidden);
            let display = display.filter(|_| left != Left::Nothing);
            let row = self.displayed_member(display.as_ref(), Row { visibility, access, ..row });
            match browsable == Browsable::RootHidden && depth < DEEPEST {
                true => match self.inlined(&row, depth + 1) {
                    Some(parts) => rows.extend(parts),
                    None => rows.push(row),
                },
                false => rows.push(row),
            }
        }
        (rows, has_more)
    }

    /// What is in a member in place of it; `None`: it has no parts that are read.
    fn inlined(&mut self, row: &Row, depth: u32) -> Option<Vec<Row>> {
        let page = Page { start: 0, count: super::elements::PAGE };
        let parts = match &row.opens {
            Opens::Place(place) => match self.seen(place) {
                Some(seen) => self.opened(&seen, depth).0,
                None => self.children(place, page).ok()?,
            },
            Opens::Made(made) => self.parts(made, page),
            // no elements
            Opens::Nothing if row.shown.elements == Some(0) => Vec::new(),
            _ => return None,
        };
        let access = |own: Option<Access>| Some(row.access.as_ref()?.then(&own?));
        Some(parts.into_iter().map(|part| Row { access: access(part.access.clone()), ..part }).collect())
    }

    /// A member that has code: its value where that may run unasked.
    pub(super) fn computed(&mut self, of: Option<&Place>, name: &str, type_: Type, type_name: String) -> Row {
        let access = Some(Access::behind(format!(".{name}")));
        let answer = match self.view.runs {
            Runs::Nothing => Err(EvalError::NeedsCall),
            Runs::Pure | Runs::Anything => self.ask(of, &type_, &member(of, name)),
        };
        let row = match answer {
            Ok(Evaluated::Value(answer)) => self.row_of_answer(name, &answer),
            Ok(Evaluated::Threw(exception)) => self.row_of_exception(name, &exception),
            Err(EvalError::Failed(words)) => {
                let shown = Shown { text: format!("<error: {words}>"), type_name, ..Shown::default() };
                Row::new(name, shown, Opens::Nothing)
            }
            Err(EvalError::NeedsCall | EvalError::SideEffects { .. } | EvalError::Call(_)) => {
                let shown = Shown { text: NOT_YET.into(), type_name, ..Shown::default() };
                let opens = Opens::Member { of: of.cloned(), type_, name: name.to_owned() };
                Row { is_lazy: true, ..Row::new(name, shown, opens) }
            }
        };
        Row { access, kind: Some("property"), ..row }
    }

    /// Members in the order of their declaration, those of the object's own type first; and whether some were left out.
    fn listed(&self, seen: &Seen, left: Left) -> (Vec<Listed>, bool) {
        let (mut listed, mut has_more): (Vec<Listed>, bool) = (Vec::new(), false);
        // by name, whether the property that is nearest to the object's type overrides one further away
        let mut overridden = HashMap::new();
        let object = seen.place.read(self.evaluation.stopped).ok().and_then(|value| value.object());
        for level in &seen.levels {
            let definition = &level.definition;
            let is_left = |visibility: Option<&str>| {
                let leaves = match left {
                    Left::Private => true,
                    Left::Framework => definition.module.is_framework,
                    Left::Hidden | Left::Nothing => false,
                };
                leaves && visibility.is_some()
            };
            let properties = definition.view().properties();
            for field in members(definition).into_iter().filter(|member| !member.is_static) {
                let property = properties.iter().find(|it| field.is_property && it.name == field.name);
                let (token, visibility) = match property {
                    Some(property) => (property.id.token(), of_getter(definition, property.getter)),
                    None => (field.id.token(), of_field(definition, field.id)),
                };
                if let Some(property) = property {
                    overridden.insert(property.name.clone(), is_override(definition, property.getter));
                }
                if is_left(visibility) {
                    has_more = true;
                    continue;
                }
                let is_hidden = listed.iter().any(|other| other.name == field.name);
                let name = match is_hidden {
                    true => format!("{} ({})", field.name, types::text(&level.type_.sig())),
                    false => field.name.clone(),
                };
                let id = object.as_ref().map_or(field.id, |object| object.field_of_member(definition, &field));
                let step = Step::Field { class: definition.class.clone(), field: id };
                let access = format!(".{}", field.name);
                let member = Member::Stored { step, access, is_property: field.is_property };
                let (browsable, display) = (browsable(definition, token), Display::of(definition, token));
                listed.push(Listed { name, member, browsable, visibility, display, is_hidden });
            }
            for property in properties {
                let is_computed = matches!(property.access, GetterKind::Computed | GetterKind::LoadsField { .. });
                // an explicit implementation has its interface's name
                let is_plain = !property.is_static && !property.is_indexer && !property.name.contains('.');
                if !is_computed || !is_plain || property.name == CONTRACT && left != Left::Nothing {
                    continue;
                }
                let is_hidden = listed.iter().any(|other| other.name == property.name);
                // one that overrides it gives its value
                if overridden.insert(property.name.clone(), is_override(definition, property.getter)) == Some(true) {
                    continue;
                }
                // but a field, a method or a type of that name may hide it too
                let name = match is_hidden {
                    true => format!("{} ({})", property.name, types::text(&level.type_.sig())),
                    false => property.name.clone(),
                };
                let visibility = of_getter(definition, property.getter);
                if is_left(visibility) {
                    has_more = true;
                    continue;
                }
                let declared = Type::of(&property.type_).substitute(level.type_.arguments(), &[]);
                let (token, type_name) = (property.id.token(), types::text(&declared.sig()));
                let member = Member::Computed { type_: level.type_.clone(), property: property.name, type_name };
                let (browsable, display) = (browsable(definition, token), Display::of(definition, token));
                listed.push(Listed { name, member, browsable, visibility, display, is_hidden });
            }
        }
        (listed, has_more)
    }
}

/// As the protocol names what is not public.
fn visibility(flags: u32) -> Option<&'static str> {
    const ACCESS: u32 = 7;
    Some(match flags & ACCESS {
        6 => return None,
        0 | 1 => "private",
        3 => "internal",
        _ => "protected",
    })
}

fn of_field(definition: &Definition, field: FieldId) -> Option<&'static str> {
    visibility(cell(definition, field.token(), col::Field::Flags))
}

pub(super) fn of_getter(definition: &Definition, getter: Option<MethodId>) -> Option<&'static str> {
    visibility(cell(definition, getter?.token(), col::MethodDef::Flags))
}

fn is_override(definition: &Definition, getter: Option<MethodId>) -> bool {
    getter.is_some_and(|getter| definition.assembly.method(getter).is_override())
}

fn cell(definition: &Definition, of: Token, column: impl clr_metadata::Column) -> u32 {
    definition.assembly.metadata().cell(of.row(), column).unwrap_or(0)
}
