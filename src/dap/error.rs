//! How a request can fail.

use serde_json::value::RawValue;

/// Why there is no usable answer.
#[derive(Debug, thiserror::Error)]
pub enum DapError {
    /// The adapter answered, and said no. Its own words are kept.
    #[error("the adapter refused {command}: {message}")]
    Refused {
        /// The DAP command.
        command: &'static str,
        /// The adapter's words; empty if it gave none.
        message: String,
        /// The body of the refusal, if there was one.
        body: Option<Box<RawValue>>,
    },
    /// There is no adapter to answer any more.
    #[error("the adapter exited ({reason}) during {while_doing}")]
    Gone {
        /// The command and its main argument, for example `evaluate order.Total`.
        while_doing: String,
        /// What was said when the connection was given up.
        reason: String,
    },
    /// The arguments could not be written, or a successful answer does not have the shape we know.
    #[error("the response to {command} does not have the expected shape: {source}")]
    Shape {
        /// The DAP command.
        command: &'static str,
        /// Where it differs.
        source: serde_json::Error,
    },
    /// A body that is no DAP message at all. Costs that message, not the session.
    #[error("not a DAP message: {0}")]
    Malformed(String),
}

impl DapError {
    /// The HRESULT in a refusal: `0x` and eight hexadecimal digits, as in `Failed command 'next' : 0x80004005`.
    #[must_use]
    pub fn hresult(&self) -> Option<u32> {
        match self {
            Self::Refused { message, .. } => hresult_in(message),
            _ => None,
        }
    }

    /// Whether the adapter itself is lost, and every further request with it.
    #[must_use]
    pub fn is_gone(&self) -> bool {
        matches!(self, Self::Gone { .. })
    }
}

fn hresult_in(message: &str) -> Option<u32> {
    message.split("0x").skip(1).find_map(|rest| {
        let digits = rest.get(..8)?;
        let ends = !rest.get(8..)?.starts_with(|c: char| c.is_ascii_hexdigit());
        if ends && digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            u32::from_str_radix(digits, 16).ok()
        } else {
            None
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_hresult_is_found_in_the_adapters_own_words() {
        let table = [
            ("Failed command 'stackTrace' : 0x80131302", Some(0x8013_1302)),
            ("error: 0x80070057", Some(0x8007_0057)),
            ("Evaluation failed at 0x12, then 0x80004005.", Some(0x8000_4005)),
            ("error CS0103: The name 'x' does not exist", None),
            ("0x1234567", None),
            ("0x123456789", None),
            ("0xgrüße!!", None),
            ("", None),
        ];
        for (message, expected) in table {
            assert_eq!(hresult_in(message), expected, "{message}");
        }
    }
}
