//! Words for a member that a type does not have: as the compiler's, with what the type has instead.

use clr_metadata::{MethodView, col, is_framework};

use crate::suggest::instead;
use crate::types::{Method, Type};

use super::Binder;

/// Who may name a member (ECMA-335 II.23.1.5, II.23.1.10).
pub(super) const ACCESS: u32 = 7;
pub(super) const PUBLIC: u32 = 6;

impl Binder<'_> {
    /// Of the type itself, or of its objects.
    pub(super) fn no_member(&self, type_: &Type, name: &str, is_static: bool) -> String {
        let begin = format!("'{}' does not contain a definition for '{name}'", type_.short());
        let elsewhere = if is_static { None } else { self.extension_elsewhere(type_, name) };
        if let Some(holder) = elsewhere {
            return format!(
                "{begin}; the extension method '{holder}.{name}' is in a namespace that the file does not import"
            );
        }
        begin + &instead(name, &self.member_names(type_, is_static))
    }

    /// The class of an extension of that name that would fit, if the file imported it.
    fn extension_elsewhere(&self, type_: &Type, name: &str) -> Option<String> {
        let elsewhere = self.callable_extensions(name, &[]);
        let here = self.extensions(name);
        let is_here = |holder: &str| here.iter().any(|(type_, _)| type_.is(holder));
        elsewhere.iter().find_map(|(holder, method)| {
            let holder = holder.view().full_name();
            (!is_here(&holder) && self.is_receiver(type_, &holder, method)).then_some(holder)
        })
    }

    /// Whether an extension can be called on values of a type, as far as that alone tells.
    fn is_receiver(&self, type_: &Type, holder: &str, method: &Method) -> bool {
        let Some(first) = method.parameters.first() else { return false };
        let known = self.inferred_from(type_, &first.type_, method.generic);
        let wanted = first.type_.substitute(&[], &known);
        // what it says nothing of may be anything
        let known: Vec<Type> = known.into_iter().map(|it| if it.is_closed() { it } else { Type::Late }).collect();
        wanted.is_closed()
            && self.types.is_a(type_, &wanted)
            && self.unmet(&Type::named(holder, Vec::new()), method, &known).is_none()
    }

    /// What the source names: data first, then methods; nothing that every object has.
    fn member_names(&self, type_: &Type, is_static: bool) -> Vec<String> {
        let (mut data, mut methods) = (Vec::new(), Vec::new());
        let own_names = if is_static { &[] } else { type_.element_names() };
        let element = |at: usize| own_names.get(at).cloned().flatten();
        for owner in self.types.chain(type_) {
            if owner == Type::OBJECT || owner.is("System.ValueType") {
                continue;
            }
            let Some(definition) = self.types.definition(&owner) else { continue };
            // how the framework is made inside helps nobody
            let is_own = !is_framework(definition.assembly.path());
            let is_shown = |flags: u32| is_own || flags & ACCESS == PUBLIC;
            let properties = self.types.properties(&definition);
            // an indexer is never named
            for property in properties.iter().filter(|it| it.is_static == is_static && !it.is_indexer()) {
                if property.accessor().is_some_and(|it| is_shown(it.flags)) {
                    data.push(property.name.clone());
                }
            }
            for field in self.types.fields(&definition).iter().filter(|it| it.is_static == is_static) {
                let flags = field.assembly.metadata().cell(field.id.0, col::Field::Flags).unwrap_or(0);
                // an element of a tuple by the name that the source gives it
                let number = field.name.strip_prefix("Item").and_then(|number| number.parse::<usize>().ok());
                if is_shown(flags) {
                    data.push(number.and_then(|it| element(it.checked_sub(1)?)).unwrap_or_else(|| field.name.clone()));
                }
            }
            let view = definition.view();
            for method in view.methods().map(|id| definition.assembly.method(id)) {
                let is_called = !method.is_special_name() && !is_for_others(&method);
                if method.is_static() == is_static && is_called && is_shown(method.flags()) {
                    methods.push(method.name().to_owned());
                }
            }
        }
        let mut seen = std::collections::HashSet::new();
        let is_of_source = |name: &String| !name.contains(['<', '.']);
        data.into_iter().chain(methods).filter(|name| is_of_source(name) && seen.insert(name.clone())).collect()
    }
}

/// What nobody should call: obsolete, made by the compiler, or called by an XML serializer alone (`XmlSchemaProviderAttribute` names a
/// method of that shape).
fn is_for_others(method: &MethodView<'_>) -> bool {
    const OBSOLETE: &str = "System.ObsoleteAttribute";
    let takes_schemas = || {
        let signature = method.signature();
        signature.is_some_and(|it| {
            it.parameters.first().and_then(|it| it.full_name()) == Some("System.Xml.Schema.XmlSchemaSet")
        })
    };
    method.has_attribute(OBSOLETE) || method.is_compiler_generated() || method.is_static() && takes_schemas()
}
