use proptest::prelude::*;

use super::*;

/// With a bracket around all that has parts.
fn shown(expr: &Expr) -> String {
    let all = |exprs: &[Argument]| exprs.iter().map(|argument| shown(&argument.value)).collect::<Vec<_>>().join(" ");
    match &expr.kind {
        ExprKind::Literal(value) => format!("{value:?}"),
        ExprKind::Name { alias, name } => {
            format!("{}{}", alias.as_ref().map(|alias| format!("{alias}::")).unwrap_or_default(), named(name))
        }
        ExprKind::Predefined(keyword) => (*keyword).to_owned(),
        ExprKind::MemberAccess { of, name, .. } => format!("{}.{}", shown(of), named(name)),
        ExprKind::ElementAccess { of, arguments } => format!("{}[{}]", shown(of), all(arguments)),
        ExprKind::Invocation { of, arguments } => format!("{}({})", shown(of), all(arguments)),
        ExprKind::ConditionalAccess { of, then } => format!("({} ?? {})", shown(of), shown(then)),
        ExprKind::Receiver => "_".into(),
        ExprKind::Unary { operator, of } => format!("({operator:?} {})", shown(of)),
        ExprKind::Binary { operator, left, right } => format!("({} {} {})", shown(left), operator.sign(), shown(right)),
        ExprKind::Assignment { target, operator, value } => {
            format!("({} {}= {})", shown(target), operator.map_or("", BinaryOp::sign), shown(value))
        }
        ExprKind::Conditional { condition, then, otherwise } => {
            format!("({} ? {} : {})", shown(condition), shown(then), shown(otherwise))
        }
        ExprKind::Cast { type_, of } => format!("(({}) {})", typed(type_), shown(of)),
        ExprKind::Is { of, pattern } => format!("({} is {})", shown(of), pattern_of(pattern)),
        ExprKind::As { of, type_ } => format!("({} as {})", shown(of), typed(type_)),
        ExprKind::Tuple(elements) => format!("tuple({})", all(elements)),
        ExprKind::TypeOf(type_) => format!("typeof({})", typed(type_)),
        ExprKind::NameOf(of) => format!("nameof({})", shown(of)),
        ExprKind::Lambda(lambda) => {
            let names: Vec<_> = lambda.parameters.iter().map(|parameter| parameter.name.as_str()).collect();
            format!("({} => {})", names.join(" "), shown(&lambda.body))
        }
        ExprKind::Range { start, end } => {
            let bound = |bound: &Option<Box<Expr>>| bound.as_ref().map_or(String::new(), |bound| shown(bound));
            format!("({}..{})", bound(start), bound(end))
        }
        ExprKind::Interpolated(pieces) => {
            let pieces: Vec<_> = pieces
                .iter()
                .map(|piece| match piece {
                    Piece::Text(text) => String::from_utf16_lossy(text),
                    Piece::Hole { value, alignment, format } => format!(
                        "{{{}{}{}}}",
                        shown(value),
                        alignment.as_ref().map_or(String::new(), |alignment| format!(",{}", shown(alignment))),
                        format.as_ref().map_or(String::new(), |format| format!(":{format}"))
                    ),
                })
                .collect();
            format!("${}", pieces.join("|"))
        }
        other => {
            let name = format!("{other:?}");
            let name = name.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default().to_owned();
            format!("{name}({})", expr.children().into_iter().map(shown).collect::<Vec<_>>().join(" "))
        }
    }
}

fn named(name: &Name) -> String {
    match name.types.as_slice() {
        [] => name.text.clone(),
        types => format!("{}<{}>", name.text, types.iter().map(typed).collect::<Vec<_>>().join(",")),
    }
}

fn typed(type_: &TypeName) -> String {
    match &type_.kind {
        TypeKind::Predefined(keyword) => (*keyword).to_owned(),
        TypeKind::Named { names, .. } => names.iter().map(named).collect::<Vec<_>>().join("."),
        TypeKind::Nullable(of) => format!("{}?", typed(of)),
        TypeKind::Array { of, rank } => format!("array{rank} of {}", typed(of)),
        TypeKind::Pointer(of) => format!("{}*", typed(of)),
        TypeKind::Tuple(elements) => {
            format!("({})", elements.iter().map(|(of, _)| typed(of)).collect::<Vec<_>>().join(","))
        }
        TypeKind::Omitted => String::new(),
    }
}

