//! Invalid responses: truncated, badly framed, or missing. A partial body consists of `half`, so that a test can search
//! for it.

use crate::upstream::MockResponse;

/// Closes the connection without a response.
pub fn closed_connection() -> MockResponse {
    MockResponse::raw("")
}

/// Resets the connection without a response.
pub fn reset() -> MockResponse {
    MockResponse::raw("").then_reset()
}

/// Closes the connection within the head.
pub fn truncated_head() -> MockResponse {
    MockResponse::raw("HTTP/1.1 200 OK\r\ncontent-le")
}

/// `Content-Length` is larger than the body.
pub fn length_too_long() -> MockResponse {
    MockResponse::raw("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf")
}

/// Resets the connection within the body.
pub fn reset_in_body() -> MockResponse {
    MockResponse::raw("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf").then_reset()
}

/// Chunks without the last chunk.
pub fn truncated_chunks() -> MockResponse {
    MockResponse::raw("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\nhalf\r\n")
}

/// The connection ends within a chunk.
pub fn truncated_chunk() -> MockResponse {
    MockResponse::raw("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n64\r\nhalf")
}

/// A chunk whose length is not a number.
pub fn bad_chunk_length() -> MockResponse {
    MockResponse::raw("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\nhalf\r\n0\r\n\r\n")
}

/// A chunk whose length does not fit any integer.
pub fn huge_chunk_length() -> MockResponse {
    MockResponse::raw("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nffffffffffffffffff\r\nhalf\r\n0\r\n\r\n")
}

/// Two different lengths.
pub fn two_lengths() -> MockResponse {
    MockResponse::raw("HTTP/1.1 200 OK\r\ncontent-length: 4\r\ncontent-length: 5\r\n\r\nhalf.")
}

/// A negative length.
pub fn negative_length() -> MockResponse {
    MockResponse::raw("HTTP/1.1 200 OK\r\ncontent-length: -4\r\n\r\nhalf")
}

/// A length and chunks, which describe two different bodies.
pub fn length_and_chunks() -> MockResponse {
    MockResponse::raw(
        "HTTP/1.1 200 OK\r\ncontent-length: 14\r\ntransfer-encoding: chunked\r\n\r\n4\r\nhalf\r\n0\r\n\r\n",
    )
}

/// `Content-Length` is smaller than the body; the surplus looks like the response to the next request.
pub fn length_too_short() -> MockResponse {
    let surplus = "HTTP/1.1 200 OK\r\ncontent-length: 8\r\n\r\npoisoned";
    MockResponse::raw(format!("HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nwhole{surplus}")).then_keep_alive()
}

/// A greeting of another protocol.
pub fn not_http() -> MockResponse {
    MockResponse::raw("SSH-2.0-OpenSSH_9.6\r\n\r\n")
}

/// Declares gzip, but is not compressed.
pub fn not_gzip() -> MockResponse {
    MockResponse::raw("HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 4\r\n\r\nhalf")
}

/// An encoding that the client did not offer.
pub fn unsupported_encoding() -> MockResponse {
    MockResponse::raw("HTTP/1.1 200 OK\r\ncontent-encoding: zstd\r\ncontent-length: 4\r\n\r\nhalf")
}
