//! Members, elements, and what stands behind a `?`.

use clr_metadata::names::local_function;

use crate::bound::{Bound, Kind};
use crate::syntax::{Argument, Expr, ExprKind, Name, Span};
use crate::types::{FieldRef, PropertyRef, Type};

use super::{BindError, Binder, Group, Meaning, Result, error, unsupported};

impl Binder<'_> {
    pub(super) fn member_access(&mut self, expr: &Expr, of: &Expr, name: &Name) -> Result<Meaning> {
        let arguments = name.types.iter().map(|it| self.type_(it)).collect::<Result<Vec<_>>>()?;
        let text = name.text.as_str();
        let span = &expr.span;
        if of.kind == ExprKind::Base {
            return self.base_member(text, arguments, span);
        }
        match self.meaning(of)? {
            Meaning::Namespace(namespace) => match self.in_namespace(&namespace, text, arguments) {
                Some(found) => Ok(found),
                None => error(
                    "CS0234",
                    format!(
                        "The type or namespace name '{text}' does not exist in the namespace '{namespace}' (are you missing an assembly reference?)"
                    ),
                    span,
                ),
            },
            Meaning::Type(type_) => {
                // of the code's own type the code says which one is meant
                if !self.scope.enclosing.contains(&type_) {
                    self.refuse_unknown(&type_)?;
                }
                if let ExprKind::Name { name: parameter, .. } = &of.kind
                    && self.scope.type_parameters.iter().any(|(own, _)| *own == parameter.text)
                    && let Some(found) = self.static_of_bounds(&type_, text, &arguments, span)?
                {
                    return Ok(found);
                }
                self.type_member(&type_, text, &arguments, span)
            }
            Meaning::Value(bound) => self.value_member(bound, text, arguments, span),
            // an instance member if there is one
            Meaning::Both(bound, type_) => match self.value_member(bound, text, arguments.clone(), span) {
                Ok(Meaning::Value(found)) if !matches!(found.kind, Kind::Late { .. }) => Ok(Meaning::Value(found)),
                Ok(found @ Meaning::Methods(_)) if !self.is_static_method(&type_, text) => Ok(found),
                other => self.type_member(&type_, text, &arguments, span).or(other),
            },
            Meaning::Methods(group) => error(
                "CS0119",
                format!("'{}' is a method, which is not valid in the given context", group.text()),
                span,
            ),
        }
    }

    /// A static member of an interface that a type parameter is bound to, as what stands for the parameter implements it: by itself, or
    /// else the interface does.
    fn static_of_bounds(
        &mut self,
        type_: &Type,
        name: &str,
        arguments: &[Type],
        span: &Span,
    ) -> Result<Option<Meaning>> {
        let bounds = self.scope.bounds.iter().filter(|(own, _)| own == type_).flat_map(|(_, bounds)| bounds);
        let interfaces = bounds.flat_map(|bound| std::iter::once(bound.clone()).chain(self.types.interfaces(bound)));
        let declares = |it: &Type| {
            self.types.definition(it).is_some_and(|definition| {
                let properties = self.types.properties(&definition);
                self.types.is_interface(it)
                    && (self.types.methods(&definition, name).iter().any(|it| it.is_static)
                        || properties.iter().any(|it| it.is_static && it.name == name))
            })
        };
        let Some(interface) = { interfaces }.find(declares) else { return Ok(None) };
        if let Some((place, explicit)) = self.types.explicit(type_, &interface, name) {
            return self.static_member(&place, &explicit, arguments, span);
        }
        match self.static_member(type_, name, arguments, span)? {
            Some(Meaning::Value(found)) => Ok(Some(Meaning::Value(self.implemented(type_, found)))),
            Some(found) => Ok(Some(found)),
            None => self.static_member(&interface, name, arguments, span),
        }
    }

    fn is_static_method(&self, type_: &Type, name: &str) -> bool {
        let methods = self.methods_of(type_, name);
        !methods.is_empty() && methods.iter().all(|(_, method)| method.is_static)
    }

    fn type_member(&mut self, type_: &Type, name: &str, arguments: &[Type], span: &Span) -> Result<Meaning> {
        match self.static_member(type_, name, arguments, span)? {
            Some(Meaning::Value(found)) if needs_object(&found) => error("CS0120", no_object(type_, name), span),
            Some(found) => Ok(found),
            None => {
                let receiver = Bound::new(Kind::Default, type_.clone(), span.clone());
                if let Some(found) = self.block_property(&receiver, name, true, span)? {
                    return Ok(Meaning::Value(found));
                }
                if !self.members_of_blocks(name, true).is_empty() {
                    let (type_, name, arguments) = (type_.clone(), name.to_owned(), arguments.to_vec());
                    return Ok(Meaning::Methods(Group { of: None, type_, name, arguments, span: span.clone() }));
                }
                if let Some(error) = self.misplaced(&receiver, name, true, span)? {
                    return Err(error);
                }
                error("CS0117", self.no_member(type_, name, true), span)
            }
        }
    }

    pub(super) fn value_member(&mut self, of: Bound, name: &str, arguments: Vec<Type>, span: &Span) -> Result<Meaning> {
        let of = self.settled(of)?;
        let of = if ["Length", "ToArray"].contains(&name) { of } else { self.span_of_bytes(of)? };
        if of.type_ == Type::Null {
            return error("CS0023", "Operator '.' cannot be applied to operand of type '<null>'", span);
        }
        if of.type_.is_void() {
            return error("CS0023", "Operator '.' cannot be applied to operand of type 'void'", span);
        }
        if of.is_late() {
            return Ok(Meaning::Value(self.late_member(of, name, span, None)));
        }
        if let Type::Pointer(_) = of.type_ {
            return error("CS0023", format!("Operator '.' cannot be applied to operand of type '{}'", of.type_), span);
        }
        let of = self.explicitly(&of, name)?.unwrap_or(of);
        let type_ = of.type_.clone();
        if arguments.is_empty()
            && let Some(found) = self.data_member(Some(&of), &type_, name, span)?
        {
            if let Some(data) = self.find_data(&type_, name).filter(|it| it.is_static() && !self.is_name_only) {
                return error("CS0176", needed_type(&format!("{}.{name}", data.owner().short())), span);
            }
            return Ok(Meaning::Value(found));
        }
        let has_method = self.has_method(&type_, name);
        if !has_method && let Some(of) = self.bounded(&of, name)? {
            return self.value_member(of, name, arguments, span);
        }
        let group =
            Group { of: Some(of.clone()), type_: type_.clone(), name: name.to_owned(), arguments, span: span.clone() };
        let is_extension = !has_method && !self.extensions(name).is_empty();
        if has_method || is_extension && self.is_extended(&of, name) {
            return Ok(Meaning::Methods(group));
        }
        if group.arguments.is_empty()
            && let Some(found) = self.block_property(&of, name, false, span)?
        {
            return match self.is_name_only {
                true => error("CS9316", "Extension members are not allowed as an argument to 'nameof'.", span),
                false => Ok(Meaning::Value(found)),
            };
        }
        // what is there for types alone is refused by the call
        if is_extension || !self.members_of_blocks(name, true).is_empty() {
            return Ok(Meaning::Methods(group));
        }
        let error = match self.misplaced(&of, name, false, span)? {
            Some(error) => error,
            None => {
                BindError::Compiler { code: "CS1061", message: self.no_member(&type_, name, false), at: span.start }
            }
        };
        if self.may_be_more(&of) {
            return Ok(Meaning::Value(self.late_member(of, name, span, Some(error))));
        }
        Err(error)
    }

    /// As what a type parameter is bound to, where only that has the member, as an interface has that implements it itself.
    fn bounded(&mut self, of: &Bound, name: &str) -> Result<Option<Bound>> {
        let bounds = self.scope.bounds.iter().filter(|(type_, _)| *type_ == of.type_).flat_map(|(_, bounds)| bounds);
        match bounds.into_iter().find(|bound| **bound != of.type_ && self.has_member(bound, name)) {
            Some(bound) => self.implicit(of.clone(), bound),
            None => Ok(None),
        }
    }

    pub(super) fn has_member(&self, type_: &Type, name: &str) -> bool {
        self.has_method(type_, name) || self.find_data(type_, name).is_some()
    }

    pub(super) fn has_method(&self, type_: &Type, name: &str) -> bool {
        !self.methods_of(type_, name).is_empty()
    }

    /// A field or property; `of` is used where it needs an object.
    pub(super) fn data_member(
        &mut self,
        of: Option<&Bound>,
        type_: &Type,
        name: &str,
        span: &Span,
    ) -> Result<Option<Bound>> {
        if let Some(found) = of.and_then(|of| self.tuple_element(of, name, span)) {
            return Ok(Some(found));
        }
        let bound = |kind, type_| Some(Bound::new(kind, type_, span.clone()));
        Ok(match self.find_data(type_, name) {
            Some(Data::Field(field)) => {
                if let Some(constant) = self.constant_of(&field) {
                    let type_ = field.type_();
                    return Ok(bound(Kind::Constant(constant), type_));
                }
                // the runtime reads a string whole, or not at all
                if field.owner == Type::STRING && !field.field.is_static {
                    return unsupported(format!(
                        "`{name}` of a string is not read as a field: `Length` is its length, `[0]` its first character"
                    ));
                }
                let type_ = field.type_();
                let of = of.filter(|_| !field.field.is_static).cloned().map(Box::new);
                bound(Kind::Field { of, field }, type_)
            }
            Some(Data::Property(property)) => {
                let type_ = match property.type_() {
                    Type::ByRef(inner) => *inner,
                    other => other,
                };
                let of = of.filter(|_| !property.property.is_static).cloned().map(Box::new);
                bound(Kind::Property { of, property, arguments: Vec::new() }, type_)
            }
            None => None,
        })
    }

    /// Of the nearest type that declares one, if that is no method.
    fn find_data(&self, type_: &Type, name: &str) -> Option<Data> {
        // what a primary constructor captures
        let captured = format!("<{name}>P");
        for place in self.places(type_) {
            let Some(definition) = self.types.definition(&place) else { continue };
            let fields = self.types.fields(&definition);
            if let Some(field) = fields.iter().find(|field| field.name == name || field.name == captured) {
                return Some(Data::Field(FieldRef { owner: place, field: field.clone() }));
            }
            let properties = self.types.properties(&definition);
            if let Some(property) = properties.iter().find(|it| it.name == name && !it.is_indexer()) {
                return Some(Data::Property(PropertyRef { owner: place, property: property.clone() }));
            }
            if !self.types.methods(&definition, name).is_empty() {
                return None;
            }
        }
        None
    }

    /// By the name that it was given, or by its number behind the seventh.
    pub(super) fn tuple_element(&self, of: &Bound, name: &str, span: &Span) -> Option<Bound> {
        if of.type_.is(crate::types::ANONYMOUS) {
            let at = of.type_.element_names().iter().position(|own| own.as_deref() == Some(name))?;
            let type_ = of.type_.arguments().get(at)?.clone();
            return Some(Bound::new(Kind::Item { of: Box::new(of.clone()), at }, type_, span.clone()));
        }
        let elements = of.type_.elements()?;
        let named = of.type_.element_names().iter().position(|own| own.as_deref() == Some(name));
        let numbered = || name.strip_prefix("Item")?.parse::<usize>().ok()?.checked_sub(1);
        let at = named.or_else(numbered).filter(|at| *at < elements.len())?;
        let mut holder = of.clone();
        let mut rest = at;
        while rest >= 7 {
            holder = self.tuple_field(holder, "Rest", span)?;
            rest -= 7;
        }
        self.tuple_field(holder, &format!("Item{}", rest + 1), span)
    }

    fn tuple_field(&self, of: Bound, name: &str, span: &Span) -> Option<Bound> {
        let definition = self.types.definition(&of.type_)?;
        let field = self.types.fields(&definition).iter().find(|field| field.name == name)?.clone();
        let field = FieldRef { owner: of.type_.clone(), field };
        let type_ = field.type_();
        Some(Bound::new(Kind::Field { of: Some(Box::new(of)), field }, type_, span.clone()))
    }

    pub(super) fn element_access(&mut self, expr: &Expr, of: &Expr, arguments: &[Argument]) -> Result<Bound> {
        if of.kind == ExprKind::Base {
            return self.base_element(expr, arguments);
        }
        let of = self.value(of)?;
        let of = self.settled(of)?;
        self.element_of(expr, of, arguments)
    }

    pub(super) fn element_of(&mut self, expr: &Expr, of: Bound, arguments: &[Argument]) -> Result<Bound> {
        let span = &expr.span;
        if of.is_late() {
            return self.late_element(expr, of, arguments, None);
        }
        let is_range = arguments.iter().any(|it| matches!(it.value.kind, ExprKind::Range { .. }));
        let of = if is_range { self.span_of_bytes(of)? } else { of };
        if let Some(array) = self.types.inline_array(&of.type_) {
            return self.inline_element(of, array, arguments, span);
        }
        if let Type::Array { of: element, rank } = &of.type_ {
            if arguments.len() != *rank as usize {
                return error("CS0022", format!("Wrong number of indices inside []; expected {rank}"), span);
            }
            let element = (**element).clone();
            return self.array_element(of, element, arguments, span);
        }
        if let Type::Pointer(_) = of.type_ {
            return super::unsafe_code("[]");
        }
        let property = self.indexers(&of.type_);
        if let Some(found) = self.chosen_indexer(&of, &property, arguments, span)? {
            return Ok(found);
        }
        let problem = if property.is_empty() {
            error(
                "CS0021",
                format!("Cannot apply indexing with [] to an expression of type '{}'", of.type_.short()),
                span,
            )
        } else {
            self.no_indexer(&property, arguments, span)
        };
        match problem {
            Err(problem) if self.may_be_more(&of) => self.late_element(expr, of, arguments, Some(problem)),
            problem => problem,
        }
    }

    fn array_element(&mut self, of: Bound, element: Type, arguments: &[Argument], span: &Span) -> Result<Bound> {
        let mut indices = Vec::new();
        let mut type_ = element;
        for argument in arguments {
            let index = self.value(&argument.value)?;
            if index.type_.is("System.Range") {
                type_ = of.type_.clone();
                indices.push(index);
            } else if index.type_.is("System.Index") {
                indices.push(index);
            } else {
                indices.push(self.index(index, span)?);
            }
        }
        Ok(Bound::new(Kind::Element { of: Box::new(of), indices }, type_, span.clone()))
    }

    /// To the first of `int`, `uint`, `long` and `ulong` that it converts to.
    fn index(&mut self, index: Bound, span: &Span) -> Result<Bound> {
        use clr_metadata::Primitive::{I4, I8, U4, U8};
        for primitive in [I4, U4, I8, U8] {
            if let Some(converted) = self.implicit(index.clone(), &Type::Primitive(primitive))? {
                return Ok(converted);
            }
        }
        error("CS0029", format!("Cannot implicitly convert type '{}' to 'int'", index.type_), span)
    }

    pub(super) fn conditional_access(&mut self, of: &Expr, then: &Expr, span: &Span) -> Result<Bound> {
        let of = self.value(of)?;
        let of = self.settled(of)?;
        let inner = of.type_.without_nullable().clone();
        let is_never_null = self.types.is_value_type(&of.type_) && !of.type_.is_nullable();
        if of.type_ == Type::Null || is_never_null && !self.is_of_parameter(&of.type_) {
            return error(
                "CS0023",
                format!("Operator '?' cannot be applied to operand of type '{}'", of.type_.short()),
                span,
            );
        }
        let slot = self.slot();
        let receiver = Bound::new(Kind::Local(slot), inner, of.span.clone());
        let outer = self.receiver.replace(receiver);
        let then = self.value(then);
        self.receiver = outer;
        let then = then?;
        let type_ = match &then.type_ {
            type_ if self.types.is_value_type(type_) && !type_.is_nullable() => Type::nullable(type_.clone()),
            other => other.clone(),
        };
        Ok(Bound::new(Kind::Maybe { of: Box::new(of), slot, then: Box::new(then) }, type_, span.clone()))
    }
}

