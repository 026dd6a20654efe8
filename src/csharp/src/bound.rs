//! Expressions once every name in them is resolved.

mod acts;
mod parts;

use std::sync::Arc;

pub use acts::Act;

use crate::constant::Constant;
use crate::syntax::{BinaryOp, Expr, Span, UnaryOp};
use crate::types::{Conversion, FieldRef, MethodRef, PropertyRef, Type};

#[derive(Debug, Clone)]
pub struct Bound {
    pub kind: Kind,
    pub type_: Type,
    pub span: Span,
}

/// What is set aside while an expression is evaluated: a lambda's parameter, a pattern's variable, the receiver of `?.`.
pub type Slot = usize;

#[derive(Debug, Clone)]
pub enum Kind {
    Constant(Constant),
    /// Has a type only where one is wanted of it.
    Untyped(Box<Expr>),
    /// By position in the scope.
    Variable(usize),
    Local(Slot),
    Field {
        of: Option<Box<Bound>>,
        field: FieldRef,
    },
    /// Indexers have arguments.
    Property {
        of: Option<Box<Bound>>,
        property: PropertyRef,
        arguments: Vec<Bound>,
    },
    /// Of an array or a string; an index may be a `System.Index` or a `System.Range`.
    Element {
        of: Box<Bound>,
        indices: Vec<Bound>,
    },
    /// Of an object of an anonymous type that is made here.
    Item {
        of: Box<Bound>,
        at: usize,
    },
    Call {
        of: Option<Box<Bound>>,
        method: MethodRef,
        arguments: Vec<Passed>,
    },
    /// Of a delegate.
    Invoke {
        of: Box<Bound>,
        arguments: Vec<Bound>,
    },
    Convert {
        of: Box<Bound>,
        conversion: Conversion,
        is_checked: bool,
    },
    /// By a method of the program; `is_lifted`: null stays null.
    Operator {
        method: MethodRef,
        operands: Vec<Bound>,
        sign: Option<BinaryOp>,
        is_lifted: bool,
    },
    Unary {
        operator: UnaryOp,
        of: Box<Bound>,
        is_checked: bool,
    },
    /// The operands have the operator's types.
    Binary {
        operator: BinaryOp,
        left: Box<Bound>,
        right: Box<Bound>,
        is_checked: bool,
    },
    /// Whether both are one object.
    Same {
        left: Box<Bound>,
        right: Box<Bound>,
        is_equal: bool,
    },
    Coalesce {
        left: Box<Bound>,
        slot: Slot,
        then: Box<Bound>,
        right: Box<Bound>,
    },
    Conditional {
        condition: Box<Bound>,
        then: Box<Bound>,
        otherwise: Box<Bound>,
    },
    /// What `of` gives goes into the slot unless it is null.
    Maybe {
        of: Box<Bound>,
        slot: Slot,
        then: Box<Bound>,
    },
    /// What `of` gives goes into the slot, null too.
    Let {
        of: Box<Bound>,
        slot: Slot,
        then: Box<Bound>,
    },
    /// Where an index or a range of something with that length begins goes into `start`, and how long it is into `count`.
    Located {
        length: Box<Bound>,
        at: Box<Bound>,
        start: Slot,
        count: Slot,
        then: Box<Bound>,
    },
    Is {
        of: Box<Bound>,
        pattern: Box<Pattern>,
    },
    As {
        of: Box<Bound>,
        to: Type,
    },
    Switch {
        of: Box<Bound>,
        slot: Slot,
        arms: Vec<Arm>,
    },
    TypeOf(Type),
    Default,
    New {
        constructor: Option<MethodRef>,
        arguments: Vec<Passed>,
        slot: Slot,
        initializers: Vec<Bound>,
    },
    NewArray {
        sizes: Vec<Bound>,
        elements: Option<Vec<Bound>>,
    },
    /// `[a, ..b]` of an array, a list, or a sequence; the flag marks spread elements.
    Collection(Vec<(Bound, bool)>),
    Tuple(Vec<Bound>),
    /// The members, in their order.
    Anonymous(Vec<Bound>),
    With {
        of: Box<Bound>,
        slot: Slot,
        initializers: Vec<Bound>,
    },
    Lambda(Arc<BoundLambda>),
    /// The body of a lambda.
    Block(Box<Act>),
    Interpolated(Vec<Piece>),
    Index {
        of: Box<Bound>,
        is_from_end: bool,
    },
    Range {
        start: Option<Box<Bound>>,
        end: Option<Box<Bound>>,
    },
    /// Gives the value that was assigned.
    Assign {
        target: Box<Bound>,
        value: Box<Bound>,
    },
    /// What is prepared goes into slots, then what is assigned, which is written when all of it is known.
    Deconstruct {
        prepared: Vec<(Slot, Bound)>,
        assigned: Vec<Assigned>,
        result: Box<Bound>,
    },
    /// The old value goes into the slot; gives it, or the new one.
    Change {
        target: Box<Bound>,
        slot: Slot,
        value: Box<Bound>,
        gives_old: bool,
    },
    Throw(Box<Bound>),
    /// Of what only a run-time type decides: the operands stand in the expression as names. `error` is what the compiler says of it, which
    /// is right where the run-time types do not know better.
    /// `locals` are the names that the expression around has.
    Late {
        expr: Arc<Expr>,
        operands: Vec<(String, Bound)>,
        locals: Vec<Local>,
        error: Option<Box<BindError>>,
    },
}

