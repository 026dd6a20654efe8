//! What code may name, as its module and symbols show: constants, the types around, what the file imports.

use std::sync::Arc;

use clr_metadata::names::written_in;
use clr_metadata::{
    Assembly, AttributeValue, ConstantVariable, Document, Import, MethodId, Primitive, Token, TypeParameter,
};

use crate::constant::{Constant, Scalar as Number};
use crate::decimal::Decimal;
use crate::types::Type;
use crate::world::{Alias, Imports, Scope};

/// What nearly every file imports: for code that came without symbols.
const USUAL: [&str; 6] =
    ["System", "System.Collections.Generic", "System.Linq", "System.IO", "System.Threading", "System.Threading.Tasks"];

impl Scope {
    /// Of the code at an IL offset of a method, all but its variables; `arguments` are what the type parameters of its type and its own
    /// stand for; one that is not known stays a type parameter.
    pub fn of_code(assembly: &Arc<Assembly>, method: MethodId, offset: u32, arguments: &[Type]) -> Self {
        let mut scope = Self { assembly: Some(assembly.clone()), ..Self::default() };
        enclosing(assembly, method, arguments, &mut scope);
        let source = assembly.method(assembly.kickoff_of(method).unwrap_or(method));
        scope.written_in = Some(written_in(source.name()).to_owned());
        scope.is_inside_instance = assembly.is_inside_instance(method);
        if let Some(symbols) = assembly.pdb() {
            let constants = symbols.constants_in_scope(method, offset).into_iter();
            scope.constants = constants.filter_map(|it| constant(assembly, &it)).collect();
            let document = symbols.point_at(method, offset).and_then(|point| symbols.document(point.document));
            scope.file_type_prefix = document.map(Document::file_type_prefix);
            for imported in symbols.imports_of(method) {
                scope.imports.push(imports(assembly, &imported.imports));
            }
        }
        if scope.imports.is_empty() {
            let namespaces = USUAL.map(str::to_owned).to_vec();
            scope.imports.push(Imports { namespaces, ..Imports::default() });
        }
        scope
    }

    /// The type of a variable that was found with the arguments of all type parameters in it, and is declared as `open` with the
    /// parameters, the first `of_type` of which are those of the code's type: what stands for a parameter is known as that.
    #[must_use]
    pub fn of_declaration(&self, found: Type, open: &Type, of_type: usize) -> Type {
        let arguments: Vec<Type> = self.type_parameters.iter().map(|(_, argument)| argument.clone()).collect();
        // the type of a closure or a state machine has the parameters of the method too
        let known = open.substitute(&arguments, arguments.get(of_type..).unwrap_or_default());
        let known = match (known, &found) {
            (Type::ByRef(inner), other) if !matches!(other, Type::ByRef(_)) => *inner,
            (known, _) => known,
        };
        if known == found { known } else { found }
    }

    /// Which of several types a name means where the code stands, by their full names in metadata: what is nested in the types around it,
    /// then what is in its namespace and those around that, then what its file imports. `None`: no single one.
    pub fn meant(&self, name: &str, candidates: &[&str]) -> Option<usize> {
        let plain = |name: &str| {
            let parts: Vec<&str> = name.split(['.', '+']).map(|part| part.split('`').next().unwrap_or(part)).collect();
            parts.join(".")
        };
        let name = plain(name.split('<').next().unwrap_or(name).trim());
        let around: Vec<&str> = self.enclosing.iter().filter_map(Type::name).collect();
        let outermost = around.last().and_then(|type_| type_.split('+').next()).unwrap_or_default();
        let namespaces = outermost.match_indices('.').rev().filter_map(|(dot, _)| outermost.get(..dot));
        let levels = around.iter().copied().chain(namespaces).chain([""]).map(|level| vec![plain(level)]);
        let imports = self.imports.iter().map(|imports| imports.namespaces.clone());
        for level in levels.chain(imports) {
            let is_in = |candidate: &&str| {
                let full = plain(candidate);
                let begin = full.strip_suffix(&name).map(|begin| begin.strip_suffix('.').unwrap_or(begin));
                begin.is_some_and(|begin| level.iter().any(|prefix| prefix == begin))
            };
            let mut found = candidates.iter().enumerate().filter(|(_, candidate)| is_in(candidate));
            if let Some((first, _)) = found.next() {
                return found.next().is_none().then_some(first);
            }
        }
        None
    }
}

