//! What a thread has thrown, and how it is reported.

use crate::com::ExceptionStage;
use crate::frames::Thread;
use crate::values::{Content, Scalar, Value};

/// The type of the exception that a thread has.
pub fn type_name(thread: &Thread<'_>) -> Option<String> {
    thread.exception().map(|exception| exception.type_name())
}

/// What an exception says, from its fields: those of the framework's add what they are about to what their constructor was given.
pub fn message(exception: &Value<'_>) -> Option<String> {
    let object = exception.object()?;
    let text = |name: &str| object.field(name)?.text().filter(|text| !text.is_empty());
    let mut message = object.field("_message")?.text()?;
    if let Some(name) = text("_paramName") {
        message.push_str(&format!(" (Parameter '{name}')"));
    }
    if let Some(value) = object.field("_actualValue").and_then(|value| actual(&value)) {
        message.push_str(&format!("\nActual value was {value}."));
    }
    if let Some(name) = text("_objectName") {
        message.push_str(&format!("\nObject name: '{name}'."));
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
