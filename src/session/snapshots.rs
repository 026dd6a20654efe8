//! Stops as they were reported, so that any of them can be read, and any two compared, without asking an adapter.

use std::collections::VecDeque;
use std::sync::Arc;

use super::error::{Code, SessionError};
use super::ids::EventSeq;
use super::report::{Content, Exception, Frame, Stop, StopValues, Variable};
use super::view::{KeptStop, StopEntry, StreamView};

/// Bytes kept for a session, about a thousand stops; beyond them the oldest are dropped. The latest is kept whatever its size.
pub const SNAPSHOT_BYTES: usize = 4 * 1024 * 1024;

/// Stops that an error names.
const NAMED: usize = 10;

#[derive(Debug, Default)]
pub(crate) struct Snapshots {
    /// With their sizes, oldest first.
    stops: VecDeque<(KeptStop, usize)>,
    bytes: usize,
    /// The latest of those that were dropped.
    dropped: Option<EventSeq>,
}

impl Snapshots {
    /// A stop is reported; once more, if something else stopped the program before it went on.
    pub(crate) fn push(&mut self, stop: Stop) {
        if self.stops.back().is_some_and(|(latest, _)| latest.reported.seq == stop.seq) {
            self.bytes -= self.stops.pop_back().map_or(0, |(_, size)| size);
        }
        let size = size(&stop);
        self.bytes += size;
        self.stops.push_back((KeptStop { reported: Arc::new(stop), revised: None }, size));
        self.shrink();
    }

    fn shrink(&mut self) {
        while self.bytes > SNAPSHOT_BYTES && self.stops.len() > 1 {
            let Some((oldest, size)) = self.stops.pop_front() else { return };
            self.bytes -= size;
            self.dropped = Some(oldest.reported.seq);
        }
    }

    /// A client changed what this stop shows: the program goes on from that.
    pub(crate) fn revise(&mut self, seq: EventSeq, locals: &[Variable]) {
        let Some((kept, before)) = self.stops.back_mut().filter(|(kept, _)| kept.reported.seq == seq) else { return };
        let mut stop = Stop::clone(kept.latest());
        if let StopValues::Locals(kept, _) = &mut stop.values {
            for local in kept {
                if let Some(now) = locals.iter().find(|now| now.name == local.name) {
                    *local = Variable { was: local.was.take(), ..now.clone() };
                }
            }
        }
        self.bytes -= *before;
        *before = size(&kept.reported) + size(&stop);
        self.bytes += *before;
        kept.revised = Some(Arc::new(stop));
        self.shrink();
    }

    pub(crate) fn latest(&self) -> Result<KeptStop, SessionError> {
        let latest = self.stops.back().map(|(kept, _)| kept.clone());
        latest.ok_or_else(|| {
            SessionError::new(
                Code::SnapshotNotFound,
                "there is no snapshot: the program has not stopped in this session",
                "debug_state shows whether it is running; if so, breakpoint_wait or debug_pause, otherwise debug_launch with a breakpoint",
            )
        })
    }

    pub(crate) fn get(&self, seq: EventSeq) -> Result<KeptStop, SessionError> {
        let found = self.stops.binary_search_by_key(&seq, |(kept, _)| kept.reported.seq).ok();
        match found.and_then(|at| self.stops.get(at)) {
            Some((kept, _)) => Ok(kept.clone()),
            None => Err(self.unknown(seq)),
        }
    }

    fn unknown(&self, seq: EventSeq) -> SessionError {
        if let Err(error) = self.latest() {
            return error;
        }
        let message = match self.dropped {
            Some(last) if seq <= last => {
                format!(
                    "no snapshot of seq {seq}: those up to {last} were dropped, as at most {SNAPSHOT_BYTES} bytes are kept"
                )
            }
            _ => format!("no snapshot of seq {seq}: no stop has that number"),
        };
        let earlier = self.stops.len().saturating_sub(NAMED);
        let named: Vec<String> =
            self.stops.iter().skip(earlier).map(|(kept, _)| kept.reported.seq.to_string()).collect();
        let hint = format!("the latest stops are {}", named.join(", "));
        SessionError::new(Code::SnapshotNotFound, message, hint)
    }

    /// All that are kept, oldest first.
    pub(crate) fn list(&self) -> Vec<StopEntry> {
        let entry = |(KeptStop { reported, .. }, _): &(KeptStop, usize)| StopEntry {
            seq: reported.seq,
            reason: reported.reason,
            at: reported.location.as_ref().map(|at| format!("{}:{}", at.file, at.line)),
            function: reported.location.as_ref().and_then(|at| at.function.clone()),
        };
        self.stops.iter().map(entry).collect()
    }

    pub(crate) fn extent(&self) -> StreamView {
        let seq = |kept: Option<&(KeptStop, usize)>| kept.map_or(EventSeq(0), |(kept, _)| kept.reported.seq);
        StreamView {
            name: "snapshots",
            count: self.stops.len(),
            oldest: seq(self.stops.front()),
            latest: seq(self.stops.back()),
        }
    }

    /// The oldest that is left, where some were dropped.
    pub(crate) fn oldest_after_drops(&self) -> Option<EventSeq> {
        self.dropped.and(self.stops.front()).map(|(kept, _)| kept.reported.seq)
    }
}

