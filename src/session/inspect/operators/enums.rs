//! Enums: their members by name, as adapters print them.

use super::integers::IntType;

/// An enum's declaration.
#[derive(Debug, PartialEq, Eq)]
pub struct EnumType {
    /// With namespace.
    pub name: String,
    pub underlying: IntType,
    /// In the order of their declaration.
    pub members: Vec<(String, i128)>,
    pub is_flags: bool,
}

impl EnumType {
    /// The number of what an adapter prints: `Read | Write`, `Blue`, `7`.
    pub fn number(&self, printed: &str) -> Option<i128> {
        let one = |name: &str| {
            let named = self.members.iter().find(|(member, _)| member == name).map(|(_, number)| *number);
            named.or_else(|| name.parse().ok().filter(|number| self.underlying.holds(*number)))
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
}

#[cfg(test)]
mod tests {
    use super::*;

    fn color() -> EnumType {
        let members = ["Red", "Green", "Blue"].iter().zip(0..).map(|(name, at)| ((*name).to_owned(), at)).collect();
        EnumType { name: "Shop.Color".into(), underlying: IntType::Int, members, is_flags: false }
    }

    fn access() -> EnumType {
        let members = [("None", 0), ("Read", 1), ("Write", 2), ("All", 7)];
        let members = members.map(|(name, number)| (name.to_owned(), number)).to_vec();
        EnumType { name: "Shop.Access".into(), underlying: IntType::Byte, members, is_flags: true }
    }

    #[test]
    fn numbers_and_names_are_told_from_each_other() {
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
        assert_eq!(access.printed(7), "All");
        assert_eq!((color.number("Pink"), access.number("300")), (None, None));
    }
}
