//! The facts of one assembly as the reader tells them: tables in their order, then symbols. The lines are those of `Dump.cs`.

use std::fmt::Write;
use std::path::Path;

use clr_metadata::il::RegionKind;
use clr_metadata::{
    Assembly, ExportPlace, FieldId, MetadataError, MethodId, NameStyle, Reader, Table, Token, TypeView, col, guid_text,
};

use super::values::{self, Enums, literal};
use super::{code, exact, symbols};

/// Lines into a text; writing into a string cannot fail.
macro_rules! line {
    ($out:expr, $($argument:tt)*) => { writeln!($out, $($argument)*).unwrap() };
}
pub(crate) use line;

pub fn dump(file: &Path, enums: &Enums) -> String {
    let assembly = match Assembly::open(file) {
        Ok(assembly) => assembly,
        Err(MetadataError::NotManaged { .. }) => return "not managed\n".to_owned(),
        Err(error) => panic!("{error}"),
    };
    let mut dump = Dump { assembly: &assembly, enums, out: String::new() };
    dump.header();
    dump.references();
    for type_ in assembly.types() {
        dump.type_(&type_);
    }
    dump.generics();
    dump.signatures();
    dump.attributes();
    symbols::dump(&assembly, &mut dump.out);
    dump.out
}

pub fn hash(blob: Reader<'_>) -> String {
    let mut blob = blob;
    values::hash(blob.take(blob.remaining()).unwrap())
}

pub fn token(token: Token) -> String {
    format!("{:08x}", token.0)
}

struct Dump<'a> {
    assembly: &'a Assembly,
    enums: &'a Enums,
    out: String,
}

