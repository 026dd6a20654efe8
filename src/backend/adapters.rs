//! The adapters known by name: one line each in `KNOWN`, one file each beside this one.

use super::known::{Archives, Known};
use super::quirks::Quirks;
use super::{builtin, dncdbg, netcoredbg};

/// In the order in which they are looked for.
pub(super) const KNOWN: &[&Known] = &[&netcoredbg::KNOWN, &dncdbg::KNOWN, &builtin::KNOWN];

/// The names that `--backend` takes for them.
pub fn names() -> impl Iterator<Item = &'static str> {
    KNOWN.iter().map(|known| known.name)
}

/// Those whose executable's path can be set: name, and the environment variable for it.
pub fn installed() -> impl Iterator<Item = (&'static str, &'static str)> {
    KNOWN.iter().filter_map(|known| Some((known.name, known.installed()?.variable)))
}

/// The archives of the adapter of that name, or of the first that has some when `None`.
pub fn archives(name: Option<&str>) -> Option<Archives> {
    let named = KNOWN.iter().filter(|known| name.is_none_or(|name| name == known.name));
    named.filter_map(|known| known.installed()).find_map(|installed| installed.archives)
}

/// The quirks of the adapter of that name, in any letter case; of an unknown one the conservative ones.
pub fn quirks_of(name: &str) -> Quirks {
    let known = KNOWN.iter().find(|known| known.name.eq_ignore_ascii_case(name));
    known.map_or_else(Quirks::conservative, |known| (known.quirks)())
}
