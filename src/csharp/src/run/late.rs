//! What only run-time types determine: bound again when they are known.

use std::sync::Arc;

use crate::bind::Binder;
use crate::bound::{BindError, Local};
use crate::bound::{Bound, Kind};
use crate::syntax::{Expr, ExprKind};
use crate::types::Type;
use crate::value::Value;
use crate::world::{Evaluated, World};

use super::{Run, threw, unsupported};

impl<W: World> Run<'_, W> {
    /// Binds what is late now that the types of its operands are known, and evaluates it by `then`.
    pub(super) fn late(
        &mut self,
        expr: &Arc<Expr>,
        operands: &[(String, Bound)],
        around: &[Local],
        error: Option<&BindError>,
        then: fn(&mut Self, &Bound) -> Evaluated<W>,
    ) -> Evaluated<W> {
        let (mut locals, mut dynamic) = (Vec::new(), Vec::new());
        let mut next = self.slots.len();
        for (name, operand) in operands {
            let value = self.value(operand)?;
            let value = self.opened(value)?;
            let type_ = self.run_time_type(&value)?.unwrap_or(Type::Null);
            next = next.max(self.slots.len());
            self.set(next, value);
            if is_dynamic(operand) {
                dynamic.push(next);
            }
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
                None => threw(BINDER, "Cannot perform runtime binding on a null reference"),
            };
        }
        if let (true, Some((_, receiver)), Some(local)) = (is_receiver, operands.first(), locals.first())
            && is_dynamic(receiver)
            && self.types.is_a(&local.type_, &Type::named(BINDS_ITSELF, Vec::new()))
        {
            let value = self.slots.get(local.slot).cloned().flatten().unwrap_or(Value::NULL);
            return self.bound_by_itself(expr, &value, &local.type_.clone());
        }
        let receiver_type = locals.first().map(|local| local.type_.clone());
        let mut binder = Binder::at_run_time(self.types, self.scope, (around, locals, dynamic), next);
        let bound = match (binder.bind(expr), error) {
            (Ok(Bound { kind: Kind::Late { .. }, .. }), Some(error))
            | (Err(BindError::Compiler { .. }), Some(error)) => {
                return Err(error.clone().into());
            }
            (Err(BindError::Compiler { code, message, .. }), None)
                if operands.iter().any(|(_, operand)| is_dynamic(operand)) =>
            {
                let receiver = receiver_type.filter(|_| is_receiver);
                let words = receiver.and_then(|receiver| of_member(code, &receiver, expr));
                return threw(BINDER, words.unwrap_or(message));
            }
            (bound, _) => bound?,
        };
        if matches!(bound.kind, Kind::Late { .. }) {
            return unsupported("the type of this subexpression cannot be determined: add a cast");
        }
        let value = then(self, &bound)?;
        self.late_type = Some(bound.type_);
        Ok(value)
    }
}

/// What that says of a member: it knows no extensions, and names types in full.
fn of_member(code: &str, of: &Type, expr: &Expr) -> Option<String> {
    let access = match &expr.kind {
        ExprKind::Invocation { of, .. } => &of.kind,
        kind => kind,
    };
    let ExprKind::MemberAccess { name, .. } = access else { return None };
    match code {
        "CS1955" => Some(format!("Non-invocable member '{of}.{}' cannot be used like a method.", name.text)),
        "CS1061" | "CS1929" => Some(format!("'{of}' does not contain a definition for '{}'", name.text)),
        _ => None,
    }
}

/// What the binder of `dynamic` throws.
pub(super) const BINDER: &str = "Microsoft.CSharp.RuntimeBinder.RuntimeBinderException";
/// Implemented by objects that decide at run time which members they have.
const BINDS_ITSELF: &str = "System.Dynamic.IDynamicMetaObjectProvider";
const EXPANDO: &str = "System.Dynamic.ExpandoObject";
/// Members of an expando object, at most.
const MOST_MEMBERS: usize = 10_000;

impl<W: World> Run<'_, W> {
    /// A member of an object that decides itself which it has. An expando object keeps the names in `_data.Class._keys` and the values
    /// at the same positions of `_data._dataArray` (ExpandoObject.cs, .NET 8 to 10).
    fn bound_by_itself(&mut self, expr: &Expr, value: &Value<W::Handle>, type_: &Type) -> Evaluated<W> {
        let (ExprKind::MemberAccess { name, .. }, Value::Object(handle), true) = (&expr.kind, value, type_.is(EXPANDO))
        else {
            return unsupported(format!("'{}' binds its members itself at run time", type_.short()));
        };
        let missing = || format!("the members of '{}' cannot be read", type_.short());
        let read = |run: &mut Self, of: &Value<W::Handle>, field: &str| -> Evaluated<W> {
            let Value::Object(handle) = of else { return unsupported(missing()) };
            let type_ = run.world.type_of(handle)?;
            run.own_field(handle, &type_, field)?.map_or_else(|| unsupported(missing()), Ok)
        };
        let data = read(self, &Value::Object(handle.clone()), "_data")?;
        let class = read(self, &data, "Class")?;
        let (keys, values) = (read(self, &class, "_keys")?, read(self, &data, "_dataArray")?);
        let (Value::Object(keys), Value::Object(values)) = (keys, values) else { return unsupported(missing()) };
        let keys = self.world.elements(&keys, MOST_MEMBERS)?.unwrap_or_default();
        for (at, key) in keys.iter().enumerate() {
            let is_it = self.text_of(key)?.is_some_and(|key| String::from_utf16_lossy(&key) == name.text);
            let found = if is_it { self.world.elements(&values, at + 1)? } else { None };
            let Some(found) = found.and_then(|values| values.get(at).cloned()) else { continue };
            // a member that was removed leaves a plain object in its place
            if self.run_time_type(&found)? == Some(Type::OBJECT) {
                return unsupported(format!(
                    "the member '{}' of the ExpandoObject was removed or is a plain System.Object: the debugger cannot tell which",
                    name.text
                ));
            }
            return Ok(found);
        }
        let message = format!("'{EXPANDO}' does not contain a definition for '{}'", name.text);
        threw(BINDER, message)
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
