//! Simple names, in C#'s order: of the expression itself, variables, members of the types around, types, namespaces.

use crate::bound::{Bound, Kind};
use crate::constant::Constant;
use crate::syntax::{Name, Span};
use crate::types::Type;

use super::access::{needs_object, no_object};
use super::{Binder, Group, Meaning, Result, error};

impl Binder<'_> {
    pub(super) fn variable(&self, name: &str) -> Option<(usize, Type)> {
        let position = self.scope.variables.iter().position(|it| it.name == name)?;
        let type_ = self.scope.variables.get(position)?.type_.clone().unwrap_or(Type::Late);
        Some((position, type_))
    }

    pub(super) fn name(&mut self, alias: Option<&str>, name: &Name, span: &Span) -> Result<Meaning> {
        if let Some(alias) = alias {
            return self.aliased(alias, name, span);
        }
        let text = name.text.as_str();
        if name.types.is_empty()
            && let Some(value) = self.simple_value(text, span)
        {
            return Ok(match self.type_called(text, 0) {
                Some(type_) if value.type_ == type_ => Meaning::Both(value, type_),
                _ => Meaning::Value(value),
            });
        }
        let arguments = name.types.iter().map(|it| self.type_as_written(it)).collect::<Result<Vec<_>>>()?;
        if let Some(found) = self.member_around(text, &arguments, span)? {
            for argument in &arguments {
                self.refuse_unknown(argument)?;
            }
            return Ok(match (found, self.type_called(text, 0)) {
                (Meaning::Value(value), Some(type_)) if value.type_ == type_ => Meaning::Both(value, type_),
                (found, _) => found,
            });
        }
        if let Some(type_) = self.accessible_type(text, arguments.len()) {
            return Ok(Meaning::Type(super::type_names::with_arguments(type_, arguments)));
        }
        for imports in &self.scope.imports {
            for (alias, meaning) in &imports.aliases {
                if alias == text {
                    return Ok(match meaning {
                        crate::world::Alias::Namespace(name) => Meaning::Namespace(name.clone()),
                        crate::world::Alias::Type(type_) => Meaning::Type(type_.clone()),
                    });
                }
            }
        }
        if arguments.is_empty() && self.types.is_namespace(text) {
            return Ok(Meaning::Namespace(text.to_owned()));
        }
        if let Some(found) = self.local_function(text, &arguments, span) {
            return found.map(Meaning::Methods);
        }
        if matches!(text, "nint" | "nuint" | "dynamic") && arguments.is_empty() {
            return self.keyword(text, span).map(Meaning::Type);
        }
        if arguments.is_empty()
            && let Some(found) = self.beside(text)
        {
            return Ok(found);
        }
        // `using static`
        for imports in &self.scope.imports {
            for type_ in &imports.types {
                if let Some(found) = self.static_member(type_, text, &arguments, span)? {
                    return Ok(found);
                }
            }
        }
        if let Some(type_) = self.type_called(text, arguments.len()) {
            return Ok(Meaning::Type(super::type_names::with_arguments(type_, arguments)));
        }
        if let Some(problem) = self.other_arity(text, arguments.len()) {
            return error("CS0305", problem, span);
        }
        error("CS0103", format!("The name '{text}' does not exist in the current context"), span)
    }

    fn simple_value(&mut self, name: &str, span: &Span) -> Option<Bound> {
        for (at, local) in self.locals.iter().enumerate().rev() {
            let own = Bound::new(Kind::Local(local.slot), local.type_.clone(), span.clone());
            if local.name == name {
                let is_shared = matches!(&self.shared, Some((begin, _)) if at >= *begin);
                if at < self.lambda_begin && !is_shared && !self.captured.contains(&local.slot) {
                    self.captured.push(local.slot);
                }
                return Some(own);
            }
            if local.name == super::queries::RANGE && own.type_.element_names().iter().flatten().any(|it| it == name) {
                return self.tuple_element(&own, name, span);
            }
        }
        if let Some((position, type_)) = self.variable(name) {
            return Some(Bound::new(Kind::Variable(position), type_, span.clone()));
        }
        let (_, type_, constant) = self.scope.constants.iter().find(|(other, ..)| other == name)?;
        Some(Bound::new(Kind::Constant(constant.clone()), type_.clone(), span.clone()))
    }

    /// Of the type that the code is in, through `this` too, then of those around it.
    fn member_around(&mut self, name: &str, arguments: &[Type], span: &Span) -> Result<Option<Meaning>> {
        let this = self.this(span).ok();
        for (at, type_) in self.scope.enclosing.iter().enumerate() {
            let of = this.as_ref().filter(|_| at == 0).cloned();
            if arguments.is_empty()
                && let Some(found) = self.data_member(of.as_ref(), type_, name, span)?
            {
                // it has the name of its type, which is meant where there is no object (C# 12.8.7.2)
                if needs_object(&found)
                    && let Some(type_) = self.type_called(name, 0).filter(|type_| *type_ == found.type_)
                {
                    return Ok(Some(Meaning::Type(type_)));
                }
                return match needs_object(&found) {
                    true if at == 0 && self.lacks_this() => {
                        self.without_this(&format!("`{name}` needs an object that is not available here"))
                    }
                    true => error("CS0120", no_object(type_, name), span),
                    false => Ok(Some(Meaning::Value(found))),
                };
            }
            if self.has_method(type_, name) {
                let group = Group {
                    of,
                    type_: type_.clone(),
                    name: name.to_owned(),
                    arguments: arguments.to_vec(),
                    span: span.clone(),
                };
                return Ok(Some(Meaning::Methods(group)));
            }
        }
        // of what `this` is when it runs
        let Some(this) = this.filter(|this| !self.types.is_sealed(&this.type_) && arguments.is_empty()) else {
            return Ok(None);
        };
        let is_elsewhere =
            self.type_called(name, 0).is_some() || self.types.is_namespace(name) || self.is_imported(name);
        Ok((this.is_late() && !is_elsewhere).then(|| Meaning::Value(self.late_member(this, name, span, None))))
    }

    fn is_imported(&self, name: &str) -> bool {
        let mut types = self.scope.imports.iter().flat_map(|imports| &imports.types);
        types.any(|type_| self.has_member(type_, name))
    }

    pub(super) fn static_member(
        &mut self,
        type_: &Type,
        name: &str,
        arguments: &[Type],
        span: &Span,
    ) -> Result<Option<Meaning>> {
        if arguments.is_empty()
            && let Some(found) = self.data_member(None, type_, name, span)?
        {
            return Ok(Some(Meaning::Value(found)));
        }
        if self.has_method(type_, name) {
            return Ok(Some(Meaning::Methods(Group {
                of: None,
                type_: type_.clone(),
                name: name.to_owned(),
                arguments: arguments.to_vec(),
                span: span.clone(),
            })));
        }
        Ok(self.nested_type(type_, name, arguments).map(Meaning::Type))
    }

    /// The last name in what is written.
    pub(super) fn name_of(&mut self, expr: &crate::syntax::Expr) -> Result<String> {
        use crate::syntax::ExprKind;
        let name = match &expr.kind {
            ExprKind::Name { name, .. } | ExprKind::MemberAccess { name, .. } => name.text.clone(),
            _ => return error("CS8081", "Expression does not have a name.", &expr.span),
        };
        // it must exist, though it is not evaluated; an instance member may be named through its type
        let outer = std::mem::replace(&mut self.is_name_only, true);
        let meaning = self.meaning(expr);
        self.is_name_only = outer;
        if let Err(problem) = meaning
            && !matches!(&problem, super::BindError::Compiler { code: "CS0120", .. })
        {
            return Err(problem);
        }
        Ok(name)
    }

    pub(super) fn constant_of(&self, field: &crate::types::FieldRef) -> Option<Constant> {
        let value = field.field.constant.as_ref()?;
        super::constants::constant(value, &field.type_(), self.types)
    }
}
