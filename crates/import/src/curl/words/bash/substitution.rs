//! What bash would put in place of variables and commands. Here it stays as it is written: nothing is looked up or run.

use super::Bash;

/// Longest name between `${` and `}`.
const NAME_MAX: usize = 200;

impl Bash<'_> {
    /// Reads on behind a `$`.
    pub(super) fn substitution(&mut self) {
        self.word.push('$');
        let length = self.command_length().or_else(|| self.braces_length()).unwrap_or_else(|| self.name_length());
        if length > 0 {
            let text = self.cursor.take(length);
            self.word.push_str(text);
            self.warn(text);
        }
    }

    /// Reads on behind a backtick.
    pub(super) fn backtick(&mut self, at: usize) {
        self.word.begin(at);
        self.word.push('`');
        if let Some(end) = self.cursor.rest().find('`') {
            let text = self.cursor.take(end + 1);
            self.word.push_str(text);
            self.warn(text);
        }
    }

    /// Names what it is only if it has the form of a variable: a `$` within a password looks like one, too.
    fn warn(&mut self, text: &str) {
        let braced = text.strip_prefix('{').and_then(|text| text.strip_suffix('}'));
        let is_variable =
            braced.unwrap_or(text).bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_');
        self.command.warnings.add(if is_variable && text.len() < 64 {
            format!("${text} is a variable of the shell, and nothing is looked up; write its value in its place.")
        } else {
            "A variable or substitution of the shell stays as it is written, for nothing is looked up or run; write its \
             value in its place."
                .to_owned()
        });
    }

    /// `(…)`, with brackets and quotes in it.
    pub(super) fn command_length(&mut self) -> Option<usize> {
        let rest = self.cursor.rest();
        if self.is_never_closed || !rest.starts_with('(') {
            return None;
        }
        let (mut depth, mut quote) = (0_usize, None);
        let mut is_escaped = false;
        for (at, c) in rest.char_indices() {
            match (quote, c) {
                _ if is_escaped => is_escaped = false,
                (None | Some('"'), '\\') => is_escaped = true,
                (Some(open), c) if c == open => quote = None,
                (None, '\'' | '"') => quote = Some(c),
                (None, '(') => depth += 1,
                (None, ')') => {
                    depth -= 1;
                    if depth == 0 {
                        return Some(at + 1);
                    }
                }
                _ => {}
            }
        }
        self.is_never_closed = true;
        None
    }

    /// `{…}`.
    fn braces_length(&self) -> Option<usize> {
        let inner = self.cursor.rest().strip_prefix('{')?;
        let end = inner.get(..inner.floor_char_boundary(NAME_MAX))?.find('}')?;
        Some(end + 2)
    }

    /// A name, or one of the parameters that are numbers and signs.
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
