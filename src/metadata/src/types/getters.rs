//! Does a getter only load a field of its own type, or return a constant? Read off its IL.
//!
//! `public int DayNumber => (int)_dayNumber` has the same IL as one without the cast: the field's value is another one in C#.
//! `_lines.Count` calls a method, so it runs code, even where that method only loads a field in turn: the object behind `_lines`
//! may be null or of a derived type.

use crate::assembly::Assembly;
use crate::il::{MethodBody, Operand, op};
use crate::methods::MethodView;
use crate::schema::{Table, col};
use crate::signatures::{Decoder, Primitive, TypeSig};
use crate::tokens::{MethodId, Token};

/// `[nop] ldarg.0; ldfld F; ret` (or `[nop] ldsfld F; ret`), with the detour through local 0 that debug builds take:
/// `stloc.0; br.s next; ldloc.0`.
pub(super) fn loaded_field(assembly: &Assembly, getter: MethodId) -> Option<String> {
    let body = assembly.body(getter).ok()??;
    // The longest form has 12 bytes.
    if body.code.len() > 16 {
        return None;
    }
    let mut field = None;
    let mut opcodes = Vec::with_capacity(8);
    for instruction in body.instructions() {
        let instruction = instruction.ok()?;
        match (instruction.opcode, instruction.operand) {
            (op::NOP, _) => continue,
            (op::LDFLD | op::LDSFLD, Operand::Token(token)) => field = Some(token),
            (op::BR_S, Operand::Branch(target)) if target != instruction.offset + 2 => return None,
            _ => {}
        }
        opcodes.push(instruction.opcode);
    }
    match opcodes.as_slice() {
        [op::LDARG_0, op::LDFLD, rest @ ..] | [op::LDSFLD, rest @ ..] => match rest {
            [op::RET] | [op::STLOC_0, op::BR_S, op::LDLOC_0, op::RET] => own_field(assembly, getter, field?),
            _ => None,
        },
        _ => None,
    }
}

/// What a getter returns that computes nothing: `[nop] ldc.i4 N; ret`, with the same detour.
fn returned_constant(body: &MethodBody<'_>) -> Option<i32> {
    // The longest form has 11 bytes.
    if body.code.len() > 16 {
        return None;
    }
    let mut code = body.instructions().filter(|it| !it.as_ref().is_ok_and(|it| it.opcode == op::NOP));
    let first = code.next()?.ok()?;
    let constant = match (first.opcode, first.operand) {
        (op::LDC_I4_M1..=op::LDC_I4_8, _) => i64::from(first.opcode) - i64::from(op::LDC_I4_0),
        (op::LDC_I4_S | op::LDC_I4, Operand::Int(number)) => number,
        _ => return None,
    };
    let mut rest = Vec::with_capacity(4);
    for instruction in code {
        let instruction = instruction.ok()?;
        if matches!(instruction.operand, Operand::Branch(target) if target != instruction.offset + 2) {
            return None;
        }
        rest.push(instruction.opcode);
    }
    let returns = matches!(rest.as_slice(), [op::RET] | [op::STLOC_0, op::BR_S, op::LDLOC_0, op::RET]);
    returns.then(|| i32::try_from(constant).ok())?
}

impl MethodView<'_> {
    /// The number that it returns whatever its object is, where that is all it does; of a `bool` 0 or 1.
    pub fn returned_constant(&self) -> Option<i32> {
        returned_constant(&self.body()?)
    }
}

/// The name of the field, if it belongs to the getter's own type: a field of a generic type is referred to through its
/// instantiation, `List<T>._size`.
fn own_field(assembly: &Assembly, getter: MethodId, field: Token) -> Option<String> {
    let metadata = &assembly.metadata;
    let owner = metadata.owner(col::TypeDef::MethodList, getter.row())?;
    let (name, signature) = match field.table()? {
        Table::Field => {
            (metadata.owner(col::TypeDef::FieldList, field.row())? == owner).then_some(())?;
            (metadata.string(field.row(), col::Field::Name), metadata.blob(field.row(), col::Field::Signature))
        }
        Table::MemberRef => {
            let class = metadata.token(field.row(), col::MemberRef::Class).ok()?;
            let owner = metadata.type_full_name(Token::new(Table::TypeDef, owner)).ok()?;
            (metadata.type_full_name(class).ok()? == owner).then_some(())?;
            (metadata.string(field.row(), col::MemberRef::Name), metadata.blob(field.row(), col::MemberRef::Signature))
        }
        _ => return None,
    };
    let held = Decoder::new(metadata).field(signature.ok()?).ok()?;
    let given = assembly.method(getter).signature()?.return_type;
    (plain(&held) == plain(&given) || !is_value(&held) && !is_value(&given)).then_some(())?;
    Some(name.ok()?.to_owned())
}

fn plain(type_: &TypeSig) -> &TypeSig {
    match type_ {
        TypeSig::Modified { inner, .. } => plain(inner),
        other => other,
    }
}

fn is_value(type_: &TypeSig) -> bool {
    match plain(type_) {
        TypeSig::Primitive(primitive) => !matches!(primitive, Primitive::Object | Primitive::String),
        TypeSig::Named(named) => named.is_value_type,
        _ => false,
    }
}
