//! `clrHeapStatistics`, `clrHeapFind`, `clrHeapRoots`: requests outside the protocol.

use std::time::{Duration, Instant};

use dap_wire::{
    HeapChain, HeapCut, HeapFindArguments, HeapFindResponse, HeapObject, HeapRootsArguments, HeapRootsResponse,
    HeapStatisticsArguments, HeapStatisticsResponse, HeapType,
};

use super::evaluation::frame_of;
use super::server::{Answer, Pause, Server, body};
use crate::com::{self, HeapRegion, Interface as _};
use crate::evaluate::{Evaluated, Evaluation, Filter};
use crate::heap::{Cut, Generation, Heap, Kept, generation, regions};
use crate::stopped::Stopped;

/// What a request gets that names no limit.
const LIMIT: Duration = Duration::from_secs(30);
/// Objects between two looks at the clock while a condition is evaluated.
const STRIDE: usize = 64;

/// Ends a walk when its time is over or a request waits that ends it.
fn pace(server: &mut Server, limit_ms: Option<u64>) -> impl FnMut() -> Option<Cut> {
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

fn told(cut: Cut) -> HeapCut {
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
                cut: statistics.cut.map(told),
            })
        })
    }

    pub(super) fn heap_find(&mut self, arguments: &HeapFindArguments) -> Answer {
        self.with_pause(|server, pause| {
            let mut pace = pace(server, arguments.limit_ms);
            let objects = {
                let mut heap = Heap::new(&pause.stopped).map_err(|error| error.to_string())?;
                heap.objects(&arguments.type_name, &mut pace).map_err(|error| error.to_string())?
            };
            let mut answer = HeapFindResponse {
                total: objects.found.len() as u64,
                types: objects.types.iter().map(|(_, name, _)| name.clone()).collect(),
                cut: objects.cut.map(told),
                ..HeapFindResponse::default()
            };
            let most = usize::try_from(arguments.count).unwrap_or(usize::MAX);
            let mut chosen = Vec::new();
            match &arguments.condition {
                None => {
                    answer.matched = answer.total;
                    chosen.extend(objects.found.iter().take(most));
                }
                Some(condition) => {
                    let (thread, frame, is_gone) = frame_of(pause, arguments.frame_id)?;
                    let process: com::Process5 = process(&pause.stopped)?;
                    let mut evaluation = Evaluation::new(&mut pause.stopped, thread, frame, None);
                    evaluation.is_gone = is_gone;
                    let mut filter = Filter::new(&mut evaluation, condition).map_err(|error| error.to_string())?;
                    for (at, object) in objects.found.iter().enumerate() {
                        if at % STRIDE == STRIDE - 1
                            && let Some(cut) = pace()
                        {
                            answer.cut = Some(told(cut));
                            break;
                        }
                        let Some((.., type_)) = objects.types.iter().find(|(type_, ..)| *type_ == object.type_) else {
                            continue;
                        };
                        answer.evaluated += 1;
                        match filter.holds(&process, object.address, type_) {
                            Ok(false) => {}
                            Ok(true) => {
                                answer.matched += 1;
                                if chosen.len() < most {
                                    chosen.push(object);
                                }
                            }
                            Err(error) => {
                                answer.failed += 1;
                                answer.error.get_or_insert_with(|| error.to_string());
                            }
                        }
                    }
                }
            }
            let regions = regions(&pause.stopped).unwrap_or_default();
            for object in chosen {
                let name = objects.types.iter().find(|(type_, ..)| *type_ == object.type_);
                let type_name = name.map(|(_, name, _)| name.clone()).unwrap_or_default();
                answer.objects.push(named(&pause.stopped, &regions, object.address, type_name, object.size)?);
            }
            body(answer)
        })
    }

    pub(super) fn heap_roots(&mut self, arguments: &HeapRootsArguments) -> Answer {
        self.with_pause(|server, pause| {
            let kept = match (&arguments.expression, &arguments.type_name) {
                (Some(expression), _) => Kept::Object(address_of(pause, expression, arguments.frame_id)?),
                (None, Some(type_name)) => Kept::Type(type_name),
                (None, None) => return Err("an expression or a type is needed".into()),
            };
            let mut heap = Heap::new(&pause.stopped).map_err(|error| error.to_string())?;
            let mut chains =
                heap.chains(&kept, &mut pace(server, arguments.limit_ms)).map_err(|error| error.to_string())?;
            let most = usize::try_from(arguments.count).unwrap_or(usize::MAX);
            let mut answer = HeapRootsResponse {
                more_chains: chains.list.len().saturating_sub(most) as u64,
                total: chains.objects,
                unreachable: chains.unreachable,
                cut: chains.cut.map(told),
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
}

fn process(stopped: &Stopped) -> Result<com::Process5, String> {
    stopped.target().process().and_then(|process| process.cast()).map_err(|error| error.to_string())
}

/// The object of an expression, for which nothing runs.
fn address_of(pause: &mut Pause, expression: &str, frame: Option<i64>) -> Result<u64, String> {
    let (thread, frame, is_gone) = frame_of(pause, frame)?;
    let mut evaluation = Evaluation::new(&mut pause.stopped, thread, frame, None);
    evaluation.is_gone = is_gone;
    let evaluated = evaluation.text(expression).map_err(|error| error.to_string())?;
    let Evaluated::Value(answer) = evaluated else { return Err(format!("`{expression}` throws")) };
    let address = evaluation.object_address(&answer);
    address.ok_or_else(|| format!("`{expression}` is not an object on the garbage-collected heap"))
}

/// An object as the client can name it from now on.
fn named(
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
