//! Whether two references are to the same object.

use clr_csharp::types::Type;

use super::handle::Handle;
use super::program::Program;
use super::reading::failed;
use crate::session::expression::join;
use crate::session::inspect::evaluated::EvalError;

impl Program<'_> {
    /// The runtime's hash codes are random numbers of 26 bits that stay with an object: those of two objects differ but once in 67 million.
    pub(super) fn are_one(&self, one: &Handle, other: &Handle) -> Result<bool, EvalError> {
        let is_path = one.path().is_some() && one.path() == other.path();
        if one.is(other) || is_path {
            return Ok(true);
        }
        let (left, right) = (self.type_at(one)?, self.type_at(other)?);
        if left != right {
            return Ok(false);
        }
        let (one_text, other_text) = (self.spelled(one)?, self.spelled(other)?);
        let words = |why: &str| {
            format!(
                "`==` compares references here, and {why}: this adapter cannot tell whether `{one_text}` and `{other_text}` are the same object"
            )
        };
        if left == Type::STRING || self.in_box(one)?.is_some() {
            if self.raw(one)?.value != self.raw(other)?.value {
                return Ok(false);
            }
            if left == Type::STRING {
                return failed(format!(
                    "{}; (string){one_text} == (string){other_text} compares the strings",
                    words("the strings are equal")
                ));
            }
            return failed(words("the values are equal"));
        }
        let printed = &self.raw(one)?.type_name;
        if self.reader.read_only
            || !self.reader.modules.has_identity_hash(printed) && !matches!(left, Type::Array { .. })
        {
            return failed(words(&format!("{} overrides GetHashCode", left.short())));
        }
        let hash = |text: &str| self.ask(&join(text, "GetHashCode()"));
        let (one, other) = (hash(&one_text)?, hash(&other_text)?);
        match one.type_name == "int" && other.type_name == "int" {
            true => Ok(one.value == other.value),
            false => failed(words("GetHashCode returned no number")),
        }
    }
}
