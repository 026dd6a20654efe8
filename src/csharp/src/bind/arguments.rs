//! The arguments of a call, before it is known what they go to.

use crate::bound::Bound;
use crate::syntax::{Argument, ExprKind, Pass, TypeKind};
use crate::types::{Parameter, Type};

use super::{Binder, Result};

#[derive(Debug, Clone)]
pub(super) struct Given {
    pub name: Option<String>,
    pub pass: Pass,
    /// Of what is declared by `out` and thrown away, untyped.
    pub value: Bound,
    /// `out var x`, `out int x`, `out _`: the name to declare, and the type where one is written.
    pub declares: Option<(Option<String>, Option<Type>)>,
    /// What an extension is called on, which says nothing of how it is passed.
    pub is_receiver: bool,
}

impl Given {
    pub fn value(value: Bound) -> Self {
        Self { name: None, pass: Pass::Value, value, declares: None, is_receiver: false }
    }

    pub fn receiver(value: Bound) -> Self {
        Self { is_receiver: true, ..Self::value(value) }
    }

    /// How it is passed to a parameter: one with `this ref` takes its receiver by reference.
    pub fn pass_to(&self, parameter: &Parameter) -> Pass {
        if self.is_receiver && parameter.pass == Pass::Ref { Pass::Ref } else { self.pass }
    }
}

impl Binder<'_> {
    pub(super) fn given(&mut self, arguments: &[Argument]) -> Result<Vec<Given>> {
        arguments.iter().map(|argument| self.one_given(argument)).collect()
    }

    fn one_given(&mut self, argument: &Argument) -> Result<Given> {
        let mut declares = None;
        let value = match (&argument.value.kind, argument.pass) {
            (ExprKind::Declaration { type_, name }, Pass::Out) => {
                let is_var = matches!(&type_.kind, TypeKind::Named { alias: None, names } if matches!(names.as_slice(), [only] if only.text == "var" && only.types.is_empty()));
                let type_ = if is_var { None } else { Some(self.type_(type_)?) };
                let name = (name != "_").then(|| name.clone());
                declares = Some((name, type_));
                self.untyped(&argument.value)
            }
            (ExprKind::Name { name, .. }, Pass::Out) if name.text == "_" && self.variable("_").is_none() => {
                declares = Some((None, None));
                self.untyped(&argument.value)
            }
            _ => self.value(&argument.value)?,
        };
        Ok(Given { name: argument.name.clone(), pass: argument.pass, value, declares, is_receiver: false })
    }
}
