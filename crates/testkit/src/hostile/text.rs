//! Invalid text: bytes that are not in the declared charset, and characters that databases reject.

use crate::upstream::MockResponse;

/// Bytes that are not valid UTF-8.
pub const NOT_UTF8: &[u8] = b"caf\xe9 \xff\xfe \xed\xa0\x80 \xc0\x80";

/// A text with NUL, the one character that PostgreSQL does not store.
pub const WITH_NUL: &str = "before\0after";

/// A body that is declared as UTF-8 but is not valid UTF-8.
pub fn not_utf8() -> MockResponse {
    MockResponse::bytes("application/json; charset=utf-8", NOT_UTF8)
}

/// The same bytes as plain text with status 500.
pub fn not_utf8_error() -> MockResponse {
    MockResponse::bytes("text/plain", NOT_UTF8).with_status(500)
}

/// Headers that are not valid text.
pub fn not_utf8_header() -> MockResponse {
    let head =
        b"HTTP/1.1 200 \xff\xfe\r\nx-name: \xff\xfe\r\ncontent-type: text/plain\xff\r\ncontent-length: 4\r\n\r\nfine";
    MockResponse::raw(&head[..])
}

/// A body with NUL.
pub fn with_nul() -> MockResponse {
    MockResponse::text(WITH_NUL)
}

/// The same body with status 500, which is shown to the caller.
pub fn nul_error() -> MockResponse {
    MockResponse::text(WITH_NUL).with_status(500)
}
