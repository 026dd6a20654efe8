//! Arrays that a body fills itself, as the compiler does for `params object[]`: what lies in them is known, as long as nobody else
//! can have them.

use super::Walk;
use crate::purity::quiet::ENUMERATED;
use crate::purity::values::{Kind, Value};
use crate::purity::{Impurity, Judged};
use crate::signatures::TypeSig;

impl Walk<'_, '_> {
    /// A new array, which this instruction made.
    pub(super) fn made(&mut self, array: Value, at: u32) -> Value {
        self.arrays.entry(at).or_insert(Ok(()));
        Value { made_at: Some(at), ..array }
    }

    /// An element is written.
    pub(super) fn fill(&mut self, array: &Value, element: &Value) {
        match array.made_at {
            Some(at) => {
                let judged = self.question.quiet_value(element, ENUMERATED);
                self.judge_array(at, judged);
            }
            // it may be any of them, if it was made here
            None if array.owned => {
                let all: Vec<u32> = self.arrays.keys().copied().collect();
                all.into_iter().for_each(|at| self.judge_array(at, Err(unknown())));
            }
            None => {}
        }
    }

    /// A value goes where it may be changed by another name.
    pub(super) fn lose(&mut self, value: &Value) {
        if let Some(at) = value.made_at {
            self.judge_array(at, Err(unknown()));
        }
    }

    /// Two ways brought different arrays to one place.
    pub(super) fn lose_joined(&mut self) {
        for at in std::mem::take(&mut self.stacks.lost) {
            self.judge_array(at, Err(unknown()));
        }
    }

    /// An argument of a method that only reads: of an array whose elements are all quiet nothing more need be known.
    pub(super) fn filled(&mut self) -> Result<Value, Impurity> {
        let value = self.take()?;
        match value.made_at.and_then(|at| self.arrays.get(&at)) {
            Some(Ok(())) => Ok(Value { kind: Kind::Null, made_at: None, ..value }),
            _ => Ok(Value { made_at: None, ..value }),
        }
    }

    /// The enumerator that whoever called the method goes on with: one of the framework's that was made here.
    pub(super) fn hand_out(&mut self) -> Judged {
        let value = self.take()?;
        let name = value.type_().and_then(|type_| type_.full_name().map(str::to_owned));
        let is_exact = |type_: &&TypeSig| {
            let own = || type_.full_name().and_then(|name| self.question.own_type(self.assembly, name));
            value.owned && own().is_some() && (value.is_exact || self.question.is_sealed_class(self.assembly, type_))
        };
        if let Some(type_) = value.type_().filter(is_exact) {
            let stepped = self.question.stepped(type_);
            return stepped.map_err(|why| self.not(&format!("returns an enumerator: {why}")));
        }
        let is_own = name.is_none_or(|name| self.question.own_type(self.assembly, &name).is_some());
        if value.owned && (!is_own || self.question.is_followed()) {
            Ok(())
        } else {
            Err(self.not("returns an enumerator that may run arbitrary code"))
        }
    }

    fn judge_array(&mut self, at: u32, judged: Judged) {
        if let (Some(known @ Ok(())), Err(_)) = (self.arrays.get_mut(&at), &judged) {
            *known = judged;
            self.stacks.has_changed = true;
        }
    }
}

fn unknown() -> Impurity {
    Impurity("an object of unknown type cannot be analyzed".into())
}
