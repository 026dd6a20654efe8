//! Spans: what is in them, and what becomes one by itself.

use super::{check, program, types};
use crate::run::{Limits, evaluate};
use crate::syntax;
use crate::value::Value;

#[test]
fn constant_strings_match_spans_by_what_is_in_them() {
    let Some(types) = types() else { return };
    check(
        &types,
        &[
            ("letters is \"BA\"", "true"),
            ("letters is \"B\"", "false"),
            ("letters is \"BAB\"", "false"),
            ("letters is \"\"", "false"),
            ("letters is not \"BA\"", "false"),
            ("letters is \"CD\" or \"BA\"", "true"),
            ("letters switch { \"AB\" => 1, \"BA\" => 2, _ => 3 }", "2"),
            ("buffer is \"BA\"", "true"),
            ("buffer is \"AB\"", "false"),
            ("(1, s) is (1, \"hello\")", "true"),
        ],
    );
}

#[test]
fn literals_are_one_object_and_of_others_it_is_not_known() {
    let Some(types) = types() else { return };
    let unknown = "refused: this compares references, and it is unknown whether two equal strings are the same object: \
                   compare them as strings";
    let elsewhere = "refused: `==` on spans compares addresses, not contents, and the address of a literal is not known: compare \
                     the contents with `SequenceEqual`, or with `is` and a constant";
    check(
        &types,
        &[
            ("object.ReferenceEquals(\"xyz\", \"xyz\")", "true"),
            ("object.ReferenceEquals(\"xyz\", \"zyx\")", "false"),
            ("object.ReferenceEquals(\"xyz\", null)", "false"),
            ("object.ReferenceEquals(s, \"other\")", "false"),
            ("object.ReferenceEquals(s, \"hello\")", unknown),
            ("letters == \"BA\"", elsewhere),
            ("letters != \"BA\".AsSpan()", elsewhere),
            ("letters == letters", "asked the program: ReadOnlySpan<char>.op_Equality"),
        ],
    );
}

#[test]
fn strings_and_arrays_are_taken_for_spans() {
    let Some(types) = types() else { return };
    check(
        &types,
        &[
            ("letters.SequenceEqual(\"BA\")", "true"),
            ("$\"{letters}|\"", "\"BA|\""),
            ("letters.SequenceEqual(\"BAB\")", "false"),
            ("buffer.SequenceEqual(\"BA\")", "true"),
            ("letters.SequenceEqual(buffer)", "true"),
            ("letters.SequenceEqual(new[] { 'B', 'A' })", "true"),
            ("letters.StartsWith(\"B\")", "true"),
            ("letters.StartsWith('A')", "false"),
            ("letters.EndsWith(\"B\")", "false"),
            ("letters.IndexOf(\"A\")", "1"),
            ("letters.IndexOf('x')", "-1"),
            ("letters.LastIndexOf(\"BA\")", "0"),
            ("letters.IndexOfAny(\"xA\")", "1"),
            ("letters.IndexOfAny('x', 'A')", "1"),
            ("letters.Contains('A')", "true"),
            ("letters.Contains(\"a\", StringComparison.OrdinalIgnoreCase)", "true"),
            ("letters.Equals(\"BA\", StringComparison.Ordinal)", "true"),
            ("letters.Equals(\"ba\", StringComparison.Ordinal)", "false"),
            ("letters.CompareTo(\"BC\", StringComparison.Ordinal)", "-2"),
            ("new[] { 1, 2 }.StartsWith(new[] { 1 })", "true"),
            ("letters.TrimStart(\"B\")", "asked the program: string.op_Implicit"),
            ("letters.SequenceEqual(5)", "CS1503"),
        ],
    );
}

#[test]
fn what_converts_to_the_other_type_is_the_better_one() {
    let Some(types) = types() else { return };
    // `long` converts to `Int128` by itself, and not back
    check(&types, &[("BitConverter.GetBytes((nint)1)", "asked the program: BitConverter.GetBytes")]);
}

#[test]
fn bytes_of_text_are_compared_as_the_compiler_keeps_them() {
    let Some(types) = types() else { return };
    check(
        &types,
        &[
            ("\"a\"u8 == \"a\"u8", "true"),
            ("\"a\"u8 == \"b\"u8", "false"),
            ("\"a\"u8 != \"ab\"u8", "true"),
            ("\"ab\"u8.Length", "2"),
            ("\"\"u8.Length", "0"),
            ("\"\"u8 == \"\"u8", "true"),
            ("\"\"u8.Rank", "CS1061"),
            ("\"ab\"u8[1]", "(byte)98"),
            ("\"ab\"u8[^1]", "(byte)98"),
            ("\"ab\"u8.SequenceEqual(new byte[] { 97, 98 })", "true"),
            ("\"ab\"u8.StartsWith(\"a\"u8)", "true"),
            ("\"ab\"u8.IndexOf((byte)98)", "1"),
            ("\"ab\"u8.ToArray()", "[(byte)97, (byte)98]"),
            ("\"ab\"u8.IsEmpty", "asked the program: new byte[]"),
            ("\"ab\"u8.Slice(1)", "asked the program: new byte[]"),
            ("\"ab\"u8[1..]", "asked the program: new byte[]"),
            ("\"ab\"u8.Rank", "CS1061"),
            ("\"ab\"u8.Clone()", "CS1061"),
            ("\"ab\"u8.First()", "CS1929"),
        ],
    );
}

#[test]
fn bytes_of_text_have_the_type_of_a_span() {
    let Some(types) = types() else { return };
    let type_of = |text: &str| {
        let (mut program, scope) = program();
        let expr = syntax::parse(text).unwrap();
        let outcome = evaluate(&mut program, (&types, &scope), &expr, Limits::default()).unwrap();
        let own = match &outcome.value {
            Value::Made(made) => made.type_.short(),
            _ => String::new(),
        };
        (outcome.type_.short(), own)
    };
    let both = |name: &str| (name.to_owned(), name.to_owned());
    assert_eq!(type_of("\"ab\"u8"), both("ReadOnlySpan<byte>"));
    assert_eq!(type_of("\"\"u8"), both("ReadOnlySpan<byte>"));
    assert_eq!(type_of("new byte[] { }"), both("byte[]"));
    assert_eq!(type_of("\"ab\"u8.ToArray()"), both("byte[]"));
    assert_eq!(type_of("new byte[] { 97, 98 }"), both("byte[]"));
}
