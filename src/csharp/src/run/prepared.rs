//! Expressions whose names are resolved once, to be evaluated as often as their place is reached.

use super::{Limits, Outcome, QUERIES, Run};
use crate::bind::Binder;
use crate::bound::{BindError, Bound};
use crate::syntax::Expr;
use crate::types::{Type, TypeSystem};
use crate::world::{Failure, Scope, World};

/// To be evaluated with the types that it was bound with.
#[derive(Debug)]
pub struct Prepared {
    bound: Bound,
    slots: usize,
    scope: Scope,
}

impl Prepared {
    /// # Errors
    /// `BindError`
    pub fn bind(types: &TypeSystem, scope: Scope, expr: &Expr) -> Result<Self, BindError> {
        Self::bound(types, scope, |binder| binder.bind(expr))
    }

    /// # Errors
    /// `BindError`, also where it is not a `bool`.
    pub fn condition(types: &TypeSystem, scope: Scope, expr: &Expr) -> Result<Self, BindError> {
        Self::bound(types, scope, |binder| binder.bind_as(expr, &Type::BOOL))
    }

    fn bound(
        types: &TypeSystem,
        scope: Scope,
        bind: impl FnOnce(&mut Binder<'_>) -> Result<Bound, BindError>,
    ) -> Result<Self, BindError> {
        let mut binder = Binder::new(types, &scope);
        let bound = bind(&mut binder)?;
        let slots = binder.slots();
        Ok(Self { bound, slots, scope })
    }

    /// # Errors
    /// [`Failure`]
    pub fn evaluate<W: World>(
        &self,
        world: &mut W,
        types: &TypeSystem,
        limits: Limits,
    ) -> Result<Outcome<W::Handle>, Failure<W::Error>> {
        let mut run = Run::new(world, types, &self.scope, self.slots, limits);
        let value = run.value(&self.bound)?;
        let value = run.finished(value, QUERIES)?;
        Ok(Outcome { value, type_: self.bound.type_.clone() })
    }

    /// Whether a condition holds.
    ///
    /// # Errors
    /// [`Failure`]
    pub fn holds<W: World>(
        &self,
        world: &mut W,
        types: &TypeSystem,
        limits: Limits,
    ) -> Result<bool, Failure<W::Error>> {
        Run::new(world, types, &self.scope, self.slots, limits).truth(&self.bound)
    }
}
