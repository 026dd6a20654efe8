//! What the stopped program holds when a call is judged: the fields of its objects decide which way the code goes.

use std::sync::Arc;

use crate::assembly::Assembly;
use crate::signatures::TypeSig;
use crate::tokens::MethodId;

/// What a variable of the stopped program holds.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Content {
    Null,
    /// A `bool`, a `char`, a member of an enum or an integer.
    Number(i64),
    /// An object: by the number that the observer gave it, with its very type.
    Object(usize, TypeSig),
}

/// Looks at the stopped program.
pub trait Observer {
    /// Whether a static initializer, of a type that is not generic or of a module, has begun: nothing runs it again.
    fn has_begun(&mut self, assembly: &Arc<Assembly>, initializer: MethodId) -> bool;

    /// The same of an instance of a generic type: each has an initializer of its own. `false`: unknown.
    fn has_initialized(&mut self, _type: &TypeSig) -> bool {
        false
    }

    /// What a field of an object holds. `declaring`: the full name of the type that declares it. `None`: it is not known.
    fn field(&mut self, _object: usize, _declaring: &str, _name: &str) -> Option<Content> {
        None
    }
}

impl<F: FnMut(&Arc<Assembly>, MethodId) -> bool> Observer for F {
    fn has_begun(&mut self, assembly: &Arc<Assembly>, initializer: MethodId) -> bool {
        self(assembly, initializer)
    }
}
