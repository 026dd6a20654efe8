//! Operators: which is meant, one of the language's own (`predefined`, `identity`) or one of the program's (`user_operators`).

use clr_metadata::Primitive;

use crate::bound::{Bound, Kind};
use crate::constant::{Constant, Scalar};
use crate::syntax::{BinaryOp, Expr, ExprKind, Span, UnaryOp};
use crate::types::Type;

use super::{Binder, Result, error, promote};

/// Types that the operators of numbers take, each before those that it converts to (ECMA-334, 12.4.5).
fn numeric_types() -> Vec<Type> {
    let names = [Primitive::I4, Primitive::U4, Primitive::I8, Primitive::U8, Primitive::R4, Primitive::R8];
    names.into_iter().map(Type::Primitive).chain([Type::decimal()]).collect()
}

impl Binder<'_> {
    pub(super) fn condition(&mut self, expr: &Expr) -> Result<Bound> {
        let bound = self.value(expr)?;
        self.as_condition(bound)
    }

    /// As a `bool`, or by the `true` of its type.
    fn as_condition(&mut self, bound: Bound) -> Result<Bound> {
        if let Some(converted) = self.implicit(bound.clone(), &Type::BOOL)? {
            return Ok(converted);
        }
        if !bound.is_untyped()
            && let Some(found) = self.user_operator("op_True", None, vec![bound.clone()], &bound.span.clone())?
        {
            return Ok(found);
        }
        self.converted(bound, &Type::BOOL)
    }

    pub(super) fn unary(&mut self, expr: &Expr, operator: UnaryOp, of: &Expr) -> Result<Bound> {
        let span = &expr.span;
        match operator {
            UnaryOp::NullForgiving => return self.value(of),
            UnaryOp::PreIncrement | UnaryOp::PostIncrement | UnaryOp::PreDecrement | UnaryOp::PostDecrement => {
                return self.changed(operator, of, span);
            }
            UnaryOp::FromEnd => {
                let of = self.value(of)?;
                let of = Box::new(self.converted(of, &Type::INT)?);
                let type_ = Type::named("System.Index", Vec::new());
                return Ok(Bound::new(Kind::Index { of, is_from_end: true }, type_, span.clone()));
            }
            UnaryOp::AddressOf | UnaryOp::Indirection => {
                return super::unsafe_code(operator.sign());
            }
            UnaryOp::Plus | UnaryOp::Minus | UnaryOp::Not | UnaryOp::Complement => {}
        }
        let bound = self.value(of)?;
        let bound = self.settled(bound)?;
        if bound.is_late() {
            return Ok(self.late_unary(expr, bound));
        }
        // the least of all numbers has no positive counterpart
        if let (UnaryOp::Minus, Some(Constant::Scalar(Scalar::Int(primitive, number)))) = (operator, bound.constant()) {
            let least = match (primitive, number) {
                (Primitive::U4, 0x8000_0000) => Some(Scalar::Int(Primitive::I4, -0x8000_0000)),
                (Primitive::U8, 0x8000_0000_0000_0000) => Some(Scalar::Int(Primitive::I8, -0x8000_0000_0000_0000)),
                _ => None,
            };
            if let Some(least) = least {
                let type_ = least.type_();
                return Ok(Bound::new(Kind::Constant(Constant::Scalar(least)), type_, span.clone()));
            }
        }
        let name = match operator {
            UnaryOp::Plus => "op_UnaryPlus",
            UnaryOp::Minus => "op_UnaryNegation",
            UnaryOp::Not => "op_LogicalNot",
            _ => "op_OnesComplement",
        };
        if let Some(found) = self.user_operator(name, None, vec![bound.clone()], span)? {
            return Ok(found);
        }
        let original = bound.type_.clone();
        let mut bound = self.as_predefined(bound)?;
        if self.converts_itself(&bound) {
            let of_not = [Type::BOOL];
            let wanted = if operator == UnaryOp::Not { of_not.to_vec() } else { numeric_types() };
            for type_ in wanted.iter().filter(|it| operator != UnaryOp::Complement || it.is_integral()) {
                if let Ok(Some(converted)) = self.implicit(bound.clone(), type_) {
                    bound = converted;
                    break;
                }
            }
        }
        let inner = bound.type_.without_nullable();
        let type_ = match operator {
            UnaryOp::Not => (*inner == Type::BOOL).then_some(Type::BOOL),
            UnaryOp::Complement if self.types.is_enum(inner) => Some(inner.clone()),
            UnaryOp::Complement => promote::unary(inner, false).filter(Type::is_integral),
            _ => promote::unary(inner, operator == UnaryOp::Minus),
        };
        let Some(type_) = type_ else {
            if let Some(found) = self.extension_operator(name, None, std::slice::from_ref(&bound), span)? {
                return Ok(found);
            }
            if original == Type::Null {
                return error(
                    "CS8310",
                    format!("Operator '{}' cannot be applied to operand '<null>'", operator.sign()),
                    span,
                );
            }
            return error(
                "CS0023",
                format!("Operator '{}' cannot be applied to operand of type '{}'", operator.sign(), original.short()),
                span,
            );
        };
        let type_ = if bound.type_.is_nullable() { Type::nullable(type_) } else { type_ };
        let of = self.converted(bound, &type_)?;
        let kind = Kind::Unary { operator, of: Box::new(of), is_checked: self.is_checked };
        self.known(Bound::new(kind, type_, span.clone()))
    }

    pub(super) fn binary(&mut self, operator: BinaryOp, left: &Expr, right: &Expr, span: &Span) -> Result<Bound> {
        if operator == BinaryOp::Coalesce {
            return self.coalesce(left, right, span);
        }
        let exprs = (left, right);
        let (left, right) = (self.operand(left)?, self.operand(right)?);
        // `x == default`
        let (left, right) = match (left.is_untyped(), right.is_untyped()) {
            (true, false) if right.type_ != Type::Null => (self.converted(left, &right.type_)?, right),
            (false, true) if left.type_ != Type::Null => {
                let type_ = left.type_.clone();
                (left, self.converted(right, &type_)?)
            }
            _ => (self.settled(left)?, self.settled(right)?),
        };
        if left.is_late() || right.is_late() {
            return Ok(self.late_binary(operator, (Some(exprs.0), left), (Some(exprs.1), right), span));
        }
        self.operator(operator, left, right, span)
    }

    /// A `switch` has the type of its arms, whatever stands beside it.
    pub(super) fn operand(&mut self, expr: &Expr) -> Result<Bound> {
        let bound = self.value(expr)?;
        match expr.kind {
            ExprKind::Switch { .. } => self.settled(bound),
            _ => Ok(bound),
        }
    }

    pub(super) fn operator(&mut self, operator: BinaryOp, left: Bound, right: Bound, span: &Span) -> Result<Bound> {
        if matches!(operator, BinaryOp::AndAlso | BinaryOp::OrElse) {
            return self.short_circuit(operator, left, right, span);
        }
        if matches!(operator, BinaryOp::Equal | BinaryOp::NotEqual)
            && let Some(found) = self.tuple_equality(operator, &left, &right, span)?
        {
            return Ok(found);
        }
        if left.type_.is_void() || right.type_.is_void() {
            return self.no_operator(operator, &left, &right, span);
        }
        let of_parameters = self.parameter_and_null(operator, &left, &right, span);
        if let Some(found) = of_parameters.or_else(|| self.parameters_compared(operator, &left, &right, span)) {
            return Ok(found);
        }
        if [&left, &right].iter().any(|it| matches!(it.type_, Type::Pointer(_))) {
            return super::unsafe_code(operator.sign());
        }
        if let Some(name) = method_name(operator)
            && let Some(found) = self.user_operator(name, Some(operator), vec![left.clone(), right.clone()], span)?
        {
            return Ok(found);
        }
        if operator == BinaryOp::Add && (left.type_ == Type::STRING || right.type_ == Type::STRING) {
            let text =
                |binder: &mut Self, bound: Bound| Ok(binder.user_implicit_to(&bound, &Type::STRING)?.unwrap_or(bound));
            let (left, right) = (text(self, left)?, text(self, right)?);
            return self.built(operator, left, right, Type::STRING, span);
        }
        if let Some(found) = self.delegates(operator, &left, &right, span)? {
            return Ok(found);
        }
        if let Some(found) = self.numbers(operator, &left, &right, span)? {
            return Ok(found);
        }
        if matches!(operator, BinaryOp::Equal | BinaryOp::NotEqual)
            && let Some(found) = self.references(operator, &left, &right, span)
        {
            return Ok(found);
        }
        if matches!(operator, BinaryOp::Equal | BinaryOp::NotEqual)
            && let Some(found) = self.texts(operator, &left, &right, span)?
        {
            return Ok(found);
        }
        // what converts to a number computes as one
        let (one, other) = (self.as_predefined(left.clone())?, self.as_predefined(right.clone())?);
        if (one.type_ != left.type_ || other.type_ != right.type_)
            && let Some(found) = self.numbers(operator, &one, &other, span)?
        {
            return Ok(found);
        }
        if self.converts_itself(&left) || self.converts_itself(&right) {
            for type_ in numeric_types() {
                let both = (self.implicit(left.clone(), &type_), self.implicit(right.clone(), &type_));
                if let (Ok(Some(one)), Ok(Some(other))) = both
                    && let Some(found) = self.numbers(operator, &one, &other, span)?
                {
                    return Ok(found);
                }
            }
        }
        if let Some(name) = method_name(operator)
            && let Some(found) = self.extension_operator(name, Some(operator), &[left.clone(), right.clone()], span)?
        {
            return Ok(found);
        }
        let is_null = left.type_ == Type::Null && right.type_ == Type::Null;
        let is_integral = left.type_.is_integral() && right.type_.is_integral();
        let is_bitwise = matches!(operator, BinaryOp::ShiftLeft | BinaryOp::ShiftRight | BinaryOp::UnsignedShiftRight);
        if is_null || is_integral && !is_bitwise {
            return error(
                "CS0034",
                format!(
                    "Operator '{}' is ambiguous on operands of type '{}' and '{}'",
                    operator.sign(),
                    left.type_.short(),
                    right.type_.short()
                ),
                span,
            );
        }
        self.no_operator(operator, &left, &right, span)
    }

    /// What converts itself to a text is compared as one, with a text or with another such.
    fn texts(&mut self, operator: BinaryOp, left: &Bound, right: &Bound, span: &Span) -> Result<Option<Bound>> {
        let is_text = |bound: &Bound| bound.type_ == Type::STRING || bound.type_ == Type::Null;
        if is_text(left) && is_text(right) {
            return Ok(None);
        }
        let mut text = |bound: &Bound| match is_text(bound) {
            true => self.implicit(bound.clone(), &Type::STRING),
            false => self.user_implicit_to(bound, &Type::STRING),
        };
        let (Some(one), Some(other)) = (text(left)?, text(right)?) else { return Ok(None) };
        self.built(operator, one, other, Type::BOOL, span).map(Some)
    }

    pub(super) fn no_operator<T>(&self, operator: BinaryOp, left: &Bound, right: &Bound, span: &Span) -> Result<T> {
        let sign = operator.sign();
        let (left, right) = (left.type_.short(), right.type_.short());
        error("CS0019", format!("Operator '{sign}' cannot be applied to operands of type '{left}' and '{right}'"), span)
    }

    pub(super) fn built(
        &self,
        operator: BinaryOp,
        left: Bound,
        right: Bound,
        type_: Type,
        span: &Span,
    ) -> Result<Bound> {
        let (left, right) = (Box::new(left), Box::new(right));
        let kind = Kind::Binary { operator, left, right, is_checked: self.is_checked };
        self.known(Bound::new(kind, type_, span.clone()))
    }

    pub(super) fn short_circuit(
        &mut self,
        operator: BinaryOp,
        left: Bound,
        right: Bound,
        span: &Span,
    ) -> Result<Bound> {
        if left.type_ == Type::BOOL && right.type_ == Type::BOOL {
            return self.built(operator, left, right, Type::BOOL, span);
        }
        let is_and = operator == BinaryOp::AndAlso;
        let (plain, decides) = if is_and { ("op_BitwiseAnd", "op_False") } else { ("op_BitwiseOr", "op_True") };
        // `a && b` of the program's own: `false(a) ? a : a & b`
        let slot = self.slot();
        let kept = Bound::new(Kind::Local(slot), left.type_.clone(), left.span.clone());
        if let Some(both) = self.user_operator(plain, Some(operator), vec![kept.clone(), right.clone()], span)?
            && both.type_ == left.type_
            && let Some(decided) = self.user_operator(decides, None, vec![kept.clone()], span)?
        {
            let type_ = both.type_.clone();
            let kind =
                Kind::Conditional { condition: Box::new(decided), then: Box::new(kept), otherwise: Box::new(both) };
            let then = Box::new(Bound::new(kind, type_.clone(), span.clone()));
            return Ok(Bound::new(Kind::Let { of: Box::new(left), slot, then }, type_, span.clone()));
        }
        let converted = (self.implicit(left.clone(), &Type::BOOL)?, self.implicit(right.clone(), &Type::BOOL)?);
        if let (Some(left), Some(right)) = converted {
            return self.built(operator, left, right, Type::BOOL, span);
        }
        self.no_operator(operator, &left, &right, span)
    }
}

