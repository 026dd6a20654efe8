//! What of an assembly the compiler made, for all its types and methods at once.
//!
//! Asked one by one, every answer is a search in the largest table; all answers take one pass.

use super::attributes::COMPILER_GENERATED;
use super::names::clean_type;
use super::schema::{Table, col};
use super::tables::Metadata;
use super::tokens::{MethodId, Token, TypeId};

/// Types and methods with the attribute, and types with names that only the compiler writes; by row.
#[derive(Debug, Default)]
pub(crate) struct Generated {
    types: Vec<bool>,
    methods: Vec<bool>,
    /// The type around each type; 0 = none.
    enclosing: Vec<u32>,
}

/// Types that are nested deeper come from a circle.
const MAX_NESTING: usize = 16;

impl Generated {
    pub(crate) fn of(metadata: &Metadata) -> Self {
        let marks = |table: Table| vec![false; metadata.row_count(table) as usize + 1];
        let mut generated = Self {
            types: marks(Table::TypeDef),
            methods: marks(Table::MethodDef),
            enclosing: vec![0; metadata.row_count(Table::TypeDef) as usize + 1],
        };
        let mut constructors = Constructors::of(metadata);
        for attribute in metadata.all_attributes() {
            let Ok(called) = attribute.constructor() else { continue };
            let is_it = constructors.make(called, || attribute.is(COMPILER_GENERATED));
            let Some(parent) = is_it.then(|| attribute.owner().ok()).flatten() else { continue };
            let marks = match parent.table() {
                Some(Table::TypeDef) => &mut generated.types,
                Some(Table::MethodDef) => &mut generated.methods,
                _ => continue,
            };
            if let Some(mark) = marks.get_mut(parent.row() as usize) {
                *mark = true;
            }
        }
        for (row, mark) in generated.types.iter_mut().enumerate() {
            let name = metadata.string(row as u32, col::TypeDef::Name).unwrap_or_default();
            *mark |= name.starts_with('<') && clean_type(name) == name;
        }
        for row in metadata.rows(Table::NestedClass) {
            let cells = (metadata.cell(row, col::NestedClass::Nested), metadata.cell(row, col::NestedClass::Enclosing));
            if let (Ok(nested), Ok(enclosing)) = cells
                && let Some(place) = generated.enclosing.get_mut(nested as usize)
            {
                *place = enclosing;
            }
        }
        generated
    }

    /// The type, or one around it.
    pub(crate) fn has_type(&self, id: TypeId) -> bool {
        let mut row = id.row() as usize;
        for _ in 0..MAX_NESTING {
            if self.types.get(row).copied().unwrap_or(false) {
                return true;
            }
            match self.enclosing.get(row) {
                Some(&outer) if outer > 0 => row = outer as usize,
                _ => return false,
            }
        }
        true
    }

    /// The method has the attribute.
    pub(crate) fn has_method(&self, id: MethodId) -> bool {
        self.methods.get(id.row() as usize).copied().unwrap_or(false)
    }
}

/// What is known of each constructor, by row: a file has many attributes, of few kinds.
struct Constructors {
    references: Vec<Option<bool>>,
    methods: Vec<Option<bool>>,
}

impl Constructors {
    fn of(metadata: &Metadata) -> Self {
        let unknown = |table: Table| vec![None; metadata.row_count(table) as usize + 1];
        Self { references: unknown(Table::MemberRef), methods: unknown(Table::MethodDef) }
    }

    /// Whether it makes the wanted attribute; `look` is asked once for each.
    fn make(&mut self, constructor: Token, look: impl FnOnce() -> bool) -> bool {
        let known =
            if constructor.table() == Some(Table::MemberRef) { &mut self.references } else { &mut self.methods };
        known.get_mut(constructor.row() as usize).is_some_and(|known| *known.get_or_insert_with(look))
    }
}
