//! A snapshot as a tree of named values, so that a path can name a part of it and two of them can be compared.
//!
//! `location.line`, `exception.message`, `locals.order.Total`, `locals.lines[0]`, `stack.1`.

use crate::session::{Content, Exception, Stop, StopValues, Variable};

/// A value, or a group of them. The name is the last step of its path.
#[derive(Debug, Clone, Default)]
pub(crate) struct Part {
    pub variable: Variable,
    pub parts: Vec<Part>,
}

/// A path that leads nowhere.
#[derive(Debug)]
pub(crate) struct Missed<'a> {
    /// The part that it leads to, and its path; empty for the snapshot itself.
    pub nearest: &'a Part,
    pub path: String,
    /// The rest of the path.
    pub rest: String,
}

/// Of two snapshots; what is absent on one side was added or removed.
#[derive(Debug)]
pub(crate) struct Difference<'a> {
    pub path: String,
    pub base: Option<&'a Part>,
    pub target: Option<&'a Part>,
}

impl Part {
    pub(crate) fn of(stop: &Stop) -> Self {
        let mut parts = vec![leaf("reason", stop.reason.as_str())];
        if let Some((id, name)) = &stop.thread {
            parts.push(leaf("thread_id", id));
            parts.extend(name.as_ref().map(|name| leaf("thread_name", name)));
        }
        if !stop.breakpoint_ids.is_empty() {
            let ids: Vec<String> = stop.breakpoint_ids.iter().map(ToString::to_string).collect();
            parts.push(leaf("breakpoint_ids", ids.join(", ")));
            let counts: Vec<String> = stop.hit_counts.iter().map(ToString::to_string).collect();
            parts.push(leaf("hit_count", counts.join(", ")));
        }
        if let Some(place) = &stop.location {
            let named = [("file", Some(place.file.clone())), ("line", Some(place.line.to_string()))];
            let further = [("function", place.function.clone()), ("in", place.inside.clone())];
            let named = named.into_iter().chain(further).filter_map(|(name, text)| Some(leaf(name, text?)));
            parts.push(group("location", named.collect()));
        }
        parts.extend(stop.exception.as_ref().map(|it| thrown("exception", it)));
        if let StopValues::Locals(locals, _) = &stop.values {
            parts.push(group("locals", locals.iter().map(value).collect()));
        }
        if !stop.watches.is_empty() {
            parts.push(group("watches", stop.watches.iter().map(value).collect()));
        }
        for (name, frames) in [("stack", &stop.stack), ("awaited_by", &stop.awaited_by)] {
            let frame = |(at, frame): (usize, &crate::session::Frame)| {
                leaf(&frame.frame.unwrap_or(at + 1).to_string(), format!("{} {}", frame.function, frame.at))
            };
            if !frames.is_empty() {
                parts.push(group(name, frames.iter().enumerate().map(frame).collect()));
            }
        }
        Self { parts, ..Self::default() }
    }

    fn name(&self) -> &str {
        &self.variable.name
    }

    /// The part that `path` names, and the path as we write it.
    pub(crate) fn at(&self, path: &str) -> Result<(&Self, String), Missed<'_>> {
        let (mut part, mut rest, mut found) = (self, path.trim(), String::new());
        while !rest.is_empty() {
            // a name may have points of its own (a watch); the longest one that fits is meant
            let fitting = part.parts.iter().filter_map(|part| Some((part, behind(rest, part.name())?)));
            match fitting.min_by_key(|(_, behind)| behind.len()) {
                Some((next, behind)) => {
                    found = join(&found, next.name());
                    (part, rest) = (next, behind);
                }
                None => return Err(Missed { nearest: part, path: found, rest: rest.to_owned() }),
            }
        }
        Ok((part, found))
    }

    /// What differs, in the order of the base, then what was added; `depth` steps of a path at most.
    pub(crate) fn differences<'a>(&'a self, target: &'a Self, depth: usize) -> Vec<Difference<'a>> {
        let mut found = Vec::new();
        compare(self, target, "", depth, &mut found);
        found
    }

    fn is_same(&self, other: &Self) -> bool {
        let facts =
            |it: &Variable| (it.type_name.clone(), it.content.clone(), it.count, it.length, it.digest, it.unassigned);
        facts(&self.variable) == facts(&other.variable)
            && self.parts.len() == other.parts.len()
            && self.parts.iter().zip(&other.parts).all(|(one, two)| one.name() == two.name() && one.is_same(two))
    }

    /// Its parts are all there is of it.
    fn is_whole(&self) -> bool {
        self.variable.count.is_none_or(|count| count == self.parts.len() as u64)
    }
}

