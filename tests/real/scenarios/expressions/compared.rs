//! Whether a value as `evaluate` shows it is one as the oracle writes it (`tests/oracle-expressions/Shown.cs`).
//!
//! `evaluate` sums up what is long or deep, and writes literals with their suffixes; the oracle names the enum before its member, and
//! writes other objects as `{Type}`.

use serde_json::{Value, json};

use crate::harness;

harness::tests! {
    values_are_compared_as_they_are_shown;
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Match {
    Equal,
    /// The value, but not its type.
    Near,
    /// The answer shows too little.
    Unclear,
    Differs,
}

use Match::{Differs, Equal, Near, Unclear};

impl Match {
    /// Of both: what differs is said before what is not shown, that before another type.
    fn and(self, other: impl FnOnce() -> Self) -> Self {
        if self == Differs { Differs } else { self.max(other()) }
    }

    fn from(same: bool) -> Self {
        if same { Equal } else { Differs }
    }
}

/// An answer of evaluate, or a row of variables_get. `type_name` is the static type; empty: any.
pub fn compare(type_name: &str, expected: &str, answer: &Value) -> Match {
    let Some(value) = answer["value"].as_str() else { return Unclear };
    if type_name == "void" {
        return if value == "null" { Near } else { Match::from(value == "void") };
    }
    let shown_type = answer["type"].as_str();
    let is_typed = match shown_type {
        _ if !is_scalar(type_name, expected) => true,
        Some(shown) if type_name.starts_with('(') => shown == type_name,
        Some(shown) => last_name(shown) == last_name(type_name),
        None => type_of_literal(value) == type_name,
    };
    let values = match object_name(expected) {
        // An object is what its type says, however it is shown.
        Some(name) => match shown_type {
            Some(shown) if value != "null" => Match::from(last_name(shown).trim_end_matches('?') == last_name(name)),
            _ => Differs,
        },
        None => same(expected, value),
    };
    if is_typed { values } else { Near.and(|| values) }
}

/// The elements or members that variables_get lists, beside a sequence, dictionary or tuple.
pub fn compare_listed(expected: &str, listed: &Value) -> Match {
    let is_tuple = expected.starts_with('(');
    let dictionary =
        inner(expected, '{', '}').filter(|_| object_name(expected).is_none() && !expected.starts_with("{ "));
    let parts = dictionary.or_else(|| inner(expected, '[', ']')).or_else(|| inner(expected, '(', ')'));
    let (Some(parts), true) = (parts.map(split), listed["next_start"].is_null()) else { return Unclear };
    let (elements, rows) = (listed["elements"].as_array(), listed["variables"].as_array());
    if let Some(elements) = elements.filter(|it| it.len() == parts.len() && !it.is_empty()) {
        let elements: Vec<&str> = elements.iter().filter_map(Value::as_str).collect();
        return all(&parts, &elements);
    }
    let rows = rows.map(Vec::as_slice).unwrap_or_default();
    let has_key = |row: &Value| row["name"].as_str().is_some_and(|name| name.starts_with('['));
    if rows.len() != parts.len() || !is_tuple && !rows.iter().all(has_key) {
        return Unclear;
    }
    let row = |(part, row): (&&str, &Value)| match dictionary.and_then(|_| entry(part)) {
        Some((key, value)) => {
            let shown = row["name"].as_str().and_then(|name| inner(name, '[', ']')).unwrap_or_default();
            nested(key, shown).and(|| compare("", value, row))
        }
        None => compare("", part, row),
    };
    parts.iter().zip(rows).map(row).fold(Equal, |all, one| all.and(|| one))
}

/// `CS1234` in a message.
pub fn code_of(message: &str) -> Option<&str> {
    let at = message.find("CS")?;
    let code = message.get(at..at + 6)?;
    code[2..].bytes().all(|it| it.is_ascii_digit()).then_some(code)
}

const KEYWORDS: &[&str] = &[
    "bool", "byte", "sbyte", "char", "short", "ushort", "int", "uint", "long", "ulong", "nint", "nuint", "float",
    "double", "decimal", "string",
];

/// A type that an answer must name, or show by its literal: an object's may be that of the object.
fn is_scalar(type_name: &str, expected: &str) -> bool {
    KEYWORDS.contains(&type_name.trim_end_matches('?'))
        || type_name.starts_with('(')
        || member_of_enum(expected).is_some_and(|it| it == last_name(type_name))
}

fn type_of_literal(value: &str) -> &'static str {
    match value {
        "true" | "false" => "bool",
        _ if value.starts_with('"') => "string",
        _ if value.starts_with('\'') => "char",
        _ if value.ends_with("UL") => "ulong",
        _ if value.ends_with('L') => "long",
        _ if value.ends_with('U') => "uint",
        _ if value.ends_with('m') => "decimal",
        _ if value.starts_with("float.") || value.ends_with('f') => "float",
        _ if value.starts_with("double.") || value.contains(['.', 'E']) => "double",
        _ => "int",
    }
}

