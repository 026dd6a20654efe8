//! Tuples, patterns, nullables, lambdas and what else takes the metadata of the framework, but none of its code.

use super::{check, evaluated, types};

#[test]
fn tuples_and_anonymous_objects() {
    let Some(types) = types() else { return };
    check(
        &types,
        &[
            ("(1, \"a\")", "(1, \"a\")"),
            ("(1, \"a\").Item2", "\"a\""),
            ("(A: 1, B: 2).B", "2"),
            ("(1, 2) == (1, 2)", "true"),
            ("(1, (2, \"a\")) != (1, (2, \"b\"))", "true"),
            ("(1, 2) == (1, 2, 3)", "CS8384"),
            ("(1, 2, 3, 4, 5, 6, 7, 8, 9).Item9", "9"),
            // names that number the elements are not taken over from values, nor are those of two elements
            ("new[] { (1, 2) }.Select(t => (t.Item2, t.Item1)).First().Item1", "2"),
            // the very sequence that they are given
            ("new[] { 1 }.AsEnumerable() is int[]", "true"),
            ("new[] { 1 }.Cast<int>() is int[]", "true"),
            ("(new[] { 1, 2 }.AsEnumerable() as int[])?.Length ?? -1", "2"),
            ("new[] { 1 }.Select(x => x) is IEnumerable<int>", "true"),
            (
                "new[] { 1 }.Where(x => x > 0).GetType() == typeof(IEnumerable<int>)",
                "refused: the debugger computes this sequence, so it has no type in the program",
            ),
            (
                "new[] { 1 }.Select(x => x) is int[]",
                "refused: the debugger computes this sequence, so it has no type in the program",
            ),
            (
                "Enumerable.Range(1, 3) is IList<int>",
                "refused: the debugger computes this sequence, so it has no type in the program",
            ),
            (
                "(Enumerable.Range(1, 3) as IList<int>)?.Count ?? -1",
                "refused: the debugger computes this sequence, so it has no type in the program",
            ),
            (
                "\"\" + new[] { 1 }.Where(x => x > 0)",
                "refused: the debugger computes this sequence, so it has no type in the program",
            ),
            ("(1, (2, 3).Item1).Item1", "1"),
            ("((1, 2).Item2, (3, 4).Item1) is (2, 3)", "true"),
            ("((\"x\", 2).Item2, (\"x\", 2).Item1) switch { (2, \"x\") => 1, _ => 0 }", "1"),
            ("(\"a\".Length, \"abc\".Length).Length", "CS1061"),
            ("(\"a\".Length, (B: 5, 1).B).B", "5"),
            ("(Item2: 1, 2)", "CS8125"),
            ("(1, Rest: 2)", "CS8126"),
            ("(A: 1, A: 2)", "CS8127"),
            ("((int, int)?)(1, 2) == (1, 2)", "true"),
            ("((int, int)?)null == (1, 2)", "false"),
            ("((int, int)?)null != null", "false"),
            ("((long, double))(1, 2)", "((long)1, 2d)"),
            ("((1, 2) with { Item1 = 5 })", "(5, 2)"),
            ("new { A = 1, B = \"x\" }", "{ A = 1, B = \"x\" }"),
            ("new { A = 1 }.A", "1"),
            ("new { A = 1 }.ToString()", "\"{ A = 1 }\""),
            ("new { A = 1 }.Equals(new { A = 1 })", "true"),
            ("new { A = 1 } with { A = 2 }", "{ A = 2 }"),
        ],
    );
}

