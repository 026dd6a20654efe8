//! Signatures (ECMA-335 II.23.2): what a blob says of the type of a field, a property, a local, or of a method.
//!
//! A signature may name types that are signatures themselves (TypeSpec), so both the depth and the number of its parts are
//! bounded: a file of a few bytes can otherwise describe itself, or a type of exponential size.

mod decode;
mod print;
mod read;
mod referent;

pub(crate) use decode::Decoder;
pub use print::ParameterNames;
pub(crate) use print::{is_tuple, split_arity, tuple_length};
pub(crate) use referent::IN_MODIFIER;

/// A type as a signature spells it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum TypeSig {
    Primitive(Primitive),
    /// A class, struct, interface, enum or delegate, with its generic arguments.
    Named(TypeName),
    /// `T[]`.
    Array(Box<TypeSig>),
    /// `T[,]`; the rank is at least 1 (`T[*]`).
    MultiArray {
        element: Box<TypeSig>,
        shape: ArrayShape,
    },
    Pointer(Box<TypeSig>),
    ByRef(Box<TypeSig>),
    /// A local that pins what it points to.
    Pinned(Box<TypeSig>),
    /// Number of a generic parameter of the type.
    TypeParameter(u32),
    /// Number of a generic parameter of the method.
    MethodParameter(u32),
    FunctionPointer(Box<MethodSig>),
    /// `modreq` (must be understood: `in`, `init`, `volatile`) or `modopt`.
    Modified {
        modifier: TypeName,
        required: bool,
        inner: Box<TypeSig>,
    },
}

/// The name of a type and its generic arguments.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct TypeName {
    /// As in metadata: ``Ns.Outer`1+Inner``. C#'s spelling comes from `to_string` and `short`.
    pub full_name: String,
    /// Those of the outer types first.
    pub arguments: Vec<TypeSig>,
    /// Whether a signature called it a value type; outside of signatures nobody says so.
    pub is_value_type: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct ArrayShape {
    pub rank: u32,
    pub sizes: Vec<u32>,
    pub lower_bounds: Vec<i32>,
}

/// The signature of a method, or of a property (whose parameters are those of an indexer).
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct MethodSig {
    pub has_this: bool,
    pub explicit_this: bool,
    /// Low four bits of the first byte: 0 default, 5 vararg, 9 unmanaged, …
    pub calling_convention: u8,
    pub generic_parameters: u32,
    pub return_type: TypeSig,
    pub parameters: Vec<TypeSig>,
    /// Where the variable arguments of a call begin in `parameters`.
    pub sentinel: Option<usize>,
}

/// The types with an element code of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Primitive {
    Void,
    Boolean,
    Char,
    I1,
    U1,
    I2,
    U2,
    I4,
    U4,
    I8,
    U8,
    R4,
    R8,
    String,
    TypedReference,
    IntPtr,
    UIntPtr,
    Object,
}

/// Element code, C# keyword, metadata name.
const PRIMITIVES: [(u8, Primitive, &str, &str); 18] = [
    (0x01, Primitive::Void, "void", "System.Void"),
    (0x02, Primitive::Boolean, "bool", "System.Boolean"),
    (0x03, Primitive::Char, "char", "System.Char"),
    (0x04, Primitive::I1, "sbyte", "System.SByte"),
    (0x05, Primitive::U1, "byte", "System.Byte"),
    (0x06, Primitive::I2, "short", "System.Int16"),
    (0x07, Primitive::U2, "ushort", "System.UInt16"),
    (0x08, Primitive::I4, "int", "System.Int32"),
    (0x09, Primitive::U4, "uint", "System.UInt32"),
    (0x0a, Primitive::I8, "long", "System.Int64"),
    (0x0b, Primitive::U8, "ulong", "System.UInt64"),
    (0x0c, Primitive::R4, "float", "System.Single"),
    (0x0d, Primitive::R8, "double", "System.Double"),
    (0x0e, Primitive::String, "string", "System.String"),
    (0x16, Primitive::TypedReference, "System.TypedReference", "System.TypedReference"),
    (0x18, Primitive::IntPtr, "nint", "System.IntPtr"),
    (0x19, Primitive::UIntPtr, "nuint", "System.UIntPtr"),
    (0x1c, Primitive::Object, "object", "System.Object"),
];

impl Primitive {
    pub fn from_code(code: u8) -> Option<Self> {
        PRIMITIVES.iter().find(|entry| entry.0 == code).map(|entry| entry.1)
    }

