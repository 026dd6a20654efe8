//! What a type is, in the words of C#.

use super::parameters::{constraints, declared_names, generic_names};
use super::{Context, push_word};
use crate::metadata::names::clean_type;
use crate::metadata::signatures::{Primitive, split_arity};
use crate::metadata::tokens::MethodId;
use crate::metadata::types::TypeView;

/// What C# declares a type with; records are classes or structs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TypeKind {
    Class,
    Struct,
    Interface,
    Enum,
    Delegate,
}

/// Accessibility as declared (ECMA-335 II.23.1.10, II.23.1.15).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Visibility {
    Public,
    ProtectedInternal,
    Protected,
    Internal,
    PrivateProtected,
    Private,
}

impl Visibility {
    /// In C#; a word of it tells what it is akin to (`protected internal` is both).
    pub fn words(self) -> &'static str {
        match self {
            Self::Public => "public",
            Self::ProtectedInternal => "protected internal",
            Self::Protected => "protected",
            Self::Internal => "internal",
            Self::PrivateProtected => "private protected",
            Self::Private => "private",
        }
    }

    /// The low three bits of a member's flags; what the compiler alone may reach counts as private.
    pub(super) fn of_member(flags: u32) -> Self {
        match flags & 7 {
            2 => Self::PrivateProtected,
            3 => Self::Internal,
            4 => Self::Protected,
            5 => Self::ProtectedInternal,
            6 => Self::Public,
            _ => Self::Private,
        }
    }
}

/// Deeper than any source nests types.
const MAX_NESTING: usize = 16;
const ABSTRACT: u32 = 0x80;
const SEALED: u32 = 0x100;

