//! Branches, of which only one way runs where it is known what they ask.

use std::sync::Arc;

use super::Walk;
use crate::assembly::Assembly;
use crate::il::Operand;
use crate::purity::observed::Content;
use crate::purity::values::{Kind, Value};
use crate::purity::{Impurity, Link, Question, elements, is_framework};
use crate::signatures::{TypeName, TypeSig};
use crate::tokens::TypeId;
use crate::universe::TypeUniverse;

// in the order of the opcodes; behind them those that compare without a sign
const EQUAL: u16 = 0;
const GREATER_OR_EQUAL: u16 = 1;
const GREATER: u16 = 2;
const LESS_OR_EQUAL: u16 = 3;
const LESS: u16 = 4;
const UNEQUAL: u16 = 5;
const UNSIGNED_GREATER_OR_EQUAL: u16 = 6;
const UNSIGNED_GREATER: u16 = 7;
const UNSIGNED_LESS_OR_EQUAL: u16 = 8;
const UNSIGNED_LESS: u16 = 9;

impl Walk<'_, '_> {
    /// Takes what a branch asks and goes where it leads. Answers whether the next instruction is reached.
    pub(super) fn decided(&mut self, opcode: u16, operand: Operand<'_>) -> Result<bool, Impurity> {
        // the long forms behind the short ones
        let short = if (0x39..=0x44).contains(&opcode) { opcode - 0x0d } else { opcode };
        let is_taken = match short {
            0x2c | 0x2d => self.pop()?.is_true().map(|it| it == (short == 0x2d)),
            0x2e..=0x37 => {
                let second = self.pop()?;
                let first = self.pop()?;
                compared(short - 0x2e, &first, &second)
            }
            _ => return self.switched(operand),
        };
        if is_taken != Some(false) {
            self.branch(operand)?;
        }
        Ok(is_taken != Some(true))
    }

    fn switched(&mut self, operand: Operand<'_>) -> Result<bool, Impurity> {
        let asked = self.pop()?;
        let Operand::Switch(targets) = operand else { return Err(self.strange()) };
        let Some(Content::Number(number)) = asked.held else {
            self.branch(operand)?;
            return Ok(true);
        };
        let target = usize::try_from(number).ok().and_then(|at| targets.iter().nth(at));
        match target {
            Some(target) => {
                self.stacks.branch(target).ok_or_else(|| self.strange())?;
                Ok(false)
            }
            None => Ok(true),
        }
    }

    /// `castclass` and `isinst`.
    pub(super) fn cast(&self, value: Value, cast: Value, asks: bool) -> Value {
        if value.kind == Kind::Null {
            return value;
        }
        let plain = Value { owned: value.owned, ..cast.clone() };
        let (Some(type_), Some(wanted)) = (value.type_().filter(|_| value.is_exact), cast.type_()) else {
            return plain;
        };
        match self.is_a(type_, wanted) {
            Some(true) => value,
            Some(false) if asks && value.held.is_some() => Value { held: Some(Content::Null), ..Value::null() },
            Some(false) => plain,
            // what comes out is the same object, or null; what a cast throws is none of our business
            None if asks => Value { held: None, made_at: None, ..value },
            None => Value { made_at: None, ..value },
        }
    }
}

/// Of two values on the stack, the second on top.
fn compared(asked: u16, first: &Value, second: &Value) -> Option<bool> {
    let is_equal = match (first.held.as_ref()?, second.held.as_ref()?) {
        (Content::Number(one), Content::Number(other)) => {
            return Some(match asked {
                EQUAL => one == other,
                GREATER_OR_EQUAL => one >= other,
                GREATER => one > other,
                LESS_OR_EQUAL => one <= other,
                LESS => one < other,
                UNEQUAL => one != other,
                // without a sign they compare as these do only where neither is negative
                _ if *one < 0 || *other < 0 => return None,
                UNSIGNED_GREATER_OR_EQUAL => one >= other,
                UNSIGNED_GREATER => one > other,
                UNSIGNED_LESS_OR_EQUAL => one <= other,
                UNSIGNED_LESS => one < other,
                _ => return None,
            });
        }
        (Content::Null, Content::Null) => true,
        (Content::Null, Content::Object(..)) | (Content::Object(..), Content::Null) => false,
        // one object may have two numbers
        (Content::Object(one, _), Content::Object(other, _)) if one == other => true,
        _ => return None,
    };
    match asked {
        EQUAL => Some(is_equal),
        UNEQUAL => Some(!is_equal),
        _ => None,
    }
}

