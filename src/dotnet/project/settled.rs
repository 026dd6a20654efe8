//! What project files say once those of their conditions that are certain are decided.

use std::path::{Path, PathBuf};

use super::conditions::{Properties, holds};
use super::text::{CDATA, attribute, element, elements, name, tag, unescape, without_attribute};

/// Properties that the SDKs of .NET itself do not set before the project does.
const LEFT_TO_PROJECTS: [&str; 2] = ["TargetFramework", "TargetFrameworks"];

/// Elements that MSBuild evaluates by turns, or once all properties and imports are evaluated.
/// <https://learn.microsoft.com/visualstudio/msbuild/build-process-overview#evaluation-phase>
const LATER: [&str; 5] = ["Target", "Choose", "ItemGroup", "ItemDefinitionGroup", "UsingTask"];

/// What [`settled`] gives.
pub(super) struct Settled {
    pub files: Vec<(PathBuf, String)>,
    /// As they are at the end of the project's own file. Its SDK's targets may set others, which is not looked at where items name paths.
    pub properties: Properties,
}

/// The texts, in the order in which MSBuild reads them, without the elements whose conditions are certainly false, and without the
/// conditions that certainly hold. What only MSBuild can say stays as it is.
pub(super) fn settled(project: &Path, files: Vec<(PathBuf, String)>) -> Settled {
    let mut properties = Properties::default();
    // Each build for one of several frameworks is given its own.
    let is_multi_targeted = files.iter().any(|(_, text)| elements(text, "TargetFrameworks").next().is_some());
    let is_left = |name: &&str| std::env::var_os(name).is_none() && !(is_multi_targeted && *name == "TargetFramework");
    let own = files.iter().find(|(file, _)| file == project).map_or("", |(_, text)| text);
    let left = LEFT_TO_PROJECTS.iter().filter(|name| is_left(name) && has_known_sdk(own));
    for name in left {
        properties.set(name, Some(String::new()));
    }
    let named = |part: Option<&std::ffi::OsStr>| part.and_then(|part| part.to_str()).map(str::to_owned);
    let folder = |file: &Path| file.parent().and_then(Path::to_str).map(str::to_owned);
    properties.set("OS", Some(if cfg!(windows) { "Windows_NT" } else { "Unix" }.to_owned()));
    properties.set("MSBuildProjectName", named(project.file_stem()));
    properties.set("MSBuildProjectDirectory", folder(project));
    let mut at_end = None;
    let settle = |(file, text): (PathBuf, String)| {
        if at_end.is_some() {
            // The targets of the SDK stand between the project and what follows.
            properties.forget();
        }
        properties.set("MSBuildThisFileDirectory", folder(&file).map(|folder| folder + "/"));
        let parent = |file: &Path| file.parent().map(Path::to_owned).unwrap_or_default();
        let settling =
            Settling { project: parent(project), file: parent(&file), properties: &mut properties, group: None };
        let text = settling.of(&text);
        if file == project {
            at_end = Some(properties.clone());
        }
        (file, text)
    };
    let files = files.into_iter().map(settle).collect();
    Settled { files, properties: at_end.unwrap_or_default() }
}

/// Others than .NET's own may set anything before the project does.
fn has_known_sdk(project: &str) -> bool {
    let sdk = elements(project, "Project").next().and_then(|tag| attribute(tag, "Sdk"));
    sdk.is_some_and(|sdk| sdk.starts_with("Microsoft.NET.Sdk") && !sdk.contains(';'))
}

struct Settling<'a> {
    /// The folder of the project.
    project: PathBuf,
    /// The folder of the file that is settled.
    file: PathBuf,
    properties: &'a mut Properties,
    /// Within a group of properties: whether it certainly counts.
    group: Option<bool>,
}

