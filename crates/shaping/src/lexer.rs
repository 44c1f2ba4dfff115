//! Reads JSON token by token, strictly according to RFC 8259.

/// Bytes at which the scan of a string stops: quotes, backslashes and control characters.
const STRING_STOPS: [bool; 256] = {
    let mut stops = [false; 256];
    let mut byte = 0;
    while byte < 0x20 {
        stops[byte] = true;
        byte += 1;
    }
    stops[b'"' as usize] = true;
    stops[b'\\' as usize] = true;
    stops
};

/// A position in a JSON text. Methods return `None` if the text is not JSON.
pub(crate) struct JsonLexer<'b> {
    bytes: &'b [u8],
    /// The byte that is read next.
    pub(crate) at: usize,
    /// Whether white space was skipped.
    pub(crate) has_space: bool,
}

impl<'b> JsonLexer<'b> {
    pub(crate) fn new(body: &'b str, at: usize) -> Self {
        Self { bytes: body.as_bytes(), at, has_space: false }
    }

    /// The next byte, without reading it.
    pub(crate) fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    pub(crate) fn skip_space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
            self.has_space = true;
        }
    }

    /// Reads one byte.
    pub(crate) fn expect(&mut self, byte: u8) -> Option<()> {
        (self.peek()? == byte).then(|| self.at += 1)
    }

    /// Reads a key and the colon after it; returns start and end of the text between its quotes.
    pub(crate) fn key(&mut self) -> Option<(usize, usize)> {
        let start = self.at + 1;
        self.string()?;
        let end = self.at - 1;
        self.skip_space();
        self.expect(b':')?;
        self.skip_space();
        Some((start, end))
    }

    /// Reads a string with its quotes.
    pub(crate) fn string(&mut self) -> Option<()> {
        self.expect(b'"')?;
        loop {
            let rest = self.bytes.get(self.at..)?;
            self.at += rest.iter().position(|byte| STRING_STOPS[usize::from(*byte)])?;
            match self.bytes[self.at] {
                b'"' => {
                    self.at += 1;
                    return Some(());
                }
                b'\\' => self.at += escape_length(self.bytes.get(self.at..)?)?,
                _ => return None,
            }
        }
    }

    /// Reads a number, `true`, `false`, `null` or a string.
    pub(crate) fn scalar(&mut self) -> Option<()> {
        match self.peek()? {
            b'"' => self.string(),
            b't' => self.word(b"true"),
            b'f' => self.word(b"false"),
            b'n' => self.word(b"null"),
            _ => self.number(),
        }
    }

    fn word(&mut self, word: &[u8]) -> Option<()> {
        self.bytes.get(self.at..)?.starts_with(word).then(|| self.at += word.len())
    }

    fn number(&mut self) -> Option<()> {
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        match self.digits() {
            0 => return None,
            1 => {}
            digits if self.bytes[self.at - digits] == b'0' => return None,
            _ => {}
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            (self.digits() > 0).then_some(())?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            (self.digits() > 0).then_some(())?;
        }
        Some(())
    }

    fn digits(&mut self) -> usize {
        let start = self.at;
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        self.at - start
    }

    /// Reads a value of any kind and depth without storing it; returns the number of its own elements or members.
    pub(crate) fn skip_value(&mut self) -> Option<usize> {
        // One entry for each open container: true for objects, false for arrays.
        let mut open: Vec<bool> = Vec::new();
        let mut count = 0;
        loop {
            count += usize::from(open.len() == 1);
            match self.peek()? {
                b'{' | b'[' => {
                    let is_object = self.peek() == Some(b'{');
                    self.at += 1;
                    self.skip_space();
                    if self.peek()? == closing_bracket(is_object) {
                        self.at += 1;
                    } else {
                        open.push(is_object);
                        if is_object {
                            self.key()?;
                        }
                        continue;
                    }
                }
                _ => self.scalar()?,
            }
            if !self.next_value(&mut open)? {
                return Some(count);
            }
        }
    }

    /// Moves from the end of a value to the next value, and closes containers on the way. Returns false if all are
    /// closed.
    fn next_value(&mut self, open: &mut Vec<bool>) -> Option<bool> {
        while let Some(&is_object) = open.last() {
            self.skip_space();
            match self.peek()? {
                b',' => {
                    self.at += 1;
                    self.skip_space();
                    if is_object {
                        self.key()?;
                    }
                    return Some(true);
                }
                byte if byte == closing_bracket(is_object) => {
                    self.at += 1;
                    open.pop();
                }
                _ => return None,
            }
        }
        Some(false)
    }
}

pub(crate) fn closing_bracket(is_object: bool) -> u8 {
    if is_object { b'}' } else { b']' }
}

/// The length of the escape that a text starts with.
pub(crate) fn escape_length(bytes: &[u8]) -> Option<usize> {
    match bytes {
        [b'\\', b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't', ..] => Some(2),
        [b'\\', b'u', digits @ ..] if digits.len() >= 4 && digits[..4].iter().all(u8::is_ascii_hexdigit) => Some(6),
        _ => None,
    }
}

/// Whether the text starts with the second half of a surrogate pair, as an escape.
pub(crate) fn is_low_surrogate(bytes: &[u8]) -> bool {
    matches!(bytes, [b'\\', b'u', b'd' | b'D', b'c'..=b'f' | b'C'..=b'F', ..])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn skip(text: &str) -> Option<usize> {
        let mut lexer = JsonLexer::new(text, 0);
        let count = lexer.skip_value()?;
        (lexer.at == text.len()).then_some(count)
    }

    #[test]
    fn values_are_read_and_their_members_counted() {
        for (text, count) in [
            ("1", 0),
            ("-0.5e+10", 0),
            (r#""a\"\\\u00e4""#, 0),
            ("[]", 0),
            ("{ }", 0),
            ("[1,[2,3], {\"a\":[4]} ]", 3),
            (r#"{"a":{"b":1,"c":2},"d":[]}"#, 2),
        ] {
            assert_eq!(skip(text), Some(count), "{text}");
        }
        let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
        assert_eq!(skip(&deep), Some(1));
    }

    #[test]
    fn other_texts_are_refused() {
        for bad in [
            "",
            "[",
            "[1",
            "[1,]",
            "[}",
            "{\"a\"}",
            "{\"a\":}",
            "{a:1}",
            "01",
            "1.",
            "1e",
            "-",
            "+1",
            "tru",
            "'a'",
            "\"a",
            "\"\\x\"",
            "\"\\u12g4\"",
            "\"\n\"",
            "[1 2]",
            "NaN",
        ] {
            assert_eq!(skip(bad), None, "{bad}");
        }
    }
}
