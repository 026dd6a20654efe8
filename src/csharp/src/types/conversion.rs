//! Conversions between types that no code of the program takes part in (ECMA-334, 10.2 and 10.3).

use clr_metadata::Primitive;

use super::{Type, TypeSystem};

/// Whether a conversion happens by itself, or must be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    Implicit,
    Explicit,
}

/// What happens to the value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Conversion {
    /// Nothing: it is of that type already, goes into a box, or a `T` becomes a `T?`.
    None,
    /// A number of another type; of an enum too.
    Number,
    /// What it holds, when it holds something.
    Lifted(Box<Conversion>),
    /// Out of a `T?`, which must hold something.
    Unwrapped(Box<Conversion>),
    /// A reference or a box whose type is looked at.
    Checked,
    /// What its run-time type converts to by itself: a debugger assigns what fits, whatever it is declared as.
    Fitting,
    /// Of what is known when it runs: as its type converts then.
    Late,
    /// Each element of a tuple.
    Elements(Vec<Conversion>),
}

use Primitive::{Boolean, Char, I1, I2, I4, I8, IntPtr, Object, R4, R8, String as Text, U1, U2, U4, U8, UIntPtr, Void};

impl Type {
    /// Whether it is a number or `char`, and no enum.
    pub fn is_numeric(&self) -> bool {
        match self {
            Self::Primitive(primitive) => {
                !matches!(primitive, Boolean | Text | Object | Void | Primitive::TypedReference)
            }
            other => other.is_decimal(),
        }
    }

    pub fn is_integral(&self) -> bool {
        self.is_numeric() && !matches!(self, Self::Primitive(R4 | R8)) && !self.is_decimal()
    }
}

/// ECMA-334, 10.2.3.
fn widens(from: &Type, to: &Type) -> bool {
    let Type::Primitive(from) = from else { return false };
    if to.is_decimal() {
        return !matches!(from, R4 | R8) && Type::Primitive(*from).is_numeric();
    }
    let Type::Primitive(to) = to else { return false };
    let wider: &[Primitive] = match from {
        I1 => &[I2, I4, I8, IntPtr, R4, R8],
        U1 => &[I2, U2, I4, U4, I8, U8, IntPtr, UIntPtr, R4, R8],
        I2 => &[I4, I8, IntPtr, R4, R8],
        U2 => &[I4, U4, I8, U8, IntPtr, UIntPtr, R4, R8],
        I4 => &[I8, IntPtr, R4, R8],
        U4 => &[I8, U8, UIntPtr, R4, R8],
        I8 | U8 | IntPtr | UIntPtr if matches!((from, to), (IntPtr, I8) | (UIntPtr, U8)) => return true,
        I8 | U8 | IntPtr | UIntPtr => &[R4, R8],
        Char => &[U2, I4, U4, I8, U8, IntPtr, UIntPtr, R4, R8],
        R4 => &[R8],
        _ => &[],
    };
    wider.contains(to)
}

pub(crate) const SPAN: &str = "System.Span`1";
pub(crate) const READ_ONLY_SPAN: &str = "System.ReadOnlySpan`1";

/// `Span<T>` and its kind.
pub(crate) fn is_by_ref_like(type_: &Type) -> bool {
    type_.is(SPAN) || type_.is(READ_ONLY_SPAN)
}

impl TypeSystem {
    /// `None`: there is none, or only one that the program defines.
    pub fn conversion(&self, from: &Type, to: &Type, direction: Direction) -> Option<Conversion> {
        let is_explicit = direction == Direction::Explicit;
        if from == to || *from == Type::Late || *to == Type::Late {
            return Some(if *from == Type::Late && from != to { Conversion::Late } else { Conversion::None });
        }
        if *from == Type::Untyped || *to == Type::Untyped || *to == Type::Null || from.is_void() || to.is_void() {
            return None;
        }
        if *from == Type::Null {
            return (self.is_reference_type(to) || to.is_nullable() || matches!(to, Type::Pointer(_)))
                .then_some(Conversion::None);
        }
        if let Some(of) = to.nullable_of() {
            if let Some(inner) = from.nullable_of() {
                let inner = self.conversion(inner, of, direction)?;
                return Some(Conversion::Lifted(Box::new(inner)));
            }
            if let Some(inner) = self.conversion(from, of, direction).filter(|_| self.is_value_type(from)) {
                return Some(inner);
            }
            // out of a box
            return (is_explicit && self.is_reference_type(from)).then(|| self.unboxed(from, of)).flatten();
        }
        if let Some(of) = from.nullable_of() {
            if self.is_value_type(to) {
                let inner = if is_explicit { self.conversion(of, to, direction) } else { None }?;
                return Some(Conversion::Unwrapped(Box::new(inner)));
            }
            return self.conversion(of, to, direction);
        }
        if widens(from, to) {
            return Some(Conversion::Number);
        }
        let number = |type_: &Type| type_.is_numeric() || self.is_enum(type_);
        if is_explicit && number(from) && number(to) {
            return Some(Conversion::Number);
        }
        if let (Some(own), Some(others)) = (from.elements(), to.elements()) {
            return self.tuples(&own, &others, direction);
        }
        match (self.is_value_type(from), self.is_value_type(to)) {
            (true, true) => None,
            (true, false) => self.is_a(from, to).then_some(Conversion::None),
            (false, true) => {
                if is_explicit {
                    self.unboxed(from, to)
                } else {
                    None
                }
            }
            (false, false) => {
                if matches!(from, Type::Pointer(_)) || matches!(to, Type::Pointer(_)) {
                    return None;
                }
                if self.is_a(from, to) {
                    return Some(Conversion::None);
                }
                (is_explicit && self.may_be(from, to)).then_some(Conversion::Checked)
            }
        }
    }

