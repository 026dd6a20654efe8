//! Which object a call is made on: the stack is followed from the start of the straight-line code to the call.

use crate::assembly::Assembly;
use crate::il::{Instruction, MethodBody, Operand, op};
use crate::schema::{Table, col};
use crate::signatures::{Decoder, TypeSig};
use crate::tokens::{MethodId, Token};

const CONSTRAINED: u16 = 0xfe16;

/// How the method that a call runs is chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Dispatch {
    /// The one that the instruction names: `base.Write()`, static methods.
    Exact,
    /// By the object, of this static type; `None` where the code before the call does not show it.
    Virtual(Option<TypeSig>),
    /// `constrained.` (ECMA-335 III.2.1): by the type itself, which may be a value type or a type parameter.
    Constrained(TypeSig),
}

/// What lies on the stack; `None`: not known.
type Stack = Vec<Option<TypeSig>>;

/// Values that are followed; no compiler leaves more on the stack.
const MOST_VALUES: usize = 256;

impl Assembly {
    /// Of calls of one method, given by their IL offsets in ascending order; in one walk over its code.
    pub fn dispatches(&self, method: MethodId, il_offsets: &[u32]) -> Vec<Dispatch> {
        let mut found = Vec::with_capacity(il_offsets.len());
        if let Ok(Some(body)) = self.body(method) {
            self.follow(&body, method, il_offsets, &mut found);
        }
        found.resize(il_offsets.len(), Dispatch::Virtual(None));
        found
    }

    /// Whether the prefix `constrained.` may stand before a call; `false` is certain.
    pub fn may_be_constrained(&self, method: MethodId, il_offset: u32) -> bool {
        // The prefix and its token.
        let prefix = (il_offset as usize).checked_sub(6);
        let code = self.code(method).map(|(_, code)| code).unwrap_or_default();
        prefix.and_then(|at| code.get(at..)).is_some_and(|code| code.starts_with(&CONSTRAINED.to_be_bytes()))
    }

    /// The type whose member a token names, with its arguments.
    pub fn declaring_signature(&self, member: Token) -> Option<TypeSig> {
        self.type_signature(self.declaring(member)?)
    }

    fn follow(&self, body: &MethodBody<'_>, method: MethodId, il_offsets: &[u32], found: &mut Vec<Dispatch>) {
        let joins = joins(body);
        let locals = self.method(method).local_types();
        let mut stack = Stack::new();
        let mut constrained = None;
        for instruction in body.instructions().map_while(Result::ok) {
            let Some(&wanted) = il_offsets.get(found.len()) else { return };
            if joins.binary_search(&instruction.offset).is_ok() || stack.len() > MOST_VALUES {
                // Another path comes with another type.
                stack.clear();
            }
            if instruction.offset == wanted {
                found.push(self.dispatch_of(&instruction, constrained.take(), &stack));
            }
            constrained = match instruction.operand {
                Operand::Token(token) if instruction.opcode == CONSTRAINED => self.type_signature(token),
                _ => None,
            };
            self.step(&instruction, method, &locals, &mut stack);
        }
    }

    fn dispatch_of(&self, call: &Instruction<'_>, constrained: Option<TypeSig>, stack: &[Option<TypeSig>]) -> Dispatch {
        if let Some(type_) = constrained {
            return Dispatch::Constrained(type_);
        }
        let above = match (call.opcode, call.operand) {
            (op::CALLVIRT, Operand::Token(callee)) => self.callee_signature(callee).map(|it| it.parameters.len()),
            (op::LDVIRTFTN, _) => Some(0),
            _ => return Dispatch::Exact,
        };
        let receiver = above.and_then(|above| stack.iter().rev().nth(above).cloned().flatten());
        Dispatch::Virtual(receiver)
    }

    fn step(&self, instruction: &Instruction<'_>, method: MethodId, locals: &[TypeSig], stack: &mut Stack) {
        let Some(effect) = self.effect(instruction) else { return stack.clear() };
        let pushed = match instruction.opcode {
            op::DUP => stack.last().cloned().flatten(),
            _ => self.pushed(instruction, method, locals),
        };
        stack.truncate(stack.len().saturating_sub(effect.pops as usize));
        stack.extend((0..effect.pushes).map(|_| pushed.clone()));
    }

