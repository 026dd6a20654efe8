//! The C# side: built once, kept until its sources change.

use std::path::{Path, PathBuf};
use std::process::Command;

pub struct Oracle {
    host: PathBuf,
    program: PathBuf,
    shared: PathBuf,
}

impl Oracle {
    /// `None`, after a line that says why, where there is no .NET 10 SDK.
    pub fn build() -> Option<Self> {
        let host = which::which("dotnet").ok().and_then(|host| host.canonicalize().ok());
        let Some(host) = host.filter(|host| has_sdk(host)) else {
            println!("skipped: no .NET 10 SDK");
            return None;
        };
        let shared = host.parent().unwrap().join("shared");
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/oracle");
        let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("oracle");
        std::fs::create_dir_all(&root).unwrap();
        // Other tests of this file build at the same time.
        let lock = std::fs::File::create(root.join("lock")).unwrap();
        lock.lock().unwrap();
        let program = root.join("bin/Oracle.dll");
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
        if !program.exists() || std::fs::read(&stamp).ok().as_ref() != Some(&text) {
            let built = Command::new(&host)
                .current_dir(&root)
                .args(["build", "Oracle.csproj", "-nologo", "-v:quiet", "-p:UseSharedCompilation=false", "-o", "bin"])
                .envs([("DOTNET_CLI_USE_MSBUILD_SERVER", "0"), ("MSBUILDDISABLENODEREUSE", "1")])
                .output()
                .unwrap();
            assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stdout));
            std::fs::write(stamp, text).unwrap();
        }
        Some(Self { host, program, shared })
    }

    /// The assemblies of the newest version of a framework.
    pub fn framework(&self, name: &str) -> Vec<PathBuf> {
        let versions = std::fs::read_dir(self.shared.join(name)).unwrap().map(|entry| entry.unwrap().path());
        let newest = versions.max_by_key(|path| version(path)).unwrap();
        super::dlls_in(&newest)
    }

    /// What the program prints of each file. `enums` are only read for their enums.
    pub fn print(&self, files: &[PathBuf], enums: &[PathBuf]) -> Vec<String> {
        let mut list = String::new();
        for path in enums {
            list.push_str(&format!("+{}\n", path.display()));
        }
        for path in files {
            list.push_str(&format!("{}\n", path.display()));
        }
        let names = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(names.path(), list).unwrap();
        let output =
            Command::new(&self.host).arg(&self.program).arg(format!("@{}", names.path().display())).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let text = String::from_utf8(output.stdout).unwrap();
        let mut starts = vec![];
        let mut at = 0;
        for file in files {
            let heading = format!("== {}\n", file.display());
            at += text[at..].find(&heading).unwrap();
            starts.push((at, at + heading.len()));
        }
        starts.push((text.len(), 0));
        starts.windows(2).map(|pair| text[pair[0].1..pair[1].0].to_owned()).collect()
    }
}

fn version(path: &Path) -> Vec<u32> {
    let name = path.file_name().unwrap().to_string_lossy().into_owned();
    name.split(['.', '-']).map_while(|part| part.parse().ok()).collect()
}

fn has_sdk(host: &Path) -> bool {
    let listed = Command::new(host).arg("--list-sdks").output();
    listed.is_ok_and(|listed| String::from_utf8_lossy(&listed.stdout).lines().any(|line| line.starts_with("10.")))
}
