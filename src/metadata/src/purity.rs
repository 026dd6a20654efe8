//! Does a call change nothing that anybody else can see? Read off IL, so that a debugger may run it unasked.
//!
//! A method is pure when it writes only what it made itself (its locals, objects it has created, arguments that its caller owns), and
//! calls only pure methods: the program's own are followed to a bounded depth, a virtual one through all overrides that are known, and
//! those of the framework are pure by a table (`framework`). Whatever is not recognized is not pure, nor is recursion, which could
//! overflow the stack. Loops and throws are pure: who runs the call bounds its time and hears of the exception.
//!
//! What is not seen: a static initialiser is judged as if it ran again where nobody tells that it has begun ([`HasBegun`]), and the
//! table trusts the framework's own code. Types that the program emitted at runtime are in no file: see [`Purity::with_unknown_types`].

mod body;
mod callee;
mod dispatch;
mod exact;
mod framework;
mod held;
mod hierarchy;
mod initialisers;
mod quiet;
mod stack;
mod values;

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::assembly::Assembly;
use crate::names::parse_type;
use crate::signatures::{Primitive, TypeSig};
use crate::tokens::{MethodId, TypeId};
use crate::universe::TypeUniverse;
pub use exact::{ExactCall, HasBegun};
pub use held::{Held, comparer_fields, is_framework_comparer};
use hierarchy::Hierarchy;

/// Why a call is not known to be pure: a sentence without its full stop, `Order.Add writes the field Order._total`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, thiserror::Error)]
#[error("{0}")]
pub struct Impurity(pub String);

/// Pure, or why that is not known.
pub type Judged = Result<(), Impurity>;

/// Calls that are followed below the one that was asked about.
const MOST_DEPTH: usize = 16;
/// Methods that one question looks at.
const MOST_METHODS: usize = 500;

/// `None`: there is no such member. The first who asks judges, the others wait.
type JudgedOnce = Arc<OnceLock<Option<Judged>>>;

/// A method, which of its arguments its caller owns (bit 0 = the first, `this` of an instance method), whether the culture is known, and
/// whether what the method answers is judged by whoever goes on with it.
type Key = ([u8; 16], MethodId, u64, bool, bool);

/// Judges methods of a set of assemblies; remembers what it found. Keep one as long as the set stays the same.
pub struct Purity {
    universe: Arc<TypeUniverse>,
    known: Mutex<HashMap<Key, Judged>>,
    /// Type, member, whether it is static. A listing asks for the members of one type a hundred times, side by side.
    reads: Mutex<HashMap<(String, String, bool), JudgedOnce>>,
    hierarchy: OnceLock<Hierarchy>,
    /// Modules whose types nobody can read.
    unknown: Vec<String>,
}

/// Whether an assembly belongs to an installed runtime (`…/shared/Microsoft.NETCore.App/10.0.12/X.dll`).
pub fn is_framework(path: &Path) -> bool {
    let mut folders = path.components().rev().skip(2).filter_map(|component| component.as_os_str().to_str());
    let framework = folders.next().is_some_and(|name| name.starts_with("Microsoft."));
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or("");
    (framework && folders.next() == Some("shared")) || name == "System.Private.CoreLib.dll"
}

impl Purity {
    /// What [`is_framework`] says of an assembly decides whether it is judged by the table or by its IL.
    pub fn new(universe: Arc<TypeUniverse>) -> Self {
        let (known, reads, hierarchy) = Default::default();
        Self { universe, known, reads, hierarchy, unknown: Vec::new() }
    }

    /// Modules that are loaded and have no file, as those that a program emits: their types may override whatever is not sealed.
    #[must_use]
    pub fn with_unknown_types(mut self, modules: Vec<String>) -> Self {
        self.unknown = modules;
        self
    }

    /// Whether running that very method, from outside, changes nothing.
    ///
    /// # Errors
    /// Names the first effect that was found.
    pub fn method(&self, assembly: &Arc<Assembly>, method: MethodId) -> Judged {
        let mut question = self.question();
        question.first_use(assembly, method)?;
        question.own(assembly, method, 0)
    }

    /// Whether `name` may be called on an object that is exactly of this type (as text, C#'s or metadata's), with arguments of these
    /// types (`None` = not known); of several overloads, whichever is chosen. `None`: nothing is known of such a method.
    pub fn call(&self, type_text: &str, name: &str, arguments: &[Option<TypeSig>]) -> Option<Judged> {
        self.question().member(type_text, name, arguments, false)
    }

    /// As [`Self::call`], of an object that somebody has looked at: what it does not hold it does not call.
    pub fn call_on(&self, type_text: &str, name: &str, arguments: &[Option<TypeSig>], held: Held) -> Option<Judged> {
        Question { held, ..self.question() }.member(type_text, name, arguments, false)
    }

