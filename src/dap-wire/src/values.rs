//! Values: read, computed, assigned, thrown.

use serde::de::IntoDeserializer as _;
use serde::{Deserialize, Deserializer, Serialize};

/// `variables`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct VariablesArguments {
    pub variables_reference: i64,
    /// Some clients send an empty text for none.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "filter")]
    pub filter: Option<VariablesFilter>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start: Option<i64>,
    /// 0 or none: all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count: Option<i64>,
    /// Read by adapters with `supportsValueFormattingOptions`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<ValueFormat>,
}

/// How values are written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ValueFormat {
    /// Integers in hexadecimal.
    pub hex: bool,
}

fn filter<'de, D: Deserializer<'de>>(from: D) -> Result<Option<VariablesFilter>, D::Error> {
    let text = Option::<String>::deserialize(from)?.filter(|text| !text.is_empty());
    text.map(|text| VariablesFilter::deserialize(text.into_deserializer())).transpose()
}

/// Which children.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum VariablesFilter {
    Indexed,
    Named,
}

/// Children.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct VariablesResponse {
    pub variables: Vec<Variable>,
}

/// A named value.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Variable {
    pub name: String,
    pub value: String,
    #[serde(rename = "type")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub type_name: Option<String>,
    /// What to evaluate to get it again; empty for what cannot be evaluated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evaluate_name: Option<String>,
    /// Above 0: has children.
    pub variables_reference: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub named_variables: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub indexed_variables: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_reference: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub presentation_hint: Option<VariablePresentationHint>,
    /// Of a frame's variable: the same at every stop for the same object. Those with other upper halves cannot be compared (our own engine).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clr_identity: Option<u64>,
}

/// The kind of what an expression gave that is the exception which ended it (our own engine).
pub const THROWN: &str = "thrown";

/// What a value is, for display.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct VariablePresentationHint {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    pub attributes: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub visibility: Option<String>,
    pub lazy: bool,
}

/// `evaluate`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct EvaluateArguments {
    pub expression: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frame_id: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context: Option<String>,
    /// What the expression may run: an extension of adapters with `supportsCSharpExpressions`. Without it, anything.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub may_run: Option<MayRun>,
    /// When to give up, in ms: an extension of the same adapters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_limit: Option<u64>,
    /// As of [`VariablesArguments`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<ValueFormat>,
}

/// Code of the program that an expression may run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum MayRun {
    Nothing,
    /// What is known to change nothing; the refusal names the rest.
    Pure,
    Anything,
}

/// In place of a variable that a state machine has not kept.
pub const LOST: &str = "lost when the method was suspended: optimized code keeps only what it uses afterwards";

/// A computed value. A method that throws answers with success and the exception (netcoredbg 3.1.2, dncdbg).
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct EvaluateResponse {
    pub result: String,
    #[serde(rename = "type")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub type_name: Option<String>,
    pub variables_reference: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub named_variables: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub indexed_variables: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_reference: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub presentation_hint: Option<VariablePresentationHint>,
    /// Outside the schema: dncdbg answers text for stdin with this and nothing else.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

/// `setVariable`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct SetVariableArguments {
    pub variables_reference: i64,
    pub name: String,
    pub value: String,
    /// As of [`EvaluateArguments`]; the setter of what is assigned runs in any case.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub may_run: Option<MayRun>,
    /// As of [`VariablesArguments`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<ValueFormat>,
}

/// `setExpression`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct SetExpressionArguments {
    pub expression: String,
    pub value: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frame_id: Option<i64>,
    /// As of [`EvaluateArguments`]; the setter of what is assigned runs in any case.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub may_run: Option<MayRun>,
    /// As of [`VariablesArguments`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<ValueFormat>,
}

/// An assignment done.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct SetValueResponse {
    /// The new value as it reads now.
    pub value: String,
    #[serde(rename = "type")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub type_name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variables_reference: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub named_variables: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub indexed_variables: Option<i64>,
}

/// The exception a thread stopped at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ExceptionInfoResponse {
    /// The type's full name.
    #[serde(default)]
    pub exception_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    pub break_mode: ExceptionBreakMode,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub details: Option<ExceptionDetails>,
}

/// When an exception stops the program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ExceptionBreakMode {
    Never,
    Always,
    Unhandled,
    UserUnhandled,
    #[serde(untagged)]
    Other(String),
}

/// An exception and those inside it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ExceptionDetails {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub type_name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub full_type_name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evaluate_name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stack_trace: Option<String>,
    pub inner_exception: Vec<ExceptionDetails>,
    /// Outside the schema; netcoredbg and dncdbg send it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub formatted_description: Option<String>,
    /// Outside the schema; netcoredbg and dncdbg send it: the assembly.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
}

/// `completions`: what may be written at a place of an expression.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct CompletionsArguments {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frame_id: Option<i64>,
    pub text: String,
    /// Where the cursor stands: before the character of that number, counted in UTF-16 from 1.
    pub column: i64,
    /// The line of the cursor, from 1; none: the first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<i64>,
}

/// What fits there.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CompletionsResponse {
    pub targets: Vec<CompletionItem>,
}

/// A name that fits.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct CompletionItem {
    pub label: String,
    /// `variable`, `field`, `property` or `method`.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// The type of a value, the parameters of a method.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// What the name replaces of the text: where that begins, counted from 0, and how long it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub length: Option<i64>,
}
