//! The dashboard: what a person sees of sessions and calls in a browser. Pages are made here, whole; a short script only asks for them
//! again when something changed, so all of it can be read without scripts.
//!
//! It is read-only: nothing that it shows is requested from an adapter, and nothing counts as reported to a client. Whatever a program prints ends up
//! in these pages, so every value is escaped by the templates, and the policy of each response lets nothing run but our own script.

mod choice;
mod control;
mod export;
mod filter;
mod gate;
mod highlight;
mod history;
mod layout;
mod live;
mod session;
mod sessions;
mod source;
mod stops;
mod timeline;
mod values;

use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, Query, State};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::{from_fn, from_fn_with_state};
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use tokio_util::sync::CancellationToken;

use crate::history::Calls;
use crate::http::Access;
use crate::session::Registry;

use choice::Choice;
use export::Format;
use filter::Filter;

/// The sessions of every client, each set with a number of its own.
pub type Registries = Arc<dyn Fn() -> Vec<(u64, Registry)> + Send + Sync>;

/// What there is to see. Cheap to clone.
#[derive(Clone)]
pub struct Shown {
    pub registries: Registries,
    pub calls: Calls,
    /// A person may act here, too.
    pub control: bool,
}

/// What all handlers know.
#[derive(Clone)]
struct Context {
    shown: Shown,
    access: Access,
    watchers: live::Watchers,
}

/// The pages, for browsers that were let in. `end` ends the streams of those that are open.
pub fn router(shown: Shown, access: Access, end: CancellationToken) -> Router {
    let context = Context { shown, access, watchers: live::Watchers::new(end) };
    let control = if context.shown.control { Router::new().route("/act", post(control::act)) } else { Router::new() };
    Router::new()
        .route("/", get(dashboard))
        .route("/events", get(live::events))
        .route("/history/{format}", get(history_as))
        .merge(control)
        .route_layer(from_fn_with_state(context.clone(), gate::let_in))
        .route("/login", post(gate::login))
        .route("/dashboard.css", get(|| async { ([(CONTENT_TYPE, "text/css; charset=utf-8")], STYLE) }))
        .route("/favicon.ico", get(|| async { StatusCode::NO_CONTENT }))
        .route("/dashboard.js", get(|| async { ([(CONTENT_TYPE, "text/javascript; charset=utf-8")], SCRIPT) }))
        .layer(from_fn(gate::with_form))
        .layer(from_fn(gate::with_policy))
        .with_state(context)
}

const STYLE: &str = include_str!("page/dashboard.css");
const SCRIPT: &str = include_str!("page/dashboard.js");

async fn dashboard(State(context): State<Context>, Query(choice): Query<Choice>) -> Response {
    let sessions = sessions::all(&context.shown);
    let chosen = sessions::chosen(&sessions, &choice);
    let looked = match chosen {
        Some(chosen) => chosen.look(&choice).await,
        None => None,
    };
    if let Some(seq) = looked.as_deref().and_then(|look| stops::nth(&look.stops, &choice.nth)) {
        return Redirect::to(&choice.of_stop(Some(seq)).address()).into_response();
    }
    let compared = match (chosen, looked.as_deref()) {
        (Some(chosen), Some(look)) => chosen.compared(&choice, look).await,
        _ => None,
    };
    let form = context.shown.control.then(|| context.access.form());
    let parts = layout::Parts {
        sessions: &sessions,
        chosen,
        looked: looked.as_deref(),
        compared: compared.as_ref(),
        choice: &choice,
        form,
    };
    let page = layout::dashboard(&parts, &context.shown.calls);
    Html(page.into_string()).into_response()
}

async fn history_as(
    State(context): State<Context>,
    Path(format): Path<String>,
    Query(filter): Query<Filter>,
) -> Response {
    let Some(format) = Format::named(&format) else {
        return (StatusCode::NOT_FOUND, "no such export: use history.json, .csv, .md or .sh\n").into_response();
    };
    let text = context.shown.calls.read(|calls| export::text(format, calls.filter(|call| filter.admits(call))));
    let mut headers = HeaderMap::new();
    let mut set = |name, value: String| value.parse().map(|value| headers.insert(name, value)).is_ok();
    set(CONTENT_TYPE, format!("{}; charset=utf-8", format.content_type()));
    set(CONTENT_DISPOSITION, format!("attachment; filename=\"clrbridge-{}\"", format.name()));
    (headers, text).into_response()
}
