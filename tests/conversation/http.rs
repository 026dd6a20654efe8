//! The server over HTTP, through the network stack of this machine: rmcp's client, and bytes that no client would send.

use std::net::SocketAddr;
use std::sync::Arc;

use clrbridge::dap::request::Continue;
use clrbridge::http::{Access, Hosts, Token};
use clrbridge::mcp::Dispatch;
use clrbridge::mcp::http::{Clients, serve};
use clrbridge::page::{self, Shown};
use clrbridge::session::{Registry, Settings};
use rmcp::model::{CallToolRequestParams, ClientConfig, Implementation, ProtocolVersion};
use rmcp::service::RunningService;
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use rmcp::{ClientLifecycleMode, ClientServiceExt, RoleClient, ServiceExt};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::scripted::{Adapter, Stage};
use crate::served::all_tools;
use crate::talk::{MAIN, world};

pub const TOKEN: &str = "the-token-of-a-test";

pub type Client = RunningService<RoleClient, ClientConfig>;

/// A server in this process.
pub struct Server {
    pub address: SocketAddr,
    pub end: CancellationToken,
    ended: JoinHandle<()>,
    stage: Stage,
}

impl Server {
    pub async fn new(share: bool) -> Self {
        Self::with(share, false).await
    }

    /// `control`: a person may act in the dashboard.
    pub async fn with(share: bool, control: bool) -> Self {
        let (stage, settings) = Stage::new("netcoredbg", world());
        let registry = Registry::new(settings.clone());
        let dispatch = Dispatch::new(registry.clone(), all_tools(), Arc::new(|| Box::pin(async { Vec::new() })));
        let fresh = move || registry.beside(Settings { roots: Default::default(), ..settings.clone() });
        let calls = dispatch.calls().clone();
        let clients = Clients::new(dispatch.with_page("http://the.page/"), (!share).then(|| Box::new(fresh) as Box<_>));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let access = Access::new(Token::given(TOKEN).unwrap(), Hosts::new(address, []), address.port()).unwrap();
        let end = CancellationToken::new();
        let asked = end.clone();
        let seen = clients.clone();
        let shown = Shown { registries: Arc::new(move || seen.registries()), calls, control };
        let pages = page::router(shown, access.clone(), end.clone());
        let ended = tokio::spawn(async move { serve(listener, clients, access, pages, &asked).await });
        Self { address, end, ended, stage }
    }

    fn config(&self) -> StreamableHttpClientTransportConfig {
        StreamableHttpClientTransportConfig::with_uri(format!("http://{}/mcp", self.address)).auth_header(TOKEN)
    }

    pub async fn connect(&self, name: &str) -> Client {
        ClientConfig::new(Default::default(), Implementation::new(name, "1"))
            .serve(StreamableHttpClientTransport::from_config(self.config()))
            .await
            .unwrap()
    }

    async fn connect_modern(&self, name: &str) -> Client {
        let lifecycle = ClientLifecycleMode::Discover { preferred_versions: vec![ProtocolVersion::V_2026_07_28] };
        let config = ClientConfig::new(Default::default(), Implementation::new(name, "1"));
        let transport = StreamableHttpClientTransport::from_config(self.config());
        config.serve_with_lifecycle(transport, lifecycle).await.unwrap()
    }

    /// A program of this client that runs.
    pub async fn launched(&mut self, client: &Client) -> (Adapter, Value) {
        let arguments = json!({"program": "Basics.dll", "timeout_ms": 0});
        let (answer, adapter) = tokio::join!(ask(client, "debug_launch", arguments), self.stage.adapter());
        assert_eq!(answer["outcome"], "still_running", "{answer}");
        (adapter, answer)
    }

