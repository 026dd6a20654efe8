//! Structs with `[InlineArray]`, and buffers that `fixed` declares: the runtime reports their first element as a field, and the others lie behind it.

use clr_csharp::value::Value;
use clr_metadata::{FieldId, Primitive};

use super::reading::constant_at;
use super::{EvalError, Evaluation};
use crate::com::{self, HResult, element, memory};
use crate::values::{Content, Place, Scalar, Step, of_bits};

pub(super) struct InlineArray {
    class: com::Class,
    field: FieldId,
    pub(super) length: usize,
}

impl Evaluation<'_> {
    /// `None`: it is none.
    pub(super) fn inline_array(&self, of: &Place) -> com::Result<Option<InlineArray>> {
        let Content::Object(object) = of.read(self.stopped)?.content()? else { return Ok(None) };
        let Some(definition) = object.definition() else { return Ok(None) };
        let view = definition.view();
        let Some(length) = view.repeated_length() else { return Ok(None) };
        let Some(field) = view.fields().into_iter().find(|field| !field.is_static) else { return Ok(None) };
        let length = usize::try_from(length).unwrap_or(usize::MAX);
        Ok(Some(InlineArray { class: definition.class.clone(), field: field.id, length }))
    }

    pub(super) fn inline_element(
        &self,
        of: &Place,
        array: &InlineArray,
        position: usize,
    ) -> Result<Value<Place>, EvalError> {
        let first = of.then(Step::Field { class: array.class.clone(), field: array.field });
        if position == 0 {
            return self.held(&first);
        }
        let first = first.read(self.stopped)?;
        let kind = first.com().kind()?;
        let bits = || -> com::Result<u64> {
            let (address, size) = (first.com().address()?, first.com().size()? as usize);
            let mut bytes = [0; 8];
            let own = bytes.get_mut(..size).filter(|_| address != 0).ok_or(HResult::INVALID_ARGUMENT)?;
            let at = address + (position * size) as u64;
            match memory::read(self.stopped.target().pid, at, own) == size {
                true => Ok(u64::from_le_bytes(bytes)),
                false => Err(HResult::INVALID_ARGUMENT),
            }
        };
        let number = |kind: u32, bits: u64| {
            u8::try_from(kind).ok().and_then(Primitive::from_code).and_then(|it| of_bits(it, bits))
        };
        let scalar = match kind {
            element::STRING | element::CLASS | element::OBJECT | element::SZARRAY | element::ARRAY => {
                return self.referred(bits()?);
            }
            element::VALUETYPE => match first.content()? {
                Content::Scalar(Scalar::Enum(definition, _)) => {
                    let underlying = definition.view().enum_underlying().unwrap_or(Primitive::I4);
                    match of_bits(underlying, bits()?) {
                        Some(Scalar::Int(_, number)) => Some(Scalar::Enum(definition, number)),
                        _ => None,
                    }
                }
                _ => None,
            },
            kind => number(kind, bits()?),
        };
        match scalar {
            Some(scalar) => Ok(Value::Constant(constant_at(&first, &scalar))),
            None => Err(EvalError::failed(format!(
                "the elements of an inline array of '{}' cannot be read here, except the first",
                first.type_name()
            ))),
        }
    }
}
