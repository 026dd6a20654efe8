//! What the parts of the language are called.

use super::{Expr, ExprKind};

impl ExprKind {
    /// The name of what not every debugger evaluates, as a reader of C# knows it; `None` for names, literals, members, indexers, calls,
    /// operators and casts.
    pub fn construct(&self) -> Option<&'static str> {
        Some(match self {
            Self::Interpolated(_) => "interpolated string",
            Self::Base => "`base`",
            Self::Tuple(_) => "tuple",
            Self::Declaration { .. } => "declaration",
            Self::MemberAccess { is_pointer: true, .. } => "`->`",
            Self::Assignment { .. } => "assignment",
            Self::Is { .. } => "`is`",
            Self::As { .. } => "`as`",
            Self::Range { .. } => "range",
            Self::Switch { .. } => "`switch`",
            Self::With { .. } => "`with`",
            Self::New { .. } | Self::NewArray { .. } | Self::Anonymous(_) => "`new`",
            Self::Collection(_) => "collection expression",
            Self::Lambda(_) => "lambda expression",
            Self::Block(_) => "block of statements",
            Self::Query(_) => "query expression",
            Self::TypeOf(_) => "`typeof`",
            Self::SizeOf(_) => "`sizeof`",
            Self::NameOf(_) => "`nameof`",
            Self::Default(_) => "`default`",
            Self::Checked { .. } => "`checked`",
            Self::Throw(_) => "`throw`",
            Self::Await(_) => "`await`",
            Self::Ref(_) => "`ref`",
            Self::StackAlloc => "`stackalloc`",
            Self::Name { alias: Some(_), .. } => "alias",
            Self::Literal(_)
            | Self::Name { alias: None, .. }
            | Self::Predefined(_)
            | Self::This
            | Self::MemberAccess { is_pointer: false, .. }
            | Self::ElementAccess { .. }
            | Self::Invocation { .. }
            | Self::ConditionalAccess { .. }
            | Self::Receiver
            | Self::Unary { .. }
            | Self::Binary { .. }
            | Self::Conditional { .. }
            | Self::Cast { .. } => return None,
        })
    }
}

impl Expr {
    /// The first such part, from the outermost inwards.
    pub fn construct(&self) -> Option<&'static str> {
        self.kind.construct().or_else(|| self.children().into_iter().find_map(Self::construct))
    }
}
