//! What looks like a secret, and what is shown in its place: its length, and a fingerprint by which two of them can be compared.
//!
//! Names and contents are judged; neither finds every secret. Comparing, conditions and lengths see the true value. What is known of C#
//! values stands where they leave a session (`session/redacted.rs`).

use std::borrow::Cow;
use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::sync::{Arc, LazyLock};

use regex::{Captures, Regex, RegexBuilder};
use serde_json::{Map, Value};

/// Stands for what is not shown; no rule matches it, so what was redacted stays as it is.
const DOTS: &str = "•••";

/// Words of a name.
const NAME: &str = r"pass(?:word|wd|phrase)|passcode|pwd|secret|token|credential|api[_-]?key|access[_-]?key|private[_-]?key|(?:account|shared|signing|signature|encryption|master|storage)[_-]?key|connection[_-]?string|connstr";

/// Names that have such a word and are about something else.
const HARMLESS: &str = r"(?:type|kind|name|label|count|length|size|file|path|folder|url|uri|id|policy|hint|format|provider|index|position|offset|expires|expiry|expiration|expired|age|version|status|prompt|field|header)s?\]?$|tokeni[sz]|secretar|publickeytoken|page_?token|continuation_?token|cancellation_?token";

/// Characters of a token that grants access: 96 bits in base64.
const SHORTEST_TOKEN: usize = 16;

/// What a value itself looks like; the secret is the first group that is there, else all of it.
const CONTENTS: &[&str] = &[
    r"-----BEGIN [A-Z ]*PRIVATE KEY-----(?s:.*?)(?:-----END [A-Z ]*PRIVATE KEY-----|\z)",
    r"\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]*(?:\.[A-Za-z0-9_-]*)?",
    r"\b(?:AKIA|ASIA)[0-9A-Z]{12,}",
    r"\bgh[pousr]_[A-Za-z0-9]{16,}|\bgithub_pat_[A-Za-z0-9_]{20,}|\bglpat-[A-Za-z0-9_-]{16,}",
    r"\bxox[abeoprs]-[A-Za-z0-9-]{10,}",
    r"\b[sr]k_(?:live|test)_[A-Za-z0-9]{10,}|\bsk-[A-Za-z0-9_-]{20,}|\bAIza[0-9A-Za-z_-]{30,}",
    r"(?i)\bbearer\s+([A-Za-z0-9._~+/=-]{20,})|\bauthorization[^A-Za-z0-9\r\n]{1,6}(?:basic|bearer)\s+([A-Za-z0-9._~+/=-]+)",
    r"[A-Za-z][A-Za-z0-9+.-]*://[^/\s:@\x22•]*:([^/\s@\x22•]+)@",
];

