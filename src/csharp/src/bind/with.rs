//! `with`: copies of records, structs and anonymous objects.

use crate::bound::{Bound, Kind};
use crate::syntax::{Element, Expr, ExprKind, Field, Span};
use crate::types::Type;

use super::{Binder, Group, Result, error, unsupported};

impl Binder<'_> {
    pub(super) fn with(&mut self, of: &Expr, fields: &[Field], span: &Span) -> Result<Bound> {
        let of = self.value(of)?;
        let of = self.settled(of)?;
        let slot = self.slot();
        if let Some(members) = self.members_of_anonymous(&of, slot, span)? {
            return self.changed_anonymous(of, slot, members, fields, span);
        }
        let made = Bound::new(Kind::Local(slot), of.type_.clone(), span.clone());
        let initializers = self.field_initializers(&made, fields, span)?;
        if of.type_.is(crate::types::ANONYMOUS) {
            let type_ = of.type_.clone();
            return Ok(Bound::new(Kind::With { of: Box::new(of), slot, initializers }, type_, span.clone()));
        }
        if !self.types.is_value_type(&of.type_) && !self.has_method(&of.type_, "<Clone>$") {
            return error(
                "CS8858",
                format!(
                    "The receiver type '{}' is not a valid record type and is not a struct type.",
                    of.type_.short()
                ),
                span,
            );
        }
        // what copies a record
        let of = if self.types.is_value_type(&of.type_) {
            of
        } else {
            let type_ = of.type_.clone();
            let group = Group {
                of: Some(of),
                type_: type_.clone(),
                name: "<Clone>$".into(),
                arguments: Vec::new(),
                span: span.clone(),
            };
            match self.call_if_fits(&group, &[])? {
                Some(call) => Bound { type_, ..call },
                None => return unsupported(format!("the record '{}' cannot be copied here", type_.short())),
            }
        };
        let type_ = of.type_.clone();
        Ok(Bound::new(Kind::With { of: Box::new(of), slot, initializers }, type_, span.clone()))
    }

    /// The members of an object of an anonymous type of the program, read from a slot.
    fn members_of_anonymous(&mut self, of: &Bound, slot: usize, span: &Span) -> Result<Option<Vec<(String, Bound)>>> {
        let is_anonymous = of.type_.name().is_some_and(|name| name.starts_with("<>f__AnonymousType"));
        let Some(definition) = self.types.definition(&of.type_).filter(|_| is_anonymous) else { return Ok(None) };
        let names: Vec<String> = self.types.properties(&definition).iter().map(|it| it.name.clone()).collect();
        let held = Bound::new(Kind::Local(slot), of.type_.clone(), span.clone());
        let mut members = Vec::new();
        for name in names {
            if let Some(member) = self.data_member(Some(&held), &held.type_.clone(), &name, span)? {
                members.push((name, member));
            }
        }
        Ok(Some(members))
    }

    fn changed_anonymous(
        &mut self,
        of: Bound,
        slot: usize,
        mut members: Vec<(String, Bound)>,
        fields: &[Field],
        span: &Span,
    ) -> Result<Bound> {
        for field in fields {
            let (ExprKind::Name { name, .. }, Element::Value(value)) = (&field.target.kind, &field.value) else {
                return unsupported("`with` can only assign members by name: Name = value");
            };
            let value = self.value(value)?;
            match members.iter_mut().find(|(own, _)| *own == name.text) {
                Some((_, member)) => *member = self.converted(value, &member.type_.clone())?,
                None => {
                    return error(
                        "CS0117",
                        format!("'{}' does not contain a definition for '{}'", of.type_.short(), name.text),
                        span,
                    );
                }
            }
        }
        let type_ = Type::anonymous(members.iter().map(|(name, it)| (name.clone(), it.type_.clone())).collect());
        let items = members.into_iter().map(|(_, member)| member).collect();
        let then = Box::new(Bound::new(Kind::Anonymous(items), type_.clone(), span.clone()));
        Ok(Bound::new(Kind::Let { of: Box::new(of), slot, then }, type_, span.clone()))
    }
}
