//! Lists of names and values: queries, forms, headers, path variables.

use serde_json::Value;

use crate::api::pointer::Pointer;
use crate::api::postman::json_text::{description, scalar_text};
use crate::api::postman::template::Template;
use crate::api::postman::type_hint;
use crate::api::postman::variables::VariableScopes;
use crate::api::reference::Located;

/// The mark at the start of the description of a required parameter, in collections that Postman made of an OpenAPI
/// document.
const REQUIRED_MARK: &str = "(Required)";

/// A name with a value, both of which can contain variables.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) key: Template,
    pub(super) value: Template,
    pub(super) is_disabled: bool,
    /// Whether the description starts with `REQUIRED_MARK`.
    pub(super) is_marked_required: bool,
    /// Whether the value is a file.
    pub(super) is_file: bool,
    /// The media type of a part of a form.
    pub(super) content_type: Option<String>,
    /// The description as Markdown.
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
            is_file: text("type") == "file",
            content_type: Some(text("contentType").trim().to_owned()).filter(|text| !text.is_empty()),
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
            is_file: false,
            content_type: None,
            description: String::new(),
            pointer: pointer.clone(),
        }
    }

    /// Decodes an entry of a query. Postman sends it as it is written; the tool encodes it again.
    pub(super) fn decode(&mut self) {
        self.key.decode();
        self.value.decode();
    }

    /// Whether a call needs this value: the entry is marked as required, or it is enabled and has no value.
    pub(super) fn is_required(&self) -> bool {
        let has_value = self.value.resolved_text().is_some_and(|text| !text.is_empty());
        self.is_marked_required || (!self.is_disabled && !has_value)
    }

    /// Whether both name and value are empty.
    pub(super) fn is_blank(&self) -> bool {
        self.key.is_empty() && self.value.is_empty()
    }

    /// The value, if it is an example and not the name of a type.
    pub(super) fn example(&self) -> Option<String> {
        self.value.resolved_text().filter(|text| !text.is_empty() && type_hint::from_text(text).is_none())
    }
}

/// The entries of a list that are objects.
pub(super) fn entries(list: &Located<'_>, variables: &VariableScopes<'_>) -> Vec<Entry> {
    list.items().filter(|item| item.value.is_object()).map(|item| Entry::read(&item, variables)).collect()
}
