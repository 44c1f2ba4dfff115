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
type DecodeEscape = fn(&[u8]) -> Option<Decoded>;

/// A decoded escape.
struct Decoded {
    buffer: [u8; 4],
    /// The number of decoded bytes.
    length: usize,
    /// The number of source bytes.
    taken: usize,
}

impl Decoded {
    fn byte(byte: u8, taken: usize) -> Self {
        Self { buffer: [byte, 0, 0, 0], length: 1, taken }
    }

    fn empty(taken: usize) -> Self {
        Self { buffer: [0; 4], length: 0, taken }
    }
}

impl DecodedView {
    /// All decodings of a text.
    pub(super) fn all(text: &str) -> Vec<Self> {
        let plain = Self { bytes: text.as_bytes().to_vec(), sources: None };
        let has = |view: &Self, byte: u8| view.bytes.contains(&byte);
        let mut views = Vec::new();
        if has(&plain, b'%') || has(&plain, b'+') {
            views.push(plain.decode(percent));
            views.push(plain.decode(form));
        }
        if has(&plain, b'\\') {
            let string = plain.decode(json);
            // JSON as a string within JSON.
            views.extend(has(&string, b'\\').then(|| string.decode(json)));
            views.push(string);
        }
        views.push(plain);
        views
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The source range of a part.
    pub(super) fn source(&self, part: Range<usize>) -> Range<usize> {
        let Some(sources) = &self.sources else { return part };
        let start = sources.get(part.start).map_or(0, |source_range| source_range.start);
        let end =
            part.end.checked_sub(1).and_then(|last| sources.get(last)).map_or(start, |source_range| source_range.end);
        start..end
    }

    fn decode(&self, escape: DecodeEscape) -> Self {
        let mut bytes = Vec::with_capacity(self.bytes.len());
        let mut sources = Vec::with_capacity(self.bytes.len());
        let mut at = 0;
        while let Some((first, rest)) = self.bytes.get(at..).and_then(|rest| Some((*rest.first()?, rest))) {
            let decoded = escape(rest).unwrap_or_else(|| Decoded::byte(first, 1));
            let source_range = self.source(at..at + decoded.taken);
            bytes.extend(decoded.buffer.iter().take(decoded.length));
            sources.resize(bytes.len(), source_range);
            at += decoded.taken;
        }
        Self { bytes, sources: Some(sources) }
    }
}

/// `%2F`. An escape that is cut off by the end of the text decodes to nothing.
fn percent(rest: &[u8]) -> Option<Decoded> {
    let digits = rest.strip_prefix(b"%")?;
    match digits.get(..2) {
        Some(both) => Some(Decoded::byte(u8::try_from(hex(both)?).ok()?, 3)),
        None => Some(Decoded::empty(rest.len())),
    }
}

/// Like [`percent`], with `+` for a space.
fn form(rest: &[u8]) -> Option<Decoded> {
    if rest.starts_with(b"+") { Some(Decoded::byte(b' ', 1)) } else { percent(rest) }
}

/// `\"` and `\u0022`. An escape that is cut off by the end of the text decodes to nothing.
fn json(rest: &[u8]) -> Option<Decoded> {
    let escape = rest.strip_prefix(b"\\")?;
    let simple = match escape.first() {
        None => return Some(Decoded::empty(1)),
        Some(b'u') => return unicode(rest),
        Some(byte @ (b'"' | b'\\' | b'/')) => *byte,
        Some(b'b') => 8,
        Some(b'f') => 12,
        Some(b'n') => b'\n',
        Some(b'r') => b'\r',
        Some(b't') => b'\t',
        Some(_) => return None,
    };
    Some(Decoded::byte(simple, 2))
}

fn unicode(rest: &[u8]) -> Option<Decoded> {
    let unit = |rest: &[u8]| hex(rest.strip_prefix(b"\\u")?.get(..4)?);
    let Some(first) = unit(rest) else { return (rest.len() < 6).then(|| Decoded::empty(rest.len())) };
    let second = rest.get(6..).and_then(unit).filter(|second| (0xDC00..0xE000).contains(second));
    let (scalar, taken) = match (first, second) {
        (0xD800..0xDC00, Some(second)) => (0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00), 12),
        _ => (first, 6),
    };
    let mut buffer = [0; 4];
    let length = char::from_u32(scalar)?.encode_utf8(&mut buffer).len();
    Some(Decoded { buffer, length, taken })
}

fn hex(digits: &[u8]) -> Option<u32> {
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
