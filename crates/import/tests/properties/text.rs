//! Text that shells, JSON and forms each find something special in.

use proptest::prelude::*;

/// Pieces that mean something to one of the shells, or to the importer.
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
pub(crate) fn trimmed() -> impl Strategy<Value = String> {
    line().prop_map(|line| {
        let line = line.trim();
        if line.is_empty() { "v".to_owned() } else { line.to_owned() }
    })
}

/// Characters without a space between them.
pub(crate) fn solid() -> impl Strategy<Value = String> {
    trimmed().prop_map(|line| line.replace(' ', ""))
}

/// Several lines, some of which look like the beginning of something else. None looks like the line of a terminal: its
/// prompt would go, for nothing tells it from one that was copied.
pub(crate) fn lines() -> impl Strategy<Value = String> {
    let start = prop::sample::select(vec!["", "", "", " ", "\t", "# ", "  -d ", "EOF", "```x"]);
    let line = (start, line()).prop_map(|(start, line)| {
        let prompt = if line.trim_start().starts_with(['$', '%', '>']) { "x" } else { "" };
        format!("{start}{prompt}{line}").replace("curl", "wget")
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

/// Not a control character, not a space that a cleaner may replace, not a quote that PowerShell takes for one.
fn is_plain(c: char) -> bool {
    let is_curly_quote = ('\u{2018}'..='\u{201f}').contains(&c);
    !c.is_control() && !is_curly_quote && c != '\u{feff}' && (c == ' ' || !c.is_whitespace())
}
