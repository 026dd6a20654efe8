//! `clrWaits`: what the threads of the stopped program wait for.

use dap_wire::{ThreadWait, WaitedObject, WaitsResponse};

use super::server::{Answer, Server, body, refused};
use crate::com::{self, Interface as _};
use crate::stopped::Stopped;
use crate::values::Value;
use crate::waits::{Kind, Wait, circles, waits};

impl Server {
    pub(super) fn waits(&mut self) -> Answer {
        let pause = self.paused()?;
        let found = waits(&pause.stopped).map_err(|error| refused("the threads cannot be read", error))?;
        let endless = found.iter().filter(|wait| wait.is_endless);
        let owners: Vec<_> = endless.filter_map(|wait| Some((wait.thread, wait.owner?))).collect();
        let ids = |circle: Vec<u32>| circle.into_iter().map(i64::from).collect();
        body(WaitsResponse {
            waits: found.iter().map(|wait| thread_wait(&pause.stopped, wait)).collect(),
            deadlocks: circles(&owners).into_iter().map(ids).collect(),
        })
    }
}

fn thread_wait(stopped: &Stopped, wait: &Wait<'_>) -> ThreadWait {
    ThreadWait {
        thread_id: wait.thread.into(),
        kind: match wait.kind {
            Kind::Monitor => "monitor",
            Kind::Pulse => "pulse",
            Kind::Lock => "lock",
            Kind::Semaphore => "semaphore",
            Kind::Event => "event",
            Kind::Task | Kind::AllTasks => "task",
            Kind::AnyTask => "anyTask",
            Kind::ReaderWriterLock => "readerWriterLock",
            Kind::Countdown => "countdown",
            Kind::Barrier => "barrier",
            Kind::Item => "item",
            Kind::Room => "room",
            Kind::Handle => "handle",
            Kind::AnyHandle => "anyHandle",
            Kind::AllHandles => "allHandles",
            Kind::SomeHandles => "someHandles",
            Kind::Join => "join",
        }
        .into(),
        objects: wait.objects.iter().map(|object| waited(stopped, object)).collect(),
        progress: wait.progress.clone(),
        task_flags: wait.task_flags().and_then(|flags| i64::try_from(flags).ok()),
        owner: wait.owner.map(Into::into),
        is_indirect: wait.is_indirect,
    }
}

fn waited(stopped: &Stopped, object: &Value<'_>) -> WaitedObject {
    let address = object.address().unwrap_or(0);
    let com = object.target().ok().flatten().and_then(|object| object.com().cast::<com::ObjectValue>().ok());
    let name = com.and_then(|com| stopped.target().identities().name(&com, address).ok());
    WaitedObject { type_name: object.type_name(), address, name }
}