fn pattern_of(pattern: &Pattern) -> String {
    match &pattern.kind {
        PatternKind::Discard => "_".into(),
        PatternKind::Var(name) => format!("var {name}"),
        PatternKind::Constant(value) => shown(value),
        PatternKind::Type { type_, name } => format!("type {} {}", typed(type_), name.clone().unwrap_or_default()),
        PatternKind::Relational { operator, value } => format!("{} {}", operator.sign(), shown(value)),
        PatternKind::Not(inner) => format!("not({})", pattern_of(inner)),
        PatternKind::And(left, right) => format!("({} and {})", pattern_of(left), pattern_of(right)),
        PatternKind::Or(left, right) => format!("({} or {})", pattern_of(left), pattern_of(right)),
        PatternKind::Recursive { type_, positional, properties, name } => {
            let positional = positional.iter().flatten().map(|(_, pattern)| pattern_of(pattern));
            let properties = properties
                .iter()
                .flatten()
                .map(|property| format!("{}: {}", property.path.join("."), pattern_of(&property.pattern)));
            let parts: Vec<_> = positional.chain(properties).collect();
            let type_ = type_.as_ref().map(typed).unwrap_or_default();
            format!("{type_}{{{}}}{}", parts.join(", "), name.clone().unwrap_or_default())
        }
        PatternKind::List { elements, .. } => {
            format!("[{}]", elements.iter().map(pattern_of).collect::<Vec<_>>().join(", "))
        }
        PatternKind::Slice(inner) => format!("..{}", inner.as_ref().map(|inner| pattern_of(inner)).unwrap_or_default()),
    }
}

#[test]
fn operators_bind_as_in_csharp() {
    for (text, expected) in [
        ("a + b * c", "(a + (b * c))"),
        ("a - b - c", "((a - b) - c)"),
        ("a ?? b ?? c", "(a ?? (b ?? c))"),
        ("a = b = c", "(a = (b = c))"),
        ("a ? b : c ? d : e", "(a ? b : (c ? d : e))"),
        ("a >> 2 > b", "((a >> Int(2)) > b)"),
        ("a >>> 2", "(a >>> Int(2))"),
        ("a >>= 2", "(a >>= Int(2))"),
        ("a >>>= b", "(a >>>= b)"),
        ("a < b == c > d", "((a < b) == (c > d))"),
        ("a | b ^ c & d", "(a | (b ^ (c & d)))"),
        ("!a.b", "(Not a.b)"),
        ("-a++", "(Minus (PostIncrement a))"),
        ("x[^1]", "x[(FromEnd Int(1))]"),
        ("x[1..^2]", "x[(Int(1)..(FromEnd Int(2)))]"),
        ("x[..]", "x[(..)]"),
        ("x[2..]", "x[(Int(2)..)]"),
        ("a! + b", "((NullForgiving a) + b)"),
        ("a ?? throw b", "(a ?? Throw(b))"),
    ] {
        assert_eq!(parse(text).as_ref().map(shown), Ok(expected.to_owned()), "{text}");
    }
}

#[test]
fn names_types_and_comparisons_are_distinguished() {
    for (text, expected) in [
        ("a < b", "(a < b)"),
        ("f(a < b, c > (d))", "f(a<b,c>(d))"),
        ("f(a < b, c > d)", "f((a < b) (c > d))"),
        ("List<int>.Empty", "List<int>.Empty"),
        ("a.Of<Dictionary<string, List<int>>>()", "a.Of<Dictionary<string,List<int>>>()"),
        ("global::System.Math.PI", "global::System.Math.PI"),
        ("(a) + b", "(a + b)"),
        ("(a)b", "((a) b)"),
        ("(a)(b)", "((a) b)"),
        ("(a) is b", "(a is b)"),
        ("(int)-b", "((int) (Minus b))"),
        ("(a)-b", "(a - b)"),
        ("(A?)-b", "((A?) (Minus b))"),
        ("(int[][,])x", "((array1 of array2 of int) x)"),
        ("(a)!.b", "(NullForgiving a).b"),
        ("(a)!b", "((a) (Not b))"),
        ("a?.b.c(1)?.d", "(a ?? (_.b.c(Int(1)) ?? _.d))"),
        ("a?[0].b", "(a ?? _[Int(0)].b)"),
        ("a ? .5 : 1", "(a ? Double(0.5) : Int(1))"),
        ("a ? [1] : [2]", "(a ? Collection(Int(1)) : Collection(Int(2)))"),
        ("a is B ? c : d", "((a is B) ? c : d)"),
        ("a is int? ? c : d", "((a is type int? ) ? c : d)"),
        ("a as B ?? c", "((a as B) ?? c)"),
        ("a is B && c", "((a is B) && c)"),
        ("nint.Zero", "nint.Zero"),
        ("int.Parse(s)", "int.Parse(s)"),
        ("@class.@int", "class.int"),
        ("$exception.Message", "$exception.Message"),
        ("@1f3.Name", "@1f3.Name"),
        ("await + nint", "(await + nint)"),
        ("typeof(Dictionary<,>)", "typeof(Dictionary<,>)"),
        ("nameof(a.b)", "nameof(a.b)"),
        ("\\u0061bc", "abc"),
        ("a /* b */ + c // d", "(a + c)"),
        ("async", "async"),
        ("from", "from"),
        ("(int x, var y) = z", "(tuple(Declaration() Declaration()) = z)"),
        ("(x * y)", "(x * y)"),
    ] {
        assert_eq!(parse(text).as_ref().map(shown), Ok(expected.to_owned()), "{text}");
    }
}

