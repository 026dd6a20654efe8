//! Whether an answer reached its client. Until that is known its delivery is held; a client that went away gives it back, so the next
//! wait returns the report again.

use std::sync::{Arc, Mutex, PoisonError};

use axum::http::request::Parts;
use rmcp::model::Extensions;

use crate::mcp::tool::delivery::Delivery;

/// Of one request. All clones are one.
#[derive(Clone, Default)]
pub(in crate::mcp) struct Receipt(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    held: Option<Delivery>,
    /// The body's end was seen, or will not be.
    ended: bool,
}

impl Receipt {
    /// That of the request with these extensions, if it came over HTTP.
    pub(in crate::mcp) fn of(extensions: &Extensions) -> Option<&Self> {
        extensions.get::<Parts>()?.extensions.get()
    }

    /// The answer is on its way.
    pub(in crate::mcp) fn hold(&self, delivery: Option<Delivery>) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // Nobody reads it any more: dropped here, it goes back.
        let given_back = if state.ended { delivery } else { std::mem::replace(&mut state.held, delivery) };
        drop(state);
        drop(given_back);
    }

    /// The response was written to its end, or is not written any more.
    pub(super) fn end(&self, whole: bool) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.ended = true;
        let held = state.held.take();
        drop(state);
        if let Some(delivery) = held.filter(|_| whole) {
            delivery.done();
        }
    }
}
