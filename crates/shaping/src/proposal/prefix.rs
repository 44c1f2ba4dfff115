//! Completes JSON texts that are cut off at the end, such as captured responses: they are read up to the last complete
//! element.

use std::borrow::Cow;

use crate::lexer::{JsonLexer, closing_bracket};

/// A complete JSON text: one value, or several on separate lines.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ReadableJson<'t> {
    pub(super) text: Cow<'t, str>,
    /// Whether the end of the original text is missing.
    pub(super) is_truncated: bool,
}

/// Reads a text that starts with an array or an object. A text that ends too early is cut after the last complete
/// element of its outermost list, or after its last complete member, and its brackets are closed. `None` if the text is
/// something else, or if nothing in it is complete.
pub(super) fn readable_json(text: &str) -> Option<ReadableJson<'_>> {
    let text = text.trim_start_matches('\u{feff}').trim_start_matches([' ', '\t', '\n', '\r']);
    if !text.starts_with(['{', '[']) {
        return None;
    }
    let mut reader =
        PrefixReader { text, lexer: JsonLexer::new(text, 0), open: Vec::new(), last_element: None, last_member: None };
    let Err(token_at) = reader.read_to_end() else {
        return Some(ReadableJson { text: Cow::Borrowed(text), is_truncated: false });
    };
    if !is_cut_off(text.get(token_at..)?) {
        return None;
    }
    let cut = reader.last_element.or(reader.last_member)?;
    let mut completed = text.get(..cut.at)?.to_owned();
    let closing = reader.open.iter().take(cut.depth).rev();
    completed.extend(closing.map(|is_object| char::from(closing_bracket(*is_object))));
    Some(ReadableJson { text: Cow::Owned(completed), is_truncated: true })
}

/// Whether an unreadable token may be the beginning of a valid one.
fn is_cut_off(token: &str) -> bool {
    let is_number = |byte: u8| byte.is_ascii_digit() || b"+-.eE".contains(&byte);
    match token.as_bytes().first() {
        None => true,
        Some(b'"') => is_open_string(token),
        _ => ["true", "false", "null"].iter().any(|word| word.starts_with(token)) || token.bytes().all(is_number),
    }
}

fn is_open_string(token: &str) -> bool {
    let mut is_escaped = false;
    token.bytes().skip(1).all(|byte| {
        let ends = !is_escaped && byte == b'"';
        is_escaped = !is_escaped && byte == b'\\';
        !ends && byte >= 0x20
    })
}

/// The end of a complete value, and the number of containers around it.
#[derive(Clone, Copy)]
struct CutPoint {
    at: usize,
    depth: usize,
}

struct PrefixReader<'t> {
    text: &'t str,
    lexer: JsonLexer<'t>,
    /// One entry for each open container: true for objects, false for arrays.
    open: Vec<bool>,
    /// The last complete element of the outermost open list that has one. The lines of a text are elements, too.
    last_element: Option<CutPoint>,
    last_member: Option<CutPoint>,
}

