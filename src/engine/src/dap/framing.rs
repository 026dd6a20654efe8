//! Messages on a byte stream: a header with the length, then JSON.

use std::io::{self, BufRead, Write};

/// No client sends a larger message.
const MAX: usize = 64 << 20;

/// The next message's bytes; `None` at the end of the stream.
///
/// # Errors
/// The stream's, or a header without a length.
pub fn read(input: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut length = None;
    let mut line = String::new();
    loop {
        line.clear();
        if input.read_line(&mut line)? == 0 {
            return Ok(None);
        }
        let header = line.trim_end();
        if header.is_empty() {
            match length {
                Some(length) => {
                    let mut body = vec![0; length];
                    input.read_exact(&mut body)?;
                    return Ok(Some(body));
                }
                // blank lines between messages
                None => continue,
            }
        }
        if let Some((name, value)) = header.split_once(':')
            && name.eq_ignore_ascii_case("Content-Length")
        {
            let announced: usize = value.trim().parse().map_err(|_| wrong(header))?;
            length = Some(announced).filter(|&length| length <= MAX);
            if length.is_none() {
                return Err(wrong(header));
            }
        }
    }
}

fn wrong(header: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("no valid Content-Length header: {header}"))
}

/// # Errors
/// The stream's: nobody reads any more.
pub fn write(output: &mut dyn Write, body: &[u8]) -> io::Result<()> {
    let mut frame = format!("Content-Length: {}\r\n\r\n", body.len()).into_bytes();
    frame.extend_from_slice(body);
    output.write_all(&frame)?;
    output.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let mut bytes = Vec::new();
        write(&mut bytes, b"{}").unwrap();
        write(&mut bytes, "{\"a\":\"é\"}".as_bytes()).unwrap();
        let mut input = bytes.as_slice();
        assert_eq!(read(&mut input).unwrap().unwrap(), b"{}");
        assert_eq!(read(&mut input).unwrap().unwrap(), "{\"a\":\"é\"}".as_bytes());
        assert!(read(&mut input).unwrap().is_none());
    }

    #[test]
    fn a_header_without_a_length_is_an_error_and_a_cut_body_too() {
        for bytes in
            [&b"Content-Length: x\r\n\r\n"[..], b"Content-Length: 99999999999\r\n\r\n", b"Content-Length: 5\r\n\r\n{}"]
        {
            assert!(read(&mut &*bytes).is_err());
        }
        assert!(read(&mut &b"content-length: 2\r\nX: y\r\n\r\n{}"[..]).unwrap().is_some());
    }
}
