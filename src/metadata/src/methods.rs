//! Methods: names, parameters, bodies, state machines, and what debuggers should skip.

use super::annotations::DynamicParts;
use super::assembly::Assembly;
use super::attributes::{AttributeValue, COMPILER_GENERATED};
use super::error::Flaw;
use super::il::{MethodBody, Operand, op};
use super::names::state_machine_of;
use super::schema::{Table, col};
use super::signatures::{Decoder, MethodSig, TypeSig};
use super::tokens::{MethodId, Token, TypeId};
use super::tuples::ElementNames;
use super::types::TypeView;

/// What the compiler turned a method into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StateMachineKind {
    Async,
    Iterator,
    AsyncIterator,
}

/// The attributes on the kickoff method, all with the machine's type as their argument.
const MACHINE_ATTRIBUTES: [(&str, StateMachineKind); 3] = [
    ("System.Runtime.CompilerServices.AsyncStateMachineAttribute", StateMachineKind::Async),
    ("System.Runtime.CompilerServices.IteratorStateMachineAttribute", StateMachineKind::Iterator),
    ("System.Runtime.CompilerServices.AsyncIteratorStateMachineAttribute", StateMachineKind::AsyncIterator),
];
const STEPPED_OVER: [&str; 3] = [
    "System.Diagnostics.DebuggerNonUserCodeAttribute",
    "System.Diagnostics.DebuggerStepThroughAttribute",
    "System.Diagnostics.DebuggerHiddenAttribute",
];
const STATIC: u32 = 0x10;
const VIRTUAL: u32 = 0x40;
const NEW_SLOT: u32 = 0x100;
const ABSTRACT: u32 = 0x400;
const SPECIAL_NAME: u32 = 0x800;
/// MethodImplAttributes.Async of .NET 10: the runtime suspends the method itself, there is no state machine.
const RUNTIME_ASYNC: u32 = 0x2000;

impl Assembly {
    /// A view of a method; of a row that does not exist, everything is empty.
    pub fn method(&self, id: MethodId) -> MethodView<'_> {
        MethodView { assembly: self, id }
    }

    /// The user's entry method: not the wrapper that the compiler puts around an async `Main`, but what it calls.
    pub fn entry_point(&self) -> Option<MethodId> {
        let raw = self.raw_entry_point()?;
        let method = self.method(raw);
        if method.name() != "<Main>" {
            return Some(raw);
        }
        let owner = method.declaring_type()?.id();
        let calls = method.body()?.instructions().filter_map(|instruction| match instruction.ok()? {
            instruction if instruction.opcode != op::CALL => None,
            instruction => match instruction.operand {
                Operand::Token(token) => MethodId::from_token(token),
                _ => None,
            },
        });
        let own = calls
            .into_iter()
            .find(|&called| self.method(called).declaring_type().map(|type_| type_.id()) == Some(owner));
        Some(own.unwrap_or(raw))
    }

    /// The method whose code a `MoveNext` runs. The PDB says it; without one, the attribute on the method itself does.
    pub fn kickoff_of(&self, move_next: MethodId) -> Option<MethodId> {
        if let Some(kickoff) = self.pdb().and_then(|pdb| pdb.kickoff_of(move_next)) {
            return Some(kickoff);
        }
        let machine = self.method(move_next).declaring_type()?;
        state_machine_of(machine.name())?;
        // Lambdas live in a closure beside the machine, so all types around it are searched.
        let mut outer = machine.declaring_type();
        for _ in 0..4 {
            let around = outer?;
            let nested = around.nested_types().into_iter().map(|id| self.type_(id));
            let mut methods = std::iter::once(around).chain(nested).flat_map(|type_| type_.methods());
            if let Some(found) = methods.find(|&method| self.method(method).state_machine() == Some(machine.id())) {
                return Some(found);
            }
            outer = around.declaring_type();
        }
        None
    }
}

/// What a parameter's row says of its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParameterDirection {
    In,
    Out,
    /// Neither, or both (`ref`).
    Untold,
}

/// One method of an assembly; reads when asked.
#[derive(Clone, Copy)]
pub struct MethodView<'a> {
    assembly: &'a Assembly,
    id: MethodId,
}

impl<'a> MethodView<'a> {
    pub fn id(&self) -> MethodId {
        self.id
    }

