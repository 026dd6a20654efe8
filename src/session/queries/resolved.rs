//! What a path of the caller's leads to.

use super::evaluation_failed;
use crate::session::error::{Code, SessionError};
use crate::session::ids::StateName;
use crate::session::inspect::evaluated::Evaluated;
use crate::session::inspect::{Reader, evaluate};

/// A path's value; what is not there is reported as such.
pub(super) async fn resolve(reader: &Reader, path: &str, side_effects: bool) -> Result<Evaluated, SessionError> {
    evaluate::evaluate(reader, path, side_effects).await.map_err(|error| match error.code {
        Code::EvaluationFailed => SessionError::new(
            Code::VariableNotFound,
            format!("`{path}`: {}", error.message),
            "variables_get without path lists the frame's variables",
        )
        .in_state(StateName::Stopped),
        _ => evaluation_failed(path, &error, side_effects),
    })
}
