//! The facts of a PDB. The lines are those of `Symbols.cs`.

use std::fmt::Write;

use clr_metadata::{
    Assembly, DocumentId, HashAlgorithm, Import, LocalPlace, MethodId, Pdb, Table, Token, col, guid_text,
};

use super::dump::{hash, line, token};
use super::values::{self, literal};

const SOURCE_LINK: &str = "cc110556-a091-4d38-9fec-25ab9a351a6a";
const EMBEDDED_SOURCE: &str = "0e8a571b-6926-466e-b4ad-8ab04611f5fe";
const ASYNC_STEPPING: &str = "54fd2ac5-e925-401a-9c2a-f94f171072f8";

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

pub fn dump(assembly: &Assembly, out: &mut String) {
    if let Some(view) = assembly.code_view() {
        let (guid, stamp) = view.id.split_first_chunk::<16>().unwrap();
        let stamp = u32::from_le_bytes(stamp.try_into().unwrap());
        line!(out, "codeview {} {stamp:08x} {}", guid_text(guid), view.path);
    }
    for checksum in assembly.pdb_checksums() {
        line!(out, "checksum {} {}", checksum.algorithm, hex(&checksum.checksum));
    }
    let Some(pdb) = assembly.pdb() else {
        line!(out, "no pdb");
        return;
    };
    let entry = pdb.entry_point().map_or("none".to_owned(), |entry| token(entry.token()));
    line!(out, "pdb {} {entry} {}", hex(pdb.id()), pdb.metadata().version());
    for document in pdb.documents() {
        let algorithm = pdb.metadata().guid(document.id.row(), col::Document::HashAlgorithm).unwrap();
        assert_eq!(algorithm.is_none(), document.hash_algorithm == HashAlgorithm::None);
        let text = |guid: Option<[u8; 16]>| guid.map_or("none".to_owned(), |guid| guid_text(&guid));
        line!(
            out,
            "document {} {} {} {}",
            document.path,
            text(algorithm),
            hex(&document.hash),
            text(document.language)
        );
    }
    for row in pdb.metadata().rows(Table::MethodDebugInformation) {
        method(pdb, MethodId(row), out);
    }
    imports(pdb, out);
    custom(pdb, out);
}

fn method(pdb: &Pdb, method: MethodId, out: &mut String) {
    let name = token(method.token());
    for point in pdb.sequence_points(method) {
        let place = if point.is_hidden {
            "hidden".to_owned()
        } else {
            format!("{}:{}-{}:{}", point.line, point.column, point.end_line, point.end_column)
        };
        line!(out, "point {name} {} {} {place}", point.il_offset, token(point.document.token()));
    }
    if let Some(kickoff) = pdb.kickoff_of(method) {
        line!(out, "kickoff {name} {}", token(kickoff.token()));
    }
    let rows = pdb.metadata().rows_of(col::LocalScope::Method, method.token());
    for (scope, row) in pdb.scopes(method).into_iter().zip(rows) {
        let import = pdb.metadata().token(row, col::LocalScope::ImportScope).unwrap();
        line!(out, "scope {name} {}-{} {}", scope.start, scope.end, token(import));
        for local in scope.locals {
            let LocalPlace::Slot(slot) = local.place else { panic!("{local:?}") };
            line!(out, "  local {} {slot}{}", local.name, if local.is_hidden { " hidden" } else { "" });
        }
        for constant in scope.constants {
            let value = constant.value().as_ref().map_or("unread".to_owned(), literal);
            line!(out, "  const {} {} {value}", constant.name, values::hash(&constant.signature));
        }
    }
}

fn imports(pdb: &Pdb, out: &mut String) {
    for scope in pdb.import_scopes() {
        let row = |row: u32| token(Token::new(Table::ImportScope, row));
        line!(out, "imports {} in {}", row(scope.row), row(scope.parent.unwrap_or(0)));
        for import in scope.imports {
            let text = match import {
                Import::Namespace(name) => format!("namespace {name}"),
                Import::NamespaceOf(assembly, name) => format!("namespace {name} of {}", token(assembly)),
                Import::Type(type_) => format!("type {}", token(type_)),
                Import::XmlNamespace { prefix, namespace } => format!("xml {prefix} {namespace}"),
                Import::ExternAlias(alias) => format!("extern {alias}"),
                Import::AliasOfAssembly { alias, assembly } => format!("alias {alias} = assembly {}", token(assembly)),
                Import::AliasOfNamespace { alias, namespace } => format!("alias {alias} = namespace {namespace}"),
                Import::AliasOfNamespaceOf { alias, assembly, namespace } => {
                    format!("alias {alias} = namespace {namespace} of {}", token(assembly))
                }
                Import::AliasOfType { alias, type_ } => format!("alias {alias} = type {}", token(type_)),
            };
            line!(out, "  {text}");
        }
    }
}

fn custom(pdb: &Pdb, out: &mut String) {
    let metadata = pdb.metadata();
    for row in metadata.rows(Table::CustomDebugInformation) {
        use col::CustomDebugInformation::*;
        let parent = metadata.token(row, Parent).unwrap();
        let kind = guid_text(&metadata.guid(row, Kind).unwrap().unwrap());
        line!(out, "custom {} {kind} {}", token(parent), hash(metadata.blob(row, Value).unwrap()));
        match kind.as_str() {
            SOURCE_LINK => {
                let text = String::from_utf8_lossy(pdb.source_link().unwrap()).replace("\r\n", "\n").replace('\n', " ");
                line!(out, "  sourcelink {text}");
            }
            EMBEDDED_SOURCE => {
                let source = pdb.embedded_source(DocumentId::from_token(parent).unwrap()).unwrap();
                line!(out, "  source {}", values::hash(&source));
            }
            ASYNC_STEPPING => {
                let info = pdb.async_info(MethodId::from_token(parent).unwrap()).unwrap();
                let mut text = info.catch_handler.map_or("none".to_owned(), |offset| offset.to_string());
                for point in info.awaits {
                    let method = point.resume_method.row();
                    text.push_str(&format!(" {}>{}@{method}", point.yield_offset, point.resume_offset));
                }
                line!(out, "  async {text}");
            }
            _ => {}
        }
    }
}
