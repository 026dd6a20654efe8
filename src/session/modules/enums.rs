//! Enums: their members by name, as adapters print them. Kept by the ends of their names: every hit of a condition asks again.

use std::sync::Arc;

use clr_csharp::arithmetic::bounds;
use clr_metadata::Primitive;

use super::Modules;

/// Names that are kept.
const KEPT: usize = 10_000;

/// An enum's declaration.
#[derive(Debug, PartialEq, Eq)]
pub struct EnumType {
    /// With namespace.
    pub name: String,
    pub underlying: Primitive,
    /// In the order of their declaration.
    pub members: Vec<(String, i128)>,
    pub is_flags: bool,
}

impl EnumType {
    /// The number of what an adapter prints: `Read | Write`, `Blue`, `7`.
    pub fn number(&self, printed: &str) -> Option<i128> {
        let (least, most) = bounds(self.underlying).unwrap_or_default();
        let one = |name: &str| {
            let named = self.members.iter().find(|(member, _)| member == name).map(|(_, number)| *number);
            named.or_else(|| name.parse().ok().filter(|number| (least..=most).contains(number)))
        };
        printed.split(" | ").try_fold(0, |all, name| Some(all | one(name)?))
    }

    /// As adapters print a number: the member's name, those that it is made of, or the number.
    pub fn printed(&self, number: i128) -> String {
        if let Some((name, _)) = self.members.iter().find(|(_, value)| *value == number) {
            return name.clone();
        }
        let parts = || {
            let mut left = number;
            let mut names = Vec::new();
            for (name, value) in self.members.iter().rev().filter(|(_, value)| *value != 0) {
                if left & value == *value {
                    left &= !value;
                    names.push(name.as_str());
                }
            }
            names.reverse();
            (left == 0 && self.is_flags).then(|| names.join(" | "))
        };
        parts().filter(|names| !names.is_empty()).unwrap_or_else(|| number.to_string())
    }

    /// As `Enum.ToString` gives it; `None` for a format that depends on more.
    pub fn formatted(&self, number: i128, format: &str) -> Option<String> {
        let (least, most) = bounds(self.underlying)?;
        match format {
            "" | "G" | "g" => Some(self.printed(number).replace(" | ", ", ")),
            // the sign is the culture's
            "D" | "d" => (number >= 0).then(|| number.to_string()),
            "X" | "x" => {
                let mask = most - least;
                let digits = format!("{mask:X}").len();
                Some(format!("{:0digits$X}", number & mask))
            }
            _ => None,
        }
    }
}

impl Modules {
    /// All enums that `name` may mean: `Color`, `Shop.Color`, `Order.Status`.
    pub(crate) fn enums_named(&self, name: &str) -> Arc<[Arc<EnumType>]> {
        let (universe, known) = {
            let inner = self.lock();
            (inner.universe.clone(), inner.enums.get(name).cloned())
        };
        if let Some(known) = known {
            return known;
        }
        let types = universe.find_types_by_short_name(name).into_iter();
        let found: Arc<[Arc<EnumType>]> = types
            .filter_map(|(assembly, id)| {
                let type_ = assembly.type_(id);
                let underlying = type_.enum_underlying().filter(|_| type_.is_enum())?;
                let (members, is_flags) = (type_.enum_members(), type_.is_flags());
                Some(Arc::new(EnumType { name: type_.full_name(), underlying, members, is_flags }))
            })
            .collect();
        let mut inner = self.lock();
        if inner.enums.len() > KEPT {
            inner.enums.clear();
        }
        inner.enums.insert(name.to_owned(), found.clone());
        found
    }

    /// The enum of exactly that name, as adapters print it.
    pub(crate) fn enum_type(&self, full_name: &str) -> Option<Arc<EnumType>> {
        self.enums_named(full_name).iter().find(|type_| type_.name.replace('+', ".") == full_name).cloned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn color() -> EnumType {
        let members = ["Red", "Green", "Blue"].iter().zip(0..).map(|(name, at)| ((*name).to_owned(), at)).collect();
        EnumType { name: "Shop.Color".into(), underlying: Primitive::I4, members, is_flags: false }
    }

    fn access() -> EnumType {
        let members = [("None", 0), ("Read", 1), ("Write", 2), ("All", 7)];
        let members = members.map(|(name, number)| (name.to_owned(), number)).to_vec();
        EnumType { name: "Shop.Access".into(), underlying: Primitive::U1, members, is_flags: true }
    }

    #[test]
    fn numbers_and_names_are_distinguished_from_each_other() {
        let (color, access) = (color(), access());
        for (type_, number, printed) in [
            (&color, 2, "Blue"),
            (&color, 7, "7"),
            (&access, 3, "Read | Write"),
            (&access, 0, "None"),
            (&access, 8, "8"),
        ] {
            assert_eq!(type_.printed(number), printed);
            assert_eq!(type_.number(printed), Some(number), "{printed}");
        }
        for (type_, number, format, text) in [
            (&color, 2, "G", Some("Blue")),
            (&color, 2, "D", Some("2")),
            (&color, -2, "D", None),
            (&color, 30, "X", Some("0000001E")),
            (&color, -1, "x", Some("FFFFFFFF")),
            (&access, 3, "g", Some("Read, Write")),
            (&access, 3, "X", Some("03")),
            (&access, 3, "F", None),
        ] {
            assert_eq!(type_.formatted(number, format).as_deref(), text, "{number} {format}");
        }
        assert_eq!(access.printed(7), "All");
        assert_eq!((color.number("Pink"), access.number("300")), (None, None));
    }
}