/// Of the method that a type defines an operator by.
pub(super) fn method_name(operator: BinaryOp) -> Option<&'static str> {
    Some(match operator {
        BinaryOp::Add => "op_Addition",
        BinaryOp::Subtract => "op_Subtraction",
        BinaryOp::Multiply => "op_Multiply",
        BinaryOp::Divide => "op_Division",
        BinaryOp::Remainder => "op_Modulus",
        BinaryOp::And => "op_BitwiseAnd",
        BinaryOp::Or => "op_BitwiseOr",
        BinaryOp::Xor => "op_ExclusiveOr",
        BinaryOp::ShiftLeft => "op_LeftShift",
        BinaryOp::ShiftRight => "op_RightShift",
        BinaryOp::UnsignedShiftRight => "op_UnsignedRightShift",
        BinaryOp::Equal => "op_Equality",
        BinaryOp::NotEqual => "op_Inequality",
        BinaryOp::Less => "op_LessThan",
        BinaryOp::Greater => "op_GreaterThan",
        BinaryOp::LessOrEqual => "op_LessThanOrEqual",
        BinaryOp::GreaterOrEqual => "op_GreaterThanOrEqual",
        BinaryOp::AndAlso | BinaryOp::OrElse | BinaryOp::Coalesce => return None,
    })
}
