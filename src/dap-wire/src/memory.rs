//! Bytes of the program's memory.

use serde::{Deserialize, Serialize};

/// `readMemory`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ReadMemoryArguments {
    /// Where a value lies, as an answer has it: `0x7f3a5c0128d0`.
    pub memory_reference: String,
    /// Bytes behind it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offset: Option<i64>,
    /// Bytes.
    pub count: u64,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ReadMemoryResponse {
    pub address: String,
    /// Bytes that cannot be read, behind those that could be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unreadable_bytes: Option<u64>,
    /// Base64.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data: Option<String>,
}
