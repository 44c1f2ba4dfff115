//! Prompts: named text templates with placeholders.

mod render;

use serde::Serialize;
use serde_json::value::RawValue;

use crate::fault::{Fault, FaultKind, Faults};
use crate::ids::{PromptId, ServerId};
use crate::json::{self, JsonObject};
use crate::owner_fields::owner_fields;
use crate::text;
use crate::time::Timestamp;
use crate::tool::DOCUMENT_MAX;

pub use render::RenderError;

/// Maximum number of prompts of one server.
pub const PROMPTS_MAX: i64 = 1000;
/// Maximum number of arguments of a prompt, of values of an argument, and of messages of a prompt.
pub const PROMPT_ITEMS_MAX: usize = 100;

/// One argument of a prompt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, serde::Deserialize)]
pub struct PromptArgument {
    /// Name, as in `{{name}}`.
    pub name: String,
    /// Description for people and models.
    pub description: String,
    /// Whether the client must supply it.
    pub required: bool,
    /// Values that completion offers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub values: Option<Vec<String>>,
}

impl PromptArgument {
    /// Parses the list of arguments of a request.
    pub fn parse_list(field: &str, items: &[Box<RawValue>]) -> Result<Vec<Self>, Faults> {
        if items.len() > PROMPT_ITEMS_MAX {
            return Err(Fault::too_many(field, PROMPT_ITEMS_MAX, "items").into());
        }
        let mut faults = Faults::default();
        let mut arguments: Vec<Self> = Vec::with_capacity(items.len());
        for (index, item) in items.iter().enumerate() {
            let path = format!("{field}[{index}]");
            let Some(argument) = faults.ok_or_record(Self::parse(&path, item)) else { continue };
            if arguments.iter().any(|earlier| earlier.name == argument.name) {
                faults.push(Fault::new(
                    &path,
                    FaultKind::DuplicateItems,
                    format!("{path}: there is already an argument named '{}'.", argument.name),
                ));
            }
            arguments.push(argument);
        }
        faults.into_result(arguments)
    }

    fn parse(path: &str, item: &RawValue) -> Result<Self, Faults> {
        let members = JsonObject::from_raw(item).ok_or_else(|| Fault::invalid_type(path, "object"))?.members();
        let member = |key: &str| members.get(key).filter(|value| !json::is_null(value));
        let name_path = format!("{path}[name]");
        let name = member("name").ok_or_else(|| Fault::empty(&name_path))?;
        let name = json::as_string(name).ok_or_else(|| Fault::invalid_type(&name_path, "string"))?;
        let name = text::display_name(&name_path, &name)?;
        let description = match member("description") {
            None => String::new(),
            Some(value) => {
                let path = format!("{path}[description]");
                let value = json::as_string(value).ok_or_else(|| Fault::invalid_type(&path, "string"))?;
                text::description(&path, &value)?
            }
        };
        let required = match member("required").map(|value| value.get()) {
            None | Some("false" | "0" | "\"false\"" | "\"0\"") => false,
            Some("true" | "1" | "\"true\"" | "\"1\"") => true,
            Some(_) => return Err(Fault::invalid_type(&format!("{path}[required]"), "boolean").into()),
        };
        let values = member("values").map(|value| read_values(&format!("{path}[values]"), value));
        Ok(Self { name, description, required, values: values.transpose()? })
    }
}

/// Parses the values that completion offers.
fn read_values(path: &str, value: &RawValue) -> Result<Vec<String>, Fault> {
    let values: Vec<String> =
        serde_json::from_str(value.get()).map_err(|_| Fault::invalid_type(path, "array of strings"))?;
    if values.len() > PROMPT_ITEMS_MAX {
        return Err(Fault::too_many(path, PROMPT_ITEMS_MAX, "items"));
    }
    values.iter().enumerate().map(|(index, text)| text::display_name(&format!("{path}[{index}]"), text)).collect()
}

