//! The statement that a breakpoint on a function by its name binds: for constructors not always the first one.

use super::assembly::Assembly;
use super::pdb::SequencePoint;
use super::tokens::MethodId;

/// Where a method begins to a breakpoint on its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FunctionEntry {
    pub point: SequencePoint,
    /// Of a record's constructor: its copying one begins there, too.
    pub has_copy: bool,
    /// Of a constructor that is written on the line of a field, the field's initializer: what the line binds.
    pub is_initializer: bool,
}

impl Assembly {
    /// See [`FunctionEntry`]; `None` for a method without a statement.
    pub fn function_entry(&self, method: MethodId) -> Option<FunctionEntry> {
        let mut point = self.breakpoint_point(method)?;
        // its name binds an initializer
        let mut has_copy = self.has_copy(method);
        if let Some(first) = self.first_point(method).filter(|first| has_copy && first.line != point.line) {
            (point, has_copy) = (first, false);
        }
        let initializer = self.initializer_before(method, &point);
        Some(FunctionEntry { point: initializer.unwrap_or(point), has_copy, is_initializer: initializer.is_some() })
    }

    /// Whether a constructor is written where the copying one of its type begins, too.
    pub fn has_copy(&self, method: MethodId) -> bool {
        let Some(own) = self.breakpoint_point(method) else { return false };
        let begins = |point: &SequencePoint| (point.document, point.line, point.column);
        let end = |point: &SequencePoint| (point.end_line, point.end_column);
        let others = self.constructors(method).filter(|other| *other != method);
        let mut points = others.filter_map(|other| self.breakpoint_point(other));
        // the copying one ends with the name of the type, before any parameter
        points.any(|other| begins(&other) == begins(&own) && end(&other) < end(&own))
    }

    /// Of the type of a constructor; none for any other method.
    pub fn constructors(&self, method: MethodId) -> impl Iterator<Item = MethodId> {
        let is_constructor = |method: &MethodId| self.method(*method).name() == ".ctor";
        let owner = self.method(method).declaring_type().filter(|_| is_constructor(&method));
        owner.into_iter().flat_map(|owner| owner.methods()).filter(is_constructor)
    }

    fn initializer_before(&self, method: MethodId, own: &SequencePoint) -> Option<SequencePoint> {
        if self.method(method).name() != ".ctor" {
            return None;
        }
        let points = self.pdb()?.sequence_points(method).into_iter();
        let before = points.filter(|point| {
            !point.is_hidden && point.document == own.document && point.line == own.line && point.column < own.column
        });
        before.min_by_key(|point| point.column)
    }
}
