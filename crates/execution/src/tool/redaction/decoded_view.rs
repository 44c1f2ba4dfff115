//! A text with its JSON, URL or form escapes decoded, so that a secret with a quote or a slash is found in its encoded
//! form too.

use std::ops::Range;

/// A decoded text, and the source range of each of its bytes.
pub(super) struct DecodedView {
    bytes: Vec<u8>,
    /// The source range of each byte; `None` if the text is not decoded.
    sources: Option<Vec<Range<usize>>>,
}

/// Decodes an escape at the start of a text; `None` if there is none.
type EscapeDecoder = fn(&[u8]) -> Option<DecodedEscape>;

/// A decoded escape.
struct DecodedEscape {
    buffer: [u8; 4],
    /// The number of decoded bytes.
    length: usize,
    /// The number of source bytes.
    source_length: usize,
}

impl DecodedEscape {
    fn byte(byte: u8, source_length: usize) -> Self {
        Self { buffer: [byte, 0, 0, 0], length: 1, source_length }
    }

    fn empty(source_length: usize) -> Self {
        Self { buffer: [0; 4], length: 0, source_length }
    }
}

impl DecodedView {
    /// The text itself and its decodings.
    pub(super) fn all(text: &str) -> Vec<Self> {
        let plain = Self { bytes: text.as_bytes().to_vec(), sources: None };
        let has = |view: &Self, byte: u8| view.bytes.contains(&byte);
        let mut views = Vec::new();
        if has(&plain, b'%') || has(&plain, b'+') {
            views.push(plain.decode(decode_percent));
            views.push(plain.decode(decode_form));
        }
        if has(&plain, b'\\') {
            let string = plain.decode(decode_json);
            // JSON as a string within JSON.
            views.extend(has(&string, b'\\').then(|| string.decode(decode_json)));
            views.push(string);
        }
        views.push(plain);
        views
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The source range of a part of this view.
    pub(super) fn source(&self, part: Range<usize>) -> Range<usize> {
        let Some(sources) = &self.sources else { return part };
        let start = sources.get(part.start).map_or(0, |source_range| source_range.start);
        let end =
            part.end.checked_sub(1).and_then(|last| sources.get(last)).map_or(start, |source_range| source_range.end);
        start..end
    }

    fn decode(&self, escape_decoder: EscapeDecoder) -> Self {
        let mut bytes = Vec::with_capacity(self.bytes.len());
        let mut sources = Vec::with_capacity(self.bytes.len());
        let mut at = 0;
        while let Some((first, rest)) = self.bytes.get(at..).and_then(|rest| Some((*rest.first()?, rest))) {
            let decoded = escape_decoder(rest).unwrap_or_else(|| DecodedEscape::byte(first, 1));
            let source_range = self.source(at..at + decoded.source_length);
            bytes.extend(decoded.buffer.iter().take(decoded.length));
            sources.resize(bytes.len(), source_range);
            at += decoded.source_length;
        }
        Self { bytes, sources: Some(sources) }
    }
}

/// Decodes `%2F`. An escape that is cut off by the end of the text decodes to nothing.
fn decode_percent(rest: &[u8]) -> Option<DecodedEscape> {
    let digits = rest.strip_prefix(b"%")?;
    match digits.get(..2) {
        Some(both) => Some(DecodedEscape::byte(u8::try_from(parse_hex(both)?).ok()?, 3)),
        None => Some(DecodedEscape::empty(rest.len())),
    }
}

/// Like [`decode_percent`], with `+` for a space.
fn decode_form(rest: &[u8]) -> Option<DecodedEscape> {
    if rest.starts_with(b"+") { Some(DecodedEscape::byte(b' ', 1)) } else { decode_percent(rest) }
}

/// Decodes `\"` and `\u0022`. An escape that is cut off by the end of the text decodes to nothing.
fn decode_json(rest: &[u8]) -> Option<DecodedEscape> {
    let escape = rest.strip_prefix(b"\\")?;
    let simple = match escape.first() {
        None => return Some(DecodedEscape::empty(1)),
        Some(b'u') => return decode_unicode(rest),
        Some(byte @ (b'"' | b'\\' | b'/')) => *byte,
        Some(b'b') => 8,
        Some(b'f') => 12,
        Some(b'n') => b'\n',
        Some(b'r') => b'\r',
        Some(b't') => b'\t',
        Some(_) => return None,
    };
    Some(DecodedEscape::byte(simple, 2))
}

fn decode_unicode(rest: &[u8]) -> Option<DecodedEscape> {
    let unit = |rest: &[u8]| parse_hex(rest.strip_prefix(b"\\u")?.get(..4)?);
    let Some(first) = unit(rest) else { return (rest.len() < 6).then(|| DecodedEscape::empty(rest.len())) };
    let second = rest.get(6..).and_then(unit).filter(|second| (0xDC00..0xE000).contains(second));
    let (scalar, source_length) = match (first, second) {
        (0xD800..0xDC00, Some(second)) => (0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00), 12),
        _ => (first, 6),
    };
    let mut buffer = [0; 4];
    let length = char::from_u32(scalar)?.encode_utf8(&mut buffer).len();
    Some(DecodedEscape { buffer, length, source_length })
}

fn parse_hex(digits: &[u8]) -> Option<u32> {
    let text = std::str::from_utf8(digits).ok().filter(|text| text.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
    u32::from_str_radix(text, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decodings(text: &str) -> Vec<String> {
        DecodedView::all(text).iter().map(|view| String::from_utf8_lossy(view.bytes()).into_owned()).collect()
    }

    #[test]
    fn a_text_is_decoded_in_every_way_that_differs() {
        assert_eq!(decodings("plain"), ["plain"]);
        assert_eq!(decodings("a%2fb+%C3%A9%zz"), ["a/b+é%zz", "a/b é%zz", "a%2fb+%C3%A9%zz"]);
        assert_eq!(
            decodings(r#"\"\u00e9\ud83d\ude00\/\x"#),
            [r#""é😀/\x"#, r#""é😀/\x"#, r#"\"\u00e9\ud83d\ude00\/\x"#]
        );
        assert_eq!(decodings(r#"\\\"x"#), [r#""x"#, r#"\"x"#, r#"\\\"x"#]);
    }

    #[test]
    fn an_escape_that_is_cut_off_decodes_to_nothing() {
        for text in ["a%", "a%2"] {
            assert_eq!(decodings(text).first().unwrap(), "a", "{text}");
        }
        for text in ["a\\", "a\\u", "a\\u00e"] {
            assert!(decodings(text).contains(&"a".to_owned()), "{text}");
        }
    }

    #[test]
    fn each_byte_has_its_source_range() {
        let view = &DecodedView::all("x%2Fy%C3%A9z")[0];
        assert_eq!(view.source(1..2), 1..4);
        assert_eq!(view.source(3..5), 5..11);
        assert_eq!(view.source(0..6), 0..12);
    }
}
