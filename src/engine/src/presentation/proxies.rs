//! `[DebuggerTypeProxy]`: an object that stands for another one in a debugger.

use super::attributes::{first, type_name};
use super::rows::Access;
use super::{Presenter, Seen};
use crate::evaluate::Evaluated;
use crate::types;

const PROXY: &str = "System.Diagnostics.DebuggerTypeProxyAttribute";

impl Presenter<'_> {
    /// The proxy, where making it changes nothing, and how an expression gets it.
    pub(super) fn proxy(&mut self, seen: &Seen) -> Option<(Seen, Access)> {
        let (level, arguments) = self.attribute(seen, PROXY)?;
        let name = type_name(first(&arguments)?).to_owned();
        let given = level.type_.arguments().to_vec();
        if self.is_late() {
            return None;
        }
        let Evaluated::Value(made) = self.evaluation.made_of(&name, &given, &seen.place).ok()? else { return None };
        let type_ = types::text(&made.type_.sig());
        let clr_csharp::value::Value::Object(place) = made.value else { return None };
        let access = Access { before: format!("new {type_}("), behind: ")".into() };
        Some((self.seen(&place)?, access))
    }
}