    fn tuples(&self, own: &[&Type], others: &[&Type], direction: Direction) -> Option<Conversion> {
        if own.len() != others.len() {
            return None;
        }
        let each = own.iter().zip(others).map(|(from, to)| self.conversion(from, to, direction));
        let each: Vec<Conversion> = each.collect::<Option<_>>()?;
        let is_none = each.iter().all(|it| *it == Conversion::None);
        Some(if is_none { Conversion::None } else { Conversion::Elements(each) })
    }

    fn unboxed(&self, from: &Type, to: &Type) -> Option<Conversion> {
        self.is_a(to, from).then_some(Conversion::Checked)
    }

    /// Whether a reference of one class may refer to an object of the other.
    fn may_be(&self, from: &Type, to: &Type) -> bool {
        if self.is_a(to, from) {
            return true;
        }
        if let (Type::Array { of: from, rank }, Type::Array { of: to, rank: other }) = (from, to) {
            return rank == other
                && self.is_reference_type(from)
                && self.is_reference_type(to)
                && self.may_be(from, to);
        }
        match (self.is_interface(from), self.is_interface(to)) {
            (true, true) => true,
            (true, false) => !self.is_sealed(to),
            (false, true) => !self.is_sealed(from) || matches!(from, Type::Array { .. }),
            (false, false) => {
                // delegates and generic types of one definition may vary
                from.name().is_some()
                    && from.name() == to.name()
                    && !from.arguments().is_empty()
                    && !self.is_sealed(from)
            }
        }
    }

    /// Whether a value of one type is one of the other as it is, or in a box.
    pub fn is_a(&self, from: &Type, to: &Type) -> bool {
        self.is_a_within(from, to, 16)
    }

    fn is_a_within(&self, from: &Type, to: &Type, depth: u32) -> bool {
        if from == to
            || matches!(to, Type::Primitive(Object) | Type::Late)
                && !matches!(from, Type::Pointer(_) | Type::Untyped)
                && !is_by_ref_like(from)
        {
            return true;
        }
        // no box holds a span
        if depth == 0 || is_by_ref_like(from) {
            return false;
        }
        if let (Type::Array { of: from, rank }, Type::Array { of: to, rank: other }) = (from, to) {
            return rank == other && self.varies(from, to, depth);
        }
        let to_interface = self.is_interface(to);
        let bases = if to_interface { self.interfaces(from) } else { self.chain(from) };
        let is_delegate = || self.definition(to).is_some_and(|it| it.view().is_delegate());
        let may_vary = to_interface || is_delegate();
        let own = std::iter::once(from.clone());
        own.chain(bases).any(|base| base == *to || may_vary && self.stands_for(&base, to, depth))
    }

    /// Arrays of integers of one size, which the runtime takes for each other: signed or not, or those behind enums.
    pub fn has_like_elements(&self, from: &Type, to: &Type) -> bool {
        let (Type::Array { of: from, rank }, Type::Array { of: to, rank: other }) = (from, to) else { return false };
        let signed = |of: &Type| {
            let integer = match of {
                Type::Primitive(primitive) => *primitive,
                other => self.underlying(other)?,
            };
            Some(match integer {
                Primitive::I1 | Primitive::U1 => Primitive::I1,
                Primitive::I2 | Primitive::U2 => Primitive::I2,
                Primitive::I4 | Primitive::U4 => Primitive::I4,
                Primitive::I8 | Primitive::U8 => Primitive::I8,
                Primitive::IntPtr | Primitive::UIntPtr => Primitive::IntPtr,
                _ => return None,
            })
        };
        rank == other && signed(from).is_some_and(|from| signed(to) == Some(from))
    }

    /// The same but for arguments that vary.
    fn stands_for(&self, from: &Type, to: &Type, depth: u32) -> bool {
        if from.name() != to.name() || from.arguments().len() != to.arguments().len() {
            return false;
        }
        let variances = self.variances(to);
        let mut pairs = from.arguments().iter().zip(to.arguments()).enumerate();
        pairs.all(|(at, (from, to))| {
            from == to
                || match variances.get(at) {
                    Some(1) => self.varies(from, to, depth),
                    Some(2) => self.varies(to, from, depth),
                    _ => false,
                }
        })
    }

    /// Without a change of what lies in memory.
    fn varies(&self, from: &Type, to: &Type, depth: u32) -> bool {
        from == to || self.is_reference_type(from) && self.is_a_within(from, to, depth - 1)
    }
}
