//! Quotes words of shell commands that are printed for copying.

use std::fmt::Display;

/// One word of a command, in quotes if the shell would interpret it.
pub(crate) fn quote(text: impl Display) -> String {
    let text = text.to_string();
    let is_plain = !text.is_empty()
        && text.chars().all(|character| character.is_ascii_alphanumeric() || "/._-+=@:".contains(character));
    if is_plain { text } else { format!("'{}'", text.replace('\'', r"'\''")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_if_the_shell_would_interpret_them() {
        for (text, expected) in [("a/b.c-1", "a/b.c-1"), ("my file", "'my file'"), ("it's", r"'it'\''s'"), ("", "''")] {
            assert_eq!(quote(text), expected);
        }
    }
}