#[test]
fn patterns_lambdas_queries_and_objects_are_read() {
    for (text, expected) in [
        ("x is null or > 3 and not 5", "(x is (Literal or (> Int(3) and not(Int(5)))))"),
        ("x is Order { Lines.Count: > 0, Name: \"a\" } o", "(x is Order{Lines.Count: > Int(0), Name: String([97])}o)"),
        ("x is (1, _)", "(x is {Int(1), _})"),
        ("x is [1, .., var last]", "(x is [Int(1), .., var last])"),
        ("x is (> 1)", "(x is > Int(1))"),
        ("x is var y && y > 1", "((x is var y) && (y > Int(1)))"),
        ("x is int n ? n : 0", "((x is type int n) ? n : Int(0))"),
        ("x switch { 1 => a, > 2 when b => c, _ => d }", "Switch(x Int(1) a Int(2) b c d)"),
        ("x with { A = 1 }", "With(x A Int(1))"),
        ("x => x.A", "(x => x.A)"),
        ("(int x, y) => x", "(x y => x)"),
        ("async () => { return 1; }", "( => Block(Int(1)))"),
        ("xs.Where(x => x > 1).Sum()", "xs.Where((x => (x > Int(1)))).Sum()"),
        ("from x in xs where x > 1 orderby x descending select x.A", "Query(xs (x > Int(1)) x x.A)"),
        ("from x in xs join y in ys on x.A equals y.A select (x)y", "Query(xs ys x.A y.A ((x) y))"),
        ("new List<int> { 1, 2 }", "New(Int(1) Int(2))"),
        ("new A(1) { B = 2, [3] = 4 }", "New(Int(1) B Int(2) _[Int(3)] Int(4))"),
        ("new int[2, 3]", "NewArray(Int(2) Int(3))"),
        ("new[] { 1, 2 }", "NewArray(Int(1) Int(2))"),
        ("new { a.B, C = 1 }", "Anonymous(a.B Int(1))"),
        ("[1, ..xs]", "Collection(Int(1) xs)"),
        ("(1, b: 2)", "tuple(Int(1) Int(2))"),
        ("f(out var x, ref y, name: 3)", "f(Declaration() y Int(3))"),
        ("$\"a{b,5:x2}c{{d\"", "$a|{b,Int(5):x2}|c{d"),
        ("$\"{(a ? b : c)}\"", "${(a ? b : c)}"),
        ("$@\"{a}\"\"\"", "${a}|\""),
        ("$$\"\"\"{a} {{b}}\"\"\"", "${a} |{b}"),
    ] {
        let expected = expected.replace("Literal or", "Null or");
        assert_eq!(parse(text).as_ref().map(shown), Ok(expected), "{text}");
    }
}

