//! A statement and what its instructions do with a symbol.

use super::symbol::Part;
use super::syntax::{NodeId, Syntax};
use clr_metadata::{Access, AddressUse, MethodId, SequencePoint, Usage};

/// What the instructions of one statement do with the symbol, all together.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Does {
    pub(super) read: bool,
    pub(super) write: bool,
    /// A write that the instructions do not distinguish from an argument that is only read.
    pub(super) by_ref: bool,
    /// The address is taken, for whatever.
    pub(super) address: bool,
    pub(super) out: bool,
    pub(super) call: bool,
    pub(super) new: bool,
    pub(super) token: bool,
}

/// A statement (the stretch of one sequence point) that uses the symbol.
#[derive(Debug, Clone)]
pub(super) struct Statement {
    pub(super) point: SequencePoint,
    pub(super) does: Does,
    /// `Type.Method`, compiler names undone.
    pub(super) function: String,
    pub(super) function_kind: String,
    /// The member that the code names, where it stands in for the one that was asked.
    pub(super) via: Option<String>,
    /// Assembly and method that it is of; of several that were made of one text, the first.
    pub(super) within: (usize, MethodId),
    /// IL offsets there, and what is done at each.
    pub(super) uses: Vec<(u32, Does)>,
}

impl Does {
    pub(super) fn and(&mut self, other: &Self) {
        self.read |= other.read;
        self.write |= other.write;
        self.by_ref |= other.by_ref;
        self.address |= other.address;
        self.out |= other.out;
        self.call |= other.call;
        self.new |= other.new;
        self.token |= other.token;
    }

    pub(super) fn add(&mut self, usage: &Usage, part: Part) {
        self.address |= matches!(usage.access, Access::Address(_));
        match (part, usage.access) {
            // `new T()` names a constructor; what else does so is no use of the type.
            (Part::Creation, access) => self.new |= access == Access::New,
            (Part::Getter, _) => self.read = true,
            (Part::Setter | Part::Accessor, _) => self.write = true,
            (_, Access::Read | Access::Delegate | Access::Cast) => self.read = true,
            (_, Access::Write) => self.write = true,
            (_, Access::Call) => self.call = true,
            (_, Access::New) => self.new = true,
            (_, Access::Token) => self.token = true,
            (_, Access::Address(used)) => match used {
                AddressUse::Read | AddressUse::In => self.read = true,
                AddressUse::Write | AddressUse::Compound => self.write = true,
                AddressUse::Out => self.out = true,
                AddressUse::Argument | AddressUse::Unknown => self.by_ref = true,
            },
        }
    }
}

/// Whether a byte is in the stretch of a point.
pub(super) fn covers(syntax: &Syntax, point: &SequencePoint, byte: usize) -> bool {
    let start = syntax.byte_at(point.line, point.column);
    let end = syntax.byte_at(point.end_line, point.end_column);
    start.zip(end).is_some_and(|(start, end)| (start..end).contains(&byte))
}

/// A lambda within the statement has statements of its own.
pub(super) fn is_in_lambda(syntax: &Syntax, node: NodeId, start: usize, end: usize) -> bool {
    syntax.ancestors(node).any(|around| {
        let range = syntax.range(around);
        let is_lambda = matches!(syntax.kind(around), "lambda_expression" | "anonymous_method_expression");
        is_lambda && range.start >= start && range.end <= end && syntax.range(node).start > range.start
    })
}
