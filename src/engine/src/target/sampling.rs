//! Samples of the program's threads, asked for from outside: to stop its threads for one, a runtime finds a way that older ones do not
//! have for a debugger. Where .NET 8 on Linux waits for ever until a loop comes by a safe point by itself, a sample interrupts it,
//! and on its way back the thread meets the debugger's request.
//!
//! The way in is the runtime's diagnostic port, on Linux a socket: a session of its sample profiler, whose thread is made for it and so is not yet one
//! that the debugger stops. A collection of garbage would interrupt the loop too, but once only: the thread that serves the socket
//! becomes a managed one by it. The session ends when the socket is closed.

use std::io::Write;
use std::time::Duration;

use crate::com::system::{self, DiagnosticPort};

const PROVIDER: &str = "Microsoft-DotNETCore-SampleProfiler";
/// Of the event levels.
const INFORMATIONAL: u32 = 4;
/// The runtime reads it at once, unless something is wrong with it.
const LIMIT: Duration = Duration::from_secs(1);

/// Samples are taken until this is dropped.
pub struct Sampling {
    _open: DiagnosticPort,
}

impl Sampling {
    /// `None` where the program's diagnostics are switched off.
    pub fn begin(pid: u32) -> Option<Self> {
        let mut port = system::diagnostic_port(pid, LIMIT)?;
        port.write_all(&request()).ok()?;
        Some(Self { _open: port })
    }
}

/// CollectTracing2 of the diagnostic IPC protocol.
fn request() -> Vec<u8> {
    const EVENT_PIPE: u8 = 2;
    const COLLECT_TRACING_2: u8 = 3;
    let mut payload = Vec::new();
    // megabytes of its buffer, the format of the stream
    payload.extend(1_u32.to_le_bytes());
    payload.extend(1_u32.to_le_bytes());
    // no events about all code at its end
    payload.push(0);
    // one provider: its keywords, level, name and arguments
    payload.extend(1_u32.to_le_bytes());
    payload.extend(0_u64.to_le_bytes());
    payload.extend(INFORMATIONAL.to_le_bytes());
    let name: Vec<u16> = PROVIDER.encode_utf16().chain([0]).collect();
    payload.extend(u32::try_from(name.len()).unwrap_or(0).to_le_bytes());
    payload.extend(name.iter().flat_map(|unit| unit.to_le_bytes()));
    payload.extend(0_u32.to_le_bytes());
    let mut message = b"DOTNET_IPC_V1\0".to_vec();
    let length = u16::try_from(message.len() + 6 + payload.len()).unwrap_or(0);
    message.extend(length.to_le_bytes());
    message.extend([EVENT_PIPE, COLLECT_TRACING_2, 0, 0]);
    message.extend(payload);
    message
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_request_says_how_long_it_is() {
        let request = request();
        assert_eq!(request.get(14..16), Some(&(request.len() as u16).to_le_bytes()[..]));
        assert!(request.starts_with(b"DOTNET_IPC_V1\0"));
    }

    #[test]
    fn a_process_without_a_runtime_has_no_samples() {
        assert!(Sampling::begin(std::process::id()).is_none());
    }
}
