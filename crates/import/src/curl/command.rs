//! Finds the curl commands among the commands of a text.

use super::words::word::Word;

/// Keywords, builtins and programs that may directly precede a command.
const PREFIXES: [&str; 14] =
    ["time", "exec", "nohup", "noglob", "builtin", "winpty", "then", "do", "else", "if", "while", "until", "!", "{"];

/// Programs and builtins that run the command in their arguments.
const RUNNERS: [&str; 16] = [
    "sudo",
    "doas",
    "env",
    "command",
    "docker",
    "podman",
    "kubectl",
    "oc",
    "ssh",
    "wsl",
    "timeout",
    "watch",
    "nice",
    "xargs",
    "stdbuf",
    "proxychains",
];

/// The words of a curl command after `curl`.
pub(super) struct CurlWords {
    /// Offset of the word `curl`.
    pub(super) offset: usize,
    pub(super) words: Vec<Word>,
}

impl CurlWords {
    /// `None` if the command does not run curl.
    pub(super) fn from_words(words: Vec<Word>) -> Option<Self> {
        let mut words = words.into_iter().skip_while(|word| is_before_command(&word.text)).peekable();
        let mut first = words.next()?;
        if RUNNERS.contains(&first.text.as_str()) {
            // `sudo apt install curl` and `command -v curl` do not run curl; in both, no word follows `curl`.
            first = words.find(|word| is_curl(&word.text))?;
            words.peek()?;
        }
        let is_windows = first.text.to_ascii_lowercase().ends_with(".exe");
        let rest = words.map(|word| if is_windows { word.with_unescaped_json() } else { word }).collect();
        is_curl(&first.text).then_some(Self { offset: first.offset, words: rest })
    }
}

/// Whether a word precedes the command name: a prefix, an option of the prefix, or a variable assignment.
fn is_before_command(word: &str) -> bool {
    let is_assignment = word.split_once('=').is_some_and(|(name, _)| {
        name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    });
    is_assignment || word.starts_with('-') || PREFIXES.contains(&word)
}

/// Whether a word names curl, as a program name, a path or a container image.
fn is_curl(word: &str) -> bool {
    let name = word.rsplit(['/', '\\']).next().unwrap_or(word);
    // A container image has a tag: `curl:8.1.0`.
    let name = name.split(':').next().unwrap_or(name);
    name.eq_ignore_ascii_case("curl") || name.eq_ignore_ascii_case("curl.exe")
}

/// Offsets where a curl command may begin although the text before it could not be parsed: at the start of a line or of
/// a command substitution.
pub(super) fn candidate_offsets(text: &str) -> impl Iterator<Item = usize> {
    text.match_indices("curl").take(CANDIDATES_MAX).filter_map(|(offset, _)| {
        let line = text.get(..offset)?.rsplit('\n').next()?;
        let is_plain = |text: &str| text.bytes().all(|b| b.is_ascii_alphanumeric() || b" /._-=".contains(&b));
        match line.rsplit_once("$(") {
            Some((_, inner)) if is_plain(inner) => Some(offset - inner.len()),
            _ => line.trim().is_empty().then_some(offset),
        }
    })
}

/// Maximum number of occurrences of `curl` that are tried. Each costs one pass over the text.
const CANDIDATES_MAX: usize = 8;
