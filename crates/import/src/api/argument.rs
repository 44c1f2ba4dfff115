//! The arguments of a tool during an import: location, name and schema of each, after the changes of an overlay.

mod names;

use std::collections::HashSet;

use serde_json::{Map, Value};
use toolgate_domain::json::JsonObject;
use toolgate_domain::parameters::{ParameterLocation, ParameterMapping};

use crate::api::description::plain_text;
use crate::api::overlay::{ArgumentOverlay, OperationOverlay};
use crate::api::pointer::Pointer;
use crate::api::schema::ArgumentSchema;

/// The name of an argument that is the whole body.
pub(crate) const WHOLE_BODY: &str = "body";

/// An argument or a constant of a tool.
#[derive(Debug)]
pub(crate) struct ArgumentDraft {
    pub(crate) location: ParameterLocation,
    /// The name in the document. The argument name is derived from it.
    pub(crate) document_name: String,
    /// The name in the request.
    pub(crate) wire_name: String,
    /// The keys of its mapping rule other than `location` and `name`.
    pub(crate) rule: Map<String, Value>,
    pub(crate) schema: Value,
    pub(crate) required: bool,
    /// The value, if it is always the same.
    pub(crate) constant: Option<Value>,
    /// The changes that extensions in the document itself ask for.
    pub(crate) overlay: ArgumentOverlay,
    pub(crate) pointer: Pointer,
}

/// The arguments of a tool with their names.
pub(crate) struct MappedArguments {
    pub(crate) arguments: Vec<ArgumentSchema>,
    pub(crate) parameter_mapping: Map<String, Value>,
    /// The overlay keys of all arguments, including the hidden ones.
    pub(crate) overlay_keys: HashSet<String>,
}

impl MappedArguments {
    /// The arguments that an overlay names but the operation does not have.
    pub(crate) fn orphans(&self, overlay: &OperationOverlay) -> Vec<String> {
        overlay.arguments.keys().filter(|key| !self.overlay_keys.contains(*key)).cloned().collect()
    }
}

/// A required argument that is hidden without a value.
pub(crate) struct HiddenRequired {
    /// Location and name, as in the overlay.
    pub(crate) key: String,
    pub(crate) pointer: Pointer,
}

impl ArgumentDraft {
    /// The key of the argument in an overlay: `query:limit`.
    pub(crate) fn overlay_key(&self) -> String {
        format!("{}:{}", self.location.as_str(), self.document_name)
    }

    /// Like [`Self::overlay_key`], but with the name in the request, which is the only name that a stored tool has.
    fn request_key(&self) -> String {
        format!("{}:{}", self.location.as_str(), self.wire_name)
    }

    fn is_whole_body(&self) -> bool {
        self.rule.contains_key("whole")
    }

    /// The rule of the mapping under the key `name`.
    fn mapping_rule(&self, name: &str) -> Value {
        let mut rule = Map::new();
        rule.insert("location".to_owned(), self.location.as_str().into());
        if self.wire_name != name && !self.is_whole_body() {
            rule.insert("name".to_owned(), self.wire_name.as_str().into());
        }
        rule.extend(self.rule.clone());
        if let Some(constant) = &self.constant {
            rule.insert("value".to_owned(), constant.clone());
        }
        Value::Object(rule)
    }

    /// Makes the argument a constant, unless the validation of tools refuses the value.
    pub(crate) fn with_constant(mut self, value: Option<Value>) -> Self {
        self.constant = value;
        if self.constant.is_some() && !self.is_valid() {
            self.constant = None;
        }
        self
    }

    /// Whether the validation of tools accepts the mapping rule of this argument.
    pub(crate) fn is_valid(&self) -> bool {
        let mapping = Map::from_iter([(self.wire_name.clone(), self.mapping_rule(&self.wire_name))]);
        ParameterMapping::parse("m", &JsonObject::from_stored(Value::Object(mapping).to_string())).is_ok()
    }

    /// Changes the argument as the overlay says. `None` if it is not sent.
    fn apply(mut self, overlay: ArgumentOverlay) -> Result<Option<Self>, HiddenRequired> {
        if let Some(fixed) = overlay.fixed {
            self.constant = Some(fixed);
        } else if overlay.hidden == Some(true) {
            if self.required && self.constant.is_none() {
                return Err(HiddenRequired { key: self.overlay_key(), pointer: self.pointer });
            }
            return Ok(None);
        }
        let mut schema = as_object(std::mem::take(&mut self.schema));
        if let Some(description) = &overlay.description {
            schema.insert("description".to_owned(), plain_text(description).into());
        }
        if let Some(default) = overlay.default {
            schema.insert("default".to_owned(), default);
            self.required = false;
        }
        schema.extend(overlay.schema);
        self.schema = Value::Object(schema);
        self.overlay.rename = overlay.rename;
        Ok(Some(self))
    }
}

/// A schema as an object: `true` accepts everything, `false` nothing.
pub(crate) fn as_object(schema: Value) -> Map<String, Value> {
    match schema {
        Value::Object(members) => members,
        Value::Bool(false) => Map::from_iter([("not".to_owned(), Value::Object(Map::new()))]),
        _ => Map::new(),
    }
}

