//! The names of all types of an assembly in one text: a search goes through that, in place of a look at the name of each row or at the
//! whole heap, in which all other names stand too.

use memchr::memmem::Finder;

use super::schema::{Table, col};
use super::tables::Metadata;

/// Whether an identifier may stand in these bytes of an assembly or a PDB, as a name, the end of one, or a part of a name of the
/// compiler's. What it may not be in, no name there is. ASCII only.
pub fn may_name(bytes: &[u8], identifier: &str) -> bool {
    let is_end = |next: &u8| !(next.is_ascii_alphanumeric() || *next == b'_');
    memchr::memmem::find_iter(bytes, identifier).any(|at| bytes.get(at + identifier.len()).is_none_or(is_end))
}

/// What rows that share long names could take.
const MAX_BYTES: usize = 128 << 20;

#[derive(Debug, Default)]
pub(super) struct TypeNames {
    /// In lower case (ASCII only), each with a zero behind it.
    text: Vec<u8>,
    /// Where the name of each row ends in it.
    ends: Vec<usize>,
}

impl TypeNames {
    pub(super) fn of(metadata: &Metadata) -> Self {
        let mut names = Self::default();
        for row in metadata.rows(Table::TypeDef) {
            let name = metadata.string(row, col::TypeDef::Name).unwrap_or_default();
            if names.text.len() < MAX_BYTES {
                names.text.extend(name.bytes().map(|byte| byte.to_ascii_lowercase()));
                names.text.push(0);
            }
            names.ends.push(names.text.len());
        }
        names
    }

    /// The rows in whose names these letters stand, in either case; ascending.
    pub(super) fn holding(&self, letters: &str) -> Vec<u32> {
        let letters = letters.to_ascii_lowercase();
        let mut found = Vec::new();
        for at in Finder::new(letters.as_bytes()).find_iter(&self.text) {
            let row = self.ends.partition_point(|&end| end <= at) as u32 + 1;
            if found.last() != Some(&row) {
                found.push(row);
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Builder;

    #[test]
    fn an_identifier_may_be_the_end_of_a_name_or_a_part_of_the_compilers() {
        let heap = b"\0Total\0subtotal\0<count>5__2\0priceless\0";
        for (identifier, may_be) in
            [("Total", true), ("total", true), ("count", true), ("price", false), ("Tota", false), ("zork", false)]
        {
            assert_eq!(may_name(heap, identifier), may_be, "{identifier}");
        }
        assert!(may_name(b"zork", "zork"));
    }

    #[test]
    fn a_text_is_found_in_each_name_once_and_never_over_two() {
        let mut builder = Builder::new();
        for name in ["Order", "reOrderOrder", "Or", "der", "\u{d6}der`1"] {
            let name = builder.string(name);
            builder.row(Table::TypeDef, &[0, 0, name, 0, 0, 1, 1]);
        }
        let names = TypeNames::of(&builder.build("#~"));
        assert_eq!(names.holding("ORDER"), [1, 2]);
        assert_eq!(names.holding("der"), [1, 2, 4, 5]);
        assert_eq!(names.holding("\u{d6}"), [5]);
        assert_eq!(names.holding("line"), [0u32; 0]);
    }
}
