//! Generic types with their arguments, as the types of the objects on the heap name them, and the code of the user: the runtime lists
//! none, and reads the static fields of one only if it is asked for it.

use std::collections::BTreeMap;
use std::sync::Arc;

use clr_metadata::{Table, Token, TypeId, TypeName, TypeSig};

use super::Types;
use crate::com::{self, element};
use crate::evaluate::instantiate;
use crate::modules::Module;
use crate::types;

/// Arguments within arguments, and bases; real ones stay far below.
const DEPTH: usize = 32;

pub(super) struct Instantiation {
    pub(super) module: Arc<Module>,
    pub(super) id: TypeId,
    pub(super) arguments: Vec<com::Type>,
}

impl Types<'_> {
    /// By their names: the types of all objects that were met, those around them, their arguments and their bases; and those that the
    /// user's assemblies name, of which there may be no object, as of a static class there is none.
    pub(super) fn instantiations(&self) -> BTreeMap<String, Instantiation> {
        let mut found = BTreeMap::new();
        for number in 0..u32::try_from(self.count()).unwrap_or(u32::MAX) {
            if let Ok(type_) = self.type_at(number) {
                self.add(&type_, 0, &mut found);
            }
        }
        for module in self.target().modules.all().iter().filter(|module| !module.is_framework) {
            let Some(assembly) = module.assembly() else { continue };
            for row in assembly.metadata().rows(Table::TypeSpec) {
                let named = assembly.type_signature(Token::new(Table::TypeSpec, row));
                if let Some(type_) = named.and_then(|named| self.of_signature(&named, 0)) {
                    self.add(&type_, 0, &mut found);
                }
            }
        }
        found
    }

    /// Of what names all its arguments; others are of types that may not exist.
    fn of_signature(&self, signature: &TypeSig, depth: usize) -> Option<com::Type> {
        let target = self.target();
        match signature {
            _ if depth >= DEPTH => None,
            TypeSig::Primitive(primitive) => {
                let found = types::core(target, primitive.full_name())?;
                instantiate(&found.module, found.id, found.view().is_value_type(), &[])
            }
            TypeSig::Named(name) => {
                let arguments: Option<Vec<_>> =
                    name.arguments.iter().map(|argument| self.of_signature(argument, depth + 1)).collect();
                let (module, id, is_value) = target.modules.all().into_iter().find_map(|module| {
                    let view = module.assembly()?.type_(module.assembly()?.find_definition(&name.full_name)?);
                    let (id, is_value) = (view.id(), view.is_value_type());
                    Some((module, id, is_value))
                })?;
                instantiate(&module, id, is_value, &arguments?)
            }
            TypeSig::Array(of) => {
                let of = self.of_signature(of, depth + 1)?;
                let domains = target.process().ok()?.app_domains().ok()?.rest::<com::AppDomain2>();
                domains.first()?.array_or_pointer_type(element::SZARRAY, 1, &of).ok()
            }
            _ => None,
        }
    }

    fn add(&self, type_: &com::Type, depth: usize, found: &mut BTreeMap<String, Instantiation>) {
        let Ok(arguments) = type_.type_parameters().map(|all| all.rest::<com::Type>()) else { return };
        if arguments.is_empty() || depth >= DEPTH {
            return;
        }
        arguments.iter().for_each(|argument| self.add(argument, depth + 1, found));
        let target = self.target();
        if let Some(definition) = types::definition(target, type_) {
            let sigs: Vec<TypeSig> = arguments.iter().map(|argument| types::signature(target, argument)).collect();
            let mut next = Some(definition.view());
            while let Some(view) = next.take() {
                let count = view.type_parameters().len();
                let (Some(own), Some(arguments)) = (sigs.get(..count), arguments.get(..count)) else { break };
                if count == 0 {
                    break;
                }
                let name = TypeName { full_name: view.full_name(), arguments: own.to_vec(), is_value_type: false };
                found.entry(types::text(&TypeSig::Named(name))).or_insert_with(|| Instantiation {
                    module: definition.module.clone(),
                    id: view.id(),
                    arguments: arguments.to_vec(),
                });
                next = view.declaring_type();
            }
        }
        // .NET 8 gives no base of a type that comes from the heap
        if let Some(base) = types::base(self.target(), type_) {
            self.add(&base, depth + 1, found);
        }
    }
}
