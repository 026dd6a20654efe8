//! What an expression makes: objects, arrays, collections, tuples.

use std::sync::Arc;

use crate::bound::{Bound, Kind};
use crate::syntax::{Argument, Element, Expr, ExprKind, Field, Initializer, Span};
use crate::types::{Method, MethodRef, Type};

use super::arguments::Given;
use super::missing::{ACCESS, PUBLIC};
use super::{Binder, Group, Result, error, unsupported};

/// What has a collection initializer.
const SEQUENCE: &str = "System.Collections.IEnumerable";

impl Binder<'_> {
    pub(super) fn tuple(&mut self, expr: &Expr, elements: &[Argument]) -> Result<Bound> {
        if elements.len() < 2 {
            return error("CS8124", "Tuple must contain at least two elements.", &expr.span);
        }
        let item = |binder: &mut Self, element: &Argument| {
            let value = binder.value(&element.value)?;
            match element.value.kind {
                // one whose arms have no common type takes it from the tuple that is wanted
                ExprKind::Switch { .. } => Ok(binder.settled(value.clone()).unwrap_or(value)),
                _ => Ok(value),
            }
        };
        let items = elements.iter().map(|element| item(self, element)).collect::<Result<Vec<_>>>()?;
        // what has no type by itself takes it from the tuple that is wanted
        if items.iter().any(|item| matches!(item.type_, Type::Untyped | Type::Null)) {
            return Ok(self.untyped(expr));
        }
        let names = element_names(elements)?;
        let type_ = Type::tuple(items.iter().map(|item| item.type_.clone()).collect(), names);
        Ok(Bound::new(Kind::Tuple(items), type_, expr.span.clone()))
    }

    pub(super) fn anonymous(&mut self, members: &[(Option<String>, Expr)], span: &Span) -> Result<Bound> {
        let mut bound = Vec::new();
        for (name, value) in members {
            let Some(name) = name.clone().or_else(|| implied_name(value)) else {
                return error(
                    "CS0746",
                    "Invalid anonymous type member declarator. Anonymous type members must be declared with a member assignment, simple name or member access.",
                    span,
                );
            };
            let value = self.value(value)?;
            let value = self.settled(value)?;
            if value.type_ == Type::Null || value.type_.is_void() {
                let words = format!("Cannot assign '{}' to anonymous type property", value.type_.short());
                return error("CS0828", words, span);
            }
            if bound.iter().any(|(known, _): &(String, Bound)| *known == name) {
                return error("CS0833", "An anonymous type cannot have multiple properties with the same name", span);
            }
            bound.push((name, value));
        }
        let type_ = Type::anonymous(bound.iter().map(|(name, value)| (name.clone(), value.type_.clone())).collect());
        Ok(Bound::new(Kind::Anonymous(bound.into_iter().map(|(_, value)| value).collect()), type_, span.clone()))
    }

    pub(super) fn new_object(
        &mut self,
        type_: &Type,
        arguments: &[Argument],
        initializer: Option<&Initializer>,
        span: &Span,
    ) -> Result<Bound> {
        const ABSTRACT: u32 = 0x80;
        let Some(definition) = self.types.definition(type_) else {
            return unsupported(format!("an object of type '{}' cannot be created here", type_.short()));
        };
        if self.types.delegate(type_).is_some() {
            return match arguments {
                [Argument { value, .. }] => {
                    let value = self.value(value)?;
                    self.converted(value, type_)
                }
                _ => error("CS0149", "Method name expected", span),
            };
        }
        if definition.view().is_static() {
            return error("CS0712", format!("Cannot create an instance of the static class '{}'", type_.short()), span);
        }
        if definition.view().is_interface() || definition.view().flags() & ABSTRACT != 0 {
            return error(
                "CS0144",
                format!("Cannot create an instance of the abstract type or interface '{}'", type_.short()),
                span,
            );
        }
        let given = self.given(arguments)?;
        // `string` has one of a span, which a text converts to
        if let ([Given { value, .. }], true) = (given.as_slice(), *type_ == Type::STRING)
            && value.type_ == Type::STRING
        {
            return Ok(value.clone());
        }
        let methods = self.types.methods(&definition, ".ctor");
        let candidates: Vec<(Type, Arc<Method>)> =
            methods.iter().filter(|it| !it.is_static).map(|it| (type_.clone(), it.clone())).collect();
        let (constructor, arguments) = if given.is_empty()
            && self.types.is_value_type(type_)
            && !candidates.iter().any(|(_, it)| it.parameters.is_empty())
        {
            if initializer.is_none() {
                return Ok(self.default_of(type_, span));
            }
            (None, Vec::new())
        } else {
            match self.choose(&candidates, &[], &given, span)? {
                Some(fit) => {
                    let passed = self.passed(&fit, &given, span)?;
                    (Some(fit.method), passed)
                }
                None => return self.no_constructor(type_, &candidates, &given, span),
            }
        };
        let slot = self.slot();
        let made = Bound::new(Kind::Local(slot), type_.clone(), span.clone());
        let initializers = match initializer {
            Some(initializer) => self.initializers(&made, initializer, span)?,
            None => Vec::new(),
        };
        let kind = Kind::New { constructor, arguments, slot, initializers };
        Ok(Bound::new(kind, type_.clone(), span.clone()))
    }

    fn no_constructor<T>(
        &mut self,
        type_: &Type,
        candidates: &[(Type, Arc<Method>)],
        given: &[Given],
        span: &Span,
    ) -> Result<T> {
        use super::overloads::Unfit;
        // that of a record for its copies is nobody's to call
        let mut candidates = candidates.to_vec();
        candidates.retain(|(_, it)| !is_of_copies(it, type_));
        if let [(owner, method)] = candidates.as_slice()
            && let Err(Unfit::Missing(parameter)) = self.fit(owner, method, &[], given, false)?
        {
            let types: Vec<String> =
                method.parameters.iter().map(|it| it.type_.substitute(type_.arguments(), &[]).short()).collect();
            let name = type_.short();
            return error(
                "CS7036",
                format!(
                    "There is no argument given that corresponds to the required parameter '{parameter}' of '{name}.{name}({})'",
                    types.join(", ")
                ),
                span,
            );
        }
        for (owner, method) in &candidates {
            if let Err(Unfit::Type(at, wanted)) = self.fit(owner, method, &[], given, false)? {
                self.is_no_handler(given.get(at), &wanted)?;
                let from = given.get(at).map(|it| it.value.type_.clone()).unwrap_or(Type::Null);
                return error(
                    "CS1503",
                    format!("Argument {}: cannot convert from '{from}' to '{wanted}'", at + 1),
                    span,
                );
            }
        }
        error(
            "CS1729",
            format!("'{}' does not contain a constructor that takes {} arguments", type_.short(), given.len()),
            span,
        )
    }

    fn initializers(&mut self, of: &Bound, initializer: &Initializer, span: &Span) -> Result<Vec<Bound>> {
        match initializer {
            Initializer::Object(fields) => self.field_initializers(of, fields, span),
            Initializer::Collection(elements) => elements.iter().map(|element| self.added(of, element, span)).collect(),
        }
    }

    pub(super) fn field_initializers(&mut self, of: &Bound, fields: &[Field], span: &Span) -> Result<Vec<Bound>> {
        let mut bound = Vec::new();
        for field in fields {
            let outer = self.receiver.replace(of.clone());
            let target = match &field.target.kind {
                ExprKind::Name { name, .. } => match self.data_member(Some(of), &of.type_, &name.text, span)? {
                    Some(found) => Ok(found),
                    None => match self.block_property(of, &name.text, false, span)? {
                        Some(found) => Ok(found),
                        None => error("CS0117", self.no_member(&of.type_, &name.text, false), span),
                    },
                },
                _ => self.value(&field.target),
            };
            self.receiver = outer;
            let target = target?;
            match &field.value {
                Element::Value(_) if matches!(&target.kind, Kind::Property { property, .. } if property.property.setter.is_none() && property.property.field.is_none()) =>
                {
                    return error(
                        "CS0200",
                        format!("Property or indexer '{}' cannot be assigned to -- it is read only", of.type_.short()),
                        span,
                    );
                }
                Element::Value(value) => {
                    let value = self.value(value)?;
                    let value = self.converted(value, &target.type_)?;
                    if let Some(setter) = self.block_setter(&field.target, &target)? {
                        bound.push(self.written_by((&target, setter), None, value, false));
                        continue;
                    }
                    let type_ = target.type_.clone();
                    let kind = Kind::Assign { target: Box::new(target), value: Box::new(value) };
                    bound.push(Bound::new(kind, type_, span.clone()));
                }
                Element::List(elements) => {
                    for element in elements {
                        bound.push(self.added(&target, element, span)?);
                    }
                }
                Element::Object(fields) => bound.extend(self.field_initializers(&target, fields, span)?),
            }
        }
        Ok(bound)
    }

    /// `Add` with an element, or with a list of arguments.
    fn added(&mut self, to: &Bound, element: &Element, span: &Span) -> Result<Bound> {
        let values: Vec<&Expr> = match element {
            Element::Value(value) => vec![value],
            Element::List(elements) => elements
                .iter()
                .filter_map(|it| match it {
                    Element::Value(value) => Some(value),
                    _ => None,
                })
                .collect(),
            Element::Object(_) => return unsupported("a nested initializer is not supported here"),
        };
        let given = values.into_iter().map(|value| self.value(value).map(Given::value)).collect::<Result<Vec<_>>>()?;
        let group = Group {
            of: Some(to.clone()),
            type_: to.type_.clone(),
            name: "Add".into(),
            arguments: Vec::new(),
            span: span.clone(),
        };
        match self.call_if_fits(&group, &given)? {
            Some(call) => Ok(call),
            None => match self.methods_of(&to.type_, "Add").into_iter().next() {
                Some((owner, method)) => {
                    let best = super::overloads::signature(&MethodRef { owner, method, arguments: Vec::new() });
                    error(
                        "CS1950",
                        format!(
                            "The best overloaded Add method '{best}' for the collection initializer has some invalid arguments"
                        ),
                        span,
                    )
                }
                None if !self.types.is_a(&to.type_, &Type::named(SEQUENCE, Vec::new())) => {
                    let words = format!(
                        "Cannot initialize type '{}' with a collection initializer because it does not implement '{SEQUENCE}'",
                        to.type_.short()
                    );
                    error("CS1922", words, span)
                }
                None => error("CS1061", self.no_member(&to.type_, "Add", false), span),
            },
        }
    }
}

