//! Does a call change nothing that anybody else can see? Read off IL, so that a debugger may run it unasked.
//!
//! A method is pure when it writes only what it made itself (its locals, objects it has created, arguments that its caller owns), and
//! calls only pure methods: the program's own are followed to a bounded depth, a virtual one through all overrides that are known, and
//! those of the framework are pure by a table (`framework`). Whatever is not recognized is not pure, nor is recursion, which could
//! overflow the stack. Loops and throws are pure: whoever runs the call limits its time and gets the exception.
//!
//! What is not seen: a static initializer is judged as if it ran again where nothing shows that it has begun ([`Observer::has_begun`]), and the
//! table trusts the framework's own code. Handlers of `AppDomain.FirstChanceException` see what a call throws, whichever they are: most
//! programs that have one have it for their logs, and nothing could be evaluated in them. Types that the program emitted at runtime are in no file: see [`Purity::with_unknown_types`].

mod behind;
mod body;
mod by_name;
mod called_back;
mod callee;
mod collections;
mod compared;
mod cultural;
mod dispatch;
mod elements;
mod exact;
mod framework;
mod given;
mod held;
mod hierarchy;
mod hooks;
mod initializers;
mod instance;
mod iterators;
mod observed;
mod overrides;
mod own_fields;
mod program;
mod quiet;
mod stack;
mod telling;
mod timeless;
mod values;
mod written;

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::assembly::Assembly;
use crate::names::describe;
use crate::signatures::TypeSig;
use crate::tokens::{FieldId, MethodId, TypeId};
use crate::universe::TypeUniverse;
pub use exact::ExactCall;
pub use held::{Held, comparer_fields, is_framework_comparer};
use hierarchy::Hierarchy;
pub use hooks::told_field;
use instance::Instance;
use iterators::Hoisted;
pub use observed::{Content, Observer};
use values::Value;

/// Why a call is not known to be pure: a sentence without its full stop, `Order.Add writes the field Order._total`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, thiserror::Error)]
#[error("{0}")]
pub struct Impurity(pub String);

/// Pure, or why that is not known.
pub type Judged = Result<(), Impurity>;

/// Pure, and what is known of what the method answers.
type Answered = Result<Value, Impurity>;

/// Calls that are followed below the one that was asked about.
const MOST_DEPTH: usize = 16;
/// Methods that one question looks at.
const MOST_METHODS: usize = 500;

/// `None`: there is no such member. The first who asks judges, the others wait.
type JudgedOnce = Arc<OnceLock<Option<Judged>>>;

/// What was judged.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Key {
    module: [u8; 16],
    method: MethodId,
    /// Which of its arguments its caller owns: bit 0 = the first, `this` of an instance method.
    owned: u64,
    instance: Instance,
    /// Whether the culture is known.
    framework_culture: bool,
    /// Whether what the method answers is judged by whoever goes on with it.
    goes_on: bool,
    /// Whether a static initializer runs it.
    is_initializing: bool,
}

/// Judges methods of a set of assemblies; remembers what it found. Keep one as long as the set stays the same.
pub struct Purity {
    universe: Arc<TypeUniverse>,
    known: Mutex<HashMap<Key, Answered>>,
    /// Type, member, whether it is static. A listing asks for the members of one type a hundred times, side by side.
    reads: Mutex<HashMap<(String, String, bool), JudgedOnce>>,
    /// Fields that keep what their object made for itself.
    own_fields: Mutex<HashMap<([u8; 16], FieldId), bool>>,
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
        let (known, reads, own_fields, hierarchy) = Default::default();
        Self { universe, known, reads, own_fields, hierarchy, unknown: Vec::new() }
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
        question.first_use(assembly, method, None)?;
        question.own(assembly, method, 0)
    }

    fn question(&self) -> Question<'_> {
        let (path, open_values, held, of_objects, hoisted) = Default::default();
        Question {
            purity: self,
            path,
            open_values,
            looked_at: 0,
            held,
            is_initializing: false,
            goes_on: false,
            observer: None,
            of_objects,
            hoisted,
            is_passing: false,
            begun: None,
            is_hopeful: false,
            supposes_begun: false,
            asks: quiet::CALLED_BACK,
        }
    }

    fn remembered(&self, key: &Key) -> Option<Answered> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).get(key).cloned()
    }

    fn remember(&self, key: Key, judged: Answered) {
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

/// A type of the program with its arguments, or the first one of the framework behind it.
enum Link {
    Own(Arc<Assembly>, TypeId, Vec<TypeSig>),
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
    /// `None`: nothing is known of the stopped program.
    observer: Option<&'a mut (dyn Observer + 'a)>,
    /// What was judged by what objects hold, which holds for this question alone.
    of_objects: HashMap<Key, Answered>,
    hoisted: Hoisted,
    /// What is being refused may be found pure another time.
    is_passing: bool,
    /// Where in the path the outermost initializer stands that what is being looked at finds begun.
    begun: Option<usize>,
    /// Asks for one way through the code that changes nothing, whatever the others do.
    is_hopeful: bool,
    /// Takes every static initializer for one that has begun.
    supposes_begun: bool,
    /// A static initializer runs what is being looked at.
    is_initializing: bool,
    /// What the framework's method that is being looked at asks of objects.
    asks: &'static [&'static str],
}

