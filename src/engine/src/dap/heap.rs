//! `clrHeapStatistics`, `clrHeapRoots`, `clrHeapReferences`, `clrHeapObject`: requests outside the protocol.

use std::time::{Duration, Instant};

use dap_wire::{
    HeapChain, HeapCut, HeapObject, HeapObjectArguments, HeapReferences, HeapReferencesArguments,
    HeapReferencesResponse, HeapRootsArguments, HeapRootsResponse, HeapStatisticsArguments, HeapStatisticsResponse,
    HeapType, MayRun,
};

use super::evaluation::{CALL, frame_of, is_pure};
use super::server::{Answer, Pause, Server, body};
use crate::com::{self, HeapRegion, Interface as _};
use crate::evaluate::{Calls, Evaluated, Evaluation, Limited};
use crate::heap::{Cut, Direction, Generation, Heap, Kept, generation, regions};
use crate::stopped::Stopped;

/// What a request gets that names no limit.
const LIMIT: Duration = Duration::from_secs(30);
/// Ends a walk when its time is over or a request waits that ends it.
pub(super) fn pace(server: &mut Server, limit_ms: Option<u64>) -> impl FnMut() -> Option<Cut> {
    let until = Instant::now() + limit_ms.map_or(LIMIT, Duration::from_millis);
    // what was cut once stays so, in whichever part of the work it is asked next
    let mut cut = None;
    move || {
        cut = cut.or_else(|| match () {
            () if Instant::now() >= until => Some(Cut::Time),
            () if server.is_interrupted() => Some(Cut::Cancelled),
            () => None,
        });
        cut
    }
}

pub(super) fn heap_cut(cut: Cut) -> HeapCut {
    match cut {
        Cut::Time => HeapCut::Time,
        Cut::Objects => HeapCut::Objects,
        Cut::Cancelled => HeapCut::Cancelled,
    }
}

impl Server {
    pub(super) fn heap_statistics(&mut self, arguments: &HeapStatisticsArguments) -> Answer {
        self.with_pause(|server, pause| {
            let mut heap = Heap::new(&pause.stopped).map_err(|error| error.to_string())?;
            let statistics =
                heap.statistics(&mut pace(server, arguments.limit_ms)).map_err(|error| error.to_string())?;
            let types = statistics.types.into_iter();
            body(HeapStatisticsResponse {
                types: types.map(|it| HeapType { name: it.name, count: it.count, bytes: it.bytes }).collect(),
                count: statistics.count,
                bytes: statistics.bytes,
                free_bytes: statistics.free,
                cut: statistics.cut.map(heap_cut),
            })
        })
    }

    pub(super) fn heap_roots(&mut self, arguments: &HeapRootsArguments) -> Answer {
        self.with_pause(|server, pause| {
            let kept = match (&arguments.expression, &arguments.type_name) {
                (Some(expression), _) => {
                    Kept::Object(address_of((server, pause), expression, arguments.frame_id, arguments.may_run)?)
                }
                (None, Some(type_name)) => Kept::Type(type_name),
                (None, None) => return Err("an expression or a type is needed".into()),
            };
            let (thread, frame, _) = frame_of(pause, arguments.frame_id)?;
            let heap = Heap::new(&pause.stopped).map_err(|error| error.to_string())?;
            let mut heap = heap.named_in(thread, frame);
            let mut chains =
                heap.chains(&kept, &mut pace(server, arguments.limit_ms)).map_err(|error| error.to_string())?;
            let most = usize::try_from(arguments.count).unwrap_or(usize::MAX);
            let mut answer = HeapRootsResponse {
                more_chains: chains.list.len().saturating_sub(most) as u64,
                total: chains.objects,
                unreachable: chains.unreachable,
                has_finalizer: chains.has_finalizer,
                cut: chains.cut.map(heap_cut),
                types: std::mem::take(&mut chains.types),
                ..HeapRootsResponse::default()
            };
            chains.list.truncate(most);
            let regions = regions(&pause.stopped).unwrap_or_default();
            for chain in chains.list {
                let (address, type_name, size) = chain.example;
                let example = named(&pause.stopped, &regions, address, type_name, size)?;
                answer.chains.push(HeapChain { count: chain.count, root: chain.root, steps: chain.steps, example });
            }
            body(answer)
        })
    }

