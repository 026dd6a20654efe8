//! As many variables as fit one answer.

use crate::answers::render::Render;
use crate::answers::report::VariablesReport;

/// What an answer has in addition to its report.
const FRAME_OF_AN_ANSWER: usize = 100;

/// As much as fits both renderings, so that `next_start` continues exactly after it.
pub(super) fn fitting(report: VariablesReport, most: usize) -> VariablesReport {
    let reason = format!("truncated at {most} characters: continue with start, or raise max_chars");
    let most = most.saturating_sub(FRAME_OF_AN_ANSWER);
    let fits = |report: &VariablesReport| {
        let text = report.to_text();
        text.len() <= most && serde_json::to_string(report).is_ok_and(|json| json.len() <= most)
    };
    if fits(&report) {
        return report;
    }
    let (mut least, mut beyond) = (1, report.shown());
    while least + 1 < beyond {
        let middle = least.midpoint(beyond);
        match report.first(middle, &reason) {
            Some(first) if fits(&first) => least = middle,
            _ => beyond = middle,
        }
    }
    match report.first(least, &reason) {
        Some(first) if first.shown() < report.shown() => first,
        // one that is too long by itself is cut like any other answer
        _ if report.shown() < 2 => report,
        _ => VariablesReport { next_start: None, searched: None, ..report },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answers::report::Variable;

    fn report(count: usize, positions: Vec<u64>, searched: Option<u64>) -> VariablesReport {
        let variable =
            |at: usize| Variable { name: format!("[{at}]"), value: Some("x".repeat(90)), ..Variable::default() };
        VariablesReport {
            path: Some("list".into()),
            count: Some(100_000),
            variables: Some((0..count).map(variable).collect()),
            next_start: Some(100_000),
            searched,
            positions,
            ..VariablesReport::default()
        }
    }

    #[test]
    fn a_page_that_is_cut_goes_on_behind_what_it_shows() {
        let whole = report(20, Vec::new(), None);
        assert_eq!(fitting(whole.clone(), 50_000), whole);
        let cut = fitting(report(1_000, Vec::new(), None), 5_000);
        let shown = cut.shown() as u64;
        assert!(shown > 20 && cut.next_start == Some(shown), "{shown} {:?}", cut.next_start);
        assert!(serde_json::to_string(&cut).unwrap().len() <= 5_000 && cut.to_text().len() <= 5_000);
        // found by a filter, or beyond removed entries: every third slot
        let cut = fitting(report(1_000, (0..1_000).map(|at| at * 3).collect(), Some(100_000)), 5_000);
        assert_eq!((cut.next_start, cut.searched), (Some(cut.shown() as u64 * 3), None));
        // keys of which nobody knows a place
        let cut = fitting(report(1_000, Vec::new(), Some(100_000)), 5_000);
        assert_eq!((cut.next_start, cut.searched), (None, None));
    }
}
