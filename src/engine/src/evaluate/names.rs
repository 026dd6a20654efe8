//! Names: variables of the frame, members of `this`, types.

use clr_metadata::names::{FieldOrigin, field_origin};
use clr_metadata::{Assembly, Token, TypeId, Variable, VariableKind, VariableRoot};

use super::operators::{Operand, TypeRef};
use super::{EvalError, Evaluation, no_name};
use crate::com::{self, Interface as _, element};
use crate::modules::Module;
use crate::stopped::Stopped;
use crate::types;
use crate::values::{Place, Root, Step};

/// What nearly every file imports.
pub(super) const USUAL_IMPORTS: [&str; 6] =
    ["System", "System.Collections.Generic", "System.Linq", "System.IO", "System.Threading", "System.Threading.Tasks"];

/// Variables of a frame in the order of the source: `this`, parameters, locals.
pub fn variables(stopped: &Stopped, thread: u32, frame: usize) -> com::Result<Vec<(String, Place)>> {
    let at = stopped.thread(thread)?.frame(frame)?;
    let data = at.data();
    let Some(assembly) = data.module.assembly() else { return Ok(Vec::new()) };
    let mut found = assembly.variables_at(data.method, data.offset);
    // innermost first, and `this` last: the reverse is how a source reads
    found.reverse();
    let rank = |variable: &Variable| match variable.kind {
        clr_metadata::VariableKind::This => 0,
        clr_metadata::VariableKind::Parameter => 1,
        clr_metadata::VariableKind::Local => 2,
    };
    found.sort_by_key(|variable| (rank(variable), order(assembly, variable)));
    Ok(found
        .iter()
        .filter_map(|variable| Some((variable.name.clone(), place(&data.module, thread, frame, variable)?)))
        .collect())
}

/// Parameters by number. What a closure or machine holds: captured locals first, as the closures declare them (an outer one's type comes
/// first in metadata), then hoisted ones by the number that the compiler gave them. Slots stand by their own order.
fn order(assembly: &Assembly, variable: &Variable) -> (u16, u32) {
    match (variable.kind, variable.place.root, variable.place.fields.last()) {
        (VariableKind::Parameter, VariableRoot::Argument(number), None) => (number, 0),
        (VariableKind::Local, VariableRoot::Argument(_), Some(field)) => {
            let name = assembly.metadata().string(field.row(), clr_metadata::col::Field::Name).unwrap_or_default();
            match field_origin(name) {
                FieldOrigin::HoistedLocal { slot, .. } => (1, slot),
                _ => (0, field.row()),
            }
        }
        _ => (u16::MAX, 0),
    }
}

fn place(module: &Module, thread: u32, frame: usize, variable: &Variable) -> Option<Place> {
    let assembly = module.assembly()?;
    let mut steps = Vec::new();
    for &field in &variable.place.fields {
        let owner = assembly.metadata().owner(clr_metadata::col::TypeDef::FieldList, field.row())?;
        steps.push(Step::Field { class: module.class(TypeId(owner)).ok()?, field });
    }
    Some(Place { root: Root::Variable { thread, frame, root: variable.place.root }, steps })
}

