//! Where the sources of symbols lie on the client's machine: symbols that were built elsewhere name paths of that machine.

/// Begins of paths in symbols with what stands for them here, the longest first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SourceFileMap(Vec<(String, String)>);

impl SourceFileMap {
    pub fn new(entries: impl IntoIterator<Item = (String, String)>) -> Self {
        let mut entries: Vec<_> = entries.into_iter().filter(|(from, _)| !from.is_empty()).collect();
        entries.sort_by_key(|(from, _)| std::cmp::Reverse(from.len()));
        Self(entries)
    }

    /// The path here of one in symbols; one that nothing is said of is as it is.
    pub fn local(&self, path: &str) -> String {
        let found = self.0.iter().find_map(|(from, to)| replaced(path, from, to));
        found.unwrap_or_else(|| path.to_owned())
    }
}

fn replaced(path: &str, from: &str, to: &str) -> Option<String> {
    let from = from.trim_end_matches(['/', '\\']);
    let (begin, rest) = path.split_at_checked(from.len())?;
    let is_same = if is_of_windows(path) { plain(begin).eq_ignore_ascii_case(&plain(from)) } else { begin == from };
    // `/src/Shop` is not the begin of `/src/Shop.Core`
    if !is_same || !(rest.is_empty() || rest.starts_with(['/', '\\'])) {
        return None;
    }
    if rest.is_empty() {
        return Some(to.to_owned());
    }
    let separator = if to.contains('\\') && !to.contains('/') { "\\" } else { "/" };
    let rest = rest.trim_start_matches(['/', '\\']);
    // in a name of other systems `\` is a character
    let rest = if is_of_windows(path) { plain(rest) } else { rest.to_owned() };
    Some(format!("{}{separator}{}", to.trim_end_matches(['/', '\\']), rest.replace('/', separator)))
}

/// `C:\src`, `C:/src`, `\\server\share`: without regard to case, and slashes lean either way.
fn is_of_windows(path: &str) -> bool {
    path.get(1..2) == Some(":") || path.starts_with("\\\\")
}

fn plain(path: &str) -> String {
    path.replace('\\', "/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_begin_of_a_path_is_replaced() {
        let entries = [
            ("/src", "/home/me"),
            ("/src/Shop", "/home/shop/"),
            ("C:\\Build", "/home/me/build"),
            ("/linux", "C:\\local"),
            ("D:/One.cs", "/home/Two.cs"),
            ("/slash/", "/s"),
            ("", "/nothing"),
        ];
        let map = SourceFileMap::new(entries.map(|(from, to)| (from.to_owned(), to.to_owned())));
        for (path, expected) in [
            ("/src/Program.cs", "/home/me/Program.cs"),
            ("/src/Shop/Cart.cs", "/home/shop/Cart.cs"),
            ("/src/Shop.Core/Cart.cs", "/home/me/Shop.Core/Cart.cs"),
            ("c:\\build\\Sub\\A.cs", "/home/me/build/Sub/A.cs"),
            ("C:/Build/A.cs", "/home/me/build/A.cs"),
            ("/linux/sub/A.cs", "C:\\local\\sub\\A.cs"),
            ("D:\\One.cs", "/home/Two.cs"),
            ("/slash/A.cs", "/s/A.cs"),
            ("/Src/Program.cs", "/Src/Program.cs"),
            ("/other/é.cs", "/other/é.cs"),
        ] {
            assert_eq!(map.local(path), expected, "{path}");
        }
    }
}
