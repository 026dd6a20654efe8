//! The culture of the stopped thread, as the framework's own fields hold it.

use crate::types::{FieldRef, Type, TypeSystem};
use crate::value::Value;
use crate::world::{Failure, World};

pub(crate) const CULTURE: &str = "System.Globalization.CultureInfo";

/// Where `CurrentCulture` looks, in this order (.NET 8 to 10).
const FIELDS: [&str; 3] = ["s_currentThreadCulture", "s_DefaultThreadCurrentCulture", "s_userDefaultCulture"];

/// What the thread has.
pub(crate) enum Kept<H> {
    /// One of the framework's own class.
    Culture(H),
    /// Nothing yet: nobody has asked for a culture, nor set one.
    Nothing,
    /// One of another class, or it cannot be read.
    Other,
}

/// Reads fields alone, so a world with [`World::has_static_fields`] is needed.
pub(crate) fn kept<W: World>(world: &mut W, types: &TypeSystem) -> Result<Kept<W::Handle>, Failure<W::Error>> {
    let class = Type::named(CULTURE, Vec::new());
    let Some(definition) = types.definition(&class) else { return Ok(Kept::Other) };
    let fields = types.fields(&definition);
    for name in FIELDS {
        let Some(field) = fields.iter().find(|field| field.is_static && field.name == name) else {
            return Ok(Kept::Other);
        };
        let field = FieldRef { owner: class.clone(), field: field.clone() };
        match world.standing_field(&field)? {
            Some(Value::Object(culture)) if world.type_of(&culture)?.is(CULTURE) => return Ok(Kept::Culture(culture)),
            Some(value) if !value.is_null() => return Ok(Kept::Other),
            _ => {}
        }
    }
    Ok(Kept::Nothing)
}
