//! One body: its instructions in order, with what is known of the values that they take.

mod arrays;
mod branches;
mod calls;
mod fields;
mod operands;
mod statics;
mod variables;

use std::collections::HashMap;
use std::sync::Arc;

use self::operands::{element, pointed, variable};
use self::variables::{Variables, is_span};
use super::observed::Content;
use super::stack::Stacks;
use super::values::Value;
use super::{Answered, Impurity, Instance, Judged, Key, Question, name_of};
use crate::assembly::Assembly;
use crate::il::{Instruction, MethodBody, Operand, RegionKind, op};
use crate::signatures::{Primitive, TypeSig};
use crate::tokens::TypeId;

/// Instructions of one body.
const MOST_CODE: usize = 64 << 10;
/// Walks until nothing new is learned; each step forgets something, so they are few.
const MOST_WALKS: usize = 24;

pub(super) fn judge(question: &mut Question<'_>, assembly: &Arc<Assembly>, key: &Key) -> Answered {
    let (method, owned, instance) = (key.method, key.owned, &key.instance);
    let called = name_of(assembly, method);
    let not = |what: &str| Impurity(format!("{called} {what}"));
    let Ok(Some(body)) = assembly.body(method) else {
        return Err(not("has no IL: it is native or unknown code"));
    };
    if body.code.len() > MOST_CODE {
        return Err(not("is too long to analyze"));
    }
    let ends = |code: u16| matches!(code, op::RET | op::THROW);
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
    let arguments: Vec<Value> = arguments
        .map(|(at, type_)| {
            let is_reference = matches!(type_, TypeSig::ByRef(_));
            let owned = at < 64 && owned >> at & 1 == 1 && !(is_reference && is_span(&type_));
            Value { owned, is_exact: at == 0 && is_exact, ..Value::of(instance.of(&type_)) }
        })
        .collect();
    let locals = view.local_types().iter().map(|type_| Value::owned(instance.of(type_))).collect();
    let mut walk = Walk {
        question,
        assembly,
        instance,
        owner: view.declaring_type().map(|type_| type_.id()),
        is_initializer: view.name() == ".cctor",
        called,
        stacks: Stacks::default(),
        variables: Variables::new(arguments, locals, &instance.contents, &body),
        answer: None,
        ends: false,
        constrained: None,
        arrays: HashMap::new(),
        hands_out: view.name().ends_with("GetEnumerator") && (!own_result || is_followed),
    };
    walk.stacks = Stacks::new(walk.variables.declared().to_vec());
    for _ in 0..MOST_WALKS {
        walk.stacks.has_changed = false;
        let version = walk.question.hoisted.version;
        walk.once(&body)?;
        if !walk.stacks.has_changed && walk.question.hoisted.version == version {
            let declared = instance.of(&signature.return_type);
            return Ok(walk.answer.map_or_else(|| Value::of(declared.clone()), |answer| answer.fitted(&declared)));
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
    stacks: Stacks,
    variables: Variables,
    /// What is known of what all ways return.
    answer: Option<Value>,
    /// A way leads to an end.
    ends: bool,
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
        self.stacks.begin(self.variables.at_entry());
        (self.answer, self.ends) = (None, false);
        let mut first = None;
        let mut falls_through = true;
        for instruction in body.instructions() {
            let instruction = instruction.map_err(|_| self.strange())?;
            // what nothing leads to never runs
            match self.stacks.arrive(instruction.offset, falls_through) {
                Some(true) => {}
                Some(false) => continue,
                None => return Err(self.strange()),
            }
            self.guarded(body, instruction.offset)?;
            falls_through = match self.step(&instruction) {
                Err(why) if self.question.is_hopeful => {
                    first.get_or_insert(why);
                    false
                }
                stepped => stepped?,
            };
            self.lose_joined();
        }
        match first {
            Some(why) if !self.ends => Err(why),
            _ => Ok(()),
        }
    }

    /// From every instruction of a protected region a way leads to its handler.
    fn guarded(&mut self, body: &MethodBody<'_>, offset: u32) -> Judged {
        for region in &body.regions {
            if !(region.try_start..region.try_end).contains(&offset) {
                continue;
            }
            let caught = match region.kind {
                RegionKind::Catch(type_) => vec![self.type_of(type_)],
                RegionKind::Filter(start) => {
                    self.stacks.enter(start, vec![Value::unknown()]).ok_or_else(|| self.strange())?;
                    vec![Value::unknown()]
                }
                RegionKind::Finally | RegionKind::Fault => Vec::new(),
            };
            self.stacks.enter(region.handler_start, caught).ok_or_else(|| self.strange())?;
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
            0x14 => self.push(Value { held: Some(Content::Null), ..Value::null() })?,
            0x15..=0x1e => self.push(Value::constant(i64::from(opcode) - 0x16))?,
            0x1f | 0x20 => match operand {
                Operand::Int(number) => self.push(Value::constant(number))?,
                _ => return Err(self.strange()),
            },
            0x21..=0x23 | 0xfe1c => self.push(Value::number())?,
            op::DUP => {
                let value = self.take()?;
                self.push(value.clone())?;
                self.push(value)?;
            }
            0x26 => drop(self.take()?),
            op::CALL | op::CALLVIRT | op::NEWOBJ => self.call(opcode, operand)?,
            op::RET => {
                self.returned()?;
                self.ends = true;
                return Ok(false);
            }
            op::THROW | op::RETHROW | op::END_FINALLY | op::END_FILTER => return Ok(false),
            op::BR_S | op::BR => {
                self.branch(operand)?;
                return Ok(false);
            }
            0x2c..=0x37 | 0x39..=0x45 => return self.decided(opcode, operand),
            op::LEAVE | op::LEAVE_S => {
                self.stacks.current.stack.clear();
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
                let value = self.pop()?;
                let target = self.pop()?;
                let is_foreign = |type_: &TypeSig| is_span(type_) && (opcode != op::STOBJ || !value.owned);
                if matches!(opcode, op::STOBJ | 0x70) && self.type_operand(operand).type_().is_some_and(is_foreign) {
                    self.lose_spans();
                }
                self.write(&target, "through a reference")?;
            }
            // an empty one writes to nothing, and the variable of a span is always on the stack
            op::INITOBJ if self.type_operand(operand).type_().is_some_and(is_span) => drop(self.pop()?),
            op::INITOBJ => {
                let target = self.pop()?;
                self.write(&target, "through a reference")?;
            }
            // arithmetic and comparison
            0x58..=0x64 | 0xd6..=0xdb | 0xfe01..=0xfe05 => {
                let second = self.pop()?;
                let first = self.pop()?;
                self.push(branches::computed(opcode, &first, &second))?;
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
                let cast = self.cast(value, cast, opcode == 0x75);
                self.push(cast)?;
            }
            // unbox
            0x79 => {
                let value = self.pop()?;
                let type_ = self.type_operand(operand);
                self.push(Value { owned: value.owned, ..type_ })?;
            }
            op::LDFLD => {
                let of = self.pop()?;
                let value = self.field_of(&of, operand)?;
                self.push(value)?;
            }
            op::LDFLDA => {
                let target = self.pop()?;
                self.lasts_in(&target, operand)?;
                let value = self.field(operand)?;
                // whoever has the address may write to it
                self.hoist(&target, operand, value.clone())?;
                let owned = target.owned && !value.type_().is_some_and(is_span);
                self.push(Value { owned, ..value })?;
            }
            op::STFLD => {
                let value = self.pop()?;
                let target = self.pop()?;
                self.hoist(&target, operand, value)?;
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
            op::NEWARR => {
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
            // cpblk, initblk
            0xfe17 | 0xfe18 => {
                self.pop()?;
                self.pop()?;
                let target = self.pop()?;
                self.write(&target, "to memory")?;
            }
            _ => return Err(self.strange()),
        }
        Ok(true)
    }

    fn write(&mut self, target: &Value, what: &str) -> Judged {
        if target.owned { Ok(()) } else { Err(self.not(&format!("writes {what}"))) }
    }
}
