//! Variables and command substitutions. They stay as written: nothing is expanded or run.

use super::Bash;

/// Maximum length of the text between `${` and `}`, in bytes.
const NAME_MAX: usize = 200;

impl Bash<'_> {
    /// Reads the text after a `$`.
    pub(super) fn substitution(&mut self) {
        self.word.push('$');
        let length = self.command_length().or_else(|| self.braces_length()).unwrap_or_else(|| self.name_length());
        if length > 0 {
            let text = self.cursor.take(length);
            self.word.push_str(text);
            self.warn_of_substitution(text);
        }
    }

    /// Reads the text after a backtick.
    pub(super) fn backtick(&mut self, offset: usize) {
        self.word.begin(offset);
        self.word.push('`');
        if let Some(end) = self.cursor.rest().find('`') {
            let text = self.cursor.take(end + 1);
            self.word.push_str(text);
            self.warn_of_substitution(text);
        }
    }

    /// Warns that a substitution is not expanded. The warning repeats the text only if it looks like a variable name,
    /// because a password may contain a `$`.
    fn warn_of_substitution(&mut self, text: &str) {
        let braced = text.strip_prefix('{').and_then(|text| text.strip_suffix('}'));
        let is_variable =
            braced.unwrap_or(text).bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_');
        // A longer text is more likely a secret than a name.
        self.command.warnings.add(if is_variable && text.len() < 64 {
            format!("${text} is a shell variable and is not expanded. Replace it with its value.")
        } else {
            "The command contains a shell variable or command substitution, which is not expanded. Replace it with its value."
                .to_owned()
        });
    }

    /// The length of `(…)`, with nested parentheses and quotes; `None` if none begins here or it is not closed.
    pub(super) fn command_length(&mut self) -> Option<usize> {
        let rest = self.cursor.rest();
        if self.has_unclosed_substitution || !rest.starts_with('(') {
            return None;
        }
        let (mut depth, mut quote) = (0_usize, None);
        let mut is_escaped = false;
        for (offset, c) in rest.char_indices() {
            match (quote, c) {
                _ if is_escaped => is_escaped = false,
                (None | Some('"'), '\\') => is_escaped = true,
                (Some(open), c) if c == open => quote = None,
                (None, '\'' | '"') => quote = Some(c),
                (None, '(') => depth += 1,
                (None, ')') => {
                    depth -= 1;
                    if depth == 0 {
                        return Some(offset + 1);
                    }
                }
                _ => {}
            }
        }
        self.has_unclosed_substitution = true;
        None
    }

    /// The length of `{…}`; `None` if none begins here or it is too long.
    fn braces_length(&self) -> Option<usize> {
        let inner = self.cursor.rest().strip_prefix('{')?;
        let end = inner.get(..inner.floor_char_boundary(NAME_MAX))?.find('}')?;
        Some(end + 2)
    }

    /// The length of a variable name or of a special parameter such as `$1` or `$@`.
    fn name_length(&self) -> usize {
        let rest = self.cursor.rest();
        match rest.bytes().next() {
            Some(b'0'..=b'9' | b'@' | b'*' | b'#' | b'?' | b'!' | b'$' | b'-') => 1,
            Some(b'a'..=b'z' | b'A'..=b'Z' | b'_') => {
                rest.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count()
            }
            _ => 0,
        }
    }
}
