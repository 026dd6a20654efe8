//! LINQ, and the choice between the framework's overloads.

use super::{check, described, framework, program, types};
use crate::run::{Limits, evaluate};
use crate::syntax;
use crate::types::{Type, TypeSystem};
use crate::world::{Imports, Scope};

#[test]
fn linq_over_what_an_expression_makes() {
    let Some(types) = types() else { return };
    check(
        &types,
        &[
            ("new[] { 1, 2, 3 }.Where(x => x > 1).Select(x => x * x).ToList()", "[4, 9]"),
            ("new[] { 1, 2, 3 }.Sum()", "6"),
            ("new[] { 1, 2, 4 }.Average()", "2.3333333333333335d"),
            ("new[] { 3, 1, 2 }.OrderBy(x => x).First()", "1"),
            ("new[] { \"b\", \"a\" }.OrderByDescending(x => x).ToArray()", "[\"b\", \"a\"]"),
            ("new[] { 1, 2, 3 }.GroupBy(x => x % 2)", "[1 => [1, 3], 0 => [2]]"),
            ("new[] { 1, 2, 3 }.GroupBy(x => x % 2, (key, group) => group).First() is int[] { Length: 2 }", "true"),
            (
                "new[] { \"a\", \"bb\" }.GroupBy(w => w.Length, w => w + \"!\", (key, group) => string.Join(\"/\", group)).First()",
                "\"a!\"",
            ),
            (
                "new[] { 1, 2 }.GroupJoin(new[] { 1L, 1L }, x => x, y => y, (x, all) => all).First() is long[] { Length: 2 }",
                "true",
            ),
            ("new[] { 1, 2 }.ToDictionary(x => x, x => x * 10)", "{1: 10, 2: 20}"),
            ("new[] { 1, 2 }.Zip(new[] { \"a\", \"b\" })", "[(1, \"a\"), (2, \"b\")]"),
            ("new[] { 1, 2, 3 }.Aggregate((a, b) => a * 10 + b)", "123"),
            ("new[] { 1, 2, 3 }.Select(x => x switch { 1 => \"a\", _ => \"b\" }).ToArray()", "[\"a\", \"b\", \"b\"]"),
            ("new[] { 1, 2, 3 }.Select((x, i) => new { x, i }).Last()", "{ x = 3, i = 2 }"),
            ("(from x in new[] { 1, 2, 3 } where x > 1 let y = x * x select y).Sum()", "13"),
            ("new object[] { 1, \"a\" }.OfType<string>().Single()", "\"a\""),
            ("new object[] { 1, \"a\" }.Cast<int>().ToList()", "System.InvalidCastException"),
            ("new object[] { 1, \"a\" }.Cast<int>().Count()", "2"),
            ("new object[] { 1, \"a\" }.Cast<int>().Count(x => x > 0)", "System.InvalidCastException"),
            ("new object[] { 1, \"a\" }.Where(x => true).Cast<int>().Count()", "System.InvalidCastException"),
            ("new int[0].First()", "System.InvalidOperationException"),
            (
                "new[] { 1 }.Where(x => x > 0).TryGetNonEnumeratedCount(out _)",
                "refused: 'TryGetNonEnumeratedCount' depends on how .NET implements the query; here the debugger runs the query itself: use Count()",
            ),
            ("new[] { 1 }.LeftJoin(new[] { 5 }, x => x, x => x, (a, b) => a + b)", "[1]"),
            ("System.Linq.Enumerable.Range(1, 3).Count(x => x > 1)", "2"),
            ("new[] { 1, 2 }.ToList().Count(x => x > 0)", "2"),
            ("new[] { 1, 2 }.Where()", "CS1501"),
            // a lambda that gives nothing, and nothing that names the type
            ("new[] { 1, 2 }.Select(x => { })", "CS0411"),
            ("new[] { 1, 2 }.Cast()", "CS0411"),
            ("new[] { 1, 2 }.Where(x => x)", "CS0029"),
            ("new[] { 1, 2 }.Nope()", "CS1061"),
            // an extension of that name is for sequences
            ("new Version(1, 2).Order", "CS1061"),
            ("-new Version(1, 2).Count", "CS1061"),
            ("((IComparable)null)?.Nope", "CS1061"),
            ("((Version)null)?.Major", "null"),
            ("new[] { 1, 2 }.Order", "CS0428"),
            // `names` is declared as a sequence, which has only the extension; the object is a set
            ("names.Count", "asked the program: HashSet<string>.get_Count"),
            ("names.Order", "CS0428"),
        ],
    );
}

