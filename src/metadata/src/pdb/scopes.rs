//! Names of locals, and where they hold.

use super::Pdb;
use crate::Table;
use crate::annotations::DynamicParts;
use crate::attributes::{AttributeValue, constant};
use crate::bytes::Reader;
use crate::error::Flaw;
use crate::heaps::utf16;
use crate::names::{FieldOrigin, field_origin};
use crate::schema::{Coded, col};
use crate::signatures::Primitive;
use crate::tables::decode;
use crate::tokens::{MethodId, Token, TypeId};
use crate::tuples::ElementNames;

/// A block of IL with its variables; `end` is behind its last byte.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scope {
    pub start: u32,
    pub end: u32,
    pub locals: Vec<LocalVariable>,
    pub constants: Vec<ConstantVariable>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocalVariable {
    pub name: String,
    pub place: LocalPlace,
    /// A temporary of the compiler: debuggers do not show it.
    pub is_hidden: bool,
    /// Of the elements of the tuples in its type.
    pub element_names: ElementNames,
    /// What is `dynamic` of its type; of a local of the frame there may be more flags than the type has parts, which say nothing.
    pub dynamic: DynamicParts,
}

/// Where a local's value lives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LocalPlace {
    /// A slot of the frame.
    Slot(u16),
    /// A field of the state machine (`this` of `MoveNext`).
    Field(String),
}

impl LocalVariable {
    pub fn slot(&self) -> Option<u16> {
        match self.place {
            LocalPlace::Slot(slot) => Some(slot),
            LocalPlace::Field(_) => None,
        }
    }
}

/// A `const` local. Its value is not in the frame.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConstantVariable {
    pub name: String,
    /// CustomMods, a type, and the value's bytes (LocalConstantSig of the specification).
    pub signature: Vec<u8>,
}

impl ConstantVariable {
    /// The value, where it is a primitive or a string.
    pub fn value(&self) -> Option<AttributeValue> {
        let (&code, value) = self.signature.split_first()?;
        match Primitive::from_code(code)? {
            Primitive::String if value == [0xff] => Some(AttributeValue::String(None)),
            Primitive::String => Some(AttributeValue::String(Some(utf16(value)))),
            primitive => constant(&mut Reader::new(value, 0), primitive).ok(),
        }
    }

    /// The enum, class or struct that it is declared as: a TypeDef, TypeRef or TypeSpec of the assembly.
    pub fn named_type(&self) -> Option<Token> {
        let (&code, rest) = self.signature.split_first()?;
        let mut rest = Reader::new(rest, 0);
        if !matches!(code, CLASS | VALUETYPE) {
            // that of an enum is behind the value
            constant(&mut rest, Primitive::from_code(code)?).ok().filter(|_| !rest.is_empty())?;
        }
        decode(Coded::TypeDefOrRef, rest.compressed().ok()?)
    }

    /// Whether it is a null that is not a string: of `object`, a class or an array.
    pub fn is_null(&self) -> bool {
        let Some((&code, rest)) = self.signature.split_first() else { return false };
        let mut rest = Reader::new(rest, 0);
        match code {
            OBJECT => rest.is_empty(),
            CLASS => rest.compressed().is_ok() && rest.is_empty(),
            _ => false,
        }
    }

    /// Its digits and how many of them are behind the point, if it is a `decimal`.
    pub fn decimal(&self) -> Option<(i128, u32)> {
        let mut value = Reader::new(self.signature.strip_prefix(&[VALUETYPE])?, 0);
        value.compressed().ok()?;
        let sign_and_scale = value.u8().ok()?;
        let parts = [value.u32().ok()?, value.u32().ok()?, value.u32().ok()?];
        let digits = parts.iter().rev().fold(0_i128, |digits, part| digits << 32 | i128::from(*part));
        let sign = if sign_and_scale & 0x80 == 0 { 1 } else { -1 };
        value.is_empty().then_some((sign * digits, u32::from(sign_and_scale & 0x7f)))
    }
}

const VALUETYPE: u8 = 0x11;
const CLASS: u8 = 0x12;
const OBJECT: u8 = 0x1c;
const DEBUGGER_HIDDEN: u32 = 1;
/// A method has no more slots; scopes that share their lists could name any number of locals.
const MAX_LOCALS: usize = 1 << 16;

impl Pdb {
    /// The scopes of a method, outer ones first.
    pub fn scopes(&self, method: MethodId) -> Vec<Scope> {
        let mut count = 0;
        let rows = self.metadata.rows_of(col::LocalScope::Method, method.token());
        rows.filter_map(|row| self.try_scope(row).ok())
            .take_while(|scope| {
                count += 1 + scope.locals.len() + scope.constants.len();
                count <= MAX_LOCALS
            })
            .collect()
    }

