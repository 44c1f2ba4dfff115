//! The validated arguments of one call.

use serde_json::Value;
use toolgate_domain::call::FailureReason;

use super::argument_text::{self, ArgumentTexts};
use super::coercion;
use super::defaults::Defaults;
use crate::arguments::InputSchema;
use crate::arguments::violation::Violation;
use crate::failure::Failure;
use crate::failure_text::FailureText;

/// Arguments that match the tool's `input_schema`, with defaults filled in. Only
/// [`CompiledTool::validate`](super::CompiledTool::validate) creates them.
///
/// Each value is still the JSON text from the client, so long numbers keep their digits.
#[derive(Clone, Debug)]
pub struct ValidArguments(ArgumentTexts);

impl ValidArguments {
    /// Validates the arguments from a client. Missing arguments and null mean an empty object. If `is_lenient` is set,
    /// refused arguments are coerced if possible.
    pub(super) fn check(
        tool: &str,
        arguments: Option<&str>,
        schema: &InputSchema,
        defaults: &Defaults,
        is_lenient: bool,
    ) -> Result<Self, Failure> {
        let text = arguments.filter(|text| *text != "null").unwrap_or("{}");
        let (value, mut texts) = argument_text::parse(text).ok_or_else(|| {
            let is_json = serde_json::from_str::<Value>(text).is_ok();
            let problem = if is_json { "the arguments must be an object" } else { "the arguments are not valid JSON" };
            unsendable(tool, schema, Violation::new("", problem))
        })?;
        // Only the texts are used afterwards, because the values have rounded long numbers.
        if let Err(violations) = schema.validate(&value) {
            let Some(coerced) = is_lenient.then(|| coercion::coerce(schema, &texts)).flatten() else {
                let for_model = schema.explain(tool, &value, &violations);
                return Err(refusal(tool, violations, for_model));
            };
            texts = coerced;
        }
        defaults.fill(&mut texts);
        Ok(Self(texts))
    }

    /// The arguments by name, each as its JSON text.
    pub(super) fn members(&self) -> &ArgumentTexts {
        &self.0
    }

    /// The arguments as one JSON object.
    pub fn as_json(&self) -> String {
        argument_text::to_json(&self.0)
    }
}

/// The failure of a call whose arguments cannot be sent.
pub(super) fn unsendable(tool: &str, schema: &InputSchema, violation: Violation) -> Failure {
    let for_model = schema.explain_violation(tool, &violation);
    refusal(tool, vec![violation], for_model)
}

/// A failure that names each invalid argument. The text for the owner quotes no values, because it is stored.
fn refusal(tool: &str, violations: Vec<Violation>, for_model: FailureText) -> Failure {
    let messages: Vec<String> = violations.iter().map(Violation::to_string).collect();
    let message = format!("Invalid arguments for {tool}: {}.", messages.join("; "));
    Failure { for_model: Box::new(for_model), violations, ..Failure::new(FailureReason::BadArguments, message) }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use toolgate_domain::json::{self, JsonObject};

    use super::*;

    fn check(schema: &Value, arguments: &str) -> Result<String, String> {
        let text = JsonObject::from_stored(schema.to_string());
        let schema = InputSchema::compile(schema).unwrap();
        ValidArguments::check("get_user", Some(arguments), &schema, &Defaults::from_schema(&text), false)
            .map(|valid| valid.as_json())
            .map_err(|failure| failure.for_owner.message)
    }

    #[test]
    fn the_message_names_every_invalid_argument() {
        let schema = json!({"properties": {"limit": {"type": "integer"}}, "required": ["user_id"]});
        assert_eq!(
            check(&schema, r#"{"limit":"x"}"#).unwrap_err(),
            "Invalid arguments for get_user: 'user_id' is required; 'limit': must be an integer."
        );
        assert!(check(&schema, "[]").unwrap_err().contains("the arguments must be an object"));
        assert!(check(&schema, "\"x\"").unwrap_err().contains("the arguments must be an object"));
    }

    #[test]
    fn missing_arguments_are_an_empty_object() {
        assert_eq!(check(&json!({}), "null").unwrap(), "{}");
        let schema = InputSchema::compile(&json!({})).unwrap();
        assert_eq!(
            ValidArguments::check("get_user", None, &schema, &Defaults::default(), false).unwrap().as_json(),
            "{}"
        );
    }

    #[test]
    fn defaults_are_filled_in_after_validation() {
        let schema = json!({"properties": {"a": {"type": "integer", "default": "later"}}});
        assert_eq!(check(&schema, "{}").unwrap(), r#"{"a":"later"}"#);
        let required = json!({"properties": {"a": {"default": 1}}, "required": ["a"]});
        assert!(check(&required, "{}").unwrap_err().contains("'a' is required"));
    }

    #[test]
    fn numbers_keep_their_digits_and_their_type() {
        let schema = json!({"properties": {"n": {"type": "number"}, "i": {"type": "integer"}}});
        for text in [
            r#"{"n":1.0,"i":123456789012345678901234567890}"#,
            r#"{"n":0.1234567890123456789012345,"i":-123456789012345678901234567890}"#,
            r#"{"n":1e300,"i":9007199254740993}"#,
        ] {
            assert_eq!(check(&schema, text).unwrap(), text);
        }
        assert!(check(&schema, r#"{"i":"123456789012345678901234567890"}"#).unwrap_err().contains("'i': must be"));
    }

    #[test]
    fn arguments_that_cannot_be_parsed_are_refused() {
        let deep = format!("{{\"a\":{}{}}}", "[".repeat(200), "]".repeat(200));
        assert!(check(&json!({}), &deep).unwrap_err().contains("are not valid JSON"));
        for value in [r#""\ud800""#, "1e400", "[-1e400]"] {
            let arguments = format!(r#"{{"a":{value}}}"#);
            assert!(json::check(arguments.as_bytes()).is_err(), "{value} is refused when the message is read");
            assert!(check(&json!({}), &arguments).unwrap_err().contains("are not valid JSON"), "{value}");
        }
    }
}
