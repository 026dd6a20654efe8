//! The ids of requests that are not answered yet: none may be taken twice, or one answer would be given for the other.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use rmcp::model::{ErrorData, NumberOrString};

/// The requests of one connection that are in flight. A cancelled one is never answered, so its id stays taken.
#[derive(Debug, Clone, Default)]
pub(super) struct InFlight(Arc<Mutex<HashSet<NumberOrString>>>);

impl InFlight {
    /// # Errors
    /// The id is taken.
    pub(super) fn begin(&self, id: &NumberOrString) -> Result<(), ErrorData> {
        if self.ids().insert(id.clone()) {
            return Ok(());
        }
        let message = format!("id {id} is in use by an earlier request; use a unique id for each request");
        Err(ErrorData::invalid_request(message, None))
    }

    /// The answer was queued.
    pub(super) fn end(&self, id: &NumberOrString) {
        self.ids().remove(id);
    }

    fn ids(&self) -> std::sync::MutexGuard<'_, HashSet<NumberOrString>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_taken_until_it_is_answered_and_a_text_is_no_number() {
        let ids = InFlight::default();
        let (number, text) = (NumberOrString::Number(7), NumberOrString::String("7".into()));
        assert!(ids.begin(&number).is_ok() && ids.begin(&text).is_ok());
        assert!(ids.begin(&number).unwrap_err().message.contains("id 7"));
        ids.end(&number);
        assert!(ids.begin(&number).is_ok() && ids.begin(&text).is_err());
    }
}
