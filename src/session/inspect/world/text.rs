//! Strings of the program, whole.

use std::sync::Arc;

use super::handle::{Handle, Place};
use super::program::Program;
use crate::session::error::Code;
use crate::session::inspect::evaluated::EvalError;
use crate::session::inspect::literal::Raw;
use crate::session::inspect::{escapes, text};

impl Program<'_> {
    /// Whether what the adapter prints of a string, up to a NUL, shows that it is not that one.
    pub(super) fn begins_otherwise(&self, of: &Handle, text: &[u16]) -> Result<bool, EvalError> {
        let Raw::Text(shown) = self.raw(of)?.parsed() else { return Ok(false) };
        Ok(String::from_utf16(text).is_ok_and(|text| !text::may_be(&shown, &text)))
    }

    /// UTF-16; `None` for what is no string.
    pub(super) fn whole_text(&self, of: &Handle) -> Result<Option<Arc<[u16]>>, EvalError> {
        let raw = self.raw(of)?;
        let Raw::Text(shown) = raw.parsed() else { return Ok(None) };
        let units = escapes::of_literal(&raw.value).unwrap_or_else(|| shown.encode_utf16().collect());
        let is_readable = match &of.place {
            Place::Path(_) => true,
            Place::Call { .. } => self.may_repeat(of),
            Place::Listed => false,
        };
        if raw.value == "\"\"" && of.path() == Some("\"\"")
            || !self.reader.quirks.strings_end_at_nul
            || !is_readable
            || self.reader.read_only
        {
            return Ok(Some(units.into()));
        }
        let path = self.spelled(of)?;
        let whole = self.asks.ask(async move |reader| text::whole(&reader, &path, &shown).await)?;
        match whole {
            Ok(whole) => Ok(Some(whole.encode_utf16().collect())),
            Err(words) => Err(EvalError::certain(Code::EvaluationFailed, words)),
        }
    }
}
