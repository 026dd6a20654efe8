//! Whether two references are to the same object.

use clr_csharp::types::{MethodRef, Type};
use clr_csharp::value::Value;

use super::handle::Handle;
use super::program::Program;
use super::reading::failed;
use crate::session::expression::join;
use crate::session::inspect::evaluated::EvalError;

/// What the runtime makes of a type, once.
const RUNTIME_TYPE: &str = "System.RuntimeType";

impl Program<'_> {
    /// Types compared, for which no adapter calls the method: one is one object.
    pub(super) fn types_compared(
        &self,
        method: &MethodRef,
        this: Option<&Value<Handle>>,
        arguments: &[Value<Handle>],
    ) -> Result<Option<bool>, EvalError> {
        let (one, other) = match (this, arguments) {
            (None, [Value::Object(one), Value::Object(other)]) | (Some(Value::Object(one)), [Value::Object(other)]) => {
                (one, other)
            }
            _ => return Ok(None),
        };
        let is_equal = match method.method.name.as_str() {
            "op_Equality" | "Equals" | "ReferenceEquals" => true,
            "op_Inequality" => false,
            _ => return Ok(None),
        };
        for side in [one, other] {
            let declared = side.declared.as_ref();
            if !declared.is_some_and(|it| it.is("System.Type")) || self.raw(side)?.type_name != RUNTIME_TYPE {
                return Ok(None);
            }
        }
        Ok(Some(self.are_one(one, other)? == is_equal))
    }

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
        let has_identity_hash = || {
            // what it overrides GetHashCode with is that of every object
            printed == RUNTIME_TYPE
                || matches!(left, Type::Array { .. })
                || self.reader.modules.has_identity_hash(printed)
        };
        if self.reader.read_only || !has_identity_hash() {
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
