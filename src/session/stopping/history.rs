//! Values as they were at the last stop in the same frame, so that a report can show what changed.

use std::collections::{HashMap, VecDeque};

use super::differing;
use crate::session::ids::ThreadId;
use crate::session::modules::CallSite;
use crate::session::report::{Content, Variable};

/// Frames remembered.
const FRAMES: usize = 64;

/// A frame over several stops: thread, function, depth from the bottom, and where it was called.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct FrameKey {
    pub thread: ThreadId,
    pub raw_name: String,
    pub depth: Option<usize>,
    /// The frames below, nearest first.
    pub callers: Vec<CallSite>,
}

/// A frame at one stop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Moment {
    pub key: FrameKey,
    pub path: Option<String>,
    /// Line and column.
    pub place: (u32, u32),
    /// A step ended there, and nothing else stopped the program on its way.
    pub stepped: bool,
    /// That step was out of a call.
    pub left: bool,
}

/// What the code says of two stops with equal stacks.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Code {
    /// Whether a call that was at the first place may be at the second later.
    pub leads: bool,
    /// No two calls can have this stack.
    pub runs_once: bool,
}

/// What came of a comparison.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Compared {
    /// It is the call that was seen before, not another one of the same function.
    pub is_same_call: bool,
    /// Names that it did not have then.
    pub new: Vec<String>,
}

#[derive(Debug)]
struct Seen {
    place: (u32, u32),
    /// [`History::resumes`] then.
    resumes: u64,
    values: HashMap<String, Kept>,
}

/// What a variable was.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Kept {
    rendering: String,
    identity: Option<u64>,
}

/// What is said of one that looks the same and is not.
const ANOTHER: &str = "another object";
/// And of a text or a collection that as long as it was differs behind what is shown.
const UNSHOWN: &str = "different where it is not shown";

#[derive(Debug, Default)]
pub(crate) struct History {
    frames: HashMap<FrameKey, Seen>,
    order: VecDeque<FrameKey>,
    /// The frame of the last comparison.
    last: Option<FrameKey>,
    resumes: u64,
}

impl History {
    /// The program ran, and not within one frame: a function may have returned and been called again meanwhile.
    pub(crate) fn lose_track(&mut self) {
        self.resumes += 1;
    }

    /// Puts `was` on what differs from the last stop in this call, and remembers the values. `ask` is asked with the place of then; with
    /// it come the names that meant another variable there.
    pub(crate) fn compare(
        &mut self,
        now: &Moment,
        locals: &mut [Variable],
        ask: impl FnOnce((u32, u32)) -> (Code, Vec<String>),
    ) -> Compared {
        if !now.stepped {
            self.lose_track();
        }
        let key = &now.key;
        self.forget_returned(key);
        let values: HashMap<String, Kept> = locals.iter().map(|local| (local.name.clone(), kept(local))).collect();
        let before = self.frames.get(key);
        let mut others = Vec::new();
        let is_same_call = before.is_some_and(|seen| {
            let code;
            (code, others) = ask(seen.place);
            if seen.resumes != self.resumes {
                return code.runs_once && code.leads;
            }
            // back from a callee, in the middle of the statement
            self.last.as_ref() != Some(key) || code.leads && !now.left
        });
        let mut new = Vec::new();
        for local in locals.iter_mut() {
            let now = kept(local);
            let is_same = is_same_call && !others.contains(&local.name);
            match before.filter(|_| is_same).and_then(|seen| seen.values.get(&local.name)) {
                Some(was) if was.rendering != now.rendering => {
                    local.was = match (parts(&was.rendering), parts(&now.rendering)) {
                        ((before, Some(was)), (after, Some(now))) if before == after => Some(unshown(was, now, local)),
                        ((before, _), (after, _)) => differing::was(before, after),
                    };
                }
                Some(was) if is_another(was.identity, now.identity) => local.was = Some(ANOTHER.to_owned()),
                Some(_) => {}
                None => new.push(local.name.clone()),
            }
        }
        if before.is_none() {
            self.order.push_back(key.clone());
        }
        self.frames.insert(key.clone(), Seen { place: now.place, resumes: self.resumes, values });
        while self.order.len() > FRAMES {
            if let Some(oldest) = self.order.pop_front() {
                self.frames.remove(&oldest);
            }
        }
        self.last = Some(key.clone());
        Compared { is_same_call, new }
    }

