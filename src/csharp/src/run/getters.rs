//! What a getter returns that reads fields and computes with numbers, and nothing more, where no code of the program can run: its IL is
//! followed here. It stores nothing, so nothing changes; what it does beyond that is not followed.

use std::collections::HashMap;

use clr_metadata::il::{Operand, op};
use clr_metadata::{Assembly, Primitive, Token};

use crate::constant::{Constant, Scalar};
use crate::types::{FieldRef, MethodRef, PropertyRef, Type};
use crate::value::Value;
use crate::world::{Evaluated, Failure, World};

use super::{Run, unsupported};

/// Getters within getters.
const DEEPEST: u32 = 16;
/// Bytes of IL.
const LONGEST: usize = 1_024;

/// What stands on the evaluation stack (ECMA-335 III.1.1).
#[derive(Clone)]
enum Cell<H> {
    I4(i32),
    I8(i64),
    F(f64),
    Other(Value<H>),
}

impl<W: World> Run<'_, W> {
    /// What a getter gave; where nothing can run, what following it gives.
    pub(super) fn or_followed(
        &mut self,
        found: Evaluated<W>,
        value: &Value<W::Handle>,
        property: &PropertyRef,
    ) -> Evaluated<W> {
        let (Err(Failure::World(error)), Value::Object(handle)) = (&found, value) else { return found };
        if !self.world.cannot_run(error) || self.followed >= DEEPEST {
            return found;
        }
        if let Some(part) = self.part_of_date(handle, &property.owner, &property.property.name)? {
            return Ok(part);
        }
        let Some(getter) = property.getter() else { return found };
        self.followed += 1;
        let followed = self.follow(value, &getter);
        self.followed -= 1;
        // it is this getter that is refused, not the last one within it
        followed.or_else(|_| self.called_getter(value, property, &[]))
    }

    fn follow(&mut self, this: &Value<W::Handle>, getter: &MethodRef) -> Evaluated<W> {
        let assembly = getter.method.assembly.clone();
        let body = assembly.body(getter.method.id).ok().flatten().filter(|body| body.code.len() <= LONGEST);
        let Some(body) = body else { return not_followed() };
        let code: Vec<_> = body.instructions().map_while(Result::ok).collect();
        let places: HashMap<u32, usize> = code.iter().enumerate().map(|(at, it)| (it.offset, at)).collect();
        let mut locals: HashMap<u16, Cell<W::Handle>> = HashMap::new();
        let mut stack: Vec<Cell<W::Handle>> = Vec::new();
        let mut at = 0;
        loop {
            self.step()?;
            let Some(instruction) = code.get(at) else { return not_followed() };
            at += 1;
            let mut jump = None;
            match (instruction.opcode, instruction.operand) {
                (op::NOP | op::VOLATILE, _) => {}
                (op::LDARG_0, _) => stack.push(Cell::Other(this.clone())),
                (opcode @ op::LDLOC_0..=op::LDLOC_3, _) => stack.push(read(&locals, opcode - op::LDLOC_0)?),
                // of a local's address only getters are asked, which change nothing
                (op::LDLOC_S | op::LDLOCA_S | op::LDLOC | op::LDLOCA, Operand::Variable(slot)) => {
                    stack.push(read(&locals, slot)?)
                }
                (opcode @ op::STLOC_0..=op::STLOC_3, _) => drop(locals.insert(opcode - op::STLOC_0, pop(&mut stack)?)),
                (op::STLOC_S | op::STLOC, Operand::Variable(slot)) => drop(locals.insert(slot, pop(&mut stack)?)),
                (op::LDNULL, _) => stack.push(Cell::Other(Value::NULL)),
                (opcode @ op::LDC_I4_M1..=op::LDC_I4_8, _) => {
                    stack.push(Cell::I4(i32::from(opcode) - i32::from(op::LDC_I4_0)))
                }
                (op::LDC_I4_S | op::LDC_I4, Operand::Int(number)) => stack.push(Cell::I4(number as i32)),
                (op::LDC_I8, Operand::Int(number)) => stack.push(Cell::I8(number)),
                (op::LDC_R8, Operand::Float(number)) => stack.push(Cell::F(number)),
                (op::DUP, _) => {
                    let top = pop(&mut stack)?;
                    stack.extend([top.clone(), top]);
                }
                (op::POP, _) => drop(pop(&mut stack)?),
                (opcode @ (op::CALL | op::CALLVIRT), Operand::Token(token)) => {
                    let Cell::Other(of) = pop(&mut stack)? else { return not_followed() };
                    let value = self.getter_of(&of, (&assembly, token), opcode == op::CALLVIRT)?;
                    stack.push(self.cell(value));
                }
                (op::RET, _) => return self.returned(pop(&mut stack)?, &getter.returns()),
                (op::BR_S | op::BR, Operand::Branch(target)) => jump = Some(target),
                (opcode @ (op::BRFALSE_S | op::BRTRUE_S | op::BRFALSE | op::BRTRUE), Operand::Branch(target)) => {
                    let is_set = is_set(&pop(&mut stack)?);
                    let wants_set = matches!(opcode, op::BRTRUE_S | op::BRTRUE);
                    jump = (is_set == wants_set).then_some(target);
                }
                (opcode @ (op::BEQ_S..=op::BLT_UN_S | op::BEQ..=op::BLT_UN), Operand::Branch(target)) => {
                    let (right, left) = (pop(&mut stack)?, pop(&mut stack)?);
                    let opcode = if opcode >= op::BEQ { opcode - op::BEQ + op::BEQ_S } else { opcode };
                    jump = branches(opcode, &left, &right)?.then_some(target);
                }
                (opcode @ (op::ADD..=op::SHR_UN), _) => {
                    let (right, left) = (pop(&mut stack)?, pop(&mut stack)?);
                    stack.push(computed(opcode, left, right)?);
                }
                (opcode @ (op::NEG | op::NOT), _) => {
                    let of = pop(&mut stack)?;
                    stack.push(match (opcode, of) {
                        (op::NEG, Cell::I4(number)) => Cell::I4(number.wrapping_neg()),
                        (op::NEG, Cell::I8(number)) => Cell::I8(number.wrapping_neg()),
                        (op::NEG, Cell::F(number)) => Cell::F(-number),
                        (op::NOT, Cell::I4(number)) => Cell::I4(!number),
                        (op::NOT, Cell::I8(number)) => Cell::I8(!number),
                        _ => return not_followed(),
                    });
                }
                (
                    opcode @ (op::CONV_I1..=op::CONV_I8
                    | op::CONV_R8..=op::CONV_U8
                    | op::CONV_R_UN
                    | op::CONV_U2..=op::CONV_I
                    | op::CONV_U),
                    _,
                ) => {
                    let of = pop(&mut stack)?;
                    stack.push(converted(opcode, &of)?);
                }
                (op::LDFLD | op::LDFLDA, Operand::Token(token)) => {
                    let Cell::Other(Value::Object(of)) = pop(&mut stack)? else { return not_followed() };
                    let Some(field) = self.field_named_by(&of, &assembly, token)? else { return not_followed() };
                    let value = self.world.field(Some(&of), &field)?;
                    stack.push(self.cell(value));
                }
                (op::LDLEN, _) => {
                    let Cell::Other(Value::Object(array)) = pop(&mut stack)? else { return not_followed() };
                    let Some(dimensions) = self.world.dimensions(&array)? else { return not_followed() };
                    let length: usize = dimensions.iter().map(|(_, length)| length).product();
                    stack.push(Cell::I8(length as i64));
                }
                (opcode @ op::CEQ..=op::CLT_UN, _) => {
                    let (right, left) = (pop(&mut stack)?, pop(&mut stack)?);
                    // as the branches
                    let branch = match opcode {
                        op::CEQ => op::BEQ_S,
                        op::CGT => op::BGT_S,
                        op::CGT_UN => op::BGT_UN_S,
                        op::CLT => op::BLT_S,
                        _ => op::BLT_UN_S,
                    };
                    stack.push(Cell::I4(branches(branch, &left, &right)?.into()));
                }
                _ => return not_followed(),
            }
            if let Some(target) = jump {
                let Some(&place) = places.get(&target) else { return not_followed() };
                at = place;
            }
        }
    }

    /// What a getter gives that a call instruction names. `is_virtual`: that of the object's type.
    fn getter_of(
        &mut self,
        of: &Value<W::Handle>,
        (assembly, token): (&Assembly, Token),
        is_virtual: bool,
    ) -> Evaluated<W> {
        let name = assembly.called_name(token).and_then(|name| name.strip_prefix("get_"));
        let (Some(name), Some(owner)) = (name, assembly.declaring_type_name(token)) else { return not_followed() };
        let Some(type_) = self.run_time_type(of)? else { return not_followed() };
        let declares = |it: &Type| it.is(&owner);
        let mut places = self.types.chain(&type_);
        places.extend(self.types.interfaces(&type_));
        let Some(owner) = places.into_iter().find(declares) else { return not_followed() };
        let Some(definition) = self.types.definition(&owner) else { return not_followed() };
        let properties = self.types.properties(&definition);
        let is_it = |it: &&std::sync::Arc<crate::types::Property>| it.name == name && !it.is_static && !it.is_indexer();
        let Some(property) = properties.iter().find(is_it).cloned() else { return not_followed() };
        // `base.Total`
        if !is_virtual && owner != type_ && property.accessor().is_some_and(|accessor| accessor.is_virtual) {
            return not_followed();
        }
        self.property_of(of, &PropertyRef { owner, property }, &[])
    }

    fn field_named_by(
        &mut self,
        of: &W::Handle,
        assembly: &Assembly,
        token: Token,
    ) -> Result<Option<FieldRef>, Failure<W::Error>> {
        let (Some(name), Some(owner)) = (assembly.accessed_field(token), assembly.declaring_type_name(token)) else {
            return Ok(None);
        };
        let type_ = self.world.type_of(of)?;
        let Some(owner) = self.types.chain(&type_).into_iter().find(|it| it.is(&owner)) else { return Ok(None) };
        let Some(definition) = self.types.definition(&owner) else { return Ok(None) };
        let field = self.types.fields(&definition).iter().find(|it| it.name == name && !it.is_static).cloned();
        Ok(field.map(|field| FieldRef { owner, field }))
    }

    /// As it stands on the stack.
    fn cell(&self, value: Value<W::Handle>) -> Cell<W::Handle> {
        let number = |primitive, number: i128| match primitive {
            Primitive::I8 | Primitive::U8 | Primitive::IntPtr | Primitive::UIntPtr => Cell::I8(number as i64),
            _ => Cell::I4(number as i32),
        };
        match &value {
            Value::Constant(Constant::Scalar(Scalar::Bool(value))) => Cell::I4((*value).into()),
            Value::Constant(Constant::Scalar(Scalar::Char(unit))) => Cell::I4((*unit).into()),
            Value::Constant(Constant::Scalar(Scalar::Int(primitive, of))) => number(*primitive, *of),
            Value::Constant(Constant::Scalar(Scalar::Double(of))) => Cell::F(*of),
            Value::Constant(Constant::Enum(type_, of)) => match self.types.underlying(type_) {
                Some(primitive) => number(primitive, *of),
                None => Cell::Other(value),
            },
            _ => Cell::Other(value),
        }
    }

    /// As the value that the getter is declared to return.
    fn returned(&self, cell: Cell<W::Handle>, type_: &Type) -> Evaluated<W> {
        let underlying = self.types.underlying(type_);
        let number = match cell {
            Cell::Other(value) if type_.primitive().is_none_or(is_reference) && underlying.is_none() => {
                return Ok(value);
            }
            Cell::F(number) if type_.primitive() == Some(Primitive::R8) => {
                return Ok(Value::scalar(Scalar::Double(number)));
            }
            Cell::I4(number) => i64::from(number),
            Cell::I8(number) => number,
            _ => return not_followed(),
        };
        let of_width = |primitive| {
            Some(match primitive {
                Primitive::I1 => i128::from(number as i8),
                Primitive::U1 => i128::from(number as u8),
                Primitive::I2 => i128::from(number as i16),
                Primitive::U2 => i128::from(number as u16),
                Primitive::I4 => i128::from(number as i32),
                Primitive::U4 => i128::from(number as u32),
                Primitive::I8 | Primitive::IntPtr => i128::from(number),
                Primitive::U8 | Primitive::UIntPtr => i128::from(number as u64),
                _ => return None,
            })
        };
        let constant = match (underlying, type_.primitive()) {
            (Some(primitive), _) => of_width(primitive).map(|number| Constant::Enum(type_.clone(), number)),
            (None, Some(Primitive::Boolean)) => Some(Constant::bool(number != 0)),
            (None, Some(Primitive::Char)) => Some(Constant::Scalar(Scalar::Char(number as u16))),
            (None, Some(primitive)) => {
                of_width(primitive).map(|number| Constant::Scalar(Scalar::Int(primitive, number)))
            }
            (None, None) => None,
        };
        constant.map_or_else(not_followed, |constant| Ok(Value::Constant(constant)))
    }
}

