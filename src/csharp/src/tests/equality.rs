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
        ("new object[] { 1, 1L }.ToHashSet().Count", "2"),
        ("new object[] { 1, 1L }.DistinctBy(x => x).Count()", "2"),
        ("new object[] { 1 }.SequenceEqual(new object[] { 1L })", "false"),
        ("(1, 2).Equals((1L, 2))", "false"),
        ("(1, 2).Equals((1, 2))", "true"),
        ("(x: 1, y: 2).Equals((1, 2))", "true"),
        ("((object)1, 2).Equals(((object)1L, 2))", "false"),
        ("new object[] { (1, 2), (1L, 2), (1, 2) }.Distinct().Count()", "2"),
        ("new { A = (object)1 }.Equals(new { A = (object)1L })", "false"),
        ("new[] { 1, 2 }.GroupBy(x => x).Distinct().Count()", "2"),
        ("new[] { new[] { 1 }, new[] { 1 } }.Distinct().Count()", "2"),
        ("new[] { new[] { 1 } }.SelectMany(x => new[] { x, x }).Distinct().Count()", "1"),
        ("new[] { 1 }.ToList().Equals(new[] { 1 }.ToList())", "false"),
        ("new { A = 1 }.Equals(new { B = 1 })", "false"),
        ("new { A = 1 }.Equals(new { A = 1 })", "true"),
    ];
    check(&types, &rows);
}

#[test]
fn a_pair_is_no_tuple() {
    let Some(types) = types() else { return };
    let rows = [
        ("new[] { 1 }.ToDictionary(x => x, x => \"b\").First().ToString()", "\"[1, b]\""),
        ("$\"{new[] { 1 }.ToDictionary(x => x, x => (2, 3)).First()}\"", "\"[1, (2, 3)]\""),
        ("new[] { 1 }.ToDictionary(x => x, x => (string)null).First() + \"!\"", "\"[1, ]!\""),
        (
            "new[] { 1, 2 }.ToDictionary(x => x).Max()",
            "System.ArgumentException: At least one object must implement IComparable.",
        ),
        (
            "new[] { 1, 2 }.ToDictionary(x => x).Min()",
            "System.ArgumentException: At least one object must implement IComparable.",
        ),
        (
            "new[] { 1, 2 }.ToDictionary(x => x).OrderBy(x => x).First()",
            "System.ArgumentException: At least one object must implement IComparable.",
        ),
        (
            "new[] { 1, 2 }.ToDictionary(x => x).OrderBy(x => x).Last()",
            "System.ArgumentException: At least one object must implement IComparable.",
        ),
        (
            "new[] { 1, 2 }.ToDictionary(x => x).Order().ToList()",
            "System.InvalidOperationException: Failed to compare two elements in the array.",
        ),
        ("new[] { 1 }.ToDictionary(x => x).OrderBy(x => x).First()", "(1, 1)"),
        (
            "new[] { new { A = 1 }, new { A = 2 } }.Max()",
            "System.ArgumentException: At least one object must implement IComparable.",
        ),
        ("new object[] { 1, 2L }.Max()", "System.ArgumentException: Object must be of type Int64."),
        ("new object[] { DayOfWeek.Friday, 1 }.Max()", "System.ArgumentException: Object must be of type Int32."),
        (
            "new object[] { 1, DayOfWeek.Friday }.Max()",
            "System.ArgumentException: Object must be the same type as the enum. The type passed in was 'System.Int32'; the enum type was 'System.DayOfWeek'.",
        ),
        ("new object[] { 1, 2L }.OrderBy(x => x).ToList()", "System.InvalidOperationException"),
        ("new[] { \"a\" }.ToDictionary(x => x, x => 1).Union(pairs).Count()", "1"),
        ("new[] { \"a\" }.ToDictionary(x => x, x => 1).Contains(pairs.First())", "true"),
        ("new[] { \"a\" }.ToDictionary(x => x, x => 1).First().Equals(pairs.First())", "true"),
        ("new[] { \"a\" }.ToDictionary(x => x, x => 2).First().Equals(pairs.First())", "false"),
        ("pairs.First().Equals(new[] { \"a\" }.ToDictionary(x => x, x => 1).First())", "true"),
        ("new[] { \"b\", \"a\" }.ToDictionary(x => x, x => 1).ToList().IndexOf(pairs.First())", "1"),
        (
            "string.Join(\",\", new[] { 1 }.ToDictionary(x => x).Select(x => x))",
            "asked the program: new System.Collections.Generic.KeyValuePair<int, int>",
        ),
    ];
    check(&types, &rows);
}