impl Question<'_> {
    /// Whether the method that is being looked at is the one that was asked about, and whoever asked goes on with what it answers.
    fn is_followed(&self) -> bool {
        self.goes_on && self.path.len() == 1
    }

    /// A method of the program by its IL, whatever it is called with.
    fn own(&mut self, assembly: &Arc<Assembly>, method: MethodId, owned: u64) -> Judged {
        self.instance(assembly, method, owned, Instance::default()).map(drop)
    }

    /// The same where more is known of the call. What calls itself with the same could overflow the stack, which ends the program.
    fn instance(&mut self, assembly: &Arc<Assembly>, method: MethodId, owned: u64, instance: Instance) -> Answered {
        let called = || name_of(assembly, method);
        let Some(module) = assembly.mvid() else {
            return Err(Impurity(format!("the assembly of {} has no module version id", called())));
        };
        let goes_on = self.goes_on && self.path.is_empty();
        let is_of_objects = instance.is_of_objects();
        let (framework_culture, is_initializing) = (self.held.framework_culture, self.is_initializing);
        let key = Key { module, method, owned, instance, framework_culture, goes_on, is_initializing };
        // of what an iterator keeps more may be known later
        let is_kept = !self.steps(assembly, &key)?;
        let known = match is_of_objects {
            _ if self.is_hopeful => None,
            _ if !is_kept => self.hoisted.judged(&key),
            true => self.of_objects.get(&key).cloned(),
            false => self.purity.remembered(&key),
        };
        if let Some(judged) = known {
            return judged;
        }
        let is_same = |open: &Key| {
            open.module == module && open.method == method && open.instance.contents == key.instance.contents
        };
        if self.path.iter().any(is_same) {
            return Err(Impurity(format!("{} may call itself, which could overflow the stack", called())));
        }
        self.looked_at += 1;
        if self.path.len() >= MOST_DEPTH || self.looked_at > MOST_METHODS {
            self.is_passing = true;
            return Err(Impurity(format!("{} is too deep in the call tree to analyze", called())));
        }
        self.path.push(key.clone());
        let asks = std::mem::replace(&mut self.asks, quiet::CALLED_BACK);
        let judged = body::judge(self, assembly, &key);
        self.asks = asks;
        self.path.pop();
        // outside of the initializer it may run it
        match self.begun {
            Some(at) if at < self.path.len() => return judged,
            Some(at) if at == self.path.len() => self.begun = None,
            _ => {}
        }
        if self.is_hopeful || self.supposes_begun {
            return judged;
        }
        if !is_kept {
            self.hoisted.keep(key, &judged);
            return judged;
        }
        if is_of_objects {
            self.of_objects.insert(key, judged.clone());
        } else if judged.is_ok() || !self.is_passing {
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
                    let arguments = values::name(&type_).map(|named| named.arguments.clone()).unwrap_or_default();
                    next = assembly.type_(id).base().map(|base| TypeSig::Named(base).substitute(&arguments, &[]));
                    chain.push(Link::Own(assembly, id, arguments));
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
        Some(type_) if view.name() == ".cctor" => format!("the static initializer of {}", type_.short_name()),
        Some(type_) if view.name() == ".ctor" => format!("the constructor of {}", type_.short_name()),
        // what the compiler made is known by the method that it stands in
        Some(type_) if view.name().starts_with('<') || type_.name().starts_with('<') => {
            let described = describe(&format!("{}.{}", type_.full_name().replace('+', "."), view.name()));
            match described.kind.as_str() {
                "" | "local function" => described.function,
                kind => format!("{} {kind}", described.function),
            }
        }
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
