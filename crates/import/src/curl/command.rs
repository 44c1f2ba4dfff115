//! Which of the commands of a text is curl.

use super::words::Word;

/// Words that a command may stand behind.
const PREFIXES: [&str; 14] =
    ["time", "exec", "nohup", "noglob", "builtin", "winpty", "then", "do", "else", "if", "while", "until", "!", "{"];

/// Programs that run the command in their arguments.
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

/// The words behind `curl`, where a command is one.
pub(super) struct CurlWords {
    /// Where `curl` stands.
    pub(super) at: usize,
    pub(super) words: Vec<Word>,
}

impl CurlWords {
    pub(super) fn of(words: Vec<Word>) -> Option<Self> {
        let mut words = words.into_iter().skip_while(|word| is_before_command(&word.text)).peekable();
        let mut first = words.next()?;
        if RUNNERS.contains(&first.text.as_str()) {
            // `sudo apt install curl` and `command -v curl` do not run it
            first = words.find(|word| is_curl(&word.text))?;
            words.peek()?;
        }
        let is_windows = first.text.to_ascii_lowercase().ends_with(".exe");
        let rest = words.map(|word| if is_windows { word.repaired() } else { word }).collect();
        is_curl(&first.text).then_some(Self { at: first.at, words: rest })
    }
}

/// Whether a word is skipped on the way to the command: a prefix, its options, or a variable that is set for it.
fn is_before_command(word: &str) -> bool {
    let is_assignment = word.split_once('=').is_some_and(|(name, _)| {
        name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    });
    is_assignment || word.starts_with('-') || PREFIXES.contains(&word)
}

/// Whether a word names the program, be it by its path or as an image.
fn is_curl(word: &str) -> bool {
    let name = word.rsplit(['/', '\\']).next().unwrap_or(word);
    // of an image, `curl:8.1.0`
    let name = name.split(':').next().unwrap_or(name);
    name.eq_ignore_ascii_case("curl") || name.eq_ignore_ascii_case("curl.exe")
}

/// Places where a curl command begins although what stands before it could not be read: on a line of its own, or
/// inside of a substitution. Few are enough.
pub(super) fn starts(text: &str) -> impl Iterator<Item = usize> {
    text.match_indices("curl").take(TRIES_MAX).filter_map(|(at, _)| {
        let line = text.get(..at)?.rsplit('\n').next()?;
        let is_plain = |text: &str| text.bytes().all(|b| b.is_ascii_alphanumeric() || b" /._-=".contains(&b));
        match line.rsplit_once("$(") {
            Some((_, inner)) if is_plain(inner) => Some(at - inner.len()),
            _ => line.trim().is_empty().then_some(at),
        }
    })
}

/// How many places are tried.
const TRIES_MAX: usize = 8;
