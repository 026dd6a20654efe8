//! The types of the operators that the language has on numbers (ECMA-334, 12.4.7).

use clr_metadata::Primitive::{self, Char, I1, I2, I4, I8, IntPtr, R4, R8, U1, U2, U4, U8, UIntPtr};

use crate::constant::{Constant, Scalar};
use crate::types::Type;

/// A number's type, and its value where that is constant.
#[derive(Clone, Copy)]
pub(super) struct Number<'a> {
    pub type_: &'a Type,
    pub constant: Option<&'a Constant>,
}

impl Number<'_> {
    fn is_not_negative(self) -> bool {
        matches!(self.constant, Some(Constant::Scalar(Scalar::Int(_, number))) if *number >= 0)
    }
}

/// To what both operands convert; `None`: there is no such operator.
pub(super) fn binary(left: Number<'_>, right: Number<'_>) -> Option<Type> {
    if left.type_.is_decimal() || right.type_.is_decimal() {
        let other = if left.type_.is_decimal() { right.type_ } else { left.type_ };
        let is_floating = matches!(other, Type::Primitive(R4 | R8));
        return (other.is_numeric() && !is_floating).then(Type::decimal);
    }
    let (one, other) = (left.type_.primitive()?, right.type_.primitive()?);
    if !left.type_.is_numeric() || !right.type_.is_numeric() {
        return None;
    }
    Some(Type::Primitive(of_primitives((one, left), (other, right))?))
}

fn of_primitives((one, left): (Primitive, Number<'_>), (other, right): (Primitive, Number<'_>)) -> Option<Primitive> {
    let either = |primitive| one == primitive || other == primitive;
    let is_signed = |primitive| matches!(primitive, I1 | I2 | I4 | I8 | IntPtr);
    if either(R8) {
        return Some(R8);
    }
    if either(R4) {
        return Some(R4);
    }
    // the operand that is not of that type
    let beside = |primitive| if one == primitive { (other, right) } else { (one, left) };
    if either(U8) {
        let (type_, number) = beside(U8);
        return (!is_signed(type_) || number.is_not_negative()).then_some(U8);
    }
    if either(UIntPtr) {
        let (type_, number) = beside(UIntPtr);
        if type_ == I8 || type_ == IntPtr {
            return (type_ == I8 && number.is_not_negative()).then_some(U8);
        }
        return (!is_signed(type_) || number.is_not_negative()).then_some(UIntPtr);
    }
    if either(I8) {
        return Some(I8);
    }
    if either(IntPtr) {
        return Some(if beside(IntPtr).0 == U4 { I8 } else { IntPtr });
    }
    if either(U4) {
        let (type_, number) = beside(U4);
        return Some(if is_signed(type_) && !(type_ == I4 && number.is_not_negative()) { I8 } else { U4 });
    }
    Some(I4)
}

/// Of `+`, `-` and `~`; what `-` makes of an unsigned number.
pub(super) fn unary(type_: &Type, is_minus: bool) -> Option<Type> {
    if type_.is_decimal() {
        return Some(type_.clone());
    }
    let primitive = type_.primitive().filter(|_| type_.is_numeric())?;
    Some(Type::Primitive(match primitive {
        I1 | U1 | I2 | U2 | Char => I4,
        U4 if is_minus => I8,
        U8 | UIntPtr if is_minus => return None,
        other => other,
    }))
}

/// Of the left operand of a shift.
pub(super) fn shifted(type_: &Type) -> Option<Type> {
    unary(type_, false).filter(Type::is_integral)
}