/// The result of an instruction with two operands.
pub(super) fn computed(opcode: u16, first: &Value, second: &Value) -> Value {
    let compare = |asked| compared(asked, first, second);
    let held = match opcode {
        0xfe01 => compare(EQUAL).map(i64::from),
        0xfe02 => compare(GREATER).map(i64::from),
        // how a reference is compared with null
        0xfe03 => match (&first.held, &second.held) {
            (Some(Content::Object(..)), Some(Content::Null)) => Some(1),
            (Some(Content::Null), Some(Content::Null)) => Some(0),
            _ => compare(UNSIGNED_GREATER).map(i64::from),
        },
        0xfe04 => compare(LESS).map(i64::from),
        0xfe05 => compare(UNSIGNED_LESS).map(i64::from),
        0x5f | 0x60 => match (&first.held, &second.held) {
            (Some(Content::Number(one)), Some(Content::Number(other))) if opcode == 0x5f => Some(one & other),
            (Some(Content::Number(one)), Some(Content::Number(other))) => Some(one | other),
            _ => None,
        },
        _ => None,
    };
    held.map_or_else(Value::number, Value::constant)
}

impl Value {
    /// What a branch takes for true.
    pub(super) fn is_true(&self) -> Option<bool> {
        Some(match self.held.as_ref()? {
            Content::Null => false,
            Content::Number(number) => *number != 0,
            Content::Object(..) => true,
        })
    }
}

impl Walk<'_, '_> {
    /// Whether an object of that very type is of another one too; `None` where the program's own classes do not show it.
    fn is_a(&self, type_: &TypeSig, wanted: &TypeSig) -> Option<bool> {
        let is_plain = !matches!(wanted, TypeSig::Named(_)) && elements::is_same(type_, wanted);
        if is_plain || self.question.frameworks_is_a(type_, wanted) {
            return Some(true);
        }
        let TypeSig::Named(wanted) = wanted else { return None };
        let (assembly, id) = self.question.own_type(self.assembly, &wanted.full_name)?;
        if !wanted.arguments.is_empty() {
            return None;
        }
        let is_wanted = |found: &Option<(Arc<Assembly>, TypeId)>| {
            found.as_ref().is_some_and(|(own, own_id)| own.mvid() == assembly.mvid() && *own_id == id)
        };
        let mut is_all_known = true;
        for link in self.question.own_chain(type_) {
            match link {
                Link::Own(own, own_id, _) => {
                    let view = own.type_(own_id);
                    let mut interfaces = view.interfaces().into_iter();
                    let implements = interfaces.any(|it| is_wanted(&self.question.own_type(&own, &it.full_name)));
                    if implements || is_wanted(&Some((own.clone(), own_id))) {
                        return Some(true);
                    }
                    is_all_known &= view.full_name() != wanted.full_name;
                }
                Link::Framework(base) => is_all_known &= base.full_name() == Some("System.Object"),
            }
        }
        (is_all_known && !assembly.type_(id).is_interface()).then_some(false)
    }
}

impl Question<'_> {
    /// Whether objects of just that class of the framework are of another of its types too.
    fn frameworks_is_a(&self, type_: &TypeSig, wanted: &TypeSig) -> bool {
        let (TypeSig::Named(named), TypeSig::Named(wanted_name)) = (type_, wanted) else { return false };
        let universe = &self.purity.universe;
        let Some((assembly, id)) = universe.find_type(&named.full_name) else { return false };
        if !is_framework(assembly.path()) || !is_framework_name(universe, &wanted_name.full_name) {
            return false;
        }
        let mut types = vec![(assembly.clone(), id, named.clone())];
        let bases = universe.bases(&assembly, id, named).into_iter();
        types.extend(bases.filter_map(|base| base.found.map(|(assembly, id)| (assembly, id, base.name))));
        let is_wanted = |name: &TypeName| elements::is_same(&TypeSig::Named(name.clone()), wanted);
        types.iter().any(|(assembly, id, name)| {
            let mut interfaces = assembly.type_(*id).interfaces().into_iter();
            is_wanted(name) || interfaces.any(|it| is_wanted_of(&it, &name.arguments, &is_wanted))
        })
    }
}

fn is_wanted_of(interface: &TypeName, arguments: &[TypeSig], is_wanted: &dyn Fn(&TypeName) -> bool) -> bool {
    match TypeSig::Named(interface.clone()).substitute(arguments, &[]) {
        TypeSig::Named(name) => is_wanted(&name),
        _ => false,
    }
}

fn is_framework_name(universe: &TypeUniverse, full_name: &str) -> bool {
    universe.find_type(full_name).is_some_and(|(assembly, _)| is_framework(assembly.path()))
}
