//! The recorded session and the program that it debugged.
//!
//! `talk.jsonl` was recorded with `--record` around `clrbridge call -` and the story's calls, the adapter started the program
//! (`--backend external`); paths in it are placeholders. `Shop.dll` and `Shop.pdb` are a Debug build of `Program.cs` with
//! `-p:PathMap=FOLDER=/www…w` (120 w), so that source lines and metadata are there without .NET.

use std::path::Path;
use std::sync::Arc;

use futures::FutureExt as _;

use super::stage::Stage;
use crate::session::Player;
use crate::transport::replay::{self, Recording};

/// Who was recorded, as the header of the talk says.
pub(super) const ADAPTER: &str = "netcoredbg 3.1.2-1";

const TALK: &str = include_str!("talk.jsonl");
const DLL: &[u8] = include_bytes!("Shop.dll");
const PDB: &[u8] = include_bytes!("Shop.pdb");

/// Bytes of the folder's name in the PDB: one part of a document name, a blob behind its length.
const ROOM: u8 = 120;

/// Puts the built program on the stage, and answers who plays the adapter.
///
/// # Errors
/// The files cannot be written.
pub(super) fn player(stage: &Stage) -> anyhow::Result<Player> {
    stage.put("Shop/bin/Debug/net10.0/Shop.dll", DLL)?;
    stage.put("Shop/bin/Debug/net10.0/Shop.pdb", symbols_for(stage.path()))?;
    let workspace = stage.path().display().to_string();
    let recording = Recording::parse(TALK, &[("workspace", workspace.as_str()), ("dotnet", "/usr/share/dotnet")])?;
    let adapter = recording.header().adapter.clone();
    Ok(Player { adapter, play: Arc::new(move |connection| replay::serve(recording.clone(), connection).boxed()) })
}

/// The PDB with its sources in this folder. A name too long for the room stays out: the story then has no source lines.
fn symbols_for(folder: &Path) -> Vec<u8> {
    let folder = folder.display().to_string();
    let name = folder.strip_prefix('/').unwrap_or(&folder).as_bytes();
    let placeholder: Vec<u8> = std::iter::once(ROOM).chain(std::iter::repeat_n(b'w', ROOM.into())).collect();
    let mut symbols = PDB.to_vec();
    let Some(at) = symbols.windows(placeholder.len()).position(|bytes| bytes == placeholder) else { return symbols };
    // The heap is read by offset: what stays behind a shorter blob is nobody's.
    if let Some(length) = u8::try_from(name.len()).ok().filter(|length| *length <= ROOM) {
        let blob = std::iter::once(&length).chain(name);
        symbols.iter_mut().skip(at).zip(blob).for_each(|(old, new)| *old = *new);
    }
    symbols
}

#[cfg(test)]
mod tests {
    use super::*;
    use clr_metadata::Assembly;

    #[test]
    fn the_embedded_symbols_belong_to_the_embedded_source_wherever_it_stands() {
        let stage = Stage::build().unwrap();
        player(&stage).unwrap();
        let assembly = Assembly::open(stage.path().join("Shop/bin/Debug/net10.0/Shop.dll").as_path()).unwrap();
        let source = stage.path().join("Shop/Program.cs");
        let documents = assembly.pdb().unwrap().documents();
        let document = documents.iter().find(|it| it.path == source.display().to_string()).unwrap();
        assert_eq!(document.matches(&std::fs::read(source).unwrap()), Some(true));
    }

    #[test]
    fn the_header_names_the_adapter_that_the_title_names() {
        let header = Recording::parse(TALK, &[]).unwrap().header().clone();
        assert_eq!(format!("{} {}", header.adapter, header.version), ADAPTER);
    }
}
