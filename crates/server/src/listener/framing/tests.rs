use super::*;

/// What hyper gets to see where the bytes arrive in pieces of this size, and where the connection is then.
fn seen(bytes: &str, piece: usize) -> (String, Place) {
    let mut heads = Heads::default();
    let mut bytes = bytes.as_bytes().to_vec();
    bytes.chunks_mut(piece).for_each(|piece| heads.inspect(piece));
    (String::from_utf8(bytes).unwrap(), heads.place)
}

fn request(fields: &str) -> String {
    format!("POST /x HTTP/1.1\r\nHost: a\r\n{fields}\r\n")
}

fn assert_passes(bytes: &str, place: Place) {
    for piece in 1..bytes.len() {
        assert_eq!(seen(bytes, piece), (bytes.to_owned(), place), "in pieces of {piece}");
    }
}

#[test]
fn what_is_clear_passes_as_it_is() {
    assert_passes(&request(""), Place::Start);
    assert_passes(&request("Content-Length: 5\r\n"), Place::Body(5));
    assert_passes(&request("content-length:0 \r\n"), Place::Start);
    assert_passes(&format!("{}hello", request("Content-Length: 5\r\n")), Place::Start);
    assert_passes(&format!("{}hel", request("Content-Length: 5\r\n")), Place::Body(2));
    assert_passes(&request("Transfer-Encoding: Chunked\r\n"), Place::End);
    assert_passes(&request(&format!("X: {}\r\nHostname: b\r\n", "long ".repeat(100))), Place::Start);
    assert_passes("\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n", Place::Fields);
}

#[test]
fn a_body_is_no_head() {
    let body = "Host: b\nHost: c\r\n\r\n";
    let first = format!("{}{body}", request(&format!("Content-Length: {}\r\n", body.len())));
    assert_passes(&format!("{first}{first}"), Place::Start);
    // The next head is looked at again, and owes nothing to the one before.
    let (text, place) = seen(&format!("{first}{}", request("Host: b\r\n")), 7);
    assert_eq!((text.matches('\0').count(), place), (1, Place::End));
}

#[test]
fn what_is_ambiguous_is_made_unreadable_where_it_becomes_so() {
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
        for piece in 1..bytes.len() {
            let (text, place) = seen(&bytes, piece);
            let spoilt = format!("{}\0", fields.strip_suffix('\n').unwrap());
            assert_eq!(text, request(&spoilt), "{fields:?} in pieces of {piece}");
            assert_eq!(place, Place::End);
        }
    }
    assert_eq!(seen("GET / HTTP/1.1\nHost: a\r\n\r\n", 100).0, "GET / HTTP/1.1\0Host: a\r\n\r\n");
    assert_eq!(seen("\nGET / HTTP/1.1\r\n", 100).0, "\0GET / HTTP/1.1\r\n");
}

#[test]
fn heads_are_counted_when_they_are_whole() {
    let mut heads = Heads::default();
    let two = format!("{}\r\n{}", request("content-length: 2\r\n"), "hi");
    heads.inspect(&mut [request("").into_bytes(), two.clone().into_bytes()].concat());
    assert_eq!(heads.count, 2);
    let (most, end) = two.split_at(two.find("\r\n\r\n").unwrap() + 3);
    heads.inspect(&mut most.as_bytes().to_vec());
    assert_eq!(heads.count, 2);
    heads.inspect(&mut end.as_bytes().to_vec());
    assert_eq!(heads.count, 3);
}
