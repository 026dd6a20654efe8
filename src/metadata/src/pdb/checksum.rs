//! The checksum of a PDB, which its assembly may hold beside the id: an id is kept by tools that rewrite a PDB, this is not.
//! <https://github.com/dotnet/runtime/blob/main/docs/design/specs/PE-COFF.md#pdb-checksum-debug-directory-entry-type-19>

use sha1::Digest;

use super::Pdb;
use crate::assembly::Assembly;
use crate::pe::DebugEntry;

/// What a debug directory entry of type 19 says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PdbChecksum {
    /// `SHA256`, `SHA384`, `SHA512`, `SHA1`.
    pub algorithm: String,
    pub checksum: Vec<u8>,
}

impl Assembly {
    /// The checksums of its PDB that the image holds, as written when it was built.
    pub fn pdb_checksums(&self) -> Vec<PdbChecksum> {
        let entries = self.pe().debug.iter().filter(|entry| entry.kind == DebugEntry::PDB_CHECKSUM);
        entries
            .filter_map(|entry| {
                let data = self.metadata.bytes().get(entry.data.clone())?;
                let end = data.iter().position(|&byte| byte == 0)?;
                let algorithm = std::str::from_utf8(data.get(..end)?).ok()?.to_owned();
                Some(PdbChecksum { algorithm, checksum: data.get(end + 1..)?.to_vec() })
            })
            .collect()
    }

    /// Whether the PDB that was found is byte for byte the one that was built; `None` if the image does not say, or in an
    /// algorithm that is not known here.
    pub fn pdb_is_intact(&self) -> Option<bool> {
        let pdb = self.pdb()?;
        self.pdb_checksums().iter().find_map(|expected| Some(pdb.checksum(&expected.algorithm)? == expected.checksum))
    }
}

impl Pdb {
    /// Of the PDB's bytes with zeros in the place of its id, which is made from them.
    fn checksum(&self, algorithm: &str) -> Option<Vec<u8>> {
        let bytes = self.metadata.bytes();
        let id = self.metadata.streams.pdb.as_ref()?.start;
        let parts = [bytes.get(..id)?, &[0; 20], bytes.get(id.checked_add(20)?..)?];
        Some(match algorithm {
            "SHA1" => digest::<sha1::Sha1>(&parts),
            "SHA256" => digest::<sha2::Sha256>(&parts),
            "SHA384" => digest::<sha2::Sha384>(&parts),
            "SHA512" => digest::<sha2::Sha512>(&parts),
            _ => return None,
        })
    }
}

fn digest<D: Digest>(parts: &[&[u8]]) -> Vec<u8> {
    let mut digest = D::new();
    for part in parts {
        digest.update(part);
    }
    digest.finalize().to_vec()
}
