//! Whether a type that a person wrote (`List<int>`, `System.Int32`, `TKey`, `string?`) is the one of a signature.

use crate::names::index_key;
use crate::signatures::{ParameterNames, Primitive, TypeName, TypeSig, split_arity};

/// The generic parameters in scope: their names, and what a name said that they stand for (`Box<int>.Add`).
pub(super) struct Generics {
    pub names: ParameterNames,
    pub of_type: Vec<Option<TypeSig>>,
    pub of_method: Vec<Option<TypeSig>>,
}

/// What was written without namespace, arguments or `ref` fits one with them.
pub(super) fn fits(written: &TypeSig, actual: &TypeSig, names: &Generics) -> bool {
    let all = |written: &[TypeSig], actual: &[TypeSig]| {
        written.is_empty()
            || written.len() == actual.len()
                && written.iter().zip(actual).all(|(written, actual)| fits(written, actual, names))
    };
    match (written, actual) {
        (_, TypeSig::Modified { inner, .. } | TypeSig::Pinned(inner)) => fits(written, inner, names),
        (TypeSig::ByRef(written), TypeSig::ByRef(actual)) => fits(written, actual, names),
        (_, TypeSig::ByRef(actual)) => fits(written, actual, names),
        (TypeSig::Array(written), TypeSig::Array(actual)) => fits(written, actual, names),
        (TypeSig::Pointer(written), TypeSig::Pointer(actual)) => fits(written, actual, names),
        (TypeSig::MultiArray { element, shape }, TypeSig::MultiArray { element: other, shape: its }) => {
            shape.rank == its.rank && fits(element, other, names)
        }
        (TypeSig::Named(name), _) if is_nullable(name) && !is_nullable_type(actual) => {
            // `string?`: nothing that a signature knows
            !is_value_type(actual) && name.arguments.first().is_some_and(|inner| fits(inner, actual, names))
        }
        (_, TypeSig::TypeParameter(number)) => {
            is_called(written, &names.names.of_type, *number) || stands_for(written, &names.of_type, *number, names)
        }
        (_, TypeSig::MethodParameter(number)) => {
            is_called(written, &names.names.of_method, *number) || stands_for(written, &names.of_method, *number, names)
        }
        (TypeSig::Named(name), TypeSig::Primitive(primitive)) => {
            name.full_name == "dynamic" && *primitive == Primitive::Object
                || is_tail(&name.full_name, primitive.full_name())
        }
        (TypeSig::Named(name), TypeSig::Named(other)) => {
            is_tail(&name.full_name, &other.full_name) && all(&name.arguments, &other.arguments)
        }
        _ => written == actual,
    }
}

fn is_nullable(name: &TypeName) -> bool {
    name.full_name == "System.Nullable`1"
}

fn is_nullable_type(sig: &TypeSig) -> bool {
    matches!(sig, TypeSig::Named(name) if is_nullable(name))
}

fn is_value_type(sig: &TypeSig) -> bool {
    match sig {
        TypeSig::Primitive(primitive) => !matches!(primitive, Primitive::Object | Primitive::String),
        TypeSig::Named(name) => name.is_value_type,
        _ => false,
    }
}

/// Whether both or neither are references, whatever the types.
pub(super) fn is_passed_alike(written: &TypeSig, actual: &TypeSig) -> bool {
    match actual {
        TypeSig::Modified { inner, .. } => is_passed_alike(written, inner),
        _ => matches!(written, TypeSig::ByRef(_)) == matches!(actual, TypeSig::ByRef(_)),
    }
}

fn is_called(written: &TypeSig, parameters: &[String], number: u32) -> bool {
    let TypeSig::Named(name) = written else { return false };
    parameters.get(number as usize).is_some_and(|parameter| *parameter == name.full_name)
}

fn stands_for(written: &TypeSig, arguments: &[Option<TypeSig>], number: u32, names: &Generics) -> bool {
    let argument = arguments.get(number as usize).and_then(Option::as_ref);
    argument.is_some_and(|argument| fits(written, argument, names) || fits(argument, written, names))
}

/// `Func` and ``Func`2`` of ``System.Func`2``.
fn is_tail(written: &str, actual: &str) -> bool {
    let (written, actual) = (index_key(written), index_key(actual));
    let ends =
        |full: &str| full.strip_suffix(written.as_str()).is_some_and(|head| head.is_empty() || head.ends_with('.'));
    ends(&actual) || ends(split_arity(&actual).0)
}