impl TypeView<'_> {
    pub fn kind(&self) -> TypeKind {
        if self.is_interface() {
            TypeKind::Interface
        } else if self.is_enum() {
            TypeKind::Enum
        } else if self.is_value_type() {
            TypeKind::Struct
        } else if self.is_delegate() {
            TypeKind::Delegate
        } else {
            TypeKind::Class
        }
    }

    pub fn visibility(&self) -> Visibility {
        match self.flags() & 7 {
            1 | 2 => Visibility::Public,
            3 => Visibility::Private,
            4 => Visibility::Protected,
            6 => Visibility::PrivateProtected,
            7 => Visibility::ProtectedInternal,
            _ => Visibility::Internal,
        }
    }

    /// Roslyn gives record classes a method that no source can name, and record structs a printer that only records have.
    pub fn is_record(&self) -> bool {
        let named = |name: &str| self.methods().find(|&method| self.assembly.method(method).name() == name);
        match self.kind() {
            TypeKind::Class => named("<Clone>$").is_some(),
            TypeKind::Struct => {
                let is_generated = |method: MethodId| {
                    self.assembly
                        .method(method)
                        .has_attribute("System.Runtime.CompilerServices.CompilerGeneratedAttribute")
                };
                named("PrintMembers").is_some() && named("op_Equality").is_some_and(is_generated)
            }
            _ => false,
        }
    }

    /// `public sealed class`, `internal readonly record struct`, `public static class`.
    fn introduction(&self) -> String {
        let mut line = String::new();
        push_word(&mut line, self.visibility().words());
        let flags = self.flags();
        let kind = self.kind();
        let mut modifier = |on: bool, word: &str| push_word(&mut line, if on { word } else { "" });
        if kind == TypeKind::Class {
            modifier(self.is_static(), "static");
            modifier(!self.is_static() && flags & ABSTRACT != 0, "abstract");
            modifier(!self.is_static() && flags & SEALED != 0, "sealed");
        }
        if kind == TypeKind::Struct {
            modifier(self.has_attribute("System.Runtime.CompilerServices.IsReadOnlyAttribute"), "readonly");
            modifier(self.has_attribute("System.Runtime.CompilerServices.IsByRefLikeAttribute"), "ref");
        }
        let is_record = self.is_record();
        modifier(is_record, "record");
        modifier(!(is_record && kind == TypeKind::Class), self.keyword());
        line
    }

    /// `class`, `struct`, `interface`, `enum`, `delegate`.
    pub fn keyword(&self) -> &'static str {
        match self.kind() {
            TypeKind::Class => "class",
            TypeKind::Struct => "struct",
            TypeKind::Interface => "interface",
            TypeKind::Enum => "enum",
            TypeKind::Delegate => "delegate",
        }
    }

    /// One line for a list of types: `public sealed class Outer.Inner<T>`.
    pub fn listed(&self) -> String {
        let outer = self.declaring_type().map(|outer| format!("{}.", outer.nested_name())).unwrap_or_default();
        format!("{}{outer}{}", self.introduction(), self.declared_name())
    }

    /// The same within the type around it: `public struct Enumerator`.
    pub(super) fn listed_alone(&self) -> String {
        format!("{}{}", self.introduction(), self.declared_name())
    }

    /// C# with its namespace: `System.Collections.Generic.List<T>.Enumerator`.
    pub fn csharp_name(&self) -> String {
        match self.namespace() {
            "" => self.nested_name(),
            namespace => format!("{namespace}.{}", self.nested_name()),
        }
    }

    /// C# within its namespace: `Outer<T>.Inner`.
    fn nested_name(&self) -> String {
        let mut name = self.own_name();
        let mut type_ = *self;
        // Types of a damaged file may enclose each other.
        for _ in 0..MAX_NESTING {
            let Some(outer) = type_.declaring_type() else { break };
            name.insert(0, '.');
            name.insert_str(0, &outer.own_name());
            type_ = outer;
        }
        name
    }

    /// The last part of the name, with the type's own generic parameters.
    pub(super) fn own_name(&self) -> String {
        let names = generic_names(self.assembly, self.id().token());
        self.with_parameters(names.get(self.outer_arity()..).unwrap_or_default())
    }

    /// The same with variance: `IEnumerable<out T>`.
    fn declared_name(&self) -> String {
        self.with_parameters(&declared_names(self.assembly, self.id().token(), self.outer_arity()))
    }

    fn with_parameters(&self, names: &[String]) -> String {
        let (name, _) = split_arity(clean_type(self.name()));
        if names.is_empty() { name.to_owned() } else { format!("{name}<{}>", names.join(", ")) }
    }

    /// How many of its parameters are those of the types around it.
    pub(super) fn outer_arity(&self) -> usize {
        self.declaring_type().map_or(0, |outer| outer.type_parameters().len())
    }

    /// The full declaration: `public sealed class Order<T> : Base, IDisposable where T : class`.
    pub fn declaration(&self) -> String {
        let kind = self.kind();
        if kind == TypeKind::Delegate {
            return self.delegate_declaration();
        }
        let mut line = format!("{}{}", self.introduction(), self.declared_name());
        let names = self.parameter_names(None);
        let mut bases = Vec::new();
        if kind == TypeKind::Enum {
            let underlying = self.enum_underlying().filter(|underlying| *underlying != Primitive::I4);
            bases.extend(underlying.map(|underlying| underlying.keyword().to_owned()));
        } else {
            let base =
                self.base().filter(|base| !matches!(base.full_name.as_str(), "System.Object" | "System.ValueType"));
            let interfaces = self.interfaces().into_iter();
            let named = base.into_iter().chain(interfaces).map(crate::metadata::TypeSig::Named);
            bases.extend(named.map(|base| base.short_with(&names)));
        }
        if !bases.is_empty() {
            line.push_str(" : ");
            line.push_str(&bases.join(", "));
        }
        line.push_str(&constraints(self.assembly, self.id().token(), &names, self.outer_arity()));
        line
    }

    fn delegate_declaration(&self) -> String {
        let invoke = self.methods().find(|&method| self.assembly.method(method).name() == "Invoke");
        let Some(invoke) = invoke else { return format!("{}{}", self.introduction(), self.declared_name()) };
        let method = self.assembly.method(invoke);
        let signature = method.called_as(&self.declared_name(), &Context::default());
        let constraints =
            constraints(self.assembly, self.id().token(), &self.parameter_names(None), self.outer_arity());
        format!("{}{signature}{constraints}", self.introduction())
    }
}
