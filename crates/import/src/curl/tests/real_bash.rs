//! Compares the importer with the real bash on words with quotes of every kind.

use std::io::Write;
use std::process::Command;

use proptest::collection::vec;
use proptest::prelude::*;

use super::raw_body_text;

/// Printable ASCII, which includes the special characters of a shell, and characters of other scripts.
const CHARACTERS: &str = "[ -~\n\té-ÿα-ω一-丂😀-😂]";

/// Words for one run of bash. Starting bash takes longer than parsing the words, so one run gets many.
fn words() -> impl Strategy<Value = Vec<String>> {
    // `$"…"`, which bash translates to the language of the locale.
    let translated = double_quoted().prop_map(|text| format!("${text}"));
    let piece = prop_oneof![unquoted(), single_quoted(), double_quoted(), translated, ansi_c_quoted()];
    // A body that begins with `<` is neither a form nor JSON, so it is imported as text.
    vec(vec(piece, 0..6).prop_map(|pieces| format!("'<'{}", pieces.concat())), 1..60)
}

/// Text without quotes: plain characters, and any other character after a backslash. bash removes a backslash with the
/// line break after it.
fn unquoted() -> impl Strategy<Value = String> {
    let escaped = CHARACTERS.prop_map(|c| format!("\\{c}"));
    vec(prop_oneof!["[a-zA-Z0-9#%+,./:=@^_~é-]{1,4}", escaped], 0..5).prop_map(|pieces| pieces.concat())
}

fn single_quoted() -> impl Strategy<Value = String> {
    vec(CHARACTERS, 0..12).prop_map(|text| format!("'{}'", text.concat().replace('\'', "")))
}

fn double_quoted() -> impl Strategy<Value = String> {
    let plain = CHARACTERS.prop_map(|c| if "\"\\$`".contains(&c) { format!("\\{c}") } else { c });
    let escaped = CHARACTERS.prop_map(|c| format!("\\{c}"));
    // A dollar sign that does not begin a substitution; at the end of the text nothing has to follow it.
    let last_dollar = prop_oneof!["\\$[ .,%/=]", Just("$".to_owned())];
    let inner = (vec(prop_oneof![4 => plain, 2 => escaped, 1 => "\\$[ .,%/=]"], 0..12), prop::option::of(last_dollar));
    inner.prop_map(|(pieces, last)| format!("\"{}{}\"", pieces.concat(), last.unwrap_or_default()))
}

fn ansi_c_quoted() -> impl Strategy<Value = String> {
    let plain = CHARACTERS.prop_map(|c| if "'\\".contains(&c) { format!("\\{c}") } else { c });
    let letter_escape = "\\\\[abeEfnrtv'\"?qz%$]";
    let control = "\\\\c[a-zA-Z]";
    // A shorter number is followed by a character that is not a digit. 0 is excluded: it would end the word.
    let octal = (1_u8..0x80).prop_flat_map(|n| prop_oneof![Just(format!("\\{n:03o}")), Just(format!("\\{n:o}-"))]);
    let hex = (1_u8..0x80).prop_flat_map(|n| prop_oneof![Just(format!("\\x{n:02x}")), Just(format!("\\x{n:X}-"))]);
    let unicode = character().prop_map(|c| match u32::from(c) {
        n @ ..=0xffff => format!("\\u{n:04x}"),
        n => format!("\\U{n:08X}"),
    });
    let short_unicode = character().prop_map(|c| format!("\\U{:x}-", u32::from(c)));
    let bytes = character().prop_map(|c| {
        let bytes = c.to_string().into_bytes();
        bytes.iter().map(|byte| format!("\\x{byte:02x}")).collect::<Vec<_>>().concat()
    });
    vec(prop_oneof![plain, letter_escape, control, octal, hex, unicode, short_unicode, bytes], 0..8)
        .prop_map(|pieces| format!("$'{}'", pieces.concat()))
}

/// Any character except NUL, which would end the word.
fn character() -> impl Strategy<Value = char> {
    any::<char>().prop_filter("a word cannot contain NUL", |c| *c != '\0')
}

/// The words as bash passes them to a program; `None` if bash is not installed.
fn read_by_bash(words: &[String]) -> Option<Vec<String>> {
    let script = format!("printf '%s\\0' {}", words.join(" "));
    let output = Command::new("bash").args(["-c", &script]).env_clear().env("LC_ALL", "C.UTF-8").output();
    let Ok(output) = output else {
        assert!(std::env::var("CI").as_deref() != Ok("true"), "bash was not found, and CI=true requires it");
        let _ = writeln!(std::io::stderr(), "bash was not found: the importer is not compared with it");
        return None;
    };
    assert!(output.status.success(), "{script}\n{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    Some(text.split_terminator('\0').map(str::to_owned).collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn a_word_is_parsed_in_the_same_way_as_by_bash(words in words()) {
        let Some(expected) = read_by_bash(&words) else { return Ok(()) };
        prop_assert_eq!(words.len(), expected.len());
        for (word, expected) in words.iter().zip(expected) {
            let command = format!("curl http://127.0.0.1/ -H 'Content-Type: text/plain' --data-raw {word}");
            prop_assert_eq!(raw_body_text(&command), expected, "{}", command);
        }
    }
}
