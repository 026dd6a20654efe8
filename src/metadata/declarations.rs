//! Types and members as C# declares them: accessibility, modifiers, kind, names and types in one line.
//!
//! Only what metadata keeps: `partial`, parameter names of tuples and comments are gone. Types stand without namespaces.

mod literals;
mod members;
mod methods;
mod parameters;
mod types;

pub use members::{Declaration, MemberKind};
pub use types::{TypeKind, Visibility};

use super::signatures::{ParameterNames, TypeSig};

/// What signatures of a member are printed with: the generic arguments of the type that was asked for, and the names in scope.
#[derive(Debug, Clone, Default)]
pub struct Context {
    /// In place of the declaring type's own parameters; none = as declared.
    pub arguments: Vec<TypeSig>,
    /// Names of the parameters that the arguments are in terms of.
    pub names: Vec<String>,
}

impl Context {
    fn text(&self, signature: &TypeSig, names: &ParameterNames) -> String {
        signature.substitute(&self.arguments, &[]).short_with(names)
    }
}

/// Puts a word and a blank behind it.
fn push_word(line: &mut String, word: &str) {
    if !word.is_empty() {
        line.push_str(word);
        line.push(' ');
    }
}
