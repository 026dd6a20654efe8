//! Where code first writes to each variable. A compiler initializes a variable where the source declares it, so this is the order of the
//! declarations, which symbols do not keep for what lambdas capture.

use std::collections::HashMap;

use super::assembly::Assembly;
use super::il::{Operand, op};
use super::names::{MethodOrigin as Method, is_closure, method_origin, state_machine_of};
use super::schema::col;
use super::tokens::{MethodId, TypeId};
use super::variables::{Variable, VariableRoot};

/// Types of the compiler's within one type of the source that are looked through.
const MOST_TYPES: usize = 1024;

/// IL offsets in the methods that are looked at, the method around before the lambdas in it.
#[derive(Debug, Clone, Default)]
pub struct FirstWrites {
    slots: HashMap<u16, u32>,
    /// By the full name of the type that declares the field, and the field's own.
    fields: HashMap<(String, String), (u16, u32)>,
}

impl FirstWrites {
    /// Of a method as compiled, and of those of the same source around it, which declare what it captured.
    pub fn of(assembly: &Assembly, method: MethodId) -> Self {
        let mut found = Self::default();
        let around = around(assembly, method);
        for (depth, &other) in around.iter().filter(|other| **other != method).enumerate() {
            found.look_through(assembly, other, u16::try_from(depth).unwrap_or(u16::MAX), false);
        }
        found.look_through(assembly, method, u16::MAX, true);
        found
    }

    /// Where a variable is first written to, as something to order by. `None`: nowhere.
    pub fn place(&self, assembly: &Assembly, variable: &Variable) -> Option<(u16, u32)> {
        let metadata = assembly.metadata();
        match (variable.place.fields.last(), variable.place.root) {
            (Some(field), _) => {
                let owner = TypeId(metadata.owner(col::TypeDef::FieldList, field.row())?);
                let name = metadata.string(field.row(), col::Field::Name).ok()?;
                self.fields.get(&(assembly.type_(owner).full_name(), name.to_owned())).copied()
            }
            (None, VariableRoot::Slot(slot)) => Some((u16::MAX, *self.slots.get(&slot)?)),
            (None, VariableRoot::Argument(_)) => None,
        }
    }

    fn look_through(&mut self, assembly: &Assembly, method: MethodId, depth: u16, has_slots: bool) {
        let Some(body) = assembly.method(method).body() else { return };
        for instruction in body.instructions().map_while(Result::ok) {
            let slot = match (instruction.opcode, instruction.operand) {
                (opcode @ op::STLOC_0..=op::STLOC_3, _) => Some(opcode - op::STLOC_0),
                (op::STLOC_S | op::STLOC | op::LDLOCA_S | op::LDLOCA, Operand::Variable(slot)) => Some(slot),
                (op::STFLD | op::LDFLDA, Operand::Token(token)) => {
                    if let (Some(name), Some(owner)) =
                        (assembly.accessed_field(token), assembly.declaring_type_name(token))
                    {
                        self.fields.entry((owner, name.to_owned())).or_insert((depth, instruction.offset));
                    }
                    None
                }
                _ => None,
            };
            if let Some(slot) = slot.filter(|_| has_slots) {
                self.slots.entry(slot).or_insert(instruction.offset);
            }
        }
    }
}

/// The methods whose source a lambda or a local function stands in, outer ones first.
fn around(assembly: &Assembly, method: MethodId) -> Vec<MethodId> {
    let view = assembly.method(method);
    let Some(mut owner) = view.declaring_type() else { return Vec::new() };
    // of a state machine the method that it stands for says where that was
    let written = assembly.kickoff_of(method).unwrap_or(method);
    let written = assembly.method(written);
    let within = match method_origin(written.name()) {
        Method::Lambda { within } | Method::LocalFunction { within, .. } => within,
        _ => return Vec::new(),
    };
    while is_closure(owner.name()) || state_machine_of(owner.name()).is_some() {
        match owner.declaring_type() {
            Some(outer) => owner = outer,
            None => break,
        }
    }
    let mut types = vec![owner.id()];
    let mut at = 0;
    while let Some(&type_) = types.get(at).filter(|_| types.len() < MOST_TYPES) {
        let nested = assembly.type_(type_).nested_types().into_iter();
        types.extend(nested.filter(|id| is_closure(assembly.type_(*id).name())));
        at += 1;
    }
    let (mut outer, mut inner) = (Vec::new(), Vec::new());
    for candidate in types.into_iter().flat_map(|type_| assembly.type_(type_).methods().collect::<Vec<_>>()) {
        let view = assembly.method(candidate);
        match method_origin(view.name()) {
            Method::Plain(name) | Method::EntryWrapper(name) if name == within || view.name() == within => {
                outer.push(view.code_method());
            }
            Method::Lambda { within: other } | Method::LocalFunction { within: other, .. } if other == within => {
                inner.push(view.code_method());
            }
            _ => {}
        }
    }
    outer.extend(inner);
    outer
}
