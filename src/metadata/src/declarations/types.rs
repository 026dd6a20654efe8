//! Types: `public sealed record Order<T> : Base, IDisposable where T : class`, `internal enum Small : byte`.

use super::methods::parameters;
use super::{NameStyle, Place, printable, when, words};
use crate::attributes::COMPILER_GENERATED;
use crate::error::Flaw;
use crate::names::{clean_type, state_machine_of};
use crate::schema::{Table, col};
use crate::signatures::{Decoder, TypeSig, split_arity};
use crate::tokens::{MethodId, Token};
use crate::types::TypeView;

const SEALED: u32 = 0x100;
const ABSTRACT: u32 = 0x80;
const READ_ONLY: &str = "System.Runtime.CompilerServices.IsReadOnlyAttribute";
const REF_LIKE: &str = "System.Runtime.CompilerServices.IsByRefLikeAttribute";

/// What a type was declared as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TypeKind {
    Class,
    Record,
    Struct,
    RecordStruct,
    Interface,
    Enum,
    Delegate,
}

impl TypeKind {
    /// As C# writes it.
    pub fn keyword(self) -> &'static str {
        match self {
            Self::Class => "class",
            Self::Record => "record",
            Self::Struct => "struct",
            Self::RecordStruct => "record struct",
            Self::Interface => "interface",
            Self::Enum => "enum",
            Self::Delegate => "delegate",
        }
    }
}

