//! Values as they were at the last stop in the same frame, so that a report can tell what changed.

use std::collections::{HashMap, VecDeque};

use crate::session::ids::ThreadId;
use crate::session::report::{Content, Variable};

/// Frames remembered.
const FRAMES: usize = 64;

/// A frame over several stops: thread, function, depth from the bottom, and where it was called.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct FrameKey {
    pub thread: ThreadId,
    pub raw_name: String,
    pub depth: Option<usize>,
    /// Function and line of the frames below.
    pub callers: Vec<(String, u32)>,
}

/// A frame at one stop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Moment {
    pub key: FrameKey,
    pub path: Option<String>,
    /// Line and column.
    pub place: (u32, u32),
    /// Names of the arguments.
    pub arguments: Vec<String>,
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
    /// Continues until then.
    continues: u64,
    values: HashMap<String, String>,
}

#[derive(Debug, Default)]
pub(crate) struct History {
    frames: HashMap<FrameKey, Seen>,
    order: VecDeque<FrameKey>,
    continues: u64,
}

impl History {
    /// The program runs until something stops it: a function may return and be called again meanwhile.
    pub(crate) fn continues(&mut self) {
        self.continues += 1;
    }

    /// Puts `was` on what differs from the last stop in this call, and remembers the values. `leads`: whether a call that
    /// was at the first place may be at the second one later; frames have no identity in DAP.
    pub(crate) fn compare(
        &mut self,
        now: &Moment,
        locals: &mut [Variable],
        leads: impl FnOnce((u32, u32), (u32, u32)) -> bool,
    ) -> Compared {
        let key = &now.key;
        self.forget_returned(key);
        let values: HashMap<String, String> =
            locals.iter().map(|local| (local.name.clone(), rendering(local))).collect();
        let before = self.frames.get(key);
        let is_same_call = before.is_some_and(|seen| {
            let has_argument = |name: &String| {
                seen.values.get(name).zip(values.get(name)).is_none_or(|(was, is)| {
                    // an object may have changed and be the same
                    was == is || was.starts_with(['{', '['])
                })
            };
            seen.continues == self.continues || (now.arguments.iter().all(has_argument) && leads(seen.place, now.place))
        });
        let mut new = Vec::new();
        for local in locals.iter_mut() {
            let now = rendering(local);
            match before.filter(|_| is_same_call).and_then(|seen| seen.values.get(&local.name)) {
                Some(was) if *was != now => local.was = Some(told(was)),
                Some(_) => {}
                None => new.push(local.name.clone()),
            }
        }
        if before.is_none() {
            self.order.push_back(key.clone());
        }
        self.frames.insert(key.clone(), Seen { place: now.place, continues: self.continues, values });
        while self.order.len() > FRAMES {
            if let Some(oldest) = self.order.pop_front() {
                self.frames.remove(&oldest);
            }
        }
        Compared { is_same_call, new }
    }

    /// Frames of the thread that were above this one have returned.
    fn forget_returned(&mut self, key: &FrameKey) {
        let has_returned = |other: &FrameKey| {
            other.thread == key.thread && other.depth.zip(key.depth).is_some_and(|(theirs, ours)| theirs > ours)
        };
        self.frames.retain(|other, _| !has_returned(other));
        self.order.retain(|other| !has_returned(other));
    }
}

/// Separates the value from count and digest, which are compared but not told.
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

fn told(rendering: &str) -> String {
    rendering.split(COUNT).next().unwrap_or(rendering).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn local(name: &str, value: &str, count: Option<u64>) -> Variable {
        Variable { name: name.into(), content: Content::Value(value.into()), count, ..Variable::default() }
    }

    fn at(depth: usize) -> Moment {
        let key = FrameKey { thread: ThreadId(1), raw_name: "Main".into(), depth: Some(depth), callers: Vec::new() };
        Moment { key, path: None, place: (7, 1), arguments: vec!["n".into()] }
    }

    fn never(_: (u32, u32), _: (u32, u32)) -> bool {
        false
    }

    #[test]
    fn a_value_that_differs_has_what_it_was_and_a_new_name_is_new() {
        let mut history = History::default();
        let first = history.compare(&at(1), &mut [local("a", "1", None), local("l", "[…]", Some(3))], never);
        assert_eq!((first.new, first.is_same_call), (vec!["a".to_owned(), "l".into()], false));
        let mut second = [local("a", "2", None), local("l", "[…]", Some(4)), local("b", "7", None)];
        let compared = history.compare(&at(1), &mut second, never);
        assert_eq!((compared.new, compared.is_same_call), (vec!["b".to_owned()], true));
        assert_eq!(second.map(|variable| variable.was), [Some("1".into()), Some("[…]".into()), None]);
        assert_eq!(history.compare(&at(2), &mut [local("a", "9", None)], never).new, ["a"]);
    }

    #[test]
    fn another_call_of_a_function_is_compared_with_nothing() {
        let seen = |change: &dyn Fn(&mut History), n: &str, leads: bool| {
            let mut history = History::default();
            history.compare(&at(2), &mut [local("n", "1", None), local("a", "1", None)], never);
            change(&mut history);
            let mut now = [local("n", n, None), local("a", "2", None)];
            let compared = history.compare(&at(2), &mut now, |_, _| leads);
            assert_eq!(compared.is_same_call, now[1].was.is_some());
            compared.is_same_call
        };
        assert!(seen(&|_| {}, "1", false), "only steps since then");
        assert!(seen(&|history| history.continues(), "1", true), "a loop comes round");
        assert!(!seen(&|history| history.continues(), "1", false), "no code leads there in one call");
        assert!(!seen(&|history| history.continues(), "2", true), "called with something else");
        let returned = |history: &mut History| drop(history.compare(&at(1), &mut [], never));
        assert!(!seen(&returned, "1", true), "it has returned meanwhile");
    }

    #[test]
    fn a_change_beyond_what_a_preview_shows_is_a_change() {
        let mut history = History::default();
        let list = |digest| Variable { digest, ..local("l", "[1, …]", Some(50)) };
        history.compare(&at(1), &mut [list(7)], never);
        let mut same = [list(7)];
        history.compare(&at(1), &mut same, never);
        let mut changed = [list(8)];
        history.compare(&at(1), &mut changed, never);
        assert_eq!((&same[0].was, changed[0].was.as_deref()), (&None, Some("[1, …]")));
    }

    #[test]
    fn old_frames_are_forgotten() {
        let mut history = History::default();
        for depth in 0..FRAMES + 10 {
            history.compare(&at(depth), &mut [local("a", "1", None)], never);
        }
        assert_eq!(history.frames.len(), FRAMES);
    }
}
