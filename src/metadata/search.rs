//! Types and methods by a pattern for their names: read off the tables, so it needs no index and allocates only for what it finds.

use super::assembly::Assembly;
use super::attributes::COMPILER_GENERATED;
use super::generated::Generated;
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
        let halves = pattern.split();
        let mut full_name = String::new();
        for row in self.metadata.rows(Table::TypeDef) {
            let id = TypeId(row);
            let Ok(raw) = self.metadata.string(row, col::TypeDef::Name) else { continue };
            if pattern.is_dotted() {
                full_name = plain_full_name(self, id);
            }
            if searched.types {
                let name = if pattern.is_dotted() { full_name.as_str() } else { split_arity(clean_type(raw)).0 };
                matches.types.extend(pattern.rank(name).map(|rank| (rank, id)));
            }
            let wanted = match &halves {
                Some((type_, method)) => type_.ends(&full_name).then_some(method),
                None => Some(pattern),
            };
            if let Some(wanted) = wanted.filter(|_| searched.methods) {
                self.search_methods(id, wanted, halves.is_some(), &mut matches);
            }
        }
        if !matches.types.is_empty() || !matches.methods.is_empty() {
            self.leave_out_generated(&mut matches);
        }
        matches
    }

    fn leave_out_generated(&self, matches: &mut Matches) {
        let generated = Generated::of(self);
        let before = matches.types.len() + matches.methods.len();
        matches.types.retain(|(_, id)| !generated.has_type(*id));
        matches.methods.retain(|(_, id)| {
            let raw = self.metadata.string(id.row(), col::MethodDef::Name).unwrap_or_default();
            let owner = self.metadata.owner(col::TypeDef::MethodList, id.row()).map(TypeId);
            let is_inside = owner.is_some_and(|owner| generated.has_type(owner));
            !is_inside && !generated.has_method(*id) && !has_generated_name(raw)
        });
        matches.compiler_generated = before - matches.types.len() - matches.methods.len();
    }

    fn search_methods(&self, owner: TypeId, pattern: &NamePattern, from_the_beginning: bool, matches: &mut Matches) {
        for row in self.metadata.list(owner.row(), col::TypeDef::MethodList) {
            let Ok(raw) = self.metadata.string(row, col::MethodDef::Name) else { continue };
            let name = source_method_name(raw);
            let rank = if from_the_beginning { pattern.begins(name) } else { pattern.rank(name) };
            let Some(rank) = rank else { continue };
            let id = MethodId(row);
            if !self.is_accessor_or_constructor(id, raw) {
                matches.methods.push((rank, id));
            }
        }
    }

    /// `get_X`, `add_X`, `.ctor`: what a property, an event or a type tells in its place.
    pub(crate) fn is_accessor_or_constructor(&self, method: MethodId, raw: &str) -> bool {
        if raw.starts_with('.') {
            return true;
        }
        let last = raw.rsplit('.').next().unwrap_or(raw);
        ["get_", "set_", "add_", "remove_"].iter().any(|prefix| last.starts_with(prefix))
            && self.method(method).flags() & SPECIAL_NAME != 0
    }

    /// Lambdas, local functions, the members of records that nobody wrote.
    pub(crate) fn is_generated_method(&self, method: MethodId, raw: &str) -> bool {
        has_generated_name(raw) || self.has_attribute(method, COMPILER_GENERATED)
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
        let mut type_ = *self;
        for _ in 0..16 {
            let name = type_.name();
            if name.starts_with('<') && clean_type(name) == name || type_.is_compiler_generated() {
                return true;
            }
            match type_.declaring_type() {
                Some(outer) => type_ = outer,
                None => return false,
            }
        }
        true
    }
}
