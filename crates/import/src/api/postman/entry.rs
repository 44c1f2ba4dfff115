//! Lists of names and values: queries, forms, headers, path variables.

use serde_json::Value;

use crate::api::pointer::Pointer;
use crate::api::postman::template::Template;
use crate::api::postman::type_hint;
use crate::api::postman::variables::VariableScopes;
use crate::api::reference::Located;

/// The mark that Postman puts before the description of a required parameter of an OpenAPI document.
const REQUIRED_MARK: &str = "(Required)";

/// A name with a value.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) key: Template,
    pub(super) value: Template,
    pub(super) is_disabled: bool,
    /// Whether the description says so.
    pub(super) is_marked_required: bool,
    /// Markdown.
    pub(super) description: String,
    pub(super) pointer: Pointer,
}

impl Entry {
    pub(super) fn read(source: &Located<'_>, variables: &VariableScopes<'_>) -> Self {
        let text = |key: &str| source.value.get(key).and_then(scalar_text).unwrap_or_default();
        let description = description(source.value);
        let unmarked = description.trim_start().strip_prefix(REQUIRED_MARK);
        Self {
            key: Template::fill(&text("key"), variables),
            value: Template::fill(&text("value"), variables),
            is_disabled: source.value.get("disabled") == Some(&Value::Bool(true)),
            is_marked_required: unmarked.is_some(),
            description: unmarked.unwrap_or(&description).trim().to_owned(),
            pointer: source.pointer.clone(),
        }
    }

    /// An entry of a URL that is written as text.
    pub(super) fn from_text(key: &str, value: &str, pointer: &Pointer, variables: &VariableScopes<'_>) -> Self {
        Self {
            key: Template::fill(key, variables),
            value: Template::fill(value, variables),
            is_disabled: false,
            is_marked_required: false,
            description: String::new(),
            pointer: pointer.clone(),
        }
    }

    /// Whether a call makes no sense without this value: an enabled entry has none, or its description says so.
    pub(super) fn is_required(&self) -> bool {
        let has_value = self.value.open_text().is_some_and(|text| !text.is_empty());
        self.is_marked_required || (!self.is_disabled && !has_value)
    }

    /// The value, if it is an example and not the name of a type.
    pub(super) fn example(&self) -> Option<String> {
        self.value.open_text().filter(|text| !text.is_empty() && type_hint::from_text(text).is_none())
    }
}

/// The entries of a list that are objects.
pub(super) fn entries(list: &Located<'_>, variables: &VariableScopes<'_>) -> Vec<Entry> {
    list.items().filter(|item| item.value.is_object()).map(|item| Entry::read(&item, variables)).collect()
}

/// A string, number or boolean as text.
pub(super) fn scalar_text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(_) | Value::Bool(_) => Some(value.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

/// The description of an object: a text, or an object with its content.
pub(super) fn description(owner: &Value) -> String {
    let description = owner.get("description");
    let text =
        description.and_then(|description| description.as_str().or_else(|| description.get("content")?.as_str()));
    text.unwrap_or_default().to_owned()
}
