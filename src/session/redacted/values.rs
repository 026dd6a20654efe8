//! What of one value may be shown, by its name, its type and its text.

use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::names::{is_secret, unquoted};
use super::words;
use crate::redaction::Redaction;
use crate::session::expression::{is_path, join};
use crate::session::inspect::literal::unquote;
use crate::session::report::{Content, Variable};

/// `Name="text"`, `["key"]="text"`, and `Name: "text"` of a tuple, within a preview.
static MEMBER: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r#"([A-Za-z_]\w*|\["(?:[^"\\]|\\.)*"\])(=|: )("(?:[^"\\]|\\.)*")"#).ok());
/// `Name=7`, `Name=-2.50m`, `Name=null`, the begin of `Name={…}`, and `Name=Type` with its parts, within a preview, not within a string
/// of it.
static PLAIN: LazyLock<Option<Regex>> = LazyLock::new(|| plain("="));
/// The same with the names of tuples: `Name: 7`.
static PLAIN_OF_TUPLES: LazyLock<Option<Regex>> = LazyLock::new(|| plain("(?:=|: )"));
static LITERAL: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r#""(?:[^"\\]|\\.)*""#).ok());

fn plain(sign: &str) -> Option<Regex> {
    const TEXT: &str = r#""(?:[^"\\]|\\.)*""#;
    let value = format!(r"\b([A-Za-z_]\w*{sign}(?:-?\d[\w.+]*|true|false|null))[,}}\])]");
    let members = format!(r"\b([A-Za-z_]\w*{sign})[{{\[(]");
    let type_ = format!(r"\b(?<named>(?<name>[A-Za-z_]\w*){sign}(?<type>[A-Za-z_][\w.<>?]*))(?:[,}}\])]| \{{)");
    Regex::new(&[TEXT, &value, &members, &type_].join("|")).ok()
}

/// A value of this name.
pub(crate) fn value(text: &mut String, expression: &str, type_name: Option<&str>, length: Option<u64>, by: &Redaction) {
    if is_secret(expression, by)
        && !is_written(text, expression)
        && !type_name.is_some_and(is_encoding)
        && let Some(shown) = secret(text, expression, type_name, length, by)
    {
        *text = shown;
        return;
    }
    if text.starts_with(['{', '[', '('])
        && let Some(members) = MEMBER.as_ref()
    {
        let shown = members.replace_all(text, |found: &Captures| {
            let [all, name, sign, literal] = [0, 1, 2, 3].map(|group| found.get(group).map_or("", |it| it.as_str()));
            match by.is_secret_name(name) {
                true => format!("{name}{sign}{}", string(literal, name, None, by)),
                false => all.to_owned(),
            }
        });
        if let std::borrow::Cow::Owned(shown) = shown {
            *text = shown;
        }
        *text = beside_plain(text, by);
        return;
    }
    by.redact(text);
}

/// A preview without what looks like a secret; a number, a flag, null or an object is none, whatever it is called.
fn beside_plain(preview: &str, by: &Redaction) -> String {
    // what stands behind a word may be the name of a type; behind a password it may be one
    let is_type = |found: &Captures| {
        let [name, type_name] = ["name", "type"].map(|group| found.name(group).map_or("", |it| it.as_str()));
        by.is_word(name, type_name)
    };
    // what the author of a type wants to be seen may have a colon before a password that is a number
    let rule = if preview.contains('{') { &PLAIN } else { &PLAIN_OF_TUPLES };
    let plain = rule.as_ref().into_iter().flat_map(|rule| rule.captures_iter(preview)).filter_map(|found| {
        let value = found.get(1).or_else(|| found.get(2));
        value.or_else(|| found.name("named").filter(|_| is_type(&found)))
    });
    let (mut shown, mut from) = (String::with_capacity(preview.len()), 0);
    for it in plain {
        shown.push_str(&by.text(preview.get(from..it.start()).unwrap_or_default()));
        shown.push_str(it.as_str());
        from = it.end();
    }
    shown.push_str(&by.text(preview.get(from..).unwrap_or_default()));
    shown
}