fn is_reference(primitive: Primitive) -> bool {
    matches!(primitive, Primitive::String | Primitive::Object)
}

fn not_followed<T, E>() -> Result<T, Failure<E>> {
    unsupported("the getter does more than read fields")
}

fn pop<H, E>(stack: &mut Vec<Cell<H>>) -> Result<Cell<H>, Failure<E>> {
    stack.pop().map_or_else(not_followed, Ok)
}

fn read<H: Clone, E>(locals: &HashMap<u16, Cell<H>>, slot: u16) -> Result<Cell<H>, Failure<E>> {
    locals.get(&slot).cloned().map_or_else(not_followed, Ok)
}

/// What `brtrue` jumps at.
fn is_set<H>(cell: &Cell<H>) -> bool {
    match cell {
        Cell::I4(number) => *number != 0,
        Cell::I8(number) => *number != 0,
        Cell::F(number) => *number != 0.0,
        Cell::Other(value) => !value.is_null(),
    }
}

/// `beq` to `blt.un`, by the short opcodes.
fn branches<H, E>(opcode: u16, left: &Cell<H>, right: &Cell<H>) -> Result<bool, Failure<E>> {
    use std::cmp::Ordering::{Equal, Greater, Less};
    let (signed, unsigned) = match (left, right) {
        (Cell::I4(left), Cell::I4(right)) => (left.cmp(right), (*left as u32).cmp(&(*right as u32))),
        (Cell::I8(left), Cell::I8(right)) => (left.cmp(right), (*left as u64).cmp(&(*right as u64))),
        (Cell::F(left), Cell::F(right)) => match left.partial_cmp(right) {
            Some(order) => (order, order),
            // what compares without an order is true of numbers that have none
            None => return Ok(matches!(opcode, op::BNE_UN_S..=op::BLT_UN_S)),
        },
        // `x == null` and `x != null`
        (Cell::Other(left), Cell::Other(right)) if left.is_null() || right.is_null() => {
            return match opcode {
                op::BEQ_S => Ok(left.is_null() == right.is_null()),
                op::BNE_UN_S | op::BGT_UN_S => Ok(left.is_null() != right.is_null()),
                _ => not_followed(),
            };
        }
        _ => return not_followed(),
    };
    Ok(match opcode {
        op::BEQ_S => signed == Equal,
        op::BGE_S => signed != Less,
        op::BGT_S => signed == Greater,
        op::BLE_S => signed != Greater,
        op::BLT_S => signed == Less,
        op::BNE_UN_S => signed != Equal,
        op::BGE_UN_S => unsigned != Less,
        op::BGT_UN_S => unsigned == Greater,
        op::BLE_UN_S => unsigned != Greater,
        _ => unsigned == Less,
    })
}

