//! One line that shows a model how a tool is called: `list_issues(owner, repo, state?) - List issues of a repository`.

use serde_json::Value;
use toolgate_domain::client_profile::ClientProfile;
use toolgate_domain::tokens::estimate;

use crate::profile::adapt_schema;

/// Maximum number of arguments in a signature.
pub const ARGUMENTS_MAX: usize = 8;
/// Maximum length of the summary, in characters.
pub const SUMMARY_CHARS_MAX: usize = 120;
/// Maximum number of tokens of a signature. Only a long tool name, which is never cut, can exceed it.
pub const SIGNATURE_TOKENS_MAX: usize = 60;
/// Maximum length of an argument name in a signature, in characters.
const ARGUMENT_CHARS_MAX: usize = 40;

/// The signature of a tool: its name, its arguments (required ones first, `?` marks optional ones) and the first
/// sentence of its description.
pub fn signature(name: &str, description: &str, input_schema: &Value) -> String {
    let arguments = argument_names(input_schema);
    let summary = first_sentence(description);
    let mut shown = arguments.len().min(ARGUMENTS_MAX);
    let mut summary_chars = summary.chars().count().min(SUMMARY_CHARS_MAX);
    loop {
        let line = write_line(name, &arguments, shown, &cut(&summary, summary_chars));
        let is_shortest = shown == 0 && summary_chars == 0;
        if is_shortest || estimate(&line) <= SIGNATURE_TOKENS_MAX {
            return line;
        }
        // First the arguments are reduced to four, then the summary to half of its maximum, then the other arguments,
        // then the rest of the summary.
        if shown > 4 || summary_chars <= SUMMARY_CHARS_MAX / 2 && shown > 0 {
            shown -= 1;
        } else {
            summary_chars = summary_chars.saturating_sub(10);
        }
    }
}

/// The names of the arguments, required ones first; optional ones end in `?`.
pub fn argument_names(input_schema: &Value) -> Vec<String> {
    let adapted = adapt_schema(ClientProfile::Common, input_schema);
    let schema = adapted.as_ref().unwrap_or(input_schema);
    let required: Vec<&str> =
        schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
    let names = || schema.get("properties").and_then(Value::as_object).into_iter().flat_map(|object| object.keys());
    let is_required = |name: &&String| required.contains(&name.as_str());
    let optional = names().filter(|name| !is_required(name)).map(|name| format!("{}?", cut(name, ARGUMENT_CHARS_MAX)));
    names().filter(is_required).map(|name| cut(name, ARGUMENT_CHARS_MAX)).chain(optional).collect()
}

fn write_line(name: &str, arguments: &[String], shown: usize, summary: &str) -> String {
    let mut line =
        format!("{name}({}", arguments.iter().take(shown).map(String::as_str).collect::<Vec<_>>().join(", "));
    if shown < arguments.len() {
        line.push('…');
    }
    line.push(')');
    if !summary.is_empty() {
        line.push_str(" - ");
        line.push_str(summary);
    }
    line
}

/// The first sentence of a description, on one line and without its full stop.
pub fn first_sentence(description: &str) -> String {
    let line = description.trim_start().split(['\n', '\r']).find(|line| !line.trim().is_empty()).unwrap_or_default();
    let words: Vec<&str> = line.split_whitespace().take(SUMMARY_CHARS_MAX).collect();
    let is_end = |word: &&&str| word.ends_with(['.', '!', '?']) && !is_abbreviation(word);
    let end = words.iter().position(|word| is_end(&word)).map_or(words.len(), |end| end + 1);
    words[..end].join(" ").trim_end_matches('.').to_owned()
}

/// Whether this word ends with a full stop that does not end the sentence: `e.g.`, `etc.`, `A.`
fn is_abbreviation(word: &str) -> bool {
    let word = word.trim_start_matches(['(', '"', '\'']);
    let is_short = word.chars().count() == 2 && word.ends_with('.');
    is_short || word.trim_end_matches('.').contains('.') || ["vs.", "etc.", "incl.", "No."].contains(&word)
}

/// The text up to this many characters; a shortened text ends in `…`, at the end of a word if there is one.
fn cut(text: &str, chars_max: usize) -> String {
    if text.chars().count() <= chars_max {
        return text.to_owned();
    }
    if chars_max < 2 {
        return String::new();
    }
    let start: String = text.chars().take(chars_max - 1).collect();
    let end = start.rfind(' ').filter(|end| *end > start.len() / 2).unwrap_or(start.len());
    let (shortened, _) = start.split_at(end);
    format!("{}…", shortened.trim_end_matches([' ', ',', ';', ':']))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn required_arguments_come_first_and_optional_ones_are_marked() {
        let schema = json!({
            "type": "object",
            "properties": {"state": {}, "owner": {}, "labels": {}, "repo": {}},
            "required": ["owner", "repo"],
        });
        let line = signature("list_issues", "List issues of a repository. Returns 30.", &schema);
        assert_eq!(line, "list_issues(owner, repo, state?, labels?) - List issues of a repository");
        assert_eq!(signature("ping", "", &json!({"type": "object"})), "ping()");
    }

    #[test]
    fn at_most_eight_arguments_are_named() {
        let properties: serde_json::Map<_, _> = (0..9).map(|n| (format!("a{n}"), json!({}))).collect();
        let line = signature("t", "Do it", &json!({"properties": properties}));
        assert_eq!(line, "t(a0?, a1?, a2?, a3?, a4?, a5?, a6?, a7?…) - Do it");
    }

    #[test]
    fn arguments_of_variants_are_named() {
        let schema = json!({"oneOf": [
            {"properties": {"id": {}, "a": {}}, "required": ["id", "a"]},
            {"properties": {"id": {}, "b": {}}, "required": ["id", "b"]},
        ]});
        assert_eq!(signature("t", "x", &schema), "t(id, a?, b?) - x");
    }

    #[test]
    fn the_first_sentence_ends_at_its_full_stop() {
        for (description, expected) in [
            ("One. Two.", "One"),
            ("Use v1.2 e.g. for A. B. Smith", "Use v1.2 e.g. for A. B. Smith"),
            ("  \n Line one\nLine two.", "Line one"),
            ("Is it? Yes.", "Is it?"),
            ("", ""),
            ("...", ""),
        ] {
            assert_eq!(first_sentence(description), expected, "{description}");
        }
    }

    #[test]
    fn a_signature_stays_within_its_tokens_and_characters() {
        let long = "Retrieves extraordinarily comprehensive organisational information, ".repeat(20);
        let properties: serde_json::Map<_, _> =
            (0..40).map(|n| (format!("extraordinarily_long_argument_name_number_{n}"), json!({}))).collect();
        for description in [long.as_str(), &"x9".repeat(400), &"漢字".repeat(300)] {
            let line = signature("retrieve_information", description, &json!({"properties": properties}));
            assert!(estimate(&line) <= SIGNATURE_TOKENS_MAX, "{} {line}", estimate(&line));
            let (_, summary) = line.split_once(" - ").unwrap_or_default();
            assert!(summary.chars().count() <= SUMMARY_CHARS_MAX, "{line}");
            assert!(line.starts_with("retrieve_information("));
        }
        let name = "x9Kq".repeat(32);
        assert_eq!(signature(&name, &long, &json!({})), format!("{name}()"));
    }
}
