//! One body: its instructions in order, with what is known of the values that they take.

mod fields;

use std::sync::Arc;

use super::callee::{Callee, Target};
use super::stack::Stacks;
use super::values::{Value, name, referent};
use super::{Impurity, Judged, Question, name_of, short, shown};
use crate::assembly::Assembly;
use crate::il::{Instruction, MethodBody, Operand, RegionKind, op};
use crate::signatures::{Decoder, Primitive, TypeSig};
use crate::tokens::{MethodId, Token, TypeId};

/// Instructions of one body.
const MOST_CODE: usize = 64 << 10;
/// Walks until nothing new is learnt; each step forgets something, so they are few.
const MOST_WALKS: usize = 12;

pub(super) fn judge(question: &mut Question<'_>, assembly: &Arc<Assembly>, method: MethodId, owned: u64) -> Judged {
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
    let this = signature.has_this.then(|| view.declaring_type().map(|type_| type_.self_type())).flatten();
    let arguments = this.into_iter().chain(signature.parameters).enumerate();
    let arguments = arguments.map(|(at, type_)| {
        let owned = at < 64 && owned >> at & 1 == 1;
        Value { owned, ..Value::of(type_) }
    });
    let locals = view.local_types().into_iter().map(Value::owned).collect();
    let mut walk = Walk {
        question,
        assembly,
        owner: view.declaring_type().map(|type_| type_.id()),
        is_initialiser: view.name() == ".cctor",
        called,
        arguments: arguments.collect(),
        locals,
        stacks: Stacks::default(),
        constrained: None,
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
    owner: Option<TypeId>,
    is_initialiser: bool,
    called: String,
    arguments: Vec<Value>,
    locals: Vec<Value>,
    stacks: Stacks,
    constrained: Option<TypeSig>,
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
        }
        Ok(())
    }

    fn pop(&mut self) -> Result<Value, Impurity> {
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
                let value = self.pop()?;
                self.push(value.clone())?;
                self.push(value)?;
            }
            0x26 => drop(self.pop()?),
            op::CALL | op::CALLVIRT | op::NEWOBJ => self.call(opcode, operand)?,
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
                let value = self.type_operand(operand);
                // of a type parameter that is a class, the same object comes out
                let is_parameter =
                    matches!(value.type_(), None | Some(TypeSig::TypeParameter(_) | TypeSig::MethodParameter(_)));
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
                self.push(array)?;
            }
            0x8e => {
                self.pop()?;
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
                let array = self.pop()?;
                self.push(element(&array))?;
            }
            // stelem
            0x9b..=0xa2 | 0xa4 => {
                self.pop()?;
                self.pop()?;
                let array = self.pop()?;
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

    fn slot(&mut self, is_local: bool, number: u16) -> Result<&mut Value, Impurity> {
        let strange = self.strange();
        let slots = if is_local { &mut self.locals } else { &mut self.arguments };
        slots.get_mut(usize::from(number)).ok_or(strange)
    }

    fn load(&mut self, is_local: bool, number: u16) -> Judged {
        let value = self.slot(is_local, number)?.clone();
        self.push(value)
    }

    fn store(&mut self, is_local: bool, number: u16) -> Judged {
        let value = self.pop()?;
        let slot = self.slot(is_local, number)?;
        // the slot's own type stays: what is declared holds on all ways
        if slot.owned && !value.owned {
            slot.owned = false;
            self.stacks.has_changed = true;
        }
        Ok(())
    }

    /// The variable itself is ours, whatever it refers to.
    fn address(&mut self, is_local: bool, number: u16) -> Judged {
        let slot = self.slot(is_local, number)?;
        let type_ = slot.type_().cloned().map(|type_| TypeSig::ByRef(Box::new(type_)));
        self.push(Value { owned: true, ..type_.map_or_else(Value::unknown, Value::of) })
    }

    fn write(&mut self, target: &Value, what: &str) -> Judged {
        if target.owned { Ok(()) } else { Err(self.not(&format!("writes {what}"))) }
    }

    fn type_of(&self, token: Token) -> Value {
        Decoder::new(&self.assembly.metadata).token(token).map_or_else(|_| Value::unknown(), Value::of)
    }

    fn type_operand(&self, operand: Operand<'_>) -> Value {
        match operand {
            Operand::Token(token) => self.type_of(token),
            _ => Value::unknown(),
        }
    }

    /// A delegate's code runs when somebody calls it: it is judged when it is made.
    fn function(&mut self, opcode: u16, operand: Operand<'_>) -> Judged {
        if self.is_initialiser {
            return Ok(());
        }
        let Operand::Token(token) = operand else { return Err(self.strange()) };
        let callee = self.question.callee(self.assembly, token).ok_or_else(|| self.strange())?;
        let arguments = vec![Value::unknown(); callee.signature.parameters.len()];
        let this = callee.signature.has_this.then(|| Value::of(callee.type_.clone()));
        self.run(&callee, this, &arguments, opcode == op::LDVIRTFTN)
    }

    fn call(&mut self, opcode: u16, operand: Operand<'_>) -> Judged {
        let constrained = self.constrained.take();
        let Operand::Token(token) = operand else { return Err(self.strange()) };
        let mut callee = self.question.callee(self.assembly, token).ok_or_else(|| self.strange())?;
        let mut arguments = Vec::new();
        for _ in 0..callee.signature.parameters.len() {
            arguments.push(self.pop()?);
        }
        arguments.reverse();
        if opcode == op::NEWOBJ {
            // in an initialiser the code of a delegate is not looked at: it is kept, not called
            let is_kept = self.is_initialiser && is_delegate_constructor(&callee);
            let made = Value { owned: !is_kept, ..Value::of(callee.type_.clone()) };
            self.construct(&callee, &made, &arguments)?;
            return self.push(made);
        }
        let mut this = if callee.signature.has_this { Some(self.pop()?) } else { None };
        let mut is_virtual = opcode == op::CALLVIRT;
        if let (Some(type_), Some(this)) = (&constrained, &mut this) {
            *this = Value { owned: this.owned, ..Value::of(type_.clone()) };
            // a value type's own method, where it is known (ECMA-335 III.2.1)
            if let Some(exact) = self.question.constrained(self.assembly, type_, &callee) {
                (callee, is_virtual) = (exact, false);
            }
        }
        self.run(&callee, this.clone(), &arguments, is_virtual)?;
        let result = callee.result();
        if result == TypeSig::Primitive(Primitive::Void) {
            return Ok(());
        }
        // what the compiler makes of `with`: a copy
        let is_copy = callee.name == "<Clone>$";
        let is_framework = matches!(callee.target, Target::Framework);
        let makes = callee.name == "GetEnumerator"
            || callee.type_.full_name() == Some("System.Linq.Enumerable")
            // Append answers its builder
            || callee.type_.full_name() == Some("System.Text.StringBuilder") && this.is_some_and(|this| this.owned) && result == callee.type_;
        self.push(Value { owned: is_framework && makes || is_copy, ..Value::of(result) })
    }

    fn construct(&mut self, callee: &Callee, made: &Value, arguments: &[Value]) -> Judged {
        match &callee.target {
            Target::Array => Ok(()),
            // a delegate: its function was judged by ldftn
            Target::Framework if is_delegate_constructor(callee) => Ok(()),
            Target::Own(assembly, _) if is_delegate_constructor(callee) && is_delegate(assembly, callee) => Ok(()),
            _ => self.run(callee, Some(made.clone()), arguments, false),
        }
    }

    fn run(&mut self, callee: &Callee, this: Option<Value>, arguments: &[Value], is_virtual: bool) -> Judged {
        match &callee.target {
            Target::Array if callee.name == "Get" => Ok(()),
            Target::Array if callee.name == "Set" && this.as_ref().is_some_and(|this| this.owned) => Ok(()),
            Target::Array => Err(self.not("writes an element of an array")),
            Target::Framework => {
                self.run_framework(callee, this.clone(), arguments)?;
                // what the program overrides of it
                let receiver = this.as_ref().and_then(Value::type_).map_or(&callee.type_, referent);
                let type_ = receiver.full_name().unwrap_or_default();
                if is_virtual && type_ != "System.Object" && self.question.purity.hierarchy().has_below(type_) {
                    let count = arguments.len();
                    let found = self.question.purity.hierarchy().implementations(type_, &callee.name, Some(count));
                    let found = found.ok_or_else(|| self.not("calls code that cannot be analyzed"))?;
                    return found.iter().try_for_each(|(assembly, method)| self.question.own(assembly, *method, 0));
                }
                Ok(())
            }
            Target::Own(assembly, method) => {
                let all: Vec<&Value> = this.iter().chain(arguments).collect();
                let owned =
                    all.iter().take(64).enumerate().fold(0, |mask, (at, value)| mask | u64::from(value.owned) << at);
                self.question.initialiser_of(assembly, *method)?;
                if !is_virtual || !assembly.method(*method).is_virtual() {
                    return self.question.own(assembly, *method, owned);
                }
                self.run_all(assembly, *method, &callee.name, arguments.len(), owned)
            }
        }
    }

    fn run_all(&mut self, assembly: &Arc<Assembly>, method: MethodId, name: &str, count: usize, owned: u64) -> Judged {
        let type_ = assembly.method(method).declaring_type().map(|type_| type_.full_name()).unwrap_or_default();
        let found = self.question.purity.hierarchy().implementations(&type_, name, Some(count));
        let Some(found) = found.filter(|found| !found.is_empty()) else {
            return Err(self.not(&format!(
                "calls {}.{}, whose implementations are unknown",
                short(&type_),
                shown(name)
            )));
        };
        found.iter().try_for_each(|(assembly, method)| self.question.own(assembly, *method, owned))
    }

    fn run_framework(&mut self, callee: &Callee, this: Option<Value>, arguments: &[Value]) -> Judged {
        let receiver = this.as_ref().and_then(Value::type_).map_or(&callee.type_, referent).clone();
        let type_ = callee.type_.full_name().unwrap_or_default();
        // an override of the program: `object.ToString` of one of its types
        let is_object = matches!(
            type_,
            "System.Object"
                | "System.ValueType"
                | "System.Enum"
                | "System.IFormattable"
                | "System.IComparable"
                | "System.IComparable`1"
                | "System.IEquatable`1"
        );
        if is_object
            && this.is_some()
            && ["ToString", "Equals", "GetHashCode", "CompareTo"].contains(&callee.name.as_str())
        {
            let quiet = self.question.quiet(&receiver);
            return quiet.map_err(|impurity| self.not(&format!("calls {}: {impurity}", shown(&callee.name))));
        }
        // a query that was made elsewhere runs the code that it was given there
        let is_sequence =
            matches!(type_, "System.Collections.Generic.IEnumerable`1" | "System.Collections.IEnumerable");
        if is_sequence && receiver == callee.type_ && this.as_ref().is_none_or(|this| !this.owned) {
            return Err(self.not("enumerates something that may run any code"));
        }
        let judged = self.question.framework_call(&callee.type_, &callee.name, &receiver, arguments, this.is_none());
        judged.map_err(|impurity| self.not(&format!("calls code that is not known to be pure: {impurity}")))?;
        let writes = Question::framework_writes(&callee.type_, &callee.name);
        match this {
            Some(this) if writes && !this.owned => {
                Err(self.not(&format!("calls {}.{}, which changes its object", short(type_), shown(&callee.name))))
            }
            _ => Ok(()),
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

fn is_delegate_constructor(callee: &Callee) -> bool {
    let pointer = TypeSig::Primitive(Primitive::IntPtr);
    let object = TypeSig::Primitive(Primitive::Object);
    callee.name == ".ctor" && callee.signature.parameters == [object, pointer]
}

fn is_delegate(assembly: &Assembly, callee: &Callee) -> bool {
    let id = name(&callee.type_).and_then(|named| assembly.find_type(&named.full_name));
    id.is_some_and(|id| assembly.type_(id).is_delegate())
}
