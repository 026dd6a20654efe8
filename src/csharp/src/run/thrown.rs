//! What an exception says that a `throw` of the expression throws.

use clr_metadata::is_framework;

use crate::types::Type;
use crate::value::Value;
use crate::world::{Failure, World};

use super::Run;

impl<W: World> Run<'_, W> {
    /// Type and message of an exception.
    pub(super) fn thrown(&mut self, exception: &Value<W::Handle>) -> Result<String, Failure<W::Error>> {
        let type_ = self.run_time_type(exception)?.map(|it| it.to_string()).unwrap_or_default();
        let Value::Object(handle) = exception else { return Ok(type_) };
        if self.overrides_message(exception)? {
            return Ok(type_);
        }
        let base = Type::named("System.Exception", Vec::new());
        let message = self.own_field(handle, &base, "_message")?;
        let message = message.map(|message| self.text_of(&message)).transpose()?.flatten();
        Ok(match message {
            Some(message) => format!("{type_}: {}", String::from_utf16_lossy(&message)),
            None => type_,
        })
    }

    /// Whether a type of the program's own says what such an exception says.
    fn overrides_message(&mut self, exception: &Value<W::Handle>) -> Result<bool, Failure<W::Error>> {
        let Some(type_) = self.run_time_type(exception)? else { return Ok(false) };
        let getters = self.types.chain(&type_).into_iter().filter_map(|owner| {
            let definition = self.types.definition(&owner)?;
            self.types.methods(&definition, "get_Message").first().cloned()
        });
        Ok({ getters }.next().is_some_and(|getter| !is_framework(getter.assembly.path())))
    }
}
