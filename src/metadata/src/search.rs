//! Types and methods by a pattern for their names: read off the tables, methods need no index for it, and only what is found is allocated for.

use super::assembly::Assembly;
use super::attributes::COMPILER_GENERATED;
use super::name_hits::NameHits;
use super::names::{clean_type, index_key};
use super::patterns::{NamePattern, Rank};
use super::schema::{Table, col};
use super::signatures::split_arity;
use super::tokens::{MethodId, TypeId};
use super::types::TypeView;

/// What to search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Searched {
    pub types: bool,
    pub methods: bool,
}

/// What matches in one assembly, in file order.
#[derive(Debug, Clone, Default)]
pub struct Matches {
    pub types: Vec<(Rank, TypeId)>,
    pub methods: Vec<(Rank, MethodId)>,
    /// Matching items that the compiler made.
    pub compiler_generated: usize,
}

const SPECIAL_NAME: u32 = 0x800;

impl Assembly {
    /// Accessors and constructors are no methods of their own here: the property, event or type is what has the name.
    pub fn search(&self, pattern: &NamePattern, searched: Searched) -> Matches {
        let mut matches = Matches::default();
        let mut methods: Vec<(Rank, TypeId, MethodId)> = Vec::new();
        let halves = pattern.split();
        let all = || self.metadata.rows(Table::TypeDef);
        let called = match pattern.letters().filter(|_| searched.types) {
            Some(letters) => self.type_names().holding(letters),
            None => all().filter(|_| searched.types).collect(),
        };
        let rows = if searched.methods { all().collect() } else { called.clone() };
        let mut called = called.into_iter().peekable();
        let hits = searched.methods.then(|| NameHits::of(&self.metadata, pattern));
        let mut full_name = String::new();
        for row in rows {
            let id = TypeId(row);
            if pattern.is_dotted() {
                full_name = plain_full_name(self, id);
            }
            if called.next_if_eq(&row).is_some() {
                matches.types.extend(self.rank_type(id, pattern, &full_name).map(|rank| (rank, id)));
            }
            let Some(hits) = &hits else { continue };
            let wanted = match &halves {
                Some((type_, method)) => type_.ends(&full_name).then_some(method),
                None => Some(pattern),
            };
            if let Some(wanted) = wanted {
                self.search_methods(id, (wanted, hits), halves.is_some(), &mut methods);
            }
        }
        if !matches.types.is_empty() || !methods.is_empty() {
            self.leave_out_generated(&mut matches, methods);
        }
        matches
    }

    /// `full_name` is there for dotted patterns only.
    fn rank_type(&self, id: TypeId, pattern: &NamePattern, full_name: &str) -> Option<Rank> {
        match (pattern.is_any(), pattern.is_dotted()) {
            (true, _) => Some(Rank::Beginning),
            (_, true) => pattern.rank(full_name),
            _ => {
                let raw = self.metadata.string(id.row(), col::TypeDef::Name).ok()?;
                pattern.rank(split_arity(clean_type(raw)).0)
            }
        }
    }

    fn leave_out_generated(&self, matches: &mut Matches, methods: Vec<(Rank, TypeId, MethodId)>) {
        let generated = self.generated();
        let before = matches.types.len() + methods.len();
        matches.types.retain(|(_, id)| !generated.has_type(*id));
        let written = methods.into_iter().filter(|(_, owner, id)| {
            let raw = self.metadata.string(id.row(), col::MethodDef::Name).unwrap_or_default();
            !generated.has_type(*owner) && !generated.has_method(*id) && !has_generated_name(raw)
        });
        matches.methods = written.map(|(rank, _, id)| (rank, id)).collect();
        matches.compiler_generated = before - matches.types.len() - matches.methods.len();
    }

    fn search_methods(
        &self,
        owner: TypeId,
        (pattern, hits): (&NamePattern, &NameHits),
        from_the_beginning: bool,
        found: &mut Vec<(Rank, TypeId, MethodId)>,
    ) {
        for row in self.metadata.list(owner.row(), col::TypeDef::MethodList) {
            if !self.metadata.cell(row, col::MethodDef::Name).is_ok_and(|index| hits.may_be(index)) {
                continue;
            }
            let Ok(raw) = self.metadata.string(row, col::MethodDef::Name) else { continue };
            let name = source_method_name(raw);
            let rank = if from_the_beginning { pattern.begins(name) } else { pattern.rank(name) };
            let Some(rank) = rank else { continue };
            let id = MethodId(row);
            if !self.is_accessor_or_constructor(id, raw) {
                found.push((rank, owner, id));
            }
        }
    }

    /// `get_X`, `add_X`, `.ctor`: what a property, an event or a type stands for.
    pub(crate) fn is_accessor_or_constructor(&self, method: MethodId, raw: &str) -> bool {
        if raw.starts_with('.') {
            return true;
        }
        let last = raw.rsplit('.').next().unwrap_or(raw);
        ["get_", "set_", "add_", "remove_"].iter().any(|prefix| last.starts_with(prefix))
            && self.method(method).flags() & SPECIAL_NAME != 0
    }

    /// Lambdas, local functions, the members of records that nobody wrote; a static constructor that only initializes fields: one that
    /// is written runs before anything else of its type (ECMA-334, 15.12), so its type is not initialized late.
    pub(crate) fn is_generated_method(&self, method: MethodId, raw: &str) -> bool {
        let initializes = || self.method(method).declaring_type().is_some_and(|owner| owner.is_initialized_late());
        has_generated_name(raw) || raw == ".cctor" && initializes() || self.has_attribute(method, COMPILER_GENERATED)
    }
}

/// `<Main>b__0`; the source's own `<Main>$` is not.
fn has_generated_name(raw: &str) -> bool {
    raw.starts_with('<') && source_method_name(raw) == raw
}

/// `<Main>$` is `Main` in source; all other names in brackets have none.
pub(crate) fn source_method_name(raw: &str) -> &str {
    raw.strip_prefix('<').and_then(|rest| rest.strip_suffix(">$")).filter(|name| *name == "Main").unwrap_or(raw)
}

/// `Ns.Outer.Inner`, without arities.
pub(crate) fn plain_full_name(assembly: &Assembly, id: TypeId) -> String {
    let Ok(full_name) = assembly.metadata.type_full_name(id.token()) else { return String::new() };
    if !full_name.contains(['`', '<']) {
        return index_key(&full_name);
    }
    full_name.split('+').map(|segment| split_arity(clean_type(segment)).0).collect::<Vec<_>>().join(".")
}

impl TypeView<'_> {
    /// Closures, state machines and what lies within them; types of file scope are not.
    pub fn is_generated(&self) -> bool {
        self.assembly.generated().has_type(self.id())
    }
}
