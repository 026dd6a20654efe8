//! Variables of the program, and what calls write to them.

use super::{check, types};

#[test]
fn variables_are_assigned() {
    let Some(types) = types() else { return };
    check(
        &types,
        &[
            ("a = 5", "5"),
            ("a += 4", "5"),
            ("a = b = 9", "9"),
            ("a++ + a", "3"),
            ("++a + a", "4"),
            ("a <<= 3", "8"),
            ("s += 1", "\"hello1\""),
            ("s ??= \"x\"", "\"hello\""),
            ("_ = a + 1", "2"),
            ("a ??= 1", "CS0019"),
            ("a = \"x\"", "CS0029"),
            ("a = 1L", "CS0266"),
            ("a + b = 3", "CS0131"),
            ("s++", "CS0023"),
            ("s[0] = 'x'", "CS0200"),
            ("s.Length = 3", "CS0200"),
        ],
    );
}

#[test]
fn parts_are_assigned_when_all_of_them_are_known() {
    let Some(types) = types() else { return };
    check(
        &types,
        &[
            ("(a, b) = (b, a)", "(2, 1)"),
            ("(a, _) = (7, 8)", "(7, 8)"),
            ("(a, (b, s)) = (1, (2, null))", "(1, (2, null))"),
            ("((a, b) = (b, a)).Item1 * 10 + a", "22"),
            ("(a, b) = (1, 2, 3)", "CS8132"),
            ("(a, b) = (1, \"x\")", "CS0029"),
            ("(a, b) = 5", "CS1061"),
            ("(var c, var d) = (1, 2)", "CS8185"),
        ],
    );
}

#[test]
fn calls_write_to_their_arguments() {
    let Some(types) = types() else { return };
    check(
        &types,
        &[
            ("int.TryParse(\"42\", out var n) && n == 42", "true"),
            ("int.TryParse(\"42\", out int n) ? n : -1", "42"),
            ("int.TryParse(\"42\", out a) ? a : -1", "42"),
            ("int.TryParse(\"x\", out a) ? -1 : a", "0"),
            ("int.TryParse(\"42\", out _)", "true"),
            ("int.TryParse(\"42\", out string n)", "CS1503"),
            ("int.TryParse(\"42\", ref a)", "CS1620"),
            ("int.TryParse(\"42\", out a + b)", "CS1510"),
            ("int.TryParse(\"42\", out s.Length)", "CS0206"),
        ],
    );
}

#[test]
fn what_is_only_read_by_reference_may_be_passed_with_ref() {
    let Some(types) = types() else { return };
    check(
        &types,
        &[
            ("System.Threading.Volatile.Read(ref a)", "asked the program: Volatile.Read"),
            ("System.Threading.Volatile.Read(in a)", "asked the program: Volatile.Read"),
            ("System.Threading.Volatile.Read(ref 5)", "CS1510"),
            ("System.Threading.Volatile.Read(ref s.Length)", "CS0206"),
            ("System.Threading.Volatile.Read(out a)", "CS1615"),
            (
                "System.Runtime.CompilerServices.Unsafe.AreSame(ref a, ref a)",
                "refused: 'AreSame' computes with the address of what `ref` refers to, and an evaluation passes a copy of it by reference",
            ),
        ],
    );
}

#[test]
fn what_a_call_returns_by_reference_is_read_and_not_written() {
    let Some(types) = types() else { return };
    let refused = "refused: assigning through a reference that a call returns is not supported here: assign the variable, the field or \
                   the element that it refers to";
    let passed = "refused: passing on a reference that a call returns is not supported here: pass the variable, the field or the element \
                  that it refers to";
    check(
        &types,
        &[
            ("buffer[0] = 'x'", refused),
            ("buffer[^1] = 'x'", refused),
            ("buffer[0]++", refused),
            ("buffer.GetPinnableReference() = 'x'", refused),
            ("System.Threading.Interlocked.Increment(ref new Span<int>(new[] { 1 })[0])", passed),
        ],
    );
}
