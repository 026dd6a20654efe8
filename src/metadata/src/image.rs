//! The bytes of a file: read into memory, or mapped.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use memmap2::{Mmap, MmapMut, MmapOptions};

/// Larger files are mapped.
const READ_UP_TO: u64 = 4 << 20;

pub enum Image {
    Given(Vec<u8>),
    /// Into pages of its own, which go back to the system with it: the heap would keep those of a workspace.
    Read(MmapMut, usize),
    Mapped(Mmap),
}

impl Image {
    /// A map of a file that is cut short while mapped (a rebuild does that to the user's own assemblies) kills the process with
    /// SIGBUS at the next read. So small files are read; only large ones, and those of a shared framework, which no build
    /// touches, are mapped: all of Microsoft.NETCore.App would be 70 MB of heap otherwise.
    pub fn open(path: &Path) -> std::io::Result<Self> {
        // A pipe or a device would block, when it is opened already, or never end.
        if !std::fs::metadata(path)?.is_file() {
            return Err(std::io::Error::new(std::io::ErrorKind::InvalidInput, "not a regular file"));
        }
        let mut file = File::open(path)?;
        let facts = file.metadata()?;
        if facts.len() <= READ_UP_TO && !is_in_shared_framework(path) && !links_to_shared_framework(path) {
            return Self::read(&mut file, facts.len() as usize);
        }
        // SAFETY: the map is read-only and private to us; all reads go through bounds-checked slices and treat the bytes as
        // untrusted, so a change of the file's content can only lead to an error. Truncation is the remaining hazard: see above.
        let map = unsafe { Mmap::map(&file)? };
        Ok(Self::Mapped(map))
    }

    /// A file that grows meanwhile takes no more than was looked at.
    fn read(file: &mut File, length: usize) -> std::io::Result<Self> {
        let Some(length) = Some(length).filter(|&length| length > 0) else { return Ok(Self::Given(Vec::new())) };
        let mut pages = MmapOptions::new().len(length).populate().map_anon()?;
        let mut filled = 0;
        while let Some(rest) = pages.get_mut(filled..).filter(|rest| !rest.is_empty()) {
            match file.read(rest) {
                Ok(0) => break,
                Ok(count) => filled += count,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(Self::Read(pages, filled))
    }

    pub fn bytes(&self) -> &[u8] {
        match self {
            Self::Given(bytes) => bytes,
            Self::Read(pages, filled) => pages.get(..*filled).unwrap_or_default(),
            Self::Mapped(map) => map,
        }
    }
}

/// `…/shared/Microsoft.NETCore.App/10.0.0/X.dll`: the layout of a .NET installation.
fn is_in_shared_framework(path: &Path) -> bool {
    let mut folders = path.ancestors().skip(2);
    let framework = folders.next().and_then(Path::file_name);
    let shared = folders.next().and_then(Path::file_name);
    shared.is_some_and(|name| name == "shared")
        && framework.is_some_and(|name| name.to_string_lossy().starts_with("Microsoft."))
}

/// Such a link is the framework's file itself.
fn links_to_shared_framework(path: &Path) -> bool {
    path.is_symlink() && path.canonicalize().is_ok_and(|target| is_in_shared_framework(&target))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_installed_framework_counts_as_shared() {
        for (path, shared) in [
            ("/usr/share/dotnet/shared/Microsoft.NETCore.App/10.0.0/System.Linq.dll", true),
            ("/home/me/shared/App/bin/App.dll", false),
            ("/home/me/Microsoft.NETCore.App/10.0.0/System.Linq.dll", false),
            ("App.dll", false),
        ] {
            assert_eq!(is_in_shared_framework(Path::new(path)), shared, "{path}");
        }
    }

    #[test]
    #[cfg(unix)]
    fn a_link_to_a_file_of_a_framework_is_mapped_and_a_copy_of_it_read() {
        let folder = tempfile::tempdir().unwrap();
        let home = folder.path().join("shared/Microsoft.NETCore.App/10.0.0");
        std::fs::create_dir_all(&home).unwrap();
        let (file, link, copy) = (home.join("A.dll"), folder.path().join("A.dll"), folder.path().join("B.dll"));
        std::fs::write(&file, b"MZ").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        std::fs::copy(&file, &copy).unwrap();
        assert!(matches!(Image::open(&file).unwrap(), Image::Mapped(_)));
        assert!(matches!(Image::open(&link).unwrap(), Image::Mapped(_)));
        assert!(matches!(Image::open(&copy).unwrap(), Image::Read(..)));
    }

    #[test]
    fn a_device_is_refused_instead_of_read_for_ever() {
        #[cfg(unix)]
        assert!(Image::open(Path::new("/dev/zero")).is_err());
        assert!(Image::open(Path::new("/")).is_err());
    }
}
