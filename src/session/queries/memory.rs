//! memory_read: bytes of the program, where the adapter can read them.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::numbered::Numbered;
use super::{heap_walk, references};
use crate::dap::{ReadMemoryArguments, request};
use crate::session::context::{StopContext, adapter_words};
use crate::session::error::{Code, SessionError};
use crate::session::ids::StateName;
use crate::session::inspect::ReadError;
use crate::session::spec::{MemoryQuery, MemoryStart};
use crate::session::view::MemoryView;

pub(super) async fn read(
    context: &StopContext,
    query: &MemoryQuery,
    numbered: &Numbered,
) -> Result<MemoryView, SessionError> {
    let reader = context.reader_at(query.at).await?;
    if !reader.capabilities.supports_read_memory_request {
        let message = "this adapter cannot read memory, which memory_read needs";
        let hint = "debug_launch with backend: builtin; to attach, start clrbridge with --backend builtin";
        return Err(SessionError::new(Code::UnsupportedByAdapter, message, hint).in_state(StateName::Stopped));
    }
    let (memory_reference, path) = match &query.from {
        MemoryStart::Address(address) => (format!("{address:#x}"), None),
        MemoryStart::Path(path) => {
            let path = path.trim();
            let expression = heap_walk::expression(&reader, path, (numbered, context)).await?;
            let Some(place) = references::place(&reader, &expression).await else {
                let message = format!("`{path}` is not an object on the heap of this program");
                let hint = "pass the path of an object, or an address; variables_get lists the variables";
                return Err(SessionError::new(Code::VariableNotFound, message, hint).in_state(StateName::Stopped));
            };
            (place.address, Some(path.to_owned()))
        }
    };
    let arguments = ReadMemoryArguments { memory_reference, offset: None, count: query.size };
    let asked = reader.client.request::<request::ReadMemory>(arguments).await;
    let answer = asked.map_err(|error| adapter_words(&ReadError::from(error)))?;
    let decoded = STANDARD.decode(answer.data.unwrap_or_default());
    let bytes = decoded.map_err(|error| {
        let message = format!("the adapter's readMemory answer is not valid base64: {error}");
        SessionError::new(Code::AdapterError, message, "read the values instead: variables_get")
            .in_state(StateName::Stopped)
    })?;
    let address = answer.address.strip_prefix("0x").and_then(|digits| u64::from_str_radix(digits, 16).ok());
    let address = address.unwrap_or_default();
    if bytes.is_empty() {
        let message = format!("the program has no readable memory at {address:#x}");
        let hint = "object_inspect gives the address of an object at this stop";
        return Err(SessionError::argument("address", message, hint).in_state(StateName::Stopped));
    }
    Ok(MemoryView { address, bytes, unreadable: answer.unreadable_bytes.unwrap_or_default(), path, redacted: 0 })
}