#[test]
fn literals_have_the_types_that_csharp_gives_them() {
    use LiteralValue::*;
    let text = |text: &str| String(text.encode_utf16().collect());
    for (literal, expected) in [
        ("2147483647", Int(i32::MAX)),
        ("2147483648", UInt(0x8000_0000)),
        ("-2147483648", Int(i32::MIN)),
        ("-9223372036854775808", Long(i64::MIN)),
        ("4294967296", Long(1 << 32)),
        ("0xFFFF_FFFF", UInt(u32::MAX)),
        ("0b101", Int(5)),
        ("1u", UInt(1)),
        ("1L", Long(1)),
        ("18446744073709551615", ULong(u64::MAX)),
        ("1.5", Double(1.5)),
        (".5f", Single(0.5)),
        ("1e3", Double(1000.0)),
        ("1d", Double(1.0)),
        ("1.50m", Decimal(crate::Decimal::parse("1.50").unwrap_or_else(|| 0.into()))),
        ("'a'", Char(97)),
        (r"'\u0041'", Char(65)),
        (r"'\''", Char(39)),
        (r#""a\tb\x41\U0001F600""#, text("a\tb\x41\u{1f600}")),
        (r#"@"a\""b""#, text("a\\\"b")),
        (r#""""a"b""""#, text("a\"b")),
        ("\"\"\"\n  a\n   b\n\n  \"\"\"", text("a\n b\n")),
        (r#""é"u8"#, Utf8(vec![0xc3, 0xa9])),
        (r#""""#, text("")),
        (r#""\ud83d""#, String(vec![0xd83d])),
        ("null", Null),
        ("true", Bool(true)),
    ] {
        assert_eq!(parse(literal).map(|expr| expr.kind), Ok(ExprKind::Literal(expected)), "{literal}");
    }
}

/// Codes and words are the compiler's; which of them csc prints for such a text in a statement was not compared.
#[test]
fn what_is_no_expression_is_refused_in_the_words_of_the_compiler() {
    for (text, expected, at) in [
        ("", "error CS1733: Expected expression", 0),
        ("1 +", "error CS1733: Expected expression", 3),
        ("a..b c", "error CS1073: Unexpected token 'c'", 5),
        ("f(1", "error CS1026: ) expected", 3),
        ("a[", "error CS1733: Expected expression", 2),
        ("a[]", "error CS0443: Syntax error; value expected", 2),
        ("'ab'", "error CS1012: Too many characters in character literal", 2),
        ("\"a", "error CS1010: Newline in constant", 2),
        ("99999999999999999999", "error CS1021: Integral constant is too large", 20),
        (r#""\q""#, "error CS1009: Unrecognized escape sequence", 3),
        ("a ` b", "error CS1056: Unexpected character '`'", 2),
        (
            "if (a) b",
            "error CS1525: `if` is a statement, and only expressions can be evaluated: write `condition ? one : other`",
            0,
        ),
        ("a.class", "error CS1041: Identifier expected; 'class' is a keyword", 2),
        ("new A", "error CS1526: A new expression requires an argument list or (), [], or {} after type", 5),
        ("a ? b", "error CS1003: Syntax error, ':' expected", 5),
        ("a; b", "error CS1073: Unexpected token 'b'", 3),
        ("1x", "error CS1013: Invalid number", 2),
        ("1__", "error CS1013: Invalid number", 3),
        ("1_.5", "error CS1013: Invalid number", 2),
        ("from x in y where z", "error CS0742: A query body must end with a select clause or a group clause", 19),
    ] {
        let error = parse(text).expect_err(text);
        assert_eq!((error.to_string().as_str(), error.at), (expected, at), "{text}");
    }
}

#[test]
fn no_text_outgrows_the_stack_or_takes_without_end() {
    for piece in [
        "(",
        "-",
        "a.b(",
        "a?.",
        "x => ",
        "x is (",
        "x is not ",
        "a[",
        "f(nameof(",
        "[",
        "$\"{",
        "new[] {",
        "a + ",
        "a ?? ",
        "a < ",
        "(A<",
        "x is T(",
        "new { a = ",
        "a ? ",
        "f(out ",
    ] {
        for times in [50, 5_000] {
            assert!(parse(&piece.repeat(times)).is_err(), "{piece}");
        }
    }
    let deep = format!("a{}", ".b".repeat(5_000));
    assert_eq!(parse(&deep).map_err(|error| error.code), Err("CS8078"));
}

proptest! {
    #[test]
    fn no_text_is_a_panic(text in r#"([a-z@$"'0-9(){}\[\]<>?.,:;=+*/!&|^~ \\-]|=>|is|new|\?\.|\$"|"""|from|in|select|switch|é){0,40}"#) {
        if let Err(error) = parse(&text) {
            prop_assert!(error.at <= text.len() && text.is_char_boundary(error.at), "{}", error);
        }
    }
}
