//! Operators that the program defines (ECMA-334, 12.4.4 to 12.4.6).

use crate::arithmetic;
use crate::bound::{Bound, Kind, Passed};
use crate::constant::{Constant, Scalar};
use crate::syntax::{BinaryOp, Span};
use crate::types::{BlockMember, Conversion, MethodRef, Type};

use super::arguments::Given;
use super::overloads::is_by_ref_like;
use super::{Binder, Group, Result, unsupported, utf8};

impl Binder<'_> {
    /// An operator of the program.
    pub(super) fn user_operator(
        &mut self,
        name: &str,
        sign: Option<BinaryOp>,
        operands: Vec<Bound>,
        span: &Span,
    ) -> Result<Option<Bound>> {
        // the compiler keeps equal bytes once
        if let ("op_Equality" | "op_Inequality", [Some(one), Some(other)]) =
            (name, operands.iter().map(utf8::bytes).collect::<Vec<_>>().as_slice())
        {
            let is_so = Scalar::Bool((one == other) == (name == "op_Equality"));
            return Ok(Some(Bound::new(Kind::Constant(Constant::Scalar(is_so)), Type::BOOL, span.clone())));
        }
        let mut candidates: Vec<MethodRef> = Vec::new();
        for operand in &operands {
            let type_ = operand.type_.without_nullable();
            if matches!(type_, Type::Primitive(_) | Type::Array { .. })
                || type_.is_decimal()
                || self.types.is_enum(type_)
            {
                continue;
            }
            for place in self.operator_places(type_, name) {
                let Some(definition) = self.types.definition(&place) else { continue };
                let mut found = Vec::new();
                if self.is_checked {
                    let checked = name.replacen("op_", "op_Checked", 1);
                    found.extend(self.types.methods(&definition, &checked).iter().cloned());
                }
                if found.is_empty() {
                    found.extend(self.types.methods(&definition, name).iter().cloned());
                }
                for method in found {
                    if !candidates.iter().any(|it| it.method.id == method.id && it.owner == place) {
                        candidates.push(MethodRef { owner: place.clone(), method, arguments: Vec::new() });
                    }
                }
            }
        }
        let found = self.best_of(candidates, sign, &operands, span)?;
        if let Some(Bound { kind: Kind::Operator { method, operands, .. }, .. }) = &found
            && is_by_ref_like(&method.owner)
            && operands.iter().any(refers_to_literal)
        {
            return unsupported(
                "`==` on spans compares addresses, not contents, and the address of a literal is not known: compare the \
                 contents with `SequenceEqual`, or with `is` and a constant",
            );
        }
        Ok(found)
    }

    fn best_of(
        &mut self,
        candidates: Vec<MethodRef>,
        sign: Option<BinaryOp>,
        operands: &[Bound],
        span: &Span,
    ) -> Result<Option<Bound>> {
        let mut fitting: Vec<(MethodRef, Vec<Bound>, bool)> = Vec::new();
        for method in candidates {
            for is_lifted in [false, true] {
                if let Some(converted) = self.operands(&method, operands, is_lifted)? {
                    fitting.push((method.clone(), converted, is_lifted));
                    break;
                }
            }
        }
        let best = self.best_operator(&fitting, operands);
        let Some((method, operands, is_lifted)) = best.and_then(|at| fitting.into_iter().nth(at)) else {
            return Ok(None);
        };
        let gives = method.returns();
        let is_comparison = sign.is_some_and(|sign| arithmetic::compared(sign, None).is_some());
        let gives =
            if is_lifted && !is_comparison && self.types.is_value_type(&gives) { Type::nullable(gives) } else { gives };
        Ok(Some(Bound::new(Kind::Operator { method, operands, sign, is_lifted }, gives, span.clone())))
    }

    /// Of an `extension` block: where neither the types themselves nor the language have one.
    pub(super) fn extension_operator(
        &mut self,
        name: &str,
        sign: Option<BinaryOp>,
        operands: &[Bound],
        span: &Span,
    ) -> Result<Option<Bound>> {
        if operands.iter().any(|it| it.is_untyped() || it.type_.is_void()) {
            return Ok(None);
        }
        let given: Vec<Given> = operands.iter().cloned().map(Given::value).collect();
        let mut candidates = Vec::new();
        for (owner, BlockMember { method, .. }) in self.members_of_blocks(name, true) {
            if method.generic == 0 {
                candidates.push(MethodRef { owner, method, arguments: Vec::new() });
            } else if let Ok(fit) = self.fit(&owner, &method, &[], &given, false)? {
                candidates.push(fit.method);
            }
        }
        // one of the operands is of the type that is extended
        let is_extended = |method: &MethodRef| {
            operands
                .iter()
                .enumerate()
                .any(|(at, it)| method.parameter_type(at).is_some_and(|takes| takes == *it.type_.without_nullable()))
        };
        let candidates: Vec<MethodRef> = candidates.into_iter().filter(is_extended).collect();
        // of those that fit equally well, one that is not generic comes first, and of two that are the one that is made for less
        let mut fitting = 0;
        for method in &candidates {
            fitting += usize::from(self.operands(method, operands, false)?.is_some());
        }
        if fitting > 1 && candidates.iter().any(|method| method.method.generic > 0) {
            return unsupported(format!(
                "several extension operators fit, some of them generic: call the one that is meant by its name, `{name}`"
            ));
        }
        self.best_of(candidates, sign, operands, span)
    }

    /// An operand of a type that converts itself to one that has operators of the language (ECMA-334, 12.4.5).
    pub(super) fn as_predefined(&mut self, bound: Bound) -> Result<Bound> {
        let type_ = bound.type_.without_nullable();
        if !matches!(type_, Type::Named(_)) || type_.is_decimal() || self.types.is_enum(type_) {
            return Ok(bound);
        }
        let mut targets: Vec<Type> = Vec::new();
        for place in self.types.chain(type_) {
            let Some(definition) = self.types.definition(&place) else { continue };
            for method in self.types.methods(&definition, "op_Implicit").iter() {
                let method = MethodRef { owner: place.clone(), method: method.clone(), arguments: Vec::new() };
                let gives = method.returns();
                let is_own = method.parameter_type(0).is_some_and(|takes| self.types.is_a(type_, &takes));
                let is_plain = gives.is_numeric() || gives == Type::BOOL || self.types.is_enum(&gives);
                if is_own && is_plain && !targets.contains(&gives) {
                    targets.push(gives);
                }
            }
        }
        match targets.as_slice() {
            [only] => {
                let only = if bound.type_.is_nullable() { Type::nullable(only.clone()) } else { only.clone() };
                Ok(self.implicit(bound.clone(), &only)?.unwrap_or(bound))
            }
            _ => Ok(bound),
        }
    }

    /// Whether its type may convert itself to what has operators of the language.
    pub(super) fn converts_itself(&self, bound: &Bound) -> bool {
        let type_ = &bound.type_;
        matches!(type_, Type::Named(_)) && !type_.is_nullable() && !type_.is_decimal() && !self.types.is_enum(type_)
    }

    /// Where only the type itself converts to another.
    pub(super) fn user_implicit_to(&mut self, bound: &Bound, to: &Type) -> Result<Option<Bound>> {
        if !matches!(bound.type_, Type::Named(_)) {
            return Ok(None);
        }
        self.implicit(bound.clone(), to)
    }

    pub(super) fn operands(
        &mut self,
        method: &MethodRef,
        operands: &[Bound],
        is_lifted: bool,
    ) -> Result<Option<Vec<Bound>>> {
        if method.method.parameters.len() != operands.len() {
            return Ok(None);
        }
        let mut converted = Vec::new();
        for (at, operand) in operands.iter().enumerate() {
            let Some(mut type_) = method.parameter_type(at) else { return Ok(None) };
            if is_lifted {
                if !self.types.is_value_type(&type_) || type_.is_nullable() {
                    return Ok(None);
                }
                type_ = Type::nullable(type_);
            }
            match self.implicit(operand.clone(), &type_)? {
                Some(operand) => converted.push(operand),
                None => return Ok(None),
            }
        }
        Ok(Some(converted))
    }

    pub(super) fn best_operator(&self, fitting: &[(MethodRef, Vec<Bound>, bool)], operands: &[Bound]) -> Option<usize> {
        let is_better = |one: &(MethodRef, Vec<Bound>, bool), other: &(MethodRef, Vec<Bound>, bool)| {
            let pairs = operands.iter().zip(one.1.iter().zip(&other.1));
            let ways: Vec<i32> = pairs
                .map(|(operand, (one, other))| self.better_type(&operand.type_, &one.type_, &other.type_))
                .collect();
            ways.iter().all(|way| *way >= 0) && ways.iter().any(|way| *way > 0)
        };
        let mut best = 0;
        for at in 1..fitting.len() {
            if is_better(fitting.get(at)?, fitting.get(best)?) {
                best = at;
            }
        }
        (!fitting.is_empty()).then_some(best)
    }

    /// `+` and `-` of delegates: what the program's `Delegate` makes of both.
    pub(super) fn delegates(
        &mut self,
        operator: BinaryOp,
        left: &Bound,
        right: &Bound,
        span: &Span,
    ) -> Result<Option<Bound>> {
        let name = match operator {
            BinaryOp::Add => "Combine",
            BinaryOp::Subtract => "Remove",
            _ => return Ok(None),
        };
        let type_ = if self.types.delegate(&left.type_).is_some() { left.type_.clone() } else { right.type_.clone() };
        if self.types.delegate(&type_).is_none() {
            return Ok(None);
        }
        let (Some(left), Some(right)) = (self.implicit(left.clone(), &type_)?, self.implicit(right.clone(), &type_)?)
        else {
            return Ok(None);
        };
        let class = Type::named("System.Delegate", Vec::new());
        let group = Group { of: None, type_: class, name: name.to_owned(), arguments: Vec::new(), span: span.clone() };
        let Some(call) = self.call_if_fits(&group, &[Given::value(left), Given::value(right)])? else {
            return Ok(None);
        };
        Ok(Some(self.convert(call, &type_, Conversion::Checked)))
    }
}

/// Whether a span is made over a literal: the program has another of that text than what would be made here.
fn refers_to_literal(bound: &Bound) -> bool {
    if utf8::bytes(bound).is_some() {
        return true;
    }
    match &bound.kind {
        Kind::Constant(Constant::Text(_)) => true,
        // of `""u8`
        Kind::NewArray { elements: Some(elements), .. } => elements.is_empty(),
        Kind::Convert { of, .. } => refers_to_literal(of),
        Kind::Operator { operands, .. } => operands.iter().any(refers_to_literal),
        Kind::Call { of, arguments, .. } => {
            let passed = arguments.iter().any(|it| matches!(it, Passed::Value(value) if refers_to_literal(value)));
            passed || of.as_deref().is_some_and(refers_to_literal)
        }
        _ => false,
    }
}
