//! A solution of our own around projects that no solution holds, or that stand in one beside projects that cannot be built:
//! MSBuild restores a solution as a whole or not at all.

use std::fmt::Write as _;
use std::path::Path;

/// The text of a `.sln`, which every SDK reads; project paths are absolute.
pub(super) fn text<'a>(projects: impl Iterator<Item = &'a Path>, configuration: &str) -> String {
    let (mut listed, mut built) = (String::new(), String::new());
    let platform = format!("{configuration}|Any CPU");
    for (at, project) in projects.enumerate() {
        let id = format!("{{00000000-0000-0000-0000-{:012X}}}", at + 1);
        let name = project.file_stem().unwrap_or_default().to_string_lossy();
        let _ = writeln!(
            listed,
            "Project(\"{{9A19103F-16F7-4668-BE54-9A1E7A4F7556}}\") = \"{name}.{at}\", \"{}\", \"{id}\"\nEndProject",
            project.display()
        );
        for what in ["ActiveCfg", "Build.0"] {
            let _ = writeln!(built, "\t\t{id}.{platform}.{what} = {platform}");
        }
    }
    format!(
        "Microsoft Visual Studio Solution File, Format Version 12.00\n{listed}Global\n\
         \tGlobalSection(SolutionConfigurationPlatforms) = preSolution\n\t\t{platform} = {platform}\n\tEndGlobalSection\n\
         \tGlobalSection(ProjectConfigurationPlatforms) = postSolution\n{built}\tEndGlobalSection\nEndGlobal\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dotnet::solution::Solution;

    #[test]
    fn projects_of_one_name_stay_apart() {
        let projects = [Path::new("/a b/App.csproj"), Path::new("/c/App.csproj")];
        let text = text(projects.into_iter(), "Debug");
        let read = Solution::parse(Path::new("x.sln"), &text).unwrap();
        assert_eq!(read.projects, ["/a b/App.csproj", "/c/App.csproj"]);
        assert!(text.contains("\"App.0\"") && text.contains("\"App.1\""));
        assert_eq!(text.matches("Build.0 = Debug|Any CPU").count(), 2);
    }
}
