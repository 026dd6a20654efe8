//! Elements of structs that stand for arrays (`[InlineArray]`), and of buffers that `fixed` declares.

use crate::bound::{Bound, Kind};
use crate::constant::{Constant, Scalar};
use crate::syntax::{Argument, Span};
use crate::types::{Type, is_by_ref_like};

use super::{Binder, Result, error, unsupported};

impl Binder<'_> {
    /// All elements of an inline array as a span of them, as C# 12 converts it.
    pub(super) fn span_of_inline(&self, of: Bound, to: &Type) -> Option<Bound> {
        let (element, _) = self.types.inline_array(&of.type_)?;
        let is_span = is_by_ref_like(to) && to.arguments() == [element] && !self.types.is_fixed_buffer(&of.type_);
        let span = of.span.clone();
        let all = Kind::Range { start: None, end: None };
        let all = Bound::new(all, Type::named("System.Range", Vec::new()), span.clone());
        is_span.then(|| Bound::new(Kind::Element { of: Box::new(of), indices: vec![all] }, to.clone(), span))
    }

    /// By a number, an index, or a range, which gives a span.
    pub(super) fn inline_element(
        &mut self,
        of: Bound,
        (element, length): (Type, usize),
        arguments: &[Argument],
        span: &Span,
    ) -> Result<Bound> {
        let is_buffer = self.types.is_fixed_buffer(&of.type_);
        let index = match arguments {
            [argument] => Some(self.value(&argument.value)?),
            _ => None,
        };
        if let (true, Some(index)) = (is_buffer, &index) {
            return match self.implicit(index.clone(), &Type::INT)? {
                Some(index) => {
                    Ok(Bound::new(Kind::Element { of: Box::new(of), indices: vec![index] }, element, span.clone()))
                }
                None => unsupported("a fixed-size buffer is indexed by an `int`, one element at a time"),
            };
        }
        let (index, type_) = match index {
            Some(index) if index.type_.is("System.Range") => (index, Type::named("System.Span`1", vec![element])),
            Some(index) if index.type_.is("System.Index") => (index, element),
            index => match index.map(|index| self.implicit(index, &Type::INT)).transpose()?.flatten() {
                Some(index) => (index, element),
                None => {
                    let words = "Elements of an inline array type can be accessed only with a single argument implicitly convertible to \
                                 'int', 'System.Index', or 'System.Range'.";
                    return error("CS9172", words, span);
                }
            },
        };
        if let Some(Constant::Scalar(Scalar::Int(_, number))) = index.constant()
            && usize::try_from(*number).map_or(true, |number| number >= length)
        {
            return error("CS9166", "Index is outside the bounds of the inline array", span);
        }
        Ok(Bound::new(Kind::Element { of: Box::new(of), indices: vec![index] }, type_, span.clone()))
    }
}
