//! Exceptions of the framework whose messages have the text of an object that they hold, or the messages of other exceptions.

use super::hooks::TOLD;
use super::observed::Content;
use super::quiet::TEXT;
use super::{Judged, Question};

/// Those around other exceptions.
const AROUND: [&str; 2] = ["System.AggregateException", "System.Reflection.ReflectionTypeLoadException"];
/// What these and those of [`TOLD`] derive from.
const BASES: [&str; 5] = [
    "System.Exception",
    "System.SystemException",
    "System.ArgumentException",
    "System.InvalidOperationException",
    "System.Object",
];

impl Question<'_> {
    /// What the message of an exception asks of what it holds. `is_exact`: it is of no class below `class`; `held`: the exception itself.
    pub(super) fn told_by_message(&mut self, class: &str, is_exact: bool, held: Option<&Content>) -> Judged {
        let chain = self.purity.universe.base_chain(class);
        let may_be = |wanted: &str| {
            class == wanted || chain.iter().any(|base| base == wanted) || !is_exact && BASES.contains(&class)
        };
        let is_around = AROUND.iter().any(|wanted| may_be(wanted));
        if is_around {
            self.virtuals("System.Exception", None, &|name| name == "get_Message")?;
        }
        let may_hold: Vec<_> = TOLD.iter().filter(|(owner, _)| is_around || may_be(owner)).collect();
        let object = match (is_around, may_hold.as_slice(), held) {
            (_, [], _) => return Ok(()),
            (false, [(owner, field)], Some(Content::Object(exception, _))) => {
                self.observer.as_mut().and_then(|observer| observer.field(*exception, owner, field))
            }
            _ => None,
        };
        match object {
            Some(Content::Null | Content::Number(_)) => Ok(()),
            Some(Content::Object(_, type_)) => self.quiet_for(&type_, "System.Object", "ToString"),
            None if self.purity.hierarchy().tells_objects => {
                self.virtuals("System.Object", None, &|name| TEXT.contains(&name))
            }
            None => Ok(()),
        }
    }
}
