//! What happened, in one order: what the program did, and what was called meanwhile. Each stop that is kept can be gone to.

use std::time::Duration;

use maud::{Markup, html};

use super::choice::Choice;
use super::values::{cut, shown};
use crate::history::{Call, Calls, OK};
use crate::session::{Event, LookView};

/// Entries that are shown, the latest, and characters of a call's arguments.
const ENTRIES: usize = 80;
const ARGUMENTS: usize = 120;

enum Entry<'a> {
    Event(&'a Event),
    Call(Call),
}

/// The latest first; times count from when the server began, as those of the history do.
pub(super) fn view(look: &LookView, calls: &Calls, choice: &Choice) -> Markup {
    let offset = look.began.saturating_duration_since(calls.began());
    let events = look.events.iter().map(|event| (offset + Duration::from_millis(event.ms), Entry::Event(event)));
    let recent: Vec<Call> = calls.read(|kept| kept.rev().take(ENTRIES).cloned().collect());
    let during = recent.into_iter().filter(|call| call.began + call.took >= offset);
    let mut entries: Vec<(Duration, Entry)> =
        events.chain(during.map(|call| (call.began, Entry::Call(call)))).collect();
    entries.sort_by_key(|(at, _)| std::cmp::Reverse(*at));
    entries.truncate(ENTRIES);
    html! {
        table {
            caption { "Timeline, newest first" }
            thead { tr { th scope="col" { "After" } th scope="col" { "What" } th scope="col" { "Location or arguments" } th scope="col" { "Stop" } } }
            tbody {
                @for (at, entry) in &entries {
                    @match entry {
                        Entry::Event(event) => (happened(*at, event, look, choice)),
                        Entry::Call(call) => (called(*at, call)),
                    }
                }
            }
        }
    }
}

fn after(at: Duration) -> String {
    format!("{:.3} s", at.as_secs_f64())
}

fn happened(at: Duration, event: &Event, look: &LookView, choice: &Choice) -> Markup {
    let place = look.stops.iter().position(|stop| stop.seq == event.seq);
    let here = look.stop.as_ref().is_some_and(|stop| stop.seq == event.seq);
    html! {
        tr.event.current[here] aria-current=[here.then_some("true")] {
            td { (after(at)) }
            th scope="row" {
                (event.type_name.replace('_', " "))
                @if let Some(reason) = &event.reason { ": " (shown(&reason.replace('_', " "))) }
                @if let Some(code) = event.exit_code { " " (code) }
            }
            td { @if let Some(at) = &event.at { code { (shown(at)) } } }
            td {
                @if let Some(place) = place.map(|place| place + 1) {
                    a data-here href=(choice.of_stop(Some(event.seq)).address()) aria-label={ "Show stop " (place) } { (place) }
                    @if look.stop.is_some() && !here {
                        " " a data-here href=(choice.compared(Some(event.seq)).address())
                            aria-label={ "Compare with stop " (place) } { "compare" }
                    }
                }
            }
        }
    }
}

fn called(at: Duration, call: &Call) -> Markup {
    let arguments = if call.arguments == "{}" { String::new() } else { cut(&shown(&call.arguments), ARGUMENTS) };
    html! {
        tr.call {
            td { (after(at)) }
            th scope="row" {
                code { (shown(&call.tool)) }
                @if call.outcome != OK { " " span.fault { (shown(&call.outcome.replace('_', " "))) } }
            }
            td { code.quiet { (arguments) } }
            td {}
        }
    }
}
