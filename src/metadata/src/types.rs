//! Types as a debugger asks for them: names, bases, members, enums.

mod events;
mod getters;
mod members;

pub use events::Event;
pub use members::{Field, GetterKind, Property};

use super::assembly::Assembly;
use super::attributes::{AttributeValue, constant};
use super::error::Flaw;
use super::heaps::utf16;
use super::schema::{Table, col};
use super::signatures::{Decoder, ParameterNames, Primitive, TypeName, TypeSig};
use super::tokens::{FieldId, MethodId, Token, TypeId};

const ABSTRACT_SEALED: u32 = 0x80 | 0x100;
const INTERFACE: u32 = 0x20;

impl Assembly {
    /// All types of the assembly, the pseudo type `<Module>` first.
    pub fn types(&self) -> impl Iterator<Item = TypeView<'_>> {
        self.metadata.rows(Table::TypeDef).map(|row| self.type_(TypeId(row)))
    }

    /// A view of a type; of a row that does not exist, everything is empty.
    pub fn type_(&self, id: TypeId) -> TypeView<'_> {
        TypeView { assembly: self, id }
    }
}

/// One type of an assembly; reads when asked.
#[derive(Clone, Copy)]
pub struct TypeView<'a> {
    pub(crate) assembly: &'a Assembly,
    id: TypeId,
}

impl<'a> TypeView<'a> {
    pub fn id(&self) -> TypeId {
        self.id
    }

