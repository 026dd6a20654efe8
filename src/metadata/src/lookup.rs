//! The type that a person means by a name, over an assembly: by a scan of its names, so that one question needs no index.

use std::collections::HashSet;

use super::assembly::Assembly;
use super::names::{index_key, parse_type};
use super::patterns::NamePattern;
use super::schema::{Table, col};
use super::search::plain_full_name;
use super::signatures::{TypeName, TypeSig, split_arity};
use super::tokens::TypeId;

/// A type as it was asked for: `Basics.Order`, `Order`, `List<int>`, ``List`1``, `Ns.Outer+Inner`, `int`.
#[derive(Debug, Clone)]
pub struct TypeQuery {
    /// With the generic arguments that were given.
    pub name: TypeName,
    key: String,
}

/// How a type has the name; better ones are less.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fit {
    /// The full name, with its arity.
    Full,
    /// The full name, but for the arity.
    FullBare,
    /// The end of the full name, with its arity.
    Short,
    /// The end of the full name, but for the arity.
    ShortBare,
}

impl TypeQuery {
    /// `None` for what is no type's name: `List<`, `int*`.
    pub fn parse(text: &str) -> Option<Self> {
        let name = match parse_type(text)? {
            TypeSig::Primitive(primitive) => {
                TypeName { full_name: primitive.full_name().to_owned(), ..TypeName::default() }
            }
            TypeSig::Named(name) => name,
            TypeSig::Array(_) | TypeSig::MultiArray { .. } => {
                TypeName { full_name: "System.Array".to_owned(), ..TypeName::default() }
            }
            _ => return None,
        };
        Some(Self::of(&name))
    }

    pub(crate) fn of(name: &TypeName) -> Self {
        Self { key: index_key(&name.full_name), name: name.clone() }
    }

    /// The last part, without arity.
    pub fn short(&self) -> &str {
        split_arity(self.key.rsplit('.').next().unwrap_or(&self.key)).0
    }
}

impl Assembly {
    /// The types that have the name, and how.
    pub fn types_called(&self, query: &TypeQuery) -> Vec<(Fit, TypeId)> {
        let last = query.key.rsplit('.').next().unwrap_or(&query.key);
        let asks_arity = split_arity(last).1 > 0;
        let ends = |full: &str| {
            full.strip_suffix(query.key.as_str()).is_some_and(|head| head.is_empty() || head.ends_with('.'))
        };
        let fit = |id: TypeId| {
            let full = index_key(&self.metadata.type_full_name(id.token()).ok()?);
            if full == query.key {
                return Some(Fit::Full);
            }
            let bare = plain_full_name(self, id);
            match (bare == query.key, ends(&full), ends(&bare)) {
                (true, ..) => Some(Fit::FullBare),
                (_, true, _) => Some(Fit::Short),
                (.., true) => Some(Fit::ShortBare),
                _ => None,
            }
        };
        let rows = self.metadata.rows(Table::TypeDef).filter(|&row| {
            let raw = self.metadata.string(row, col::TypeDef::Name).unwrap_or_default();
            raw == last || !asks_arity && split_arity(super::names::clean_type(raw)).0 == last
        });
        rows.filter_map(|row| Some((fit(TypeId(row))?, TypeId(row)))).collect()
    }

    /// Namespaces of its top-level types, sorted; those that match the pattern as a whole.
    pub fn namespaces(&self, pattern: Option<&NamePattern>) -> Vec<&str> {
        let names = self.rows_of_namespaces().iter().map(|&row| self.namespace_of(row));
        names.filter(|name| pattern.is_none_or(|pattern| pattern.fits(name))).collect()
    }

    /// Whether it has types in a namespace, or in one that lies in it.
    pub fn has_namespace(&self, name: &str) -> bool {
        let rows = self.rows_of_namespaces();
        let inner = format!("{name}.");
        let first = |begin: &str| {
            let at = rows.partition_point(|&row| self.namespace_of(row) < begin);
            rows.get(at).map(|&row| self.namespace_of(row))
        };
        first(name) == Some(name) || first(&inner).is_some_and(|found| found.starts_with(&inner))
    }

    fn namespace_of(&self, row: u32) -> &str {
        self.metadata.string(row, col::TypeDef::Namespace).unwrap_or_default()
    }

    /// Rows and not texts: rows that share long names could take any amount of memory.
    fn rows_of_namespaces(&self) -> &[u32] {
        self.namespaces.get_or_init(|| {
            let mut seen = HashSet::new();
            let is_new = |&row: &u32| {
                self.metadata.cell(row, col::TypeDef::Namespace).is_ok_and(|place| seen.insert(place))
                    && self.metadata.string(row, col::TypeDef::Namespace).is_ok()
            };
            let mut rows: Vec<u32> = self.metadata.rows(Table::TypeDef).filter(is_new).collect();
            rows.sort_unstable_by_key(|&row| self.namespace_of(row));
            rows.dedup_by_key(|row| self.namespace_of(*row));
            rows.into()
        })
    }
}
