//! What it means to set a breakpoint where the workspace has one: nothing new, or a change of what is there.

use crate::dap::HitCondition;
use crate::session::spec::BreakpointSpec;

/// What a breakpoint that is set again was before; `None` where nothing changes.
pub fn was(before: &BreakpointSpec, now: &BreakpointSpec) -> Option<String> {
    let mut was: Vec<String> = Vec::new();
    if before.condition != now.condition {
        was.push(before.condition.as_ref().map_or_else(|| "no condition".into(), |words| format!("if {words}")));
    }
    if parsed(before) != parsed(now) {
        was.push(
            before.hit_condition.as_ref().map_or_else(|| "every hit".into(), |words| format!("hit condition {words}")),
        );
    }
    if before.log != now.log {
        was.extend(before.log.as_ref().map(|words| format!("log {words}")));
    }
    if before.max_hits != now.max_hits {
        was.push(before.max_hits.map_or_else(|| "no max_hits".into(), |most| format!("max_hits {most}")));
    }
    if before.only_changes != now.only_changes {
        was.push(if before.only_changes { "only_changes" } else { "every message" }.into());
    }
    if before.temporary != now.temporary {
        was.push(if before.temporary { "temporary" } else { "not temporary" }.into());
    }
    if before.enabled != now.enabled {
        was.push(if before.enabled { "enabled" } else { "disabled" }.into());
    }
    (!was.is_empty()).then(|| format!("changed; was: {}", was.join(", ")))
}

/// `3` and `==3` are one.
fn parsed(spec: &BreakpointSpec) -> Option<HitCondition> {
    spec.hit_condition.as_deref().and_then(HitCondition::parse)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::spec::Place;

    fn plain() -> BreakpointSpec {
        BreakpointSpec::at(Place::Function("M".into()))
    }

    #[test]
    fn only_what_differs_is_said() {
        let some = |words: &str| Some(words.to_owned());
        let condition = || BreakpointSpec { condition: some("i == 1"), ..plain() };
        let hit = |words: &str| BreakpointSpec { hit_condition: some(words), ..plain() };
        let trace = |words: &str| BreakpointSpec { log: some(words), ..plain() };
        for (before, now, expected) in [
            (plain(), plain(), None),
            (plain(), condition(), Some("changed; was: no condition")),
            (condition(), plain(), Some("changed; was: if i == 1")),
            (hit("3"), hit("==3"), None),
            (hit("3"), plain(), Some("changed; was: hit condition 3")),
            (plain(), hit("%3"), Some("changed; was: every hit")),
            (trace("a={a}"), trace("b={b}"), Some("changed; was: log a={a}")),
            (BreakpointSpec { enabled: false, ..condition() }, plain(), Some("changed; was: if i == 1, disabled")),
            (BreakpointSpec { temporary: true, ..plain() }, plain(), Some("changed; was: temporary")),
            (BreakpointSpec { max_hits: Some(3), ..trace("a") }, trace("a"), Some("changed; was: max_hits 3")),
        ] {
            assert_eq!(was(&before, &now).as_deref(), expected);
        }
    }
}
