//! Where a request comes from, as a browser reports it: the names by which this server may be addressed (`Host`), and the pages that
//! may address it (`Origin`).
//!
//! A page of any site can make a browser send requests here, by a name of its own that it lets point to 127.0.0.1 (DNS rebinding).
//! Such a request carries that name in `Host`. A page of another port of this machine carries its own origin.

use std::net::{IpAddr, SocketAddr};

use axum::http::header::{HOST, ORIGIN};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, StatusCode, Uri};

/// The hosts that requests may name.
#[derive(Debug, Clone)]
pub struct Hosts {
    /// Lower case, without ports.
    names: Vec<String>,
    /// Reached from other machines, whose users know an address: no page can make an address its own.
    any_address: bool,
}

impl Hosts {
    /// Of a server that listens on `address`; `names`: what it is also known by.
    pub fn new(address: SocketAddr, names: impl IntoIterator<Item = String>) -> Self {
        let names = names.into_iter().map(|name| name.to_lowercase()).chain(["localhost".to_owned()]);
        Self { names: names.collect(), any_address: !address.ip().is_loopback() }
    }

    /// # Errors
    /// What to answer, and with which status.
    pub(super) fn check(&self, uri: &Uri, headers: &HeaderMap) -> Result<(), (StatusCode, &'static str)> {
        const BAD: (StatusCode, &str) = (StatusCode::BAD_REQUEST, "one valid Host header is required");
        let mut hosts = headers.get_all(HOST).iter();
        let (Some(host), None) = (hosts.next(), hosts.next()) else { return Err(BAD) };
        let host = host.to_str().map_err(|_| BAD)?;
        let authority = Authority::try_from(host).map_err(|_| BAD)?;
        if host.contains('@') || uri.authority().is_some_and(|asked| *asked != authority) {
            return Err(BAD);
        }
        if !self.knows(authority.host()) {
            return Err((StatusCode::FORBIDDEN, "this Host is not allowed: add it to --allow-hosts"));
        }
        match headers.get(ORIGIN).map(|origin| origin.to_str()) {
            None => Ok(()),
            Some(Ok(origin)) if is_of(origin, host) => Ok(()),
            Some(_) => Err((StatusCode::FORBIDDEN, "this Origin is not allowed")),
        }
    }

    fn knows(&self, host: &str) -> bool {
        match host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>() {
            Ok(address) => self.any_address || address.is_loopback(),
            Err(_) => self.names.iter().any(|name| name.eq_ignore_ascii_case(host)),
        }
    }
}

/// Only our own pages; the scheme is that of a proxy before us, if there is one. Cookies do not distinguish ports, so the port must match.
fn is_of(origin: &str, host: &str) -> bool {
    let authority = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
    authority.is_some_and(|authority| authority.eq_ignore_ascii_case(host))
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    fn status(hosts: &Hosts, headers: &[(&'static str, &str)]) -> Option<u16> {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(*name, HeaderValue::from_bytes(value.as_bytes()).unwrap());
        }
        hosts.check(&Uri::from_static("/mcp"), &map).err().map(|(status, _)| status.as_u16())
    }

    #[test]
    fn only_names_of_this_machine_and_its_own_pages_pass() {
        let hosts = Hosts::new("127.0.0.1:7000".parse().unwrap(), ["dev.box".to_owned()]);
        for (headers, expected) in [
            (vec![("host", "127.0.0.1:7000")], None),
            (vec![("host", "localhost")], None),
            (vec![("host", "LOCALHOST:9000")], None),
            (vec![("host", "[::1]:7000")], None),
            (vec![("host", "Dev.Box:1")], None),
            (vec![("host", "evil.example:7000")], Some(403)),
            (vec![("host", "localhost.evil.example")], Some(403)),
            (vec![("host", "127.0.0.1.nip.io")], Some(403)),
            (vec![("host", "192.168.1.7:7000")], Some(403)),
            (vec![("host", "x@127.0.0.1")], Some(400)),
            (vec![("host", "")], Some(400)),
            (vec![("host", "\u{e9}")], Some(400)),
            (vec![], Some(400)),
            (vec![("host", "localhost"), ("host", "evil.example")], Some(400)),
            (vec![("host", "127.0.0.1:7000"), ("origin", "http://127.0.0.1:7000")], None),
            (vec![("host", "127.0.0.1:7000"), ("origin", "https://127.0.0.1:7000")], None),
            (vec![("host", "127.0.0.1:7000"), ("origin", "http://127.0.0.1:3000")], Some(403)),
            (vec![("host", "127.0.0.1:7000"), ("origin", "http://localhost:7000")], Some(403)),
            (vec![("host", "127.0.0.1:7000"), ("origin", "http://evil.example")], Some(403)),
            (vec![("host", "127.0.0.1:7000"), ("origin", "null")], Some(403)),
            (vec![("host", "127.0.0.1:7000"), ("origin", "")], Some(403)),
        ] {
            assert_eq!(status(&hosts, &headers), expected, "{headers:?}");
        }
    }

    #[test]
    fn a_server_for_other_machines_takes_addresses_and_the_names_it_was_given() {
        let hosts = Hosts::new("0.0.0.0:7000".parse().unwrap(), ["dev.box".to_owned()]);
        for (host, expected) in
            [("192.168.1.7:7000", None), ("[fe80::1]:7000", None), ("dev.box", None), ("evil.example", Some(403))]
        {
            assert_eq!(status(&hosts, &[("host", host)]), expected, "{host}");
        }
    }
}
