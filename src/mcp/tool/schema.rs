//! JSON schemas of tools, from the argument and wire types: the full one that calls are checked against, and the lean one that is
//! listed. A listed schema costs every client context, so it omits what names or the server's instructions already say.

use rmcp::model::JsonObject;
use rmcp::schemars::{JsonSchema, SchemaGenerator, generate::SchemaSettings};
use serde_json::{Map, Value, json};

/// Marks a property that is accepted but not listed: `#[schemars(extend("x-unlisted" = true))]`.
const UNLISTED: &str = "x-unlisted";

/// The full schema of a tool's arguments: no references, no `null` types, all limits.
pub(in crate::mcp) fn arguments<T: JsonSchema>() -> JsonObject {
    let mut settings = SchemaSettings::draft2020_12();
    settings.inline_subschemas = true;
    settings.meta_schema = None;
    let mut schema = SchemaGenerator::new(settings).into_root_schema_for::<T>().to_value();
    plain_types(&mut schema);
    let mut object = into_object(schema);
    object.remove("title");
    object.remove("description");
    object.entry("properties").or_insert_with(|| json!({}));
    object
}

/// What is listed of [`arguments`].
pub(in crate::mcp) fn listed(arguments: &JsonObject) -> JsonObject {
    let mut schema = Value::Object(arguments.clone());
    make_lean(&mut schema);
    into_object(schema)
}

/// Either the result or the error: clients check failed calls against it too (TypeScript SDK v1 and v2).
pub(in crate::mcp) fn result<T: JsonSchema>() -> JsonObject {
    let mut settings = SchemaSettings::draft2020_12();
    settings.meta_schema = None;
    let mut generator = SchemaGenerator::new(settings);
    let schema = generator.subschema_for::<T>().to_value();
    let mut definitions = Value::Object(generator.take_definitions(true));
    if let Some(properties) = properties_of(&mut definitions, &schema) {
        // Any result may be cut (`max_chars`), so no type says it by itself.
        properties.insert("truncated".into(), json!({"type": "boolean"}));
    }
    for definition in definitions.as_object_mut().into_iter().flat_map(Map::values_mut) {
        plain_types(definition);
        make_lean(definition);
        drop_descriptions(definition);
    }
    into_object(json!({"type": "object", "anyOf": [schema, error()], "$defs": definitions}))
}

/// One more property of whatever a tool answers, its result or an error.
pub(in crate::mcp) fn add_property(output: &mut JsonObject, name: &str, schema: &Value) {
    let mut output_value = Value::Object(std::mem::take(output));
    let answers = output_value.get("anyOf").and_then(Value::as_array).cloned().unwrap_or_default();
    for (at, answer) in answers.iter().enumerate() {
        let path = match answer.get("$ref").and_then(Value::as_str) {
            Some(reference) => format!("{}/properties", reference.trim_start_matches('#')),
            None => format!("/anyOf/{at}/properties"),
        };
        if let Some(properties) = output_value.pointer_mut(&path).and_then(Value::as_object_mut) {
            properties.entry(name).or_insert_with(|| schema.clone());
        }
    }
    *output = into_object(output_value);
}

/// [`ToolError`](crate::answers::tool_error::ToolError) without what `details` may hold: in full it would double every tool's schema.
fn error() -> Value {
    let text = json!({"type": "string"});
    json!({
        "type": "object",
        "properties": {
            "code": text, "message": text, "state": text, "hint": text,
            "details": {"type": "object"}, "truncated": {"type": "boolean"},
        },
        "required": ["code", "message", "hint"],
    })
}

fn properties_of<'a>(definitions: &'a mut Value, reference: &Value) -> Option<&'a mut Map<String, Value>> {
    let name = reference.get("$ref")?.as_str()?.strip_prefix("#/$defs/")?;
    definitions.get_mut(name)?.get_mut("properties")?.as_object_mut()
}

fn into_object(value: Value) -> JsonObject {
    match value {
        Value::Object(object) => object,
        _ => JsonObject::new(),
    }
}

/// Optional properties as their plain type: omit them to pass nothing.
fn plain_types(schema: &mut Value) {
    let Some(object) = schema.as_object_mut() else { return };
    for property in object.get_mut("properties").and_then(Value::as_object_mut).into_iter().flat_map(Map::values_mut) {
        without_null(property);
        plain_types(property);
    }
    if let Some(items) = object.get_mut("items") {
        plain_types(items);
    }
}

fn without_null(property: &mut Value) {
    if let Some(types) = property.get_mut("type")
        && let Some(only) = types.as_array().and_then(|types| types.iter().find(|name| *name != "null")).cloned()
    {
        *types = only;
    }
    let one_of_two = property.get("anyOf").and_then(Value::as_array).and_then(|options| {
        options.iter().find(|option| option.get("type").is_none_or(|name| name != "null")).cloned()
    });
    if let Some(Value::Object(mut chosen)) = one_of_two {
        if let Some(description) = property.get("description") {
            chosen.insert("description".into(), description.clone());
        }
        *property = Value::Object(chosen);
    }
    if let Some(Value::Array(values)) = property.get_mut("enum") {
        values.retain(|value| !value.is_null());
    }
}

fn make_lean(schema: &mut Value) {
    let Some(object) = schema.as_object_mut() else { return };
    for word in ["title", "format", "minLength", "maxItems", "minItems"] {
        object.remove(word);
    }
    object.retain(|word, value| match word.as_str() {
        "default" => ![Value::Null, json!(false), json!([]), json!({}), json!("")].contains(value),
        "minimum" => value.as_u64().is_some_and(|least| least > 1),
        "maximum" => value.as_u64().is_some_and(|most| most < u64::from(i32::MAX.unsigned_abs())),
        _ => true,
    });
    if let Some(properties) = object.get_mut("properties").and_then(Value::as_object_mut) {
        properties.retain(|_, property| property.get(UNLISTED).is_none());
        properties.values_mut().for_each(make_lean);
        // The description of a nested type is for us; that of the property, which is for clients, has replaced it.
    }
    for nested in ["items", "additionalProperties"] {
        if let Some(nested) = object.get_mut(nested) {
            if let Some(nested) = nested.as_object_mut() {
                nested.remove("description");
            }
            make_lean(nested);
        }
    }
}

fn drop_descriptions(schema: &mut Value) {
    if let Some(object) = schema.as_object_mut() {
        object.remove("description");
        for property in
            object.get_mut("properties").and_then(Value::as_object_mut).into_iter().flat_map(Map::values_mut)
        {
            drop_descriptions(property);
        }
    }
}
