//! Every question that the layer answers, asked of a file that may hold anything. Answers are not looked at: what must not happen
//! is a panic, a hang or memory without bound.

use std::sync::Arc;

use clr_metadata::{
    Assembly, Attribute, MemberName, Metadata, MethodId, NamePattern, NameStyle, Names, Naming, Pdb, Primitive,
    Searched, SymbolName, Table, Token, TypeKey, TypeName, TypeQuery, TypeSig, TypeUniverse, TypeView, col,
};

/// Of each table no more rows than this: the real files have fewer, a damaged count may claim a million.
const ROWS: usize = 300;

pub fn ask_bytes(bytes: Vec<u8>, is_pdb: bool) {
    if is_pdb {
        if let Ok(pdb) = Pdb::from_bytes(bytes) {
            ask_pdb(&pdb);
        }
    } else if let Ok(assembly) = Assembly::from_bytes("/nowhere/Broken.dll", bytes) {
        ask_assembly(&assembly);
    }
}

pub fn ask_assembly(assembly: &Arc<Assembly>) {
    assembly.verify();
    let _ =
        (assembly.name(), assembly.mvid(), assembly.references(), assembly.is_debug_build(), assembly.entry_point());
    let _ = (assembly.code_view(), assembly.pdb_checksums(), assembly.pdb_is_intact(), assembly.pdb_problem());
    assembly.exported_types().take(ROWS).for_each(drop);
    ask_metadata(assembly.metadata());
    ask_usages(assembly);
    ask_as_tools_do(assembly);
    for type_ in assembly.types().take(ROWS) {
        ask_type(&type_);
    }
    for name in ["Generics.Box<int>.Nested<string>", "Odd", "List`1", "<Main>d__0", ""] {
        let _ = (assembly.find_type(name), assembly.find_types_by_short_name(name), assembly.forwarded_to(name));
    }
    assembly.describe_frame("AsyncFlow.Downloader.<FetchAsync>d__3.MoveNext()");
    assembly.methods_of_frame("Oddities.Closures.<>c__DisplayClass2_0.<Lambda>b__0(int inner)");
    if let Some(pdb) = assembly.pdb() {
        ask_pdb(pdb);
    }
}

/// What the metadata tools ask: searches, members with and without arguments, layouts.
fn ask_as_tools_do(assembly: &Arc<Assembly>) {
    let universe = TypeUniverse::new();
    for pattern in ["*", "e", "a*.*", "Flow.D"] {
        assembly.search(&NamePattern::parse(pattern).unwrap(), Searched { types: true, methods: true });
    }
    assembly.namespaces(None);
    let arguments =
        [TypeSig::Primitive(Primitive::I4), TypeSig::Array(Box::new(TypeSig::Primitive(Primitive::String)))];
    let given = Naming { style: NameStyle::Short, arguments: &arguments, names: &[] };
    for type_ in assembly.types().take(50) {
        let _ = (type_.listed(), type_.declarations(NameStyle::Short.into()), type_.declarations(given));
        let name = TypeName { full_name: type_.full_name(), ..TypeName::default() };
        let _ = universe.layout(assembly, type_.id(), &name);
        universe.bases(assembly, type_.id(), &name);
        if let Some(query) = TypeQuery::parse(&type_.full_name()) {
            assembly.types_called(&query);
        }
    }
}

/// Who uses its first members, its own and those it refers to.
fn ask_usages(assembly: &Assembly) {
    let key = |full_name: String| TypeKey { assembly: assembly.name().to_owned(), full_name, homonyms: Vec::new() };
    let mut wanted = Vec::new();
    for type_ in assembly.types().take(8) {
        let methods = type_.methods().take(2).map(|method| assembly.method(method));
        let methods = methods.filter_map(|it| Some(MemberName::Method(it.name().to_owned(), it.signature()?)));
        let fields = type_.fields().into_iter().map(|field| MemberName::Field(field.name));
        let members = methods.chain(fields).map(Some).chain([None]);
        wanted.extend(members.map(|member| SymbolName { type_: key(type_.full_name()), member }));
    }
    for row in assembly.metadata().rows(Table::MemberRef).take(50) {
        let class = Token::new(Table::TypeRef, row);
        let _ = (assembly.scope_of(class), assembly.type_signature(class));
        let member = assembly.member_reference(row);
        wanted.push(SymbolName { type_: key("System.Object".to_owned()), member });
    }
    assembly.each_usage(&Names::of(assembly, &wanted), |_| {});
}

