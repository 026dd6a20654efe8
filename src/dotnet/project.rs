//! Reads a project file as far as its text alone is certain; what MSBuild must evaluate is left to MSBuild.
//!
//! The way past MSBuild saves 0.4 s a launch, and it must never guess: any construct that could move the output
//! makes [`ProjectFile::plain_output`] say nothing.

mod conditions;
mod imports;
mod items;
mod kind;
mod properties;
mod restore;
mod settled;
mod text;

pub use kind::ProjectKind;
pub(crate) use text::{attribute, elements, lossy, unescape, without_comments};

use std::path::{Path, PathBuf};

use conditions::Properties;
use imports::imported;
use settled::{Settled, settled};

/// The text of a project and of the `Directory.Build.props`/`.targets` that it imports, where conditions are certain as they decide.
#[derive(Debug, Clone)]
pub(crate) struct ProjectFile {
    pub path: PathBuf,
    text: String,
    /// The nearest `Directory.Build.props` and `.targets`: path and text.
    imports: Vec<(PathBuf, String)>,
    properties: Properties,
}

/// Files that one project imports, directly or not.
const MOST_BUILD_FILES: usize = 200;

/// `.csproj`, `.fsproj` or `.vbproj`.
pub(crate) fn is_project(path: &Path) -> bool {
    path.extension()
        .and_then(|ext| ext.to_str())
        .is_some_and(|ext| ["csproj", "fsproj", "vbproj"].iter().any(|known| ext.eq_ignore_ascii_case(known)))
}

impl ProjectFile {
    /// `path` must be absolute.
    pub(crate) fn read(path: &Path) -> std::io::Result<Self> {
        let folders: Vec<&Path> = path.ancestors().skip(1).collect();
        let nearest = |name: &str| folders.iter().map(|folder| folder.join(name)).find(|file| file.is_file());
        let imported = |name: &str| {
            let file = nearest(name)?;
            let text = without_comments(&lossy(&file).ok()?);
            Some((file, text))
        };
        let own = (path.to_owned(), without_comments(&lossy(path)?));
        // As MSBuild reads them: the project stands between what its SDK imports before and behind it.
        let before = ["Directory.Build.props", "Directory.Packages.props"].into_iter().filter_map(imported);
        let before: Vec<_> = before.collect();
        let own_at = before.len();
        let all = before.into_iter().chain([own]).chain(imported("Directory.Build.targets"));
        let Settled { mut files, properties } = settled(path, all.collect());
        let (_, text) = files.remove(own_at);
        Ok(Self { path: path.to_owned(), text, imports: files, properties })
    }

    pub(crate) fn folder(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new("/"))
    }

    /// Files besides the sources that a person writes and a build reads: the project, what it imports, and what that imports,
    /// as far as the paths are literal.
    pub(crate) fn build_files(&self) -> Vec<PathBuf> {
        let own = std::iter::once(&self.path).chain(self.imports.iter().map(|(file, _)| file));
        let mut files: Vec<PathBuf> = own.cloned().collect();
        let mut open: Vec<PathBuf> =
            files.iter().zip(self.texts()).flat_map(|(file, text)| imported(file, text)).collect();
        // A circle of imports ends where all are known.
        while let Some(file) = open.pop() {
            if files.len() < MOST_BUILD_FILES && !files.contains(&file) {
                let text = lossy(&file).map(|text| without_comments(&text)).unwrap_or_default();
                open.extend(imported(&file, &text));
                files.push(file);
            }
        }
        files
    }

    /// Whether it has the element that every project is.
    pub(crate) fn has_root(&self) -> bool {
        elements(&self.text, "Project").next().is_some()
    }

    fn texts(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.text.as_str()).chain(self.imports.iter().map(|(_, text)| text.as_str()))
    }

    /// An existing path, written with either separator and relative to the project's folder.
    fn resolve(&self, written: &str) -> Option<PathBuf> {
        resolve(self.folder(), written)
    }
}

fn resolve(folder: &Path, written: &str) -> Option<PathBuf> {
    if written.trim().is_empty() || written.contains("$(") {
        return None;
    }
    folder.join(unescape(written.trim()).replace('\\', "/")).canonicalize().ok()
}