#[test]
fn what_needs_code_of_the_program_asks_for_the_right_method() {
    let Some(types) = types() else { return };
    check(
        &types,
        &[
            ("System.Math.Max(1, 2L)", "(long)2"),
            ("int.Parse(\"1\")", "asked the program: int.Parse"),
            ("string.Join(\",\", new[] { 1, 2 })", "\"1,2\""),
            ("string.Join(\",\", new[] { 1, -2 })", "asked the program: new int[]"),
            ("string.Concat(new[] { 1, 2 }.Select(x => \"n\" + x))", "\"n1n2\""),
            ("string.Concat('a', null, true, 1)", "\"aTrue1\""),
            ("System.Console.WriteLine(1)", "asked the program: Console.WriteLine"),
            ("System.Math.Nope(1)", "CS0117"),
            ("System.Math.Abs()", "CS1501"),
            ("System.Math.Abs(\"a\")", "CS1503"),
            ("System.Nope", "CS0234"),
            ("new System.Random().Next(\"a\")", "CS1503"),
        ],
    );
}

#[test]
fn type_arguments_meet_the_constraints() {
    let Some(types) = types() else { return };
    check(
        &types,
        &[
            ("System.Enum.GetNames<System.DayOfWeek>()", "asked the program: Enum.GetNames"),
            ("System.Enum.GetNames<int>()", "CS0315"),
            ("System.Enum.GetNames<string>()", "CS0453"),
            ("System.Enum.GetNames<int?>()", "CS0453"),
        ],
    );
}

#[test]
fn linq_needs_no_import() {
    let Some(types) = types() else { return };
    let scope = Scope { imports: Vec::new(), ..program().1 };
    let found = |text| {
        described(evaluate(&mut program().0, (&types, &scope), &syntax::parse(text).unwrap(), Limits::default()))
    };
    assert_eq!(found("new[] { 1, 2, 3 }.Where(x => x > 1).Sum()"), "5");
    assert_eq!(found("(from x in new[] { 1, 2 } select x * 2).Last()"), "4");
    assert!(found("\"ab\"._stringLength").starts_with("refused: `_stringLength` of a string is not read as a field"));
    assert!(found("new[] { 1 }.ToImmutableArray()").starts_with("error CS1061"));
}

#[test]
fn a_type_that_the_code_may_not_name_hides_nothing() {
    let Some(types) = types() else { return };
    let namespaces = ["System", "System.Globalization"].map(str::to_owned).to_vec();
    let comparison = vec![Type::named("System.StringComparison", Vec::new())];
    let imports = Imports { namespaces, types: comparison, ..Imports::default() };
    let scope = Scope { imports: vec![imports], ..program().1 };
    let found = |text| {
        described(evaluate(&mut program().0, (&types, &scope), &syntax::parse(text).unwrap(), Limits::default()))
    };
    // `System.Globalization.Ordinal` is internal
    assert!(types.find("System.Globalization.Ordinal").is_some());
    assert_eq!(found("(int)Ordinal"), "4");
    assert_eq!(found("nameof(Ordinal)"), "\"Ordinal\"");
}

#[test]
fn what_would_not_end_or_fit_is_ended() {
    let Some(types) = types() else { return };
    check(
        &types,
        &[
            (
                "Enumerable.Range(0, 2000000000).Count(x => x >= 0)",
                "refused: the evaluation took more than 100000 steps and was stopped",
            ),
            ("Enumerable.Range(0, 2000000000).ToList()", "refused: the sequence has more than 10000 elements"),
            (
                "Enumerable.Range(0, 60).Aggregate(\"a\", (s, _) => s + s)",
                "refused: the string has more than 10000 characters",
            ),
            ("new int[2000000000]", "refused: an array of 2000000000 elements cannot be created here"),
            (
                "Enumerable.Range(0, 9000).Select(x => new int[9000]).ToList()",
                "refused: the evaluation took more than 512 MB of memory and was stopped",
            ),
            ("$\"{1,1000000}\"", "refused: the string has more than 10000 characters"),
        ],
    );
}

/// What is not read is not taken for what is not there.
#[test]
fn a_collection_that_is_too_long_is_not_cut() {
    let Some(types) = types() else { return };
    let found = |text: &str| {
        let (mut program, scope) = program();
        // of an array that has two
        let limits = Limits { elements: 1, ..Limits::default() };
        described(evaluate(&mut program, (&types, &scope), &syntax::parse(text).unwrap(), limits))
    };
    let refused = "refused: the sequence has more than 1 elements";
    for (expression, expected) in [
        ("versions.Take(1).Count()", "1"),
        ("versions.Take(1).Select(x => 1).Last()", "1"),
        ("versions.Any(x => x is not null)", "true"),
        ("versions.Count(x => x is not null)", refused),
        ("versions.Last(x => x is not null)", refused),
        ("versions.Any(x => x is null)", refused),
    ] {
        assert_eq!(found(expression), expected, "{expression}");
    }
}

