//! All members of a type, in the order of their declaration.

use super::literals::literal;
use super::methods::{explicit_name, return_text};
use super::parameters::{has_modifier, unmodified};
use super::{Context, Visibility, push_word};
use crate::metadata::schema::col;
use crate::metadata::signatures::{Decoder, ParameterNames, TypeSig};
use crate::metadata::tokens::{MethodId, Token};
use crate::metadata::types::{Field, Property, TypeView};
use crate::metadata::{Assembly, Table, names};

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
    pub visibility: Visibility,
    pub is_static: bool,
    /// The compiler made it: source has no such member.
    pub is_generated: bool,
    /// Members of one type hierarchy with equal keys hide or override each other.
    pub key: String,
    /// The method whose code tells the place: the method itself, or an accessor.
    pub method: Option<MethodId>,
}

const COMPILER_GENERATED: &str = "System.Runtime.CompilerServices.CompilerGeneratedAttribute";
const REQUIRED: &str = "System.Runtime.CompilerServices.RequiredMemberAttribute";
const ADD: u32 = 0x8;

impl TypeView<'_> {
    /// Its own members. Accessors are told with their property or event.
    pub fn declarations(&self, context: &Context) -> Vec<Declaration> {
        let fields = self.fields();
        let fields = fields.iter().filter(|field| field.name != "value__").map(|field| self.field(field, context));
        let mut all: Vec<Declaration> = fields.collect();
        let is_record = self.is_record();
        all.extend(self.properties().iter().filter_map(|property| self.property(property, is_record, context)));
        all.extend(self.methods().filter_map(|method| self.method_declaration(method, context)));
        all.extend(self.events(context));
        all.extend(self.nested_types().into_iter().map(|id| {
            let nested = self.assembly.type_(id);
            Declaration {
                kind: MemberKind::NestedType,
                text: nested.listed_alone(),
                visibility: nested.visibility(),
                is_static: false,
                is_generated: nested.is_generated(),
                key: nested.own_name(),
                method: None,
            }
        }));
        all
    }

    fn field(&self, field: &Field, context: &Context) -> Declaration {
        let names = ParameterNames { of_type: context.names.clone(), of_method: Vec::new() };
        let visibility = Visibility::of_member(field.flags);
        let value = self.assembly.constant(field.id).filter(|_| field.is_literal);
        let value = value.map(|value| literal(&value, &field.type_));
        let mut text = String::new();
        if self.is_enum() {
            text.push_str(&field.name);
        } else {
            push_word(&mut text, visibility.words());
            push_word(&mut text, if field.is_literal { "const" } else { "" });
            push_word(&mut text, if field.is_static && !field.is_literal { "static" } else { "" });
            push_word(&mut text, if self.assembly.has_attribute(field.id, REQUIRED) { "required" } else { "" });
            push_word(&mut text, if field.is_init_only { "readonly" } else { "" });
            let is_volatile = has_modifier(&field.type_, "System.Runtime.CompilerServices.IsVolatile");
            push_word(&mut text, if is_volatile { "volatile" } else { "" });
            push_word(&mut text, &context.text(unmodified(&field.type_), &names));
            text.push_str(&field.name);
        }
        if let Some(value) = value {
            text.push_str(" = ");
            text.push_str(&value);
        }
        Declaration {
            kind: MemberKind::Field,
            text,
            visibility,
            is_static: field.is_static,
            is_generated: field.name.starts_with('<') || self.assembly.has_attribute(field.id, COMPILER_GENERATED),
            key: field.name.clone(),
            method: None,
        }
    }

    fn property(&self, property: &Property, is_record: bool, context: &Context) -> Option<Declaration> {
        let names = ParameterNames { of_type: context.names.clone(), of_method: Vec::new() };
        let views = [property.getter, property.setter].map(|id| id.map(|id| self.assembly.method(id)));
        let [getter, setter] = views;
        let widest = [getter, setter].into_iter().flatten().min_by_key(|accessor| accessor.visibility() as u8)?;
        let signature = widest.signature()?;
        let mut text = widest.modifiers();
        push_word(&mut text, if self.assembly.has_attribute(property.id, REQUIRED) { "required" } else { "" });
        push_word(&mut text, &return_text(&property.type_, context, &names));
        let mut key = property.name.clone();
        if property.is_indexer {
            // A setter has the value as its last parameter.
            let is_setter = getter.is_none_or(|getter| getter.id() != widest.id());
            let count = signature.parameters.len() - usize::from(is_setter && !signature.parameters.is_empty());
            let indexes = signature.parameters.get(..count).unwrap_or_default();
            let parameters = widest.parameter_list(indexes, context, &names);
            let interface = explicit_name(&property.name);
            let interface =
                interface.rsplit_once('.').map(|(interface, _)| format!("{interface}.")).unwrap_or_default();
            text.push_str(&format!("{interface}this[{parameters}]"));
            key = key_of(&property.name, indexes, context, &names);
        } else {
            text.push_str(&explicit_name(&property.name));
        }
        text.push_str(" {");
        for (accessor, word) in [(getter, "get"), (setter, "set")] {
            let Some(accessor) = accessor else { continue };
            text.push(' ');
            if accessor.visibility() != widest.visibility() {
                push_word(&mut text, accessor.visibility().words());
            }
            let is_init = accessor.signature().is_some_and(|signature| {
                has_modifier(&signature.return_type, "System.Runtime.CompilerServices.IsExternalInit")
            });
            text.push_str(if is_init { "init" } else { word });
            text.push(';');
        }
        text.push_str(" }");
        Some(Declaration {
            kind: MemberKind::Property,
            text,
            visibility: widest.visibility(),
            is_static: widest.is_static(),
            is_generated: property.name.starts_with('<')
                || is_record && property.name == "EqualityContract"
                || self.assembly.has_attribute(property.id, COMPILER_GENERATED),
            key,
            method: Some(widest.id()),
        })
    }

    fn method_declaration(&self, id: MethodId, context: &Context) -> Option<Declaration> {
        let method = self.assembly.method(id);
        let raw = method.name();
        let is_constructor = matches!(raw, ".ctor" | ".cctor");
        if !is_constructor && self.assembly.is_accessor_or_constructor(id, raw) {
            return None;
        }
        let names = ParameterNames { of_type: context.names.clone(), of_method: Vec::new() };
        let parameters = method.signature().map(|signature| signature.parameters).unwrap_or_default();
        Some(Declaration {
            kind: if is_constructor { MemberKind::Constructor } else { MemberKind::Method },
            text: method.declaration(context),
            visibility: method.visibility(),
            is_static: method.is_static(),
            is_generated: self.assembly.is_generated_method(id, raw),
            key: key_of(raw, &parameters, context, &names),
            method: Some(id),
        })
    }

    fn events(&self, context: &Context) -> Vec<Declaration> {
        let names = ParameterNames { of_type: context.names.clone(), of_method: Vec::new() };
        let metadata = &self.assembly.metadata;
        let maps = metadata.rows_of(col::EventMap::Parent, self.id().token());
        let rows = maps.flat_map(|map| metadata.list(map, col::EventMap::EventList));
        rows.filter_map(|row| {
            let token = Token::new(Table::Event, row);
            let name = metadata.string(row, col::Event::Name).ok()?;
            let type_ = Decoder::new(metadata).token(metadata.token(row, col::Event::Type).ok()?).ok()?;
            let adder = adder(self.assembly, token)?;
            let method = self.assembly.method(adder);
            let text = format!("{}event {} {}", method.modifiers(), context.text(&type_, &names), explicit_name(name));
            Some(Declaration {
                kind: MemberKind::Event,
                text,
                visibility: method.visibility(),
                is_static: method.is_static(),
                is_generated: false,
                key: name.to_owned(),
                method: Some(adder).filter(|_| !method.has_attribute(COMPILER_GENERATED)),
            })
        })
        .collect()
    }
}

fn adder(assembly: &Assembly, event: Token) -> Option<MethodId> {
    let metadata = assembly.metadata();
    let mut rows = metadata.rows_of(col::MethodSemantics::Association, event);
    let row = rows.find(|&row| metadata.cell(row, col::MethodSemantics::Semantics) == Ok(ADD))?;
    metadata.cell(row, col::MethodSemantics::Method).ok().map(MethodId)
}

fn key_of(name: &str, parameters: &[TypeSig], context: &Context, names: &ParameterNames) -> String {
    let parameters: Vec<String> = parameters.iter().map(|parameter| context.text(parameter, names)).collect();
    format!("{}({})", names::clean_method(name), parameters.join(", "))
}
