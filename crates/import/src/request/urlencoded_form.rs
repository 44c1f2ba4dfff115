//! `application/x-www-form-urlencoded`: the encoding of queries, and of form bodies without files.

use std::borrow::Cow;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode, utf8_percent_encode};

/// The media type of a form body in this encoding.
pub(crate) const MEDIA_TYPE: &str = "application/x-www-form-urlencoded";

/// All characters except the unreserved ones of RFC 3986.
const PERCENT_ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// Decodes a name or value. The error holds the lossy decoding of text that is not UTF-8.
pub(crate) fn decode(text: &str) -> Result<Cow<'_, str>, String> {
    if !text.contains(['+', '%']) {
        return Ok(text.into());
    }
    let with_spaces = text.replace('+', " ");
    let decoded = percent_decode(with_spaces.as_bytes());
    match decoded.clone().decode_utf8() {
        Ok(text) => Ok(text.into_owned().into()),
        Err(_) => Err(decoded.decode_utf8_lossy().into_owned()),
    }
}

/// Encodes a name or value.
pub(crate) fn encode(text: &str) -> String {
    utf8_percent_encode(text, PERCENT_ENCODED).to_string()
}
