//! The sources, parsed: what checks of structure look at, where words alone would not do.

use std::path::{Path, PathBuf};

use syn::visit::{self, Visit};
use syn::{Attribute, Expr, Member};

/// A file without what is compiled for tests alone.
pub struct Parsed {
    /// Below `src`, with `/` and without the ending: `session/actor/waits`.
    pub module: String,
    pub file: syn::File,
}

pub fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// The file of a module, and those of the folder of its name.
pub fn parsed_below(module: &str) -> Vec<Parsed> {
    let mut found = Vec::new();
    let file = sources().join(format!("{module}.rs"));
    if file.is_file() {
        found.push(file);
    }
    let folder = sources().join(module);
    if folder.is_dir() {
        gather(&folder, &mut found);
    }
    assert!(!found.is_empty(), "no sources in {module}");
    let parsed = found.iter().filter(|path| !path.ends_with("tests.rs")).map(|path| {
        let text = std::fs::read_to_string(path).unwrap();
        let mut file = syn::parse_file(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        file.items.retain(|item| !matches!(item, syn::Item::Mod(module) if is_for_tests(&module.attrs)));
        let module = path.strip_prefix(sources()).unwrap().with_extension("");
        Parsed { module: module.to_str().unwrap().replace('\\', "/"), file }
    });
    parsed.collect()
}

fn gather(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            // examples and tests of a crate are no part of it
            if !path.ends_with("examples") && !path.ends_with("tests") {
                gather(&path, found);
            }
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

fn is_for_tests(attributes: &[Attribute]) -> bool {
    let is_test = |attribute: &Attribute| {
        attribute.path().is_ident("cfg") && attribute.parse_args::<syn::Path>().is_ok_and(|it| it.is_ident("test"))
    };
    attributes.iter().any(is_test)
}

/// Every `base.name` of these files, with the last name of `base`: that of `link.quirks.paging` is `quirks`.
pub fn fields_read(files: &[Parsed]) -> Vec<(String, String)> {
    struct Reads(Vec<(String, String)>);
    impl<'a> Visit<'a> for Reads {
        fn visit_expr_field(&mut self, field: &'a syn::ExprField) {
            if let Member::Named(name) = &field.member {
                self.0.push((last_name(&field.base).unwrap_or_default(), name.to_string()));
            }
            visit::visit_expr_field(self, field);
        }
    }
    let mut reads = Reads(Vec::new());
    files.iter().for_each(|it| reads.visit_file(&it.file));
    reads.0
}

/// `machine` of `self.machine`, `quirks` of `(known.quirks)()`.
pub fn last_name(expression: &Expr) -> Option<String> {
    match expression {
        Expr::Path(path) => path.path.segments.last().map(|segment| segment.ident.to_string()),
        Expr::Field(field) => match &field.member {
            Member::Named(name) => Some(name.to_string()),
            Member::Unnamed(_) => None,
        },
        Expr::Paren(inner) => last_name(&inner.expr),
        Expr::Reference(inner) => last_name(&inner.expr),
        Expr::Unary(inner) => last_name(&inner.expr),
        Expr::Call(call) => last_name(&call.func),
        _ => None,
    }
}

/// The names of a struct's fields.
pub fn fields_of(file: &syn::File, name: &str) -> Vec<String> {
    let item = file.items.iter().find_map(|item| match item {
        syn::Item::Struct(item) if item.ident == name => Some(item),
        _ => None,
    });
    let item = item.unwrap_or_else(|| panic!("no struct {name}"));
    item.fields.iter().map(|field| field.ident.as_ref().unwrap().to_string()).collect()
}
