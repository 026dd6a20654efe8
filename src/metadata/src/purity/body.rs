//! One body: its instructions in order, with what is known of the values that they take.

mod arrays;
mod calls;
mod fields;
mod variables;

pub(super) use calls::may_implement;

use std::collections::HashMap;
use std::sync::Arc;

use super::stack::Stacks;
use super::values::{Value, referent};
use super::{Impurity, Instance, Judged, Key, Question, name_of};
use crate::assembly::Assembly;
use crate::il::{Instruction, MethodBody, Operand, RegionKind, op};
use crate::signatures::{Decoder, Primitive, TypeSig};
use crate::tokens::{Token, TypeId};

/// Instructions of one body.
const MOST_CODE: usize = 64 << 10;
/// Walks until nothing new is learned; each step forgets something, so they are few.
const MOST_WALKS: usize = 12;

pub(super) fn judge(question: &mut Question<'_>, assembly: &Arc<Assembly>, key: &Key) -> Judged {
    let (method, owned, instance) = (key.method, key.owned, &key.instance);
    let called = name_of(assembly, method);
    let not = |what: &str| Impurity(format!("{called} {what}"));
    let Ok(Some(body)) = assembly.body(method) else {
        return Err(not("has no IL: it is native or unknown code"));
    };
    if body.code.len() > MOST_CODE {
        return Err(not("is too long to analyze"));
    }
    let ends = |code: u16| matches!(code, op::RET | 0x7a);
    if !body.instructions().map_while(Result::ok).any(|instruction| ends(instruction.opcode)) {
        return Err(not("never returns"));
    }
    let view = assembly.method(method);
    let signature = view.signature().ok_or_else(|| not("has an unreadable signature"))?;
    let is_followed = question.is_followed();
    let own_result = super::values::name(&signature.return_type)
        .is_some_and(|result| question.own_type(assembly, &result.full_name).is_some());
    let declaring = view.declaring_type();
    let this = signature.has_this.then(|| declaring.map(|type_| type_.self_type())).flatten();
    // that of a value type is an address
    let exact = instance.this.clone().filter(|_| declaring.is_some_and(|type_| !type_.is_value_type()));
    let is_exact = exact.is_some() && this.is_some();
    let this = this.map(|this| exact.unwrap_or(this));
    let arguments = this.into_iter().chain(signature.parameters).enumerate();
    let arguments = arguments.map(|(at, type_)| {
        let owned = at < 64 && owned >> at & 1 == 1;
        Value { owned, is_exact: at == 0 && is_exact, ..Value::of(instance.of(&type_)) }
    });
    let locals = view.local_types().iter().map(|type_| Value::owned(instance.of(type_))).collect();
    let mut walk = Walk {
        question,
        assembly,
        instance,
        owner: view.declaring_type().map(|type_| type_.id()),
        is_initializer: view.name() == ".cctor",
        called,
        arguments: arguments.collect(),
        locals,
        stacks: Stacks::default(),
        constrained: None,
        arrays: HashMap::new(),
        hands_out: view.name().ends_with("GetEnumerator") && (!own_result || is_followed),
    };
    for _ in 0..MOST_WALKS {
        walk.stacks.has_changed = false;
        walk.once(&body)?;
        if !walk.stacks.has_changed {
            return Ok(());
        }
    }
    Err(walk.not("is too complex to analyze"))
}

struct Walk<'q, 'p> {
    question: &'q mut Question<'p>,
    assembly: &'q Arc<Assembly>,
    instance: &'q Instance,
    owner: Option<TypeId>,
    is_initializer: bool,
    called: String,
    arguments: Vec<Value>,
    locals: Vec<Value>,
    stacks: Stacks,
    constrained: Option<TypeSig>,
    /// Arrays that are being filled, by where they were made: whether all that is in them is quiet. See `arrays`.
    arrays: HashMap<u32, Judged>,
    /// Whoever calls the method goes on with what it answers: an enumerator, whose type the signature does not give.
    hands_out: bool,
}

impl Walk<'_, '_> {
    fn not(&self, what: &str) -> Impurity {
        Impurity(format!("{} {what}", self.called))
    }

    fn strange(&self) -> Impurity {
        self.not("has IL that is not recognized")
    }

    fn once(&mut self, body: &MethodBody<'_>) -> Judged {
        self.stacks.current.clear();
        for region in &body.regions {
            let caught = match region.kind {
                RegionKind::Catch(type_) => vec![self.type_of(type_)],
                RegionKind::Filter(start) => {
                    self.stacks.enter(start, vec![Value::unknown()]).ok_or_else(|| self.strange())?;
                    vec![Value::unknown()]
                }
                RegionKind::Finally | RegionKind::Fault => Vec::new(),
            };
            if self.stacks.enter(region.handler_start, caught).is_none() {
                return Err(self.strange());
            }
        }
        let mut falls_through = true;
        for instruction in body.instructions() {
            let instruction = instruction.map_err(|_| self.strange())?;
            if self.stacks.arrive(instruction.offset, falls_through).is_none() {
                return Err(self.strange());
            }
            falls_through = self.step(&instruction)?;
            self.lose_joined();
        }
        Ok(())
    }

