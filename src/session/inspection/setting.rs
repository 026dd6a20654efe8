//! variable_set: written by the adapter, read back by us: its own answer often shows the old value (measured.md 7).

use super::values::resolve;
use crate::dap::{self, request};
use crate::session::context::{StopContext, adapter_words};
use crate::session::error::{Code, SessionError};
use crate::session::ids::StateName;
use crate::session::inspect::expression::is_path;
use crate::session::inspect::{ReadError, Reader, evaluate, literal, preview};
use crate::session::report::{Content, Variable};
use crate::session::spec::FrameRef;
use crate::session::view::SetView;

pub(super) async fn set(context: &StopContext, at: FrameRef, path: &str, value: &str) -> Result<SetView, SessionError> {
    let reader = context.reader_at(at).await?;
    let (path, value) = (path.trim(), value.trim());
    if !is_path(path) {
        return Err(SessionError::new(
            Code::InvalidPath,
            format!("`{path}` is no path"),
            "set a name, a .member or an [index]: order.Customer",
        ));
    }
    if value.is_empty() {
        return Err(SessionError::argument("value", "the value is empty", "write it as C#: 7, \"text\", null"));
    }
    let before = resolve(&reader, path, true).await?;
    let was = shown(&reader, &before).await;
    let asked = reader.client.request::<request::SetExpression>(dap::SetExpressionArguments {
        expression: path.to_owned(),
        value: value.to_owned(),
        frame_id: Some(reader.frame_id),
    });
    if let Err(error) = asked.await {
        return Err(refused(path, value, &was, ReadError::from(error)));
    }
    let after = resolve(&reader, path, true).await?;
    let now = shown(&reader, &after).await;
    Ok(SetView { path: path.to_owned(), value: text(&now), type_name: now.type_name.clone(), was: text(&was) })
}

async fn shown(reader: &Reader, found: &evaluate::Evaluated) -> Variable {
    preview::variable(reader, &found.value, &found.load_path, literal::LONG).await
}

fn text(variable: &Variable) -> String {
    match &variable.content {
        Content::Value(value) => value.clone(),
        Content::Error(words) => format!("!{words}"),
        Content::Cycle(path) => path.clone(),
        Content::Members(_) => "{…}".into(),
    }
}

fn refused(path: &str, value: &str, was: &Variable, error: ReadError) -> SessionError {
    let ReadError::Refused(words) = error else { return adapter_words(&error) };
    let type_name = was.type_name.clone().unwrap_or_else(|| "this type".into());
    let hint = if value == "null" {
        "adapters cannot assign null; assign another variable that is null".to_owned()
    } else if words.contains("cannot be assigned") {
        "it is read-only, or an element of a collection: set a field of it instead".to_owned()
    } else {
        format!("the value's type must be exactly {type_name}: 7, 7L, 2.5m, 'c', \"text\", Namespace.Enum.Member")
    };
    let words = match words.trim_start_matches("error: ") {
        "" | "0x80070057" | "0x80004005" | "0x80131303" => "the value does not fit".to_owned(),
        other => other.to_owned(),
    };
    SessionError::new(Code::NotAssignable, format!("{path} = {value}: {words}"), hint).in_state(StateName::Stopped)
}
