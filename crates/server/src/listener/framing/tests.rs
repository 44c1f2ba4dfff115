use super::*;

/// Scans the bytes in pieces of this size. Returns the bytes that hyper reads, and the state of the scanner.
fn scan_in_pieces(bytes: &str, piece_len: usize) -> (String, ScanState) {
    let mut scanner = HeadScanner::default();
    let mut bytes = bytes.as_bytes().to_vec();
    bytes.chunks_mut(piece_len).for_each(|piece| scanner.scan(piece));
    (String::from_utf8(bytes).unwrap(), scanner.state)
}

fn request(fields: &str) -> String {
    format!("POST /x HTTP/1.1\r\nHost: a\r\n{fields}\r\n")
}

fn assert_passes(bytes: &str, state: ScanState) {
    for piece_len in 1..bytes.len() {
        assert_eq!(scan_in_pieces(bytes, piece_len), (bytes.to_owned(), state), "in pieces of {piece_len} bytes");
    }
}

#[test]
fn unambiguous_requests_pass_unchanged() {
    assert_passes(&request(""), ScanState::Start);
    assert_passes(&request("Content-Length: 5\r\n"), ScanState::Body(5));
    assert_passes(&request("content-length:0 \r\n"), ScanState::Start);
    assert_passes(&format!("{}hello", request("Content-Length: 5\r\n")), ScanState::Start);
    assert_passes(&format!("{}hel", request("Content-Length: 5\r\n")), ScanState::Body(2));
    assert_passes(&request("Transfer-Encoding: Chunked\r\n"), ScanState::End);
    assert_passes(&request(&format!("X: {}\r\nHostname: b\r\n", "long ".repeat(100))), ScanState::Start);
    assert_passes("\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n", ScanState::Fields);
}

#[test]
fn a_body_is_not_scanned_as_a_head() {
    let body = "Host: b\nHost: c\r\n\r\n";
    let first = format!("{}{body}", request(&format!("Content-Length: {}\r\n", body.len())));
    assert_passes(&format!("{first}{first}"), ScanState::Start);
    // The next head is scanned independently of the previous one.
    let (text, state) = scan_in_pieces(&format!("{first}{}", request("Host: b\r\n")), 7);
    assert_eq!((text.matches('\0').count(), state), (1, ScanState::End));
}

#[test]
fn an_ambiguous_head_is_invalidated_at_the_line_that_makes_it_ambiguous() {
    let padded = format!("Content-Length: {}5\r\n", " ".repeat(100));
    for fields in [
        "Content-Length: 5\r\nContent-Length: 5\r\n",
        "Content-Length: 5\r\nCONTENT-LENGTH:5\r\n",
        "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
        "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
        "Transfer-Encoding: chunked, chunked\r\n",
        "Transfer-Encoding: gzip, chunked\r\n",
        "Transfer-Encoding:\r\n",
        "Content-Length:\r\n",
        "Content-Length: +5\r\n",
        "Content-Length: 5, 5\r\n",
        "Content-Length: 99999999999999999999\r\n",
        "Host: a\r\n",
        "X: a\n",
        padded.as_str(),
    ] {
        let bytes = request(fields);
        for piece_len in 1..bytes.len() {
            let (text, state) = scan_in_pieces(&bytes, piece_len);
            let invalidated = format!("{}\0", fields.strip_suffix('\n').unwrap());
            assert_eq!(text, request(&invalidated), "{fields:?} in pieces of {piece_len} bytes");
            assert_eq!(state, ScanState::End);
        }
    }
    assert_eq!(scan_in_pieces("GET / HTTP/1.1\nHost: a\r\n\r\n", 100).0, "GET / HTTP/1.1\0Host: a\r\n\r\n");
    assert_eq!(scan_in_pieces("\nGET / HTTP/1.1\r\n", 100).0, "\0GET / HTTP/1.1\r\n");
}

#[test]
fn heads_are_counted_when_they_are_complete() {
    let mut scanner = HeadScanner::default();
    let second = format!("{}\r\n{}", request("content-length: 2\r\n"), "hi");
    scanner.scan(&mut [request("").into_bytes(), second.clone().into_bytes()].concat());
    assert_eq!(scanner.complete_heads, 2);
    let (unfinished_head, rest) = second.split_at(second.find("\r\n\r\n").unwrap() + 3);
    scanner.scan(&mut unfinished_head.as_bytes().to_vec());
    assert_eq!(scanner.complete_heads, 2);
    scanner.scan(&mut rest.as_bytes().to_vec());
    assert_eq!(scanner.complete_heads, 3);
}
