//! What an object was before a step: the members that differ. The others are where the object is shown as it is now.

/// What a value was: of an object the members that are other than `now` shows them, of anything else the whole. `None` where nothing that
/// both show differs: the rest of one of them was not read.
pub(super) fn was(was: &str, now: &str) -> Option<String> {
    let (Some(before), Some(after)) = (Members::of(was), Members::of(now)) else { return Some(was.to_owned()) };
    let differing: Vec<&str> = before.shown.iter().copied().filter(|member| !after.has(member)).collect();
    if differing.is_empty() {
        let is_shorter = after.shown.iter().any(|member| !before.has(member));
        return is_shorter.then(|| was.to_owned());
    }
    let is_all = differing.len() == before.shown.len() && !before.has_more;
    Some(format!("{{{}{}}}", differing.join(", "), if is_all { "" } else { ", …" }))
}

/// `{Id=42, Lines=List<Line>(1), +1 more}`
struct Members<'a> {
    shown: Vec<&'a str>,
    has_more: bool,
}

impl<'a> Members<'a> {
    /// `None` for what is no list of members.
    fn of(summary: &'a str) -> Option<Self> {
        let mut shown = split(summary.strip_prefix('{')?.strip_suffix('}')?)?;
        let is_rest = |part: &&str| *part == "…" || part.starts_with('+') && part.ends_with(" more");
        let has_more = shown.last().is_some_and(is_rest);
        if has_more {
            shown.pop();
        }
        (!shown.is_empty() && shown.iter().all(|member| name(member).is_some())).then_some(Self { shown, has_more })
    }

    /// Whether it shows the same, or as much of it as it shows.
    fn has(&self, member: &str) -> bool {
        match self.shown.iter().find(|own| name(own) == name(member)) {
            Some(own) => *own == member || without_count(own) == member || *own == without_count(member),
            None => self.has_more,
        }
    }
}

fn name(member: &str) -> Option<&str> {
    let (name, _) = member.split_once('=')?;
    (!name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_')).then_some(name)
}

/// `Lines=List<Line>(3)` → `Lines=List<Line>`: its elements were not counted in time.
fn without_count(member: &str) -> &str {
    let inside = member.strip_suffix(')').and_then(|it| it.rsplit_once('('));
    match inside {
        Some((type_, count)) if !count.is_empty() && count.bytes().all(|it| it.is_ascii_digit()) => type_,
        _ => member,
    }
}

/// `Id=42, Lines=List<Line>(1)` at its commas.
fn split(inside: &str) -> Option<Vec<&str>> {
    let mut members = Vec::new();
    let (mut depth, mut quote, mut is_escaped, mut start) = (0usize, None, false, 0);
    for (at, c) in inside.char_indices() {
        match (quote, c) {
            _ if is_escaped => is_escaped = false,
            (Some(_), '\\') => is_escaped = true,
            (Some(open), _) if open == c => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '{' | '[' | '(' | '<') => depth += 1,
            (None, '}' | ']' | ')' | '>') => depth = depth.saturating_sub(1),
            (None, ',') if depth == 0 => {
                members.push(inside.get(start..at)?.trim_start());
                start = at + 1;
            }
            _ => {}
        }
    }
    members.push(inside.get(start..)?.trim_start());
    Some(members)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_was_what_differs() {
        for (before, now, shown) in [
            ("{Id=1, Total=0m, +1 more}", "{Id=1, Total=2m, +1 more}", "{Total=0m, …}"),
            ("{Id=1, Total=0m}", "{Id=2, Total=2m}", "{Id=1, Total=0m}"),
            ("{Id=1, Total=0m, …}", "{Id=2, Total=2m, …}", "{Id=1, Total=0m, …}"),
            ("{Name=\"a, b=c\", N=1}", "{Name=\"a, b\", N=1}", "{Name=\"a, b=c\", …}"),
            (
                "{Map=Dictionary<int, string>(1), N=1}",
                "{Map=Dictionary<int, string>(2), N=1}",
                "{Map=Dictionary<int, string>(1), …}",
            ),
            ("{C='\"', N=1}", "{C='\"', N=2}", "{N=1, …}"),
            ("{Id=1, Late=2}", "{Id=1}", "{Late=2, …}"),
            ("{Id=1}", "{Id=1, Late=2}", "{Id=1}"),
            // as its author wants it
            ("{mill at 30 (1, 2)}", "{mill at 31 (1, 2)}", "{mill at 30 (1, 2)}"),
            ("null", "{Id=1}", "null"),
            ("[1, 2]", "[1, 3]", "[1, 2]"),
        ] {
            assert_eq!(was(before, now).as_deref(), Some(shown), "{before} {now}");
        }
    }

    #[test]
    fn what_was_not_read_is_no_change() {
        for (before, now) in [
            ("{Id=1, Lines=List<int>(5), +1 more}", "{Id=1, Lines=List<int>, +1 more}"),
            ("{Id=1, Lines=List<int>, +1 more}", "{Id=1, Lines=List<int>(5), +1 more}"),
            ("{Id=1, Lines=List<int>(5), +1 more}", "{Id=1, +2 more}"),
            ("{Id=1, +2 more}", "{Id=1, Lines=List<int>(5), +1 more}"),
        ] {
            assert_eq!(was(before, now), None, "{before} {now}");
        }
    }
}