/// The types around a method, without those that the compiler made, and what their type parameters stand for.
fn enclosing(assembly: &Assembly, method: MethodId, arguments: &[Type], scope: &mut Scope) {
    let view = assembly.method(method);
    let mut next = view.declaring_type();
    let of_type = next.as_ref().map_or(0, |type_| type_.type_parameters().len());
    let open = (0..).map(Type::TypeParameter).take(of_type).chain((0..).map(Type::MethodParameter));
    let open = open.take(of_type + view.type_parameters().len()).skip(arguments.len());
    let mut arguments: Vec<Type> = arguments.iter().cloned().chain(open).collect();
    if let Some(innermost) = &next {
        let parameters = innermost.constrained_parameters();
        let of_type = parameters.len().min(arguments.len());
        let all: Vec<TypeParameter> = parameters.into_iter().chain(view.type_parameters()).collect();
        let is_bound = |it: &TypeParameter| !it.bounds.is_empty() || it.is_class();
        let bound = all.iter().zip(&mut arguments).filter(|(parameter, _)| is_bound(parameter));
        for (position, (_, argument)) in bound.enumerate() {
            *argument = argument.clone().of_parameter(position);
        }
        let (of_type, of_method) = arguments.split_at(of_type);
        let bounds = all.iter().zip(&arguments).filter(|(parameter, _)| is_bound(parameter));
        let bounds = bounds.map(|(parameter, argument)| {
            let bounds = parameter.bounds.iter().map(|it| Type::of(it).substitute(of_type, of_method));
            let class = parameter.is_class().then_some(Type::OBJECT);
            (argument.clone(), bounds.chain(class).collect::<Vec<Type>>())
        });
        scope.bounds = bounds.collect();
        let names = innermost.parameter_names(Some(method));
        let names = names.of_type.into_iter().chain(names.of_method);
        scope.type_parameters = names.zip(arguments.iter().cloned()).collect();
    }
    while let Some(type_) = next {
        if !type_.name().starts_with('<') {
            let count = type_.type_parameters().len();
            let given = arguments.get(..count).unwrap_or_default().to_vec();
            scope.enclosing.push(Type::named(&type_.full_name(), given));
        }
        next = type_.declaring_type();
    }
}

fn imports(assembly: &Assembly, imports: &[Import]) -> Imports {
    let type_of = |token: Token| assembly.type_signature(token).map(|type_| Type::of(&type_));
    let mut found = Imports::default();
    for import in imports {
        match import {
            Import::Namespace(name) | Import::NamespaceOf(_, name) => found.namespaces.push(name.clone()),
            Import::Type(token) => found.types.extend(type_of(*token)),
            Import::AliasOfNamespace { alias, namespace } | Import::AliasOfNamespaceOf { alias, namespace, .. } => {
                found.aliases.push((alias.clone(), Alias::Namespace(namespace.clone())));
            }
            Import::AliasOfType { alias, type_ } => {
                found.aliases.extend(type_of(*type_).map(|type_| (alias.clone(), Alias::Type(type_))));
            }
            Import::XmlNamespace { .. } | Import::ExternAlias(_) | Import::AliasOfAssembly { .. } => {}
        }
    }
    found
}

/// A `const` local.
fn constant(assembly: &Assembly, constant: &ConstantVariable) -> Option<(String, Type, Constant)> {
    let named = constant.named_type().and_then(|token| assembly.type_signature(token)).map(|type_| Type::of(&type_));
    if constant.is_null() {
        return Some((constant.name.clone(), named.unwrap_or(Type::OBJECT), Constant::Null));
    }
    if let Some((digits, scale)) = constant.decimal() {
        let value = Constant::Scalar(Number::Decimal(Decimal::parse(&format!("{digits}e-{scale}"))?));
        return Some((constant.name.clone(), Type::decimal(), value));
    }
    let primitive = constant.signature.first().and_then(|code| Primitive::from_code(*code))?;
    let type_ = Type::Primitive(primitive);
    let value = match constant.value()? {
        AttributeValue::Bool(value) => Constant::bool(value),
        AttributeValue::Char(unit) => Constant::Scalar(Number::Char(u32::from(unit) as u16)),
        AttributeValue::Int(number) => match named {
            Some(type_) => return Some((constant.name.clone(), type_.clone(), Constant::Enum(type_, number))),
            None => Constant::Scalar(Number::Int(primitive, number)),
        },
        AttributeValue::Float(number) if primitive == Primitive::R4 => Constant::Scalar(Number::Single(number as f32)),
        AttributeValue::Float(number) => Constant::Scalar(Number::Double(number)),
        AttributeValue::String(Some(text)) => Constant::text(&text),
        AttributeValue::String(None) => Constant::Null,
        _ => return None,
    };
    Some((constant.name.clone(), type_, value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_types_with_one_name_the_nearest_to_the_code_is_meant() {
        let scope = Scope {
            enclosing: vec![Type::named("Shop.Io.Reader+Inner", Vec::new()), Type::named("Shop.Io.Reader", Vec::new())],
            imports: vec![Imports { namespaces: vec!["Other".into(), "Third".into()], ..Imports::default() }],
            ..Scope::default()
        };
        for (name, candidates, expected) in [
            ("Ring", &["Shop.Arj.Ring", "Shop.Io.Ring"] as &[&str], Some(1)),
            ("Ring", &["Shop.Io.Ring", "Shop.Io.Reader+Ring"], Some(1)),
            ("Ring", &["Shop.Ring", "Other.Ring"], Some(0)),
            ("Io.Ring", &["Else.Io.Ring", "Shop.Io.Ring"], Some(1)),
            ("Ring<int>", &["Else.Ring`1", "Other.Ring`1"], Some(1)),
            ("Ring", &["Other.Ring", "Third.Ring"], None),
            ("Ring", &["Else.Ring", "Far.Ring"], None),
            ("Ring", &["Shop.Io.SpRing", "Shop.Ring"], Some(1)),
        ] {
            assert_eq!(scope.meant(name, candidates), expected, "{name} {candidates:?}");
        }
    }
}