/// Applies the overlays, names the arguments and separates the constants. `import_overlay` returns the changes for an
/// overlay key from the overlay that was passed to the import; they take precedence over those of the document.
pub(crate) fn map_arguments(
    drafts: Vec<ArgumentDraft>,
    import_overlay: impl Fn(&str) -> Option<ArgumentOverlay>,
) -> Result<MappedArguments, HiddenRequired> {
    let mut changed = Vec::with_capacity(drafts.len());
    let mut overlay_keys = HashSet::with_capacity(drafts.len());
    for mut draft in drafts {
        let document_overlay = std::mem::take(&mut draft.overlay);
        let (key, request_key) = (draft.overlay_key(), draft.request_key());
        let passed = import_overlay(&key).or_else(|| import_overlay(&request_key));
        let overlay = passed.unwrap_or_default().over(document_overlay);
        overlay_keys.extend([key, request_key]);
        changed.extend(draft.apply(overlay)?);
    }
    // The sort is stable: within a location, arguments stay in the order of the document.
    changed.sort_by_key(|draft| names::precedence(draft.location));
    let names = names::assign(&changed);
    let mut mapped = MappedArguments { arguments: Vec::new(), parameter_mapping: Map::new(), overlay_keys };
    for (draft, name) in changed.into_iter().zip(names) {
        mapped.parameter_mapping.insert(name.clone(), draft.mapping_rule(&name));
        if draft.constant.is_none() {
            let ArgumentDraft { schema, required, pointer, .. } = draft;
            mapped.arguments.push(ArgumentSchema { name, schema, required, pointer });
        }
    }
    Ok(mapped)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn draft(location: &str, name: &str) -> ArgumentDraft {
        ArgumentDraft {
            location: ParameterLocation::parse(location).unwrap(),
            document_name: name.to_owned(),
            wire_name: name.to_owned(),
            rule: Map::new(),
            schema: json!({"type": "string"}),
            required: false,
            constant: None,
            overlay: ArgumentOverlay::default(),
            pointer: Pointer::root(),
        }
    }

    fn mapping(drafts: Vec<ArgumentDraft>) -> Value {
        map_arguments(drafts, |_| None).ok().unwrap().parameter_mapping.into()
    }

    #[test]
    fn names_are_made_valid_and_a_taken_name_gets_its_location_as_suffix() {
        let drafts = [
            ("body", "id"),
            ("cookie", "id"),
            ("header", "id"),
            ("query", "id"),
            ("path", "id"),
            ("query", "filter[x]"),
            ("query", "$top"),
            ("body", "@type"),
            ("query", "filter_x"),
        ];
        assert_eq!(
            mapping(drafts.map(|(location, name)| draft(location, name)).into()),
            json!({
                "id": {"location": "path"},
                "id_query": {"location": "query", "name": "id"},
                "filter_x_2": {"location": "query", "name": "filter[x]"},
                "top": {"location": "query", "name": "$top"},
                "filter_x": {"location": "query"},
                "id_header": {"location": "header", "name": "id"},
                "id_cookie": {"location": "cookie", "name": "id"},
                "id_body": {"location": "body", "name": "id"},
                "type": {"location": "body", "name": "@type"},
            })
        );
    }

    #[test]
    fn a_constant_is_not_an_argument_and_an_invalid_constant_is_dropped() {
        let constant = draft("query", "v").with_constant(Some(json!("1")));
        let mapped = map_arguments(vec![constant, draft("query", "a")], |_| None).ok().unwrap();
        assert_eq!(
            Value::from(mapped.parameter_mapping),
            json!({"v": {"location": "query", "value": "1"}, "a": {"location": "query"}})
        );
        assert_eq!(mapped.arguments.len(), 1);
        assert!(draft("header", "X-Api-Key").with_constant(Some(json!("1"))).constant.is_none());
        assert!(draft("path", "p").with_constant(Some(json!(".."))).constant.is_none());
    }

    #[test]
    fn an_overlay_renames_describes_fixes_and_hides_arguments() {
        let overlay = |key: &str| {
            Some(match key {
                "query:a" => ArgumentOverlay {
                    rename: Some("b".to_owned()),
                    description: Some("B".to_owned()),
                    default: Some(json!(1)),
                    schema: Map::from_iter([("maximum".to_owned(), json!(9))]),
                    ..ArgumentOverlay::default()
                },
                "query:c" => ArgumentOverlay { hidden: Some(true), ..ArgumentOverlay::default() },
                "header:d" => ArgumentOverlay { fixed: Some(json!("x")), ..ArgumentOverlay::default() },
                _ => return None,
            })
        };
        let drafts = vec![draft("query", "a"), draft("query", "b"), draft("query", "c"), draft("header", "d")];
        let mapped = map_arguments(drafts, overlay).ok().unwrap();
        assert_eq!(
            Value::from(mapped.parameter_mapping),
            json!({
                "b": {"location": "query", "name": "a"},
                "b_query": {"location": "query", "name": "b"},
                "d": {"location": "header", "value": "x"},
            })
        );
        let schema = json!({"type": "string", "description": "B", "default": 1, "maximum": 9});
        assert_eq!(mapped.arguments.first().unwrap().schema, schema);
        let required = ArgumentDraft { required: true, ..draft("query", "c") };
        assert_eq!(map_arguments(vec![required], overlay).err().unwrap().key, "query:c");
    }
}
