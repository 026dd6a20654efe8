//! Which calls of the history are wanted.

use serde::Deserialize;

use crate::history::{CANCELLED, Call, OK};

/// As a form sends it: an empty field wants all.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(super) struct Filter {
    pub tool: String,
    pub client: String,
    /// `ok`, `error`, `cancelled`, or the code of a failure.
    pub outcome: String,
    /// In the tool's name, the arguments or the outcome.
    pub text: String,
}

impl Filter {
    pub(super) fn is_set(&self) -> bool {
        [&self.tool, &self.client, &self.outcome, &self.text].iter().any(|field| !field.trim().is_empty())
    }

    pub(super) fn admits(&self, call: &Call) -> bool {
        let client = call.client.as_deref().unwrap_or_default();
        let outcome = self.outcome.trim();
        let is_error = call.outcome != OK && call.outcome != CANCELLED;
        has(&call.tool, &self.tool)
            && has(client, &self.client)
            && (outcome.is_empty() || call.outcome == outcome || outcome == "error" && is_error)
            && [&call.tool, &call.arguments, &call.outcome].iter().any(|text| has(text, &self.text))
    }

    /// Each field with its name.
    pub(super) fn pairs(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let fields = [("tool", &self.tool), ("client", &self.client), ("outcome", &self.outcome), ("text", &self.text)];
        fields.into_iter().map(|(name, value)| (name, value.as_str()))
    }

    /// For the address of an export.
    pub(super) fn query(&self) -> String {
        let set = self.pairs().filter(|(_, value)| !value.trim().is_empty());
        let pairs: Vec<String> = set.map(|(name, value)| format!("{name}={}", encoded(value))).collect();
        if pairs.is_empty() { String::new() } else { format!("?{}", pairs.join("&")) }
    }
}

/// In any case of letters.
fn has(text: &str, wanted: &str) -> bool {
    let wanted = wanted.trim().to_lowercase();
    wanted.is_empty() || text.to_lowercase().contains(&wanted)
}

pub(super) fn encoded(value: &str) -> impl std::fmt::Display {
    percent_encoding::utf8_percent_encode(value, percent_encoding::NON_ALPHANUMERIC)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_is_wanted_when_every_field_that_is_set_fits() {
        let call = Call {
            tool: "breakpoint_set".into(),
            arguments: "{\"file\":\"Program.cs\"}".into(),
            client: Some("Claude-Code".into()),
            outcome: "file_not_found".into(),
            ..Call::default()
        };
        for (tool, client, outcome, text, wanted) in [
            ("", "", "", "", true),
            ("point", "claude", "error", "PROGRAM", true),
            ("", "", "file_not_found", "", true),
            ("", "", "", "not_found", true),
            ("step", "", "", "", false),
            ("", "cursor", "", "", false),
            ("", "", "ok", "", false),
            ("", "", "cancelled", "", false),
            ("", "", "", "nowhere", false),
        ] {
            let [tool, client, outcome, text] = [tool, client, outcome, text].map(str::to_owned);
            let filter = Filter { tool, client, outcome, text };
            assert_eq!(filter.admits(&call), wanted, "{filter:?}");
        }
    }

    #[test]
    fn the_address_of_an_export_carries_the_filter() {
        let filter = Filter { text: "a&b=\"c\"".into(), outcome: "ok".into(), ..Filter::default() };
        assert_eq!(filter.query(), "?outcome=ok&text=a%26b%3D%22c%22");
        assert_eq!(Filter::default().query(), "");
    }
}
