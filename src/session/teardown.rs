//! Ending what a session started, in the order that leaves no process running or frozen.
//!
//! Held launch: the program's group is killed, the adapter's stdin closed, then the adapter killed. Adapter launch: it is
//! asked first, as the program is its child. Attached: asked, given time, and killed only then: a killed adapter leaves
//! its target frozen or permanently unattachable (vendor-notes.md, dangers, no. 19). While the program is suspended the adapter can do
//! nothing about it, and is left to do it when the program continues.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::timeout;

use super::breakpoints::plan::Plan;
use super::disarm;
use super::startup::Method;
use crate::dap::{self, Client, request};
use crate::process::{self, Child, Claim, Held};

/// For the `disconnect` response.
const ASKED: Duration = Duration::from_secs(2);
/// For an adapter whose stdin was closed: both end within 60 ms (vendor-notes.md).
const CLOSED: Duration = Duration::from_millis(500);
/// The same where killing it would do harm: with [`ASKED`], somewhat longer than the built-in engine tries to stop a program (9 s).
const CLOSED_LET_GO: Duration = Duration::from_secs(8);

pub(super) struct Teardown {
    pub method: Method,
    pub client: Client,
    pub adapter: Option<Child>,
    #[expect(dead_code, reason = "held until all is done")]
    pub claim: Option<Claim>,
    pub program: Option<Arc<Held>>,
    pub pid: Option<u32>,
    /// The program goes on without us.
    pub let_go: bool,
    /// The program is dead. While its parent has not reaped it, an adapter that is asked to let it go hangs for 15 s (both).
    pub ended: bool,
    /// The adapter's breakpoints.
    pub plan: Plan,
}

/// What became of a program that was to go on without us.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LetGo {
    /// As far as the adapter said.
    Now,
    /// It is suspended: its adapter, which lives on, lets it go then.
    WhenItContinues,
    /// The adapter did not do it, and was killed.
    Unsure,
}

/// Says what became of a program that was to go on.
pub(super) async fn run(of: Teardown) -> Option<LetGo> {
    match (of.method, of.let_go) {
        (Method::Held, false) => {
            if let Some(program) = &of.program {
                program.child.kill_group();
            }
            close(&of, CLOSED).await;
            if let Some(program) = &of.program
                && timeout(CLOSED, program.child.exited()).await.is_err()
            {
                tracing::warn!(pid = program.child.pid, "the killed program has not exited yet");
            }
        }
        (Method::Attached, _) if of.ended => {
            close(&of, CLOSED).await;
        }
        (Method::Held | Method::Attached, true) => {
            disarm::all(&of.client, &of.plan, of.adapter.as_ref().map(|adapter| adapter.pid)).await;
            ask(&of, false).await;
            return Some(leave(&of).await);
        }
        (Method::Attached, false) => {
            if let Some(pid) = of.pid
                && let Err(error) = process::kill(pid, libc::SIGKILL)
            {
                tracing::debug!(pid, %error, "the attached program could not be killed");
            }
            ask(&of, true).await;
            close(&of, CLOSED).await;
        }
        (Method::Adapter | Method::Replay, _) => {
            ask(&of, true).await;
            close(&of, CLOSED).await;
            if let Some(pid) = of.pid.filter(|pid| of.method == Method::Adapter && process::alive(*pid))
                && let Err(error) = process::kill(pid, libc::SIGKILL)
            {
                tracing::debug!(pid, %error, "the program could not be killed");
            }
        }
    }
    None
}

async fn ask(of: &Teardown, terminate: bool) {
    let arguments = dap::DisconnectArguments {
        terminate_debuggee: (of.method == Method::Attached || !terminate).then_some(terminate),
        ..dap::DisconnectArguments::default()
    };
    if timeout(ASKED, of.client.request::<request::Disconnect>(arguments)).await.is_err() {
        tracing::debug!("`disconnect` was not answered within 2 s");
    }
}

