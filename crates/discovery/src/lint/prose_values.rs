//! Finds values and formats that only the description of an argument mentions.

/// Texts that introduce a list of values.
const LIST_MARKERS: [&str; 7] =
    ["one of", "allowed values", "possible values", "valid values", "supported values", "either", "can be"];
/// Maximum number of values of a list; a longer one is prose.
const VALUES_MAX: usize = 40;
/// Maximum length of a value, in characters; a longer text is prose.
const VALUE_CHARS_MAX: usize = 30;

/// The values that a description lists, such as those of `One of: open, closed or all.`; at least two.
pub(super) fn listed_values(description: &str) -> Option<Vec<String>> {
    let lower = description.to_ascii_lowercase();
    LIST_MARKERS.into_iter().find_map(|marker| {
        let start = lower.find(marker)? + marker.len();
        values_of_list(description.get(start..)?)
    })
}

fn values_of_list(text: &str) -> Option<Vec<String>> {
    let text = text.trim_start_matches(|c: char| c == ':' || c == '(' || c.is_whitespace());
    let text = ["are ", "is "].into_iter().find_map(|verb| text.strip_prefix(verb)).unwrap_or(text);
    let text = text.trim_start_matches(|c: char| c == ':' || c == '(' || c.is_whitespace());
    let end = text.find(['.', ';', ')', '\n']).unwrap_or(text.len());
    let list = text.get(..end)?.replace(" or ", ",").replace(" and ", ",").replace(['|', '/'], ",");
    let quotes: &[char] = &['"', '\'', '`'];
    let values: Vec<String> = list
        .split(',')
        .map(|value| value.trim().trim_matches(quotes).to_owned())
        .filter(|value| !value.is_empty())
        .collect();
    let is_value = |value: &String| {
        value.chars().count() <= VALUE_CHARS_MAX
            && value.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '+' | ':'))
    };
    ((2..=VALUES_MAX).contains(&values.len()) && values.iter().all(is_value)).then_some(values)
}

/// An example value for the format that a description mentions.
pub(super) fn example_of_format(description: &str) -> Option<&'static str> {
    let lower = description.to_ascii_lowercase();
    let has_word = |wanted: &str| lower.split(|c: char| !c.is_alphanumeric()).any(|word| word == wanted);
    if lower.contains("comma-separated") || lower.contains("comma separated") {
        return Some("first,second");
    }
    if !["iso", "iso8601", "format", "formats", "formatted"].into_iter().any(has_word) {
        return None;
    }
    let patterns = [("yyyy-mm-dd", "2026-01-31"), ("hh:mm", "09:30"), ("e.164", "+4930123456")];
    let words = [
        ("3166", "DE"),
        ("4217", "EUR"),
        ("639", "en"),
        ("uuid", "7d444840-9dc0-11d1-b245-5ffdce74fad2"),
        ("email", "kim@example.com"),
        ("url", "https://example.com"),
        ("time", "2026-01-31T09:30:00Z"),
        ("timestamp", "2026-01-31T09:30:00Z"),
        ("8601", "2026-01-31"),
        ("iso8601", "2026-01-31"),
        ("date", "2026-01-31"),
    ];
    let by_pattern = patterns.into_iter().find(|(pattern, _)| lower.contains(pattern));
    let example = by_pattern.or_else(|| words.into_iter().find(|(word, _)| has_word(word)));
    example.map(|(_, example)| example)
}
