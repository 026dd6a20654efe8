//! Names that an adapter must not be asked for: it cannot parse them, or ends at one that it does not find.

use super::{RawValue, Reader};
use crate::session::inspect::access::ReadError;
use crate::session::inspect::lone_names::{LoneName, lone_names};

impl Reader {
    /// A variable's name in an expression that the adapter cannot parse with it.
    pub(super) fn unreadable_name(&self, expression: &str) -> Option<&'static str> {
        let names = self.quirks.unreadable_names.iter().copied();
        let mut found = names.filter(|name| expression.contains(name));
        found
            .find(|name| expression.trim() == *name || lone_names(expression).iter().any(|lone| lone.as_str() == *name))
    }

    /// The variable of that name, as the frame lists it.
    pub(super) async fn listed_variable(&self, expression: &str, name: &str) -> Result<RawValue, ReadError> {
        let is_alone = expression.trim() == name;
        let listed = if is_alone { self.variables().await? } else { Vec::new() };
        listed.into_iter().find(|variable| variable.name == name).ok_or_else(|| {
            ReadError::Refused(match is_alone {
                true => format!("error: The name '{name}' does not exist in the current context"),
                false => {
                    format!("this adapter cannot parse the name `{name}` within an expression; evaluate it alone")
                }
            })
        })
    }

    /// Says of a name that is not here what the adapter would say, where asking for it kills that.
    pub(super) async fn refuse_unknown_names(&self, expression: &str) -> Result<(), ReadError> {
        if !self.quirks.unknown_names_kill {
            return Ok(());
        }
        let types = self.frames.types_without_namespace(self.frame_id, &self.modules);
        let names = lone_names(expression);
        if types.is_empty() || names.is_empty() {
            return Ok(());
        }
        let variables = match self.frames.variables(self.frame_id) {
            Some(known) => known,
            None => {
                self.variables().await?;
                self.frames.variables(self.frame_id).unwrap_or_default()
            }
        };
        let has_this = variables.contains("this");
        let members = |type_: &String| match has_this {
            true => self.modules.member_names(type_),
            false => self.modules.static_names(type_),
        };
        let is_member_here = |name: &String| types.iter().any(|type_| members(type_).contains(name));
        // a static member that no call initializes there is found as little as a name that does not exist
        let is_blind = self.frames.is_below_external(self.frame_id);
        let is_static = |name: &String| types.iter().any(|type_| self.modules.static_names(type_).contains(name));
        let is_member = |name: &String| is_member_here(name) && !(is_blind && is_static(name));
        match names.into_iter().find(|name| match name {
            LoneName::Call(_) => !has_this,
            LoneName::Value(name) if name == "this" => !has_this && !self.frames.is_generated(self.frame_id),
            LoneName::Value(name) => !variables.contains(name) && !is_member(name),
        }) {
            None => Ok(()),
            Some(LoneName::Value(name)) if name == "this" => {
                Err(ReadError::Refused("error: The name 'this' does not exist in the current context".to_owned()))
            }
            Some(LoneName::Value(name)) if is_blind && is_static(&name) => Err(ReadError::Refused(format!(
                "`{name}` is a static member that this adapter cannot read by its name alone at this stop: write Type.{name}"
            ))),
            Some(LoneName::Value(name)) if !self.modules.has_type(&name) => {
                Err(ReadError::Refused(format!("error: The name '{name}' does not exist in the current context")))
            }
            Some(LoneName::Value(name)) => Err(ReadError::Refused(format!(
                "`{name}` is in the global namespace: this adapter can read only its static fields and properties, and only in frames of types in the global namespace"
            ))),
            Some(LoneName::Call(name)) => Err(ReadError::Refused(format!(
                "this adapter cannot call `{name}` in a static method of a type in the global namespace"
            ))),
        }
    }
}
