//! Whose class the culture of the stopped thread is: one of the program could run its own code where texts are written and compared.

use super::Pure;
use crate::culture::{CULTURE, Kept, kept};
use crate::types::{MethodRef, Type};
use crate::value::Value;
use crate::world::{Failure, World};

impl<W: World> Pure<'_, W> {
    /// Whether that is the framework's own. Read from its fields where the world can: a call that is about to be refused runs nothing
    /// of the program, and `CurrentCulture` would run the initializers behind it, which wait for whoever runs them now.
    pub(super) fn has_framework_culture(&mut self) -> Result<bool, Failure<W::Error>> {
        if let Some(known) = self.has_framework_culture {
            return Ok(known);
        }
        let found = match self.world.has_static_fields() {
            true => match kept(&mut *self.world, self.types)? {
                Kept::Culture(culture) => self.has_framework_calendar(&culture)?,
                // the runtime makes one of its own
                Kept::Nothing => true,
                Kept::Other => false,
            },
            false => match self.current_culture()? {
                Some(Value::Object(culture)) => {
                    self.world.type_of(&culture)?.is(CULTURE) && self.has_framework_calendar(&culture)?
                }
                _ => false,
            },
        };
        self.has_framework_culture = Some(found);
        Ok(found)
    }

    fn current_culture(&mut self) -> Result<Option<Value<W::Handle>>, Failure<W::Error>> {
        let class = Type::named(CULTURE, Vec::new());
        let getter = self.types.definition(&class).and_then(|definition| {
            let getter = self.types.methods(&definition, "get_CurrentCulture").first()?.clone();
            Some(MethodRef { owner: class, method: getter, arguments: Vec::new() })
        });
        getter.map(|getter| self.world.call(&getter, None, &mut [])).transpose()
    }

    /// Whether a culture writes times by a calendar of the framework (.NET 8 to 10); one that nobody has asked for it has none yet.
    fn has_framework_calendar(&mut self, culture: &W::Handle) -> Result<bool, Failure<W::Error>> {
        let mut at = culture.clone();
        for name in ["_dateTimeInfo", "calendar"] {
            let type_ = self.world.type_of(&at)?;
            let Some(field) = self.field_named(&type_, name) else { return Ok(false) };
            match self.world.field(Some(&at), &field)? {
                Value::Object(inner) => at = inner,
                value => return Ok(value.is_null()),
            }
        }
        let type_ = self.world.type_of(&at)?;
        let definition = self.types.definition(&type_);
        Ok(definition.is_some_and(|it| clr_metadata::is_framework(it.assembly.path())))
    }
}
