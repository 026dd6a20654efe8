//! Types as the compiler distinguishes them, and what the metadata of the program's modules says of them.
//!
//! `system` finds the `members` of a definition and the `extensions` of it, and both name the definition: the three name each other.

mod conversion;
mod explicit;
mod identity;
mod extensions;
mod members;
mod parameters;
mod system;

use std::fmt;
use std::sync::Arc;

use clr_metadata::{ArrayShape, DeclaredType, DynamicParts, Primitive, TypeName, TypeSig};

pub use conversion::{Conversion, Direction};
pub(crate) use conversion::{READ_ONLY_SPAN, SPAN, is_by_ref_like};
pub use explicit::is_explicit;
pub use extensions::BlockMember;
pub use members::{Default as ParameterDefault, Field, FieldRef, Method, MethodRef, Parameter, Property, PropertyRef};
pub use parameters::Arguments;
pub use system::{Definition, INTERFACES_OF_ARRAYS, TypeSystem, is_same_file};

/// A type. Aliases, modifiers and annotations are gone: one type has one form.
#[derive(Debug, Clone)]
pub enum Type {
    Primitive(Primitive),
    Named(Named),
    Array {
        of: Box<Type>,
        rank: u32,
    },
    Pointer(Box<Type>),
    ByRef(Box<Type>),
    /// Of the type that declares a member, by number.
    TypeParameter(u32),
    /// Of a method.
    MethodParameter(u32),
    /// Of `null`.
    Null,
    /// Known when it runs: `dynamic`, and members that only the run-time type has.
    Late,
    /// What has no type by itself: lambdas, `default`, `new()`, `[…]`.
    Untyped,
}

/// A class, struct, interface, enum or delegate.
#[derive(Debug, Clone)]
pub struct Named {
    /// As in metadata: ``Ns.Outer`1+Inner``.
    pub name: Arc<str>,
    /// Those of the outer types first.
    pub arguments: Vec<Type>,
    pub names: ElementNames,
    /// Where it is the argument of a type parameter of the code, and stands for that: the parameter's position in
    /// [`Scope::bounds`](crate::world::Scope::bounds). Types that differ in it alone are one type, with other members.
    pub parameter: Option<usize>,
}

/// Of a tuple's own elements, those of the eighth on included. Types that differ in them alone are one type.
#[derive(Debug, Clone, Default)]
pub struct ElementNames(pub Option<Arc<[Option<String>]>>);

/// Nothing real nests deeper.
const DEPTH: u32 = 64;

pub const NULLABLE: &str = "System.Nullable`1";
/// Of what an expression makes by `new { … }`: its members are arguments, with names.
pub const ANONYMOUS: &str = "<>AnonymousType";
/// What a dictionary enumerates.
pub const PAIR: &str = "System.Collections.Generic.KeyValuePair`2";

impl Type {
    pub const OBJECT: Self = Self::Primitive(Primitive::Object);
    pub const STRING: Self = Self::Primitive(Primitive::String);
    pub const BOOL: Self = Self::Primitive(Primitive::Boolean);
    pub const INT: Self = Self::Primitive(Primitive::I4);
    pub const VOID: Self = Self::Primitive(Primitive::Void);

    pub fn named(name: &str, arguments: Vec<Self>) -> Self {
        if let (Some(primitive), []) = (Primitive::from_name(name), arguments.as_slice()) {
            return Self::Primitive(primitive);
        }
        Self::Named(Named { name: name.into(), arguments, names: ElementNames::default(), parameter: None })
    }

    pub fn decimal() -> Self {
        Self::named("System.Decimal", Vec::new())
    }

    /// `T?`
    pub fn nullable(of: Self) -> Self {
        Self::named(NULLABLE, vec![of])
    }

    pub fn array(of: Self) -> Self {
        Self::Array { of: Box::new(of), rank: 1 }
    }