/// Of a tuple's elements: as written, else the value's own, unless it is reserved or another element has it.
fn element_names(elements: &[Argument]) -> Result<Vec<Option<String>>> {
    let implied = |element: &Argument| implied_name(&element.value).filter(|name| reserved(name).is_none());
    let all: Vec<Option<String>> =
        elements.iter().map(|element| element.name.clone().or_else(|| implied(element))).collect();
    let is_alone = |name: &Option<String>| all.iter().filter(|other| *other == name).count() == 1;
    let mut names = Vec::with_capacity(all.len());
    for (at, (element, name)) in elements.iter().zip(&all).enumerate() {
        let Some(written) = &element.name else {
            names.push(name.clone().filter(|_| is_alone(name)));
            continue;
        };
        let span = &element.value.span;
        match reserved(written) {
            Some(0) => {
                let words = format!("Tuple element name '{written}' is disallowed at any position.");
                return error("CS8126", words, span);
            }
            Some(position) if position != at + 1 => {
                let words = format!("Tuple element name '{written}' is only allowed at position {position}.");
                return error("CS8125", words, span);
            }
            _ => {}
        }
        if elements.iter().filter(|other| other.name.as_ref() == Some(written)).count() > 1 {
            return error("CS8127", "Tuple element names must be unique.", span);
        }
        names.push(name.clone());
    }
    Ok(names)
}

/// The only position of a tuple, from 1, at which an element may have this name; 0: none.
fn reserved(name: &str) -> Option<usize> {
    if ["CompareTo", "Deconstruct", "Equals", "GetHashCode", "Rest", "ToString"].contains(&name) {
        return Some(0);
    }
    let position = name.strip_prefix("Item")?.parse().ok().filter(|position| *position > 0)?;
    (format!("Item{position}") == name).then_some(position)
}

/// The name that a member gets which has none: that of the value.
fn implied_name(value: &Expr) -> Option<String> {
    match &value.kind {
        ExprKind::Name { alias: None, name } | ExprKind::MemberAccess { name, .. } => Some(name.text.clone()),
        ExprKind::ConditionalAccess { then, .. } => implied_name(then),
        _ => None,
    }
}

/// Whether a constructor is the one that a record is copied by: `protected`, of a sealed one `private`.
fn is_of_copies(constructor: &Method, type_: &Type) -> bool {
    let taken: Vec<&Type> = constructor.parameters.iter().map(|it| &it.type_).collect();
    let of_own = matches!(taken.as_slice(), [only] if only.substitute(type_.arguments(), &[]) == *type_);
    of_own && constructor.flags & ACCESS != PUBLIC
}
