//! What is known of an expression before the program comes to a place: its side effects, and names that it cannot mean.

use std::collections::BTreeSet;
use std::path::Path;

use clr_csharp::pure::{self, Fitness, Foreseen, Unknown};
use clr_csharp::syntax;
use clr_metadata::{is_framework, may_name};

use super::Modules;
use crate::session::expression::is_called;

/// Expressions at places whose side effects are kept.
const KEPT: usize = 256;

impl Modules {
    /// Of an expression at a line's first code; `None`: it has no meaning there, or nothing is known of the code. `text`: without blanks
    /// around it.
    pub(crate) fn foresee(&self, path: &str, line: u32, text: &str) -> Option<Foreseen> {
        let key = (path.to_owned(), line, text.to_owned());
        if let Some(known) = self.lock().types.foreseen.get(&key) {
            return known.clone();
        }
        let foreseen = self.foreseen(path, line, text);
        let mut inner = self.lock();
        if inner.types.foreseen.len() >= KEPT {
            inner.types.foreseen.clear();
        }
        inner.types.foreseen.insert(key, foreseen.clone());
        foreseen
    }

    /// A name in an expression at a line's first code that nothing there has, and the variables that there are; of one that is called
    /// the methods. Certain: nowhere in the assemblies and symbols of the program stands such a name, whatever of them is loaded.
    pub(crate) fn unknown(&self, path: &str, line: u32, text: &str) -> Option<(Unknown, Vec<String>)> {
        let (scope, _) = self.scope_at(path, (line, 0))?;
        let expr = syntax::parse(text).ok()?;
        let (version, types) = self.take_types();
        let unknown = pure::unknown(text, &expr, (&types, &scope));
        self.keep_types((version, types));
        let unknown = unknown.filter(|it| self.has_no_name(it.name()))?;
        let is_called = matches!(&unknown, Unknown::Value(name) if is_called(text, name));
        let around = scope.enclosing.iter().filter(|_| is_called).filter_map(|type_| type_.name());
        let methods = around.flat_map(|name| self.method_names(name));
        let here = scope.variables.iter().map(|variable| variable.name.clone());
        Some((unknown, methods.chain(here).filter(|name| !name.starts_with('$')).collect()))
    }

    /// Why an expression is no condition, wherever on a line code begins.
    pub(crate) fn no_condition(&self, path: &str, line: u32, text: &str) -> Option<String> {
        let expr = syntax::parse(text).ok()?;
        let scopes = self.columns(path, line).into_iter().map(|column| self.scope_at(path, (line, column)));
        let scopes = scopes.collect::<Option<Vec<_>>>()?;
        let (version, types) = self.take_types();
        let found: Vec<Fitness> = scopes.iter().map(|(scope, _)| pure::fitness(&expr, (&types, scope))).collect();
        self.keep_types((version, types));
        if found.contains(&Fitness::Open) {
            return None;
        }
        found.into_iter().find_map(|fitness| match fitness {
            Fitness::Never(error) => Some(error.to_string()),
            Fitness::Open | Fitness::Elsewhere => None,
        })
    }

    /// Whether no assembly beside those of the program that are loaded, and none of their symbols, has such a name. Files of the
    /// framework are known without.
    fn has_no_name(&self, name: &str) -> bool {
        let (known, folders) = {
            let inner = self.lock();
            if inner.loaded.iter().any(super::Loaded::has_unknown_types) {
                return false;
            }
            let own = inner.loaded.iter().map(|loaded| loaded.path.as_path()).filter(|path| path.is_absolute());
            let known = inner.known.iter().map(|assembly| assembly.path());
            let own = own.chain(known).filter(|path| !is_framework(path));
            let folders: BTreeSet<_> = own.filter_map(Path::parent).map(Path::to_owned).collect();
            (inner.known.clone(), folders)
        };
        let in_symbols = |pdb: &clr_metadata::Pdb| may_name(pdb.metadata().bytes(), name);
        if known.is_empty() || known.iter().any(|assembly| assembly.pdb().is_none_or(in_symbols)) {
            return false;
        }
        let files = folders.iter().flat_map(|folder| std::fs::read_dir(folder).into_iter().flatten().flatten());
        let mut files = files.map(|entry| entry.path()).filter(|path| path.extension().is_some_and(|it| it == "dll"));
        // a program that is one file has its assemblies inside
        let is_read = known.iter().all(|assembly| assembly.path().is_file());
        is_read && files.all(|file| std::fs::read(file).is_ok_and(|bytes| !may_name(&bytes, name)))
    }

    fn foreseen(&self, path: &str, line: u32, text: &str) -> Option<Foreseen> {
        let (scope, _) = self.scope_at(path, (line, 0))?;
        let expr = syntax::parse(text).ok()?;
        let (version, types) = self.take_types();
        let foreseen = pure::foresee(&expr, (&types, &scope), &self.purity());
        self.keep_types((version, types));
        foreseen
    }
}
