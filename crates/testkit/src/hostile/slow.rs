//! Slow responses: nothing arrives, or too little to ever complete.

use std::time::Duration;

use crate::upstream::MockResponse;

/// The pause between two pieces, so short that an idle timeout never expires.
const PAUSE: Duration = Duration::from_millis(20);

/// Reads the request and never responds.
pub fn no_response() -> MockResponse {
    MockResponse::raw("").then_hang()
}

/// Sends a part of the head and then nothing.
pub fn partial_head() -> MockResponse {
    MockResponse::raw("HTTP/1.1 200 OK\r\nx-half: ").then_hang()
}

/// A head that grows by single bytes.
pub fn head_byte_by_byte() -> MockResponse {
    MockResponse::raw("HTTP/1.1 200 OK\r\nx-half: ").then_repeat_slowly("x", PAUSE)
}

/// Sends a part of the body and then nothing.
pub fn partial_body() -> MockResponse {
    MockResponse::raw("HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\nhalf").then_hang()
}

/// A body that grows by single bytes.
pub fn body_byte_by_byte() -> MockResponse {
    MockResponse::raw("HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\nhalf").then_repeat_slowly("x", PAUSE)
}

/// A chunked body that grows by single bytes.
pub fn chunks_byte_by_byte() -> MockResponse {
    MockResponse::raw("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\nhalf\r\n")
        .then_repeat_slowly("1\r\nx\r\n", PAUSE)
}

/// A chunked body whose last chunk never arrives; the connection stays open.
pub fn missing_last_chunk() -> MockResponse {
    MockResponse::raw("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\nhalf\r\n").then_hang()
}
