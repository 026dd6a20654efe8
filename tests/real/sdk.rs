//! Our C# programs that tests compare with: built once with the SDK, kept until their sources change.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::needs;

pub struct Program {
    host: PathBuf,
    dll: PathBuf,
}

impl Program {
    /// Builds `NAME.csproj` of `tests/FOLDER`.
    pub fn build(folder: &str, name: &str) -> Self {
        let host = needs::sdk().host;
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(folder);
        let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join(folder);
        std::fs::create_dir_all(&root).unwrap();
        // Other tests of the same file build at the same time.
        let lock = std::fs::File::create(root.join("lock")).unwrap();
        lock.lock().unwrap();
        let dll = root.join(format!("bin/{name}.dll"));
        let stamp = root.join("built");
        let mut text = Vec::new();
        let mut names: Vec<PathBuf> = std::fs::read_dir(&sources).unwrap().map(|entry| entry.unwrap().path()).collect();
        names.sort();
        for path in names {
            if path.extension().is_some_and(|extension| extension == "cs" || extension == "csproj") {
                let content = std::fs::read(&path).unwrap();
                std::fs::write(root.join(path.file_name().unwrap()), &content).unwrap();
                text.extend(content);
            }
        }
        if !dll.exists() || std::fs::read(&stamp).ok().as_ref() != Some(&text) {
            let project = format!("{name}.csproj");
            let built = Command::new(&host)
                .current_dir(&root)
                .args(["build", &project, "-nologo", "-v:quiet", "-p:UseSharedCompilation=false", "-o", "bin"])
                .envs([("DOTNET_CLI_USE_MSBUILD_SERVER", "0"), ("MSBUILDDISABLENODEREUSE", "1")])
                .output()
                .unwrap();
            assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stdout));
            std::fs::write(stamp, text).unwrap();
        }
        Self { host, dll }
    }

    pub fn dll(&self) -> &Path {
        &self.dll
    }

    /// What the program prints when it succeeds.
    pub fn output(&self, arguments: &[String]) -> String {
        let output = Command::new(&self.host).arg(&self.dll).args(arguments).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    /// Where the newest version of a framework is.
    pub fn framework(&self, name: &str) -> PathBuf {
        newest(&self.root().join("shared").join(name)).unwrap()
    }

    /// What compilers take for the frameworks.
    pub fn reference_folders(&self) -> Vec<PathBuf> {
        let packs = ["Microsoft.NETCore.App.Ref", "Microsoft.AspNetCore.App.Ref"]
            .map(|name| self.root().join("packs").join(name));
        packs.iter().filter_map(|pack| Some(newest(pack)?.join("ref/net10.0"))).collect()
    }

    fn root(&self) -> &Path {
        self.host.parent().unwrap()
    }
}

fn newest(folder: &Path) -> Option<PathBuf> {
    let versions = std::fs::read_dir(folder).ok()?.map(|entry| entry.unwrap().path());
    versions.max_by_key(|path| version(path))
}

fn version(path: &Path) -> Vec<u32> {
    let name = path.file_name().unwrap().to_string_lossy().into_owned();
    name.split(['.', '-']).map_while(|part| part.parse().ok()).collect()
}
