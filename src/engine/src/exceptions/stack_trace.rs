//! What `Exception.StackTrace` and `Exception.Source` give, from memory. Their getters ask the runtime, which may wait for a thread that
//! stands still in the middle of a throw.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use clr_metadata::{MethodId, Token};

use crate::com::{self, Interface as _, ThrownFrame};
use crate::modules::Module;
use crate::native_code::NativeCode;
use crate::target::Target;
use crate::values::{Content, Value};

/// Between the frames of a throw and those of the one before it.
const ENDS: &str = "--- End of stack trace from previous location ---";
const LINE_END: &str = if cfg!(windows) { "\r\n" } else { "\n" };

/// The text that `StackTrace` of `System.Exception` returns, `Some(None)` for null. `None`: only the runtime knows a part of
/// it, such as the names of code that was made at run time.
pub fn stack_trace(exception: &Value<'_>) -> Option<Option<String>> {
    let remote = text(exception, "_remoteStackTraceString")?;
    let own = match text(exception, "_stackTraceString")? {
        Some(own) => Some(own),
        None if is_thrown(exception)? => Some(Writer::of(exception).trace(&frames(exception)?)?),
        None => None,
    };
    Some(match (remote, own) {
        (Some(remote), own) => Some(remote + &own.unwrap_or_default()),
        (None, own) => own,
    })
}

/// What `Source` returns: as it was set, or the name of the assembly that threw. `None` as for [`stack_trace`].
pub fn source(exception: &Value<'_>) -> Option<Option<String>> {
    if let Some(set) = text(exception, "_source")? {
        return Some(Some(set));
    }
    if !is_thrown(exception)? {
        return Some(None);
    }
    let frames = frames(exception)?;
    let Some(first) = frames.first() else { return Some(None) };
    let (module, _) = Writer::of(exception).method(first)?;
    Some(Some(module.assembly()?.name().to_owned()))
}

/// A field's text; `Some(None)` for null.
fn text(exception: &Value<'_>, field: &str) -> Option<Option<String>> {
    match exception.object()?.field(field)?.content().ok()? {
        Content::Null => Some(None),
        Content::Text(units) => Some(Some(String::from_utf16_lossy(&units))),
        _ => None,
    }
}

fn is_thrown(exception: &Value<'_>) -> Option<bool> {
    Some(!matches!(exception.object()?.field("_stackTrace")?.content().ok()?, Content::Null))
}

fn frames(exception: &Value<'_>) -> Option<Vec<ThrownFrame>> {
    let object: com::ExceptionObjectValue = exception.target().ok()??.com().cast().ok()?;
    object.call_stack().ok()?.all().ok()
}

struct Writer<'t> {
    target: &'t Target,
    /// Native code by its method, which recursion asks for again and again.
    codes: HashMap<(u32, MethodId), NativeCode>,
}

impl<'t> Writer<'t> {
    fn of(exception: &Value<'t>) -> Self {
        Self { target: exception.stopped().target(), codes: HashMap::new() }
    }

    /// As `System.Diagnostics.StackTrace.ToString` writes it, .NET 8 to 10.
    fn trace(&mut self, frames: &[ThrownFrame]) -> Option<String> {
        let mut lines = Vec::new();
        for (at, frame) in frames.iter().enumerate() {
            let (module, method) = self.method(frame)?;
            let view = module.assembly()?.method(method);
            if view.is_hidden_in_traces() && at + 1 < frames.len() {
                continue;
            }
            let name = view.in_trace();
            let place = self.place(frame, &module, method)?.map(|(path, line)| format!(" in {path}:line {line}"));
            lines.push(format!("   at {}{}", name.text, place.unwrap_or_default()));
            if frame.ends_trace && !name.is_async {
                lines.push(ENDS.to_owned());
            }
        }
        Some(lines.join(LINE_END))
    }

    /// `None` for code that was made at run time.
    fn method(&self, frame: &ThrownFrame) -> Option<(Arc<Module>, MethodId)> {
        let module = self.target.modules.of(&frame.module)?;
        let method = MethodId::from_token(Token(frame.method)).filter(|method| method.row() != 0)?;
        module.assembly()?;
        Some((module, method))
    }

    /// File and line, if symbols have them.
    fn place(&mut self, frame: &ThrownFrame, module: &Module, method: MethodId) -> Option<Option<(String, u32)>> {
        let Some(symbols) = module.symbols() else { return Some(None) };
        let point = symbols.point_at(method, self.il_offset(frame, (module.id, method))?);
        Some(point.and_then(|point| Some((symbols.document(point.document)?.path.clone(), point.line))))
    }

    /// `None` for the code of another instance of a generic method than the one that the runtime hands out.
    fn il_offset(&mut self, frame: &ThrownFrame, method: (u32, MethodId)) -> Option<u32> {
        let at = frame.instruction;
        let code = match self.codes.entry(method) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(unknown) => {
                let code = frame.module.function(frame.method).ok()?.native_code().ok()?;
                unknown.insert(NativeCode::read(&code).ok()?)
            }
        };
        let offset = u32::try_from(at.checked_sub(code.address)?).ok().filter(|offset| *offset < code.size)?;
        Some(code.il_offset(offset))
    }
}
