//! What is in spans, and the methods of the framework that compare it and look for something in it.

use clr_metadata::Primitive;

use crate::bound::{Bound, Kind, Passed};
use crate::constant::{Constant, Scalar};
use crate::types::{Conversion, MethodRef, Type, is_by_ref_like};
use crate::value::Value;
use crate::world::{Failure, Found, World};

use super::compare::Key;
use super::ordinal::{self, IGNORE_CASE, ORDINAL};
use super::{Run, unsupported};

/// Whose methods they are.
pub(super) const EXTENSIONS: &str = "System.MemoryExtensions";

/// Those that are computed here.
const KNOWN: [&str; 9] = [
    "SequenceEqual",
    "StartsWith",
    "EndsWith",
    "IndexOf",
    "LastIndexOf",
    "IndexOfAny",
    "Contains",
    "Equals",
    "CompareTo",
];

impl<W: World> Run<'_, W> {
    /// At least the first `limit` of a span, where there are as many. `None`: it is no span.
    pub(super) fn of_span(&mut self, span: &W::Handle, limit: usize) -> Found<Vec<Value<W::Handle>>, W> {
        let type_ = self.world.type_of(span)?;
        if !is_by_ref_like(&type_) {
            return Ok(None);
        }
        if let Some(items) = self.world.elements(span, limit)? {
            return Ok(Some(items));
        }
        let Some(to_array) = self.method_of(&type_, "ToArray", 0) else {
            return unsupported(format!("the contents of a '{}' cannot be read here", type_.short()));
        };
        let array = self.world.call(&to_array, Some(&Value::Object(span.clone())), &mut [])?;
        self.all(&array).map(Some)
    }

    /// As [`Self::of_span`], of characters.
    pub(super) fn characters(&mut self, span: &W::Handle, limit: usize) -> Found<Vec<u16>, W> {
        if self.world.type_of(span)?.arguments().first() != Some(&Type::Primitive(Primitive::Char)) {
            return Ok(None);
        }
        let Some(items) = self.of_span(span, limit)? else { return Ok(None) };
        let unit = |item: &Value<W::Handle>| match item.as_scalar() {
            Some(Scalar::Char(unit)) => Some(*unit),
            _ => None,
        };
        match items.iter().map(unit).collect::<Option<Vec<u16>>>() {
            Some(units) => Ok(Some(units)),
            None => unsupported("the characters of the span cannot be read here"),
        }
    }

    /// As [`Self::characters`], all of them.
    pub(super) fn all_characters(&mut self, span: &W::Handle) -> Found<Vec<u16>, W> {
        let most = self.limits.elements;
        match self.characters(span, most.saturating_add(1))? {
            Some(units) if units.len() > most => too_many(most),
            found => Ok(found),
        }
    }

    /// `None`: it is not computed here, and nothing was evaluated.
    pub(super) fn of_spans(&mut self, method: &MethodRef, passed: &[Passed]) -> Found<Value<W::Handle>, W> {
        let name = method.method.name.as_str();
        let bounds: Option<Vec<&Bound>> =
            passed.iter().map(|it| if let Passed::Value(bound) = it { Some(bound) } else { None }).collect();
        let Some(bounds) = bounds.filter(|_| KNOWN.contains(&name)) else { return Ok(None) };
        let mut operands = Vec::with_capacity(bounds.len());
        for bound in bounds {
            let (of, conversion) = source(bound);
            operands.push((self.value(of)?, conversion));
        }
        let values: Vec<&Value<W::Handle>> = operands.iter().map(|(value, _)| value).collect();
        if let Some(found) = self.computed_of_spans(method, &values)? {
            return Ok(Some(found));
        }
        let mut arguments = Vec::with_capacity(operands.len());
        for (at, (value, conversion)) in operands.into_iter().enumerate() {
            arguments.push(match conversion {
                Some(conversion) => {
                    let takes = conversion.parameter_type(0).unwrap_or(Type::OBJECT);
                    let value = self.in_program(value, &takes)?;
                    self.world.call(conversion, None, &mut [value])?
                }
                None => self.in_program(value, &method.parameter_type(at).unwrap_or(Type::OBJECT))?,
            });
        }
        self.world.call(method, None, &mut arguments).map(Some)
    }

    fn computed_of_spans(&mut self, method: &MethodRef, values: &[&Value<W::Handle>]) -> Found<Value<W::Handle>, W> {
        let name = method.method.name.as_str();
        let (Some((own, rest)), Some((_, types))) = (values.split_first(), method.method.parameters.split_first())
        else {
            return Ok(None);
        };
        // the comparer that is left out is the default one
        let count = rest.iter().rposition(|it| !it.is_null()).map_or(0, |last| last + 1);
        let rest = rest.get(..count.max(1)).unwrap_or_default();
        if let [other, Value::Constant(Constant::Enum(_, how))] = rest {
            let (Some(own), Some(other)) = (self.units_of(own)?, self.units_of(other)?) else { return Ok(None) };
            return Ok(match *how {
                ORDINAL if name == "CompareTo" => Some(Value::int(order(&own, &other))),
                ORDINAL => ordinal::compared(name, &own, &other),
                IGNORE_CASE if name != "CompareTo" => {
                    let both = ordinal::lowered(&own).zip(ordinal::lowered(&other));
                    both.and_then(|(own, other)| ordinal::compared(name, &own, &other))
                }
                _ => None,
            });
        }
        let Some(own) = self.keys_of(own)? else { return Ok(None) };
        let is_span_at = |at: usize| types.get(at).is_some_and(|it| is_by_ref_like(&it.type_));
        let wanted = match rest {
            [only] if is_span_at(0) => self.keys_of(only)?,
            _ if is_span_at(0) => None,
            items => items.iter().map(|item| self.key(item)).collect::<Result<Option<Vec<Key>>, _>>()?,
        };
        let Some(wanted) = wanted else { return Ok(None) };
        let place = |at: Option<usize>| Some(at.map_or(Value::int(-1), Value::count));
        let mut parts = own.windows(wanted.len().max(1));
        Ok(match name {
            "SequenceEqual" => Some(Value::bool(own == wanted)),
            "StartsWith" => Some(Value::bool(own.starts_with(&wanted))),
            "EndsWith" => Some(Value::bool(own.ends_with(&wanted))),
            "IndexOf" if wanted.is_empty() => Some(Value::int(0)),
            "IndexOf" => place(parts.position(|part| part == wanted)),
            "LastIndexOf" if !wanted.is_empty() => place(parts.rposition(|part| part == wanted)),
            "IndexOfAny" => place(own.iter().position(|item| wanted.contains(item))),
            "Contains" if !is_span_at(0) => Some(Value::bool(wanted.iter().all(|item| own.contains(item)))),
            _ => None,
        })
    }

    /// What equal elements have in common. `None`: only the program knows what is equal, or it is nothing that has elements.
    fn keys_of(&mut self, value: &Value<W::Handle>) -> Found<Vec<Key>, W> {
        let items = match value {
            Value::Object(handle) if self.text_of(value)?.is_none() => {
                let most = self.limits.elements;
                match self.of_span(handle, most.saturating_add(1))? {
                    Some(items) if items.len() > most => return too_many(most),
                    Some(items) => items,
                    None => self.all(value)?,
                }
            }
            value if value.is_null() => Vec::new(),
            value => self.all(value)?,
        };
        items.iter().map(|item| self.key(item)).collect()
    }

    fn units_of(&mut self, value: &Value<W::Handle>) -> Found<Vec<u16>, W> {
        if let Some(text) = self.text_of(value)? {
            return Ok(Some(text.to_vec()));
        }
        match value {
            Value::Object(handle) => self.all_characters(handle),
            _ => Ok(None),
        }
    }
}

/// What a span is made of by itself, and how; else the value as it is.
fn source(bound: &Bound) -> (&Bound, Option<&MethodRef>) {
    match &bound.kind {
        Kind::Convert { of, conversion: Conversion::None, .. } if of.type_ == bound.type_ => source(of),
        Kind::Operator { method, operands, .. }
            if method.method.name == "op_Implicit" && is_by_ref_like(&bound.type_) =>
        {
            operands.first().map_or((bound, None), |of| (of, Some(method)))
        }
        _ => (bound, None),
    }
}

/// As `CompareTo` of spans with `StringComparison.Ordinal`.
fn order(own: &[u16], other: &[u16]) -> i32 {
    let mut pairs = own.iter().zip(other).map(|(own, other)| i32::from(*own) - i32::from(*other));
    let lengths = i32::try_from(own.len()).unwrap_or(i32::MAX) - i32::try_from(other.len()).unwrap_or(i32::MAX);
    pairs.find(|it| *it != 0).unwrap_or(lengths)
}

fn too_many<T, E>(most: usize) -> Result<T, Failure<E>> {
    unsupported(format!("the span has more than {most} elements"))
}
