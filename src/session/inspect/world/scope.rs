//! What an expression may name in a frame: from the symbols of its code, and from the frame's own list where there are none.

use std::collections::HashMap;
use std::sync::Arc;

use clr_csharp::types::{Arguments, Type};
use clr_csharp::world::{Scope, Variable};
use clr_metadata::{Assembly, MethodId, TypeId};

use crate::session::inspect::access::ReadError;
use crate::session::inspect::evaluated::EvalError;
use crate::session::inspect::missing;
use crate::session::inspect::reader::Reader;
use crate::session::inspect::shared_code;
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
    let open = place.map(|it| reader.modules.open_variables_at(&it.path, (it.line, it.column))).unwrap_or_default();
    let is_listed = from_list(reader, &mut scope, &open).await?;
    let scope = Arc::new(scope);
    if is_listed {
        reader.frames.keep_scope(reader.frame_id, scope.clone());
    }
    Ok(Known { scope, is_gone })
}

/// Variables with the types that they have, where symbols do not have those. `open`: what is declared with type parameters, of which the
/// objects show what they stand for.
async fn from_list(reader: &Reader, scope: &mut Scope, open: &HashMap<String, Type>) -> Result<bool, EvalError> {
    let listed = match reader.variables().await {
        Ok(listed) => listed,
        Err(ReadError::Refused(_)) => return Ok(false),
        Err(error) => return Err(error.into()),
    };
    let mut printed = HashMap::new();
    for value in listed {
        let type_ = reader.modules.type_printed(&value.type_name).filter(|_| !value.type_name.is_empty());
        match scope.variables.iter_mut().find(|variable| variable.name == value.name) {
            Some(variable) if variable.type_.is_none() => variable.type_.clone_from(&type_),
            Some(_) => {}
            None => scope.variables.push(Variable { name: value.name.clone(), type_: type_.clone() }),
        }
        printed.extend(type_.filter(|_| !shared_code::is_open(&value.type_name)).map(|type_| (value.name, type_)));
    }
    let (version, types) = reader.modules.take_types();
    let mut arguments = Arguments::default();
    let this = scope.enclosing.first().map(|own| ("this", own));
    for (name, declared) in open.iter().map(|(name, declared)| (name.as_str(), declared)).chain(this) {
        if let Some(object) = printed.get(name) {
            arguments.find(&types, declared, object);
        }
    }
    reader.modules.keep_types((version, types));
    settle(scope, arguments, open);
    Ok(true)
}

/// With what is known of type parameters.
fn settle(scope: &mut Scope, mut arguments: Arguments, open: &HashMap<String, Type>) {
    arguments.stand_for(&scope.bounds);
    let known = |type_: &mut Type| *type_ = arguments.applied(type_);
    scope.enclosing.iter_mut().for_each(known);
    scope.type_parameters.iter_mut().for_each(|(_, argument)| known(argument));
    for (argument, bounds) in &mut scope.bounds {
        known(argument);
        bounds.iter_mut().for_each(known);
    }
    let this = scope.enclosing.first().cloned();
    for (at, variable) in scope.variables.iter_mut().enumerate() {
        let declared = match variable.name.as_str() {
            "this" => this.clone(),
            name => open.get(name).map(|declared| arguments.applied(declared)),
        };
        let parameter = open.get(&variable.name).filter(|declared| declared.is_parameter());
        if parameter.is_some() {
            scope.of_parameters.push(at);
        }
        let Some(declared) = declared else { continue };
        if !declared.has_parameters() {
            variable.type_ = Some(declared);
            continue;
        }
        // one of an argument that is not known: what the parameter is bound to may be
        let position = parameter.and_then(|parameter| scope.bounds.iter().position(|(bound, _)| bound == parameter));
        let bounds = position.and_then(|position| scope.bounds.get(position));
        let is_known = bounds.is_some_and(|(_, bounds)| !bounds.iter().any(Type::has_parameters));
        variable.type_ = variable.type_.as_ref().map(|seen| match position {
            Some(position) if is_known => seen.clone().of_parameter(position),
            _ => seen.with_names_of(&declared),
        });
    }
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
