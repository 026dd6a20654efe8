//! What a caller's `program` names: a dll, an apphost, a project, a source file; and what is nearest when it names nothing.

use std::path::{Path, PathBuf};

use super::DotnetError;
use super::image::{Image, classify};
use super::project::{is_project, is_skipped_folder, lossy};
use super::solution::{Solution, is_solution};
use crate::environment::process_env;

/// A program as named, absolute and existing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Located {
    /// A managed dll; what it lacks to be a program is checked later.
    Dll(PathBuf),
    Project(PathBuf),
    /// A file-based program.
    Source(PathBuf),
}

const HINT: &str = "pass a .NET dll, its executable, a project, its folder or a .cs file";

/// Suggestions that one message holds.
const NEAREST: usize = 4;

/// Resolves `program` against `base`.
pub(crate) fn locate(program: &str, base: &Path) -> Result<Located, DotnetError> {
    let asked = program.trim();
    if asked.is_empty() {
        return Err(invalid("`program` is empty", HINT));
    }
    let asked = expand_home(asked);
    let path = base.join(&asked);
    // Adapters bind breakpoints by exact paths, and pdbs hold real ones.
    let Ok(path) = path.canonicalize() else {
        // `Basics` for an executable on Windows, `bin/App` for `bin/App.dll`.
        let dll = append(&path, ".dll");
        return match dll.canonicalize() {
            Ok(dll) => file(&dll),
            Err(_) => Err(DotnetError::ProgramNotFound {
                path: path.display().to_string(),
                nearest: nearest(&path, base, &["dll", "cs"]),
            }),
        };
    };
    if path.is_dir() { folder(&path) } else { file(&path) }
}

pub(crate) fn expand_home(asked: &str) -> PathBuf {
    match (asked.strip_prefix("~/"), process_env("HOME")) {
        (Some(rest), Some(home)) => Path::new(&home).join(rest),
        _ => PathBuf::from(asked),
    }
}

fn file(path: &Path) -> Result<Located, DotnetError> {
    let extension = path.extension().and_then(|ext| ext.to_str()).unwrap_or_default().to_ascii_lowercase();
    match extension.as_str() {
        _ if is_project(path) => return Ok(Located::Project(path.into())),
        "cs" => {
            // Program.cs of a project means the project; alone it is a program of its own.
            let beside = path.parent().map(projects_in).unwrap_or_default();
            return match beside.as_slice() {
                [] => Ok(Located::Source(path.into())),
                [project] => Ok(Located::Project(project.clone())),
                several => Err(several_projects(path, several)),
            };
        }
        _ if is_solution(path) => {
            let text = lossy(path).unwrap_or_default();
            let projects = Solution::parse(path, &text).map(|it| it.projects).unwrap_or_default();
            let list = if projects.is_empty() {
                HINT.to_owned()
            } else {
                format!("use one of its projects: {}", some(&projects))
            };
            return Err(invalid(&format!("{} is a solution", path.display()), &list));
        }
        _ => {}
    }
    let image = classify(path).map_err(DotnetError::io(format!("cannot read {}", path.display())))?;
    let refuse = |reason: &str, hint: &str| {
        Err(DotnetError::NotDotnetProgram {
            path: path.display().to_string(),
            reason: reason.into(),
            hint: hint.into(),
        })
    };
    match image {
        Image::Managed => Ok(Located::Dll(path.into())),
        Image::Native | Image::SingleFile if apphost_dll(path).is_some() => {
            Ok(Located::Dll(apphost_dll(path).unwrap_or_default()))
        }
        Image::SingleFile => refuse(
            "is a single-file program, which debug adapters cannot launch (no separate libcoreclr)",
            "pass its project, or publish without PublishSingleFile",
        ),
        Image::Native if extension == "dll" => refuse("is a native library, not a .NET assembly (no CLR header)", HINT),
        Image::Native => refuse("is a native program: there is no .NET assembly of the same name next to it", HINT),
        Image::Corrupted => {
            refuse("is corrupt: it starts like an assembly but its PE headers are invalid", "build it again")
        }
        Image::Empty => refuse("is empty (0 bytes)", "build it again"),
        Image::Script => refuse("is a script, not a .NET program", "pass the dll or project that it starts"),
        Image::Other => refuse("is not a .NET program: neither an assembly nor an executable", HINT),
    }
}

