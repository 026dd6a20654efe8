//! What a value opens to, a row for each part.

use std::sync::Arc;

use clr_csharp::template::{self, Piece};
use clr_csharp::types::Type;
use clr_csharp::value::Made;

use super::attributes::Display;
use super::summary::Summary;
use super::{Presenter, format};
use crate::com;
use crate::evaluate::{Answer, Evaluated, Opened};
use crate::values::{Child, Page, Place, Root, Shown};

/// A named value.
pub struct Row {
    pub name: String,
    pub shown: Shown,
    /// How an expression for it is made of its parent's; `None`: there is none.
    pub access: Option<Access>,
    pub opens: Opens,
    /// Where it can be assigned without an expression.
    pub place: Option<Place>,
    /// Of the protocol: `property`, `data`, `class`.
    pub kind: Option<&'static str>,
    /// Of the protocol, where it is not `public`.
    pub visibility: Option<&'static str>,
    pub is_constant: bool,
    /// Its value takes code of the program, which runs when it is opened.
    pub is_lazy: bool,
}

/// What stands before and behind an expression for the parent.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Access {
    pub before: String,
    pub behind: String,
}

/// What a row opens to.
#[derive(Clone)]
pub enum Opens {
    Nothing,
    /// A value, as it is shown.
    Place(Place),
    Made(Arc<Made<Place>>),
    /// All members of an object, whatever its type's author wants to be seen.
    Raw(Place),
    /// The elements of a collection from that one on.
    Rest {
        place: Place,
        start: usize,
    },
    Statics(com::Type),
    /// The value of a property of an object, as its type has it, or of a static member.
    Member {
        of: Option<Place>,
        type_: Type,
        name: String,
    },
}

impl Access {
    pub fn behind(text: impl Into<String>) -> Self {
        Self { before: String::new(), behind: text.into() }
    }

    /// With what comes behind this.
    pub fn then(&self, next: &Self) -> Self {
        Self { before: format!("{}{}", next.before, self.before), behind: format!("{}{}", self.behind, next.behind) }
    }

    pub fn of(&self, parent: &str) -> String {
        format!("{}{parent}{}", self.before, self.behind)
    }
}

impl Row {
    pub(super) fn new(name: impl Into<String>, shown: Shown, opens: Opens) -> Self {
        let (access, place, kind, visibility, is_constant, is_lazy) = Default::default();
        Self { name: name.into(), shown, access, opens, place, kind, visibility, is_constant, is_lazy }
    }

    pub(super) fn raw_view(place: &Place) -> Self {
        Self { kind: Some("class"), ..Self::new("Raw View", Shown::default(), Opens::Raw(place.clone())) }
    }
}