    /// For an instruction that may keep the value, or change it.
    fn pop(&mut self) -> Result<Value, Impurity> {
        let value = self.take()?;
        self.lose(&value);
        Ok(value)
    }

    /// For one that does neither.
    fn take(&mut self) -> Result<Value, Impurity> {
        self.stacks.pop().ok_or_else(|| self.strange())
    }

    fn push(&mut self, value: Value) -> Judged {
        self.stacks.push(value).ok_or_else(|| self.strange())
    }

    fn branch(&mut self, operand: Operand<'_>) -> Judged {
        let targets: Vec<u32> = match operand {
            Operand::Branch(target) => vec![target],
            Operand::Switch(targets) => targets.iter().collect(),
            _ => return Err(self.strange()),
        };
        for target in targets {
            self.stacks.branch(target).ok_or_else(|| self.strange())?;
        }
        Ok(())
    }

    /// Answers whether the next instruction is reached from here.
    fn step(&mut self, instruction: &Instruction<'_>) -> Result<bool, Impurity> {
        let Instruction { opcode, operand, .. } = *instruction;
        match opcode {
            // nop, break, prefixes
            0x00 | 0x01 | 0xfe12..=0xfe14 | 0xfe19 | 0xfe1e => {}
            0x02..=0x05 => self.load(false, opcode - 0x02)?,
            0x06..=0x09 => self.load(true, opcode - 0x06)?,
            0x0a..=0x0d => self.store(true, opcode - 0x0a)?,
            0x0e | 0xfe09 => self.load(false, variable(operand))?,
            0x11 | 0xfe0c => self.load(true, variable(operand))?,
            0x10 | 0xfe0b => self.store(false, variable(operand))?,
            0x13 | 0xfe0e => self.store(true, variable(operand))?,
            0x0f | 0xfe0a => self.address(false, variable(operand))?,
            0x12 | 0xfe0d => self.address(true, variable(operand))?,
            0x14 => self.push(Value::null())?,
            0x15..=0x23 | 0xfe1c => self.push(Value::number())?,
            op::DUP => {
                let value = self.take()?;
                self.push(value.clone())?;
                self.push(value)?;
            }
            0x26 => drop(self.take()?),
            op::CALL | op::CALLVIRT | op::NEWOBJ => self.call(opcode, operand)?,
            op::RET if self.hands_out => {
                self.hand_out()?;
                return Ok(false);
            }
            // ret, throw, rethrow, endfinally, endfilter
            op::RET | 0x7a | 0xfe1a | 0xdc | 0xfe11 => return Ok(false),
            op::BR_S | 0x38 => {
                self.branch(operand)?;
                return Ok(false);
            }
            0x2c | 0x2d | 0x39 | 0x3a | 0x45 => {
                self.pop()?;
                self.branch(operand)?;
            }
            0x2e..=0x37 | 0x3b..=0x44 => {
                self.pop()?;
                self.pop()?;
                self.branch(operand)?;
            }
            0xdd | 0xde => {
                self.stacks.current.clear();
                self.branch(operand)?;
                return Ok(false);
            }
            // ldind, ldobj
            0x46..=0x50 => {
                let address = self.pop()?;
                self.push(pointed(&address))?;
            }
            op::LDOBJ => {
                self.pop()?;
                let value = self.type_operand(operand);
                self.push(value)?;
            }
            // stind, stobj, cpobj, initobj
            0x51..=0x57 | 0xdf | op::STOBJ | 0x70 => {
                self.pop()?;
                let target = self.pop()?;
                self.write(&target, "through a reference")?;
            }
            op::INITOBJ => {
                let target = self.pop()?;
                self.write(&target, "through a reference")?;
            }
            // arithmetic and comparison
            0x58..=0x64 | 0xd6..=0xdb | 0xfe01..=0xfe05 => {
                self.pop()?;
                self.pop()?;
                self.push(Value::number())?;
            }
            0x65..=0x6e | 0x76 | 0x82..=0x8b | 0xb3..=0xba | 0xc3 | 0xd1..=0xd5 | 0xe0 => {
                self.pop()?;
                self.push(Value::number())?;
            }
            0x72 => self.push(Value::of(TypeSig::Primitive(Primitive::String)))?,
            // castclass, isinst
            0x74 | 0x75 => {
                let value = self.pop()?;
                let cast = self.type_operand(operand);
                self.push(Value { owned: value.owned, ..cast })?;
            }
            // unbox
            0x79 => {
                let value = self.pop()?;
                let type_ = self.type_operand(operand);
                self.push(Value { owned: value.owned, ..type_ })?;
            }
            op::LDFLD => {
                self.pop()?;
                let value = self.field(operand)?;
                self.push(value)?;
            }
            op::LDFLDA => {
                let target = self.pop()?;
                let value = self.field(operand)?;
                self.push(Value { owned: target.owned, ..value })?;
            }
            op::STFLD => {
                self.pop()?;
                let target = self.pop()?;
                let field = self.field_name(operand);
                self.write(&target, &format!("the field {field}"))?;
            }
            op::LDSFLD | op::LDSFLDA => {
                let value = self.static_field(operand)?;
                self.push(Value { owned: opcode == op::LDSFLD && value.owned, ..value })?;
            }
            op::STSFLD => {
                self.pop()?;
                self.store_static(operand)?;
            }
            // box, unbox.any
            0x8c => {
                self.pop()?;
                // of a type parameter that is a class, the same object comes out
                let is_parameter = matches!(
                    self.written_type(operand).type_(),
                    None | Some(TypeSig::TypeParameter(_) | TypeSig::MethodParameter(_))
                );
                let value = self.type_operand(operand);
                self.push(Value { owned: !is_parameter, ..value })?;
            }
            0xa5 => {
                self.pop()?;
                let value = self.type_operand(operand);
                self.push(value)?;
            }
            0x8d => {
                self.pop()?;
                let array = match self.type_operand(operand).type_() {
                    Some(element) => Value::owned(TypeSig::Array(Box::new(element.clone()))),
                    None => Value { owned: true, ..Value::unknown() },
                };
                let array = self.made(array, instruction.offset);
                self.push(array)?;
            }
            0x8e => {
                self.take()?;
                self.push(Value::number())?;
            }
            // ldelema, ldelem
            0x8f => {
                self.pop()?;
                let array = self.pop()?;
                self.push(Value { owned: array.owned, ..element(&array) })?;
            }
            0x90..=0x9a | 0xa3 => {
                self.pop()?;
                let array = self.take()?;
                self.push(element(&array))?;
            }
            // stelem
            0x9b..=0xa2 | 0xa4 => {
                let element = self.pop()?;
                self.pop()?;
                let array = self.take()?;
                self.fill(&array, &element);
                self.write(&array, "an element of an array")?;
            }
            op::LDTOKEN => self.push(Value::of(TypeSig::Named(crate::signatures::TypeName {
                full_name: "System.RuntimeTypeHandle".into(),
                ..Default::default()
            })))?,
            op::LDFTN | op::LDVIRTFTN => {
                if opcode == op::LDVIRTFTN {
                    self.pop()?;
                }
                self.function(opcode, operand)?;
                self.push(Value::number())?;
            }
            // localloc
            0xfe0f => {
                self.pop()?;
                self.push(Value { owned: true, ..Value::unknown() })?;
            }
            0xfe16 => self.constrained = self.type_operand(operand).type_().cloned(),
            op::CALLI => return Err(self.not("calls through a pointer")),
            op::JMP => return Err(self.not("jumps to another method")),
            0xfe17 | 0xfe18 => return Err(self.not("writes to memory")),
            _ => return Err(self.strange()),
        }
        Ok(true)
    }

