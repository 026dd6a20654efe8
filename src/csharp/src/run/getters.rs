//! What a getter returns that reads fields and computes with numbers, and nothing more, where no code of the program can run: its IL is
//! followed here. It stores nothing, so nothing changes; what it does beyond that is not followed.

use std::collections::HashMap;

use clr_metadata::il::Operand;
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
                // nop, volatile.
                (0x00 | 0xfe13, _) => {}
                (0x02, _) => stack.push(Cell::Other(this.clone())),
                (opcode @ 0x06..=0x09, _) => stack.push(read(&locals, opcode - 0x06)?),
                // of a local's address only getters are asked, which change nothing
                (0x11 | 0x12 | 0xfe0c | 0xfe0d, Operand::Variable(slot)) => stack.push(read(&locals, slot)?),
                (opcode @ 0x0a..=0x0d, _) => drop(locals.insert(opcode - 0x0a, pop(&mut stack)?)),
                (0x13 | 0xfe0e, Operand::Variable(slot)) => drop(locals.insert(slot, pop(&mut stack)?)),
                (0x14, _) => stack.push(Cell::Other(Value::NULL)),
                (opcode @ 0x15..=0x1e, _) => stack.push(Cell::I4(i32::from(opcode) - 0x16)),
                (0x1f | 0x20, Operand::Int(number)) => stack.push(Cell::I4(number as i32)),
                (0x21, Operand::Int(number)) => stack.push(Cell::I8(number)),
                (0x23, Operand::Float(number)) => stack.push(Cell::F(number)),
                (0x25, _) => {
                    let top = pop(&mut stack)?;
                    stack.extend([top.clone(), top]);
                }
                (0x26, _) => drop(pop(&mut stack)?),
                (opcode @ (0x28 | 0x6f), Operand::Token(token)) => {
                    let Cell::Other(of) = pop(&mut stack)? else { return not_followed() };
                    let value = self.getter_of(&of, (&assembly, token), opcode == 0x6f)?;
                    stack.push(self.cell(value));
                }
                (0x2a, _) => return self.returned(pop(&mut stack)?, &getter.returns()),
                (0x2b | 0x38, Operand::Branch(target)) => jump = Some(target),
                (opcode @ (0x2c | 0x2d | 0x39 | 0x3a), Operand::Branch(target)) => {
                    let is_set = is_set(&pop(&mut stack)?);
                    let wants_set = matches!(opcode, 0x2d | 0x3a);
                    jump = (is_set == wants_set).then_some(target);
                }
                (opcode @ (0x2e..=0x37 | 0x3b..=0x44), Operand::Branch(target)) => {
                    let (right, left) = (pop(&mut stack)?, pop(&mut stack)?);
                    let opcode = if opcode >= 0x3b { opcode - 0x3b + 0x2e } else { opcode };
                    jump = branches(opcode, &left, &right)?.then_some(target);
                }
                (opcode @ (0x58..=0x64), _) => {
                    let (right, left) = (pop(&mut stack)?, pop(&mut stack)?);
                    stack.push(computed(opcode, left, right)?);
                }
                (opcode @ (0x65 | 0x66), _) => {
                    let of = pop(&mut stack)?;
                    stack.push(match (opcode, of) {
                        (0x65, Cell::I4(number)) => Cell::I4(number.wrapping_neg()),
                        (0x65, Cell::I8(number)) => Cell::I8(number.wrapping_neg()),
                        (0x65, Cell::F(number)) => Cell::F(-number),
                        (0x66, Cell::I4(number)) => Cell::I4(!number),
                        (0x66, Cell::I8(number)) => Cell::I8(!number),
                        _ => return not_followed(),
                    });
                }
                (opcode @ (0x67..=0x6a | 0x6c..=0x6e | 0x76 | 0xd1..=0xd3 | 0xe0), _) => {
                    let of = pop(&mut stack)?;
                    stack.push(converted(opcode, &of)?);
                }
                (0x7b | 0x7c, Operand::Token(token)) => {
                    let Cell::Other(Value::Object(of)) = pop(&mut stack)? else { return not_followed() };
                    let Some(field) = self.field_named_by(&of, &assembly, token)? else { return not_followed() };
                    let value = self.world.field(Some(&of), &field)?;
                    stack.push(self.cell(value));
                }
                (0x8e, _) => {
                    let Cell::Other(Value::Object(array)) = pop(&mut stack)? else { return not_followed() };
                    let Some(dimensions) = self.world.dimensions(&array)? else { return not_followed() };
                    let length: usize = dimensions.iter().map(|(_, length)| length).product();
                    stack.push(Cell::I8(length as i64));
                }
                (opcode @ 0xfe01..=0xfe05, _) => {
                    let (right, left) = (pop(&mut stack)?, pop(&mut stack)?);
                    // as the branches: beq, bgt, bgt.un, blt, blt.un
                    let branch = match opcode {
                        0xfe01 => 0x2e,
                        0xfe02 => 0x30,
                        0xfe03 => 0x35,
                        0xfe04 => 0x32,
                        _ => 0x37,
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
            None => return Ok(matches!(opcode, 0x33..=0x37)),
        },
        // `x == null` and `x != null`
        (Cell::Other(left), Cell::Other(right)) if left.is_null() || right.is_null() => {
            return match opcode {
                0x2e => Ok(left.is_null() == right.is_null()),
                0x33 | 0x35 => Ok(left.is_null() != right.is_null()),
                _ => not_followed(),
            };
        }
        _ => return not_followed(),
    };
    Ok(match opcode {
        0x2e => signed == Equal,
        0x2f => signed != Less,
        0x30 => signed == Greater,
        0x31 => signed != Greater,
        0x32 => signed == Less,
        0x33 => signed != Equal,
        0x34 => unsigned != Less,
        0x35 => unsigned == Greater,
        0x36 => unsigned != Greater,
        _ => unsigned == Less,
    })
}