#[test]
fn patterns_of_boxes_want_the_very_type() {
    let Some(types) = types() else { return };
    let rows = [
        ("(object)DayOfWeek.Monday is 1", "false"),
        ("(object)DayOfWeek.Monday is > 0", "false"),
        ("(object)DayOfWeek.Monday is > DayOfWeek.Sunday", "true"),
        ("(object)DayOfWeek.Monday is DayOfWeek.Monday", "true"),
        ("(object)1 is DayOfWeek.Monday", "false"),
        ("(object)UriKind.Absolute is DayOfWeek.Monday", "false"),
        ("(object)DayOfWeek.Monday switch { 1 => \"one\", DayOfWeek.Monday => \"Monday\", _ => \"\" }", "\"Monday\""),
        ("DayOfWeek.Sunday is 0", "true"),
        ("DayOfWeek.Sunday is (DayOfWeek.Monday | DayOfWeek.Tuesday) or DayOfWeek.Sunday", "true"),
        ("3 is (1 | 2)", "true"),
        ("6 is (1 + 1) * 3 and not (4)", "true"),
        ("new DayOfWeek?[] { DayOfWeek.Monday }.Count(x => x is > 0)", "1"),
        ("new object[] { 1, 1L, 1.0, 'a', DayOfWeek.Monday, (byte)1 }.Count(x => x is > 0)", "1"),
        ("new object[] { 1, DayOfWeek.Monday }.OfType<int>().Count()", "1"),
        ("new[] { DayOfWeek.Monday, DayOfWeek.Friday }.OfType<int>().Sum()", "6"),
        ("new[] { 1, uint.MaxValue }.OfType<int>().Last()", "-1"),
        ("new[] { 1, uint.MaxValue }.Cast<int>().Last()", "-1"),
        ("new[] { 1u }.OfType<long>().Count()", "0"),
        ("new[] { 1u }.OfType<int?>().Count()", "0"),
        ("(int)(object)DayOfWeek.Monday", "1"),
        (
            "(int?)(object)DayOfWeek.Monday",
            "System.InvalidCastException: Unable to cast object of type 'System.DayOfWeek' to type 'System.Nullable`1[System.Int32]'.",
        ),
        ("(DayOfWeek?)(object)1", "System.InvalidCastException"),
        ("(DayOfWeek?)(object)DayOfWeek.Monday", "(DayOfWeek)1"),
        ("(int?)(object)1", "1"),
        ("new object[] { DayOfWeek.Monday }.Cast<int?>().First()", "System.InvalidCastException"),
        ("new object[] { DayOfWeek.Monday }.Cast<int>().First()", "1"),
    ];
    check(&types, &rows);
}

#[test]
fn patterns() {
    let Some(types) = types() else { return };
    check(
        &types,
        &[
            ("5 is int", "true"),
            ("5 is > 3 and < 9", "true"),
            ("5 is 3 or 4", "false"),
            ("5 is not 4", "true"),
            ("((object)5) is int x && x > 4", "true"),
            ("((object)5) is long", "false"),
            ("\"a\" is int", "false"),
            ("(1, \"a\") is (1, _)", "true"),
            ("(1, \"a\") is (2, _)", "false"),
            ("(1, 2) is (1, 2, 3)", "CS8502"),
            ("(1, \"abc\") is (1, { Length: 3 })", "true"),
            ("((object)(1, \"two\")) is (int, string)", "true"),
            ("((object)(1, \"two\")) is (int n, string s) && s.Length == n + 2", "true"),
            ("((object)1) is (int, string)", "false"),
            ("new[] { 1, 2, 3 } is [1, .., 3]", "true"),
            ("new[] { 1, 2, 3 } is [_, .. var rest] && rest.Length == 2", "true"),
            ("new[] { 1, 2, 3, 4 } is [_, .. [2, 3], _]", "true"),
            ("\"abcd\" is [_, .. \"bc\", _]", "true"),
            ("\"abcd\" is ['a', .. var rest] ? rest : null", "\"bcd\""),
            ("(object)null is (string)null", "true"),
            ("(object)true is (bool)true", "true"),
            ("(DayOfWeek)(-1) is (DayOfWeek)(-1)", "true"),
            ("5 is (int)+5 and (5)", "true"),
            ("3 switch { < 3 => \"less\", 3 => \"same\", _ => \"more\" }", "\"same\""),
            ("(1, 2) switch { (var a, var b) when a > b => a, (_, var b) => b }", "2"),
            ("7 switch { 1 => 1 }", "System.Runtime.CompilerServices.SwitchExpressionException"),
            ("((string)null) is null", "true"),
            ("((int?)null) is null", "true"),
            ("5 is 5 or null", "CS0037"),
            ("new[] { 5 } is [null]", "CS0037"),
            ("((string)null) is string", "false"),
        ],
    );
}

