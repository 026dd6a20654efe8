//! Questions by the names of types and members, as a debugger that only prints them has them.

use std::sync::{Arc, PoisonError};

use super::dispatch::Receiver;
use super::framework::lists;
use super::{Impurity, Judged, Link, Purity, Question, short, shown, values};
use crate::assembly::Assembly;
use crate::names::parse_type;
use crate::signatures::TypeSig;
use crate::tokens::TypeId;

impl Purity {
    /// Whether `name` may be called on an object that is exactly of this type (as text, C#'s or metadata's), with arguments of these
    /// types (`None` = not known); of several overloads, whichever is chosen. `None`: nothing is known of such a method.
    pub fn call(&self, type_text: &str, name: &str, arguments: &[Option<TypeSig>]) -> Option<Judged> {
        self.question().member(type_text, name, arguments, false)
    }

    /// As [`Self::call`], for static methods of a type.
    pub fn static_call(&self, type_text: &str, name: &str, arguments: &[Option<TypeSig>]) -> Option<Judged> {
        self.question().member(type_text, name, arguments, true)
    }

    /// Whether a field or property of an object may be read.
    pub fn read(&self, type_text: &str, name: &str) -> Option<Judged> {
        self.read_once(type_text, name, false)
    }

    /// As [`Self::read`], for static ones.
    pub fn static_read(&self, type_text: &str, name: &str) -> Option<Judged> {
        self.read_once(type_text, name, true)
    }

    fn read_once(&self, type_text: &str, name: &str, is_static: bool) -> Option<Judged> {
        let mut reads = self.reads.lock().unwrap_or_else(PoisonError::into_inner);
        let read = reads.entry((type_text.to_owned(), name.to_owned(), is_static)).or_default().clone();
        drop(reads);
        read.get_or_init(|| self.question().read(type_text, name, is_static)).clone()
    }

    /// Whether all static members of a type may be read.
    pub fn statics_are_pure(&self, type_text: &str) -> bool {
        let members = self.universe.static_members(type_text);
        members.iter().all(|member| self.static_read(type_text, &member.name).is_some_and(|judged| judged.is_ok()))
    }
}

impl Question<'_> {
    fn member(
        &mut self,
        type_text: &str,
        name: &str,
        arguments: &[Option<TypeSig>],
        is_static: bool,
    ) -> Option<Judged> {
        let receiver = parse_type(type_text)?;
        let mut judged = None;
        let mut overridden: Vec<Vec<TypeSig>> = Vec::new();
        for link in self.own_chain(&receiver) {
            match link {
                Link::Own(assembly, type_id, _) => {
                    for method in assembly.type_(type_id).methods() {
                        let view = assembly.method(method);
                        let Some(signature) = view.signature().filter(|_| view.name() == name) else { continue };
                        let fits = signature.parameters.len() == arguments.len() && signature.has_this != is_static;
                        if !fits || overridden.contains(&signature.parameters) {
                            continue;
                        }
                        let this =
                            self.first_use(&assembly, method, None).and_then(|()| self.own(&assembly, method, 0));
                        if this.is_err() {
                            return Some(this);
                        }
                        judged = Some(this);
                        if view.is_virtual() {
                            overridden.push(signature.parameters);
                        }
                    }
                }
                // what the program overrides or declares itself comes first
                Link::Framework(_) if judged.is_some() => break,
                Link::Framework(type_) => {
                    let type_ = match is_static {
                        true => lists(type_.full_name()?, name).then_some(type_)?,
                        false => self.listing(&type_, name)?,
                    };
                    let values: Vec<values::Value> = arguments.iter().map(values::Value::of_argument).collect();
                    if Question::framework_writes(&type_, name) {
                        let type_ = short(type_.full_name().unwrap_or_default()).to_owned();
                        return Some(Err(Impurity(format!(
                            "{type_}.{} changes the object it is called on",
                            shown(name)
                        ))));
                    }
                    let receiver = Receiver { type_: &receiver, is_exact: true, keeps_elements: false, held: None };
                    return Some(self.framework_call(&type_, name, receiver, &values, is_static));
                }
            }
        }
        judged
    }

    fn read(&mut self, type_text: &str, name: &str, is_static: bool) -> Option<Judged> {
        let receiver = parse_type(type_text)?;
        for link in self.own_chain(&receiver) {
            match link {
                Link::Own(assembly, id, _) => {
                    let view = assembly.type_(id);
                    if let Some(field) = view.fields().iter().find(|field| field.name == name) {
                        // of literals too: netcoredbg and dncdbg initialize the type before they look (tried, 2026-11-22)
                        return Some(if field.is_static {
                            self.initializer(&assembly, (id, None), true)
                        } else {
                            Ok(())
                        });
                    }
                    if view.properties().iter().any(|property| property.name == name) {
                        break;
                    }
                }
                Link::Framework(type_) => {
                    // of the framework's fields no list is kept: those of objects load, whichever they are, and constants are read
                    // from the metadata
                    let universe = &self.purity.universe;
                    let is_field = |(assembly, id): (Arc<Assembly>, TypeId)| {
                        let mut fields = assembly.type_(id).fields().into_iter();
                        fields.any(|field| {
                            field.name == name && field.is_static == is_static && (!is_static || field.is_literal)
                        })
                    };
                    let full_name = type_.full_name().unwrap_or_default();
                    let bases = universe.base_chain(full_name);
                    let mut chain = std::iter::once(full_name).chain(bases.iter().map(String::as_str));
                    if chain.any(|name| universe.find_type(name).is_some_and(is_field)) {
                        return Some(Ok(()));
                    }
                }
            }
        }
        self.member(type_text, &format!("get_{name}"), &[], is_static)
    }
}
