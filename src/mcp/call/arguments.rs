//! Checks a call's arguments against the tool's schema and says in plain words what is wrong: which argument, what it takes,
//! what it got, and for an unknown name the nearest right one. After this a typed parse cannot fail.
//!
//! Must not know any tool. Models send `null` for what they leave out and `3.0` for 3: both are taken.

use crate::mcp::nearest;
use serde_json::{Map, Value};

use crate::session::{Code, Details, SessionError};

/// Checks `arguments` of `tool` against `schema` (see `schema::arguments`) and makes them exact: nulls go, whole floats become integers.
pub(super) fn check(
    tool: &str,
    schema: &Map<String, Value>,
    arguments: &mut Map<String, Value>,
) -> Result<(), SessionError> {
    Checker { tool }.object(schema, arguments, "")
}

struct Checker<'a> {
    tool: &'a str,
}

impl Checker<'_> {
    fn object(
        &self,
        schema: &Map<String, Value>,
        given: &mut Map<String, Value>,
        path: &str,
    ) -> Result<(), SessionError> {
        let none = Map::new();
        let properties = schema.get("properties").and_then(Value::as_object).unwrap_or(&none);
        given.retain(|_, value| !value.is_null());
        for (name, value) in given.iter_mut() {
            let here = join(path, name);
            match properties.get(name) {
                Some(property) => self.value(property, value, &here)?,
                None => return Err(self.unknown((name, value), &here, path, properties)),
            }
        }
        let required = schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
        for name in required {
            if !given.contains_key(name) {
                return Err(self.missing(&join(path, name), properties.get(name)));
            }
        }
        Ok(())
    }

    fn value(&self, schema: &Value, value: &mut Value, path: &str) -> Result<(), SessionError> {
        let fits = match schema.get("type").and_then(Value::as_str) {
            Some("integer") => integer_fits(schema, value),
            Some("string") => string_fits(schema, value),
            Some("boolean") => value.is_boolean(),
            Some("array") => return self.array(schema, value, path),
            Some("object") => return self.nested(schema, value, path),
            _ => true,
        };
        if fits { Ok(()) } else { Err(self.wrong(schema, value, path)) }
    }

    fn array(&self, schema: &Value, value: &mut Value, path: &str) -> Result<(), SessionError> {
        let most = schema.get("maxItems").and_then(Value::as_u64).unwrap_or(u64::MAX);
        let least = schema.get("minItems").and_then(Value::as_u64).unwrap_or(0);
        match (value.as_array_mut(), schema.get("items")) {
            (Some(items), Some(item_schema)) if (least..=most).contains(&(items.len() as u64)) => {
                for (index, item) in items.iter_mut().enumerate() {
                    self.value(item_schema, item, &format!("{path}[{index}]"))?;
                }
                Ok(())
            }
            _ => Err(self.wrong(schema, value, path)),
        }
    }

    fn nested(&self, schema: &Value, value: &mut Value, path: &str) -> Result<(), SessionError> {
        let entries = schema.get("additionalProperties").filter(|entries| entries.is_object());
        match (value.as_object_mut(), schema.as_object(), entries) {
            // A map with free keys: here null is a value (it removes a variable).
            (Some(given), _, Some(_)) if given.values().all(|entry| entry.is_string() || entry.is_null()) => Ok(()),
            (Some(given), Some(schema), None) => self.object(schema, given, path),
            _ => Err(self.wrong(schema, value, path)),
        }
    }

    fn unknown(
        &self,
        (name, value): (&str, &Value),
        path: &str,
        owner: &str,
        properties: &Map<String, Value>,
    ) -> SessionError {
        // what does not take the value was not meant: a `process_id` is no `process_name`
        let takes = |(_, schema): &(&String, &Value)| self.value(schema, &mut value.clone(), path).is_ok();
        let names = properties.iter().filter(takes).map(|(name, _)| name.as_str());
        let did_you_mean = nearest::nearest(name, names).map(String::from);
        let owner = if owner.is_empty() { self.tool } else { owner };
        let hint = match &did_you_mean {
            Some(right) => format!("use `{right}`"),
            None if properties.is_empty() => "omit it".to_owned(),
            None => format!("it takes {}", list(properties.keys().map(String::as_str), "and")),
        };
        SessionError::new(Code::InvalidArgument, format!("{owner} has no argument `{name}`"), hint)
            .with(Details::Argument { argument: path.into(), did_you_mean })
    }

    fn missing(&self, path: &str, schema: Option<&Value>) -> SessionError {
        let takes = schema.map(what_it_takes).unwrap_or_default();
        SessionError::argument(path, format!("{} needs `{path}`", self.tool), format!("pass `{path}`: {takes}"))
    }

    fn wrong(&self, schema: &Value, got: &Value, path: &str) -> SessionError {
        let takes = what_it_takes(schema);
        let message = format!("`{path}` must be {takes}, got {}", shown(got));
        SessionError::argument(path, message, format!("call {} again with `{path}` as {takes}", self.tool))
    }
}

fn join(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}

fn integer_fits(schema: &Value, value: &mut Value) -> bool {
    // 2^53: beyond it a float is no longer sure to be the number that was meant.
    if let Some(float) = value.as_f64().filter(|_| value.is_f64())
        && float.fract() == 0.0
        && float.abs() < 9_007_199_254_740_992.0
    {
        #[expect(clippy::cast_possible_truncation, reason = "whole and below 2^53")]
        let whole = float as i64;
        *value = whole.into();
    }
    let (least, most) = bounds(schema);
    value.as_u64().is_some_and(|number| (least..=most).contains(&number))
}

