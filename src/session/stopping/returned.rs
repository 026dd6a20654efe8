//! What the calls of a step returned, where the adapter reports it.

mod printed;

use crate::dap;
use crate::session::inspect::literal::{self, Raw};
use crate::session::inspect::{Reader, locals};
use crate::session::report::{Content, Variable};

/// Before the name of a method whose result was awaited.
const AWAIT: &str = "await ";

const LAMBDA: &str = "lambda";

/// Values under their functions. Those that have members say by which path they are read.
pub(crate) async fn values(reader: &Reader, returned: &[dap::ReturnedValue]) -> Vec<Variable> {
    let raw: Vec<_> = returned.iter().map(|it| it.value.clone().into()).collect();
    let mut values = locals::previews(reader, &raw).await;
    for (value, returned) in values.iter_mut().zip(returned) {
        let name = std::mem::replace(&mut value.name, function(reader, &returned.function));
        if let Some(text) = whole_text(reader, &returned.value) {
            value.content = Content::Value(text);
        } else if let Raw::Unreadable(words) = literal::parse("", &returned.value.value) {
            // whatever its type is usually shown as
            value.content = Content::Error(words);
        }
        let opens = returned.value.variables_reference > 0 && returned.value.evaluate_name.is_some();
        value.path = opens.then_some(name);
    }
    values
}

/// Characters of one.
const LONGEST: usize = 200;

/// The adapter's own text of a struct that nothing else is known of.
fn whole_text(reader: &Reader, value: &dap::Variable) -> Option<String> {
    let is_struct = value.value.starts_with(['{', '(']) && value.variables_reference == 0;
    let text = Some(value.value.as_str()).filter(|_| is_struct)?;
    let type_name = value.type_name.as_deref().unwrap_or_default();
    let text = printed::shown(reader, type_name, text).unwrap_or_else(|| text.to_owned());
    Some(match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text,
    })
}

fn function(reader: &Reader, raw: &str) -> String {
    let (before, raw) = match raw.strip_prefix(AWAIT) {
        Some(awaited) => (AWAIT, awaited),
        None => ("", raw),
    };
    let name = reader.modules.describe_frame(raw, None);
    // it has the name of the method around it, which has not returned
    let kind = if name.kind.ends_with(LAMBDA) { format!("{LAMBDA} ") } else { String::new() };
    format!("{before}{kind}{}", name.function)
}