impl Settling<'_> {
    fn of(mut self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some((before, behind)) = rest.split_once('<') {
            out.push_str(before);
            let Some((tag, after)) = tag(behind) else {
                rest = rest.get(before.len()..).unwrap_or_default();
                break;
            };
            rest = self.tag(tag, after, &mut out);
        }
        out.push_str(rest);
        out
    }

    /// What paths in the condition of an element are relative to.
    /// <https://github.com/dotnet/msbuild/blob/main/src/Build/Evaluation/Evaluator.cs> `GetCurrentDirectoryForConditionEvaluation`
    fn folder(&self, name: &str) -> &Path {
        if matches!(name, "Import" | "ImportGroup" | "PropertyGroup") { &self.file } else { &self.project }
    }

    /// Writes what is left of a tag, or of its element; gives the text behind it.
    fn tag<'t>(&mut self, tag: &str, after: &'t str, out: &mut String) -> &'t str {
        let name = name(tag);
        let is_empty = tag.ends_with('/');
        let write = |out: &mut String, tag: &str| out.extend(["<", tag, ">"]);
        if LATER.contains(&name) {
            if matches!(name, "Target" | "Choose") {
                // What it sets is not known.
                self.properties.forget();
            }
            let (inside, behind) = if is_empty { ("", after) } else { element(name, after) };
            write(out, tag);
            out.push_str(inside);
            return behind;
        }
        let condition = attribute(tag, "Condition").filter(|_| !tag.starts_with(CDATA));
        let held = condition.map(|it| holds(&unescape(it), self.properties, self.folder(name)));
        if held == Some(Some(false)) {
            return if is_empty { after } else { element(name, after).1 };
        }
        let is_certain = held != Some(None);
        let plain = condition.filter(|_| is_certain).and_then(|it| without_attribute(tag, it));
        write(out, plain.as_deref().unwrap_or(tag));
        match (name, self.group) {
            ("Import" | "Sdk", _) => self.properties.forget(),
            ("PropertyGroup", _) if !is_empty => self.group = Some(is_certain),
            ("", _) if tag.trim_end() == "/PropertyGroup" => self.group = None,
            (name, Some(in_certain)) if !name.is_empty() => {
                let value = if is_empty { "" } else { after.split_once("</").map_or("", |(value, _)| value) };
                let value = Some(value.trim()).filter(|value| is_certain && in_certain && !value.contains('<'));
                let value = value.and_then(|value| self.properties.expand(&unescape(value)));
                self.properties.set(name, value);
            }
            _ => {}
        }
        after
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROPS: &str = "/nowhere/Directory.Build.props";
    const APP: &str = "/nowhere/App.csproj";
    const TARGETS: &str = "/nowhere/Directory.Build.targets";

    /// What is left of the last file.
    fn text(files: &[(&str, &str)]) -> String {
        let named = files.iter().map(|(file, text)| (PathBuf::from(file), (*text).to_owned())).collect();
        settled(Path::new(APP), named).files.pop().unwrap().1
    }

    fn default(name: &str) -> String {
        format!("<PropertyGroup><{name} Condition=\"'$({name})' == ''\">x</{name}></PropertyGroup>")
    }

    #[test]
    fn what_is_certain_is_decided_and_the_rest_left() {
        for (before, after) in [
            (r#"<A Condition="'$(OS)' == 'None'">1</A><B/>"#, "<B/>"),
            (r#"<A Condition="'$(OS)' != 'None'" X="1">1</A>"#, r#"<A X="1">1</A>"#),
            (r#"<A Condition="'$(Mine)' == ''">1</A>"#, r#"<A Condition="'$(Mine)' == ''">1</A>"#),
            (r#"<A Condition=" '$(OS)' > '1' ">1</A>"#, r#"<A Condition=" '$(OS)' > '1' ">1</A>"#),
            (r#"<Import Project="x" Condition="Exists('/nowhere/x')" />"#, ""),
            (
                "<PropertyGroup><K>a</K></PropertyGroup><A Condition=\"'$(K)' == 'b'\">1</A>",
                "<PropertyGroup><K>a</K></PropertyGroup>",
            ),
            (
                "<PropertyGroup Condition=\"'$(X)' == ''\"><K>a</K></PropertyGroup><A Condition=\"'$(K)' == 'b'\" />",
                "<PropertyGroup Condition=\"'$(X)' == ''\"><K>a</K></PropertyGroup><A Condition=\"'$(K)' == 'b'\" />",
            ),
            (
                "<PropertyGroup><K>a</K></PropertyGroup><Import Project=\"x\" /><A Condition=\"'$(K)' == 'b'\" />",
                "<PropertyGroup><K>a</K></PropertyGroup><Import Project=\"x\" /><A Condition=\"'$(K)' == 'b'\" />",
            ),
            (
                "<Target><A Condition=\"'$(OS)' == 'None'\" /></Target>",
                "<Target><A Condition=\"'$(OS)' == 'None'\" /></Target>",
            ),
            (
                "<ItemGroup><A Condition=\"'$(OS)' == 'None'\" /></ItemGroup><B Condition=\"'$(OS)' == 'None'\" />",
                "<ItemGroup><A Condition=\"'$(OS)' == 'None'\" /></ItemGroup>",
            ),
            (
                "<ItemGroup Condition=\"'$(OS)' != 'None'\" /><ItemGroup Condition=\"'$(OS)' == 'None'\"><A /></ItemGroup>",
                "<ItemGroup Condition=\"'$(OS)' != 'None'\" /><ItemGroup Condition=\"'$(OS)' == 'None'\"><A /></ItemGroup>",
            ),
            (
                "<ItemDefinitionGroup><A Condition=\"'$(OS)' == 'None'\" /></ItemDefinitionGroup>",
                "<ItemDefinitionGroup><A Condition=\"'$(OS)' == 'None'\" /></ItemDefinitionGroup>",
            ),
            (
                "<Target><TargetX>1</TargetX><A Condition=\"false\" /></Target >",
                "<Target><TargetX>1</TargetX><A Condition=\"false\" /></Target >",
            ),
            (
                "<Choose><When><Choose></Choose></When><A Condition=\"false\" /></Choose>",
                "<Choose><When><Choose></Choose></When><A Condition=\"false\" /></Choose>",
            ),
            ("<A Condition=\"'$(OS)' == 'None'\"><AB>1</AB><A/><A>1</A>2</A><B/>", "<B/>"),
            (
                "<A Condition=\"'$(OS)' == 'None'\"><![CDATA[ it's > </A> ]]></A><![CDATA[<B Condition='false'>]]>",
                "<![CDATA[<B Condition='false'>]]>",
            ),
            ("<A Condition=\"'$(OS)' == 'None'\">1", ""),
            ("<A Condition=\"", "<A Condition=\""),
            ("a < b", "a < b"),
        ] {
            assert_eq!(text(&[(APP, before)]), after, "{before}");
        }
    }

    #[test]
    fn only_what_the_sdk_leaves_to_projects_is_empty_when_nothing_sets_it() {
        let sdk = |name: &str, inner: &str| format!("<Project Sdk=\"{name}\">{inner}</Project>");
        for name in ["TargetFramework", "TargetFrameworks"] {
            let set = format!("<PropertyGroup><{name}>net8.0</{name}></PropertyGroup>");
            let inner = default(name);
            let decided = inner.replacen(&format!(" Condition=\"'$({name})' == ''\""), "", 1);
            for (props, known, expected) in [
                ("", "Microsoft.NET.Sdk", decided.as_str()),
                ("", "Microsoft.NET.Sdk.Web/10.0.1", decided.as_str()),
                ("", "Someones.Own.Sdk", inner.as_str()),
                ("", "Microsoft.NET.Sdk;Someones.Own.Sdk", inner.as_str()),
                (set.as_str(), "Someones.Own.Sdk", "<PropertyGroup></PropertyGroup>"),
            ] {
                let left = text(&[(PROPS, props), (APP, &sdk(known, &inner))]);
                assert_eq!(left, sdk(known, expected), "{props} {known}");
            }
        }
        for name in ["AssemblyName", "RootNamespace"] {
            let own = sdk("Microsoft.NET.Sdk", &default(name));
            assert_eq!(text(&[(APP, &own)]), own, "the SDK sets it before the project");
        }
    }

    #[test]
    fn targets_of_the_sdk_stand_before_those_of_the_folder() {
        let own = "<Project Sdk=\"Microsoft.NET.Sdk\"><PropertyGroup><K>a</K></PropertyGroup></Project>";
        for name in ["K", "TargetFramework"] {
            assert_eq!(text(&[(PROPS, ""), (APP, own), (TARGETS, &default(name))]), default(name));
        }
        let here = "<Import Project=\"x\" Condition=\"Exists('$(MSBuildThisFileDirectory)x')\" />";
        assert_eq!(text(&[(APP, own), (TARGETS, here)]), "", "where a file is does not change");
    }

    #[test]
    fn paths_of_imports_and_of_groups_are_relative_to_their_file_and_others_to_the_project() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path();
        std::fs::create_dir_all(root.join("src/App")).unwrap();
        std::fs::write(root.join("by.props"), "").unwrap();
        std::fs::write(root.join("src/App/by.project"), "").unwrap();
        let (props, app) = (root.join("Directory.Build.props"), root.join("src/App/App.csproj"));
        for (at_file, element) in [
            (true, "<Import Label=\"kept\" Project=\"x\" Condition=\"Exists('BY')\" />"),
            (true, "<ImportGroup Label=\"kept\" Condition=\"Exists('BY')\" />"),
            (true, "<PropertyGroup Label=\"kept\" Condition=\"Exists('BY')\" />"),
            (false, "<PropertyGroup><K Label=\"kept\" Condition=\"Exists('BY')\">1</K></PropertyGroup>"),
        ] {
            for (by, held) in [("by.props", at_file), ("by.project", !at_file)] {
                let written = element.replace("BY", by);
                let left = settled(&app, vec![(props.clone(), written), (app.clone(), String::new())]).files;
                let left = &left[0].1;
                assert!(!left.contains("Condition"), "decided: {left}");
                assert_eq!(left.contains("kept"), held, "{by} in {element}");
            }
        }
    }
}