/// Without the types around, which not all name.
fn last_name(type_name: &str) -> &str {
    let head = type_name.find(['<', '[', '(']).unwrap_or(type_name.len());
    let start = type_name[..head].rfind('.').map_or(0, |at| at + 1);
    &type_name[start..]
}

/// `Color` of `Color.Red | Color.Blue`.
fn member_of_enum(expected: &str) -> Option<&str> {
    let (name, member) = expected.split(" | ").next()?.split_once('.')?;
    let is_name =
        |text: &str| text.starts_with(char::is_alphabetic) && text.chars().all(|c| c.is_alphanumeric() || c == '_');
    (is_name(name) && is_name(member)).then_some(name)
}

/// `Pt` of `{Pt}`.
fn object_name(expected: &str) -> Option<&str> {
    let name = inner(expected, '{', '}')?;
    (!name.is_empty() && !name.starts_with(' ') && entry(name).is_none()).then_some(name)
}

fn inner(text: &str, open: char, close: char) -> Option<&str> {
    text.strip_prefix(open)?.strip_suffix(close)
}

fn same(expected: &str, shown: &str) -> Match {
    if expected == shown {
        return Equal;
    }
    if shown == "{…}" {
        return Unclear;
    }
    if expected.starts_with(['"', '\'']) {
        return Match::from(expected.chars().next() == shown.chars().next() && unescaped(expected) == unescaped(shown));
    }
    if let Some(parts) = inner(expected, '[', ']') {
        return sequence(parts, shown);
    }
    if let Some(parts) = inner(expected, '(', ')') {
        let Some(elements) = inner(shown, '(', ')') else { return Differs };
        // the oracle leaves the names to the type
        let elements: Vec<&str> =
            split(elements).into_iter().map(|it| entry(it).map_or(it, |(_, value)| value)).collect();
        return all(&split(parts), &elements);
    }
    if let Some(members) = expected.strip_prefix("{ ").and_then(|it| it.strip_suffix(" }")) {
        return members_of(members, shown);
    }
    if object_name(expected).is_some() {
        return if shown == "null" { Differs } else { Equal };
    }
    if let Some(entries) = inner(expected, '{', '}') {
        let Some(elements) = inner(shown, '[', ']') else { return opaque(shown) };
        let (entries, elements) = (split(entries), split(elements));
        let elements: Vec<&str> = elements.into_iter().filter(|it| *it != "…").collect();
        let pairs: Option<Vec<_>> = entries
            .iter()
            .zip(&elements)
            .map(|(a, b)| Some((entry(a)?, b.strip_prefix('[')?.split_once("]=")?)))
            .collect();
        let Some(pairs) = pairs else { return Differs };
        let each = pairs.into_iter().map(|(a, b)| nested(a.0, b.0).and(|| nested(a.1, b.1)));
        return Match::from(entries.len() == elements.len()).and(|| each.fold(Equal, |all, one| all.and(|| one)));
    }
    if member_of_enum(expected).is_some() {
        let members: Vec<&str> = expected.split(" | ").filter_map(|it| it.split_once('.')).map(|it| it.1).collect();
        let shown: Vec<&str> = shown.split(" | ").map(|it| it.rsplit('.').next().unwrap_or(it)).collect();
        return Match::from(members == shown);
    }
    if expected.starts_with("typeof(") && shown.starts_with("typeof(") {
        // One with namespaces and names of the runtime's.
        return Unclear;
    }
    number(expected, shown)
}

