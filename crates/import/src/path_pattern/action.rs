//! Verbs in a path, as in `/orders/5/cancel` and `/sendMessage`.

use crate::spelling;
use crate::tables::{READING_VERBS, VERBS_ONLY_WHEN_WRITING, WRITING_VERBS};

/// The words of a segment that is a verb or begins with one.
pub(super) fn words(segment: &str, method: &str) -> Option<Vec<String>> {
    let snake_case = spelling::to_snake_case(segment);
    let words: Vec<String> = snake_case.split('_').map(str::to_owned).collect();
    let verb = words.first()?;
    let is_verb = READING_VERBS.contains(verb) || WRITING_VERBS.contains(verb);
    let is_ambiguous = words.len() == 1 && VERBS_ONLY_WHEN_WRITING.contains(verb);
    let is_writing = matches!(method, "POST" | "PUT" | "PATCH");
    (is_verb && (is_writing || !is_ambiguous) && !is_job(segment, &words)).then_some(words)
}

/// Whether words such as `import-jobs` name things rather than an action.
fn is_job(segment: &str, words: &[String]) -> bool {
    let is_first = |verb: &str| words.first().is_some_and(|first| first == verb);
    let has_plural = words.len() > 1 && words.last().is_some_and(|last| spelling::is_plural(last));
    (is_first("import") || is_first("export")) && has_plural && segment.contains(['-', '_'])
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
            ("users", "GET", None),
            ("", "GET", None),
        ] {
            assert_eq!(words(segment, method).map(|words| words.join(" ")).as_deref(), expected, "{segment}");
        }
    }
}
