//! Operators with one operand and with two, and how they are written.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnaryOp {
    Plus,
    Minus,
    Not,
    Complement,
    PreIncrement,
    PreDecrement,
    PostIncrement,
    PostDecrement,
    /// `a!`
    NullForgiving,
    /// `^1`
    FromEnd,
    /// `&a`
    AddressOf,
    /// `*a`
    Indirection,
}

impl UnaryOp {
    /// As it is written.
    pub fn sign(self) -> &'static str {
        match self {
            Self::Plus => "+",
            Self::Minus => "-",
            Self::Not | Self::NullForgiving => "!",
            Self::Complement => "~",
            Self::PreIncrement | Self::PostIncrement => "++",
            Self::PreDecrement | Self::PostDecrement => "--",
            Self::FromEnd => "^",
            Self::AddressOf => "&",
            Self::Indirection => "*",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BinaryOp {
    Multiply,
    Divide,
    Remainder,
    Add,
    Subtract,
    ShiftLeft,
    ShiftRight,
    UnsignedShiftRight,
    Less,
    Greater,
    LessOrEqual,
    GreaterOrEqual,
    Equal,
    NotEqual,
    And,
    Xor,
    Or,
    AndAlso,
    OrElse,
    Coalesce,
}

impl BinaryOp {
    /// As it is written.
    pub fn sign(self) -> &'static str {
        match self {
            Self::Multiply => "*",
            Self::Divide => "/",
            Self::Remainder => "%",
            Self::Add => "+",
            Self::Subtract => "-",
            Self::ShiftLeft => "<<",
            Self::ShiftRight => ">>",
            Self::UnsignedShiftRight => ">>>",
            Self::Less => "<",
            Self::Greater => ">",
            Self::LessOrEqual => "<=",
            Self::GreaterOrEqual => ">=",
            Self::Equal => "==",
            Self::NotEqual => "!=",
            Self::And => "&",
            Self::Xor => "^",
            Self::Or => "|",
            Self::AndAlso => "&&",
            Self::OrElse => "||",
            Self::Coalesce => "??",
        }
    }
}
