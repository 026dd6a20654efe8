//! Counts of conditions, as `breakpoint` events, and of hits, as `clrHits` events: a client hears of no hit that does not stop.

use dap_wire::HitsEvent;
use serde_json::json;

use super::super::server::Server;
use super::dap_breakpoint;

impl Server {
    pub(in super::super) fn counted(&mut self) {
        self.judged.note();
    }

    /// All counts that the client does not have.
    pub(in super::super) fn tell_judged(&mut self) {
        self.judged.done();
        let Some(debugging) = &self.debugging else { return };
        let mut breakpoints = debugging.target.breakpoints();
        let mut events = Vec::new();
        for (id, counts) in breakpoints.take_news() {
            let Some(mut breakpoint) =
                breakpoints.get(id).map(|breakpoint| dap_breakpoint(breakpoint, &self.sources, true))
            else {
                continue;
            };
            breakpoint.clr_condition = Some(counts);
            events.push(json!({ "reason": "changed", "breakpoint": breakpoint }));
        }
        let counts = breakpoints.take_counted();
        drop(breakpoints);
        for event in events {
            self.event("breakpoint", Some(event));
        }
        if !counts.is_empty() {
            self.event("clrHits", serde_json::to_value(HitsEvent { counts }).ok());
        }
    }
}