#[test]
fn a_type_that_can_compare_itself_does() {
    let Some(types) = types() else { return };
    let rows = [
        ("versions.Distinct().Count()", "asked the program: IEquatable<FrameworkName>.Equals"),
        ("versions.Contains(versions.First())", "asked the program: IEquatable<FrameworkName>.Equals"),
        ("names.Contains(\"A\")", "asked the program: ICollection<string>.Contains"),
        ("names.Contains(\"A\", null)", "false"),
        ("units.Contains('A')", "true"),
        ("versions.SequenceEqual(versions)", "asked the program: IEquatable<FrameworkName>.Equals"),
        ("versions.ToDictionary(x => x)", "asked the program: IEquatable<FrameworkName>.Equals"),
        ("versions.GroupBy(x => x).Count()", "asked the program: IEquatable<FrameworkName>.Equals"),
        ("versions.Select(x => (1, x)).Distinct().Count()", "asked the program: IEquatable<FrameworkName>.Equals"),
        ("versions.Cast<object>().Distinct().Count()", "asked the program: object.Equals"),
        // what the framework's own values are compared by is read
        ("dates.Distinct().Count()", "1"),
        ("dates.OrderBy(x => x).Count() == dates.OrderBy(x => (x, 1)).Select(x => x).ToList().Count", "true"),
        ("dates.Contains(dates.First())", "true"),
        ("dates.GroupBy(x => x).Single().Count()", "2"),
        (
            "new[] { \"a\", null }.ToDictionary(x => x)",
            "System.ArgumentNullException: Value cannot be null. (Parameter 'key')",
        ),
    ];
    check(&types, &rows);
    let purely = super::evaluated_purely(&types, "versions.Distinct().Count()");
    assert!(purely.starts_with("asked the program: "), "{purely}");
}

