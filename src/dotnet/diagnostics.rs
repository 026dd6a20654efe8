//! Reads the messages of `dotnet build` (MSBuild's canonical error format, one per line).

use std::collections::HashSet;
use std::path::Path;
use std::sync::LazyLock;

use regex::Regex;

use super::error::Diagnostic;

/// How bad a message is; worst first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    Error,
    Warning,
    Info,
    Hidden,
}

/// A message of a build: an error or a warning.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Message {
    pub severity: Severity,
    pub said: Diagnostic,
    /// The project (or solution) that was built, as MSBuild names it.
    pub project: Option<String>,
}

/// `origin(line,column): error CODE: text [project::TargetFramework=..]`; place and code may be missing.
#[expect(clippy::expect_used, reason = "a constant pattern, compiled by every test")]
static MESSAGE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^\s*(?:(?P<origin>.+?)(?:\((?P<line>\d+)(?:,(?P<column>\d+))?(?:,\d+,\d+|-\d+)?\))?\s*:\s*)?(?:[\w ]+ )?(?P<severity>error|warning)(?: (?P<code>[A-Za-z]+[A-Za-z0-9]*))?\s*:\s*(?P<text>.*?)\s*(?:\[(?P<project>[^\[\]]+(?:proj|\.slnx?))(?:::[^\[\]]*)?\])?$")
        .expect("valid pattern")
});

/// The errors in `output`, each once, in order; files under `root` relative to it. At most `limit` are kept.
pub fn parse_errors(output: &str, root: &Path, limit: usize) -> Vec<Diagnostic> {
    let errors = parse_messages(output, root).filter(|message| message.severity == Severity::Error);
    errors.map(|message| message.said).take(limit).collect()
}

/// The errors and warnings in `output`, each once, in order; files under `root` relative to it.
pub(crate) fn parse_messages(output: &str, root: &Path) -> impl Iterator<Item = Message> {
    // A target framework more says the same again; so does the summary.
    let mut seen = HashSet::new();
    let lines = output.lines().filter_map(|line| parse_line(line, root));
    lines.filter(move |Message { severity, said, .. }| {
        seen.insert(format!("{severity:?}|{}|{}|{}", said.at(), said.code, said.message))
    })
}

fn parse_line(line: &str, root: &Path) -> Option<Message> {
    // Cheap test first: the pattern has to try every colon.
    if !(line.contains("error") || line.contains("warning")) || line.len() > 16 << 10 {
        return None;
    }
    let found = MESSAGE.captures(line)?;
    let text = |name: &str| found.name(name).map(|part| part.as_str());
    let origin = text("origin").map(str::trim);
    // The compiler and MSBuild themselves have no file: `CSC : error CS5001: ..`, `MSBUILD : error MSB1009: ..`.
    let file = origin.filter(|origin| origin.contains(['/', '\\', '.'])).map(|origin| relative(origin, root));
    let message = text("text").unwrap_or_default();
    if message.is_empty() && text("code").is_none() {
        return None;
    }
    Some(Message {
        severity: if text("severity") == Some("error") { Severity::Error } else { Severity::Warning },
        said: Diagnostic {
            file,
            line: text("line").and_then(|line| line.parse().ok()).filter(|&line| line > 0),
            column: text("column").and_then(|column| column.parse().ok()).filter(|&column| column > 0),
            code: text("code").unwrap_or_default().into(),
            message: message.into(),
        },
        project: text("project").map(str::to_owned),
    })
}