/// `add` to `shr.un`. What would throw is not followed.
fn computed<H, E>(opcode: u16, left: Cell<H>, right: Cell<H>) -> Result<Cell<H>, Failure<E>> {
    let found = match (left, right) {
        (Cell::F(left), Cell::F(right)) => Some(Cell::F(match opcode {
            op::ADD => left + right,
            op::SUB => left - right,
            op::MUL => left * right,
            op::DIV => left / right,
            op::REM => left % right,
            _ => return not_followed(),
        })),
        (Cell::I4(left), Cell::I4(right)) => match opcode {
            op::ADD => Some(left.wrapping_add(right)),
            op::SUB => Some(left.wrapping_sub(right)),
            op::MUL => Some(left.wrapping_mul(right)),
            op::DIV => left.checked_div(right),
            op::DIV_UN => (left as u32).checked_div(right as u32).map(|number| number as i32),
            op::REM => left.checked_rem(right),
            op::REM_UN => (left as u32).checked_rem(right as u32).map(|number| number as i32),
            op::AND => Some(left & right),
            op::OR => Some(left | right),
            op::XOR => Some(left ^ right),
            op::SHL => u32::try_from(right).ok().and_then(|by| left.checked_shl(by)),
            op::SHR => u32::try_from(right).ok().and_then(|by| left.checked_shr(by)),
            _ => u32::try_from(right).ok().and_then(|by| (left as u32).checked_shr(by)).map(|number| number as i32),
        }
        .map(Cell::I4),
        (Cell::I8(left), Cell::I8(right)) => match opcode {
            op::ADD => Some(left.wrapping_add(right)),
            op::SUB => Some(left.wrapping_sub(right)),
            op::MUL => Some(left.wrapping_mul(right)),
            op::DIV => left.checked_div(right),
            op::DIV_UN => (left as u64).checked_div(right as u64).map(|number| number as i64),
            op::REM => left.checked_rem(right),
            op::REM_UN => (left as u64).checked_rem(right as u64).map(|number| number as i64),
            op::AND => Some(left & right),
            op::OR => Some(left | right),
            op::XOR => Some(left ^ right),
            _ => None,
        }
        .map(Cell::I8),
        (Cell::I8(left), Cell::I4(by)) => match (opcode, u32::try_from(by)) {
            (op::SHL, Ok(by)) => left.checked_shl(by),
            (op::SHR, Ok(by)) => left.checked_shr(by),
            (op::SHR_UN, Ok(by)) => (left as u64).checked_shr(by).map(|number| number as i64),
            _ => None,
        }
        .map(Cell::I8),
        _ => None,
    };
    found.map_or_else(not_followed, Ok)
}

