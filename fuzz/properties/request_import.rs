//! Any JSON is read as the items of a Postman collection and as the entries of a HAR recording, and each candidate
//! passes the rules for tools.

use std::collections::HashSet;

use serde_json::{Value, json};
use toolgate_domain::endpoint_url::EndpointUrl;
use toolgate_domain::headers::SentHeaders;
use toolgate_domain::json::JsonObject;
use toolgate_domain::parameters::ParameterMapping;
use toolgate_domain::secrets::Secrets;
use toolgate_domain::text;
use toolgate_domain::tool::{HttpMethod, ToolPatch, ToolSpec, object_schema};
use toolgate_import::api;
use toolgate_import::api::candidate::Candidate;
use toolgate_import::api::options::ImportOptions;

/// Reads a JSON text as a collection, as an item and as an entry; other texts are not read.
pub(crate) fn check(text: &str) {
    let Ok(value) = serde_json::from_str::<Value>(text) else { return };
    let items = if value.is_array() { value.clone() } else { json!([value]) };
    check_document(&json!({"info": {"name": "A"}, "item": items, "variable": items}));
    check_document(&json!({"log": {"entries": items}}));
    if value.get("item").is_some() || value.get("log").is_some() {
        check_document(&value);
    }
}

fn check_document(document: &Value) {
    let Ok(import) = api::read(document.to_string().as_bytes(), &ImportOptions::default()) else { return };
    serde_json::to_string(&import).expect("a report is JSON");
    let mut ids = HashSet::new();
    let mut names = HashSet::new();
    for candidate in &import.candidates {
        assert!(ids.insert(&candidate.temp_id), "the id {} is given twice", candidate.temp_id);
        assert!(names.insert(&candidate.name), "the name {} is given twice", candidate.name);
        let uses_listed = |name: &String| import.credentials.iter().any(|credential| credential.name == *name);
        assert!(candidate.credential.as_ref().is_none_or(uses_listed), "the credential is not listed");
        check_rules(candidate);
    }
}

/// Creates a tool from the candidate, by the rules of the domain.
fn check_rules(candidate: &Candidate) {
    let endpoint_url = EndpointUrl::parse("endpoint_url", &candidate.endpoint_url).expect("a valid URL");
    let headers = json!(candidate.headers).to_string();
    let mapping = without_file_keys(candidate.parameter_mapping.to_value());
    let schema = candidate.input_schema.to_value();
    text::document("input_schema", &schema).expect("no invisible characters");
    let declared = schema["properties"].as_object().map_or(0, serde_json::Map::len);
    let arguments = mapping.as_object().into_iter().flatten().filter(|(_, rule)| rule.get("value").is_none()).count();
    assert_eq!(declared, arguments, "each argument has a rule");
    let patch = ToolPatch {
        name: Some(candidate.name.clone()),
        description: Some(text::description("description", &candidate.description).expect("a valid description")),
        http_method: Some(HttpMethod::parse(&candidate.http_method).expect("a method")),
        input_schema: Some(object_schema("input_schema", &candidate.input_schema).expect("a valid schema")),
        parameter_mapping: Some(
            ParameterMapping::parse("parameter_mapping", &JsonObject::from_stored(mapping.to_string()))
                .expect("a valid mapping"),
        ),
        body_type: Some(candidate.body_type),
        headers: Some(SentHeaders::parse("headers", &JsonObject::from_stored(headers)).expect("valid headers")),
        ..ToolPatch::default()
    };
    let applied = ToolSpec::new("x".to_owned(), endpoint_url).apply(patch, &mut Secrets::default());
    assert!(applied.is_ok(), "{applied:?}");
}

/// The mapping without the keys for files.
fn without_file_keys(mut mapping: Value) -> Value {
    for rule in mapping.as_object_mut().into_iter().flatten().filter_map(|(_, rule)| rule.as_object_mut()) {
        rule.retain(|key, _| !matches!(key.as_str(), "file" | "content_type"));
    }
    mapping
}
