//! Finding the PDB of an assembly: beside it, where the compiler wrote it, or within it.

use std::io::Read;
use std::path::{Path, PathBuf};

use super::Pdb;
use crate::assembly::Assembly;
use crate::error::MetadataError;

/// An embedded PDB that claims to inflate to more is refused.
const MAX_INFLATED: u32 = 512 << 20;

/// Why an assembly has no usable symbols.
#[derive(Debug, thiserror::Error)]
pub enum PdbProblem {
    #[error("no PDB was found")]
    Missing,
    /// A PDB of that name is there, but of another build.
    #[error("{} belongs to another build", path.display())]
    Mismatch { path: PathBuf },
    #[error("{0}")]
    Unreadable(String),
}

impl Pdb {
    /// The files that may be it, the nearer first.
    pub(crate) fn places(assembly: &Assembly) -> impl Iterator<Item = PathBuf> + use<> {
        let beside = assembly.path().with_extension("pdb");
        let built = assembly.code_view().and_then(|view| local_path(&view.path)).filter(|path| *path != beside);
        std::iter::once(beside).chain(built)
    }

    /// The first PDB whose id is that of the assembly's CodeView entry. Why the nearer ones cannot be used is reported only if
    /// no other place has it.
    pub(crate) fn find(assembly: &Assembly) -> Result<Self, PdbProblem> {
        let code_view = assembly.code_view();
        let mut problem = PdbProblem::Missing;
        for path in Self::places(assembly) {
            match Pdb::open(&path) {
                Ok(pdb) if code_view.as_ref().is_none_or(|view| view.id == pdb.id) => {
                    return Ok(pdb);
                }
                Ok(_) => problem.worsen(PdbProblem::Mismatch { path }),
                Err(MetadataError::Io { source, .. }) if source.kind() == std::io::ErrorKind::NotFound => {}
                Err(error) => problem.worsen(PdbProblem::Unreadable(error.to_string())),
            }
        }
        match assembly.embedded_pdb().map(inflate) {
            Some(Ok(pdb)) => Ok(pdb),
            Some(Err(what)) => {
                Err(PdbProblem::Unreadable(format!("{}: embedded PDB: {what}", assembly.path().display())))
            }
            None => Err(problem),
        }
    }
}

impl PdbProblem {
    /// The first real problem is the one to report.
    fn worsen(&mut self, other: PdbProblem) {
        if matches!(self, Self::Missing) {
            *self = other;
        }
    }
}

/// The compiler's path, if it can be one of this machine. A network share must not be touched because a file says so.
fn local_path(path: &str) -> Option<PathBuf> {
    let is_share = path.starts_with("\\\\") || path.starts_with("//");
    let path = Path::new(path);
    (path.is_absolute() && !is_share).then(|| path.to_owned())
}

/// `MPDB`, the inflated size, then a raw deflate stream.
fn inflate(bytes: &[u8]) -> Result<Pdb, String> {
    let broken = || "no MPDB header".to_owned();
    let (magic, rest) = bytes.split_first_chunk::<4>().ok_or_else(broken)?;
    let (size, deflated) = rest.split_first_chunk::<4>().ok_or_else(broken)?;
    if magic != b"MPDB" {
        return Err(broken());
    }
    let inflated = inflate_exactly(deflated, u32::from_le_bytes(*size))?;
    Pdb::from_bytes(inflated).map_err(|flaw| flaw.to_string())
}

/// Inflates to the size that the file claims, or fails; memory grows with what is really there.
pub(super) fn inflate_exactly(deflated: &[u8], size: u32) -> Result<Vec<u8>, String> {
    if size > MAX_INFLATED {
        return Err(format!("claims to inflate to {size} bytes"));
    }
    let mut inflated = Vec::new();
    let mut decoder = flate2::read::DeflateDecoder::new(deflated).take(u64::from(size));
    decoder.read_to_end(&mut inflated).map_err(|error| error.to_string())?;
    match inflated.len() == size as usize {
        true => Ok(inflated),
        false => Err(format!("inflates to {} bytes instead of {size}", inflated.len())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_other_machines_are_not_tried() {
        for path in ["//server/share/a.pdb", "\\\\server\\share\\a.pdb", "a.pdb", "obj/a.pdb", ""] {
            assert_eq!(local_path(path), None, "{path}");
        }
        #[cfg(unix)]
        assert_eq!(local_path("/src/obj/a.pdb"), Some(PathBuf::from("/src/obj/a.pdb")));
    }

    #[test]
    fn a_bomb_does_not_inflate() {
        use std::io::Write;
        let mut encoder = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::best());
        encoder.write_all(&vec![0; 1 << 20]).unwrap();
        let deflated = encoder.finish().unwrap();
        assert_eq!(inflate_exactly(&deflated, 1 << 20).unwrap().len(), 1 << 20);
        // Never more than it says, never more than the limit.
        assert_eq!(inflate_exactly(&deflated, 10).unwrap().len(), 10);
        assert!(inflate_exactly(&deflated, 2 << 20).is_err());
        assert!(inflate_exactly(&deflated, u32::MAX).is_err());
        assert!(inflate(b"MPDB\0\0\0\xff").is_err());
    }
}
