//! Fields, properties and events: `private readonly List<string?> _names`, `public int this[int index] { get; init; }`,
//! `public static event EventHandler? Changed`.

use super::literals::DECIMAL;
use super::{Naming, Place, accessibility, printable, when, words};
use crate::attributes::COMPILER_GENERATED;
use crate::schema::col;
use crate::signatures::{Decoder, IN_MODIFIER, MethodSig, Primitive, TypeSig};
use crate::tokens::{EventId, FieldId, MethodId, PropertyId, Token};
use crate::types::TypeView;

const STATIC: u32 = 0x10;
const INIT_ONLY: u32 = 0x20;
const LITERAL: u32 = 0x40;
const REQUIRED: &str = "System.Runtime.CompilerServices.RequiredMemberAttribute";
const READ_ONLY: &str = "System.Runtime.CompilerServices.IsReadOnlyAttribute";
const VOLATILE_MODIFIER: &str = "System.Runtime.CompilerServices.IsVolatile";
const INIT_MODIFIER: &str = "System.Runtime.CompilerServices.IsExternalInit";

impl TypeView<'_> {
    /// A field of this type, as C# writes it; `None` where it cannot be read.
    pub fn field_declaration<'n>(&'n self, id: FieldId, naming: impl Into<Naming<'n>>) -> Option<String> {
        let naming = naming.into();
        let place = Place::new(self, None, naming);
        let metadata = &self.assembly().metadata;
        let flags = metadata.cell(id.row(), col::Field::Flags).ok()?;
        let type_ = Decoder::new(metadata).field(metadata.blob(id.row(), col::Field::Signature).ok()?).ok()?;
        let referent = type_.referent();
        // A constant that metadata cannot hold is a read-only field with an attribute.
        let is_literal = flags & LITERAL != 0 || self.assembly().has_attribute(id, DECIMAL);
        let is_read_only_ref = referent.is_by_ref && self.assembly().has_attribute(id, READ_ONLY);
        let mut text = words(&[
            accessibility(flags),
            when(is_literal, "const"),
            when(flags & STATIC != 0 && !is_literal, "static"),
            when(self.assembly().has_attribute(id, REQUIRED), "required"),
            when(flags & INIT_ONLY != 0 && !is_literal, "readonly"),
            when(referent.has_modifier(VOLATILE_MODIFIER), "volatile"),
            when(referent.is_by_ref, if is_read_only_ref { "ref readonly" } else { "ref" }),
        ]);
        text.push_str(&place.text(referent.type_, Some(id.token())));
        text.push(' ');
        text.push_str(metadata.string(id.row(), col::Field::Name).ok()?);
        // A member of an enum is its number.
        let number = TypeSig::Primitive(Primitive::I4);
        if let Some(value) = place.constant(id.token(), if self.is_enum() { &number } else { referent.type_ }) {
            text.push_str(" = ");
            text.push_str(&value);
        }
        Some(printable(text))
    }

    /// A property or indexer of this type, as C# writes it; `None` where it cannot be read.
    pub fn property_declaration<'n>(&'n self, id: PropertyId, naming: impl Into<Naming<'n>>) -> Option<String> {
        let naming = naming.into();
        let place = Place::new(self, None, naming);
        let metadata = &self.assembly().metadata;
        let signature = metadata.blob(id.row(), col::Property::Type).ok()?;
        let signature: MethodSig = Decoder::new(metadata).method(signature).ok()?;
        let (getter, setter) = self.accessors(id);
        let shown = self.most_accessible(getter, setter);
        // the compiler marks the getters of a struct's automatic properties by itself
        let is_read_only = |accessor: MethodId| {
            let accessor = self.assembly().method(accessor);
            accessor.has_attribute(READ_ONLY) && !accessor.has_attribute(COMPILER_GENERATED)
        };
        let is_all_read_only = [getter, setter].into_iter().flatten().all(is_read_only);
        let mut text = self.modifiers_of(shown).replace("readonly ", when(is_all_read_only, "readonly "));
        text.push_str(when(self.assembly().has_attribute(id, REQUIRED), "required "));

        let referent = signature.return_type.referent();
        if referent.is_by_ref {
            let is_read_only = referent.has_modifier(IN_MODIFIER) || self.assembly().has_attribute(id, READ_ONLY);
            text.push_str(if is_read_only { "ref readonly " } else { "ref " });
        }
        text.push_str(&place.text(referent.type_, Some(id.token())));
        text.push(' ');
        text.push_str(&self.property_name(
            metadata.string(id.row(), col::Property::Name).ok()?,
            &signature,
            shown,
            naming,
        ));
        text.push_str(" { ");
        for (accessor, is_setter) in [(getter, false), (setter, true)] {
            let Some(accessor) = accessor else { continue };
            let access = self.access_flags(accessor);
            if Some(access) != shown.map(|shown| self.access_flags(shown)) {
                text.push_str(accessibility(access));
                text.push(' ');
            }
            text.push_str(when(!is_all_read_only && is_read_only(accessor), "readonly "));
            text.push_str(if is_setter { self.setter_keyword(accessor) } else { "get" });
            text.push_str("; ");
        }
        text.push('}');
        Some(printable(text))
    }

    /// An indexer is `this[…]`; one that implements an interface explicitly keeps the interface's name.
    fn property_name(
        &self,
        name: &str,
        signature: &MethodSig,
        accessor: Option<MethodId>,
        naming: Naming<'_>,
    ) -> String {
        if signature.parameters.is_empty() {
            return name.to_owned();
        }
        let parameters = accessor
            .map(|accessor| Place::new(self, Some(accessor), naming).parameter_list(accessor, &signature.parameters));
        let parameters = parameters.unwrap_or_default();
        if name.contains('.') { format!("{name}[{parameters}]") } else { format!("this[{parameters}]") }
    }

    fn setter_keyword(&self, setter: MethodId) -> &'static str {
        let signature = self.assembly().method(setter).signature();
        let is_init = signature.is_some_and(|signature| signature.return_type.referent().has_modifier(INIT_MODIFIER));
        if is_init { "init" } else { "set" }
    }

    /// An event of this type, as C# writes it; `None` where it cannot be read.
    pub fn event_declaration<'n>(&'n self, id: EventId, naming: impl Into<Naming<'n>>) -> Option<String> {
        let naming = naming.into();
        let place = Place::new(self, None, naming);
        let metadata = &self.assembly().metadata;
        let type_: TypeSig = Decoder::new(metadata).token(metadata.token(id.row(), col::Event::Type).ok()?).ok()?;
        let event = self.event(id).ok()?;
        let mut text = self.modifiers_of(self.most_accessible(event.adder, event.remover));
        text.push_str("event ");
        text.push_str(&place.text(&type_, Some(id.token())));
        text.push(' ');
        text.push_str(&event.name);
        Some(printable(text))
    }

    /// The accessor whose accessibility and modifiers are those of the member.
    pub(super) fn most_accessible(&self, first: Option<MethodId>, second: Option<MethodId>) -> Option<MethodId> {
        match (first, second) {
            (Some(first), Some(second)) if self.access_flags(second) > self.access_flags(first) => Some(second),
            (first, second) => first.or(second),
        }
    }

    /// The flags stand in order: the higher, the more may see it.
    fn access_flags(&self, method: MethodId) -> u32 {
        self.assembly().method(method).flags() & 7
    }

    fn modifiers_of(&self, accessor: Option<MethodId>) -> String {
        let method = accessor.map(|accessor| self.assembly().method(accessor));
        method.map(|method| method.modifiers(self.is_interface())).unwrap_or_default()
    }

    /// Getter and setter.
    fn accessors(&self, id: PropertyId) -> (Option<MethodId>, Option<MethodId>) {
        const SETTER: u32 = 1;
        const GETTER: u32 = 2;
        let methods = self.assembly().metadata.semantics(Token::from(id));
        let of = |kind: u32| methods.iter().find(|method| method.0 == kind).map(|method| method.1);
        (of(GETTER), of(SETTER))
    }
}
