//! Every call of a tool: a table with filters, and links to export what they select.

use maud::{Markup, html};

use super::choice::Choice;
use super::filter::Filter;
use super::values::{cut, shown};
use crate::history::{CANCELLED, Call, Calls, OK};

/// Calls of one page, the newest, and characters of the arguments of each.
const ROWS: usize = 200;
const ARGUMENTS: usize = 400;

pub(super) fn view(calls: &Calls, choice: &Choice) -> Markup {
    let filter = &choice.filter;
    html! {
        section #calls aria-labelledby="history-title" {
            h2 #history-title { "Calls" }
            form method="get" action="/" role="search" aria-label="Calls" {
                (choice.carried(&["tool", "client", "text", "outcome"]))
                @for (name, label, value) in
                    [("tool", "Tool", &filter.tool), ("client", "Client", &filter.client), ("text", "Text", &filter.text)]
                {
                    span.field {
                        label for={ "history-" (name) } { (label) }
                        input id={ "history-" (name) } type="search" name=(name) value=(value);
                    }
                }
                span.field {
                    label for="history-outcome" { "Outcome" }
                    select #history-outcome name="outcome" {
                        @for (value, label) in [("", "any"), (OK, "ok"), ("error", "error"), (CANCELLED, "cancelled")] {
                            option value=(value) selected[filter.outcome == value] { (label) }
                        }
                    }
                }
                button { "Filter" }
                @if filter.is_set() { a href=(choice.unfiltered().address()) { "Show all" } }
            }
            p {
                "Export: "
                @for (name, label) in [("json", "JSON"), ("csv", "CSV"), ("md", "Markdown"), ("sh", "script")] {
                    a href={ "/history/" (name) (filter.query()) } { (label) } " "
                }
            }
            div #history data-live { (rows(calls, filter)) }
        }
    }
}

fn rows(calls: &Calls, filter: &Filter) -> Markup {
    let (found, newest) = calls.read(|kept| {
        let mut newest: Vec<Call> = Vec::new();
        let mut found = 0;
        for call in kept.rev().filter(|call| filter.admits(call)) {
            found += 1;
            if newest.len() < ROWS {
                newest.push(call.clone());
            }
        }
        (found, newest)
    });
    html! {
        @if newest.is_empty() { p { "No calls." } } @else {
            table {
                caption { "The newest " (newest.len()) " of " (found) " calls" }
                thead {
                    tr {
                        th scope="col" { "Number" } th scope="col" { "After" } th scope="col" { "Tool" }
                        th scope="col" { "Arguments" } th scope="col" { "Outcome" } th scope="col" { "Took" }
                        th scope="col" { "Client" }
                    }
                }
                tbody { @for call in &newest { (row(call)) } }
            }
        }
    }
}

fn row(call: &Call) -> Markup {
    let arguments = if call.arguments == "{}" { String::new() } else { cut(&shown(&call.arguments), ARGUMENTS) };
    html! {
        tr.failed[call.outcome != OK] {
            td { (call.seq) }
            td { (format!("{:.1} s", call.began.as_secs_f64())) }
            th scope="row" { code { (shown(&call.tool)) } }
            td.wide { code { (arguments) } }
            td { (shown(&call.outcome.replace('_', " "))) }
            td { (call.took.as_millis()) " ms" }
            td { @if let Some(client) = &call.client { (shown(client)) } }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn calls_are_shown_newest_first_and_nothing_of_them_is_markup() {
        let calls = Calls::default();
        let evil = "\"><script>alert(1)</script>";
        let arguments = json!({"expression": evil});
        calls.begin(Some(evil), "evaluate", arguments.as_object().unwrap()).ended(OK);
        calls.begin(None, "debug_step", json!({}).as_object().unwrap()).ended("not_stopped");
        let field = || evil.to_owned();
        let choice = Choice { session: field(), output: field(), at: field(), with: field(), ..Choice::default() };
        let html = view(&calls, &choice).into_string();
        assert!(!html.contains("<script"), "{html}");
        assert!(html.find("debug_step").unwrap() < html.find("evaluate").unwrap());
        let filter = Filter { tool: field(), client: field(), outcome: field(), text: field() };
        let html = view(&calls, &Choice { filter, ..Choice::default() }).into_string();
        assert!(!html.contains("<script") && html.contains("No calls."), "{html}");
    }
}
