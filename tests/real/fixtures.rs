//! The programs that are debugged: copies of `tests/fixtures`, built once and kept until their sources change.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use clrbridge::dotnet::Dotnet;

const BUILD_ALL: &str = r#"<Project DefaultTargets="Build">
  <ItemGroup><All Include="*/*.csproj" /></ItemGroup>
  <Target Name="Restore"><MSBuild Projects="@(All)" Targets="Restore" /></Target>
  <Target Name="Build"><MSBuild Projects="@(All)" Targets="Build" BuildInParallel="true" /></Target>
</Project>"#;

/// The folder of the built copies, or what is missing.
pub fn build(dotnet: &Dotnet) -> Result<PathBuf, String> {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("real");
    fs::create_dir_all(&root).map_err(|error| error.to_string())?;
    // The other adapter's tests may be run at the same time.
    let lock = fs::File::create(root.join("lock")).unwrap();
    lock.lock().unwrap();
    let mut stale = copy_changed(&sources, &root);
    stale |= write_changed(&root.join("all.proj"), BUILD_ALL.as_bytes());
    let built = root.join("built");
    if stale || !built.exists() {
        let _ = fs::remove_file(&built);
        let output = Command::new(&dotnet.host)
            .current_dir(&root)
            .args(["build", "all.proj", "-restore", "-nologo", "-v:quiet", "-p:UseSharedCompilation=false"])
            .envs([("DOTNET_CLI_USE_MSBUILD_SERVER", "0"), ("MSBUILDDISABLENODEREUSE", "1")])
            .output()
            .map_err(|error| error.to_string())?;
        if !output.status.success() {
            return Err(format!("fixtures do not build: {}", String::from_utf8_lossy(&output.stdout).trim()));
        }
        fs::write(built, "").unwrap();
    }
    Ok(root)
}

/// Sources only; answers whether one was new or different.
pub fn copy_changed(from: &Path, to: &Path) -> bool {
    fs::create_dir_all(to).unwrap();
    let mut changed = false;
    for entry in fs::read_dir(from).unwrap().flatten() {
        let (name, target) = (entry.file_name(), to.join(entry.file_name()));
        if entry.path().is_dir() {
            if name != "bin" && name != "obj" {
                changed |= copy_changed(&entry.path(), &target);
            }
        } else {
            changed |= write_changed(&target, &fs::read(entry.path()).unwrap());
        }
    }
    changed
}

fn write_changed(path: &Path, content: &[u8]) -> bool {
    let differs = fs::read(path).map_or(true, |old| old != content);
    if differs {
        fs::write(path, content).unwrap();
    }
    differs
}

/// The 1-based line that ends with `// BP:marker`, or has it within.
pub fn line_of(source: &Path, marker: &str) -> u64 {
    let text = fs::read_to_string(source).unwrap();
    let is_marked = |line: &str| line.split("BP:").skip(1).any(|rest| rest.trim_end() == marker);
    let index = text.lines().position(is_marked).unwrap_or_else(|| panic!("no BP:{marker} in {}", source.display()));
    index as u64 + 1
}
