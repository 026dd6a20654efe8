//! The tables and their columns: ECMA-335 II.22, and the Portable PDB ones (0x30 and up) of
//! <https://github.com/dotnet/runtime/blob/main/docs/design/specs/PortablePdb-Metadata.md>.
//!
//! One list makes both the layout and the names, so the two cannot disagree: `col::TypeDef::Name` is column 1 of table 2.

/// What a column holds; this and the row counts give its width.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    U16,
    U32,
    String,
    Guid,
    Blob,
    /// A row of that table.
    Row(Table),
    /// The first of a run of rows of that table. In `#-` streams the run may lie in a pointer table instead.
    List(Table),
    Coded(Coded),
}

/// A column knows its table, so a cell cannot be read from the wrong one.
pub trait Column: Copy + 'static {
    const TABLE: Table;
    fn index(self) -> usize;
}

macro_rules! schema {
    ($($number:literal $table:ident { $($column:ident: $kind:expr),* $(,)? })*) => {
        /// A metadata table; the number is the high byte of a token.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum Table { $($table = $number),* }

        impl Table {
            pub const ALL: &[Table] = &[$(Table::$table),*];

            pub fn from_number(number: u8) -> Option<Self> {
                match number { $($number => Some(Table::$table),)* _ => None }
            }

            pub(crate) fn columns(self) -> &'static [Kind] {
                use self::Coded::*;
                use Kind::{Blob, Coded, Guid, List, Row, String, U16, U32};
                match self { $(Table::$table => &[$($kind),*]),* }
            }
        }

        /// The columns of each table, in file order.
        pub mod col {
            $(
                #[derive(Debug, Clone, Copy, PartialEq, Eq)]
                pub enum $table { $($column),* }
                impl super::Column for $table {
                    const TABLE: super::Table = super::Table::$table;
                    fn index(self) -> usize { self as usize }
                }
            )*
        }
    };
}

