//! The frame of every page, and the dashboard made of its parts.

use maud::{DOCTYPE, Markup, html};

use super::choice::Choice;
use super::history;
use super::session;
use super::sessions::Session;
use super::stops::Compared;
use super::values::shown;
use crate::history::Calls;
use crate::http::Token;
use crate::session::LookView;

/// A page; `head`: what its head has besides.
pub(super) fn whole(title: &str, head: &Markup, body: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) }
                link rel="icon" href="data:,";
                link rel="stylesheet" href="/dashboard.css";
                (head)
            }
            body { (body) }
        }
    }
}

/// For a browser without a cookie.
pub(super) fn entrance(fault: Option<&str>) -> Markup {
    let body = html! {
        main.entrance {
            h1 { "clrbridge" }
            @if let Some(fault) = fault { p.fault role="alert" { (fault) } }
            p { "Open the address that clrbridge printed when it started, or enter its token." }
            form method="post" action="/login" {
                label for="token" { "Token" }
                input #token type="password" name="token" autocomplete="off" required autofocus;
                button { "Enter" }
            }
        }
    };
    whole("clrbridge: enter the token", &html! {}, &body)
}

/// What a dashboard is made of.
pub(super) struct Parts<'a> {
    pub sessions: &'a [Session],
    pub chosen: Option<&'a Session>,
    pub looked: Option<&'a LookView>,
    pub compared: Option<&'a Compared>,
    pub choice: &'a Choice,
    /// What forms that act carry; `None`: a person only looks on.
    pub form: Option<&'a Token>,
}

pub(super) fn dashboard(parts: &Parts<'_>, calls: &Calls) -> Markup {
    let Parts { sessions, chosen, looked, compared, choice, form } = *parts;
    let title = match (chosen, looked) {
        (Some(chosen), Some(look)) => {
            format!("{} – {} – clrbridge", look.state.state.as_str().replace('_', " "), shown(chosen.program()))
        }
        _ => "clrbridge".to_owned(),
    };
    let script = html! { script src="/dashboard.js" defer {} };
    let body = html! {
        a.skip href="#content" { "Skip to the session" }
        header {
            h1 { "clrbridge" }
            p #connection role="status" { "This page does not update itself: reload it for the current state." }
            p #news.unseen role="status" {}
        }
        (tabs(sessions, chosen))
        @if !choice.fault.is_empty() { p.fault role="alert" { "The action failed: " (shown(&choice.fault.replace('_', " "))) "." } }
        main #content data-parts {
            @match (chosen, looked) {
                (Some(chosen), Some(look)) => (session::view(chosen, &session::Seen { look, compared, choice, calls, form })),
                _ => section #none data-live { p { "No debug session. The first one appears here when it starts." } },
            }
            (history::view(calls, choice))
        }
    };
    whole(&title, &script, &body)
}

fn tabs(sessions: &[Session], chosen: Option<&Session>) -> Markup {
    let several =
        sessions.iter().any(|one| sessions.iter().any(|other| one.id() == other.id() && one.key != other.key));
    html! {
        nav #sessions data-live aria-label="Debug sessions" {
            ul {
                @for session in sessions {
                    @let current = chosen.is_some_and(|chosen| chosen.key == session.key);
                    li {
                        a href={ "/?session=" (session.key) } aria-current=[current.then_some("page")] {
                            span.state.(session.state.state.as_str()) { (session.state.state.as_str().replace('_', " ")) }
                            " " (shown(session.program())) " "
                            small { @if several { (session.key) } @else { (session.id()) } }
                        }
                    }
                }
            }
        }
    }
}
