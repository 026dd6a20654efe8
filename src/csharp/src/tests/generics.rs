//! Values whose type is a type parameter in the source.

use super::{described, program, types};
use crate::run::{Limits, evaluate};
use crate::syntax;
use crate::types::{Type, TypeSystem};
use crate::world::Variable;

/// In code with a type parameter `T` that stands for `int`, as what `a` is declared, but `b` is not.
fn in_generic_code(types: &TypeSystem, text: &str) -> String {
    let (mut program, mut scope) = program();
    scope.type_parameters = vec![("T".into(), Type::INT)];
    scope.of_parameters = vec![0];
    described(evaluate(&mut program, (types, &scope), &syntax::parse(text).unwrap(), Limits::default()))
}

#[test]
fn what_a_type_parameter_stands_for_is_tested_when_it_runs() {
    let Some(types) = types() else { return };
    let rows = [
        ("a is string s", "false"),
        ("a is string { Length: > 5 }", "false"),
        ("a is int n && n == 1", "true"),
        ("a as string", "null"),
        ("(a?.CompareTo(2)).HasValue", "true"),
        ("a ?? default(T)", "1"),
        ("a switch { string s => s, int n => \"a number\" }", "\"a number\""),
        ("a switch { \"x\" => 1, 1 => 2, _ => 3 }", "2"),
        ("a is 1", "true"),
        ("a is (byte)1 or 1L", "false"),
        ("a is > (byte)0", "false"),
        ("a is int and (byte)1", "true"),
        ("b is (byte)2", "true"),
        ("s is T", "false"),
        ("s is T t", "false"),
    ];
    for (text, expected) in rows {
        assert_eq!(in_generic_code(&types, text), expected, "{text}");
    }
    // of a `T` that stands for `int` it is false, of an `int` it is true
    assert!(in_generic_code(&types, "b + 0 is (byte)2").starts_with("refused: a type parameter stands for 'int' here"));
}

#[test]
fn elsewhere_the_compiler_refuses_the_same() {
    let Some(types) = types() else { return };
    let rows = [
        ("a is string s", "CS8121"),
        ("a as string", "CS0039"),
        ("a?.ToString()", "CS0023"),
        ("a ?? 0", "CS0019"),
        ("s is int n", "CS8121"),
        ("DateTime.Now ?? default", "CS0019"),
    ];
    super::check(&types, &rows);
}

#[test]
fn a_number_beside_null_is_one_that_may_be_null() {
    let Some(types) = types() else { return };
    let rows = [("a == null", "false"), ("null != a", "true"), ("1.5m == null", "false"), ("a < null", "false")];
    super::check(&types, &rows);
    super::check(&types, &[("new Index(1) == null", "CS0019"), ("(a + null) == null", "true")]);
}

#[test]
fn what_a_type_parameter_stands_for_may_not_be_known() {
    let Some(types) = types() else { return };
    let (_, mut scope) = program();
    scope.type_parameters = vec![("T".into(), Type::TypeParameter(0)), ("TResult".into(), Type::MethodParameter(0))];
    scope.variables.push(Variable { name: "held".into(), type_: Some(Type::TypeParameter(0)) });
    let answer = |text: &str| {
        let (mut program, _) = program();
        described(evaluate(&mut program, (&types, &scope), &syntax::parse(text).unwrap(), Limits::default()))
    };
    assert_eq!(answer("nameof(T)"), "\"T\"");
    let of_type =
        ["typeof(T).Name", "default(T)", "new List<T>()", "s is T", "(T)s", "T.Parse(s)", "held > 1", "(int)held"];
    for text in of_type {
        assert!(answer(text).starts_with("refused: `T` is a type parameter"), "{text}: {}", answer(text));
    }
    assert!(answer("typeof(TResult)").starts_with("refused: `TResult` is a type parameter"));
}

#[test]
fn static_members_of_what_a_type_parameter_is_bound_to_are_those_of_the_type_that_it_stands_for() {
    let Some(types) = types() else { return };
    let answer = |text: &str| {
        let (mut program, mut scope) = program();
        let number = Type::named("System.Numerics.INumber`1", vec![Type::INT]);
        scope.type_parameters = vec![("T".into(), Type::INT)];
        scope.bounds = vec![(Type::INT, vec![number])];
        described(evaluate(&mut program, (&types, &scope), &syntax::parse(text).unwrap(), Limits::default()))
    };
    let rows = [
        ("T.Zero", "asked the program: int.System.Numerics.INumberBase<System.Int32>.get_Zero"),
        ("T.IsZero(a)", "asked the program: int.System.Numerics.INumberBase<System.Int32>.IsZero"),
        ("T.Max(a, b)", "asked the program: int.Max"),
        ("int.Zero", "error CS0117: 'int' does not contain a definition for 'Zero'"),
    ];
    for (text, expected) in rows {
        assert!(answer(text).starts_with(expected), "{text}: {}", answer(text));
    }
}