    /// Sends bytes and returns the status and all that comes back until the server closes.
    pub async fn raw(&self, request: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        // the server may refuse before it has read all
        let _ = stream.write_all(request.as_bytes()).await;
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer).await;
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let status = answer.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or_default();
        (status, answer)
    }

    /// Asks for the metrics until one has this value.
    async fn until_metric(&self, line: &str) {
        let Self { address, .. } = self;
        let request = format!(
            "GET /metrics HTTP/1.1\r\nConnection: close\r\nHost: {address}\r\nAuthorization: Bearer {TOKEN}\r\n\r\n"
        );
        while !self.raw(&request).await.1.lines().any(|it| it == line) {}
    }

    /// The status of a request with these lines in its head.
    async fn status(&self, line: &str, head: &[&str]) -> u16 {
        let head: String = head.iter().map(|line| format!("{line}\r\n")).collect();
        self.raw(&format!("{line} HTTP/1.1\r\nConnection: close\r\n{head}\r\n")).await.0
    }
}

pub async fn ask(client: &Client, tool: &str, arguments: Value) -> Value {
    let Value::Object(arguments) = arguments else { panic!("arguments are an object") };
    let request = CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments);
    client.call_tool(request).await.unwrap().structured_content.unwrap()
}

async fn session_ids(client: &Client) -> Vec<String> {
    let answer = ask(client, "debug_sessions", json!({})).await;
    answer["sessions"].as_array().unwrap().iter().map(|it| it["session_id"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn clients_of_both_revisions_connect_list_and_call() {
    let server = Server::new(false).await;
    for modern in [false, true] {
        let client = if modern { server.connect_modern("new").await } else { server.connect("old").await };
        assert_eq!(client.peer_info().unwrap().server_info.as_ref().unwrap().name, "clrbridge");
        assert_eq!(client.list_all_tools().await.unwrap().len(), clrbridge::mcp::tools::all().len());
        assert_eq!(ask(&client, "debug_sessions", json!({})).await, json!({"sessions": []}));
        let calls = ask(&client, "debug_query_events", json!({"stream": "commands"})).await;
        let last = calls["events"].as_array().unwrap().last().unwrap();
        assert_eq!(
            (&last["type"], &last["client"]),
            (&json!("debug_sessions"), &json!(client.service().client_info.name))
        );
    }
}

#[tokio::test]
async fn each_client_has_its_own_sessions_which_end_with_it() {
    let mut server = Server::new(false).await;
    let (one, two) = (server.connect("one").await, server.connect("two").await);
    let (adapter, _) = server.launched(&one).await;
    assert_eq!(session_ids(&one).await, ["s1"]);
    assert_eq!(session_ids(&two).await, Vec::<String>::new());
    assert_eq!(ask(&two, "debug_state", json!({})).await["state"], "not_attached");
    one.cancel().await.unwrap();
    server.until_metric("clrbridge_sessions_live 0").await;
    assert!(adapter.stdin_is_closed());
    assert_eq!(session_ids(&two).await, Vec::<String>::new());
}

#[tokio::test]
async fn clients_that_share_sessions_mean_their_own_unless_they_name_one() {
    let mut server = Server::new(true).await;
    let (one, two) = (server.connect("one").await, server.connect("two").await);
    let onlooker = server.connect("onlooker").await;
    let (first, _) = server.launched(&one).await;
    let (_second, _) = server.launched(&two).await;
    for client in [&one, &two, &onlooker] {
        assert_eq!(session_ids(client).await, ["s1", "s2"]);
    }
    first.stopped_at("pause", MAIN, 48);
    let waited = ask(&one, "breakpoint_wait", json!({})).await;
    assert_eq!((&waited["outcome"], &waited["session_id"]), (&json!("stopped"), &json!("s1")));
    let state = |client| ask(client, "debug_state", json!({}));
    assert_eq!(
        (state(&one).await["session_id"].clone(), state(&two).await["session_id"].clone()),
        (json!("s1"), json!("s2"))
    );
    assert_eq!(state(&onlooker).await["session_id"], "s2", "the newest, for a client that opened none");
    let named = ask(&two, "debug_state", json!({"session_id": "s1"})).await;
    assert_eq!((&named["state"], &named["session_id"]), (&json!("stopped"), &json!("s1")));
    one.cancel().await.unwrap();
    assert_eq!(ask(&two, "debug_state", json!({"session_id": "s1"})).await["state"], "stopped", "shared ones stay");
}

/// The head of a POST of one call, which rmcp's client would send.
fn post(server: &Server, session: &str, body: &str) -> String {
    let (address, length) = (server.address, body.len());
    format!(
        "POST /mcp HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {TOKEN}\r\nContent-Type: application/json\r\n\
         Accept: application/json, text/event-stream\r\n{session}Content-Length: {length}\r\n\r\n{body}"
    )
}

/// Reads an answer until `wanted` is in it.
pub async fn until(stream: &mut TcpStream, wanted: &str) -> String {
    let mut all = Vec::new();
    let mut some = [0; 4096];
    loop {
        let read = stream.read(&mut some).await.unwrap();
        assert!(read > 0, "{wanted} is not in {}", String::from_utf8_lossy(&all));
        all.extend_from_slice(&some[..read]);
        let text = String::from_utf8_lossy(&all).into_owned();
        if text.contains(wanted) {
            return text;
        }
    }
}

const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}"#;
const INITIALIZED: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
const WAIT: &str =
    r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"breakpoint_wait","arguments":{}}}"#;

