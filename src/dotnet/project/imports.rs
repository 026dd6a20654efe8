//! The files that a project file imports, as far as its text shows without MSBuild.

use std::path::{Path, PathBuf};

use super::resolve;
use super::text::{attribute, elements, unescape};

const HERE: &str = "$(MSBuildThisFileDirectory)";

/// Those that the text of `file` imports and that are there.
pub(super) fn imported(file: &Path, text: &str) -> Vec<PathBuf> {
    let folder = file.parent().unwrap_or(Path::new("/"));
    let written = elements(text, "Import").filter_map(|tag| attribute(tag, "Project")).map(str::trim);
    let found = written.filter_map(|path| match path.strip_prefix(HERE) {
        Some(rest) => resolve(folder, rest.trim_start_matches(['/', '\\'])),
        None if path.starts_with("$([MSBuild]::") => above(folder, &unescape(path).replace('\\', "/")),
        None => resolve(folder, path),
    });
    found.filter(|path| path.is_file()).collect()
}

/// `$([MSBuild]::GetPathOfFileAbove(file, start))`, `$([MSBuild]::GetDirectoryNameOfFileAbove(start, file))/file`.
/// <https://learn.microsoft.com/visualstudio/msbuild/property-functions>
fn above(folder: &Path, written: &str) -> Option<PathBuf> {
    let (arguments, behind) = written.strip_prefix("$([MSBuild]::")?.rsplit_once("))")?;
    let (function, arguments) = arguments.split_once('(')?;
    let plain = |argument: &str| {
        let here = format!("{}/", folder.to_string_lossy());
        let argument = argument.trim().trim_matches(['\'', '`']).replace(HERE, &here);
        Some(argument).filter(|argument| !argument.contains("$("))
    };
    let arguments: Vec<String> = arguments.split(',').map(plain).collect::<Option<_>>()?;
    let (file, start, takes_folder) = match (function, arguments.as_slice()) {
        ("GetPathOfFileAbove", [file]) => (file, "", false),
        ("GetPathOfFileAbove", [file, start]) => (file, start.as_str(), false),
        ("GetDirectoryNameOfFileAbove", [start, file]) => (file, start.as_str(), true),
        _ => return None,
    };
    let start = folder.join(start).canonicalize().ok()?;
    let found = start.ancestors().find(|folder| folder.join(file).is_file())?;
    match takes_folder {
        true => resolve(found, behind.trim_start_matches('/')),
        false => resolve(found, file),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_file_above_is_found_as_msbuild_finds_it() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        for file in ["Directory.Build.props", "eng/Versions.props", "src/Directory.Build.props", "src/app/App.csproj"] {
            fs::create_dir_all(root.join(file).parent().unwrap()).unwrap();
            fs::write(root.join(file), "").unwrap();
        }
        let props = root.join("src/Directory.Build.props");
        for (written, found) in [
            (
                "$([MSBuild]::GetPathOfFileAbove('Directory.Build.props', '$(MSBuildThisFileDirectory)../'))",
                Some("Directory.Build.props"),
            ),
            ("$([MSBuild]::GetPathOfFileAbove(Directory.Build.props))", Some("src/Directory.Build.props")),
            ("$([MSBuild]::GetPathOfFileAbove(`Directory.Build.props`, `..`))", Some("Directory.Build.props")),
            (
                "$([MSBuild]::GetDirectoryNameOfFileAbove($(MSBuildThisFileDirectory), eng/Versions.props))\\eng\\Versions.props",
                Some("eng/Versions.props"),
            ),
            ("$([MSBuild]::GetPathOfFileAbove('nowhere.props'))", None),
            ("$([MSBuild]::GetPathOfFileAbove('$(Name).props'))", None),
            ("$([MSBuild]::GetPathOfFileAbove('a', 'b', 'c'))", None),
            ("$([MSBuild]::ValueOrDefault('Directory.Build.props', 'x'))", None),
            ("$([MSBuild]::GetPathOfFileAbove(", None),
        ] {
            let found_imports = imported(&props, &format!("<Project><Import Project=\"{written}\" /></Project>"));
            assert_eq!(found_imports, found.map(|file| root.join(file)).into_iter().collect::<Vec<_>>(), "{written}");
        }
    }
}
