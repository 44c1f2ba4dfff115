//! The standard input of a command, if the pasted text contains it.

use super::words::ShellCommand;

/// The standard input of a command; `None` if the pasted text does not contain it. The first read consumes all of it.
#[derive(Default)]
pub(super) struct Stdin(pub(super) Option<String>);

impl Stdin {
    /// Returns the input if `file` is `-` and the input is known. A second read returns an empty text.
    pub(super) fn read(&mut self, file: &str) -> Option<String> {
        if file == "-" { self.0.as_mut().map(std::mem::take) } else { None }
    }
}

/// The output that a command pipes into the next one, if it is known without running the command.
pub(super) fn piped_output(command: &ShellCommand) -> Option<String> {
    if !command.is_piped {
        return None;
    }
    let words: Vec<&str> = command.words.iter().map(|word| word.text.as_str()).collect();
    match words.as_slice() {
        ["echo", "-n", rest @ ..] => Some(rest.join(" ")),
        // Other options enable escape sequences or change how `echo` works.
        ["echo", option, ..] if option.starts_with('-') => None,
        ["echo", rest @ ..] => Some(rest.join(" ") + "\n"),
        ["printf", "%s", text] => Some((*text).to_owned()),
        ["printf", text] if !text.contains(['%', '\\']) => Some((*text).to_owned()),
        ["cat"] | ["cat", "-"] => command.stdin.clone(),
        _ => None,
    }
}
