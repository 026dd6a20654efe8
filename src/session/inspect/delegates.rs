//! Delegates: how many handlers, which methods, on what. Count and targets are fields; where the adapter does not show the method,
//! its name comes from the framework's reflection and is read only where values were asked for.

use super::fields;
use super::literal::Raw;
use super::raw_value::RawValue;
use super::reader::{Access, Reader, join};
use super::side_by_side;
use crate::session::report::{Content, Variable};
use crate::session::type_names;

/// Handlers that are looked at.
const HANDLERS: u64 = 20;

/// One handler of a delegate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Handler {
    /// The delegate that calls it alone.
    pub path: String,
    /// `Launcher.Fire`, `Program.Main lambda`, where it could be asked for.
    pub method: Option<String>,
    /// The type of the object that it is called on. `None` for a static method.
    pub target: Option<String>,
}

/// The first handlers of the delegate at `path`, and how many it has.
pub async fn handlers(reader: &Reader, value: &RawValue, path: &str) -> Option<(Vec<Handler>, u64)> {
    let read = fields::read(reader, value, path, &["_invocationCount", "_invocationList", "_target"]).await;
    let list = read.get(1)?;
    // a delegate with one handler may keep something else there
    let several = matches!(list.value.parsed(), Raw::Array(_)) || list.value.value.starts_with("{object[");
    let count = read.integer(0).and_then(|count| u64::try_from(count).ok()).filter(|count| several && *count > 1);
    let Some(count) = count else {
        let target = read.get(2).map(|target| target.value.clone());
        return Some((vec![handler(reader, value, path.to_owned(), target).await], 1));
    };
    let handlers = (0..count.min(HANDLERS)).map(|at| {
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
    let target = target.map(|target| match described(&target.type_name) {
        Some(owner) => format!("{owner} lambda"),
        None => target.short_type(),
    });
    Handler { path, method, target }
}

fn is_delegate(reader: &Reader, value: &RawValue) -> bool {
    matches!(reader.shape(&value.type_name).form, super::shape::Form::Delegate)
}

/// The user's type of a closure: `Shop.Program` of `Shop.Program.<>c__DisplayClass3_0`.
fn described(type_name: &str) -> Option<String> {
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
    /// The handler as an element; its path leads to the delegate, from which `._target` and its members go on.
    pub fn variable(&self, at: usize) -> Variable {
        Variable {
            name: format!("[{at}]"),
            type_name: self.target.clone(),
            content: Content::Value(self.method.clone().unwrap_or_else(|| "{…}".into())),
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
    fn a_closure_is_told_by_the_type_around_it() {
        assert_eq!(described("Shop.Program.<>c__DisplayClass3_0").as_deref(), Some("Program"));
        assert_eq!(described("Shop.Program+<>c").as_deref(), Some("Program"));
        assert_eq!(described("Shop.Launcher"), None);
    }
}