schema! {
    0x00 Module { Generation: U16, Name: String, Mvid: Guid, EncId: Guid, EncBaseId: Guid }
    0x01 TypeRef { ResolutionScope: Coded(ResolutionScope), Name: String, Namespace: String }
    0x02 TypeDef { Flags: U32, Name: String, Namespace: String, Extends: Coded(TypeDefOrRef), FieldList: List(Table::Field), MethodList: List(Table::MethodDef) }
    0x03 FieldPtr { Field: Row(Table::Field) }
    0x04 Field { Flags: U16, Name: String, Signature: Blob }
    0x05 MethodPtr { Method: Row(Table::MethodDef) }
    0x06 MethodDef { Rva: U32, ImplFlags: U16, Flags: U16, Name: String, Signature: Blob, ParamList: List(Table::Param) }
    0x07 ParamPtr { Param: Row(Table::Param) }
    0x08 Param { Flags: U16, Sequence: U16, Name: String }
    0x09 InterfaceImpl { Class: Row(Table::TypeDef), Interface: Coded(TypeDefOrRef) }
    0x0a MemberRef { Class: Coded(MemberRefParent), Name: String, Signature: Blob }
    0x0b Constant { Type: U16, Parent: Coded(HasConstant), Value: Blob }
    0x0c CustomAttribute { Parent: Coded(HasCustomAttribute), Type: Coded(CustomAttributeType), Value: Blob }
    0x0d FieldMarshal { Parent: Coded(HasFieldMarshal), NativeType: Blob }
    0x0e DeclSecurity { Action: U16, Parent: Coded(HasDeclSecurity), PermissionSet: Blob }
    0x0f ClassLayout { PackingSize: U16, ClassSize: U32, Parent: Row(Table::TypeDef) }
    0x10 FieldLayout { Offset: U32, Field: Row(Table::Field) }
    0x11 StandAloneSig { Signature: Blob }
    0x12 EventMap { Parent: Row(Table::TypeDef), EventList: List(Table::Event) }
    0x13 EventPtr { Event: Row(Table::Event) }
    0x14 Event { Flags: U16, Name: String, Type: Coded(TypeDefOrRef) }
    0x15 PropertyMap { Parent: Row(Table::TypeDef), PropertyList: List(Table::Property) }
    0x16 PropertyPtr { Property: Row(Table::Property) }
    0x17 Property { Flags: U16, Name: String, Type: Blob }
    0x18 MethodSemantics { Semantics: U16, Method: Row(Table::MethodDef), Association: Coded(HasSemantics) }
    0x19 MethodImpl { Class: Row(Table::TypeDef), Body: Coded(MethodDefOrRef), Declaration: Coded(MethodDefOrRef) }
    0x1a ModuleRef { Name: String }
    0x1b TypeSpec { Signature: Blob }
    0x1c ImplMap { Flags: U16, Member: Coded(MemberForwarded), ImportName: String, ImportScope: Row(Table::ModuleRef) }
    0x1d FieldRva { Rva: U32, Field: Row(Table::Field) }
    0x1e EncLog { Token: U32, Function: U32 }
    0x1f EncMap { Token: U32 }
    0x20 Assembly { HashAlgorithm: U32, Major: U16, Minor: U16, Build: U16, Revision: U16, Flags: U32, PublicKey: Blob, Name: String, Culture: String }
    0x21 AssemblyProcessor { Processor: U32 }
    0x22 AssemblyOs { PlatformId: U32, Major: U32, Minor: U32 }
    0x23 AssemblyRef { Major: U16, Minor: U16, Build: U16, Revision: U16, Flags: U32, PublicKeyOrToken: Blob, Name: String, Culture: String, Hash: Blob }
    0x24 AssemblyRefProcessor { Processor: U32, AssemblyRef: Row(Table::AssemblyRef) }
    0x25 AssemblyRefOs { PlatformId: U32, Major: U32, Minor: U32, AssemblyRef: Row(Table::AssemblyRef) }
    0x26 File { Flags: U32, Name: String, Hash: Blob }
    0x27 ExportedType { Flags: U32, TypeDefId: U32, Name: String, Namespace: String, Implementation: Coded(Implementation) }
    0x28 ManifestResource { Offset: U32, Flags: U32, Name: String, Implementation: Coded(Implementation) }
    0x29 NestedClass { Nested: Row(Table::TypeDef), Enclosing: Row(Table::TypeDef) }
    0x2a GenericParam { Number: U16, Flags: U16, Owner: Coded(TypeOrMethodDef), Name: String }
    0x2b MethodSpec { Method: Coded(MethodDefOrRef), Instantiation: Blob }
    0x2c GenericParamConstraint { Owner: Row(Table::GenericParam), Constraint: Coded(TypeDefOrRef) }
    0x30 Document { Name: Blob, HashAlgorithm: Guid, Hash: Blob, Language: Guid }
    0x31 MethodDebugInformation { Document: Row(Table::Document), SequencePoints: Blob }
    0x32 LocalScope { Method: Row(Table::MethodDef), ImportScope: Row(Table::ImportScope), VariableList: List(Table::LocalVariable), ConstantList: List(Table::LocalConstant), StartOffset: U32, Length: U32 }
    0x33 LocalVariable { Attributes: U16, Index: U16, Name: String }
    0x34 LocalConstant { Name: String, Signature: Blob }
    0x35 ImportScope { Parent: Row(Table::ImportScope), Imports: Blob }
    0x36 StateMachineMethod { MoveNext: Row(Table::MethodDef), Kickoff: Row(Table::MethodDef) }
    0x37 CustomDebugInformation { Parent: Coded(HasCustomDebugInformation), Kind: Guid, Value: Blob }
}

impl Table {
    /// The table through which lists of this one go in an uncompressed (`#-`) stream, if it has rows.
    pub(crate) fn pointers(self) -> Option<Table> {
        Some(match self {
            Table::Field => Table::FieldPtr,
            Table::MethodDef => Table::MethodPtr,
            Table::Param => Table::ParamPtr,
            Table::Event => Table::EventPtr,
            Table::Property => Table::PropertyPtr,
            _ => return None,
        })
    }
}

