//! Extension methods, found where the compiler looks for them: in the namespaces around the frame's method, then in those that its
//! file imports, as far as the program has loaded their assemblies.

use std::sync::Arc;

use clr_metadata::{Assembly, Import, MethodId, MethodView, TypeId};

use super::operators::Operand;
use super::overloads::{Candidate, Wanted};
use super::{EvalError, Evaluation, names};
use crate::calls::Argument;
use crate::modules::Module;
use crate::types::Definition;
use crate::values::Scalar;

const EXTENSION: &str = "System.Runtime.CompilerServices.ExtensionAttribute";

/// What a call on a value that has no such method may mean.
pub(super) enum Extension {
    Method(Box<Candidate>),
    /// In scope, but none takes these arguments: its full name.
    Unfit(String),
    /// In a namespace that the file does not import: its full name.
    OutOfScope(String),
    /// Imported namespaces of which no assembly is loaded may have one.
    Unknown(Vec<String>),
    None,
}

/// Where the code of a frame looks for extension methods.
#[derive(Default)]
pub(super) struct Scope {
    /// Namespaces and, of `using static`, types; the nearest first.
    levels: Vec<Level>,
    module: u32,
}

#[derive(Default)]
struct Level {
    namespaces: Vec<String>,
    types: Vec<String>,
}

/// A static class with extension methods of the name that is called.
struct Holder {
    module: Arc<Module>,
    assembly: Arc<Assembly>,
    type_: TypeId,
    methods: Vec<MethodId>,
}

impl Holder {
    fn namespace(&self) -> &str {
        self.assembly.type_(self.type_).namespace()
    }

    fn name(&self) -> String {
        self.assembly.type_(self.type_).full_name()
    }

    fn definition(&self) -> Option<Definition> {
        let class = self.module.class(self.type_).ok()?;
        Some(Definition { module: self.module.clone(), assembly: self.assembly.clone(), id: self.type_, class })
    }
}

impl Evaluation<'_> {
    /// `wanted` without the receiver.
    pub(super) fn extension(&mut self, receiver: &Operand, wanted: Wanted<'_>) -> Result<Extension, EvalError> {
        let found = self.loaded_extension(receiver, wanted);
        let namespaces = match &found {
            Extension::Unknown(namespaces) => namespaces.clone(),
            // one of the same name may be in an assembly that the program has not used yet
            Extension::Unfit(_) => self.not_loaded(&self.scope()),
            _ => Vec::new(),
        };
        match self.load_for(&namespaces, wanted.name)? {
            true => Ok(self.loaded_extension(receiver, wanted)),
            false => Ok(found),
        }
    }

    /// Loads the assembly of the framework that has such a method, as the program's own call would; whether there is one.
    fn load_for(&mut self, namespaces: &[String], name: &str) -> Result<bool, EvalError> {
        let core = self.stopped.target().modules.named("System.Private.CoreLib");
        let Some(folder) = core.as_ref().and_then(|core| core.path.parent()) else { return Ok(false) };
        let has_it = |namespace: &&String| {
            let assembly = Assembly::open(folder.join(format!("{namespace}.dll")));
            assembly.is_ok_and(|assembly| !extensions_in(&assembly, name, false).is_empty())
        };
        let Some(namespace) = namespaces.iter().find(has_it) else { return Ok(false) };
        let Some(loader) = self.find_type("System.Reflection.Assembly") else { return Ok(false) };
        let arguments = [Operand::Text(namespace.encode_utf16().collect())];
        let wanted = Wanted { name: "Load", types: &[], arguments: &arguments, is_static: true };
        let Some(load) = self.candidate(&loader.type_, wanted) else { return Ok(false) };
        self.run(load, None).map(|_| true)
    }

    fn loaded_extension(&self, receiver: &Operand, wanted: Wanted<'_>) -> Extension {
        let scope = self.scope();
        let holders = self.holders(wanted.name, scope.module);
        let arguments: Vec<Operand> = std::iter::once(receiver).chain(wanted.arguments).cloned().collect();
        let wanted = Wanted { arguments: &arguments, is_static: true, ..wanted };
        let mut unfit = None;
        for level in &scope.levels {
            let here = holders.iter().filter(|holder| level.has(holder));
            let named = here.clone().next();
            unfit = unfit.or(named.map(|holder| format!("{}.{}", holder.name(), wanted.name)));
            let fitting = here.filter_map(|holder| {
                let found = self.candidate_of(&holder.definition()?, &holder.methods, wanted)?;
                self.takes_receiver(&found, receiver).then_some(found)
            });
            if let Some(best) = fitting.reduce(|best, other| if other.is_better_than(&best) { other } else { best }) {
                return Extension::Method(Box::new(best));
            }
        }
        if let Some(name) = unfit {
            return Extension::Unfit(name);
        }
        let elsewhere = holders.iter().find(|holder| {
            let fits = || self.candidate_of(&holder.definition()?, &holder.methods, wanted);
            fits().is_some_and(|found| self.takes_receiver(&found, receiver))
        });
        if let Some(holder) = elsewhere {
            return Extension::OutOfScope(format!("{}.{}", holder.name(), wanted.name));
        }
        match self.not_loaded(&scope) {
            unknown if unknown.is_empty() => Extension::None,
            unknown => Extension::Unknown(unknown),
        }
    }

    /// Of the one that a method is called on no number is converted to another.
    fn takes_receiver(&self, found: &Candidate, receiver: &Operand) -> bool {
        if let (Operand::Place(place), passed) = (receiver, found.arguments.first())
            && place.read(self.stopped).is_ok_and(|value| value.is_nullable())
        {
            // nor is a `T?` taken for what is in it
            return matches!(passed, Some(Argument::Place(passed)) if passed.steps.len() == place.steps.len());
        }
        match (self.simplified(receiver.clone()), found.arguments.first()) {
            (Ok(Operand::Scalar(Scalar::Enum(..))), _) => true,
            (Ok(Operand::Scalar(scalar)), Some(Argument::Scalar(passed))) => scalar.type_name() == passed.type_name(),
            _ => true,
        }
    }

    pub(super) fn scope(&self) -> Scope {
        let mut scope = Scope::default();
        let Ok(at) = self.stopped.thread(self.thread).and_then(|thread| thread.frame(self.frame)) else { return scope };
        let data = at.data();
        scope.module = data.module.id;
        let Some(assembly) = data.module.assembly() else { return scope };
        let outermost = std::iter::successors(assembly.method(data.method).declaring_type(), |it| it.declaring_type());
        let mut namespace = outermost.last().map_or("", |view| view.namespace());
        while !namespace.is_empty() {
            scope.levels.push(Level { namespaces: vec![namespace.to_owned()], types: Vec::new() });
            namespace = namespace.rsplit_once('.').map_or("", |(outer, _)| outer);
        }
        let imports = data.module.symbols().map(|symbols| symbols.imports_of(data.method)).unwrap_or_default();
        for imported in &imports {
            let mut level = Level::default();
            for import in &imported.imports {
                match import {
                    Import::Namespace(name) => level.namespaces.push(name.clone()),
                    Import::Type(token) => level.types.extend(assembly.metadata().type_full_name(*token)),
                    _ => {}
                }
            }
            scope.levels.push(level);
        }
        if imports.is_empty() {
            // what nearly every file imports
            let usual = names::USUAL_IMPORTS.map(str::to_owned).to_vec();
            scope.levels.push(Level { namespaces: usual, types: Vec::new() });
        }
        if let Some(file) = scope.levels.last_mut() {
            file.namespaces.push(String::new());
        }
        scope
    }

    /// All that the frame's module may call.
    fn holders(&self, name: &str, own: u32) -> Vec<Holder> {
        let of_module = |module: Arc<Module>| {
            let assembly = module.assembly()?.clone();
            let holders: Vec<Holder> = extensions_in(&assembly, name, module.id == own)
                .into_iter()
                .map(|(type_, methods)| Holder { module: module.clone(), assembly: assembly.clone(), type_, methods })
                .collect();
            Some(holders)
        };
        self.stopped.target().modules.all().into_iter().filter_map(of_module).flatten().collect()
    }

    /// Imported namespaces of which nothing is loaded.
    fn not_loaded(&self, scope: &Scope) -> Vec<String> {
        let imported = scope.namespaces().filter(|name| !name.is_empty());
        let mut missing: Vec<String> = imported.filter(|name| !self.is_namespace(name)).map(str::to_owned).collect();
        missing.sort();
        missing.dedup();
        missing
    }
}