/// `Password=…;`, `"password": "…"`: in quotes, with quotes escaped, up to a semicolon, or a word. Compared with a literal, in quotes.
static ASSIGNED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let value =
        r#"(?:\\?"([^"\\•]*)|'([^'•]*)'|([^\s;"'\\,&•=][^;"'\r\n\\,&•]{0,300});|([^\s;"'\\,&•=][^\s;"'\\,&•]*))"#;
    let compared = r#"[=!]=[ \t]*\\?"([^"\\•]*)"#;
    let assigned = format!(r#"(?:{NAME})\\?["']?\]?[ \t]*(?:[=:][ \t]*{value}|{compared})"#);
    // a flag and its value in a list
    compile(&format!(r#"{assigned}|"--?[\w-]*(?:{NAME})\\?"[ \t]*,[ \t]*\\?"([^"\\•]*)"#))
});
static SECRET_NAME: LazyLock<Option<Regex>> = LazyLock::new(|| compile(NAME));
static HARMLESS_NAME: LazyLock<Option<Regex>> = LazyLock::new(|| compile(HARMLESS));
static SECRETS: LazyLock<Vec<Regex>> =
    LazyLock::new(|| CONTENTS.iter().filter_map(|rule| Regex::new(rule).ok()).collect());

/// A test holds all of ours to be valid.
fn compile(pattern: &str) -> Option<Regex> {
    RegexBuilder::new(pattern).case_insensitive(true).build().ok()
}

/// The rules of a server. Cheap to clone; clones give equal values equal fingerprints.
#[derive(Debug, Clone)]
pub struct Redaction(Option<Arc<Rules>>);

#[derive(Debug, Default)]
struct Rules {
    /// Of fingerprints: nobody can look up what has one.
    key: RandomState,
    own: Vec<Regex>,
}

impl Default for Redaction {
    fn default() -> Self {
        Self(Some(Arc::default()))
    }
}

impl Redaction {
    /// All is shown.
    pub fn off() -> Self {
        Self(None)
    }

    /// What these match is secret too, as a name or in a text. They ignore case.
    ///
    /// # Errors
    /// A pattern that is not a regular expression, and why.
    pub fn with<'a>(patterns: impl IntoIterator<Item = &'a str>) -> Result<Self, (String, String)> {
        let build = |pattern: &str| {
            let built = RegexBuilder::new(pattern).case_insensitive(true).build();
            built.map_err(|error| {
                let words = error.to_string();
                (pattern.to_owned(), words.lines().last().unwrap_or_default().to_owned())
            })
        };
        let own = patterns.into_iter().map(build).collect::<Result<_, _>>()?;
        Ok(Self(Some(Arc::new(Rules { own, ..Rules::default() }))))
    }

    pub fn is_on(&self) -> bool {
        self.0.is_some()
    }

    /// Whether a value with this name is a secret: an identifier, or a key.
    pub fn is_secret_name(&self, name: &str) -> bool {
        let Some(rules) = &self.0 else { return false };
        let matches = |rule: &LazyLock<Option<Regex>>| rule.as_ref().is_some_and(|rule| rule.is_match(name));
        rules.own.iter().any(|rule| rule.is_match(name)) || matches(&SECRET_NAME) && !matches(&HARMLESS_NAME)
    }

    /// Whether what follows on a command line is a secret: `--api-key`.
    pub fn is_secret_flag(&self, word: &str) -> bool {
        word.starts_with('-') && !word.contains('=') && self.is_secret_name(word)
    }

    /// Whether a text is no secret although it is called a token: lexers and parsers call words so, and those that grant access are
    /// longer and have digits. `name` may be a path.
    pub fn is_word(&self, name: &str, text: &str) -> bool {
        !self.is_on() || self.is_token_only(name) && (text.contains(char::is_whitespace) || !grants_access(text))
    }

    /// The same of what an expression makes of such texts: one that grants access may stand between others.
    pub fn are_words(&self, expression: &str, text: &str) -> bool {
        !self.is_on() || self.is_token_only(expression) && !grants_access(text)
    }

    /// Whether a name has no other word of a secret than token.
    pub fn is_token_only(&self, name: &str) -> bool {
        let other = name.to_lowercase().replace("token", "");
        let is_own = self.0.as_ref().is_some_and(|rules| rules.own.iter().any(|rule| rule.is_match(name)));
        !is_own && !SECRET_NAME.as_ref().is_some_and(|rule| rule.is_match(&other))
    }

    /// In the place of a string: `"•••" (redacted, 24 characters, fingerprint 5f3a)`. `whole`: all of it is known, so it has a fingerprint.
    pub fn string(&self, characters: &str, length: u64, whole: bool) -> String {
        format!("\"{DOTS}\" {}", self.facts(characters, length, whole))
    }

    /// The same for one of which only the first characters are known.
    pub fn cut_string(&self, known: u64) -> String {
        format!("\"{DOTS}\" (redacted, at least {known} characters)")
    }

    fn facts(&self, characters: &str, length: u64, whole: bool) -> String {
        let hash = self.0.as_ref().filter(|_| whole).map(|rules| rules.key.hash_one(characters) & 0xffff);
        let fingerprint = hash.map_or_else(String::new, |hash| format!(", fingerprint {hash:04x}"));
        format!("(redacted, {length} character{}{fingerprint})", if length == 1 { "" } else { "s" })
    }

    /// A text without what looks like a secret in it.
    pub fn text<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let Some(rules) = &self.0 else { return Cow::Borrowed(text) };
        let mut shown = Cow::Borrowed(text);
        for rule in SECRETS.iter().chain(&rules.own) {
            if let Cow::Owned(redacted) = rule.replace_all(&shown, |found: &Captures| self.found(found)) {
                shown = Cow::Owned(redacted);
            }
        }
        if let Some(rule) = ASSIGNED.as_ref() {
            let assigned = |found: &Captures| match found.get(0) {
                Some(all) if self.is_harmless(&shown, &all, found) => all.as_str().to_owned(),
                _ => self.found(found),
            };
            if let Cow::Owned(redacted) = rule.replace_all(&shown, assigned) {
                shown = Cow::Owned(redacted);
            }
        }
        shown
    }

    /// The same, in place.
    pub fn redact(&self, text: &mut String) {
        if let Cow::Owned(shown) = self.text(text) {
            *text = shown;
        }
    }

    /// Whether what is assigned here is about something else: the rule finds only the last word of the name. What is in quotes, or behind
    /// a colon, may be a lexer's word.
    fn is_harmless(&self, text: &str, assigned: &regex::Match, found: &Captures) -> bool {
        let is_of_name = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
        let before = text.get(..assigned.start()).unwrap_or_default();
        let begin = before.trim_end_matches(is_of_name).len();
        let from = text.get(begin..).unwrap_or_default();
        let name = from.split(|c| !is_of_name(c)).next().unwrap_or_default();
        let group = |numbers: &[usize]| numbers.iter().find_map(|number| found.get(*number));
        let is_behind_colon = |bare: &regex::Match| {
            let ahead = text.get(assigned.start()..bare.start()).unwrap_or_default();
            ahead.trim_end().ends_with(':')
        };
        HARMLESS_NAME.as_ref().is_some_and(|rule| rule.is_match(name))
            || group(&[1, 2, 5]).is_some_and(|quoted| self.is_word(name, quoted.as_str()))
            || group(&[3, 4]).filter(is_behind_colon).is_some_and(|bare| self.are_words(name, bare.as_str()))
    }

    fn found(&self, found: &Captures) -> String {
        let Some(all) = found.get(0) else { return String::new() };
        let secret = found.iter().skip(1).flatten().next().unwrap_or(all);
        if is_plain(secret.as_str()) || secret.as_str().contains(DOTS) {
            return all.as_str().to_owned();
        }
        let (before, behind) = (secret.start() - all.start(), secret.end() - all.start());
        let before = all.as_str().get(..before).unwrap_or_default();
        let behind = all.as_str().get(behind..).unwrap_or_default();
        let facts = self.facts(secret.as_str(), secret.as_str().chars().count() as u64, true);
        format!("{before}{DOTS} {facts}{behind}")
    }

    /// Arguments of a call without secrets: values of such names, what follows a flag of such a name, and what looks like one.
    pub fn arguments(&self, arguments: &Map<String, Value>) -> Map<String, Value> {
        let mut shown = arguments.clone();
        if self.is_on() {
            self.members(&mut shown);
        }
        shown
    }

    fn members(&self, members: &mut Map<String, Value>) {
        // variable_set names what it sets beside the value
        let named = members.get("path").and_then(Value::as_str).is_some_and(|path| self.is_secret_name(path));
        for (name, value) in members.iter_mut() {
            let is_secret = self.is_secret_name(name) || named && name == "value";
            match value {
                Value::String(text) if is_secret && !is_plain(text) => *text = self.whole(text),
                other => self.value(other),
            }
        }
    }

    fn value(&self, value: &mut Value) {
        match value {
            Value::String(text) => self.redact(text),
            Value::Object(members) => self.members(members),
            Value::Array(items) => {
                let mut follows_flag = false;
                for item in items {
                    let is_flag = item.as_str().is_some_and(|text| self.is_secret_flag(text));
                    match item {
                        Value::String(text) if follows_flag => *text = self.whole(text),
                        other => self.value(other),
                    }
                    follows_flag = is_flag;
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    fn whole(&self, text: &str) -> String {
        format!("{DOTS} {}", self.facts(text, text.chars().count() as u64, true))
    }
}

/// Whether a part of a text looks like a token that grants access: base64, hexadecimal, a GUID, as URLs have them. A path with indices, or
/// code, is none.
fn grants_access(text: &str) -> bool {
    let mut parts = text.split(|c: char| !c.is_alphanumeric() && !"+/=_.~:%-".contains(c));
    let is_one = |part: &str| part.chars().count() >= SHORTEST_TOKEN && part.contains(|c: char| c.is_ascii_digit());
    parts.any(is_one)
}

/// Says nothing that needs hiding: counts (`tokens: 5`), flags, nothing.
fn is_plain(text: &str) -> bool {
    let is_short_number = text.len() < 6 && text.bytes().all(|byte| byte.is_ascii_digit());
    is_short_number || ["true", "false", "null", "none"].iter().any(|word| text.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// Without fingerprints, which differ from run to run.
    fn shown(text: &str) -> String {
        let fingerprint = Regex::new(", fingerprint [0-9a-f]{4}").unwrap();
        fingerprint.replace_all(&Redaction::default().text(text), "").into_owned()
    }

    #[test]
    fn names_of_secrets_are_known_and_names_about_them_are_not_taken_for_one() {
        let rules = Redaction::default();
        for name in [
            "password",
            "_dbPassword",
            "PWD",
            "clientSecret",
            "token",
            "AccessToken",
            "API_KEY",
            "apiKey",
            "api-key",
            "connectionString",
            "privateKey",
            "AccountKey",
            "credentials",
            "[\"Db:Password\"]",
            "passwordHash",
        ] {
            assert!(rules.is_secret_name(name), "{name}");
        }
        for name in [
            "customer",
            "key",
            "Keyword",
            "bypass",
            "SecretCount",
            "tokenType",
            "TokenKind",
            "PasswordLabel",
            "ApiKeyId",
            "secretName",
            "tokenizer",
            "secretary",
            "nextPageToken",
            "CancellationToken",
            "PublicKeyToken",
            "tokenUrl",
        ] {
            assert!(!rules.is_secret_name(name), "{name}");
        }
        let own = Redaction::with(["^pin$", r"\bcust-\d+"]).unwrap();
        assert!(own.is_secret_name("Pin") && own.is_secret_name("password") && !own.is_secret_name("pink"));
        assert!(own.text("of cust-4711!").starts_with("of ••• (redacted, 9 characters"));
        assert_eq!(Redaction::with(["(", "a"]).unwrap_err().0, "(");
        assert!(!Redaction::off().is_secret_name("password"));
        assert_eq!(Redaction::off().text("Password=hunter2;"), "Password=hunter2;");
    }

    #[test]
    fn what_looks_like_a_secret_is_taken_out_of_a_text_and_the_rest_stays() {
        let long = "x".repeat(40);
        for (text, expected) in [
            ("Server=db;Password=hunter2;Timeout=5", "Server=db;Password=••• (redacted, 7 characters);Timeout=5"),
            ("Password=two words;x=1", "Password=••• (redacted, 9 characters);x=1"),
            ("\"Server=x;Pwd=abcdef\"", "\"Server=x;Pwd=••• (redacted, 6 characters)\""),
            ("{\"password\": \"hunter2\", \"a\": 1}", "{\"password\": \"••• (redacted, 7 characters)\", \"a\": 1}"),
            ("{\\\"api_key\\\":\\\"hunter2\\\"}", "{\\\"api_key\\\":\\\"••• (redacted, 7 characters)\\\"}"),
            ("db_password == \"hunter2\" && i > 3", "db_password == \"••• (redacted, 7 characters)\" && i > 3"),
            ("settings[\"Password\"] != \"hunter2\"", "settings[\"Password\"] != \"••• (redacted, 7 characters)\""),
            (
                "{\"condition\":\"pwd == \\\"hunter2\\\"\"}",
                "{\"condition\":\"pwd == \\\"••• (redacted, 7 characters)\\\"\"}",
            ),
            ("[\"--api-key\", \"hunter2\", \"x\"]", "[\"--api-key\", \"••• (redacted, 7 characters)\", \"x\"]"),
            ("--db-password=hunter2 --port=5", "--db-password=••• (redacted, 7 characters) --port=5"),
            (
                "https://ada:hunter2@host/x?token=abcdef&y=1",
                "https://ada:••• (redacted, 7 characters)@host/x?token=••• (redacted, 6 characters)&y=1",
            ),
            ("X-Auth-Token: 8f3a77c0d2914be6;", "X-Auth-Token: ••• (redacted, 16 characters);"),
            ("secretToken: foo", "secretToken: ••• (redacted, 3 characters)"),
            ("id AKIAIOSFODNN7EXAMPLE.", "id ••• (redacted, 20 characters)."),
            (&format!("ghp_{long}"), "••• (redacted, 44 characters)"),
            ("Authorization: Bearer abcdefghijklmnopqrstuvwx", "Authorization: Bearer ••• (redacted, 24 characters)"),
            ("Authorization: Basic YTpi", "Authorization: Basic ••• (redacted, 4 characters)"),
            ("a eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln b", "a ••• (redacted, 41 characters) b"),
            (
                "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----\nok",
                "••• (redacted, 66 characters)\nok",
            ),
            ("\"-----BEGIN PRIVATE KEY-----\\nMII…\"", "\"••• (redacted, 34 characters)"),
        ] {
            assert_eq!(shown(text), expected, "{text}");
            assert_eq!(shown(&shown(text)), expected, "once more: {text}");
        }
        for text in [
            "SecretCount = 3",
            "tokens: 512 of 4096",
            "token: 5",
            "password == other.password && token != null",
            "Password: null",
            "the password is wrong",
            "basic internationalization",
            "https://host:8080/a@b",
            "-----BEGIN PUBLIC KEY-----",
            "sk-short",
            "Password=",
            "Tokenizer: fast",
            "System.Runtime, Version=10.0.0.0, Culture=neutral, PublicKeyToken=b03f5f7f11d50a3a",
            "next_page_token=abcdefgh",
            "DictionaryToken:<Type, /Page> ; CommentToken: comment ; NameToken:/F1 ; tokens: 3",
            "Unexpected token: foo",
        ] {
            assert_eq!(shown(text), text);
        }
    }

    #[test]
    fn a_word_that_is_called_a_token_is_none() {
        let rules = Redaction::with(["^pin"]).unwrap();
        for (name, text, is_word) in [
            ("Token", "if", true),
            ("lexer.CurrentToken", "StartObjectOfThisKind", true),
            ("token", "two words with 12 digits", true),
            ("tokens.First().Path", "sections[0].lines[12].amount", true),
            ("token", "{8f3a77c0-d291-4be6-8f3a-77c0d2914be6}", false),
            ("accessToken", "8f3a77c0d2914be6", false),
            ("secretToken", "if", false),
            ("password", "if", false),
            ("pinToken", "if", false),
        ] {
            assert_eq!(rules.is_word(name, text), is_word, "{name}={text}");
        }
    }

    #[test]
    fn words_that_an_expression_put_together_are_none_unless_one_grants_access() {
        let rules = Redaction::with(["^pin"]).unwrap();
        for (expression, text, are_words) in [
            ("string.Join(\" \", tokens)", "let width = 12 + height ;", true),
            ("tokens[0] + tokens[1]", "StartObjectOfThisKind", true),
            ("\"Bearer \" + token", "Bearer 8f3a77c0d2914be6", false),
            ("tokens[0] + password", "if", false),
            ("pin + token", "if", false),
        ] {
            assert_eq!(rules.are_words(expression, text), are_words, "{expression}={text}");
        }
    }

    #[test]
    fn equal_secrets_have_equal_fingerprints() {
        let rules = Redaction::default();
        let of = |text: &str| rules.clone().string(text, text.len() as u64, true);
        assert_eq!(of("hunter2"), of("hunter2"));
        let differ = (0..8).any(|number| of("hunter2") != of(&format!("hunte{number}0")));
        assert!(differ && of("hunter2").starts_with("\"•••\" (redacted, 7 characters, fingerprint "));
        assert_eq!(rules.string("hun", 1, false), "\"•••\" (redacted, 1 character)");
    }

    #[test]
    fn arguments_lose_values_of_secret_names_and_flags() {
        let rules = Redaction::default();
        let arguments = json!({
            "env": {"DB_PASSWORD": "hunter2", "PORT": "80"}, "args": ["--token", "hunter2", "--verbose", "x"],
            "path": "settings.ApiKey", "value": "\"hunter2\"", "line": 7,
        });
        let shown = Value::Object(rules.arguments(arguments.as_object().unwrap()));
        assert!(!shown.to_string().contains("hunter2"), "{shown}");
        assert_eq!((&shown["env"]["PORT"], &shown["args"][3], &shown["line"]), (&json!("80"), &json!("x"), &json!(7)));
        let plain = json!({"path": "order.Total", "value": "7", "token": null});
        assert_eq!(Value::Object(rules.arguments(plain.as_object().unwrap())), plain);
        assert_eq!(Value::Object(Redaction::off().arguments(arguments.as_object().unwrap())), arguments);
    }

    #[test]
    fn all_rules_are_valid() {
        assert_eq!(SECRETS.len(), CONTENTS.len());
        assert!(ASSIGNED.is_some() && SECRET_NAME.is_some() && HARMLESS_NAME.is_some());
    }
}