/// Bytes, near enough: structures and their texts.
fn size(stop: &Stop) -> usize {
    let locals = match &stop.values {
        StopValues::Locals(locals, _) | StopValues::Changed(locals, ..) => variables(locals),
        StopValues::None => 0,
    };
    let place = stop.location.as_ref().map_or(0, |it| {
        it.file.len() + [&it.function, &it.kind, &it.source, &it.inside].map(length).iter().sum::<usize>()
    });
    size_of::<Stop>()
        + locals
        + place
        + variables(&stop.watches)
        + variables(&stop.returned)
        + stop.stack.iter().chain(&stop.awaited_by).map(frame).sum::<usize>()
        + stop.exception.as_ref().map_or(0, exception)
}

fn length(text: &Option<String>) -> usize {
    text.as_ref().map_or(0, String::len)
}

fn variables(all: &[Variable]) -> usize {
    all.iter().map(variable).sum()
}

fn variable(it: &Variable) -> usize {
    let content = match &it.content {
        Content::Value(text) | Content::Error(text) | Content::Cycle(text) => text.len(),
        Content::Members(members) => variables(members),
    };
    let parts: usize =
        it.parts.iter().map(|(name, text)| size_of::<(String, String)>() + name.len() + text.len()).sum();
    size_of::<Variable>() + it.name.len() + length(&it.type_name) + length(&it.was) + length(&it.path) + content + parts
}

fn frame(it: &Frame) -> usize {
    size_of::<Frame>() + it.function.len() + it.at.len() + length(&it.kind) + length(&it.source) + variables(&it.locals)
}

fn exception(it: &Exception) -> usize {
    let inner: usize = it.inner.iter().map(exception).sum();
    size_of::<Exception>() + it.type_name.len() + length(&it.message) + length(&it.at) + variables(&it.members) + inner
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::ids::ThreadId;
    use crate::session::report::StopReason;

    fn local(name: &str, value: &str) -> Variable {
        Variable { name: name.into(), content: Content::Value(value.into()), ..Variable::default() }
    }

    fn stop(seq: u64, locals: Vec<Variable>) -> Stop {
        Stop {
            reason: StopReason::Step,
            seq: EventSeq(seq),
            thread: Some((ThreadId(1), None)),
            location: None,
            breakpoint_ids: Vec::new(),
            hit_counts: Vec::new(),
            exception: None,
            values: StopValues::Locals(locals, 0),
            watches: Vec::new(),
            returned: Vec::new(),
            has_more_returned: false,
            stack: Vec::new(),
            external_frames: 0,
            more_frames: 0,
            awaited_by: Vec::new(),
            more_awaiting: 0,
        }
    }

    #[test]
    fn the_oldest_are_dropped_by_bytes_and_the_latest_stays_whatever_its_size() {
        let mut kept = Snapshots::default();
        let quarter = "x".repeat(SNAPSHOT_BYTES / 4);
        for seq in 1..=5 {
            kept.push(stop(seq, vec![local("a", &quarter)]));
        }
        assert_eq!(
            (kept.extent().count, kept.extent().oldest, kept.oldest_after_drops()),
            (3, EventSeq(3), Some(EventSeq(3)))
        );
        assert!(kept.bytes <= SNAPSHOT_BYTES);
        let error = kept.get(EventSeq(2)).unwrap_err();
        assert!(error.message.contains("up to 2 were dropped") && error.hint.ends_with("3, 4, 5"), "{error:?}");
        assert!(kept.get(EventSeq(9)).unwrap_err().message.contains("no stop has that number"));
        kept.push(stop(10, vec![local("a", &"x".repeat(SNAPSHOT_BYTES + 1))]));
        assert_eq!((kept.extent().count, kept.latest().unwrap().reported.seq), (1, EventSeq(10)));
        kept.push(stop(11, Vec::new()));
        assert_eq!((kept.extent().count, kept.bytes), (1, size(&stop(11, Vec::new()))));
    }

    #[test]
    fn what_a_client_set_is_kept_beside_what_was_reported() {
        let mut kept = Snapshots::default();
        assert_eq!(kept.latest().unwrap_err().code, Code::SnapshotNotFound);
        kept.push(stop(1, vec![local("a", "1")]));
        kept.push(stop(2, vec![Variable { was: Some("1".into()), ..local("a", "2") }]));
        kept.revise(EventSeq(1), &[local("a", "7")]);
        kept.revise(EventSeq(2), &[local("a", "60"), local("b", "1")]);
        kept.revise(EventSeq(2), &[local("a", "70"), local("b", "1")]);
        let locals_of = |stop: &Stop| match &stop.values {
            StopValues::Locals(locals, _) => locals.clone(),
            _ => Vec::new(),
        };
        let earlier = kept.get(EventSeq(1)).unwrap();
        assert!(earlier.revised.is_none() && locals_of(&earlier.reported) == [local("a", "1")], "it was left already");
        let latest = kept.latest().unwrap();
        assert_eq!(locals_of(&latest.reported)[0].content, Content::Value("2".into()));
        assert_eq!(locals_of(latest.latest()), [Variable { was: Some("1".into()), ..local("a", "70") }]);
        let held = |(it, _): &(KeptStop, usize)| size(&it.reported) + it.revised.as_ref().map_or(0, |stop| size(stop));
        assert_eq!(kept.bytes, kept.stops.iter().map(held).sum::<usize>());
        let again = stop(2, Vec::new());
        kept.push(again);
        assert_eq!((kept.extent().count, kept.latest().unwrap().revised.is_none()), (2, true), "reported once more");
    }
}
