//! Assemblies that stay open between questions, until their files change.
//!
//! Race to remember: a file written just now may be written again within one tick of the file system's clock, with the same time.
//! So it is cached only once its time lies in the past.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use super::assembly::Assembly;
use super::error::MetadataError;
use super::stamp::Stamp;

/// A few frameworks of 170 files each. Their files are mapped, so what is kept is little but address space.
const MOST: usize = 1_000;
/// Bytes of files that are read, not mapped, together.
const MOST_READ: usize = 16 << 20;
/// The clocks of file systems are no coarser (FAT).
const TICK: Duration = Duration::from_secs(2);
/// Who was not asked for that long makes room. Not the one asked longest ago: questions go round the same files, and of more than
/// there is room for, the next one would always be gone.
const IDLE: Duration = Duration::from_secs(60);

/// Opens assemblies, and keeps them.
#[derive(Debug, Default)]
pub struct AssemblyCache {
    kept: Mutex<HashMap<PathBuf, Kept>>,
}

#[derive(Debug)]
struct Kept {
    stamp: Stamp,
    assembly: Arc<Assembly>,
    asked: Instant,
}

impl AssemblyCache {
    /// # Errors
    /// Those of [`Assembly::open`].
    pub fn open(&self, path: &Path) -> Result<Arc<Assembly>, MetadataError> {
        self.open_at(SystemTime::now(), path)
    }

    fn open_at(&self, now: SystemTime, path: &Path) -> Result<Arc<Assembly>, MetadataError> {
        let stamp = Stamp::of(path);
        if let Some(assembly) = self.known(path, stamp) {
            return Ok(assembly);
        }
        let assembly = Assembly::open(path)?;
        if stamp.is_older_than(TICK, now) {
            keep(&mut self.kept(), path, Kept { stamp, assembly: Arc::clone(&assembly), asked: Instant::now() });
        }
        Ok(assembly)
    }

    fn known(&self, path: &Path, stamp: Stamp) -> Option<Arc<Assembly>> {
        let mut kept = self.kept();
        let known = kept.get_mut(path)?;
        if known.stamp == stamp && known.assembly.has_current_symbols() {
            known.asked = Instant::now();
            return Some(Arc::clone(&known.assembly));
        }
        kept.remove(path);
        None
    }

    fn kept(&self) -> MutexGuard<'_, HashMap<PathBuf, Kept>> {
        // Nothing is left half done where a holder could panic.
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn keep(all: &mut HashMap<PathBuf, Kept>, path: &Path, new: Kept) {
    let has_room = |all: &HashMap<PathBuf, Kept>| {
        let read: usize = all.values().map(|it| it.assembly.read_bytes()).sum();
        all.len() < MOST && read + new.assembly.read_bytes() <= MOST_READ
    };
    if !has_room(all) {
        all.retain(|_, it| new.asked.duration_since(it.asked) < IDLE);
    }
    if has_room(all) {
        all.insert(path.to_owned(), new);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/assemblies");

    /// As a build does, over what is there.
    fn write(name: &str, to: &Path) {
        std::fs::write(to, std::fs::read(Path::new(DATA).join(name)).unwrap()).unwrap();
    }

    /// A moment at which what is written now is old.
    fn later() -> SystemTime {
        SystemTime::now() + TICK * 2
    }

    #[test]
    fn a_file_stays_open_until_it_changes() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("A.dll");
        write("Basics.dll", &file);
        let files = AssemblyCache::default();
        let first = files.open_at(later(), &file).unwrap();
        assert!(Arc::ptr_eq(&first, &files.open(&file).unwrap()));
        write("Shapes.dll", &file);
        assert_eq!(files.open(&file).unwrap().name(), "Shapes");
        assert_eq!(first.name(), "Basics", "the old one stays whole for who holds it");
        std::fs::remove_file(&file).unwrap();
        assert!(files.open(&file).is_err());
    }

    #[test]
    fn a_file_that_could_change_unseen_is_not_kept() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("A.dll");
        write("Basics.dll", &file);
        // a build's copy has the time of what it was copied from
        let old = SystemTime::now() - TICK * 9;
        std::fs::File::options().write(true).open(&file).unwrap().set_modified(old).unwrap();
        let files = AssemblyCache::default();
        assert!(!Arc::ptr_eq(&files.open(&file).unwrap(), &files.open(&file).unwrap()));
    }

    #[test]
    fn symbols_that_come_later_are_seen() {
        let folder = tempfile::tempdir().unwrap();
        let (file, symbols) = (folder.path().join("Basics.dll"), folder.path().join("Basics.pdb"));
        write("Basics.dll", &file);
        let files = AssemblyCache::default();
        assert!(files.open_at(later(), &file).unwrap().pdb().is_none());
        write("Basics.pdb", &symbols);
        assert!(files.open_at(later(), &file).unwrap().pdb().is_some());
        std::fs::remove_file(&symbols).unwrap();
        assert!(files.open_at(later(), &file).unwrap().pdb().is_none());
    }

    #[test]
    fn what_was_asked_of_late_is_not_given_up_for_another() {
        let folder = tempfile::tempdir().unwrap();
        let assembly = |name: &str| {
            let file = folder.path().join(name);
            write("Basics.dll", &file);
            Assembly::open(&file).unwrap()
        };
        let now = Instant::now() + IDLE * 2;
        let kept = |name: &str, asked| Kept { stamp: Stamp::of(Path::new(name)), assembly: assembly(name), asked };
        let size = assembly("size").read_bytes();
        assert!(size > 0);
        let full = MOST.min(MOST_READ / size);
        let mut all = HashMap::new();
        let shared = assembly("many");
        for number in 0..full {
            let stamp = Stamp::of(Path::new("many"));
            let name = number.to_string();
            keep(&mut all, Path::new(&name), Kept { stamp, assembly: Arc::clone(&shared), asked: now });
        }
        assert_eq!(all.len(), full);
        keep(&mut all, Path::new("one more"), kept("a", now));
        assert!(!all.contains_key(Path::new("one more")));
        keep(&mut all, Path::new("a minute later"), kept("b", now + IDLE));
        assert_eq!(all.len(), 1);
    }
}
