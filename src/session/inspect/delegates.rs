//! Delegates: how many handlers, which methods, on what. Count and targets are fields; where the adapter does not show the method,
//! its name comes from the framework's reflection and is read only where values were asked for.

use regex::Regex;

use super::access::Access;
use super::literal::{self, Raw};
use super::preview;
use super::raw_value::RawValue;
use super::reader::Reader;
use super::side_by_side;
use super::{fields, halves};
use crate::session::expression::join;
use crate::session::report::{Content, Variable};
use crate::session::type_names;

/// Handlers of a page unless the caller says otherwise.
pub const HANDLERS: u64 = 20;
/// Handlers that a preview names, and one that it does not.
pub const PREVIEWED: u64 = 10;

/// One handler of a delegate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Handler {
    /// The delegate that calls it alone.
    pub path: String,
    /// `Launcher.Fire`, `Program.Main lambda`, where it could be asked for.
    pub method: Option<String>,
    /// The type of the object that it is called on. `None` for a static method.
    pub target: Option<String>,
    object: Option<RawValue>,
    /// What distinguishes that object from others of its type: `{Id=3}`.
    about: Option<String>,
}

/// Handlers of the delegate at `path` from `start`, at most `most`, and how many it has.
pub async fn handlers(
    reader: &Reader,
    value: &RawValue,
    path: &str,
    start: u64,
    most: u64,
) -> Option<(Vec<Handler>, u64)> {
    let read = fields::read(reader, value, path, &["_invocationCount", "_invocationList", "_target"]).await;
    let list = read.get(1)?;
    // a delegate with one handler may keep something else there
    let several = matches!(list.value.parsed(), Raw::Array(_)) || list.value.value.starts_with("{object[");
    // a native integer, of which a part is all that matters
    let count = read.get(0).and_then(|read| halves::low(&read.value)).filter(|count| several && *count > 1);
    let Some(count) = count else {
        let target = read.get(2).map(|target| target.value.clone());
        let only = match start {
            0 if most > 0 => vec![handler(reader, value, path.to_owned(), target).await],
            _ => Vec::new(),
        };
        return Some((only, 1));
    };
    let handlers = (start..start.saturating_add(most).min(count)).map(|at| {
        let path = format!("{path}._invocationList[{at}]");
        async move {
            let value = reader.evaluate(&path, Access::Load).await.unwrap_or_default();
            let target = reader.evaluate(&join(&path, "_target"), Access::Load).await.ok();
            handler(reader, &value, path, target).await
        }
    });
    Some((side_by_side(handlers).await, count))
}

async fn handler(reader: &Reader, value: &RawValue, path: String, target: Option<RawValue>) -> Handler {
    let method = match named_method(value) {
        None if reader.asked && !reader.read_only => method(reader, &path).await,
        named => named,
    };
    // of a static method the delegate itself is the target
    let target = target.filter(|target| target.parsed() == Raw::Object && !is_delegate(reader, target));
    let closure = target.as_ref().and_then(|target| around_closure(&target.type_name));
    let object = target.clone().filter(|_| closure.is_none());
    let target = target.map(|target| match closure {
        Some(owner) => format!("{owner} lambda"),
        None => target.short_type(),
    });
    Handler { path, method, target, object, about: None }
}

/// With what its object shows: not within a preview, which an object that handles its own events would never end.
pub async fn described(reader: &Reader, handler: Handler) -> Handler {
    let Some(object) = &handler.object else { return handler };
    let path = join(&handler.path, "_target");
    let about = match preview::variable(reader, object, &path, literal::SHORT).await.content {
        Content::Value(text) if text != "{…}" && text != "{}" => Some(text),
        _ => None,
    };
    Handler { about, ..handler }
}

fn is_delegate(reader: &Reader, value: &RawValue) -> bool {
    matches!(reader.shape(&value.type_name).form, super::shape::Form::Delegate)
}

/// The user's type of a closure: `Shop.Program` of `Shop.Program.<>c__DisplayClass3_0`.
fn around_closure(type_name: &str) -> Option<String> {
    let at = type_name.find("<>c")?;
    Some(type_names::short(type_name.get(..at)?.trim_end_matches(['.', '+'])))
}

/// Where the adapter says it in the place of the value: `{Method = Launcher.Fire}`.
fn named_method(value: &RawValue) -> Option<String> {
    Some(value.value.strip_prefix("{Method = ")?.strip_suffix('}')?.to_owned())
}

async fn method(reader: &Reader, path: &str) -> Option<String> {
    let text = |value: RawValue| match value.parsed() {
        Raw::Text(text) => Some(text),
        _ => None,
    };
    let name = reader.evaluate(&join(path, "Method.Name"), Access::Run).await.ok().and_then(text)?;
    let owner = reader.evaluate(&join(path, "Method.DeclaringType.FullName"), Access::Run).await.ok().and_then(text)?;
    let described = reader.modules.describe_frame(&format!("{}.{name}()", owner.replace('+', ".")), None);
    Some(format!("{} {}", described.function, described.kind).trim().to_owned())
}

impl Handler {
    /// Whether a listing's filter means it.
    pub fn matches(&self, filter: &Regex) -> bool {
        [&self.method, &self.target, &self.about].into_iter().flatten().any(|text| filter.is_match(text))
    }

    /// The handler as an element; its path leads to the delegate, from which `._target` and its members go on.
    pub fn variable(&self, at: usize) -> Variable {
        Variable {
            name: format!("[{at}]"),
            type_name: self.target.clone(),
            content: Content::Value(match (&self.method, &self.about) {
                (Some(method), Some(about)) => format!("{method} {about}"),
                (method, about) => method.as_ref().or(about.as_ref()).cloned().unwrap_or_else(|| "{…}".into()),
            }),
            path: Some(self.path.clone()),
            ..Variable::default()
        }
    }

    /// `Launcher.Fire`; without the method's name what it is called on.
    pub fn text(&self) -> String {
        match (&self.method, &self.target) {
            (Some(method), _) => method.clone(),
            (None, Some(target)) => format!("{{Target={target}}}"),
            (None, None) => "{…}".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_closure_is_known_by_the_type_around_it() {
        assert_eq!(around_closure("Shop.Program.<>c__DisplayClass3_0").as_deref(), Some("Program"));
        assert_eq!(around_closure("Shop.Program+<>c").as_deref(), Some("Program"));
        assert_eq!(around_closure("Shop.Launcher"), None);
    }
}
