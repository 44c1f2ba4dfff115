//! The text of a document: UTF-8, or UTF-16 with a byte order mark.

use std::borrow::Cow;

use crate::api::document::DocumentError;

/// Decodes the bytes; the text has no byte order mark and no leading white space.
pub(super) fn decode(bytes: &[u8]) -> Result<Cow<'_, str>, DocumentError> {
    let text = match bytes {
        [0xFF, 0xFE, rest @ ..] => Cow::Owned(decode_utf16(rest, u16::from_le_bytes)?),
        [0xFE, 0xFF, rest @ ..] => Cow::Owned(decode_utf16(rest, u16::from_be_bytes)?),
        [0xEF, 0xBB, 0xBF, rest @ ..] => Cow::Borrowed(decode_utf8(rest)?),
        _ => Cow::Borrowed(decode_utf8(bytes)?),
    };
    // A document that starts with white space and a brace is JSON. The spaces before block YAML are its indentation.
    let trimmed = text.trim_start();
    if !trimmed.starts_with(['{', '[']) || trimmed.len() == text.len() {
        return Ok(text);
    }
    let skipped = text.len() - trimmed.len();
    Ok(match text {
        Cow::Borrowed(text) => Cow::Borrowed(text.get(skipped..).unwrap_or_default()),
        Cow::Owned(text) => Cow::Owned(text.get(skipped..).unwrap_or_default().to_owned()),
    })
}

fn decode_utf8(bytes: &[u8]) -> Result<&str, DocumentError> {
    std::str::from_utf8(bytes).map_err(|error| {
        let valid = bytes.get(..error.valid_up_to()).unwrap_or_default();
        let line = valid.split(|byte| *byte == b'\n');
        let column = line.clone().next_back().map_or(0, |last| String::from_utf8_lossy(last).chars().count());
        syntax_error("the text is neither UTF-8 nor UTF-16 with a byte order mark", line.count(), column + 1)
    })
}

fn decode_utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Result<String, DocumentError> {
    let (pairs, rest) = bytes.as_chunks::<2>();
    let decoded = char::decode_utf16(pairs.iter().map(|pair| unit(*pair))).collect::<Result<String, _>>();
    decoded
        .ok()
        .filter(|_| rest.is_empty())
        .ok_or_else(|| syntax_error("the text has a UTF-16 byte order mark, but is not UTF-16", 0, 0))
}

fn syntax_error(message: &str, line: usize, column: usize) -> DocumentError {
    DocumentError::Syntax { message: message.to_owned(), line, column }
}