/// .NET computes no elements but those that the answer takes.
#[test]
fn what_is_not_asked_for_is_not_computed() {
    let Some(types) = types() else { return };
    let rows = [
        ("new[] { 4, 8 }.Select(x => 8 / (x - 8)).ElementAt(0)", "-2"),
        ("new[] { 4, 8 }.Select(x => 8 / (x - 8)).ElementAtOrDefault(5)", "0"),
        ("new[] { 4, 8 }.Select(x => 8 / (x - 4)).ElementAt(1)", "2"),
        ("new[] { 4, 8 }.Select(x => 8 / (x - 4)).ElementAt(^1)", "2"),
        ("new[] { 4, 8 }.ToList().Select(x => 8 / (x - 4)).Select(x => x + 1).Last()", "3"),
        ("new[] { 4, 8 }.Select(x => 8 / (x - 4)).LastOrDefault()", "2"),
        ("new[] { 4, 8 }.Last(x => 8 / (x - 4) > 0)", "8"),
        ("new[] { 4, 8 }.Select(x => x).Last(x => 8 / (x - 4) > 0)", "System.DivideByZeroException"),
        ("new[] { 4, 8 }.Select(x => 8 / (x - 4)).Any()", "true"),
        ("new[] { 4, 8 }.Select(x => 8 / (x - 4)).Count()", "System.DivideByZeroException"),
        ("new[] { 4, 8 }.Select((x, i) => 8 / (x - 8)).ElementAt(0)", "-2"),
        ("new[] { 4, 8 }.Where(x => 8 / (x - 8) != 0).ElementAt(0)", "4"),
        ("Enumerable.Range(4, 5).Select(x => 8 / (x - 8)).ElementAt(0)", "-2"),
        ("Enumerable.Range(4, 5).Select(x => 8 / (x - 4)).Last()", "2"),
        ("new[] { 4, 8 }.GroupBy(x => 1).First().Select(x => 8 / (x - 4)).Last()", "2"),
        ("Enumerable.Range(0, 2000000000).ElementAt(3)", "3"),
        ("Enumerable.Range(0, 2000000000).Select(x => x).Any()", "true"),
        ("Enumerable.Range(0, 2000000000).Select(x => x).Take(3).Last()", "2"),
        ("new[] { 4, 8 }.Select(x => 8 / (x - 4)).Skip(1).First()", "2"),
        ("new[] { 4, 8, 4 }.Select(x => 8 / (x - 4)).Skip(1).Take(1).Single()", "2"),
        ("new[] { 4, 8, 4 }.Skip(1).Select(x => 8 / (x - 4)).ElementAt(0)", "2"),
        ("new[] { 1, 2, 3 }.Select(x => x * 2).Skip(1).ToList()", "[4, 6]"),
        ("new[] { 1, 2, 3 }.Skip(-1).Take(5).Skip(5).Any()", "false"),
        ("new[] { 4, 8 }.OrderBy(x => 8 / (x - 4)).Any()", "true"),
        ("new[] { 4, 8 }.OrderBy(x => 8 / (x - 4)).ThenBy(x => x).Count()", "2"),
        ("new[] { 4, 8 }.OrderBy(x => 8 / (x - 4)).LongCount()", "System.DivideByZeroException"),
        ("new[] { 4, 8 }.Where(x => x > 0).OrderBy(x => 8 / (x - 4)).Any()", "System.DivideByZeroException"),
        ("new[] { 4, 8 }.Where(x => x > 0).OrderBy(x => 8 / (x - 4)).Count()", "2"),
        ("new[] { 4, 8 }.OrderBy(x => 8 / (x - 4)).First()", "System.DivideByZeroException"),
        ("new[] { 3, 1, 2 }.OrderBy(x => x).Last()", "3"),
        ("new[] { 8, 4 }.OrderBy(x => x).Select(x => 8 / (x - 4)).Last()", "2"),
        ("new[] { 8, 4 }.OrderByDescending(x => x).Select(x => 8 / (x - 4)).ElementAt(0)", "2"),
        ("new[] { 8, 4 }.OrderBy(x => x).Select(x => 8 / (x - 4)).ToList().Count", "System.DivideByZeroException"),
        ("Enumerable.Repeat(1, -1) == null", "System.ArgumentOutOfRangeException"),
        ("Enumerable.Range(int.MaxValue, 2) == null", "System.ArgumentOutOfRangeException"),
        ("Enumerable.Range(int.MaxValue, 1).Single()", "2147483647"),
        ("new[] { 1 }.Chunk(0) == null", "System.ArgumentOutOfRangeException"),
        ("new int[0].OrderBy(x => x).Last()", "System.InvalidOperationException: Sequence contains no elements"),
        ("new[] { 1 }.ToList().SequenceEqual(new[] { 2, 3 }.ToList())", "false"),
        ("new[] { 1, 4 }.SequenceEqual(new[] { 8, 4 }.Select(x => 8 / (x - 4)))", "false"),
        ("new[] { 1, 2 }.SequenceEqual(new[] { 1, 2 }.Select(x => x))", "true"),
        ("new[] { 1, 2 }.SequenceEqual(new[] { 1 }.Select(x => x))", "false"),
        ("new[] { 1 }.SequenceEqual(new[] { 1, 2 }.Select(x => x))", "false"),
        ("new[] { 4 }.ElementAt(-1)", "System.ArgumentOutOfRangeException: Index was out of range."),
        (
            "new[] { 4 }.Select(x => x).ElementAt(-1)",
            "System.ArgumentOutOfRangeException: Specified argument was out of the range",
        ),
        (
            "new[] { 4 }.Where(x => x > 0).ElementAt(1)",
            "System.ArgumentOutOfRangeException: Specified argument was out of the range",
        ),
    ];
    check(&types, &rows);
}