impl PrefixReader<'_> {
    /// Reads everything. An error is the start of the token that cannot be read.
    fn read_to_end(&mut self) -> Result<(), usize> {
        loop {
            let is_opened = self.value()?;
            if !is_opened && self.is_end_after_value()? {
                return Ok(());
            }
        }
    }

    /// Reads a scalar or an empty container, or opens a container (true).
    fn value(&mut self) -> Result<bool, usize> {
        let at = self.lexer.at;
        let first = self.lexer.peek().ok_or(at)?;
        if !matches!(first, b'{' | b'[') {
            self.lexer.scalar().ok_or(at)?;
            return Ok(false);
        }
        let is_object = first == b'{';
        self.lexer.at += 1;
        self.lexer.skip_space();
        if self.lexer.expect(closing_bracket(is_object)).is_some() {
            return Ok(false);
        }
        self.open.push(is_object);
        if is_object {
            self.key()?;
        }
        Ok(true)
    }

    fn key(&mut self) -> Result<(), usize> {
        let at = self.lexer.at;
        self.lexer.string().ok_or(at)?;
        self.lexer.skip_space();
        let colon_at = self.lexer.at;
        self.lexer.expect(b':').ok_or(colon_at)?;
        self.lexer.skip_space();
        Ok(())
    }

    /// Moves from the end of a value to the next value, and closes containers on the way. Returns true at the end of
    /// the text.
    fn is_end_after_value(&mut self) -> Result<bool, usize> {
        loop {
            let end = self.lexer.at;
            self.lexer.skip_space();
            let at = self.lexer.at;
            let Some(&is_object) = self.open.last() else {
                self.record(end);
                let is_next_line = self.text.get(end..at).is_some_and(|space| space.contains('\n'));
                return match self.lexer.peek() {
                    None => Ok(true),
                    Some(_) if is_next_line => Ok(false),
                    Some(_) => Err(at),
                };
            };
            match self.lexer.peek().ok_or(at)? {
                b',' => {
                    self.record(end);
                    self.lexer.at += 1;
                    self.lexer.skip_space();
                    if is_object {
                        self.key()?;
                    }
                    return Ok(false);
                }
                byte if byte == closing_bracket(is_object) => {
                    self.record(end);
                    self.lexer.at += 1;
                    self.open.pop();
                    let depth = self.open.len();
                    self.last_element = self.last_element.filter(|cut| cut.depth <= depth);
                    // The container is complete even if the text ends here. Cuts inside it need its bracket.
                    self.record(self.lexer.at);
                }
                _ => return Err(at),
            }
        }
    }

    /// Records `at`, the end of a complete value, as a possible cut.
    fn record(&mut self, at: usize) {
        let cut = CutPoint { at, depth: self.open.len() };
        if self.open.last() == Some(&true) {
            self.last_member = Some(cut);
        } else if self.last_element.is_none_or(|last| last.depth >= cut.depth) {
            self.last_element = Some(cut);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<(String, bool)> {
        readable_json(text).map(|json| (json.text.into_owned(), json.is_truncated))
    }

    #[test]
    fn complete_texts_stay_as_they_are() {
        for text in ["{}", "[ ]", r#"{"a":[1,{"b":null}]}"#, "{\"a\":1}\n{\"a\":2}\n", "[1]\n\n[2]"] {
            assert_eq!(read(text), Some((text.to_owned(), false)));
        }
        assert_eq!(read("\u{feff} [1]"), Some(("[1]".to_owned(), false)));
    }

    #[test]
    fn a_cut_text_ends_after_its_last_complete_element() {
        for (text, expected) in [
            (r#"[{"id":1,"a":[1,2]},{"id":2,"a":[1,"#, r#"[{"id":1,"a":[1,2]}]"#),
            (r#"{"items":[{"id":1},{"id":2},{"id"#, r#"{"items":[{"id":1},{"id":2}]}"#),
            (r#"{"total":12,"items":[{"id":1,"title":"A long"#, r#"{"total":12,"items":[{"id":1}]}"#),
            (r#"{"a":1,"b":{"c":tru"#, r#"{"a":1}"#),
            (r#"{"a":{"b":"c"}"#, r#"{"a":{"b":"c"}}"#),
            (r#"{"a":"x","b":12"#, r#"{"a":"x"}"#),
            (r#"{"a":[1,2],"b":"\"#, r#"{"a":[1,2]}"#),
            ("{\"a\":1}\n{\"a\":2}\n{\"a\":", "{\"a\":1}\n{\"a\":2}"),
        ] {
            assert_eq!(read(text), Some((expected.to_owned(), true)), "{text}");
            assert!(serde_json::from_str::<serde_json::Value>(expected).is_ok() || expected.contains('\n'));
        }
    }

    #[test]
    fn other_texts_are_not_read() {
        for text in
            ["", "id,name\n1,a", "<p>", "\"a\"", "12", "[", "{\"a\":1", "[1,x,2]", "[1] [2]", "{\"a\":1,\"b\"=2}"]
        {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