    /// With more than seven elements, the eighth is the tuple of the rest.
    pub fn tuple(mut elements: Vec<Self>, names: Vec<Option<String>>) -> Self {
        let names = if names.iter().any(Option::is_some) { Some(names.into()) } else { None };
        if elements.len() > 7 {
            let rest = elements.split_off(7);
            elements.push(Self::tuple(rest, Vec::new()));
        }
        let name = format!("System.ValueTuple`{}", elements.len());
        Self::Named(Named { name: name.into(), arguments: elements, names: ElementNames(names), parameter: None })
    }

    pub fn anonymous(members: Vec<(String, Self)>) -> Self {
        let (names, arguments): (Vec<_>, Vec<_>) = members.into_iter().map(|(name, type_)| (Some(name), type_)).unzip();
        Self::Named(Named {
            name: ANONYMOUS.into(),
            arguments,
            names: ElementNames(Some(names.into())),
            parameter: None,
        })
    }

    /// As metadata has it.
    pub fn of(sig: &TypeSig) -> Self {
        Self::declared(sig, &[], &[])
    }

    /// With the names of the elements of the tuples in it, in the order of `TupleElementNamesAttribute`, and what of it is `dynamic`, part
    /// by part (see [`DynamicParts`]).
    pub fn declared(sig: &TypeSig, names: &[Option<String>], dynamic: &[bool]) -> Self {
        match sig {
            TypeSig::ByRef(of) => Self::ByRef(Box::new(Self::declared(of, names, dynamic))),
            TypeSig::Pinned(of) | TypeSig::Modified { inner: of, .. } => Self::declared(of, names, dynamic),
            // those of a type whose parameters stand for something by now say nothing of the parts of that
            _ => {
                let dynamic = if dynamic.len() == sig.parts() { dynamic } else { &[] };
                build(sig, &mut Annotations { names: names.iter(), dynamic: dynamic.iter() }, DEPTH)
            }
        }
    }

    pub fn sig(&self) -> TypeSig {
        let object = || TypeSig::Primitive(Primitive::Object);
        match self {
            Self::Primitive(primitive) => TypeSig::Primitive(*primitive),
            Self::Named(named) => TypeSig::Named(TypeName {
                full_name: named.name.to_string(),
                arguments: named.arguments.iter().map(Self::sig).collect(),
                is_value_type: false,
            }),
            Self::Array { of, rank: 1 } => TypeSig::Array(Box::new(of.sig())),
            Self::Array { of, rank } => TypeSig::MultiArray {
                element: Box::new(of.sig()),
                shape: ArrayShape { rank: *rank, ..ArrayShape::default() },
            },
            Self::Pointer(of) => TypeSig::Pointer(Box::new(of.sig())),
            Self::ByRef(of) => TypeSig::ByRef(Box::new(of.sig())),
            Self::TypeParameter(number) => TypeSig::TypeParameter(*number),
            Self::MethodParameter(number) => TypeSig::MethodParameter(*number),
            Self::Null | Self::Late | Self::Untyped => object(),
        }
    }

    /// With arguments in place of parameters; one without an argument stays.
    #[must_use]
    pub fn substitute(&self, of_type: &[Self], of_method: &[Self]) -> Self {
        let inner = |it: &Self| Box::new(it.substitute(of_type, of_method));
        match self {
            Self::TypeParameter(number) => of_type.get(*number as usize).unwrap_or(self).clone(),
            Self::MethodParameter(number) => of_method.get(*number as usize).unwrap_or(self).clone(),
            Self::Named(named) if !named.arguments.is_empty() => Self::Named(Named {
                name: named.name.clone(),
                arguments: named.arguments.iter().map(|it| it.substitute(of_type, of_method)).collect(),
                ..named.clone()
            }),
            Self::Array { of, rank } => Self::Array { of: inner(of), rank: *rank },
            Self::Pointer(of) => Self::Pointer(inner(of)),
            Self::ByRef(of) => Self::ByRef(inner(of)),
            other => other.clone(),
        }
    }

