//! The code at a place in source and the types of all modules, as expressions need them.

use std::collections::HashMap;
use std::sync::Arc;

use clr_csharp::pure::Foreseen;
use clr_csharp::types::{Type, TypeSystem};
use clr_csharp::world::{Scope, Variable};
use clr_metadata::{Assembly, MethodId, TypeName, TypeSig, TypeUniverse, VariableKind};

use super::flow::Place;
use super::{Modules, is_framework};

/// Expressions that are evaluated at once each take one; more are made anew.
const KEPT: usize = 4;
const KEPT_SCOPES: usize = 256;

/// What metadata said before, for as long as the modules stay the same.
#[derive(Default)]
pub(super) struct KnownTypes {
    systems: Vec<TypeSystem>,
    by_text: HashMap<String, Option<Type>>,
    scopes: HashMap<(String, Place), (Arc<Scope>, bool)>,
    /// Side effects of expressions, by place and text.
    pub(super) foreseen: HashMap<(String, u32, String), Option<Foreseen>>,
    version: u64,
}

impl KnownTypes {
    /// A module has come or gone.
    pub(super) fn forget(&mut self) {
        *self = Self { version: self.version + 1, ..Self::default() };
    }
}

impl Modules {
    /// The files that were added, and how often that changed.
    pub(crate) fn universe_and_version(&self) -> (Arc<TypeUniverse>, u64) {
        let inner = self.lock();
        (inner.universe.clone(), inner.types.version)
    }

    /// The method and the IL offset of the statement that begins there, of optimized code too.
    pub(crate) fn code_at(&self, path: &str, (line, column): Place) -> Option<(Arc<Assembly>, MethodId, u32)> {
        let inner = self.lock();
        let (assembly, document) = inner.find(path)?;
        let pdb = assembly.pdb()?;
        let methods = pdb.line_to_methods(document.id, line);
        let begin = |method: MethodId| {
            let points = pdb.sequence_points(method).into_iter();
            let mut here = points.filter(|point| !point.is_hidden && point.document == document.id);
            here.find(|point| (point.line, point.column) == (line, column)).map(|point| point.il_offset)
        };
        let exact = methods.iter().find_map(|(method, _)| Some((*method, begin(*method)?)));
        let (method, offset) = exact.or_else(|| methods.first().copied())?;
        Some((assembly.clone(), method, offset))
    }

    /// What code may name, and whether symbols say all of that.
    pub(crate) fn scope_at(&self, path: &str, place: Place) -> Option<(Arc<Scope>, bool)> {
        let key = (path.to_owned(), place);
        if let Some(known) = self.lock().types.scopes.get(&key) {
            return Some(known.clone());
        }
        let (assembly, method, offset) = self.code_at(path, place)?;
        let (scope, is_complete) = scope_of_code(&assembly, method, offset);
        let found = (Arc::new(scope), is_complete);
        let mut inner = self.lock();
        if inner.types.scopes.len() >= KEPT_SCOPES {
            inner.types.scopes.clear();
        }
        inner.types.scopes.insert(key, found.clone());
        Some(found)
    }

    /// What variables are declared as there whose types have type parameters in them.
    pub(crate) fn open_variables_at(&self, path: &str, place: Place) -> HashMap<String, Type> {
        let Some((assembly, method, offset)) = self.code_at(path, place) else { return HashMap::new() };
        let view = assembly.method(method);
        let of_type = view.declaring_type().map_or(0, |it| it.type_parameters().len());
        let of_method = (0..).map(Type::MethodParameter).take(view.type_parameters().len());
        // the type of a closure or a state machine has the parameters of the method behind those of its type
        let of_closure: Vec<Type> = (0..).map(Type::TypeParameter).take(of_type).chain(of_method).collect();
        let variables = assembly.variables_at(method, offset).into_iter();
        let declared = variables.filter(|variable| variable.kind != VariableKind::This).map(|variable| {
            let declared = Type::declared(&variable.type_, &variable.element_names, &variable.dynamic);
            let is_field = !variable.place.fields.is_empty();
            let declared = if is_field { declared.substitute(&of_closure, &[]) } else { declared };
            (variable.name, without_reference(declared))
        });
        declared.filter(|(_, declared)| declared.has_parameters()).collect()
    }