    pub fn assembly(&self) -> &'a Assembly {
        self.assembly
    }

    /// As in metadata: `Add`, `<Main>$`, `.ctor`.
    pub fn name(&self) -> &'a str {
        self.assembly.metadata.string(self.id.row(), col::MethodDef::Name).unwrap_or_default()
    }

    pub fn declaring_type(&self) -> Option<TypeView<'a>> {
        let row = self.assembly.metadata.owner(col::TypeDef::MethodList, self.id.row())?;
        Some(self.assembly.type_(TypeId(row)))
    }

    /// Flags of ECMA-335 II.23.1.10.
    pub fn flags(&self) -> u32 {
        self.assembly.metadata.cell(self.id.row(), col::MethodDef::Flags).unwrap_or(0)
    }

    /// Flags of ECMA-335 II.23.1.11.
    pub fn impl_flags(&self) -> u32 {
        self.assembly.metadata.cell(self.id.row(), col::MethodDef::ImplFlags).unwrap_or(0)
    }

    pub fn is_public(&self) -> bool {
        const ACCESS: u32 = 0x7;
        const PUBLIC: u32 = 0x6;
        self.flags() & ACCESS == PUBLIC
    }

    pub fn is_static(&self) -> bool {
        self.flags() & STATIC != 0
    }

    pub fn is_virtual(&self) -> bool {
        self.flags() & VIRTUAL != 0
    }

    /// Begins a slot of its own and overrides nothing.
    pub fn is_new_slot(&self) -> bool {
        self.flags() & NEW_SLOT != 0
    }

    /// Takes the slot of a base's method.
    pub fn is_override(&self) -> bool {
        self.is_virtual() && !self.is_new_slot()
    }

    /// Made by the compiler, such as the `Equals` of a record.
    pub fn is_compiler_generated(&self) -> bool {
        self.has_attribute(COMPILER_GENERATED)
    }

    pub fn is_abstract(&self) -> bool {
        self.flags() & ABSTRACT != 0
    }

    /// An accessor, an operator, a constructor: what the source does not call by its name.
    pub fn is_special_name(&self) -> bool {
        self.flags() & SPECIAL_NAME != 0
    }

    /// Address of the body in the image; 0 = none.
    pub fn rva(&self) -> u32 {
        self.assembly.metadata.cell(self.id.row(), col::MethodDef::Rva).unwrap_or(0)
    }

    pub fn signature(&self) -> Option<MethodSig> {
        self.try_signature().ok()
    }

    pub(crate) fn try_signature(&self) -> Result<MethodSig, Flaw> {
        let blob = self.assembly.metadata.blob(self.id.row(), col::MethodDef::Signature)?;
        let decoded = Decoder::new(&self.assembly.metadata).method(blob);
        decoded.map_err(|flaw| flaw.in_row(Table::MethodDef, self.id.row()))
    }

    /// Names of the parameters, without `this`; empty where there is none.
    pub fn parameter_names(&self) -> Vec<String> {
        let metadata = &self.assembly.metadata;
        let count = self.signature().map_or(0, |signature| signature.parameters.len());
        let mut names = vec![String::new(); count];
        for row in metadata.list(self.id.row(), col::MethodDef::ParamList) {
            let sequence = metadata.cell(row, col::Param::Sequence).unwrap_or(0) as usize;
            // 0 is the return value.
            if let Some(name) = sequence.checked_sub(1).and_then(|index| names.get_mut(index)) {
                *name = metadata.string(row, col::Param::Name).unwrap_or_default().to_owned();
            }
        }
        names
    }

    /// What the parameters get where a call leaves them out; `None` for those that it must give.
    pub fn parameter_defaults(&self) -> Vec<Option<AttributeValue>> {
        let metadata = &self.assembly.metadata;
        let count = self.signature().map_or(0, |signature| signature.parameters.len());
        let mut defaults = vec![None; count];
        for row in metadata.list(self.id.row(), col::MethodDef::ParamList) {
            let sequence = metadata.cell(row, col::Param::Sequence).unwrap_or(0) as usize;
            if let Some(default) = sequence.checked_sub(1).and_then(|index| defaults.get_mut(index)) {
                *default = self.assembly.constant(Token::new(Table::Param, row));
            }
        }
        defaults
    }

    /// Whether its last parameter is an array that a call may give by its elements (`params`).
    pub fn takes_any_number(&self) -> bool {
        let rows = self.assembly.metadata.list(self.id.row(), col::MethodDef::ParamList);
        rows.last()
            .is_some_and(|row| self.assembly.has_attribute(Token::new(Table::Param, row), "System.ParamArrayAttribute"))
    }

    /// Whether a call may leave a parameter out, whether or not it says which value it gets then.
    pub fn is_optional(&self, parameter: usize) -> bool {
        const OPTIONAL: u32 = 0x10;
        let metadata = &self.assembly.metadata;
        let flags = self.parameter_row(parameter + 1).map(|row| metadata.cell(row, col::Param::Flags).unwrap_or(0));
        flags.is_some_and(|flags| flags & OPTIONAL != 0)
    }

    pub fn parameter_has(&self, parameter: usize, attribute: &str) -> bool {
        let row = self.parameter_row(parameter + 1);
        row.is_some_and(|row| self.assembly.has_attribute(Token::new(Table::Param, row), attribute))
    }

    /// What is `dynamic` of the type of a parameter.
    pub fn dynamic_parts(&self, parameter: usize, type_: &TypeSig) -> DynamicParts {
        self.dynamic_parts_in(parameter + 1, type_)
    }

    /// What is `dynamic` of the type of what it returns.
    pub fn returned_dynamic_parts(&self, type_: &TypeSig) -> DynamicParts {
        self.dynamic_parts_in(0, type_)
    }

    fn dynamic_parts_in(&self, sequence: usize, type_: &TypeSig) -> DynamicParts {
        let row = self.parameter_row(sequence);
        row.map(|row| self.assembly.dynamic_parts(Token::new(Table::Param, row), type_)).unwrap_or_default()
    }

    /// An attribute of a parameter.
    pub fn parameter_attribute(&self, parameter: usize, attribute: &str) -> Option<crate::Attribute<'a>> {
        let row = self.parameter_row(parameter + 1)?;
        self.assembly.metadata.attribute(Token::new(Table::Param, row), attribute)
    }

    /// Names of the tuple elements in the type of what it returns.
    pub fn returned_element_names(&self) -> ElementNames {
        let row = self.parameter_row(0);
        row.map(|row| self.assembly.element_names(Token::new(Table::Param, row))).unwrap_or_default()
    }

    /// By its number in the signature: 0 is the return value.
    fn parameter_row(&self, sequence: usize) -> Option<u32> {
        let metadata = &self.assembly.metadata;
        let mut rows = metadata.list(self.id.row(), col::MethodDef::ParamList);
        rows.find(|&row| metadata.cell(row, col::Param::Sequence).is_ok_and(|it| it as usize == sequence))
    }

    /// Names of the tuple elements in the types of the parameters.
    pub fn parameter_element_names(&self) -> Vec<ElementNames> {
        let metadata = &self.assembly.metadata;
        let count = self.signature().map_or(0, |signature| signature.parameters.len());
        let mut names = vec![ElementNames::new(); count];
        for row in metadata.list(self.id.row(), col::MethodDef::ParamList) {
            let sequence = metadata.cell(row, col::Param::Sequence).unwrap_or(0) as usize;
            if let Some(names) = sequence.checked_sub(1).and_then(|index| names.get_mut(index)) {
                *names = self.assembly.element_names(Token::new(Table::Param, row));
            }
        }
        names
    }

    /// Which way the values of the parameters go, as far as their rows say (II.23.1.13); what is no reference goes in.
    pub fn parameter_directions(&self) -> Vec<ParameterDirection> {
        const IN: u32 = 1;
        const OUT: u32 = 2;
        let metadata = &self.assembly.metadata;
        let count = self.signature().map_or(0, |signature| signature.parameters.len());
        let mut directions = vec![ParameterDirection::Untold; count];
        for row in metadata.list(self.id.row(), col::MethodDef::ParamList) {
            let sequence = metadata.cell(row, col::Param::Sequence).unwrap_or(0) as usize;
            let flags = metadata.cell(row, col::Param::Flags).unwrap_or(0);
            if let Some(direction) = sequence.checked_sub(1).and_then(|index| directions.get_mut(index)) {
                *direction = match flags & (IN | OUT) {
                    IN => ParameterDirection::In,
                    OUT => ParameterDirection::Out,
                    _ => ParameterDirection::Untold,
                };
            }
        }
        directions
    }

    pub fn body(&self) -> Option<MethodBody<'a>> {
        self.assembly.body(self.id).ok().flatten()
    }

    /// Types of the body's locals, by slot.
    pub fn local_types(&self) -> Vec<TypeSig> {
        let Some(row) = self.body().and_then(|body| body.local_signature.row_of(Table::StandAloneSig)) else {
            return Vec::new();
        };
        let blob = self.assembly.metadata.blob(row, col::StandAloneSig::Signature);
        blob.and_then(|blob| Decoder::new(&self.assembly.metadata).locals(blob)).unwrap_or_default()
    }

    pub fn has_attribute(&self, full_name: &str) -> bool {
        self.assembly.has_attribute(self.id, full_name)
    }

    /// The generic arguments of a call through a MethodSpec.
    pub fn instantiation(&self, method_spec: Token) -> Option<Vec<TypeSig>> {
        let row = method_spec.row_of(Table::MethodSpec)?;
        let blob = self.assembly.metadata.blob(row, col::MethodSpec::Instantiation).ok()?;
        Decoder::new(&self.assembly.metadata).instantiation(blob).ok()
    }

    /// What the method as written is: read off its attribute, or, for a `MoveNext`, off the machine's interfaces.
    pub fn state_machine_kind(&self) -> Option<StateMachineKind> {
        if self.impl_flags() & RUNTIME_ASYNC != 0 {
            return Some(StateMachineKind::Async);
        }
        if self.name() == "MoveNext" {
            return self.machine_kind();
        }
        self.attribute_kind()
    }

    /// What its attribute says that the compiler made of it.
    pub(crate) fn attribute_kind(&self) -> Option<StateMachineKind> {
        MACHINE_ATTRIBUTES.iter().find(|(attribute, _)| self.has_attribute(attribute)).map(|entry| entry.1)
    }

    /// Of a method of a state machine.
    pub(crate) fn machine_kind(&self) -> Option<StateMachineKind> {
        let machine = self.declaring_type()?;
        state_machine_of(machine.name())?;
        let is_async = machine.implements("System.Runtime.CompilerServices.IAsyncStateMachine");
        let is_stream = machine.implements("System.Collections.Generic.IAsyncEnumerator`1");
        match (is_async, is_stream) {
            (true, false) => Some(StateMachineKind::Async),
            (true, true) => Some(StateMachineKind::AsyncIterator),
            _ if machine.implements("System.Collections.IEnumerator") => Some(StateMachineKind::Iterator),
            _ => None,
        }
    }

    /// The type that runs the method's code, if it is the kickoff of a state machine.
    pub fn state_machine(&self) -> Option<TypeId> {
        let metadata = &self.assembly.metadata;
        let attribute = MACHINE_ATTRIBUTES.iter().find_map(|(attribute, _)| metadata.attribute(self.id, attribute))?;
        match attribute.arguments().ok()?.into_iter().next()? {
            AttributeValue::Type(Some(name)) => self.assembly.find_reflection_name(&name),
            _ => None,
        }
    }

    /// The method that holds the code as written: the machine's `MoveNext`, or itself.
    pub fn code_method(&self) -> MethodId {
        let machine = self.state_machine().map(|machine| self.assembly.type_(machine));
        let move_next = machine
            .and_then(|machine| machine.methods().find(|&method| self.assembly.method(method).name() == "MoveNext"));
        move_next.unwrap_or(self.id)
    }

    /// `[DebuggerHidden]`: no debugger stops in it, whoever's code it is.
    pub fn is_debugger_hidden(&self) -> bool {
        self.has_attribute("System.Diagnostics.DebuggerHiddenAttribute")
    }

    /// `[DebuggerNonUserCode]`, `[DebuggerStepThrough]` or `[DebuggerHidden]`, on the method or on a type around it.
    pub fn is_stepped_over(&self) -> bool {
        let has_any = |owner: Token| STEPPED_OVER.iter().any(|attribute| self.assembly.has_attribute(owner, attribute));
        if has_any(self.id.token()) {
            return true;
        }
        let mut around = self.declaring_type();
        for _ in 0..16 {
            match around {
                Some(type_) if has_any(type_.id().token()) => return true,
                Some(type_) => around = type_.declaring_type(),
                None => return false,
            }
        }
        false
    }
}

impl Assembly {
    /// A type as attributes name it: ``Ns.Outer+<Map>d__1`1``, with `\` before special characters and an assembly behind.
    fn find_reflection_name(&self, name: &str) -> Option<TypeId> {
        let mut key = String::with_capacity(name.len());
        let mut characters = name.chars();
        while let Some(character) = characters.next() {
            match character {
                '\\' => key.extend(characters.next()),
                ',' | '[' => break,
                '+' => key.push('.'),
                other => key.push(other),
            }
        }
        self.find_key(key.trim_end())
    }
}
