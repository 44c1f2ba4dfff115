//! Verbs in a path, as in `/orders/5/cancel` and `/sendMessage`.

use crate::spelling;
use crate::tables::{READING_VERBS, THINGS_AFTER_VERBS, VERBS_ONLY_WHEN_WRITING, WRITING_VERBS};

/// The words of a segment that is a verb or begins with one.
pub(super) fn words(segment: &str, method: &str) -> Option<Vec<String>> {
    let snake_case = spelling::to_snake_case(segment);
    let words: Vec<String> = snake_case.split('_').map(str::to_owned).collect();
    let verb = words.first()?;
    let is_verb = READING_VERBS.contains(verb) || WRITING_VERBS.contains(verb);
    let is_ambiguous = words.len() == 1 && VERBS_ONLY_WHEN_WRITING.contains(verb);
    let is_writing = matches!(method, "POST" | "PUT" | "PATCH");
    (is_verb && (is_writing || !is_ambiguous) && !is_thing(segment, &words, method)).then_some(words)
}

/// Whether words such as `import-jobs` and `merge_requests` name things rather than an action.
fn is_thing(segment: &str, words: &[String], method: &str) -> bool {
    let [verb, .., last] = words else { return false };
    let is_thing = matches!(verb.as_str(), "import" | "export")
        || (!READING_VERBS.contains(verb) && (matches!(method, "GET" | "DELETE") || THINGS_AFTER_VERBS.contains(last)));
    is_thing && spelling::is_plural(last) && segment.contains(['-', '_'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verbs_are_distinguished_from_nouns() {
        for (segment, method, expected) in [
            ("cancel", "POST", Some("cancel")),
            ("sendMessage", "POST", Some("send message")),
            ("_search", "GET", Some("search")),
            ("open", "PUT", Some("open")),
            ("open", "GET", None),
            ("import-jobs", "POST", None),
            ("importJobs", "POST", Some("import jobs")),
            ("merge_requests", "POST", None),
            ("build-steps", "GET", None),
            ("add_tags", "POST", Some("add tags")),
            ("count_tokens", "POST", Some("count tokens")),
            ("get_users", "GET", Some("get users")),
            ("users", "GET", None),
            ("", "GET", None),
        ] {
            assert_eq!(words(segment, method).map(|words| words.join(" ")).as_deref(), expected, "{segment}");
        }
    }
}