#[test]
fn nullables() {
    let Some(types) = types() else { return };
    check(
        &types,
        &[
            ("((int?)3) + 1", "4"),
            ("((int?)null) + 1", "null"),
            ("((int?)null) > 1", "false"),
            ("((int?)null) == null", "true"),
            ("((int?)null) ?? 7", "7"),
            ("((int?)3).HasValue", "true"),
            ("((int?)null).Value", "System.InvalidOperationException"),
            ("((int?)null).ToString()", "\"\""),
            ("((int?)null).GetHashCode()", "0"),
            ("((int?)null)?.ToString()", "null"),
            ("((bool?)null) & false", "false"),
            ("((bool?)null) | true", "true"),
            ("((bool?)null) & true", "null"),
            ("((string)null)?.Length", "null"),
            ("((string)null).Length", "System.NullReferenceException"),
            ("(long)(int?)3", "(long)3"),
            ("(long)(object)5", "System.InvalidCastException"),
        ],
    );
}

#[test]
fn lambdas() {
    let Some(types) = types() else { return };
    check(
        &types,
        &[
            ("((System.Func<int, int>)(x => x * 2))(4)", "8"),
            ("((System.Func<int, System.Func<int, int>>)(a => b => a * b))(3)(4)", "12"),
            ("((System.Func<int, string>)(x => x switch { 1 => \"one\", _ => \"more\" }))(2)", "\"more\""),
            ("((System.Func<int, (int, string)>)(x => (x, null)))(2)", "(2, null)"),
            ("((System.Func<int>)(() => default))()", "0"),
            ("(System.Func<int, int>)(() => 1)", "CS1593"),
            ("(System.Func<int, int>)(x => \"s\")", "CS0029"),
            ("(int x) => x + 1", "System.Func<int, int>"),
            ("x => x", "CS8917"),
            ("(System.Action<int>)(x => x)", "CS0201"),
            ("(System.Action<int>)(x => x.ToString())", "System.Action<int>"),
            ("(System.Action<int>)(x => a = x)", "System.Action<int>"),
        ],
    );
}

