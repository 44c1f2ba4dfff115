//! Texts that are none: bytes which no charset explains, and characters that upset whoever keeps them.

use crate::Answer;

/// Bytes that are not the UTF-8 they are said to be.
pub const NOT_UTF8: &[u8] = b"caf\xe9 \xff\xfe \xed\xa0\x80 \xc0\x80";

/// A text with the one character that PostgreSQL does not keep.
pub const WITH_NUL: &str = "before\0after";

/// A body that is said to be UTF-8, and is not.
pub fn not_utf8() -> Answer {
    Answer::bytes("application/json; charset=utf-8", NOT_UTF8)
}

/// The same as an error.
pub fn not_utf8_error() -> Answer {
    Answer::bytes("text/plain", NOT_UTF8).with_status(500)
}

/// Bytes in a header that are no text.
pub fn not_utf8_header() -> Answer {
    let head =
        b"HTTP/1.1 200 \xff\xfe\r\nx-name: \xff\xfe\r\ncontent-type: text/plain\xff\r\ncontent-length: 4\r\n\r\nfine";
    Answer::raw(&head[..])
}

/// A text with NUL in it.
pub fn with_nul() -> Answer {
    Answer::text(WITH_NUL)
}

/// The same as an error, which is told to the caller.
pub fn nul_error() -> Answer {
    Answer::text(WITH_NUL).with_status(500)
}
