//! A prompt: a named text template with placeholders.

mod render;

use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

use crate::change::{Change, set};
use crate::fault::{Fault, FaultKind, Faults};
use crate::ids::{PromptId, ServerId};
use crate::json::{self, JsonObject};
use crate::text;
use crate::time::Timestamp;
use crate::tool::DOCUMENT_MAX;

pub use render::RenderError;

/// Most prompts of one server.
pub const PROMPTS_MAX: i64 = 1000;
/// Most arguments of one prompt, and most values or messages in one list.
pub const ARGUMENTS_MAX: usize = 100;

/// One argument of a prompt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, serde::Deserialize)]
pub struct PromptArgument {
    /// Name, as in `{{name}}`.
    pub name: String,
    /// What it means.
    pub description: String,
    /// Whether the caller must supply it.
    pub required: bool,
    /// Values offered by completion.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub values: Option<Vec<String>>,
}

impl PromptArgument {
    /// Reads the list of arguments of a request.
    pub fn parse_list(field: &str, items: &[Box<RawValue>]) -> Result<Vec<Self>, Faults> {
        let mut faults = Faults::default();
        if items.len() > ARGUMENTS_MAX {
            faults.push(Fault::new(
                field,
                FaultKind::TooManyItems,
                format!("{field} must hold at most {ARGUMENTS_MAX} items."),
            ));
            return Err(faults);
        }
        let mut arguments: Vec<Self> = Vec::with_capacity(items.len());
        for (index, item) in items.iter().enumerate() {
            let place = format!("{field}[{index}]");
            let Some(argument) = faults.take(Self::parse(&place, item)) else { continue };
            if arguments.iter().any(|known| known.name == argument.name) {
                faults.push(Fault::new(
                    &place,
                    FaultKind::DuplicateItems,
                    format!("{place}: an argument named '{}' is there already.", argument.name),
                ));
            }
            arguments.push(argument);
        }
        faults.or(arguments)
    }

    fn parse(place: &str, item: &RawValue) -> Result<Self, Faults> {
        let members = JsonObject::from_raw(item).ok_or_else(|| Fault::type_of(place, "object"))?.members();
        let member = |key: &str| members.get(key).filter(|value| !json::is_null(value));
        let name_place = format!("{place}[name]");
        let name = member("name").ok_or_else(|| Fault::empty(&name_place))?;
        let name = json::as_string(name).ok_or_else(|| Fault::type_of(&name_place, "string"))?;
        let name = text::display_name(&name_place, &name)?;
        let description = match member("description") {
            None => String::new(),
            Some(value) => {
                let place = format!("{place}[description]");
                let value = json::as_string(value).ok_or_else(|| Fault::type_of(&place, "string"))?;
                text::description(&place, &value)?
            }
        };
        let required = match member("required").map(|value| value.get()) {
            None | Some("false" | "0" | "\"false\"" | "\"0\"") => false,
            Some("true" | "1" | "\"true\"" | "\"1\"") => true,
            Some(_) => return Err(Fault::type_of(&format!("{place}[required]"), "boolean").into()),
        };
        let values = member("values").map(|value| read_values(&format!("{place}[values]"), value));
        Ok(Self { name, description, required, values: values.transpose()? })
    }
}

/// Values that completion offers.
fn read_values(place: &str, value: &RawValue) -> Result<Vec<String>, Fault> {
    let values: Vec<String> =
        serde_json::from_str(value.get()).map_err(|_| Fault::type_of(place, "array of strings"))?;
    if values.len() > ARGUMENTS_MAX {
        let message = format!("{place} must hold at most {ARGUMENTS_MAX} items.");
        return Err(Fault::new(place, FaultKind::TooManyItems, message));
    }
    values.iter().enumerate().map(|(index, text)| text::display_name(&format!("{place}[{index}]"), text)).collect()
}

/// Structured messages of a prompt, as JSON text.
#[derive(Clone, Debug)]
pub struct Messages(Box<RawValue>);

impl Messages {
    /// Checks a list of MCP prompt messages: `{role, content: {type, …}}`.
    pub fn parse(field: &str, items: &[Box<RawValue>]) -> Result<Self, Fault> {
        if items.is_empty() || items.len() > ARGUMENTS_MAX {
            return Err(Fault::new(
                field,
                FaultKind::OutOfBounds,
                format!("{field} must hold between 1 and {ARGUMENTS_MAX} messages."),
            ));
        }
        for (index, item) in items.iter().enumerate() {
            let item: serde_json::Value = serde_json::from_str(item.get()).unwrap_or_default();
            if !matches!(item["role"].as_str(), Some("user" | "assistant")) {
                return Err(Fault::not_in(&format!("{field}[{index}][role]"), &["user", "assistant"]));
            }
            if !item["content"]["type"].is_string() {
                return Err(Fault::type_of(&format!("{field}[{index}][content][type]"), "string"));
            }
        }
        let list = serde_json::value::to_raw_value(items).map_err(|_| Fault::type_of(field, "array"))?;
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

impl Serialize for Messages {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

/// Everything the owner of a prompt decides.
#[derive(Clone, Debug)]
pub struct PromptSpec {
    /// Name used in `prompts/get`.
    pub name: String,
    /// What a person or model reads.
    pub description: String,
    /// Arguments.
    pub arguments: Vec<PromptArgument>,
    /// Text with `{{name}}` placeholders.
    pub template_content: String,
    /// Structured messages instead of the text.
    pub messages: Option<Messages>,
}

/// A stored prompt.
#[derive(Clone, Debug)]
pub struct Prompt {
    /// Id.
    pub id: PromptId,
    /// The server it belongs to.
    pub server_id: ServerId,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// What its owner decided.
    pub spec: PromptSpec,
}

/// Fields of an update request.
#[derive(Clone, Debug, Default)]
#[expect(missing_docs, reason = "the fields are those of PromptSpec")]
pub struct PromptPatch {
    pub name: Option<String>,
    pub description: Option<String>,
    pub arguments: Option<Vec<PromptArgument>>,
    pub template_content: Option<String>,
    pub messages: Change<Messages>,
}

impl PromptSpec {
    /// An empty prompt of this name.
    pub fn new(name: String) -> Self {
        Self {
            name,
            description: String::new(),
            arguments: Vec::new(),
            template_content: String::new(),
            messages: None,
        }
    }

    /// Carries a patch out.
    pub fn apply(&mut self, patch: PromptPatch) {
        set(&mut self.name, patch.name);
        set(&mut self.description, patch.description);
        set(&mut self.arguments, patch.arguments);
        set(&mut self.template_content, patch.template_content);
        patch.messages.apply_to(&mut self.messages);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arguments(text: &str) -> Result<Vec<PromptArgument>, Faults> {
        PromptArgument::parse_list("arguments", &serde_json::from_str::<Vec<Box<RawValue>>>(text).unwrap())
    }

    #[test]
    fn arguments_get_their_defaults_and_lose_unknown_keys() {
        let list = arguments(r#"[{"name":"a","extra":1},{"name":"b","required":true,"values":["x"]}]"#).unwrap();
        assert_eq!(
            serde_json::to_string(&list).unwrap(),
            r#"[{"name":"a","description":"","required":false},{"name":"b","description":"","required":true,"values":["x"]}]"#
        );
    }

    #[test]
    fn bad_arguments_are_named_by_place() {
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
