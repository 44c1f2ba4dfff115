//! What a command reads from its standard input, where the text itself says what that is.

use super::words::Command;

/// The standard input of a command. Whoever reads it first has all of it.
#[derive(Default)]
pub(super) struct Stdin(Option<String>);

impl Stdin {
    /// `None` if nothing is known of it.
    pub(super) fn new(text: Option<String>) -> Self {
        Self(text)
    }

    /// What a file holds, if it is this one and the text says it. Who reads it again finds it empty.
    pub(super) fn read(&mut self, file: &str) -> Option<String> {
        if file == "-" { self.0.as_mut().map(std::mem::take) } else { None }
    }
}

/// What a command hands over to the next one, where that can be told without running it.
pub(super) fn handed_over(command: &Command) -> Option<String> {
    if !command.is_piped {
        return None;
    }
    let words: Vec<&str> = command.words.iter().map(|word| word.text.as_str()).collect();
    match words.as_slice() {
        ["echo", "-n", rest @ ..] => Some(rest.join(" ")),
        // others make it read escapes
        ["echo", option, ..] if option.starts_with('-') => None,
        ["echo", rest @ ..] => Some(rest.join(" ") + "\n"),
        ["printf", "%s", text] => Some((*text).to_owned()),
        ["printf", text] if !text.contains(['%', '\\']) => Some((*text).to_owned()),
        ["cat"] | ["cat", "-"] => command.stdin.clone(),
        _ => None,
    }
}
