//! The target's types as C# writes them, and their definitions in metadata.

mod assignable;
mod bases;
mod initialized;

use std::sync::Arc;

pub use assignable::{is_assignable, plain};
pub use bases::{base, chain};
use clr_metadata::{ArrayShape, Assembly, Primitive, Token, TypeId, TypeName, TypeSig};
pub use initialized::{has_begun, initializer};

use crate::com::{self, element};
use crate::modules::Module;
use crate::target::Target;

/// A class, struct, interface or enum, where its metadata is.
#[derive(Clone)]
pub struct Definition {
    pub module: Arc<Module>,
    pub assembly: Arc<Assembly>,
    pub id: TypeId,
    pub class: com::Class,
}

impl Definition {
    pub fn view(&self) -> clr_metadata::TypeView<'_> {
        self.assembly.type_(self.id)
    }

    pub fn is(&self, full_name: &str) -> bool {
        let (namespace, name) = full_name.rsplit_once('.').unwrap_or(("", full_name));
        let view = self.view();
        view.name() == name && view.namespace() == namespace && view.declaring_type().is_none()
    }
}

/// In place of the name of a type that the runtime does not say.
const UNKNOWN: &str = "?";

/// Types within types; real ones stay far below.
const DEPTH: u32 = 32;

/// Of a type with metadata; primitives have one too, arrays and pointers have none.
pub fn definition(target: &Target, type_: &com::Type) -> Option<Definition> {
    let Ok(class) = type_.class() else { return of_keyword(target, type_.kind().ok()?) };
    let module = target.modules.of(&class.module().ok()?)?;
    let id = TypeId::from_token(Token(class.token().ok()?))?;
    let assembly = module.assembly()?.clone();
    Some(Definition { module, assembly, id, class })
}

/// Of a type that has a code of its own.
fn of_keyword(target: &Target, kind: u32) -> Option<Definition> {
    let name = match kind {
        element::SZARRAY | element::ARRAY => "System.Array",
        _ => Primitive::from_code(u8::try_from(kind).ok()?)?.full_name(),
    };
    core(target, name)
}

/// One of the core library's own.
pub fn core(target: &Target, name: &str) -> Option<Definition> {
    let module = target.modules.named("System.Private.CoreLib")?;
    let assembly = module.assembly()?.clone();
    let id = assembly.find_definition(name)?;
    let class = module.class(id).ok()?;
    Some(Definition { module, assembly, id, class })
}

/// Whether its code is that of other types too: an argument is a reference, or a struct of such.
pub fn shares_code(type_: &com::Type) -> bool {
    let arguments = type_.type_parameters().map(|list| list.rest::<com::Type>()).unwrap_or_default();
    arguments.iter().any(|argument| match argument.kind() {
        Ok(element::VALUETYPE) => shares_code(argument),
        Ok(element::CLASS | element::STRING | element::OBJECT | element::ARRAY | element::SZARRAY) => true,
        _ => false,
    })
}

/// Whether the runtime calls a method of such an object before it frees it.
pub fn has_finalizer(target: &Target, type_: &com::Type) -> bool {
    let own = chain(target, type_).into_iter().filter_map(|type_| definition(target, &type_));
    let mut own = own.take_while(|definition| !definition.is("System.Object"));
    own.any(|it| it.view().methods().any(|method| it.assembly.method(method).name() == "Finalize"))
}

pub fn signature(target: &Target, type_: &com::Type) -> TypeSig {
    build(target, type_, DEPTH)
}

/// Whether the runtime says all of it.
pub fn is_known(signature: &TypeSig) -> bool {
    match signature {
        TypeSig::Named(name) => name.full_name != UNKNOWN && name.arguments.iter().all(is_known),
        TypeSig::Array(inner) | TypeSig::Pointer(inner) | TypeSig::ByRef(inner) => is_known(inner),
        TypeSig::MultiArray { element, .. } => is_known(element),
        _ => true,
    }
}

/// As C# writes it, with namespaces.
pub fn name(target: &Target, type_: &com::Type) -> String {
    text(&signature(target, type_))
}

/// `Dictionary.Enumerator` of `Dictionary<string, int>.Enumerator`.
pub fn without_arguments(type_name: &str) -> String {
    let mut depth = 0_u32;
    let mut plain = String::with_capacity(type_name.len());
    for c in type_name.chars() {
        match c {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            c if depth == 0 => plain.push(c),
            _ => {}
        }
    }
    plain
}

