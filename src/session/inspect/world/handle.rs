//! Values of the program, by what an adapter finds them again with.

use std::cell::OnceCell;
use std::rc::Rc;

use clr_csharp::types::{MethodRef, Type};

use crate::session::inspect::literal::Raw;
use crate::session::inspect::raw_value::RawValue;

/// A value of the program.
#[derive(Clone)]
pub struct Handle(Rc<Object>);

pub struct Object {
    pub(super) place: Place,
    /// It is named by a property, which adapters call.
    pub(super) is_property: bool,
    /// As the source declares it.
    pub(super) declared: Option<Type>,
    /// What the adapter said of it.
    pub(super) read: OnceCell<RawValue>,
    pub(super) type_: OnceCell<Type>,
    /// How many acts there had been by then.
    pub(super) acts: OnceCell<usize>,
}

/// How it is named.
pub enum Place {
    /// By an expression that only loads.
    Path(String),
    /// By a call.
    Call { text: String, call: Rc<Call> },
    /// Not at all: it was listed under something that has no name itself.
    Listed,
}

/// What was done in the program, in order.
pub enum Act {
    Call(Rc<Call>),
    /// To what this path names.
    Write(String),
}

/// A call as it is made.
pub struct Call {
    pub(super) method: MethodRef,
    /// What it is called on, as far as that was read.
    pub(super) receiver: Option<Type>,
    pub(super) arguments: Vec<Type>,
    /// Known when somebody has asked.
    pub(super) is_pure: OnceCell<bool>,
    /// What it is called on may be a call, too.
    pub(super) before: Option<Rc<Call>>,
}

impl Handle {
    pub(super) fn new(place: Place, declared: Option<Type>) -> Self {
        Self(Rc::new(Object {
            place,
            is_property: false,
            declared,
            read: OnceCell::new(),
            type_: OnceCell::new(),
            acts: OnceCell::new(),
        }))
    }

    /// What a property holds.
    pub(super) fn of_property(self) -> Self {
        let Self(object) = self;
        match Rc::try_unwrap(object) {
            Ok(object) => Self(Rc::new(Object { is_property: true, ..object })),
            Err(shared) => Self(shared),
        }
    }

    /// One that was read already.
    pub(super) fn read(place: Place, declared: Option<Type>, raw: RawValue, acts: usize) -> Self {
        let handle = Self::new(place, declared);
        let _ = handle.0.read.set(raw);
        let _ = handle.0.acts.set(acts);
        handle
    }

    /// Whether both were read as one.
    pub(super) fn is(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }

    pub(super) fn path(&self) -> Option<&str> {
        match &self.0.place {
            Place::Path(text) => Some(text),
            _ => None,
        }
    }

    pub(super) fn call(&self) -> Option<&Rc<Call>> {
        match &self.0.place {
            Place::Call { call, .. } => Some(call),
            _ => None,
        }
    }

    /// It is what a call returned or made, not a part of that, nor what a returned `ref` refers to.
    pub(super) fn is_given_by_call(&self) -> bool {
        let Some(call) = self.call() else { return false };
        let given = if call.method.method.name == ".ctor" { call.method.owner.clone() } else { call.method.returns() };
        self.0.declared.as_ref() == Some(&given) && !matches!(given, Type::ByRef(_))
    }

    pub(super) fn is_read(&self) -> bool {
        self.0.read.get().is_some()
    }

    /// It was passed through on the way to a member, and what was read of it since is that it is null.
    pub(super) fn is_null(&self) -> bool {
        self.0.read.get().is_some_and(|raw| raw.parsed() == Raw::Null)
    }
}

impl std::ops::Deref for Handle {
    type Target = Object;

    fn deref(&self) -> &Object {
        &self.0
    }
}
