//! Descriptions of tools and arguments: the texts of the document as plain text of limited length.

mod html;
mod markdown;

use serde_json::Value;

use crate::api::text_cleaning::strip_invisible;

/// Maximum length of the description of a tool, in characters.
const TOOL_TEXT_MAX: usize = 1024;
/// Maximum length of the description of an argument, in characters.
const ARGUMENT_TEXT_MAX: usize = 300;
/// Maximum length of a title, in characters.
const TITLE_MAX: usize = 200;
/// Number of bytes of a text that are read; the resulting description is much shorter.
const SOURCE_MAX: usize = 8 << 10;
/// Maximum length of a default value in a description, in bytes.
const DEFAULT_MAX: usize = 100;

/// The description of a tool: summary, blank line, description; `fallback` if both are empty.
pub(crate) fn tool_description(summary: &str, description: &str, is_deprecated: bool, fallback: &str) -> String {
    let (summary, description) = (plain_text(summary), plain_text(description));
    let text = match (summary.as_str(), description.as_str()) {
        ("", "") => fallback.to_owned(),
        (only, "") | ("", only) => only.to_owned(),
        (summary, description) if description.starts_with(summary.trim_end_matches('.')) => description.to_owned(),
        (summary, description) => format!("{summary}\n\n{description}"),
    };
    let text = if is_deprecated { format!("Deprecated. {text}") } else { text };
    shorten(&text, TOOL_TEXT_MAX)
}

/// The description of an argument, with the value that the upstream assumes if the argument is not given.
pub(crate) fn argument_description(text: &str, is_deprecated: bool, default: Option<&Value>) -> String {
    let deprecation = if is_deprecated { "Deprecated." } else { "" };
    let default = default.map(default_text).filter(|default| !default.is_empty() && default.len() <= DEFAULT_MAX);
    let default = default.map(|default| format!("Default: {default}.")).unwrap_or_default();
    let text = shorten(&plain_text(text), ARGUMENT_TEXT_MAX);
    let mut sentences = vec![deprecation, &text, &default];
    sentences.retain(|sentence| !sentence.is_empty());
    sentences.join(" ")
}

/// The title of a tool; `None` if it is empty.
pub(crate) fn title(summary: &str) -> Option<String> {
    let title = plain_text(summary).split_whitespace().collect::<Vec<_>>().join(" ");
    let title = shorten(&title, TITLE_MAX);
    (!title.is_empty()).then_some(title)
}

/// Markdown and HTML as plain text.
pub(crate) fn plain_text(text: &str) -> String {
    let text = html::without_tags(&strip_invisible(start_of(text, SOURCE_MAX)));
    let text = markdown::without_links_and_tables(&text);
    let mut out = String::with_capacity(text.len());
    let mut blank_lines = 0;
    for line in text.lines().map(str::trim_end) {
        blank_lines = if line.is_empty() { blank_lines + 1 } else { 0 };
        if blank_lines < 2 {
            out.push_str(line);
            out.push('\n');
        }
    }
    out.trim().to_owned()
}

/// The beginning of a text with at most `max` bytes.
pub(crate) fn start_of(text: &str, max: usize) -> &str {
    text.get(..text.floor_char_boundary(max)).unwrap_or(text)
}

fn default_text(value: &Value) -> String {
    match value {
        Value::String(text) => strip_invisible(text),
        Value::Null => String::new(),
        other => other.to_string(),
    }
}

/// The text up to the end of the last sentence within `max` characters. A text without one is cut after a word.
fn shorten(text: &str, max: usize) -> String {
    let Some((end, _)) = text.char_indices().nth(max) else { return text.to_owned() };
    let start = text.get(..end).unwrap_or(text);
    let ends = [". ", ".\n", "! ", "? ", "\n\n"].into_iter().filter_map(|mark| Some(start.rfind(mark)? + 1)).max();
    // If the complete sentences fill less than a third of the space, cutting inside of a sentence loses less text.
    if let Some(sentences) = ends.filter(|end| *end * 3 > start.len()).and_then(|end| start.get(..end)) {
        return sentences.trim_end().to_owned();
    }
    let word_end = start.rfind(char::is_whitespace).filter(|end| *end * 2 > start.len());
    let words = word_end.and_then(|end| start.get(..end)).unwrap_or_else(|| without_last(start));
    format!("{}…", words.trim_end())
}

/// The text without its last character, so that an ellipsis fits.
fn without_last(text: &str) -> &str {
    text.char_indices().next_back().and_then(|(at, _)| text.get(..at)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_tool_is_described_by_summary_and_description() {
        for (summary, description, expected) in [
            ("Find a pet", "Returns one.", "Find a pet\n\nReturns one."),
            ("Find a pet", "", "Find a pet"),
            ("", "Returns one.", "Returns one."),
            ("Find a pet.", "Find a pet by its id.", "Find a pet by its id."),
            ("", " \n", "GET /pets of Petstore"),
            ("See [docs](https://a.example)", "<p>Use <b>this</b></p>", "See docs\n\nUse this"),
        ] {
            assert_eq!(tool_description(summary, description, false, "GET /pets of Petstore"), expected);
        }
        assert_eq!(tool_description("Old", "", true, ""), "Deprecated. Old");
    }

    #[test]
    fn a_long_text_ends_with_a_sentence() {
        let text = format!("{}. {}", "a".repeat(600), "b ".repeat(600));
        assert_eq!(tool_description("", &text, false, ""), format!("{}.", "a".repeat(600)));
        let words = "word ".repeat(400);
        let cut = tool_description("", &words, false, "");
        assert!(cut.ends_with("word…") && cut.chars().count() <= 1024, "{cut}");
        let cut = tool_description("", &"é".repeat(2000), false, "");
        assert_eq!(cut.chars().count(), 1024);
    }

    #[test]
    fn the_description_of_an_argument_ends_with_its_default() {
        for (text, is_deprecated, default, expected) in [
            ("Page size", false, Some(json!(20)), "Page size Default: 20."),
            ("Page size.", false, Some(json!("a")), "Page size. Default: a."),
            ("", false, Some(json!(true)), "Default: true."),
            ("Old.", true, None, "Deprecated. Old."),
            ("", true, None, "Deprecated."),
            ("x", false, Some(json!(null)), "x"),
            ("x", false, Some(json!("y".repeat(101))), "x"),
        ] {
            assert_eq!(argument_description(text, is_deprecated, default.as_ref()), expected);
        }
        assert_eq!(argument_description(&"x".repeat(301), false, None).chars().count(), 300);
    }

    #[test]
    fn a_title_is_one_line() {
        assert_eq!(title(" Find\n a **pet** "), Some("Find a **pet**".to_owned()));
        assert_eq!(title(" "), None);
    }
}
