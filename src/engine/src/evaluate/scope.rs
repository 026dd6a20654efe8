//! What an expression may name in a frame: variables, constants, the types around, what the file imports.

use clr_csharp::types::Type;
use clr_csharp::value::{Constant, Scalar as Number};
use clr_csharp::world::{Alias, Imports, Scope, Variable as Declared};
use clr_metadata::names::{FieldOrigin, field_origin};
use clr_metadata::{
    Assembly, AttributeValue, ConstantVariable, Import, Primitive, Token, TypeId, Variable, VariableKind, VariableRoot,
};

use super::Evaluation;
use crate::com;
use crate::frames::Frame;
use crate::modules::Module;
use crate::stopped::Stopped;
use crate::types;
use crate::values::{Place, Root, Step};

/// What nearly every file imports: for code that came without symbols.
const USUAL: [&str; 6] =
    ["System", "System.Collections.Generic", "System.Linq", "System.IO", "System.Threading", "System.Threading.Tasks"];

/// Variables of a frame in the order of the source: `this`, parameters, locals.
pub fn variables(stopped: &Stopped, thread: u32, frame: usize) -> com::Result<Vec<(String, Place)>> {
    let at = stopped.thread(thread)?.frame(frame)?;
    let module = &at.data().module;
    let places = found(&at).into_iter();
    Ok(places.filter_map(|it| Some((it.name.clone(), place(module, thread, frame, &it)?))).collect())
}

fn found(at: &Frame<'_>) -> Vec<Variable> {
    let data = at.data();
    let Some(assembly) = data.module.assembly() else { return Vec::new() };
    let mut found = assembly.variables_at(data.method, data.offset);
    // innermost first, and `this` last: the reverse is how a source reads
    found.reverse();
    let rank = |variable: &Variable| match variable.kind {
        VariableKind::This => 0,
        VariableKind::Parameter => 1,
        VariableKind::Local => 2,
    };
    found.sort_by_key(|variable| (rank(variable), order(assembly, variable)));
    found
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
    /// With the places of the scope's variables, in their order.
    pub(super) fn scope(&self) -> (Scope, Vec<Place>) {
        let mut scope = Scope::default();
        let mut places = Vec::new();
        let exception = Place::of(Root::Exception(self.thread));
        if let Ok(value) = exception.read(self.stopped) {
            let type_ = value.signature().ok().map(|it| Type::of(&it));
            scope.variables.push(Declared { name: "$exception".into(), type_ });
            places.push(exception);
        }
        let frame = self.stopped.thread(self.thread).and_then(|thread| thread.frame(self.frame));
        let Ok(at) = frame else { return (scope, places) };
        let data = at.data();
        let Some(assembly) = data.module.assembly() else { return (scope, places) };
        if self.is_gone {
            return (scope, places);
        }
        scope.assembly = Some(assembly.clone());
        let arguments = at.type_arguments();
        let arguments: Vec<Type> =
            arguments.iter().map(|it| Type::of(&types::signature(self.stopped.target(), it))).collect();
        enclosing(assembly, data.method, &arguments, &mut scope);
        for variable in found(&at) {
            let Some(place) = place(&data.module, self.thread, self.frame, &variable) else { continue };
            let declared = match variable.kind {
                // of the type that the code is written in, though a closure may hold it
                VariableKind::This => scope.enclosing.first().cloned(),
                _ if variable.is_dynamic => None,
                _ => place.declared(self.stopped).map(|it| Type::declared(&it, &variable.element_names)),
            };
            scope.variables.push(Declared { name: variable.name, type_: declared });
            places.push(place);
        }
        if let Some(symbols) = data.module.symbols() {
            let constants = symbols.constants_in_scope(data.method, data.offset).into_iter();
            scope.constants = constants.filter_map(|it| constant(&it)).collect();
            for imported in symbols.imports_of(data.method) {
                scope.imports.push(imports(assembly, &imported.imports));
            }
        }
        if scope.imports.is_empty() {
            let namespaces = USUAL.map(str::to_owned).to_vec();
            scope.imports.push(Imports { namespaces, ..Imports::default() });
        }
        (scope, places)
    }
}

/// The types around a method, without those that the compiler made, and what their type parameters stand for.
fn enclosing(assembly: &Assembly, method: clr_metadata::MethodId, arguments: &[Type], scope: &mut Scope) {
    let view = assembly.method(method);
    let mut next = view.declaring_type();
    if let Some(innermost) = &next {
        let names = innermost.parameter_names(Some(method));
        let names = names.of_type.into_iter().chain(names.of_method);
        scope.type_parameters = names.zip(arguments.iter().cloned()).collect();
    }
    while let Some(type_) = next {
        if !type_.name().starts_with('<') {
            let count = type_.type_parameters().len();
            let given = arguments.get(..count).unwrap_or_default().to_vec();
            scope.enclosing.push(Type::named(&type_.full_name(), given));
        }
        next = type_.declaring_type();
    }
}

fn imports(assembly: &Assembly, imports: &[Import]) -> Imports {
    let type_of = |token: Token| assembly.type_signature(token).map(|type_| Type::of(&type_));
    let mut found = Imports::default();
    for import in imports {
        match import {
            Import::Namespace(name) | Import::NamespaceOf(_, name) => found.namespaces.push(name.clone()),
            Import::Type(token) => found.types.extend(type_of(*token)),
            Import::AliasOfNamespace { alias, namespace } | Import::AliasOfNamespaceOf { alias, namespace, .. } => {
                found.aliases.push((alias.clone(), Alias::Namespace(namespace.clone())));
            }
            Import::AliasOfType { alias, type_ } => {
                found.aliases.extend(type_of(*type_).map(|type_| (alias.clone(), Alias::Type(type_))));
            }
            Import::XmlNamespace { .. } | Import::ExternAlias(_) | Import::AliasOfAssembly { .. } => {}
        }
    }
    found
}

/// A `const` local.
fn constant(constant: &ConstantVariable) -> Option<(String, Type, Constant)> {
    let primitive = constant.signature.first().and_then(|code| Primitive::from_code(*code))?;
    let type_ = Type::Primitive(primitive);
    let value = match constant.value()? {
        AttributeValue::Bool(value) => Constant::bool(value),
        AttributeValue::Char(unit) => Constant::Scalar(Number::Char(u32::from(unit) as u16)),
        AttributeValue::Int(number) => Constant::Scalar(Number::Int(primitive, number)),
        AttributeValue::Float(number) if primitive == Primitive::R4 => Constant::Scalar(Number::Single(number as f32)),
        AttributeValue::Float(number) => Constant::Scalar(Number::Double(number)),
        AttributeValue::String(Some(text)) => Constant::text(&text),
        AttributeValue::String(None) => Constant::Null,
        _ => return None,
    };
    Some((constant.name.clone(), type_, value))
}