#[test]
fn lambdas_with_statements() {
    let Some(types) = types() else { return };
    check(
        &types,
        &[
            ("((System.Func<int, int>)(x => { return x; }))(1)", "1"),
            ("new[] { 1, 2, 3 }.Select(x => { var y = x + 1; return y * 2; }).Sum()", "18"),
            (
                "new[] { 1, 2, 3 }.Select(x => { if (x == 2) return \"two\"; else return null; }).Count(x => x == null)",
                "2",
            ),
            ("new[] { 1, 2, 3 }.Select(x => { if (x > 1) { return 1.5; } return 2; }).Sum()", "5d"),
            (
                "((System.Func<int, int>)(n => { int sum = 0; for (int i = 1; i <= n; i++) { sum += i; } return sum; }))(4)",
                "10",
            ),
            (
                "((System.Func<int, int>)(n => { var at = 0; while (true) { if (at * at > n) break; at++; } return at; }))(10)",
                "4",
            ),
            (
                "((System.Func<int>)(() => { int n = 0, m = 5; do { n++; if (n == 2) continue; m--; } while (m > 2); return n; }))()",
                "4",
            ),
            (
                "((System.Func<string, int>)(s => { var n = 0; foreach (var c in s) if (c == 'l') n++; return n; }))(\"hello\")",
                "2",
            ),
            (
                "((System.Func<int>)(() => { foreach (int x in new object[] { 1, 2 }) { if (x > 1) return x; } return 0; }))()",
                "2",
            ),
            ("((System.Func<long>)delegate { long big = 1; big <<= 40; return big; })()", "(long)1099511627776"),
            ("((System.Func<int>)(() => { const int x = 3; int y; y = x; { var z = y; y += z; } return y; }))()", "6"),
            ("((System.Func<int, System.Func<int, int>>)(x => { var y = x * 2; return z => y + z; }))(3)(4)", "10"),
            (
                "((System.Func<int>)(() => { var (a, _) = (1, 2); foreach (var (x, y) in new[] { (3, 4) }) a += x * y; return a; }))()",
                "13",
            ),
            ("new[] { 3, 1 }.ToList().Find(x => { return x < 3; })", "1"),
            (
                "((System.Func<int>)(() => { while (true) { } }))()",
                "refused: the evaluation took more than 100000 steps and was stopped",
            ),
            ("((System.Func<int, int>)(x => { if (x > 1) return 1; }))(1)", "CS1643"),
            ("((System.Func<int, int>)(x => { x + 1; return x; }))(1)", "CS0201"),
            ("((System.Func<int, int>)(x => { var x = 1; return x; }))(1)", "CS0128"),
            ("((System.Func<int, int>)(x => { var y; return x; }))(1)", "CS0818"),
            ("((System.Func<int, int>)(x => { break; }))(1)", "CS0139"),
            ("((System.Func<int, int>)(x => { return \"s\"; }))(1)", "CS0029"),
            ("((System.Func<int, int>)(x => { var y = 1 return y; }))(1)", "CS1002"),
            ("((System.Func<int, int>)(x => { return y; }))(1)", "CS0103"),
            (
                "((System.Func<int, int>)(x => { try { return x; } finally { } }))(1)",
                "refused: a `try` statement in a lambda is not supported here",
            ),
            (
                "((System.Func<int>)(() => { int Twice(int n) => n * 2; return Twice(3); }))()",
                "refused: a `local function` statement in a lambda is not supported here",
            ),
            (
                "((System.Func<int>)(() => { var n = 0; new[] { 1, 2 }.ToList().ForEach(x => n += x); return n; }))()",
                "3",
            ),
            (
                "((System.Func<int>)(() => { var n = 0; new[] { 1 }.Select(x => n += x).ToList(); return n; }))()",
                "refused: a lambda that assigns a captured variable is not supported here",
            ),
            (
                "((System.Func<int>)(() => { var n = 0; System.Func<int> now = () => n; new[] { 1 }.ToList().ForEach(x => n += x); return now(); }))()",
                "refused: a variable captured by a nested lambda and changed afterwards is not supported here",
            ),
            ("string.CompareOrdinal(\"abc\", \"abe\")", "-2"),
            ("string.CompareOrdinal(\"abcd\", \"ab\")", "2"),
            ("string.CompareOrdinal(null, \"a\")", "-1"),
            ("string.Compare(\"b\", \"a\", System.StringComparison.Ordinal)", "1"),
            (
                "((System.Func<int>)(() => { var n = 0; var q = new[] { 1 }.Where(x => x > n); n = 5; return q.Count(); }))()",
                "refused: a variable captured by a nested lambda and changed afterwards is not supported here",
            ),
        ],
    );
}

#[test]
fn ranges_and_indexes() {
    let Some(types) = types() else { return };
    check(
        &types,
        &[
            ("^1", "^1"),
            ("1..^1", "1..^1"),
            ("..", "0..^0"),
            ("\"hello\"[^1]", "'o'"),
            ("\"hello\"[1..3]", "\"el\""),
            ("new[] { 1, 2, 3 }[^2]", "2"),
            ("new[] { 1, 2, 3 }[1..]", "[2, 3]"),
            ("new[] { 1, 2, 3 }[5]", "System.IndexOutOfRangeException"),
            ("new[] { 1, 2, 3 }[2..9]", "System.ArgumentOutOfRangeException"),
            ("new string('x', 3)", "\"xxx\""),
            ("new string(new[] { 'a', 'b', 'c' }, 1, 2)", "\"bc\""),
            ("new string('x', -1)", "System.ArgumentOutOfRangeException"),
            ("new (int, string)[] { (1, \"a\") }[0].Item2", "\"a\""),
        ],
    );
}

#[test]
fn late_members_that_nothing_has_are_the_compilers_errors() {
    let Some(types) = types() else { return };
    check(&types, &[
        ("\"a\".Nope", "CS1061"),
        ("((object)\"abc\").Length", "3"),
        ("((object)\"abc\").Nope", "CS1061: 'object' does not contain a definition for 'Nope'"),
        ("((object)\"abc\").Nope()", "CS1061: 'object' does not contain a definition for 'Nope'"),
        ("((dynamic)\"abc\").Length + 1", "4"),
        ("((dynamic)5) + 1.5", "6.5d"),
        ("new[] { 1, 2 }.Where(n => ((dynamic)new[] { 1, 3 }.ToList()).Exists((System.Predicate<int>)(x => x == n))).ToList()", "[1]"),
        ("new System.Math()", "CS0712"),
        ("new List()", "CS0305"),
        ("((dynamic)\"abc\").Nope", "System.ArgumentException"),
        ("(byte)(dynamic)12", "(byte)12"),
    ].into_iter().map(|(text, expected)| if expected == "System.ArgumentException" {
        (text, "Microsoft.CSharp.RuntimeBinder.RuntimeBinderException: 'string' does not contain a definition for 'Nope'")
    } else {
        (text, expected)
    }).collect::<Vec<_>>());
}