fn ask_type(type_: &TypeView<'_>) {
    let assembly = type_.assembly();
    let full_name = type_.full_name();
    let _ = (assembly.find_type(&full_name), type_.short_name(), type_.source_name(), type_.namespace());
    let _ =
        (type_.kind(), type_.visibility(), type_.made_for(), type_.interfaces(), type_.base(), type_.nested_types());
    let _ = (type_.enum_members(), type_.enum_underlying(), type_.is_flags());
    for style in [NameStyle::Short, NameStyle::Full] {
        type_.declaration(style);
        for field in type_.field_ids().take(ROWS) {
            type_.field_declaration(field, style);
        }
        for property in type_.property_ids().into_iter().take(ROWS) {
            type_.property_declaration(property, style);
        }
        for event in type_.event_ids().into_iter().take(ROWS) {
            type_.event_declaration(event, style);
        }
    }
    let _ = (type_.fields(), type_.properties(), type_.events());
    for method in type_.methods().take(ROWS) {
        ask_method(assembly, method);
    }
}

fn ask_method(assembly: &Assembly, method: MethodId) {
    let view = assembly.method(method);
    let _ = (view.parameter_names(), view.local_types(), view.state_machine_kind(), view.code_method());
    let _ = (view.declaration(NameStyle::Short), view.declaration(NameStyle::Full), view.is_stepped_over());
    let _ = (assembly.kickoff_of(method), assembly.first_sequence_point(method), assembly.describe_method(method));
    for offset in [0, 10, u32::MAX] {
        let _ = (assembly.locals_in_scope(method, offset), assembly.il_to_line(method, offset));
        assembly.variables_at(method, offset);
    }
    if let Some(body) = view.body() {
        body.instructions().for_each(drop);
    }
}

/// Signatures, attributes and constants of every kind of row.
fn ask_metadata(metadata: &Metadata) {
    let enums = |name: &str| name.len().is_multiple_of(2).then_some(Primitive::U1);
    for attribute in metadata.all_attributes().take(ROWS) {
        ask_attribute(&attribute, &enums);
    }
    let rows = |table: Table| metadata.rows(table).take(ROWS);
    for row in rows(Table::MemberRef) {
        if let Ok(blob) = metadata.blob(row, col::MemberRef::Signature) {
            let _ = (metadata.decode_method(blob), metadata.decode_field(blob));
        }
    }
    for row in rows(Table::StandAloneSig) {
        if let Ok(blob) = metadata.blob(row, col::StandAloneSig::Signature) {
            let _ = (metadata.decode_locals(blob), metadata.decode_method(blob));
        }
    }
    for row in rows(Table::MethodSpec) {
        let _ = metadata.blob(row, col::MethodSpec::Instantiation).and_then(|blob| metadata.decode_instantiation(blob));
    }
    for table in [Table::TypeSpec, Table::TypeRef, Table::TypeDef, Table::ExportedType] {
        for token in rows(table).map(|row| Token::new(table, row)) {
            let _ = metadata.type_full_name(token);
            if let Ok(type_) = metadata.decode_type(token) {
                let _ = (type_.short(), type_.to_string(), type_.substitute(std::slice::from_ref(&type_), &[]));
            }
        }
    }
}

fn ask_attribute(attribute: &Attribute<'_>, enums: &dyn Fn(&str) -> Option<Primitive>) {
    let _ = (attribute.owner(), attribute.full_name(), attribute.arguments(), attribute.named_arguments());
    let _ = attribute.decode(enums);
}

pub fn ask_pdb(pdb: &Pdb) {
    pdb.verify();
    let _ = (pdb.id(), pdb.entry_point(), pdb.source_link(), pdb.metadata().version());
    for document in pdb.documents() {
        let _ = (pdb.executable_lines(document.id), document.matches(b""), pdb.embedded_source(document.id));
        let _ = (pdb.nearest_lines(document.id, 10, 4), pdb.find_document(&document.path), document.file_name());
        for line in [0, 1, 10, u32::MAX] {
            let _ = (pdb.line_to_methods(document.id, line), pdb.methods_at(document.id, line));
        }
    }
    pdb.import_scopes().take(ROWS).for_each(drop);
    for method in pdb.metadata().rows(Table::MethodDebugInformation).take(ROWS).map(MethodId) {
        let _ = (pdb.async_info(method), pdb.kickoff_of(method), pdb.move_next_of(method), pdb.imports_of(method));
        let _ = (pdb.sequence_points(method), pdb.point_at(method, 5), pdb.locals_in_scope(method, 3));
        for constant in pdb.constants_in_scope(method, 3) {
            constant.value();
        }
    }
}