    /// What the client set in a frame is how the program goes on: no change of its own.
    pub(crate) fn revise(&mut self, key: &FrameKey, locals: &[Variable]) {
        if let Some(seen) = self.frames.get_mut(key) {
            seen.values.extend(locals.iter().map(|local| (local.name.clone(), kept(local))));
        }
    }

    /// Frames of the thread that were above this one have returned, and others in its place.
    fn forget_returned(&mut self, key: &FrameKey) {
        let has_returned = |other: &FrameKey| {
            let depths = other.depth.zip(key.depth);
            let is_gone = depths.is_some_and(|(theirs, ours)| theirs > ours || theirs == ours && other != key);
            other.thread == key.thread && is_gone
        };
        self.frames.retain(|other, _| !has_returned(other));
        self.order.retain(|other| !has_returned(other));
    }
}

fn kept(variable: &Variable) -> Kept {
    Kept { rendering: rendering(variable), identity: variable.identity }
}

/// Whether these are of different objects; of other upper halves nobody knows.
fn is_another(was: Option<u64>, now: Option<u64>) -> bool {
    was.zip(now).is_some_and(|(was, now)| was != now && was >> 32 == now >> 32)
}

/// Separates the value from count and digest, which are compared but not reported.
const COUNT: char = '\u{1}';

fn rendering(variable: &Variable) -> String {
    let value = match &variable.content {
        Content::Value(value) => value.clone(),
        Content::Error(words) => format!("!{words}"),
        Content::Cycle(path) => path.clone(),
        Content::Members(_) => String::new(),
    };
    match variable.count.or(variable.length) {
        Some(count) => format!("{value}{COUNT}{count} {}", variable.digest),
        None => value,
    }
}

/// What is reported, and what is only compared.
fn parts(rendering: &str) -> (&str, Option<&str>) {
    rendering.split_once(COUNT).map_or((rendering, None), |(shown, compared)| (shown, Some(compared)))
}

