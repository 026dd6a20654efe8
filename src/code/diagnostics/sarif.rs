//! The compiler's log of one compilation: SARIF 2.1.0 (OASIS), as far as csc and vbc write it.

use std::borrow::Cow;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use percent_encoding::percent_decode_str;
use serde::Deserialize;

use super::{CodeDiagnostic, Severity};

/// A larger log would not be worth its memory.
const MOST_BYTES: u64 = 256 << 20;

#[derive(Deserialize)]
struct Log<'a> {
    #[serde(borrow)]
    runs: Vec<Run<'a>>,
}

#[derive(Deserialize)]
struct Run<'a> {
    #[serde(borrow, default)]
    results: Vec<Finding<'a>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Finding<'a> {
    #[serde(borrow, default)]
    rule_id: Cow<'a, str>,
    #[serde(borrow)]
    level: Option<Cow<'a, str>>,
    #[serde(borrow)]
    message: Words<'a>,
    #[serde(borrow, default)]
    locations: Vec<Location<'a>>,
    #[serde(borrow, default)]
    suppressions: Vec<Suppression<'a>>,
}

#[derive(Deserialize)]
struct Words<'a> {
    #[serde(borrow, default)]
    text: Cow<'a, str>,
}

#[derive(Deserialize)]
struct Suppression<'a> {
    #[serde(borrow)]
    status: Option<Cow<'a, str>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Location<'a> {
    #[serde(borrow)]
    physical_location: Option<Place<'a>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Place<'a> {
    #[serde(borrow)]
    artifact_location: Artifact<'a>,
    region: Option<Region>,
}

#[derive(Deserialize)]
struct Artifact<'a> {
    #[serde(borrow, default)]
    uri: Cow<'a, str>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: Option<u32>,
    start_column: Option<u32>,
}

/// The diagnostics of `project` in the log; `None` where the compiler wrote none.
pub(super) fn read(log: &Path, project: &Path) -> io::Result<Option<Vec<CodeDiagnostic>>> {
    let file = match std::fs::File::open(log) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    let mut bytes = Vec::new();
    file.take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, format!("is larger than {MOST_BYTES} bytes")));
    }
    parse(&bytes, project).map(Some).map_err(io::Error::other)
}

fn parse(bytes: &[u8], project: &Path) -> serde_json::Result<Vec<CodeDiagnostic>> {
    let log: Log<'_> = serde_json::from_slice(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes))?;
    // A `#pragma` or attribute has answered these already (SARIF 3.27.23).
    let is_open = |finding: &Finding<'_>| {
        finding.suppressions.iter().all(|it| it.status.as_deref().is_some_and(|status| status != "accepted"))
    };
    let findings = log.runs.into_iter().flat_map(|run| run.results).filter(is_open);
    Ok(findings.map(|finding| diagnostic(finding, project)).collect())
}

fn diagnostic(finding: Finding<'_>, project: &Path) -> CodeDiagnostic {
    let place = finding.locations.into_iter().find_map(|location| location.physical_location);
    let folder = project.parent().unwrap_or(project);
    let file = place.as_ref().map(|place| &*place.artifact_location.uri).filter(|uri| !uri.is_empty());
    let region = place.as_ref().and_then(|place| place.region.as_ref());
    CodeDiagnostic {
        severity: match finding.level.as_deref() {
            Some("error") => Severity::Error,
            Some("note") => Severity::Info,
            Some("none") => Severity::Hidden,
            // SARIF 3.27.10: the default.
            _ => Severity::Warning,
        },
        file: file.map(|uri| path_of(uri, folder)),
        line: region.and_then(|region| region.start_line).filter(|line| *line > 0),
        column: region.and_then(|region| region.start_column).filter(|column| *column > 0),
        code: finding.rule_id.into_owned(),
        message: finding.message.text.into_owned(),
        project: project.to_owned(),
    }
}

/// `file:///a%20b/C.cs`, or a path relative to the project (`#line` of a Razor page).
fn path_of(uri: &str, folder: &Path) -> PathBuf {
    let (path, is_absolute) = uri.strip_prefix("file://").map_or((uri, false), |path| (path, true));
    let path = percent_decode_str(path).decode_utf8_lossy();
    // `file:///C:/x` on Windows.
    let path = if is_absolute && cfg!(windows) { path.trim_start_matches('/') } else { &*path };
    folder.join(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn log(results: &str) -> Vec<u8> {
        format!("\u{feff}{{\"version\":\"2.1.0\",\"runs\":[{{\"results\":[{results}],\"tool\":{{}}}}]}}").into_bytes()
    }

    const PLACE: &str = r#""locations":[{"physicalLocation":{"artifactLocation":{"uri":"URI"},"region":{"startLine":3,"startColumn":7,"endLine":3}}}]"#;

    #[test]
    fn levels_places_and_uris_are_read() {
        let place = |uri: &str| PLACE.replace("URI", uri);
        let text = log(&[
            format!(
                r#"{{"ruleId":"CS1","level":"error","message":{{"text":"a \"b\""}},{}}}"#,
                place("file:///s/a%20%C3%A9/C.cs")
            ),
            format!(r#"{{"ruleId":"CS2","message":{{"text":"x"}},{}}}"#, place("../Pages/I.cshtml")),
            r#"{"ruleId":"CA3","level":"note","message":{"text":"y"}}"#.to_owned(),
            r#"{"ruleId":"IDE4","level":"none","message":{}}"#.to_owned(),
        ]
        .join(","));
        let found = parse(&text, Path::new("/s/app/App.csproj")).unwrap();
        let actual: Vec<_> =
            found.iter().map(|it| (it.severity, it.code.as_str(), it.message.as_str(), it.line)).collect();
        assert_eq!(
            actual,
            [
                (Severity::Error, "CS1", "a \"b\"", Some(3)),
                (Severity::Warning, "CS2", "x", Some(3)),
                (Severity::Info, "CA3", "y", None),
                (Severity::Hidden, "IDE4", "", None),
            ]
        );
        assert_eq!(found[0].file.as_deref(), Some(Path::new("/s/a é/C.cs")));
        assert_eq!(found[1].file.as_deref(), Some(Path::new("/s/app/../Pages/I.cshtml")));
        assert_eq!((found[0].column, found[2].file.as_deref()), (Some(7), None));
    }

    #[test]
    fn what_the_source_suppresses_is_left_out() {
        let suppressed = r#"{"ruleId":"CS1","message":{"text":"x"},"suppressions":[{"kind":"inSource"}]}"#;
        assert!(parse(&log(suppressed), Path::new("/a.csproj")).unwrap().is_empty());
    }

    #[test]
    fn half_a_log_is_an_error_and_none_is_none() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.sarif");
        assert_eq!(read(&path, Path::new("/a.csproj")).unwrap(), None);
        let whole = log(r#"{"ruleId":"CS1","message":{"text":"x"}}"#);
        for end in [0, 1, whole.len() / 2, whole.len() - 1] {
            std::fs::write(&path, &whole[..end]).unwrap();
            assert!(read(&path, Path::new("/a.csproj")).is_err(), "{end} bytes");
        }
        std::fs::write(&path, &whole).unwrap();
        assert_eq!(read(&path, Path::new("/a.csproj")).unwrap().unwrap().len(), 1);
        std::fs::write(&path, format!("{}1{}", "[".repeat(1 << 20), "]".repeat(1 << 20))).unwrap();
        assert!(read(&path, Path::new("/a.csproj")).is_err(), "a million brackets");
    }
}
