//! Reads a project file as far as its text alone is certain; what MSBuild must evaluate is left to MSBuild.
//!
//! The way past MSBuild saves 0.4 s a launch, and it must never guess: any construct that could move the output
//! makes [`ProjectFile::plain_output`] say nothing.

mod conditions;
mod imports;
mod kind;
mod settled;
mod text;

pub use kind::ProjectKind;
pub(crate) use text::{attribute, elements, lossy, unescape, without_comments};

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use imports::imported;
use settled::settled;

/// The text of a project and of the `Directory.Build.props`/`.targets` that it imports, where conditions are certain as they decide.
#[derive(Debug, Clone)]
pub(crate) struct ProjectFile {
    pub path: PathBuf,
    text: String,
    /// The nearest `Directory.Build.props` and `.targets`: path and text.
    imports: Vec<(PathBuf, String)>,
}

/// Files that one project imports, directly or not.
const MOST_BUILD_FILES: usize = 200;

/// Elements and files that decide where a build's output goes or what it is called.
const MOVING: &[&str] = &[
    "OutputPath",
    "OutDir",
    "UseArtifactsOutput",
    "ArtifactsPath",
    "AppendTargetFrameworkToOutputPath",
    "AppendRuntimeIdentifierToOutputPath",
    "RuntimeIdentifier",
    "TargetName",
    "<Import",
    "<Choose",
];

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
        let mut files = settled(path, all.collect());
        let (_, text) = files.remove(own_at);
        Ok(Self { path: path.to_owned(), text, imports: files })
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

    /// What restore leaves for the build; a build writes it itself when it has to restore.
    pub(crate) fn restored(&self) -> PathBuf {
        self.folder().join("obj").join("project.assets.json")
    }

    /// Whether restore's result is there and newer than all that restore reads, here and in referenced projects.
    pub(crate) fn is_restored(&self) -> bool {
        self.is_restored_but(&mut HashSet::new())
    }

    fn is_restored_but(&self, seen: &mut HashSet<PathBuf>) -> bool {
        let modified = |path: &Path| std::fs::metadata(path).ok()?.modified().ok();
        let Some(restored) = modified(&self.restored()) else {
            return false;
        };
        // Packages that depend on the configuration are restored for one configuration only.
        if self.texts().any(|text| text.contains("$(Configuration)")) {
            return false;
        }
        let names = ["NuGet.config", "NuGet.Config", "nuget.config", "global.json", "packages.lock.json"];
        let around = self.path.ancestors().skip(1).flat_map(|folder| names.map(|name| folder.join(name)));
        let newer = self.build_files().into_iter().chain(around).any(|file| modified(&file) > Some(restored));
        let references = self.references();
        !newer
            && references.into_iter().all(|path| {
                !seen.insert(path.clone()) || Self::read(&path).is_ok_and(|project| project.is_restored_but(seen))
            })
    }

    /// A property's value when exactly one plain element sets it: no condition, no `$(..)`.
    pub(crate) fn property(&self, name: &str) -> Option<&str> {
        // The project's own text comes last in MSBuild and so wins.
        let texts = std::iter::once(&self.text).chain(self.imports.iter().map(|(_, text)| text));
        let open = format!("<{name}");
        let text = texts.into_iter().find(|text| elements(text, name).next().is_some())?;
        let mut found = text
            .match_indices(&open)
            .filter(|(at, _)| text.get(at + open.len()..).is_some_and(|rest| rest.starts_with(['>', ' ', '\t'])));
        let (at, _) = found.next()?;
        if found.next().is_some() {
            return None;
        }
        let value = text.get(at + open.len()..)?.strip_prefix('>')?;
        let value = value.get(..value.find("</")?)?.trim();
        (!value.is_empty() && !value.contains("$(")).then_some(value)
    }

    /// `TargetFramework` or the list of `TargetFrameworks`; empty when only MSBuild can tell.
    pub(crate) fn target_frameworks(&self) -> Vec<String> {
        let one = self.property("TargetFramework").map(|name| vec![name.to_owned()]);
        let several = || {
            self.property("TargetFrameworks").map(|names| {
                names.split(';').map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()).collect()
            })
        };
        one.or_else(several).unwrap_or_default()
    }

    pub(crate) fn is_multi_targeted(&self) -> bool {
        elements(&self.text, "TargetFrameworks").next().is_some()
            || self.imports.iter().any(|(_, text)| elements(text, "TargetFrameworks").next().is_some())
    }

    /// The assembly's name, `None` when it is computed.
    pub(crate) fn assembly_name(&self) -> Option<String> {
        let set = self.texts().any(|text| elements(text, "AssemblyName").next().is_some());
        if set {
            self.property("AssemblyName").map(str::to_owned)
        } else {
            Some(self.path.file_stem()?.to_str()?.to_owned())
        }
    }

    /// Where the SDK puts the output of a project that says nothing of its own about it.
    pub(crate) fn plain_output(&self, configuration: &str, target_framework: &str) -> Option<PathBuf> {
        let moved = self.texts().any(|text| MOVING.iter().any(|word| text.contains(word)));
        if moved || !self.text.contains("Sdk=") {
            return None;
        }
        let name = format!("{}.dll", self.assembly_name()?);
        Some(self.folder().join("bin").join(configuration).join(target_framework).join(name))
    }

    /// Projects that it references, as far as their paths are literal.
    pub(crate) fn references(&self) -> Vec<PathBuf> {
        elements(&self.text, "ProjectReference").filter_map(|tag| self.resolve(attribute(tag, "Include")?)).collect()
    }

    /// Folders and files outside the project's folder that items include (`<Compile Include="../Shared/*.cs">`).
    pub(crate) fn outside_sources(&self) -> Vec<PathBuf> {
        let items = ["Compile", "Content", "None", "EmbeddedResource", "AdditionalFiles"];
        let includes =
            items.iter().flat_map(|item| elements(&self.text, item)).filter_map(|tag| attribute(tag, "Include"));
        let parts = includes.flat_map(|include| include.split(';')).filter(|part| part.trim_start().starts_with(".."));
        parts
            .filter_map(|part| {
                let wild = part.find(['*', '?']).unwrap_or(part.len());
                let literal = part.get(..wild)?;
                // Up to the last separator when a pattern begins behind it.
                let literal = if wild < part.len() {
                    literal.rsplit_once(['/', '\\']).map_or(literal, |(folder, _)| folder)
                } else {
                    literal
                };
                self.resolve(literal)
            })
            .collect()
    }

    /// The paths and patterns of items, with `/`, as far as they are literal: `items("Compile", "Remove")`.
    pub(crate) fn items(&self, item: &str, verb: &str) -> Vec<String> {
        let written = self.texts().flat_map(|text| elements(text, item)).filter_map(|tag| attribute(tag, verb));
        let parts = written.flat_map(|list| list.split(';')).map(str::trim);
        let literal = parts.filter(|part| !part.is_empty() && !part.contains("$(") && !part.contains("@("));
        literal.map(|part| unescape(part).replace('\\', "/")).collect()
    }

    /// Whether the SDK takes every source below the project's folder.
    pub(crate) fn has_default_items(&self) -> bool {
        let off = |name: &str| self.property(name).is_some_and(|value| value.eq_ignore_ascii_case("false"));
        self.text.contains("Sdk") && !off("EnableDefaultItems") && !off("EnableDefaultCompileItems")
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

/// Projects that a solution (`.sln`, `.slnx`) names, as written, with `/`.
pub(crate) fn solution_projects(path: &Path) -> Vec<String> {
    let text = lossy(path).unwrap_or_default().replace('\\', "/");
    text.split('"').filter(|part| is_project(Path::new(part))).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn project(text: &str, props: Option<&str>) -> (tempfile::TempDir, ProjectFile) {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().canonicalize().unwrap().join("App.csproj");
        fs::write(&path, text).unwrap();
        if let Some(props) = props {
            fs::write(dir.path().join("Directory.Build.props"), props).unwrap();
        }
        let read = ProjectFile::read(&path).unwrap();
        (dir, read)
    }

    fn sdk(inner: &str) -> String {
        format!("<Project Sdk=\"Microsoft.NET.Sdk\"><PropertyGroup>{inner}</PropertyGroup></Project>")
    }

    #[test]
    fn plain_properties_are_read_and_computed_ones_left_to_msbuild() {
        let framework = |text: &str| project(&sdk(text), None).1.target_frameworks().join(" ");
        assert_eq!(framework("<TargetFramework>net10.0</TargetFramework>"), "net10.0");
        assert_eq!(framework("<TargetFrameworks> net8.0 ; net10.0;</TargetFrameworks>"), "net8.0 net10.0");
        assert_eq!(framework("<TargetFramework>$(Mine)</TargetFramework>"), "");
        assert_eq!(framework("<TargetFramework Condition=\"'$(A)'==''\">net8.0</TargetFramework>"), "");
        assert_eq!(framework("<TargetFramework>net8.0</TargetFramework><TargetFramework>net9.0</TargetFramework>"), "");
        assert_eq!(framework("<!-- <TargetFramework>net8.0</TargetFramework> -->"), "");
        let (_dir, inherited) = project(
            &sdk(""),
            Some("<Project><PropertyGroup><TargetFramework>net9.0</TargetFramework></PropertyGroup></Project>"),
        );
        assert_eq!(inherited.target_frameworks(), ["net9.0"]);
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
    fn conditions_of_items_are_left_to_msbuild() {
        let item = "<ItemGroup><ProjectReference Include=\"../L.csproj\" Condition=\"'$(TargetFramework)' != ''\" /></ItemGroup>";
        let text = format!(
            "<Project Sdk=\"Microsoft.NET.Sdk\">{item}<PropertyGroup><TargetFramework>net10.0</TargetFramework></PropertyGroup></Project>"
        );
        let (_dir, read) = project(&text, None);
        assert_eq!(read.items("ProjectReference", "Include"), ["../L.csproj"]);
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
    fn output_is_told_only_where_nothing_can_move_it() {
        let output = |text: &str, props: Option<&str>| {
            let (dir, read) = project(&sdk(text), props);
            let root = dir.path().canonicalize().unwrap();
            read.plain_output("Debug", "net10.0")
                .map(|path| path.strip_prefix(root).unwrap().to_str().unwrap().to_owned())
        };
        assert_eq!(output("", None).as_deref(), Some("bin/Debug/net10.0/App.dll"));
        assert_eq!(
            output("<AssemblyName>My.App</AssemblyName>", None).as_deref(),
            Some("bin/Debug/net10.0/My.App.dll")
        );
        assert_eq!(output("<AssemblyName>$(MSBuildProjectName).X</AssemblyName>", None), None);
        assert_eq!(output("<OutputPath>out</OutputPath>", None), None);
        assert_eq!(output("<RuntimeIdentifier>linux-x64</RuntimeIdentifier>", None), None);
        assert_eq!(
            output(
                "",
                Some("<Project><PropertyGroup><UseArtifactsOutput>true</UseArtifactsOutput></PropertyGroup></Project>")
            ),
            None
        );
        assert_eq!(output("", Some("<Project><Import Project=\"x.props\" /></Project>")), None);
    }

    #[test]
    fn references_and_outside_sources_are_followed() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        for folder in ["app", "lib", "shared"] {
            fs::create_dir(root.join(folder)).unwrap();
        }
        fs::write(root.join("lib/Lib.csproj"), "").unwrap();
        fs::write(root.join("shared/One.cs"), "").unwrap();
        let text = "<Project Sdk='x'><ItemGroup>\
            <ProjectReference Include=\"..\\lib\\Lib.csproj\" />\
            <ProjectReference PrivateAssets='all' Include='../gone/Gone.csproj'></ProjectReference>\
            <Compile Include=\"../shared/**/*.cs\" Link=\"x\" />\
            <Compile Include=\"../shared/One.cs\" /></ItemGroup></Project>";
        fs::write(root.join("app/App.csproj"), text).unwrap();
        let read = ProjectFile::read(&root.join("app/App.csproj")).unwrap();
        assert_eq!(read.references(), [root.join("lib/Lib.csproj")]);
        assert_eq!(read.outside_sources(), [root.join("shared"), root.join("shared/One.cs")]);
    }

    #[test]
    fn restore_is_needed_when_anything_that_it_reads_is_newer() {
        let (dir, read) = project(&sdk(""), None);
        assert!(!read.is_restored(), "never restored");
        fs::create_dir(dir.path().join("obj")).unwrap();
        fs::write(read.restored(), "").unwrap();
        let touch = |path: &Path, seconds: u64| {
            let time = std::time::SystemTime::now() - std::time::Duration::from_secs(seconds);
            fs::File::open(path).unwrap().set_modified(time).unwrap();
        };
        touch(&read.restored(), 500);
        assert!(!read.is_restored(), "the project is newer");
        touch(&read.path, 600);
        assert!(read.is_restored());
        fs::write(dir.path().join("global.json"), "{}").unwrap();
        assert!(!read.is_restored(), "global.json is newer");
        touch(&dir.path().join("global.json"), 600);
        assert!(read.is_restored());
        let (_dir, by_configuration) = project(&sdk("<X Condition=\"'$(Configuration)' == 'Debug'\">1</X>"), None);
        fs::create_dir(by_configuration.folder().join("obj")).unwrap();
        fs::write(by_configuration.restored(), "").unwrap();
        assert!(!by_configuration.is_restored(), "its packages may differ");
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
