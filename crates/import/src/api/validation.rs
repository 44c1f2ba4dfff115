//! Applies the validation of tools to a candidate.

use serde_json::value::to_raw_value;
use toolgate_domain::endpoint_url::EndpointUrl;
use toolgate_domain::fault::{Fault, Faults};
use toolgate_domain::headers::SentHeaders;
use toolgate_domain::json::JsonObject;
use toolgate_domain::parameters::ParameterMapping;
use toolgate_domain::secrets::Secrets;
use toolgate_domain::text;
use toolgate_domain::tool::{DOCUMENT_MAX, HttpMethod, Tags, ToolPatch, ToolSpec, object_schema};

use crate::api::candidate::Candidate;

/// Placeholder for the host of a URL that has none yet.
const SAMPLE_ORIGIN: &str = "https://host.invalid";

/// Maximum length of an operation (method and path), in bytes. PostgreSQL limits the size of index entries.
const OPERATION_MAX: usize = 2048;

/// Checks a candidate with the validation of tools. The error contains all messages. A URL without a host, which is
/// completed later, is checked with a placeholder.
pub(crate) fn check(candidate: &Candidate, is_absolute: bool) -> Result<(), String> {
    let mut faults = Faults::default();
    faults.ok_or_record(check_operation(&candidate.operation));
    let patch = patch(candidate, &mut faults);
    let url = if is_absolute {
        candidate.endpoint_url.clone()
    } else {
        format!("{SAMPLE_ORIGIN}/{}", candidate.endpoint_url.trim_start_matches('/'))
    };
    if let Some(url) = faults.ok_or_record(EndpointUrl::parse("endpoint_url", &url)) {
        let mut tool = ToolSpec::new(String::new(), url);
        faults.ok_or_record(tool.apply(patch, &mut Secrets::default()));
    }
    let messages: Vec<&str> = faults.iter().map(|fault| fault.message.as_str()).collect();
    if messages.is_empty() { Ok(()) } else { Err(messages.join(" ")) }
}

/// Checks an operation, which is stored as it is.
fn check_operation(operation: &str) -> Result<(), Fault> {
    let length = operation.len();
    if length > OPERATION_MAX {
        let message = format!(
            "The path of the operation is too long: method and path must have at most {OPERATION_MAX} bytes (got {length})."
        );
        return Err(Fault::invalid_value("operation", message));
    }
    if operation.contains(char::is_control) {
        let message = "The path of the operation has control characters, which a URL cannot have.";
        return Err(Fault::invalid_value("operation", message));
    }
    Ok(())
}

/// The request that creates the tool, without its credential: the rules for credentials do not depend on the document.
fn patch(candidate: &Candidate, faults: &mut Faults) -> ToolPatch {
    if candidate.parameter_mapping.as_str().len() > DOCUMENT_MAX {
        faults.push(Fault::too_long("parameter_mapping", DOCUMENT_MAX, "bytes"));
    }
    if !candidate.input_schema.as_str().is_ascii() {
        faults.ok_or_record(text::document("input_schema", &candidate.input_schema.to_value()));
    }
    let headers = to_raw_value(&candidate.headers).ok().and_then(|headers| JsonObject::from_raw(&headers));
    let tags: Vec<_> = candidate.tags.iter().filter_map(|tag| to_raw_value(tag).ok()).collect();
    ToolPatch {
        name: Some(candidate.name.clone()),
        description: faults.ok_or_record(text::description("description", &candidate.description)),
        http_method: HttpMethod::parse(&candidate.http_method),
        input_schema: faults.ok_or_record(object_schema("input_schema", &candidate.input_schema)),
        parameter_mapping: faults
            .ok_or_record(ParameterMapping::parse("parameter_mapping", &candidate.parameter_mapping)),
        body_type: Some(candidate.body_type),
        headers: headers.and_then(|headers| faults.ok_or_record(SentHeaders::parse("headers", &headers))),
        tags: faults.ok_or_record(Tags::parse("tags", &tags)),
        ..ToolPatch::default()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use toolgate_domain::tool::BodyType;

    use super::*;
    use crate::api::options::ImportOptions;
    use crate::api::read;

    #[test]
    fn the_path_of_an_operation_has_a_maximum_of_bytes_and_no_control_characters() {
        let read_path = |path: String| {
            let document = json!({
                "openapi": "3.1.0", "info": {"title": "A", "version": "1"}, "servers": [{"url": "https://a.example"}],
                "paths": {path: {"get": {}}},
            });
            read(document.to_string().as_bytes(), &ImportOptions::default()).unwrap()
        };
        let letters = |count: usize| format!("/{}", "漢".repeat(count));
        let fits = read_path(letters((OPERATION_MAX - "GET /".len()) / 3));
        assert!(!fits.problems.iter().any(|problem| problem.message.contains("path of the operation")), "{fits:?}");
        for (path, message) in
            [(letters(OPERATION_MAX / 3), "is too long"), ("/a\0b".to_owned(), "has control characters")]
        {
            let refused = read_path(path);
            assert!(refused.candidates.is_empty());
            let expected = format!("The path of the operation {message}");
            assert!(refused.problems[0].message.contains(&expected), "{refused:?}");
        }
    }

    #[test]
    fn a_candidate_is_checked_by_all_rules_for_tools() {
        let document = json!({
            "openapi": "3.1.0", "info": {"title": "A", "version": "1"}, "servers": [{"url": "https://a.example"}],
            "paths": {"/x": {"post": {"requestBody": {"content": {"application/json": {"schema": {}}}}}}},
        });
        let mut candidate =
            read(document.to_string().as_bytes(), &ImportOptions::default()).unwrap().candidates.remove(0);
        assert_eq!(check(&candidate, true), Ok(()));
        let null = r#"{"a":{"location":"body","value":null}}"#;
        for (mapping, body_type, message) in [
            (null, BodyType::Form, "null cannot be sent in a form"),
            (r#"{"a":{"location":"path","value":"x"}}"#, BodyType::Json, "endpoint_url has no placeholder {a}"),
            (r#"{"a":{"location":"body","content_type":"a/b"}}"#, BodyType::Json, "needs the body_type multipart"),
            (r#"{"a":{"location":"body","odd":1}}"#, BodyType::Json, "odd"),
        ] {
            candidate.parameter_mapping = JsonObject::from_stored(mapping.to_owned());
            candidate.body_type = body_type;
            let refused = check(&candidate, true).unwrap_err();
            assert!(refused.contains(message), "{mapping}: {refused}");
        }
    }
}