    /// From `int` or `System.Int32`.
    pub fn from_name(name: &str) -> Option<Self> {
        PRIMITIVES.iter().find(|entry| entry.2 == name || entry.3 == name).map(|entry| entry.1)
    }

    pub fn keyword(self) -> &'static str {
        self.entry().2
    }

    pub fn full_name(self) -> &'static str {
        self.entry().3
    }

    fn entry(self) -> &'static (u8, Primitive, &'static str, &'static str) {
        PRIMITIVES.iter().find(|entry| entry.1 == self).unwrap_or(&PRIMITIVES[0])
    }
}

/// More parts than any real signature has; what substitution would make larger stays as it was.
const MAX_PARTS: usize = 4096;

impl TypeSig {
    /// Full metadata name of what the signature is, where it is a plain type.
    pub fn full_name(&self) -> Option<&str> {
        match self {
            Self::Primitive(primitive) => Some(primitive.full_name()),
            Self::Named(name) => Some(&name.full_name),
            Self::Modified { inner, .. } | Self::Pinned(inner) => inner.full_name(),
            _ => None,
        }
    }

    /// The type with generic parameters replaced. A parameter without an argument stays.
    pub fn substitute(&self, type_arguments: &[TypeSig], method_arguments: &[TypeSig]) -> TypeSig {
        if type_arguments.is_empty() && method_arguments.is_empty() {
            return self.clone();
        }
        let mut budget = MAX_PARTS;
        self.substituted(type_arguments, method_arguments, &mut budget).unwrap_or_else(|| self.clone())
    }

    fn substituted(&self, types: &[TypeSig], methods: &[TypeSig], budget: &mut usize) -> Option<TypeSig> {
        *budget = budget.checked_sub(1)?;
        let mut boxed = |inner: &TypeSig| inner.substituted(types, methods, budget).map(Box::new);
        Some(match self {
            Self::TypeParameter(number) => return argument(self, types, *number, budget),
            Self::MethodParameter(number) => return argument(self, methods, *number, budget),
            Self::Named(name) => Self::Named(TypeName {
                full_name: name.full_name.clone(),
                arguments: all_substituted(&name.arguments, types, methods, budget)?,
                is_value_type: name.is_value_type,
            }),
            Self::Array(inner) => Self::Array(boxed(inner)?),
            Self::Pointer(inner) => Self::Pointer(boxed(inner)?),
            Self::ByRef(inner) => Self::ByRef(boxed(inner)?),
            Self::Pinned(inner) => Self::Pinned(boxed(inner)?),
            Self::MultiArray { element, shape } => Self::MultiArray { element: boxed(element)?, shape: shape.clone() },
            Self::Modified { modifier, required, inner } => {
                Self::Modified { modifier: modifier.clone(), required: *required, inner: boxed(inner)? }
            }
            Self::FunctionPointer(method) => {
                let mut method = method.as_ref().clone();
                method.return_type = method.return_type.substituted(types, methods, budget)?;
                method.parameters = all_substituted(&method.parameters, types, methods, budget)?;
                Self::FunctionPointer(Box::new(method))
            }
            Self::Primitive(_) => self.clone(),
        })
    }

    /// How many types it is made of, itself, by-refs and modifiers included.
    pub fn parts(&self) -> usize {
        1 + match self {
            Self::Primitive(_) | Self::TypeParameter(_) | Self::MethodParameter(_) => 0,
            Self::Named(name) => name.arguments.iter().map(Self::parts).sum(),
            Self::Array(inner) | Self::Pointer(inner) | Self::ByRef(inner) | Self::Pinned(inner) => inner.parts(),
            Self::MultiArray { element, .. } => element.parts(),
            Self::Modified { inner, .. } => inner.parts(),
            Self::FunctionPointer(method) => {
                method.return_type.parts() + method.parameters.iter().map(Self::parts).sum::<usize>()
            }
        }
    }
}

fn argument(parameter: &TypeSig, arguments: &[TypeSig], number: u32, budget: &mut usize) -> Option<TypeSig> {
    let Some(argument) = arguments.get(number as usize) else {
        return Some(parameter.clone());
    };
    *budget = budget.checked_sub(argument.parts())?;
    Some(argument.clone())
}

fn all_substituted(
    signatures: &[TypeSig],
    types: &[TypeSig],
    methods: &[TypeSig],
    budget: &mut usize,
) -> Option<Vec<TypeSig>> {
    signatures.iter().map(|signature| signature.substituted(types, methods, budget)).collect()
}
