//! Addresses and end points.

use std::net::{Ipv4Addr, Ipv6Addr};

use crate::session::inspect::field_values::Fields;

/// Fields: _addressOrScopeId, _numbers[] (null for version 4).
pub(super) fn address(fields: &Fields) -> Option<String> {
    let number = fields.integer(0)? as u32;
    if fields.is_null(1) {
        // in network order as it lies in memory
        return Some(Ipv4Addr::from(number.to_le_bytes()).to_string());
    }
    let groups: Vec<u16> = fields.integers(1)?.into_iter().map(|group| group as u16).collect();
    let address = Ipv6Addr::from(<[u16; 8]>::try_from(groups).ok()?);
    Some(if number == 0 { address.to_string() } else { format!("{address}%{number}") })
}

/// The address' fields, then _port.
pub(super) fn end_point(fields: &Fields) -> Option<String> {
    let address = address(fields)?;
    let port = fields.integer(2)?;
    Some(if address.contains(':') { format!("[{address}]:{port}") } else { format!("{address}:{port}") })
}

/// Fields: _host, _port.
pub(super) fn dns_end_point(fields: &Fields) -> Option<String> {
    Some(format!("{}:{}", fields.text(0)?, fields.integer(1)?))
}
