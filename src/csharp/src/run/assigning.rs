//! An assignment that was asked for as one: whatever its parts may do, the value is stored.

use crate::bind::Binder;
use crate::bound::{Bound, Kind};
use crate::syntax::Expr;
use crate::types::TypeSystem;
use crate::world::{Evaluated, Failure, Scope, World};

use super::{Limits, Outcome, Run};

/// Evaluates an assignment. [`World::store`] is called when target and value are known and only the store is left.
///
/// # Errors
/// [`Failure`]
pub fn assign<W: World>(
    world: &mut W,
    (types, scope): (&TypeSystem, &Scope),
    assignment: &Expr,
    limits: Limits,
) -> Result<Outcome<W::Handle>, Failure<W::Error>> {
    let mut binder = Binder::new(types, scope);
    let bound = binder.bind(assignment)?;
    let mut run = Run::new(world, types, scope, binder.slots(), limits);
    let value = run.assigned(&bound)?;
    Ok(Outcome { value, type_: bound.type_ })
}

impl<W: World> Run<'_, W> {
    fn assigned(&mut self, bound: &Bound) -> Evaluated<W> {
        match &bound.kind {
            Kind::Assign { target, value } => {
                let place = self.place(target)?;
                let value = self.value(value)?;
                self.world.store();
                self.write(&place, &value)?;
                Ok(value)
            }
            Kind::Late { expr, operands, locals, error } => {
                self.late(expr, operands, locals, error.as_deref(), Self::assigned)
            }
            _ => self.value(bound),
        }
    }
}