/// `add` to `shr.un`. What would throw is not followed.
fn computed<H, E>(opcode: u16, left: Cell<H>, right: Cell<H>) -> Result<Cell<H>, Failure<E>> {
    let found = match (left, right) {
        (Cell::F(left), Cell::F(right)) => Some(Cell::F(match opcode {
            0x58 => left + right,
            0x59 => left - right,
            0x5a => left * right,
            0x5b => left / right,
            0x5d => left % right,
            _ => return not_followed(),
        })),
        (Cell::I4(left), Cell::I4(right)) => match opcode {
            0x58 => Some(left.wrapping_add(right)),
            0x59 => Some(left.wrapping_sub(right)),
            0x5a => Some(left.wrapping_mul(right)),
            0x5b => left.checked_div(right),
            0x5c => (left as u32).checked_div(right as u32).map(|number| number as i32),
            0x5d => left.checked_rem(right),
            0x5e => (left as u32).checked_rem(right as u32).map(|number| number as i32),
            0x5f => Some(left & right),
            0x60 => Some(left | right),
            0x61 => Some(left ^ right),
            0x62 => u32::try_from(right).ok().and_then(|by| left.checked_shl(by)),
            0x63 => u32::try_from(right).ok().and_then(|by| left.checked_shr(by)),
            _ => u32::try_from(right).ok().and_then(|by| (left as u32).checked_shr(by)).map(|number| number as i32),
        }
        .map(Cell::I4),
        (Cell::I8(left), Cell::I8(right)) => match opcode {
            0x58 => Some(left.wrapping_add(right)),
            0x59 => Some(left.wrapping_sub(right)),
            0x5a => Some(left.wrapping_mul(right)),
            0x5b => left.checked_div(right),
            0x5c => (left as u64).checked_div(right as u64).map(|number| number as i64),
            0x5d => left.checked_rem(right),
            0x5e => (left as u64).checked_rem(right as u64).map(|number| number as i64),
            0x5f => Some(left & right),
            0x60 => Some(left | right),
            0x61 => Some(left ^ right),
            _ => None,
        }
        .map(Cell::I8),
        (Cell::I8(left), Cell::I4(by)) => match (opcode, u32::try_from(by)) {
            (0x62, Ok(by)) => left.checked_shl(by),
            (0x63, Ok(by)) => left.checked_shr(by),
            (0x64, Ok(by)) => (left as u64).checked_shr(by).map(|number| number as i64),
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
            0x6c => return Ok(Cell::F(*number)),
            0x76 => return not_followed(),
            _ if number.abs() < 2_147_483_647.0 => (*number as i64, *number as i64 as u64),
            _ => return not_followed(),
        },
        Cell::Other(_) => return not_followed(),
    };
    Ok(match opcode {
        0x67 => Cell::I4((signed as i8).into()),
        0x68 => Cell::I4((signed as i16).into()),
        0x69 | 0x6d => Cell::I4(signed as i32),
        0x6a | 0xd3 => Cell::I8(signed),
        0x6c => Cell::F(signed as f64),
        0x6e | 0xe0 => Cell::I8(unsigned as i64),
        0x76 => Cell::F(unsigned as f64),
        0xd1 => Cell::I4((signed as u16).into()),
        _ => Cell::I4((signed as u8).into()),
    })
}
