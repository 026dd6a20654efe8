//! Types as they are written.

use clr_metadata::Primitive;

use crate::syntax::{Name, Span, TypeKind, TypeName};
use crate::types::{Type, is_same_file};

use super::{BindError, Binder, Meaning, Result, error};

/// What nearly every file imports: a debugger knows them in code that came without symbols, too.
const USUAL: [&str; 6] =
    ["System", "System.Collections.Generic", "System.Linq", "System.IO", "System.Threading", "System.Threading.Tasks"];

/// The open type with its own arguments; those of the types around it, which it has already, come first.
pub(super) fn with_arguments(open: Type, arguments: Vec<Type>) -> Type {
    // what is whole may stand for a type parameter
    if arguments.is_empty() {
        return open;
    }
    let Type::Named(mut named) = open else { return open };
    named.arguments.extend(arguments);
    Type::named(&named.name, named.arguments)
}

impl Binder<'_> {
    pub(super) fn type_(&mut self, written: &TypeName) -> Result<Type> {
        let type_ = self.type_as_written(written)?;
        self.refuse_unknown(&type_)?;
        Ok(type_)
    }

    /// Also with type parameters of which it is not known what they stand for.
    pub(super) fn type_as_written(&mut self, written: &TypeName) -> Result<Type> {
        let span = &written.span;
        Ok(match &written.kind {
            TypeKind::Predefined(keyword) => self.keyword(keyword, span)?,
            TypeKind::Nullable(of) => {
                let of = self.type_(of)?;
                // `string?` says nothing that is seen here
                if self.types.is_value_type(&of) { Type::nullable(of) } else { of }
            }
            TypeKind::Array { of, rank } => {
                Type::Array { of: Box::new(self.type_(of)?), rank: u32::try_from(*rank).unwrap_or(1) }
            }
            TypeKind::Pointer(of) => Type::Pointer(Box::new(self.type_(of)?)),
            TypeKind::Tuple(elements) => {
                let types = elements.iter().map(|(type_, _)| self.type_(type_)).collect::<Result<Vec<_>>>()?;
                Type::tuple(types, elements.iter().map(|(_, name)| name.clone()).collect())
            }
            // of what is only named any argument does
            TypeKind::Omitted if self.is_name_only => Type::OBJECT,
            TypeKind::Omitted => return error("CS7003", "Unexpected use of an unbound generic name", span),
            TypeKind::Named { alias, names } => self.named(alias.as_deref(), names, span)?,
        })
    }

    /// `typeof(List<>)` names what is not bound.
    pub(super) fn type_of_operand(&mut self, written: &TypeName) -> Result<Type> {
        let is_open =
            |names: &[Name]| names.iter().any(|name| name.types.iter().any(|it| it.kind == TypeKind::Omitted));
        match &written.kind {
            TypeKind::Named { names, .. } if is_open(names) => {
                let path: Vec<String> = names
                    .iter()
                    .map(|name| {
                        if name.types.is_empty() {
                            name.text.clone()
                        } else {
                            format!("{}`{}", name.text, name.types.len())
                        }
                    })
                    .collect();
                let Some((first, rest)) = path.split_first() else {
                    return error("CS1031", "Type expected", &written.span);
                };
                let arity = names.first().map_or(0, |name| name.types.len());
                let first = match names.first().and_then(|name| self.type_called(&name.text, arity)) {
                    Some(type_) => type_.name().unwrap_or_default().to_owned(),
                    None => first.clone(),
                };
                let nested = std::iter::once(first.clone()).chain(rest.iter().cloned()).collect::<Vec<_>>().join("+");
                let dotted = std::iter::once(first).chain(rest.iter().cloned()).collect::<Vec<_>>().join(".");
                match [nested, dotted].into_iter().find(|name| self.types.find(name).is_some()) {
                    Some(name) => Ok(open_type(&name)),
                    None => error("CS0246", not_found(&path.join(".")), &written.span),
                }
            }
            _ => self.type_(written),
        }
    }

    pub(super) fn keyword(&self, keyword: &str, span: &Span) -> Result<Type> {
        if keyword == "decimal" {
            return Ok(Type::decimal());
        }
        match Primitive::from_name(keyword) {
            Some(primitive) => Ok(Type::Primitive(primitive)),
            None if keyword == "nint" => Ok(Type::Primitive(Primitive::IntPtr)),
            None if keyword == "nuint" => Ok(Type::Primitive(Primitive::UIntPtr)),
            None if keyword == "dynamic" => Ok(Type::Late),
            None => error("CS0246", not_found(keyword), span),
        }
    }

    fn named(&mut self, alias: Option<&str>, names: &[Name], span: &Span) -> Result<Type> {
        let Some((first, rest)) = names.split_first() else { return error("CS1031", "Type expected", span) };
        let mut meaning = match alias {
            Some(alias) => self.aliased(alias, first, span)?,
            None => self.first(first, span)?,
        };
        for name in rest {
            let arguments = name.types.iter().map(|it| self.type_(it)).collect::<Result<Vec<_>>>()?;
            meaning = match meaning {
                Meaning::Namespace(namespace) => match self.in_namespace(&namespace, &name.text, arguments) {
                    Some(found) => found,
                    None => {
                        return error(
                            "CS0234",
                            format!(
                                "The type or namespace name '{}' does not exist in the namespace '{namespace}' (are you missing an assembly reference?)",
                                name.text
                            ),
                            span,
                        );
                    }
                },
                Meaning::Type(type_) => match self.nested_type(&type_, &name.text, &arguments) {
                    Some(nested) => Meaning::Type(nested),
                    None => {
                        return error(
                            "CS0426",
                            format!("The type name '{}' does not exist in the type '{}'", name.text, type_.short()),
                            span,
                        );
                    }
                },
                other => other,
            };
        }
        match meaning {
            Meaning::Type(type_) => Ok(type_),
            Meaning::Namespace(name) => {
                error("CS0118", format!("'{name}' is a namespace but is used like a type"), span)
            }
            _ => error("CS0246", not_found(&first.text), span),
        }
    }

    fn first(&mut self, name: &Name, span: &Span) -> Result<Meaning> {
        let arguments = name.types.iter().map(|it| self.type_as_written(it)).collect::<Result<Vec<_>>>()?;
        if let Some(type_) = self.type_called(&name.text, arguments.len()) {
            return Ok(Meaning::Type(with_arguments(type_, arguments)));
        }
        for imports in &self.scope.imports {
            if let Some((_, meaning)) = imports.aliases.iter().find(|(alias, _)| *alias == name.text) {
                return Ok(match meaning {
                    crate::world::Alias::Namespace(name) => Meaning::Namespace(name.clone()),
                    crate::world::Alias::Type(type_) => Meaning::Type(type_.clone()),
                });
            }
        }
        if self.types.is_namespace(&name.text) {
            return Ok(Meaning::Namespace(name.text.clone()));
        }
        if let Some(found) = self.beside(&name.text) {
            return Ok(found);
        }
        if matches!(name.text.as_str(), "nint" | "nuint" | "dynamic") && name.types.is_empty() {
            return self.keyword(&name.text, span).map(Meaning::Type);
        }
        if let Some(problem) = self.other_arity(&name.text, name.types.len()) {
            return error("CS0305", problem, span);
        }
        error("CS0246", not_found(&name.text), span)
    }

    /// Where a type of that name takes another number of type arguments.
    pub(super) fn other_arity(&self, name: &str, given: usize) -> Option<String> {
        let named = |arity: &usize| self.type_called(name, *arity);
        let (arity, type_) = (1..=8).filter(|arity| *arity != given).find_map(|arity| Some((arity, named(&arity)?)))?;
        let parameters = self.types.definition(&type_)?.view().parameter_names(None).of_type.join(", ");
        Some(format!("Using the generic type '{name}<{parameters}>' requires {arity} type arguments"))
    }

    /// A namespace that is named from within another (`Generic` in `System.Collections`).
    pub(super) fn beside(&self, name: &str) -> Option<Meaning> {
        let full = self
            .namespaces_around()
            .map(|outer| format!("{outer}.{name}"))
            .find(|full| self.types.is_namespace(full))?;
        Some(Meaning::Namespace(full))
    }

    /// `global::A`, `alias::A`
    pub(super) fn aliased(&mut self, alias: &str, name: &Name, span: &Span) -> Result<Meaning> {
        let arguments = name.types.iter().map(|it| self.type_(it)).collect::<Result<Vec<_>>>()?;
        let namespace = if alias == "global" {
            Some(String::new())
        } else {
            let mut aliases = self.scope.imports.iter().flat_map(|imports| &imports.aliases);
            aliases.find(|(other, _)| other == alias).and_then(|(_, meaning)| match meaning {
                crate::world::Alias::Namespace(name) => Some(name.clone()),
                crate::world::Alias::Type(_) => None,
            })
        };
        let Some(namespace) = namespace else {
            return error("CS0432", format!("Alias '{alias}' not found"), span);
        };
        match self.in_namespace(&namespace, &name.text, arguments) {
            Some(found) => Ok(found),
            None => error(
                "CS0400",
                format!(
                    "The type or namespace name '{}' could not be found in the global namespace (are you missing an assembly reference?)",
                    name.text
                ),
                span,
            ),
        }
    }

    pub(super) fn in_namespace(&self, namespace: &str, name: &str, arguments: Vec<Type>) -> Option<Meaning> {
        let full = if namespace.is_empty() { name.to_owned() } else { format!("{namespace}.{name}") };
        if let Some(type_) = self.open(&full, arguments.len()) {
            return Some(Meaning::Type(with_arguments(type_, arguments)));
        }
        self.types.is_namespace(&full).then_some(Meaning::Namespace(full))
    }

    /// By full metadata name without the number of its parameters.
    fn open(&self, full: &str, arity: usize) -> Option<Type> {
        let name = if arity == 0 { full.to_owned() } else { format!("{full}`{arity}") };
        let name = self.of_file(&name).unwrap_or(name);
        self.types.find(&name)?;
        Some(if arity == 0 { Type::named(&name, Vec::new()) } else { open_type(&name) })
    }

    /// The name in metadata of a `file` type of the code's file, which comes before another of its name.
    fn of_file(&self, full: &str) -> Option<String> {
        let prefix = self.scope.file_type_prefix.as_ref()?;
        let name = full.rsplit('.').next()?;
        let namespace = full.strip_suffix(name)?;
        let own = format!("{namespace}{prefix}{name}");
        self.types.find(&own).map(|_| own)
    }

    /// A type that a simple name means here, without its own arguments. One that the code may not name is meant where nothing else is.
    pub(super) fn type_called(&self, name: &str, arity: usize) -> Option<Type> {
        self.accessible_type(name, arity).or_else(|| self.type_among(name, arity, &|_| true))
    }

    /// The same of those that the code may name.
    pub(super) fn accessible_type(&self, name: &str, arity: usize) -> Option<Type> {
        self.type_among(name, arity, &|type_| self.may_name(type_))
    }

    /// Whether a type is public or of the code's own assembly.
    fn may_name(&self, type_: &Type) -> bool {
        const VISIBILITY: u32 = 7;
        const PUBLIC: u32 = 1;
        const NESTED_PUBLIC: u32 = 2;
        self.types.definition(type_).is_none_or(|definition| {
            let is_own = self.scope.assembly.as_ref().is_some_and(|own| is_same_file(own, &definition.assembly));
            is_own || matches!(definition.view().flags() & VISIBILITY, PUBLIC | NESTED_PUBLIC)
        })
    }

    fn type_among(&self, name: &str, arity: usize, is_meant: &dyn Fn(&Type) -> bool) -> Option<Type> {
        let open = |full: &str| self.open(full, arity).filter(is_meant);
        if arity == 0
            && let Some((_, type_)) = self.scope.type_parameters.iter().find(|(other, _)| other == name)
        {
            return Some(type_.clone());
        }
        for type_ in &self.scope.enclosing {
            if arity == 0 && type_.name().is_some_and(|full| simple(full) == name && !is_generic(full)) {
                return Some(type_.clone());
            }
            for base in self.types.chain(type_) {
                if let Some(found) = self.nested_open(&base, name, arity) {
                    return Some(found);
                }
            }
        }
        for namespace in self.namespaces_around() {
            if let Some(found) = open(&format!("{namespace}.{name}")) {
                return Some(found);
            }
        }
        if let Some(found) = open(name) {
            return Some(found);
        }
        for imports in &self.scope.imports {
            let alias = imports.aliases.iter().find(|(alias, _)| alias == name && arity == 0);
            if let Some((_, crate::world::Alias::Type(type_))) = alias {
                return Some(type_.clone());
            }
            let mut namespaces = imports.namespaces.iter().filter(|it| !it.is_empty());
            if let Some(found) = namespaces.find_map(|it| open(&format!("{it}.{name}"))) {
                return Some(found);
            }
            if let Some(found) = imports.types.iter().find_map(|type_| self.nested_open(type_, name, arity)) {
                return Some(found);
            }
        }
        // the type itself by its bare name, where no other type has that
        let mut own = self.scope.enclosing.iter().filter(|_| arity == 0);
        if let Some(own) = own.find(|type_| type_.name().is_some_and(|full| simple(full) == name)) {
            return Some(own.clone());
        }
        USUAL.iter().find_map(|namespace| open(&format!("{namespace}.{name}")))
    }

    /// The namespace of the code, then those that it lies in.
    pub(super) fn namespaces_around(&self) -> impl Iterator<Item = String> {
        let outermost = self.scope.enclosing.last().and_then(Type::name).unwrap_or_default();
        let outermost = outermost.split('+').next().unwrap_or_default();
        let own = outermost.rsplit_once('.').map(|(namespace, _)| namespace.to_owned());
        std::iter::successors(own, |it| it.rsplit_once('.').map(|(outer, _)| outer.to_owned()))
    }

    fn nested_open(&self, outer: &Type, name: &str, arity: usize) -> Option<Type> {
        let outer_name = outer.name()?;
        let full = if arity == 0 { format!("{outer_name}+{name}") } else { format!("{outer_name}+{name}`{arity}") };
        self.types.find(&full)?;
        let Type::Named(mut named) = open_type(&full) else { return None };
        named.arguments = outer.arguments().to_vec();
        Some(Type::Named(named))
    }

    pub(super) fn nested_type(&self, outer: &Type, name: &str, arguments: &[Type]) -> Option<Type> {
        let chain = self.types.chain(outer);
        let open = chain.iter().find_map(|type_| self.nested_open(type_, name, arguments.len()))?;
        Some(with_arguments(open, arguments.to_vec()))
    }
}

