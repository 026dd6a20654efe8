//! `clrWaits`: what the threads of the stopped program wait for.

use dap_wire::{ThreadWait, WaitsResponse};

use super::server::{Answer, Server, body, refused};
use crate::com::{self, Interface as _};
use crate::stopped::Stopped;
use crate::waits::{Kind, Wait, circles, waits};

impl Server {
    pub(super) fn waits(&mut self) -> Answer {
        let pause = self.paused()?;
        let found = waits(&pause.stopped).map_err(|error| refused("the threads cannot be read", error))?;
        let owners: Vec<_> = found.iter().map(|wait| (wait.thread, wait.owner)).collect();
        let ids = |circle: Vec<u32>| circle.into_iter().map(i64::from).collect();
        body(WaitsResponse {
            waits: found.iter().map(|wait| thread_wait(&pause.stopped, wait)).collect(),
            deadlocks: circles(&owners).into_iter().map(ids).collect(),
        })
    }
}

fn thread_wait(stopped: &Stopped, wait: &Wait<'_>) -> ThreadWait {
    let object = wait.object.target().ok().flatten().and_then(|object| object.com().cast::<com::ObjectValue>().ok());
    let name = object.and_then(|object| stopped.target().identities().name(&object, wait.address).ok());
    ThreadWait {
        thread_id: wait.thread.into(),
        kind: match wait.kind {
            Kind::Monitor => "monitor",
            Kind::Pulse => "pulse",
            Kind::Lock => "lock",
            Kind::Semaphore => "semaphore",
            Kind::Event => "event",
            Kind::Task => "task",
            Kind::ReaderWriterLock => "readerWriterLock",
            Kind::Countdown => "countdown",
            Kind::Barrier => "barrier",
        }
        .into(),
        type_name: wait.object.type_name(),
        address: wait.address,
        name,
        owner: wait.owner.map(Into::into),
    }
}
