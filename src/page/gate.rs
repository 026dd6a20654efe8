//! Access to pages: a browser presents the token once, in the address or in a form, and keeps a cookie from then on.

use std::time::Duration;

use axum::body::Body;
use axum::extract::{Form, Request, State};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, HeaderName, REFERRER_POLICY, SET_COOKIE, X_CONTENT_TYPE_OPTIONS,
    X_FRAME_OPTIONS,
};
use axum::http::{HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::{Html, IntoResponse as _, Response};
use maud::html;
use serde::Deserialize;

use super::{Context, layout};
use crate::http::read_within;

/// Nothing but our own style and script, no frames, no other site.
const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src data:; \
form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// Bytes of a form, and how long it may take.
const FORM: usize = 64 * 1024;
const FORM_TIME: Duration = Duration::from_secs(2);

/// A layer: headers of every response.
pub(super) async fn with_policy(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let same_origin = HeaderValue::from_static("same-origin");
    for (name, value) in [
        (CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY)),
        (CACHE_CONTROL, HeaderValue::from_static("no-store")),
        (X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
        (X_FRAME_OPTIONS, HeaderValue::from_static("DENY")),
        // not `no-referrer`: browsers then send forms with `Origin: null`
        (REFERRER_POLICY, same_origin.clone()),
        (HeaderName::from_static("cross-origin-resource-policy"), same_origin.clone()),
        (HeaderName::from_static("cross-origin-opener-policy"), same_origin),
    ] {
        response.headers_mut().insert(name, value);
    }
    response
}

/// A layer: bodies are forms of ours, which come at once. Nobody without a token holds a connection by a form that never ends.
pub(super) async fn with_form(request: Request, next: Next) -> Response {
    let (head, body) = request.into_parts();
    match read_within(body, FORM, FORM_TIME).await {
        Ok(form) => next.run(Request::from_parts(head, Body::from(form))).await,
        Err(error) => (error.status(), format!("{error}\n")).into_response(),
    }
}

/// A layer: only browsers that were let in. One that comes with the token in the address is let in, and goes on without it.
pub(super) async fn let_in(State(context): State<Context>, request: Request, next: Next) -> Response {
    if let Some(given) = request.uri().query().and_then(token_of) {
        return admit(&context, given);
    }
    if context.access.is_let_in(request.headers()) {
        return match context.access.refused(true) {
            Some(refusal) => refusal,
            None => next.run(request).await,
        };
    }
    let page = layout::entrance(None);
    (StatusCode::UNAUTHORIZED, Html(page.into_string())).into_response()
}

fn token_of(query: &str) -> Option<&str> {
    query.split('&').find_map(|pair| pair.strip_prefix("token="))
}

#[derive(Deserialize)]
pub(super) struct Login {
    token: String,
}

pub(super) async fn login(State(context): State<Context>, Form(login): Form<Login>) -> Response {
    admit(&context, login.token.trim())
}

/// The page that follows is asked for by a page of ours, not by a redirect: a browser that followed a link from another site would not
/// send the cookie along with that.
fn admit(context: &Context, given: &str) -> Response {
    let is_known = context.access.token().is(given);
    match context.access.refused(is_known) {
        Some(refusal) if refusal.status() == StatusCode::UNAUTHORIZED => {
            let page = layout::entrance(Some("Wrong token."));
            (StatusCode::UNAUTHORIZED, Html(page.into_string())).into_response()
        }
        Some(refusal) => refusal,
        None => {
            let refresh = html! { meta http-equiv="refresh" content="0; url=/"; };
            let page = layout::whole(
                "clrbridge",
                &refresh,
                &html! { main { p { a href="/" { "Continue to the dashboard" } } } },
            );
            ([(SET_COOKIE, context.access.cookie())], Html(page.into_string())).into_response()
        }
    }
}
