//! Patterns, of `is` and of `switch`.

use crate::bound::{Arm, Bound, Kind, Pattern, Slot};
use crate::syntax::{self, Expr, ExprKind, PatternKind, Property, Span, TypeName};
use crate::types::{Direction, Type};

use super::overloads::is_span_of_characters;
use super::{Binder, Meaning, Result, error};

/// The pattern, what stands behind `when`, and the value.
type BoundArm = (Pattern, Option<Bound>, Bound);

/// What is switched on, the slot that keeps it, and the arms.
type BoundSwitch = (Bound, Slot, Vec<BoundArm>);

impl Binder<'_> {
    pub(super) fn is(&mut self, of: &Expr, pattern: &syntax::Pattern, span: &Span) -> Result<Bound> {
        let of = self.value(of)?;
        let of = self.settled(of)?;
        // of a mere type the compiler only warns that it never holds
        let pattern = match self.type_alone(pattern)? {
            Some(type_) => Pattern::Type { type_, slot: None },
            None => self.pattern_of(pattern, &of)?,
        };
        Ok(Bound::new(Kind::Is { of: Box::new(of), pattern: Box::new(pattern) }, Type::BOOL, span.clone()))
    }

    fn type_alone(&mut self, pattern: &syntax::Pattern) -> Result<Option<Type>> {
        match &pattern.kind {
            PatternKind::Type { type_, name: None } => self.type_(type_).map(Some),
            PatternKind::Constant(value)
                if matches!(
                    value.kind,
                    ExprKind::Name { .. } | ExprKind::MemberAccess { .. } | ExprKind::Predefined(_)
                ) =>
            {
                let found = self.meaning(value);
                let Ok(Meaning::Type(type_) | Meaning::Both(_, type_)) = found else { return Ok(None) };
                self.refuse_unknown(&type_)?;
                Ok(Some(type_))
            }
            _ => Ok(None),
        }
    }

    /// About the value of an expression.
    fn pattern_of(&mut self, pattern: &syntax::Pattern, of: &Bound) -> Result<Pattern> {
        let is_parameter = self.is_declared_as_parameter(of);
        self.pattern_within(pattern, &of.type_, is_parameter)
    }

    /// About something else than the pattern around it.
    fn pattern_within(
        &mut self,
        pattern: &syntax::Pattern,
        type_: &Type,
        is_parameter: Option<bool>,
    ) -> Result<Pattern> {
        let outer = std::mem::replace(&mut self.tests_parameter, is_parameter);
        let pattern = self.pattern(pattern, type_);
        self.tests_parameter = outer;
        pattern
    }

    fn pattern(&mut self, pattern: &syntax::Pattern, input: &Type) -> Result<Pattern> {
        let span = &pattern.span;
        Ok(match &pattern.kind {
            PatternKind::Discard => Pattern::Any,
            PatternKind::Var(name) if name == "_" => Pattern::Any,
            PatternKind::Var(name) => Pattern::Into(self.declare(name, input.clone())),
            PatternKind::Constant(value) => self.constant_or_type(value, input)?,
            PatternKind::Type { type_, name } => {
                let type_ = self.type_(type_)?;
                self.may_match(input, &type_, span)?;
                let slot = name.as_ref().filter(|name| *name != "_").map(|name| self.declare(name, type_.clone()));
                Pattern::Type { type_, slot }
            }
            PatternKind::Relational { operator, value } => {
                let value = self.value(value)?;
                let value = self.of_constant(value, input)?;
                Pattern::Relational { operator: *operator, value }
            }
            PatternKind::Not(inner) => Pattern::Not(Box::new(self.pattern(inner, input)?)),
            PatternKind::And(left, right) => {
                let left = self.pattern(left, input)?;
                let right = match narrowed(&left).cloned() {
                    Some(narrowed) => self.pattern_within(right, &narrowed, Some(false))?,
                    None => self.pattern(right, input)?,
                };
                Pattern::And(Box::new(left), Box::new(right))
            }
            PatternKind::Or(left, right) => {
                Pattern::Or(Box::new(self.pattern(left, input)?), Box::new(self.pattern(right, input)?))
            }
            PatternKind::Recursive { type_, positional, properties, name } => self.recursive(
                type_.as_ref(),
                positional.as_deref(),
                properties.as_deref(),
                name.as_deref(),
                input,
                span,
            )?,
            PatternKind::List { elements, name } => self.list(elements, name.as_deref(), input, span)?,
            PatternKind::Slice(_) => {
                return error(
                    "CS9202",
                    "Slice patterns may only be used once and directly inside a list pattern.",
                    span,
                );
            }
        })
    }

    /// A name alone may be a constant or a type.
    fn constant_or_type(&mut self, value: &Expr, input: &Type) -> Result<Pattern> {
        let named =
            matches!(value.kind, ExprKind::Name { .. } | ExprKind::MemberAccess { .. } | ExprKind::Predefined(_));
        let meaning = if named { self.meaning(value) } else { self.value(value).map(Meaning::Value) };
        let bound = match meaning {
            Ok(Meaning::Type(type_)) => {
                self.refuse_unknown(&type_)?;
                self.may_match(input, &type_, &value.span)?;
                return Ok(Pattern::Type { type_, slot: None });
            }
            Err(super::BindError::Compiler { code: "CS0103", .. }) if named => {
                return error(
                    "CS0246",
                    format!(
                        "The type or namespace name '{}' could not be found (are you missing a using directive or an assembly reference?)",
                        text_of(value)
                    ),
                    &value.span,
                );
            }
            Ok(_) => self.value(value)?,
            Err(problem) => return Err(problem),
        };
        let value = self.of_constant(bound, input)?;
        Ok(Pattern::Constant(value))
    }

    /// As a constant of what is tested.
    fn of_constant(&mut self, value: Bound, input: &Type) -> Result<Bound> {
        let value = self.settled(value)?;
        let may_be_parameter = self.tests_parameter != Some(false) && self.is_of_parameter(input);
        if value.type_ == Type::Null
            && self.types.is_value_type(input)
            && input.nullable_of().is_none()
            && !may_be_parameter
        {
            return self.converted(value, input);
        }
        if value.type_ == Type::Null || *input == Type::Late {
            return Ok(value);
        }
        let is_constant = value.constant().is_some();
        if is_constant && may_be_parameter && value.type_ != *input {
            return self.constant_of_parameter(value, input);
        }
        if !is_constant {
            return error("CS9135", format!("A constant value of type '{}' is expected", input.short()), &value.span);
        }
        let wanted = input.without_nullable();
        // spans of characters are matched with constant strings by what is in them
        if value.type_ == Type::STRING && is_span_of_characters(wanted) {
            return Ok(value);
        }
        let is_never_equal =
            !self.is_open(wanted) && self.types.conversion(&value.type_, wanted, Direction::Implicit).is_none();
        if self.types.is_value_type(wanted) || *wanted == Type::STRING || is_never_equal {
            return self.converted(value, wanted);
        }
        Ok(value)
    }

    fn may_match(&mut self, input: &Type, type_: &Type, span: &Span) -> Result<()> {
        let input = input.without_nullable();
        if *input == Type::Late
            || *input == Type::Null
            || self.is_open(input)
            || self.is_open(type_)
            || self
                .types
                .conversion(input, type_, Direction::Explicit)
                .is_some_and(|it| !matches!(it, crate::types::Conversion::Number))
        {
            return Ok(());
        }
        error(
            "CS8121",
            format!(
                "An expression of type '{}' cannot be handled by a pattern of type '{}'.",
                input.short(),
                type_.short()
            ),
            span,
        )
    }

    fn recursive(
        &mut self,
        type_: Option<&TypeName>,
        positional: Option<&[(Option<String>, syntax::Pattern)]>,
        properties: Option<&[Property]>,
        name: Option<&str>,
        input: &Type,
        span: &Span,
    ) -> Result<Pattern> {
        let written = type_.map(|type_| self.type_(type_)).transpose()?;
        if let Some(written) = &written {
            self.may_match(input, written, span)?;
        }
        // what may be a tuple of any kind is looked into when it runs
        if let (None, Some(positional), None) = (&written, positional, properties)
            && (*input == Type::OBJECT || *input == Type::Late || input.is("System.Runtime.CompilerServices.ITuple"))
        {
            let elements = positional
                .iter()
                .map(|(_, pattern)| self.pattern(pattern, &Type::OBJECT))
                .collect::<Result<Vec<_>>>()?;
            return Ok(Pattern::Tuple { elements });
        }
        let narrowed = written.clone().unwrap_or_else(|| input.without_nullable().clone());
        let of = self.slot();
        let receiver = Bound::new(Kind::Local(of), narrowed.clone(), span.clone());
        let mut members = Vec::new();
        if let Some(positional) = positional {
            members.extend(self.positional(&receiver, positional, span)?);
        }
        for property in properties.unwrap_or_default() {
            let mut member = receiver.clone();
            for (at, part) in property.path.iter().enumerate() {
                // `A.B: p` does not match where A is null
                if at > 0 && !self.types.is_value_type(&member.type_) {
                    members.push((
                        member.clone(),
                        Pattern::Not(Box::new(Pattern::Constant(Bound::new(
                            Kind::Constant(crate::constant::Constant::Null),
                            Type::Null,
                            span.clone(),
                        )))),
                    ));
                }
                member = match self.value_member(member.clone(), part, Vec::new(), span)? {
                    Meaning::Value(found) => found,
                    _ => {
                        return error("CS0117", self.no_member(&member.type_, part, false), span);
                    }
                };
            }
            let type_ = member.type_.clone();
            let is_parameter = self.is_declared_as_parameter(&member);
            members.push((member, self.pattern_within(&property.pattern, &type_, is_parameter)?));
        }
        let slot = name.filter(|name| *name != "_").map(|name| self.declare(name, narrowed));
        Ok(Pattern::Recursive { type_: written, of, members, slot })
    }

    /// The elements of a tuple, or what `Deconstruct` gives.
    fn positional(
        &mut self,
        of: &Bound,
        patterns: &[(Option<String>, syntax::Pattern)],
        span: &Span,
    ) -> Result<Vec<(Bound, Pattern)>> {
        if of.type_.elements().is_some_and(|elements| elements.len() != patterns.len()) {
            return error(
                "CS8502",
                format!(
                    "Matching the tuple type '{}' requires '{}' subpatterns, but '{}' subpatterns are present.",
                    of.type_.short(),
                    of.type_.elements().map_or(0, |it| it.len()),
                    patterns.len()
                ),
                span,
            );
        }
        let mut members = Vec::new();
        let items = match self.properties_of_record(of, patterns.len(), span)? {
            Some(items) => items,
            None => {
                let (call, items) = self.parts_of(of, patterns.len(), span)?;
                members.extend(call.map(|call| (call, Pattern::Any)));
                items
            }
        };
        for (item, (_, pattern)) in items.into_iter().zip(patterns) {
            let type_ = item.type_.clone();
            let is_parameter = self.is_declared_as_parameter(&item);
            members.push((item, self.pattern_within(pattern, &type_, is_parameter)?));
        }
        Ok(members)
    }

    /// What a record deconstructs into, where that is its properties: they are read without a call.
    fn properties_of_record(&mut self, of: &Bound, count: usize, span: &Span) -> Result<Option<Vec<Bound>>> {
        let deconstructors = self.methods_of(&of.type_, "Deconstruct");
        let found = deconstructors.iter().find(|(_, method)| {
            !method.is_static
                && method.parameters.len() == count
                && method.assembly.method(method.id).is_compiler_generated()
        });
        let Some((_, method)) = found else { return Ok(None) };
        let names: Vec<String> = method.parameters.iter().map(|it| it.name.clone()).collect();
        let members =
            names.iter().map(|name| self.data_member(Some(of), &of.type_, name, span)).collect::<Result<Vec<_>>>()?;
        Ok(members.into_iter().collect())
    }

    fn list(&mut self, elements: &[syntax::Pattern], name: Option<&str>, input: &Type, span: &Span) -> Result<Pattern> {
        let of = self.slot();
        let at = self.slot();
        let receiver = Bound::new(Kind::Local(of), input.without_nullable().clone(), span.clone());
        let mut length = None;
        for property in ["Length", "Count"] {
            if length.is_none() {
                length = self.data_member(Some(&receiver), &receiver.type_, property, span)?;
            }
        }
        let Some(length) = length else {
            return error(
                "CS8985",
                format!(
                    "List patterns may not be used for a value of type '{}'. No suitable 'Length' or 'Count' property was found.",
                    input.short()
                ),
                span,
            );
        };
        let end = self.slot();
        let position = |name: &str| super::late::name_expr(name, span);
        let item = self.part_of_list(&receiver, position("\0at"), (at, end), span)?;
        let mut patterns = Vec::new();
        for element in elements {
            patterns.push(match &element.kind {
                PatternKind::Slice(None) => Pattern::Slice(None),
                PatternKind::Slice(Some(inner)) => {
                    let (start, end_at) = (Box::new(position("\0at")), Box::new(position("\0end")));
                    let range = ExprKind::Range { start: Some(start), end: Some(end_at) };
                    let range = Expr { kind: range, span: span.clone() };
                    let part = self.part_of_list(&receiver, range, (at, end), span)?;
                    let inner = self.pattern_within(inner, &part.type_, None)?;
                    Pattern::Slice(Some((part, Box::new(inner))))
                }
                _ => self.pattern_within(element, &item.type_, None)?,
            });
        }
        let slot = name.filter(|name| *name != "_").map(|name| self.declare(name, input.clone()));
        Ok(Pattern::List { of, elements: patterns, length, at, end, item, slot })
    }

    /// What is at an index or in a range of a list, written of the positions in two slots.
    fn part_of_list(&mut self, list: &Bound, place: Expr, (at, end): (Slot, Slot), span: &Span) -> Result<Bound> {
        for (name, slot) in [("\0at", at), ("\0end", end)] {
            self.locals.push(super::Local { name: name.into(), type_: Type::INT, slot });
        }
        let place = syntax::Argument { name: None, pass: syntax::Pass::Value, value: place };
        let expr = Expr { kind: ExprKind::Receiver, span: span.clone() };
        let part = self.element_of(&expr, list.clone(), std::slice::from_ref(&place));
        self.locals.truncate(self.locals.len() - 2);
        part
    }

    fn arms(&mut self, of: &Expr, arms: &[syntax::Arm]) -> Result<BoundSwitch> {
        let of = self.value(of)?;
        let of = self.settled(of)?;
        let slot = self.slot();
        let mut bound = Vec::new();
        for arm in arms {
            let visible = self.locals.len();
            let pattern = self.pattern_of(&arm.pattern, &of)?;
            let when = arm.when.as_ref().map(|when| self.condition(when)).transpose()?;
            let value = self.value(&arm.value)?;
            // what takes its type from around is bound again in this scope, so the names must last
            let value = if value.is_untyped() && !matches!(arm.value.kind, ExprKind::Throw(_) | ExprKind::Default(None))
            {
                self.settled(value)?
            } else {
                value
            };
            self.locals.truncate(visible);
            bound.push((pattern, when, value));
        }
        Ok((of, slot, bound))
    }

    pub(super) fn natural_switch(&mut self, expr: &Expr, of: &Expr, arms: &[syntax::Arm]) -> Result<Bound> {
        let bound = self.arms(of, arms)?;
        let values: Vec<Bound> =
            bound.2.iter().map(|(.., value)| value).filter(|value| !value.is_untyped()).cloned().collect();
        match self.common(&values)? {
            Some(type_) => match self.switch_of(bound, &type_, &expr.span)? {
                Some(found) => Ok(found),
                None => error("CS8506", "No best type was found for the switch expression.", &expr.span),
            },
            None => error("CS8506", "No best type was found for the switch expression.", &expr.span),
        }
    }

    pub(super) fn switch_as(
        &mut self,
        of: &Expr,
        arms: &[syntax::Arm],
        to: &Type,
        span: &Span,
    ) -> Result<Option<Bound>> {
        let bound = self.arms(of, arms)?;
        self.switch_of(bound, to, span)
    }

    fn switch_of(&mut self, (of, slot, bound): BoundSwitch, to: &Type, span: &Span) -> Result<Option<Bound>> {
        let mut converted = Vec::new();
        for (pattern, when, value) in bound {
            let Some(value) = self.implicit(value, to)? else { return Ok(None) };
            converted.push(Arm { pattern, when, value });
        }
        Ok(Some(Bound::new(Kind::Switch { of: Box::new(of), slot, arms: converted }, to.clone(), span.clone())))
    }
}

/// What a value is known to be where the pattern holds.
fn narrowed(pattern: &Pattern) -> Option<&Type> {
    match pattern {
        Pattern::Type { type_, .. } | Pattern::Recursive { type_: Some(type_), .. } => Some(type_),
        Pattern::And(left, right) => narrowed(right).or_else(|| narrowed(left)),
        _ => None,
    }
}

fn text_of(expr: &Expr) -> String {
    match &expr.kind {
        ExprKind::Name { name, .. } | ExprKind::MemberAccess { name, .. } => name.text.clone(),
        _ => String::new(),
    }
}