/// As C# writes it, with namespaces; tuples by the type that they are, whose fields an expression can name.
pub fn text(signature: &TypeSig) -> String {
    match signature {
        TypeSig::Named(name) => match (name.full_name.as_str(), name.arguments.as_slice()) {
            ("System.Nullable`1", [inner]) => format!("{}?", text(inner)),
            ("System.Decimal", []) => "decimal".into(),
            _ => named(name),
        },
        TypeSig::Array(_) | TypeSig::MultiArray { .. } => {
            // C# writes the outermost dimension first
            let (mut ranks, mut element) = (String::new(), signature);
            loop {
                element = match element {
                    TypeSig::Array(inner) => {
                        ranks.push_str("[]");
                        inner
                    }
                    TypeSig::MultiArray { element: inner, shape } => {
                        ranks.push_str(&format!("[{}]", ",".repeat(shape.rank.saturating_sub(1) as usize)));
                        inner
                    }
                    _ => return format!("{}{ranks}", text(element)),
                };
            }
        }
        TypeSig::Pointer(inner) => format!("{}*", text(inner)),
        TypeSig::ByRef(inner) => format!("ref {}", text(inner)),
        other => other.to_string(),
    }
}

/// ``Ns.Outer`1+Inner`1`` of two arguments is `Ns.Outer<A>.Inner<B>`.
fn named(name: &TypeName) -> String {
    let mut arguments = name.arguments.iter();
    let parts = name.full_name.split('+').map(|part| match part.rsplit_once('`') {
        Some((bare, arity)) => {
            let own: Vec<String> = arguments.by_ref().take(arity.parse().unwrap_or(0)).map(text).collect();
            if own.is_empty() { bare.to_owned() } else { format!("{bare}<{}>", own.join(", ")) }
        }
        None => part.to_owned(),
    });
    parts.collect::<Vec<_>>().join(".")
}

fn build(target: &Target, type_: &com::Type, depth: u32) -> TypeSig {
    let kind = type_.kind().unwrap_or(0);
    if let Some(primitive) = u8::try_from(kind).ok().and_then(Primitive::from_code) {
        return TypeSig::Primitive(primitive);
    }
    let unknown = || TypeSig::Named(TypeName { full_name: UNKNOWN.into(), ..TypeName::default() });
    if depth == 0 {
        return unknown();
    }
    let inner = || {
        let inner = type_.first_parameter().map(|inner| build(target, &inner, depth - 1));
        Box::new(inner.unwrap_or_else(|_| unknown()))
    };
    match kind {
        element::SZARRAY => TypeSig::Array(inner()),
        element::ARRAY => {
            let shape = ArrayShape { rank: type_.rank().unwrap_or(1), ..ArrayShape::default() };
            TypeSig::MultiArray { element: inner(), shape }
        }
        element::PTR => TypeSig::Pointer(inner()),
        element::BYREF => TypeSig::ByRef(inner()),
        element::FNPTR => TypeSig::Pointer(Box::new(TypeSig::Primitive(Primitive::Void))),
        _ => {
            let Some(definition) = definition(target, type_) else { return unknown() };
            let full_name = definition.view().full_name();
            // what stands for any class in code that is compiled once for all of them: the runtime does not say which it is
            if full_name == "System.__Canon" {
                return unknown();
            }
            // what is boxed comes as the struct behind the keyword
            if let Some(primitive) = Primitive::from_name(&full_name) {
                return TypeSig::Primitive(primitive);
            }
            let parameters = type_.type_parameters().map(|list| list.rest::<com::Type>()).unwrap_or_default();
            TypeSig::Named(TypeName {
                full_name,
                arguments: parameters.iter().map(|parameter| build(target, parameter, depth - 1)).collect(),
                is_value_type: kind == element::VALUETYPE,
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_read_as_in_csharp() {
        for (text, expected) in [
            (
                "System.Collections.Generic.Dictionary<string, int?>",
                "System.Collections.Generic.Dictionary<string, int?>",
            ),
            ("int[][,]", "int[][,]"),
        ] {
            let signature = clr_metadata::names::parse_type(text).unwrap();
            assert_eq!(super::text(&signature), expected);
        }
        let int = TypeSig::Primitive(Primitive::I4);
        let of = |full_name: &str, arguments: Vec<TypeSig>| {
            super::text(&TypeSig::Named(TypeName { full_name: full_name.into(), arguments, is_value_type: true }))
        };
        assert_eq!(of("System.Decimal", Vec::new()), "decimal");
        assert_eq!(of("System.ValueTuple`2", vec![int.clone(), int.clone()]), "System.ValueTuple<int, int>");
        assert_eq!(of("A.Outer`1+Inner", vec![int.clone()]), "A.Outer<int>.Inner");
        assert_eq!(of("A.Outer`1+Inner`1", vec![int.clone(), int]), "A.Outer<int>.Inner<int>");
    }
}