    /// The types of all modules; to be given back with [`Self::keep_types`].
    pub(crate) fn take_types(&self) -> (u64, TypeSystem) {
        let (universe, version, framework) = {
            let mut inner = self.lock();
            let version = inner.types.version;
            if let Some(known) = inner.types.systems.pop() {
                return (version, known);
            }
            let core = inner.loaded.iter().find(|it| it.path.ends_with("System.Private.CoreLib.dll"));
            let framework = core.and_then(|core| Some(core.path.parent()?.to_owned()));
            (inner.universe.clone(), version, framework)
        };
        let (framework_ones, own): (Vec<_>, Vec<_>) =
            universe.assemblies().into_iter().partition(|assembly| is_framework(assembly.path()));
        (version, TypeSystem::new(own.into_iter().chain(framework_ones).collect(), framework))
    }

    pub(crate) fn keep_types(&self, (version, types): (u64, TypeSystem)) {
        let mut inner = self.lock();
        if inner.types.version == version && inner.types.systems.len() < KEPT {
            inner.types.systems.push(types);
        }
    }

    /// The type that an adapter prints so; one that no module has by the name that it is printed with.
    pub(crate) fn type_printed(&self, text: &str) -> Option<Type> {
        let (universe, known) = {
            let inner = self.lock();
            (inner.universe.clone(), inner.types.by_text.get(text).cloned())
        };
        if let Some(known) = known {
            return known;
        }
        let found = clr_metadata::names::parse_type(text).map(|sig| Type::of(&canonical(&universe, sig)));
        self.lock().types.by_text.insert(text.to_owned(), found.clone());
        found
    }
}

/// With the names that metadata has: `Outer+Inner` where text has a dot.
fn canonical(universe: &TypeUniverse, sig: TypeSig) -> TypeSig {
    let inner = |it: Box<TypeSig>| Box::new(canonical(universe, *it));
    match sig {
        TypeSig::Named(name) => {
            let found = universe.find_type(&name.full_name);
            let full_name = found.map_or(name.full_name, |(assembly, id)| assembly.type_(id).full_name());
            let arguments = name.arguments.into_iter().map(|it| canonical(universe, it)).collect();
            TypeSig::Named(TypeName { full_name, arguments, is_value_type: name.is_value_type })
        }
        TypeSig::Array(of) => TypeSig::Array(inner(of)),
        TypeSig::MultiArray { element, shape } => TypeSig::MultiArray { element: inner(element), shape },
        TypeSig::Pointer(of) => TypeSig::Pointer(inner(of)),
        TypeSig::ByRef(of) => TypeSig::ByRef(inner(of)),
        other => other,
    }
}

/// What symbols say of the code at an IL offset of a method, and whether that is all there is to know.
fn scope_of_code(assembly: &Arc<Assembly>, method: MethodId, offset: u32) -> (Scope, bool) {
    let mut scope = Scope::of_code(assembly, method, offset, &[]);
    let mut is_complete = true;
    for variable in assembly.variables_at(method, offset) {
        let type_ = match variable.kind {
            VariableKind::This => scope.enclosing.first().cloned(),
            _ => {
                let declared = Type::declared(&variable.type_, &variable.element_names, &variable.dynamic);
                Some(without_reference(declared))
            }
        };
        // what its parameters stand for, only the running code knows
        let is_open = type_.as_ref().map_or(variable.kind == VariableKind::This, Type::has_parameters);
        is_complete &= !is_open;
        if variable.is_read_only {
            scope.read_only.push(scope.variables.len());
        }
        scope.variables.push(Variable { name: variable.name, type_: if is_open { None } else { type_ } });
    }
    scope.variables.push(exception_variable());
    (scope, is_complete)
}

/// The exception of the stop, which any frame can name.
pub(crate) fn exception_variable() -> Variable {
    Variable { name: "$exception".into(), type_: Some(Type::named("System.Exception", Vec::new())) }
}

fn without_reference(type_: Type) -> Type {
    match type_ {
        Type::ByRef(inner) => *inner,
        other => other,
    }
}
