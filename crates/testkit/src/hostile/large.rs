//! Answers that are larger than anybody should read, some of which look small.

use crate::Answer;

const CHUNK: usize = 64 * 1024;

/// Chunks without end.
pub fn endless_chunks() -> Answer {
    let chunk = format!("{CHUNK:x}\r\n{}\r\n", "x".repeat(CHUNK));
    Answer::raw("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n").then_forever(chunk)
}

/// Chunks of a byte each, without end.
pub fn endless_small_chunks() -> Answer {
    let chunks = "1\r\nx\r\n".repeat(1000);
    Answer::raw("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n").then_forever(chunks)
}

/// A body that would end with the connection, which does not end.
pub fn endless_body() -> Answer {
    Answer::raw("HTTP/1.1 200 OK\r\n\r\n").then_forever(vec![b'x'; CHUNK])
}

/// A body that says beforehand that it is too long, and comes all the same.
pub fn announced(length: usize) -> Answer {
    Answer::raw(format!("HTTP/1.1 200 OK\r\ncontent-length: {length}\r\n\r\n")).then_forever(vec![b'x'; CHUNK])
}

/// A length that no machine has room for, and hardly anything behind it.
pub fn announced_beyond_memory() -> Answer {
    Answer::raw(format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\nhalf", i64::MAX)).then_silence()
}

/// What follows the last chunk, without end.
pub fn endless_trailers() -> Answer {
    let head = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\nhalf\r\n0\r\n";
    Answer::raw(head).then_forever("x-trailer: x\r\n".repeat(1000))
}

/// What a chunk says of itself, without end.
pub fn endless_chunk_extension() -> Answer {
    let head = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4;x=";
    Answer::raw(head).then_forever(vec![b'x'; CHUNK])
}

/// A header of this many bytes.
pub fn header(length: usize) -> Answer {
    Answer::raw(format!("HTTP/1.1 200 OK\r\nx-large: {}\r\ncontent-length: 4\r\n\r\nhalf", "x".repeat(length)))
}

/// So many headers.
pub fn headers(count: usize) -> Answer {
    Answer::raw(format!("HTTP/1.1 200 OK\r\n{}content-length: 4\r\n\r\nhalf", "x-many: 1\r\n".repeat(count)))
}

/// A head without end.
pub fn endless_head() -> Answer {
    Answer::raw("HTTP/1.1 200 OK\r\n").then_forever("x-many: 1\r\n".repeat(1000))
}

/// Zeros that are hardly longer than nothing, compressed.
pub fn gzip_bomb(unpacked: usize) -> Answer {
    Answer::bytes("text/plain", gzipped_zeros(unpacked)).header("content-encoding", "gzip")
}

/// One literal, then "258 more of it" over and over, in the fixed code of DEFLATE. It has no end, for nobody should
/// come that far.
fn gzipped_zeros(unpacked: usize) -> Vec<u8> {
    let literal = "00110000";
    let again = "1100010100000";
    let bits = format!("110{literal}{}", again.repeat(unpacked / 258 + 1));
    let mut out = vec![31, 139, 8, 0, 0, 0, 0, 0, 0, 255];
    out.extend(bits.as_bytes().chunks(8).map(|byte| {
        // Bits are packed from the low end.
        byte.iter().rev().fold(0_u8, |sum, bit| sum << 1 | u8::from(*bit == b'1'))
    }));
    out
}
