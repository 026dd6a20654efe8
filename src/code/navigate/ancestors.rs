//! The types above a type: its bases and interfaces, through the workspace and the assemblies that it stands on.

use std::collections::HashSet;
use std::sync::Arc;

use super::Navigator;
use clr_metadata::{Assembly, TypeId, TypeName, TypeSig};

/// More come from a circle.
const MOST_ANCESTORS: usize = 256;

/// A type wherever it is defined.
#[derive(Debug, Clone)]
pub(super) struct Located {
    pub(super) assembly: Arc<Assembly>,
    /// Number of the assembly within the workspace; `None`: of a framework or package.
    pub(super) own: Option<usize>,
    pub(super) type_: TypeId,
}

/// A base or interface.
#[derive(Debug, Clone)]
pub(super) struct Ancestor {
    pub(super) at: Located,
    /// In terms of the type below.
    pub(super) arguments: Vec<TypeSig>,
    pub(super) is_interface: bool,
    /// Whether only an `override` takes a slot of it. An interface that the type itself names is taken by a method of any kind.
    pub(super) needs_override: bool,
}

impl Navigator {
    /// Bases and interfaces of a type of the workspace, all levels. Of a base in the workspace, not its interfaces: those it implements
    /// itself. A framework's base is not looked at for its own sake, so what it implements counts as the type's.
    pub(super) fn ancestors(&self, index: usize, type_: TypeId) -> Vec<Ancestor> {
        let Some(assembly) = self.assembly(index) else { return Vec::new() };
        let start = Located { assembly: Arc::clone(assembly), own: Some(index), type_ };
        let mut seen = HashSet::new();
        let mut all = Vec::new();
        let mut open = vec![Ancestor { at: start, arguments: Vec::new(), is_interface: false, needs_override: false }];
        let mut is_start = true;
        while let Some(below) = open.pop() {
            let view = below.at.assembly.type_(below.at.type_);
            let names_interfaces = is_start || below.is_interface || below.at.own.is_none();
            let interfaces = if names_interfaces { view.interfaces() } else { Vec::new() };
            let bases = view.base().into_iter().map(|base| (base, false));
            for (name, is_interface) in bases.chain(interfaces.into_iter().map(|name| (name, true))) {
                let name = substituted(name, &below.arguments);
                if all.len() + open.len() >= MOST_ANCESTORS || !seen.insert(name.clone()) {
                    continue;
                }
                let Some(at) = self.resolve(&below.at, &name.full_name) else { continue };
                let needs_override = below.needs_override || !is_interface;
                open.push(Ancestor { at, arguments: name.arguments, is_interface, needs_override });
            }
            if !is_start {
                all.push(below);
            }
            is_start = false;
        }
        all
    }

    /// The type that a name in the metadata of `from` means.
    pub(super) fn resolve(&self, from: &Located, full_name: &str) -> Option<Located> {
        let beneath = || {
            let (assembly, type_) = self.beneath.resolve(&from.assembly, full_name)?;
            Some(Located { assembly, own: None, type_ })
        };
        self.resolve_own(from, full_name).or_else(beneath)
    }

    /// As [`Self::resolve`], but only where it leads to the assembly itself or another of the workspace.
    pub(super) fn resolve_own(&self, from: &Located, full_name: &str) -> Option<Located> {
        if let Some(type_) = from.assembly.find_type(full_name) {
            return Some(Located { type_, ..from.clone() });
        }
        from.own?;
        let references = from.assembly.references();
        let mut own = self.assemblies.iter().enumerate().filter(|(_, it)| references.contains(&it.name()));
        own.find_map(|(index, assembly)| {
            Some(Located { assembly: Arc::clone(assembly), own: Some(index), type_: assembly.find_type(full_name)? })
        })
    }
}

pub(super) fn substituted(name: TypeName, arguments: &[TypeSig]) -> TypeName {
    TypeName { arguments: name.arguments.iter().map(|it| it.substitute(arguments, &[])).collect(), ..name }
}