/// `X.dll` beside the executable `X` or `X.exe`.
fn apphost_dll(path: &Path) -> Option<PathBuf> {
    let name = path.file_name()?.to_str()?;
    let stem = name.strip_suffix(".exe").unwrap_or(name);
    let dll = path.with_file_name(format!("{stem}.dll"));
    (dll != path && matches!(classify(&dll), Ok(Image::Managed))).then_some(dll)
}

fn folder(path: &Path) -> Result<Located, DotnetError> {
    let projects = projects_in(path);
    match projects.as_slice() {
        [project] => return Ok(Located::Project(project.clone())),
        [] => {}
        several => return Err(several_projects(path, several)),
    }
    let programs: Vec<PathBuf> = files_in(path, |name| name.ends_with(".runtimeconfig.json"))
        .iter()
        .filter_map(|config| {
            Some(config.with_file_name(config.file_name()?.to_str()?.replace(".runtimeconfig.json", ".dll")))
        })
        .filter(|dll| dll.is_file())
        .collect();
    match programs.as_slice() {
        [dll] => return file(dll),
        [] => {}
        several => {
            return Err(invalid(
                &format!("{} contains {} programs", path.display(), several.len()),
                &format!("use one of: {}", some(&names(several))),
            ));
        }
    }
    let below: Vec<String> = projects_below(path, 3)
        .iter()
        .filter_map(|project| Some(project.strip_prefix(path).ok()?.display().to_string()))
        .collect();
    let hint = if below.is_empty() { HINT.to_owned() } else { format!("projects below it: {}", some(&below)) };
    let reason = "is a folder with neither a project nor a built program in it";
    Err(DotnetError::NotDotnetProgram { path: path.display().to_string(), reason: reason.into(), hint })
}

fn several_projects(path: &Path, several: &[PathBuf]) -> DotnetError {
    let folder = if path.is_dir() { path } else { path.parent().unwrap_or(path) };
    invalid(
        &format!("{} contains {} projects", folder.display(), several.len()),
        &format!("use one of: {}", some(&names(several))),
    )
}

fn invalid(message: &str, hint: &str) -> DotnetError {
    DotnetError::InvalidArgument { argument: "program".into(), message: message.into(), hint: hint.into() }
}

fn names(paths: &[PathBuf]) -> Vec<String> {
    paths.iter().filter_map(|path| Some(path.file_name()?.to_string_lossy().into_owned())).collect()
}

fn some(all: &[String]) -> String {
    let shown: Vec<&str> = all.iter().take(NEAREST).map(String::as_str).collect();
    let more = all.len().saturating_sub(NEAREST);
    if more == 0 { shown.join(", ") } else { format!("{} and {more} more", shown.join(", ")) }
}

fn append(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

fn files_in(folder: &Path, wanted: impl Fn(&str) -> bool) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> = entries
        .filter(|entry| entry.file_name().to_str().is_some_and(&wanted))
        .map(|entry| entry.path())
        .filter(|path| path.is_file())
        .collect();
    found.sort();
    found
}

fn projects_in(folder: &Path) -> Vec<PathBuf> {
    files_in(folder, |name| is_project(Path::new(name)))
}

/// Projects in the folders below, breadth first; bounded, so that a home folder does no harm.
fn projects_below(folder: &Path, depth: usize) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut level = vec![folder.to_owned()];
    let mut left = 2_000usize;
    for _ in 0..=depth {
        let mut next = Vec::new();
        for folder in level {
            found.extend(projects_in(&folder));
            for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
                left = left.saturating_sub(1);
                let name = entry.file_name();
                let name = name.to_string_lossy();
                let skipped = is_skipped_folder(&name);
                if left > 0 && !skipped && entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                    next.push(entry.path());
                }
            }
        }
        next.sort();
        level = next;
    }
    found
}