fn leaf(name: &str, text: impl ToString) -> Part {
    let content = Content::Value(text.to_string());
    Part { variable: Variable { name: name.into(), content, ..Variable::default() }, parts: Vec::new() }
}

fn group(name: &str, parts: Vec<Part>) -> Part {
    let content = Content::Members(Vec::new());
    Part { variable: Variable { name: name.into(), content, ..Variable::default() }, parts }
}

fn value(variable: &Variable) -> Part {
    let parts = match &variable.content {
        Content::Members(members) => members.iter().map(value).collect(),
        _ => variable.parts.iter().map(|(name, text)| leaf(name, text)).collect(),
    };
    Part { variable: Variable { was: None, parts: Vec::new(), ..variable.clone() }, parts }
}

fn thrown(name: &str, exception: &Exception) -> Part {
    let mut parts = vec![leaf("type", &exception.type_name)];
    parts.extend(exception.message.as_ref().map(|message| leaf("message", message)));
    parts.push(leaf("unhandled", exception.unhandled));
    parts.extend(exception.at.as_ref().map(|at| leaf("at", at)));
    parts.extend(exception.members.iter().map(value));
    let inner = exception.inner.iter().enumerate().map(|(at, it)| thrown(&at.to_string(), it));
    if !exception.inner.is_empty() {
        parts.push(group("inner", inner.collect()));
    }
    group(name, parts)
}

/// What comes after `name` at the beginning of a path. An element may be named with brackets or as a member: `[0]`, `0`.
fn behind<'a>(path: &'a str, name: &str) -> Option<&'a str> {
    let bare = name.strip_prefix('[').and_then(|name| name.strip_suffix(']'));
    [Some(name), bare].into_iter().flatten().find_map(|name| {
        let rest = path.strip_prefix(name)?;
        match rest.chars().next() {
            None => Some(rest),
            Some('[') => Some(rest),
            Some('.') => rest.get(1..).filter(|rest| !rest.is_empty()),
            Some(_) => None,
        }
    })
}

fn join(path: &str, name: &str) -> String {
    match path.is_empty() || name.starts_with('[') {
        true => format!("{path}{name}"),
        false => format!("{path}.{name}"),
    }
}

/// What is on one side only: of a group, which has no value of its own, each part.
fn alone<'a>(part: &'a Part, path: String, visit: &mut impl FnMut(String, &'a Part)) {
    match part.variable.content {
        Content::Members(_) if !part.parts.is_empty() => {
            part.parts.iter().for_each(|inner| alone(inner, join(&path, inner.name()), visit))
        }
        _ => visit(path, part),
    }
}

