//! The programs that are debugged: copies of `tests/fixtures`, built once and kept until their sources change.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use clrbridge::dotnet::Dotnet;

/// What the projects of the fixtures name.
pub const FRAMEWORK: &str = "net10.0";

/// In the folder of a fixture that is built as it is.
const BUILT: &str = ".built";

/// A project that builds those of some folders at once.
fn build_project(folders: &[String]) -> String {
    let projects: String = folders.iter().map(|folder| format!("<All Include=\"{folder}/*.csproj\" />")).collect();
    format!(
        r#"<Project DefaultTargets="Build">
  <ItemGroup>{projects}</ItemGroup>
  <Target Name="Restore"><MSBuild Projects="@(All)" Targets="Restore" /></Target>
  <Target Name="Build"><MSBuild Projects="@(All)" Targets="Build" BuildInParallel="true" /></Target>
</Project>"#
    )
}

/// The folder of the copies built for a framework, or what is missing.
pub fn build(dotnet: &Dotnet, framework: &str) -> Result<PathBuf, String> {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let folder = if framework == FRAMEWORK { "real".into() } else { format!("real-{framework}") };
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join(folder);
    fs::create_dir_all(&root).map_err(|error| error.to_string())?;
    // The other adapter's tests may be run at the same time.
    let lock = fs::File::create(root.join("lock")).unwrap();
    lock.lock().unwrap();
    let mut stale = Vec::new();
    for entry in fs::read_dir(sources).unwrap().flatten() {
        let folder = root.join(entry.file_name());
        let built = folder.join(BUILT);
        if copy_changed(&entry.path(), &folder, framework) || !built.exists() {
            let _ = fs::remove_file(&built);
            stale.push(entry.file_name().into_string().unwrap());
        }
    }
    if !stale.is_empty() {
        fs::write(root.join("stale.proj"), build_project(&stale)).unwrap();
        let output = Command::new(&dotnet.host)
            .current_dir(&root)
            .args(["build", "stale.proj", "-restore", "-nologo", "-v:quiet", "-p:UseSharedCompilation=false"])
            .envs([("DOTNET_CLI_USE_MSBUILD_SERVER", "0"), ("MSBUILDDISABLENODEREUSE", "1")])
            .output()
            .map_err(|error| error.to_string())?;
        if !output.status.success() {
            return Err(format!("fixtures do not build: {}", String::from_utf8_lossy(&output.stdout).trim()));
        }
        stale.iter().for_each(|folder| fs::write(root.join(folder).join(BUILT), "").unwrap());
    }
    Ok(root)
}

/// Sources only, projects made to build for a framework; answers whether one was new or different.
pub fn copy_changed(from: &Path, to: &Path, framework: &str) -> bool {
    fs::create_dir_all(to).unwrap();
    let mut changed = false;
    for entry in fs::read_dir(from).unwrap().flatten() {
        let (name, target) = (entry.file_name(), to.join(entry.file_name()));
        if entry.path().is_dir() {
            if name != "bin" && name != "obj" {
                changed |= copy_changed(&entry.path(), &target, framework);
            }
        } else {
            let mut content = fs::read(entry.path()).unwrap();
            if framework != FRAMEWORK && target.extension().is_some_and(|end| end == "csproj") {
                content = built_for(&String::from_utf8(content).unwrap(), framework).into_bytes();
            }
            changed |= write_changed(&target, &content);
        }
    }
    changed
}

/// A project for another framework, whose own version of the language may be older than the sources.
fn built_for(project: &str, framework: &str) -> String {
    let with = format!("<TargetFramework>{framework}</TargetFramework><LangVersion>14</LangVersion>");
    project.replace(&format!("<TargetFramework>{FRAMEWORK}</TargetFramework>"), &with)
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
