//! What the program has thrown, with or without a stop: counted by the adapter, asked for when somebody wants to know.

use std::future::Future;
use std::time::Duration;

use tokio::time::timeout;

use super::Actor;
use super::done::Done;
use crate::dap::{self, request};
use crate::session::command::Answer;
use crate::session::context::adapter_words;
use crate::session::inspect::ReadError;
use crate::session::modules::Modules;
use crate::session::sources::Sources;
use crate::session::view::{CodePlace, ThrownGroup, ThrownView};
use clr_metadata::names::FrameName;

/// Time for an adapter to say what was thrown before it is ended; it reads nothing for that.
const LIMIT: Duration = Duration::from_millis(500);

#[derive(Default)]
pub(super) struct Thrown {
    of_ended: Option<Box<dap::ThrownExceptions>>,
    /// Who asked while the session was ending.
    asked: Vec<Answer<ThrownView>>,
}

/// Asks at once; `None`: no answer came.
pub(super) fn ask(client: &dap::Client) -> impl Future<Output = Option<Box<dap::ThrownExceptions>>> + use<> {
    let asked = client.request::<request::Exceptions>(());
    async { timeout(LIMIT, asked).await.ok()?.ok().map(Box::new) }
}

impl Actor {
    /// What the program of a session that has ended threw.
    pub(super) fn keep_thrown(&mut self, thrown: Option<Box<dap::ThrownExceptions>>) {
        self.thrown.of_ended = thrown;
        for answer in std::mem::take(&mut self.thrown.asked) {
            self.answer_thrown(answer);
        }
    }

    pub(super) fn answer_thrown(&mut self, answer: Answer<ThrownView>) {
        let (modules, sources) = (self.modules.clone(), self.sources.clone());
        if let Some(thrown) = &self.thrown.of_ended {
            return drop(answer.send(Ok(view(thrown, &modules, &sources))));
        }
        if self.ending.is_under_way() {
            return self.thrown.asked.push(answer);
        }
        let link = self.link.as_ref().filter(|link| link.capabilities.supports_clr_exceptions);
        let client = link.filter(|_| !self.is_ended()).map(|link| link.client.clone());
        let Some(client) = client else {
            return drop(answer.send(Ok(ThrownView { is_counted: link.is_some(), ..ThrownView::default() })));
        };
        self.job(async move {
            let thrown = client.request::<request::Exceptions>(()).await;
            let view = thrown.map(|thrown| view(&thrown, &modules, &sources));
            drop(answer.send(view.map_err(|error| adapter_words(&ReadError::from(error)))));
            Done::Nothing
        });
    }
}

/// No `catch` stands in the method.
fn passed_on(way: dap::PassedOn, method: &str) -> String {
    match way {
        dap::PassedOn::Task => format!("the task of {method}"),
        dap::PassedOn::ThrownAgain => format!("async void {method}, which rethrows it"),
    }
}

/// A lambda and a local function are no part of the method that they are named after.
fn named(described: &FrameName) -> String {
    let is_own = ["lambda", "local function"].iter().any(|kind| described.kind.contains(kind));
    if is_own { format!("{} {}", described.kind, described.function) } else { described.function.clone() }
}

fn view(thrown: &dap::ThrownExceptions, modules: &Modules, sources: &Sources) -> ThrownView {
    let place = |place: &dap::CodePlace| CodePlace {
        function: named(&modules.describe_frame(&place.function, None)),
        at: place.path.as_deref().zip(place.line).map(|(path, line)| format!("{}:{line}", sources.relative(path))),
    };
    let groups = thrown.groups.iter().map(|group| {
        let thrower = group.thrown_at.as_ref().map(place);
        let user = group.user_code_at.as_ref().map(place);
        ThrownGroup {
            type_name: group.type_name.clone(),
            count: group.count,
            messages: group.messages.iter().map(|it| (it.text.clone(), it.count)).collect(),
            other_messages: group.other_messages,
            within: user.as_ref().and(thrower.as_ref()).map(|thrower| thrower.function.clone()),
            thrown: user.or(thrower),
            caught: group.caught_at.as_ref().map(place).map(|place| match group.passed_on {
                None => place,
                Some(way) => CodePlace { function: passed_on(way, &place.function), at: None },
            }),
            unhandled: group.unhandled,
        }
    });
    ThrownView {
        is_counted: true,
        total: Some(thrown.total),
        groups: groups.collect(),
        dropped: (thrown.dropped_groups, thrown.dropped),
    }
}
