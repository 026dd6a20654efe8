//! What a thread has thrown, and how it is reported.

mod awaited;

use std::cell::OnceCell;

pub use awaited::{catcher, compilers_handler, is_caught_by_user, leaves_initializer, passing_call};
mod reading;
mod throws;
mod known;
mod stack_trace;

pub use known::Types;
pub use stack_trace::{source, stack_trace};
pub use throws::{Caught, Site, Throws};

use crate::com::ExceptionStage;
use crate::exception_filters::Judged;
use crate::frames::Thread;
use crate::types;
use crate::values::{Content, Scalar, Value};

/// The type of the exception that a thread has.
pub fn type_name(thread: &Thread<'_>) -> Option<String> {
    thread.exception().map(|exception| exception.type_name())
}

/// An exception, of which filters read what they need.
pub struct Thrown<'e> {
    exception: Option<&'e Value<'e>>,
    type_name: OnceCell<String>,
    bases: OnceCell<Vec<String>>,
    message: OnceCell<String>,
}

impl<'e> Thrown<'e> {
    /// `None` for one that cannot be read.
    pub fn new(exception: Option<&'e Value<'e>>) -> Self {
        Self { exception, type_name: OnceCell::new(), bases: OnceCell::new(), message: OnceCell::new() }
    }

    /// What the reference to it leads to.
    pub fn object(&self) -> Option<Value<'e>> {
        self.exception?.target().ok().flatten()
    }
}

impl Judged for Thrown<'_> {
    fn type_name(&self) -> &str {
        self.type_name.get_or_init(|| self.exception.map(Value::type_name).unwrap_or_default())
    }

    fn bases(&self) -> &[String] {
        self.bases.get_or_init(|| self.exception.map(base_names).unwrap_or_default())
    }

    fn message(&self) -> &str {
        let given = |exception| message_within(exception, DEPTH);
        self.message.get_or_init(|| self.exception.and_then(given).unwrap_or_default())
    }
}

pub fn is_exception(value: &Value<'_>) -> bool {
    const BASE: &str = "System.Exception";
    !value.is_null() && (value.type_name() == BASE || base_names(value).iter().any(|base| base == BASE))
}

/// The types that an exception's derives from.
fn base_names(exception: &Value<'_>) -> Vec<String> {
    let Ok(type_) = exception.type_() else { return Vec::new() };
    let target = exception.stopped().target();
    types::chain(target, &type_).iter().skip(1).map(|base| types::name(target, base)).collect()
}

/// Exceptions within each other whose messages are read.
const DEPTH: usize = 8;

/// What stands in the place of a message that the program's own code makes.
pub const OWN_MESSAGE: &str = "(its Message runs code of the program)";

/// Within a message what is not known without a call.
const UNKNOWN: &str = "…";
/// Fields of the framework's exceptions that their messages end with.
const APPENDED: [&str; 4] = ["_paramName", "_actualValue", "_objectName", "_innerExceptions"];

/// Whether an exception says what its constructor was given and nothing else.
pub fn says_what_was_given(exception: &Value<'_>) -> bool {
    exception.object().is_some_and(|object| APPENDED.iter().all(|field| object.field(field).is_none()))
}

/// What an exception says, from its fields: those of the framework's add what they are about to what their constructor was given. `None`
/// where a type of the program overrides `Message`.
pub fn message(exception: &Value<'_>) -> Option<String> {
    if overrides_message(exception) { None } else { message_within(exception, DEPTH) }
}

/// Whether a type of the program's own says what such an exception says.
pub fn overrides_message(exception: &Value<'_>) -> bool {
    let Ok(type_) = exception.type_() else { return false };
    let target = exception.stopped().target();
    let definitions = types::chain(target, &type_).into_iter().filter_map(|type_| types::definition(target, &type_));
    let mut own = definitions.take_while(|definition| !definition.module.is_framework);
    own.any(|it| it.view().methods().any(|method| it.assembly.method(method).name() == "get_Message"))
}

fn message_within(exception: &Value<'_>, depth: usize) -> Option<String> {
    let object = exception.object()?;
    let text = |name: &str| object.field(name)?.text().filter(|text| !text.is_empty());
    let mut message = object.field("_message")?.text()?;
    if let Some(name) = text("_paramName") {
        message.push_str(&format!(" (Parameter '{name}')"));
    }
    let value = object.field("_actualValue").filter(|value| !matches!(value.content(), Ok(Content::Null)));
    if let Some(value) = value.map(|value| actual(&value).unwrap_or_else(|| UNKNOWN.to_owned())) {
        message.push_str(&format!("\nActual value was {value}."));
    }
    if let Some(name) = text("_objectName") {
        message.push_str(&format!("\nObject name: '{name}'."));
    }
    if let Some(Content::Array(inner)) = object.field("_innerExceptions").and_then(|all| all.content().ok()) {
        for one in (0..inner.count()).filter_map(|at| inner.at(at).ok()) {
            let inner = depth.checked_sub(1).filter(|_| !overrides_message(&one));
            let inner = inner.and_then(|depth| message_within(&one, depth));
            message.push_str(&format!(" ({})", inner.as_deref().unwrap_or(UNKNOWN)));
        }
    }
    Some(message)
}

/// The value that an argument had, where its text is known without a call.
fn actual(value: &Value<'_>) -> Option<String> {
    match value.content().ok()? {
        Content::Text(units) => Some(String::from_utf16_lossy(&units)),
        Content::Scalar(scalar @ (Scalar::Int(..) | Scalar::Enum(..))) => Some(scalar.to_string()),
        _ => None,
    }
}

/// How a stop at an exception is reported in one line.
pub fn announcement(thread: &Thread<'_>, stage: ExceptionStage) -> String {
    let type_name = type_name(thread).unwrap_or_else(|| "?".into());
    let module = thread.top().map(|frame| frame.data().module.file_name());
    let module = module.unwrap_or_else(|_| "<unknown module>".into());
    match stage {
        ExceptionStage::Unhandled => format!("An unhandled exception of type '{type_name}' occurred in {module}"),
        ExceptionStage::HandlerFound => {
            format!("An exception of type '{type_name}' occurred in {module} but was not handled in user code")
        }
        _ => format!("Exception thrown: '{type_name}' in {module}"),
    }
}
