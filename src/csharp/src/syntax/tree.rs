//! The tree of an expression. Names of the nodes are those of the C# specification, or of its compiler.

mod children;
mod construct;
mod operators;
mod statements;

use std::ops::Range;

use crate::Decimal;
pub use operators::{BinaryOp, UnaryOp};
pub use statements::{Statement, StatementKind};

/// Bytes of the text.
pub type Span = Range<usize>;

/// An expression and where it stands. A parenthesised one is the one inside, with the span of the parentheses.
#[derive(Debug, Clone, PartialEq)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
}

/// What an expression is.
#[derive(Debug, Clone, PartialEq)]
pub enum ExprKind {
    Literal(LiteralValue),
    /// `$"{a,8:x} b"`
    Interpolated(Vec<Piece>),
    /// A name alone; `alias` of `alias::name`.
    Name {
        alias: Option<String>,
        name: Name,
    },
    /// `int`, `string`: a keyword where a name may stand (`int.Parse`).
    Predefined(&'static str),
    This,
    Base,
    Tuple(Vec<Argument>),
    MemberAccess {
        of: Box<Expr>,
        name: Name,
        /// `->`
        is_pointer: bool,
    },
    ElementAccess {
        of: Box<Expr>,
        arguments: Vec<Argument>,
    },
    Invocation {
        of: Box<Expr>,
        arguments: Vec<Argument>,
    },
    /// `of?.then`: all that stands behind the `?`, up to the end of the chain. In it, `of`'s value is [`ExprKind::Receiver`].
    ConditionalAccess {
        of: Box<Expr>,
        then: Box<Expr>,
    },
    /// The value before the `?` of the conditional access around it.
    Receiver,
    Unary {
        operator: UnaryOp,
        of: Box<Expr>,
    },
    Binary {
        operator: BinaryOp,
        left: Box<Expr>,
        right: Box<Expr>,
    },
    /// `target = value`, or with an operator `target += value`.
    Assignment {
        target: Box<Expr>,
        operator: Option<BinaryOp>,
        value: Box<Expr>,
    },
    Conditional {
        condition: Box<Expr>,
        then: Box<Expr>,
        otherwise: Box<Expr>,
    },
    Cast {
        type_: Box<TypeName>,
        of: Box<Expr>,
    },
    Is {
        of: Box<Expr>,
        pattern: Box<Pattern>,
    },
    As {
        of: Box<Expr>,
        type_: Box<TypeName>,
    },
    /// `start..end`
    Range {
        start: Option<Box<Expr>>,
        end: Option<Box<Expr>>,
    },
    Switch {
        of: Box<Expr>,
        arms: Vec<Arm>,
    },
    With {
        of: Box<Expr>,
        fields: Vec<Field>,
    },
    /// `new T(…) {…}`; without a type `new(…)`.
    New {
        type_: Option<Box<TypeName>>,
        arguments: Vec<Argument>,
        initializer: Option<Box<Initializer>>,
    },
    /// `new T[n, m] {…}`, `new[] {…}`. `rank` counts the commas and one.
    NewArray {
        element: Option<Box<TypeName>>,
        sizes: Vec<Expr>,
        rank: usize,
        elements: Option<Vec<Element>>,
    },
    /// `new { a.Name, Total = 3 }`: the name is the last one of the value where none is written.
    Anonymous(Vec<(Option<String>, Expr)>),
    /// `[a, ..b]`; the flag marks spread elements.
    Collection(Vec<(Expr, bool)>),
    Lambda(Lambda),
    /// `{ … }`: only the body of a lambda.
    Block(Vec<Statement>),
    /// `from x in xs where … select …`, `into` included.
    Query(Vec<Clause>),
    TypeOf(Box<TypeName>),
    SizeOf(Box<TypeName>),
    NameOf(Box<Expr>),
    /// `default(T)`, or `default` alone.
    Default(Option<Box<TypeName>>),
    /// `checked(…)`, or `unchecked(…)`.
    Checked {
        of: Box<Expr>,
        is_checked: bool,
    },
    Throw(Box<Expr>),
    Await(Box<Expr>),
    /// `ref x`
    Ref(Box<Expr>),
    /// `var x`, `int x`: behind `out`, or in a deconstruction.
    Declaration {
        type_: Box<TypeName>,
        name: String,
    },
    /// `stackalloc T[n]`: read, as a whole, so that it can be refused by its name.
    StackAlloc,
}

/// The value of a literal, of the type that C# gives it.
#[derive(Debug, Clone, PartialEq)]
pub enum LiteralValue {
    Null,
    Bool(bool),
    Int(i32),
    UInt(u32),
    Long(i64),
    ULong(u64),
    Single(f32),
    Double(f64),
    Decimal(Decimal),
    /// A UTF-16 unit.
    Char(u16),
    /// UTF-16: a literal may hold half of a surrogate pair.
    String(Vec<u16>),
    /// `"…"u8`
    Utf8(Vec<u8>),
}

/// Of an interpolated string.
#[derive(Debug, Clone, PartialEq)]
pub enum Piece {
    Text(Vec<u16>),
    Hole { value: Box<Expr>, alignment: Option<Box<Expr>>, format: Option<String> },
}

/// `Name<T>`; without the `@` that quotes a keyword.
#[derive(Debug, Clone, PartialEq)]
pub struct Name {
    pub text: String,
    /// Empty for none. An omitted one (`typeof(List<>)`) is [`TypeKind::Omitted`].
    pub types: Vec<TypeName>,
}

/// A type as written.
#[derive(Debug, Clone, PartialEq)]
pub struct TypeName {
    pub kind: TypeKind,
    pub span: Span,
}

/// What a type is.
#[derive(Debug, Clone, PartialEq)]
pub enum TypeKind {
    /// A keyword: `int`, `object`, `void`.
    Predefined(&'static str),
    /// `alias::A.B<T>.C`
    Named {
        alias: Option<String>,
        names: Vec<Name>,
    },
    Nullable(Box<TypeName>),
    Array {
        of: Box<TypeName>,
        rank: usize,
    },
    Pointer(Box<TypeName>),
    Tuple(Vec<(TypeName, Option<String>)>),
    /// `<,>`
    Omitted,
}

/// How an argument is passed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pass {
    Value,
    Ref,
    Out,
    In,
}

/// Of a call, an indexer, or a tuple.
#[derive(Debug, Clone, PartialEq)]
pub struct Argument {
    pub name: Option<String>,
    pub pass: Pass,
    pub value: Expr,
}

/// Behind `is`, and in the arms of a `switch`.
#[derive(Debug, Clone, PartialEq)]
pub struct Pattern {
    pub kind: PatternKind,
    pub span: Span,
}

/// What a pattern is.
#[derive(Debug, Clone, PartialEq)]
pub enum PatternKind {
    Discard,
    /// `var x`
    Var(String),
    /// A constant; also a name that may be a type: only whoever binds it knows.
    Constant(Box<Expr>),
    /// `T`, or `T name`.
    Type {
        type_: TypeName,
        name: Option<String>,
    },
    /// `> 3`
    Relational {
        operator: BinaryOp,
        value: Box<Expr>,
    },
    Not(Box<Pattern>),
    And(Box<Pattern>, Box<Pattern>),
    Or(Box<Pattern>, Box<Pattern>),
    /// `T (a, b) { P: c } name`: at least one of the lists is there.
    Recursive {
        type_: Option<TypeName>,
        positional: Option<Vec<(Option<String>, Pattern)>>,
        properties: Option<Vec<Property>>,
        name: Option<String>,
    },
    /// `[a, .., b] name`
    List {
        elements: Vec<Pattern>,
        name: Option<String>,
    },
    /// `..`, or `.. pattern`, in a list.
    Slice(Option<Box<Pattern>>),
}

impl PatternKind {
    /// Whether it is `null`.
    pub fn is_null(&self) -> bool {
        matches!(self, Self::Constant(value) if value.kind == ExprKind::Literal(LiteralValue::Null))
    }
}

/// `A.B: pattern`
#[derive(Debug, Clone, PartialEq)]
pub struct Property {
    pub path: Vec<String>,
    pub pattern: Pattern,
}

/// Of a `switch` expression.
#[derive(Debug, Clone, PartialEq)]
pub struct Arm {
    pub pattern: Pattern,
    pub when: Option<Expr>,
    pub value: Expr,
}

/// Behind `new T(…)`.
#[derive(Debug, Clone, PartialEq)]
pub enum Initializer {
    Object(Vec<Field>),
    Collection(Vec<Element>),
}

/// `Name = value`, `[index] = value`; the value may be an initializer itself.
#[derive(Debug, Clone, PartialEq)]
pub struct Field {
    /// A name or an element access of [`ExprKind::Receiver`].
    pub target: Expr,
    pub value: Element,
}

/// Of an initializer.
#[derive(Debug, Clone, PartialEq)]
pub enum Element {
    Value(Expr),
    /// `{a, b}`: the arguments of one `Add`, or the elements of an array in an array.
    List(Vec<Element>),
    /// `Name = { X = 1 }`
    Object(Vec<Field>),
}

/// `x => x.Total`
#[derive(Debug, Clone, PartialEq)]
pub struct Lambda {
    pub parameters: Vec<Parameter>,
    pub body: Box<Expr>,
    pub is_async: bool,
}

/// Of a lambda.
#[derive(Debug, Clone, PartialEq)]
pub struct Parameter {
    pub name: String,
    pub type_: Option<TypeName>,
    pub pass: Pass,
}

/// Of a query, in order.
#[derive(Debug, Clone, PartialEq)]
pub enum Clause {
    From {
        name: String,
        type_: Option<TypeName>,
        source: Expr,
    },
    Let {
        name: String,
        value: Expr,
    },
    Where(Expr),
    Join(Box<Join>),
    /// With the flag for `descending`.
    OrderBy(Vec<(Expr, bool)>),
    Select(Expr),
    GroupBy {
        value: Expr,
        key: Expr,
    },
    /// The clauses behind it range over what came before.
    Into(String),
}

/// `join name in source on left equals right into group`
#[derive(Debug, Clone, PartialEq)]
pub struct Join {
    pub name: String,
    pub type_: Option<TypeName>,
    pub source: Expr,
    pub left: Expr,
    pub right: Expr,
    pub into: Option<String>,
}
