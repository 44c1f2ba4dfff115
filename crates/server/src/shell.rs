//! Commands that are shown, to be copied into a shell.

/// One word of a command, in quotes where the shell would read it otherwise.
pub(crate) fn quote(text: &str) -> String {
    let is_plain =
        !text.is_empty() && text.chars().all(|found| found.is_ascii_alphanumeric() || "/._-+=@:".contains(found));
    if is_plain { text.to_owned() } else { format!("'{}'", text.replace('\'', r"'\''")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_where_the_shell_would_read_them_otherwise() {
        for (text, expected) in [("a/b.c-1", "a/b.c-1"), ("my file", "'my file'"), ("it's", r"'it'\''s'"), ("", "''")] {
            assert_eq!(quote(text), expected);
        }
    }
}
