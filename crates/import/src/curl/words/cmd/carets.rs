//! Carets between plain quotes. The prompt takes them literally, but for years Chrome wrote them there as if it did not.

/// Whether carets take the meaning from characters between plain quotes too. They do if it was Chrome that wrote
/// the text: then every character that could mean something has one.
pub(super) fn mean_something_between_quotes(text: &str) -> bool {
    let has_careted_quote = text.contains("^\\^\"") && !text.contains(" ^\"");
    has_careted_quote || is_all_careted(text)
}

fn is_all_careted(text: &str) -> bool {
    let mut chars = text.chars().peekable();
    let (mut is_quoted, mut has_caret) = (false, false);
    while let Some(c) = chars.next() {
        match c {
            '"' => is_quoted = !is_quoted,
            '^' => {
                let Some(escaped) = chars.next() else { break };
                if is_quoted && is_harmless(escaped) {
                    return false;
                }
                has_caret |= is_quoted;
                // Between a percent sign and a name stands one more, lest the two be read as a variable.
                if escaped == '%' {
                    let mut ahead = chars.clone();
                    if ahead.next() == Some('^') && ahead.next().is_some_and(is_harmless) {
                        chars.next();
                    }
                } else if escaped == '"' && !is_quoted {
                    is_quoted = true;
                }
            }
            c if is_quoted && !is_harmless(c) => return false,
            _ => {}
        }
    }
    has_caret
}

/// Whether Chrome writes a character as it is.
fn is_harmless(c: char) -> bool {
    c.is_ascii_alphanumeric() || c.is_whitespace() || "_-:=+~'/.,?;()*`".contains(c)
}
