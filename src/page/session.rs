//! One session: its state, and at a stop source, values and stack; output, breakpoints and what happened in any state.

use maud::{Markup, html};

use super::choice::Choice;
use super::control::hidden_fields;
use super::sessions::Session;
use super::stops::{self, Compared};
use super::values::{self, shown};
use super::{source, timeline};
use crate::history::Calls;
use crate::http::Token;
use crate::session::{Breakpoint, Exception, Frame, LookView, StateName, Stop, StopValues};

/// What a view of a session is made of.
pub(super) struct Seen<'a> {
    pub look: &'a LookView,
    pub compared: Option<&'a Compared>,
    pub choice: &'a Choice,
    pub calls: &'a Calls,
    /// What forms that act carry; `None`: a person only looks on.
    pub form: Option<&'a Token>,
}

/// Each part is a section with a name; those with `data-live` are replaced when something changed.
pub(super) fn view(session: &Session, seen: &Seen<'_>) -> Markup {
    let Seen { look, compared, choice, calls, form } = *seen;
    let stop = look.stop.as_ref();
    let (locals, more) = match stop.map(|stop| &stop.values) {
        Some(StopValues::Locals(locals, more)) => (locals.as_slice(), *more),
        _ => (&[][..], 0),
    };
    html! {
        (state(session, look, form))
        @if !look.stops.is_empty() {
            section #stops data-live aria-label="Stops" { (stops::view(look, choice)) }
        }
        @if let Some(compared) = compared {
            section #changes data-live aria-label="Changes" { (stops::differences(compared, look, choice)) }
        }
        div #code data-parts {
            @if let Some(source) = &look.source {
                section #source data-live aria-label="Source" tabindex="0" { (source::view(source, look.frame, &look.breakpoints, locals, form.map(|form| (form, session.key.as_str())))) }
            }
            (output(look, choice))
        }
        div #beside data-parts {
            @if let Some(stop) = stop {
                section #locals data-live aria-label="Variables" {
                    @if locals.is_empty() { h2 { "Locals" } p { "No locals here." } } @else { (values::table("Locals", locals)) }
                    @if more > 0 { p { (more) " more locals" } }
                    @if !stop.returned.is_empty() { (values::table("Return values of calls in this step", &stop.returned)) }
                    @if !stop.watches.is_empty() { (values::table("Watches", &stop.watches)) }
                }
                section #stack data-live aria-label="Call stack" { (stack(stop, look.frame, choice)) }
            }
            section #breakpoints data-live aria-label="Breakpoints" { (breakpoints(&look.breakpoints)) }
            section #threads data-live aria-label="Threads" { (threads(look)) }
        }
        section #timeline data-live aria-label="Timeline" { (timeline::view(look, calls, choice)) }
    }
}

fn state(session: &Session, look: &LookView, form: Option<&Token>) -> Markup {
    let state = &look.state;
    html! {
        section #state data-live aria-label="State" {
            h2 {
                span.state.(state.state.as_str()) { (state.state.as_str().replace('_', " ")) }
                " " (shown(session.program()))
            }
            p #now {
                @if let Some(stop) = look.stop.as_ref().filter(|_| !look.is_past) { (reason(stop)) }
                @else if let Some(phase) = state.phase { (phase) }
                @else if let Some(code) = state.exit_code { "exit code " (code) }
                @else if let Some(signal) = &state.signal { "ended by " (shown(signal)) }
                @else if let Some(why) = &state.why { (shown(why)) }
                @else if state.running_since.is_some() { "running" }
            }
            dl {
                dt { "Session" } dd { (session.id()) }
                @if let Some(pid) = state.pid { dt { "Process" } dd { (pid) } }
                @if let Some(program) = &state.program { dt { "Program" } dd { code { (shown(program)) } } }
            }
            @if let Some(form) = form.filter(|_| state.state.is_live()) {
                (controls(session, state.state == StateName::Stopped, form))
            }
            @for note in state.note.iter().chain(&state.lapse) { p.note { (shown(note)) } }
            @if let Some(stop) = look.stop.as_ref().filter(|_| look.is_past) { p.note { "Shown below: " (reason(stop)) } }
            @if let Some(exception) = look.stop.as_ref().and_then(|stop| stop.exception.as_ref()) { (thrown(exception)) }
        }
    }
}

