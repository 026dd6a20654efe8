//! What only run-time types determine: bound again when they are known.

use std::sync::Arc;

use crate::bind::{Binder, name_expr};
use crate::bound::{BindError, Local};
use crate::bound::{Bound, Kind};
use crate::syntax::{Argument, BinaryOp, Expr, ExprKind, LiteralValue, Pass, Span};
use crate::types::{Definition, Type};
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
        let is_of = |local: &Local, name| self.types.is_a(&local.type_, &Type::named(name, Vec::new()));
        if let (Some((_, receiver)), Some(local)) = (operands.first(), locals.first())
            && (is_receiver || matches!(expr.kind, ExprKind::Assignment { .. }) && !local.type_.is(EXPANDO))
            && is_dynamic(receiver)
            && is_of(local, BINDS_ITSELF)
            // what it declares comes first
            && !(is_of(local, DYNAMIC) && member(expr, &local.name).is_some_and(|name| self.has_public(&local.type_, name)))
        {
            let value = self.slots.get(local.slot).cloned().flatten().unwrap_or(Value::NULL);
            return self.bound_by_itself(expr, &value, &local.type_.clone());
        }
        let receiver_type = locals.first().map(|local| local.type_.clone());
        let expando = locals.first().filter(|it| it.type_.is(EXPANDO) && dynamic.contains(&it.slot)).cloned();
        let given = expando.and_then(|local| Some((member_given(expr, &local.name)?, local)));
        let rewritten = match given {
            Some((Given { target, name, operator, value }, local)) => {
                let value = match operator {
                    Some(operator) => {
                        let expando = self.slots.get(local.slot).cloned().flatten().unwrap_or(Value::NULL);
                        let member = self.bound_by_itself(target, &expando, &local.type_)?;
                        let member = self.opened(member)?;
                        let type_ = self.run_time_type(&member)?.unwrap_or(Type::Null);
                        self.set(next, member);
                        locals.push(Local { name: MEMBER.to_owned(), type_, slot: next });
                        dynamic.push(next);
                        next += 1;
                        let (left, right) = (Box::new(name_expr(MEMBER, &target.span)), Box::new(value.clone()));
                        Expr { kind: ExprKind::Binary { operator, left, right }, span: expr.span.clone() }
                    }
                    None => value.clone(),
                };
                locals.push(as_dictionary(&local));
                Some(entry_assigned(name, value, &expr.span))
            }
            None => None,
        };
        let expr: &Expr = rewritten.as_ref().unwrap_or(expr);
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

/// Names that no text can hold: an expando object as a dictionary, and the member of it that is changed.
const DICTIONARY: &str = "\0dictionary";
const MEMBER: &str = "\0member";

/// An expando object as what it is to its members.
fn as_dictionary(expando: &Local) -> Local {
    let type_ = Type::named("System.Collections.Generic.IDictionary`2", vec![Type::STRING, Type::OBJECT]);
    Local { name: DICTIONARY.to_owned(), type_, slot: expando.slot }
}

/// `row.Name = value`, or with an operator.
struct Given<'e> {
    target: &'e Expr,
    name: &'e str,
    operator: Option<BinaryOp>,
    value: &'e Expr,
}

fn member_given<'e>(expr: &'e Expr, expando: &str) -> Option<Given<'e>> {
    let ExprKind::Assignment { target, operator, value } = &expr.kind else { return None };
    let name = member(target, expando).filter(|_| matches!(target.kind, ExprKind::MemberAccess { .. }))?;
    Some(Given { target, name, operator: *operator, value })
}

/// What it does: `((IDictionary<string, object>)row)["Name"] = value`.
fn entry_assigned(name: &str, value: Expr, span: &Span) -> Expr {
    let of_span = |kind| Expr { kind, span: span.clone() };
    let key = of_span(ExprKind::Literal(LiteralValue::String(name.encode_utf16().collect())));
    let arguments = vec![Argument { name: None, pass: Pass::Value, value: key }];
    let of = Box::new(name_expr(DICTIONARY, span));
    let target = Box::new(of_span(ExprKind::ElementAccess { of, arguments }));
    of_span(ExprKind::Assignment { target, operator: None, value: Box::new(value) })
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
        "CS0176" => Some(format!(
            "Member '{of}.{}' cannot be accessed with an instance reference; qualify it with a type name instead",
            name.text
        )),
        "CS1061" | "CS1929" => Some(format!("'{of}' does not contain a definition for '{}'", name.text)),
        _ => None,
    }
}

/// What the binder of `dynamic` throws.
pub(super) const BINDER: &str = "Microsoft.CSharp.RuntimeBinder.RuntimeBinderException";
/// Implemented by objects that decide at run time which members they have.
const BINDS_ITSELF: &str = "System.Dynamic.IDynamicMetaObjectProvider";
/// Has what it declares, and then what `TryGetMember` and the like give.
const DYNAMIC: &str = "System.Dynamic.DynamicObject";
const EXPANDO: &str = "System.Dynamic.ExpandoObject";
/// Members of an expando object, at most.
const MOST_MEMBERS: usize = 10_000;

/// The member of a receiver of that name that an expression reads, calls or assigns.
fn member<'e>(expr: &'e Expr, receiver: &str) -> Option<&'e str> {
    match &expr.kind {
        ExprKind::MemberAccess { of, name, .. } => match &of.kind {
            ExprKind::Name { name: of, .. } if of.text == receiver => Some(&name.text),
            _ => None,
        },
        ExprKind::Invocation { of, .. } => member(of, receiver),
        ExprKind::Assignment { target, .. } => member(target, receiver),
        _ => None,
    }
}

impl<W: World> Run<'_, W> {
    /// Whether what a type declares under a name is for all code: that of its nearest base that has the name.
    fn has_public(&self, type_: &Type, name: &str) -> bool {
        const ACCESS: u32 = 7;
        const PUBLIC: u32 = 6;
        let access = |definition: Definition| {
            let fields = self.types.fields(&definition);
            let field = fields.iter().find(|field| field.name == name);
            let of_field = |field: &Arc<crate::types::Field>| {
                field.assembly.metadata().cell(field.id.row(), clr_metadata::col::Field::Flags).ok()
            };
            let properties = self.types.properties(&definition);
            let property = properties.iter().find(|property| property.name == name);
            let methods = self.types.methods(&definition, name);
            let method = methods.first().or_else(|| property?.accessor());
            field.map_or_else(|| method.map(|method| method.flags), of_field)
        };
        let mut chain = self.types.chain(type_).into_iter().filter_map(|type_| self.types.definition(&type_));
        chain.find_map(access).is_some_and(|flags| flags & ACCESS == PUBLIC)
    }

    /// A member of an object that decides itself which it has. An expando object keeps the names in `_data.Class._keys` and the values
    /// at the same positions of `_data._dataArray` (ExpandoObject.cs, .NET 8 to 10).
    fn bound_by_itself(&mut self, expr: &Expr, value: &Value<W::Handle>, type_: &Type) -> Evaluated<W> {
        let (ExprKind::MemberAccess { name, .. }, Value::Object(handle), true) = (&expr.kind, value, type_.is(EXPANDO))
        else {
            return unsupported(format!(
                "'{}' binds its members itself at run time: a cast to it reads those that it declares",
                type_.short()
            ));
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
