//! Answers to questions about the program at rest, put together from all that was recorded in the same period.

use serde_json::{Value, json};

use super::{
    matching::Position,
    script::{Script, Step},
};

/// What to say, and the step it comes from when that one is to be played with its events.
pub(super) enum Found {
    /// Play this step, answering with its own response.
    Step(usize),
    /// Say this instead, with success.
    Answer(Value),
}

/// Looks for an answer; questions may be asked again and again.
pub(super) fn find(script: &Script, position: &Position, command: &str, arguments: &Value) -> Option<Found> {
    let same_command: Vec<_> = script.steps.iter().enumerate().filter(|(_, step)| step.command == command).collect();
    let find = |steps: Vec<(usize, &Step)>| find_among(&steps, position, command, arguments);
    let of_period = |step: &Step| step.asked_in == position.period;
    // We play without delay: who asks while the program runs finds it stopped already.
    let of_mover = |step: &Step| step.after == position.mover;
    find(keep(&same_command, of_period)).or_else(|| find(keep(&same_command, of_mover))).or_else(|| match command {
        "evaluate" => read_instead(script, position, arguments).map(Found::Answer),
        _ => None,
    })
}

fn keep<'a>(steps: &[(usize, &'a Step)], wanted: impl Fn(&Step) -> bool) -> Vec<(usize, &'a Step)> {
    steps.iter().filter(|(_, step)| wanted(step)).copied().collect()
}

fn find_among(here: &[(usize, &Step)], position: &Position, command: &str, arguments: &Value) -> Option<Found> {
    let exact = keep(here, |step| step.arguments == *arguments);
    let unused = exact.iter().find(|(index, _)| !position.is_used(*index));
    if let Some((index, _)) = unused.or(exact.first()) {
        return Some(Found::Step(*index));
    }
    let keys: &[&str] = match command {
        "stackTrace" | "exceptionInfo" => &["threadId"],
        "scopes" => &["frameId"],
        "variables" => &["variablesReference"],
        "evaluate" => &["expression", "frameId"],
        _ => &[],
    };
    let same = |key: &str, recorded: Option<&Value>, asked: Option<&Value>| match key {
        "expression" => recorded.map(plain) == asked.map(plain),
        _ => recorded == asked,
    };
    let fitting = keep(here, |step| keys.iter().all(|key| same(key, step.arguments.get(key), arguments.get(key))));
    match command {
        "stackTrace" => frames(&fitting, arguments).map(Found::Answer),
        "variables" => children(&fitting, arguments).map(Found::Answer),
        _ => None,
    }
    .or_else(|| fitting.first().map(|(index, _)| Found::Step(*index)))
}

/// An expression without the format specifier that dncdbg needs before it runs getters: the answer is the same.
fn plain(expression: &Value) -> &str {
    let expression = expression.as_str().unwrap_or_default().trim();
    expression.strip_suffix(",ac").unwrap_or(expression)
}

/// Frames of all recorded pages, cut to the page asked for.
fn frames(pages: &[(usize, &Step)], arguments: &Value) -> Option<Value> {
    let mut known: Vec<Option<&Value>> = Vec::new();
    let mut total = 0;
    for (_, step) in pages {
        let Some(result) = step.result() else {
            continue;
        };
        let start = count(&step.arguments, "startFrame");
        for (at, frame) in result.get("stackFrames")?.as_array()?.iter().enumerate() {
            let at = start.checked_add(at).filter(|at| *at < 1_000_000)?;
            known.resize(known.len().max(at + 1), None);
            *known.get_mut(at)? = Some(frame);
        }
        total = total.max(count(result, "totalFrames"));
    }
    if known.is_empty() {
        return None;
    }
    let levels = Some(count(arguments, "levels")).filter(|levels| *levels > 0).unwrap_or(usize::MAX);
    let page: Vec<_> =
        known.into_iter().skip(count(arguments, "startFrame")).map_while(|frame| frame).take(levels).collect();
    Some(json!({"stackFrames": page, "totalFrames": total}))
}

/// Children as recorded without paging, cut to the page asked for.
fn children(answers: &[(usize, &Step)], arguments: &Value) -> Option<Value> {
    let whole = answers
        .iter()
        .find(|(_, step)| count(&step.arguments, "count") == 0 && count(&step.arguments, "start") == 0)?;
    let children = whole.1.result()?.get("variables")?.as_array()?;
    let limit = Some(count(arguments, "count")).filter(|count| *count > 0).unwrap_or(usize::MAX);
    let page: Vec<_> = children.iter().skip(count(arguments, "start")).take(limit).collect();
    Some(json!({"variables": page}))
}

/// An expression that was never evaluated, but that a recorded variable says it stands for.
fn read_instead(script: &Script, position: &Position, arguments: &Value) -> Option<Value> {
    let expression = arguments.get("expression").filter(|expression| expression.as_str() != Some(""))?;
    let lists = script.steps.iter().filter(|step| step.command == "variables" && step.asked_in == position.period);
    let variables = lists.filter_map(|step| step.result()?.get("variables")?.as_array()).flatten();
    let variable = variables.into_iter().find(|variable| variable.get("evaluateName") == Some(expression))?;
    let mut answer = variable.as_object()?.clone();
    answer.retain(|key, _| key != "name" && key != "evaluateName");
    let value = answer.remove("value")?;
    answer.insert("result".to_owned(), value);
    Some(Value::Object(answer))
}

fn count(object: &Value, key: &str) -> usize {
    object.get(key).and_then(Value::as_u64).and_then(|number| usize::try_from(number).ok()).unwrap_or(0)
}
