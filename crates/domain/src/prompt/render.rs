//! Renders a prompt as messages, with the arguments of a client, for `prompts/get`.

use std::collections::HashMap;

use indexmap::IndexMap;
use serde_json::json;

use super::{Messages, PromptSpec};
use crate::prompt_template::{TooLong, fill, fill_json};

/// Why a prompt cannot be rendered. The cause is always the client's arguments.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RenderError {
    /// All required arguments that are missing, in declaration order.
    #[error("Missing required {}: {}", if .0.len() == 1 { "argument" } else { "arguments" }, .0.join(", "))]
    MissingArguments(Vec<String>),
    /// See [`TooLong`].
    #[error("The arguments are too long: {0}")]
    TooLong(#[from] TooLong),
}

impl PromptSpec {
    /// Renders the messages for these arguments.
    ///
    /// The value of a missing optional argument is an empty text. An undeclared argument fills its placeholder; a
    /// placeholder without an argument stays in the text, because writes do not check that placeholders are declared.
    pub fn render(&self, arguments: &IndexMap<String, String>) -> Result<Messages, RenderError> {
        let is_missing = |name: &String| !arguments.contains_key(name);
        let required = self.arguments.iter().filter(|argument| argument.required);
        let missing: Vec<String> = required.map(|argument| &argument.name).filter(|n| is_missing(n)).cloned().collect();
        if !missing.is_empty() {
            return Err(RenderError::MissingArguments(missing));
        }
        let defaults = self.arguments.iter().map(|argument| (argument.name.as_str(), ""));
        let supplied = arguments.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let values: HashMap<&str, &str> = defaults.chain(supplied).collect();
        let value_of = |name: &str| values.get(name).copied();
        let text = match &self.messages {
            Some(messages) => fill_json(messages.as_str(), value_of)?,
            None => single_message(&fill(&self.template_content, value_of)?),
        };
        Ok(Messages::from_stored(text))
    }
}

/// A text as the single MCP message of role `user`.
fn single_message(text: &str) -> String {
    json!([{"role": "user", "content": {"type": "text", "text": text}}]).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prompt::PromptArgument;

    fn prompt(template: &str, arguments: &[(&str, bool)]) -> PromptSpec {
        let argument = |&(name, required): &(&str, bool)| PromptArgument {
            name: name.to_owned(),
            description: String::new(),
            required,
            values: None,
        };
        let mut prompt = PromptSpec::new("p".to_owned());
        prompt.template_content = template.to_owned();
        prompt.arguments = arguments.iter().map(argument).collect();
        prompt
    }

    fn argument_map(pairs: &[(&str, &str)]) -> IndexMap<String, String> {
        pairs.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect()
    }

    #[test]
    fn a_template_becomes_one_user_message() {
        let prompt = prompt("Dear {{ name }},\n\"{{what}}\"", &[("name", true), ("what", false)]);
        assert_eq!(
            prompt.render(&argument_map(&[("name", "Ada")])).unwrap().as_str(),
            r#"[{"role":"user","content":{"type":"text","text":"Dear Ada,\n\"\""}}]"#
        );
    }

    #[test]
    fn the_error_names_all_missing_required_arguments() {
        let prompt = prompt("{{a}}", &[("a", true), ("b", false), ("c", true)]);
        let error = prompt.render(&argument_map(&[("x", "")])).unwrap_err();
        assert_eq!(error, RenderError::MissingArguments(vec!["a".to_owned(), "c".to_owned()]));
        assert_eq!(error.to_string(), "Missing required arguments: a, c");
        let error = prompt.render(&argument_map(&[("c", "")])).unwrap_err();
        assert_eq!(error.to_string(), "Missing required argument: a");
    }

    #[test]
    fn a_required_argument_may_be_an_empty_text() {
        assert!(prompt("{{a}}", &[("a", true)]).render(&argument_map(&[("a", "")])).is_ok());
    }

    #[test]
    fn undeclared_arguments_fill_their_placeholders_and_unknown_placeholders_stay() {
        let rendered = prompt("{{a}} {{b}}", &[]).render(&argument_map(&[("a", "1"), ("c", "3")])).unwrap();
        assert!(rendered.as_str().contains(r#""1 {{b}}""#), "{}", rendered.as_str());
    }

    #[test]
    fn placeholders_of_structured_messages_are_filled_in_values_but_not_in_names() {
        let mut prompt = prompt("not this", &[("uri", true), ("q", false)]);
        prompt.messages = Some(Messages::from_stored(
            r#"[{"role":"user","content":{"type":"resource","{{q}}":1.50,"resource":{"uri":"{{uri}}","text":"a\u0041{{q}}b"}}}]"#
                .to_owned(),
        ));
        assert_eq!(
            prompt.render(&argument_map(&[("uri", "x://\"{{q}}")])).unwrap().as_str(),
            r#"[{"role":"user","content":{"type":"resource","{{q}}":1.50,"resource":{"uri":"x://\"{{q}}","text":"aAb"}}}]"#
        );
    }

    #[test]
    fn the_size_of_a_rendered_prompt_is_limited() {
        let prompt = prompt(&"{{a}}".repeat(10_000), &[]);
        let error = prompt.render(&argument_map(&[("a", &"x".repeat(10_000))])).unwrap_err();
        assert_eq!(error, RenderError::TooLong(TooLong));
    }
}
