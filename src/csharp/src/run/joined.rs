//! `string.Concat` and `string.Join` of texts that are known here: the program need not be given each of them first.

use crate::constant::{Constant, Scalar};
use crate::types::{MethodRef, Type};
use crate::value::{Content, Value};
use crate::world::{Failure, Found, World};

use super::{Run, text};

impl<W: World> Run<'_, W> {
    /// `None`: it is another method, or the program has to write one of the values. What a query gives stands in the arguments then, so
    /// that it runs once.
    pub(super) fn text_joined(
        &mut self,
        method: &MethodRef,
        arguments: &mut [Value<W::Handle>],
    ) -> Found<Value<W::Handle>, W> {
        if method.owner != Type::STRING {
            return Ok(None);
        }
        let parameters = &method.method.parameters;
        let (separator, of) = match (method.method.name.as_str(), parameters.as_slice(), &mut *arguments) {
            ("Concat", [only], [of]) if only.type_ != Type::OBJECT => (None, of),
            ("Concat", _, values) => return self.written(values, &[]),
            ("Join", [_, _], [separator, of]) => (Some(separator.clone()), of),
            _ => return Ok(None),
        };
        let Some(items) = self.known_items(of)? else { return Ok(None) };
        let separator = match separator {
            Some(separator) => match self.written_here(&separator)? {
                Some(units) => units,
                None => return Ok(None),
            },
            None => Vec::new(),
        };
        self.written(&items, &separator)
    }

    /// Those of a sequence that the expression itself made.
    fn known_items(&mut self, of: &mut Value<W::Handle>) -> Found<Vec<Value<W::Handle>>, W> {
        let Value::Made(made) = &*of else { return Ok(None) };
        let type_ = made.type_.clone();
        let items = match &made.content {
            Content::Items(items) => items.clone(),
            Content::Query { .. } => self.all(of)?,
            _ => return Ok(None),
        };
        *of = Value::made(type_, Content::Items(items.clone()));
        Ok(Some(items))
    }

    fn written(&mut self, values: &[Value<W::Handle>], separator: &[u16]) -> Found<Value<W::Handle>, W> {
        let mut units: Vec<u16> = Vec::new();
        for (at, value) in values.iter().enumerate() {
            self.step()?;
            let Some(piece) = self.written_here(value)? else { return Ok(None) };
            if at > 0 {
                units.extend_from_slice(separator);
            }
            if units.len() + piece.len() > self.limits.elements {
                return text::too_long(self.limits.elements);
            }
            units.extend_from_slice(&piece);
        }
        Ok(Some(Value::Constant(Constant::Text(units.into()))))
    }

    /// As `ToString` writes it, where no culture and no code of the program has a say.
    fn written_here(&mut self, value: &Value<W::Handle>) -> Result<Option<Vec<u16>>, Failure<W::Error>> {
        match value {
            Value::Constant(Constant::Null | Constant::Scalar(Scalar::Bool(_) | Scalar::Char(_))) => {}
            Value::Constant(Constant::Scalar(Scalar::Int(_, number))) if *number >= 0 => {}
            other => return Ok(self.text_of(other)?.map(|units| units.to_vec())),
        }
        Ok(Some(self.printed(value)?.to_vec()))
    }
}
