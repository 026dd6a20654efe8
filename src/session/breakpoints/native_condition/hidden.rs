//! Members that a derived type hides: C# means the one of the type that the receiver is declared as, and some adapters read by the type
//! that the object is of (vendor-notes.md).

use clr_csharp::syntax::{Expr, ExprKind, UnaryOp};
use clr_metadata::TypeSig;

use crate::session::modules::{DeclaredVariables, Modules};

/// Whether an expression reads a member that a derived type hides: of which objects, nobody knows before.
pub(super) fn may_read(modules: &Modules, declared: &DeclaredVariables, expr: &Expr) -> bool {
    Search { modules, declared }.finds(expr)
}

struct Search<'a> {
    modules: &'a Modules,
    declared: &'a DeclaredVariables,
}

impl Search<'_> {
    fn finds(&self, expr: &Expr) -> bool {
        let (type_, member) = match &expr.kind {
            ExprKind::MemberAccess { of, name, .. } => (self.type_of(of), Some(&name.text)),
            ExprKind::Name { name, .. } if self.declared.of(&name.text).is_none() => (self.this(), Some(&name.text)),
            _ => (None, None),
        };
        let is_hidden =
            |member: &String| type_.is_some_and(|type_| self.modules.is_hidden_below(&type_.to_string(), member));
        member.is_some_and(is_hidden) || expr.children().into_iter().any(|child| self.finds(child))
    }

    fn this(&self) -> Option<TypeSig> {
        self.declared.of("this").map(|declared| declared.type_.clone())
    }

    /// The type that the source declares; `None` where that is not known.
    fn type_of(&self, expr: &Expr) -> Option<TypeSig> {
        match &expr.kind {
            ExprKind::This => self.this(),
            ExprKind::Name { name, .. } => match self.declared.of(&name.text) {
                Some(declared) => Some(declared.type_.clone()),
                None => self.member(&self.this()?, &name.text),
            },
            ExprKind::MemberAccess { of, name, .. } => self.member(&self.type_of(of)?, &name.text),
            ExprKind::Invocation { of, .. } => match &of.kind {
                ExprKind::Name { name, .. } => self.result(&self.this()?, &name.text),
                ExprKind::MemberAccess { of, name, .. } => self.result(&self.type_of(of)?, &name.text),
                _ => None,
            },
            ExprKind::ElementAccess { of, .. } => match self.type_of(of)? {
                TypeSig::Array(element) | TypeSig::MultiArray { element, .. } => Some(*element),
                other => self.result(&other, "get_Item"),
            },
            ExprKind::Unary { operator: UnaryOp::NullForgiving, of } => self.type_of(of),
            _ => None,
        }
    }

    fn member(&self, owner: &TypeSig, name: &str) -> Option<TypeSig> {
        let members = self.modules.universe().members(&owner.to_string());
        members.into_iter().find(|member| member.name == name).map(|member| member.type_)
    }

    fn result(&self, owner: &TypeSig, method: &str) -> Option<TypeSig> {
        let results = self.modules.universe().results(&owner.to_string(), method);
        results.first().filter(|first| results.iter().all(|other| other == *first)).cloned()
    }
}
