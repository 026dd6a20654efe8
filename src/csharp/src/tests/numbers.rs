//! Constants, the language's operators, and conversions of numbers: no metadata is needed for them.

use super::check;
use crate::types::TypeSystem;

#[test]
fn operators_of_the_language_need_no_program() {
    let rows = [
        ("1 + 2", "3"),
        ("7 / 2 * 2 + 7 % 2", "7"),
        ("-7 / 2", "-3"),
        ("1 + 2L", "(long)3"),
        ("1 + 2u", "(uint)3"),
        ("-1 + 2u", "(long)1"),
        ("1 / 2.0", "0.5d"),
        ("1f + 1", "2f"),
        ("'a' + 1", "98"),
        ("(char)('a' + 1)", "'b'"),
        ("1 << 33", "2"),
        ("-8 >> 1", "-4"),
        ("-8 >>> 28", "15"),
        ("5 & 3 | 8 ^ 1", "9"),
        ("~5", "-6"),
        ("~5u", "(uint)4294967290"),
        ("1 << 31", "-2147483648"),
        ("1u << 31", "(uint)2147483648"),
        ("-1 >>> 1", "2147483647"),
        ("0xFFFFFFFF ^ 1", "(uint)4294967294"),
        ("-2147483648", "-2147483648"),
        ("(byte)1 + (byte)255", "256"),
        ("!true || false", "false"),
        ("1 < 2 && 2 <= 2 && 3 != 4", "true"),
        ("\"a\" + 'b' + 1", "\"ab1\""),
        ("\"a\" + null + true", "\"aTrue\""),
        ("\"a\" == \"a\"", "true"),
        ("true ? 1 : 2L", "(long)1"),
        ("false ? (byte)9 : 0", "0"),
        ("true ? 1 : 2u", "(uint)1"),
        ("1_000 == 0x3E8 && 0b11 == 3", "true"),
        ("(int)3.99", "3"),
        ("(byte)200", "(byte)200"),
        ("sizeof(long)", "8"),
        ("default(int)", "0"),
        ("$\"{1 + 1,4}|{\"x\",-3}|{{\"", "\"   2|x  |{\""),
        ("checked(1 + 1)", "2"),
        ("checked(254 switch { var n => (byte)(n + 1) })", "(byte)255"),
        (
            "checked(255 switch { var n => (byte)(n + 1) })",
            "System.OverflowException: Arithmetic operation resulted in an overflow.",
        ),
        // as an operation of 64 bits, not of 128
        ("unchecked((ulong)-7L * 18_000_000_000_000_000_000)", "(ulong)3127208515966861312"),
        // one without a type of the other's: that of its arms
        ("(byte)(1 switch { 1 => 'b', _ => 'c' })", "(byte)98"),
        ("3u + (1 switch { 1 => -1, _ => 2 })", "(long)2"),
        ("((1 switch { 1 => 2L, _ => 3 }), 4)", "((long)2, 4)"),
        ("(nint)5 + (nuint)3 == 8", "CS0034"),
        ("(nint)5", "(nint)5"),
    ];
    check(&TypeSystem::default(), &rows);
}

#[test]
fn constants_that_do_not_fit_are_the_compilers_errors() {
    let rows = [
        ("2147483647 + 1", "CS0220"),
        ("unchecked(2147483647 + 1)", "-2147483648"),
        ("unchecked(-2147483648 / -1)", "-2147483648"),
        ("-2147483648 / -1", "CS0220"),
        ("-2147483648 % -1", "0"),
        ("unchecked(-9223372036854775808 / (1 - 2L))", "(long)-9223372036854775808"),
        ("(byte)300", "CS0221"),
        ("unchecked((byte)300)", "(byte)44"),
        ("(uint)(-1)", "CS0221"),
        // what the runtime would make of them is not what the compiler does
        ("unchecked((ushort)-6.9)", "(ushort)0"),
        ("unchecked((byte)(ushort)1e10f)", "(byte)0"),
        ("unchecked((int)1e300)", "0"),
        ("unchecked((byte)-3m)", "CS0031"),
        ("(int)1e300", "CS0221"),
        ("++1", "CS1059"),
        ("1--", "CS1059"),
        ("1 / 0", "CS0020"),
        ("-1L + 2ul", "CS0034"),
        ("1 + true", "CS0019"),
        ("-\"a\"", "CS0023"),
        ("null + null", "CS0034"),
        ("-null", "CS8310"),
        ("1 ? 2 : 3", "CS0029"),
        ("true ? 1 : \"a\"", "CS0173"),
        ("x + 1", "CS0103"),
        ("(1, 2", "CS1026"),
        ("default", "CS8716"),
        ("[1, 2]", "CS9176"),
        ("1 ?? 2", "CS0019"),
        ("3 = 4", "CS0131"),
        ("int", "CS0119"),
    ];
    check(&TypeSystem::default(), &rows);
}