/// Structured messages of a prompt, as JSON text.
#[derive(Clone, Debug, Serialize)]
pub struct Messages(Box<RawValue>);

impl Messages {
    /// Validates a list of MCP prompt messages: `{role, content: {type, …}}`.
    pub fn parse(field: &str, items: &[Box<RawValue>]) -> Result<Self, Fault> {
        if items.is_empty() || items.len() > PROMPT_ITEMS_MAX {
            return Err(Fault::new(
                field,
                FaultKind::OutOfBounds,
                format!("{field} must hold between 1 and {PROMPT_ITEMS_MAX} messages."),
            ));
        }
        for (index, item) in items.iter().enumerate() {
            let item: serde_json::Value = serde_json::from_str(item.get()).unwrap_or_default();
            if !matches!(item["role"].as_str(), Some("user" | "assistant")) {
                return Err(Fault::not_in(&format!("{field}[{index}][role]"), &["user", "assistant"]));
            }
            if !item["content"]["type"].is_string() {
                return Err(Fault::invalid_type(&format!("{field}[{index}][content][type]"), "string"));
            }
        }
        let list = serde_json::value::to_raw_value(items).map_err(|_| Fault::invalid_type(field, "array"))?;
        if list.get().len() > DOCUMENT_MAX {
            return Err(Fault::too_long(field, DOCUMENT_MAX, "bytes"));
        }
        Ok(Self(list))
    }

    /// From their stored text.
    pub fn from_stored(text: String) -> Self {
        Self(json::raw(text))
    }

    /// The JSON text.
    pub fn as_str(&self) -> &str {
        self.0.get()
    }
}

owner_fields! {
    /// The fields of a prompt that its owner sets.
    pub struct PromptSpec;
    /// Fields of a create or update request.
    pub struct PromptPatch;
    required {
        /// Name used in `prompts/get`.
        name: String,
    }
    optional {
        /// Description for people and models.
        description: String = String::new(),
        /// Arguments.
        arguments: Vec<PromptArgument> = Vec::new(),
        /// Text with `{{name}}` placeholders.
        template_content: String = String::new(),
    }
    nullable {
        /// Structured messages, used instead of `template_content`.
        messages: Messages,
    }
}

/// A stored prompt.
#[derive(Clone, Debug)]
pub struct Prompt {
    /// Id.
    pub id: PromptId,
    /// The server it belongs to.
    pub server_id: ServerId,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// The fields set by its owner.
    pub spec: PromptSpec,
}

impl PromptSpec {
    /// Applies a patch.
    pub fn apply(&mut self, patch: PromptPatch) {
        self.apply_fields(patch);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arguments(text: &str) -> Result<Vec<PromptArgument>, Faults> {
        PromptArgument::parse_list("arguments", &serde_json::from_str::<Vec<Box<RawValue>>>(text).unwrap())
    }

    #[test]
    fn arguments_get_defaults_and_unknown_keys_are_dropped() {
        let list = arguments(r#"[{"name":"a","extra":1},{"name":"b","required":true,"values":["x"]}]"#).unwrap();
        assert_eq!(
            serde_json::to_string(&list).unwrap(),
            r#"[{"name":"a","description":"","required":false},{"name":"b","description":"","required":true,"values":["x"]}]"#
        );
    }

    #[test]
    fn faults_contain_the_path_of_the_invalid_argument() {
        for (text, field) in [
            (r#"[{"description":"x"}]"#, "arguments[0][name]"),
            (r#"[{"name":"a"},{"name":"a"}]"#, "arguments[1]"),
            (r#"["a"]"#, "arguments[0]"),
            (r#"[{"name":"a","required":"maybe"}]"#, "arguments[0][required]"),
            (r#"[{"name":"a","values":[1]}]"#, "arguments[0][values]"),
        ] {
            assert_eq!(arguments(text).unwrap_err().iter().next().unwrap().field, field, "{text}");
        }
    }
}