/// What one was that is shown as it is now, by what of both is only compared.
fn unshown(was: &str, now: &str, variable: &Variable) -> String {
    let count = |compared: &str| compared.split(' ').next().unwrap_or_default().to_owned();
    match (count(was), count(now)) {
        (was, now) if was == now => UNSHOWN.to_owned(),
        (was, _) => format!("{was} {}", if variable.count.is_some() { "elements" } else { "chars" }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn local(name: &str, value: &str, count: Option<u64>) -> Variable {
        Variable { name: name.into(), content: Content::Value(value.into()), count, ..Variable::default() }
    }

    fn at(depth: usize) -> Moment {
        let key = FrameKey { thread: ThreadId(1), raw_name: "Main".into(), depth: Some(depth), callers: Vec::new() };
        Moment { key, path: None, place: (7, 1), stepped: true, left: false }
    }

    fn stopped_at(depth: usize) -> Moment {
        Moment { stepped: false, ..at(depth) }
    }

    fn unknown(_: (u32, u32)) -> (Code, Vec<String>) {
        (Code { leads: true, runs_once: false }, Vec::new())
    }

    #[test]
    fn a_value_that_differs_has_what_it_was_and_a_new_name_is_new() {
        let mut history = History::default();
        let first = history.compare(&at(1), &mut [local("a", "1", None), local("l", "[…]", Some(3))], unknown);
        assert_eq!((first.new, first.is_same_call), (vec!["a".to_owned(), "l".into()], false));
        let mut second = [local("a", "2", None), local("l", "[…]", Some(4)), local("b", "7", None)];
        let compared = history.compare(&at(1), &mut second, unknown);
        assert_eq!((compared.new, compared.is_same_call), (vec!["b".to_owned()], true));
        assert_eq!(second.map(|variable| variable.was), [Some("1".into()), Some("3 elements".into()), None]);
        assert_eq!(history.compare(&at(2), &mut [local("a", "9", None)], unknown).new, ["a"]);
    }

    #[test]
    fn another_object_that_looks_the_same_is_a_change_where_it_is_known() {
        for (was, now, shown) in [
            (Some(1), Some(2), Some("another object")),
            (Some(1), Some(1), None),
            (Some(1), None, None),
            (None, Some(1), None),
            (Some(1), Some(1 << 32 | 2), None),
        ] {
            let mut history = History::default();
            let with = |identity| [Variable { identity, ..local("a", "{Id=1}", None) }];
            history.compare(&at(1), &mut with(was), unknown);
            let mut again = with(now);
            history.compare(&at(1), &mut again, unknown);
            assert_eq!(again[0].was.as_deref(), shown, "{was:?} {now:?}");
        }
    }

    #[test]
    fn another_variable_of_a_name_is_new() {
        let mut history = History::default();
        history.compare(&at(1), &mut [local("a", "1", None), local("b", "1", None)], unknown);
        let mut second = [local("a", "2", None), local("b", "2", None)];
        let compared = history.compare(&at(1), &mut second, |from| (unknown(from).0, vec!["b".into()]));
        assert_eq!(compared.new, ["b"]);
        assert_eq!(second.map(|variable| variable.was), [Some("1".into()), None]);
    }

    #[test]
    fn another_call_of_a_function_is_compared_with_nothing() {
        let seen = |between: &dyn Fn(&mut History), now: &Moment, code: Code| {
            let mut history = History::default();
            history.compare(&at(2), &mut [local("a", "1", None)], unknown);
            between(&mut history);
            let mut locals = [local("a", "2", None)];
            let compared = history.compare(now, &mut locals, |_| (code, Vec::new()));
            assert_eq!(compared.is_same_call, locals[0].was.is_some());
            compared.is_same_call
        };
        let code = Code { leads: true, runs_once: true };
        let again = Code { runs_once: false, ..code };
        let later = Moment { place: (8, 1), ..at(2) };
        assert!(seen(&|_| {}, &stopped_at(2), code), "a loop comes round in what is called once");
        assert!(!seen(&|_| {}, &stopped_at(2), again), "a loop, but it may have been called again");
        assert!(!seen(&|_| {}, &stopped_at(2), Code { leads: false, ..code }), "no code leads there in one call");
        assert!(seen(&|_| {}, &later, again), "only steps since then");
        assert!(!seen(&|_| {}, &later, Code { leads: false, ..again }), "stepped off its end into the next call");
        assert!(!seen(&|history| history.lose_track(), &later, again), "a step that was not within the frame");
        let callee = |history: &mut History| drop(history.compare(&at(3), &mut [], unknown));
        assert!(seen(&callee, &at(2), Code { leads: false, ..again }), "back from a callee");
        let out = Moment { left: true, ..at(2) };
        assert!(!seen(&|_| {}, &out, again), "a step out of it ended in the next call");
        assert!(seen(&callee, &out, again), "a step out of a callee");
        let sibling = FrameKey { raw_name: "Other".into(), ..at(2).key };
        let sibling = Moment { key: sibling, ..at(2) };
        let other = |history: &mut History| drop(history.compare(&sibling, &mut [], unknown));
        assert!(!seen(&other, &at(2), again), "another function was in its place");
        let returned = |history: &mut History| drop(history.compare(&at(1), &mut [], unknown));
        assert!(!seen(&returned, &at(2), code), "it has returned meanwhile");
    }

    #[test]
    fn what_the_client_set_is_no_change_of_the_program() {
        let mut history = History::default();
        history.compare(&at(1), &mut [local("a", "1", None), local("b", "1", None)], unknown);
        history.revise(&at(1).key, &[local("a", "5", None)]);
        history.revise(&at(2).key, &[local("b", "5", None)]);
        let mut next = [local("a", "5", None), local("b", "2", None)];
        history.compare(&at(1), &mut next, unknown);
        assert_eq!(next.map(|variable| variable.was), [None, Some("1".into())]);
    }

    #[test]
    fn a_change_beyond_what_a_preview_shows_is_a_change() {
        let mut history = History::default();
        let list = |digest| Variable { digest, ..local("l", "[1, …]", Some(50)) };
        history.compare(&at(1), &mut [list(7)], unknown);
        let mut same = [list(7)];
        history.compare(&at(1), &mut same, unknown);
        let mut changed = [list(8)];
        history.compare(&at(1), &mut changed, unknown);
        assert_eq!((&same[0].was, changed[0].was.as_deref()), (&None, Some(UNSHOWN)));
    }

    #[test]
    fn old_frames_are_forgotten() {
        let mut history = History::default();
        for depth in 0..FRAMES + 10 {
            history.compare(&at(depth), &mut [local("a", "1", None)], unknown);
        }
        assert_eq!(history.frames.len(), FRAMES);
    }
}
