//! Our parser of expressions beside tree-sitter's grammar, over real code: the same nodes at the same places.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use clr_csharp::syntax::{Expr, ExprKind, parse};
use tree_sitter::{Node, Parser};

/// What both call an expression, and a label for it.
fn label(kind: &str) -> Option<&'static str> {
    Some(match kind {
        "member_access_expression" => "member",
        "element_access_expression" => "index",
        "invocation_expression" => "call",
        "conditional_access_expression" => "maybe",
        "binary_expression" => "binary",
        "prefix_unary_expression" | "postfix_unary_expression" => "unary",
        "assignment_expression" => "assignment",
        "conditional_expression" => "conditional",
        "cast_expression" => "cast",
        "as_expression" => "as",
        "is_expression" | "is_pattern_expression" => "is",
        "range_expression" => "range",
        "switch_expression" => "switch",
        "with_expression" => "with",
        "object_creation_expression" | "implicit_object_creation_expression" => "new",
        "array_creation_expression" | "implicit_array_creation_expression" => "array",
        "anonymous_object_creation_expression" => "anonymous",
        "lambda_expression" | "anonymous_method_expression" => "lambda",
        "query_expression" => "query",
        "typeof_expression" => "typeof",
        "sizeof_expression" => "sizeof",
        "checked_expression" => "checked",
        "throw_expression" => "throw",
        "await_expression" => "await",
        "tuple_expression" => "tuple",
        "interpolated_string_expression" => "interpolated",
        _ => return None,
    })
}

fn own_label(expr: &Expr) -> Option<&'static str> {
    Some(match &expr.kind {
        ExprKind::MemberAccess { .. } => "member",
        ExprKind::ElementAccess { .. } => "index",
        ExprKind::Invocation { .. } | ExprKind::NameOf(_) => "call",
        ExprKind::ConditionalAccess { .. } => "maybe",
        ExprKind::Binary { .. } => "binary",
        ExprKind::Unary { .. } => "unary",
        ExprKind::Assignment { .. } => "assignment",
        ExprKind::Conditional { .. } => "conditional",
        ExprKind::Cast { .. } => "cast",
        ExprKind::As { .. } => "as",
        ExprKind::Is { .. } => "is",
        ExprKind::Range { .. } => "range",
        ExprKind::Switch { .. } => "switch",
        ExprKind::With { .. } => "with",
        ExprKind::New { .. } => "new",
        ExprKind::NewArray { .. } => "array",
        ExprKind::Anonymous(_) => "anonymous",
        ExprKind::Lambda(_) => "lambda",
        ExprKind::Query(_) => "query",
        ExprKind::TypeOf(_) => "typeof",
        ExprKind::SizeOf(_) => "sizeof",
        ExprKind::Checked { .. } => "checked",
        ExprKind::Throw(_) => "throw",
        ExprKind::Await(_) => "await",
        ExprKind::Tuple(_) => "tuple",
        ExprKind::Interpolated(_) => "interpolated",
        _ => return None,
    })
}

/// What the grammar reads as the compiler does not: `||` as a part of the constant before it, types in `new` that begin with
/// a tuple as comparisons.
const MISREAD: [&str; 3] = ["is null || ", "<(", "extension<"];