fn open_type(name: &str) -> Type {
    Type::Named(crate::types::Named {
        name: name.into(),
        arguments: Vec::new(),
        names: Default::default(),
        parameter: None,
    })
}

/// Whether the last of nested types has parameters of its own.
fn is_generic(full: &str) -> bool {
    full.rsplit(['.', '+']).next().is_some_and(|last| last.contains('`'))
}

/// The last name in a metadata name, without the number of parameters.
fn simple(full: &str) -> &str {
    let last = full.rsplit(['.', '+']).next().unwrap_or(full);
    last.split('`').next().unwrap_or(last)
}

impl Binder<'_> {
    /// With the full name of a type that the file does not import.
    pub(super) fn with_full_name(&self, error: BindError) -> BindError {
        let error = self.without_unknown(error);
        let BindError::Compiler { code: code @ "CS0246", message, at } = error else { return error };
        let name = message.split('\'').nth(1).unwrap_or_default();
        let message = match self.types.named(name).as_slice() {
            [] => message,
            [only] => format!("{message}; write the full name, {only}"),
            [first, second, ..] => format!("{message}; write the full name, {first} or {second}"),
        };
        BindError::Compiler { code, message, at }
    }
}

fn not_found(name: &str) -> String {
    format!(
        "The type or namespace name '{name}' could not be found (are you missing a using directive or an assembly reference?)"
    )
}
