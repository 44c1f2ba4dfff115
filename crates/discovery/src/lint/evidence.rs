//! Observations from the recorded calls of a tool.

use std::collections::BTreeSet;

use serde_json::Value;

/// Maximum length of a message in a finding, in characters.
const MESSAGE_CHARS_MAX: usize = 240;
/// Maximum length of a name that no argument has, in characters. A longer text in quotes is not a name.
const NAME_CHARS_MAX: usize = 64;

/// Observations from the recent calls of one tool.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CallEvidence {
    /// Number of calls.
    pub calls: usize,
    /// The estimated tokens of each result.
    pub result_tokens: Vec<usize>,
    /// The arguments on which calls failed.
    pub argument_failures: Vec<ArgumentFailures>,
    /// Which arguments calls sent, if that is recorded.
    pub sent_arguments: Option<SentArguments>,
}

/// Calls that were refused because of the same argument.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArgumentFailures {
    /// The argument.
    pub argument: String,
    /// Number of calls.
    pub calls: usize,
    /// The error text of the last of these calls.
    pub message: String,
}

/// The arguments of some calls.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SentArguments {
    /// Number of calls.
    pub calls: usize,
    /// The names of all arguments that they sent.
    pub names: BTreeSet<String>,
}

impl CallEvidence {
    /// Adds calls that were refused with this text. A text that names no argument is ignored. The first text about an
    /// argument is stored, so add the latest call first.
    pub fn add_refusal(&mut self, input_schema: &Value, message: &str, calls: usize) {
        let Some(argument) = refused_argument(input_schema, message) else { return };
        if let Some(failures) = self.argument_failures.iter_mut().find(|failures| failures.argument == argument) {
            failures.calls += calls;
            return;
        }
        let message = message.split_whitespace().collect::<Vec<_>>().join(" ");
        let message = truncate(&message, MESSAGE_CHARS_MAX);
        self.argument_failures.push(ArgumentFailures { argument: argument.to_owned(), calls, message });
    }
}

/// The argument that an error text starts with: `"state" is missing.` or `lines[2].minutes must be an integer.` A
/// quoted name may be one that the tool does not have, because a model has misspelt it.
fn refused_argument<'a>(input_schema: &Value, message: &'a str) -> Option<&'a str> {
    let is_known = |name: &str| input_schema.get("properties").is_some_and(|properties| properties.get(name).is_some());
    if let Some((quoted, _)) = message.strip_prefix('"').and_then(|rest| rest.split_once('"')) {
        return Some(quoted).filter(|name| is_known(name) || (1..=NAME_CHARS_MAX).contains(&name.chars().count()));
    }
    let path = message.split_whitespace().next()?;
    Some(path.split(['.', '[']).next()?).filter(|name| is_known(name))
}

fn truncate(text: &str, chars_max: usize) -> String {
    let is_longer = text.chars().nth(chars_max).is_some();
    if is_longer { text.chars().take(chars_max).chain(['…']).collect() } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn refusals_are_counted_by_the_argument_that_they_start_with() {
        let schema = json!({"properties": {"state": {}, "lines": {}}});
        let mut evidence = CallEvidence::default();
        for (message, calls) in [
            ("\"state\" cannot be \"close\": did you mean \"closed\"?", 2),
            ("\"state\" is missing.", 1),
            ("lines[2].minutes must be an integer,\nnot \"an hour\".", 1),
            ("\"sate\" is not an argument of list_tickets: did you mean \"state\"?", 1),
            ("The arguments do not match the schema of this tool.", 9),
            ("\"\" is odd", 9),
            ("", 9),
        ] {
            evidence.add_refusal(&schema, message, calls);
        }
        let found: Vec<(&str, usize, &str)> =
            evidence.argument_failures.iter().map(|f| (f.argument.as_str(), f.calls, f.message.as_str())).collect();
        assert_eq!(
            found,
            [
                ("state", 3, "\"state\" cannot be \"close\": did you mean \"closed\"?"),
                ("lines", 1, "lines[2].minutes must be an integer, not \"an hour\"."),
                ("sate", 1, "\"sate\" is not an argument of list_tickets: did you mean \"state\"?"),
            ]
        );
    }
}