fn sequence(parts: &str, shown: &str) -> Match {
    let parts = split(parts);
    let Some(elements) = inner(shown, '[', ']') else {
        // The oracle writes a pair as a sequence of two.
        let pair: Option<Vec<&str>> = inner(shown, '{', '}')
            .map(|it| split(it).into_iter().filter_map(|it| it.split_once('=').map(|it| it.1)).collect());
        return match pair {
            Some(pair) if shown.starts_with("{Key=") && pair.len() == 2 => all(&parts, &pair),
            _ => opaque(shown),
        };
    };
    let mut elements: Vec<&str> = split(elements).into_iter().map(without_key).collect();
    let is_cut = elements.last().is_some_and(|last| *last == "…");
    if !is_cut {
        return all(&parts, &elements);
    }
    elements.pop();
    let first = &parts[..parts.len().min(elements.len())];
    all(first, &elements).and(|| Unclear)
}

/// What is under a key, where a sequence has keys, as lookups have.
fn without_key(element: &str) -> &str {
    element.strip_prefix('[').and_then(|it| it.split_once("]=")).map_or(element, |(_, value)| value)
}

fn members_of(members: &str, shown: &str) -> Match {
    let shown = shown.trim_matches(['{', '}', ' ']);
    let value = |member: &&str| member.split_once('=').map(|it| it.1.trim().to_owned());
    let expected: Vec<String> = split(members).iter().filter_map(value).collect();
    let shown: Vec<String> = split(shown).iter().filter_map(value).collect();
    if shown.len() < expected.len() {
        return Unclear;
    }
    let texts = |all: &[String]| all.iter().map(String::as_str).collect::<Vec<_>>().join(", ");
    all(&split(&texts(&expected)), &split(&texts(&shown)))
}

fn all(expected: &[&str], shown: &[&str]) -> Match {
    if expected.len() != shown.len() {
        return Differs;
    }
    expected.iter().zip(shown).fold(Equal, |so_far, (a, b)| so_far.and(|| nested(a, b)))
}

/// What is within another value may be summed up by its type.
fn nested(expected: &str, shown: &str) -> Match {
    match same(expected, shown) {
        Differs if is_summary(shown) && !["true", "false", "null"].contains(&expected) => Unclear,
        found => found,
    }
}

fn is_summary(shown: &str) -> bool {
    let counted = shown
        .strip_suffix(')')
        .and_then(|it| it.rsplit_once('('))
        .is_some_and(|(name, count)| !name.is_empty() && count.bytes().all(|it| it.is_ascii_digit()));
    let type_like = shown.trim_start_matches(['(', '<', '{']).starts_with(char::is_alphabetic)
        && !["true", "false", "null"].contains(&shown);
    counted || type_like || shown.contains('…') || shown == "[]" || shown.starts_with('{')
}

/// An object instead of what is in it.
fn opaque(shown: &str) -> Match {
    if shown.starts_with('{') || is_summary(shown) && !shown.starts_with('"') { Unclear } else { Differs }
}

fn number(expected: &str, shown: &str) -> Match {
    let literal = shown.trim_start_matches("double.").trim_start_matches("float.");
    let literal = literal.replace("PositiveInfinity", "Infinity").replace("NegativeInfinity", "-Infinity");
    let named = match literal.as_str() {
        "MaxValue" | "MinValue" | "Epsilon" => return Unclear,
        other => other,
    };
    if named == expected {
        return Equal;
    }
    let bare = named.trim_end_matches(['U', 'L', 'm']);
    if bare == expected {
        return Equal;
    }
    if let Some(single) = bare.strip_suffix('f') {
        return match (expected.parse::<f32>(), single.parse::<f32>()) {
            (Ok(a), Ok(b)) => Match::from(a.to_bits() == b.to_bits()),
            _ => Differs,
        };
    }
    match (expected.parse::<f64>(), bare.parse::<f64>()) {
        // `1.0` is a double, `1.0m` another decimal than `1m`.
        (Ok(a), Ok(b)) if !shown.ends_with('m') => Match::from(a.to_bits() == b.to_bits()),
        _ => Differs,
    }
}