/// A part of a deconstruction: without a target it is discarded.
#[derive(Debug, Clone)]
pub struct Assigned {
    pub target: Option<Bound>,
    pub slot: Slot,
    pub value: Bound,
}

/// What a call gets.
#[derive(Debug, Clone)]
pub enum Passed {
    Value(Bound),
    /// What the call writes goes into the slot, or nowhere.
    Out(Option<Slot>, Type),
    Ref(Bound),
}

#[derive(Debug, Clone)]
pub struct BoundLambda {
    pub parameters: Vec<Slot>,
    /// Variables around that it assigns: it runs while those are there.
    pub shared: Vec<Slot>,
    pub body: Bound,
    /// The delegate's, or that of an expression tree.
    pub type_: Type,
}

#[derive(Debug, Clone)]
#[expect(clippy::large_enum_variant, reason = "an interpolated string has few pieces")]
pub enum Piece {
    Text(std::sync::Arc<[u16]>),
    Hole { value: Bound, alignment: Option<i32>, format: Option<String> },
}

#[derive(Debug, Clone)]
pub struct Arm {
    pub pattern: Pattern,
    pub when: Option<Bound>,
    pub value: Bound,
}

#[derive(Debug, Clone)]
#[expect(clippy::large_enum_variant, reason = "an expression has few patterns")]
pub enum Pattern {
    Any,
    /// Holds always, null included.
    Into(Slot),
    /// By `==` of the constant's type.
    Constant(Bound),
    Relational {
        operator: BinaryOp,
        value: Bound,
    },
    Type {
        type_: Type,
        slot: Option<Slot>,
    },
    Not(Box<Pattern>),
    And(Box<Pattern>, Box<Pattern>),
    Or(Box<Pattern>, Box<Pattern>),
    /// Not null, of the type, and each member matches. Members read what is in `of`.
    Recursive {
        type_: Option<Type>,
        of: Slot,
        members: Vec<(Bound, Pattern)>,
        slot: Option<Slot>,
    },
    /// Any tuple with so many elements.
    Tuple {
        elements: Vec<Pattern>,
    },
    /// `length`, `item` and slices read what is in `of`: `item` by the position in `at`, a slice from there to the position in `end`.
    List {
        of: Slot,
        elements: Vec<Pattern>,
        length: Bound,
        at: Slot,
        end: Slot,
        item: Bound,
        slot: Option<Slot>,
    },
    /// What the list gives for that range, and what it is matched with.
    Slice(Option<(Bound, Box<Pattern>)>),
}

impl Bound {
    pub fn new(kind: Kind, type_: Type, span: Span) -> Self {
        Self { kind, type_, span }
    }

    pub fn constant(&self) -> Option<&Constant> {
        match &self.kind {
            Kind::Constant(constant) => Some(constant),
            _ => None,
        }
    }

    pub fn is_untyped(&self) -> bool {
        matches!(self.kind, Kind::Untyped(_))
    }

    pub fn is_late(&self) -> bool {
        self.type_ == Type::Late
    }

    /// What the compiler says of a member in it that the type has not as it is declared; the object may.
    pub fn late_error(&self) -> Option<BindError> {
        match &self.kind {
            Kind::Late { error: Some(error), .. } => Some((**error).clone()),
            _ => self.parts().into_iter().find_map(Self::late_error),
        }
    }
}

/// A name of the expression itself: a lambda's parameter, a variable of a pattern.
#[derive(Debug, Clone)]
pub struct Local {
    pub name: String,
    pub type_: Type,
    pub slot: Slot,
}

/// Why an expression means nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BindError {
    /// `code` and `message` are those of `csc`.
    #[error("error {code}: {message}")]
    Compiler { code: &'static str, message: String, at: usize },
    #[error("{0}")]
    Unsupported(String),
}
