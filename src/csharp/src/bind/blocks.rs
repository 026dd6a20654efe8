//! Members of `extension` blocks (C# 14) that are in scope.

use crate::bound::{Bound, Kind, Passed};
use crate::syntax::{Expr, ExprKind, Span};
use crate::types::{BlockMember, Definition, MethodRef, Type};

use super::arguments::Given;
use super::{BindError, Binder, Result, error};

impl Binder<'_> {
    /// By the name of their code, with the classes around the blocks.
    pub(super) fn members_of_blocks(&self, name: &str, is_static: bool) -> Vec<(Type, BlockMember)> {
        let all = self.types.block_members(name, self.scope.assembly.as_ref());
        let all: Vec<(Definition, BlockMember)> =
            all.iter().filter(|it| it.is_static == is_static).map(|it| (it.holder.clone(), it.clone())).collect();
        self.in_scope(&all).into_iter().flatten().collect()
    }

    /// One that is called on a value or a type.
    pub(super) fn block_member(
        &mut self,
        receiver: &Bound,
        (name, is_static): (&str, bool),
        (explicit, given): (&[Type], &[Given]),
        span: &Span,
    ) -> Result<Option<Bound>> {
        let members = self.members_of_blocks(name, is_static);
        if members.is_empty() || !self.takes_extensions(receiver) {
            return Ok(None);
        }
        let all: Vec<Given> = std::iter::once(Given::receiver(receiver.clone())).chain(given.iter().cloned()).collect();
        let mut fitting = Vec::new();
        for (holder, member) in &members {
            for is_expanded in [false, true] {
                if let Ok(fit) = self.fit(holder, &member.with_receiver, explicit, &all, is_expanded)?
                    && self.takes_receiver(&receiver.type_, &fit.method)
                {
                    fitting.push((holder.clone(), member.with_receiver.clone()));
                    break;
                }
            }
        }
        let Some(fit) = self.choose_among(&fitting, explicit, &all, span)? else { return Ok(None) };
        let mut arguments: Vec<Passed> = self.passed(&fit, &all, span)?;
        let is_it = |it: &BlockMember| std::sync::Arc::ptr_eq(&it.with_receiver, &fit.method.method);
        let Some((_, member)) = members.iter().find(|(_, it)| is_it(it)) else { return Ok(None) };
        if is_static && !arguments.is_empty() {
            arguments.remove(0);
        }
        let method = MethodRef { method: member.method.clone(), ..fit.method };
        let returns = match method.returns() {
            Type::ByRef(inner) => *inner,
            other => other,
        };
        Ok(Some(Bound::new(Kind::Call { of: None, method, arguments }, returns, span.clone())))
    }

    /// A property, read from a value or a type.
    pub(super) fn block_property(
        &mut self,
        receiver: &Bound,
        name: &str,
        is_static: bool,
        span: &Span,
    ) -> Result<Option<Bound>> {
        self.block_member(receiver, (&format!("get_{name}"), is_static), (&[], &[]), span)
    }

    /// What the compiler says of a property that is there for types, and named on a value, or the other way round.
    pub(super) fn misplaced(
        &mut self,
        receiver: &Bound,
        name: &str,
        is_static: bool,
        span: &Span,
    ) -> Result<Option<BindError>> {
        let Some(found) = self.block_property(receiver, name, !is_static, span)? else { return Ok(None) };
        let text = self.block_text(&found, name);
        let (code, message) = match is_static {
            true => ("CS0120", super::access::needed_object(&text)),
            false => ("CS0176", super::access::needed_type(&text)),
        };
        Ok(Some(BindError::Compiler { code, message, at: span.start }))
    }

    /// `Lines.extension(string).Words`
    pub(super) fn block_text(&self, call: &Bound, name: &str) -> String {
        match self.called_in_block(call) {
            Some((holder, member)) => format!("{}.{}.{name}", holder.short(), member.block_text()),
            None => name.to_owned(),
        }
    }

    fn called_in_block(&self, call: &Bound) -> Option<(Type, BlockMember)> {
        let Kind::Call { of: None, method, .. } = &call.kind else { return None };
        let is_it = |it: &BlockMember| std::sync::Arc::ptr_eq(&it.method, &method.method);
        let mut members = [false, true].into_iter().flat_map(|it| self.members_of_blocks(&method.method.name, it));
        members.find(|(_, it)| is_it(it))
    }

    /// Of an expression that is bound to what reads a property of a block: what writes it.
    pub(super) fn block_setter(&self, expr: &Expr, getter: &Bound) -> Result<Option<MethodRef>> {
        let (ExprKind::MemberAccess { name, .. } | ExprKind::Name { name, .. }) = &expr.kind else { return Ok(None) };
        let Kind::Call { of: None, method, .. } = &getter.kind else { return Ok(None) };
        let text = &name.text;
        if method.method.name.strip_prefix("get_") != Some(text) {
            return Ok(None);
        }
        let Some((_, read)) = self.called_in_block(getter) else { return Ok(None) };
        let setters = self.members_of_blocks(&format!("set_{text}"), read.is_static);
        match setters.into_iter().find(|(_, it)| it.is_beside(&read)) {
            Some((_, setter)) => Ok(Some(MethodRef { method: setter.method, ..method.clone() })),
            None => {
                let text = self.block_text(getter, text);
                let words = format!("Property or indexer '{text}' cannot be assigned to -- it is read only");
                error("CS0200", words, &getter.span)
            }
        }
    }

    /// Writes what `value` makes of the old value, which it finds in `old`, and gives one of the two.
    pub(super) fn written_by(
        &mut self,
        (getter, setter): (&Bound, MethodRef),
        old: Option<usize>,
        value: Bound,
        gives_old: bool,
    ) -> Bound {
        let Kind::Call { arguments, method, .. } = &getter.kind else { return value };
        let span = value.span.clone();
        let type_ = getter.type_.clone();
        let local = |slot, type_: &Type| Bound::new(Kind::Local(slot), type_.clone(), span.clone());
        let within = |of: Bound, slot, then: Bound| {
            let type_ = then.type_.clone();
            Bound::new(Kind::Let { of: Box::new(of), slot, then: Box::new(then) }, type_, span.clone())
        };
        // the receiver is evaluated once, unless it is the variable itself that is passed
        let (mut first, mut passed) = (None, arguments.clone());
        if let Some(Passed::Value(receiver)) = arguments.first() {
            let slot = self.slot();
            passed = vec![Passed::Value(local(slot, &receiver.type_))];
            first = Some((receiver.clone(), slot));
        }
        let call =
            |method, arguments, type_| Bound::new(Kind::Call { of: None, method, arguments }, type_, span.clone());
        let new = self.slot();
        let read = call(method.clone(), passed.clone(), type_.clone());
        passed.push(Passed::Value(local(new, &type_)));
        let write = call(setter.clone(), passed, setter.returns());
        let given = local(old.filter(|_| gives_old).unwrap_or(new), &type_);
        let mut whole = within(value, new, within(write, self.slot(), given));
        if let Some(old) = old {
            whole = within(read, old, whole);
        }
        match first {
            Some((receiver, slot)) => within(receiver, slot, whole),
            None => whole,
        }
    }
}
