//! Waits that go on as tasks: their state, their kept result, their cancellation.

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CancelTaskParams, ClientCapabilities, ClientConfig, DetailedTask,
    GetTaskParams, Implementation, ProtocolVersion, TaskPayload, TaskStatus,
};
use rmcp::service::RunningService;
use rmcp::{ClientLifecycleMode, ClientServiceExt, RoleClient};
use serde_json::{Value, json};

use crate::scripted::{Adapter, Stage, settle};
use crate::served::{all_tools, served};
use crate::talk::{MAIN, soon, world};

struct Patient {
    client: RunningService<RoleClient, ClientConfig>,
    adapter: Adapter,
    _stage: Stage,
}

impl Patient {
    /// A client that takes tasks, or does not, and its program that runs.
    async fn new(takes_tasks: bool) -> Self {
        let (mut stage, settings) = Stage::new("netcoredbg", world());
        let capabilities = match takes_tasks {
            true => ClientCapabilities::builder().enable_tasks().build(),
            false => ClientCapabilities::default(),
        };
        let config = ClientConfig::new(capabilities, Implementation::new("a test", "1"));
        let lifecycle = ClientLifecycleMode::Discover { preferred_versions: vec![ProtocolVersion::V_2026_07_28] };
        let client = config.serve_with_lifecycle(served(settings, all_tools()), lifecycle).await.unwrap();
        let launch = called("debug_launch", json!({"program": "Basics.dll", "timeout_ms": 0}));
        let (launched, adapter) = tokio::join!(soon(client.call_tool_once(launch)), stage.adapter());
        // what is answered at once is no task
        assert!(matches!(launched.unwrap(), CallToolResponse::Complete(_)));
        Self { client, adapter, _stage: stage }
    }

    async fn call(&self, tool: &'static str, arguments: Value) -> CallToolResponse {
        soon(self.client.call_tool_once(called(tool, arguments))).await.unwrap()
    }

    async fn begun(&self) -> String {
        let CallToolResponse::Task(created) = self.call("breakpoint_wait", json!({"timeout_ms": 600_000})).await else {
            panic!("no task");
        };
        assert_eq!(created.task.status, TaskStatus::Working);
        assert!(created.task.ttl_ms.unwrap() > 600_000, "it lives longer than any wait");
        created.task.task_id
    }

    async fn get(&self, id: &str) -> Result<DetailedTask, String> {
        let got = soon(self.client.get_task(GetTaskParams::new(id))).await;
        got.map(|got| got.task).map_err(|error| error.to_string())
    }
}

fn called(tool: &'static str, arguments: Value) -> CallToolRequestParams {
    CallToolRequestParams::new(tool).with_arguments(arguments.as_object().cloned().unwrap())
}

fn structured(response: CallToolResponse) -> Value {
    let CallToolResponse::Complete(result) = response else { panic!("{response:?}") };
    result.structured_content.unwrap()
}

#[tokio::test(start_paused = true)]
async fn a_wait_goes_on_as_a_task_whose_result_is_kept_and_reported_once() {
    let patient = Patient::new(true).await;
    let id = patient.begun().await;
    assert_eq!(patient.get(&id).await.unwrap().status(), TaskStatus::Working);
    patient.adapter.emit("output", json!({"category": "stdout", "output": "once\n"}));
    patient.adapter.stopped_at("pause", MAIN, 48);
    settle().await;
    for _ in 0..2 {
        let task = patient.get(&id).await.unwrap();
        let TaskPayload::Completed { result } = &task.payload else { panic!("{task:?}") };
        assert_eq!(result["structuredContent"]["outcome"], "stopped");
        assert_eq!(result["structuredContent"]["location"]["line"], 48);
    }
    // the report counts as delivered: its output is not repeated
    let waited = structured(patient.call("breakpoint_wait", json!({})).await);
    assert_eq!((&waited["outcome"], &waited["output"]), (&json!("stopped"), &json!(null)), "{waited}");
    assert!(patient.get("nothing").await.unwrap_err().contains("unknown task"));
}

#[tokio::test(start_paused = true)]
async fn a_cancelled_task_loses_no_stop() {
    let patient = Patient::new(true).await;
    let id = patient.begun().await;
    soon(patient.client.cancel_task(CancelTaskParams::new(&id))).await.unwrap();
    settle().await;
    assert_eq!(patient.get(&id).await.unwrap().status(), TaskStatus::Cancelled);
    patient.adapter.emit("output", json!({"category": "stdout", "output": "once\n"}));
    patient.adapter.stopped_at("pause", MAIN, 48);
    let waited = structured(patient.call("breakpoint_wait", json!({})).await);
    assert_eq!((&waited["outcome"], &waited["output"]["stdout"]), (&json!("stopped"), &json!("once\n")), "{waited}");
}

#[tokio::test(start_paused = true)]
async fn a_client_that_takes_no_tasks_gets_its_answer() {
    let patient = Patient::new(false).await;
    let waited = structured(patient.call("breakpoint_wait", json!({"timeout_ms": 10_000})).await);
    assert_eq!(waited["outcome"], "still_running", "{waited}");
}