fn controls(session: &Session, is_stopped: bool, form: &Token) -> Markup {
    html! {
        form method="post" action="/act" aria-label="Control the program" {
            (hidden_fields(form, &session.key))
            @if is_stopped {
                @for (act, label, keys) in ACTS { (button(act, label, keys)) }
            } @else {
                (button("pause", "Pause", "F6"))
            }
        }
    }
}

/// What a person does at a stop, and the keys that debuggers have for it.
const ACTS: [(&str, &str, &str); 4] = [
    ("continue", "Continue", "F5"),
    ("over", "Step over", "F10"),
    ("in", "Step in", "F11"),
    ("out", "Step out", "Shift+F11"),
];

/// The script presses it when the keys are.
fn button(act: &str, label: &str, keys: &str) -> Markup {
    html! { button name="act" value=(act) aria-keyshortcuts=(keys) { (label) " " kbd { (keys) } } }
}

fn reason(stop: &Stop) -> Markup {
    let counts: Vec<String> = stop.hit_counts.iter().map(ToString::to_string).collect();
    html! {
        (stop.reason.as_str().replace('_', " "))
        @for id in &stop.breakpoint_ids { " " (id.0) }
        @if !counts.is_empty() { ", hit " (counts.join(", ")) }
        @if let Some(location) = &stop.location {
            " at " code { (shown(&location.file)) ":" (location.line) }
            @if let Some(function) = &location.function { " in " code { (shown(function)) } }
        }
        @if let Some((id, name)) = &stop.thread {
            ", thread " (id.0) @if let Some(name) = name { " " (shown(name)) }
        }
    }
}

fn thrown(exception: &Exception) -> Markup {
    html! {
        div.exception {
            p { strong { (shown(&exception.type_name)) } ": " (shown(exception.message.as_deref().unwrap_or_default())) @if exception.unhandled { " (unhandled)" } }
            @for inner in &exception.inner { p { "inner: " strong { (shown(&inner.type_name)) } ": " (shown(inner.message.as_deref().unwrap_or_default())) } }
        }
    }
}

/// `chosen`: the frame whose source is shown, where it is not the first.
fn stack(stop: &Stop, chosen: Option<usize>, choice: &Choice) -> Markup {
    let here = stop.location.as_ref().map(|location| Frame {
        frame: Some(location.frame),
        function: location.function.clone().unwrap_or_default(),
        at: format!("{}:{}", location.file, location.line),
        ..Frame::default()
    });
    html! {
        table {
            caption { "Call stack" }
            thead { tr { th scope="col" { "Frame" } th scope="col" { "Method" } th scope="col" { "At" } } }
            tbody {
                @for (depth, frame) in here.iter().chain(&stop.stack).enumerate() {
                    @let is_first = depth == 0 && here.is_some();
                    @let is_shown = if is_first { chosen.is_none() } else { chosen.is_some() && frame.frame == chosen };
                    @let to = frame.frame.filter(|_| is_first || !frame.at.is_empty()).map(|number| (stop.seq, number));
                    tr.current[is_shown] aria-current=[is_shown.then_some("true")] {
                        td { @if let Some(number) = frame.frame { (number) } }
                        th scope="row" {
                            @if let Some(to) = to {
                                a data-here href=(choice.of_frame(Some(to).filter(|_| !is_first)).address()) { code { (shown(&frame.function)) } }
                            } @else {
                                code { (shown(&frame.function)) }
                            }
                        }
                        td { code { (shown(&frame.at)) } }
                    }
                }
            }
        }
        @if stop.more_frames > 0 { p { (stop.more_frames) " more frames" } }
        @if !stop.awaited_by.is_empty() {
            p { "Awaited by" }
            ol { @for frame in &stop.awaited_by { li { code { (shown(&frame.function)) } " " code { (shown(&frame.at)) } } } }
        }
        @if stop.external_frames > 0 { p { (stop.external_frames) " library frames are not listed" } }
    }
}

