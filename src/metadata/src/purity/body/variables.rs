//! Arguments and locals: followed along the ways through the code, those aside that something else may write.

use super::Walk;
use crate::il::{Instruction, MethodBody, Operand, RegionKind};
use crate::purity::observed::Content;
use crate::purity::values::{Kind, Value, referent};
use crate::purity::written::SPAN;
use crate::purity::{Impurity, Judged};
use crate::signatures::{Primitive, TypeSig};

/// Arguments, then locals.
pub(super) struct Variables {
    declared: Vec<Value>,
    /// What they are when the code begins.
    first: Vec<Value>,
    /// What is known, wherever the code is, of those that are not followed: their addresses are taken, or a handler writes them, which
    /// may run after any instruction.
    everywhere: Vec<Option<Value>>,
    locals_start: usize,
}

impl Variables {
    pub(super) fn new(
        arguments: Vec<Value>,
        locals: Vec<Value>,
        contents: &[Option<Content>],
        body: &MethodBody<'_>,
    ) -> Self {
        let locals_start = arguments.len();
        let mut first: Vec<Value> = arguments.clone();
        for (value, held) in first.iter_mut().zip(contents) {
            // null is nobody's
            let is_known = !value.owned || *held == Some(Content::Null);
            // a number in a box is not null, whichever it is
            let is_known = is_known && !(matches!(held, Some(Content::Number(_))) && value.may_be_null());
            if let (Some(held), Some(type_), true) = (held, value.type_(), is_known) {
                *value = Value::holding(type_.clone(), held.clone());
            }
        }
        first.extend(locals.iter().map(|local| if local.may_be_null() { Value::null() } else { local.clone() }));
        let mut declared = arguments;
        declared.extend(locals);
        let mut everywhere = vec![None; declared.len()];
        for instruction in body.instructions().map_while(Result::ok) {
            if let Some(at) = written_unseen(body, &instruction, locals_start)
                && let (Some(place), Some(value)) = (everywhere.get_mut(at), declared.get(at))
            {
                *place = Some(value.clone());
            }
        }
        Self { declared, first, everywhere, locals_start }
    }

    pub(super) fn declared(&self) -> &[Value] {
        &self.declared
    }

    pub(super) fn at_entry(&self) -> Vec<Value> {
        self.first.clone()
    }

    fn position(&self, is_local: bool, number: u16) -> usize {
        usize::from(number) + if is_local { self.locals_start } else { 0 }
    }
}

/// The variable whose address an instruction takes, or that it writes in a handler.
fn written_unseen(body: &MethodBody<'_>, instruction: &Instruction<'_>, locals_start: usize) -> Option<usize> {
    let number = |operand| match operand {
        Operand::Variable(number) => Some(usize::from(number)),
        _ => None,
    };
    let handles = || {
        body.regions.iter().any(|region| {
            let start = match region.kind {
                RegionKind::Filter(start) => start.min(region.handler_start),
                _ => region.handler_start,
            };
            (start..region.handler_end).contains(&instruction.offset)
        })
    };
    match instruction.opcode {
        0x0f | 0xfe0a => number(instruction.operand),
        0x12 | 0xfe0d => number(instruction.operand).map(|at| at + locals_start),
        0x10 | 0xfe0b if handles() => number(instruction.operand),
        0x0a..=0x0d if handles() => Some(usize::from(instruction.opcode - 0x0a) + locals_start),
        0x13 | 0xfe0e if handles() => number(instruction.operand).map(|at| at + locals_start),
        _ => None,
    }
}

/// Also a reference to one.
pub(super) fn is_span(type_: &TypeSig) -> bool {
    referent(type_).full_name() == Some(SPAN)
}

impl Walk<'_, '_> {
    pub(super) fn load(&mut self, is_local: bool, number: u16) -> Judged {
        let at = self.variables.position(is_local, number);
        let everywhere = self.variables.everywhere.get(at).cloned().flatten();
        let value = everywhere.or_else(|| self.stacks.current.variables.get(at).cloned());
        let value = value.ok_or_else(|| self.strange())?;
        self.push(value)
    }

