//! `FormattableString.Invariant($"…")`: the text itself, without the object that would hold its parts.

use crate::bound::{Bound, Kind, Passed};
use crate::types::{MethodRef, Type};
use crate::world::{Found, World};

use super::Run;

const FORMATTABLE: &str = "System.FormattableString";
const FACTORY: &str = "System.Runtime.CompilerServices.FormattableStringFactory";

impl<W: World> Run<'_, W> {
    /// `None`: it is another call.
    pub(super) fn invariant(
        &mut self,
        method: &MethodRef,
        passed: &[Passed],
    ) -> Found<crate::value::Value<W::Handle>, W> {
        let [Passed::Value(of)] = passed else { return Ok(None) };
        let is_it = method.owner.is(FORMATTABLE) && method.method.name == "Invariant";
        let Some((format, values)) = parts(of).filter(|_| is_it) else { return Ok(None) };
        let culture = Type::named("System.Globalization.CultureInfo", Vec::new());
        let (Some(culture), Some(write)) = (self.method_of(&culture, "get_InvariantCulture", 0), self.format_of_many())
        else {
            return Ok(None);
        };
        let culture = self.world.call(&culture, None, &mut [])?;
        let (format, values) = (self.value(format)?, self.value(values)?);
        let values = self.in_program(values, &Type::array(Type::OBJECT))?;
        self.world.call(&write, None, &mut [culture, format, values]).map(Some)
    }

    /// `string.Format(IFormatProvider, string, object[])`
    fn format_of_many(&self) -> Option<MethodRef> {
        let definition = self.types.definition(&Type::STRING)?;
        let methods = self.types.methods(&definition, "Format");
        let takes_array = |it: &&std::sync::Arc<crate::types::Method>| {
            it.parameters.len() == 3 && it.parameters.last().is_some_and(|last| last.type_ == Type::array(Type::OBJECT))
        };
        let method = methods.iter().find(takes_array)?.clone();
        Some(MethodRef { owner: Type::STRING, method, arguments: Vec::new() })
    }
}

/// The format and the values of an interpolated string that is one to be formatted later.
fn parts(bound: &Bound) -> Option<(&Bound, &Bound)> {
    match &bound.kind {
        Kind::Convert { of, .. } => parts(of),
        Kind::Call { method, arguments, .. } if method.owner.is(FACTORY) => match arguments.as_slice() {
            [Passed::Value(format), Passed::Value(values)] => Some((format, values)),
            _ => None,
        },
        _ => None,
    }
}
