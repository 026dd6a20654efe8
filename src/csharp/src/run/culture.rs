//! Comparisons by the program's culture that give what a comparison of UTF-16 units gives: one call to learn the culture, in place of one
//! for each text.

use super::Run;
use crate::constant::Constant;
use crate::culture::{CULTURE, Kept, kept};
use crate::types::{MethodRef, Type};
use crate::value::Value;
use crate::world::World;

/// What is known of the program's culture.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Culture {
    #[default]
    Unneeded,
    Unknown,
    /// It compares plain texts by their units.
    OfUnits,
    Other,
}

impl<W: World> Run<'_, W> {
    /// Whether the program's culture compares these by their units: the invariant one and English do so with all texts of such signs
    /// (`_isAsciiEqualityOrdinal` of CompareInfo.Icu.cs, .NET 8 to 10). The first time it is not worth asking.
    pub(super) fn are_compared_by_units(&mut self, text: &[u16], other: &[u16]) -> bool {
        if !is_plain(text) || !is_plain(other) {
            return false;
        }
        self.compares_by_units()
    }

    /// Whether the program's culture is the invariant one or English.
    pub(super) fn compares_by_units(&mut self) -> bool {
        self.culture = match self.culture {
            Culture::Unneeded => self.kept_culture().map_or(Culture::Unknown, |name| of_name(&name)),
            Culture::Unknown => self.culture_name().map_or(Culture::Other, |name| of_name(&name)),
            known => known,
        };
        self.culture == Culture::OfUnits
    }

    /// The name of the one that the framework's own fields hold for the thread, in the order in which `CurrentCulture` looks at them.
    fn kept_culture(&mut self) -> Option<String> {
        if !self.world.has_static_fields() {
            return None;
        }
        let Ok(Kept::Culture(culture)) = kept(&mut *self.world, self.types) else { return None };
        let class = Type::named(CULTURE, Vec::new());
        let name = self.own_field(&culture, &class, "_name").ok()??;
        self.text_of(&name).ok()?.map(|units| String::from_utf16_lossy(&units))
    }

    /// Of one of the framework's.
    fn culture_name(&mut self) -> Option<String> {
        let class = Type::named(CULTURE, Vec::new());
        let definition = self.types.definition(&class)?;
        let getter = |name: &str| {
            let method = self.types.methods(&definition, name).first()?.clone();
            Some(MethodRef { owner: class.clone(), method, arguments: Vec::new() })
        };
        let (current, name) = (getter("get_CurrentCulture")?, getter("get_Name")?);
        let culture = self.world.call(&current, None, &mut []).ok()?;
        let Value::Object(object) = &culture else { return None };
        if !self.world.type_of(object).ok()?.is(CULTURE) {
            return None;
        }
        let name = self.world.call(&name, Some(&culture), &mut []).ok()?;
        self.text_of(&name).ok()?.map(|units| String::from_utf16_lossy(&units))
    }
}

fn of_name(name: &str) -> Culture {
    match name.split('-').next().unwrap_or_default() {
        "" | "en" => Culture::OfUnits,
        _ => Culture::Other,
    }
}

/// ASCII but for control characters and the two signs that ICU is asked about (`HighCharTable` there).
fn is_plain(text: &[u16]) -> bool {
    text.iter().all(|unit| matches!(*unit, 0x20..=0x7e) && !matches!(*unit, 0x27 | 0x2d))
}

/// `StringComparison.CurrentCulture`, as an argument.
pub(super) fn is_of_culture<H>(how: &Value<H>) -> bool {
    matches!(how, Value::Constant(Constant::Enum(_, 0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_culture_is_known_by_its_name() {
        for (name, culture) in [
            ("", Culture::OfUnits),
            ("en", Culture::OfUnits),
            ("en-US", Culture::OfUnits),
            ("de-DE", Culture::Other),
            ("cs-CZ", Culture::Other),
            ("enx", Culture::Other),
        ] {
            assert_eq!(of_name(name), culture, "{name}");
        }
    }

    #[test]
    fn signs_that_a_culture_weighs_apart_are_left_to_it() {
        for (text, plain) in
            [("name9 (a_b)", true), ("", true), ("co-op", false), ("it's", false), ("a\tb", false), ("\u{e9}", false)]
        {
            assert_eq!(is_plain(&text.encode_utf16().collect::<Vec<u16>>()), plain, "{text}");
        }
    }
}
