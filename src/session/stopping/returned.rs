//! What the calls of a step returned, where the adapter reports it.

use crate::dap;
use crate::session::inspect::{Reader, locals};
use crate::session::report::Variable;

/// Before the name of a method whose result was awaited.
const AWAIT: &str = "await ";

/// Values under their functions. Those that have members say by which path they are read.
pub(crate) async fn values(reader: &Reader, returned: &[dap::ReturnedValue]) -> Vec<Variable> {
    let raw: Vec<_> = returned.iter().map(|it| it.value.clone().into()).collect();
    let mut values = locals::previews(reader, &raw).await;
    for (value, returned) in values.iter_mut().zip(returned) {
        let name = std::mem::replace(&mut value.name, function(reader, &returned.function));
        let opens = returned.value.variables_reference > 0 && returned.value.evaluate_name.is_some();
        value.path = opens.then_some(name);
    }
    values
}

fn function(reader: &Reader, raw: &str) -> String {
    match raw.strip_prefix(AWAIT) {
        Some(awaited) => format!("{AWAIT}{}", reader.modules.describe_frame(awaited, None).function),
        None => reader.modules.describe_frame(raw, None).function,
    }
}
