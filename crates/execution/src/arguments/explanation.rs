//! Explains to a model why its arguments were refused: what is wrong, which values are accepted, and a call that would
//! be valid. Nothing here runs unless a validation failed.
//!
//! Schema and arguments may be hostile: every list, name and recursion is bounded, and the whole text is shortened
//! until it fits into [`TOKENS_MAX`].

mod detail;
mod example;
mod expected;
mod path;
mod pattern;
mod problem;
mod schema_view;
mod shown;
#[cfg(test)]
mod tests;

use jsonschema::ValidationError;
use serde_json::Value;
use toolgate_domain::tokens::estimate;

use super::InputSchema;
use super::violation::Violation;
use crate::failure_text::FailureText;
use detail::Detail;
use path::ArgumentPath;
use problem::{ArgumentProblem, ProblemWriter, Remedy};
use schema_view::SchemaView;

/// The longest explanation, in estimated tokens.
pub(crate) const TOKENS_MAX: usize = 90;
/// How many problems one explanation lists.
const PROBLEMS_MAX: usize = 5;
/// How many further problems are named by their path alone.
const NAMED_MAX: usize = 10;
/// How many errors of the validator are read.
pub(super) const ERRORS_MAX: usize = 32;
/// The length to which a message is cut if even one problem is too long.
const MESSAGE_CHARS_MAX: usize = 240;

/// The levels of detail that are tried until the text fits: the number of listed problems, the detail of each, and
/// whether an example is given.
const DETAIL_LEVELS: [(usize, Detail, bool); 7] = [
    (PROBLEMS_MAX, Detail { values_max: 12, has_description: true }, true),
    (PROBLEMS_MAX, Detail { values_max: 12, has_description: false }, true),
    (PROBLEMS_MAX, Detail { values_max: 5, has_description: false }, true),
    (PROBLEMS_MAX, Detail { values_max: 5, has_description: false }, false),
    (3, Detail { values_max: 5, has_description: false }, false),
    (2, Detail { values_max: 3, has_description: false }, false),
    (1, Detail { values_max: 3, has_description: false }, false),
];

/// A value in at most 40 characters.
pub(crate) fn shown_value(value: &Value) -> String {
    shown::value(value)
}

/// Explains the errors of a validation.
pub(super) fn explain(
    tool: &str,
    schema: &InputSchema,
    document: &Value,
    arguments: &Value,
    errors: &[ValidationError<'_>],
) -> FailureText {
    let view = SchemaView::new(document, schema);
    let tool = shown::name(tool);
    let example = example::smallest_call(&view);
    let mut last = FailureText::new("The arguments do not match the schema of this tool.", String::new());
    for (problems_max, detail, has_example) in DETAIL_LEVELS {
        let writer = ProblemWriter { view: &view, arguments, tool: &tool, detail };
        let problems = writer.problems(errors);
        last = text(&tool, &problems, problems_max, example.as_deref().filter(|_| has_example));
        if estimate(&last.message) + estimate(&last.advice) <= TOKENS_MAX {
            return last;
        }
    }
    FailureText { message: shown::truncate(&last.message, MESSAGE_CHARS_MAX), ..last }
}

/// Explains the errors of a result: the path of each wrong value, the expected value and the actual one.
pub(super) fn explain_output(
    schema: &InputSchema,
    document: &Value,
    value: &Value,
    errors: &[ValidationError<'_>],
) -> String {
    let view = SchemaView::new(document, schema);
    let detail = Detail { values_max: 5, has_description: false };
    let writer = ProblemWriter { view: &view, arguments: value, tool: "the result", detail };
    let problems = writer.value_problems(errors);
    let text = text("", &problems, 3, None).message.replace(" (required)", "").replace(", not ", ", is ");
    shown::truncate(&text, MESSAGE_CHARS_MAX)
}

/// Explains one violation that was found when the request was built.
pub(super) fn explain_violation(
    tool: &str,
    schema: &InputSchema,
    document: &Value,
    violation: &Violation,
) -> FailureText {
    let tool = shown::name(tool);
    // Texts for models say "address", because a model does not see the URL of the upstream.
    let problem = shown::truncate(&violation.message.replace("URL", "address"), MESSAGE_CHARS_MAX);
    if violation.argument.is_empty() {
        let message = format!("{}.", shown::capitalise(problem.trim_end_matches('.')));
        return FailureText::new(message, format!("Change the arguments and call {tool} again."));
    }
    let view = SchemaView::new(document, schema);
    let path = ArgumentPath::from_name(&violation.argument);
    let sample = view.property(document, &violation.argument).filter(|_| !view.is_secret(&path));
    let hint = sample.and_then(|schema| expected::sample_text(&view, schema));
    let hint = hint.map(|sample| format!(" It looks like {sample}.")).unwrap_or_default();
    FailureText::new(format!("{path} {problem}.{hint}"), format!("Call {tool} again with another value for {path}."))
}

/// The text for a list of problems.
fn text(tool: &str, problems: &[ArgumentProblem], problems_max: usize, example: Option<&str>) -> FailureText {
    let mut message = String::new();
    for problem in problems.iter().take(problems_max) {
        message.push_str(if message.is_empty() { "" } else { " " });
        message.push_str(&problem.text);
        message.push_str(if problem.text.ends_with(['.', '?']) { "" } else { "." });
    }
    let others = problems.get(problems_max..).unwrap_or_default();
    if (1..=NAMED_MAX).contains(&others.len()) {
        let paths: Vec<String> = others.iter().map(|problem| problem.path.to_string()).collect();
        message = format!("{message} Also wrong: {}.", paths.join(", "));
    } else if !others.is_empty() {
        let more = others.len();
        message = format!("{message} … {more} more.");
    }
    FailureText::new(message, advice(tool, problems, example))
}

fn advice(tool: &str, problems: &[ArgumentProblem], example: Option<&str>) -> String {
    let with_example = |text: String| match example {
        Some(example) => format!("{text}, for example {example}."),
        None => format!("{text}."),
    };
    match problems {
        [ArgumentProblem { remedy, .. }] => match remedy {
            Remedy::Add => with_example(format!("Call {tool} again with it")),
            Remedy::Rename => with_example(format!("Call {tool} again with the right name")),
            Remedy::Remove => format!("Call {tool} again without it."),
            Remedy::Unquote => "Send it as JSON, not quoted.".to_owned(),
            Remedy::Replace(noun) => format!("Call {tool} again with {noun}."),
            Remedy::Rewrite => with_example(format!("Correct it and call {tool} again")),
        },
        _ => match example {
            Some(example) => format!("Correct them and call {tool} again. Example: {example}"),
            None => format!("Correct them and call {tool} again."),
        },
    }
}
