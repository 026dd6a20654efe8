//! Reads the projects of a solution, `.sln` and `.slnx`, from its text: no entity of XML is ever expanded, nothing nests.
//!
//! `.sln`: `Project("{type}") = "name", "path", "{id}"`, a line each, paths with `\`.
//! `.slnx` (<https://github.com/microsoft/vs-solutionpersistence>): `<Project Path="…">` anywhere within `<Solution>`.

use std::path::Path;

use super::project::{attribute, elements, is_project, unescape, without_comments};

/// A folder of a solution is listed as a project of this type.
const FOLDER: &str = "{2150E333-8FDC-42A3-9474-1A3956D46DE8}";

/// What a solution names: paths as written, relative to it, with `/`.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Solution {
    pub projects: Vec<String>,
    /// Projects of other kinds (native, database, web site).
    pub others: Vec<String>,
}

pub(crate) fn is_solution(path: &Path) -> bool {
    extension(path).is_some_and(|extension| ["sln", "slnx"].iter().any(|known| extension.eq_ignore_ascii_case(known)))
}

fn extension(path: &Path) -> Option<&str> {
    path.extension()?.to_str()
}

impl Solution {
    /// `Err` says in a few words why `text` is no solution.
    pub(crate) fn parse(path: &Path, text: &str) -> Result<Self, &'static str> {
        let is_xml = extension(path).is_some_and(|extension| extension.eq_ignore_ascii_case("slnx"));
        let paths = if is_xml { of_xml(text)? } else { of_lines(text)? };
        let (projects, others) = paths.into_iter().partition(|path| is_project(Path::new(path)));
        Ok(Self { projects, others })
    }
}

fn of_lines(text: &str) -> Result<Vec<String>, &'static str> {
    if !text.contains("Microsoft Visual Studio Solution File") {
        return Err("is not a solution: it has no line `Microsoft Visual Studio Solution File`");
    }
    let lines = text.lines().filter(|line| line.trim_start().starts_with("Project("));
    let paths = lines.filter_map(|line| {
        let parts: Vec<&str> = line.split('"').collect();
        let (kind, path) = (parts.get(1)?, parts.get(5)?);
        (!kind.eq_ignore_ascii_case(FOLDER)).then(|| path.replace('\\', "/"))
    });
    Ok(paths.collect())
}

fn of_xml(text: &str) -> Result<Vec<String>, &'static str> {
    let text = without_comments(text);
    if elements(&text, "Solution").next().is_none() {
        return Err("is not a solution: it has no element <Solution>");
    }
    let paths = elements(&text, "Project").filter_map(|tag| attribute(tag, "Path"));
    Ok(paths.map(|path| unescape(path).replace('\\', "/")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_projects_are_read_and_folders_are_none() {
        let text = "\u{feff}\r\nMicrosoft Visual Studio Solution File, Format Version 12.00\r\n\
            Project(\"{9A19103F-16F7-4668-BE54-9A1E7A4F7556}\") = \"App\", \"src\\App\\App.csproj\", \"{1}\"\r\nEndProject\r\n\
            Project(\"{2150E333-8FDC-42A3-9474-1A3956D46DE8}\") = \"src\", \"src\", \"{2}\"\r\nEndProject\r\n\
            Project(\"{F2A71F9B-5D33-465A-A702-920D77279786}\") = \"F\", \"..\\F\\F.fsproj\", \"{3}\"\r\n\
            \tProjectSection(ProjectDependencies) = postProject\r\n\tEndProjectSection\r\nEndProject\r\n\
            Project(\"{8BC9CEB8-8B4A-11D0-8D11-00A0C91BC942}\") = \"N\", \"n\\N.vcxproj\", \"{4}\"\r\nEndProject\r\n\
            Project(\"{broken\r\nGlobal\r\nEndGlobal\r\n";
        let solution = Solution::parse(Path::new("a.sln"), text).unwrap();
        assert_eq!(solution.projects, ["src/App/App.csproj", "../F/F.fsproj"]);
        assert_eq!(solution.others, ["n/N.vcxproj"]);
    }

    #[test]
    fn projects_of_xml_are_read_in_folders_with_platforms_and_entities() {
        let text = r#"<Solution>
  <Configurations><Platform Name="Any CPU" /><Platform Name="x64" /></Configurations>
  <!-- <Project Path="gone/Gone.csproj" /> -->
  <Folder Name="/src/"><File Path="readme.md" />
    <Project Path="src\A &amp; B\A.csproj" Type="Classic C#"><Platform Solution="*|x64" Project="x64" /></Project>
  </Folder>
  <Project
     Id="1" Path='b/B.vbproj'/>
  <Project Path="n.vcxproj" />
</Solution>"#;
        let solution = Solution::parse(Path::new("a.SLNX"), text).unwrap();
        assert_eq!(solution.projects, ["src/A & B/A.csproj", "b/B.vbproj"]);
        assert_eq!(solution.others, ["n.vcxproj"]);
    }

    #[test]
    fn what_is_not_a_solution_says_so_and_nothing_is_expanded() {
        let bomb = "<!DOCTYPE x [<!ENTITY a \"ha\"><!ENTITY b \"&a;&a;\">]><Solution><Project Path=\"&b;.csproj\"/></Solution>";
        assert_eq!(Solution::parse(Path::new("a.slnx"), bomb).unwrap().projects, ["&b;.csproj"]);
        for (name, text) in [("a.sln", ""), ("a.sln", "<Solution/>"), ("a.slnx", ""), ("a.slnx", "{\"a\":1}")] {
            assert!(Solution::parse(Path::new(name), text).unwrap_err().starts_with("is not a solution"), "{text}");
        }
        for text in ["<Solution", "<Solution><Project Path=", "<Solution><Project Path=\"", "<Solution><!--"] {
            assert!(Solution::parse(Path::new("a.slnx"), text).is_ok_and(|it| it.projects.is_empty()), "{text}");
        }
    }
}
