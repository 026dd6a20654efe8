//! `"ab"u8`: a span for the compiler, an array here, of which one is made where a span is wanted.

use clr_metadata::Primitive;

use crate::bound::{Bound, Kind};
use crate::constant::{Constant, Scalar};
use crate::syntax::Span;
use crate::types::{Conversion, Type};

use super::overloads::READ_ONLY_SPAN;
use super::{Binder, Result};

const BYTE: Type = Type::Primitive(Primitive::U1);

pub(super) fn literal(bytes: &[u8], span: &Span) -> Bound {
    let element = |value: &u8| {
        let constant = Constant::Scalar(Scalar::Int(Primitive::U1, (*value).into()));
        Bound::new(Kind::Constant(constant), BYTE, span.clone())
    };
    let kind = Kind::NewArray { sizes: Vec::new(), elements: Some(bytes.iter().map(element).collect()) };
    let array = Bound::new(kind, Type::array(BYTE), span.clone());
    if !bytes.is_empty() {
        return array;
    }
    // no array that is written is converted to what it is
    let kind = Kind::Convert { of: Box::new(array), conversion: Conversion::None, is_checked: false };
    Bound::new(kind, Type::array(BYTE), span.clone())
}

impl Binder<'_> {
    /// A literal of bytes as the span that has all members which an array has not; anything else as it is.
    pub(super) fn span_of_bytes(&mut self, of: Bound) -> Result<Bound> {
        let span = type_of(&of);
        if span == of.type_ {
            return Ok(of);
        }
        Ok(self.implicit(of.clone(), &span)?.unwrap_or(of))
    }
}

/// The type that it has for the compiler.
pub(crate) fn type_of(bound: &Bound) -> Type {
    match bytes(bound).filter(|_| bound.type_ == Type::array(BYTE)) {
        Some(_) => Type::named(READ_ONLY_SPAN, vec![BYTE]),
        None => bound.type_.clone(),
    }
}

fn is_empty_array(bound: &Bound) -> bool {
    bound.type_ == Type::array(BYTE)
        && matches!(&bound.kind, Kind::NewArray { elements: Some(it), .. } if it.is_empty())
}

/// The bytes of a literal: no other array of constants has its place in the text for that of each element.
pub(super) fn bytes(bound: &Bound) -> Option<Vec<&Constant>> {
    match &bound.kind {
        Kind::Convert { of, .. } if bound.type_ == of.type_ && is_empty_array(of) => Some(Vec::new()),
        Kind::Convert { of, .. } => bytes(of),
        Kind::Operator { operands, .. } => operands.first().and_then(bytes),
        Kind::NewArray { sizes, elements: Some(elements) } if sizes.is_empty() && !elements.is_empty() => {
            elements.iter().map(|it| it.constant().filter(|_| it.span == bound.span)).collect()
        }
        _ => None,
    }
}
