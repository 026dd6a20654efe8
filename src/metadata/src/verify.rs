//! Reads everything in an assembly and reports damage. The views skip damaged parts.

use super::assembly::Assembly;
use super::error::Flaw;

use super::pdb::Pdb;
use super::schema::Table;
use super::tokens::{DocumentId, MethodId};

impl Assembly {
    /// All flaws in types, members, bodies and (where found) symbols, each with file offset and row.
    pub fn verify(&self) -> Vec<Flaw> {
        let mut flaws = Vec::new();
        for type_ in self.types() {
            let names = type_.parameter_names(None);
            let mut note = |result: Result<(), Flaw>| flaws.extend(result.err());
            note(self.metadata().type_full_name(type_.id().token()).map(drop));
            note(type_.try_base().map(drop));
            for field in type_.field_ids() {
                note(type_.try_field(field, &names).map(drop));
            }
            for property in type_.property_ids() {
                note(type_.try_property(property, &names).map(drop));
            }
            for event in type_.event_ids() {
                note(type_.event(event).map(drop));
            }
            for interface in type_.declared_interfaces() {
                note(interface.map(drop));
            }
        }
        for row in self.metadata().rows(Table::ExportedType) {
            flaws.extend(self.try_exported(row).err());
        }
        for attribute in self.metadata().all_attributes() {
            // Enums that are no `int` end the reading early, so only what is surely known is judged.
            flaws.extend(attribute.full_name().and_then(|_| attribute.blob()).err());
        }
        for row in self.metadata().rows(Table::MethodDef) {
            let id = MethodId(row);
            flaws.extend(self.method(id).try_signature().err());
            match self.body(id) {
                Ok(Some(body)) => {
                    let damaged = body.instructions().filter_map(Result::err);
                    flaws.extend(damaged.map(|flaw| flaw.in_row(Table::MethodDef, row)));
                }
                Ok(None) => {}
                Err(flaw) => flaws.push(flaw),
            }
        }
        flaws.extend(self.pdb().map(Pdb::verify).unwrap_or_default());
        flaws
    }
}

impl Pdb {
    /// All flaws in documents, sequence points, scopes and imports.
    pub fn verify(&self) -> Vec<Flaw> {
        let mut flaws = Vec::new();
        for row in self.metadata.rows(Table::Document) {
            flaws.extend(super::pdb::read_document(&self.metadata, DocumentId(row)).err());
        }
        for row in self.metadata.rows(Table::MethodDebugInformation) {
            match self.try_sequence_points(MethodId(row)) {
                Ok(points) => flaws.extend(points.filter_map(Result::err)),
                Err(flaw) => flaws.push(flaw),
            }
        }
        for row in self.metadata.rows(Table::LocalScope) {
            flaws.extend(self.try_scope(row).err());
        }
        for row in self.metadata.rows(Table::ImportScope) {
            match self.try_imports(row) {
                Ok(imports) => flaws.extend(imports.filter_map(Result::err)),
                Err(flaw) => flaws.push(flaw),
            }
        }
        flaws
    }
}
