//! `base`: `this`, as its base class has it.

use crate::bound::{Bound, Kind};
use crate::syntax::{Argument, Expr, ExprKind, Span};
use crate::types::{FieldRef, PropertyRef, Type};

use super::{Binder, Meaning, Result, error, unsupported};

impl Binder<'_> {
    fn base_of_this(&mut self, span: &Span) -> Result<Bound> {
        let this = self.this(span)?;
        match self.scope.enclosing.first().and_then(|type_| self.types.base(type_)) {
            Some(base) => Ok(Bound::new(this.kind, base, span.clone())),
            None => error("CS1511", "Keyword 'base' is not available in a static method", span),
        }
    }

    pub(super) fn base_member(&mut self, name: &str, arguments: Vec<Type>, span: &Span) -> Result<Meaning> {
        let base = self.base_of_this(span)?;
        // an object of a derived type may have it, but not as its base
        if !self.has_member(&base.type_, name) {
            return error("CS0117", self.no_member(&base.type_, name, false), span);
        }
        let found = self.value_member(base.clone(), name, arguments, span)?;
        match &found {
            Meaning::Value(Bound { kind: Kind::Property { property, .. }, .. }) if is_virtual(property) => {
                // what an auto-property gives is in its field
                let fields = self.types.definition(&property.owner).map(|it| self.types.fields(&it));
                let of_property = |name: &String| fields.as_ref()?.iter().find(|field| field.name == *name).cloned();
                let Some(field) = property.property.field.as_ref().and_then(of_property) else {
                    return virtual_base(name);
                };
                let field = FieldRef { owner: property.owner.clone(), field };
                let type_ = property.type_();
                let kind = Kind::Field { of: Some(Box::new(base)), field };
                Ok(Meaning::Value(Bound::new(kind, type_, span.clone())))
            }
            Meaning::Methods(group) if self.methods_of(&group.type_, name).iter().any(|(_, it)| it.is_virtual) => {
                virtual_base(name)
            }
            _ => Ok(found),
        }
    }

    pub(super) fn base_element(&mut self, expr: &Expr, arguments: &[Argument]) -> Result<Bound> {
        let base = self.base_of_this(&expr.span)?;
        let indexers = self.indexers(&base.type_);
        if indexers.iter().any(is_virtual) {
            return virtual_base("this[]");
        }
        if indexers.is_empty() {
            let name = base.type_.short();
            return error(
                "CS0021",
                format!("Cannot apply indexing with [] to an expression of type '{name}'"),
                &expr.span,
            );
        }
        self.element_of(expr, base, arguments)
    }

    /// What is assigned to: the setter of a virtual property may do more than its field shows.
    pub(super) fn check_base(&self, target: &Expr, bound: &Bound) -> Result<()> {
        match (&target.kind, &bound.kind) {
            (ExprKind::MemberAccess { of, name, .. }, Kind::Field { field, .. })
                if of.kind == ExprKind::Base && field.field.name != name.text =>
            {
                virtual_base(&name.text)
            }
            _ => Ok(()),
        }
    }
}

fn is_virtual(property: &PropertyRef) -> bool {
    property.property.accessor().is_some_and(|it| it.is_virtual)
}

/// The runtime calls a virtual member of the object's own type, whatever it is asked for.
fn virtual_base<T>(name: &str) -> Result<T> {
    unsupported(format!("`base.{name}` is virtual: a debugger can only call the override of the object's runtime type"))
}
