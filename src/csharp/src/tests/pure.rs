//! Where nothing may change: what is computed here is, what would run or write something is refused before it does.

use super::{assigned_purely, evaluated_purely, foreseen, types};
use crate::pure::Foreseen;

#[test]
fn what_changes_nothing_is_evaluated() {
    let Some(types) = types() else { return };
    for (text, expected) in [
        ("a + b", "3"),
        ("Enumerable.Range(1, 3).Where(it => it > a).Sum()", "5"),
        ("(a, b) is (1, 2)", "true"),
        // the call goes to the program, which this one knows
        ("int.TryParse(\"5\", out var n) ? n : -1", "5"),
    ] {
        assert_eq!(evaluated_purely(&types, text), expected, "{text}");
    }
}

/// What its parts do is judged; the store itself was asked for.
#[test]
fn an_assignment_that_was_asked_for_stores_what_is_pure() {
    let Some(types) = types() else { return };
    for (text, expected) in [
        ("a = b + 5", "7"),
        ("s = \"new\"", "\"new\""),
        ("a = (b = 3)", "side effects: it assigns a variable"),
        ("a = b++", "side effects: it assigns a variable"),
        ("a = GC.CollectionCount(0)", "side effects: GC.CollectionCount is not known to be pure"),
    ] {
        assert_eq!(assigned_purely(&types, text), expected, "{text}");
    }
}

#[test]
fn what_writes_is_refused_before_it_does() {
    let Some(types) = types() else { return };
    for text in ["a = 5", "a++", "a += b", "(a, b) = (b, a)"] {
        assert_eq!(evaluated_purely(&types, text), "side effects: it assigns a variable", "{text}");
    }
}

#[test]
fn a_call_that_is_not_known_to_be_pure_is_refused_before_it_is_made() {
    let Some(types) = types() else { return };
    for (text, why) in [
        ("Environment.Exit(3)", "Environment.Exit is not known to be pure"),
        ("GC.Collect()", "GC.Collect is not known to be pure"),
        ("a > 0 && GC.GetTotalMemory(true) > 0", "GC.GetTotalMemory is not known to be pure"),
    ] {
        assert_eq!(evaluated_purely(&types, text), format!("side effects: {why}"), "{text}");
    }
    // C# does not come to the call
    assert_eq!(evaluated_purely(&types, "a > 5 && GC.GetTotalMemory(true) > 0"), "false");
}

#[test]
fn side_effects_are_foreseen_where_types_show() {
    let Some(types) = types() else { return };
    for text in
        ["a == 3 && b > a", "s.Length > 3", "s.Contains(\"x\") ? a : b", "(a, b) is (1, > 2)", "Math.Max(a, b) == 3"]
    {
        assert_eq!(foreseen(&types, text), Some(Foreseen::Pure), "{text}");
    }
    for text in [
        "Enumerable.Range(1, 3).Any(it => it == a)",
        "new List<int>().Count",
        "$\"{a}\" == s",
        "((object)s).ToString()",
    ] {
        assert_eq!(foreseen(&types, text), Some(Foreseen::Open), "{text}");
    }
    for (text, part) in [
        ("a > 5 && GC.GetTotalMemory(true) > 0", "GC.GetTotalMemory(true)"),
        ("Enumerable.Range(1, 3).Any(it => Console.Read() == it)", "Console.Read()"),
    ] {
        let Some(Foreseen::SideEffects { at, .. }) = foreseen(&types, text) else { panic!("{text}") };
        assert_eq!(&text[at], part);
    }
    assert_eq!(foreseen(&types, "nothing > 3"), None);
}
