//! `/metrics`: what a monitor asks, in the text format of Prometheus.

use std::fmt::Write as _;

use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;

use super::clients::Clients;
use crate::http::Connections;

pub(super) fn text(clients: &Clients, connections: &Connections) -> impl IntoResponse + use<> {
    let live: usize = clients.registries().iter().map(|(_, registry)| registry.live_count()).sum();
    let mut text = String::new();
    let mut gauge = |name: &str, help: &str, value: String| {
        let _ =
            writeln!(text, "# HELP clrbridge_{name} {help}\n# TYPE clrbridge_{name} gauge\nclrbridge_{name} {value}");
    };
    gauge("uptime_seconds", "Seconds since the server started.", clients.uptime().as_secs().to_string());
    gauge("http_connections", "Open HTTP connections.", connections.count().to_string());
    gauge("requests_open", "MCP requests not yet answered.", clients.answering().to_string());
    gauge("clients", "Clients with an MCP connection.", clients.count().to_string());
    gauge("sessions_live", "Live debug sessions.", live.to_string());
    let _ = writeln!(text, "# HELP clrbridge_tool_calls_total Tool calls that ended, by outcome.");
    let _ = writeln!(text, "# TYPE clrbridge_tool_calls_total counter");
    for (outcome, count) in clients.dispatch().calls().totals() {
        let _ = writeln!(text, "clrbridge_tool_calls_total{{outcome=\"{outcome}\"}} {count}");
    }
    ([(CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], text)
}