    pub(super) fn heap_references(&mut self, arguments: &HeapReferencesArguments) -> Answer {
        self.with_pause(|server, pause| {
            let address = address_of((server, pause), &arguments.expression, arguments.frame_id, arguments.may_run)?;
            let direction = if arguments.outbound { Direction::Outbound } else { Direction::Inbound };
            let most = usize::try_from(arguments.count).unwrap_or(usize::MAX);
            let found = {
                let mut heap = Heap::new(&pause.stopped).map_err(|error| error.to_string())?;
                let mut pace = pace(server, arguments.limit_ms);
                heap.references(address, direction, most, &mut pace).map_err(|error| error.to_string())?
            };
            let regions = regions(&pause.stopped).unwrap_or_default();
            let each = (most / found.held.len().max(1)).max(1);
            let mut answer = HeapReferencesResponse {
                object: object_at(&pause.stopped, &regions, address)?,
                roots: found.roots,
                unreachable: found.is_garbage,
                cut: found.cut.map(heap_cut),
                ..HeapReferencesResponse::default()
            };
            for held in found.held {
                let objects = held.objects.into_iter().take(each);
                let objects =
                    objects.map(|(address, type_, size)| named(&pause.stopped, &regions, address, type_, size));
                answer.references.push(HeapReferences {
                    through: held.through,
                    count: held.count,
                    objects: objects.collect::<Result<_, _>>()?,
                });
            }
            body(answer)
        })
    }

    pub(super) fn heap_object(&mut self, arguments: &HeapObjectArguments) -> Answer {
        self.with_pause(|server, pause| {
            let address = address_of((server, pause), &arguments.expression, arguments.frame_id, arguments.may_run)?;
            let regions = regions(&pause.stopped).unwrap_or_default();
            body(object_at(&pause.stopped, &regions, address)?)
        })
    }
}

/// The object at an address, as the runtime describes it: for its type and size no other is read.
fn object_at(stopped: &Stopped, regions: &[HeapRegion], address: u64) -> Result<HeapObject, String> {
    let words = |error: com::HResult| error.to_string();
    let object: com::Value = process(stopped)?.object(address).and_then(|object| object.cast()).map_err(words)?;
    let size = object.size().map_err(words)?;
    let type_ = stopped.value(object).type_name();
    named(stopped, regions, address, type_, size.into())
}

fn process(stopped: &Stopped) -> Result<com::Process5, String> {
    stopped.target().process().and_then(|process| process.cast()).map_err(|error| error.to_string())
}

/// The object of an expression. A call may move objects, so none runs once the address is known.
fn address_of(
    (server, pause): (&mut Server, &mut Pause),
    expression: &str,
    frame: Option<i64>,
    may_run: Option<MayRun>,
) -> Result<u64, String> {
    let (thread, frame, is_gone) = frame_of(pause, frame)?;
    let mut calls = Limited { waiter: server, limit: CALL };
    let calls: Option<&mut dyn Calls> = match may_run {
        None | Some(MayRun::Nothing) => None,
        Some(MayRun::Pure | MayRun::Anything) => Some(&mut calls),
    };
    let mut evaluation = Evaluation::new(&mut pause.stopped, thread, frame, calls);
    evaluation.is_pure = is_pure(may_run);
    evaluation.is_gone = is_gone;
    let evaluated = evaluation.text(expression).map_err(|error| error.to_string())?;
    let Evaluated::Value(answer) = evaluated else { return Err(format!("`{expression}` throws")) };
    let address = evaluation.object_address(&answer);
    address.ok_or_else(|| format!("`{expression}` is not an object on the garbage-collected heap"))
}

/// An object as the client can name it from now on.
pub(super) fn named(
    stopped: &Stopped,
    regions: &[HeapRegion],
    address: u64,
    type_name: String,
    size: u64,
) -> Result<HeapObject, String> {
    let object = process(stopped)?.object(address).map_err(|error| error.to_string())?;
    let name = stopped.target().identities().name(&object, address).map_err(|error| error.to_string())?;
    let generation = generation(regions, address).map(|generation| match generation {
        Generation::Number(number) => number.to_string(),
        Generation::Large => "large".into(),
        Generation::Pinned => "pinned".into(),
        Generation::Frozen => "frozen".into(),
    });
    Ok(HeapObject { name, type_name, memory_reference: format!("0x{address:x}"), size, generation })
}
