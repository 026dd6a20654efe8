//! `[DebuggerTypeProxy]`: an object that stands for another one in a debugger.

use super::attributes::{first, type_name};
use super::rows::Access;
use super::{Level, Presenter, Seen};
use crate::evaluate::Evaluated;
use crate::types;

const PROXY: &str = "System.Diagnostics.DebuggerTypeProxyAttribute";

/// A text may name it as the code around would: within the type, beside it, or in what it is within.
fn names(written: &str, level: &Level) -> Vec<String> {
    let around: Vec<_> = std::iter::successors(Some(level.definition.view()), |it| it.declaring_type()).collect();
    let within = around.iter().map(|around| format!("{}+{written}", around.full_name()));
    let namespace = around.last().map(|it| it.namespace()).filter(|it| !it.is_empty());
    let beside = namespace.map(|namespace| format!("{namespace}.{written}"));
    let other = within.chain(beside).filter(|_| !written.contains(['.', '+']));
    std::iter::once(written.to_owned()).chain(other).collect()
}

impl Presenter<'_> {
    /// The proxy, where making it changes nothing, and how an expression gets it.
    pub(super) fn proxy(&mut self, seen: &Seen) -> Option<(Seen, Access)> {
        let (level, arguments) = self.attribute(seen, PROXY)?;
        let names = names(type_name(first(&arguments)?), level);
        let given = level.type_.arguments().to_vec();
        if self.is_late() {
            return None;
        }
        let mut made = names.iter().filter_map(|name| self.evaluation.made_of(name, &given, &seen.place).ok());
        let Evaluated::Value(made) = made.next()? else { return None };
        let type_ = types::text(&made.type_.sig());
        let clr_csharp::value::Value::Object(place) = made.value else { return None };
        let access = Access { before: format!("new {type_}("), behind: ")".into() };
        Some((self.seen(&place)?, access))
    }
}
