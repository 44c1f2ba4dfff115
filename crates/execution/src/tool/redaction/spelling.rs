//! A text as its readers read it: with the escapes of JSON taken away, or those of URLs and forms. A secret with a
//! quote or a slash in it is not found otherwise.

use std::ops::Range;

/// A text in one reading, and where each byte of it comes from.
pub(super) struct View {
    bytes: Vec<u8>,
    /// The place of each byte in the source; none where they are the same.
    places: Option<Vec<Range<usize>>>,
}

/// What an escape at the start of a text stands for; `None` where there is none.
type Escape = fn(&[u8]) -> Option<Meant>;

/// What an escape stands for.
struct Meant {
    buffer: [u8; 4],
    /// How many bytes it stands for.
    length: usize,
    /// How many it takes.
    taken: usize,
}

impl Meant {
    fn byte(byte: u8, taken: usize) -> Self {
        Self { buffer: [byte, 0, 0, 0], length: 1, taken }
    }

    fn nothing(taken: usize) -> Self {
        Self { buffer: [0; 4], length: 0, taken }
    }
}

impl View {
    /// All readings of a text.
    pub(super) fn all(text: &str) -> Vec<Self> {
        let plain = Self { bytes: text.as_bytes().to_vec(), places: None };
        let has = |view: &Self, byte: u8| view.bytes.contains(&byte);
        let mut views = Vec::new();
        if has(&plain, b'%') || has(&plain, b'+') {
            views.push(plain.read(percent));
            views.push(plain.read(form));
        }
        if has(&plain, b'\\') {
            let string = plain.read(json);
            // JSON as a string within JSON.
            views.extend(has(&string, b'\\').then(|| string.read(json)));
            views.push(string);
        }
        views.push(plain);
        views
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Where a part of it stands in the source.
    pub(super) fn source(&self, part: Range<usize>) -> Range<usize> {
        let Some(places) = &self.places else { return part };
        let start = places.get(part.start).map_or(0, |place| place.start);
        let end = part.end.checked_sub(1).and_then(|last| places.get(last)).map_or(start, |place| place.end);
        start..end
    }

    fn read(&self, escape: Escape) -> Self {
        let mut bytes = Vec::with_capacity(self.bytes.len());
        let mut places = Vec::with_capacity(self.bytes.len());
        let mut at = 0;
        while let Some((first, rest)) = self.bytes.get(at..).and_then(|rest| Some((*rest.first()?, rest))) {
            let meant = escape(rest).unwrap_or_else(|| Meant::byte(first, 1));
            let place = self.source(at..at + meant.taken);
            bytes.extend(meant.buffer.iter().take(meant.length));
            places.resize(bytes.len(), place);
            at += meant.taken;
        }
        Self { bytes, places: Some(places) }
    }
}

/// `%2F`. One that the end of the text cuts off stands for nothing.
fn percent(rest: &[u8]) -> Option<Meant> {
    let digits = rest.strip_prefix(b"%")?;
    match digits.get(..2) {
        Some(both) => Some(Meant::byte(u8::try_from(hex(both)?).ok()?, 3)),
        None => Some(Meant::nothing(rest.len())),
    }
}

/// The same, where a plus is a space.
fn form(rest: &[u8]) -> Option<Meant> {
    if rest.starts_with(b"+") { Some(Meant::byte(b' ', 1)) } else { percent(rest) }
}

/// `\"` and `\u0022`. One that the end of the text cuts off stands for nothing.
fn json(rest: &[u8]) -> Option<Meant> {
    let escape = rest.strip_prefix(b"\\")?;
    let simple = match escape.first() {
        None => return Some(Meant::nothing(1)),
        Some(b'u') => return unicode(rest),
        Some(byte @ (b'"' | b'\\' | b'/')) => *byte,
        Some(b'b') => 8,
        Some(b'f') => 12,
        Some(b'n') => b'\n',
        Some(b'r') => b'\r',
        Some(b't') => b'\t',
        Some(_) => return None,
    };
    Some(Meant::byte(simple, 2))
}

fn unicode(rest: &[u8]) -> Option<Meant> {
    let unit = |rest: &[u8]| hex(rest.strip_prefix(b"\\u")?.get(..4)?);
    let Some(first) = unit(rest) else { return (rest.len() < 6).then(|| Meant::nothing(rest.len())) };
    let second = rest.get(6..).and_then(unit).filter(|second| (0xDC00..0xE000).contains(second));
    let (scalar, taken) = match (first, second) {
        (0xD800..0xDC00, Some(second)) => (0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00), 12),
        _ => (first, 6),
    };
    let mut buffer = [0; 4];
    let length = char::from_u32(scalar)?.encode_utf8(&mut buffer).len();
    Some(Meant { buffer, length, taken })
}

fn hex(digits: &[u8]) -> Option<u32> {
    let text = std::str::from_utf8(digits).ok().filter(|text| text.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
    u32::from_str_radix(text, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn readings(text: &str) -> Vec<String> {
        View::all(text).iter().map(|view| String::from_utf8_lossy(view.bytes()).into_owned()).collect()
    }

    #[test]
    fn a_text_is_read_in_every_way_that_makes_a_difference() {
        assert_eq!(readings("plain"), ["plain"]);
        assert_eq!(readings("a%2fb+%C3%A9%zz"), ["a/b+é%zz", "a/b é%zz", "a%2fb+%C3%A9%zz"]);
        assert_eq!(
            readings(r#"\"\u00e9\ud83d\ude00\/\x"#),
            [r#""é😀/\x"#, r#""é😀/\x"#, r#"\"\u00e9\ud83d\ude00\/\x"#]
        );
        assert_eq!(readings(r#"\\\"x"#), [r#""x"#, r#"\"x"#, r#"\\\"x"#]);
    }

    #[test]
    fn an_escape_that_is_cut_off_stands_for_nothing() {
        for text in ["a%", "a%2"] {
            assert_eq!(readings(text).first().unwrap(), "a", "{text}");
        }
        for text in ["a\\", "a\\u", "a\\u00e"] {
            assert!(readings(text).contains(&"a".to_owned()), "{text}");
        }
    }

    #[test]
    fn each_byte_knows_where_it_comes_from() {
        let view = &View::all("x%2Fy%C3%A9z")[0];
        assert_eq!(view.source(1..2), 1..4);
        assert_eq!(view.source(3..5), 5..11);
        assert_eq!(view.source(0..6), 0..12);
    }
}
