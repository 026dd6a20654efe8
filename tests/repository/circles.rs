//! Which files name each other in a circle. A file and those of its folder are one module; all other circles are listed here, and
//! the documentation of one file says why each is left.

use std::collections::{BTreeMap, BTreeSet};

use syn::visit::{self, Visit};
use syn::{UseTree, Visibility};

use crate::syntax::{Parsed, parsed_below, sources};

/// The file that says why, and who name each other.
const LEFT: &[(&str, &[&str])] = &[
    (
        "csharp/src/syntax/lexer",
        &["csharp/src/syntax/lexer", "csharp/src/syntax/literals", "csharp/src/syntax/strings"],
    ),
    ("csharp/src/types", &["csharp/src/types/extensions", "csharp/src/types/members", "csharp/src/types/system"]),
    (
        "engine/src/dap",
        &[
            "engine/src/dap/cancelling",
            "engine/src/dap/evaluation",
            "engine/src/dap/output",
            "engine/src/dap/recorded",
            "engine/src/dap/server",
            "engine/src/dap/sources",
            "engine/src/dap/starting",
        ],
    ),
    (
        "metadata/src/assembly",
        &["metadata/src/assembly", "metadata/src/index", "metadata/src/pdb/find", "metadata/src/usages/bodies"],
    ),
    ("session/command", &["session/command", "session/handle"]),
    (
        "session/inspect",
        &["session/inspect/captured", "session/inspect/frames", "session/inspect/reader", "session/inspect/wide_enums"],
    ),
    ("session/inspect", &["session/inspect/collections", "session/inspect/delegates", "session/inspect/preview"]),
    ("session/inspect", &["session/inspect/path", "session/inspect/refusal"]),
    ("session/inspect", &["session/inspect/expand", "session/inspect/members"]),
    ("session/inspect", &["session/inspect/made", "session/inspect/raw_value"]),
];

/// Where the modules of each crate begin.
const CRATES: &[&str] = &["", "csharp/src", "dap-wire/src", "engine/src", "metadata/src"];

type Path = Vec<String>;

/// The paths that a file names, and those that it hands on under a name.
#[derive(Default)]
struct Names {
    paths: Vec<Path>,
    handed_on: BTreeMap<String, Path>,
}

impl Names {
    fn take(&mut self, tree: &UseTree, before: &[String], hands_on: bool) {
        let with = |name: &syn::Ident| before.iter().cloned().chain([name.to_string()]).collect::<Path>();
        let (name, path) = match tree {
            UseTree::Path(path) => return self.take(&path.tree, &with(&path.ident), hands_on),
            UseTree::Group(group) => return group.items.iter().for_each(|it| self.take(it, before, hands_on)),
            UseTree::Glob(_) => return self.paths.push(before.to_vec()),
            UseTree::Name(name) => (name.ident.to_string(), with(&name.ident)),
            UseTree::Rename(name) => (name.rename.to_string(), with(&name.ident)),
        };
        // `self` of `x::{self}` is `x`
        let path: Path = if path.len() > 1 && path.last().is_some_and(|it| it == "self") {
            path[..path.len() - 1].to_vec()
        } else {
            path
        };
        match hands_on {
            true => drop(self.handed_on.insert(name, path)),
            false => self.paths.push(path),
        }
    }
}

impl<'a> Visit<'a> for Names {
    fn visit_item_use(&mut self, item: &'a syn::ItemUse) {
        self.take(&item.tree, &[], !matches!(item.vis, Visibility::Inherited));
    }
    fn visit_path(&mut self, path: &'a syn::Path) {
        if path.segments.len() > 1 {
            self.paths.push(path.segments.iter().map(|segment| segment.ident.to_string()).collect());
        }
        visit::visit_path(self, path);
    }
}

/// Of each file the files that it names, less those of its own module: above it, or in its folder.
struct Arrows(BTreeMap<String, BTreeSet<String>>);

impl Arrows {
    fn of(files: &[Parsed], root: &str) -> Self {
        let named: BTreeMap<&str, Names> = files.iter().map(|it| (it.module.as_str(), names(&it.file))).collect();
        let mut arrows = BTreeMap::new();
        for (module, names) in &named {
            let found = names.paths.iter().filter_map(|path| resolved(&named, root, module, path, 0));
            let is_apart = |other: &String| {
                let below = |inner: &str, outer: &str| inner.strip_prefix(outer).is_some_and(|it| it.starts_with('/'));
                other != module && !below(other, module) && !below(module, other) && !is_root(other, root)
            };
            arrows.insert((*module).to_owned(), found.filter(is_apart).collect());
        }
        Self(arrows)
    }

    fn reached_from(&self, module: &str) -> BTreeSet<&str> {
        let mut reached: BTreeSet<&str> = BTreeSet::new();
        let mut next = vec![module];
        while let Some(module) = next.pop() {
            for other in self.0.get(module).into_iter().flatten() {
                if reached.insert(other) {
                    next.push(other);
                }
            }
        }
        reached
    }