enum Data {
    Field(FieldRef),
    Property(PropertyRef),
}

impl Data {
    fn is_static(&self) -> bool {
        match self {
            Self::Field(field) => field.field.is_static,
            Self::Property(property) => property.property.is_static,
        }
    }

    fn owner(&self) -> &Type {
        match self {
            Self::Field(field) => &field.owner,
            Self::Property(property) => &property.owner,
        }
    }
}

/// The compiler's words for [`needs_object`].
pub(super) fn no_object(type_: &Type, name: &str) -> String {
    needed_object(&format!("{}.{name}", type_.short()))
}

pub(super) fn needed_object(member: &str) -> String {
    format!("An object reference is required for the non-static field, method, or property '{member}'")
}

/// The compiler's words for a static member that is named on a value.
pub(super) fn needed_type(member: &str) -> String {
    format!("Member '{member}' cannot be accessed with an instance reference; qualify it with a type name instead")
}

/// Whether it is an instance member without an object.
pub(super) fn needs_object(bound: &Bound) -> bool {
    match &bound.kind {
        Kind::Field { of: None, field } => !field.field.is_static,
        Kind::Property { of: None, property, .. } => !property.property.is_static,
        _ => false,
    }
}

impl Group {
    /// `Order.Add`
    pub(super) fn text(&self) -> String {
        match local_function(&self.name) {
            Some(name) => name.to_owned(),
            None => format!("{}.{}", self.type_.short(), self.name),
        }
    }
}
