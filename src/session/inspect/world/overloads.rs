//! Which of several methods of a name an adapter calls: it goes by the very types of the arguments.

use std::sync::Arc;

use clr_csharp::syntax::Pass;
use clr_csharp::types::{Method, MethodRef, Type};

use super::passed::Passed;
use super::program::Program;
use super::reading::failed as refused;
use crate::session::inspect::evaluated::EvalError;

/// Why an adapter may choose wrongly, or finds nothing.
const SAME_PARAMETERS: &str = "the overloads differ only in return type";
const SAME_TYPES: &str = "with these type arguments, another overload takes the same types";
pub(super) const UNTYPED_NULL: &str = "it cannot tell the type of a null argument";

impl Program<'_> {
    /// An adapter takes the method whose parameters are of the very types of the arguments, and is killed by some that are not.
    pub(super) fn refuse_other_types(&self, method: &MethodRef, passed: &[Passed]) -> Result<(), EvalError> {
        let sign = match method.method.name.as_str() {
            "op_Equality" => Some(("==", "is null")),
            "op_Inequality" => Some(("!=", "is not null")),
            _ => None,
        };
        if let Some((sign, tests)) = sign
            && passed.iter().any(|it| it.type_.is_none())
        {
            return refused(format!(
                "{} defines {sign}, which the adapter cannot call with null; `{tests}` compares references",
                method.owner.short()
            ));
        }
        for (at, given) in passed.iter().enumerate() {
            let (Some(given), Some(wanted)) = (&given.type_, method.parameter_type(at)) else { continue };
            if *given != wanted {
                return refused(format!(
                    "`{}` takes {}, and this adapter cannot convert arguments: pass exactly that, not {}",
                    shown(method),
                    with_article(&wanted.short()),
                    with_article(&given.short())
                ));
            }
        }
        // of a null it sees no type, and conversions may differ in nothing but the type of their result
        let is_conversion = matches!(method.method.name.as_str(), "op_Explicit" | "op_Implicit");
        if !is_conversion && passed.iter().all(|it| it.type_.is_some()) {
            return self.refuse_same(method);
        }
        for owner in self.types.chain(&method.owner) {
            let Some(definition) = self.types.definition(&owner) else { continue };
            for other in self.types.methods(&definition, &method.method.name).iter() {
                let fits = other.parameters.iter().zip(passed).all(|(parameter, passed)| {
                    let wanted = parameter.type_.substitute(owner.arguments(), &method.arguments);
                    passed.type_.as_ref().is_none_or(|type_| *type_ == wanted)
                });
                if other.id != method.method.id && other.parameters.len() == passed.len() && fits {
                    let why = if passed.iter().all(|it| it.type_.is_some()) { SAME_PARAMETERS } else { UNTYPED_NULL };
                    return refused(format!("this adapter may call the wrong overload of `{}`: {why}", shown(method)));
                }
            }
        }
        Ok(())
    }

    /// Two overloads may take the same with the type arguments at hand: `M(T)` and `M(int)` of `G<int>`. C# prefers the one that is declared
    /// so, an adapter the first (netcoredbg 3.1.2, dncdbg 1.1.0; tried, 2026-11-26).
    fn refuse_same(&self, method: &MethodRef) -> Result<(), EvalError> {
        let own = &method.method;
        let takes = |it: &Method| -> Vec<(Pass, Type)> {
            let parameters = it.parameters.iter();
            parameters.map(|it| (it.pass, it.type_.substitute(method.owner.arguments(), &method.arguments))).collect()
        };
        let is_same =
            |other: &Arc<Method>| other.id < own.id && other.generic == own.generic && takes(other) == takes(own);
        let definition = self.types.definition(&method.owner);
        match definition.is_some_and(|it| self.types.methods(&it, &own.name).iter().any(is_same)) {
            true => refused(format!("this adapter may call the wrong overload of `{}`: {SAME_TYPES}", shown(method))),
            false => Ok(()),
        }
    }
}

/// `Order.Add`, a property without its accessor, `new Order`.
pub(super) fn shown(method: &MethodRef) -> String {
    if method.method.name == ".ctor" {
        return format!("new {}", method.owner.short());
    }
    method.text().replace(".get_", ".")
}

fn with_article(name: &str) -> String {
    let article = if name.starts_with(['a', 'e', 'i', 'o', 'A', 'E', 'I', 'O']) { "an" } else { "a" };
    format!("{article} {name}")
}
