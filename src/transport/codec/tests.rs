use proptest::prelude::*;

use super::*;

/// All bodies of a stream that arrives in these pieces, then how it ended.
fn read(pieces: &[&[u8]]) -> (Vec<Bytes>, Result<(), TransportError>) {
    read_with(DapCodec::default(), pieces)
}

fn read_with(mut codec: DapCodec, pieces: &[&[u8]]) -> (Vec<Bytes>, Result<(), TransportError>) {
    let mut buffer = BytesMut::new();
    let mut bodies = Vec::new();
    for piece in pieces {
        buffer.extend_from_slice(piece);
        loop {
            match codec.decode(&mut buffer) {
                Ok(Some(body)) => bodies.push(body),
                Ok(None) => break,
                Err(error) => return (bodies, Err(error)),
            }
        }
    }
    loop {
        match codec.decode_eof(&mut buffer) {
            Ok(Some(body)) => bodies.push(body),
            Ok(None) => return (bodies, Ok(())),
            Err(error) => return (bodies, Err(error)),
        }
    }
}

fn wire(bodies: &[Vec<u8>]) -> Vec<u8> {
    let mut wire = BytesMut::new();
    for body in bodies {
        DapCodec::default().encode(Bytes::copy_from_slice(body), &mut wire).unwrap();
    }
    wire.to_vec()
}

#[test]
fn the_header_is_written_exactly_as_netcoredbg_wants_it() {
    assert_eq!(wire(&[b"{}".to_vec()]), b"Content-Length: 2\r\n\r\n{}");
}

#[test]
fn a_frame_cut_at_any_byte_is_read_whole() {
    let bodies = [b"{\"a\":1}".to_vec(), Vec::new(), "größe\r\n\r\n".as_bytes().to_vec()];
    let wire = wire(&bodies);
    for at in 0..=wire.len() {
        let (left, right) = wire.split_at(at);
        let (read, end) = read(&[left, right]);
        assert!(end.is_ok(), "cut at {at}");
        assert_eq!(read, bodies, "cut at {at}");
    }
}

#[test]
fn headers_are_read_tolerantly() {
    for header in [
        "content-length:2\r\n\r\n",
        "CONTENT-LENGTH:   2  \r\n\r\n",
        "Content-Type: application/json\r\nContent-Length: 2\r\nX: y\r\n\r\n",
        "a line without a colon\r\nContent-Length: 2\r\n\r\n",
        "Content-Length: 002\r\n\r\n",
    ] {
        let (bodies, end) = read(&[header.as_bytes(), b"{}"]);
        assert!(end.is_ok(), "{header:?}");
        assert_eq!(bodies, ["{}"], "{header:?}");
    }
}

#[test]
fn broken_frames_are_named() {
    let many = "x".repeat(MAX_HEADER + HEADER_END.len());
    let table: [(&[u8], &str); 12] = [
        (b"Content-Type: x\r\n\r\n{}", "no Content-Length in the header \"Content-Type: x\""),
        (b"\r\n\r\n{}", "no Content-Length in the header \"\""),
        (b"Content-Length: two\r\n\r\n{}", "Content-Length \"two\" is not a number of bytes"),
        (b"Content-Length: -2\r\n\r\n{}", "Content-Length \"-2\" is not a number of bytes"),
        (b"Content-Length: +2\r\n\r\n{}", "Content-Length \"+2\" is not a number of bytes"),
        (b"Content-Length:\r\n\r\n{}", "Content-Length \"\" is not a number of bytes"),
        (b"Content-Length: 1073741824\r\n\r\n", "a body of 1073741824 bytes exceeds the limit of 268435456"),
        (
            b"Content-Length: 99999999999999999999999999\r\n\r\n",
            "a body of 18446744073709551615 bytes exceeds the limit of 268435456",
        ),
        (many.as_bytes(), "a header is longer than 8192 bytes; it begins with \"xxx"),
        (b"Content-Le", "the stream ended inside a frame, after 10 bytes of a header"),
        (b"Content-Length: 7\r\n\r\n{\"a\"", "the stream ended inside a frame, after 4 bytes of a body of 7"),
        (b"Content-Length: 7\r\n\r\n", "the stream ended inside a frame, after 0 bytes of a body of 7"),
    ];
    for (bytes, expected) in table {
        let (bodies, end) = read(&[bytes]);
        let words = end.unwrap_err().to_string();
        assert!(words.starts_with(expected), "{words}");
        assert!(bodies.is_empty());
    }
}

#[test]
fn bodies_that_are_not_utf8_are_passed_on_as_they_are() {
    let bodies = [b"\xff\xfe\x00".to_vec()];
    assert_eq!(read(&[&wire(&bodies)]).0, bodies);
}

#[test]
fn a_wrong_length_ends_the_stream_at_the_next_header() {
    let (bodies, end) = read(&[b"Content-Length: 5\r\n\r\n{\"a\":1}Content-Length: 2\r\n\r\n{}"]);
    assert_eq!(bodies, ["{\"a\":"]);
    // `1}Content-Length` is the name of no header that we know.
    assert!(matches!(end, Err(TransportError::NoLength { .. })));
}

#[test]
fn an_announced_length_reserves_nothing() {
    let mut codec = DapCodec::default();
    let mut buffer = BytesMut::from(&b"Content-Length: 268435456\r\n\r\nx"[..]);
    assert!(codec.decode(&mut buffer).unwrap().is_none());
    assert!(buffer.capacity() < 64 * 1024, "{} bytes reserved", buffer.capacity());
}

#[test]
fn limits_hold_to_the_byte_however_the_header_is_cut() {
    let header = b"Content-Length: 4\r\n\r\n";
    for (max_header, max_body, fine) in [(17, 4, true), (16, 4, false), (17, 3, false)] {
        for at in 0..header.len() {
            let (left, right) = header.split_at(at);
            let (bodies, end) = read_with(DapCodec::with_limits(max_header, max_body), &[left, right, b"true"]);
            assert_eq!(end.is_ok(), fine, "{max_header} {max_body} cut at {at}");
            assert_eq!(bodies.len(), usize::from(fine));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn however_the_bytes_are_cut_the_same_bodies_come_out(
        bodies in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..200), 1..6),
        cuts in prop::collection::vec(1usize..64, 1..200),
    ) {
        let wire = wire(&bodies);
        let mut pieces = Vec::new();
        let mut rest = wire.as_slice();
        for cut in cuts.iter().cycle() {
            if rest.is_empty() { break }
            let (piece, after) = rest.split_at((*cut).min(rest.len()));
            pieces.push(piece);
            rest = after;
        }
        let (read, end) = read(&pieces);
        prop_assert!(end.is_ok());
        prop_assert_eq!(read, bodies);
    }

    #[test]
    fn garbage_between_frames_is_an_error_or_skipped_and_never_a_panic(
        garbage in prop::collection::vec(any::<u8>(), 0..100),
        cut in 0usize..150,
    ) {
        let mut bytes = wire(&[b"{\"first\":1}".to_vec()]);
        bytes.extend_from_slice(&garbage);
        bytes.extend_from_slice(&wire(&[b"{}".to_vec()]));
        let (left, right) = bytes.split_at(cut.min(bytes.len()));
        let whole = read(&[&bytes]);
        let cut = read(&[left, right]);
        prop_assert_eq!(whole.0.first().map(|body| body.to_vec()), Some(b"{\"first\":1}".to_vec()));
        // How the bytes arrive decides nothing.
        prop_assert_eq!(&whole.0, &cut.0);
        prop_assert_eq!(whole.1.map_err(|error| error.to_string()), cut.1.map_err(|error| error.to_string()));
    }
}
