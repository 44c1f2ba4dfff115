//! A text with its JSON, URL or form escapes decoded, so that a secret with a quote or a slash is found in its encoded
//! form too.

use std::ops::Range;

use memchr::memchr2;

/// A decoded text. It stores the positions of escapes, not of all bytes, so that a text with few escapes costs little.
#[derive(Clone)]
pub(super) struct DecodedView {
    bytes: Vec<u8>,
    /// The decodings that led to this text, in order; none for the text itself.
    decodings: Vec<Vec<EscapePosition>>,
}

/// Where an escape is, in the text before and after it was decoded.
#[derive(Clone)]
struct EscapePosition {
    source: Range<usize>,
    decoded: Range<usize>,
}

/// A kind of escapes.
struct Escaping {
    /// The bytes with which an escape can begin.
    first_bytes: [u8; 2],
    /// Decodes an escape at the start of a text; `None` if there is none.
    decode: fn(&[u8]) -> Option<DecodedEscape>,
}

const PERCENT: Escaping = Escaping { first_bytes: *b"%%", decode: decode_percent };
const FORM: Escaping = Escaping { first_bytes: *b"%+", decode: decode_form };
const JSON: Escaping = Escaping { first_bytes: *b"\\\\", decode: decode_json };

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
        let plain = Self { bytes: text.as_bytes().to_vec(), decodings: Vec::new() };
        let has = |view: &Self, byte: u8| view.bytes.contains(&byte);
        let mut views = Vec::new();
        if has(&plain, b'%') || has(&plain, b'+') {
            views.push(plain.decode(&PERCENT));
            views.push(plain.decode(&FORM));
        }
        if has(&plain, b'\\') {
            let string = plain.decode(&JSON);
            // JSON as a string within JSON.
            views.extend(has(&string, b'\\').then(|| string.decode(&JSON)));
            views.push(string);
        }
        views.push(plain);
        views
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The source range of a part of this view, which is not empty.
    pub(super) fn source(&self, part: Range<usize>) -> Range<usize> {
        let decode_backwards = |part: Range<usize>, escapes: &Vec<EscapePosition>| {
            let last = part.end.saturating_sub(1);
            source_of_byte(escapes, part.start).start..source_of_byte(escapes, last).end
        };
        self.decodings.iter().rev().fold(part, decode_backwards)
    }

    fn decode(&self, escaping: &Escaping) -> Self {
        let part = |range: Range<usize>| self.bytes.get(range).unwrap_or_default();
        let mut bytes = Vec::with_capacity(self.bytes.len());
        let mut escapes = Vec::new();
        let (mut copied, mut searched) = (0, 0);
        let [first, other] = escaping.first_bytes;
        while let Some(offset) = memchr2(first, other, part(searched..self.bytes.len())) {
            let start = searched + offset;
            let Some(escape) = (escaping.decode)(part(start..self.bytes.len())) else {
                searched = start + 1;
                continue;
            };
            bytes.extend_from_slice(part(copied..start));
            let decoded = bytes.len()..bytes.len() + escape.length;
            bytes.extend(escape.buffer.iter().take(escape.length));
            copied = start + escape.source_length;
            searched = copied;
            escapes.push(EscapePosition { source: start..copied, decoded });
        }
        bytes.extend_from_slice(part(copied..self.bytes.len()));
        let mut decodings = self.decodings.clone();
        decodings.push(escapes);
        Self { bytes, decodings }
    }
}

/// The range from which a byte was decoded.
fn source_of_byte(escapes: &[EscapePosition], at: usize) -> Range<usize> {
    let after = escapes.partition_point(|escape| escape.decoded.start <= at);
    match after.checked_sub(1).and_then(|last| escapes.get(last)) {
        Some(escape) if escape.decoded.contains(&at) => escape.source.clone(),
        Some(escape) => {
            let start = escape.source.end + (at - escape.decoded.end);
            start..start + 1
        }
        None => at..at + 1,
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
