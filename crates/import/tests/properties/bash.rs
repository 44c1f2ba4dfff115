//! Prints commands for bash.

use std::fmt::Write as _;

use crate::choices::Choices;

const WORD_SEPARATORS: [&str; 6] = [" ", " \\\n  ", "  ", "\t", " \\\r\n", " \\\n"];

/// Text before and after a command, which the importer ignores.
const SURROUNDINGS: [(&str, &str); 9] = [
    ("", ""),
    ("$ ", ""),
    ("", " | jq ."),
    ("", " > out.json 2>&1"),
    ("", "; echo done"),
    ("", " && echo 'done'"),
    ("\n  ", "\n"),
    ("TOKEN=x ", " # a comment"),
    ("```bash\n", "\n```"),
];

/// Prints a whole command.
pub(crate) fn command(words: &[String], choices: &mut Choices) -> String {
    let (before, after) = choices.one_of(&SURROUNDINGS);
    let mut text = format!("{before}{}", choices.one_of(&["curl", "/usr/bin/curl", "curl.exe", "sudo curl"]));
    for printed in words.iter().map(|word| quote(word, choices)).collect::<Vec<_>>() {
        // The importer accepts a missing backslash at the end of a line, if an option follows.
        let is_backslash_missing = printed.starts_with('-') && choices.once_in(16);
        text += if is_backslash_missing { "\n  " } else { choices.one_of(&WORD_SEPARATORS) };
        text += &printed;
    }
    text + after
}

/// Prints a word in one or more parts, each with its own style of quotes.
fn quote(text: &str, choices: &mut Choices) -> String {
    if text.is_empty() {
        return choices.one_of(&["''", "\"\"", "$''"]).to_owned();
    }
    let mut printed = String::new();
    let mut rest = text;
    while !rest.is_empty() {
        let count = if choices.once_in(3) { 1 + choices.below(7) } else { usize::MAX };
        let end = rest.char_indices().nth(count).map_or(rest.len(), |(end, _)| end);
        let (piece, tail) = rest.split_at(end);
        let style = choices.one_of(&[single_quoted, double_quoted, ansi_c_quoted, unquoted]);
        printed += &style(piece, choices);
        rest = tail;
    }
    printed
}

/// `'…'`, with each apostrophe outside of the quotes.
fn single_quoted(piece: &str, choices: &mut Choices) -> String {
    let apostrophe = choices.one_of(&["'\\''", "'\"'\"'"]);
    format!("'{}'", piece.replace('\'', apostrophe))
}

/// `"…"`: `"`, `$` and a backtick need a backslash, and so does a backslash that would escape the next character.
fn double_quoted(piece: &str, choices: &mut Choices) -> String {
    let mut printed = String::from("\"");
    let mut chars = piece.chars().peekable();
    while let Some(c) = chars.next() {
        let would_escape_next = chars.peek().is_none_or(|next| "\"\\$`\n".contains(*next) || next.is_whitespace());
        let is_escaped = match c {
            '"' | '$' | '`' => true,
            '\\' => would_escape_next || choices.once_in(2),
            _ => false,
        };
        printed.extend(is_escaped.then_some('\\'));
        printed.push(c);
    }
    printed + "\""
}

/// `$'…'`, in which each character has several spellings.
fn ansi_c_quoted(piece: &str, choices: &mut Choices) -> String {
    let mut printed = String::from("$'");
    for c in piece.chars() {
        let must_be_escaped = matches!(c, '\'' | '\\');
        match choices.below(if must_be_escaped { 6 } else { 10 }) {
            0 | 1 if must_be_escaped => printed.extend(['\\', c]),
            2 => write_bytes(&mut printed, c, |printed, byte| write!(printed, "\\x{byte:02x}")),
            3 => write_bytes(&mut printed, c, |printed, byte| write!(printed, "\\{byte:03o}")),
            4 => write!(printed, "\\U{:08X}", u32::from(c)).expect("writing to a string cannot fail"),
            5 => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    write!(printed, "\\u{unit:04x}").expect("writing to a string cannot fail");
                }
            }
            _ => match c {
                '\n' => printed += "\\n",
                '\t' => printed += "\\t",
                '"' => printed += "\\\"",
                '\'' | '\\' => printed.extend(['\\', c]),
                c => printed.push(c),
            },
        }
    }
    printed + "'"
}

fn write_bytes(printed: &mut String, c: char, write_byte: impl Fn(&mut String, u8) -> std::fmt::Result) {
    for byte in c.encode_utf8(&mut [0; 4]).bytes() {
        write_byte(printed, byte).expect("writing to a string cannot fail");
    }
}

/// No quotes: a backslash before special characters. Text with a line break is quoted, because a backslash removes a
/// line break. Text with a trailing blank is quoted, because the importer ignores blanks after the backslash that
/// continues a line.
fn unquoted(piece: &str, choices: &mut Choices) -> String {
    if piece.contains('\n') || piece.ends_with([' ', '\t']) {
        return single_quoted(piece, choices);
    }
    let mut printed = String::new();
    for c in piece.chars() {
        let is_special = !c.is_alphanumeric() && c.is_ascii() && !"-_./:=,@+".contains(c);
        printed.extend((is_special || (c.is_ascii() && choices.once_in(8))).then_some('\\'));
        printed.push(c);
    }
    printed
}
