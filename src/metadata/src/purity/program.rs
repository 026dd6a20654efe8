//! What the names of the program's own types and methods can mean.

use std::sync::Arc;

use super::{Purity, framework};
use crate::assembly::Assembly;
use crate::names::index_key;
use crate::signatures::Primitive;
use crate::tokens::{MethodId, TypeId};

impl Purity {
    /// Full names of the types that a text can mean: by its full name, else by the last part of it.
    pub fn types_named(&self, text: &str) -> Vec<String> {
        if let Some(primitive) = Primitive::from_name(text) {
            return vec![primitive.full_name().to_owned()];
        }
        if text == "decimal" {
            return vec!["System.Decimal".to_owned()];
        }
        if let Some((assembly, id)) = self.universe.find_type(text) {
            return vec![assembly.type_(id).full_name()];
        }
        let full = [text.to_owned(), format!("System.{text}")];
        let known = full.into_iter().filter(|name| framework::is_known(name));
        let own = self.hierarchy().types().iter().map(|(assembly, id)| assembly.type_(*id).full_name());
        let ends = |name: &String| {
            let key = index_key(name);
            key == text || key.strip_suffix(text).is_some_and(|rest| rest.ends_with('.'))
        };
        known.chain(own.filter(ends)).collect()
    }

    /// Whether the program has a local function of that name: `<Outer>g__Inner|0_0`.
    pub fn has_local_function(&self, name: &str) -> bool {
        let part = format!(">g__{name}|");
        let has = |(assembly, id): &(Arc<Assembly>, TypeId)| {
            assembly.type_(*id).methods().any(|method| assembly.method(method).name().contains(&part))
        };
        self.hierarchy().types().iter().any(has)
    }

    /// The methods of the program that implement or override an abstract one, as far as its types were looked at.
    pub fn implementations(&self, full_name: &str, member: &str) -> Vec<(Arc<Assembly>, MethodId)> {
        self.hierarchy().implementations(full_name, None, member, None).unwrap_or_default()
    }

    /// Whether a type of the program below this one declares a member of that name anew, or implements it for this interface alone.
    pub fn is_hidden_below(&self, full_name: &str, member: &str) -> bool {
        let below = self.hierarchy().below(full_name).unwrap_or_default().into_iter();
        let names = below.map(|(assembly, id)| assembly.type_(id).full_name());
        let mut names = names.filter(|name| index_key(name) != index_key(full_name));
        names.any(|name| self.universe.hides(&name, full_name, member))
    }
}
