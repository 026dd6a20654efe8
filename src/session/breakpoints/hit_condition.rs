//! Hit conditions as the tools take them: decided by us, unless an adapter does exactly the same (`hits.rs`, vendor-notes.md).

use crate::dap::HitCondition;
use crate::session::error::{Code, SessionError};

/// # Errors
/// `invalid_condition` with the forms there are.
pub fn parsed(text: &str) -> Result<HitCondition, SessionError> {
    HitCondition::parse(text).ok_or_else(|| {
        SessionError::new(
            Code::InvalidCondition,
            format!("`{text}` is not a valid hit_condition"),
            "use `3` (the third hit), `>=3`, `<3` or `%3` (every third)",
        )
    })
}
