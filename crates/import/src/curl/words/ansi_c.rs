//! Parses ANSI-C quotes (`$'…'`), which Chrome writes.

use crate::curl::cursor::Cursor;
use crate::curl::error::ParseError;

/// Reads the text after an opening `$'`, up to and including the closing quote. The output is bytes, because an escape
/// may write a part of a character.
pub(super) fn read(cursor: &mut Cursor<'_>, out: &mut Vec<u8>) -> Result<(), ParseError> {
    let start = cursor.offset();
    // In bash a NUL ends the text between the quotes.
    let mut nul_index = None;
    loop {
        let length_before = out.len();
        match cursor.bump() {
            // The error is at the `$`, two bytes before the text.
            None => return Err(ParseError::new("the quote $' is not closed", start.saturating_sub(2))),
            Some('\'') => break,
            Some('\\') => escape(cursor, out),
            Some(c) => push(out, c),
        }
        if out.len() == length_before + 1 && out.last() == Some(&0) {
            nul_index = nul_index.or(Some(length_before));
        }
    }
    out.truncate(nul_index.unwrap_or(out.len()));
    Ok(())
}

/// Reads the escape after a backslash.
fn escape(cursor: &mut Cursor<'_>, out: &mut Vec<u8>) {
    let Some(c) = cursor.bump() else { return };
    match c {
        'a' => out.push(0x07),
        'b' => out.push(0x08),
        'e' | 'E' => out.push(0x1b),
        'f' => out.push(0x0c),
        'n' => out.push(b'\n'),
        'r' => out.push(b'\r'),
        't' => out.push(b'\t'),
        'v' => out.push(0x0b),
        '\\' | '\'' | '"' | '?' => push(out, c),
        '0'..='7' => octal(cursor, c, out),
        'x' => match hex_number(cursor, 2) {
            Some(byte) => out.push(byte.to_le_bytes()[0]),
            None => out.extend_from_slice(b"\\x"),
        },
        'u' => unicode(cursor, c, 4, out),
        'U' => unicode(cursor, c, 8, out),
        'c' => control(cursor, out),
        other => {
            out.push(b'\\');
            push(out, other);
        }
    }
}

/// Reads the rest of an octal number of at most three digits.
fn octal(cursor: &mut Cursor<'_>, first: char, out: &mut Vec<u8>) {
    let mut value = first.to_digit(8).unwrap_or(0);
    for _ in 0..2 {
        let Some(digit) = cursor.peek().and_then(|c| c.to_digit(8)) else { break };
        cursor.bump();
        value = value * 8 + digit;
    }
    // In bash a value above 0o377 loses its high bits.
    out.push(value.to_le_bytes()[0]);
}

/// Reads the character after `\c`.
fn control(cursor: &mut Cursor<'_>, out: &mut Vec<u8>) {
    match cursor.bump() {
        Some(c) if c.is_ascii() => out.push(u8::try_from(c).unwrap_or(0) & 0x1f),
        Some(c) => push(out, c),
        None => {}
    }
}

/// Reads a character by its number. Chrome writes characters above U+FFFF as a UTF-16 surrogate pair.
fn unicode(cursor: &mut Cursor<'_>, letter: char, digits: usize, out: &mut Vec<u8>) {
    let Some(number) = hex_number(cursor, digits) else {
        out.push(b'\\');
        push(out, letter);
        return;
    };
    let c = match number {
        0xD800..=0xDBFF => {
            low_surrogate(cursor).and_then(|low| char::from_u32(0x1_0000 + ((number - 0xD800) << 10) + low))
        }
        other => char::from_u32(other),
    };
    push(out, c.unwrap_or(char::REPLACEMENT_CHARACTER));
}

/// Reads the escape of a low surrogate. Returns its ten bits.
fn low_surrogate(cursor: &mut Cursor<'_>) -> Option<u32> {
    let mut ahead = cursor.clone();
    let is_escape = ahead.eat("\\u");
    let low = hex_number(&mut ahead, 4).filter(|low| is_escape && (0xDC00..=0xDFFF).contains(low))?;
    *cursor = ahead;
    Some(low - 0xDC00)
}

/// Reads a number of at most `digits` hexadecimal digits; `None` if there is no digit.
fn hex_number(cursor: &mut Cursor<'_>, digits: usize) -> Option<u32> {
    let length = cursor.rest().bytes().take(digits).take_while(u8::is_ascii_hexdigit).count();
    u32::from_str_radix(cursor.take(length), 16).ok()
}

fn push(out: &mut Vec<u8>, c: char) {
    out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_text(text: &str) -> String {
        let mut out = Vec::new();
        read(&mut Cursor::new(text), &mut out).unwrap();
        String::from_utf8_lossy(&out).into_owned()
    }

    #[test]
    fn escapes_are_decoded_as_in_bash() {
        for (text, expected) in [
            (r#"a\nb\tc\\d\'e\"f\?g'"#, "a\nb\tc\\d'e\"f?g"),
            (r"\a\b\e\E\f\r\v'", "\x07\x08\x1b\x1b\x0c\r\x0b"),
            (r"\101\60\0601'", "A001"),
            (r"\x41\x4a4\xc3\xa9'", "AJ4é"),
            (r"\u0021\u21\ue9x\U1F600'", "!!\u{e9}x😀"),
            (r"\ud83d\ude00'", "😀"),
            (r"\ud83d\u0041\ud83d'", "\u{FFFD}A\u{FFFD}"),
            (r"\cA\cz'", "\x01\x1a"),
            (r"\q\x\u'", r"\q\x\u"),
            (r"a\0b\nc'", "a"),
        ] {
            assert_eq!(read_text(text), expected, "{text}");
        }
    }

    #[test]
    fn an_unclosed_quote_is_an_error() {
        assert!(read(&mut Cursor::new("abc\\'"), &mut Vec::new()).is_err());
    }
}
