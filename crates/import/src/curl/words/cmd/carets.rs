//! Detects carets that escape characters between plain quotes. The command prompt takes such carets literally, but
//! older versions of Chrome wrote them.

/// Whether carets escape characters between plain quotes. This is the case in text from Chrome, where every special
/// character has a caret.
pub(super) fn are_escapes_between_quotes(text: &str) -> bool {
    let has_escaped_quote = text.contains("^\\^\"") && !text.contains(" ^\"");
    has_escaped_quote || has_caret_before_every_special_char(text)
}

/// Whether there are carets between quotes, and only before special characters, and before each of them.
fn has_caret_before_every_special_char(text: &str) -> bool {
    let mut chars = text.chars().peekable();
    let (mut is_quoted, mut has_caret) = (false, false);
    while let Some(c) = chars.next() {
        match c {
            '"' => is_quoted = !is_quoted,
            '^' => {
                let Some(escaped) = chars.next() else { break };
                if is_quoted && is_plain(escaped) {
                    return false;
                }
                has_caret |= is_quoted;
                // Chrome adds a caret between a percent sign and a name, which would otherwise be a variable.
                if escaped == '%' {
                    let mut ahead = chars.clone();
                    if ahead.next() == Some('^') && ahead.next().is_some_and(is_plain) {
                        chars.next();
                    }
                } else if escaped == '"' && !is_quoted {
                    is_quoted = true;
                }
            }
            c if is_quoted && !is_plain(c) => return false,
            _ => {}
        }
    }
    has_caret
}

/// Whether Chrome writes a character without a caret.
fn is_plain(c: char) -> bool {
    c.is_ascii_alphanumeric() || c.is_whitespace() || "_-:=+~'/.,?;()*`".contains(c)
}
