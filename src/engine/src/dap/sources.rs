//! `loadedSources` and `source`: the files that symbols name, and the text that some symbols carry.

use std::collections::HashMap;
use std::sync::Arc;

use clr_metadata::Document;
use dap_wire::{LoadedSourcesResponse, Source, SourceArguments};
use serde_json::json;

use super::server::{Answer, Server, body};
use crate::modules::Module;
use crate::target::SourceFileMap;

/// The numbers of files that are not on this machine and whose text is in the symbols; they hold as long as the program is debugged.
#[derive(Default)]
pub struct Sources {
    /// What `launch` or `attach` says of where they are.
    pub map: SourceFileMap,
    /// By module and path.
    known: HashMap<(u32, String), Option<i64>>,
    texts: Vec<(Arc<Module>, String)>,
}

impl Sources {
    /// A file as the client can open it.
    pub fn of(&mut self, module: &Arc<Module>, path: &str) -> Source {
        let key = (module.id, path.to_owned());
        let known = self.known.get(&key).copied();
        let reference = known.unwrap_or_else(|| {
            let is_elsewhere = || !std::path::Path::new(&self.map.local(path)).exists();
            let has_text =
                || document(module, path).is_some_and(|document| text_in_symbols(module, document).is_some());
            let reference = (is_elsewhere() && has_text()).then(|| {
                self.texts.push((module.clone(), path.to_owned()));
                self.texts.len() as i64
            });
            self.known.insert(key, reference);
            reference
        });
        let origin = reference.map(|_| "embedded in the symbols".to_owned());
        Source { source_reference: reference, origin, ..self.file(path) }
    }

    /// A file of that path in symbols.
    pub fn file(&self, path: &str) -> Source {
        source(&self.map.local(path))
    }

    fn text_of(&self, reference: i64) -> Option<String> {
        let (module, path) = self.texts.get(usize::try_from(reference).ok()?.checked_sub(1)?)?;
        text_in_symbols(module, document(module, path)?)
    }
}

/// A file by its path.
pub fn source(path: &str) -> Source {
    let name = path.rsplit(['/', '\\']).next().map(str::to_owned);
    Source { name, path: Some(path.to_owned()), ..Source::default() }
}

fn document<'m>(module: &'m Module, path: &str) -> Option<&'m Document> {
    module.symbols()?.find_document(path)
}

fn text_in_symbols(module: &Module, document: &Document) -> Option<String> {
    let bytes = module.symbols()?.embedded_source(document.id)?;
    Some(decoded(&bytes))
}

/// Without the mark of its encoding.
fn decoded(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)).into_owned()
}

impl Server {
    pub(super) fn loaded_sources(&mut self) -> Answer {
        let mut sources: Vec<Source> = Vec::new();
        for module in self.modules_with_symbols() {
            for document in module.symbols().map(|symbols| symbols.documents()).unwrap_or_default() {
                let source = self.sources.of(&module, &document.path);
                if !sources.contains(&source) {
                    sources.push(source);
                }
            }
        }
        body(LoadedSourcesResponse { sources })
    }

    pub(super) fn source(&mut self, arguments: &SourceArguments) -> Answer {
        let of_source = arguments.source.as_ref().and_then(|source| source.source_reference);
        let reference = of_source.unwrap_or(arguments.source_reference);
        let path = arguments.source.as_ref().and_then(|source| source.path.as_deref());
        let text = match (reference, path) {
            (1.., _) => {
                self.sources.text_of(reference).ok_or_else(|| format!("no source has sourceReference {reference}"))
            }
            (_, Some(path)) => self.text_at(path),
            (_, None) => Err("source needs a sourceReference or a path".into()),
        };
        body(json!({ "content": text?, "mimeType": "text/x-csharp" }))
    }

    /// What was compiled under that path.
    fn text_at(&self, path: &str) -> Result<String, String> {
        let modules = self.modules_with_symbols();
        let mut documents =
            modules.iter().filter_map(|module| Some((module, self.document_here(module, path)?))).peekable();
        if documents.peek().is_none() {
            return Err(format!("no loaded module was compiled from {path}"));
        }
        let found = documents.find_map(|(module, document)| {
            text_in_symbols(module, document).or_else(|| Some(decoded(&document.compiled_bytes()?)))
        });
        found.ok_or_else(|| {
            format!("the symbols do not embed the source of {path}, and the file at that path is not the one that was compiled")
        })
    }

    /// The document that the client has under that path.
    fn document_here<'m>(&self, module: &'m Module, path: &str) -> Option<&'m Document> {
        document(module, path).or_else(|| {
            let mut all = module.symbols()?.documents().iter();
            all.find(|document| self.sources.map.local(&document.path) == path)
        })
    }

    fn modules_with_symbols(&self) -> Vec<Arc<Module>> {
        let all = self.debugging.as_ref().map(|debugging| debugging.target.modules.all()).unwrap_or_default();
        all.into_iter().filter(|module| !module.is_framework && module.symbols().is_some()).collect()
    }
}