/// `conv.*`, without those that check and those to `float`.
fn converted<H, E>(opcode: u16, of: &Cell<H>) -> Result<Cell<H>, Failure<E>> {
    let (signed, unsigned) = match of {
        Cell::I4(number) => (i64::from(*number), u64::from(*number as u32)),
        Cell::I8(number) => (*number, *number as u64),
        // what is too large for the integer is not defined
        Cell::F(number) => match opcode {
            op::CONV_R8 => return Ok(Cell::F(*number)),
            op::CONV_R_UN => return not_followed(),
            _ if number.abs() < 2_147_483_647.0 => (*number as i64, *number as i64 as u64),
            _ => return not_followed(),
        },
        Cell::Other(_) => return not_followed(),
    };
    Ok(match opcode {
        op::CONV_I1 => Cell::I4((signed as i8).into()),
        op::CONV_I2 => Cell::I4((signed as i16).into()),
        op::CONV_I4 | op::CONV_U4 => Cell::I4(signed as i32),
        op::CONV_I8 | op::CONV_I => Cell::I8(signed),
        op::CONV_R8 => Cell::F(signed as f64),
        op::CONV_U8 | op::CONV_U => Cell::I8(unsigned as i64),
        op::CONV_R_UN => Cell::F(unsigned as f64),
        op::CONV_U2 => Cell::I4((signed as u16).into()),
        _ => Cell::I4((signed as u8).into()),
    })
}
