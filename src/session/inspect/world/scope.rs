//! What an expression may name in a frame: from the symbols of its code, and from the frame's own list where there are none.

use std::sync::Arc;

use clr_csharp::types::Type;
use clr_csharp::world::{Scope, Variable};
use clr_metadata::{Assembly, MethodId, TypeId};

use crate::session::inspect::access::ReadError;
use crate::session::inspect::evaluated::EvalError;
use crate::session::inspect::missing;
use crate::session::inspect::reader::Reader;
use crate::session::modules::exception_variable;

/// The names of a frame.
#[derive(Default)]
pub(super) struct Known {
    pub(super) scope: Arc<Scope>,
    /// Nothing can be read here.
    is_gone: bool,
}

/// Of the reader's frame; the adapter is asked only where symbols do not show all of it, and once at a stop.
pub(super) async fn of(reader: &Reader) -> Result<Known, EvalError> {
    let place = reader.place.as_deref();
    let found = place.and_then(|it| reader.modules.scope_at(&it.path, (it.line, it.column)));
    let (from_symbols, is_complete) = found.unwrap_or_default();
    let is_gone = reader.is_gone;
    if is_gone {
        let variables = vec![exception_variable()];
        return Ok(Known { scope: Arc::new(Scope { variables, ..Scope::clone(&from_symbols) }), is_gone });
    }
    if is_complete {
        return Ok(Known { scope: from_symbols, is_gone });
    }
    if let Some(known) = reader.frames.scope(reader.frame_id) {
        return Ok(Known { scope: known, is_gone });
    }
    let mut scope = Scope::clone(&from_symbols);
    if scope.variables.is_empty() {
        scope.variables.push(exception_variable());
    }
    let is_listed = from_list(reader, &mut scope).await?;
    let scope = Arc::new(scope);
    if is_listed {
        reader.frames.keep_scope(reader.frame_id, scope.clone());
    }
    Ok(Known { scope, is_gone })
}

/// Variables with the types that they have, where symbols do not have those.
async fn from_list(reader: &Reader, scope: &mut Scope) -> Result<bool, EvalError> {
    let listed = match reader.variables().await {
        Ok(listed) => listed,
        Err(ReadError::Refused(_)) => return Ok(false),
        Err(error) => return Err(error.into()),
    };
    for value in listed {
        let type_ = reader.modules.type_printed(&value.type_name);
        let type_ = type_.filter(|_| !value.type_name.is_empty());
        if value.name == "this"
            && let (Some(type_), Some(own)) = (&type_, scope.enclosing.first_mut())
            && own.name() == type_.name()
        {
            own.clone_from(type_);
            let names = scope.assembly.as_ref().and_then(|assembly| {
                let id = assembly.find_definition(type_.name()?)?;
                Some(assembly.type_(id).parameter_names(None).of_type)
            });
            scope.type_parameters =
                names.unwrap_or_default().into_iter().zip(type_.arguments().iter().cloned()).collect();
        }
        match scope.variables.iter_mut().find(|variable| variable.name == value.name) {
            Some(variable) if variable.type_.is_none() => variable.type_ = type_,
            Some(_) => {}
            None => scope.variables.push(Variable { name: value.name, type_ }),
        }
    }
    Ok(true)
}

impl Known {
    /// The name of a variable, as the adapter knows it.
    pub(super) fn name(&self, position: usize) -> Option<(&str, Option<&Type>)> {
        let variable = self.scope.variables.get(position)?;
        Some((variable.name.as_str(), variable.type_.as_ref()))
    }

    /// The code of a module runs only behind its initializer, and so does that of a type; with `beforefieldinit` the runtime may
    /// initialize it at any time (ECMA-335 II.10.5.3).
    pub(super) fn has_begun(&self, assembly: &Arc<Assembly>, initializer: MethodId) -> bool {
        let is_here = self.scope.assembly.as_ref().is_some_and(|own| own.path() == assembly.path());
        let Some(type_) = assembly.method(initializer).declaring_type().filter(|_| is_here) else { return false };
        let name = type_.full_name();
        let is_own = self.scope.enclosing.first().and_then(Type::name) == Some(name.as_str());
        type_.id() == TypeId::MODULE || is_own
    }

    pub(super) fn gone(&self, name: &str) -> Option<String> {
        self.is_gone.then(|| format!("`{name}` cannot be read: {}", missing::GONE))
    }
}