impl Dump<'_> {
    fn header(&mut self) {
        let metadata = self.assembly.metadata();
        for row in metadata.rows(Table::Assembly) {
            let cell = |column| metadata.cell(row, column).unwrap();
            use col::Assembly::*;
            line!(
                self.out,
                "assembly {} {}.{}.{}.{} {:x} {} {}",
                metadata.string(row, Name).unwrap(),
                cell(Major),
                cell(Minor),
                cell(Build),
                cell(Revision),
                cell(Flags),
                metadata.string(row, Culture).unwrap(),
                hash(metadata.blob(row, PublicKey).unwrap())
            );
        }
        let name = metadata.string(1, col::Module::Name).unwrap();
        line!(self.out, "module {name} {}", guid_text(&self.assembly.mvid().unwrap()));
        line!(self.out, "build debug={} r2r={}", self.assembly.is_debug_build(), self.assembly.is_ready_to_run());
    }

    fn references(&mut self) {
        let metadata = self.assembly.metadata();
        for row in metadata.rows(Table::AssemblyRef) {
            let cell = |column| metadata.cell(row, column).unwrap();
            use col::AssemblyRef::*;
            line!(
                self.out,
                "reference {} {}.{}.{}.{} {:x} {} {} {}",
                metadata.string(row, Name).unwrap(),
                cell(Major),
                cell(Minor),
                cell(Build),
                cell(Revision),
                cell(Flags),
                metadata.string(row, Culture).unwrap(),
                hash(metadata.blob(row, PublicKeyOrToken).unwrap()),
                hash(metadata.blob(row, Hash).unwrap())
            );
        }
        for row in metadata.rows(Table::ModuleRef) {
            line!(self.out, "moduleref {}", metadata.string(row, col::ModuleRef::Name).unwrap());
        }
        for row in metadata.rows(Table::File) {
            let has_metadata = metadata.cell(row, col::File::Flags).unwrap() & 1 == 0;
            let name = metadata.string(row, col::File::Name).unwrap();
            line!(self.out, "file {name} {has_metadata} {}", hash(metadata.blob(row, col::File::Hash).unwrap()));
        }
        for row in metadata.rows(Table::ManifestResource) {
            use col::ManifestResource::*;
            let implementation = metadata.token(row, Implementation).unwrap();
            let place = if implementation.is_nil() { "here".to_owned() } else { token(implementation) };
            let name = metadata.string(row, Name).unwrap();
            let (offset, flags) = (metadata.cell(row, Offset).unwrap(), metadata.cell(row, Flags).unwrap());
            line!(self.out, "resource {name} {offset} {flags:x} {place}");
        }
        for exported in self.assembly.exported_types() {
            let place = match &exported.place {
                ExportPlace::Assembly(name) => format!("assembly {name}"),
                ExportPlace::File(name) => format!("file {name}"),
                ExportPlace::Around(name) => format!("nested {name}"),
            };
            line!(self.out, "exported {} {:x} {place}", exported.full_name, exported.flags);
        }
    }

    /// A type that a table names: without its arguments unless it is a signature.
    fn type_name(&self, type_: Token) -> String {
        let metadata = self.assembly.metadata();
        match type_.table() {
            Some(Table::TypeSpec) => exact::type_text(&metadata.decode_type(type_).unwrap()),
            _ => metadata.type_full_name(type_).unwrap(),
        }
    }

    fn type_(&mut self, type_: &TypeView<'_>) {
        let metadata = self.assembly.metadata();
        let (row, id) = (type_.id().row(), type_.id().token());
        line!(self.out, "type {} {:x} {} | {}", token(id), type_.flags(), type_.full_name(), type_.source_name());
        line!(self.out, "  {}", type_.declaration(NameStyle::Full));
        line!(self.out, "  {}", type_.declaration(NameStyle::Short));
        let base = metadata.token(row, col::TypeDef::Extends).unwrap();
        if !base.is_nil() {
            line!(self.out, "  base {}", self.type_name(base));
        }
        for interface in metadata.rows_of(col::InterfaceImpl::Class, id) {
            let interface = metadata.token(interface, col::InterfaceImpl::Interface).unwrap();
            line!(self.out, "  implements {}", self.type_name(interface));
        }
        for layout in metadata.rows_of(col::ClassLayout::Parent, id) {
            let cell = |column| metadata.cell(layout, column).unwrap();
            line!(self.out, "  layout {} {}", cell(col::ClassLayout::PackingSize), cell(col::ClassLayout::ClassSize));
        }
        for nested in type_.nested_types() {
            line!(self.out, "  nests {}", token(nested.token()));
        }
        for field in type_.field_ids() {
            self.field(type_, field);
        }
        for method in type_.methods() {
            self.method(method);
        }
        self.properties(type_);
        for event in type_.events() {
            let method = |method: Option<MethodId>| token(method.unwrap_or(MethodId(0)).token());
            let row = event.id.row();
            let type_token = metadata.token(row, col::Event::Type).unwrap();
            line!(
                self.out,
                "  event {} {:x} {} {} add={} remove={} raise={}",
                token(event.id.token()),
                metadata.cell(row, col::Event::Flags).unwrap(),
                event.name,
                self.type_name(type_token),
                method(event.adder),
                method(event.remover),
                method(event.raiser)
            );
            line!(self.out, "    {}", type_.event_declaration(event.id, NameStyle::Full).unwrap());
        }
        for row in metadata.rows_of(col::MethodImpl::Class, id) {
            let cell = |column| token(metadata.token(row, column).unwrap());
            line!(self.out, "  overrides {} {}", cell(col::MethodImpl::Body), cell(col::MethodImpl::Declaration));
        }
    }

    fn properties(&mut self, type_: &TypeView<'_>) {
        let metadata = self.assembly.metadata();
        for property in type_.properties() {
            let method = |method: Option<MethodId>| token(method.unwrap_or(MethodId(0)).token());
            let row = property.id.row();
            let signature = metadata.decode_method(metadata.blob(row, col::Property::Type).unwrap()).unwrap();
            line!(
                self.out,
                "  property {} {:x} {} {} get={} set={}",
                token(property.id.token()),
                metadata.cell(row, col::Property::Flags).unwrap(),
                property.name,
                exact::method_text(&signature),
                method(property.getter),
                method(property.setter)
            );
            line!(self.out, "    {}", type_.property_declaration(property.id, NameStyle::Full).unwrap());
            line!(self.out, "    {}", type_.property_declaration(property.id, NameStyle::Short).unwrap());
        }
    }

    fn field(&mut self, type_: &TypeView<'_>, id: FieldId) {
        let metadata = self.assembly.metadata();
        let row = id.row();
        let signature = metadata.decode_field(metadata.blob(row, col::Field::Signature).unwrap()).unwrap();
        line!(
            self.out,
            "  field {} {:x} {} {}",
            token(id.token()),
            metadata.cell(row, col::Field::Flags).unwrap(),
            metadata.string(row, col::Field::Name).unwrap(),
            exact::type_text(&signature)
        );
        line!(self.out, "    {}", type_.field_declaration(id, NameStyle::Full).unwrap());
        line!(self.out, "    {}", type_.field_declaration(id, NameStyle::Short).unwrap());
        for layout in metadata.rows_of(col::FieldLayout::Field, id.token()) {
            line!(self.out, "    offset {}", metadata.cell(layout, col::FieldLayout::Offset).unwrap());
        }
        for address in metadata.rows_of(col::FieldRva::Field, id.token()) {
            line!(self.out, "    address {:x}", metadata.cell(address, col::FieldRva::Rva).unwrap());
        }
        if let Some(marshal) = self.marshal(id.token()) {
            line!(self.out, "    marshal {marshal}");
        }
        if let Some(value) = self.assembly.constant(id) {
            line!(self.out, "    constant {}", literal(&value));
        }
    }

    fn marshal(&self, owner: Token) -> Option<String> {
        let metadata = self.assembly.metadata();
        let row = metadata.rows_of(col::FieldMarshal::Parent, owner).next()?;
        Some(hash(metadata.blob(row, col::FieldMarshal::NativeType).unwrap()))
    }

    fn method(&mut self, id: MethodId) {
        let metadata = self.assembly.metadata();
        let method = self.assembly.method(id);
        line!(
            self.out,
            "  method {} {:x} {:x} {} {}",
            token(id.token()),
            method.flags(),
            method.impl_flags(),
            method.name(),
            exact::method_text(&method.signature().unwrap())
        );
        line!(self.out, "    {}", method.declaration(NameStyle::Full).unwrap());
        line!(self.out, "    {}", method.declaration(NameStyle::Short).unwrap());
        for row in metadata.list(id.row(), col::MethodDef::ParamList) {
            let owner = Token::new(Table::Param, row);
            let marshal = self.marshal(owner).map(|marshal| format!(" marshal {marshal}")).unwrap_or_default();
            let constant = self.assembly.constant(owner).map(|value| format!(" = {}", literal(&value)));
            line!(
                self.out,
                "    parameter {} {:x} {} {}{marshal}{}",
                token(owner),
                metadata.cell(row, col::Param::Flags).unwrap(),
                metadata.cell(row, col::Param::Sequence).unwrap(),
                metadata.string(row, col::Param::Name).unwrap(),
                constant.unwrap_or_default()
            );
        }
        for row in metadata.rows_of(col::ImplMap::Member, id.token()) {
            let module = metadata.cell(row, col::ImplMap::ImportScope).unwrap();
            let module = metadata.string(module, col::ModuleRef::Name).unwrap();
            let name = metadata.string(row, col::ImplMap::ImportName).unwrap();
            line!(self.out, "    import {module} {name} {:x}", metadata.cell(row, col::ImplMap::Flags).unwrap());
        }
        self.body(id);
    }

    fn body(&mut self, id: MethodId) {
        const CODE_TYPE: u32 = 3;
        let method = self.assembly.method(id);
        if method.impl_flags() & CODE_TYPE != 0 {
            return;
        }
        let Some(body) = self.assembly.body(id).unwrap() else { return };
        line!(
            self.out,
            "    body {} stack={} init={} code={} [{}]",
            values::hash(body.code),
            body.max_stack,
            body.init_locals,
            code::hash(&body),
            exact::list(&method.local_types())
        );
        for region in &body.regions {
            let kind = match region.kind {
                RegionKind::Catch(type_) => format!("catch {}", token(type_)),
                RegionKind::Filter(offset) => format!("filter {offset}"),
                RegionKind::Finally => "finally".to_owned(),
                RegionKind::Fault => "fault".to_owned(),
            };
            let (from, to) = (region.handler_start, region.handler_end);
            line!(self.out, "    try {}-{} {kind} {from}-{to}", region.try_start, region.try_end);
        }
    }

    fn generics(&mut self) {
        let metadata = self.assembly.metadata();
        for row in metadata.rows(Table::GenericParam) {
            use col::GenericParam::*;
            line!(
                self.out,
                "generic {} {} {:x} {}",
                token(metadata.token(row, Owner).unwrap()),
                metadata.cell(row, Number).unwrap(),
                metadata.cell(row, Flags).unwrap(),
                metadata.string(row, Name).unwrap()
            );
            let parameter = Token::new(Table::GenericParam, row);
            for row in metadata.rows_of(col::GenericParamConstraint::Owner, parameter) {
                let constraint = metadata.token(row, col::GenericParamConstraint::Constraint).unwrap();
                line!(self.out, "  must {}", self.type_name(constraint));
            }
        }
    }

    fn signatures(&mut self) {
        const FIELD: u8 = 6;
        const LOCALS: u8 = 7;
        let metadata = self.assembly.metadata();
        for row in metadata.rows(Table::MemberRef) {
            let blob = metadata.blob(row, col::MemberRef::Signature).unwrap();
            let signature = match blob.peek().unwrap() & 0xf {
                FIELD => exact::type_text(&metadata.decode_field(blob).unwrap()),
                _ => exact::method_text(&metadata.decode_method(blob).unwrap()),
            };
            let class = token(metadata.token(row, col::MemberRef::Class).unwrap());
            line!(self.out, "memberref {class} {} {signature}", metadata.string(row, col::MemberRef::Name).unwrap());
        }
        for row in metadata.rows(Table::TypeSpec) {
            line!(self.out, "typespec {}", self.type_name(Token::new(Table::TypeSpec, row)));
        }
        for row in metadata.rows(Table::MethodSpec) {
            let method = token(metadata.token(row, col::MethodSpec::Method).unwrap());
            let blob = metadata.blob(row, col::MethodSpec::Instantiation).unwrap();
            line!(self.out, "methodspec {method} [{}]", exact::list(&metadata.decode_instantiation(blob).unwrap()));
        }
        for row in metadata.rows(Table::StandAloneSig) {
            let blob = metadata.blob(row, col::StandAloneSig::Signature).unwrap();
            match blob.peek().unwrap() & 0xf {
                LOCALS => line!(self.out, "locals [{}]", exact::list(&metadata.decode_locals(blob).unwrap())),
                FIELD => line!(self.out, "localfield"),
                _ => line!(self.out, "callsite {}", exact::method_text(&metadata.decode_method(blob).unwrap())),
            }
        }
    }

    fn attributes(&mut self) {
        let metadata = self.assembly.metadata();
        for row in metadata.rows(Table::DeclSecurity) {
            use col::DeclSecurity::*;
            let owner = token(metadata.token(row, Parent).unwrap());
            let action = metadata.cell(row, Action).unwrap();
            line!(self.out, "security {owner} {action} {}", hash(metadata.blob(row, PermissionSet).unwrap()));
        }
        for attribute in metadata.all_attributes() {
            line!(
                self.out,
                "attribute {} {} {}{}",
                token(attribute.owner().unwrap()),
                token(attribute.constructor().unwrap()),
                attribute.full_name().unwrap(),
                values::attribute(&attribute, self.enums)
            );
        }
    }
}
