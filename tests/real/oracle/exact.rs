//! Signatures with all that they hold, in the words of the C# side.

use clr_metadata::{MethodSig, TypeSig};

pub fn type_text(signature: &TypeSig) -> String {
    match signature {
        TypeSig::Primitive(primitive) => primitive.keyword().to_owned(),
        TypeSig::Named(name) => {
            let kind = if name.is_value_type { "v" } else { "c" };
            let arguments =
                if name.arguments.is_empty() { String::new() } else { format!("<{}>", list(&name.arguments)) };
            format!("{kind}:{}{arguments}", name.full_name)
        }
        TypeSig::Array(element) => format!("{}[]", type_text(element)),
        TypeSig::MultiArray { element, shape } => {
            let sizes: Vec<String> = shape.sizes.iter().map(u32::to_string).collect();
            let bounds: Vec<String> = shape.lower_bounds.iter().map(i32::to_string).collect();
            format!("{}[{};{};{}]", type_text(element), shape.rank, sizes.join(" "), bounds.join(" "))
        }
        TypeSig::Pointer(inner) => format!("{}*", type_text(inner)),
        TypeSig::ByRef(inner) => format!("{}&", type_text(inner)),
        TypeSig::Pinned(inner) => format!("{} pinned", type_text(inner)),
        TypeSig::TypeParameter(number) => format!("!{number}"),
        TypeSig::MethodParameter(number) => format!("!!{number}"),
        TypeSig::FunctionPointer(method) => format!("fn[{}]", method_text(method)),
        TypeSig::Modified { modifier, required, inner } => {
            let kind = if *required { "modreq" } else { "modopt" };
            format!("{kind}({}) {}", type_text(&TypeSig::Named(modifier.clone())), type_text(inner))
        }
    }
}

pub fn list(signatures: &[TypeSig]) -> String {
    signatures.iter().map(type_text).collect::<Vec<_>>().join(", ")
}

pub fn method_text(method: &MethodSig) -> String {
    let mut text = String::new();
    text.push_str(if method.has_this { "this " } else { "" });
    text.push_str(if method.explicit_this { "explicit " } else { "" });
    text.push_str(&format!("{} {} ", method.calling_convention, method.generic_parameters));
    text.push_str(&format!("{}(", type_text(&method.return_type)));
    for (index, parameter) in method.parameters.iter().enumerate() {
        text.push_str(if index > 0 { ", " } else { "" });
        text.push_str(if Some(index) == method.sentinel { "... " } else { "" });
        text.push_str(&type_text(parameter));
    }
    text + ")"
}
