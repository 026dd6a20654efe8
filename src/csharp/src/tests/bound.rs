//! Which members expressions mean in the code of `tests/data/bound`.

use std::path::Path;
use std::sync::Arc;

use clr_metadata::{Assembly, MethodId};

use super::{NEEDED, framework};
use crate::bind::Binder;
use crate::bound::{BindError, Bound, Kind};
use crate::syntax;
use crate::types::TypeSystem;
use crate::world::Scope;

/// The code's own types with those of the framework. `None`: there is none here, as [`super::types`] says.
fn opened() -> Option<(TypeSystem, Arc<Assembly>)> {
    super::types()?;
    let folder = framework()?;
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/bound/Bound.dll");
    let own = Assembly::open(own).unwrap();
    let files = NEEDED.iter().map(|name| Assembly::open(folder.join(format!("{name}.dll"))).unwrap());
    Some((TypeSystem::new(std::iter::once(own.clone()).chain(files).collect(), Some(folder)), own))
}

fn method(assembly: &Assembly, type_: &str, name: &str) -> MethodId {
    let type_ = assembly.type_(assembly.find_definition(type_).unwrap());
    type_.methods().find(|id| assembly.method(*id).name() == name).unwrap()
}

/// The member that an expression is of: `Base.X`.
fn meant(types: &TypeSystem, scope: &Scope, text: &str) -> String {
    match Binder::new(types, scope).bind(&syntax::parse(text).unwrap()) {
        Ok(bound) => named(&bound),
        Err(BindError::Compiler { code, message, .. }) => format!("{code}: {message}"),
        Err(BindError::Unsupported(words)) => words,
    }
}

fn named(bound: &Bound) -> String {
    match &bound.kind {
        Kind::Call { method, .. } => method.text(),
        Kind::Property { property, .. } => format!("{}.{}", property.owner.short(), property.property.name),
        Kind::Field { field, .. } => format!("{}.{}", field.owner.short(), field.field.name),
        _ => format!("a value of '{}'", bound.type_.short()),
    }
}

#[test]
fn extensions_of_the_program_come_before_those_that_its_files_import() {
    let Some((types, own)) = opened() else { return };
    let scope = Scope::of_code(&own, method(&own, "Own", "Counted"), 0, &[]);
    for (text, expected) in [
        ("new List<int>().Count()", "Own.Count"),
        ("new HashSet<int>().First()", "Own.First"),
        ("new Stack<int>().Where()", "Own.Where"),
        ("new HashSet<int>().Count()", "Enumerable.Count"),
        ("new Stack<int>().Where(it => it > 1)", "Enumerable.Where"),
    ] {
        assert_eq!(meant(&types, &scope, text), expected, "{text}");
    }
}

#[test]
fn a_local_function_of_a_closure_is_known_and_not_called() {
    let Some((types, own)) = opened() else { return };
    let scope = Scope::of_code(&own, method(&own, "Generic", "Closes"), 0, &[]);
    let expected = "'Local' is a local function with captured variables: it cannot be called here";
    assert_eq!(meant(&types, &scope, "Local(1)"), expected);
}
