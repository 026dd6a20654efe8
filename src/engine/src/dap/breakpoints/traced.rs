//! What tracepoints read, as `clrTraces` events: a client hears of it before anything that came after it.

use dap_wire::{HitsEvent, TracesEvent};

use super::super::server::Server;

impl Server {
    pub(in super::super) fn traced(&mut self) {
        self.traced.note();
    }

    /// All that the client has not been given, and how many hits that makes.
    pub(in super::super) fn report_traced(&mut self) {
        self.traced.done();
        let Some(debugging) = &self.debugging else { return };
        let mut breakpoints = debugging.target.breakpoints();
        let hits = breakpoints.traces.take();
        if hits.is_empty() {
            return;
        }
        let counts = breakpoints.take_counted();
        drop(breakpoints);
        if !counts.is_empty() {
            self.send("clrHits", serde_json::to_value(HitsEvent { counts }).ok());
        }
        self.send("clrTraces", serde_json::to_value(TracesEvent { hits }).ok());
    }
}
