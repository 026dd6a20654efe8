//! What the calls of a step returned, where the adapter reports it.

use crate::dap;
use crate::session::inspect::{Reader, locals};
use crate::session::report::{Content, Variable};

/// Before the name of a method whose result was awaited.
const AWAIT: &str = "await ";

/// Values under their functions. Those that have members say by which path they are read.
pub(crate) async fn values(reader: &Reader, returned: &[dap::ReturnedValue]) -> Vec<Variable> {
    let raw: Vec<_> = returned.iter().map(|it| it.value.clone().into()).collect();
    let mut values = locals::previews(reader, &raw).await;
    for (value, returned) in values.iter_mut().zip(returned) {
        let name = std::mem::replace(&mut value.name, function(reader, &returned.function));
        if let Some(text) = whole_text(&returned.value) {
            value.content = Content::Value(text);
        }
        let opens = returned.value.variables_reference > 0 && returned.value.evaluate_name.is_some();
        value.path = opens.then_some(name);
    }
    values
}

/// Characters of one.
const LONGEST: usize = 200;

/// The adapter's own text of a struct that nothing else is known of.
fn whole_text(value: &dap::Variable) -> Option<String> {
    let is_struct = value.value.starts_with(['{', '(']) && value.variables_reference == 0;
    is_struct.then(|| match value.value.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", value.value.get(..end).unwrap_or_default()),
        None => value.value.clone(),
    })
}

fn function(reader: &Reader, raw: &str) -> String {
    match raw.strip_prefix(AWAIT) {
        Some(awaited) => format!("{AWAIT}{}", reader.modules.describe_frame(awaited, None).function),
        None => reader.modules.describe_frame(raw, None).function,
    }
}