    fn circles(&self) -> BTreeSet<Vec<String>> {
        let reached: BTreeMap<&str, BTreeSet<&str>> =
            self.0.keys().map(|module| (module.as_str(), self.reached_from(module))).collect();
        let circle = |module: &&str| {
            let both = reached[module].iter().filter(|other| reached[**other].contains(module));
            both.map(|other| (*other).to_owned()).collect::<Vec<String>>()
        };
        reached.keys().map(circle).filter(|circle| circle.len() > 1).collect()
    }
}

fn names(file: &syn::File) -> Names {
    let mut names = Names::default();
    names.visit_file(file);
    names
}

fn is_root(module: &str, root: &str) -> bool {
    let name = module.strip_prefix(root).unwrap_or(module).trim_start_matches('/');
    matches!(name, "lib" | "main")
}

/// The file in which what a path means is declared; `None` where that is none of this crate.
fn resolved(named: &BTreeMap<&str, Names>, root: &str, module: &str, path: &[String], depth: usize) -> Option<String> {
    let joined = |base: &str, name: &str| if base.is_empty() { name.to_owned() } else { format!("{base}/{name}") };
    let own = if is_root(module, root) { root } else { module };
    let (mut at, mut rest) = match path.first()?.as_str() {
        "crate" => (root.to_owned(), &path[1..]),
        "self" => (own.to_owned(), &path[1..]),
        "super" => (own.to_owned(), path),
        name if named.contains_key(joined(own, name).as_str()) => (own.to_owned(), path),
        _ => return None,
    };
    while rest.first().is_some_and(|it| it == "super") {
        at = at.rsplit_once('/').map_or_else(|| root.to_owned(), |(above, _)| above.to_owned());
        rest = &rest[1..];
    }
    while let Some(name) = rest.first() {
        let next = joined(&at, name);
        if !named.contains_key(next.as_str()) {
            break;
        }
        (at, rest) = (next, &rest[1..]);
    }
    let holder = if at == root { joined(root, "lib") } else { at.clone() };
    if let (Some(name), true) = (rest.first(), depth < 8)
        && let Some(path) = named.get(holder.as_str()).and_then(|names| names.handed_on.get(name))
    {
        let path: Path = path.iter().chain(&rest[1..]).cloned().collect();
        if let Some(found) = resolved(named, root, &holder, &path, depth + 1) {
            return Some(found);
        }
    }
    named.contains_key(holder.as_str()).then_some(holder)
}

#[test]
fn no_circle_is_left_that_nobody_explains() {
    let mut found = BTreeSet::new();
    for root in CRATES {
        let mut files = Vec::new();
        for entry in std::fs::read_dir(sources().join(root)).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_stem().unwrap().to_str().unwrap();
            let is_crate = path.join("Cargo.toml").is_file();
            let is_source = path.extension().is_some_and(|it| it == "rs") && name != "tests";
            if is_source {
                let module = if root.is_empty() { name.to_owned() } else { format!("{root}/{name}") };
                files.extend(parsed_below(&module));
            }
            assert!(is_crate || is_source || path.with_extension("rs").is_file() || !path.is_dir(), "{path:?}");
        }
        found.extend(Arrows::of(&files, root).circles());
    }
    let left: BTreeSet<Vec<String>> =
        LEFT.iter().map(|(_, circle)| circle.iter().map(|it| (*it).to_owned()).collect()).collect();
    assert_eq!(found, left, "circles found, and those that are explained");
    for (explains, circle) in LEFT {
        let text = std::fs::read_to_string(sources().join(format!("{explains}.rs"))).unwrap();
        let about: String = text.lines().take_while(|line| line.starts_with("//!")).collect();
        let others = circle.iter().filter(|module| module != &explains);
        for name in others.map(|module| module.rsplit('/').next().unwrap()) {
            assert!(about.contains(&format!("`{name}`")), "{explains} does not say why `{name}` is in a circle");
        }
    }
}

#[test]
fn the_check_follows_what_is_handed_on() {
    let file = |module: &str, text: &str| Parsed { module: module.to_owned(), file: syn::parse_file(text).unwrap() };
    let files = [
        file("lib", "mod a; mod b;"),
        file("a", "mod inner; pub use inner::Thing;"),
        file("a/inner", "use crate::b::Other;"),
        file("b", "use super::a::Thing; fn f() { crate::c::g() }"),
        file("c", "fn g() {}"),
    ];
    let arrows = Arrows::of(&files, "");
    assert_eq!(arrows.0["b"], BTreeSet::from(["a/inner".to_owned(), "c".to_owned()]));
    assert_eq!(arrows.circles(), BTreeSet::from([vec!["a/inner".to_owned(), "b".to_owned()]]));
}