/// What is bound twice at each level would take for ever at the twentieth.
#[test]
fn what_is_nested_is_bound_in_time_or_refused() {
    let Some(types) = types() else { return };
    let nested = |head: &str, inner: &str, end: &str, levels: usize| {
        format!("{}{inner}{}", head.repeat(levels), end.repeat(levels))
    };
    // what an evaluation has, and more than a test has
    let on_a_large_stack = std::thread::Builder::new().stack_size(16 << 20);
    let checked = on_a_large_stack.spawn(move || {
        let found = |text: &str| super::evaluated(&types, text);
        assert_eq!(found(&nested("(", "1", " switch { _ => 2 })", 20)), "2");
        assert_eq!(found(&nested("1 switch { _ => ", "3", " }", 30)), "3");
        for (head, inner, end) in [
            ("new[] { 1 }.Select(x => ", "1", ").ToList()"),
            ("new[] { 1 }.Aggregate(0, (a, b) => ", "a", ")"),
            ("new[] { 1 }.SelectMany(x => ", "new[] { 1 }", ", (a, b) => a)"),
            ("((Func<int, int>)(x => ", "x", "))(1)"),
            ("(true ? ", "null", " : 1.5)"),
            ("string.Join(\",\", new[] { 1 }.Select(x => ", "1", "))"),
            ("new[] { 1 }.OrderBy(x => ", "1", ").First()"),
        ] {
            let found = found(&nested(head, inner, end, 20));
            assert!(!found.starts_with("refused"), "{head}: {found}");
        }
        let parts = found(&nested("", "new[] { 1 }", ".GroupBy(x => x)", 20));
        assert!(parts.starts_with("refused: the type of the expression has too many parts"), "{parts}");
    });
    checked.unwrap().join().unwrap();
}

#[test]
fn extension_methods_are_those_of_what_is_imported() {
    let Some(types) = types() else { return };
    let core = types.assemblies().iter().take(1).cloned().collect();
    let types = TypeSystem::new(core, framework());
    let count = |imported: &[&str]| types.extensions("Where", None, imported).len();
    assert_eq!(count(&[]), 0);
    // what was asked for without it says nothing of what there is with it
    assert!(count(&["System.Linq"]) > 0);
    assert_eq!(count(&[]), 0);
}

/// What is overridden is called, by the names that its override gives the parameters.
#[test]
fn overrides_name_the_parameters() {
    let Some(types) = types() else { return };
    check(
        &types,
        &[
            // `Encoding.GetString(byte[] bytes, int index, int count)`, in the override `byteIndex` and `byteCount`
            (
                "((System.Text.ASCIIEncoding)null).GetString(null, byteIndex: 0, byteCount: 1)",
                "System.NullReferenceException",
            ),
            ("((System.Text.ASCIIEncoding)null).GetString(null, index: 0, count: 1)", "CS1739"),
            ("((System.Text.Encoding)null).GetString(null, index: 0, count: 1)", "System.NullReferenceException"),
            ("((System.Text.Encoding)null).GetString(null, byteIndex: 0, byteCount: 1)", "CS1739"),
        ],
    );
}

/// An indexer has a name only in metadata.
#[test]
fn what_was_written_is_no_suggestion() {
    let Some(types) = types() else { return };
    check(
        &types,
        &[
            ("s.Length(0)", "CS1955"),
            ("s.Lenght", "error CS1061: 'string' does not contain a definition for 'Lenght'; did you mean Length?"),
        ],
    );
    let found = super::evaluated(&types, "s.Chars(0)");
    assert!(found.starts_with("error CS1061") && !found.contains("Chars?"), "{found}");
    // its one static method is for XML serializers
    let found = super::evaluated(&types, "System.Data.DataTable.Nope");
    assert_eq!(found, "error CS0117: 'DataTable' does not contain a definition for 'Nope'");
}