#[test]
fn dynamic_finds_no_extensions_and_nothing_on_null() {
    let Some(types) = types() else { return };
    const BINDER: &str = "Microsoft.CSharp.RuntimeBinder.RuntimeBinderException";
    let none = format!("{BINDER}: Cannot perform runtime binding on a null reference");
    check(
        &types,
        &[
            (
                "((dynamic)new[] { 1, 2 }).Count()",
                &format!("{BINDER}: 'int[]' does not contain a definition for 'Count'"),
            ),
            ("((dynamic)(object)null).Length", &none),
            ("((dynamic)(object)null).Trim()", &none),
            ("((object)null as string)?.Length == null", "true"),
            ("new[] { 1, 2 }.Count()", "2"),
        ],
    );
}

#[test]
fn what_gives_nothing_is_no_operand_and_no_type_of_a_lambda() {
    let Some(types) = types() else { return };
    check(
        &types,
        &[
            ("GC.Collect() == null", "CS0019"),
            ("null != GC.Collect()", "CS0019"),
            ("s + GC.Collect()", "CS0019"),
            (
                "System.Threading.Tasks.Task.Run(() => GC.Collect())",
                "refused: a lambda cannot be passed to a method that runs in the program: use a LINQ query instead, which the debugger evaluates itself, or pass a variable that holds a delegate",
            ),
        ],
    );
}

/// What csc of the SDK 10.0.401 says of the same.
#[test]
fn errors_have_the_words_of_the_compiler() {
    let Some(types) = types() else { return };
    const NO_PATTERN: &str = "Could not find an implementation of the query pattern for source type";
    for (text, words) in [
        ("from x in a select x", format!("error CS1936: {NO_PATTERN} 'int'.  'Select' not found.")),
        ("from x in a where x > 1 select x", format!("error CS1936: {NO_PATTERN} 'int'.  'Where' not found.")),
        ("from x in a orderby x select x", format!("error CS1936: {NO_PATTERN} 'int'.  'OrderBy' not found.")),
        (
            "from x in new System.Collections.BitArray(3) select x",
            format!(
                "error CS1934: {NO_PATTERN} 'BitArray'.  'Select' not found.  Consider explicitly specifying the type of the range variable 'x'."
            ),
        ),
        ("from x in new[] { 1 } select x.Nope", "error CS1061: 'int' does not contain a definition for 'Nope'".into()),
        ("1e", "error CS0595: Invalid real literal.".into()),
        ("1e+", "error CS0595: Invalid real literal.".into()),
        ("1.5e-x", "error CS0595: Invalid real literal.".into()),
        (
            "a = 1.5",
            "error CS0266: Cannot implicitly convert type 'double' to 'int'. An explicit conversion exists (are you missing a cast?)".into(),
        ),
        ("(a, b) => a", "error CS8917: The delegate type could not be inferred.".into()),
        (
            "new StringBuilder()",
            "error CS0246: The type or namespace name 'StringBuilder' could not be found (are you missing a using directive or an assembly reference?); write the full name, System.Text.StringBuilder".into(),
        ),
    ] {
        let found = evaluated(&types, text);
        assert!(found.starts_with(&words), "{text}\n  {words}\n  {found}");
    }
}

/// What is suggested must be of use.
#[test]
fn an_extension_that_takes_something_else_is_not_suggested() {
    let Some(types) = types() else { return };
    for (text, is_suggested) in
        [("new[] { 1 }.ToFrozenSet()", true), ("s.ToFrozenSet()", true), ("a.ToFrozenSet()", false)]
    {
        let found = evaluated(&types, text);
        assert!(found.starts_with("error CS1061"), "{text}: {found}");
        assert_eq!(found.contains("is in a namespace that the file does not import"), is_suggested, "{text}: {found}");
    }
}