impl TypeView<'_> {
    pub fn kind(&self) -> TypeKind {
        if self.is_interface() {
            return TypeKind::Interface;
        }
        if self.is_enum() {
            return TypeKind::Enum;
        }
        if self.is_delegate() {
            return TypeKind::Delegate;
        }
        // Records leave no mark of their own but the members that the compiler writes for them.
        match self.is_value_type() {
            true if self.has_generated("PrintMembers") => TypeKind::RecordStruct,
            true => TypeKind::Struct,
            false if self.methods().any(|method| self.assembly().method(method).name() == "<Clone>$") => {
                TypeKind::Record
            }
            false => TypeKind::Class,
        }
    }

    fn has_generated(&self, name: &str) -> bool {
        let mut named = self.methods().filter(|&method| self.assembly().method(method).name() == name);
        named.any(|method| self.assembly().has_attribute(method, COMPILER_GENERATED))
    }

    /// `public`, `private protected`, …; `file` for a type that only its source file sees (ECMA-335 II.23.1.15).
    pub fn visibility(&self) -> &'static str {
        match self.flags() & 7 {
            0 if clean_type(self.name()) != self.name() => "file",
            1 | 2 => "public",
            3 => "private",
            4 => "protected",
            6 => "private protected",
            7 => "protected internal",
            _ => "internal",
        }
    }

    /// Whether it is `public`; reads no name.
    pub fn is_public(&self) -> bool {
        matches!(self.flags() & 7, 1 | 2)
    }

    /// The full name as C# writes it, with the names of its generic parameters: `Ns.Outer<T>.Inner`. Of a type of `file` scope,
    /// without what the compiler put before it.
    pub fn source_name(&self) -> String {
        let names = self.type_parameters();
        let full_name = self.full_name();
        let mut parameters = names.iter();
        let mut text = String::with_capacity(full_name.len() + 8);
        for (level, segment) in full_name.split('+').enumerate() {
            if level > 0 {
                text.push('.');
            }
            let (name, arity) = split_arity(segment);
            match name.find('<').and_then(|at| name.split_at_checked(at)) {
                Some((namespace, name)) if level == 0 => {
                    text.push_str(namespace);
                    text.push_str(clean_type(name));
                }
                _ => text.push_str(clean_type(name)),
            }
            let own: Vec<&str> = parameters.by_ref().take(arity).map(String::as_str).collect();
            if !own.is_empty() {
                text.push('<');
                text.push_str(&own.join(", "));
                text.push('>');
            }
        }
        printable(text)
    }

    /// The method whose closure or state machine the type is, if the compiler made it for one: `FetchAsync` of `<FetchAsync>d__3`.
    pub fn made_for(&self) -> Option<&str> {
        state_machine_of(self.name())
    }

    /// Modifiers and keyword, with a blank behind each.
    fn introduction(&self, kind: TypeKind) -> String {
        let is_value = matches!(kind, TypeKind::Struct | TypeKind::RecordStruct);
        let is_class = matches!(kind, TypeKind::Class | TypeKind::Record);
        words(&[
            self.visibility(),
            when(is_class && self.is_static(), "static"),
            when(is_class && self.flags() & (ABSTRACT | SEALED) == ABSTRACT, "abstract"),
            when(is_class && self.flags() & (ABSTRACT | SEALED) == SEALED, "sealed"),
            when(is_value && self.has_attribute(READ_ONLY), "readonly"),
            when(is_value && self.is_by_ref_like(), "ref"),
            kind.keyword(),
        ])
    }

    /// A `ref struct`.
    pub fn is_by_ref_like(&self) -> bool {
        self.has_attribute(REF_LIKE)
    }

    /// One line for a list of types, without bases and constraints: `public sealed class Outer<T>.Inner`.
    pub fn listed(&self) -> String {
        let around = self.declaring_type().map(|outer| {
            let name = outer.source_name();
            let local = name.strip_prefix(outer.namespace()).and_then(|rest| rest.strip_prefix('.'));
            format!("{}.", local.unwrap_or(&name))
        });
        self.listed_in(&around.unwrap_or_default())
    }

    /// The same for a list of what the type around it has.
    pub(super) fn listed_in(&self, around: &str) -> String {
        let place = Place::new(self, None, NameStyle::Short.into());
        let outer = self.declaring_type().map_or(0, |outer| outer.type_parameters().len());
        let parameters = place.generic_list(self.id().token(), outer);
        let name = self.declared_name(NameStyle::Short);
        printable(format!("{}{around}{name}{parameters}", self.introduction(self.kind())))
    }

    /// The head of the type, as C# writes it.
    pub fn declaration(&self, style: NameStyle) -> String {
        let place = Place::new(self, None, style.into());
        let kind = self.kind();
        let mut text = self.introduction(kind);
        let outer = self.declaring_type().map_or(0, |outer| outer.type_parameters().len());
        let name = format!("{}{}", self.declared_name(style), place.generic_list(self.id().token(), outer));
        if kind == TypeKind::Delegate {
            self.delegate(&place, &name, &mut text);
        } else {
            text.push_str(&name);
            let bases = self.declared_bases(&place, kind);
            if !bases.is_empty() {
                text.push_str(" : ");
                text.push_str(&bases.join(", "));
            }
        }
        text.push_str(&place.constraints(self.id().token(), outer));
        printable(text)
    }

    /// Without its own generic parameters; in full style with everything around it.
    fn declared_name(&self, style: NameStyle) -> String {
        let own = clean_type(split_arity(self.name()).0).to_owned();
        match (style, self.declaring_type()) {
            (NameStyle::Short, _) => own,
            (NameStyle::Full, Some(outer)) => format!("{}.{own}", outer.source_name()),
            (NameStyle::Full, None) if self.namespace().is_empty() => own,
            (NameStyle::Full, None) => format!("{}.{own}", self.namespace()),
        }
    }

    fn delegate(&self, place: &Place<'_>, name: &str, text: &mut String) {
        let assembly = self.assembly();
        let invoke = self.methods().find(|&method| assembly.method(method).name() == "Invoke");
        let Some((invoke, signature)) = invoke.and_then(|invoke| Some((invoke, assembly.method(invoke).signature()?)))
        else {
            text.push_str(name);
            return;
        };
        let place = Place { nullable: self.context_of(invoke), names: place.names.clone(), ..*place };
        text.push_str(&place.returned(invoke, &signature.return_type));
        text.push(' ');
        text.push_str(name);
        text.push_str(&parameters(&place, invoke, &signature));
    }

    fn context_of(&self, method: MethodId) -> u8 {
        self.assembly().nullable_context(self.id().token(), Some(method))
    }

    /// The base type (unless it goes without saying) and the interfaces that the type names itself; of an enum, its integer type.
    fn declared_bases(&self, place: &Place<'_>, kind: TypeKind) -> Vec<String> {
        if kind == TypeKind::Enum {
            let underlying = self.enum_underlying().filter(|underlying| underlying.keyword() != "int");
            return underlying.map(|underlying| underlying.keyword().to_owned()).into_iter().collect();
        }
        let mut bases = Vec::new();
        let metadata = &self.assembly().metadata;
        if matches!(kind, TypeKind::Class | TypeKind::Record)
            && let Ok(extends) = metadata.token(self.id().row(), col::TypeDef::Extends)
            && !extends.is_nil()
            && !metadata.is_type(extends, "System.Object")
        {
            bases.extend(Decoder::new(metadata).token(extends).map(|base| place.text(&base, Some(self.id().token()))));
        }
        bases.extend(self.declared_interfaces().filter_map(|interface| {
            let (row, type_) = interface.ok()?;
            Some(place.text(&type_, Some(row)))
        }));
        bases
    }

    /// The InterfaceImpl rows of the type with what they name.
    pub(crate) fn declared_interfaces(&self) -> impl Iterator<Item = Result<(Token, TypeSig), Flaw>> {
        let metadata = &self.assembly().metadata;
        metadata.rows_of(col::InterfaceImpl::Class, self.id().token()).map(|row| {
            let interface = metadata.token(row, col::InterfaceImpl::Interface)?;
            let type_ = Decoder::new(metadata).token(interface);
            let type_ = type_.map_err(|flaw| flaw.in_row(Table::InterfaceImpl, row))?;
            Ok((Token::new(Table::InterfaceImpl, row), type_))
        })
    }
}
