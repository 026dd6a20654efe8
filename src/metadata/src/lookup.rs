//! The type that a person means by a name, over an assembly: by a scan of its names, so that one question needs no index.

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
        Some(Self { key: index_key(&name.full_name), name })
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
        let rows = self.metadata.rows(Table::TypeDef);
        let names = rows.filter_map(|row| self.metadata.string(row, col::TypeDef::Namespace).ok());
        let mut names: Vec<&str> = names.filter(|name| pattern.is_none_or(|pattern| pattern.fits(name))).collect();
        names.sort_unstable();
        names.dedup();
        names
    }
}