/// Closes the adapter's stdin and waits for its end, then kills it. Whether it ended by itself.
async fn close(of: &Teardown, limit: Duration) -> bool {
    of.client.close();
    let Some(adapter) = &of.adapter else { return true };
    let ends = timeout(limit, adapter.exited()).await.is_ok();
    if !ends {
        adapter.kill_group();
        if timeout(limit, adapter.exited()).await.is_err() {
            tracing::warn!(pid = adapter.pid, "the killed adapter has not exited yet");
        }
    }
    ends
}

/// The same where the program goes on.
async fn leave(of: &Teardown) -> LetGo {
    if let (Some(adapter), Some(pid)) = (&of.adapter, of.pid)
        && process::is_suspended(pid)
    {
        of.client.close();
        if timeout(CLOSED, adapter.exited()).await.is_ok() {
            return LetGo::Now;
        }
        adapter.leave_running();
        return LetGo::WhenItContinues;
    }
    if close(of, CLOSED_LET_GO).await {
        return LetGo::Now;
    }
    tracing::warn!(pid = of.pid, "the adapter did not detach from the program, which may be frozen");
    LetGo::Unsure
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::dap::{Message, message::parse};
    use crate::process::{Bound, CommandSpec, ExitStatus, StdinMode};
    use crate::session::breakpoints::native_condition::{Native, NativeCondition};
    use crate::transport::{Connection, Incoming};

    const KILLED: Option<ExitStatus> = Some(ExitStatus::Signal(libc::SIGKILL));

    fn program(name: &str) -> CommandSpec {
        let args = if name == "sleep" { vec!["1000".into()] } else { Vec::new() };
        CommandSpec { program: name.into(), args, ..CommandSpec::default() }
    }

    async fn of(method: Method, let_go: bool) -> (Teardown, Connection) {
        let (near, far) = Connection::memory();
        let of = Teardown {
            method,
            client: Client::new(near.outgoing.clone()),
            adapter: None,
            claim: None,
            program: None,
            pid: None,
            let_go,
            ended: false,
            plan: Plan::default(),
        };
        (of, far)
    }

    /// What the adapter is sent until its stdin is closed; `answers`: whether it answers.
    async fn requests((of, mut far): (Teardown, Connection), answers: bool) -> Vec<Value> {
        let client = of.client.clone();
        let leaving = tokio::spawn(run(of));
        let mut all = Vec::new();
        while let Some(Incoming::Body(body)) = far.incoming.recv().await {
            let asked: Value = serde_json::from_slice(&body).unwrap();
            let answer =
                json!({"type": "response", "request_seq": asked["seq"], "success": true, "body": {"breakpoints": []}});
            let Ok(Message::Response(answer)) = parse(answer.to_string().as_bytes()) else { panic!("{answer}") };
            if answers {
                client.resolve(answer);
            }
            let arguments = &asked["arguments"];
            let what = arguments.get("breakpoints").unwrap_or(arguments).clone();
            all.push(json!([asked["command"], what]));
        }
        leaving.await.unwrap();
        all
    }

    #[tokio::test(start_paused = true)]
    async fn conditions_go_before_their_breakpoints_and_those_before_the_disconnect() {
        let condition = |text: &str| NativeCondition { text: text.into(), may_run: None };
        let native = |text: &str| Some(Native { condition: Some(condition(text)), hits: None, trace: None });
        let hot = Plan {
            documents: [("/A.cs".into(), [(3, native("i == 7")), (9, None)].into())].into(),
            functions: vec![("Run".into(), native("i == 8"))],
            ..Plan::default()
        };
        let attached = |plan: &Plan, ended| {
            let plan = plan.clone();
            async move {
                let (of, far) = of(Method::Attached, true).await;
                requests((Teardown { plan, ended, ..of }, far), true).await
            }
        };
        let goodbye = json!(["disconnect", {"terminateDebuggee": false}]);
        let expected = json!([
            ["setBreakpoints", [{"line": 3}, {"line": 9}]],
            ["setFunctionBreakpoints", [{"name": "Run"}]],
            ["setBreakpoints", []],
            ["setFunctionBreakpoints", []],
            goodbye,
        ]);
        assert_eq!(json!(attached(&hot, false).await), expected, "and never a pause");
        assert_eq!(attached(&Plan::default(), false).await, [goodbye]);
        assert_eq!(json!(attached(&hot, true).await), json!([]), "the program is dead");
    }

    /// What each start method does to the program: whose child it is decides who ends it.
    #[tokio::test(start_paused = true)]
    async fn a_program_ends_with_its_session_or_is_let_go_by_the_way_it_was_started() {
        let disconnect = |arguments: Value| vec![json!(["disconnect", arguments])];
        for (method, let_go, expected, end) in [
            (Method::Held, false, vec![], KILLED),
            (Method::Held, true, disconnect(json!({"terminateDebuggee": false})), None),
            (Method::Attached, false, disconnect(json!({"terminateDebuggee": true})), KILLED),
            (Method::Attached, true, disconnect(json!({"terminateDebuggee": false})), None),
            (Method::Adapter, false, disconnect(json!({})), KILLED),
            (Method::Replay, false, disconnect(json!({})), None),
        ] {
            let (mut of, far) = of(method, let_go).await;
            let held = process::spawn_program_held(&program("sleep"), StdinMode::Closed).await.unwrap();
            let held = Arc::new(held);
            match method {
                Method::Held => of.program = Some(held.clone()),
                Method::Attached | Method::Adapter | Method::Replay => of.pid = Some(held.child.pid),
            }
            assert_eq!(requests((of, far), true).await, expected, "{method:?} {let_go}");
            if end.is_some() {
                held.child.exited().await;
            }
            assert_eq!(held.child.try_exit(), end, "{method:?} {let_go}");
        }
    }

    /// An adapter is given time to end by the end of its input, and more of it where its death would freeze the program.
    #[tokio::test(start_paused = true)]
    async fn an_adapter_that_does_not_end_is_killed_when_its_time_is_over() {
        for (method, let_go, ended, answers, seconds) in [
            (Method::Held, false, false, true, 0.5),
            (Method::Attached, true, false, true, 8.0),
            (Method::Attached, true, false, false, 2.0 + 8.0),
            (Method::Attached, true, true, true, 0.5),
            (Method::Attached, false, false, true, 0.5),
            (Method::Adapter, false, false, true, 0.5),
            (Method::Adapter, false, false, false, 2.0 + 0.5),
        ] {
            let adapter = process::spawn_adapter(&program("sleep"), Bound::Outlives, None).await.unwrap();
            let exited = adapter.exited();
            let (mut of, far) = of(method, let_go).await;
            (of.adapter, of.ended) = (Some(adapter), ended);
            let began = tokio::time::Instant::now();
            let killed = async {
                let status = exited.await;
                (Some(status), began.elapsed().as_secs_f64())
            };
            let (_, (status, took)) = futures::join!(requests((of, far), answers), killed);
            assert_eq!(status, KILLED);
            // when the kernel reports the end, the time for that may be over too: paused time does not wait for it
            let is_due = took >= seconds && took <= seconds + CLOSED_LET_GO.as_secs_f64();
            assert!(is_due, "{method:?} {let_go} {ended} {answers}: {took}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn an_adapter_that_ended_by_itself_is_waited_for_no_longer() {
        let adapter = process::spawn_adapter(&program("true"), Bound::Outlives, None).await.unwrap();
        assert_eq!(adapter.exited().await, ExitStatus::Code(0));
        let (mut of, far) = of(Method::Attached, true).await;
        of.adapter = Some(adapter);
        let began = tokio::time::Instant::now();
        requests((of, far), true).await;
        assert_eq!(began.elapsed(), Duration::ZERO);
    }
}