fn output(look: &LookView, choice: &Choice) -> Markup {
    let streams = [("Standard output", &look.output.stdout), ("Standard error", &look.output.stderr)];
    html! {
        section #printed aria-labelledby="output-title" {
            h2 #output-title { "Output" }
            form method="get" action="/" role="search" aria-label="Output" {
                (choice.carried(&["output"]))
                label for="output-search" { "Lines that contain" }
                input #output-search type="search" name="output" value=(choice.output);
                button { "Search" }
            }
            div #output data-live {
                @if streams.iter().all(|(_, text)| text.is_empty()) {
                    p { @if choice.output.trim().is_empty() { "No output." } @else { "No output line contains that." } }
                }
                @for (name, text) in streams.iter().filter(|(_, text)| !text.is_empty()) {
                    h3 { (name) }
                    pre tabindex="0" data-end aria-label=(name) { (shown(text)) }
                }
            }
        }
    }
}

fn breakpoints(breakpoints: &[Breakpoint]) -> Markup {
    html! {
        @if breakpoints.is_empty() { h2 { "Breakpoints" } p { "No breakpoints." } } @else {
            table {
                caption { "Breakpoints" }
                thead {
                    tr {
                        th scope="col" { "Number" } th scope="col" { "Where" } th scope="col" { "When" }
                        th scope="col" { "State" } th scope="col" { "Hits" }
                    }
                }
                tbody { @for breakpoint in breakpoints { (row(breakpoint)) } }
            }
        }
    }
}

fn row(breakpoint: &Breakpoint) -> Markup {
    let state = match breakpoint {
        Breakpoint { disabled: true, .. } => "disabled".to_owned(),
        Breakpoint { verified: true, .. } => "verified".to_owned(),
        Breakpoint { pending: true, .. } => "pending".to_owned(),
        Breakpoint { why: Some(why), .. } => why.as_str().replace('_', " "),
        _ => "unverified".to_owned(),
    };
    html! {
        tr {
            td { (breakpoint.id) }
            th scope="row" {
                @if let Some(function) = &breakpoint.function { code { (shown(function)) } " " }
                @if let Some(file) = &breakpoint.file {
                    code { (shown(file)) @if let Some(line) = breakpoint.line { ":" (line) } }
                }
                @if let Some(source) = &breakpoint.source { br; code.quiet { (shown(source)) } }
            }
            td {
                @if let Some(condition) = &breakpoint.condition { "if " code { (shown(condition)) } " " }
                @if let Some(hits) = &breakpoint.hit_condition { "hits " code { (shown(hits)) } " " }
                @if let Some(message) = &breakpoint.log { "logs " code { (shown(message)) } }
            }
            td { (state) }
            td { (breakpoint.hits) }
        }
    }
}

fn threads(look: &LookView) -> Markup {
    let stopped = look.stop.as_ref().filter(|_| !look.is_past).and_then(|stop| stop.thread.as_ref());
    html! {
        h2 { "Threads" }
        @if look.threads.is_empty() { p { "No threads." } } @else {
            ul.threads {
                @for thread in &look.threads {
                    @let here = stopped.filter(|(id, _)| id == thread);
                    li aria-current=[here.map(|_| "true")] {
                        (thread.0)
                        @if let Some((_, name)) = here { @if let Some(name) = name { " " (shown(name)) } " (stopped here)" }
                    }
                }
            }
        }
    }
}
