//! Iterators of the program: what the compiler makes of a method with `yield` is a class of which each call makes an object. Whoever
//! made one may go through it: what it writes is its own.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::values::{Kind, Value};
use super::{Answered, Impurity, Instance, Judged, Key, Question};
use crate::assembly::Assembly;
use crate::names::is_state_machine;
use crate::signatures::TypeSig;
use crate::tokens::{MethodId, TypeId};

/// A field of an iterator's class in which it keeps something from step to step.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Hoist {
    pub module: [u8; 16],
    pub owner: TypeId,
    pub name: String,
}

/// What iterators keep between two steps in fields that nobody else writes: what all code that was looked at stores there.
#[derive(Debug, Default)]
pub(super) struct Hoisted {
    fields: HashMap<Hoist, Value>,
    /// Counts what was learned.
    pub version: usize,
    /// Methods of iterators, with the version by which they were judged.
    judged: HashMap<Key, (usize, Answered)>,
    /// Whose steps were looked at.
    stepped: HashSet<([u8; 16], TypeId)>,
}

impl Hoisted {
    /// As long as nothing more was learned.
    pub(super) fn judged(&self, key: &Key) -> Option<Answered> {
        self.judged.get(key).filter(|(version, _)| *version == self.version).map(|(_, judged)| judged.clone())
    }

    pub(super) fn keep(&mut self, key: Key, judged: &Answered) {
        self.judged.insert(key, (self.version, judged.clone()));
    }

    /// Before anything is stored there it is null.
    pub(super) fn load(&self, field: &Hoist) -> Value {
        self.fields.get(field).cloned().unwrap_or_else(Value::null)
    }

    pub(super) fn store(&mut self, field: Hoist, declared: &TypeSig, value: &Value) {
        let known = self.load(&field);
        let mut joined = known.join(value);
        if joined.kind == Kind::Unknown {
            joined.kind = Kind::Of(declared.clone());
        }
        if joined != known {
            self.version += 1;
            self.fields.insert(field, joined);
        }
    }
}

/// Whether a type is such a class, by its name, which no source can give: `<Ancestors>d__3`.
pub(super) fn is_iterator(full_name: &str) -> bool {
    is_state_machine(full_name)
}

impl Question<'_> {
    /// Whether going through an iterator that was made here changes nothing.
    pub(super) fn iterated(&mut self, type_: &TypeSig) -> Judged {
        match self.asked_of_own(type_, "GetEnumerator")? {
            Some(enumerator) if enumerator.owned && enumerator.is_exact => Ok(()),
            _ => Err(Impurity("a sequence that the expression did not create may run arbitrary code".into())),
        }
    }

    /// The same of its enumerator.
    pub(super) fn stepped(&mut self, type_: &TypeSig) -> Judged {
        for name in ["MoveNext", "get_Current", "Dispose"] {
            if self.asked_of_own(type_, name)?.is_none() {
                return Err(Impurity("an enumerator may run arbitrary code".into()));
            }
        }
        Ok(())
    }

    /// A method without parameters of an object that was made here.
    fn asked_of_own(&mut self, type_: &TypeSig, name: &str) -> Result<Option<Value>, Impurity> {
        let found = self.own_implementations(type_, name, 0);
        if found.beyond.is_some() {
            return Ok(None);
        }
        let own = found.own.into_iter().map(|(assembly, method, of_type)| {
            let instance = Instance::new(&of_type, &[], Some(type_));
            (assembly, method, instance)
        });
        self.all_of(own.collect(), 1)
    }

    /// One of these runs: what is known of the answer, whichever it is.
    pub(super) fn all_of(
        &mut self,
        found: Vec<(Arc<Assembly>, MethodId, Instance)>,
        owned: u64,
    ) -> Result<Option<Value>, Impurity> {
        let mut answer: Option<Value> = None;
        for (assembly, method, instance) in found {
            let one = self.instance(&assembly, method, owned, instance)?;
            answer = Some(answer.map_or_else(|| one.clone(), |known| known.join(&one)));
        }
        Ok(answer)
    }

    /// Whether a method is one of an iterator that was made here. Before any other the one is looked at that stores what they find.
    pub(super) fn steps(&mut self, assembly: &Arc<Assembly>, key: &Key) -> Result<bool, Impurity> {
        let view = assembly.method(key.method);
        let Some(type_) = view.declaring_type().filter(|type_| is_iterator(&type_.full_name())) else {
            return Ok(false);
        };
        if key.owned & 1 == 0 || !view.signature().is_some_and(|signature| signature.has_this) || view.name() == ".ctor"
        {
            return Ok(false);
        }
        let is_first = self.hoisted.stepped.insert((key.module, type_.id()));
        let move_next = type_.methods().find(|&method| assembly.method(method).name() == "MoveNext");
        if let Some(move_next) = move_next.filter(|&method| is_first && method != key.method) {
            self.instance(assembly, move_next, 1, Instance { contents: Vec::new(), ..key.instance.clone() })?;
        }
        Ok(true)
    }

    /// The type, where an object of it is of no other: its class is sealed.
    pub(super) fn is_sealed_class(&self, assembly: &Arc<Assembly>, type_: &TypeSig) -> bool {
        const SEALED: u32 = 0x100;
        let found = type_.full_name().and_then(|name| self.own_type(assembly, name));
        found.is_some_and(|(assembly, id)| {
            let view = assembly.type_(id);
            view.flags() & SEALED != 0 && !view.is_value_type() && !view.is_delegate()
        })
    }
}
