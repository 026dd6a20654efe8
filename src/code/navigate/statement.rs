//! A statement and what its instructions do with a symbol.

use std::ops::Range;

use super::symbol::{Part, Symbol, last_name};
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
            (Part::Getter, access) => {
                self.read = true;
                self.token |= access == Access::Token;
            }
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

/// Where the point is looked for that a name's code belongs to: that of what a `case` asks is the one of its `switch (…)`.
pub(super) fn place_of(syntax: &Syntax, name: NodeId) -> Range<usize> {
    let is_section = |id: NodeId| syntax.kind(id) == "switch_section";
    let around = std::iter::once(name).chain(syntax.ancestors(name));
    let label = around.take_while(|&id| !is_section(id)).last().filter(|&id| syntax.kind(id).ends_with("_pattern"));
    let section = label.and_then(|label| syntax.parent(label)).filter(|&id| is_section(id));
    let switch = section.and_then(|id| syntax.ancestors(id).find(|&around| syntax.kind(around) == "switch_statement"));
    match switch.map(|switch| syntax.range(switch).start) {
        Some(start) => start..start + 1,
        None => syntax.range(name),
    }
}

/// Whether a name stands in a pattern that names another type: `case Other { Name: "x" }`.
pub(super) fn is_of_other_pattern(syntax: &Syntax, name: NodeId, symbol: &Symbol) -> bool {
    let pattern = syntax.ancestors(name).find(|&around| syntax.kind(around).ends_with("_pattern"));
    let type_ = pattern.and_then(|pattern| syntax.child(pattern, "type"));
    let named = type_.and_then(|type_| syntax.last_identifier(type_)).map(|id| syntax.text(id));
    named.is_some_and(|named| named != last_name(&symbol.owner))
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