#[test]
fn what_is_wrong_is_said_in_the_compilers_words() {
    let Some(types) = types() else { return };
    check(
        &types,
        &[
            (
                "new List<int> { \"a\" }",
                "error CS1950: The best overloaded Add method 'List<int>.Add(int)' for the collection initializer has some invalid arguments",
            ),
            ("new System.Version(1, 2) { 3 }", "CS1922"),
            ("new int[-1]", "error CS0248: Cannot create an array with a negative size"),
            (
                "new Dictionary<int>()",
                "error CS0305: Using the generic type 'Dictionary<TKey, TValue>' requires 2 type arguments",
            ),
            (
                "Enumerable.Empty<int, int>()",
                "error CS0305: Using the generic method 'Enumerable.Empty<TResult>()' requires 1 type arguments",
            ),
            ("s.Trim<int>()", "CS0308"),
            (
                "(1, 2) == (1, 2, 3)",
                "error CS8384: Tuple types used as operands of an == or != operator must have matching cardinalities. But this operator \
                 has tuple types of cardinality 2 on the left and 3 on the right.",
            ),
            ("List.Empty", "error CS0305: Using the generic type 'List<T>' requires 1 type arguments"),
            ("(A: 1).A", "error CS8124: Tuple must contain at least two elements."),
            ("new { A = null }", "error CS0828: Cannot assign '<null>' to anonymous type property"),
            ("new { A = 1, A = 2 }", "CS0833"),
            // `System.TupleExtensions.Deconstruct` is for tuples
            (
                "5 is (1, 2)",
                "error CS1061: 'int' does not contain a definition for 'Deconstruct'; it has CompareTo, Equals, GetHashCode, ToString, \
                 TryFormat, GetTypeCode",
            ),
            ("s[0", "error CS1003: Syntax error, ']' expected"),
            ("s.Substring(0", "error CS1026: ) expected"),
            (
                "(left: 1, right: \"a\").up",
                "error CS1061: '(int left, string right)' does not contain a definition for 'up'; it has left, right, Equals, CompareTo, GetHashCode, ToString",
            ),
        ],
    );
}

#[test]
fn indexes_and_ranges_are_values_of_their_own() {
    let Some(types) = types() else { return };
    let rows = [
        ("1..^2", "1..^2"),
        ("^a", "^1"),
        ("a..", "1..^0"),
        ("(1..^2).Start", "1"),
        ("(1..^2).End", "^2"),
        ("(1..^2).End.IsFromEnd", "true"),
        ("(^3).Value", "3"),
        ("(^3).GetOffset(10)", "7"),
        ("(1..a).Start.GetOffset(10)", "1"),
        ("(^3).ToString() + (1..^2)", "\"^31..^2\""),
        ("(1..^2).Equals(1..^2)", "true"),
        ("(^3).Equals(^4)", "false"),
        ("new[] { 1..2, 3..4 }.Contains(3..4)", "true"),
    ];
    check(&types, &rows);
}

#[test]
fn type_arguments_are_left_out_only_of_what_is_named() {
    let Some(types) = types() else { return };
    let rows = [
        ("nameof(List<>)", "\"List\""),
        ("nameof(Dictionary<,>.Keys)", "\"Keys\""),
        ("nameof(List<>.Nope)", "CS0117"),
        ("default(List<>)", "CS7003"),
    ];
    check(&types, &rows);
}

#[test]
fn the_compilers_choice_among_overloads_that_are_equally_good_is_taken() {
    let Some(types) = types() else { return };
    let rows = [
        ("\"a b\".Split(null)", "asked the program: string.Split"),
        ("string.Join(\",\", new Type[0])", "\"\""),
        ("string.Join(',', new Type[0])", "\"\""),
        ("string.Concat(new Type[0])", "\"\""),
        ("string.Concat(new int[0])", "\"\""),
    ];
    check(&types, &rows);
    // of those that are in question it names two that no other beats
    let ambiguous = "error CS0121: The call is ambiguous between the following methods or properties: \
                     'Math.Abs(decimal)' and 'Math.Abs(float)'";
    assert_eq!(super::evaluated(&types, "Math.Abs(1ul)"), ambiguous);
}

#[test]
fn a_text_is_created_by_the_rules_of_a_culture() {
    let Some(types) = types() else { return };
    let rows = [
        ("string.Create(null, $\"{s} {a + 1}\")", "asked the program: new object[]"),
        (
            "string.Create(System.Globalization.CultureInfo.InvariantCulture, $\"{1.5}\")",
            "asked the program: s_InvariantCultureInfo",
        ),
        ("string.Create(null, $\"{1 + \"x\"}\", 3)", "CS1503"),
        (
            "new char[9].AsSpan().TryWrite($\"{1}\", out int n)",
            "refused: an interpolated string as a 'MemoryExtensions.TryWriteInterpolatedStringHandler' is not supported here: it is code of the compiler's",
        ),
        (
            "string.Create(null, default(Span<char>), $\"{1.5}\")",
            "refused: `string.Create` with a buffer is not supported here: leave the buffer out",
        ),
    ];
    check(&types, &rows);
}
