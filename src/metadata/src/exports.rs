//! The types that an assembly exports without defining them in its own module (ECMA-335 II.22.14).

use super::assembly::Assembly;
use super::error::Flaw;
use super::schema::{Table, col};
use super::tokens::Token;

/// A type that moved to another assembly, or lies in another module of this one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExportedType {
    /// As in metadata: ``Ns.Outer`1+Inner``.
    pub full_name: String,
    /// Flags of ECMA-335 II.23.1.15; 0x200000 marks one that moved.
    pub flags: u32,
    pub place: ExportPlace,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExportPlace {
    /// Simple name of the assembly that it moved to.
    Assembly(String),
    /// Name of the module that defines it.
    File(String),
    /// Where the type around it is, which has this full name.
    Around(String),
}

impl Assembly {
    pub fn exported_types(&self) -> impl Iterator<Item = ExportedType> {
        let rows = self.metadata.rows(Table::ExportedType);
        rows.filter_map(|row| self.try_exported(row).ok())
    }

    /// Whether it says where the type of that metadata name is, without defining it itself.
    pub fn exports(&self, full_name: &str) -> bool {
        let metadata = &self.metadata;
        let last = full_name.rsplit(['.', '+']).next().unwrap_or(full_name);
        let mut rows =
            metadata.rows(Table::ExportedType).filter(|&row| metadata.is_called(row, col::ExportedType::Name, last));
        rows.any(|row| self.try_exported(row).is_ok_and(|it| it.full_name == full_name))
    }

    pub(crate) fn try_exported(&self, row: u32) -> Result<ExportedType, Flaw> {
        self.read_exported(row).map_err(|flaw| flaw.in_row(Table::ExportedType, row))
    }

    fn read_exported(&self, row: u32) -> Result<ExportedType, Flaw> {
        let metadata = &self.metadata;
        let implementation = metadata.token(row, col::ExportedType::Implementation)?;
        let place = match implementation.table() {
            Some(Table::AssemblyRef) => {
                ExportPlace::Assembly(metadata.string(implementation.row(), col::AssemblyRef::Name)?.to_owned())
            }
            Some(Table::File) => ExportPlace::File(metadata.string(implementation.row(), col::File::Name)?.to_owned()),
            _ => ExportPlace::Around(metadata.type_full_name(implementation)?),
        };
        Ok(ExportedType {
            full_name: metadata.type_full_name(Token::new(Table::ExportedType, row))?,
            flags: metadata.cell(row, col::ExportedType::Flags)?,
            place,
        })
    }
}
