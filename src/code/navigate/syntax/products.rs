//! `F(a * b)`: the grammar takes it for the declaration of a pointer `b`. C# declares a variable in an argument only behind `out`.

use tree_sitter::Node;

/// What a node of such a declaration is in the product.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Product {
    Whole,
    /// The pointer, of which only the type is kept: it is the left factor.
    Factor,
    /// `a.b`
    Path,
}

impl Product {
    /// `within`: what the node around it is.
    pub(super) fn of(node: &Node<'_>, within: Option<Self>) -> Option<Self> {
        match (node.kind(), within) {
            ("declaration_expression", _) if is_product(node) => Some(Self::Whole),
            ("pointer_type", Some(Self::Whole)) => Some(Self::Factor),
            ("qualified_name", Some(Self::Factor | Self::Path)) => Some(Self::Path),
            _ => None,
        }
    }

    /// As the grammar calls it where it takes it for a product.
    pub(super) fn kind(self) -> Option<&'static str> {
        match self {
            Self::Whole => Some("binary_expression"),
            Self::Factor => None,
            Self::Path => Some("member_access_expression"),
        }
    }

    /// What a child is to it.
    pub(super) fn field(self, declared: Option<&'static str>) -> Option<&'static str> {
        match (self, declared) {
            (Self::Whole, Some("name")) => Some("right"),
            (Self::Factor, Some("type")) => Some("left"),
            (Self::Path, Some("qualifier")) => Some("expression"),
            (_, declared) => declared,
        }
    }
}

fn is_product(declaration: &Node<'_>) -> bool {
    let pointer = declaration.child_by_field_name("type").filter(|type_| type_.kind() == "pointer_type");
    let pointed = pointer.and_then(|pointer| pointer.child_by_field_name("type"));
    let is_value = pointed.is_some_and(|it| matches!(it.kind(), "identifier" | "qualified_name"));
    is_value && declaration.prev_sibling().is_none_or(|before| before.kind() != "out")
}

#[cfg(test)]
mod tests {
    use crate::code::navigate::syntax::{Role, Syntax};

    #[test]
    fn a_product_that_is_passed_declares_nothing() {
        for (code, roles, locals) in [
            ("F(a * x);", &[Role::Read][..], 0),
            ("F(x * b, c: x * x);", &[Role::Read; 3], 0),
            ("_ = (a.x * x, A<int>.x * b);", &[Role::Read; 3], 0),
            ("F(out int* x, x);", &[Role::Declaration, Role::Read], 1),
            ("F(out int x, x);", &[Role::Declaration, Role::Read], 1),
        ] {
            let syntax = Syntax::parse(format!("class A {{ void M() {{ {code} }} }}")).unwrap();
            let found: Vec<Role> = syntax.occurrences("x").iter().map(|it| it.role).collect();
            assert_eq!((found.as_slice(), syntax.locals("x").len()), (roles, locals), "{code}");
        }
        let syntax = Syntax::parse("class A { void M() { F(a.x * b); } }".to_owned()).unwrap();
        let x = syntax.occurrences("x")[0].node;
        assert_eq!(syntax.text(syntax.whole(x)), "a.x");
        assert_eq!(syntax.path_to(x), Some(vec!["a", "x"]));
        assert_eq!(syntax.text(syntax.parent(syntax.whole(x)).unwrap()), "a.x * b");
    }
}