fn compare<'a>(base: &'a Part, target: &'a Part, path: &str, depth: usize, found: &mut Vec<Difference<'a>>) {
    if base.is_same(target) {
        return;
    }
    let is_group = path.is_empty() || matches!(base.variable.content, Content::Members(_));
    let same_type = base.variable.type_name == target.variable.type_name;
    let has_parts = is_group || !base.parts.is_empty() && !target.parts.is_empty();
    let before = found.len();
    if depth > 0 && has_parts && same_type && base.is_whole() && target.is_whole() {
        let theirs = |name: &str| target.parts.iter().find(|part| part.name() == name);
        for one in &base.parts {
            let path = join(path, one.name());
            match theirs(one.name()) {
                Some(two) => compare(one, two, &path, depth - 1, found),
                None => {
                    alone(one, path, &mut |path, one| found.push(Difference { path, base: Some(one), target: None }))
                }
            }
        }
        let is_new = |two: &&Part| !base.parts.iter().any(|one| one.name() == two.name());
        for two in target.parts.iter().filter(is_new) {
            let path = join(path, two.name());
            alone(two, path, &mut |path, two| found.push(Difference { path, base: None, target: Some(two) }));
        }
    }
    // no part shows it
    if found.len() == before && !path.is_empty() {
        found.push(Difference { path: path.to_owned(), base: Some(base), target: Some(target) });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::{EventSeq, Location, StopReason, ThreadId};

    fn local(name: &str, value: &str, parts: &[(&str, &str)]) -> Variable {
        let parts = parts.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned()));
        Variable {
            name: name.into(),
            content: Content::Value(value.into()),
            parts: parts.collect(),
            ..Variable::default()
        }
    }

    fn list(name: &str, value: &str, count: u64, parts: &[(&str, &str)]) -> Variable {
        Variable { count: Some(count), ..local(name, value, parts) }
    }

    fn stop(line: u32, locals: Vec<Variable>) -> Part {
        Part::of(&Stop {
            reason: StopReason::Step,
            seq: EventSeq(1),
            thread: Some((ThreadId(1), None)),
            location: Some(Location { file: "Program.cs".into(), line, ..Location::default() }),
            breakpoint_ids: Vec::new(),
            hit_counts: Vec::new(),
            exception: None,
            values: StopValues::Locals(locals, 0),
            watches: vec![local("order.Total", "7", &[]), local("order", "{…}", &[])],
            returned: Vec::new(),
            has_more_returned: false,
            stack: Vec::new(),
            external_frames: 0,
            more_frames: 0,
            awaited_by: Vec::new(),
            more_awaiting: 0,
        })
    }

    fn found(base: &Part, target: &Part, depth: usize) -> Vec<String> {
        let text = |part: Option<&Part>| match part.map(|part| &part.variable.content) {
            Some(Content::Value(value)) => value.clone(),
            Some(_) => "…".into(),
            None => "-".into(),
        };
        let found = base.differences(target, depth).into_iter();
        found.map(|it| format!("{} {} {}", it.path, text(it.base), text(it.target))).collect()
    }

    #[test]
    fn paths_name_parts_with_points_or_brackets_and_the_longest_name_wins() {
        let whole = stop(
            46,
            vec![
                local("order", "{Id=7}", &[("Id", "7"), ("Lines", "List<Line>(2)")]),
                list("codes", "[1, 2]", 2, &[("[0]", "1"), ("[1]", "2")]),
                list("prices", "[…]", 1, &[("[\"a.b\"]", "3")]),
            ],
        );
        for (path, value, shown) in [
            ("location.line", "46", "location.line"),
            ("locals.order", "{Id=7}", "locals.order"),
            ("locals.order.Id", "7", "locals.order.Id"),
            ("locals.codes.1", "2", "locals.codes[1]"),
            ("locals.codes[1]", "2", "locals.codes[1]"),
            ("locals.prices[\"a.b\"]", "3", "locals.prices[\"a.b\"]"),
            ("watches.order.Total", "7", "watches.order.Total"),
            ("watches.order", "{…}", "watches.order"),
        ] {
            let (part, path) = whole.at(path).unwrap();
            assert_eq!((&part.variable.content, path.as_str()), (&Content::Value(value.into()), shown));
        }
        for (path, nearest, rest) in [
            ("local", "", "local"),
            ("locals.orders", "locals", "orders"),
            ("locals.order.Lines.0", "locals.order.Lines", "0"),
            ("locals.", "", "locals."),
            ("locals.codes[10]", "locals.codes", "[10]"),
        ] {
            let missed = whole.at(path).unwrap_err();
            assert_eq!((missed.path.as_str(), missed.rest.trim_start_matches('.')), (nearest, rest), "{path}");
        }
    }

    #[test]
    fn what_differs_is_named_as_deep_as_it_is_known() {
        let base = stop(
            46,
            vec![local("i", "1", &[]), local("gone", "1", &[]), local("o", "{A=1, B=2}", &[("A", "1"), ("B", "2")])],
        );
        let target = stop(
            48,
            vec![local("i", "2", &[]), local("o", "{A=1, B=3}", &[("A", "1"), ("B", "3")]), local("new", "5", &[])],
        );
        assert_eq!(
            found(&base, &target, 10),
            ["location.line 46 48", "locals.i 1 2", "locals.gone 1 -", "locals.o.B 2 3", "locals.new - 5"]
        );
        assert_eq!(found(&base, &target, 1), ["location … …", "locals … …"]);
        assert!(found(&base, &base, 10).is_empty());
    }

    #[test]
    fn elements_are_compared_one_by_one_only_where_all_are_known() {
        let whole = |value: &str| stop(1, vec![list("l", value, 2, &[("[0]", "1"), ("[1]", value)])]);
        assert_eq!(found(&whole("2"), &whole("3"), 10), ["locals.l[1] 2 3"]);
        let cut = |first: &str, count| stop(1, vec![list("l", "[1, …]", count, &[("[0]", first)])]);
        assert_eq!(found(&cut("1", 50), &cut("2", 50), 10), ["locals.l [1, …] [1, …]"]);
        assert_eq!(found(&cut("1", 50), &cut("1", 51), 10), ["locals.l [1, …] [1, …]"]);
        let digest = |digest| stop(1, vec![Variable { digest, ..list("l", "[1]", 1, &[("[0]", "1")]) }]);
        assert_eq!(found(&digest(1), &digest(2), 10), ["locals.l [1] [1]"], "no part shows it");
        let typed = |name: &str, value| {
            stop(1, vec![Variable { type_name: Some(name.into()), ..local("x", value, &[("A", value)]) }])
        };
        assert_eq!(found(&typed("B", "{A=1}"), &typed("C", "{A=1}"), 10), ["locals.x {A=1} {A=1}"]);
    }
}