    pub(super) fn store(&mut self, is_local: bool, number: u16) -> Judged {
        let value = self.pop()?;
        let at = self.variables.position(is_local, number);
        let strange = self.strange();
        match self.variables.everywhere.get_mut(at) {
            Some(Some(everywhere)) => {
                // the variable's own type stays: what is declared holds on all ways
                if everywhere.owned && !value.owned {
                    everywhere.owned = false;
                    self.stacks.has_changed = true;
                }
                self.not_exact(at)
            }
            Some(None) => {
                let declared = self.variables.declared.get(at).and_then(Value::type_).cloned();
                let place = self.stacks.current.variables.get_mut(at).ok_or(strange)?;
                *place = match declared {
                    Some(declared) => value.fitted(&declared),
                    None => Value { owned: value.owned, ..Value::unknown() },
                };
                Ok(())
            }
            None => Err(strange),
        }
    }

    /// The variable itself is ours, whatever it refers to: of one that holds a reference, whoever has the address may write
    /// another one to it.
    pub(super) fn address(&mut self, is_local: bool, number: u16) -> Judged {
        let at = self.variables.position(is_local, number);
        let strange = self.strange();
        let slot = self.variables.everywhere.get_mut(at).and_then(Option::as_mut).ok_or(strange)?;
        if slot.owned && slot.may_be_null() {
            slot.owned = false;
            self.stacks.has_changed = true;
        }
        self.not_exact(at)?;
        let owned = self.variables.everywhere.get(at).and_then(Option::as_ref).is_some_and(|slot| slot.owned);
        let slot = self.variables.declared.get(at);
        let type_ = slot.and_then(Value::type_).cloned();
        // what is written through a span is what it is over
        let owned = owned || !type_.as_ref().is_some_and(is_span);
        let type_ = type_.map(|type_| TypeSig::ByRef(Box::new(type_)));
        self.push(Value { owned, ..type_.map_or_else(Value::unknown, Value::of) })
    }

    /// Some span whose address was taken may be another one now, over memory that is not owned.
    pub(super) fn lose_spans(&mut self) {
        for slot in self.variables.everywhere.iter_mut().flatten() {
            if slot.owned && slot.type_().is_some_and(is_span) {
                slot.owned = false;
                self.stacks.has_changed = true;
            }
        }
    }

    /// Another object may be in it.
    fn not_exact(&mut self, at: usize) -> Judged {
        let declared = self.owner.map(|id| self.assembly.type_(id).self_type());
        let strange: Impurity = self.strange();
        let slot = self.variables.everywhere.get_mut(at).and_then(Option::as_mut).ok_or(strange)?;
        if slot.is_exact {
            *slot = Value { owned: slot.owned, ..declared.map_or_else(Value::unknown, Value::of) };
            self.stacks.has_changed = true;
        }
        Ok(())
    }

    /// What the method answers, at one of its ends.
    pub(super) fn returned(&mut self) -> Judged {
        if self.hands_out {
            let enumerator = self.stacks.current.stack.last().cloned();
            self.hand_out()?;
            self.stacks.current.stack.extend(enumerator);
        }
        let Some(value) = self.stacks.pop() else { return Ok(()) };
        self.lose(&value);
        let value = Value { made_at: None, ..value };
        self.answer = Some(match self.answer.take() {
            Some(known) => known.join(&value),
            None => value,
        });
        Ok(())
    }
}

impl Value {
    /// As a variable of that declared type has it: what is declared says more of a value than the code that computed it, of an object
    /// less.
    pub(super) fn fitted(self, declared: &TypeSig) -> Self {
        let declared = Self::of(declared.clone());
        if !declared.may_be_null() {
            let held = self.held.filter(|held| matches!(held, Content::Number(_)));
            return Self { owned: self.owned, held, ..declared };
        }
        let says_more = match &self.kind {
            Kind::Null => true,
            Kind::Of(type_) => self.is_exact && crate::purity::instance::is_closed(type_),
            Kind::Unknown => false,
        };
        match says_more {
            true => Self { made_at: None, ..self },
            false => Self { owned: self.owned, is_judged: self.is_judged, ..declared },
        }
    }

    /// Whether a variable of that type does not hold the value itself, as its signature tells.
    pub(super) fn may_be_null(&self) -> bool {
        !match self.type_() {
            Some(TypeSig::Primitive(primitive)) => !matches!(primitive, Primitive::Object | Primitive::String),
            Some(TypeSig::Named(named)) => named.is_value_type,
            _ => false,
        }
    }
}
