//! `--confirm`: a person is asked where the client can ask, in both ways that the protocol has for it.

use std::sync::{Arc, Mutex};

use clrbridge::config::ServerOptions;
use clrbridge::session::Code;
use rmcp::model::{
    CallToolRequestParams, ClientCapabilities, ClientConfig, ElicitRequestParams, ElicitResult, ElicitationAction,
    ErrorData, Implementation, ProtocolVersion,
};
use rmcp::service::{RequestContext, RunningService};
use rmcp::{ClientHandler, ClientLifecycleMode, ClientServiceExt, RoleClient, ServiceExt};
use serde_json::{Value, json};

use crate::scripted::Stage;
use crate::served::{all_tools, served};
use crate::talk::{soon, world};

/// A person who says the same to everything, and what they were asked.
#[derive(Clone)]
struct Person {
    says: ElicitationAction,
    asked: Arc<Mutex<Vec<String>>>,
    can_be_asked: bool,
}

impl ClientHandler for Person {
    async fn create_elicitation(
        &self,
        request: ElicitRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        let ElicitRequestParams::FormElicitationParams { message, .. } = request else { panic!("{request:?}") };
        self.asked.lock().unwrap().push(message);
        Ok(ElicitResult::new(self.says.clone()).with_content(json!({})))
    }

    fn get_info(&self) -> ClientConfig {
        let capabilities = match self.can_be_asked {
            true => ClientCapabilities::builder().enable_elicitation().build(),
            false => ClientCapabilities::default(),
        };
        ClientConfig::new(capabilities, Implementation::new("a test", "1"))
    }
}

struct Asking {
    client: RunningService<RoleClient, Person>,
    person: Person,
    stage: Stage,
}

impl Asking {
    async fn new(says: ElicitationAction, modern: bool, can_be_asked: bool) -> Self {
        let (stage, settings) = Stage::new("netcoredbg", world());
        let options = ServerOptions { confirm: true, ..all_tools() };
        let person = Person { says, asked: Arc::default(), can_be_asked };
        let transport = served(settings, options);
        let client = match modern {
            true => {
                let lifecycle =
                    ClientLifecycleMode::Discover { preferred_versions: vec![ProtocolVersion::V_2026_07_28] };
                person.clone().serve_with_lifecycle(transport, lifecycle).await.unwrap()
            }
            false => person.clone().serve(transport).await.unwrap(),
        };
        Self { client, person, stage }
    }

    async fn call(&self, tool: &'static str, arguments: Value) -> Value {
        let call = CallToolRequestParams::new(tool).with_arguments(arguments.as_object().cloned().unwrap());
        soon(self.client.call_tool(call)).await.unwrap().structured_content.unwrap()
    }

    async fn launch(&mut self) -> Value {
        let launch = json!({"program": "Basics.dll", "timeout_ms": 0});
        let call = CallToolRequestParams::new("debug_launch").with_arguments(launch.as_object().cloned().unwrap());
        let (answer, _adapter) = tokio::join!(soon(self.client.call_tool(call)), self.stage.adapter());
        answer.unwrap().structured_content.unwrap()
    }

    fn asked(&self) -> Vec<String> {
        std::mem::take(&mut *self.person.asked.lock().unwrap())
    }
}

#[tokio::test(start_paused = true)]
async fn what_the_person_accepts_is_done() {
    for modern in [false, true] {
        let mut asking = Asking::new(ElicitationAction::Accept, modern, true).await;
        let answer = asking.launch().await;
        assert_eq!(answer["outcome"], "still_running", "{answer}");
        assert_eq!(asking.asked(), ["Allow clrbridge to start Basics.dll under the debugger?"]);
        asking.call("debug_state", json!({})).await;
        asking.call("evaluate", json!({"expression": "i"})).await;
        assert!(asking.asked().is_empty(), "what only reads is not asked for");
    }
}

#[tokio::test(start_paused = true)]
async fn what_the_person_declines_is_not_done_and_the_history_says_so() {
    for (modern, says) in [(false, ElicitationAction::Decline), (true, ElicitationAction::Cancel)] {
        let asking = Asking::new(says, modern, true).await;
        let answer = asking.call("debug_launch", json!({"program": "Basics.dll"})).await;
        assert_eq!(answer["code"], Code::NotConfirmed.as_str(), "{answer}");
        assert!(answer["hint"].as_str().unwrap().contains("ask the user"), "{answer}");
        assert_eq!(asking.asked().len(), 1);
        assert_eq!(asking.call("debug_sessions", json!({})).await, json!({"sessions": []}));
        let calls = asking.call("debug_query_events", json!({"stream": "commands"})).await;
        assert_eq!(calls["events"][0]["reason"], "not_confirmed", "{calls}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_client_that_cannot_ask_goes_on() {
    let mut asking = Asking::new(ElicitationAction::Decline, false, false).await;
    assert_eq!(asking.launch().await["outcome"], "still_running");
    assert!(asking.asked().is_empty());
}
