//! Where the builds of a project go, without building: from its text where that is certain, else from MSBuild.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::command::{self, Spec};
use super::output_path_cache::Key;
use super::project::ProjectFile;
use super::target_framework::{by_preference, installed, preferred};
use super::{Dotnet, DotnetError, build};

/// One build of a project: its dll need not be there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ProjectOutput {
    pub dll: PathBuf,
    /// `net10.0`; `None` when only MSBuild knows it.
    pub framework: Option<String>,
}

/// The output according to the text: of several target frameworks the preferred one that was built, else the preferred one.
/// `None` when only MSBuild knows.
pub(crate) fn plain(project: &ProjectFile, configuration: &str, dotnet: Option<&Dotnet>) -> Option<ProjectOutput> {
    let frameworks = by_preference(project.target_frameworks(), &installed(dotnet));
    let outputs = frameworks.into_iter().map(|framework| {
        let dll = project.plain_output(configuration, &framework)?;
        Some(ProjectOutput { dll, framework: Some(framework) })
    });
    let outputs: Vec<ProjectOutput> = outputs.collect::<Option<_>>()?;
    outputs.iter().find(|output| output.dll.is_file()).or(outputs.first()).cloned()
}

/// The output according to MSBuild (0.4 s, once per version of the project's files). `phase` hears that it is asked.
pub(crate) async fn asked(
    project: &ProjectFile,
    configuration: &str,
    dotnet: &Dotnet,
    phase: &impl Fn(&str),
) -> Result<ProjectOutput, DotnetError> {
    let framework = preferred(project, dotnet);
    let dll = build::target_path(&project.path, configuration, framework.as_deref(), dotnet, phase).await?;
    let only = project.target_frameworks().into_iter().next();
    Ok(ProjectOutput { dll, framework: framework.or(only) })
}

/// Asks MSBuild for the outputs of many projects in one run, which takes about as long as one of them alone; [`asked`] then
/// knows them. What it does not report here is asked for separately.
pub(crate) async fn ask_ahead(
    projects: &[&ProjectFile],
    configuration: &str,
    dotnet: &Dotnet,
    phase: &impl Fn(&str),
) -> Result<(), DotnetError> {
    let mut open = Vec::new();
    for project in projects {
        let framework = preferred(project, dotnet);
        let question = Key::new(&project.path, configuration, framework.as_deref());
        // Without a framework to choose, MSBuild has no output for a project of several.
        if question.answer().is_none() && (framework.is_some() || !project.is_multi_targeted()) {
            open.push((project.path.clone(), framework, question));
        }
    }
    let Some((first, ..)) = open.first().filter(|_| open.len() > 1) else { return Ok(()) };
    phase(&format!("dotnet msbuild -getItem:TargetPath of {} projects", open.len()));
    let asked: String = open.iter().map(|(path, framework, _)| item(path, framework.as_deref())).collect();
    let cwd = first.parent().unwrap_or(first).to_owned();
    let file = tempfile::Builder::new().prefix("clrbridge-").suffix(".proj").tempfile();
    let file = file.map_err(DotnetError::io("cannot create a project to query MSBuild with"))?;
    let text = format!("<Project><ItemGroup>{asked}</ItemGroup>{QUESTION}</Project>");
    std::fs::write(file.path(), text).map_err(DotnetError::io("cannot write a project to query MSBuild with"))?;
    let options = ["-nologo", "-t:Outputs", "-getItem:Built"].map(OsString::from);
    let configured = format!("-p:Configuration={configuration}");
    let args = ["msbuild".into(), file.path().into(), configured.into()].into_iter().chain(options).collect();
    let spec = Spec { program: dotnet.host.clone(), args, cwd, env: vec![] };
    let output = command::run(&spec).await?;
    let json = output.stdout.find('{').and_then(|at| output.stdout.get(at..));
    let Some(answer) = json.and_then(|json| serde_json::from_str::<MsBuildAnswer>(json).ok()) else { return Ok(()) };
    for (path, _, question) in open {
        if let Some(item) = answer.items.built.iter().find(|item| item.project == path) {
            question.remember(item.output.clone());
        }
    }
    Ok(())
}

/// `GetTargetPath` (Microsoft.Common.CurrentVersion.targets) evaluates only. A project that fails or lacks it is passed over.
const QUESTION: &str = r#"<Target Name="Outputs">
  <MSBuild Projects="@(Asked)" Targets="GetTargetPath" ContinueOnError="true" SkipNonexistentTargets="true">
    <Output TaskParameter="TargetOutputs" ItemName="Built" />
  </MSBuild>
</Target>"#;

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct MsBuildAnswer {
    items: Items,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Items {
    #[serde(default)]
    built: Vec<Item>,
}

#[derive(Deserialize)]
struct Item {
    #[serde(rename = "FullPath")]
    output: PathBuf,
    #[serde(rename = "OriginalItemSpec")]
    project: PathBuf,
}

fn item(path: &Path, framework: Option<&str>) -> String {
    let path = escape(&path.to_string_lossy());
    let framework = framework.map(|name| format!(" AdditionalProperties=\"TargetFramework={}\"", escape(name)));
    format!("<Asked Include=\"{path}\"{} />", framework.unwrap_or_default())
}

/// For an attribute of a project: MSBuild's own characters as `%xx`, then XML's.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '%' | '*' | '?' | '@' | '$' | '(' | ')' | ';' | '\'' => escaped.push_str(&format!("%{:02X}", u32::from(c))),
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '"' => escaped.push_str("&quot;"),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_reach_msbuild_as_they_are() {
        let answer = item(Path::new("/a & b/$(x);50%/\"é'.csproj"), Some("net8.0"));
        let expected = "<Asked Include=\"/a &amp; b/%24%28x%29%3B50%25/&quot;é%27.csproj\" AdditionalProperties=\"TargetFramework=net8.0\" />";
        assert_eq!(answer, expected);
    }

    #[test]
    fn of_several_frameworks_the_one_that_was_built_is_reported() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("A.csproj");
        let text = "<Project Sdk=\"x\"><TargetFrameworks>net8.0;net10.0</TargetFrameworks></Project>";
        std::fs::write(&path, text).unwrap();
        let project = ProjectFile::read(&path).unwrap();
        let answer = || plain(&project, "Debug", None).unwrap().framework.unwrap();
        assert_eq!(answer(), "net10.0");
        std::fs::create_dir_all(dir.path().join("bin/Debug/net8.0")).unwrap();
        std::fs::write(dir.path().join("bin/Debug/net8.0/A.dll"), "").unwrap();
        assert_eq!(answer(), "net8.0");
    }
}
