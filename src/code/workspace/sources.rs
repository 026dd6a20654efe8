//! The C# files that a project compiles, as the SDK's default items and the project's own `Compile` items have them.
//! <https://learn.microsoft.com/dotnet/core/project-sdk/overview#default-includes-and-excludes>

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use regex::Regex;

use crate::dotnet::project::ProjectFile;
use crate::dotnet::walk::{Walk, walk};

/// Items with `@(..)`, or `$(..)` of what the project's text does not tell, are MSBuild's to evaluate and say nothing here.
pub(super) fn of(project: &ProjectFile) -> Walk {
    let folder = project.folder();
    let (mut files, mut complete) = (BTreeSet::new(), true);
    let is_csharp = project.path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("csproj"));
    if is_csharp && project.has_default_items() {
        let removed: Vec<Regex> =
            project.items("Compile", "Remove").iter().filter_map(|item| pattern(&absolute(folder, item))).collect();
        let found = walk(folder, |name| name.ends_with(".cs"));
        complete &= found.complete;
        files.extend(found.files.into_iter().filter(|file| !removed.iter().any(|item| item.is_match(&slashed(file)))));
    }
    for item in project.items("Compile", "Include") {
        let written = absolute(folder, &item);
        let Some(wanted) = pattern(&written) else { continue };
        let Some(wild) = written.find(['*', '?']) else {
            files.extend(Path::new(&written).is_file().then(|| PathBuf::from(&written)));
            continue;
        };
        let start = written.get(..wild).and_then(|literal| literal.rsplit_once('/')).map_or("/", |(start, _)| start);
        let found = walk(Path::new(start), |name| name.ends_with(".cs"));
        complete &= found.complete;
        files.extend(found.files.into_iter().filter(|file| wanted.is_match(&slashed(file))));
    }
    Walk { files: files.into_iter().collect(), complete }
}

fn slashed(path: &Path) -> String {
    path.to_string_lossy().replace('\\', "/")
}

/// `folder/item` with `.` and `..` taken out by their letters: a wildcard has no real path.
fn absolute(folder: &Path, item: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    let folder = slashed(folder);
    let from = if item.starts_with('/') { "" } else { folder.as_str() };
    for part in from.split('/').chain(item.split('/')) {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    let start = if folder.starts_with('/') { "/" } else { "" };
    format!("{start}{}", parts.join("/"))
}

/// MSBuild's wildcards: `*` and `?` within a name, `**` over any number of folders.
fn pattern(item: &str) -> Option<Regex> {
    let mut text = String::from("^");
    let mut rest = item;
    while let Some(c) = rest.chars().next() {
        let (taken, regex) = match c {
            _ if rest.starts_with("**/") => (3, "(?:.*/)?".to_owned()),
            _ if rest.starts_with("**") => (2, ".*".to_owned()),
            '*' => (1, "[^/]*".to_owned()),
            '?' => (1, "[^/]".to_owned()),
            c => (c.len_utf8(), regex::escape(c.encode_utf8(&mut [0; 4]))),
        };
        text.push_str(&regex);
        rest = rest.get(taken..)?;
    }
    text.push('$');
    Regex::new(&text).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn sources(inner: &str) -> Vec<String> {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        for file in
            ["app/A.cs", "app/B.g.cs", "app/old/C.cs", "app/obj/D.cs", "shared/E.cs", "shared/x/F.cs", "app/x.txt"]
        {
            fs::create_dir_all(root.join(file).parent().unwrap()).unwrap();
            fs::write(root.join(file), "").unwrap();
        }
        let path = root.join("app/App.csproj");
        fs::write(&path, format!("<Project Sdk=\"Microsoft.NET.Sdk\">{inner}</Project>")).unwrap();
        let found = of(&ProjectFile::read(&path).unwrap());
        found.files.iter().map(|file| file.strip_prefix(&root).unwrap().to_str().unwrap().to_owned()).collect()
    }

    #[test]
    fn default_items_less_what_is_removed_and_more_of_what_is_included() {
        let cases: &[(&str, &[&str])] = &[
            ("", &["app/A.cs", "app/B.g.cs", "app/old/C.cs"]),
            (r#"<Compile Remove="old\**" />"#, &["app/A.cs", "app/B.g.cs"]),
            (r#"<Compile Remove="**/*.g.cs;old/C.cs" />"#, &["app/A.cs"]),
            (r#"<Compile Remove="$(Some)/**" />"#, &["app/A.cs", "app/B.g.cs", "app/old/C.cs"]),
            (r#"<Compile Remove="**" /><Compile Include="..\shared\**\*.cs" />"#, &["shared/E.cs", "shared/x/F.cs"]),
            (r#"<Compile Remove="**" /><Compile Include="../shared/?.cs" Link="x" />"#, &["shared/E.cs"]),
            (
                "<PropertyGroup><L>$(MSBuildProjectDirectory)/../shared/</L></PropertyGroup><Compile Remove=\"**\" />\
                 <Compile Include=\"$(L)**/*.cs;$(Unknown)A.cs\" />",
                &["shared/E.cs", "shared/x/F.cs"],
            ),
            (
                "<EnableDefaultCompileItems>false</EnableDefaultCompileItems><Compile Include=\"./A.cs;gone.cs\"/>",
                &["app/A.cs"],
            ),
        ];
        for (inner, expected) in cases {
            assert_eq!(sources(inner), *expected, "{inner}");
        }
    }
}
