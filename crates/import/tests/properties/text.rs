//! Text with characters that are special in shells, JSON or forms.

use proptest::prelude::*;

/// Fragments that are special for one of the shells or for the importer, and characters of other scripts.
const FRAGMENTS: [&str; 48] = [
    "'",
    "\"",
    "\\",
    "$",
    "`",
    "!",
    "%",
    "^",
    "&",
    "|",
    "<",
    ">",
    ";",
    "#",
    "(",
    ")",
    "{",
    "}",
    "*",
    "?",
    "~",
    "=",
    "@",
    ":",
    "''",
    "\"\"",
    "\\\"",
    "\\\\",
    "^\"",
    "%41",
    "%PATH%",
    "$HOME",
    "${x}",
    "$(id)",
    "\\n",
    "\\u0041",
    " # ",
    " -H ",
    " ^\"",
    "curl ",
    "&&",
    "é",
    "漢",
    "😀",
    "👩‍🚀",
    "…",
    "{{a}}",
    "  ",
];

/// One line of printable text.
pub(crate) fn line() -> impl Strategy<Value = String> {
    prop::collection::vec(fragment(), 0..8).prop_map(|pieces| pieces.concat())
}

/// One line that neither begins nor ends with a space, and is not empty.
pub(crate) fn trimmed_line() -> impl Strategy<Value = String> {
    line().prop_map(|line| {
        let line = line.trim();
        if line.is_empty() { "v".to_owned() } else { line.to_owned() }
    })
}

/// Text without spaces.
pub(crate) fn without_spaces() -> impl Strategy<Value = String> {
    trimmed_line().prop_map(|line| line.replace(' ', ""))
}

/// Several lines, some of which start like a comment, an option or a delimiter. No line starts with a shell prompt,
/// because the importer removes prompts.
pub(crate) fn lines() -> impl Strategy<Value = String> {
    let start = prop::sample::select(vec!["", "", "", " ", "\t", "# ", "  -d ", "EOF", "```x"]);
    let line = (start, line()).prop_map(|(start, line)| {
        let prefix = if line.trim_start().starts_with(['$', '%', '>']) { "x" } else { "" };
        format!("{start}{prefix}{line}").replace("curl", "wget")
    });
    prop::collection::vec(line, 1..4).prop_map(|lines| lines.join("\n"))
}

fn fragment() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "[a-zA-Z0-9]{1,4}",
        2 => "[ -~]",
        3 => prop::sample::select(FRAGMENTS.to_vec()).prop_map(str::to_owned),
        1 => any::<char>().prop_filter("printable, and the same in every shell", |&c| is_plain(c)).prop_map(String::from),
    ]
}

/// Whether a character is not a control character, not a space that the importer replaces, and not a typographic quote,
/// which PowerShell treats as a quote.
fn is_plain(c: char) -> bool {
    let is_typographic_quote = ('\u{2018}'..='\u{201f}').contains(&c);
    !c.is_control() && !is_typographic_quote && c != '\u{feff}' && (c == ' ' || !c.is_whitespace())
}
