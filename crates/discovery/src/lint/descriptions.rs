//! Checks for descriptions that do not help a model.

use crate::lint::LintedTool;
use crate::lint::finding::{Finding, FindingCode};
use crate::lint::prose::word_set;

/// Words, without plural endings, with which a description says what the tool returns.
const RETURN_WORDS: [&str; 24] = [
    "answer", "contain", "count", "fetch", "find", "get", "give", "include", "link", "list", "look", "output",
    "produce", "provide", "read", "respond", "response", "result", "retrieve", "return", "returned", "search", "show",
    "yield",
];

pub(super) fn check(tool: &LintedTool<'_>, findings: &mut Vec<Finding>) {
    let mut add = |code, message: &str| findings.push(Finding::tool(tool.id, code, message.to_owned()));
    if tool.description.trim().is_empty() {
        return add(FindingCode::NoDescription, "No description: a model sees only the name.");
    }
    let words = word_set(tool.description);
    if words.is_subset(&word_set(tool.name)) {
        add(FindingCode::RepeatsName, "The description only repeats the name.");
    }
    if !tool.has_output_schema && !words.iter().any(|word| RETURN_WORDS.contains(&word.as_str())) {
        add(FindingCode::NoResult, "The description does not say what comes back.");
    }
}
