//! The stops that are kept: going back and forth between them, and what differs between two. None of it asks an adapter.

use maud::{Markup, html};

use super::choice::Choice;
use super::values::{LONG, cut, shown};
use crate::answers::report::{SnapshotDiffReport, Variable};
use crate::session::{EventSeq, LookView, StopEntry};

/// Stops that can be chosen to compare with, the latest.
const CHOICES: usize = 100;

/// Depth of a path and number of changes that a comparison shows.
pub(super) const DEPTH: usize = 10;
pub(super) const CHANGES: usize = 200;

/// What came of a comparison.
pub(super) type Compared = Result<SnapshotDiffReport, String>;

/// The stop at a place of the slider, from 1.
pub(super) fn nth(stops: &[StopEntry], place: &str) -> Option<EventSeq> {
    let place = place.trim().parse::<usize>().ok()?.clamp(1, stops.len().max(1));
    stops.get(place - 1).map(|stop| stop.seq)
}

/// Where the page is among the stops: steps to its neighbors, a slider, and the choice of another to compare with.
pub(super) fn view(look: &LookView, choice: &Choice) -> Markup {
    let here = look.stop.as_ref().and_then(|stop| look.stops.iter().position(|it| it.seq == stop.seq));
    let seq_at = |place: Option<usize>| place.and_then(|place| look.stops.get(place)).map(|stop| stop.seq);
    let last = look.stops.len().checked_sub(1);
    let earlier = here.map_or(last, |here| here.checked_sub(1));
    let later = here.filter(|_| look.is_past).map(|here| here + 1);
    let step = |label: &str, to: Option<EventSeq>| {
        html! {
            @match to {
                Some(_) => a.step data-here href=(choice.of_stop(to).address()) { (label) },
                None => span.step.off aria-disabled="true" { (label) },
            }
        }
    };
    html! {
        h2 {
            @match here {
                Some(here) => { "Stop " (here + 1) " of " (look.stops.len()) @if look.is_past { " (past)" } },
                None => { (look.stops.len()) @if look.stops.len() == 1 { " stop" } @else { " stops" } " kept" },
            }
        }
        div.steps {
            (step("First", seq_at(Some(0)).filter(|_| here != Some(0))))
            (step("Earlier", seq_at(earlier)))
            (step("Later", seq_at(later)))
            @if look.is_past { a.step.live data-here href=(choice.of_stop(None).address()) { "Back to the latest" } }
        }
        @if look.stops.len() > 1 {
            form method="get" action="/" aria-label="Go to a stop" {
                (choice.carried(&["at"]))
                span.field.long {
                    label for="nth" { "Stop" }
                    input #nth type="range" name="nth" min="1" max=(look.stops.len()) data-scrub
                        value=(here.map_or(look.stops.len(), |here| here + 1));
                }
                button.plainly { "Go" }
            }
            (comparing(look, choice))
        }
    }
}

fn comparing(look: &LookView, choice: &Choice) -> Markup {
    let here = look.stop.as_ref().map(|stop| stop.seq);
    let others = look.stops.iter().enumerate().rev().filter(|(_, stop)| Some(stop.seq) != here).take(CHOICES);
    html! {
        @if here.is_some() {
            form method="get" action="/" aria-label="Compare two stops" {
                (choice.carried(&["with"]))
                span.field {
                    label for="with" { "Compare with" }
                    select #with name="with" {
                        option value="" { "no other stop" }
                        @for (at, stop) in others {
                            option value=(stop.seq) selected[choice.with() == Some(stop.seq)] {
                                "stop " (at + 1) ": " (stop.reason.as_str().replace('_', " "))
                                @if let Some(at) = &stop.at { " at " (shown(at)) }
                            }
                        }
                    }
                }
                button { "Compare" }
            }
        }
    }
}

/// What differs between the stop that is compared with and the one that is shown.
pub(super) fn differences(compared: &Compared, look: &LookView, choice: &Choice) -> Markup {
    let place = |seq: u64| look.stops.iter().position(|stop| stop.seq.0 == seq).map_or(0, |at| at + 1);
    html! {
        @match compared {
            Err(words) => { h2 { "Changes" } p.fault { (shown(words)) } },
            Ok(found) if found.total_changes == 0 => {
                h2 { "Changes" } p { "No recorded differences between stop " (place(found.base_seq)) " and stop " (place(found.target_seq)) "." }
            },
            Ok(found) => {
                table {
                    caption { "Changes from stop " (place(found.base_seq)) " to stop " (place(found.target_seq)) ": " (found.total_changes) }
                    thead { tr { th scope="col" { "What" } th scope="col" { "Before" } th scope="col" { "After" } } }
                    tbody {
                        @for (kind, list) in [("changed", &found.changed), ("added", &found.added), ("removed", &found.removed)] {
                            @for it in list { (row(kind, it)) }
                        }
                    }
                }
                @if let Some(note) = &found.note { p.note { (shown(note)) } }
                @if found.truncated { p { "The first " (CHANGES) " are shown." } }
            },
        }
        p { a data-here href=(choice.compared(None).address()) { "Close the comparison" } }
    }
}