/// Whether a folder of this name holds what was made or fetched, and no source of its own.
pub(crate) fn is_skipped_folder(name: &str) -> bool {
    name.starts_with('.') || ["bin", "obj", "node_modules"].contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    pub(super) fn project(text: &str, props: Option<&str>) -> (tempfile::TempDir, ProjectFile) {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().canonicalize().unwrap().join("App.csproj");
        fs::write(&path, text).unwrap();
        if let Some(props) = props {
            fs::write(dir.path().join("Directory.Build.props"), props).unwrap();
        }
        let read = ProjectFile::read(&path).unwrap();
        (dir, read)
    }

    pub(super) fn sdk(inner: &str) -> String {
        format!("<Project Sdk=\"Microsoft.NET.Sdk\"><PropertyGroup>{inner}</PropertyGroup></Project>")
    }

    #[test]
    fn conditions_that_are_certain_decide() {
        let default = "<TargetFramework Condition=\"'$(TargetFramework)' == ''\">net10.0</TargetFramework>";
        let (_dir, alone) = project(&sdk(default), None);
        assert_eq!(alone.target_frameworks(), ["net10.0"]);
        let props = "<Project><PropertyGroup><TargetFramework>net9.0</TargetFramework></PropertyGroup></Project>";
        let (_dir, given) = project(&sdk(default), Some(props));
        assert_eq!(given.target_frameworks(), ["net9.0"]);
        let (_dir, several) = project(&sdk(&format!("<TargetFrameworks>net8.0</TargetFrameworks>{default}")), None);
        assert!(several.property("TargetFramework").is_none(), "each build is given its own");
        let off = "<Project><Import Project=\"own.props\" Condition=\"'$(OS)' == 'None'\" /></Project>";
        let (dir, off) = project(&sdk(default), Some(off));
        fs::write(dir.path().join("own.props"), "<Project />").unwrap();
        assert!(off.build_files().iter().all(|file| !file.ends_with("own.props")), "{:?}", off.build_files());
        assert!(off.plain_output("Debug", "net10.0").is_some());
    }

    #[test]
    fn imports_are_looked_for_beside_the_file_that_has_them() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        let import = "<Import Project=\"eng/Versions.props\" Condition=\"Exists('eng/Versions.props')\" />";
        for (file, text) in [
            ("Directory.Build.props", format!("<Project>{import}</Project>")),
            ("eng/Versions.props", "<Project />".to_owned()),
            ("src/App/App.csproj", sdk("")),
        ] {
            fs::create_dir_all(root.join(file).parent().unwrap()).unwrap();
            fs::write(root.join(file), text).unwrap();
        }
        let read = ProjectFile::read(&root.join("src/App/App.csproj")).unwrap();
        assert!(read.build_files().contains(&root.join("eng/Versions.props")), "{:?}", read.build_files());
    }

    #[test]
    fn imports_of_imports_are_build_files_and_their_circles_end() {
        let props = r#"<Project><Import Project="$(MSBuildThisFileDirectory)eng\Versions.props" /></Project>"#;
        let (dir, read) = project("<Project><Import Project=\"own.props\" /></Project>", Some(props));
        fs::create_dir(dir.path().join("eng")).unwrap();
        for (file, import) in
            [("own.props", "own.props"), ("eng/Versions.props", "a.props"), ("eng/a.props", "Versions.props")]
        {
            fs::write(dir.path().join(file), format!("<Project><Import Project=\"{import}\" /></Project>")).unwrap();
        }
        let root = dir.path().canonicalize().unwrap();
        let mut files: Vec<_> =
            read.build_files().iter().map(|it| it.strip_prefix(&root).unwrap().to_owned()).collect();
        files.sort();
        assert_eq!(
            files,
            ["App.csproj", "Directory.Build.props", "eng/Versions.props", "eng/a.props", "own.props"]
                .map(PathBuf::from)
        );
    }

    #[test]
    fn broken_xml_is_survived() {
        for text in [
            "",
            "<",
            "<!--",
            "<ProjectReference Include=",
            "<ProjectReference Include=\"",
            "<TargetFramework>",
            "<TargetFramework",
        ] {
            let (_dir, read) = project(text, None);
            assert!(read.target_frameworks().is_empty() && read.references().is_empty(), "{text}");
        }
    }
}
