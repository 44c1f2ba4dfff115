//! Prints commands for PowerShell.

use serde_json::Value;

use crate::choices::Choices;

/// Prints a whole command.
pub(crate) fn command(words: &[String], choices: &mut Choices) -> String {
    let prompt = choices.one_of(&["", "PS C:\\> ", "PS C:\\Users\\me> "]);
    let mut text = format!("{prompt}{}", choices.one_of(&["curl.exe", "curl"]));
    // PowerShell 5 does not escape the quotes of an argument for the program that it starts, so users escape them.
    let is_version_5 = choices.once_in(2);
    for (n, word) in words.iter().enumerate() {
        let is_json = word.starts_with(['{', '[']) && serde_json::from_str::<Value>(word).is_ok();
        // The importer recognises PowerShell by a backtick at the end of a line.
        text += if n == 0 { " `\n  " } else { choices.one_of(&[" ", " `\n  ", " `\n"]) };
        text += &if is_version_5 && is_json { quote(&escape(word), choices) } else { quote(word, choices) };
    }
    if choices.once_in(3) && !words.iter().any(|word| word.contains('\n')) { text.replace('\n', "\r\n") } else { text }
}

/// Escapes quotes for the C runtime: doubles the backslashes before a quote, and adds one.
fn escape(text: &str) -> String {
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

fn quote(text: &str, choices: &mut Choices) -> String {
    let is_bare = !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || "-_./:".contains(c));
    match choices.below(3) {
        0 if is_bare => text.to_owned(),
        // The importer takes `\"` as an escaped quote, as in other shells, so `"…\"` is not used.
        _ if text.ends_with('\\') => format!("'{}'", text.replace('\'', "''")),
        0 | 1 => format!("'{}'", text.replace('\'', "''")),
        _ => double_quoted(text, choices),
    }
}

/// `"…"`, with a backtick before special characters.
fn double_quoted(text: &str, choices: &mut Choices) -> String {
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