/// `None`: not of a kind that is secret by its name.
fn secret(
    text: &str,
    expression: &str,
    type_name: Option<&str>,
    length: Option<u64>,
    by: &Redaction,
) -> Option<String> {
    if text.starts_with('"') {
        return (text != "\"\"").then(|| string(text, expression, length, by));
    }
    if let Some(expression) = unquoted(expression)
        && !text.starts_with(['{', '['])
        && text != "null"
    {
        if length.is_none() && !text.ends_with('…') && words::is_word(text, expression, by) {
            return Some(by.text(text).into_owned());
        }
        return Some(by.string(text, length.unwrap_or(text.chars().count() as u64), length.is_none()));
    }
    let is_list = text.starts_with('[');
    if is_list && text != "[]" && type_name.is_some_and(is_raw) {
        return Some("[•••] (redacted)".into());
    }
    // one character after the other
    if text.starts_with('\'') && (expression.ends_with(']') || !is_path(expression)) {
        return Some("'•' (redacted)".into());
    }
    (is_list || text.starts_with('(')).then(|| literals(text, expression, by))
}

/// All strings in it.
fn literals(text: &str, expression: &str, by: &Redaction) -> String {
    let element = join(expression, "[0]");
    let redacted = |found: &Captures| string(found.get(0).map_or("", |it| it.as_str()), &element, None, by);
    LITERAL.as_ref().map_or_else(String::new, |rule| rule.replace_all(text, redacted).into_owned())
}

/// What is said of an expression, where it is a secret: its value may be quoted.
pub(crate) fn quotes(words: &mut String, expression: &str, by: &Redaction) {
    if is_secret(expression, by) {
        *words = literals(words, expression, by);
    }
}

/// Whether a value is a string that the expression itself has, as whoever wrote it did: `password ?? "(none)"`. A password that is equal
/// to it is no better hidden, as it may be compared with it.
fn is_written(text: &str, expression: &str) -> bool {
    let whole = match unquoted(expression) {
        Some(_) if !text.starts_with('"') => Some(text.to_owned()),
        _ => unquote(text),
    };
    let Some(whole) = whole.filter(|whole| !whole.ends_with('…')) else { return false };
    let mut literals = LITERAL.as_ref().into_iter().flat_map(|rule| rule.find_iter(expression));
    // a key is the name of what is read by it
    !is_path(unquoted(expression).unwrap_or(expression))
        && literals.any(|literal| unquote(literal.as_str()).as_ref() == Some(&whole))
}

/// The framework's encodings, which are shown by their names: `utf-8`.
fn is_encoding(type_name: &str) -> bool {
    let name = type_name.rsplit('.').next().unwrap_or_default();
    let name = name.strip_suffix("Sealed").unwrap_or(name);
    matches!(
        name,
        "Encoding"
            | "ASCIIEncoding"
            | "Latin1Encoding"
            | "UTF8Encoding"
            | "UnicodeEncoding"
            | "UTF32Encoding"
            | "UTF7Encoding"
            | "SBCSCodePageEncoding"
            | "DBCSCodePageEncoding"
    )
}

/// An array of bytes or characters, or another list of them.
pub(super) fn is_raw(type_name: &str) -> bool {
    let element = type_name.trim_end_matches("[]").rsplit(['<', '.']).next().unwrap_or_default();
    matches!(element.trim_end_matches('>'), "byte" | "char" | "Byte" | "Char")
}

/// A literal; `length` is that of a longer one that was cut.
fn string(literal: &str, expression: &str, length: Option<u64>, by: &Redaction) -> String {
    let characters = unquote(literal).unwrap_or_else(|| literal.to_owned());
    match (characters.strip_suffix('…'), length) {
        (_, Some(length)) => by.string(&characters, length, false),
        (Some(cut), None) => by.cut_string(cut.chars().count() as u64),
        (None, None) if words::is_word(&characters, expression, by) => by.text(literal).into_owned(),
        (None, None) => by.string(&characters, characters.chars().count() as u64, true),
    }
}

/// A value, and what is in it; `parent`: what it is a member or an element of.
pub(crate) fn variable(it: &mut Variable, parent: &str, by: &Redaction) {
    if !by.is_on() {
        return;
    }
    let expression = join(parent, &it.name);
    if let Some(was) = &mut it.was {
        value(was, &expression, it.type_name.as_deref(), None, by);
    }
    let mut follows_flag = false;
    for (name, text) in &mut it.parts {
        element(text, &join(&expression, name), &mut follows_flag, by);
    }
    match &mut it.content {
        Content::Value(text) => value(text, &expression, it.type_name.as_deref(), it.length, by),
        Content::Error(words) => {
            quotes(words, &expression, by);
            by.redact(words);
        }
        Content::Cycle(_) => {}
        Content::Members(members) => members.iter_mut().for_each(|member| variable(member, &expression, by)),
    }
}

