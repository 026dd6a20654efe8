//! Local functions: the compiler makes methods of them, and gives them what they capture.
//!
//! What is captured is in closures: the object that a method is called on, where a lambda shares it, or structs that a method gets by
//! reference behind the parameters of the source.

use clr_metadata::TypeId;
use clr_metadata::names::{is_display_class, local_function};

use super::arguments::Given;
use super::{Binder, Group, Result, unsupported};
use crate::bound::{Bound, Kind};
use crate::syntax::Span;
use crate::types::{Definition, Type};

impl Binder<'_> {
    /// The methods that the compiler made of local functions of that name in the method of the code, in the type itself and in its
    /// closures, where a lambda shares what a function captures; the type's own first.
    fn local_functions(&self, definition: &Definition, name: &str) -> Vec<(TypeId, String)> {
        let Some(around) = &self.scope.written_in else { return Vec::new() };
        let start = format!("<{around}>g__{name}|");
        let assembly = &definition.assembly;
        let closures = definition.view().nested_types().into_iter();
        let closures = closures.filter(|&id| is_display_class(assembly.type_(id).name()));
        let holders = std::iter::once(definition.id).chain(closures);
        let methods = holders.flat_map(|id| assembly.type_(id).methods().map(move |method| (id, method)));
        let named = methods.map(|(id, method)| (id, assembly.method(method).name()));
        named.filter(|(_, it)| it.starts_with(&start)).map(|(id, it)| (id, it.to_owned())).collect()
    }

    /// The method of a local function, with what it is called on. `None`: there is none of that name.
    pub(super) fn local_function(&mut self, name: &str, arguments: &[Type], span: &Span) -> Option<Result<Group>> {
        let own = self.scope.enclosing.first()?.clone();
        let definition = self.types.definition(&own)?;
        let named = self.local_functions(&definition, name);
        if named.is_empty() {
            return None;
        }
        let mut found = Vec::new();
        for (holder, method) in named {
            let (of, type_) = match holder == definition.id {
                true => (self.this(span).ok(), own.clone()),
                false => match self.closure(&definition.assembly.type_(holder).full_name(), span) {
                    Some(closure) => (Some(closure.clone()), closure.type_),
                    None => continue,
                },
            };
            let arguments = self.with_outer(&type_, &method, arguments);
            let group = Group { of, type_, name: method, arguments, span: span.clone() };
            if self.captured_parameters(&group).iter().all(|needed| self.closure(needed, span).is_some()) {
                found.push(group);
            }
        }
        Some(match <[_; 1]>::try_from(found) {
            Ok([one]) => Ok(one),
            Err(none) if none.is_empty() => {
                unsupported(format!("'{name}' is a local function whose captured variables cannot be reached here"))
            }
            Err(_) => unsupported(format!("several local functions are called '{name}' here")),
        })
    }

    /// The type arguments of a local function's method, which has the type parameters of the methods around it ahead of its own: those
    /// stand for the same here as there. What is not written and the parameters name is inferred.
    fn with_outer(&self, type_: &Type, name: &str, written: &[Type]) -> Vec<Type> {
        let methods = self.methods_of(type_, name);
        let [(_, method)] = methods.as_slice() else { return written.to_vec() };
        let own = self.scope.enclosing.first().map_or(0, |type_| type_.arguments().len());
        let around = self.scope.type_parameters.get(own..).unwrap_or_default().iter().map(|(_, argument)| argument);
        let open: Vec<Type> = (0..).map(Type::MethodParameter).take(method.generic).collect();
        let is_named = |at: usize| {
            let mut other = open.clone();
            other.splice(at..=at, [Type::VOID]);
            method.parameters.iter().any(|it| it.type_.substitute(&[], &other) != it.type_)
        };
        let outer = match written.len() {
            0 if (0..method.generic).all(is_named) => return Vec::new(),
            0 => method.generic,
            count => method.generic.saturating_sub(count),
        };
        let outer: Vec<Type> = around.take(outer).cloned().collect();
        if outer.len() + written.len() == method.generic { [&outer, written].concat() } else { written.to_vec() }
    }

    /// The closures that a local function has parameters for, behind those of the source.
    fn captured_parameters(&self, group: &Group) -> Vec<String> {
        if local_function(&group.name).is_none() {
            return Vec::new();
        }
        let methods = self.methods_of(&group.type_, &group.name).into_iter();
        let names = methods.flat_map(|(_, method)| method.parameters.clone()).map(|parameter| parameter.name);
        names.filter(|name| is_display_class(name)).collect()
    }

    /// What a local function is given besides what is written.
    pub(super) fn captured_arguments(&self, group: &Group) -> Vec<Given> {
        let needed = self.captured_parameters(group).into_iter();
        let given = |name: String| {
            let value = Given::value(self.closure(&name, &group.span)?);
            Some(Given { name: Some(name), ..value })
        };
        needed.filter_map(given).collect()
    }

    fn closure(&self, type_name: &str, span: &Span) -> Option<Bound> {
        let (position, type_) = self.variable(type_name)?;
        Some(Bound::new(Kind::Variable(position), type_, span.clone()))
    }
}
