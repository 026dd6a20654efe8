//! Calls of what delegates hold.

use std::sync::Arc;

use crate::bound::{Bound, Kind};
use crate::syntax::Span;
use crate::types::{Method, Type};

use super::arguments::Given;
use super::overloads::Unfit;
use super::unfit::{mismatch, wrong_pass};
use super::{Binder, Result, error};

impl Binder<'_> {
    /// A call of a delegate, which takes its arguments as a method does: some may be left out, listed for `params`, or passed by reference.
    pub(super) fn delegate_call(
        &mut self,
        of: Bound,
        invoke: Arc<Method>,
        given: &[Given],
        span: &Span,
    ) -> Result<Bound> {
        let owner = of.type_.clone();
        let candidates = [(owner.clone(), invoke.clone())];
        let Some(fit) = self.choose(&candidates, &[], given, span)? else {
            return self.no_delegate_call(&owner, &invoke, given, span);
        };
        let passed = self.passed(&fit, given, span)?;
        let returns = match fit.method.returns() {
            Type::ByRef(inner) => *inner,
            other => other,
        };
        let of = Box::new(of);
        let kind = match Self::plain(&passed) {
            Some(arguments) => Kind::Invoke { of, arguments },
            None => Kind::Call { of: Some(of), method: fit.method, arguments: passed },
        };
        Ok(Bound::new(kind, returns, span.clone()))
    }

    /// Why a delegate does not take the arguments.
    fn no_delegate_call<T>(&mut self, owner: &Type, invoke: &Arc<Method>, given: &[Given], span: &Span) -> Result<T> {
        let name = owner.short();
        match self.fit(owner, invoke, &[], given, false)? {
            Err(Unfit::Type(at, wanted)) => {
                let from = given.get(at).map(|it| it.value.type_.clone()).unwrap_or(Type::Null);
                error("CS1503", mismatch(at, &from, &wanted), span)
            }
            Err(Unfit::Pass(at, pass)) => wrong_pass(at, pass, span),
            Err(Unfit::Missing(parameter)) => error(
                "CS7036",
                format!(
                    "There is no argument given that corresponds to the required parameter '{parameter}' of '{name}'"
                ),
                span,
            ),
            Err(Unfit::Name(parameter)) => {
                error("CS1746", format!("The delegate '{name}' does not have a parameter named '{parameter}'"), span)
            }
            _ => error("CS1593", format!("Delegate '{name}' does not take {} arguments", given.len()), span),
        }
    }
}
