//! Code that steps pass over because the user said so: modules by file name, sources by path.

/// Patterns in which `*` stands for any text. One with a slash means paths of sources, any other one file names of modules, with or
/// without their extension.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NotMine(pub Vec<String>);

impl NotMine {
    /// By the module's file name: `Shop.Core.dll`.
    pub fn has_module(&self, file_name: &str) -> bool {
        let stem = file_name.rsplit_once('.').map_or(file_name, |(stem, _)| stem);
        let is_it = |pattern: &String| fits(pattern, file_name) || fits(pattern, stem);
        self.0.iter().filter(|pattern| !is_path(pattern)).any(is_it)
    }

    /// By the source's path as the symbols have it.
    pub fn has_source(&self, path: &str) -> bool {
        self.0.iter().filter(|pattern| is_path(pattern)).any(|pattern| fits(pattern, path))
    }

    /// Whether any source is meant.
    pub fn names_sources(&self) -> bool {
        self.0.iter().any(|pattern| is_path(pattern))
    }
}

fn is_path(pattern: &str) -> bool {
    pattern.contains(['/', '\\'])
}

/// Without regard to case, and to which way slashes lean.
fn fits(pattern: &str, text: &str) -> bool {
    let plain = |text: &str| text.replace('\\', "/").to_lowercase();
    let (pattern, text) = (plain(pattern), plain(text));
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or("");
    let Some(mut rest) = text.strip_prefix(first) else { return false };
    let mut parts: Vec<&str> = parts.collect();
    let Some(last) = parts.pop() else { return rest.is_empty() };
    for part in parts {
        match rest.find(part) {
            Some(at) => rest = rest.get(at + part.len()..).unwrap_or(""),
            None => return false,
        }
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_fit_from_end_to_end() {
        for (pattern, text, expected) in [
            ("Shop.dll", "shop.dll", true),
            ("Shop", "Shop.dll", false),
            ("Shop.*", "Shop.Core.dll", true),
            ("*.Tests.*", "Shop.Tests.dll", true),
            ("*/obj/*", "/src/Shop/obj/Debug/Made.cs", true),
            ("*/obj/*.g.cs", "/src/obj/a.g.cs", true),
            ("*/obj/*.g.cs", "/src/obj/a.cs", false),
            ("*\\Generated\\*", "C:/src/generated/a.cs", true),
            ("a*a", "a", false),
            ("*", "", true),
        ] {
            assert_eq!(fits(pattern, text), expected, "{pattern} {text}");
        }
    }

    #[test]
    fn a_slash_shows_sources_from_modules() {
        let not_mine = NotMine(vec!["Shop.Core".into(), "*/obj/*".into()]);
        assert!(not_mine.has_module("Shop.Core.dll") && !not_mine.has_module("Shop.dll"));
        assert!(not_mine.has_source("/a/obj/b.cs") && !not_mine.has_source("/a/Shop.Core/b.cs"));
        assert!(not_mine.names_sources() && !NotMine(vec!["Shop".into()]).names_sources());
    }
}