fn row(kind: &str, it: &Variable) -> Markup {
    let now = held(it);
    let (before, after) = match kind {
        "added" => (None, Some(now)),
        "removed" => (Some(now), None),
        _ => (it.was.clone(), Some(now)),
    };
    let cell = |value: Option<String>, none: &str| {
        html! { td { @match value { Some(value) => code { (cut(&shown(&value), LONG)) }, None => span.quiet { (none) } } } }
    };
    html! {
        tr.(kind) {
            th scope="row" { code { (shown(&it.name)) } " " span.quiet { (kind) } }
            (cell(before, if kind == "added" { "did not exist" } else { "different elements" }))
            (cell(after, "does not exist"))
        }
    }
}

/// What an entry of a comparison holds, on one line.
fn held(it: &Variable) -> String {
    match (&it.value, &it.error, it.members.is_empty()) {
        (Some(value), ..) => value.clone(),
        (None, Some(words), _) => format!("({words})"),
        (None, None, true) => it.cycle.as_ref().map(|path| format!("(same as {path})")).unwrap_or_default(),
        (None, None, false) => {
            let members: Vec<String> =
                it.members.iter().map(|member| format!("{}={}", member.name, held(member))).collect();
            format!("{{{}}}", members.join(", "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::{StateName, StateView, Stop, StopReason, StopValues};

    const EVIL: &str = "</option></td><script>alert(1)</script>\"'";

    fn stop(seq: u64) -> Stop {
        Stop {
            reason: StopReason::Step,
            seq: EventSeq(seq),
            thread: None,
            location: None,
            breakpoint_ids: Vec::new(),
            hit_counts: Vec::new(),
            exception: None,
            values: StopValues::None,
            watches: Vec::new(),
            stack: Vec::new(),
            external_frames: 0,
            more_frames: 0,
            awaited_by: Vec::new(),
            more_awaiting: 0,
            returned: Vec::new(),
            has_more_returned: false,
        }
    }

    fn entries(seqs: &[u64]) -> Vec<StopEntry> {
        let entry = |seq: &u64| StopEntry {
            seq: EventSeq(*seq),
            reason: StopReason::Step,
            at: Some(EVIL.into()),
            function: None,
        };
        seqs.iter().map(entry).collect()
    }

    fn look(shown: Option<u64>, is_past: bool) -> LookView {
        LookView {
            state: StateView::of(StateName::Running),
            began: std::time::Instant::now(),
            stop: shown.map(stop),
            is_past,
            stops: entries(&[4, 9, 12]),
            source: None,
            frame: None,
            breakpoints: Vec::new(),
            output: Default::default(),
            events: Vec::new(),
            threads: Vec::new(),
        }
    }

    #[test]
    fn a_place_of_the_slider_is_one_of_the_stops() {
        let stops = entries(&[4, 9, 12]);
        for (place, expected) in [("1", Some(4)), ("3", Some(12)), ("0", Some(4)), ("99", Some(12)), ("x", None)] {
            assert_eq!(nth(&stops, place), expected.map(EventSeq), "{place}");
        }
        assert_eq!(nth(&[], "1"), None);
    }

    #[test]
    fn neighbors_of_the_stop_are_linked_and_the_present_where_it_is_past() {
        let middle = view(&look(Some(9), true), &Choice::default()).into_string();
        for part in ["Stop 2 of 3 (past)", "/?at=4", "/?at=12", "href=\"/\"", "max=\"3\"", "value=\"2\""] {
            assert!(middle.contains(part), "{part} is not in {middle}");
        }
        let present = view(&look(Some(12), false), &Choice::default()).into_string();
        assert!(present.contains("/?at=9") && !present.contains("Back to the latest"), "{present}");
        let running = view(&look(None, false), &Choice::default()).into_string();
        assert!(running.contains("3 stops kept") && running.contains("/?at=12") && !running.contains("Compare"));
        assert!(![middle, present, running].concat().contains("<script"));
    }

    #[test]
    fn a_comparison_names_stops_by_their_places_and_nothing_of_it_is_markup() {
        let it = |was: Option<&str>| Variable {
            name: EVIL.into(),
            value: Some(EVIL.into()),
            was: was.map(str::to_owned),
            ..Variable::default()
        };
        let found = SnapshotDiffReport {
            base_seq: 4,
            target_seq: 9,
            total_changes: 3,
            changed: vec![it(Some(EVIL))],
            added: vec![it(None)],
            removed: vec![it(None)],
            note: Some(EVIL.into()),
            ..SnapshotDiffReport::default()
        };
        let html = differences(&Ok(found), &look(Some(9), true), &Choice::default()).into_string();
        for part in ["from stop 1 to stop 2: 3", "did not exist", "does not exist", "&lt;script&gt;"] {
            assert!(html.contains(part), "{part} is not in {html}");
        }
        assert!(!html.contains("<script"), "{html}");
        let same = SnapshotDiffReport { base_seq: 4, target_seq: 9, ..SnapshotDiffReport::default() };
        let html = differences(&Ok(same), &look(Some(9), true), &Choice::default()).into_string();
        assert!(html.contains("No recorded differences between stop 1 and stop 2"), "{html}");
    }
}
