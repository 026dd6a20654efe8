//! How the value of an expression is shown, and what it opens to.

use std::sync::Arc;

use clr_csharp::constant::Constant;
use clr_csharp::types::{PAIR, Type};
use clr_csharp::value::{Content, Made, Value, element_type, part_name};

use super::{Answer, Evaluation};
use crate::types;
use crate::values::{Content as There, Page, Place, Root, Shown, quote};

/// What can be opened.
#[derive(Clone)]
pub enum Opened {
    Place(Place),
    /// What the expression made.
    Made(Arc<Made<Place>>),
}

/// A part of what an expression made.
pub struct Part {
    pub name: String,
    /// The name as an expression goes on with it: `.Name`, `[3]`.
    pub access: String,
    pub shown: Shown,
    pub opened: Option<Opened>,
}

impl Opened {
    /// What an expression made has no layout in the program: which parts it has.
    pub fn kind(&self) -> Option<&'static str> {
        let Self::Made(made) = self else { return None };
        Some(match &made.content {
            Content::Items(_) => "sequence",
            Content::Entries(_) => "entries",
            Content::Group { .. } => "group",
            Content::Tuple(_) if made.has_members() => "members",
            Content::Tuple(_) => "tuple",
            _ => return None,
        })
    }
}

impl Evaluation<'_> {
    /// With its place, if it has one.
    pub fn show(&self, answer: &Answer) -> (Shown, Option<Opened>) {
        self.shown(&answer.value, Some(&answer.type_))
    }

    pub(super) fn shown(&self, value: &Value<Place>, declared: Option<&Type>) -> (Shown, Option<Opened>) {
        // what it is declared as, where that says more than the value does
        let nullable = declared.filter(|type_| type_.is_nullable());
        let name = |type_: &Type| type_text(nullable.unwrap_or(type_));
        let plain = |text: String, type_name: String| (Shown { text, type_name, ..Shown::default() }, None);
        match value {
            Value::Object(place) => {
                if let Some(units) = self.found_text(place) {
                    return plain(quote(&units), "string".into());
                }
                let mut shown = match place.read(self.stopped) {
                    Ok(value) => match (&place.root, value.content()) {
                        // nobody can ask for the number in a box that has no name
                        (Root::Kept(_), Ok(content @ There::Scalar(_))) => content.show(value.type_name()),
                        _ => place.declared_as(value.show(), self.stopped),
                    },
                    Err(error) => Shown { text: format!("<error: {error}>"), ..Shown::default() },
                };
                if let Some(nullable) = nullable {
                    shown.type_name = type_text(nullable);
                }
                if let Some(declared) = declared.map(Type::declaration).filter(|it| it.has_names())
                    && types::text(&declared.type_) == shown.type_name
                {
                    shown.type_name = declared.to_string();
                }
                // of code that is compiled once for all classes only the declaration says which they are
                if ["<?", ", ?", "(?"].iter().any(|open| shown.type_name.contains(open))
                    && let Some(declared) = declared
                    && is_of_one_definition(&types::text(&declared.sig()), &shown.type_name)
                {
                    if shown.text == format!("{{{}}}", shown.type_name) {
                        shown.text = format!("{{{}}}", types::text(&declared.sig()));
                    }
                    shown.type_name = type_text(declared);
                }
                (shown, Some(Opened::Place(place.clone())))
            }
            Value::Constant(Constant::Null) => {
                let type_ = declared.filter(|it| !matches!(it, Type::Null | Type::Late | Type::Untyped));
                plain("null".into(), type_.map_or_else(|| "object".into(), type_text))
            }
            Value::Constant(Constant::Text(units)) => plain(quote(units), "string".into()),
            Value::Constant(constant) => {
                let text = self.scalar_of(constant).map(|scalar| scalar.to_string()).unwrap_or_default();
                plain(text, name(&constant.type_()))
            }
            Value::Made(made) => {
                let count = match &made.content {
                    Content::Items(items) => Some(items.len()),
                    Content::Entries(entries) => Some(entries.len()),
                    _ => None,
                };
                let type_name = type_text(&self.shown_type(made, declared.unwrap_or(&made.type_)));
                let text = match count.filter(|_| type_name.ends_with(']')) {
                    Some(count) => array_text(&type_name, count),
                    None => made.content.as_position().unwrap_or_else(|| format!("{{{type_name}}}")),
                };
                let opens = count != Some(0)
                    && !matches!(
                        made.content,
                        Content::Lambda { .. } | Content::Type(_) | Content::Index { .. } | Content::Range { .. }
                    );
                let elements = count.map(|count| u32::try_from(count).unwrap_or(u32::MAX));
                (Shown { text, type_name, opens, elements, address: None }, Some(Opened::Made(made.clone())))
            }
            Value::Void => plain("null".into(), "void".into()),
        }
    }

    /// The text of a string that was found where it lies.
    fn found_text(&self, place: &Place) -> Option<Arc<[u16]>> {
        let object = place.object_in(self.stopped.era())?;
        let pid = self.stopped.target().pid;
        if self.stopped.homes.borrow().type_of(pid, object).is_none() {
            let value = place.read(self.stopped).ok()?;
            let type_ = Type::of(&value.signature().ok()?);
            self.stopped.homes.borrow_mut().add_type(self.stopped, place, &type_);
        }
        self.stopped.homes.borrow().text(pid, object)
    }

    fn shown_type(&self, made: &Made<Place>, declared: &Type) -> Type {
        let target = self.stopped.target();
        let own = made.type_as(declared);
        let Some(loaded) = target.take_types() else { return own.clone() };
        let shown = made.shown_type(own, &loaded.types);
        target.keep_types(loaded);
        shown
    }

    /// The elements or members of what an expression made, those of a page.
    pub fn parts(&self, made: &Made<Place>, page: Page) -> Vec<Part> {
        let part = |name: String, access: String, value: &Value<Place>, type_: Option<&Type>| {
            let (shown, opened) = self.shown(value, type_);
            Part { name, access, shown, opened }
        };
        let arguments = made.type_.arguments();
        match &made.content {
            Content::Items(items) => {
                let element = element_type(&made.type_);
                let items = items.iter().enumerate().skip(page.start).take(page.count);
                items.map(|(at, item)| part(format!("[{at}]"), format!("[{at}]"), item, element.as_ref())).collect()
            }
            Content::Tuple(items) => {
                // of a long tuple the eighth argument is the tuple of the rest
                let types = made.type_.elements().unwrap_or_else(|| arguments.iter().collect());
                let items = items.iter().enumerate().skip(page.start).take(page.count);
                let named = items.map(|(at, item)| (part_name(&made.type_, at), item, types.get(at).copied()));
                named.map(|(name, item, type_)| part(name.clone(), format!(".{name}"), item, type_)).collect()
            }
            Content::Entries(entries) => {
                let pair = Type::named(PAIR, arguments.to_vec());
                let entries = entries.iter().enumerate().skip(page.start).take(page.count);
                entries
                    .map(|(at, (key, value))| {
                        let entry = Value::made(pair.clone(), Content::Tuple(vec![key.clone(), value.clone()]));
                        part(format!("[{at}]"), format!("[{at}]"), &entry, None)
                    })
                    .collect()
            }
            Content::Group { key, items } => {
                let mut parts = vec![part("Key".into(), ".Key".into(), key, arguments.first())];
                let items = items.iter().enumerate();
                parts
                    .extend(items.map(|(at, item)| part(format!("[{at}]"), format!("[{at}]"), item, arguments.get(1))));
                parts.into_iter().skip(page.start).take(page.count).collect()
            }
            _ => Vec::new(),
        }
    }
}

/// `{int[2][]}`: of an array of arrays the first brackets are its own.
fn array_text(type_name: &str, count: usize) -> String {
    let mut element = type_name;
    while let Some((of, _)) = element.strip_suffix(']').and_then(|it| it.rsplit_once('[')) {
        element = of;
    }
    let others = type_name.get(element.len()..).and_then(|all| all.strip_prefix("[]")).unwrap_or_default();
    format!("{{{element}[{count}]{others}}}")
}

fn type_text(type_: &Type) -> String {
    if type_.is(clr_csharp::types::ANONYMOUS) || matches!(type_, Type::Late | Type::Untyped | Type::Null) {
        return if matches!(type_, Type::Named(_)) { type_.short() } else { "object".into() };
    }
    let declared = type_.declaration();
    if declared.has_names() { declared.to_string() } else { types::text(&declared.type_) }
}

/// Whether two names of types differ in their arguments alone: those of tuples are their elements.
fn is_of_one_definition(one: &str, other: &str) -> bool {
    let is_tuple = |name: &str| name.starts_with('(') || name.starts_with("System.ValueTuple<");
    is_tuple(one) && is_tuple(other) || types::without_arguments(one) == types::without_arguments(other)
}