/// A column that points into one of several tables, the low bits select which (ECMA-335 II.24.2.6).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Coded {
    TypeDefOrRef,
    HasConstant,
    HasCustomAttribute,
    HasFieldMarshal,
    HasDeclSecurity,
    MemberRefParent,
    HasSemantics,
    MethodDefOrRef,
    MemberForwarded,
    Implementation,
    CustomAttributeType,
    ResolutionScope,
    TypeOrMethodDef,
    HasCustomDebugInformation,
}

impl Coded {
    /// The tables in tag order; `None` is a tag that must not occur.
    pub(crate) fn tables(self) -> &'static [Option<Table>] {
        use Table::*;
        macro_rules! some { ($($table:ident),*) => { &[$(Some($table)),*] }; }
        match self {
            Self::TypeDefOrRef => some![TypeDef, TypeRef, TypeSpec],
            Self::HasConstant => some![Field, Param, Property],
            Self::HasCustomAttribute => some![
                MethodDef,
                Field,
                TypeRef,
                TypeDef,
                Param,
                InterfaceImpl,
                MemberRef,
                Module,
                DeclSecurity,
                Property,
                Event,
                StandAloneSig,
                ModuleRef,
                TypeSpec,
                Assembly,
                AssemblyRef,
                File,
                ExportedType,
                ManifestResource,
                GenericParam,
                GenericParamConstraint,
                MethodSpec
            ],
            Self::HasFieldMarshal => some![Field, Param],
            Self::HasDeclSecurity => some![TypeDef, MethodDef, Assembly],
            Self::MemberRefParent => some![TypeDef, TypeRef, ModuleRef, MethodDef, TypeSpec],
            Self::HasSemantics => some![Event, Property],
            Self::MethodDefOrRef => some![MethodDef, MemberRef],
            Self::MemberForwarded => some![Field, MethodDef],
            Self::Implementation => some![File, AssemblyRef, ExportedType],
            Self::CustomAttributeType => &[None, None, Some(MethodDef), Some(MemberRef), None],
            Self::ResolutionScope => some![Module, ModuleRef, AssemblyRef, TypeRef],
            Self::TypeOrMethodDef => some![TypeDef, MethodDef],
            Self::HasCustomDebugInformation => some![
                MethodDef,
                Field,
                TypeRef,
                TypeDef,
                Param,
                InterfaceImpl,
                MemberRef,
                Module,
                DeclSecurity,
                Property,
                Event,
                StandAloneSig,
                ModuleRef,
                TypeSpec,
                Assembly,
                AssemblyRef,
                File,
                ExportedType,
                ManifestResource,
                GenericParam,
                GenericParamConstraint,
                MethodSpec,
                Document,
                LocalScope,
                LocalVariable,
                LocalConstant,
                ImportScope
            ],
        }
    }

    /// Bits of the tag: enough for all tables.
    pub(crate) fn tag_bits(self) -> u32 {
        self.tables().len().next_power_of_two().trailing_zeros()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_have_the_widths_of_the_standard() {
        for (coded, bits) in [
            (Coded::TypeDefOrRef, 2),
            (Coded::HasConstant, 2),
            (Coded::HasCustomAttribute, 5),
            (Coded::HasFieldMarshal, 1),
            (Coded::HasDeclSecurity, 2),
            (Coded::MemberRefParent, 3),
            (Coded::HasSemantics, 1),
            (Coded::MethodDefOrRef, 1),
            (Coded::MemberForwarded, 1),
            (Coded::Implementation, 2),
            (Coded::CustomAttributeType, 3),
            (Coded::ResolutionScope, 2),
            (Coded::TypeOrMethodDef, 1),
            (Coded::HasCustomDebugInformation, 5),
        ] {
            assert_eq!(coded.tag_bits(), bits, "{coded:?}");
        }
    }

    #[test]
    fn numbers_and_tables_are_one_to_one() {
        for &table in Table::ALL {
            assert_eq!(Table::from_number(table as u8), Some(table));
            assert!(!table.columns().is_empty());
        }
        assert_eq!(Table::from_number(0x2d), None);
    }
}
