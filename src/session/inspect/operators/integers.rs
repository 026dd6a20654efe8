//! The integral types of C#: what they hold, how they promote, how they wrap (ECMA-334, 12.4.7, 10.2.3 and 10.2.11).

/// `char` is one of them: it computes as a number.
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

    /// As an `OverflowException` of the framework names it (Strings.resx: `Overflow_Int32`).
    pub fn described(self) -> &'static str {
        match self {
            Self::SByte => "a signed byte",
            Self::Byte => "an unsigned byte",
            Self::Short => "an Int16",
            Self::UShort => "a UInt16",
            Self::Char => "a character",
            Self::Int => "an Int32",
            Self::UInt => "a UInt32",
            Self::Long => "an Int64",
            Self::ULong => "a UInt64",
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

    /// Unary promotion: what is smaller than `int` computes as `int`.
    pub fn promoted(self) -> Self {
        if self.bits() < 32 { Self::Int } else { self }
    }

    /// Whether every value converts without a cast.
    pub fn converts_to(self, to: Self) -> bool {
        if to == Self::Char || self == to {
            return self == to;
        }
        match (self.is_signed(), to.is_signed()) {
            (true, false) => false,
            (false, true) => self.bits() < to.bits(),
            _ => self.bits() <= to.bits(),
        }
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

    /// As adapters print it: `99 'c'` for a `char`.
    pub fn printed(self, value: i128) -> String {
        if self != Self::Char {
            return value.to_string();
        }
        let shown = u32::try_from(value).ok().and_then(char::from_u32).unwrap_or('?');
        format!("{value} '{shown}'")
    }
}

/// The type in which two operands compute: `int`, `uint`, `long` or `ulong`, the first to which both convert. A constant converts to
/// any that it fits, so `u - 8` stays `uint`. `None`: C# has no such operator (`ulong` and a signed variable).
pub fn common(left: (IntType, i128, bool), right: (IntType, i128, bool)) -> Option<IntType> {
    // a constant `int` fits a type; a constant `long` only `ulong` (10.2.11)
    let fits = |(kind, value, is_constant): (IntType, i128, bool), to: IntType| {
        kind.converts_to(to)
            || (is_constant && kind == IntType::Int && to.holds(value))
            || (is_constant && kind == IntType::Long && to == IntType::ULong && value >= 0)
    };
    [IntType::Int, IntType::UInt, IntType::Long, IntType::ULong]
        .into_iter()
        .find(|to| fits(left, *to) && fits(right, *to))
}
