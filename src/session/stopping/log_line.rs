//! Lines of tracepoints: what stands in a placeholder for a value, and the lines of hits that an adapter read without a stop.

use crate::dap;
use crate::redaction::Redaction;
use crate::session::breakpoints::log_message::{self, Part};
use crate::session::breakpoints::{Entry, LastLog, LogFaults};
use crate::session::ids::BreakpointId;
use crate::session::inspect::specifiers::Specified;
use crate::session::inspect::{literal, number_format};
use crate::session::redacted;
use crate::session::report::{Content, Variable};

/// A value in place of its expression; `format`: a number's.
pub(super) fn shown(
    mut value: Variable,
    (expression, asked, format): (&str, &Specified, Option<&str>),
    by: &Redaction,
) -> String {
    value.name = expression.to_owned();
    redacted::variable(&mut value, "", by);
    match (value.content, value.type_name) {
        // a call without a result
        (_, Some(type_name)) if type_name == "void" => String::new(),
        (Content::Value(value), Some(type_name)) if value.starts_with(['{', '[']) => format!("{type_name} {value}"),
        (Content::Value(value), _) if !asked.specifiers.is_empty() => value,
        (Content::Value(value), _) => format
            .and_then(|format| number_format::apply(&value, format))
            .unwrap_or_else(|| log_message::interpolated(&value)),
        (Content::Error(words), _) => format!("!{words}"),
        _ => String::new(),
    }
}

/// A message whose values an adapter reads, as it was when the adapter was asked: what was read for it is a line of it, whatever became
/// of its tracepoint since.
#[derive(Debug, Clone)]
pub(crate) struct ReadMessage {
    pub id: BreakpointId,
    parts: Vec<(Part, Specified)>,
    faults: LogFaults,
    /// Of those that log changes alone.
    last: Option<LastLog>,
}

impl ReadMessage {
    /// `None`: it is no tracepoint, or no adapter can read its values.
    pub(crate) fn of(entry: &Entry) -> Option<Self> {
        let specified = |part: &Part| match part {
            Part::Text(_) => Some((part.clone(), Specified::plain(""))),
            Part::Hole { expression, .. } => Some((part.clone(), Specified::read(expression).ok()?)),
        };
        let parts = entry.log.as_ref()?.parts.iter().map(specified).collect::<Option<_>>()?;
        let last = entry.spec.only_changes.then(|| entry.last_log.clone());
        Some(Self { id: entry.id, parts, faults: entry.faults.clone(), last })
    }

    /// The line of a hit; `None`: it would be the one before again.
    pub(crate) fn line(&self, values: &[dap::TracedValue], by: &Redaction) -> Option<String> {
        let (mut line, mut values) = (String::new(), values.iter());
        let mut has_hole = false;
        for (part, asked) in &self.parts {
            match part {
                Part::Text(plain) => line.push_str(plain),
                Part::Hole { expression, alignment, format } => {
                    has_hole = true;
                    let value = values.next().and_then(|it| asked.shown_plain(&it.value, &it.type_name, literal::LONG));
                    let value = value.map(|value| shown(value, (expression, asked, format.as_deref()), by));
                    line.push_str(&log_message::formatted(value.unwrap_or_default(), *alignment));
                }
            }
        }
        if has_hole {
            self.faults.judged(true);
        }
        self.last.as_ref().is_none_or(|last| last.is_change(&line)).then_some(line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::breakpoints::{Role, Target};
    use crate::session::spec::{BreakpointSpec, Place};

    fn message(log: &str, only_changes: bool) -> ReadMessage {
        let place = Place::Function("M".into());
        let spec = BreakpointSpec { log: Some(log.into()), only_changes, ..BreakpointSpec::at(place) };
        ReadMessage::of(&Entry::new(BreakpointId(1), Role::User, spec, Target::Function("M".into())).unwrap()).unwrap()
    }

    fn value(type_name: &str, printed: &str) -> dap::TracedValue {
        dap::TracedValue { type_name: type_name.into(), value: printed.into(), ..dap::TracedValue::default() }
    }

    #[test]
    fn what_an_adapter_printed_is_put_into_words_as_at_a_stop() {
        for (placeholder, type_name, printed, expected) in [
            ("{x}", "int", "7", "7"),
            ("{x:D4}", "int", "7", "0007"),
            ("{x,5}|", "int", "7", "    7|"),
            ("{x,-5}|", "bool", "true", "True |"),
            ("{x,h}", "int", "255", "0x000000ff"),
            ("{x}", "long", "7", "7"),
            ("{x}", "ulong", "18446744073709551615", "18446744073709551615"),
            ("{x:F2}", "decimal", "2.5", "2.50"),
            ("{x}", "double", "5", "5"),
            ("{x}", "double", "NaN", "double.NaN"),
            ("{x}", "float", "0.1", "0.1"),
            ("{x}", "char", "233 'é'", "é"),
            ("{x}", "char", "10 '\\n'", "\n"),
            ("{x,d}", "char", "97 'a'", "97"),
            ("{x}", "string", "\"a \\\"b\\\"\"", "a \"b\""),
            ("{x,nq}", "string", "\"a\"", "a"),
            ("{x}", "string", "null", ""),
            ("{x}", "int?", "5", "5"),
            ("{x}", "int?", "null", ""),
            ("{x}", "Basics.Access", "Read | Write", "Read | Write"),
            ("{{{x}}}", "int", "7", "{7}"),
        ] {
            let line = message(placeholder, false).line(&[value(type_name, printed)], &Redaction::default());
            assert_eq!(line.as_deref(), Some(expected), "{placeholder} of {type_name} {printed}");
        }
    }

    #[test]
    fn a_long_text_is_cut_and_a_secret_is_not_shown() {
        let line = |placeholder, text: &str| {
            message(placeholder, false).line(&[value("string", text)], &Redaction::default()).unwrap()
        };
        let long = line("{x}", &format!("\"{}\"", "x".repeat(3_000)));
        assert_eq!(long, format!("{}…", "x".repeat(literal::LONG)));
        let secret = line("{password}", "\"hunter2\"");
        assert!(!secret.contains("hunter2"), "{secret}");
    }

    #[test]
    fn only_changes_are_lines_where_only_they_are_wanted() {
        let message = message("{x}", true);
        let lines = ["1", "1", "2"].map(|x| message.line(&[value("int", x)], &Redaction::default()));
        assert_eq!(lines, [Some("1".to_owned()), None, Some("2".to_owned())]);
    }
}
