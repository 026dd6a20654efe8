//! Variables that are in scope though the frame has them in no variable of its own: they live in what the compiler passes along.

use super::Modules;
use clr_metadata::il::{Instruction, Operand, op};
use clr_metadata::names::{FieldOrigin, field_origin, is_transparent_identifier};
use clr_metadata::{Assembly, FieldId, MethodId, Table, TypeId, TypeSig, Variable, VariableKind, VariableRoot};

/// Machines and closures within each other.
const NESTED: usize = 8;

/// Where such a variable lives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Captured {
    /// In the frame of the method around a local function, which gets a reference to it.
    Outer,
    /// In an object that a clause of a query gets.
    Range,
    /// Behind the `this` of a local function whose object is the compiler's: that refers to the `this` of the source.
    Closure,
    /// A parameter of an async method or an iterator that is captured and changed: it is in a closure, and the machine keeps what it was
    /// at the call, which is what adapters show.
    Changed,
    /// In another `catch` clause of an async method or an iterator: the symbols have it in scope in all of them, and adapters take it for
    /// the one of that name.
    OtherClause,
}

impl Modules {
    /// Those of the statement that begins there, by name.
    pub fn captured_at(&self, path: &str, line: u32, column: u32) -> Vec<(String, Captured)> {
        let found = self.with_statement(path, (line, column), |assembly, method, offset, _| {
            let view = assembly.method(method);
            let (signature, names) = (view.signature()?, view.parameter_names());
            let first = u16::from(signature.has_this);
            let is_of_closure = is_of_closure(assembly, method);
            let kind = |variable: &Variable| {
                if is_of_closure && is_behind_this(assembly, variable) {
                    return Some(Captured::Closure);
                }
                if is_changed_parameter(assembly, method, variable) {
                    return Some(Captured::Changed);
                }
                let VariableRoot::Argument(number) = variable.place.root else { return None };
                let at = usize::from(number.checked_sub(first)?);
                match (signature.parameters.get(at)?, names.get(at)?) {
                    (TypeSig::ByRef(_), _) => Some(Captured::Outer),
                    (_, name) => is_transparent_identifier(name).then_some(Captured::Range),
                }
            };
            let variables = assembly.variables_at(method, offset).into_iter();
            let captured = variables.filter(|variable| !variable.place.fields.is_empty());
            let kinds = captured.filter_map(|variable| kind(&variable).map(|kind| (variable.name, kind)));
            let others = assembly.locals_of_other_clauses(method, offset).into_iter();
            Some(kinds.chain(others.map(|local| (local.name, Captured::OtherClause))).collect())
        });
        found.unwrap_or_default()
    }
}

/// Whether a method is a local function that the compiler made one of the object that holds what it captures, as where a delegate is made
/// of it. Of lambdas adapters know that.
fn is_of_closure(assembly: &Assembly, method: MethodId) -> bool {
    let source = assembly.method(assembly.kickoff_of(method).unwrap_or(method));
    source.name().contains(">g__") && source.declaring_type().is_some_and(|type_| type_.name().starts_with("<>c__"))
}

/// Whether the machine whose method that is has a copy of the variable that may differ from it.
fn is_changed_parameter(assembly: &Assembly, method: MethodId, variable: &Variable) -> bool {
    let changed = || {
        let [.., _, field] = variable.place.fields.as_slice() else { return None };
        assembly.kickoff_of(method)?;
        let machine = assembly.method(method).declaring_type()?;
        let is_copy = |own: FieldId| assembly.accessed_field(own.token()) == Some(&variable.name);
        if !machine.field_ids().any(is_copy) {
            return None;
        }
        let mut around = machine;
        while around.name().starts_with('<') {
            around = around.declaring_type()?;
        }
        // the first write is that of the copy
        Some(writes(assembly, around.nested_types(), *field, NESTED) > 1)
    };
    changed().unwrap_or(false)
}

/// How often code of some types, and of those within them, may write a field.
fn writes(assembly: &Assembly, types: Vec<TypeId>, field: FieldId, depth: usize) -> usize {
    let is_write = |it: &Instruction<'_>| match it.operand {
        Operand::Token(token) if matches!(it.opcode, op::STFLD | op::LDFLDA) => {
            // code of a generic type refers to it by its name
            let is_named = token.table() == Some(Table::MemberRef);
            token == field.token()
                || is_named && assembly.accessed_field(token) == assembly.accessed_field(field.token())
        }
        _ => false,
    };
    let of_type = |type_: TypeId| {
        let view = assembly.type_(type_);
        let bodies = view.methods().filter_map(|method| assembly.method(method).body());
        let own: usize = bodies.map(|body| body.instructions().map_while(Result::ok).filter(is_write).count()).sum();
        let inner = if view.name().starts_with('<') { view.nested_types() } else { Vec::new() };
        own + if depth > 0 { writes(assembly, inner, field, depth - 1) } else { 0 }
    };
    types.into_iter().filter(|&it| assembly.type_(it).name().starts_with('<')).map(of_type).sum()
}

/// Whether it is `this`, or a parameter of its primary constructor.
fn is_behind_this(assembly: &Assembly, variable: &Variable) -> bool {
    let last = variable.place.fields.last().and_then(|field| assembly.accessed_field(field.token()));
    variable.kind == VariableKind::This
        || last.is_some_and(|name| matches!(field_origin(name), FieldOrigin::PrimaryParameter(_)))
}