    fn write(&mut self, target: &Value, what: &str) -> Judged {
        if target.owned { Ok(()) } else { Err(self.not(&format!("writes {what}"))) }
    }

    fn type_of(&self, token: Token) -> Value {
        let type_ = Decoder::new(&self.assembly.metadata).token(token);
        type_.map_or_else(|_| Value::unknown(), |type_| Value::of(self.instance.of(&type_)))
    }

    /// As it is written, type parameters included.
    fn written_type(&self, operand: Operand<'_>) -> Value {
        let Operand::Token(token) = operand else { return Value::unknown() };
        Decoder::new(&self.assembly.metadata).token(token).map_or_else(|_| Value::unknown(), Value::of)
    }

    fn type_operand(&self, operand: Operand<'_>) -> Value {
        match operand {
            Operand::Token(token) => self.type_of(token),
            _ => Value::unknown(),
        }
    }
}

fn variable(operand: Operand<'_>) -> u16 {
    match operand {
        Operand::Variable(number) => number,
        _ => u16::MAX,
    }
}

fn pointed(address: &Value) -> Value {
    address.type_().map_or_else(Value::unknown, |type_| Value::of(referent(type_).clone()))
}

fn element(array: &Value) -> Value {
    match array.type_().map(referent) {
        Some(TypeSig::Array(element)) => Value::of((**element).clone()),
        _ => Value::unknown(),
    }
}