fn entry(text: &str) -> Option<(&str, &str)> {
    let at = top_level(text, ": ").next()?;
    Some((&text[..at], &text[at + 2..]))
}

fn split(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut start = 0;
    for at in top_level(text, ", ") {
        parts.push(&text[start..at]);
        start = at + 2;
    }
    parts.push(&text[start..]);
    if text.is_empty() { Vec::new() } else { parts }
}

/// Where `mark` stands outside of brackets and texts.
fn top_level<'a>(text: &'a str, mark: &'a str) -> impl Iterator<Item = usize> + 'a {
    let (mut depth, mut quote, mut escaped) = (0usize, None, false);
    text.char_indices().filter_map(move |(at, c)| {
        match quote {
            Some(_) if escaped => escaped = false,
            Some(_) if c == '\\' => escaped = true,
            Some(open) if c == open => quote = None,
            Some(_) => {}
            None if c == '"' || c == '\'' => quote = Some(c),
            None if "([{<".contains(c) => depth += 1,
            None if ")]}>".contains(c) => depth = depth.saturating_sub(1),
            None => {}
        }
        (depth == 0 && quote.is_none() && text[at..].starts_with(mark)).then_some(at)
    })
}

/// Whether a text is what an adapter shows of it, which escapes nothing.
pub fn is_text(expected: &str, shown: &str) -> bool {
    let units: String = shown.encode_utf16().map(|unit| format!("{unit:x} ")).collect();
    expected.starts_with('"') && unescaped(expected) == units
}

/// The characters of a literal; the two sides escape other ones.
fn unescaped(literal: &str) -> String {
    let mut units: Vec<u16> = Vec::new();
    let mut chars = literal.chars();
    while let Some(c) = chars.next() {
        let unit = match c {
            '\\' => match chars.next() {
                Some('n') => '\n',
                Some('r') => '\r',
                Some('t') => '\t',
                Some('0') => '\0',
                Some('u') => {
                    let code: String = chars.by_ref().take(4).collect();
                    units.push(u16::from_str_radix(&code, 16).unwrap_or_default());
                    continue;
                }
                Some(other) => other,
                None => c,
            },
            c => c,
        };
        units.extend_from_slice(unit.encode_utf16(&mut [0; 2]));
    }
    // Half a pair is distinguished from another by its number.
    units.iter().map(|unit| format!("{unit:x} ")).collect()
}