fn relative(file: &str, root: &Path) -> String {
    Path::new(file).strip_prefix(root).map_or_else(|_| file.to_owned(), |rest| rest.to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn canonical_lines_are_read() {
        let cases = [
            (
                "/src/B/Program.cs(24,22): error CS1061: 'OrderLine' does not contain 'Totl' [/src/B/B.csproj]",
                "Program.cs:24:22",
                "CS1061",
                "'OrderLine' does not contain 'Totl'",
            ),
            (
                "/src/B/a/b.cs(7,2): error CS1003: Syntax error, ']' expected [/src/B/B.csproj::TargetFramework=net8.0]",
                "a/b.cs:7:2",
                "CS1003",
                "Syntax error, ']' expected",
            ),
            (
                "CSC : error CS5001: Program does not contain a static 'Main' method [/src/B/B.csproj]",
                "",
                "CS5001",
                "Program does not contain a static 'Main' method",
            ),
            ("MSBUILD : error MSB1009: Project file does not exist.", "", "MSB1009", "Project file does not exist."),
            (
                "/src/B/B.csproj : error NU1101: Unable to find package X. No packages exist with this id in source(s): n [/src/B/B.csproj]",
                "B.csproj",
                "NU1101",
                "Unable to find package X. No packages exist with this id in source(s): n",
            ),
            (
                "/src/B/B.csproj(12,3): error MSB4067: The element <x> beneath element <Project> is unrecognized.",
                "B.csproj:12:3",
                "MSB4067",
                "The element <x> beneath element <Project> is unrecognized.",
            ),
            (
                "/other/lib.cs(1,1): error CS0246: type : unknown [/src/B/B.csproj]",
                "/other/lib.cs:1:1",
                "CS0246",
                "type : unknown",
            ),
            (
                "/src/B/with (1) blank.cs(3,4): error CS0001: x [/src/B/B.csproj]",
                "with (1) blank.cs:3:4",
                "CS0001",
                "x",
            ),
            ("/src/B/x.cs(1,2,3,4): error CS0001: a [b] c [/src/B/B.csproj]", "x.cs:1:2", "CS0001", "a [b] c"),
            (
                "/sdk/Sdk.targets(160,5): error : text without code [/src/B/B.csproj]",
                "/sdk/Sdk.targets:160:5",
                "",
                "text without code",
            ),
            ("C:\\src\\x.cs(1,2): error CS0001: windows [C:\\src\\x.csproj]", "C:\\src\\x.cs:1:2", "CS0001", "windows"),
        ];
        for (line, at, code, message) in cases {
            let found = parse_line(line, Path::new("/src/B")).unwrap_or_else(|| panic!("{line}"));
            assert_eq!(found.severity, Severity::Error, "{line}");
            let found = found.said;
            assert_eq!(
                (found.at().as_str(), found.code.as_str(), found.message.as_str()),
                (at, code, message),
                "{line}"
            );
        }
    }

    #[test]
    fn what_is_no_error_is_omitted() {
        for line in [
            "",
            "Build FAILED.",
            "    2 Error(s)",
            "/src/B/P.cs(1,2): message CS0168: the error is declared but never used [/src/B/B.csproj]",
            "  B -> /src/B/bin/Debug/net10.0/error.dll",
        ] {
            assert_eq!(parse_line(line, Path::new("/src/B")), None, "{line}");
        }
    }

    #[test]
    fn a_warning_is_none_of_the_errors_and_names_its_project() {
        let line =
            "/src/B/P.cs(1,2): warning CS0168: the error: is never used [/src/B/B.csproj::TargetFramework=net8.0]";
        assert!(parse_errors(line, Path::new("/src/B"), 10).is_empty());
        let message = parse_line(line, Path::new("/src/B")).unwrap();
        assert_eq!((message.severity, message.project.as_deref()), (Severity::Warning, Some("/src/B/B.csproj")));
        assert_eq!(
            (message.said.at().as_str(), message.said.message.as_str()),
            ("P.cs:1:2", "the error: is never used")
        );
        let of_solution =
            "/sdk/NuGet.targets(5,5): error MSB3202: The project file \"/g.csproj\" was not found. [/src/all.slnx]";
        let message = parse_line(of_solution, Path::new("/src")).unwrap();
        assert_eq!(message.project.as_deref(), Some("/src/all.slnx"));
        assert_eq!(message.said.message, "The project file \"/g.csproj\" was not found.");
    }

    #[test]
    fn the_same_error_for_two_frameworks_is_one_and_the_limit_holds() {
        let line = |number: u32, framework: &str| {
            format!("/r/P.cs({number},1): error CS1: m [/r/P.csproj::TargetFramework={framework}]\n")
        };
        let output: String = (1..=9).flat_map(|n| [line(n, "net8.0"), line(n, "net10.0")]).collect();
        assert_eq!(parse_errors(&output, Path::new("/r"), 100).len(), 9);
        assert_eq!(parse_errors(&output, Path::new("/r"), 3).len(), 3);
    }
}