    pub(crate) fn try_scope(&self, row: u32) -> Result<Scope, Flaw> {
        let metadata = &self.metadata;
        let start = metadata.cell(row, col::LocalScope::StartOffset)?;
        let mut scope = Scope {
            start,
            end: start.saturating_add(metadata.cell(row, col::LocalScope::Length)?),
            locals: Vec::new(),
            constants: Vec::new(),
        };
        for row in metadata.list(row, col::LocalScope::VariableList).take(MAX_LOCALS) {
            scope.locals.push(LocalVariable {
                name: metadata.string(row, col::LocalVariable::Name)?.to_owned(),
                place: LocalPlace::Slot(metadata.cell(row, col::LocalVariable::Index)? as u16),
                is_hidden: metadata.cell(row, col::LocalVariable::Attributes)? & DEBUGGER_HIDDEN != 0,
                element_names: self.element_names(Token::new(Table::LocalVariable, row)),
                dynamic: self.dynamic_parts(Token::new(Table::LocalVariable, row)),
            });
        }
        for row in metadata.list(row, col::LocalScope::ConstantList).take(MAX_LOCALS) {
            let mut signature = metadata.blob(row, col::LocalConstant::Signature)?;
            scope.constants.push(ConstantVariable {
                name: metadata.string(row, col::LocalConstant::Name)?.to_owned(),
                signature: signature.take(signature.remaining())?.to_vec(),
            });
        }
        Ok(scope)
    }

    /// The locals of the frame that are in scope at an IL offset, in the order of their scopes.
    pub fn locals_in_scope(&self, method: MethodId, il_offset: u32) -> Vec<LocalVariable> {
        let scopes = self.scopes(method).into_iter();
        scopes.filter(|scope| (scope.start..scope.end).contains(&il_offset)).flat_map(|scope| scope.locals).collect()
    }

    pub fn constants_in_scope(&self, method: MethodId, il_offset: u32) -> Vec<ConstantVariable> {
        let scopes = self.scopes(method).into_iter();
        scopes.filter(|scope| (scope.start..scope.end).contains(&il_offset)).flat_map(|scope| scope.constants).collect()
    }
}

impl super::super::Assembly {
    /// The locals in scope at an IL offset, those included that the compiler moved into fields of a state machine.
    pub fn locals_in_scope(&self, method: MethodId, il_offset: u32) -> Vec<LocalVariable> {
        let mut locals = self.locals_of_symbols(method, il_offset);
        locals.retain(|local| !self.is_of_other_clause(method, &local.place, il_offset));
        locals
    }

    /// Those that the symbols have in scope there, though they belong to another `catch` clause.
    pub fn locals_of_other_clauses(&self, method: MethodId, il_offset: u32) -> Vec<LocalVariable> {
        let mut locals = self.locals_of_symbols(method, il_offset);
        locals.retain(|local| self.is_of_other_clause(method, &local.place, il_offset));
        locals
    }

    fn locals_of_symbols(&self, method: MethodId, il_offset: u32) -> Vec<LocalVariable> {
        let Some(pdb) = self.pdb() else {
            return Vec::new();
        };
        let mut locals = pdb.locals_in_scope(method, il_offset);
        if pdb.kickoff_of(method).is_some()
            && let Some(machine) = self.method(method).declaring_type()
        {
            locals.extend(self.hoisted_locals(pdb, method, machine.id(), il_offset));
        }
        locals
    }

    fn hoisted_locals<'a>(
        &'a self,
        pdb: &'a Pdb,
        move_next: MethodId,
        machine: TypeId,
        il_offset: u32,
    ) -> impl Iterator<Item = LocalVariable> + 'a {
        let fields = self.type_(machine).field_ids();
        fields.filter_map(move |field| {
            let raw = self.metadata().string(field.row(), col::Field::Name).ok()?;
            let FieldOrigin::HoistedLocal { name, slot } = field_origin(raw) else {
                return None;
            };
            let (start, end) = pdb.hoisted_scope(move_next, slot)?;
            (start..end).contains(&il_offset).then(|| LocalVariable {
                name: name.to_owned(),
                place: LocalPlace::Field(raw.to_owned()),
                is_hidden: false,
                element_names: self.element_names(field.into()),
                dynamic: self.field_dynamic_parts(field),
            })
        })
    }
}
