//! JSON as .NET tools read it: with comments, trailing commas and a byte order mark
//! (`launchSettings.json` and `runtimeconfig.json`; measured).

/// The same text with comments and trailing commas blanked out, so that offsets in parse errors stay right.
pub fn to_json(text: &str) -> String {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    // Where a comma stands that nothing but blanks has followed so far.
    let mut comma: Option<usize> = None;
    while let Some(c) = chars.next() {
        match (c, chars.peek()) {
            ('"', _) => {
                comma = None;
                out.push(c);
                while let Some(c) = chars.next() {
                    out.push(c);
                    match c {
                        '\\' => out.extend(chars.next()),
                        '"' => break,
                        _ => {}
                    }
                }
            }
            ('/', Some('/')) => {
                while let Some(c) = chars.next_if(|&c| c != '\n') {
                    out.extend(std::iter::repeat_n(' ', c.len_utf8()));
                }
                out.push(' ');
            }
            ('/', Some('*')) => {
                out.push(' ');
                let mut before = '/';
                let mut inside = 0;
                for c in chars.by_ref() {
                    if c == '\n' {
                        out.push(c)
                    } else {
                        out.extend(std::iter::repeat_n(' ', c.len_utf8()))
                    }
                    inside += 1;
                    if before == '*' && c == '/' && inside > 2 {
                        break;
                    }
                    before = c;
                }
            }
            (',', _) => {
                comma = Some(out.len());
                out.push(c);
            }
            ('}' | ']', _) => {
                if let Some(at) = comma.take() {
                    out.replace_range(at..=at, " ");
                }
                out.push(c);
            }
            (c, _) => {
                if !c.is_whitespace() {
                    comma = None;
                }
                out.push(c);
            }
        }
    }
    out
}

/// Parses such text.
pub fn parse(text: &str) -> Result<serde_json::Value, serde_json::Error> {
    serde_json::from_str(&to_json(text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn comments_and_trailing_commas_are_accepted_and_strings_are_left_alone() {
        let cases = [
            ("{}", json!({})),
            ("\u{feff}{\"a\":1}", json!({"a": 1})),
            ("{\"a\":1,}", json!({"a": 1})),
            ("[1, 2 , // end\n]", json!([1, 2])),
            ("/* x */ {\"a\": /*,*/ 1, /* y */ }", json!({"a": 1})),
            ("{\"a\":\"// no /* comment */ ,}\"}", json!({"a": "// no /* comment */ ,}"})),
            ("{\"a\":\"\\\",}\",}", json!({"a": "\",}"})),
            ("[/**/1]", json!([1])),
            ("[/*/ 2, */1]", json!([1])),
        ];
        for (text, expected) in cases {
            assert_eq!(parse(text).unwrap(), expected, "{text}");
        }
    }

    #[test]
    fn what_is_no_json_is_an_error() {
        for text in ["", "{", "{,}x", "/* open", "{\"a\" 1}", "\"open"] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
