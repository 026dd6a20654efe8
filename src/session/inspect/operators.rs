//! C# operators over what adapters read. Both adapters compute with the rules of `dynamic` (`uint - 8` is a negative `long` there),
//! print text that is cut at a NUL and compare what they cut, so what is more than one operand is taken apart here: the operands are
//! the adapter's, the operators are ours.
//!
//! Knows text, types and values; who reads the operands is the caller's business. Floating point stays with the adapter, operand by
//! operand, because what it prints of it is rounded.

pub mod binary;
pub mod enums;
pub mod integers;
pub mod lifted;
pub mod parse;
pub mod value;

pub use parse::{Expr, constant, parse};
pub use value::{Fault, Known, Operand};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::inspect::reader::RawValue;

    fn variable(name: &str) -> Operand {
        let (type_name, value) = match name {
            "u" => ("uint", "7"),
            "i" => ("int", "7"),
            "l" => ("long", "7"),
            "ul" => ("ulong", "7"),
            "b" => ("byte", "200"),
            "sb" => ("sbyte", "-3"),
            "sh" => ("short", "300"),
            "us" => ("ushort", "60000"),
            "c" => ("char", "99 'c'"),
            "max" => ("int", "2147483647"),
            "lmin" => ("long", "-9223372036854775808"),
            "zero" => ("int", "0"),
            "yes" => ("bool", "true"),
            "none" => ("string", "null"),
            "whole" => ("string", "\"whole\""),
            "cut" => ("string", "\"a\\0b\\0\""),
            "five" => ("int?", "5"),
            "nil" => ("int?", "null"),
            "unsure" => ("bool?", "null"),
            "m" => ("decimal", "1.1"),
            "d" => ("double", "2.5"),
            "o" => ("Shop.Order", "{Shop.Order}"),
            other => panic!("no {other}"),
        };
        Operand::read(RawValue { type_name: type_name.into(), value: value.into(), ..RawValue::default() }, name)
    }

    /// `None`: the adapter's to compute.
    fn compute(expr: &Expr) -> Result<Option<Operand>, Fault> {
        let known = |expr: &Expr| compute(expr).map(|operand| operand.expect("the inner part is known"));
        match expr {
            Expr::Constant(constant) => Ok(Some(constant.clone())),
            Expr::Operand(name) => Ok(Some(variable(name))),
            Expr::Unary(sign, inner) => binary::unary(sign, &known(inner)?),
            Expr::Cast(name, inner) => binary::cast(name, &known(inner)?),
            Expr::Binary(left, sign, right) => binary::binary(&known(left)?, sign, &known(right)?),
            Expr::Conditional(..) | Expr::Is { .. } | Expr::As(..) => unreachable!("not in the table"),
        }
    }

    /// What a program compiled by Roslyn (SDK 10.0, unchecked) printed for the same expressions on 2026-11-22.
    #[test]
    fn integers_chars_strings_and_bools_compute_as_the_compiler_says() {
        for (text, type_name, value) in [
            ("u - 8 + 0L", "long", "4294967295"),
            ("u - 8", "uint", "4294967295"),
            ("u - i", "long", "0"),
            ("u + sb", "long", "4"),
            ("u + 1L", "long", "8"),
            ("u - 8 > 0", "bool", "true"),
            ("-u", "long", "-7"),
            ("-b", "int", "-200"),
            ("~u", "uint", "4294967288"),
            ("~b", "int", "-201"),
            ("b + b", "int", "400"),
            ("b * b", "int", "40000"),
            ("c + 1", "int", "100"),
            ("c + c", "int", "198"),
            ("c - 'a'", "int", "2"),
            ("'a' + 'b'", "int", "195"),
            ("c == 99", "bool", "true"),
            ("c > 'b'", "bool", "true"),
            ("sh * us", "int", "18000000"),
            ("us + us", "int", "120000"),
            ("ul - 8", "ulong", "18446744073709551615"),
            ("ul + 1", "ulong", "8"),
            ("ul + u", "ulong", "14"),
            ("ul + c", "ulong", "106"),
            ("ul + us", "ulong", "60007"),
            ("max + 1", "int", "-2147483648"),
            ("max * 2", "int", "-2"),
            ("max + 1L", "long", "2147483648"),
            ("lmin - 1", "long", "9223372036854775807"),
            ("-lmin", "long", "-9223372036854775808"),
            ("-max - 2", "int", "2147483647"),
            ("i / 2", "int", "3"),
            ("-i / 2", "int", "-3"),
            ("-i % 3", "int", "-1"),
            ("i % -3", "int", "1"),
            ("i << 33", "int", "14"),
            ("u << 31", "uint", "2147483648"),
            ("u >> 1", "uint", "3"),
            ("-8 >> 1", "int", "-4"),
            ("-8 >>> 1", "int", "2147483644"),
            ("l << 65", "long", "14"),
            ("sb >>> 1", "int", "2147483646"),
            ("b << 4", "int", "3200"),
            ("i & 3", "int", "3"),
            ("u | 8", "uint", "15"),
            ("i ^ -1", "int", "-8"),
            ("i == l", "bool", "true"),
            ("u == 7", "bool", "true"),
            ("ul == 7", "bool", "true"),
            ("u < -1", "bool", "false"),
            ("i < u", "bool", "false"),
            ("b == 200", "bool", "true"),
            ("sb < 0", "bool", "true"),
            ("yes & false", "bool", "false"),
            ("yes ^ true", "bool", "false"),
            ("!yes", "bool", "false"),
            ("\"a\" + i", "string", "\"a7\""),
            ("\"a\" + c", "string", "\"ac\""),
            ("\"a\" + yes", "string", "\"aTrue\""),
            ("\"a\" + none", "string", "\"a\""),
            ("none + \"x\"", "string", "\"x\""),
            ("\"a\" + 1 + 2", "string", "\"a12\""),
            ("1 + 2 + \"a\"", "string", "\"3a\""),
            ("whole == \"whole\"", "bool", "true"),
            ("none == null", "bool", "true"),
            ("whole == none", "bool", "false"),
            ("(byte)i", "byte", "7"),
            ("(sbyte)b", "sbyte", "-56"),
            ("(short)us", "short", "-5536"),
            ("(uint)sb", "uint", "4294967293"),
            ("(ulong)sb", "ulong", "18446744073709551613"),
            ("(char)(c + 1)", "char", "100 'd'"),
            ("(int)c", "int", "99"),
            ("(long)u", "long", "7"),
            ("2147483648 - 1", "uint", "2147483647"),
            ("-2147483648 + 0", "int", "-2147483648"),
            ("1_000 + 1", "int", "1001"),
            ("07 + 1", "int", "8"),
            ("i - -1", "int", "8"),
            ("i - - -1", "int", "6"),
            ("(i + 1) * 2", "int", "16"),
            ("10 - 4 - 3", "int", "3"),
            ("2 + 3 * 4", "int", "14"),
            ("7 / 2 * 2", "int", "6"),
            ("1 << 2 + 1", "int", "8"),
            ("i > 3 == true", "bool", "true"),
            ("\"a\\0b\" + \"c\"", "string", "\"a\\0bc\""),
            ("cut == \"a\\0b\\0\"", "bool", "true"),
            ("cut == \"a\"", "bool", "false"),
            ("b + 1 == 201", "bool", "true"),
            ("nil == null", "bool", "true"),
            ("nil > 1", "bool", "false"),
            ("unsure & false", "bool", "false"),
            ("true | unsure", "bool", "true"),
            ("five == 5", "bool", "true"),
            ("(long)max * 2", "long", "4294967294"),
            ("u * 700000000", "uint", "605032704"),
            ("us << 16", "int", "-362807296"),
            ("'\\n' + 0", "int", "10"),
            ("\"x\" + 'y' + 'z'", "string", "\"xyz\""),
            ("none is null", "bool", "true"),
            ("none is not null", "bool", "false"),
            ("u % 4", "uint", "3"),
            ("c * 2", "int", "198"),
            ("max - -1", "int", "-2147483648"),
            ("ul / 2", "ulong", "3"),
            ("sb / 2", "int", "-1"),
            ("b - 201", "int", "-1"),
            ("u - 8u", "uint", "4294967295"),
            ("m == 1.10m", "bool", "true"),
            ("m > 1", "bool", "true"),
            ("m * 2", "decimal", "2.2"),
            ("m + 1_000m", "decimal", "1001.1"),
            ("-m", "decimal", "-1.1"),
            ("m / 3", "decimal", "0.3666666666666666666666666667"),
            ("-m % 0.30m", "decimal", "-0.20"),
            ("1e3m == 1_000", "bool", "true"),
            ("(int)m", "int", "1"),
            ("(decimal)i + m", "decimal", "8.1"),
            ("i > 3 & yes", "bool", "true"),
        ] {
            let expr = parse(text).unwrap_or_else(|| panic!("{text} is not parsed"));
            let read = compute(&expr).unwrap().unwrap_or_else(|| panic!("{text} is the adapter's")).into_raw();
            assert_eq!((read.type_name.as_str(), read.value.as_str()), (type_name, value), "{text}");
        }
    }

    #[test]
    fn what_the_compiler_refuses_has_no_value() {
        let ambiguous =
            |sign, left, right| format!("operator '{sign}' is ambiguous on operands of type '{left}' and '{right}'");
        let none = |sign, left, right| {
            format!("operator '{sign}' cannot be applied to operands of type '{left}' and '{right}'")
        };
        for (text, expected) in [
            ("ul + i", ambiguous("+", "ulong", "int")),
            ("ul + sb", ambiguous("+", "ulong", "sbyte")),
            ("ul - -1", ambiguous("-", "ulong", "int")),
            ("ul > l", ambiguous(">", "ulong", "long")),
            ("-ul", "operator '-' cannot be applied to operand of type 'ulong'".into()),
            ("yes + 1", none("+", "bool", "int")),
            ("yes == 1", none("==", "bool", "int")),
            ("whole == 1", none("==", "string", "int")),
            ("whole < whole", none("<", "string", "string")),
            ("whole - 1", none("-", "string", "int")),
            ("m + d", none("+", "decimal", "double")),
            ("i << u", none("<<", "int", "uint")),
            ("2147483647 + 1", "the operation overflows at compile time in checked mode".into()),
            ("0xffffffff + 1", "the operation overflows at compile time in checked mode".into()),
            ("(byte)300", "constant value '300' cannot be converted to a 'byte'".into()),
        ] {
            assert_eq!(compute(&parse(text).unwrap()), Err(Fault::Compile(expected)), "{text}");
        }
        for text in ["i / zero", "i % zero", "ul / 0"] {
            let thrown = Fault::Throws("System.DivideByZeroException: Attempted to divide by zero.".into());
            assert_eq!(compute(&parse(text).unwrap()), Err(thrown), "{text}");
        }
        for text in ["lmin / -1", "lmin % -1"] {
            let thrown =
                Fault::Throws("System.OverflowException: Arithmetic operation resulted in an overflow.".into());
            assert_eq!(compute(&parse(text).unwrap()), Err(thrown), "{text}");
        }
    }

    #[test]
    fn floating_numbers_and_operators_of_the_program_are_the_adapters() {
        for text in ["d + 1", "o + o", "-d", "\"x\" + d", "o == i"] {
            assert_eq!(compute(&parse(text).unwrap()), Ok(None), "{text}");
        }
    }

    #[test]
    fn what_has_no_operator_or_is_not_known_is_left_alone() {
        for text in [
            "i",
            "7",
            "order.Total",
            "F(a + b)",
            "list[i - 1]",
            "(a ?? b).Name",
            "p.Gen<int>(3)",
            "x?.Name",
            "\"a\".Length",
            "new Pt() + 1",
            "x is Pt p",
            "x is { X: 3 }",
            "x => x + 1",
            "i = 6",
            "i += 1",
            "i++",
            "$\"{i}\"",
            "typeof(int) == t",
            "i is > 3",
            "a +",
            "",
            "(",
            "Outer<int>.Count",
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
        let operands = |text: &str| match parse(text) {
            Some(Expr::Binary(left, _, right)) => (*left, *right),
            other => panic!("{text}: {other:?}"),
        };
        assert_eq!(operands("a.F(\")\", b < c)[0] <= p.Gen<int>(3)").0, Expr::Operand("a.F(\")\", b < c)[0]".into()));
        assert_eq!(operands("x?.Name == o").0, Expr::Operand("x?.Name".into()));
        assert_eq!(operands("a < b").1, Expr::Operand("b".into()));
    }
}