    /// As what stands for a type parameter, by its position among those that are bound to something. Of the types that are no named ones
    /// none implements an interface by other members than it has.
    #[must_use]
    pub fn of_parameter(self, position: usize) -> Self {
        match self {
            Self::Named(named) => Self::Named(Named { parameter: Some(position), ..named }),
            other => other,
        }
    }

    /// Whether no parameter of a method is left in it.
    pub fn is_closed(&self) -> bool {
        match self {
            Self::MethodParameter(_) => false,
            Self::Named(named) => named.arguments.iter().all(Self::is_closed),
            Self::Array { of, .. } | Self::Pointer(of) | Self::ByRef(of) => of.is_closed(),
            _ => true,
        }
    }

    pub fn name(&self) -> Option<&str> {
        match self {
            Self::Primitive(primitive) => Some(primitive.full_name()),
            Self::Named(named) => Some(&named.name),
            _ => None,
        }
    }

    pub fn is(&self, name: &str) -> bool {
        self.name() == Some(name)
    }

    /// The type and all that it is made of.
    pub fn parts(&self) -> impl Iterator<Item = &Self> {
        let mut next = vec![self];
        std::iter::from_fn(move || {
            let part = next.pop()?;
            match part {
                Self::Named(named) => next.extend(&named.arguments),
                Self::Array { of, .. } | Self::Pointer(of) | Self::ByRef(of) => next.push(of),
                _ => {}
            }
            Some(part)
        })
    }

    pub fn arguments(&self) -> &[Self] {
        match self {
            Self::Named(named) => &named.arguments,
            _ => &[],
        }
    }

    pub fn primitive(&self) -> Option<Primitive> {
        match self {
            Self::Primitive(primitive) => Some(*primitive),
            _ => None,
        }
    }

    /// `T` of `T?`.
    pub fn nullable_of(&self) -> Option<&Self> {
        match self {
            Self::Named(named) if &*named.name == NULLABLE => named.arguments.first(),
            _ => None,
        }
    }

    /// `T` of `T?`, the type itself else.
    pub fn without_nullable(&self) -> &Self {
        self.nullable_of().unwrap_or(self)
    }

    pub fn is_nullable(&self) -> bool {
        self.nullable_of().is_some()
    }

    pub fn is_decimal(&self) -> bool {
        self.is("System.Decimal")
    }

    pub fn is_void(&self) -> bool {
        *self == Self::VOID
    }

    /// Of the elements of a tuple, in their order; the rest of a long one unfolded.
    pub fn elements(&self) -> Option<Vec<&Self>> {
        let Self::Named(named) = self else { return None };
        if !named.name.starts_with("System.ValueTuple`") {
            return None;
        }
        let mut elements: Vec<&Self> = named.arguments.iter().take(7).collect();
        if let Some(rest) = named.arguments.get(7) {
            elements.extend(rest.elements()?);
        }
        Some(elements)
    }

    pub fn element_names(&self) -> &[Option<String>] {
        match self {
            Self::Named(named) => named.names.0.as_deref().unwrap_or_default(),
            _ => &[],
        }
    }

    /// As the source declares it: with `dynamic`, and the names of the elements of the tuples in it.
    pub fn declaration(&self) -> DeclaredType {
        let (mut names, mut dynamic) = (Vec::new(), Vec::new());
        self.add_names(&mut names);
        self.add_dynamic(&mut dynamic);
        DeclaredType::new(self.sig(), names).with_dynamic(dynamic)
    }

    /// Part by part.
    fn add_dynamic(&self, parts: &mut DynamicParts) {
        parts.push(matches!(self, Self::Late));
        match self {
            Self::Named(named) => named.arguments.iter().for_each(|argument| argument.add_dynamic(parts)),
            Self::Array { of, .. } | Self::Pointer(of) | Self::ByRef(of) => of.add_dynamic(parts),
            _ => {}
        }
    }

