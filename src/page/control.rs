//! What a person does from the dashboard (`--dashboard-control`): the same actions as an agent's, in the same history, and the agent's next
//! answer says so.

use axum::extract::{Form, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Redirect, Response};
use maud::{Markup, html};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::Context;
use super::choice::Choice;
use super::filter::encoded;
use super::sessions::{self, Session};
use crate::history::OK;
use crate::http::Token;
use crate::session::{BreakpointId, BreakpointSpec, Place, Resume, SessionError, Steer, StepMode};

/// How the history names who acted.
const PERSON: &str = "dashboard";

#[derive(Deserialize)]
pub(super) struct Act {
    /// That of our own forms.
    form: String,
    session: String,
    /// `continue`, `set 46`, `remove 3`.
    act: String,
    /// Of the source that is shown.
    #[serde(default)]
    file: String,
}

/// The fields of every form that acts, as [`Act`] reads them.
pub(super) fn hidden_fields(form: &Token, session: &str) -> Markup {
    html! {
        input type="hidden" name="form" value=(form.as_str());
        input type="hidden" name="session" value=(session);
    }
}

/// What is to be done: the tool that an agent would call, its arguments, and what is said of it.
struct Deed {
    tool: &'static str,
    arguments: Value,
    what: What,
    words: String,
}

enum What {
    Steer(Steer),
    Set(BreakpointSpec),
    Remove(BreakpointId),
}

pub(super) async fn act(State(context): State<Context>, Form(act): Form<Act>) -> Response {
    if !context.access.form().is(&act.form) {
        return (StatusCode::FORBIDDEN, "this form has expired: reload the page\n").into_response();
    }
    let sessions = sessions::all(&context.shown);
    let chosen = sessions::chosen(&sessions, &Choice { session: act.session.clone(), ..Choice::default() });
    let (Some(session), Some(deed)) = (chosen.filter(|session| session.key == act.session), deed(&act)) else {
        return (StatusCode::BAD_REQUEST, "no such session or action\n").into_response();
    };
    let none = Map::new();
    let under_way = context.shown.calls.begin(Some(PERSON), deed.tool, deed.arguments.as_object().unwrap_or(&none));
    let outcome = perform(session, deed).await;
    under_way.ended(outcome.as_ref().map_or_else(|error| error.code.as_str(), |()| OK));
    let fault = outcome.err().map(|error| format!("&fault={}", encoded(error.code.as_str()))).unwrap_or_default();
    Redirect::to(&format!("/?session={}{fault}", encoded(&act.session))).into_response()
}

fn deed(act: &Act) -> Option<Deed> {
    let (word, number) = act.act.split_once(' ').unwrap_or((&act.act, ""));
    let step = |mode: StepMode, name: &str| Deed {
        tool: "debug_step",
        arguments: json!({"mode": name}),
        what: What::Steer(Steer::Resume(Resume::Step { mode, count: 1, thread: None })),
        words: format!("stepped {name}"),
    };
    Some(match word {
        "continue" => Deed {
            tool: "debug_continue",
            arguments: json!({}),
            what: What::Steer(Steer::Resume(Resume::Continue)),
            words: "continued".into(),
        },
        "pause" => Deed {
            tool: "debug_pause",
            arguments: json!({}),
            what: What::Steer(Steer::Pause),
            words: "paused the program".into(),
        },
        "over" => step(StepMode::Over, "over"),
        "in" => step(StepMode::In, "in"),
        "out" => step(StepMode::Out, "out"),
        "set" => {
            let line: u32 = number.parse().ok().filter(|_| !act.file.is_empty())?;
            Deed {
                tool: "breakpoint_set",
                arguments: json!({"file": act.file, "line": line}),
                what: What::Set(BreakpointSpec::at(Place::Source {
                    file: act.file.clone(),
                    line: Some(line),
                    text: None,
                })),
                words: format!("set a breakpoint at {}:{line}", act.file),
            }
        }
        "remove" => {
            let id: u32 = number.parse().ok()?;
            Deed {
                tool: "breakpoint_remove",
                arguments: json!({"id": id}),
                what: What::Remove(BreakpointId(id)),
                words: format!("removed breakpoint {id}"),
            }
        }
        _ => return None,
    })
}

async fn perform(session: &Session, deed: Deed) -> Result<(), SessionError> {
    let at = session.state.location.as_ref().map(|location| format!(" from {}:{}", location.file, location.line));
    let from = match &deed.what {
        What::Steer(Steer::Resume(_)) => at.unwrap_or_default(),
        _ => String::new(),
    };
    match deed.what {
        What::Steer(steer) => drop(session.handle.steer(steer).await?),
        What::Set(spec) => drop(session.registry.set_breakpoint(None, spec).await?),
        What::Remove(id) => drop(session.registry.remove_breakpoints(None, Some(id)).await?),
    }
    session.handle.note_act(format!("a person {}{from} in the dashboard", deed.words));
    Ok(())
}
