//! Finding types by name: built once per assembly, at the first question.

use std::collections::HashMap;
use std::sync::atomic::Ordering;

use super::assembly::Assembly;
use super::names::{index_key, parse_type};
use super::schema::{Table, col};
use super::signatures::TypeSig;
use super::tokens::{Token, TypeId};

/// The names of the largest framework assembly take some 200 KB; rows that share long names could take any amount.
const MAX_NAME_BYTES: usize = 128 << 20;

#[derive(Debug, Default)]
pub(crate) struct TypeIndex {
    by_name: HashMap<String, TypeId>,
    /// Key without arities: only for questions like `List`, where no type is called just that.
    by_bare_name: HashMap<String, TypeId>,
    /// Last name without arity; in file order.
    by_short_name: HashMap<String, Vec<TypeId>>,
    /// Types that moved to another assembly: key → its name.
    forwards: HashMap<String, String>,
}

impl TypeIndex {
    pub(crate) fn build(assembly: &Assembly) -> Self {
        let metadata = &assembly.metadata;
        let mut index = Self::default();
        let mut bytes = 0;
        for row in metadata.rows(Table::TypeDef) {
            if bytes > MAX_NAME_BYTES {
                break;
            }
            let id = TypeId(row);
            let Ok(full_name) = metadata.type_full_name(id.token()) else {
                continue;
            };
            bytes += full_name.len();
            let key = index_key(&full_name);
            let bare = without_arities(&key);
            let short = bare.rsplit('.').next().unwrap_or(&bare).to_owned();
            index.by_short_name.entry(short).or_default().push(id);
            if bare != key {
                index.by_bare_name.entry(bare).or_insert(id);
            }
            // The first definition wins, as in the runtime.
            index.by_name.entry(key).or_insert(id);
        }
        for row in metadata.rows(Table::ExportedType) {
            if bytes > MAX_NAME_BYTES {
                break;
            }
            let exported = Token::new(Table::ExportedType, row);
            if let (Some(target), Ok(name)) = (forward_target(assembly, exported), metadata.type_full_name(exported)) {
                bytes += name.len() + target.len();
                index.forwards.insert(index_key(&name), target.to_owned());
            }
        }
        index
    }
}

/// The assembly that an exported type (or the one around it) is forwarded to.
fn forward_target(assembly: &Assembly, exported: Token) -> Option<&str> {
    let metadata = &assembly.metadata;
    let mut exported = exported;
    for _ in 0..64 {
        let implementation = metadata.token(exported.row(), col::ExportedType::Implementation).ok()?;
        match implementation.table()? {
            Table::AssemblyRef => {
                return metadata.string(implementation.row(), col::AssemblyRef::Name).ok();
            }
            Table::ExportedType if !implementation.is_nil() => exported = implementation,
            _ => return None,
        }
    }
    None
}

/// ``Ns.Outer`1.Inner`2`` → `Ns.Outer.Inner`.
fn without_arities(key: &str) -> String {
    let mut bare = String::with_capacity(key.len());
    let mut in_arity = false;
    for character in key.chars() {
        match character {
            '`' => in_arity = true,
            c if in_arity && c.is_ascii_digit() => {}
            c => {
                in_arity = false;
                bare.push(c);
            }
        }
    }
    bare
}

impl Assembly {
    fn index(&self) -> &TypeIndex {
        self.index.get_or_init(|| TypeIndex::build(self))
    }

    /// The type of that name, as debuggers, C# or reflection write it: `Ns.Outer.Inner`, `Ns.Outer+Inner`, ``Ns.List`1``,
    /// `Ns.List<int>`, `Ns.List<int>.Enumerator`, `int`. `Ns.List` finds a generic type where no other is called so.
    pub fn find_type(&self, full_name: &str) -> Option<TypeId> {
        let index = self.index();
        // Most questions are spelled like the key.
        if let Some(&id) = index.by_name.get(full_name) {
            return Some(id);
        }
        self.find_key(&lookup_key(full_name)?)
    }

    /// The type of that name as metadata has it: ``Ns.Outer`1+Inner``. The first questions of an assembly do without an index.
    pub fn find_definition(&self, full_name: &str) -> Option<TypeId> {
        /// So many scans take as long as the index.
        const SCANS: u32 = 8;
        let key = index_key(full_name);
        if self.index.get().is_some() || self.scans.fetch_add(1, Ordering::Relaxed) >= SCANS {
            return self.index().by_name.get(&key).copied();
        }
        let is_it = |row: &u32| {
            let name = self.metadata.string(*row, col::TypeDef::Name).unwrap_or_default();
            let full_name = || self.metadata.type_full_name(TypeId(*row).token());
            (key.ends_with(name) || name.contains('+'))
                && full_name().is_ok_and(|full_name| index_key(&full_name) == key)
        };
        self.metadata.rows(Table::TypeDef).find(is_it).map(TypeId)
    }

    pub(crate) fn find_key(&self, key: &str) -> Option<TypeId> {
        let index = self.index();
        index.by_name.get(key).or_else(|| index.by_bare_name.get(key)).copied()
    }

    /// All types whose last name is this (`OrderLine`, `List<int>`, `Inner`), whatever their namespace.
    pub fn find_types_by_short_name(&self, name: &str) -> Vec<TypeId> {
        let Some(key) = lookup_key(name) else {
            return Vec::new();
        };
        let bare = without_arities(&key);
        let short = bare.rsplit('.').next().unwrap_or(&bare);
        let candidates = self.index().by_short_name.get(short).cloned().unwrap_or_default();
        let full_key =
            |id: TypeId| self.metadata.type_full_name(id.token()).map(|name| index_key(&name)).unwrap_or_default();
        let ends_in =
            |full: &str, tail: &str| full.strip_suffix(tail).is_some_and(|head| head.is_empty() || head.ends_with('.'));
        let exact: Vec<TypeId> = candidates.iter().copied().filter(|&id| ends_in(&full_key(id), &key)).collect();
        if !exact.is_empty() || bare != key {
            return exact;
        }
        // Written without arity, and no type is called just that: the generic ones are meant.
        candidates.into_iter().filter(|&id| ends_in(&without_arities(&full_key(id)), &key)).collect()
    }

    /// The simple name of the assembly that a type of this name was moved to.
    pub fn forwarded_to(&self, full_name: &str) -> Option<&str> {
        self.index().forwards.get(&lookup_key(full_name)?).map(String::as_str)
    }
}

/// The index key of a type as text.
pub(crate) fn lookup_key(text: &str) -> Option<String> {
    match parse_type(text)? {
        TypeSig::Primitive(primitive) => Some(primitive.full_name().to_owned()),
        TypeSig::Named(name) => Some(index_key(&name.full_name)),
        TypeSig::Array(_) | TypeSig::MultiArray { .. } => Some("System.Array".to_owned()),
        _ => None,
    }
}
