//! What code with type parameters may do with values of them. At a stop each parameter stands for a type that is known, and what is
//! declared as the parameter is bound as that type, so that its members can be reached. But the code itself was compiled for all types:
//! members are looked for first in what the parameter is bound to, and what the compiler refuses of a `decimal`, as a comparison with
//! null, it takes of a `T`, and decides when it runs.

use crate::bound::{Bound, Kind};
use crate::syntax::{BinaryOp, Span, TypeKind, TypeName};
use crate::types::{Conversion, Direction, Type};

use super::arguments::Given;
use super::{BindError, Binder, Result, unsupported};

impl Binder<'_> {
    /// Whether a value of that type may be one of a type parameter.
    pub(super) fn is_of_parameter(&self, type_: &Type) -> bool {
        type_.is_parameter()
            || self.scope.type_parameters.iter().any(|(_, argument)| argument == type_)
            || self.scope.of_parameters.iter().any(|&at| self.seen(at) == Some(type_))
    }

    /// What a type is bound to that stands for a type parameter, or is that of a value of one whose argument is not known; of another
    /// parameter among that, what this one is bound to as well.
    fn bounds_of(&self, type_: &Type) -> Option<Vec<&Type>> {
        let own = |type_: &Type| {
            let (argument, bounds) = self.scope.bounds.get(parameter(type_)?)?;
            (argument == type_ || argument.is_parameter()).then_some(bounds)
        };
        let mut all: Vec<&Type> = own(type_)?.iter().collect();
        let mut at = 0;
        while let Some(bound) = all.get(at).copied() {
            for further in own(bound).into_iter().flatten() {
                if !all.iter().any(|known| is_one(known, further)) {
                    all.push(further);
                }
            }
            at += 1;
        }
        Some(all)
    }

    /// Where a member of a value of that type may be declared, in the order of the search. The compiler knows of a type parameter only
    /// what that is bound to, so there the member of a name is looked for first. What a struct implements is called on the struct itself.
    pub(super) fn places(&self, type_: &Type) -> Vec<Type> {
        let own = self.types.places(type_);
        let Some(bounds) = self.bounds_of(type_).filter(|_| !self.types.is_value_type(type_)) else { return own };
        // a class hides what the interfaces beside it have
        let (interfaces, classes): (Vec<&Type>, Vec<&Type>) = bounds
            .into_iter()
            .filter(|bound| parameter(bound).is_none())
            .partition(|bound| self.types.is_interface(bound));
        let bounds = classes.into_iter().chain(interfaces).flat_map(|bound| self.types.places(bound));
        let (object, bounds): (Vec<Type>, Vec<Type>) = bounds.partition(|place| *place == Type::OBJECT);
        let mut places: Vec<Type> = Vec::new();
        for place in bounds.into_iter().chain(object).chain(own) {
            if !places.contains(&place) {
                places.push(place);
            }
        }
        places
    }

    /// What is chosen where arguments that stand for type parameters are what those are bound to; where nothing is, what is chosen where
    /// they are what they stand for.
    pub(super) fn first_by_bounds<T>(
        &mut self,
        given: &[Given],
        choose: impl Fn(&mut Self) -> Result<Option<T>>,
    ) -> Result<Option<T>> {
        let has_bounds = given.iter().any(|it| self.bounds_of(&it.value.type_).is_some());
        let outer = std::mem::replace(&mut self.by_bounds, has_bounds);
        let mut found = choose(self);
        if has_bounds && matches!(found, Ok(None)) {
            self.by_bounds = false;
            found = choose(self);
        }
        self.by_bounds = outer;
        found
    }

    /// Whether the compiler knows a conversion of what stands for a type parameter; of what does not, others know.
    pub(super) fn is_within_bounds(&self, from: &Type, to: &Type) -> bool {
        let Some(bounds) = self.bounds_of(from) else { return true };
        let converts = |bound: &Type| match parameter(bound) {
            Some(_) => is_one(bound, to),
            None => self.types.conversion(bound, to, Direction::Implicit).is_some(),
        };
        let is_itself = is_one(from, to.without_nullable());
        is_itself || matches!(to, Type::Late) || *to == Type::OBJECT || bounds.into_iter().any(converts)
    }

    /// Where an operator of a type is declared; of what stands for a type parameter, in the class that this is bound to, if that has one.
    pub(super) fn operator_places(&self, type_: &Type, name: &str) -> Vec<Type> {
        let classes = self.bounds_of(type_).into_iter().flatten();
        let classes = classes.filter(|bound| parameter(bound).is_none() && !self.types.is_interface(bound));
        let places: Vec<Type> = classes.flat_map(|bound| self.types.chain(bound)).collect();
        if places.iter().any(|place| self.has_method(place, name)) { places } else { self.types.chain(type_) }
    }

    /// As an interface that a type parameter is bound to, where a struct that stands for the parameter implements the member explicitly.
    pub(super) fn explicitly(&mut self, of: &Bound, name: &str) -> Result<Option<Bound>> {
        let Some(bounds) = self.bounds_of(&of.type_).filter(|_| self.types.is_value_type(&of.type_)) else {
            return Ok(None);
        };
        let mut interfaces = bounds.into_iter().flat_map(|bound| self.types.places(bound));
        match interfaces.find(|interface| self.types.explicit(&of.type_, interface, name).is_some()) {
            Some(interface) => self.implicit(of.clone(), &interface),
            None => Ok(None),
        }
    }

    /// What a variable is known to be.
    fn seen(&self, position: usize) -> Option<&Type> {
        self.scope.variables.get(position)?.type_.as_ref()
    }

    /// Whether the source declares it as a type parameter of the code. `None`: that is not known.
    pub(super) fn is_declared_as_parameter(&self, bound: &Bound) -> Option<bool> {
        let of_member = |declared: &Type, owner: &Type| {
            let is_own = self.scope.enclosing.contains(owner);
            if is_own || !declared.has_parameters() { Some(declared.is_parameter()) } else { None }
        };
        match &bound.kind {
            Kind::Variable(position) => Some(self.scope.of_parameters.contains(position)),
            Kind::Field { field, .. } => of_member(&field.field.type_, &field.owner),
            Kind::Property { property, .. } => of_member(&property.property.type_, &property.owner),
            _ => None,
        }
    }

    /// Whether a cast says that a type parameter stands for `to`: what is declared as the parameter is of that type from there on.
    pub(super) fn is_cast_from_parameter(&self, bound: &Bound, to: &TypeName) -> bool {
        let is_parameter = |name: &str| self.scope.type_parameters.iter().any(|(parameter, _)| parameter == name);
        let stays =
            matches!(&to.kind, TypeKind::Named { alias: None, names } if names.iter().all(|it| is_parameter(&it.text)));
        !stays && self.is_declared_as_parameter(bound) == Some(true)
    }

    /// Whether it may be an open type: one that a type parameter is a part of (ECMA-334, 8.4.3).
    pub(super) fn is_open(&self, type_: &Type) -> bool {
        self.is_of_parameter(type_)
            || match type_ {
                Type::Named(named) => named.arguments.iter().any(|argument| self.is_open(argument)),
                Type::Array { of, .. } => self.is_open(of),
                _ => false,
            }
    }

    /// A constant that a value is matched with, where that may be one of a type parameter: then only the type of the constant itself
    /// matches, as in a box. A variable that is declared as what the parameter stands for would be compared by value.
    pub(super) fn constant_of_parameter(&mut self, value: Bound, input: &Type) -> Result<Bound> {
        if self.tests_parameter == Some(true) || self.implicit(value.clone(), input)?.is_none() {
            return Ok(value);
        }
        let (own, wanted) = (value.type_.short(), input.short());
        unsupported(format!(
            "a type parameter stands for '{wanted}' here, and a value of it never matches a constant of type '{own}': cast the constant to '{wanted}' to compare the values"
        ))
    }

    /// Refuses a type of which a part is only known by the name of a type parameter.
    pub(super) fn refuse_unknown(&self, type_: &Type) -> Result<()> {
        if !type_.has_parameters() {
            return Ok(());
        }
        let name = self.unknown_parameters().find(|(_, argument)| is_part(argument, type_));
        Err(unknown(name.map_or("it", |(name, _)| name)))
    }

    /// What the compiler would say is no answer where it is about a type that is not known.
    pub(super) fn without_unknown(&self, error: BindError) -> BindError {
        let BindError::Compiler { message, .. } = &error else { return error };
        // those of a method before those of its type: `!!0` has `!0` in it
        let found = self.unknown_parameters().rev().find(|(_, argument)| message.contains(&argument.to_string()));
        found.map_or_else(|| error.clone(), |(name, _)| unknown(name))
    }

    fn unknown_parameters(&self) -> impl DoubleEndedIterator<Item = (&str, &Type)> {
        let parameters = self.scope.type_parameters.iter().map(|(name, argument)| (name.as_str(), argument));
        parameters.filter(|(_, argument)| argument.is_parameter())
    }

    /// `x == null`, where what `x` stands for is no reference: a box of it would be compared. The operators of that type have no part in
    /// it.
    pub(super) fn parameter_and_null(
        &self,
        operator: BinaryOp,
        left: &Bound,
        right: &Bound,
        span: &Span,
    ) -> Option<Bound> {
        let is_equal = match operator {
            BinaryOp::Equal => true,
            BinaryOp::NotEqual => false,
            _ => return None,
        };
        let is_one = |one: &Bound, other: &Bound| {
            let is_value = !self.types.is_reference_type(&one.type_) && !one.type_.is_nullable();
            other.type_ == Type::Null && is_value && self.is_of_parameter(&one.type_)
        };
        if !is_one(left, right) && !is_one(right, left) {
            return None;
        }
        let boxed = |it: &Bound| match it.type_ {
            Type::Null => Box::new(it.clone()),
            _ => Box::new(self.convert(it.clone(), &Type::OBJECT, Conversion::None)),
        };
        let kind = Kind::Same { left: boxed(left), right: boxed(right), is_equal };
        Some(Bound::new(kind, Type::BOOL, span.clone()))
    }

    /// `x == y` of two values of one parameter that is bound to a class: what it stands for has no part in it, and with no operator
    /// of its bounds they are compared as objects.
    pub(super) fn parameters_compared(
        &self,
        operator: BinaryOp,
        left: &Bound,
        right: &Bound,
        span: &Span,
    ) -> Option<Bound> {
        let operator_name = match operator {
            BinaryOp::Equal => "op_Equality",
            BinaryOp::NotEqual => "op_Inequality",
            _ => return None,
        };
        let is_declared =
            |it: &Bound| parameter(&it.type_).is_some() || self.is_declared_as_parameter(it) == Some(true);
        if left.type_ != right.type_ || !is_declared(left) || !is_declared(right) {
            return None;
        }
        let bounds = self.bounds_of(&left.type_).or_else(|| {
            let (_, bounds) = self.scope.bounds.iter().find(|(argument, _)| *argument == left.type_)?;
            Some(bounds.iter().collect())
        })?;
        let is_class = |bound: &&Type| self.types.is_reference_type(bound) && !self.types.is_interface(bound);
        let is_compared = |bound: &&Type| self.has_method(bound, operator_name);
        let is_bound = bounds.iter().any(is_class) && !bounds.iter().any(is_compared);
        is_bound.then(|| self.references(operator, left, right, span)).flatten()
    }
}

/// The type parameter that a type stands for, by its position.
fn parameter(type_: &Type) -> Option<usize> {
    match type_ {
        Type::Named(named) => named.parameter,
        _ => None,
    }
}

fn is_one(type_: &Type, other: &Type) -> bool {
    type_ == other && parameter(type_) == parameter(other)
}

fn is_part(parameter: &Type, of: &Type) -> bool {
    match of {
        Type::Array { of, .. } | Type::Pointer(of) | Type::ByRef(of) => is_part(parameter, of),
        other => other == parameter || other.arguments().iter().any(|argument| is_part(parameter, argument)),
    }
}

fn unknown(name: &str) -> BindError {
    BindError::Unsupported(format!(
        "`{name}` is a type parameter, and this debugger does not say what it stands for here: write the type itself"
    ))
}
