//! Local functions by name: `Compute`, `Main.Compute`. Metadata has them under names of the compiler's; the text says what they stand in.

use std::sync::Arc;

use super::local::Local;
use super::query::{Query, ends_in, type_text};
use super::syntax::{NodeId, Syntax};
use super::{NavigateError, Navigator};

/// Names that are listed where several fit.
const MOST_NAMED: usize = 4;

impl Navigator {
    /// Those that a name may mean, by file.
    pub(super) fn local_functions(&self, name: &str) -> Result<Vec<Local>, NavigateError> {
        let query = Query::parse(name)?;
        let files = (0..self.files.count()).filter(|&file| self.files.holds(file, query.last()));
        let parsed = files.filter_map(|file| Some((file, self.syntax(file)?)));
        let found = parsed.flat_map(|(file, syntax)| {
            let declared = syntax.local_functions(&query).into_iter();
            declared.map(move |(name, scope)| Local::of(file, Arc::clone(&syntax), name, scope)).collect::<Vec<_>>()
        });
        Ok(found.collect())
    }
}

/// Of a question about one.
pub(super) fn ambiguous(locals: &[Local]) -> NavigateError {
    let names: Vec<&str> = locals.iter().take(MOST_NAMED).map(|local| local.shown.as_str()).collect();
    NavigateError::InvalidArgument {
        argument: "name",
        message: format!("{} local functions have that name: {}", locals.len(), names.join(", ")),
        hint: "pass `file`, `line` and `column` of one declaration; code_goto_definition lists them".to_owned(),
    }
}

impl Local {
    pub(super) fn of(file: usize, syntax: Arc<Syntax>, declared: NodeId, scope: NodeId) -> Self {
        let name = syntax.text(declared).to_owned();
        let shown = match syntax.parent(declared) {
            Some(around) if syntax.kind(around) == "local_function_statement" => syntax.path_of(around),
            _ => name.clone(),
        };
        Self { file, syntax, name, shown, declared, scope }
    }
}

impl Syntax {
    /// Name and scope of each that the query means.
    fn local_functions(&self, query: &Query) -> Vec<(NodeId, NodeId)> {
        let functions = self.all().filter(|&id| self.is_local_function(id));
        let named = functions.filter_map(|id| Some((id, self.child(id, "name")?)));
        let meant = named.filter(|&(id, name)| {
            let has_types = |wanted: &Vec<String>| {
                self.parameter_types(id).iter().map(|written| type_text(written)).eq(wanted.iter().cloned())
            };
            self.text(name) == query.last()
                && query.parameters.as_ref().is_none_or(has_types)
                && ends_in(&self.path_of(id), &query.path)
        });
        meant.filter_map(|(_, name)| self.local(name)).collect()
    }

    /// Namespace, types, member and local functions around a local function, and its own name.
    fn path_of(&self, function: NodeId) -> String {
        let named = |id: NodeId| {
            let is_declaration = self.kind(id).ends_with("_declaration")
                && !matches!(self.kind(id), "variable_declaration" | "accessor_declaration");
            let has_name = is_declaration || self.kind(id) == "local_function_statement";
            self.child(id, "name").filter(|_| has_name).map(|name| self.text(name).to_owned())
        };
        let file_scope = self.children(0).find(|&child| self.kind(child) == "file_scoped_namespace_declaration");
        let mut path: Vec<String> = self.ancestors(function).filter_map(named).collect();
        if path.is_empty() || self.ancestors(function).any(|id| self.kind(id) == "global_statement") {
            path.extend(["Main".to_owned(), "Program".to_owned()]);
        }
        if let Some(around) = file_scope.filter(|around| !self.ancestors(function).any(|id| id == *around)) {
            path.extend(named(around));
        }
        path.reverse();
        path.extend(named(function));
        path.join(".")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CODE: &str = "namespace Shop; class Till { int Sum(int n) { return Twice(n) + Twice(1);
        int Twice(int m) { return Deep() + m; int Deep() => 1; } } int Take { get { int Twice(string s) => 2; return Twice(\"\"); } } }";

    fn meant(code: &str, name: &str) -> Vec<String> {
        let syntax = Arc::new(Syntax::parse(code.to_owned()).unwrap());
        let found = syntax.local_functions(&Query::parse(name).unwrap()).into_iter();
        found.map(|(name, scope)| Local::of(0, Arc::clone(&syntax), name, scope).shown).collect()
    }

    #[test]
    fn a_local_function_is_found_by_any_tail_of_what_it_stands_in() {
        for name in ["Sum.Twice", "Till.Sum.Twice", "Shop.Till.Sum.Twice", "Twice(int)"] {
            assert_eq!(meant(CODE, name), ["Shop.Till.Sum.Twice"], "{name}");
        }
        assert_eq!(meant(CODE, "Twice"), ["Shop.Till.Sum.Twice", "Shop.Till.Take.Twice"]);
        assert_eq!(meant(CODE, "Twice.Deep"), ["Shop.Till.Sum.Twice.Deep"]);
        assert_eq!(meant(CODE, "Till.Twice"), [""; 0]);
        assert_eq!(meant("int Twice(int n) => n;", "Main.Twice"), ["Program.Main.Twice"]);
    }

    #[test]
    fn a_local_function_is_seen_before_it_is_declared() {
        let syntax = Syntax::parse(CODE.to_owned()).unwrap();
        let declared = syntax.local_functions(&Query::parse("Sum.Twice").unwrap());
        let first_call = syntax.occurrences("Twice").first().unwrap().node;
        assert_eq!(syntax.local(first_call), declared.first().copied());
    }
}