    pub fn assembly(&self) -> &'a Assembly {
        self.assembly
    }

    /// As in metadata, with arity: ``List`1``.
    pub fn name(&self) -> &'a str {
        self.assembly.metadata.string(self.id.row(), col::TypeDef::Name).unwrap_or_default()
    }

    /// Of a nested type: that of the outermost type.
    pub fn namespace(&self) -> &'a str {
        match self.declaring_type() {
            Some(outer) => outer.outermost_namespace(),
            None => self.outermost_namespace(),
        }
    }

    fn outermost_namespace(&self) -> &'a str {
        let mut token = self.id.token();
        for _ in 0..64 {
            match self.assembly.metadata.enclosing_type(token) {
                Some(outer) => token = outer,
                None => break,
            }
        }
        self.assembly.metadata.string(token.row(), col::TypeDef::Namespace).unwrap_or_default()
    }

    /// As in metadata: ``Ns.Outer`1+Inner``.
    pub fn full_name(&self) -> String {
        self.assembly.metadata.type_full_name(self.id.token()).unwrap_or_default()
    }

    /// C# without namespace, with the names of its own generic parameters: `Box<T>`.
    pub fn short_name(&self) -> String {
        self.self_type().short_with(&self.parameter_names(None))
    }

    /// The type as its own members see it, over its own parameters: `Box<!0>`.
    pub fn self_type(&self) -> TypeSig {
        let arguments = (0..self.type_parameters().len() as u32).map(TypeSig::TypeParameter).collect();
        TypeSig::Named(TypeName { full_name: self.full_name(), arguments, is_value_type: false })
    }

    /// The type it is nested in.
    pub fn declaring_type(&self) -> Option<TypeView<'a>> {
        let outer = self.assembly.metadata.enclosing_type(self.id.token())?;
        Some(self.assembly.type_(TypeId(outer.row())))
    }

    pub fn nested_types(&self) -> Vec<TypeId> {
        let metadata = &self.assembly.metadata;
        let rows = metadata.rows(Table::NestedClass);
        let own = rows.filter(|&row| metadata.cell(row, col::NestedClass::Enclosing) == Ok(self.id.row()));
        own.filter_map(|row| metadata.cell(row, col::NestedClass::Nested).ok().map(TypeId)).collect()
    }

    /// Its static initializer may wait until a static field is read (`beforefieldinit`).
    pub fn is_initialized_late(&self) -> bool {
        const BEFORE_FIELD_INIT: u32 = 0x0010_0000;
        self.flags() & BEFORE_FIELD_INIT != 0
    }

    /// Flags of ECMA-335 II.23.1.15.
    pub fn flags(&self) -> u32 {
        self.assembly.metadata.cell(self.id.row(), col::TypeDef::Flags).unwrap_or(0)
    }

    /// The base type; its arguments are in terms of this type's parameters. Interfaces and `object` have none.
    pub fn base(&self) -> Option<TypeName> {
        self.try_base().ok().flatten()
    }

    pub(crate) fn try_base(&self) -> Result<Option<TypeName>, Flaw> {
        let token = self.assembly.metadata.token(self.id.row(), col::TypeDef::Extends)?;
        if token.is_nil() {
            return Ok(None);
        }
        Ok(match Decoder::new(&self.assembly.metadata).token(token)? {
            TypeSig::Named(name) => Some(name),
            other => {
                Some(TypeName { full_name: other.full_name().unwrap_or_default().to_owned(), ..TypeName::default() })
            }
        })
    }

    fn extends(&self, full_name: &str) -> bool {
        let token = self.assembly.metadata.token(self.id.row(), col::TypeDef::Extends);
        token.is_ok_and(|token| self.assembly.metadata.is_type(token, full_name))
    }

    /// The interfaces that it names itself (not those of its bases).
    pub fn interfaces(&self) -> Vec<TypeName> {
        let metadata = &self.assembly.metadata;
        let rows = metadata.rows_of(col::InterfaceImpl::Class, self.id.token());
        rows.filter_map(|row| {
            let token = metadata.token(row, col::InterfaceImpl::Interface).ok()?;
            match Decoder::new(metadata).token(token).ok()? {
                TypeSig::Named(name) => Some(name),
                _ => None,
            }
        })
        .collect()
    }

    pub(crate) fn implements(&self, full_name: &str) -> bool {
        self.interfaces().iter().any(|interface| interface.full_name == full_name)
    }

    pub fn is_interface(&self) -> bool {
        self.flags() & INTERFACE != 0
    }

    pub fn is_static(&self) -> bool {
        self.flags() & ABSTRACT_SEALED == ABSTRACT_SEALED && !self.is_interface()
    }

    pub fn is_enum(&self) -> bool {
        self.extends("System.Enum")
    }

    pub fn is_value_type(&self) -> bool {
        // System.Enum itself is a class.
        self.is_enum() || self.extends("System.ValueType") && !(self.name() == "Enum" && self.namespace() == "System")
    }

    pub fn is_delegate(&self) -> bool {
        self.extends("System.MulticastDelegate")
    }

    /// How often the runtime repeats the only field of an `[InlineArray]`.
    pub fn inline_array_length(&self) -> Option<u32> {
        let metadata = self.assembly().metadata();
        let attribute = metadata.attribute(self.id(), "System.Runtime.CompilerServices.InlineArrayAttribute")?;
        match attribute.arguments().ok()?.first()? {
            AttributeValue::Int(length) => u32::try_from(*length).ok().filter(|length| *length > 0),
            _ => None,
        }
    }

    pub fn has_attribute(&self, full_name: &str) -> bool {
        self.assembly.has_attribute(self.id, full_name)
    }

    /// Names of its generic parameters, those of the outer types first.
    pub fn type_parameters(&self) -> Vec<String> {
        generic_parameters(self.assembly, self.id.token())
    }

    /// The names to print a signature with that occurs in this type (and in that method of it).
    pub fn parameter_names(&self, method: Option<MethodId>) -> ParameterNames {
        ParameterNames {
            of_type: self.type_parameters(),
            of_method: method.map(|method| generic_parameters(self.assembly, method.token())).unwrap_or_default(),
        }
    }

    pub fn methods(&self) -> impl Iterator<Item = MethodId> + use<'a> {
        self.assembly.metadata.list(self.id.row(), col::TypeDef::MethodList).map(MethodId)
    }

    pub fn field_ids(&self) -> impl Iterator<Item = FieldId> + use<'a> {
        self.assembly.metadata.list(self.id.row(), col::TypeDef::FieldList).map(FieldId)
    }

    /// The integer type behind an enum.
    pub fn enum_underlying(&self) -> Option<Primitive> {
        let mut instance = self.fields().into_iter().filter(|field| !field.is_static);
        match instance.next()?.type_ {
            TypeSig::Primitive(primitive) => Some(primitive),
            _ => None,
        }
    }

    /// `[Flags]`.
    pub fn is_flags(&self) -> bool {
        self.has_attribute("System.FlagsAttribute")
    }

    /// Names and values of an enum's members, in the order of their declaration.
    pub fn enum_members(&self) -> Vec<(String, i128)> {
        let fields = self.fields();
        let literals = fields.into_iter().filter(|field| field.is_literal);
        literals
            .filter_map(|field| match self.assembly.constant(field.id)? {
                AttributeValue::Int(value) => Some((field.name, value)),
                AttributeValue::Bool(value) => Some((field.name, i128::from(value))),
                AttributeValue::Char(value) => Some((field.name, i128::from(u32::from(value)))),
                _ => None,
            })
            .collect()
    }
}

impl Assembly {
    /// The value of a `const` field; a null constant is `String(None)`.
    pub fn constant(&self, owner: impl Into<Token>) -> Option<AttributeValue> {
        let row = self.metadata.rows_of(col::Constant::Parent, owner.into()).next()?;
        // The type is one byte, padded with another.
        let code = self.metadata.cell(row, col::Constant::Type).ok()? as u8;
        let mut blob = self.metadata.blob(row, col::Constant::Value).ok()?;
        match (code, Primitive::from_code(code)) {
            (0x12, _) => Some(AttributeValue::String(None)),
            (_, Some(Primitive::String)) => {
                let text = utf16(blob.take(blob.remaining()).ok()?);
                Some(AttributeValue::String(Some(text)))
            }
            (_, primitive) => constant(&mut blob, primitive?).ok(),
        }
    }
}

fn generic_parameters(assembly: &Assembly, owner: Token) -> Vec<String> {
    let metadata = &assembly.metadata;
    let rows = metadata.rows_of(col::GenericParam::Owner, owner);
    rows.filter_map(|row| metadata.string(row, col::GenericParam::Name).ok().map(str::to_owned)).collect()
}

impl std::fmt::Debug for TypeView<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "TypeView({})", self.full_name())
    }
}