/// One of a list: what follows the flag of a secret in a command line is one.
pub(super) fn element(text: &mut String, expression: &str, follows_flag: &mut bool, by: &Redaction) {
    let word = unquote(text);
    let is_flag = word.as_deref().is_some_and(|word| by.is_secret_flag(word));
    match word {
        Some(word) if *follows_flag => {
            *text = match word.strip_suffix('…') {
                Some(cut) => by.cut_string(cut.chars().count() as u64),
                None => by.string(&word, word.chars().count() as u64, true),
            }
        }
        _ => value(text, expression, None, None, by),
    }
    *follows_flag = is_flag;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(name: &str, type_name: Option<&str>, text: &str) -> String {
        let mut it = Variable {
            name: name.into(),
            type_name: type_name.map(str::to_owned),
            content: Content::Value(text.into()),
            ..Variable::default()
        };
        variable(&mut it, "", &Redaction::default());
        let Content::Value(text) = it.content else { panic!("{it:?}") };
        Regex::new(", fingerprint [0-9a-f]{4}").unwrap().replace_all(&text, "").into_owned()
    }

    #[test]
    fn only_strings_and_raw_arrays_are_secret_by_their_names() {
        for (name, type_name, text, expected) in [
            ("password", None, "\"hunter2\"", "\"•••\" (redacted, 7 characters)"),
            ("settings.ApiKey", None, "\"a\\nb\"", "\"•••\" (redacted, 3 characters)"),
            ("config[\"Db:Password\"]", None, "\"x\"", "\"•••\" (redacted, 1 character)"),
            ("secrets[0]", None, "\"xy\"", "\"•••\" (redacted, 2 characters)"),
            ("password[0]", None, "'h'", "'•' (redacted)"),
            ("password.ToUpper()", None, "\"HUNTER2\"", "\"•••\" (redacted, 7 characters)"),
            ("$\"{password}!\"", None, "\"hunter2!\"", "\"•••\" (redacted, 8 characters)"),
            ("\"a\" + password", None, "\"ahunter2\"", "\"•••\" (redacted, 8 characters)"),
            ("password,nq", None, "hunter2", "\"•••\" (redacted, 7 characters)"),
            ("token", Some("char[]"), "['a', 'b']", "[•••] (redacted)"),
            ("privateKey", Some("byte[]"), "[1, 2, …]", "[•••] (redacted)"),
            (
                "tokens",
                Some("List<string>"),
                "[\"abc\", \"8f3a77c0d2914be6\", …]",
                "[\"abc\", \"•••\" (redacted, 16 characters), …]",
            ),
            ("token.Substring(1)", None, "\"bc\"", "\"•••\" (redacted, 2 characters)"),
            ("token[..2]", None, "\"bc\"", "\"•••\" (redacted, 2 characters)"),
            ("token.Split('.').First()", None, "\"bc\"", "\"•••\" (redacted, 2 characters)"),
            ("\"as \" + token", None, "\"as 8f3a77c0d2914be6\"", "\"•••\" (redacted, 19 characters)"),
            ("tokens[0] + password", None, "\"ab\"", "\"•••\" (redacted, 2 characters)"),
            ("$\"{token}{secret}\"", None, "\"ab\"", "\"•••\" (redacted, 2 characters)"),
            ("token,nq", None, "8f3a77c0d2914be6", "\"•••\" (redacted, 16 characters)"),
            ("token + \"\"", None, "\"Password=a;\"", "\"Password=••• (redacted, 1 character);\""),
            (
                "tokens.Select(t => t.ToUpper())",
                Some("List<string>"),
                "[\"ABC\", \"8F3A77C0D2914BE6\"]",
                "[\"ABC\", \"•••\" (redacted, 16 characters)]",
            ),
            (
                "user",
                Some("User"),
                "{Name=\"Ada\", Password=\"hunter2\"}",
                "{Name=\"Ada\", Password=\"•••\" (redacted, 7 characters)}",
            ),
            ("childTokens", Some("JList"), "{_token=JValue, Count=2}", "{_token=JValue, Count=2}"),
            ("user", Some("User"), "{Token=\"abc…\"}", "{Token=\"•••\" (redacted, at least 3 characters)}"),
            (
                "map",
                None,
                "[[\"password\"]=\"x\", [\"a\"]=\"b\"]",
                "[[\"password\"]=\"•••\" (redacted, 1 character), [\"a\"]=\"b\"]",
            ),
            (
                "pair",
                None,
                "(Name: \"a\", Password: \"hunter2\")",
                "(Name: \"a\", Password: \"•••\" (redacted, 7 characters))",
            ),
            // of the literal it says nothing, of the password it does
            ("password ?? \"(none)\"", None, "\"hunter2\"", "\"•••\" (redacted, 7 characters)"),
            ("settings[\"password\"]", None, "\"password\"", "\"•••\" (redacted, 8 characters)"),
            ("encoding.Password", Some("string"), "\"utf-8\"", "\"•••\" (redacted, 5 characters)"),
            ("made", None, "{Password=hunter, A=1}", "{Password=••• (redacted, 6 characters), A=1}"),
            // a number within a string may be one
            (
                "made",
                None,
                "{Text=\"Password=123456789,x\", N=3}",
                "{Text=\"Password=••• (redacted, 9 characters),x\", N=3}",
            ),
        ] {
            assert_eq!(shown(name, type_name, text), expected, "{name}");
        }
        for (name, type_name, text) in [
            ("SecretCount", None, "3"),
            ("token", Some("CancellationToken"), "{IsCancellationRequested=false}"),
            ("password", None, "null"),
            ("password ?? \"(none)\"", None, "\"(none)\""),
            ("password == null ? \"a\\\"b\" : \"set\"", None, "\"set\""),
            ("password == null ? \"a\\\"b\" : \"set\"", None, "\"a\\\"b\""),
            ("password ?? \"(none)\",nq", None, "(none)"),
            ("options.Password", Some("UTF8EncodingSealed"), "\"utf-8\""),
            ("password", None, "\"\""),
            ("password.Length", None, "7"),
            ("password == other", None, "true"),
            ("token", None, "';'"),
            ("customer", None, "\"Ada\""),
            ("passwordOptions.Title", None, "\"x\""),
            ("tokenType", None, "\"Bearer\""),
            ("lexer.Token", None, "\"if\""),
            ("lexer.Token,nq", None, "if"),
            ("string.Join(\"/\", _tokens)", None, "\"box/wide/extra\""),
            ("string.Join(\" \", _tokens)", None, "\"let x = 5 + width ;\""),
            ("_tokens[0] + \"x\"", None, "\"boxx\""),
            ("$\"{_tokens[0]}{_tokens[1]}\"", None, "\"boxwide\""),
            ("_tokens.Order().First()", None, "\"box\""),
            ("_tokens.Aggregate((a, b) => a + b)", None, "\"boxwideextra\""),
            ("tokens.Select(t => t.ToUpper()).First()", None, "\"BOX\""),
            ("tokens[1..]", Some("string[]"), "[\"wide\", \"extra\"]"),
            ("lexer", Some("Lexer"), "{Token=\"if\", Line=3}"),
            ("member", Some("MetadataToken"), "{token=33554434U}"),
            ("made", None, "{token2=5, apiKey=123456789, Password=null}"),
            ("pair", None, "(secret=-2.50m, [token=7L])"),
            ("pair", None, "[(Secret: -2.50m, Token: (Key: 7, Id: 3)), (Secret: 1m, Token: (Key: 8, Id: 4))]"),
            ("bin", None, "{Operator=Add, OperatorToken=ScriptToken, Left=ScriptLiteral}"),
            ("bin", None, "{OperatorToken=Tk {TokenType=Plus}}"),
            ("made", None, "{OperatorToken={TokenType=Plus, Value=\"+\"}, A=1}"),
            ("made", None, "{Password={Length=7}, Secrets=[1, 2]}"),
            ("numbers", Some("int[]"), "[1, 2]"),
        ] {
            assert_eq!(shown(name, type_name, text), text, "{name}");
        }
    }

    #[test]
    fn a_secret_that_was_cut_has_its_length_and_no_fingerprint() {
        let by = Redaction::default();
        let mut it = Variable {
            name: "token".into(),
            content: Content::Value("\"abc…\"".into()),
            length: Some(400),
            was: Some("\"8f3a77c0d2914be6\"".into()),
            parts: vec![("Password".into(), "\"x\"".into())],
            ..Variable::default()
        };
        variable(&mut it, "", &by);
        assert_eq!(it.content, Content::Value("\"•••\" (redacted, 400 characters)".into()));
        assert!(it.was.unwrap().contains("16 characters, fingerprint"));
        assert!(it.parts[0].1.contains("redacted"));
    }
}