impl Scope {
    pub(super) fn namespaces(&self) -> impl Iterator<Item = &str> {
        self.levels.iter().flat_map(|level| level.namespaces.iter().map(String::as_str))
    }
}

impl Level {
    fn has(&self, holder: &Holder) -> bool {
        self.namespaces.iter().any(|name| name == holder.namespace()) || self.types.contains(&holder.name())
    }
}

/// Flags of types and of methods (ECMA-335, II.23.1.15 and II.23.1.10).
const VISIBILITY: u32 = 7;
const PUBLIC_TYPE: u32 = 1;
const PUBLIC_METHOD: u32 = 6;
const PRIVATE_METHOD: u32 = 1;

/// By static class; of other assemblies than the caller's own what is public.
fn extensions_in(assembly: &Assembly, name: &str, is_own: bool) -> Vec<(TypeId, Vec<MethodId>)> {
    let is_meant = |method: &MethodView<'_>| {
        let access = method.flags() & VISIBILITY;
        method.name() == name
            && method.is_static()
            && (access == PUBLIC_METHOD || is_own && access != PRIVATE_METHOD)
            && method.has_attribute(EXTENSION)
    };
    assembly
        .types()
        .filter(|view| is_own || view.flags() & VISIBILITY == PUBLIC_TYPE)
        .filter(|view| view.is_static() && view.declaring_type().is_none())
        .filter_map(|view| {
            let methods = view.methods().map(|id| assembly.method(id)).filter(is_meant);
            let methods: Vec<MethodId> = methods.map(|method| method.id()).collect();
            (!methods.is_empty()).then_some((view.id(), methods))
        })
        .collect()
}

/// Why there is no method to call.
pub(super) fn refusal(extension: &Extension, type_name: &str, name: &str, given: &[String]) -> EvalError {
    let missing = format!("error CS1061: '{type_name}' does not contain a definition for '{name}'");
    EvalError::failed(match extension {
        Extension::Unfit(method) => format!(
            "no overload of the extension method '{method}' that can be called here takes ({})",
            std::iter::once(type_name).chain(given.iter().map(String::as_str)).collect::<Vec<_>>().join(", ")
        ),
        Extension::OutOfScope(method) => {
            format!("{missing}; the extension method '{method}' is in a namespace that the file does not import")
        }
        Extension::Unknown(namespaces) => format!(
            "'{type_name}' has no method '{name}', and no assembly that is loaded has such an extension method \
             (imported, but not loaded: {})",
            namespaces.join(", ")
        ),
        Extension::Method(_) | Extension::None => missing,
    })
}
