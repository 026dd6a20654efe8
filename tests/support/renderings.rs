//! What holds for every answer in both renderings: the text has all that the JSON has, nothing is sent for nothing, and nothing
//! that the tool does not declare.

use serde_json::Value;

/// Strings as the text shows them: control characters escaped, output of a program and notes line by line.
fn pieces(text: &str, program_output: bool) -> Vec<String> {
    let escaped = |line: &str| line.replace('\n', "\\n").replace('\t', "\\t");
    if program_output { text.lines().map(String::from).collect() } else { vec![escaped(text)] }
}

/// Each string and number that the text lacks.
pub fn missing_in_text(key: &str, value: &Value, text: &str, missing: &mut Vec<String>) {
    match value {
        Value::Object(fields) => fields.iter().for_each(|(key, value)| missing_in_text(key, value, text, missing)),
        Value::Array(items) => items.iter().for_each(|item| missing_in_text(key, item, text, missing)),
        Value::Number(number) if !text.contains(&number.to_string()) => missing.push(format!("{key}: {number}")),
        Value::String(string) => {
            let output = matches!(key, "stdout" | "stderr" | "note");
            let absent = pieces(string, output).into_iter().filter(|piece| !text.contains(piece.as_str()));
            missing.extend(absent.map(|piece| format!("{key}: {piece}")));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Forbids what a schema does not name, everywhere: an answer says only what is declared.
pub fn closed(schema: &mut Value) {
    match schema {
        Value::Object(object) => {
            object.values_mut().for_each(closed);
            if object.contains_key("properties") {
                object.insert("additionalProperties".into(), false.into());
            }
        }
        Value::Array(items) => items.iter_mut().for_each(closed),
        _ => {}
    }
}

/// Nulls and empty lists, objects and strings.
pub fn empties(path: &str, value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            fields.iter().for_each(|(key, value)| empties(&format!("{path}.{key}"), value, found));
            if fields.is_empty() {
                found.push(path.into());
            }
        }
        Value::Array(items) => {
            items.iter().for_each(|item| empties(path, item, found));
            if items.is_empty() {
                found.push(path.into());
            }
        }
        Value::Null => found.push(path.into()),
        Value::String(string) if string.is_empty() => found.push(path.into()),
        Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}