fn values_are_compared_as_they_are_shown() {
    for (type_name, expected, answer, found) in [
        ("int", "3", json!({"value": "3"}), Equal),
        ("int", "3", json!({"value": "4"}), Differs),
        ("long", "3", json!({"value": "3L"}), Equal),
        ("long", "3", json!({"value": "3"}), Near),
        ("byte", "3", json!({"type": "byte", "value": "3"}), Equal),
        ("long", "3", json!({"value": "4"}), Differs),
        ("double", "1", json!({"value": "1.0"}), Equal),
        ("float", "2.1474836E+09", json!({"value": "2147483647f"}), Equal),
        ("double", "-0", json!({"value": "0.0"}), Differs),
        ("double", "NaN", json!({"value": "double.NaN"}), Equal),
        ("decimal", "2.50", json!({"value": "2.50m"}), Equal),
        ("decimal", "2.50", json!({"value": "2.5m"}), Differs),
        ("int?", "null", json!({"type": "int?", "value": "null"}), Equal),
        ("int?", "3", json!({"value": "3"}), Near),
        ("string", r#""a\u0007""#, json!({"value": r#""a\u0007""#}), Equal),
        ("string", r#""3""#, json!({"value": "3"}), Differs),
        ("char", r"'\ud83d'", json!({"value": r"'\ud83d'"}), Equal),
        ("Color", "Color.Red", json!({"type": "Color", "value": "Red"}), Equal),
        ("Color", "Color.Red", json!({"type": "Kind", "value": "Red"}), Near),
        ("Access", "Access.Read | Access.Write", json!({"type": "Access", "value": "Read | Write"}), Equal),
        ("object", "17", json!({"type": "object", "value": "17"}), Equal),
        ("Pt", "{Pt}", json!({"type": "Pt", "value": "{X=3}"}), Equal),
        ("Base", "{Derived}", json!({"type": "Base", "value": "{X=3}"}), Differs),
        ("Pt", "{Pt}", json!({"type": "Pt", "value": "null"}), Differs),
        ("List<int>", "[1, 2]", json!({"type": "List<int>", "value": "[1, 2]"}), Equal),
        ("List<int>", "[1, 2]", json!({"type": "List<int>", "value": "[1, 3]"}), Differs),
        ("List<int>", "[1, 2]", json!({"type": "List<int>", "value": "[1, …]"}), Unclear),
        ("List<int>", "[1, 2]", json!({"type": "List<int>", "value": "[2, …]"}), Differs),
        ("ILookup<int, Pt>", "[[{Pt}]]", json!({"value": "[[30]={Key=30, {X=1}}]"}), Unclear),
        ("List<string>", r#"["a, b", "c"]"#, json!({"value": r#"["a, b", "c"]"#}), Equal),
        ("int[][]", "[[1], [2, 3]]", json!({"value": "[int[](1), int[](2)]"}), Unclear),
        ("IEnumerable<int>", "[1, 2]", json!({"type": "Iterator", "value": "{count=0, +7 more}"}), Unclear),
        ("Dictionary<string, int>", r#"{"k": 42}"#, json!({"value": r#"[["k"]=42]"#}), Equal),
        ("Dictionary<string, int>", r#"{"k": 42}"#, json!({"value": r#"[["k"]=41]"#}), Differs),
        ("Dictionary<string, int>", "{}", json!({"value": "[]"}), Equal),
        ("KeyValuePair<string, int>", r#"["k", 42]"#, json!({"value": r#"{Key="k", Value=42}"#}), Equal),
        ("(int A, string B)", r#"(1, "b")"#, json!({"type": "(int A, string B)", "value": r#"(A: 1, B: "b")"#}), Equal),
        ("(int A, string B)", r#"(1, "b")"#, json!({"type": "(int, string)", "value": r#"(1, "b")"#}), Near),
        (
            "(int A, string B)",
            r#"(1, "b")"#,
            json!({"type": "(int A, string B)", "value": r#"(A: 2, B: "b")"#}),
            Differs,
        ),
        ("(string, int)", r#"("b: c", 1)"#, json!({"type": "(string, int)", "value": r#"("b: c", 1)"#}), Equal),
        ("<anonymous type: int A>", "{ A = 1 }", json!({"value": "{A=1}"}), Equal),
        ("<anonymous type: int A>", "{ A = 1 }", json!({"value": "{A=2}"}), Differs),
        ("void", "", json!({"value": "void"}), Equal),
        ("TimeSpan", "01:00:00", json!({"type": "TimeSpan", "value": "{…}"}), Unclear),
    ] {
        assert_eq!(compare(type_name, expected, &answer), found, "{type_name} {expected}: {answer}");
    }
    for (expected, listed, found) in [
        ("[1, 2]", json!({"elements": ["1", "2"]}), Equal),
        ("[1, 2]", json!({"elements": ["1", "3"]}), Differs),
        ("[1, 2]", json!({"elements": ["1"], "next_start": 1}), Unclear),
        ("[[1]]", json!({"variables": [{"name": "[0]", "type": "int[]", "value": "[1]"}]}), Equal),
        ("[{Pt}]", json!({"variables": [{"name": "[0]", "type": "Vec", "value": "{X=1}"}]}), Differs),
        ("[1]", json!({"variables": [{"name": "count", "value": "1"}]}), Unclear),
        ("{1: [2]}", json!({"variables": [{"name": "[1]", "value": "[2]"}]}), Equal),
        ("{1: [2]}", json!({"variables": [{"name": "[3]", "value": "[2]"}]}), Differs),
        ("(1, (2, 3))", json!({"variables": [{"name": "A", "value": "1"}, {"name": "B", "value": "(2, 3)"}]}), Equal),
    ] {
        assert_eq!(compare_listed(expected, &listed), found, "{expected}: {listed}");
    }
}
