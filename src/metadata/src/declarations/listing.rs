//! All members of a type, in the order of their declaration.

use super::literals::literal;
use super::operators::conversion;
use super::{Naming, TypeKind, accessibility, printable};
use crate::attributes::COMPILER_GENERATED;
use crate::signatures::{MethodSig, ParameterNames, TypeSig};
use crate::tokens::{MethodId, TypeId};
use crate::types::{Event, Field, Property, TypeView};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MemberKind {
    Constructor,
    Field,
    Property,
    Method,
    Event,
    NestedType,
}

/// A member in one line of C#.
#[derive(Debug, Clone)]
pub struct Declaration {
    pub kind: MemberKind,
    pub text: String,
    /// As C# writes it.
    pub visibility: &'static str,
    pub is_static: bool,
    /// The compiler made it: source has no such member.
    pub is_generated: bool,
    /// A member hides or overrides those of the type's bases that have an equal key. Members of one type may have equal ones: an event and
    /// the field that stores it.
    pub key: String,
    /// The method whose code shows the place: the method itself, or an accessor.
    pub method: Option<MethodId>,
}

impl TypeView<'_> {
    /// Its own members that can be read. Accessors are listed with their property or event; members of an enum as `Red = 1`.
    pub fn declarations(&self, naming: Naming<'_>) -> Vec<Declaration> {
        let fields = self.fields();
        let fields = fields.iter().filter(|field| field.name != "value__");
        let mut all: Vec<Declaration> = fields.filter_map(|field| self.listed_field(field, naming)).collect();
        let is_record = matches!(self.kind(), TypeKind::Record | TypeKind::RecordStruct);
        all.extend(self.properties().iter().filter_map(|it| self.listed_property(it, is_record, naming)));
        all.extend(self.methods().filter_map(|method| self.listed_method(method, naming)));
        all.extend(self.events().iter().filter_map(|event| self.listed_event(event, naming)));
        all.extend(self.nested_types().into_iter().map(|id| self.listed_type(id)));
        all
    }

    fn listed_field(&self, field: &Field, naming: Naming<'_>) -> Option<Declaration> {
        let value = self.assembly.constant(field.id).filter(|_| self.is_enum());
        let text = match value {
            Some(value) => printable(format!("{} = {}", field.name, literal(&value))),
            None => self.field_declaration(field.id, naming)?,
        };
        Some(Declaration {
            kind: MemberKind::Field,
            text,
            visibility: accessibility(field.flags),
            is_static: field.is_static,
            is_generated: field.name.starts_with('<') || self.assembly.has_attribute(field.id, COMPILER_GENERATED),
            key: field.name.clone(),
            method: None,
        })
    }

    fn listed_property(&self, property: &Property, is_record: bool, naming: Naming<'_>) -> Option<Declaration> {
        let shown = self.most_accessible(property.getter, property.setter)?;
        let method = self.assembly.method(shown);
        let mut indexes = method.signature()?.parameters;
        if Some(shown) != property.getter {
            // The value to set.
            indexes.pop();
        }
        Some(Declaration {
            kind: MemberKind::Property,
            text: self.property_declaration(property.id, naming)?,
            visibility: method.visibility(),
            is_static: method.is_static(),
            is_generated: property.name.starts_with('<')
                || is_record && property.name == "EqualityContract"
                || self.assembly.has_attribute(property.id, COMPILER_GENERATED),
            key: if property.is_indexer { key_of(&property.name, &indexes, naming) } else { property.name.clone() },
            method: Some(shown),
        })
    }

    fn listed_method(&self, id: MethodId, naming: Naming<'_>) -> Option<Declaration> {
        let method = self.assembly.method(id);
        let raw = method.name();
        let is_constructor = matches!(raw, ".ctor" | ".cctor");
        if !is_constructor && self.assembly.is_accessor_or_constructor(id, raw) {
            return None;
        }
        Some(Declaration {
            kind: if is_constructor { MemberKind::Constructor } else { MemberKind::Method },
            text: method.declaration(naming)?,
            visibility: method.visibility(),
            is_static: method.is_static(),
            is_generated: self.assembly.is_generated_method(id, raw),
            key: method_key(raw, &method.signature()?, naming),
            method: Some(id),
        })
    }

    fn listed_event(&self, event: &Event, naming: Naming<'_>) -> Option<Declaration> {
        let adder = event.adder?;
        let method = self.assembly.method(adder);
        Some(Declaration {
            kind: MemberKind::Event,
            text: self.event_declaration(event.id, naming)?,
            visibility: method.visibility(),
            is_static: method.is_static(),
            is_generated: false,
            key: event.name.clone(),
            method: Some(adder).filter(|_| !method.has_attribute(COMPILER_GENERATED)),
        })
    }

    fn listed_type(&self, id: TypeId) -> Declaration {
        let nested = self.assembly.type_(id);
        Declaration {
            kind: MemberKind::NestedType,
            text: nested.listed_in(""),
            visibility: nested.visibility(),
            is_static: false,
            is_generated: nested.is_generated(),
            key: nested.name().to_owned(),
            method: None,
        }
    }
}

/// Methods differ by their type parameters too, and conversions by what they give.
fn method_key(name: &str, signature: &MethodSig, naming: Naming<'_>) -> String {
    let mut key = key_of(name, &signature.parameters, naming);
    if signature.generic_parameters > 0 {
        key.push_str(&format!("`{}", signature.generic_parameters));
    }
    if conversion(name).is_some() {
        key.push_str(&key_of("", std::slice::from_ref(&signature.return_type), naming));
    }
    key
}

fn key_of(name: &str, parameters: &[TypeSig], naming: Naming<'_>) -> String {
    let names = ParameterNames { of_type: naming.names.to_vec(), of_method: Vec::new() };
    let in_full = |parameter: &TypeSig| parameter.substitute(naming.arguments, &[]).full_with(&names);
    let parameters: Vec<String> = parameters.iter().map(in_full).collect();
    format!("{name}({})", parameters.join(", "))
}
