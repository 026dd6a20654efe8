//! How the value of an expression is shown, and what it opens to.

use std::sync::Arc;

use clr_csharp::types::Type;
use clr_csharp::value::{Constant, Content, Made, Value};

use super::{Answer, Evaluation};
use crate::types;
use crate::values::{Place, Shown, quote};

/// Its elements are not of its last type argument.
const LOOKUP: &str = "System.Linq.ILookup`2";
const PAIR: &str = "System.Collections.Generic.KeyValuePair`2";

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
            Content::Tuple(_) if made.type_.is(clr_csharp::types::ANONYMOUS) || made.type_.is(PAIR) => "members",
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

    fn shown(&self, value: &Value<Place>, declared: Option<&Type>) -> (Shown, Option<Opened>) {
        // what it is declared as, where that says more than the value does
        let nullable = declared.filter(|type_| type_.is_nullable());
        let name = |type_: &Type| types::text(&nullable.unwrap_or(type_).sig());
        let plain = |text: String, type_name: String| (Shown { text, type_name, ..Shown::default() }, None);
        match value {
            Value::Object(place) => {
                let mut shown = match place.read(self.stopped) {
                    Ok(value) => value.show(),
                    Err(error) => Shown { text: format!("<error: {error}>"), ..Shown::default() },
                };
                if let Some(nullable) = nullable {
                    shown.type_name = types::text(&nullable.sig());
                }
                // of code that is compiled once for all classes only the declaration says which they are
                if ["<?", ", ?"].iter().any(|open| shown.type_name.contains(open))
                    && let Some(declared) = declared.map(|declared| types::text(&declared.sig()))
                    && without_arguments(&declared) == without_arguments(&shown.type_name)
                {
                    shown.type_name = declared;
                }
                (shown, Some(Opened::Place(place.clone())))
            }
            Value::Constant(Constant::Null) => {
                let type_ = declared.filter(|it| !matches!(it, Type::Null | Type::Late | Type::Untyped));
                plain("null".into(), type_.map_or_else(|| "object".into(), |type_| types::text(&type_.sig())))
            }
            Value::Constant(Constant::Text(units)) => plain(quote(units), "string".into()),
            Value::Constant(constant) => {
                let type_ = match constant {
                    Constant::Enum(type_, _) => type_.clone(),
                    Constant::Scalar(scalar) => scalar.type_(),
                    Constant::Null | Constant::Text(_) => Type::OBJECT,
                };
                let text = self.scalar_of(constant).map(|scalar| scalar.to_string()).unwrap_or_default();
                plain(text, name(&type_))
            }
            Value::Made(made) => {
                let count = match &made.content {
                    Content::Items(items) => Some(items.len()),
                    Content::Entries(entries) => Some(entries.len()),
                    _ => None,
                };
                // sequences are shown as what holds them here
                let loaded = self.stopped.target().take_types();
                let is_sequence = matches!(made.content, Content::Items(_))
                    && loaded.as_ref().is_some_and(|loaded| loaded.types.is_interface(&made.type_))
                    && !made.type_.is(LOOKUP);
                loaded.into_iter().for_each(|loaded| self.stopped.target().keep_types(loaded));
                let type_name = if is_sequence { array_name(&made.type_) } else { type_text(&made.type_) };
                let text = match count.filter(|_| type_name.ends_with(']')) {
                    Some(count) => array_text(&type_name, count),
                    None => format!("{{{type_name}}}"),
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

    /// The elements or members of what an expression made.
    pub fn parts(&self, made: &Made<Place>) -> Vec<Part> {
        let part = |name: String, access: String, value: &Value<Place>, type_: Option<&Type>| {
            let (shown, opened) = self.shown(value, type_);
            Part { name, access, shown, opened }
        };
        let arguments = made.type_.arguments();
        match &made.content {
            Content::Items(items) => {
                let element = element_type(&made.type_);
                let items = items.iter().enumerate();
                items.map(|(at, item)| part(format!("[{at}]"), format!("[{at}]"), item, element.as_ref())).collect()
            }
            Content::Tuple(items) => {
                let names = made.type_.element_names();
                let is_pair = made.type_.is(PAIR);
                let items = items.iter().enumerate();
                items
                    .map(|(at, item)| {
                        let own =
                            names.get(at).cloned().flatten().filter(|_| made.type_.is(clr_csharp::types::ANONYMOUS));
                        let name = match (own, is_pair, at) {
                            (Some(name), ..) => name,
                            (None, true, 0) => "Key".into(),
                            (None, true, _) => "Value".into(),
                            (None, false, _) => format!("Item{}", at + 1),
                        };
                        part(name.clone(), format!(".{name}"), item, arguments.get(at))
                    })
                    .collect()
            }
            Content::Entries(entries) => {
                let pair = Type::named(PAIR, arguments.to_vec());
                let entries = entries.iter().enumerate();
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
                parts
            }
            _ => Vec::new(),
        }
    }
}

/// `Dictionary.Enumerator` of `Dictionary<string, int>.Enumerator`.
fn without_arguments(type_name: &str) -> String {
    let mut depth = 0_u32;
    let mut name = String::new();
    for c in type_name.chars() {
        match c {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            c if depth == 0 => name.push(c),
            _ => {}
        }
    }
    name
}

fn element_type(type_: &Type) -> Option<Type> {
    match type_ {
        Type::Array { of, .. } => Some((**of).clone()),
        other => other.arguments().last().cloned(),
    }
}

fn array_name(type_: &Type) -> String {
    let element = element_type(type_).unwrap_or(Type::OBJECT);
    format!("{}[]", type_text(&element))
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
    types::text(&type_.sig())
}
