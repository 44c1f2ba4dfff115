//! Prints commands for cmd.exe and the C runtime of Windows.

use crate::choices::Choices;

/// Prints a whole command as Chrome copies it for cmd.exe: each value in `^"…^"`, with line breaks between options.
pub(crate) fn command_as_copied(words: &[String], choices: &mut Choices) -> String {
    join(words.iter().map(|word| if is_option_name(word) { word.clone() } else { caret_quoted(word) }), choices, 0)
}

/// Prints a whole command as a user types it: values in `"…"`, unless one of them needs carets.
pub(crate) fn command_as_typed(words: &[String], choices: &mut Choices) -> String {
    if words.iter().any(|word| needs_carets(word)) {
        return command_as_copied(words, choices);
    }
    let words: Vec<String> = words.iter().map(|word| quoted(word, choices)).collect();
    // The importer recognises cmd.exe by a caret at the end of a line.
    join(words.into_iter(), choices, 1)
}

/// Whether cmd.exe would change the text even inside `"…"`. A caret is an escape character, and a line break ends the
/// command. A quote in the text ends the quoted part, so that cmd.exe interprets the operators after it.
fn needs_carets(text: &str) -> bool {
    let has_operator = text.contains(['&', '|', '<', '>', '%', '!']);
    text.contains(['^', '\n']) || (text.contains('"') && has_operator)
}

/// Joins the words. The first `line_breaks_min` separators contain a line break.
fn join(words: impl Iterator<Item = String>, choices: &mut Choices, line_breaks_min: usize) -> String {
    let mut text = choices.one_of(&["curl", "curl.exe", "C:\\Windows\\System32\\curl.exe"]).to_owned();
    for (n, word) in words.enumerate() {
        text += if n < line_breaks_min { " ^\n  " } else { choices.one_of(&[" ^\n  ", " ", " ^\n"]) };
        text += &word;
    }
    if choices.once_in(3) { text.replace('\n', "\r\n") } else { text }
}

/// Whether a word is the name of an option, which Chrome does not quote.
fn is_option_name(word: &str) -> bool {
    word.starts_with('-') && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
}

/// Prints a word as `^"…^"`: with a backslash before backslashes and quotes, for the C runtime, and then a caret
/// before all characters that cmd.exe could interpret.
fn caret_quoted(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"");
    let mut printed = String::from("^\"");
    let mut chars = escaped.chars().peekable();
    while let Some(c) = chars.next() {
        if c == '\n' {
            printed += "^\n\n";
            continue;
        }
        let is_plain = c.is_ascii_alphanumeric() || c.is_whitespace() || "_-:=+~'/.,?;()*`".contains(c);
        printed.extend((!is_plain).then_some('^'));
        printed.push(c);
        // `%` must not be followed by a variable's name, so Chrome puts a caret between them.
        let is_name_char = |next: &char| next.is_ascii_alphanumeric() || *next == '_';
        printed.extend((c == '%' && chars.peek().is_some_and(is_name_char)).then_some('^'));
    }
    printed + "^\""
}

/// Prints a word as `"…"` by the rules of the C runtime.
fn quoted(text: &str, choices: &mut Choices) -> String {
    if !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || "-_./:".contains(c)) {
        return text.to_owned();
    }
    let mut printed = String::from("\"");
    let mut backslashes = 0;
    for c in text.chars() {
        match c {
            '"' if backslashes == 0 && choices.once_in(2) => printed += "\"\"",
            '"' => {
                printed += &"\\".repeat(backslashes + 1);
                printed.push('"');
            }
            c => printed.push(c),
        }
        backslashes = if c == '\\' { backslashes + 1 } else { 0 };
    }
    printed + &"\\".repeat(backslashes) + "\""
}
