//! `==` of two objects that have no operator of their own: whether they are one.

use crate::bound::{Bound, Kind};
use crate::syntax::{BinaryOp, Span};
use crate::types::{ANONYMOUS, Direction, Type};

use super::Binder;

impl Binder<'_> {
    /// Whether an anonymous type of the program is what the compiler would take for one that an expression writes: it has the same
    /// members in the same order.
    fn is_same_anonymous(&self, one: &Type, other: &Type) -> bool {
        let (there, here) = if other.is(ANONYMOUS) { (one, other) } else { (other, one) };
        let is_known = here.is(ANONYMOUS) && there.name().is_some_and(|name| name.starts_with("<>f__AnonymousType"));
        let Some(definition) = self.types.definition(there).filter(|_| is_known) else { return false };
        let properties = self.types.properties(&definition);
        let names = properties.iter().map(|it| Some(&it.name));
        let mut types = there.arguments().iter().zip(here.arguments());
        names.eq(here.element_names().iter().map(Option::as_ref))
            && types.all(|(there, here)| there == here || self.is_same_anonymous(there, here))
    }

    /// Whether both are one object, where the types allow that they are.
    pub(super) fn references(&self, operator: BinaryOp, left: &Bound, right: &Bound, span: &Span) -> Option<Bound> {
        let is_null = |bound: &Bound| bound.type_ == Type::Null;
        // every `T?` can be compared with null
        let nullable = left.type_.is_nullable() && is_null(right) || right.type_.is_nullable() && is_null(left);
        let references = self.types.is_reference_type(&left.type_) && self.types.is_reference_type(&right.type_);
        let way =
            |from: &Bound, to: &Bound| self.types.conversion(&from.type_, &to.type_, Direction::Explicit).is_some();
        let is_way = || way(left, right) || way(right, left) || self.is_same_anonymous(&left.type_, &right.type_);
        if !(nullable || references && (is_null(left) || is_null(right) || is_way())) {
            return None;
        }
        let is_equal = operator == BinaryOp::Equal;
        let kind = Kind::Same { left: Box::new(left.clone()), right: Box::new(right.clone()), is_equal };
        Some(Bound::new(kind, Type::BOOL, span.clone()))
    }
}
