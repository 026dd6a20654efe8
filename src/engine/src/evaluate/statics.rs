//! The type that the compiler gives an expression, from declarations alone: no code runs, and what is null has one as well.

use clr_metadata::{Primitive, TypeName, TypeSig, names};

use super::Evaluation;
use super::expression::Expr;
use super::operators::{self, Operand};
use crate::com;
use crate::types::{self, Definition};
use crate::values::{Scalar, field_named};

const NULLABLE: &str = "System.Nullable`1";

/// `T?` of a value type.
pub(super) fn nullable(type_: TypeSig) -> TypeSig {
    TypeSig::Named(TypeName { full_name: NULLABLE.into(), arguments: vec![type_], is_value_type: true })
}

/// What a `T?` is of, and whether it is one.
fn opened(type_: TypeSig) -> (TypeSig, bool) {
    match type_ {
        TypeSig::Named(TypeName { full_name, mut arguments, .. }) if full_name == NULLABLE && arguments.len() == 1 => {
            (arguments.remove(0), true)
        }
        other => (other, false),
    }
}

fn is_value(type_: &TypeSig) -> bool {
    match type_ {
        TypeSig::Primitive(primitive) => !matches!(primitive, Primitive::String | Primitive::Object | Primitive::Void),
        TypeSig::Named(name) => name.is_value_type,
        _ => false,
    }
}

fn bool_type() -> TypeSig {
    TypeSig::Primitive(Primitive::Boolean)
}

/// A number of that type.
fn one_of(type_: &TypeSig) -> Option<Scalar> {
    use Primitive::{Boolean, Char, Object, R4, R8, String, TypedReference, Void};
    match types::plain(type_) {
        TypeSig::Primitive(primitive) => match primitive {
            Boolean => Some(Scalar::Bool(true)),
            Char => Some(Scalar::Char(1)),
            R4 => Some(Scalar::Single(1.0)),
            R8 => Some(Scalar::Double(1.0)),
            String | Object | Void | TypedReference => None,
            other => Some(Scalar::Int(other, 1)),
        },
        TypeSig::Named(name) if name.full_name == "System.Decimal" => Some(Scalar::Decimal("1".into())),
        _ => None,
    }
}

/// The one of two that the other converts to; `None`: they have none.
fn common(one: TypeSig, other: TypeSig) -> Option<TypeSig> {
    let ((one, one_is), (other, other_is)) = (opened(one), opened(other));
    let found = if one == other || operators::widens(&one_of(&other)?, &one_of(&one)?) {
        one
    } else if operators::widens(&one_of(&one)?, &one_of(&other)?) {
        other
    } else {
        return None;
    };
    Some(if one_is || other_is { nullable(found) } else { found })
}

