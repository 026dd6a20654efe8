//! What project files say once those of their conditions that are certain are decided.

use std::path::{Path, PathBuf};

use super::conditions::{Properties, holds};
use super::text::{attribute, elements, unescape};

/// Properties that no SDK sets before the project does.
const LEFT_TO_PROJECTS: [&str; 4] = ["TargetFramework", "TargetFrameworks", "AssemblyName", "RootNamespace"];

/// The texts, in the order in which MSBuild reads them, without the elements whose conditions are certainly false, and without the
/// conditions that certainly hold. What only MSBuild can tell stays as it is.
pub(super) fn settled(project: &Path, files: Vec<(PathBuf, String)>) -> Vec<(PathBuf, String)> {
    let mut properties = Properties::default();
    // Each build for one of several frameworks is given its own.
    let is_multi_targeted = files.iter().any(|(_, text)| elements(text, "TargetFrameworks").next().is_some());
    let is_left = |name: &&str| std::env::var_os(name).is_none() && !(is_multi_targeted && *name == "TargetFramework");
    for name in LEFT_TO_PROJECTS.iter().filter(|name| is_left(name)) {
        properties.set(name, Some(String::new()));
    }
    let named = |part: Option<&std::ffi::OsStr>| part.and_then(|part| part.to_str()).map(str::to_owned);
    let folder = |file: &Path| file.parent().and_then(Path::to_str).map(str::to_owned);
    properties.set("OS", Some(if cfg!(windows) { "Windows_NT" } else { "Unix" }.to_owned()));
    properties.set("MSBuildProjectName", named(project.file_stem()));
    properties.set("MSBuildProjectDirectory", folder(project));
    let settle = |(file, text): (PathBuf, String)| {
        properties.set("MSBuildThisFileDirectory", folder(&file).map(|folder| folder + "/"));
        let settled =
            Settling { folder: project.parent().unwrap_or(project), properties: &mut properties, group: None };
        let text = settled.of(&text);
        (file, text)
    };
    files.into_iter().map(settle).collect()
}

struct Settling<'a> {
    /// Paths of conditions are relative to the project, wherever they stand.
    folder: &'a Path,
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
            let Some(end) = tag_end(behind) else {
                rest = rest.get(before.len()..).unwrap_or_default();
                break;
            };
            let (tag, after) = (behind.get(..end).unwrap_or_default(), behind.get(end + 1..).unwrap_or_default());
            rest = self.tag(tag, after, &mut out);
        }
        out.push_str(rest);
        out
    }

    /// Writes what is left of a tag, or of its element; gives the text behind it.
    fn tag<'t>(&mut self, tag: &str, after: &'t str, out: &mut String) -> &'t str {
        let name = tag.split(|c: char| c.is_whitespace() || c == '/').next().unwrap_or_default();
        let is_empty = tag.ends_with('/');
        let write = |out: &mut String, tag: &str| out.extend(["<", tag, ">"]);
        if matches!(name, "Target" | "Choose") && !is_empty {
            // What stands there is decided later, or by turns.
            self.properties.forget();
            let (inside, behind) = element(name, after);
            write(out, tag);
            out.push_str(inside);
            return behind;
        }
        let condition = attribute(tag, "Condition");
        let held = condition.map(|it| holds(&unescape(it), self.properties, self.folder));
        if held == Some(Some(false)) {
            return if is_empty { after } else { element(name, after).1 };
        }
        let is_certain = held != Some(None);
        let plain = condition.filter(|_| is_certain).and_then(|it| without_attribute(tag, it));
        write(out, plain.as_deref().unwrap_or(tag));
        match (name, self.group) {
            ("Import" | "Sdk", _) => self.properties.forget(),
            ("PropertyGroup", _) if !is_empty => self.group = Some(is_certain),
            ("", _) if tag == "/PropertyGroup" => self.group = None,
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

/// Of the text behind an opening tag: up to and with the closing one, and the rest.
fn element<'t>(name: &str, after: &'t str) -> (&'t str, &'t str) {
    let end = after.find(&format!("</{name}")).and_then(|at| Some(at + after.get(at..)?.find('>')? + 1));
    after.split_at_checked(end.unwrap_or(after.len())).unwrap_or((after, ""))
}

/// Where the tag ends; a `>` may stand within quotes.
fn tag_end(behind: &str) -> Option<usize> {
    let mut quote = None;
    for (at, byte) in behind.bytes().enumerate() {
        match (byte, quote) {
            (b'>', None) => return Some(at),
            (b'"' | b'\'', None) => quote = Some(byte),
            (byte, Some(open)) if byte == open => quote = None,
            _ => {}
        }
    }
    None
}

/// The tag without the condition that has this value.
fn without_attribute(tag: &str, value: &str) -> Option<String> {
    let at = tag.find(&format!("\"{value}\"")).or_else(|| tag.find(&format!("'{value}'")))?;
    let (before, rest) = tag.split_at_checked(at)?;
    let before = before.trim_end().strip_suffix('=')?.trim_end().strip_suffix("Condition")?;
    Some(format!("{}{}", before.trim_end(), rest.get(value.len() + 2..)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(files: &[&str]) -> String {
        let named = files.iter().map(|text| (PathBuf::from("/nowhere/App.csproj"), (*text).to_owned())).collect();
        settled(Path::new("/nowhere/App.csproj"), named).pop().unwrap().1
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
            ("<A Condition=\"'$(OS)' == 'None'\">1", ""),
            ("<A Condition=\"", "<A Condition=\""),
            ("a < b", "a < b"),
        ] {
            assert_eq!(text(&[before]), after, "{before}");
        }
        let props = "<PropertyGroup><TargetFramework>net8.0</TargetFramework></PropertyGroup>";
        let own = "<PropertyGroup><TargetFramework Condition=\"'$(TargetFramework)' == ''\">net9.0</TargetFramework></PropertyGroup>";
        assert_eq!(text(&[props, own]), "<PropertyGroup></PropertyGroup>");
    }
}
