//! What a bound expression consists of.

use super::{Arm, Bound, Kind, Passed, Pattern, Piece};

impl Bound {
    /// The expressions within it that may be evaluated with it, in the order of the text; bodies of lambdas too.
    pub fn parts(&self) -> Vec<&Self> {
        match &self.kind {
            Kind::Constant(_)
            | Kind::Untyped(_)
            | Kind::Variable(_)
            | Kind::Local(_)
            | Kind::Field { of: None, .. }
            | Kind::TypeOf(_)
            | Kind::Default => Vec::new(),
            Kind::Field { of: Some(of), .. }
            | Kind::Item { of, .. }
            | Kind::Convert { of, .. }
            | Kind::Unary { of, .. }
            | Kind::As { of, .. }
            | Kind::Index { of, .. }
            | Kind::Throw(of) => vec![of],
            Kind::Property { of, arguments, .. } => of.as_deref().into_iter().chain(arguments).collect(),
            Kind::Element { of, indices: others } | Kind::Invoke { of, arguments: others } => one(of, others),
            Kind::Call { of, arguments, .. } => of.as_deref().into_iter().chain(passed(arguments)).collect(),
            Kind::Operator { operands: several, .. } | Kind::Tuple(several) | Kind::Anonymous(several) => {
                several.iter().collect()
            }
            Kind::Binary { left, right, .. } | Kind::Same { left, right, .. } => vec![left, right],
            Kind::Coalesce { left, then, right, .. } => vec![left, then, right],
            Kind::Conditional { condition, then, otherwise } => vec![condition, then, otherwise],
            Kind::Maybe { of, then, .. } | Kind::Let { of, then, .. } => vec![of, then],
            Kind::Located { length, at, then, .. } => vec![length, at, then],
            Kind::Is { of, pattern } => std::iter::once(&**of).chain(of_pattern(pattern)).collect(),
            Kind::Switch { of, arms, .. } => std::iter::once(&**of).chain(arms.iter().flat_map(of_arm)).collect(),
            Kind::New { arguments, initializers, .. } => passed(arguments).chain(initializers).collect(),
            Kind::NewArray { sizes, elements } => sizes.iter().chain(elements.iter().flatten()).collect(),
            Kind::Collection(elements) => elements.iter().map(|(element, _)| element).collect(),
            Kind::With { of, initializers, .. } => one(of, initializers),
            Kind::Lambda(lambda) => vec![&lambda.body],
            Kind::Block(act) => act.parts(),
            Kind::Interpolated(pieces) => pieces.iter().filter_map(hole).collect(),
            Kind::Range { start, end } => start.as_deref().into_iter().chain(end.as_deref()).collect(),
            Kind::Assign { target, value } | Kind::Change { target, value, .. } => vec![target, value],
            Kind::Deconstruct { prepared, assigned, result } => {
                let values = assigned.iter().flat_map(|part| part.target.iter().chain([&part.value]));
                prepared.iter().map(|(_, value)| value).chain(values).chain([&**result]).collect()
            }
            Kind::Late { operands, .. } => operands.iter().map(|(_, operand)| operand).collect(),
        }
    }
}

fn one<'a>(first: &'a Bound, rest: &'a [Bound]) -> Vec<&'a Bound> {
    std::iter::once(first).chain(rest).collect()
}

fn passed(arguments: &[Passed]) -> impl Iterator<Item = &Bound> {
    arguments.iter().filter_map(|argument| match argument {
        Passed::Value(bound) | Passed::Ref(bound) => Some(bound),
        Passed::Out(..) => None,
    })
}

fn hole(piece: &Piece) -> Option<&Bound> {
    match piece {
        Piece::Hole { value, .. } => Some(value),
        Piece::Text(_) => None,
    }
}

fn of_arm(arm: &Arm) -> impl Iterator<Item = &Bound> {
    of_pattern(&arm.pattern).into_iter().chain(&arm.when).chain([&arm.value])
}

fn of_pattern(pattern: &Pattern) -> Vec<&Bound> {
    match pattern {
        Pattern::Any | Pattern::Into(_) | Pattern::Type { .. } | Pattern::Slice(None) => Vec::new(),
        Pattern::Constant(value) | Pattern::Relational { value, .. } => vec![value],
        Pattern::Not(inner) => of_pattern(inner),
        Pattern::Slice(Some((part, inner))) => std::iter::once(part).chain(of_pattern(inner)).collect(),
        Pattern::And(left, right) | Pattern::Or(left, right) => {
            of_pattern(left).into_iter().chain(of_pattern(right)).collect()
        }
        Pattern::Recursive { members, .. } => {
            members.iter().flat_map(|(member, pattern)| std::iter::once(member).chain(of_pattern(pattern))).collect()
        }
        Pattern::Tuple { elements } => elements.iter().flat_map(of_pattern).collect(),
        Pattern::List { elements, length, item, .. } => {
            elements.iter().flat_map(of_pattern).chain([length, item]).collect()
        }
    }
}
