//! Arrays, and collection expressions.

use crate::bound::{Bound, Kind};
use crate::constant::{Constant, Scalar};
use crate::syntax::{Element, Expr, Span, TypeName};
use crate::types::Type;

use super::overloads::is_by_ref_like;
use super::{Binder, Result, error};

impl Binder<'_> {
    pub(super) fn new_array(
        &mut self,
        element: Option<&TypeName>,
        sizes: &[Expr],
        rank: usize,
        elements: Option<&[Element]>,
        span: &Span,
    ) -> Result<Bound> {
        let mut bound_sizes = Vec::new();
        for size in sizes {
            let size = self.value(size)?;
            let size = self.converted(size, &Type::INT)?;
            if matches!(size.constant(), Some(Constant::Scalar(Scalar::Int(_, number))) if *number < 0) {
                return error("CS0248", "Cannot create an array with a negative size", &size.span);
            }
            bound_sizes.push(size);
        }
        let mut lengths = Vec::new();
        let values = match elements {
            Some(elements) => Some(self.rows(elements, rank, &mut lengths, span)?),
            None => None,
        };
        if rank > 1 && bound_sizes.is_empty() {
            let size = |length: &usize| {
                let length = Constant::int(i32::try_from(*length).unwrap_or(i32::MAX));
                Bound::new(Kind::Constant(length), Type::INT, span.clone())
            };
            bound_sizes = lengths.iter().map(size).collect();
        }
        let element = match element {
            Some(element) => self.type_(element)?,
            None => match self.common(values.as_deref().unwrap_or_default())? {
                Some(type_) => type_,
                None => return error("CS0826", "No best type found for implicitly-typed array", span),
            },
        };
        let elements = match values {
            Some(values) => {
                Some(values.into_iter().map(|value| self.converted(value, &element)).collect::<Result<Vec<_>>>()?)
            }
            None => None,
        };
        Ok(Bound::new(
            Kind::NewArray { sizes: bound_sizes, elements },
            Type::Array { of: Box::new(element), rank: u32::try_from(rank).unwrap_or(1) },
            span.clone(),
        ))
    }

    /// The elements of an array in the order in which they lie, and the length of each dimension.
    fn rows(&mut self, elements: &[Element], rank: usize, lengths: &mut Vec<usize>, span: &Span) -> Result<Vec<Bound>> {
        lengths.push(elements.len());
        let mut values = Vec::new();
        let mut inner: Option<Vec<usize>> = None;
        for element in elements {
            match element {
                Element::Value(value) if rank <= 1 => values.push(self.value(value)?),
                Element::List(row) if rank > 1 => {
                    let mut own = Vec::new();
                    values.extend(self.rows(row, rank - 1, &mut own, span)?);
                    if inner.as_ref().is_some_and(|inner| *inner != own) {
                        return error(
                            "CS0847",
                            format!(
                                "An array initializer of length '{}' is expected",
                                inner.and_then(|it| it.first().copied()).unwrap_or(0)
                            ),
                            span,
                        );
                    }
                    inner = Some(own);
                }
                _ => {
                    return error(
                        "CS0623",
                        "Array initializers can only be used in a variable or field initializer. Try using a new expression instead.",
                        span,
                    );
                }
            }
        }
        lengths.extend(inner.unwrap_or_default());
        Ok(values)
    }

    /// `[a, ..b]` as an array, a list, or what they are read through. `None`: as something else.
    pub(super) fn collection(&mut self, elements: &[(Expr, bool)], to: &Type, span: &Span) -> Result<Option<Bound>> {
        let Some(element) = self.collected_type(to) else { return Ok(None) };
        if is_by_ref_like(to) {
            return match self.collection(elements, &Type::array(element), span)? {
                Some(array) => self.implicit(array, to),
                None => Ok(None),
            };
        }
        let mut bound = Vec::new();
        for (value, is_spread) in elements {
            let value = self.value(value)?;
            if *is_spread {
                let value = self.settled(value)?;
                bound.push((value, true));
            } else {
                match self.implicit(value, &element)? {
                    Some(value) => bound.push((value, false)),
                    None => return Ok(None),
                }
            }
        }
        Ok(Some(Bound::new(Kind::Collection(bound), to.clone(), span.clone())))
    }

    /// Of what a collection expression of a type has elements. `None`: it can be none of that type.
    pub(super) fn collected_type(&self, type_: &Type) -> Option<Type> {
        match type_ {
            Type::Array { of, rank: 1 } => Some((**of).clone()),
            view if is_by_ref_like(view) => view.arguments().first().cloned(),
            // nothing can be added to one
            string if *string == Type::STRING => None,
            other => self.element_type(other),
        }
    }

    /// What a sequence is of.
    pub(super) fn element_type(&self, type_: &Type) -> Option<Type> {
        const SEQUENCE: &str = "System.Collections.Generic.IEnumerable`1";
        let mut all = vec![type_.clone()];
        all.extend(self.types.interfaces(type_));
        all.iter().find(|it| it.is(SEQUENCE))?.arguments().first().cloned()
    }
}