impl Evaluation<'_> {
    pub(super) fn variables(&self) -> com::Result<Vec<(String, Place)>> {
        if self.is_gone { Ok(Vec::new()) } else { variables(self.stopped, self.thread, self.frame) }
    }

    pub(super) fn this(&self) -> Result<Option<Operand>, EvalError> {
        let variables = self.variables()?;
        Ok(variables.into_iter().find(|(name, _)| name == "this").map(|(_, place)| Operand::Place(place)))
    }

    pub(super) fn name(&mut self, name: &str) -> Result<Operand, EvalError> {
        if name == "$exception" {
            let place = Place::of(Root::Exception(self.thread));
            return match place.read(self.stopped) {
                Ok(_) => Ok(Operand::Place(place)),
                Err(_) => Err(no_name(name)),
            };
        }
        let variables = self.variables()?;
        if let Some((_, place)) = variables.iter().find(|(variable, _)| variable == name) {
            return Ok(Operand::Place(place.clone()));
        }
        if let Some(constant) = self.constant(name) {
            return Ok(constant);
        }
        if let Some((_, this)) = variables.into_iter().find(|(variable, _)| variable == "this")
            && let Some(found) = self.member_of(&this, name, |it| {
                // a closure's `this` is of the type around it
                let object = types::chain(&this.read(it.stopped).ok()?.type_().ok()?);
                let target = it.stopped.target();
                let around = it.enclosing_types().into_iter().map(|type_| types::signature(target, &type_));
                around.into_iter().find(|type_| object.iter().any(|own| types::signature(target, own) == *type_))
            })?
        {
            return Ok(found);
        }
        for type_ in self.enclosing_types() {
            if let Some(found) = self.static_member(&type_, name)? {
                return Ok(found);
            }
        }
        if let Some(type_) = self.find_type(name) {
            return Ok(Operand::Type(type_));
        }
        if self.is_namespace(name) {
            return Ok(Operand::Namespace(name.to_owned()));
        }
        Err(no_name(name))
    }

    /// A `const` local.
    pub(super) fn constant(&self, name: &str) -> Option<Operand> {
        use clr_metadata::{AttributeValue, Primitive};
        let at = self.stopped.thread(self.thread).ok()?.frame(self.frame).ok()?;
        let data = at.data();
        let constants = data.module.symbols()?.constants_in_scope(data.method, data.offset);
        let value = constants.into_iter().find(|constant| constant.name == name)?.value()?;
        Some(match value {
            AttributeValue::Bool(value) => Operand::Scalar(crate::values::Scalar::Bool(value)),
            AttributeValue::Char(c) => Operand::Scalar(crate::values::Scalar::Char(u32::from(c) as u16)),
            AttributeValue::Int(number) => {
                let primitive = if i32::try_from(number).is_ok() { Primitive::I4 } else { Primitive::I8 };
                Operand::Scalar(crate::values::Scalar::Int(primitive, number))
            }
            AttributeValue::Float(number) => Operand::Scalar(crate::values::Scalar::Double(number)),
            AttributeValue::String(Some(text)) => Operand::Text(text.encode_utf16().collect()),
            AttributeValue::String(None) => Operand::Null(Some("string".into())),
            _ => return None,
        })
    }

    /// The type of the frame's method, then those around it.
    pub(super) fn enclosing_types(&self) -> Vec<com::Type> {
        if self.is_gone {
            return Vec::new();
        }
        let Ok(at) = self.stopped.thread(self.thread).and_then(|thread| thread.frame(self.frame)) else {
            return Vec::new();
        };
        let data = at.data();
        let Some(assembly) = data.module.assembly() else { return Vec::new() };
        let arguments = at.type_arguments();
        let mut found = Vec::new();
        let mut type_ = assembly.method(data.method).declaring_type();
        while let Some(view) = type_ {
            let count = view.type_parameters().len();
            let given = arguments.get(..count).unwrap_or_default();
            found.extend(instantiate(&data.module, view.id(), view.is_value_type(), given));
            type_ = view.declaring_type();
        }
        found
    }

    /// By full name, or as the frame's namespaces and imports allow.
    pub(super) fn find_type(&self, name: &str) -> Option<TypeRef> {
        if let Some(primitive) = clr_metadata::Primitive::from_name(name) {
            return self.type_called(primitive.full_name());
        }
        if name == "decimal" {
            return self.type_called("System.Decimal");
        }
        if let Some(found) = self.type_called(name) {
            return Some(found);
        }
        let at = self.stopped.thread(self.thread).ok()?.frame(self.frame).ok()?;
        let assembly = at.data().module.assembly()?;
        let mut owner = assembly.method(at.data().method).declaring_type();
        while let Some(view) = owner {
            let full = view.full_name();
            if let Some(found) = self.type_in(&at.data().module, &format!("{full}+{name}")) {
                return Some(found);
            }
            if view.declaring_type().is_none() {
                let mut namespace = view.namespace();
                while !namespace.is_empty() {
                    if let Some(found) = self.type_called(&format!("{namespace}.{name}")) {
                        return Some(found);
                    }
                    namespace = namespace.rsplit_once('.').map_or("", |(outer, _)| outer);
                }
            }
            owner = view.declaring_type();
        }
        let scope = self.scope();
        let imported = scope.namespaces().chain(USUAL_IMPORTS);
        imported.filter(|it| !it.is_empty()).find_map(|namespace| self.type_called(&format!("{namespace}.{name}")))
    }

    fn type_called(&self, name: &str) -> Option<TypeRef> {
        let modules = self.stopped.target().modules.all();
        // the user's first, they are small; the core library before its many siblings
        let (users, framework): (Vec<_>, Vec<_>) = modules.into_iter().partition(|module| !module.is_framework);
        users.iter().chain(&framework).find_map(|module| self.type_in(module, name))
    }

    fn type_in(&self, module: &Module, name: &str) -> Option<TypeRef> {
        let assembly = module.assembly()?;
        let mut candidate = name.to_owned();
        // `Outer.Inner` is `Outer+Inner` in metadata
        let id = loop {
            if let Some(id) = assembly.find_definition(&candidate) {
                break id;
            }
            let at = candidate.rfind('.')?;
            candidate.replace_range(at..=at, "+");
            if candidate.matches('+').count() > 3 {
                return None;
            }
        };
        let view = assembly.type_(id);
        if !view.type_parameters().is_empty() {
            return None;
        }
        let type_ = instantiate(module, id, view.is_value_type(), &[])?;
        Some(TypeRef { text: view.full_name().replace('+', "."), type_ })
    }

    pub(super) fn is_namespace(&self, name: &str) -> bool {
        let prefix = format!("{name}.");
        let modules = self.stopped.target().modules.all();
        modules.iter().filter_map(|module| module.assembly()).any(|assembly| {
            assembly.types().any(|view| {
                let namespace = view.namespace();
                namespace == name || namespace.starts_with(&prefix)
            })
        })
    }
}

/// A type with its arguments.
pub fn instantiate(module: &Module, id: TypeId, is_value: bool, arguments: &[com::Type]) -> Option<com::Type> {
    let kind = if is_value { element::VALUETYPE } else { element::CLASS };
    let class = module.com.class(Token(id.token().0).0).ok()?;
    class.cast::<com::Class2>().ok()?.with_arguments(kind, arguments).ok()
}