/// Existing names like the missing one: beside it (folders, projects, files of these `extensions`), and projects below `base`.
pub(crate) fn nearest(missing: &Path, base: &Path, extensions: &[&str]) -> Vec<String> {
    let wanted = missing.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    let show = |path: &Path| path.strip_prefix(base).unwrap_or(path).display().to_string();
    let folder = missing.parent().unwrap_or(base);
    let beside = std::fs::read_dir(folder).into_iter().flatten().flatten().take(1000).map(|entry| entry.path());
    let candidates = beside.filter(|path| {
        let extension = path.extension().and_then(|ext| ext.to_str()).unwrap_or_default();
        path.is_dir() || is_project(path) || extension.is_empty() || extensions.contains(&extension)
    });
    let of_name = candidates.map(|path| (alike(&wanted, &path), path));
    // A bare project name means its folder, wherever it lies.
    let projects = projects_below(base, 3).into_iter().filter_map(|project| {
        let by_stem = alike(&wanted, Path::new(project.file_stem()?)).max(alike(&wanted, &project));
        Some((by_stem, project))
    });
    let mut found: Vec<(f64, PathBuf)> = of_name.chain(projects).filter(|(score, _)| *score >= 0.75).collect();
    found.sort_by(|(a, a_path), (b, b_path)| b.total_cmp(a).then_with(|| a_path.cmp(b_path)));
    let mut shown: Vec<String> = Vec::new();
    for (_, path) in found {
        let text = show(&path);
        if !shown.contains(&text) && shown.len() < NEAREST {
            shown.push(text);
        }
    }
    shown
}

fn alike(wanted: &str, path: &Path) -> f64 {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    strsim::jaro_winkler(wanted, &name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    const SOLUTION: &str = "Microsoft Visual Studio Solution File, Format Version 12.00\n\
        Project(\"{9A19103F-16F7-4668-BE54-9A1E7A4F7556}\") = \"A\", \"a\\A.csproj\", \"{1}\"\n";

    fn tree(files: &[&str]) -> (tempfile::TempDir, PathBuf) {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        for file in files {
            let path = root.join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, if file.ends_with(".sln") { SOLUTION } else { "text" }).unwrap();
        }
        (dir, root)
    }

    #[test]
    fn projects_folders_and_sources_are_distinguished() {
        let (_dir, root) = tree(&["Basics/Basics.csproj", "Basics/Program.cs", "lone/app.cs", "F/F.fsproj"]);
        let basics = Located::Project(root.join("Basics/Basics.csproj"));
        for program in
            ["Basics", "Basics/", "./Basics/Basics.csproj", "Basics/Program.cs", root.join("Basics").to_str().unwrap()]
        {
            assert_eq!(locate(program, &root).unwrap(), basics, "{program}");
        }
        assert_eq!(locate("F", &root).unwrap(), Located::Project(root.join("F/F.fsproj")));
        assert_eq!(locate("lone/app.cs", &root).unwrap(), Located::Source(root.join("lone/app.cs")));
    }

    #[test]
    fn what_cannot_be_meant_says_why() {
        let (_dir, root) =
            tree(&["two/A.csproj", "two/B.csproj", "x/y/C.csproj", "all.sln", "readme.txt", "empty.dll"]);
        fs::write(root.join("empty.dll"), "").unwrap();
        fs::write(root.join("broken.dll"), b"MZ\0\0").unwrap();
        fs::write(root.join("native"), b"\x7fELF....").unwrap();
        fs::write(root.join("run.sh"), b"#!/bin/sh").unwrap();
        let cases = [
            ("two", "contains 2 projects", "use one of: A.csproj, B.csproj"),
            ("x", "neither a project nor a built program", "projects below it: y/C.csproj"),
            ("all.sln", "is a solution", "use one of its projects: a/A.csproj"),
            ("readme.txt", "is not a .NET program", HINT),
            ("empty.dll", "is empty (0 bytes)", "build it again"),
            ("empty", "is empty (0 bytes)", "build it again"),
            ("broken.dll", "is corrupt", "build it again"),
            ("native", "is a native program", HINT),
            ("run.sh", "is a script", "pass the dll"),
            ("", "`program` is empty", HINT),
        ];
        for (program, message, hint) in cases {
            let error = locate(program, &root).unwrap_err();
            assert!(error.to_string().contains(message), "{program}: {error}");
            assert!(error.hint().starts_with(hint), "{program}: {}", error.hint());
        }
    }

    #[test]
    fn a_missing_program_names_what_is_like_it() {
        let (_dir, root) = tree(&["Basics/Basics.csproj", "src/deep/Orders/Orders.csproj", "Other/Other.csproj"]);
        let message = |program: &str| locate(program, &root).unwrap_err().to_string();
        assert_eq!(
            message("Basic"),
            format!("{} does not exist; did you mean Basics, Basics/Basics.csproj?", root.join("Basic").display())
        );
        assert!(message("Orders").ends_with("did you mean src/deep/Orders/Orders.csproj?"), "{}", message("Orders"));
        assert!(message("zzz").ends_with("zzz does not exist"), "{}", message("zzz"));
    }
}
