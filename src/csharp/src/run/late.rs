//! What only run-time types determine: bound again when they are known.

use std::sync::Arc;

use crate::bind::Binder;
use crate::bound::{BindError, Local};
use crate::bound::{Bound, Kind};
use crate::syntax::{Expr, ExprKind};
use crate::types::Type;
use crate::world::{Evaluated, World};

use super::{Run, null_reference, threw, unsupported};

impl<W: World> Run<'_, W> {
    /// Binds what is late now that the types of its operands are known, and evaluates it.
    pub(super) fn late(
        &mut self,
        expr: &Arc<Expr>,
        operands: &[(String, Bound)],
        around: &[Local],
        error: Option<&BindError>,
    ) -> Evaluated<W> {
        let mut locals = Vec::new();
        let mut next = self.slots.len();
        for (name, operand) in operands {
            let value = self.value(operand)?;
            let value = self.opened(value)?;
            let type_ = self.run_time_type(&value)?.unwrap_or(Type::Null);
            next = next.max(self.slots.len());
            self.set(next, value);
            locals.push(Local { name: name.clone(), type_, slot: next });
            next += 1;
        }
        // nothing is to be found on a null
        let is_receiver = matches!(
            expr.kind,
            ExprKind::MemberAccess { .. } | ExprKind::Invocation { .. } | ExprKind::ElementAccess { .. }
        );
        let is_null = is_receiver && locals.first().is_some_and(|local| local.type_ == Type::Null);
        if is_null {
            return match error {
                Some(error) => Err(error.clone().into()),
                None => null_reference(),
            };
        }
        let mut binder = Binder::at_run_time(self.types, self.scope, (around, locals), next);
        let bound = match (binder.bind(expr), error) {
            (Ok(Bound { kind: Kind::Late { .. }, .. }), Some(error))
            | (Err(BindError::Compiler { .. }), Some(error)) => {
                return Err(error.clone().into());
            }
            (Err(BindError::Compiler { message, .. }), None)
                if operands.iter().any(|(_, operand)| is_dynamic(operand)) =>
            {
                return threw("Microsoft.CSharp.RuntimeBinder.RuntimeBinderException", message);
            }
            (bound, _) => bound?,
        };
        if matches!(bound.kind, Kind::Late { .. }) {
            return unsupported("the type of this part cannot be determined: add a cast");
        }
        self.value(&bound)
    }
}

/// Whether what is late is declared so, and not only looked for where the compiler knows of nothing.
fn is_dynamic(bound: &Bound) -> bool {
    match &bound.kind {
        Kind::Late { error: Some(_), .. } => false,
        Kind::Late { operands, .. } => operands.iter().any(|(_, operand)| is_dynamic(operand)),
        _ => bound.is_late(),
    }
}
