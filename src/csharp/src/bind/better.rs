//! Which of several methods that take the arguments is the better one (ECMA-334, 12.6.4.3 to 12.6.4.7).

use crate::bound::{Bound, Kind};
use crate::syntax::{Expr, ExprKind, Pass, Span};
use crate::types::{Direction, Type};

use super::arguments::Given;
use super::overloads::{Fit, READ_ONLY_SPAN, is_by_ref_like, is_span_of_characters, signature, spanned};
use super::{Binder, Result, error, utf8};

impl Binder<'_> {
    pub(super) fn best(&mut self, mut fits: Vec<Fit>, given: &[Given], span: &Span) -> Result<Fit> {
        let highest = fits.iter().map(|fit| fit.method.method.priority).max();
        fits.retain(|fit| Some(fit.method.method.priority) == highest);
        for at in 0..fits.len() {
            if self.stands_out(&fits, at, |binder, fit, other| binder.is_better(fit, other, given))? {
                return Ok(fits.swap_remove(at));
            }
        }
        // the compiler names those that no other beats; in a circle each is beaten
        let mut named = Vec::new();
        for at in 0..fits.len() {
            if self.stands_out(&fits, at, |binder, fit, other| Ok(!binder.is_better(other, fit, given)?))? {
                named.push(at);
            }
        }
        if named.len() < 2 {
            named = (0..fits.len()).collect();
        }
        let name = |which: usize| named.get(which).and_then(|&at| fits.get(at)).map(|fit| signature(&fit.method));
        error(
            "CS0121",
            format!(
                "The call is ambiguous between the following methods or properties: '{}' and '{}'",
                name(0).unwrap_or_default(),
                name(1).unwrap_or_default()
            ),
            span,
        )
    }

    /// Whether something holds of one beside each of the others.
    fn stands_out(
        &mut self,
        fits: &[Fit],
        at: usize,
        mut holds: impl FnMut(&mut Self, &Fit, &Fit) -> Result<bool>,
    ) -> Result<bool> {
        let Some(fit) = fits.get(at) else { return Ok(false) };
        for (other_at, other) in fits.iter().enumerate() {
            if other_at != at && !holds(self, fit, other)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn is_better(&mut self, one: &Fit, other: &Fit, given: &[Given]) -> Result<bool> {
        let mut wins = false;
        let mut same = true;
        for (at, argument) in given.iter().enumerate() {
            let (Some(left), Some(right)) = (one.parameter(at), other.parameter(at)) else { continue };
            same &= left == right;
            let way = self.better(&argument.value, &left, &right)?;
            if way < 0 {
                return Ok(false);
            }
            wins |= way > 0;
        }
        if wins {
            return Ok(true);
        }
        if !same {
            return Ok(fills_less(one, other, given.len()));
        }
        // the tie-breakers, in their order
        let generic = |fit: &Fit| fit.method.method.generic > 0;
        if generic(one) != generic(other) {
            return Ok(!generic(one));
        }
        if one.is_expanded != other.is_expanded {
            return Ok(!one.is_expanded);
        }
        let declared = |fit: &Fit| fit.method.method.parameters.len();
        let omits = |fit: &Fit| !fit.is_expanded && declared(fit) > fit.arguments.len();
        if omits(one) != omits(other) {
            return Ok(!omits(one));
        }
        if one.is_expanded && declared(one) != declared(other) {
            return Ok(declared(one) > declared(other));
        }
        let takes_span =
            |fit: &Fit| fit.method.method.parameters.last().is_some_and(|it| it.is_params && is_by_ref_like(&it.type_));
        if one.is_expanded && takes_span(one) != takes_span(other) {
            return Ok(takes_span(one));
        }
        let by_value = |fit: &Fit| fit.method.method.parameters.iter().filter(|it| it.pass == Pass::Value).count();
        if by_value(one) != by_value(other) && declared(one) == declared(other) {
            return Ok(by_value(one) > by_value(other));
        }
        let specific =
            |fit: &Fit| -> usize { fit.method.method.parameters.iter().map(|parameter| depth(&parameter.type_)).sum() };
        let (one, other) = (specific(one), specific(other));
        Ok(one > other)
    }

    /// Positive: the first type is the better one for the value.
    fn better(&mut self, value: &Bound, one: &Type, other: &Type) -> Result<i32> {
        if one == other {
            return Ok(0);
        }
        if let Kind::Untyped(expr) = &value.kind
            && let ExprKind::Lambda(lambda) = &expr.kind
        {
            let lambda = lambda.clone();
            let span = value.span.clone();
            return self.better_delegate(&lambda, one, other, &span);
        }
        if let Kind::Untyped(expr) = &value.kind
            && let ExprKind::Collection(elements) = &expr.kind
        {
            let elements = elements.clone();
            return self.better_collection(&elements, one, other);
        }
        Ok(self.better_type(&utf8::type_of(value), one, other))
    }

    /// Of a collection expression (C# 13, "better collection conversion from expression").
    fn better_collection(&mut self, elements: &[(Expr, bool)], one: &Type, other: &Type) -> Result<i32> {
        if !is_by_ref_like(one) && !is_by_ref_like(other) {
            let way = |from: &Type, to: &Type| self.types.conversion(from, to, Direction::Implicit).is_some();
            match (way(one, other), way(other, one)) {
                (true, false) => return Ok(1),
                (false, true) => return Ok(-1),
                _ => {}
            }
        }
        let (Some(of_one), Some(of_other)) = (self.collected_type(one), self.collected_type(other)) else {
            return Ok(0);
        };
        if of_one == of_other {
            let is_better = |one: &Type, other: &Type| {
                one.is(READ_ONLY_SPAN) && is_by_ref_like(other) || is_by_ref_like(one) && is_list_like(other)
            };
            return Ok(i32::from(is_better(one, other)) - i32::from(is_better(other, one)));
        }
        let mut way = 0;
        for (element, is_spread) in elements {
            let value = self.value(element)?;
            let better = match (is_spread, self.element_type(&value.type_)) {
                (true, Some(own)) => self.better_type(&own, &of_one, &of_other),
                (true, None) => 0,
                (false, _) => self.better(&value, &of_one, &of_other)?,
            };
            if better * way < 0 {
                return Ok(0);
            }
            way += better;
        }
        Ok(way.signum())
    }

    pub(super) fn better_type(&self, from: &Type, one: &Type, other: &Type) -> i32 {
        if one == other {
            return 0;
        }
        if from == one {
            return 1;
        }
        if from == other {
            return -1;
        }
        // what becomes a span by itself (C# 14) does so before anything else
        match (is_span_conversion(from, one), is_span_conversion(from, other)) {
            (true, false) => return 1,
            (false, true) => return -1,
            _ => {}
        }
        // of two spans that a value becomes the one that is only read
        match (spanned(one, other), spanned(other, one)) {
            (Some(_), _) if is_by_ref_like(one) => return -1,
            (_, Some(_)) if is_by_ref_like(other) => return 1,
            _ => {}
        }
        match (self.is_implicit(one, other), self.is_implicit(other, one)) {
            (true, false) => return 1,
            (false, true) => return -1,
            _ => {}
        }
        use clr_metadata::Primitive::{I1, I2, I4, I8, U1, U2, U4, U8};
        let rank = |type_: &Type| match type_.without_nullable() {
            Type::Primitive(I1 | I2 | I4 | I8) => Some(true),
            Type::Primitive(U1 | U2 | U4 | U8) => Some(false),
            _ => None,
        };
        match (rank(one), rank(other)) {
            (Some(true), Some(false)) => 1,
            (Some(false), Some(true)) => -1,
            _ => 0,
        }
    }
}

/// Whether a method takes the arguments with less made up than another that takes them as other types: without `params` being gathered,
/// or else without defaults. The compiler looks at that although the language does not say so.
fn fills_less(one: &Fit, other: &Fit, given: usize) -> bool {
    let used = |fit: &Fit| {
        let declared = fit.method.method.parameters.len();
        // where nothing is given for `params`, it takes no part
        if fit.is_expanded && given < declared { declared - 1 } else { declared.max(given) }
    };
    match (one.is_expanded, other.is_expanded) {
        _ if used(one) == used(other) => false,
        (false, true) => true,
        (true, false) => false,
        _ => used(one) == given,
    }
}

fn is_span_conversion(from: &Type, to: &Type) -> bool {
    spanned(from, to).is_some() || *from == Type::STRING && to.is(READ_ONLY_SPAN) && is_span_of_characters(to)
}

/// Arrays, and the interfaces that they have as sequences of their elements.
fn is_list_like(type_: &Type) -> bool {
    const INTERFACES: [&str; 5] =
        ["IEnumerable`1", "ICollection`1", "IList`1", "IReadOnlyCollection`1", "IReadOnlyList`1"];
    let name = type_.name().and_then(|name| name.strip_prefix("System.Collections.Generic."));
    matches!(type_, Type::Array { rank: 1, .. }) || name.is_some_and(|name| INTERFACES.contains(&name))
}

/// How far a type is from a mere type parameter.
fn depth(type_: &Type) -> usize {
    match type_ {
        Type::MethodParameter(_) | Type::TypeParameter(_) => 0,
        Type::Named(named) => 1 + named.arguments.iter().map(depth).sum::<usize>(),
        Type::Array { of, .. } | Type::Pointer(of) | Type::ByRef(of) => 1 + depth(of),
        _ => 1,
    }
}
