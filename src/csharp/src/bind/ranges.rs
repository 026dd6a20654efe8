//! `a..b`, and what an index or a range takes of a type with a length.

use crate::bound::{Bound, Kind};
use crate::syntax::{Expr, Span};
use crate::types::{PropertyRef, Type};

use super::arguments::Given;
use super::{Binder, Group, Result};

impl Binder<'_> {
    pub(super) fn range(&mut self, start: Option<&Expr>, end: Option<&Expr>, span: &Span) -> Result<Bound> {
        let index = Type::named("System.Index", Vec::new());
        let mut side = |expr: Option<&Expr>| {
            let Some(expr) = expr else { return Ok(None) };
            let bound = self.value(expr)?;
            if bound.type_ == index {
                return Ok(Some(Box::new(bound)));
            }
            let of = Box::new(self.converted(bound, &Type::INT)?);
            Ok(Some(Box::new(Bound::new(Kind::Index { of, is_from_end: false }, index.clone(), expr.span.clone()))))
        };
        let (start, end) = (side(start)?, side(end)?);
        Ok(Bound::new(Kind::Range { start, end }, Type::named("System.Range", Vec::new()), span.clone()))
    }

    /// `list[^1]` and `text[1..3]`, by the length and an indexer or `Slice`.
    pub(super) fn sliced(
        &mut self,
        of: &Bound,
        indexers: &[PropertyRef],
        given: &[Given],
        span: &Span,
    ) -> Result<Option<Bound>> {
        let [argument] = given else { return Ok(None) };
        let is_range = argument.value.type_.is("System.Range");
        if !is_range && !argument.value.type_.is("System.Index") {
            return Ok(None);
        }
        if of.type_ == Type::STRING {
            let type_ = if is_range { Type::STRING } else { Type::Primitive(clr_metadata::Primitive::Char) };
            let indices = vec![argument.value.clone()];
            return Ok(Some(Bound::new(Kind::Element { of: Box::new(of.clone()), indices }, type_, span.clone())));
        }
        let (slot, start, count) = (self.slot(), self.slot(), self.slot());
        let receiver = Bound::new(Kind::Local(slot), of.type_.clone(), of.span.clone());
        let Some(length) = self.length_of(&receiver, span)? else { return Ok(None) };
        let number = |slot| Bound::new(Kind::Local(slot), Type::INT, span.clone());
        let then = if is_range {
            let name = if of.type_.is("System.Memory`1") || self.has_method(&of.type_, "Slice") {
                "Slice"
            } else {
                return Ok(None);
            };
            let group = Group {
                of: Some(receiver),
                type_: of.type_.clone(),
                name: name.to_owned(),
                arguments: Vec::new(),
                span: span.clone(),
            };
            self.call_if_fits(&group, &[Given::value(number(start)), Given::value(number(count))])?
        } else {
            self.indexed(&receiver, indexers, &[Given::value(number(start))], span)?
        };
        let Some(then) = then else { return Ok(None) };
        let type_ = then.type_.clone();
        let at = Box::new(argument.value.clone());
        let kind = Kind::Located { length: Box::new(length), at, start, count, then: Box::new(then) };
        let located = Bound::new(kind, type_.clone(), span.clone());
        let kind = Kind::Let { of: Box::new(of.clone()), slot, then: Box::new(located) };
        Ok(Some(Bound::new(kind, type_, span.clone())))
    }

    /// `Length`, or `Count`.
    pub(super) fn length_of(&mut self, of: &Bound, span: &Span) -> Result<Option<Bound>> {
        for name in ["Length", "Count"] {
            if let Some(found) = self.data_member(Some(of), &of.type_, name, span)?.filter(|it| it.type_ == Type::INT) {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }
}