    /// The type of what an instruction leaves on the stack, where the instruction alone shows it.
    fn pushed(&self, instruction: &Instruction<'_>, method: MethodId, locals: &[TypeSig]) -> Option<TypeSig> {
        const CASTS: [u16; 5] = [0x74, 0x75, 0x8c, 0xa3, 0xa5];
        let number = |first: u16| usize::from(instruction.opcode - first);
        match (instruction.opcode, instruction.operand) {
            (op::LDARG_0..=0x05, _) => self.argument_type(method, number(op::LDARG_0)),
            (op::LDARG_S | 0xfe09, Operand::Variable(at)) => self.argument_type(method, usize::from(at)),
            (op::LDLOC_0..=0x09, _) => locals.get(number(op::LDLOC_0)).cloned(),
            (0x11 | 0xfe0c, Operand::Variable(at)) => locals.get(usize::from(at)).cloned(),
            (op::LDFLD | op::LDSFLD, Operand::Token(field)) => self.field_type(field),
            (op::CALL | op::CALLVIRT, Operand::Token(callee)) => self.return_type(callee),
            (op::NEWOBJ, Operand::Token(callee)) => self.type_signature(self.declaring(callee)?),
            (opcode, Operand::Token(type_)) if CASTS.contains(&opcode) => self.type_signature(type_),
            _ => None,
        }
    }

    fn argument_type(&self, method: MethodId, number: usize) -> Option<TypeSig> {
        let view = self.method(method);
        if view.is_static() {
            return view.signature()?.parameters.get(number).cloned();
        }
        match number.checked_sub(1) {
            Some(number) => view.signature()?.parameters.get(number).cloned(),
            None => self.type_signature(view.declaring_type()?.id().token()),
        }
    }

    fn field_type(&self, field: Token) -> Option<TypeSig> {
        let metadata = &self.metadata;
        let blob = match field.table()? {
            Table::Field => metadata.blob(field.row(), col::Field::Signature),
            Table::MemberRef => metadata.blob(field.row(), col::MemberRef::Signature),
            _ => return None,
        };
        Some(metadata.decode_field(blob.ok()?).ok()?.substitute(&self.arguments_of(field), &[]))
    }

    fn return_type(&self, callee: Token) -> Option<TypeSig> {
        let metadata = &self.metadata;
        let of_method = callee.row_of(Table::MethodSpec).and_then(|row| {
            let blob = metadata.blob(row, col::MethodSpec::Instantiation).ok()?;
            metadata.decode_instantiation(blob).ok()
        });
        let returned = self.callee_signature(callee)?.return_type;
        Some(returned.substitute(&self.arguments_of(callee), &of_method.unwrap_or_default()))
    }

    /// The type whose member a token names.
    fn declaring(&self, member: Token) -> Option<Token> {
        match member.table()? {
            Table::MethodDef => Some(self.method(MethodId::from_token(member)?).declaring_type()?.id().token()),
            Table::MemberRef => self.metadata.token(member.row(), col::MemberRef::Class).ok(),
            Table::MethodSpec => {
                let method = self.metadata.token(member.row(), col::MethodSpec::Method).ok()?;
                // Its column points to a MethodDef or MemberRef only: this goes one level deep.
                self.declaring(method)
            }
            _ => None,
        }
    }

    /// Generic arguments of the type whose member a token names.
    fn arguments_of(&self, member: Token) -> Vec<TypeSig> {
        let class = self.declaring(member).filter(|class| class.table() == Some(Table::TypeSpec));
        match class.and_then(|class| Decoder::new(&self.metadata).token(class).ok()) {
            Some(TypeSig::Named(name)) => name.arguments,
            _ => Vec::new(),
        }
    }
}

/// Offsets that are jumped to, sorted.
fn joins(body: &MethodBody<'_>) -> Vec<u32> {
    let mut found: Vec<u32> = Vec::new();
    for instruction in body.instructions().map_while(Result::ok) {
        match instruction.operand {
            Operand::Branch(target) => found.push(target),
            Operand::Switch(targets) => found.extend(targets.iter()),
            _ => {}
        }
    }
    found.extend(body.regions.iter().map(|region| region.handler_start));
    found.sort_unstable();
    found
}
