//! Arguments for text values: in the path, the query, forms and headers.

use indexmap::IndexMap;
use serde_json::{Map, Value, json};
use toolgate_domain::json as domain_json;
use toolgate_domain::parameters::ParameterLocation;

use crate::api::argument::ArgumentDraft;
use crate::api::description::argument_description;
use crate::api::overlay::ArgumentOverlay;
use crate::api::pointer::Pointer;
use crate::api::postman::entry::Entry;
use crate::api::postman::template::Template;
use crate::api::postman::type_hint;
use crate::api::postman::variables::VariableScopes;
use crate::request::body::Field;
use crate::sensitivity;
use crate::shape::{Shape, text_values};
use crate::spelling::to_snake_case;
use crate::tables::descriptions::{self, Purpose};

/// An optional argument without further keys in its mapping rule.
pub(super) fn draft(
    location: ParameterLocation,
    name: &str,
    schema: Map<String, Value>,
    pointer: &Pointer,
) -> ArgumentDraft {
    ArgumentDraft {
        location,
        document_name: name.to_owned(),
        wire_name: name.to_owned(),
        rule: Map::new(),
        schema: Value::Object(schema),
        required: false,
        constant: None,
        overlay: ArgumentOverlay::default(),
        pointer: pointer.clone(),
    }
}

/// The argument for the entries of one name: a list if there are several.
pub(super) fn from_entries(
    location: ParameterLocation,
    name: &str,
    entries: &[&Entry],
    purpose: Purpose,
    variables: &VariableScopes<'_>,
) -> Option<ArgumentDraft> {
    let first = entries.first()?;
    let is_list = entries.len() > 1;
    let mut schema = text_schema(name, entries, is_list);
    let described = entries.iter().find(|entry| !entry.description.is_empty()).unwrap_or(first);
    describe(&mut schema, name, &described.description, purpose);
    for entry in entries {
        add_note(&mut schema, &entry.value, variables);
    }
    let required = entries.iter().any(|entry| entry.is_required());
    let mut draft = ArgumentDraft { required, ..draft(location, name, schema, &first.pointer) };
    if is_list && matches!(location, ParameterLocation::Query) {
        draft.rule.insert("style".to_owned(), "form".into());
        draft.rule.insert("explode".to_owned(), true.into());
    }
    Some(draft)
}

/// The entries grouped by name, in order, and the entries whose name is empty or contains a variable without a value.
pub(super) fn by_name(entries: &[Entry]) -> (IndexMap<String, Vec<&Entry>>, Vec<&Entry>) {
    let (mut named, mut unnamed) = (IndexMap::<String, Vec<&Entry>>::new(), Vec::new());
    for entry in entries {
        match entry.key.resolved_text().filter(|name| !name.is_empty()) {
            Some(name) => named.entry(name).or_default().push(entry),
            None => unnamed.push(entry),
        }
    }
    (named, unnamed)
}

/// The schema inferred from the values of the entries, with the values as its example.
fn text_schema(name: &str, entries: &[&Entry], is_list: bool) -> Map<String, Value> {
    let values: Vec<String> = entries.iter().filter_map(|entry| entry.example()).collect();
    let hint =
        entries.iter().filter_map(|entry| type_hint::from_text(&entry.value.resolved_text()?)).reduce(Shape::merge);
    let field = Field { values, is_list, has_file: false };
    let shape = match hint {
        Some(shape) if field.values.is_empty() && is_list => Shape::Array(Some(Box::new(shape))),
        Some(shape) if field.values.is_empty() => shape,
        _ => text_values::shape(&[&field]),
    };
    let mut schema = shape_schema(&shape);
    let is_complete = field.values.len() == entries.len();
    if is_complete && !field.values.is_empty() {
        add_example(&mut schema, name, &text_values::value(&field, &shape));
    }
    schema
}

/// The keywords of a shape.
pub(super) fn shape_schema(shape: &Shape) -> Map<String, Value> {
    let keywords = shape.keywords().into_iter();
    keywords.map(|(key, value)| (key, serde_json::from_str(value.get()).unwrap_or_default())).collect()
}

/// Adds a value as example, unless it is secret, personal or long.
pub(super) fn add_example(schema: &mut Map<String, Value>, name: &str, value: &serde_json::value::RawValue) {
    if sensitivity::displayed_example(name, value).is_some() {
        let value: Value = serde_json::from_str(value.get()).unwrap_or_default();
        schema.insert("examples".to_owned(), json!([value]));
    }
}

/// A JSON value as text, the form that the inference works with.
pub(super) fn raw(value: &Value) -> Box<serde_json::value::RawValue> {
    domain_json::raw(value.to_string())
}

/// Describes an argument by the text of the document, else by its name.
pub(super) fn describe(schema: &mut Map<String, Value>, name: &str, text: &str, purpose: Purpose) {
    let known = || descriptions::describe(&to_snake_case(name), purpose).unwrap_or_default().to_owned();
    let text = Some(argument_description(text, false, None)).filter(|text| !text.is_empty()).unwrap_or_else(known);
    if !text.is_empty() {
        schema.insert("description".to_owned(), text.into());
    }
}

/// Adds a note about generated values, and the description of variables without a value.
pub(super) fn add_note(schema: &mut Map<String, Value>, value: &Template, variables: &VariableScopes<'_>) {
    for name in value.generated_names() {
        append(schema, &format!("Postman generates this value ({name})."));
    }
    if !schema.contains_key("description") {
        let text = value.unknown_names().find_map(|name| variables.description(name));
        append(schema, &argument_description(text.unwrap_or_default(), false, None));
    }
}

fn append(schema: &mut Map<String, Value>, sentence: &str) {
    if sentence.is_empty() {
        return;
    }
    let text = schema.get("description").and_then(Value::as_str).unwrap_or_default().to_owned();
    let end = if text.is_empty() || text.ends_with(['.', '!', '?']) { "" } else { "." };
    schema.insert("description".to_owned(), format!("{text}{end} {sentence}").trim_start().into());
}
