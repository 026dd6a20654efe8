//! Members of types by name: what there is, and how it is declared.

use clr_metadata::NameStyle;
use clr_metadata::names::{FieldOrigin, field_origin};

use super::Modules;

/// Of a field that each thread has.
pub(crate) const THREAD_STATIC: &str = "System.ThreadStaticAttribute";

impl Modules {
    /// Names of the fields and properties of a type and its bases, those of the framework's insides too; its static ones last.
    pub fn member_names(&self, type_name: &str) -> Vec<String> {
        let universe = self.lock().universe.clone();
        let name = type_name.trim_end_matches('?');
        let all = universe.members(name).into_iter().chain(universe.static_members(name));
        let written = all.map(|member| captured_parameter(&member.name).unwrap_or(&member.name).to_owned());
        written.filter(|name| !name.starts_with('<') && !name.contains('.')).collect()
    }

    /// Names of the methods of a type and its bases, and of the local functions in them, as code within it writes them.
    pub(crate) fn method_names(&self, type_name: &str) -> Vec<String> {
        let universe = self.lock().universe.clone();
        let found = universe.base_chain(type_name).into_iter().filter_map(|name| universe.find_type(&name));
        let names = found.flat_map(|(assembly, id)| {
            let type_ = assembly.type_(id);
            let closures = type_.nested_types().into_iter().filter(|&id| assembly.type_(id).name().starts_with("<>c"));
            let holders = std::iter::once(id).chain(closures);
            let methods = holders.flat_map(|id| assembly.type_(id).methods().collect::<Vec<_>>());
            methods
                .map(|method| assembly.method(method))
                .filter(|method| !method.is_special_name())
                .filter_map(|method| written_method(method.name()).map(str::to_owned))
                .collect::<Vec<_>>()
        });
        names.collect()
    }

    /// Names of the static fields and properties of a type.
    pub fn static_names(&self, type_name: &str) -> Vec<String> {
        let universe = self.lock().universe.clone();
        let type_name = type_name.trim_end_matches('?');
        let fields =
            universe.find_type(type_name).map(|(assembly, id)| assembly.type_(id).fields()).unwrap_or_default();
        let constants = fields.into_iter().filter(|field| field.is_literal).map(|field| field.name);
        let all = universe.static_members(type_name).into_iter().map(|member| member.name).chain(constants);
        all.filter(|name| !name.starts_with('<') && !name.contains('.')).collect()
    }

    /// Whether objects of a type have the hash code that the runtime gave them: neither it nor a base overrides `GetHashCode`.
    pub(crate) fn has_identity_hash(&self, type_name: &str) -> bool {
        let universe = self.lock().universe.clone();
        let Some((assembly, id)) = universe.find_type(type_name) else { return false };
        let overrides = |base: &String| {
            base != "System.Object"
                && universe.find_type(base).is_none_or(|(assembly, id)| {
                    assembly.type_(id).methods().any(|method| assembly.method(method).name() == "GetHashCode")
                })
        };
        let own = type_name.to_owned();
        let is_class = !assembly.type_(id).is_value_type() && !assembly.type_(id).is_interface();
        is_class && !std::iter::once(&own).chain(&universe.base_chain(type_name)).any(overrides)
    }

    /// Whether all types of that name, or of that end of a name, are structs.
    pub(crate) fn is_struct(&self, type_name: &str) -> bool {
        let universe = self.lock().universe.clone();
        let found = match universe.find_type(type_name) {
            Some(found) => vec![found],
            None => universe.find_types_by_short_name(type_name),
        };
        !found.is_empty() && found.iter().all(|(assembly, id)| assembly.type_(*id).is_value_type())
    }

    /// Whether a type of that name, or of that end of a name, has a static property.
    pub(crate) fn has_static_property(&self, type_name: &str, property: &str) -> bool {
        let universe = self.lock().universe.clone();
        universe
            .find_types_by_short_name(type_name)
            .iter()
            .any(|(assembly, id)| assembly.type_(*id).properties().iter().any(|it| it.name == property && it.is_static))
    }

    /// Whether each thread has a field of its own, of a type or its bases.
    pub(crate) fn is_of_threads(&self, type_name: &str, field: &str) -> bool {
        let universe = self.lock().universe.clone();
        universe.base_chain(type_name.trim_end_matches('?')).iter().any(|owner| {
            let Some((assembly, id)) = universe.find_type(owner) else { return false };
            let own = assembly.type_(id).fields().into_iter().find(|own| own.name == field);
            own.is_some_and(|own| assembly.metadata().attribute(own.id, THREAD_STATIC).is_some())
        })
    }

    /// The declared type of a static property.
    pub(crate) fn static_property(&self, type_name: &str, property: &str) -> Option<String> {
        let universe = self.lock().universe.clone();
        let mut all = universe.static_members(type_name.trim_end_matches('?')).into_iter();
        all.find(|member| member.is_property && member.name == property).map(|member| member.type_.to_string())
    }

    /// The accessors of a property of a type or its bases, as C# declares them: `{ get; init; }`.
    pub(crate) fn accessors(&self, type_name: &str, name: &str) -> Option<String> {
        let universe = self.lock().universe.clone();
        universe.base_chain(type_name.trim_end_matches('?')).into_iter().find_map(|type_name| {
            let (assembly, id) = universe.find_type(&type_name)?;
            let type_ = assembly.type_(id);
            let property = type_.properties().into_iter().find(|property| property.name == name)?;
            let declared = type_.property_declaration(property.id, NameStyle::Short)?;
            declared.find('{').and_then(|at| declared.get(at..)).map(str::to_owned)
        })
    }

    /// Whether an exception type is one of `wanted` (full or short names), or derives from one.
    pub fn is_one_of(&self, type_name: &str, wanted: &[&str], subtypes: bool) -> bool {
        let universe = self.lock().universe.clone();
        wanted.iter().any(|wanted| {
            *wanted == "*"
                || names_type(type_name, wanted)
                || (subtypes && universe.base_chain(type_name).iter().any(|base| names_type(base, wanted)))
        })
    }
}

fn names_type(full: &str, wanted: &str) -> bool {
    full == wanted || (!wanted.contains('.') && full.rsplit(['.', '+']).next() == Some(wanted))
}

/// `IsGood` of `IsGood` and of `<Main>g__IsGood|0_1`, nothing of what else the compiler made.
fn written_method(name: &str) -> Option<&str> {
    match name.split_once(">g__") {
        Some((_, local)) => local.split_once('|').map(|(local, _)| local),
        None => Some(name).filter(|name| !name.contains(['<', '.'])),
    }
}

/// `name` of a field `<name>P`.
pub(crate) fn captured_parameter(field: &str) -> Option<&str> {
    match field_origin(field) {
        FieldOrigin::PrimaryParameter(name) => Some(name),
        _ => None,
    }
}
