//! Words as PowerShell reads them.

use serde_json::Value;

use crate::choices::Choices;

/// A whole command.
pub(crate) fn command(words: &[String], choices: &mut Choices) -> String {
    let before = choices.one_of(&["", "PS C:\\> ", "PS C:\\Users\\me> "]);
    let mut text = format!("{before}{}", choices.one_of(&["curl.exe", "curl"]));
    // PowerShell 5 does not escape the quotes of an argument for the program it starts, so people do it.
    let is_five = choices.once_in(2);
    for (n, word_) in words.iter().enumerate() {
        let is_json = word_.starts_with(['{', '[']) && serde_json::from_str::<Value>(word_).is_ok();
        // The line that goes on is what tells it from bash.
        text += if n == 0 { " `\n  " } else { choices.one_of(&[" ", " `\n  ", " `\n"]) };
        text += &if is_five && is_json { word(&escaped(word_), choices) } else { word(word_, choices) };
    }
    if choices.once_in(3) && !words.iter().any(|word| word.contains('\n')) { text.replace('\n', "\r\n") } else { text }
}

/// Quotes as the C runtime wants them: backslashes before a quote doubled, and one more.
fn escaped(text: &str) -> String {
    let mut printed = String::new();
    let mut backslashes = 0;
    for c in text.chars() {
        if c == '"' {
            printed += &"\\".repeat(backslashes + 1);
        }
        printed.push(c);
        backslashes = if c == '\\' { backslashes + 1 } else { 0 };
    }
    printed
}

fn word(text: &str, choices: &mut Choices) -> String {
    let is_bare = !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || "-_./:".contains(c));
    match choices.below(3) {
        0 if is_bare => text.to_owned(),
        // `\"` is read as people mean it who come from another shell.
        _ if text.ends_with('\\') => format!("'{}'", text.replace('\'', "''")),
        0 | 1 => format!("'{}'", text.replace('\'', "''")),
        _ => double(text, choices),
    }
}

/// `"…"`, with a backtick before whatever is special.
fn double(text: &str, choices: &mut Choices) -> String {
    let mut printed = String::from("\"");
    for c in text.chars() {
        match c {
            '"' if printed.ends_with('\\') => printed += "`\"",
            '"' => printed += choices.one_of(&["`\"", "\"\""]),
            '`' | '$' => printed.extend(['`', c]),
            '\n' => printed += choices.one_of(&["\n", "`n"]),
            '\t' => printed += choices.one_of(&["\t", "`t"]),
            c => printed.push(c),
        }
    }
    printed + "\""
}