impl Evaluation<'_> {
    /// `None`: it takes more than declarations to know.
    pub(super) fn static_type(&self, expr: &Expr) -> Option<TypeSig> {
        self.static_type_behind(expr, None)
    }

    /// `receiver`: the type of what stands before the `?` of the conditional access around the expression.
    fn static_type_behind(&self, expr: &Expr, receiver: Option<&TypeSig>) -> Option<TypeSig> {
        let static_type = |expr: &Expr| self.static_type_behind(expr, receiver);
        let found = match expr {
            Expr::Bool(_) => bool_type(),
            Expr::Char(_) => TypeSig::Primitive(Primitive::Char),
            Expr::Int(primitive, _) => TypeSig::Primitive(*primitive),
            Expr::Double(_) => TypeSig::Primitive(Primitive::R8),
            Expr::Single(_) => TypeSig::Primitive(Primitive::R4),
            Expr::Decimal(text) => Scalar::Decimal(text.clone()).signature(),
            Expr::Text(_) => TypeSig::Primitive(Primitive::String),
            Expr::This => types::signature(self.stopped.target(), &self.this_type()?),
            Expr::Name(name, _) => self.type_of_name(name)?,
            Expr::Member { of, name, .. } => match static_type(of) {
                Some(owner) => self.type_of_member(&owner, name)?,
                None => self.member_type(&self.find_type(&path(of)?)?.type_, name)?,
            },
            Expr::Index { of, .. } => match static_type(of)? {
                TypeSig::Array(element) | TypeSig::MultiArray { element, .. } => *element,
                TypeSig::Primitive(Primitive::String) => TypeSig::Primitive(Primitive::Char),
                owner => self.declared_in(&self.instance(&owner)?, |definition| {
                    definition.view().properties().into_iter().find(|it| it.is_indexer).map(|it| it.type_)
                })?,
            },
            Expr::Maybe { of, then } => {
                let (of, _) = opened(static_type(of)?);
                self.or_null(self.static_type_behind(then, Some(&of))?)
            }
            Expr::Receiver => receiver?.clone(),
            Expr::Unary(sign, of) => {
                let (of, is_nullable) = opened(static_type(of)?);
                let result = operators::unary(sign, &Operand::Scalar(one_of(&of)?)).ok()?;
                let result = self.signature(&result)?;
                if is_nullable { nullable(result) } else { result }
            }
            Expr::Binary(left, "??", right) => {
                let (left, right) = (static_type(left)?, static_type(right)?);
                let (inner, is_nullable) = opened(left.clone());
                if is_nullable && inner == right { right } else { common(left, right)? }
            }
            Expr::Binary(_, "&&" | "||" | "==" | "!=" | "<" | ">" | "<=" | ">=", _) => bool_type(),
            Expr::Binary(left, sign, right) => {
                let ((left, left_is), (right, right_is)) = (opened(static_type(left)?), opened(static_type(right)?));
                let text = TypeSig::Primitive(Primitive::String);
                if *sign == "+" && (left == text || right == text) {
                    return Some(text);
                }
                let (left, right) = (Operand::Scalar(one_of(&left)?), Operand::Scalar(one_of(&right)?));
                let result = self.signature(&operators::binary(&left, sign, &right).ok()??)?;
                if left_is || right_is { nullable(result) } else { result }
            }
            Expr::Conditional(_, then, otherwise) => common(static_type(then)?, static_type(otherwise)?)?,
            Expr::Cast(type_, _) => match type_.strip_suffix('?') {
                Some(inner) => self.or_null(self.meant(&names::parse_type(inner)?)?),
                None => self.meant(&names::parse_type(type_)?)?,
            },
            Expr::Null | Expr::Call { .. } => return None,
        };
        Some(types::plain(&found))
    }

    /// What a conditional access gives for a member of that type.
    fn or_null(&self, type_: TypeSig) -> TypeSig {
        if is_value(&type_) && !opened(type_.clone()).1 { nullable(type_) } else { type_ }
    }

    fn this_type(&self) -> Option<com::Type> {
        let variables = self.variables().ok()?;
        let (_, this) = variables.into_iter().find(|(name, _)| name == "this")?;
        this.read(self.stopped).ok()?.type_().ok()
    }

    fn type_of_name(&self, name: &str) -> Option<TypeSig> {
        let variables = self.variables().ok()?;
        if let Some((_, place)) = variables.iter().find(|(variable, _)| variable == name) {
            return place.declared(self.stopped);
        }
        if let Some(constant) = self.constant(name) {
            return self.signature(&constant);
        }
        let around = self.this_type().into_iter().chain(self.enclosing_types());
        around.into_iter().find_map(|type_| self.member_type(&type_, name))
    }

    fn type_of_member(&self, owner: &TypeSig, name: &str) -> Option<TypeSig> {
        let (inner, is_nullable) = opened(owner.clone());
        match (&inner, name) {
            (_, "HasValue") if is_nullable => Some(bool_type()),
            (_, "Value") if is_nullable => Some(inner),
            (TypeSig::Array(_) | TypeSig::MultiArray { .. }, "Length" | "Rank") => {
                Some(TypeSig::Primitive(Primitive::I4))
            }
            _ => self.member_type(&self.instance(&inner)?, name),
        }
    }

    /// Of a field or property.
    fn member_type(&self, type_: &com::Type, name: &str) -> Option<TypeSig> {
        self.declared_in(type_, |definition| {
            let view = definition.view();
            let property = view.properties().into_iter().find(|it| it.name == name && !it.is_indexer);
            property.map(|property| property.type_).or_else(|| {
                let field = field_named(definition, name)?;
                view.fields().into_iter().find(|it| it.id == field).map(|it| it.type_)
            })
        })
    }

    /// What the first type of a chain declares, with the type's arguments.
    fn declared_in(&self, type_: &com::Type, find: impl Fn(&Definition) -> Option<TypeSig>) -> Option<TypeSig> {
        let target = self.stopped.target();
        types::chain(type_).iter().find_map(|type_| {
            let found = find(&types::definition(target, type_)?)?;
            let given: Vec<com::Type> = type_.type_parameters().map(|list| list.rest()).unwrap_or_default();
            let given: Vec<TypeSig> = given.iter().map(|type_| types::signature(target, type_)).collect();
            Some(found.substitute(&given, &[]))
        })
    }

    /// The value of one branch as the type that both have in common.
    pub(super) fn as_branch(&self, whole: &Expr, value: Operand) -> Operand {
        let Some((type_, is_nullable)) = self.static_type(whole).map(opened) else { return value };
        let Some(name) = one_of(&type_).map(|one| one.type_name()) else { return value };
        match self.simplified(value.clone()) {
            Ok(Operand::Null(_)) if is_nullable => Operand::Null(Some(format!("{name}?"))),
            Ok(held @ Operand::Scalar(_)) if held.type_name() != name => operators::cast(&name, held).unwrap_or(value),
            _ => value,
        }
    }

    /// Whether two values are one object, where C# asks that: both are no more than an `object` to the compiler.
    pub(super) fn is_one_object(&self, left: (&Expr, &Operand), right: (&Expr, &Operand)) -> Option<bool> {
        let is_object = |expr| self.static_type(expr) == Some(TypeSig::Primitive(Primitive::Object));
        if !is_object(left.0) || !is_object(right.0) {
            return None;
        }
        match (left.1, right.1) {
            (Operand::Place(left), Operand::Place(right)) => {
                let (left, right) = (left.read(self.stopped).ok()?, right.read(self.stopped).ok()?);
                // what a cast boxes is an object of its own
                let is_fresh = left.is_unboxed() || right.is_unboxed();
                Some(!is_fresh && left.address()? == right.address()?)
            }
            (Operand::Scalar(_), Operand::Scalar(_) | Operand::Text(_) | Operand::Place(_))
            | (Operand::Text(_) | Operand::Place(_), Operand::Scalar(_)) => Some(false),
            // equal literals are one string
            _ => None,
        }
    }

    /// An operator of values where a `T?` is null (C# specification, 12.4.8); `None`: there is no such operator.
    pub(super) fn lifted(&self, left: &Operand, sign: &str, right: &Operand) -> Option<Operand> {
        let is_null = |operand: &Operand| matches!(operand, Operand::Null(_));
        if !is_null(left) && !is_null(right) {
            return None;
        }
        let (one, other) = match (self.stand_in(left), self.stand_in(right)) {
            (Some(one), Some(other)) => (one, other),
            (Some(one), None) if matches!(right, Operand::Null(None)) => (one.clone(), one),
            (None, Some(other)) if matches!(left, Operand::Null(None)) => (other.clone(), other),
            _ => return None,
        };
        let result = operators::binary(&Operand::Scalar(one), sign, &Operand::Scalar(other)).ok()??;
        let decides = |truth: bool| {
            [left, right].iter().any(|it| matches!(it, Operand::Scalar(Scalar::Bool(value)) if *value == truth))
        };
        let truth = |value| Some(Operand::Scalar(Scalar::Bool(value)));
        match sign {
            "==" | "!=" => truth((is_null(left) == is_null(right)) == (sign == "==")),
            "<" | ">" | "<=" | ">=" => truth(false),
            "&" if decides(false) => truth(false),
            "|" if decides(true) => truth(true),
            _ => Some(Operand::Null(Some(format!("{}?", result.type_name())))),
        }
    }

    /// `-`, `~` and `!` of a `T?` that is null.
    pub(super) fn lifted_unary(&self, sign: &str, of: &Operand) -> Option<Operand> {
        let Operand::Null(Some(_)) = of else { return None };
        let result = operators::unary(sign, &Operand::Scalar(self.stand_in(of)?)).ok()?;
        Some(Operand::Null(Some(format!("{}?", result.type_name()))))
    }

    /// A value that any operator of its type takes without an exception.
    fn stand_in(&self, operand: &Operand) -> Option<Scalar> {
        match operand {
            // its sign alone tells which type an operator of it gives
            Operand::Scalar(Scalar::Int(type_, number)) => Some(Scalar::Int(*type_, if *number < 0 { -1 } else { 1 })),
            Operand::Scalar(Scalar::Decimal(_)) => Some(Scalar::Decimal("1".into())),
            Operand::Scalar(scalar) => Some(scalar.clone()),
            Operand::Null(Some(name)) => {
                let type_ = self.meant(&names::parse_type(name.strip_suffix('?')?)?)?;
                one_of(&type_).or_else(|| {
                    let definition = types::definition(self.stopped.target(), &self.instance(&type_)?)?;
                    definition.view().is_enum().then_some(Scalar::Enum(definition, 1))
                })
            }
            _ => None,
        }
    }
}

/// A type's name as an expression spells it.
fn path(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Name(name, _) => Some(name.clone()),
        Expr::Member { of, name, .. } => Some(format!("{}.{name}", path(of)?)),
        _ => None,
    }
}