#[tokio::test]
async fn a_stop_that_a_client_died_waiting_for_is_reported_again() {
    let mut server = Server::new(true).await;
    let watcher = server.connect("watcher").await;
    let (adapter, _) = server.launched(&watcher).await;
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    stream.write_all(post(&server, "", INITIALIZE).as_bytes()).await.unwrap();
    let answer = until(&mut stream, "serverInfo").await;
    let id = answer.lines().find_map(|line| line.strip_prefix("mcp-session-id: ")).unwrap().trim();
    let session = format!("Mcp-Session-Id: {id}\r\n");
    let mut other = TcpStream::connect(server.address).await.unwrap();
    other.write_all(post(&server, &session, INITIALIZED).as_bytes()).await.unwrap();
    until(&mut other, "202").await;
    other.write_all(post(&server, &session, WAIT).as_bytes()).await.unwrap();
    until(&mut other, "text/event-stream").await;
    drop((other, stream));
    // The server has seen that nobody reads when only the watcher's connection is left.
    server.until_metric("clrbridge_requests_open 0").await;
    adapter.emit("output", json!({"category": "stdout", "output": "once\n"}));
    adapter.stopped_at("pause", MAIN, 48);
    let waited = ask(&watcher, "breakpoint_wait", json!({"timeout_ms": 60_000})).await;
    assert_eq!((&waited["outcome"], &waited["location"]["line"]), (&json!("stopped"), &json!(48)), "{waited}");
    assert_eq!(waited["output"]["stdout"], "once\n", "{waited}");
}

#[tokio::test]
async fn the_end_answers_calls_that_wait_and_lets_nobody_in() {
    for modern in [false, true] {
        let mut server = Server::new(false).await;
        let client = if modern { server.connect_modern("new").await } else { server.connect("old").await };
        let (adapter, _) = server.launched(&client).await;
        adapter.stopped_at("pause", MAIN, 48);
        assert_eq!(ask(&client, "breakpoint_wait", json!({})).await["outcome"], "stopped");
        let waiting = tokio::spawn(async move { ask(&client, "debug_continue", json!({})).await });
        adapter.expect::<Continue>().await.ok();
        server.end.cancel();
        let answer = waiting.await.unwrap();
        assert_eq!(answer["outcome"], "disconnected", "{answer}");
        server.ended.await.unwrap();
        assert!(TcpStream::connect(server.address).await.is_err() && adapter.stdin_is_closed());
    }
}