    /// In the order of `TupleElementNamesAttribute`.
    fn add_names(&self, names: &mut Vec<Option<String>>) {
        match self {
            Self::Named(named) => {
                let own = self.element_names().iter().cloned().chain(std::iter::repeat(None));
                names.extend(own.take(self.elements().map_or(0, |elements| elements.len())));
                named.arguments.iter().for_each(|argument| argument.add_names(names));
            }
            Self::Array { of, .. } | Self::Pointer(of) | Self::ByRef(of) => of.add_names(names),
            _ => {}
        }
    }

    /// C# without namespaces.
    pub fn short(&self) -> String {
        match self {
            Self::Null => "<null>".into(),
            Self::Untyped => "?".into(),
            Self::Late => "dynamic".into(),
            Self::Named(named) if &*named.name == ANONYMOUS => {
                let members = self.element_names().iter().flatten().zip(&named.arguments);
                let members: Vec<String> = members.map(|(name, type_)| format!("{} {name}", type_.short())).collect();
                format!("<anonymous type: {}>", members.join(", "))
            }
            other => other.declaration().short(),
        }
    }
}

/// C# with namespaces.
impl fmt::Display for Type {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null | Self::Untyped | Self::Late => out.write_str(&self.short()),
            Self::Named(named) if &*named.name == ANONYMOUS => out.write_str(&self.short()),
            other => write!(out, "{}", other.sig()),
        }
    }
}

/// Of the parts of a type, taken as they come.
struct Annotations<'a> {
    names: std::slice::Iter<'a, Option<String>>,
    dynamic: std::slice::Iter<'a, bool>,
}

fn build(sig: &TypeSig, annotations: &mut Annotations<'_>, depth: u32) -> Type {
    if depth == 0 {
        return Type::OBJECT;
    }
    let is_dynamic = annotations.dynamic.next() == Some(&true);
    let mut inner = |sig: &TypeSig| Box::new(build(sig, annotations, depth - 1));
    match sig {
        TypeSig::Primitive(Primitive::Object) if is_dynamic => Type::Late,
        TypeSig::Primitive(primitive) => Type::Primitive(*primitive),
        TypeSig::Array(of) => Type::Array { of: inner(of), rank: 1 },
        TypeSig::MultiArray { element, shape } => Type::Array { of: inner(element), rank: shape.rank },
        TypeSig::Pointer(of) => Type::Pointer(inner(of)),
        TypeSig::ByRef(of) => Type::ByRef(inner(of)),
        TypeSig::Pinned(of) | TypeSig::Modified { inner: of, .. } => *inner(of),
        TypeSig::TypeParameter(number) => Type::TypeParameter(*number),
        TypeSig::MethodParameter(number) => Type::MethodParameter(*number),
        TypeSig::FunctionPointer(_) => {
            annotations.dynamic.by_ref().take(sig.parts() - 1).for_each(drop);
            Type::Pointer(Box::new(Type::VOID))
        }
        TypeSig::Named(name) => {
            if let (Some(primitive), []) = (Primitive::from_name(&name.full_name), name.arguments.as_slice()) {
                return Type::Primitive(primitive);
            }
            let count = tuple_length(name);
            // a tuple's own names come before those of the tuples in it, those of its rest with them
            let own: Vec<Option<String>> = annotations.names.by_ref().take(count).cloned().collect();
            let arguments = name.arguments.iter().map(|argument| build(argument, annotations, depth - 1)).collect();
            let own = own.iter().any(Option::is_some).then(|| own.into());
            Type::Named(Named {
                name: name.full_name.as_str().into(),
                arguments,
                names: ElementNames(own),
                parameter: None,
            })
        }
    }
}

/// How many elements a tuple has; 0 for other types.
fn tuple_length(name: &TypeName) -> usize {
    if !name.full_name.starts_with("System.ValueTuple`") {
        return 0;
    }
    match name.arguments.get(7) {
        Some(TypeSig::Named(rest)) => 7 + tuple_length(rest),
        _ => name.arguments.len(),
    }
}
