//! What the properties of a project are, and where its output goes.

use std::path::PathBuf;

use super::{ProjectFile, elements};

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

impl ProjectFile {
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

    /// `TargetFramework` or the list of `TargetFrameworks`; empty when only MSBuild can say.
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
}

#[cfg(test)]
mod tests {
    use super::super::tests::{project, sdk};

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
    fn output_is_reported_only_where_nothing_can_move_it() {
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
}
