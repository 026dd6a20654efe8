//! Maps between code and source, across the assembly and its PDB, for debugging without an adapter's help.
//!
//! From a line to code (`line_to_methods`), from code to a line (`il_to_line`), and the variables that hold there
//! (`variables_at`). Lines count from 1; IL offsets are bytes from the start of the method's code, as `ICorDebug` counts them.

use super::assembly::Assembly;
use super::il::{Operand, op};
use super::pdb::SequencePoint;
use super::schema::{Table, col};
use super::tokens::{DocumentId, MethodId, Token};

impl Assembly {
    /// The code of a line: each method with a statement that begins there, and the IL offset of its first one. These are the
    /// methods as compiled (`MoveNext`, lambdas); several where a line holds lambdas.
    pub fn line_to_methods(&self, document: DocumentId, line: u32) -> Vec<(MethodId, u32)> {
        self.pdb().map(|pdb| pdb.line_to_methods(document, line)).unwrap_or_default()
    }

    /// The source of an IL offset: the last visible point at or before it. `None` before the first one, and without symbols.
    pub fn il_to_line(&self, method: MethodId, il_offset: u32) -> Option<SequencePoint> {
        self.pdb()?.point_at(method, il_offset)
    }

    /// The first visible point of a method as written: of an async method or an iterator, that of its `MoveNext`.
    pub fn first_point(&self, method: MethodId) -> Option<SequencePoint> {
        let pdb = self.pdb()?;
        let code = pdb.move_next_of(method).unwrap_or(method);
        let mut points = pdb.try_sequence_points(code).ok()?.map_while(Result::ok);
        points.find(|point| !point.is_hidden)
    }

    /// Where a breakpoint on a method belongs: its `first_point`. Of a constructor, the point that calls the base's or another
    /// constructor: the field initializers before it are the same lines for all constructors of the type.
    pub fn breakpoint_point(&self, method: MethodId) -> Option<SequencePoint> {
        self.constructor_point(method).or_else(|| self.first_point(method))
    }

    fn constructor_point(&self, method: MethodId) -> Option<SequencePoint> {
        let view = self.method(method);
        if view.name() != ".ctor" {
            return None;
        }
        let owner = view.declaring_type()?;
        let constructed = [Some(owner.full_name()), owner.base().map(|base| base.full_name)];
        let body = view.body()?;
        let is_other = |token: Token| {
            let (class, name) = self.called(token)?;
            (name == ".ctor" && constructed.iter().flatten().any(|type_| *type_ == class)).then_some(())
        };
        let mut instructions = body.instructions().map_while(Result::ok);
        let call = instructions.find(|instruction| match instruction.operand {
            Operand::Token(token) => instruction.opcode == op::CALL && is_other(token).is_some(),
            _ => false,
        })?;
        let points = self.pdb()?.sequence_points(method);
        let point = points.into_iter().take_while(|point| point.il_offset <= call.offset).last()?;
        // the call of an implicit constructor belongs to no text: it follows the last initializer
        let stores = body.instructions().map_while(Result::ok).any(|instruction| {
            (point.il_offset..call.offset).contains(&instruction.offset) && instruction.opcode == op::STFLD
        });
        (!point.is_hidden && !stores).then_some(point)
    }

    /// Full name of the type and name of the method that a call names.
    fn called(&self, token: Token) -> Option<(String, &str)> {
        let row = token.row();
        match token.table()? {
            Table::MethodDef => {
                let view = self.method(MethodId(row));
                Some((view.declaring_type()?.full_name(), view.name()))
            }
            Table::MemberRef => {
                let class = self.metadata.token(row, col::MemberRef::Class).ok()?;
                Some((self.metadata.type_full_name(class).ok()?, self.metadata.string(row, col::MemberRef::Name).ok()?))
            }
            _ => None,
        }
    }

    /// Document and line of `first_point`: with `entry_point`, where a program stops at its entry.
    pub fn first_sequence_point(&self, method: MethodId) -> Option<(DocumentId, u32)> {
        self.first_point(method).map(|point| (point.document, point.line))
    }
}
