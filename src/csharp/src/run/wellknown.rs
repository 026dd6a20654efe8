//! What the framework's own values are compared by, read from their fields: their comparers would be called in the program once for
//! each comparison.

use crate::types::Type;
use crate::value::Value;
use crate::world::{Found, World};

use super::Run;

/// How the bits of a field are compared.
#[derive(Clone, Copy)]
enum As {
    Signed,
    /// So many bits, without those above: of a `DateTime` what kind it is, of a `Guid` no sign.
    Low(u32),
    /// A value with fields of its own.
    Value,
}

/// In the order in which they are compared (.NET 8 to 10); equal are those whose fields all are.
const TYPES: [(&str, &[(&str, As)]); 7] = [
    ("System.DateTime", &[("_dateData", As::Low(62))]),
    // its time in UTC
    ("System.DateTimeOffset", &[("_dateTime", As::Value)]),
    ("System.TimeSpan", &[("_ticks", As::Signed)]),
    ("System.DateOnly", &[("_dayNumber", As::Signed)]),
    ("System.TimeOnly", &[("_ticks", As::Signed)]),
    (
        "System.Guid",
        &[
            ("_a", As::Low(32)),
            ("_b", As::Low(16)),
            ("_c", As::Low(16)),
            ("_d", As::Signed),
            ("_e", As::Signed),
            ("_f", As::Signed),
            ("_g", As::Signed),
            ("_h", As::Signed),
            ("_i", As::Signed),
            ("_j", As::Signed),
            ("_k", As::Signed),
        ],
    ),
    (
        "System.Version",
        &[("_Major", As::Signed), ("_Minor", As::Signed), ("_Build", As::Signed), ("_Revision", As::Signed)],
    ),
];

impl<W: World> Run<'_, W> {
    /// The type of such a value, and the numbers that stand for it. `None` for all others.
    pub(super) fn compared_by_fields(&mut self, value: &Value<W::Handle>) -> Found<(Type, Vec<i128>), W> {
        let Value::Object(handle) = value else { return Ok(None) };
        let type_ = self.world.type_of(handle)?;
        let Some((_, fields)) = type_.name().and_then(|name| TYPES.iter().find(|(known, _)| *known == name)) else {
            return Ok(None);
        };
        let mut numbers = Vec::new();
        for (name, compared) in *fields {
            let Some(field) = self.own_field(handle, &type_, name)? else { return Ok(None) };
            let number = match compared {
                As::Value => match self.compared_by_fields(&field)? {
                    Some((_, inner)) => {
                        numbers.extend(inner);
                        continue;
                    }
                    None => None,
                },
                As::Signed => field.as_integer(),
                As::Low(bits) => field.as_integer().map(|number| number & ((1 << bits) - 1)),
            };
            let Some(number) = number else { return Ok(None) };
            numbers.push(number);
        }
        Ok(Some((type_, numbers)))
    }
}