impl Presenter<'_> {
    /// Of a variable, field or element that was read.
    pub fn row_of(&mut self, child: Child) -> Row {
        let Child { name, shown, place, access, is_property } = child;
        let summary = match &place {
            Some(place) => self.summary(place, shown, 0),
            None => format::written(shown, self.view.numbers).into(),
        };
        let opens = match &place {
            Some(place) if summary.shown.opens => Opens::Place(place.clone()),
            _ => Opens::Nothing,
        };
        // an element is known by its position
        let summary = Summary { name: summary.name.filter(|_| !access.starts_with('[')), ..summary };
        Row {
            access: Some(Access::behind(access)),
            place,
            kind: is_property.then_some("property"),
            ..named(name, summary, opens)
        }
    }

    /// Of the variables of a frame, under the names that its code has for them.
    pub fn variables(&mut self, children: Vec<Child>) -> Vec<Row> {
        let row = |child: Child| Row { name: child.name.clone(), ..self.row_of(child) };
        children.into_iter().map(row).collect()
    }

    /// Of what an expression gave.
    pub fn row_of_answer(&mut self, name: &str, answer: &Answer) -> Row {
        let (summary, opened) = self.answer_summary(answer, 0);
        let opens = opens(opened, &summary);
        named(name.to_owned(), summary, opens)
    }

    /// The constants of the frame's code.
    pub fn constants(&mut self) -> Vec<Row> {
        let row = |(name, shown): (String, Shown)| Row {
            access: Some(Access::behind(name.clone())),
            is_constant: true,
            ..Row::new(name, format::written(shown, self.view.numbers), Opens::Nothing)
        };
        self.evaluation.constants().into_iter().map(row).collect()
    }

    /// Of an exception that ended an expression.
    pub fn row_of_exception(&mut self, name: &str, exception: &com::Value) -> Row {
        let text = self.threw(exception);
        let place = Place::of(Root::Kept(exception.clone()));
        let plain = self.evaluation.stopped.value(exception.clone()).show();
        Row::new(name, Shown { text, ..plain }, Opens::Place(place))
    }

    /// The parts of what an expression made, those of a page.
    pub fn parts(&mut self, made: &Made<Place>, page: Page) -> Vec<Row> {
        let parts = self.evaluation.parts(made, page).into_iter();
        let row = |part: crate::evaluate::Part| {
            let summary = match &part.opened {
                Some(Opened::Place(place)) => self.summary(&place.clone(), part.shown, 0),
                _ => format::written(part.shown, self.view.numbers).into(),
            };
            let opens = opens(part.opened, &summary);
            Row { access: Some(Access::behind(part.access)), ..named(part.name, summary, opens) }
        };
        parts.map(row).collect()
    }

    /// As the member's own attribute asks: its holes are about the value.
    pub(super) fn displayed_member(&mut self, display: Option<&Display>, row: Row) -> Row {
        let Some(display) = display else { return row };
        let place = match &row.opens {
            Opens::Place(place) => Some(place.clone()),
            _ => row.place.clone(),
        };
        let seen = place.and_then(|place| self.seen(&place));
        let seen = seen.as_ref().and_then(|seen| Some((seen, seen.own()?)));
        let mut filled = |template: &str| match seen {
            Some((seen, own)) => self.filled(seen, own, template, 0),
            // of a value without members there is nothing to fill in
            None => template::pieces(template).into_iter().map(text_of).collect(),
        };
        let Some(text) = filled(&display.value) else { return row };
        let name = display.name.as_deref().and_then(&mut filled).unwrap_or(row.name);
        let type_name = display.type_name.as_deref().and_then(&mut filled).unwrap_or(row.shown.type_name);
        Row { name, shown: Shown { text, type_name, ..row.shown }, ..row }
    }

    /// The value of a member whose code may run.
    ///
    /// # Errors
    /// Why it has none, in words.
    pub fn member(&mut self, of: Option<&Place>, type_: &Type, name: &str) -> Result<Row, String> {
        let text = member(of, name);
        let is_pure = std::mem::replace(&mut self.evaluation.is_pure, false);
        let evaluated = self.evaluation.within(of, type_, &text);
        self.evaluation.is_pure = is_pure;
        let row = match evaluated.map_err(|error| error.to_string())? {
            Evaluated::Value(answer) => self.row_of_answer(name, &answer),
            Evaluated::Threw(exception) => self.row_of_exception(name, &exception),
        };
        Ok(Row { access: Some(Access::behind(format!(".{name}"))), kind: Some("property"), ..row })
    }
}

fn text_of(piece: Piece) -> Option<String> {
    match piece {
        Piece::Text(text) => Some(text),
        Piece::Hole { .. } => None,
    }
}

/// The expression for a member in the code of its type.
pub(super) fn member(of: Option<&Place>, name: &str) -> String {
    if of.is_some() { format!("this.{name}") } else { name.to_owned() }
}

fn opens(opened: Option<Opened>, summary: &Summary) -> Opens {
    match opened.filter(|_| summary.shown.opens) {
        Some(Opened::Place(place)) => Opens::Place(place),
        Some(Opened::Made(made)) => Opens::Made(made),
        None => Opens::Nothing,
    }
}

fn named(name: String, summary: Summary, opens: Opens) -> Row {
    Row::new(summary.name.unwrap_or(name), summary.shown, opens)
}
