//! What an answer says, in one line, less what differs from run to run (process and thread ids, times).

use serde_json::Value;

use crate::replayed::Answer;

pub fn of(tool: &str, answer: &Answer) -> String {
    let text = said(tool, answer);
    let ids = regex::Regex::new(r"(thread|ready|running for) \d+(\.\d s)?").unwrap();
    ids.replace_all(&text, "$1 N").into_owned()
}

fn said(tool: &str, answer: &Answer) -> String {
    let json = &answer.json;
    if answer.failed {
        return format!("error {}: {}", text(&json["code"]), text(&json["message"]));
    }
    match tool {
        "stacktrace_get" => stack(json),
        "threads_list" => format!("{} threads", json["count"]),
        "exception_get_context" => exception(&json["exception"]),
        "variables_get" => variables(&json["variables"]),
        "evaluate" => variable(json),
        "modules_list" => names(&json["modules"]),
        "debug_state" => state(json),
        "breakpoint_set" | "tracepoint_set" => breakpoint(json),
        "breakpoint_remove" => format!("removed {}", json["removed"]),
        "variable_set" => format!("{} was {}", text(&json["value"]), text(&json["was"])),
        "breakpoint_set_exception" => json["exceptions"].to_string(),
        _ => report(json),
    }
}

fn report(json: &Value) -> String {
    let mut facts = vec![text(&json["outcome"])];
    for field in ["reason", "breakpoint_ids", "hit_count", "exit_code", "signal", "note"] {
        if !json[field].is_null() {
            facts.push(if field == "reason" { text(&json[field]) } else { format!("{field} {}", text(&json[field])) });
        }
    }
    if json["exception"].is_object() {
        facts.push(exception(&json["exception"]));
    }
    if json["location"].is_object() {
        facts.push(place(&json["location"]));
    }
    facts.extend(list(&json["breakpoints"]).map(breakpoint));
    facts.extend(list(&json["tracepoints"]).map(|line| format!("log {}", line["text"])));
    for stream in ["stdout", "stderr"] {
        if let Some(written) = json["output"][stream].as_str() {
            // how much of the output is shown depends on how long this machine's paths are: its last line does not
            let last: String = written.lines().last().unwrap_or("").chars().take(60).collect();
            let last = last.split(['/', '\\']).next().unwrap_or("").trim_end();
            facts.push(format!("{stream} ends {last:?}"));
        }
    }
    facts.join(", ")
}

fn place(location: &Value) -> String {
    let mut place = format!("{}:{}", text(&location["file"]), location["line"]);
    for field in ["kind", "function", "in"] {
        if let Some(word) = location[field].as_str() {
            place.push_str(&if field == "in" { format!(" in {word}") } else { format!(" {word}") });
        }
    }
    place
}

fn exception(exception: &Value) -> String {
    let mut words = format!("{}: {}", text(&exception["type"]), text(&exception["message"]));
    if exception["unhandled"] == true {
        words.push_str(" (unhandled)");
    }
    for inner in list(&exception["inner"]) {
        words.push_str(&format!(" < {}: {}", text(&inner["type"]), text(&inner["message"])));
    }
    words
}

fn breakpoint(json: &Value) -> String {
    let place = json["line"].as_i64().map_or_else(|| text(&json["function"]), |line| format!("line {line}"));
    let verified =
        if json["verified"] == true { "verified".to_owned() } else { format!("not verified {}", text(&json["why"])) };
    format!("[{} {place} {verified}]", json["id"])
}

fn stack(json: &Value) -> String {
    let frames: Vec<String> = list(&json["frames"])
        .take(6)
        .map(|frame| format!("{} {}", text(&frame["function"]), text(&frame["at"])))
        .collect();
    let external = json["external_frames"].as_i64().map_or(String::new(), |count| format!(" +{count} external"));
    format!("{}{external}", frames.join(" < "))
}

fn variable(json: &Value) -> String {
    ["type", "value", "count", "length", "error"]
        .iter()
        .filter(|field| !json[**field].is_null())
        .map(|field| text(&json[*field]))
        .collect::<Vec<_>>()
        .join(" ")
}

fn variables(json: &Value) -> String {
    list(json).map(|it| format!("{}: {}", text(&it["name"]), variable(it))).collect::<Vec<_>>().join("; ")
}

fn names(json: &Value) -> String {
    list(json).map(|it| text(&it["name"])).collect::<Vec<_>>().join(", ")
}

fn state(json: &Value) -> String {
    ["state", "reason", "exit_code", "signal"]
        .iter()
        .filter(|field| !json[**field].is_null())
        .map(|field| text(&json[*field]))
        .collect::<Vec<_>>()
        .join(" ")
}

fn list(json: &Value) -> impl Iterator<Item = &Value> {
    json.as_array().into_iter().flatten()
}

/// A string as it is, one line; anything else as JSON.
fn text(json: &Value) -> String {
    match json {
        Value::String(text) => text.replace('\n', "\\n"),
        Value::Null => String::new(),
        other => other.to_string(),
    }
}