#[tokio::test]
async fn only_who_has_the_token_and_comes_from_here_gets_in() {
    let server = Server::new(false).await;
    let host = format!("Host: {}", server.address);
    let own = format!("Origin: http://{}", server.address);
    let token = format!("Authorization: Bearer {TOKEN}");
    let (host, own, token) = (host.as_str(), own.as_str(), token.as_str());
    for (line, head, expected) in [
        ("GET /healthz", vec![host], 200),
        ("GET /metrics", vec![host, token], 200),
        ("GET /metrics", vec![host, token, own], 200),
        ("GET /metrics", vec![host], 401),
        ("GET /metrics", vec![host, "Authorization: Bearer the-token-of-a-tesT"], 401),
        ("GET /metrics", vec![host, "Authorization: Basic dGhlLXRva2Vu"], 401),
        ("GET /metrics", vec![host, token, token], 401),
        ("GET /metrics", vec!["Host: evil.example", token], 403),
        ("GET /metrics", vec![host, token, "Origin: http://evil.example"], 403),
        ("GET /metrics", vec![host, token, "Origin: null"], 403),
        ("GET http://evil.example/metrics", vec![host, token], 400),
        ("GET /metrics", vec![token], 400),
        ("GET /metrics?token=the-token-of-a-test", vec![host], 401),
        ("POST /mcp", vec![host, "Content-Length: 0"], 401),
        ("POST /mcp", vec![host, token, "Content-Length: 0"], 406),
        ("GET /mcp", vec![host, token], 406),
        ("PUT /mcp", vec![host, token], 405),
        ("GET /mcp/../metrics", vec![host, token], 404),
        ("GET //metrics", vec![host, token], 404),
        ("GET /metrics/", vec![host, token], 404),
        ("GET /%6detrics", vec![host, token], 404),
        ("GET /etc/passwd", vec![host, token], 404),
        ("NONSENSE", vec![], 400),
    ] {
        assert_eq!(server.status(line, &head).await, expected, "{line} {head:?}");
    }
    let (_, metrics) =
        server.raw(&format!("GET /metrics HTTP/1.1\r\nConnection: close\r\n{host}\r\n{token}\r\n\r\n")).await;
    assert!(metrics.contains("clrbridge_sessions_live 0"), "{metrics}");
}

#[tokio::test]
async fn what_is_too_large_or_comes_too_often_is_refused() {
    let server = Server::new(false).await;
    let host = format!("Host: {}", server.address);
    let token = format!("Authorization: Bearer {TOKEN}");
    let types = "Content-Type: application/json\r\nAccept: application/json, text/event-stream";
    let long = format!("X: {}", "x".repeat(40_000));
    assert_eq!(server.status("GET /metrics", &[&host, &token, &long]).await, 431);
    let many: Vec<String> = (0..100).map(|n| format!("X{n}: x")).collect();
    let many: Vec<&str> = [host.as_str(), token.as_str()].into_iter().chain(many.iter().map(String::as_str)).collect();
    assert_eq!(server.status("GET /metrics", &many).await, 431);
    let huge = "Content-Length: 99999999";
    assert_eq!(server.status("POST /mcp", &[&host, huge, types]).await, 401, "not read before the token is seen");
    let large = format!("{{\"x\": \"{}\"}}", "x".repeat(6 * 1024 * 1024));
    let length = large.len();
    let head = format!(
        "POST /mcp HTTP/1.1\r\nConnection: close\r\n{host}\r\n{token}\r\n{types}\r\nContent-Length: {length}\r\n\r\n"
    );
    assert_eq!(server.raw(&(head + &large)).await.0, 413);
    let mut guesses = Vec::new();
    for _ in 0..30 {
        guesses.push(server.status("GET /metrics", &[&host]).await);
    }
    assert!(guesses.contains(&401) && guesses.contains(&429), "{guesses:?}");
    assert_eq!(server.status("GET /metrics", &[&host, &token]).await, 200, "guesses take nothing from who knows");
}
