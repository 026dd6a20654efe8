//! The integral types of C#: what they hold, and how their literals are written.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IntType {
    SByte,
    Byte,
    Short,
    UShort,
    Char,
    Int,
    UInt,
    Long,
    ULong,
}

impl IntType {
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "sbyte" => Self::SByte,
            "byte" => Self::Byte,
            "short" => Self::Short,
            "ushort" => Self::UShort,
            "char" => Self::Char,
            "int" => Self::Int,
            "uint" => Self::UInt,
            "long" => Self::Long,
            "ulong" => Self::ULong,
            _ => return None,
        })
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::SByte => "sbyte",
            Self::Byte => "byte",
            Self::Short => "short",
            Self::UShort => "ushort",
            Self::Char => "char",
            Self::Int => "int",
            Self::UInt => "uint",
            Self::Long => "long",
            Self::ULong => "ulong",
        }
    }

    pub fn bits(self) -> u32 {
        match self {
            Self::SByte | Self::Byte => 8,
            Self::Short | Self::UShort | Self::Char => 16,
            Self::Int | Self::UInt => 32,
            Self::Long | Self::ULong => 64,
        }
    }

    pub fn is_signed(self) -> bool {
        matches!(self, Self::SByte | Self::Short | Self::Int | Self::Long)
    }

    pub fn holds(self, value: i128) -> bool {
        self.wrap(value) == value
    }

    /// The low bits, as unchecked code keeps them.
    pub fn wrap(self, value: i128) -> i128 {
        let bits = self.bits();
        let low = value & ((1i128 << bits) - 1);
        if self.is_signed() && low >> (bits - 1) == 1 { low - (1i128 << bits) } else { low }
    }

    /// The literal of a constant without suffix: the first type that holds it.
    pub fn of_literal(value: i128, unsigned: bool, long: bool) -> Option<Self> {
        [Self::Int, Self::UInt, Self::Long, Self::ULong]
            .into_iter()
            .filter(|kind| !unsigned || !kind.is_signed())
            .filter(|kind| !long || kind.bits() == 64)
            .find(|kind| kind.holds(value))
    }

    /// A C# literal of this type.
    pub fn literal(self, value: i128) -> String {
        match self {
            Self::UInt => format!("{value}U"),
            Self::Long => format!("{value}L"),
            Self::ULong => format!("{value}UL"),
            _ => value.to_string(),
        }
    }
}
