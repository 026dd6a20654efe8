//! Which members expressions mean in the code of `tests/data/bound`.

use std::path::Path;
use std::sync::Arc;

use clr_metadata::{Assembly, MethodId};

use super::{NEEDED, framework};
use crate::bind::{Binder, signature};
use crate::bound::{BindError, Bound, Kind};
use crate::syntax;
use crate::types::{Type, TypeSystem};
use crate::world::{Scope, Variable};

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

/// The member that an expression is of: `Base.X`; of an overload, what it takes: `Overloads.Taken(Base)`.
fn meant(types: &TypeSystem, scope: &Scope, text: &str) -> String {
    match Binder::new(types, scope).bind(&syntax::parse(text).unwrap()) {
        Ok(bound) => named(&bound),
        Err(BindError::Compiler { code, message, .. }) => format!("{code}: {message}"),
        Err(BindError::Unsupported(words)) => words,
    }
}

fn named(bound: &Bound) -> String {
    match &bound.kind {
        Kind::Call { method, .. } if method.owner.is("Overloads") => {
            signature(method).replace('(', if method.arguments.is_empty() { "(" } else { "<>(" })
        }
        Kind::Call { method, .. } => method.text(),
        Kind::Operator { method, .. } => method.text(),
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
    let expected = "'Local' is a local function whose captured variables cannot be reached here";
    assert_eq!(meant(&types, &scope, "Local(1)"), expected);
}

/// In `Generic.Show` with a `Node` for `T` and `U`, and a `Packed` for `V`.
fn in_generic_code(types: &TypeSystem, own: &Arc<Assembly>, rows: &[(&str, &str)]) {
    let named = |name: &str| Type::named(name, Vec::new());
    let show = method(own, "Generic", "Show");
    let arguments = [named("Node"), named("Node"), named("Packed")];
    let mut scope = Scope::of_code(own, show, 0, &arguments);
    for variable in own.variables_at(show, 1).into_iter().rev() {
        let open = Type::of(&variable.type_);
        let exact = open.substitute(&arguments, &arguments);
        let type_ = Some(scope.of_declaration(exact, &open, 0));
        scope.variables.push(Variable { name: variable.name, type_ });
    }
    let wrong: Vec<String> = rows
        .iter()
        .map(|(text, expected)| (text, meant(types, &scope, text), expected))
        .filter(|(_, found, expected)| found != *expected)
        .map(|(text, found, expected)| format!("{text}\n  expected {expected}\n  found    {found}"))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn members_of_a_type_parameter_are_those_of_what_it_is_bound_to() {
    let Some((types, own)) = opened() else { return };
    let rows = [
        ("node.Kind", "INode.Kind"),
        ("node.Weight", "INode.Weight"),
        ("node.Named", "INode.Named"),
        ("node.Over(1)", "INode.Over"),
        ("node.ToString()", "object.ToString"),
        ("derived.X", "Base.X"),
        ("derived.Field", "Base.Field"),
        ("derived.Plain()", "Base.Plain"),
        ("derived.Kind", "INode.Kind"),
        ("derived.Shared()", "Base.Shared"),
        ("packed.Kind", "INode.Kind"),
        ("packed.Weight", "Packed.Weight"),
        ("packed.Over(1)", "Packed.Over"),
        // elsewhere than in a variable
        ("list[0].Kind", "INode.Kind"),
        ("list.First().Kind", "INode.Kind"),
        ("array[0].Kind", "INode.Kind"),
        ("list.Where(it => it.Weight > 1).Select(it => it).Last().Kind", "INode.Kind"),
        ("new List<T>().First().Kind", "INode.Kind"),
        ("new Holder<T>().Held.Kind", "INode.Kind"),
        ("new Holder<T>().Many[0].Kind", "INode.Kind"),
        ("default(T).Kind", "INode.Kind"),
        ("((T)(object)node).Kind", "INode.Kind"),
        ("(node as T).Kind", "INode.Kind"),
        ("(node ?? array[0]).Kind", "INode.Kind"),
        // not declared as the parameter
        ("((Node)(object)node).Kind", "Node.Kind"),
        ("new Node().Kind", "Node.Kind"),
        ("new List<Node>()[0].Kind", "Node.Kind"),
        // what only the argument has
        ("node.Only", "Node.Only"),
        ("node.Plain()", "Node.Plain"),
        ("derived.Only", "Node.Only"),
        ("node.Nothing", "a value of 'dynamic'"),
    ];
    in_generic_code(&types, &own, &rows);
}

#[test]
fn arguments_of_a_type_parameter_are_taken_for_what_it_is_bound_to() {
    let Some((types, own)) = opened() else { return };
    let rows = [
        ("Overloads.Taken(derived)", "Overloads.Taken(Base)"),
        ("Overloads.Named(node)", "Overloads.Named(INode)"),
        ("Overloads.Same(node)", "Overloads.Same<>(Node)"),
        ("Overloads.Same(list[0])", "Overloads.Same<>(Node)"),
        ("list.Select(it => Overloads.Named(it)).Count(it => Overloads.Named(node) == it)", "Enumerable.Count"),
        // as only its argument is
        ("Overloads.Taken(node)", "Overloads.Taken(Node)"),
        ("Overloads.Taken(new Node())", "Overloads.Taken(Node)"),
        ("Overloads.Same(new Node())", "Overloads.Same(Node)"),
        ("list.Contains(node)", "List<Node>.Contains"),
        ("object.Equals(node, derived)", "object.Equals"),
    ];
    in_generic_code(&types, &own, &rows);
}

#[test]
fn operators_of_a_type_parameter_are_those_of_the_class_that_it_is_bound_to() {
    let Some((types, own)) = opened() else { return };
    let rows = [
        ("derived + derived", "Base.op_Addition"),
        ("new Node() + new Node()", "Node.op_Addition"),
        // as objects
        ("node == list[0]", "a value of 'bool'"),
        ("list.First() != node", "a value of 'bool'"),
        ("new Node() == new Node()", "Node.op_Equality"),
    ];
    in_generic_code(&types, &own, &rows);
}
