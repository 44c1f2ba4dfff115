//! Responses that are too large to read, some of which look small.

use crate::upstream::MockResponse;

/// The size of a repeated piece, in bytes.
const CHUNK_SIZE: usize = 64 * 1024;

/// Endless chunks.
pub fn endless_chunks() -> MockResponse {
    let chunk = format!("{CHUNK_SIZE:x}\r\n{}\r\n", "x".repeat(CHUNK_SIZE));
    MockResponse::raw("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n").then_repeat(chunk)
}

/// Endless chunks of one byte each.
pub fn endless_small_chunks() -> MockResponse {
    let chunks = "1\r\nx\r\n".repeat(1000);
    MockResponse::raw("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n").then_repeat(chunks)
}

/// An endless body that is delimited by the end of the connection.
pub fn endless_body() -> MockResponse {
    MockResponse::raw("HTTP/1.1 200 OK\r\n\r\n").then_repeat(vec![b'x'; CHUNK_SIZE])
}

/// Declares this length, and sends bytes until the client disconnects.
pub fn declared_length(length: usize) -> MockResponse {
    MockResponse::raw(format!("HTTP/1.1 200 OK\r\ncontent-length: {length}\r\n\r\n"))
        .then_repeat(vec![b'x'; CHUNK_SIZE])
}

/// A declared length beyond any machine's memory, followed by a few bytes.
pub fn declared_length_beyond_memory() -> MockResponse {
    MockResponse::raw(format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\nhalf", i64::MAX)).then_hang()
}

/// Endless trailers after the last chunk.
pub fn endless_trailers() -> MockResponse {
    let head = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\nhalf\r\n0\r\n";
    MockResponse::raw(head).then_repeat("x-trailer: x\r\n".repeat(1000))
}

/// An endless chunk extension.
pub fn endless_chunk_extension() -> MockResponse {
    let head = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4;x=";
    MockResponse::raw(head).then_repeat(vec![b'x'; CHUNK_SIZE])
}

/// A header value of `length` bytes.
pub fn header(length: usize) -> MockResponse {
    MockResponse::raw(format!("HTTP/1.1 200 OK\r\nx-large: {}\r\ncontent-length: 4\r\n\r\nhalf", "x".repeat(length)))
}

/// `count` headers.
pub fn headers(count: usize) -> MockResponse {
    MockResponse::raw(format!("HTTP/1.1 200 OK\r\n{}content-length: 4\r\n\r\nhalf", "x-many: 1\r\n".repeat(count)))
}

/// Endless headers.
pub fn endless_head() -> MockResponse {
    MockResponse::raw("HTTP/1.1 200 OK\r\n").then_repeat("x-many: 1\r\n".repeat(1000))
}

/// At least `unpacked_bytes` zeros, which compress to a small body.
pub fn gzip_bomb(unpacked_bytes: usize) -> MockResponse {
    MockResponse::bytes("text/plain", gzipped_zeros(unpacked_bytes)).header("content-encoding", "gzip")
}

/// One literal, then repeated matches of length 258, in the fixed Huffman code of DEFLATE. The stream has no end
/// marker: the reader must stop before it would be needed.
fn gzipped_zeros(unpacked_bytes: usize) -> Vec<u8> {
    // The literal 0.
    let literal = "00110000";
    // Length 258, distance 1.
    let repeat = "1100010100000";
    // `110` begins the last block and selects the fixed Huffman code.
    let bits = format!("110{literal}{}", repeat.repeat(unpacked_bytes / 258 + 1));
    // The gzip header: magic number, DEFLATE, no flags, no time, unknown system.
    let mut out = vec![31, 139, 8, 0, 0, 0, 0, 0, 0, 255];
    out.extend(bits.as_bytes().chunks(8).map(|byte| {
        // DEFLATE packs bits from the least significant end.
        byte.iter().rev().fold(0_u8, |sum, bit| sum << 1 | u8::from(*bit == b'1'))
    }));
    out
}