#[test]
fn numbers_wrap_and_overflow_as_they_are_reported() {
    let rows = [
        ("((System.Func<int, int>)(x => x + 1))(2147483647)", "-2147483648"),
        ("((System.Func<int, int>)(x => checked(x + 1)))(2147483647)", "System.OverflowException"),
        ("((System.Func<int, int>)(x => 1 / x))(0)", "System.DivideByZeroException"),
        ("((System.Func<double, double>)(x => 1 / x))(0)", "infd"),
        ("((System.Func<int, byte>)(x => (byte)x))(300)", "(byte)44"),
        ("((System.Func<int, byte>)(x => checked((byte)x)))(300)", "System.OverflowException"),
        ("((System.Func<decimal, decimal>)(x => x * 1.10m))(2)", "2.20m"),
        ("0.1m + 0.2m == 0.3m", "true"),
        ("0.1 + 0.2 == 0.3", "false"),
    ];
    if let Some(types) = super::types() {
        check(&types, &rows);
    }
}

#[test]
fn a_constant_converts_to_what_a_type_makes_itself_of() {
    let Some(types) = super::types() else { return };
    let rows = [
        ("new UInt128(0, 7) - 1", "asked the program: new System.UInt128"),
        ("new UInt128(0, 7) > 0", "asked the program: new System.UInt128"),
        ("new UInt128(0, 7) * 1L", "asked the program: new System.UInt128"),
        ("(UInt128?)null == 1", "asked the program: UInt128.op_Implicit"),
        ("(UInt128)5u + 300", "asked the program: UInt128.op_Implicit"),
        ("new UInt128(0, 7) - a", "CS0019"),
        ("new UInt128(0, 7) - (-1)", "CS0019"),
        // by the operator of its own type, though an implicit one takes the constant
        ("(UInt128)1", "asked the program: UInt128.op_Explicit"),
        ("(Half)2 + (byte)1", "asked the program: Half.op_Explicit"),
        // of a byte or of an sbyte: neither is nearer
        ("(Half)2 + 1", "CS0019"),
    ];
    check(&types, &rows);
}

/// What a program printed on .NET 8 and on .NET 10, both on x64.
#[test]
fn what_an_integer_does_not_hold_is_converted_as_the_programs_runtime_does_it() {
    let rows = [
        ("-1.5", "uint", "4294967295", "0"),
        ("-1.5", "ulong", "18446744073709551615", "0"),
        ("-1.5", "byte", "255", "255"),
        ("2147483648d", "int", "-2147483648", "2147483647"),
        ("4294967297d", "uint", "1", "4294967295"),
        ("1e10", "short", "0", "-1"),
        ("1e10", "uint", "1410065408", "4294967295"),
        ("1.2e19", "long", "-9223372036854775808", "9223372036854775807"),
        ("(float)1.2e19", "ulong", "11999999536803086336", "11999999536803086336"),
        ("1e20", "ulong", "0", "18446744073709551615"),
        ("-1e20", "nuint", "9223372036854775808", "0"),
        ("1e300", "uint", "0", "4294967295"),
        ("double.NaN", "int", "-2147483648", "0"),
        ("double.NaN", "long", "-9223372036854775808", "0"),
        ("double.NaN", "ulong", "0", "0"),
        ("double.PositiveInfinity", "sbyte", "0", "-1"),
        ("double.NegativeInfinity", "ulong", "9223372036854775808", "0"),
    ];
    let Some(_) = super::types() else { return };
    for (version, is_old) in [("8.", cfg!(target_arch = "x86_64")), ("10.", false)] {
        let Some(folder) = super::framework_of(version) else { continue };
        let types = super::opened(folder);
        for (number, to, old, new) in rows {
            let text = format!("{number} switch {{ var n => ({to})n }}");
            let expected = if is_old { old } else { new };
            let found = super::evaluated(&types, &text);
            assert_eq!(found.rsplit(')').next(), Some(expected), "{version} {text}");
        }
    }
}
