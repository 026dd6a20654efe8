//! Conversions of expressions: those of types, of constants by their value, of what has no type by itself, and the program's own.

use crate::bound::{Bound, Kind};
use crate::constant::{Constant, Scalar};
use crate::syntax::{Expr, ExprKind, Span, TypeName};
use crate::types::{Conversion, Direction, MethodRef, Type};

use super::{Binder, Result, constants, error};

impl Binder<'_> {
    /// Implicitly; the compiler's words where that is not possible.
    pub(super) fn converted(&mut self, bound: Bound, to: &Type) -> Result<Bound> {
        match self.implicit(bound.clone(), to)? {
            Some(converted) => Ok(converted),
            None => self.not_converted(&bound, to),
        }
    }

    /// For an assignment: what is declared as less than it is fits by what it is.
    pub(super) fn fitting(&mut self, bound: Bound, to: &Type) -> Result<Bound> {
        if let Some(converted) = self.implicit(bound.clone(), to)? {
            return Ok(converted);
        }
        match self.types.conversion(&bound.type_, to, Direction::Explicit) {
            Some(Conversion::Checked) => Ok(self.convert(bound, to, Conversion::Fitting)),
            _ => self.not_converted(&bound, to),
        }
    }

    fn not_converted<T>(&mut self, bound: &Bound, to: &Type) -> Result<T> {
        let span = &bound.span;
        if let Kind::Untyped(expr) = &bound.kind {
            let expr = (**expr).clone();
            if let ExprKind::Lambda(lambda) = &expr.kind {
                self.mismatched_lambda(lambda, to, span)?;
                return error(
                    "CS1660",
                    format!("Cannot convert lambda expression to type '{to}' because it is not a delegate type"),
                    span,
                );
            }
            // what is wrong in it, or the type that it has
            let natural = self.natural(&expr)?;
            return self.not_converted(&natural, to);
        }
        if bound.type_ == Type::Null {
            return error(
                "CS0037",
                format!("Cannot convert null to '{to}' because it is a non-nullable value type"),
                span,
            );
        }
        if let (Some(Constant::Scalar(crate::constant::Scalar::Int(_, number))), true) =
            (bound.constant(), to.is_integral())
            && bound.type_ == Type::INT
        {
            return error("CS0031", format!("Constant value '{number}' cannot be converted to a '{to}'"), span);
        }
        let (from, to) = (&bound.type_, to);
        if self.explicit(bound.clone(), to)?.is_some() {
            return error(
                "CS0266",
                format!(
                    "Cannot implicitly convert type '{from}' to '{to}'. An explicit conversion exists (are you missing a cast?)"
                ),
                span,
            );
        }
        error("CS0029", format!("Cannot implicitly convert type '{from}' to '{to}'"), span)
    }

    /// `None`: there is no implicit conversion.
    pub(super) fn implicit(&mut self, bound: Bound, to: &Type) -> Result<Option<Bound>> {
        match self.implicit_of_language(bound.clone(), to)? {
            None if !bound.is_untyped() => self.user_defined(bound, to, Direction::Implicit),
            found => Ok(found),
        }
    }

    fn implicit_of_language(&mut self, bound: Bound, to: &Type) -> Result<Option<Bound>> {
        if let Kind::Untyped(expr) = &bound.kind {
            let expr = (**expr).clone();
            return self.targeted(&expr, to);
        }
        if bound.type_ == *to {
            return Ok(Some(Bound { type_: to.clone(), ..bound }));
        }
        if let Some(constant) = bound.constant() {
            let target = to.without_nullable();
            if constants::fits(constant, target) || self.is_zero_of_enum(constant, target) {
                return Ok(Some(self.convert(bound, to, Conversion::Number)));
            }
        }
        if let Kind::Interpolated(pieces) = &bound.kind
            && (to.is("System.FormattableString") || to.is("System.IFormattable"))
        {
            return self.formattable(pieces, &bound.span);
        }
        if let Some(conversion) = self.types.conversion(&bound.type_, to, Direction::Implicit) {
            return Ok(Some(self.convert(bound, to, conversion)));
        }
        self.tuple_converted(&bound, to)
    }

    /// `0` is a value of every enum.
    fn is_zero_of_enum(&self, constant: &Constant, to: &Type) -> bool {
        matches!(constant, Constant::Scalar(crate::constant::Scalar::Int(_, 0))) && self.types.is_enum(to)
    }

    pub(super) fn explicit(&mut self, bound: Bound, to: &Type) -> Result<Option<Bound>> {
        if let Some(converted) = self.implicit_of_language(bound.clone(), to)? {
            return Ok(Some(converted));
        }
        if bound.is_untyped() {
            return Ok(None);
        }
        if let Some(conversion) = self.types.conversion(&bound.type_, to, Direction::Explicit) {
            return Ok(Some(self.convert(bound, to, conversion)));
        }
        // a cast takes an explicit operator of its very type before an implicit one of another
        match self.user_defined(bound.clone(), to, Direction::Explicit)? {
            None => self.user_defined(bound, to, Direction::Implicit),
            found => Ok(found),
        }
    }

    pub(super) fn convert(&self, bound: Bound, to: &Type, conversion: Conversion) -> Bound {
        let span = bound.span.clone();
        let kind = Kind::Convert { of: Box::new(bound), conversion, is_checked: self.is_checked };
        self.folded(Bound::new(kind, to.clone(), span))
    }

    /// Element by element, where each converts.
    fn tuple_converted(&mut self, bound: &Bound, to: &Type) -> Result<Option<Bound>> {
        let (Kind::Tuple(items), Some(types)) = (&bound.kind, to.without_nullable().elements()) else {
            return Ok(None);
        };
        if items.len() != types.len() {
            return Ok(None);
        }
        let mut converted = Vec::new();
        for (item, type_) in items.clone().into_iter().zip(types) {
            match self.implicit(item, type_)? {
                Some(item) => converted.push(item),
                None => return Ok(None),
            }
        }
        Ok(Some(Bound::new(Kind::Tuple(converted), to.clone(), bound.span.clone())))
    }

    /// What takes its type from where it stands.
    pub(super) fn targeted(&mut self, expr: &Expr, to: &Type) -> Result<Option<Bound>> {
        let span = &expr.span;
        Ok(match &expr.kind {
            ExprKind::Lambda(lambda) => self.lambda_as(lambda, to, span)?,
            ExprKind::Name { .. } | ExprKind::MemberAccess { .. } => self.group_as(expr, to)?,
            ExprKind::Default(None) => Some(self.default_of(to, span)),
            ExprKind::New { arguments, initializer, .. } => {
                let type_ = to.without_nullable().clone();
                let made = self.new_object(&type_, arguments, initializer.as_deref(), span)?;
                self.implicit(made, to)?
            }
            ExprKind::Collection(elements) => self.collection(elements, to, span)?,
            ExprKind::Throw(of) => {
                let of = self.value(of)?;
                Some(Bound::new(Kind::Throw(Box::new(of)), to.clone(), span.clone()))
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                let condition = self.condition(condition)?;
                let (then, otherwise) = (self.value(then)?, self.value(otherwise)?);
                match (self.implicit(then, to)?, self.implicit(otherwise, to)?) {
                    (Some(then), Some(otherwise)) => {
                        let (then, otherwise) = (Box::new(then), Box::new(otherwise));
                        let kind = Kind::Conditional { condition: Box::new(condition), then, otherwise };
                        Some(Bound::new(kind, to.clone(), span.clone()))
                    }
                    _ => None,
                }
            }
            ExprKind::Switch { of, arms } => self.switch_as(of, arms, to, span)?,
            ExprKind::Tuple(elements) => {
                let Some(types) = to.without_nullable().elements() else { return Ok(None) };
                if types.len() != elements.len() {
                    return Ok(None);
                }
                let types: Vec<Type> = types.into_iter().cloned().collect();
                let mut items = Vec::new();
                for (element, type_) in elements.iter().zip(&types) {
                    let item = self.value(&element.value)?;
                    match self.implicit(item, type_)? {
                        Some(item) => items.push(item),
                        None => return Ok(None),
                    }
                }
                Some(Bound::new(Kind::Tuple(items), to.clone(), span.clone()))
            }
            _ => None,
        })
    }

    pub(super) fn cast(&mut self, type_: &TypeName, of: &Expr, span: &Span) -> Result<Bound> {
        let to = self.type_(type_)?;
        let of = self.value(of)?;
        match self.explicit(of.clone(), &to)? {
            Some(bound) => {
                let own = self.types.underlying(&to).map_or_else(|| to.clone(), Type::Primitive);
                if let (Some(Constant::Scalar(scalar)), true) = (of.constant(), own.is_integral())
                    && super::folding::is_out_of_range(scalar, &own)
                {
                    let words =
                        format!("Constant value '{}' cannot be converted to a '{to}'", super::folding::digits(scalar));
                    // of a decimal nothing else is left
                    if matches!(scalar, Scalar::Decimal(_)) {
                        return error("CS0031", words, span);
                    }
                    if !self.is_unchecked {
                        return error("CS0221", format!("{words} (use 'unchecked' syntax to override)"), span);
                    }
                }
                let bound = if self.is_cast_from_parameter(&bound, type_) {
                    self.convert(bound, &to, Conversion::None)
                } else {
                    bound
                };
                Ok(Bound { span: span.clone(), ..bound })
            }
            None => {
                // what has a type of its own is cast from that
                if matches!(&of.kind, Kind::Untyped(expr) if matches!(expr.kind, ExprKind::Switch { .. })) {
                    let natural = self.settled(of)?;
                    return match self.explicit(natural.clone(), &to)? {
                        Some(bound) => Ok(Bound { span: span.clone(), ..bound }),
                        None => error("CS0030", format!("Cannot convert type '{}' to '{to}'", natural.type_), span),
                    };
                }
                let of = match of.is_untyped() {
                    true => return self.not_converted(&of, &to),
                    false => of,
                };
                if of.type_ == Type::Null {
                    return self.not_converted(&of, &to);
                }
                if [&of.type_, &to].iter().any(|it| matches!(it, Type::Pointer(_))) {
                    return super::unsafe_code(&format!("({})", to.short()));
                }
                match self.span_of_inline(of.clone(), &to) {
                    Some(bound) => Ok(Bound { span: span.clone(), ..bound }),
                    None => error("CS0030", format!("Cannot convert type '{}' to '{to}'", of.type_), span),
                }
            }
        }
    }

    pub(super) fn as_(&mut self, of: &Expr, type_: &TypeName, span: &Span) -> Result<Bound> {
        let to = self.type_(type_)?;
        let of = self.value(of)?;
        let of = self.settled(of)?;
        if self.types.is_value_type(&to) && !to.is_nullable() {
            return error(
                "CS0077",
                format!(
                    "The as operator must be used with a reference type or nullable type ('{}' is a non-nullable value type)",
                    to.short()
                ),
                span,
            );
        }
        let is_open = self.is_open(&of.type_) || self.is_open(&to);
        if !is_open && self.types.conversion(&of.type_, &to, Direction::Explicit).is_none() {
            return error(
                "CS0039",
                format!(
                    "Cannot convert type '{}' to '{to}' via a reference conversion, boxing conversion, unboxing conversion, wrapping conversion, or null type conversion",
                    of.type_
                ),
                span,
            );
        }
        Ok(Bound::new(Kind::As { of: Box::new(of), to: to.clone() }, to, span.clone()))
    }

    /// By an operator of the program (ECMA-334, 10.5).
    fn user_defined(&mut self, bound: Bound, to: &Type, direction: Direction) -> Result<Option<Bound>> {
        let (from, target) = (bound.type_.without_nullable().clone(), to.without_nullable().clone());
        if self.types.is_interface(&from) || self.types.is_interface(&target) || bound.type_ == Type::Null {
            return Ok(None);
        }
        let names: &[&str] = match direction {
            Direction::Implicit => &["op_Implicit"],
            Direction::Explicit if self.is_checked => &["op_Implicit", "op_CheckedExplicit", "op_Explicit"],
            Direction::Explicit => &["op_Implicit", "op_Explicit"],
        };
        let found = self.conversions(names, (&from, bound.constant()), &target, direction);
        let Some(best) = self.most_specific(&found, (&from, bound.constant()), &target) else { return Ok(None) };
        let (Some(takes), gives) = (best.parameter_type(0), best.returns()) else { return Ok(None) };
        let span = bound.span.clone();
        let is_lifted = bound.type_.is_nullable() && !takes.is_nullable();
        if is_lifted && !to.is_nullable() && self.types.is_value_type(to) && direction == Direction::Implicit {
            return Ok(None);
        }
        let inner = if is_lifted { Type::nullable(takes) } else { takes };
        let is_fitting = bound.constant().is_some_and(|it| constants::fits(it, inner.without_nullable()));
        let conversion = match self.types.conversion(&bound.type_, &inner, direction) {
            Some(conversion) => conversion,
            None if is_fitting => Conversion::Number,
            None => return Ok(None),
        };
        let operand = self.convert(bound, &inner, conversion);
        let gives = if is_lifted && self.types.is_value_type(&gives) { Type::nullable(gives) } else { gives };
        let kind = Kind::Operator { method: best, operands: vec![operand], sign: None, is_lifted };
        let result = Bound::new(kind, gives.clone(), span);
        let Some(conversion) = self.types.conversion(&gives, to, direction) else { return Ok(None) };
        Ok(Some(self.convert(result, to, conversion)))
    }

    /// Operators that may make the one of the other: of a constant also those that take what it fits into (ECMA-334, 10.5.3).
    fn conversions(
        &self,
        names: &[&str],
        (from, constant): (&Type, Option<&Constant>),
        to: &Type,
        direction: Direction,
    ) -> Vec<MethodRef> {
        let mut found: Vec<MethodRef> = Vec::new();
        for type_ in [from, to] {
            for place in self.types.chain(type_) {
                let Some(definition) = self.types.definition(&place) else { continue };
                for name in names {
                    for method in self.types.methods(&definition, name).iter() {
                        let method = MethodRef { owner: place.clone(), method: method.clone(), arguments: Vec::new() };
                        if self.may_convert(&method, (from, constant), to, direction)
                            && !found.iter().any(|it| it.method.id == method.method.id && it.owner == method.owner)
                        {
                            found.push(method);
                        }
                    }
                }
            }
        }
        found
    }

    /// Whether values of one type become values of the other by themselves, by an operator of one of them too.
    pub(super) fn is_implicit(&self, from: &Type, to: &Type) -> bool {
        let is_operator = || {
            let (from, to) = (from.without_nullable(), to.without_nullable());
            let found = match self.types.is_interface(from) || self.types.is_interface(to) {
                true => Vec::new(),
                false => self.conversions(&["op_Implicit"], (from, None), to, Direction::Implicit),
            };
            self.most_specific(&found, (from, None), to).is_some()
        };
        self.types.conversion(from, to, Direction::Implicit).is_some() || is_operator()
    }

    fn may_convert(
        &self,
        method: &MethodRef,
        (from, constant): (&Type, Option<&Constant>),
        to: &Type,
        direction: Direction,
    ) -> bool {
        let Some(takes) = method.parameter_type(0) else { return false };
        let takes = takes.without_nullable();
        let gives = method.returns();
        let encompasses = |one: &Type, other: &Type| {
            let way = |from: &Type, to: &Type| self.types.conversion(from, to, Direction::Implicit).is_some();
            way(one, other) || direction == Direction::Explicit && way(other, one)
        };
        let takes_it = encompasses(from, takes) || constant.is_some_and(|it| constants::fits(it, takes));
        takes_it && encompasses(gives.without_nullable(), to)
    }

    /// The one from the nearest type to the nearest type.
    fn most_specific(
        &self,
        found: &[MethodRef],
        (from, constant): (&Type, Option<&Constant>),
        to: &Type,
    ) -> Option<MethodRef> {
        let rank = |method: &MethodRef| {
            let takes = method.parameter_type(0)?;
            let (takes, gives) = (takes.without_nullable().clone(), method.returns());
            let gives = gives.without_nullable();
            let way = |from: &Type, to: &Type| self.types.conversion(from, to, Direction::Implicit).is_some();
            let takes_constant = |own: &Type| constant.is_some_and(|it| constants::fits(it, own));
            let near = |own: &Type, wanted: &Type, is_source: bool| {
                if own == wanted {
                    0
                } else if if is_source { way(wanted, own) || takes_constant(own) } else { way(own, wanted) } {
                    1
                } else {
                    2
                }
            };
            // implicit ones first, then checked ones
            let kind = match method.method.name.as_str() {
                "op_Implicit" => 0,
                "op_CheckedExplicit" => 1,
                _ => 2,
            };
            Some((near(&takes, from, true) + near(gives, to, false), kind))
        };
        let mut ranked: Vec<(MethodRef, (i32, i32))> =
            found.iter().filter_map(|it| Some((it.clone(), rank(it)?))).collect();
        ranked.sort_by_key(|(_, rank)| *rank);
        let best = ranked.first()?.1;
        let mut equals: Vec<MethodRef> =
            ranked.into_iter().take_while(|(_, rank)| *rank == best).map(|(it, _)| it).collect();
        // of several numbers that it could be made of or into, the one that the others convert to
        if equals.len() > 1 {
            let way = |from: &Type, to: &Type| self.types.conversion(from, to, Direction::Implicit).is_some();
            let all = equals.clone();
            equals.retain(|one| {
                all.iter().all(|other| match (one.parameter_type(0), other.parameter_type(0)) {
                    (Some(own), Some(others)) => {
                        own == others && one.returns() == other.returns()
                            || way(&own, &others) && (own != others || way(&other.returns(), &one.returns()))
                    }
                    _ => false,
                })
            });
        }
        match equals.as_slice() {
            [one] => Some(one.clone()),
            _ => None,
        }
    }
}
