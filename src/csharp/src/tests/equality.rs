//! What is equal, and in which order: as the default comparers have it.

use super::{check, types};

#[test]
fn what_is_in_a_box_is_equal_only_to_its_own_type() {
    let Some(types) = types() else { return };
    let rows = [
        ("new object[] { 1, 1L, 1.0, 1f, 'a', 97 }.Distinct().Count()", "6"),
        ("new object[] { 1, 1L, 1.0, 'a', 97 }.GroupBy(x => x).Count()", "5"),
        ("new object[] { 1, DayOfWeek.Monday, ConsoleKey.Tab, 9 }.Distinct().Count()", "4"),
        ("new object[] { DayOfWeek.Monday, UriKind.Absolute }.Distinct().Count()", "2"),
        ("new object[] { 0.0, -0.0, double.NaN, double.NaN, 1.0m, 1.00m, 0f, 0.0 }.Distinct().Count()", "4"),
        ("new[] { 1, 2 }.Cast<object>().Contains(1L)", "false"),
        ("new[] { 1, 2 }.Cast<object>().Contains(1)", "true"),
        ("new long[] { 1, 2 }.Contains(1)", "true"),
        ("new object[] { 1 }.Union(new object[] { 1L, 1 }).Count()", "2"),
        ("new object[] { 1, 2 }.Except(new object[] { 1L, 2 }).Single()", "1"),
        ("new object[] { 1, 2 }.Intersect(new object[] { 1L, 2 }).Single()", "2"),
        ("new object[] { 1 }.Join(new object[] { 1L }, x => x, x => x, (x, y) => x).Count()", "0"),
        ("new object[] { 1, 1L }.ToLookup(x => x).Count()", "2"),
        ("new object[] { 1, 1L }.ToDictionary(x => x).Count", "2"),
        (
            "new[] { \"a\", null }.ToDictionary(x => x)",
            "System.ArgumentNullException: Value cannot be null. (Parameter 'key')",
        ),
        ("new object[] { 1, 1L }.ToHashSet().Count", "2"),
        ("new object[] { 1, 1L }.DistinctBy(x => x).Count()", "2"),
        ("new object[] { 1 }.SequenceEqual(new object[] { 1L })", "false"),
        ("(1, 2).Equals((1L, 2))", "false"),
        ("(1, 2).Equals((1, 2))", "true"),
        ("(x: 1, y: 2).Equals((1, 2))", "true"),
        ("((object)1, 2).Equals(((object)1L, 2))", "false"),
        ("new object[] { (1, 2), (1L, 2), (1, 2) }.Distinct().Count()", "2"),
        ("new { A = (object)1 }.Equals(new { A = (object)1L })", "false"),
        ("new { A = 1 }.Equals(new { B = 1 })", "false"),
        ("new { A = 1 }.Equals(new { A = 1 })", "true"),
    ];
    check(&types, &rows);
}