    /// As [`Self::static_call`], in a culture that is the framework's, where `held` says so.
    pub fn static_call_in(
        &self,
        type_text: &str,
        name: &str,
        arguments: &[Option<TypeSig>],
        held: Held,
    ) -> Option<Judged> {
        Question { held, ..self.question() }.member(type_text, name, arguments, true)
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

    /// Whether a static method may be called of which only the name is known: all of that name are looked at. A property is asked for
    /// by its getter.
    pub fn any_static_call(&self, name: &str, arguments: usize) -> Option<Judged> {
        let mut judged = None;
        for (assembly, id) in self.hierarchy().types() {
            for method in assembly.type_(*id).methods() {
                let view = assembly.method(method);
                let fits = || view.signature().is_some_and(|it| !it.has_this && it.parameters.len() == arguments);
                if view.name() == name && fits() {
                    let this = self.method(assembly, method);
                    if this.is_err() {
                        return Some(this);
                    }
                    judged = Some(this);
                }
            }
        }
        judged
    }

    /// Whether a type of the program below this one declares a member of that name anew, or implements it for this interface alone.
    pub fn is_hidden_below(&self, full_name: &str, member: &str) -> bool {
        let below = self.hierarchy().below(full_name).unwrap_or_default().into_iter();
        let names = below.map(|(assembly, id)| assembly.type_(id).full_name());
        let mut names = names.filter(|name| crate::names::index_key(name) != crate::names::index_key(full_name));
        names.any(|name| self.universe.hides(&name, full_name, member))
    }

    /// Whether any type of the program has a method of that name.
    pub fn has_method(&self, name: &str) -> bool {
        self.has_method_with(&|method| method == name)
    }

    /// The same of local functions: `<Outer>g__Inner|0_0`.
    pub fn has_local_function(&self, name: &str) -> bool {
        let part = format!(">g__{name}|");
        self.has_method_with(&|method| method.contains(&part))
    }

    fn has_method_with(&self, is_it: &dyn Fn(&str) -> bool) -> bool {
        let has = |(assembly, id): &(Arc<Assembly>, TypeId)| {
            assembly.type_(*id).methods().any(|method| is_it(assembly.method(method).name()))
        };
        self.hierarchy().types().iter().any(has)
    }

    /// Whether no type of the program is known, so that what is not found may well be there.
    pub fn is_blind(&self) -> bool {
        self.hierarchy().types().is_empty()
    }

    /// Full names of the types that a text can mean: by its full name, else by the last part of it.
    pub fn types_named(&self, text: &str) -> Vec<String> {
        if let Some(primitive) = Primitive::from_name(text) {
            return vec![primitive.full_name().to_owned()];
        }
        if text == "decimal" {
            return vec!["System.Decimal".to_owned()];
        }
        if let Some((assembly, id)) = self.universe.find_type(text) {
            return vec![assembly.type_(id).full_name()];
        }
        let full = [text.to_owned(), format!("System.{text}")];
        let known = full.into_iter().filter(|name| framework::is_known(name));
        let own = self.hierarchy().types().iter().map(|(assembly, id)| assembly.type_(*id).full_name());
        let ends = |name: &String| {
            let key = crate::names::index_key(name);
            key == text || key.strip_suffix(text).is_some_and(|rest| rest.ends_with('.'))
        };
        known.chain(own.filter(ends)).collect()
    }

    /// Whether a type of the program has a static field of that name.
    pub fn is_static_field(&self, name: &str) -> bool {
        let has = |(assembly, id): &(Arc<Assembly>, TypeId)| {
            assembly.type_(*id).fields().iter().any(|field| field.is_static && field.name == name)
        };
        self.hierarchy().types().iter().any(has)
    }

    fn question(&self) -> Question<'_> {
        let (path, open_values, held) = Default::default();
        Question {
            purity: self,
            path,
            open_values,
            looked_at: 0,
            held,
            goes_on: false,
            has_begun: None,
            is_passing: false,
        }
    }

    fn remembered(&self, key: &Key) -> Option<Judged> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).get(key).cloned()
    }

    fn remember(&self, key: Key, judged: Judged) {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).insert(key, judged);
    }

    fn hierarchy(&self) -> &Hierarchy {
        self.hierarchy.get_or_init(|| Hierarchy::of(&self.universe))
    }
}

impl std::fmt::Debug for Purity {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Purity").finish_non_exhaustive()
    }
}

/// A type of the program, or the first one of the framework behind it.
enum Link {
    Own(Arc<Assembly>, TypeId),
    Framework(TypeSig),
}

