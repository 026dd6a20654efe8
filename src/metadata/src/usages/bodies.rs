//! Where the code of all methods lies: one pass over it finds the few bodies that hold a token, in place of a look into each.

use memchr::memmem::Finder;

use crate::assembly::Assembly;
use crate::schema::Table;
use crate::tokens::MethodId;

/// The instructions of one method; file offsets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Body {
    start: u32,
    end: u32,
    method: MethodId,
}

#[derive(Debug, Default)]
pub(crate) struct Bodies {
    /// As they lie in the file.
    all: Vec<Body>,
    /// Whether each byte is of one method at most. Compilers write it so; whoever wants to hide something need not.
    are_apart: bool,
}

impl Assembly {
    /// Where all code lies, looked for at the first question.
    pub(super) fn bodies(&self) -> &Bodies {
        self.bodies.get_or_init(|| Bodies::of(self))
    }
}

impl Bodies {
    fn of(assembly: &Assembly) -> Self {
        let body = |method| {
            let (start, code) = assembly.code(method).filter(|(_, code)| !code.is_empty())?;
            let end = u32::try_from(start + code.len()).ok()?;
            Some(Body { start: u32::try_from(start).ok()?, end, method })
        };
        let mut all: Vec<Body> =
            assembly.metadata.rows(Table::MethodDef).filter_map(|row| body(MethodId(row))).collect();
        all.sort_unstable();
        let are_apart = all.is_sorted_by(|a, b| a.end <= b.start);
        Self { all, are_apart }
    }

    /// The methods in whose code one of the needles stands, in file order of their rows. `bytes` is the file.
    pub(super) fn holding(&self, bytes: &[u8], needles: &[Finder<'_>]) -> Vec<MethodId> {
        let mut found: Vec<MethodId> = match self.are_apart {
            true => needles.iter().flat_map(|needle| self.in_one_pass(bytes, needle)).collect(),
            false => {
                let holds = |body: &&Body| {
                    let code = bytes.get(body.start as usize..body.end as usize).unwrap_or_default();
                    needles.iter().any(|needle| needle.find(code).is_some())
                };
                self.all.iter().filter(holds).map(|body| body.method).collect()
            }
        };
        found.sort_unstable();
        found.dedup();
        found
    }

    fn in_one_pass<'a>(&'a self, bytes: &'a [u8], needle: &'a Finder<'_>) -> impl Iterator<Item = MethodId> + 'a {
        let end = self.all.last().map_or(0, |body| body.end as usize);
        let mut at = self.all.first().map_or(0, |body| body.start as usize);
        std::iter::from_fn(move || {
            loop {
                let hit = at + needle.find(bytes.get(at..end)?)?;
                let before = self.all.partition_point(|body| body.start as usize <= hit).checked_sub(1)?;
                let body = self.all.get(before)?;
                if hit + needle.needle().len() <= body.end as usize {
                    at = body.end as usize;
                    return Some(body.method);
                }
                at = hit + 1;
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holding(bodies: &[(u32, u32)], are_apart: bool, bytes: &[u8]) -> Vec<u32> {
        let all = bodies.iter().zip(1..).map(|(&(start, end), row)| Body { start, end, method: MethodId(row) });
        let bodies = Bodies { all: all.collect(), are_apart };
        bodies.holding(bytes, &[Finder::new(b"aa")]).into_iter().map(|method| method.0).collect()
    }

    #[test]
    fn a_token_counts_only_where_all_of_it_is_of_one_body() {
        for are_apart in [true, false] {
            let found = |bodies: &[(u32, u32)], bytes: &[u8]| holding(bodies, are_apart, bytes);
            assert_eq!(found(&[(1, 3), (4, 8)], b"_aa_xaax"), [1, 2]);
            // Over the end of one, between two, and before the end of the next by one byte only.
            assert_eq!(found(&[(0, 2), (5, 7)], b"xaaaaaax"), [2]);
            assert_eq!(found(&[(0, 2), (2, 5)], b"xaaax"), [2]);
            assert_eq!(found(&[(0, 4)], b"aaaa"), [1]);
            assert_eq!(found(&[], b"aaaa"), [0u32; 0]);
        }
        // A body within another.
        assert_eq!(holding(&[(0, 8), (2, 5)], false, b"xxxaaxxx"), [1, 2]);
    }
}
