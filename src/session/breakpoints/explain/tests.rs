use super::*;

/// Bound, loaded, running, not hit: nothing but the program's own way is left.
fn sound() -> Facts {
    Facts {
        enabled: true,
        verified: true,
        just_my_code: true,
        document: Document::Known,
        loaded: true,
        ..Facts::default()
    }
}

fn unbound() -> Facts {
    Facts { verified: false, ..sound() }
}

/// The smallest change to sound facts that makes a cause hold.
fn provoked(verdict: Verdict) -> Facts {
    match verdict {
        Verdict::NotStarted => Facts { run: Run::NotStarted, ..unbound() },
        Verdict::Exited => Facts { run: Run::Ended, ..sound() },
        Verdict::WrongProcess => Facts { sdk_tool: true, document: Document::None, loaded: false, ..unbound() },
        Verdict::ModuleNotLoaded => Facts { loaded: false, ..unbound() },
        Verdict::FileUnknown => Facts { document: Document::None, loaded: false, ..unbound() },
        Verdict::PathDiffers => Facts { document: Document::SameName, loaded: false, ..sound() },
        Verdict::NoSymbols => Facts { document: Document::None, symbols: Symbols::Missing, ..unbound() },
        Verdict::SymbolsMismatch => Facts { document: Document::None, symbols: Symbols::Mismatch, ..unbound() },
        Verdict::SourceChanged => Facts { changed: true, ..sound() },
        Verdict::Optimized => Facts { optimized: true, ..unbound() },
        Verdict::NotUserCode => Facts { hidden: Hidden::NonUser, ..unbound() },
        Verdict::NoCode => Facts { no_code: true, ..unbound() },
        Verdict::InvalidCondition => Facts { condition: Condition::Failed, hits: 3, ..sound() },
        Verdict::ConditionFalse => Facts { condition: Condition::NeverHeld, ..sound() },
        Verdict::NotReached => sound(),
        Verdict::AttachedLate => Facts { attached: true, startup: true, ..sound() },
        Verdict::StoppedElsewhere => Facts { run: Run::Stopped, ..sound() },
    }
}

fn first(facts: &Facts) -> Option<Verdict> {
    causes(facts).next()
}

#[test]
fn each_of_the_17_causes_is_reported_where_it_alone_is_provoked() {
    for verdict in Verdict::ALL {
        assert_eq!(first(&provoked(verdict)), Some(verdict), "{}", verdict.as_str());
    }
}

#[test]
fn causes_are_decided_in_the_order_of_the_list() {
    let mut sorted = Verdict::ALL;
    sorted.sort();
    assert_eq!(sorted, Verdict::ALL);
    // everything at once: what is taken away uncovers the next
    let mut facts = Facts {
        run: Run::NotStarted,
        sdk_tool: true,
        loaded: false,
        changed: true,
        optimized: true,
        hidden: Hidden::Always,
        no_code: true,
        condition: Condition::Failed,
        ..unbound()
    };
    let mut verdicts = Vec::new();
    let steps: [fn(&mut Facts); 14] = [
        |facts| facts.run = Run::Ended,
        |facts| facts.run = Run::Running,
        |facts| facts.sdk_tool = false,
        |facts| facts.document = Document::None,
        |facts| facts.document = Document::SameName,
        |facts| (facts.loaded, facts.document, facts.symbols) = (true, Document::Known, Symbols::Missing),
        |facts| facts.symbols = Symbols::Mismatch,
        |facts| facts.symbols = Symbols::Good,
        |facts| facts.changed = false,
        |facts| facts.optimized = false,
        |facts| facts.hidden = Hidden::No,
        |facts| facts.no_code = false,
        |facts| (facts.condition, facts.verified) = (Condition::NeverHeld, true),
        |facts| facts.condition = Condition::None,
    ];
    verdicts.extend(first(&facts));
    for step in steps {
        step(&mut facts);
        verdicts.extend(first(&facts));
    }
    assert_eq!(verdicts, &Verdict::ALL[..15]);
}

#[test]
fn a_breakpoint_that_was_hit_has_no_verdict() {
    for run in [Run::Running, Run::Stopped] {
        for attached in [false, true] {
            let facts = Facts { hits: 2, run, attached, startup: true, ..sound() };
            assert_eq!(first(&facts), None, "{facts:?}");
        }
    }
    let ended: Vec<_> = causes(&Facts { hits: 2, run: Run::Ended, ..sound() }).collect();
    assert_eq!(ended, [Verdict::Exited]);
}

#[test]
fn behind_the_end_of_a_run_stands_what_was_wrong_in_it() {
    for (verdict, hits) in [
        (Verdict::ModuleNotLoaded, 0),
        (Verdict::FileUnknown, 0),
        (Verdict::SourceChanged, 0),
        (Verdict::NoCode, 0),
        (Verdict::ConditionFalse, 0),
        (Verdict::NotReached, 0),
    ] {
        let facts = Facts { run: Run::Ended, hits, ..provoked(verdict) };
        assert_eq!(causes(&facts).take(2).collect::<Vec<_>>(), [Verdict::Exited, verdict]);
    }
    // before it, only what no run can mend
    let early = Facts { run: Run::NotStarted, loaded: false, ..unbound() };
    assert_eq!(causes(&early).collect::<Vec<_>>(), [Verdict::NotStarted]);
}

#[test]
fn a_line_that_no_code_follows_waits_for_no_assembly() {
    let unloaded = Facts { loaded: false, no_code: true, none_behind: true, ..unbound() };
    assert_eq!(first(&unloaded), Some(Verdict::NoCode));
    // the adapter binds it to the code further down
    assert_eq!(first(&Facts { none_behind: false, ..unloaded }), Some(Verdict::ModuleNotLoaded));
}

#[test]
fn just_my_code_hides_what_is_optimized_or_marked_and_nothing_else_does() {
    for (hidden, just_my_code, expected) in [
        (Hidden::NonUser, true, Some(Verdict::NotUserCode)),
        (Hidden::NonUser, false, None),
        (Hidden::Always, true, Some(Verdict::NotUserCode)),
        (Hidden::Always, false, Some(Verdict::NotUserCode)),
    ] {
        assert_eq!(first(&Facts { hidden, just_my_code, ..unbound() }), expected);
    }
    assert_eq!(first(&Facts { optimized: true, just_my_code: false, ..unbound() }), None);
    assert_eq!(first(&Facts { optimized: true, hits: 1, ..sound() }), None, "it bound all the same");
}

#[test]
fn a_condition_that_nobody_counted_is_blamed_only_while_nothing_says_more() {
    let uncounted = Facts { condition: Condition::Uncounted, ..sound() };
    assert_eq!(first(&uncounted), Some(Verdict::ConditionFalse));
    assert_eq!(first(&Facts { run: Run::Stopped, ..uncounted }), Some(Verdict::StoppedElsewhere));
    assert_eq!(first(&Facts { hits: 1, ..uncounted }), None);
    let too_few = Facts { condition: Condition::NeverHeld, hits: 2, ..sound() };
    assert_eq!(first(&too_few), Some(Verdict::ConditionFalse), "hits that do not suffice yet");
}

#[test]
fn one_that_is_switched_off_is_blamed_for_nothing_but_the_run() {
    for verdict in &Verdict::ALL[2..] {
        assert_eq!(first(&Facts { enabled: false, ..provoked(*verdict) }), None, "{}", verdict.as_str());
    }
    assert_eq!(first(&Facts { enabled: false, ..provoked(Verdict::Exited) }), Some(Verdict::Exited));
}