/// One question, and the way down to what it looks at now.
struct Question<'a> {
    purity: &'a Purity,
    path: Vec<Key>,
    /// Value types whose fields are being looked at.
    open_values: Vec<String>,
    looked_at: usize,
    /// The comparer is that of the call that was asked about, the culture everybody's.
    held: Held,
    /// Whoever asked goes on with what the method answers, and asks again for what it calls of that.
    goes_on: bool,
    /// `None`: of no initialiser it is known.
    has_begun: Option<&'a mut HasBegun<'a>>,
    /// What is being refused may be found pure another time.
    is_passing: bool,
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
                Link::Own(assembly, type_id) => {
                    for method in assembly.type_(type_id).methods() {
                        let view = assembly.method(method);
                        let Some(signature) = view.signature().filter(|_| view.name() == name) else { continue };
                        let fits = signature.parameters.len() == arguments.len() && signature.has_this != is_static;
                        if !fits || overridden.contains(&signature.parameters) {
                            continue;
                        }
                        let this = self.first_use(&assembly, method).and_then(|()| self.own(&assembly, method, 0));
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
                    let type_ = self.listing(&type_, name)?;
                    let values: Vec<values::Value> = arguments.iter().map(values::Value::of_argument).collect();
                    if Question::framework_writes(&type_, name) {
                        let type_ = short(type_.full_name().unwrap_or_default()).to_owned();
                        return Some(Err(Impurity(format!("{type_}.{} changes its object", shown(name)))));
                    }
                    return Some(self.framework_call(&type_, name, &receiver, &values, is_static));
                }
            }
        }
        judged
    }

    /// The type of the framework, or the base of it, that has the method in the table; that of arrays is `System.Array`.
    fn listing(&self, type_: &TypeSig, name: &str) -> Option<TypeSig> {
        if let TypeSig::Array(_) | TypeSig::MultiArray { .. } = type_ {
            return self.listing(&framework::named("System.Array"), name);
        }
        let full_name = type_.full_name()?;
        if framework::lists(full_name, name) {
            return Some(type_.clone());
        }
        let mut bases = self.purity.universe.base_chain(full_name);
        if bases.is_empty() && full_name.ends_with("Exception") {
            bases.push("System.Exception".into());
        }
        bases.push("System.Object".into());
        bases.into_iter().find(|base| framework::lists(base, name)).map(|base| framework::named(&base))
    }

    fn read(&mut self, type_text: &str, name: &str, is_static: bool) -> Option<Judged> {
        let receiver = parse_type(type_text)?;
        for link in self.own_chain(&receiver) {
            match link {
                Link::Own(assembly, id) => {
                    let view = assembly.type_(id);
                    if let Some(field) = view.fields().iter().find(|field| field.name == name) {
                        // of literals too: netcoredbg and dncdbg initialise the type before they look (tried, 2026-11-22)
                        return Some(if field.is_static { self.initialiser(&assembly, id, true) } else { Ok(()) });
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

    /// Whether the method that is being looked at is the one that was asked about, and whoever asked goes on with what it answers.
    fn is_followed(&self) -> bool {
        self.goes_on && self.path.len() == 1
    }

    /// A method of the program by its IL. What calls itself could overflow the stack, which ends the program.
    fn own(&mut self, assembly: &Arc<Assembly>, method: MethodId, owned: u64) -> Judged {
        let called = || name_of(assembly, method);
        let Some(mvid) = assembly.mvid() else {
            return Err(Impurity(format!("the assembly of {} has no id", called())));
        };
        let goes_on = self.goes_on && self.path.is_empty();
        let key = (mvid, method, owned, self.held.framework_culture, goes_on);
        if let Some(judged) = self.purity.remembered(&key) {
            return judged;
        }
        if self.path.iter().any(|(open, calling, ..)| *open == mvid && *calling == method) {
            return Err(Impurity(format!("{} calls itself, which may overflow the stack", called())));
        }
        self.looked_at += 1;
        if self.path.len() >= MOST_DEPTH || self.looked_at > MOST_METHODS {
            self.is_passing = true;
            return Err(Impurity(format!("{} is too deep in the call tree to analyze", called())));
        }
        self.path.push(key);
        let judged = body::judge(self, assembly, method, owned);
        self.path.pop();
        if judged.is_ok() || !self.is_passing {
            self.purity.remember(key, judged.clone());
        }
        judged
    }

    /// The types whose methods an object of that type has, from the most derived on.
    fn own_chain(&self, type_: &TypeSig) -> Vec<Link> {
        let mut chain = Vec::new();
        let mut next = Some(type_.clone());
        while let Some(type_) = next.take() {
            let found = type_.full_name().and_then(|name| self.purity.universe.find_type(name));
            match found.filter(|(assembly, _)| !is_framework(assembly.path())) {
                Some((assembly, id)) if chain.len() < 64 => {
                    next = assembly.type_(id).base().map(TypeSig::Named);
                    chain.push(Link::Own(assembly, id));
                }
                _ => chain.push(Link::Framework(type_)),
            }
        }
        chain
    }
}

/// `Order.Add`
fn name_of(assembly: &Assembly, method: MethodId) -> String {
    let view = assembly.method(method);
    match view.declaring_type() {
        Some(type_) if view.name() == ".cctor" => format!("the static initialiser of {}", type_.short_name()),
        Some(type_) if view.name() == ".ctor" => format!("the constructor of {}", type_.short_name()),
        Some(type_) => format!("{}.{}", type_.short_name(), shown(view.name())),
        None => view.name().to_owned(),
    }
}

/// A getter by its property.
pub(crate) fn shown(method: &str) -> &str {
    match method {
        ".ctor" => "constructor",
        name => name.strip_prefix("get_").unwrap_or(name),
    }
}

/// A type's last name, without arguments.
fn short(type_text: &str) -> &str {
    let bare = type_text.split(['<', '`', '[']).next().unwrap_or(type_text);
    bare.rsplit(['.', '+']).next().unwrap_or(bare)
}