type Nodes = BTreeSet<(&'static str, usize, usize)>;

/// Of an expression. Not compared: fields of initializers and paths of patterns, which the grammar takes for assignments and members.
fn theirs(node: Node<'_>, from: usize, into: &mut Nodes) {
    let parent = node.parent().map(|parent| parent.kind()).unwrap_or_default();
    let is_path = parent == "subpattern" && node.next_sibling().is_some_and(|next| next.kind() == ":");
    if node.kind() == "attribute_list" || is_path {
        return;
    }
    let is_field =
        node.kind() == "assignment_expression" && matches!(parent, "initializer_expression" | "with_initializer");
    let mut around = node;
    while let Some(parent) = around.parent().filter(|parent| parent.kind() == "parenthesized_expression") {
        around = parent;
    }
    if let Some(label) = label(node.kind()).filter(|label| !is_field && *label != "maybe")
        && around.start_byte() >= from
    {
        into.insert((label, around.start_byte() - from, around.end_byte() - from));
    }
    let mut cursor = node.walk();
    for child in node.children(&mut cursor) {
        theirs(child, from, into);
    }
}

/// `chain`: where the conditional access begins in which the expression stands; the grammar lets all of the chain begin there.
fn ours(expr: &Expr, chain: Option<usize>, into: &mut Nodes) {
    let (of, is_binding) = match &expr.kind {
        ExprKind::MemberAccess { of, .. } | ExprKind::ElementAccess { of, .. } => {
            (Some(of), matches!(of.kind, ExprKind::Receiver))
        }
        ExprKind::Invocation { of, .. } | ExprKind::Unary { of, .. } => (Some(of), false),
        ExprKind::ConditionalAccess { of, .. } => (Some(of), false),
        _ => (None, false),
    };
    if let Some(label) = own_label(expr).filter(|label| *label != "maybe" && !is_binding) {
        into.insert((label, chain.unwrap_or(expr.span.start), expr.span.end));
    }
    for child in expr.children() {
        let chain = match &expr.kind {
            ExprKind::ConditionalAccess { then, .. } if std::ptr::eq(&**then, child) => {
                Some(chain.unwrap_or(expr.span.start))
            }
            _ => chain.filter(|_| of.is_some_and(|of| std::ptr::eq(&**of, child))),
        };
        ours(child, chain, into);
    }
}

/// Whether the grammar takes a product that is passed, `F(a * b)`, for the declaration of a pointer.
fn declares_pointer(node: Node<'_>) -> bool {
    let type_ = node.child_by_field_name("type").filter(|_| node.kind() == "declaration_expression");
    let mut cursor = node.walk();
    type_.is_some_and(|type_| type_.kind() == "pointer_type") || node.children(&mut cursor).any(declares_pointer)
}

/// Whether the body of a lambda has a local function: that statement is refused, so what is in it is not read.
fn declares_function(node: Node<'_>) -> bool {
    let mut cursor = node.walk();
    node.kind() == "local_function_statement" || node.children(&mut cursor).any(declares_function)
}

/// The outermost expressions of a file.
fn expressions<'a>(node: Node<'a>, found: &mut Vec<Node<'a>>) {
    let is_place = matches!(
        node.parent().map(|parent| parent.kind()),
        Some(
            "expression_statement"
                | "return_statement"
                | "arrow_expression_clause"
                | "if_statement"
                | "variable_declarator"
                | "argument"
        )
    );
    if is_place && label(node.kind()).is_some() {
        found.push(node);
        return;
    }
    let mut cursor = node.walk();
    for child in node.children(&mut cursor) {
        expressions(child, found);
    }
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            if !matches!(path.file_name().and_then(|name| name.to_str()), Some("bin" | "obj" | ".git")) {
                sources(&path, found);
            }
        } else if path.extension().is_some_and(|extension| extension == "cs") {
            found.push(path);
        }
    }
}

/// The differences, and how many expressions were compared.
fn compare(folder: &Path) -> (Vec<String>, usize) {
    let mut files = Vec::new();
    sources(folder, &mut files);
    files.sort();
    let mut parser = Parser::new();
    parser.set_language(&tree_sitter_c_sharp::LANGUAGE.into()).unwrap();
    let (mut differences, mut count) = (Vec::new(), 0);
    for file in files {
        let Ok(text) = std::fs::read_to_string(&file) else { continue };
        let tree = parser.parse(&text, None).unwrap();
        let mut found = Vec::new();
        expressions(tree.root_node(), &mut found);
        for node in found {
            let own = &text[node.byte_range()];
            // what the grammar itself does not understand, or takes for something else
            let is_misread = || {
                MISREAD.iter().any(|misread| own.contains(misread)) || declares_pointer(node) || declares_function(node)
            };
            if node.has_error() || own.contains("\n#") || is_misread() {
                continue;
            }
            count += 1;
            let place = || format!("{}:{}", file.display(), node.start_position().row + 1);
            match parse(own) {
                Err(error) if error.code == "CS8078" => {}
                Err(error) => differences.push(format!("{} {error} at {}: {own}", place(), error.at)),
                Ok(expr) => {
                    let (mut expected, mut read) = (Nodes::new(), Nodes::new());
                    theirs(node, node.start_byte(), &mut expected);
                    ours(&expr, None, &mut read);
                    let missing: Vec<_> = expected.difference(&read).collect();
                    let added: Vec<_> = read.difference(&expected).collect();
                    if !missing.is_empty() || !added.is_empty() {
                        differences.push(format!("{} missing {missing:?} added {added:?}: {own}", place()));
                    }
                }
            }
        }
    }
    (differences, count)
}

#[test]
fn expressions_of_real_code_are_read_as_the_grammar_reads_them() {
    let folder =
        std::env::var_os("CLRBRIDGE_SOURCES").map_or_else(|| Path::new("tests/fixtures").to_owned(), PathBuf::from);
    let (differences, count) = compare(&folder);
    println!("{count} expressions");
    assert!(count > 1_000, "{count}");
    assert!(differences.is_empty(), "{} differences:\n{}", differences.len(), differences.join("\n"));
}
