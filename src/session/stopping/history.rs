//! Values as they were at the last stop in the same frame, so that a report can tell what changed.

use std::collections::{HashMap, VecDeque};

use crate::session::ids::ThreadId;
use crate::session::report::{Content, Variable};

/// Frames remembered.
const FRAMES: usize = 64;

/// A frame over several stops: thread, function, depth from the bottom.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct FrameKey {
    pub thread: ThreadId,
    pub raw_name: String,
    pub depth: Option<usize>,
}

#[derive(Debug, Default)]
pub(crate) struct History {
    frames: HashMap<FrameKey, HashMap<String, String>>,
    order: VecDeque<FrameKey>,
}

impl History {
    /// Puts `was` on what differs from the last stop in this frame, and remembers the values. Answers which are new.
    pub(crate) fn compare(&mut self, key: &FrameKey, locals: &mut [Variable]) -> Vec<String> {
        let before = self.frames.get(key);
        let mut new = Vec::new();
        for local in locals.iter_mut() {
            let now = rendering(local);
            match before.and_then(|values| values.get(&local.name)) {
                Some(was) if *was != now => local.was = Some(told(was)),
                Some(_) => {}
                None => new.push(local.name.clone()),
            }
        }
        if before.is_none() {
            self.order.push_back(key.clone());
        }
        let now = locals.iter().map(|local| (local.name.clone(), rendering(local))).collect();
        self.frames.insert(key.clone(), now);
        while self.order.len() > FRAMES {
            if let Some(oldest) = self.order.pop_front() {
                self.frames.remove(&oldest);
            }
        }
        new
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

    #[test]
    fn a_value_that_differs_has_what_it_was_and_a_new_name_is_new() {
        let key = FrameKey { thread: ThreadId(1), raw_name: "Main".into(), depth: Some(1) };
        let mut history = History::default();
        assert_eq!(history.compare(&key, &mut [local("a", "1", None), local("l", "[…]", Some(3))]), ["a", "l"]);
        let mut second = [local("a", "2", None), local("l", "[…]", Some(4)), local("b", "7", None)];
        assert_eq!(history.compare(&key, &mut second), ["b"]);
        assert_eq!(second.map(|variable| variable.was), [Some("1".into()), Some("[…]".into()), None]);
        let other = FrameKey { depth: Some(2), ..key };
        assert_eq!(history.compare(&other, &mut [local("a", "9", None)]), ["a"]);
    }

    #[test]
    fn a_change_beyond_what_a_preview_shows_is_a_change() {
        let key = FrameKey { thread: ThreadId(1), raw_name: "Main".into(), depth: Some(1) };
        let mut history = History::default();
        let list = |digest| Variable { digest, ..local("l", "[1, …]", Some(50)) };
        history.compare(&key, &mut [list(7)]);
        let mut same = [list(7)];
        history.compare(&key, &mut same);
        let mut changed = [list(8)];
        history.compare(&key, &mut changed);
        assert_eq!((&same[0].was, changed[0].was.as_deref()), (&None, Some("[1, …]")));
    }

    #[test]
    fn old_frames_are_forgotten() {
        let mut history = History::default();
        for depth in 0..FRAMES + 10 {
            let key = FrameKey { thread: ThreadId(1), raw_name: "Down".into(), depth: Some(depth) };
            history.compare(&key, &mut [local("a", "1", None)]);
        }
        assert_eq!(history.frames.len(), FRAMES);
    }
}
