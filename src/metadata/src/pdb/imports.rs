//! Import scopes: the `using`s under which code was compiled.

use super::Pdb;
use crate::bytes::Reader;
use crate::error::Flaw;
use crate::schema::{Coded, Table, col};
use crate::tables::decode;
use crate::tokens::{MethodId, Token};

/// One import. Assemblies are AssemblyRef tokens of the assembly, types its TypeDef, TypeRef or TypeSpec tokens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Import {
    /// `using System.Text;`
    Namespace(String),
    /// A namespace of one assembly: `using Name::System.Text;`
    NamespaceOf(Token, String),
    /// `using static System.Math;`
    Type(Token),
    /// Visual Basic's `Imports <xmlns:prefix="…">`.
    XmlNamespace {
        prefix: String,
        namespace: String,
    },
    /// `extern alias Name;`
    ExternAlias(String),
    /// What that alias stands for.
    AliasOfAssembly {
        alias: String,
        assembly: Token,
    },
    /// `using T = System.Text;`
    AliasOfNamespace {
        alias: String,
        namespace: String,
    },
    AliasOfNamespaceOf {
        alias: String,
        assembly: Token,
        namespace: String,
    },
    /// `using Text = System.String;`
    AliasOfType {
        alias: String,
        type_: Token,
    },
}

/// The imports of one file or namespace, within those of the scope around it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportScope {
    /// Row (from 1) of the ImportScope table.
    pub row: u32,
    /// Row of the scope around it.
    pub parent: Option<u32>,
    pub imports: Vec<Import>,
}

/// Longer chains of scopes are circles.
const MAX_NESTING: usize = 64;

impl Pdb {
    /// All import scopes, in file order; an import that is damaged ends its scope.
    pub fn import_scopes(&self) -> impl Iterator<Item = ImportScope> {
        self.metadata.rows(Table::ImportScope).filter_map(|row| self.import_scope(row))
    }

    fn import_scope(&self, row: u32) -> Option<ImportScope> {
        let parent = self.metadata.cell(row, col::ImportScope::Parent).ok()?;
        let imports = self.try_imports(row).ok()?.map_while(Result::ok).collect();
        Some(ImportScope { row, parent: (parent != 0).then_some(parent), imports })
    }

    /// What the code of a method imports, innermost scope first.
    pub fn imports_of(&self, method: MethodId) -> Vec<ImportScope> {
        let mut scopes = Vec::new();
        let mut rows = self.metadata.rows_of(col::LocalScope::Method, method.token());
        let mut next = rows.next().and_then(|row| self.metadata.cell(row, col::LocalScope::ImportScope).ok());
        while let Some(scope) = next.filter(|_| scopes.len() < MAX_NESTING).and_then(|row| self.import_scope(row)) {
            next = scope.parent;
            scopes.push(scope);
        }
        scopes
    }

    pub(crate) fn try_imports(&self, row: u32) -> Result<impl Iterator<Item = Result<Import, Flaw>> + '_, Flaw> {
        let mut blob = self.metadata.blob(row, col::ImportScope::Imports)?;
        Ok(std::iter::from_fn(move || {
            if blob.is_empty() {
                return None;
            }
            let import = self.import(&mut blob).map_err(|flaw| flaw.in_row(Table::ImportScope, row));
            if import.is_err() {
                blob = Reader::new(&[], 0);
            }
            Some(import)
        }))
    }

    /// Imports blob of the specification: a kind, then what the kind needs.
    fn import(&self, blob: &mut Reader<'_>) -> Result<Import, Flaw> {
        let start = *blob;
        Ok(match blob.compressed()? {
            1 => Import::Namespace(self.text(blob)?),
            2 => Import::NamespaceOf(assembly(blob)?, self.text(blob)?),
            3 => Import::Type(type_(blob)?),
            4 => Import::XmlNamespace { prefix: self.text(blob)?, namespace: self.text(blob)? },
            5 => Import::ExternAlias(self.text(blob)?),
            6 => Import::AliasOfAssembly { alias: self.text(blob)?, assembly: assembly(blob)? },
            7 => Import::AliasOfNamespace { alias: self.text(blob)?, namespace: self.text(blob)? },
            8 => Import::AliasOfNamespaceOf {
                alias: self.text(blob)?,
                assembly: assembly(blob)?,
                namespace: self.text(blob)?,
            },
            9 => Import::AliasOfType { alias: self.text(blob)?, type_: type_(blob)? },
            _ => return Err(start.flaw("unknown kind of import")),
        })
    }

    /// A name: the index of a blob of UTF-8.
    fn text(&self, blob: &mut Reader<'_>) -> Result<String, Flaw> {
        let mut text = self.metadata.streams.blob(self.metadata.bytes(), blob.compressed()?)?;
        if text.remaining() > MAX_TEXT {
            return Err(text.flaw("an import is too long"));
        }
        Ok(String::from_utf8_lossy(text.take(text.remaining())?).into_owned())
    }
}

/// Longer than any namespace. Many imports may share one blob, so its length counts many times.
const MAX_TEXT: usize = 4096;

fn assembly(blob: &mut Reader<'_>) -> Result<Token, Flaw> {
    Ok(Token::new(Table::AssemblyRef, blob.compressed()?))
}

fn type_(blob: &mut Reader<'_>) -> Result<Token, Flaw> {
    let start = *blob;
    decode(Coded::TypeDefOrRef, blob.compressed()?).ok_or(start.flaw("an import does not refer to a type"))
}