/// No argument of any tool is negative.
fn bounds(schema: &Value) -> (u64, u64) {
    let bound = |word: &str| schema.get(word).and_then(Value::as_u64);
    let widest = match schema.get("format").and_then(Value::as_str) {
        Some("uint64") => u64::MAX,
        _ => u64::from(u32::MAX),
    };
    (bound("minimum").unwrap_or(0), bound("maximum").unwrap_or(widest))
}

fn string_fits(schema: &Value, value: &Value) -> bool {
    let Some(text) = value.as_str() else { return false };
    match schema.get("enum").and_then(Value::as_array) {
        Some(words) => words.iter().any(|word| word == text),
        None => text.len() as u64 >= schema.get("minLength").and_then(Value::as_u64).unwrap_or(0),
    }
}

/// `a positive integer`, `one of over, in or out`, `a list of texts`.
fn what_it_takes(schema: &Value) -> String {
    match schema.get("type").and_then(Value::as_str) {
        Some("integer") => match bounds(schema) {
            (1, most) if most >= u64::from(i32::MAX.unsigned_abs()) => "a positive integer".into(),
            (0, most) if most >= u64::from(i32::MAX.unsigned_abs()) => "a non-negative integer".into(),
            (least, most) => format!("an integer from {least} to {most}"),
        },
        Some("string") => match schema.get("enum").and_then(Value::as_array) {
            Some(words) => format!("one of {}", list(words.iter().filter_map(Value::as_str), "or")),
            None if schema.get("minLength").is_some() => "a non-empty string".into(),
            None => "a string".into(),
        },
        Some("boolean") => "true or false".into(),
        Some("array") => {
            let each = schema.get("items").map(what_it_takes).unwrap_or_default();
            let list = if schema.get("minItems").is_some() { "a non-empty list" } else { "a list" };
            match schema.get("maxItems").and_then(Value::as_u64) {
                Some(most) => format!("{list} of at most {most} items, each item {each}"),
                None => format!("{list}, each item {each}"),
            }
        }
        Some("object") => match schema.get("properties").and_then(Value::as_object) {
            Some(properties) => format!("an object with any of {}", list(properties.keys().map(String::as_str), "and")),
            None => "an object of strings".into(),
        },
        _ => "something else".into(),
    }
}

/// `a, b or c`.
fn list<'a>(words: impl Iterator<Item = &'a str>, last: &str) -> String {
    let words: Vec<&str> = words.collect();
    match words.split_last() {
        Some((end, rest)) if !rest.is_empty() => format!("{} {last} {end}", rest.join(", ")),
        _ => words.concat(),
    }
}

fn shown(value: &Value) -> String {
    const MOST: usize = 60;
    let text = value.to_string();
    match text.char_indices().nth(MOST) {
        Some((cut, _)) => format!("{}…", text.get(..cut).unwrap_or_default()),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn checked(schema: Value, mut arguments: Value) -> Result<Value, String> {
        check("a_tool", schema.as_object().unwrap(), arguments.as_object_mut().unwrap())
            .map(|()| arguments)
            .map_err(|error| format!("{} | {}", error.message, error.hint))
    }

    #[test]
    fn wrong_arguments_are_named_with_what_they_take() {
        let schema = json!({"properties": {
            "line": {"type": "integer", "minimum": 1},
            "timeout_ms": {"type": "integer", "minimum": 0, "maximum": 600_000},
            "mode": {"type": "string", "enum": ["over", "in", "out"]},
            "names": {"type": "array", "items": {"type": "string"}},
            "deep": {"type": "array", "items": {"type": "object", "properties": {"file": {"type": "string"}}}},
            "env": {"type": "object", "additionalProperties": {"type": ["string", "null"]}},
        }});
        for (arguments, expected) in [
            (json!({"line": "abc"}), "`line` must be a positive integer, got \"abc\""),
            (json!({"line": 0}), "`line` must be a positive integer, got 0"),
            (json!({"line": 1.5}), "`line` must be a positive integer, got 1.5"),
            (json!({"line": -3}), "`line` must be a positive integer, got -3"),
            (json!({"timeout_ms": 600_001}), "`timeout_ms` must be an integer from 0 to 600000, got 600001"),
            (json!({"mode": "into"}), "`mode` must be one of over, in or out, got \"into\""),
            (json!({"names": "x"}), "`names` must be a list, each item a string, got \"x\""),
            (json!({"names": ["x", 1]}), "`names[1]` must be a string, got 1"),
            (json!({"deep": [{"fil": "x"}]}), "deep[0] has no argument `fil` | use `file`"),
            (json!({"env": {"A": 1}}), "`env` must be an object of strings, got {\"A\":1}"),
            (json!({"lines": 46}), "a_tool has no argument `lines` | use `line`"),
            (
                json!({"lines": "x"}),
                "a_tool has no argument `lines` | it takes line, timeout_ms, mode, names, deep and env",
            ),
            (json!({"zzz": 46}), "a_tool has no argument `zzz` | it takes line, timeout_ms, mode, names, deep and env"),
        ] {
            let error = checked(schema.clone(), arguments.clone()).unwrap_err();
            assert!(error.starts_with(expected), "{arguments}: {error}");
        }
    }

    #[test]
    fn nulls_and_whole_floats_are_taken() {
        let schema = json!({"properties": {"line": {"type": "integer", "minimum": 1}, "text": {"type": "string"}}});
        assert_eq!(checked(schema, json!({"line": 3.0, "text": null})), Ok(json!({"line": 3})));
    }

    #[test]
    fn a_missing_argument_is_named() {
        let schema = json!({"properties": {"mode": {"type": "string", "enum": ["a", "b"]}}, "required": ["mode"]});
        assert_eq!(checked(schema, json!({})), Err("a_tool needs `mode` | pass `mode`: one of a or b".into()));
    }
}
